"""One run of `stonehand import images`: a folder of ready card pictures made into a project.

The names of files tell sides, counts and names (`pictures.names`), their pixels the card size
(`pictures.sizes`). Pictures are copied under the ids of their cards, and nothing in the folder is
changed. What was found, merged or left out is returned as lines for the person who ran it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stonehand.art.library import ArtLibrary
from stonehand.art.picture import READABLE, SUFFIXES
from stonehand.cards.catalogues import MAX_CARDS
from stonehand.cards.reading import MAX_COUNT
from stonehand.cards.template import CardSize, load_sizes
from stonehand.output.files import Staged
from stonehand.pictures.names import Ids, Side, Told, in_order, is_for_all, numbered_names, told_by
from stonehand.pictures.sizes import Found, Look, card_size
from stonehand.pictures.writing import CardFile, Face, Kind, face_name, found_in, write
from stonehand.project import Project, shipped_content
from stonehand.source.files import shown, within
from stonehand.source.problems import Location, Problems, counted, fault
from stonehand.source.text import Text
from stonehand.starting import Start

# folders whose files are all of one side
SIDES: Mapping[str, Side] = {"fronts": "front", "front": "front", "backs": "back", "back": "back"}


class _File(NamedTuple):
    path: Path
    told: Told
    pages: tuple[Face, ...]
    in_folder: bool = False  # the side is that of the folder


def import_images(
    source: Path,
    start: Start,
    bleeds: Sequence[float],
    back: Path | None,
    folder: Path,
    staged: Staged,
    problems: Problems,
) -> list[str]:
    """Write a project of the pictures in a folder, or of a PDF file; return what was found.

    `bleeds` are those, in mm, that pictures may have; `back` is the picture of all backs. Faults
    are added to `problems`: pictures that can't be read, and backs whose cards are not there.
    """
    notes: list[str] = []
    files = _read(source, back, notes, problems)
    common = _file(back, Told(""), problems) if back else None
    fronts, pairs, shared = _paired(files, common, notes, problems)
    problems.raise_errors()
    cards = list(_cards(fronts, pairs, shared.pages[0] if shared else None, problems))
    problems.raise_errors()
    if not cards:
        raise fault(Location(shown(source)), "has no pictures in it", READABLE)
    if len(cards) > MAX_CARDS:
        raise fault(Location(shown(source)), f"has more than {MAX_CARDS:,} pictures")
    cards = _merged(cards, notes)
    sizes = load_sizes(Project((shipped_content(),)).files("layouts/sizes.yaml"), problems)
    kinds = _kinds(cards, sizes, bleeds)
    write(kinds, start, folder, staged, notes)
    total = sum(card.count for card in cards)
    read = sum(len(file.pages) for file in files) + bool(common)
    head = f"{folder.as_posix()}/: {counted(total, 'card')} from {counted(read, 'picture')}"
    return [
        head,
        *(_size_line(kind) for kind in kinds),
        *(f"  {note}" for note in dict.fromkeys(notes)),
    ]


# --- what is there


def _read(source: Path, back: Path | None, notes: list[str], problems: Problems) -> list[_File]:
    """Read all pictures of a folder and of its folders of fronts and backs, each file once."""
    source = source.resolve()
    if not source.is_dir():
        only = _file(source, told_by(source.stem), problems)
        return [only] if only else []
    found: list[tuple[Path, Side]] = []
    for path in _listed(source):
        side = SIDES.get(path.name.lower(), "")
        inner = _listed(path) if side and path.is_dir() else [path]
        found += ((one, side if one is not path else "") for one in inner)
    pictures: list[tuple[Path, Side]] = []
    others: list[str] = []
    for path, side in found:
        if path.is_dir() or path.suffix.lower() not in SUFFIXES:
            others.append(path.relative_to(source).as_posix() + "/" * path.is_dir())
        elif not within(source, path):
            problems.error(Location(shown(path)), "is a link out of its folder", "copy the file")
        elif back is None or path.resolve() != back.resolve():
            pictures.append((path, side))
    if others:
        few = ", ".join(others[:5]) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
        notes.append(f"left out: {few}")
    numbered = numbered_names([path.stem for path, side in pictures if side != "back"])
    made = []
    in_folders = Counter(told_by(path.stem, sides=False).key for path, side in pictures if side)
    for path, side in pictures:
        told = told_by(path.stem, numbered=numbered)
        plain = told_by(path.stem, numbered=numbered, sides=False)
        # in a folder, "front" may be a word of both names, such as of "front row"
        if side and (in_folders[plain.key] > 1 or told.side not in ("", side)):
            told = plain
        told = told._replace(side=side or told.side)
        made.append(_file(path, told, problems, in_folder=bool(side)))
    return [file for file in made if file]


def _listed(folder: Path) -> list[Path]:
    """Return what is in a folder and not hidden, in the order in which people count."""
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith(".")]
    except OSError as error:
        raise fault(Location(shown(folder)), f"can't be read: {error.strerror}") from None
    return sorted(paths, key=lambda path: in_order(path.name))


def _file(path: Path, told: Told, problems: Problems, *, in_folder: bool = False) -> _File | None:
    """Return a picture file with its pages; what can't be read is reported."""
    library = ArtLibrary()
    name = Text(path.name, Location(shown(path)))
    with problems.gather():
        looks = [Look.of(library.load(path, name))]
        for page in range(2, library.pages_of(path) + 1):
            looks.append(Look.of(library.load(path, name, page)))
        faces = tuple(Face(path, page, look) for page, look in enumerate(looks, 1))
        return _File(path, told, faces, in_folder)
    return None


