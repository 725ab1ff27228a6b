"""One run of `stonehand new`: a project made of a starter, or of a shipped game, under a new name.

A starter is itself a project: a folder of `starters/` whose game has the starter's name, so that it
can be built and checked where it lies. It is copied file by file, as a shipped game is. In texts,
paths such as `minimal/front` become those of the new game; `{name}`, `{title}` and `{catalogues}`
stand only in the pages about the project and in the settings of editors.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from stonehand.cards.deck import check_text
from stonehand.cards.reading import NAME_HINT, is_name, load_game
from stonehand.language.languages import load_languages
from stonehand.output.files import Staged
from stonehand.project import GameFolder, Project, shipped_content
from stonehand.schema import FILES, schema_of
from stonehand.source.files import PICTURE_LIMIT, read_bytes, read_text, shown
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.text import Text

_TEXTS = {".yaml", ".md", ".po", ".pot", ".csv", ".json"}
_GAME_FOLDERS = ("cards", "layouts", "i18n")
_LICENCE = "MIT License of Fluent Emoji"  # of most pictures of the shipped games


class Start(NamedTuple):
    """What a new project is called, and its languages (those of its model if there are none)."""

    name: str
    title: str
    languages: tuple[Text, ...] = ()


def begin(name: Text, title: Text | None, languages: tuple[Text, ...], folder: Path) -> Start:
    """Return what a project in a folder is to be called.

    Faults: a name that no game can have, a title that can't be printed, a folder with files in it.
    """
    if not is_name(name):
        raise fault(name.at, f"'{name}' can't be the name of a game", NAME_HINT)
    if title is not None:
        check_text(title)
        if len(title.splitlines()) != 1 or not title.strip():
            raise fault(title.at, "the title is one line of text")
    at = Location(shown(folder))
    try:
        if folder.exists() and not folder.is_dir():
            raise fault(at, "is a file", "name another folder with -o")
        if any(not path.is_dir() for path in folder.rglob("*")):
            raise fault(at, "has files in it already", "name a new or an empty folder with -o")
    except OSError as error:
        raise fault(at, f"can't be read: {error.strerror}") from None
    return Start(str(name), str(title or _title(name)), languages)


def write_project(start: Start, like: Text, folder: Path, staged: Staged) -> int:
    """Write a project like a starter or a shipped game; return how many cards it has.

    Faults: a model that is not there, and languages that are not known or not those of its texts.
    """
    model = _model(like)
    problems = Problems()
    game = load_game(model, problems)
    problems.raise_errors()
    languages = _languages(start, game.spec.languages, model)
    own = sorted(_files(model))
    catalogues = [f"cards/{start.name}/{name}" for name in game.spec.catalogues]
    adapt = _adapter(start, model.name, str(game.spec.title), languages, catalogues)
    for path in own:
        source = model.root / path
        target = folder / _renamed(path, model.name, start.name)
        if path.suffix in (".po", ".pot") and path.stem not in (*languages, model.name):
            continue
        if path.suffix in _TEXTS:
            staged.write(target, adapt(path, read_text(source)).encode())
        else:
            staged.write(target, read_bytes(source, PICTURE_LIMIT))
    if model.root == shipped_content():
        page = adapt(Path("CREDITS.md"), _credits(model.name))
        staged.write(folder / "CREDITS.md", page.encode())
        write_pages("copy", start, folder, staged)
    write_furnishings(start, catalogues, folder, staged)
    return sum(card.count for card in game.cards)


def write_pages(kind: str, start: Start, folder: Path, staged: Staged) -> None:
    """Write the pages about a project that has no starter of its own."""
    for source in sorted((_starters() / kind).glob("*.md")):
        text = _told(read_text(source), start)
        staged.write(folder / source.name, text.encode())


def write_furnishings(
    start: Start, catalogues: Sequence[str], folder: Path, staged: Staged
) -> None:
    """Write what all projects have: settings for git and editors, and the schemas of the files."""
    shared = _starters() / "shared"
    for source in sorted(path for path in shared.rglob("*") if path.is_file()):
        text = read_text(source).replace("{name}", start.name)
        listed = json.dumps(list(catalogues), ensure_ascii=False)
        staged.write(
            folder / source.relative_to(shared), text.replace("{catalogues}", listed).encode()
        )
    for name in FILES:
        text = json.dumps(schema_of(name), indent=1) + "\n"
        staged.write(folder / "schema" / f"{name}.json", text.encode("ascii"))


def _told(page: str, start: Start) -> str:
    """Return a page about a game, its name put in and what stands beside commands in one column."""
    made = page.replace("{name}", start.name).replace("{title}", start.title)

    def aligned(block: re.Match[str]) -> str:
        lines = [_BESIDE.split(line, maxsplit=1) for line in block[0].splitlines()]
        wide = max(len(line[0]) for line in lines)
        return "".join(f"{line[0]:{wide}}   # {line[1]}\n" for line in lines)

    return re.sub(r"(?:^stonehand .*? {2,}# .*\n)+", aligned, made, flags=re.MULTILINE)


_BESIDE = re.compile(r" {2,}# ")


def _title(name: str) -> str:
    """Return a title for a name, such as `My game` for `my-game`."""
    words = re.sub(r"[-_.]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def _starters() -> Path:
    return shipped_content() / "starters"


def _model(like: Text) -> GameFolder:
    """Return the game of a starter, or a shipped game."""
    shipped = Project((shipped_content(),)).games()
    starters = {path.parent.parent.name for path in _starters().glob("*/cards/*")}
    if like in starters:
        root = _starters() / like
        return GameFolder(str(like), root / "cards" / like, Project((root, shipped_content())))
    if like in shipped:
        return shipped[like]
    known = {*starters, *shipped}
    raise fault(like.at, f"there is no '{like}' to begin with", did_you_mean(like, known))


def _languages(start: Start, of_model: Sequence[Text], model: GameFolder) -> tuple[str, ...]:
    """Return the languages of the new game, which must be known."""
    if not start.languages:
        return tuple(map(str, of_model))
    problems = Problems()
    known = load_languages(model.project.files("i18n/languages.yaml"), problems)
    problems.raise_errors()
    for code in start.languages:
        if code not in known:
            raise fault(code.at, f"unknown language '{code}'", did_you_mean(code, known))
    first, source = start.languages[0], of_model[0]
    translated = any(model.translation(code).exists() for code in of_model)
    if translated and first != source:
        hint = f"name '{source}' first"
        raise fault(first.at, f"the texts of '{model.name}' are in '{source}'", hint)
    return tuple(dict.fromkeys(map(str, start.languages)))


def _files(model: GameFolder) -> Iterator[Path]:
    """Yield the files that belong to a model, by their paths in its project."""
    folders = [model.root / part / model.name for part in _GAME_FOLDERS]
    if model.root != shipped_content():
        folders = [model.root]
    for folder in folders:
        yield from (p.relative_to(model.root) for p in folder.rglob("*") if p.is_file())


def _renamed(path: Path, old: str, new: str) -> Path:
    """Return where a file of the old game lies in the new one."""
    parts = list(path.parts)
    if parts[0] in _GAME_FOLDERS and parts[1:2] == [old]:
        parts[1] = new
    if parts[-1] == f"{old}.pot":
        parts[-1] = f"{new}.pot"
    return Path(*parts)


def _adapter(
    start: Start, old: str, old_title: str, languages: Sequence[str], catalogues: Sequence[str]
) -> Callable[[Path, str], str]:
    """Return the function that makes a text of the old game, by its path, one of the new."""
    # what stands behind a path, such as a comment, keeps its column
    within_path = re.compile(rf"(?<![\w.-]){re.escape(old)}/(?:(\S*)( {{2,}})(?=#))?")
    longer = len(start.name) - len(old)

    def renamed(found: re.Match[str]) -> str:
        behind = " " * max(2, len(found[2]) - longer) if found[2] else ""
        return f"{start.name}/{found[1] or ''}{behind}"

    title = json.dumps(start.title, ensure_ascii=False)
    titled = re.compile(
        rf'^(msgctxt "(?:game\.)?title"\nmsgid ){re.escape(json.dumps(old_title))}\nmsgstr ".*"$',
        re.MULTILINE,
    )

    def adapt(path: Path, text: str) -> str:
        made = within_path.sub(renamed, text)
        if path.name == "game.yaml":
            made = re.sub(r"^title:.*$", lambda _: f"title: {title}", made, flags=re.MULTILINE)
            codes = ", ".join(languages)
            made = re.sub(r"^languages: \[.*?\]", f"languages: [{codes}]", made, flags=re.MULTILINE)
        elif path.name == "rules.md":
            made = made.replace(f"\ngame: {old}\n", f"\ngame: {start.name}\n", 1)
            made = made.replace(f"\n# {old_title}\n", f"\n# {start.title}\n", 1)
        elif path.suffix in (".po", ".pot"):
            made = made.replace(
                f'"Project-Id-Version: {old}\\n"', f'"Project-Id-Version: {start.name}\\n"'
            )
            told = title if path.suffix == ".po" else '""'
            made = titled.sub(lambda match: f"{match[1]}{title}\nmsgstr {told}", made)
        elif path.name == "README.md":
            made = _told(made, start)
        return made

    return adapt


def _credits(game: str) -> str:
    """Return what the shipped credits tell of a game's pictures, with the licence of most."""
    # in a checkout it stands at the top, in a wheel, by a link, among the starters
    places = (shipped_content() / "CREDITS.md", _starters() / "CREDITS.md")
    page = read_text(next(path for path in places if path.is_file()))
    sections = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    wanted = (f"## Pictures in `cards/{game}/art`\n", f"## {_LICENCE}\n")
    told = [section for section in sections if section.startswith(wanted)]
    head = (
        "# Credits\n\nThis game began as a copy of one that comes with Stonehand, under the Apache "
        "License 2.0. Tell here\nwhere pictures come from that you add.\n\n"
    )
    return head + "".join(told).rstrip() + "\n"
