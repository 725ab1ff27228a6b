"""A project of ready pictures: its game, its catalogues, its templates, and the pictures copied."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from stonehand.output.files import Staged
from stonehand.pictures.names import Ids, name_of
from stonehand.pictures.sizes import Found, Look, bleed_of_back
from stonehand.source.files import PICTURE_LIMIT, read_bytes
from stonehand.starting import Start, write_furnishings, write_pages


class Face(NamedTuple):
    """One side of a card: a picture file, or a page of one."""

    path: Path
    page: int
    look: Look


class CardFile(msgspec.Struct):
    """A card that was found: its name, its faces, and how often it is there."""

    base: str
    front: Face
    back: Face | None
    count: int
    id: str = ""


class Kind(msgspec.Struct):
    """Cards of one size."""

    name: str
    size: Found
    cards: list[CardFile] = []
    own_backs: bool = False  # cards have backs of their own
    back: Face | None = None  # that of all others

    @property
    def title(self) -> str:
        """What the kind is called."""
        size = f" of {self.size.width:g} x {self.size.height:g} mm" if self.name != "card" else ""
        return f"Card{size}"


def write(
    kinds: Sequence[Kind], start: Start, folder: Path, staged: Staged, notes: list[str]
) -> None:
    """Write the project; add to `notes` what is not as it should be."""
    name = start.name
    places = _Places(folder / "cards" / name / "art", staged)
    catalogues, spec = [], []
    for kind in kinds:
        # cards first, so that what both sides of one show is named after the front
        lines = [_card_line(kind, card, places) for card in kind.cards]
        catalogues.append(f"{kind.name}s.yaml" if len(kinds) == 1 else f"{kind.name}.yaml")
        head = '# One line is one card; "count" says how often it is printed.\n\n'
        text = f"{head}kind: {kind.name}\ncards:\n" + "\n".join(lines) + "\n"
        staged.write(folder / "cards" / name / catalogues[-1], text.encode())
        spec += _kind_lines(kind, name, places)
        _write_templates(kind, folder / "layouts" / name, staged, notes)
    game = [
        "# What the game is made of: kinds of cards, each of one size. A card is a picture; its",
        "# name is for lists and rules.",
        "",
        f"title: {quoted(start.title)}",
        f"languages: [{', '.join(start.languages) or 'en'}]",
        f"catalogues: [{', '.join(catalogues)}]",
        "",
        "kinds:",
        *spec,
        "",
    ]
    staged.write(folder / "cards" / name / "game.yaml", "\n".join(game).encode())
    write_pages("images", start, folder, staged)
    write_furnishings(start, [f"cards/{name}/{c}" for c in catalogues], folder, staged)


class _Places:
    """Copies pictures into `art/`, each content once, and gives the names they have there."""

    def __init__(self, art: Path, staged: Staged) -> None:
        self._art = art
        self._staged = staged
        self._by_file: dict[Path, str] = {}
        self._by_key: dict[str, str] = {}
        self._documents = Ids()

    def of(self, face: Face, wanted: str) -> str:
        """Return the name of a face below `art/`, which is `wanted` unless it is there already."""
        path = face.path
        if path.suffix.lower() == ".pdf":
            if path not in self._by_file:
                stem = self._documents.of(path.stem)
                self._by_file[path] = self._copied(path, f"documents/{stem}")
            return f"{self._by_file[path]}.pdf#{face.page}"
        if face.look.key not in self._by_key:
            self._by_key[face.look.key] = self._copied(path, wanted)
        return self._by_key[face.look.key]

    def unused(self, *names: str) -> str:
        """Return the first of some names that no file has yet."""
        return next(name for name in names if name not in self._by_key.values())

    def _copied(self, path: Path, name: str) -> str:
        data = read_bytes(path, PICTURE_LIMIT)
        self._staged.write(self._art / f"{name}{path.suffix.lower()}", data)
        return name


def _card_line(kind: Kind, card: CardFile, places: _Places) -> str:
    parts = [f"id: {quoted(card.id)}"]
    if card.count != 1:
        parts.append(f"count: {card.count}")
    parts.append(f"name: {quoted(name_of(card.base) or card.id)}")
    parts.append(f"art: {quoted(places.of(card.front, card.id))}")
    if kind.own_backs and card.back is None:
        parts.append("back: none")
    elif (
        kind.own_backs and card.back and (not kind.back or card.back.look.key != kind.back.look.key)
    ):
        parts.append(f"reverse: {quoted(places.of(card.back, f'backs/{card.id}'))}")
    return f"  - {{{', '.join(parts)}}}"


def _kind_lines(kind: Kind, name: str, places: _Places) -> list[str]:
    common = ""
    if kind.back:
        common = quoted(places.of(kind.back, places.unused("back", f"backs/{kind.name}")))
    lines = [
        f"  {kind.name}:",
        f"    title: {quoted(kind.title)}",
        f"    front: {name}/{kind.name}",
    ]
    fields = "name: text, art: picture"
    back = f"{name}/{kind.name}-back"
    if kind.own_backs:
        lines.append(f"    back: {{template: {back}, values: {{picture: $reverse}}, differs: yes}}")
        others = f"default: {common}" if common else "optional: yes"
        fields += f", reverse: {{type: picture, {others}}}"
    elif kind.back:
        lines.append(f"    back: {{template: {back}, values: {{picture: {common}}}}}")
    return [*lines, f"    fields: {{{fields}}}"]


def _write_templates(kind: Kind, folder: Path, staged: Staged, notes: list[str]) -> None:
    size, front = kind.size, kind.cards[0].front.look
    text = _template(size, "$art", size.bleed, found_in(size, front))
    staged.write(folder / f"{kind.name}.yaml", text.encode())
    backs = {card.back.look.key: card.back for card in kind.cards if card.back}
    if not backs:
        return
    bleeds = {key: bleed_of_back(face.look, size) for key, face in backs.items()}
    for key, bleed in bleeds.items():
        if bleed is None:
            notes.append(f"{face_name(backs[key])} has not the shape of its fronts, and is cropped")
    [(most, _)] = Counter(bleeds.values()).most_common(1)
    text = _template(size, "$picture", most, "its front")
    staged.write(folder / f"{kind.name}-back.yaml", text.encode())


def _template(size: Found, picture: str, bleed: float | None, found: str) -> str:
    """Return a template of a picture with a bleed, without one (0), or of another shape (None)."""
    how = "bleed: extend, fit: cover" if bleed is None else "bleed: extend, fit: stretch"
    told = "It ends at the cut, and is continued beyond as in a mirror."
    if bleed:
        how, told = "bleed: yes", f"It goes {bleed:g} mm beyond the cut on all sides."
    lines = [f"# A picture of a whole card. The size is that of {found}.", f"# {told}", ""]
    if size.name and not size.turned:
        lines.append(f"size: {size.name}")
    else:
        lines.append(f"size: {{width: {size.width:g}mm, height: {size.height:g}mm}}")
    lines += [f"bleed: {bleed:g}mm"] if bleed else []
    lines += ["elements:", f"  - {{draw: picture, picture: {picture}, {how}}}", ""]
    return "\n".join(lines)


def found_in(size: Found, look: Look) -> str:
    """Return in what a size was found, from which one sees how certain it is."""
    seen = f"{look.width:.4g} x {look.height:.4g} {'mm' if look.drawn else 'px'}"
    if size.dpi:
        seen += f" at {size.dpi:g} dpi"
    if size.how == "told":
        return f"{seen}, as the file tells"
    if size.how == "shape":
        return f"{seen}, by shape alone" + (f"; it might be {size.near}" if size.near else "")
    return seen if size.how == "resolution" else f"{seen}, like no named size"


def face_name(face: Face) -> str:
    """Return the name of a picture's file, with its page if it is a PDF."""
    pages = f"#{face.page}" if face.path.suffix.lower() == ".pdf" else ""
    return f"{face.path.name}{pages}"


def quoted(text: str) -> str:
    """Return a text as YAML takes it within `{...}`, in quotes only where it needs them."""
    plain = re.fullmatch(r"[^\W_](?:[\w .'()/#-]*[\w.')])?", text) and " #" not in text
    return text if plain else json.dumps(text, ensure_ascii=False)