# --- which back belongs to which front


def _paired(
    files: Sequence[_File], given: _File | None, notes: list[str], problems: Problems
) -> tuple[list[_File], dict[str, _File], _File | None]:
    """Return the fronts, the backs by the keys of their fronts, and the back of all others."""
    fronts = [file for file in files if file.told.side != "back"]
    for_all = [f for f in fronts if is_for_all(f.path.stem) and len(files) > 1 and not f.in_folder]
    fronts = [file for file in fronts if file not in for_all]
    keys = {file.told.key for file in fronts}
    pairs: dict[str, _File] = {}
    lone: list[_File] = []
    for file in files:
        if file.told.side != "back":
            continue
        key = file.told.key
        if key in pairs:
            message = f"is a second back of '{file.told.base}'"
            problems.error(
                Location(shown(file.path)), message, f"the first is {shown(pairs[key].path)}"
            )
        elif key in keys:
            pairs[key] = file
        elif is_for_all(file.path.stem):
            for_all.append(file)
        elif file.in_folder:
            lone.append(file)
        else:
            stem = file.path.stem
            fronts.append(file._replace(told=Told(stem)))
            notes.append(f"{file.path.name} is taken for a front: it has none")
    if len(lone) == 1 and not pairs and not for_all:
        for_all, lone = lone, []
    for file in lone:
        hint = "name both alike, or leave one back alone for all cards"
        problems.error(Location(shown(file.path)), "there is no front of this name", hint)
    if given:
        notes += [f"left out: {file.path.name}, as another back was named" for file in for_all]
        return fronts, pairs, given
    if len(for_all) > 1:
        names = " and ".join(f"'{file.path.name}'" for file in for_all[:2])
        at = Location(shown(for_all[1].path))
        problems.error(at, f"{names} could both be the back of all cards", "name one with --back")
    return fronts, pairs, for_all[0] if for_all else None


def _cards(
    fronts: Sequence[_File], pairs: Mapping[str, _File], shared: Face | None, problems: Problems
) -> Iterator[CardFile]:
    """Yield a card for each page of each front."""
    for file in fronts:
        back = pairs.get(file.told.key)
        backs = back.pages if back else ()
        if len(backs) not in (0, 1, len(file.pages)):
            message = f"has {len(backs)} pages, its fronts in {file.path.name} {len(file.pages)}"
            problems.error(Location(shown(back.path if back else file.path)), message)
            continue
        count = 1 if file.told.copies is None else file.told.copies
        if count > MAX_COUNT:
            problems.error(Location(shown(file.path)), f"count {count} is out of range")
        for i, face in enumerate(file.pages):
            own = backs[min(i, len(backs) - 1)] if backs else shared
            base = f"{file.told.base} {i + 1}" if len(file.pages) > 1 else file.told.base
            yield CardFile(base, face, own, count)


def _merged(cards: Sequence[CardFile], notes: list[str]) -> list[CardFile]:
    """Return cards, those with the same content on both sides as one, with ids; tell of it."""
    first: dict[tuple[str, str], CardFile] = {}
    ids = Ids(("back", "card"))
    for card in cards:
        key = card.front.look.key, card.back.look.key if card.back else ""
        if twin := first.get(key):
            twin.count += card.count
            what = f"{face_name(card.front)} is the same picture as {face_name(twin.front)}"
            notes.append(f"{what}: one card, {twin.count} times")
        else:
            first[key] = card
            card.id = ids.of(card.base)
    return list(first.values())


def _kinds(
    cards: Sequence[CardFile], sizes: Mapping[str, CardSize], bleeds: Sequence[float]
) -> list[Kind]:
    """Return the cards by their sizes, the most frequent first."""
    kinds: dict[object, Kind] = {}
    known: dict[object, Found] = {}
    for card in cards:
        look = card.front.look
        key = look._replace(key="")
        if key not in known:
            known[key] = card_size(look, sizes, bleeds)
        size = known[key]
        kinds.setdefault(size.key, Kind("", size)).cards.append(card)
    found = sorted(kinds.values(), key=lambda kind: -len(kind.cards))
    names = Ids({"back", *(card.id for card in cards)})
    for kind in found:
        size = kind.size
        kind.name = "card"
        if len(found) > 1:
            turned = "-wide" if size.turned and size.width > size.height else ""
            kind.name = names.of(f"{size.name or f'{size.width:g}x{size.height:g}'}{turned}")
        backs = Counter(card.back.look.key for card in kind.cards if card.back)
        if not backs:
            continue
        most, often = backs.most_common(1)[0]
        if len(backs) == 1 or often > 1:
            kind.back = next(c.back for c in kind.cards if c.back and c.back.look.key == most)
        kind.own_backs = len(backs) > 1 or often < len(kind.cards)
    return found


# --- what is said


def _size_line(kind: Kind) -> str:
    backs = ", with backs" if any(card.back for card in kind.cards) else ""
    found = found_in(kind.size, kind.cards[0].front.look)
    return f"  {counted(len(kind.cards), 'picture')}{backs}: {kind.size.words} ({found})"
