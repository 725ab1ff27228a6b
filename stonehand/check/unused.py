"""What a game has but never prints: fields, pictures, templates, styles, colours and texts."""

import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import msgspec

from stonehand.cards import template as t
from stonehand.cards.deck import REFERENCE, LoadedGame, back_of
from stonehand.cards.game import Back
from stonehand.cards.reading import PICTURE_SUFFIXES
from stonehand.source.files import below, is_folder, shown
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text

_TABLES = ("papers.yaml", "sizes.yaml", "cutters.yaml", "books.yaml")
_WORD = re.compile(r"[^\W\d][\w.-]*")


class _Used(msgspec.Struct):
    """What a template and the parts that it uses refer to."""

    files: set[Path] = msgspec.field(default_factory=set)
    names: set[str] = msgspec.field(default_factory=set)  # `text.days` of `$text.days`, too
    words: set[str] = msgspec.field(default_factory=set)  # any text: a style, a colour, a value

    def add(self, other: "_Used") -> None:
        self.files |= other.files
        self.names |= other.names
        self.words |= other.words


def check_unused(
    game: LoadedGame, loaded: Collection[Path], templates: t.Templates, problems: Problems
) -> None:
    """Report what is never used; `loaded` are the files of pictures that were."""
    reader = _Reader(game, templates)
    everything = _Used()
    constrained = {word.partition(".")[0] for word in _written(game.spec.constraints).words}
    for name, kind in game.spec.kinds.items():
        used = _Used()
        used.add(reader.template(kind.front))
        backs = [back_of(kind.back), *(card.back for card in game.cards if card.kind == name)]
        for back in {id(back): back for back in [*backs, *reader.deck_backs()]}.values():
            used.add(reader.back(back))
        used.add(_written(kind.name))
        for own in kind.fields:
            # rulebooks call cards by their names
            if own not in used.names and own not in constrained and own != "name":
                message = f"field '{own}' of '{name}' is never printed"
                problems.finding("unused-field", own.at, message, "draw it, or remove it")
        everything.add(used)
    for box in game.spec.boxes.values():
        for panel in (box.front, box.back, box.side, box.lid):
            everything.add(reader.template(panel))
    for style in game.spec.styles.values():
        everything.add(_written([getattr(style, f) for f in style.__struct_fields__]))
    for values in game.lists.values():
        for choice in values.values():
            everything.add(_written(list(choice.properties.values())))
    for card in game.cards:
        everything.words |= {str(v) for v in card.values.values() if isinstance(v, str)}
    _names(game, everything, problems)
    _templates(game, everything, problems)
    _pictures(game, loaded, problems)


def _names(game: LoadedGame, used: _Used, problems: Problems) -> None:
    spec = game.spec
    for what, names, words in (
        ("style", spec.styles, used.words),
        ("colour", spec.colours, used.words),
        ("text", spec.texts, {n.removeprefix("text.") for n in used.names if "." in n}),
    ):
        for name in names:
            if name not in words:
                message = f"the {what} '{name}' is never used"
                problems.finding("unused-name", name.at, message, "remove it")


def _templates(game: LoadedGame, used: _Used, problems: Problems) -> None:
    """Look through the game's own folder of layouts, or all if the project has one game."""
    root = game.folder.root
    own = root / "layouts" / game.name
    if not is_folder(own) and len(game.folder.project.own_games()) <= 1:
        own = root / "layouts"
    for path in below(own):
        table = path.name in _TABLES or path.suffix != ".yaml"
        if not table and path.resolve() not in used.files:
            at = Location(shown(path))
            problems.finding("unused-template", at, "the template is never used", "remove it")


def _pictures(game: LoadedGame, loaded: Collection[Path], problems: Problems) -> None:
    icons = game.folder.art / str(game.spec.icons) if game.spec.icons else None
    files = [path for path in below(game.folder.art) if path.suffix.lower() in PICTURE_SUFFIXES]
    left = [path for path in files if path not in loaded]
    used = {path.resolve() for path in loaded} if left else set()
    for path in left:
        if path.resolve() in used:  # by another name
            continue
        if icons is None or not path.is_relative_to(icons):  # of a set, not all need be used
            at = Location(shown(path))
            problems.finding("unused-picture", at, "the picture is never printed", "remove it")


class _Reader:
    """Looks through templates, each once; what can't be read is told where it is laid out."""

    def __init__(self, game: LoadedGame, templates: t.Templates) -> None:
        self.game = game
        self.templates = templates
        self._read: dict[Path, _Used] = {}
        self._named: dict[str, _Used] = {}

    def deck_backs(self) -> list[Back | None]:
        return [back_of(deck.back) for deck in self.game.spec.decks.values() if deck.back]

    def back(self, back: Back | None) -> _Used:
        if back is None:
            return _Used()
        used = _Used()
        used.add(self.template(back.template))
        used.add(_written(back.values))
        return used

    def template(self, name: Text | None) -> _Used:
        """Return what a template in `layouts/` refers to, by all that it uses."""
        if name is None or name == "none":
            return _Used()
        return self._look(name, self.templates.template)

    def _look(self, name: Text, read: Callable[[Path], t.Template | t.Part | None]) -> _Used:
        if name not in self._named:
            self._named[str(name)] = self._used_by(name, read)
        return self._named[str(name)]

    def _used_by(self, name: Text, read: Callable[[Path], t.Template | t.Part | None]) -> _Used:
        try:
            layout = self.game.folder.project.layout(name)
            path = layout.resolve()
            if path in self._read:
                return self._read[path]
            used = self._read[path] = _Used({path})
            spec = read(layout)
        except StonehandError:
            return _Used()
        if spec is not None:
            used.add(_written(spec))
            own = getattr(spec, "parts", {})
            for part in _parts(spec):
                if part not in own:
                    used.add(self._look(part, self.templates.part))
        return used


def _written(value: Any) -> _Used:
    """Return the names and words in anything that was written."""
    used = _Used()
    for text in _texts(value):
        for match in REFERENCE.finditer(text):
            path = match[1] or match[2] or ""
            used.names |= {path.partition(".")[0], path}
        used.words.update(_WORD.findall(text))
        used.words.add(text)
    return used


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield str(value)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _texts(getattr(value, name))
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield f"${key}" if _WORD.fullmatch(str(key)) else str(key)  # conditions name fields
            yield from _texts(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _texts(inner)


def _parts(value: Any) -> Iterator[Text]:
    if isinstance(value, t.Use):
        yield value.part
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _parts(getattr(value, name))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _parts(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _parts(inner)
