"""From `game.yaml` and its catalogues to cards: every value checked against its kind's fields."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stonehand.cards.game import Catalogue, ChoiceList, DeckSpec, Field, Game, Kind
from stonehand.language.translation import Message
from stonehand.project import GameFolder
from stonehand.source import yaml
from stonehand.source.bind import bind
from stonehand.source.files import exact, inside
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.text import Fields, Items, Node, Text
from stonehand.typesetting.paragraph import unprintable

MAX_CARDS = 20_000
MAX_COUNT = 1_000
MAX_TEXT = 20_000  # characters of one text
PICTURE_SUFFIXES = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".gif", ".pdf")
_ID = re.compile(r"[^\W_][\w.-]*\Z")


class Choice(Text):
    """A value of one of a game's lists: prints as itself, and has the list's properties."""

    __slots__ = ("properties",)
    properties: Mapping[str, "Value"]


class PictureFile(Text):
    """A picture as it was named, and the file that holds it; read when it is first drawn."""

    __slots__ = ("page", "path")
    path: Path
    page: int  # of a PDF; counts from 1


Value = Text | bool | tuple["Value", ...]


@dataclass(frozen=True, eq=False)
class Card:
    """One card: its id, the name of its kind, how often it is printed, and its fields' values."""

    id: Text
    kind: str
    count: int
    values: Mapping[str, Value]


@dataclass
class LoadedGame:
    """A game with everything its files say, in its source language."""

    folder: GameFolder
    spec: Game
    lists: dict[str, dict[str, Choice]] = field(default_factory=dict)
    titles: dict[str, Message] = field(default_factory=dict)
    texts: dict[str, Message] = field(default_factory=dict)
    cards: list[Card] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def source_language(self) -> Text:
        """The code of the language that the cards are written in."""
        return self.spec.languages[0]

    @property
    def title(self) -> Message:
        """The game's title."""
        return Message.of(self.spec.title, "game.title")

    def messages(self) -> Iterator[Message]:
        """Yield every text that is to be translated, in the order of the files."""
        seen: set[str] = set()
        for message in self._messages():
            if message.context not in seen:
                seen.add(message.context)
                yield message

    def _messages(self) -> Iterator[Message]:
        yield self.title
        yield from self.titles.values()
        yield from self.texts.values()
        for values in self.lists.values():
            for choice in values.values():
                yield from _of_type_message(choice.properties)
        for card in self.cards:
            yield from _of_type_message(card.values)


def _of_type_message(values: Mapping[str, Value]) -> Iterator[Message]:
    return (value for value in values.values() if isinstance(value, Message))


def load_game(folder: GameFolder, problems: Problems) -> LoadedGame:
    """Read a game and its catalogues; faults that leave no game to speak of are raised at once."""
    spec = bind(yaml.load(folder.file), Game, problems)
    if spec is None:
        problems.raise_errors()
        raise AssertionError("a game that could not be bound has an error")
    game = LoadedGame(folder, spec)
    reader = _Reader(game, problems)
    reader.lists()
    reader.texts()
    for name in spec.catalogues:
        with problems.gather():
            reader.catalogue(exact(inside(folder.folder, name), name))
    if not game.cards and not problems.errors:
        problems.error(spec.at, "the game has no cards")
    return game


def find_picture(name: Text, folders: list[Path]) -> PictureFile:
    """Find a picture, named with or without suffix, in the first of some folders that has it.

    `name.pdf#2` is the second page of a PDF.
    """
    plain, _, page = name.partition("#")
    if page and not (page.isdecimal() and 0 < int(page) < 10_000):
        raise fault(name.at, f"'{page}' is not a page number", "write file.pdf#2")
    for folder in folders:
        path = inside(folder, Text(plain, name.at))
        if path.suffix:
            if path.exists():
                return _picture_file(name, exact(path, name), page)
        else:
            for suffix in PICTURE_SUFFIXES:
                if (candidate := path.with_name(path.name + suffix)).is_file():
                    return _picture_file(name, exact(candidate, name), page)
    known: set[str] = set()
    for folder in folders:
        near = (folder / plain).parent
        for file in near.iterdir() if near.is_dir() else ():
            if file.suffix.lower() in PICTURE_SUFFIXES:
                known.add(
                    str(
                        file.relative_to(folder).with_suffix("" if "." not in name else file.suffix)
                    )
                )
    raise fault(name.at, f"picture '{name}' not found", did_you_mean(name, known))


def _picture_file(name: Text, path: Path, page: str) -> PictureFile:
    picture = PictureFile(name, name.at)
    picture.path, picture.page = path, int(page or 1)
    return picture


class _Reader:
    """Holds what reading the values of a game needs."""

    def __init__(self, game: LoadedGame, problems: Problems) -> None:
        self.game = game
        self.problems = problems
        self.ids: dict[str, Location] = {}

    def lists(self) -> None:
        for name, spec in self.game.spec.lists.items():
            values: dict[str, Choice] = {}
            if isinstance(spec, ChoiceList):
                fields = self.fields(spec.fields)
                for value, written in spec.values.items():
                    prefix = f"list.{name}.{value}"
                    properties = self.values(written, fields, value.at, prefix, {}, "")
                    values[value] = _choice(value, properties)
            else:
                values = {value: _choice(value, {}) for value in spec}
            self.game.lists[name] = values

    def texts(self) -> None:
        spec = self.game.spec
        for name, kind in spec.kinds.items():
            self.game.titles[name] = Message.of(kind.title, f"kind.{name}.title")
        for name, text in spec.texts.items():
            self.check_text(text)
            self.game.texts[name] = Message.of(text, f"text.{name}")

    def catalogue(self, path: Path) -> None:
        catalogue = bind(yaml.load(path), Catalogue, self.problems)
        if catalogue is None:
            return
        kind = self.game.spec.kinds.get(catalogue.kind)
        if kind is None:
            hint = did_you_mean(catalogue.kind, self.game.spec.kinds)
            raise fault(catalogue.kind.at, f"unknown kind '{catalogue.kind}'", hint)
        if not catalogue.cards:
            raise fault(catalogue.at, "the catalogue has no cards")
        if len(self.game.cards) + len(catalogue.cards) > MAX_CARDS:
            raise fault(catalogue.at, f"more than {MAX_CARDS:,} cards")
        fields = self.fields(kind.fields)
        for written in catalogue.cards:
            with self.problems.gather():
                self.card(written, catalogue, kind, fields)

    def card(
        self, written: dict[Text, Node], catalogue: Catalogue, kind: Kind, fields: dict[str, Field]
    ) -> None:
        at = next(iter(written)).at if written else catalogue.at
        card_id = written.get(Text("id"))
        if not isinstance(card_id, Text) or card_id.empty:
            raise fault(at, "the card has no id", "write 'id: ...'")
        if not _ID.match(card_id) or len(card_id) > 100:
            hint = "letters and digits, then also '.', '-' and '_'"
            raise fault(card_id.at, f"'{card_id}' can't be an id", hint)
        folded = card_id.casefold()  # ids become file names, and some systems do not tell case
        if folded in self.ids:
            first = self.ids[folded]
            raise fault(card_id.at, f"the id '{card_id}' is taken", f"first at {first}")
        self.ids[folded] = card_id.at
        count = self.count(written.get(Text("count")))
        own = {k: v for k, v in written.items() if k not in ("id", "count")}
        values = self.values(
            own, fields, at, f"card.{card_id}", catalogue.defaults, f"kind.{catalogue.kind}"
        )
        self.game.cards.append(Card(card_id, str(catalogue.kind), count, values))

    def count(self, written: Node | None) -> int:
        if written is None:
            return 1
        if not isinstance(written, Text) or not written.isdecimal():
            raise fault(written.at, f"count must be a whole number, not '{written}'")
        if len(written) > 6 or not 0 <= int(written) <= MAX_COUNT:
            raise fault(written.at, f"count {written} is out of range", f"from 0 to {MAX_COUNT}")
        return int(written)

    def fields(self, written: Mapping[Text, Text | Field]) -> dict[str, Field]:
        fields: dict[str, Field] = {}
        for name, spec in written.items():
            made = Field.short(spec) if isinstance(spec, Text) else spec
            if made.choice and made.choice not in self.game.spec.lists:
                known = [*self.game.spec.lists, "text", "word", "number", "flag", "picture", "list"]
                hint = did_you_mean(made.choice, known)
                self.problems.error(
                    made.choice.at, f"unknown field type or list '{made.choice}'", hint
                )
            elif name in ("id", "count"):
                self.problems.error(name.at, f"every card has '{name}'", "use another name")
            else:
                fields[name] = made
        return fields

    def values(
        self,
        written: Mapping[Text, Node],
        fields: Mapping[str, Field],
        at: Location,
        context: str,
        defaults: Mapping[Text, Node],
        default_context: str,
    ) -> dict[str, Value]:
        """Return the value of every field; what is wrong is reported and left out."""
        for given in [*written, *defaults]:
            if given not in fields:
                hint = did_you_mean(given, fields)
                self.problems.error(given.at, f"unknown field '{given}'", hint)
        values: dict[str, Value] = {}
        for name, spec in fields.items():
            key = Text(name)
            node = written.get(key)
            where = context
            if node is None and key in defaults:
                node, where = defaults[key], default_context
            if node is None:
                node = spec.default
            if node is None or (isinstance(node, Text) and node.empty):
                if not spec.optional and spec.type != "flag":
                    self.problems.error(at, f"'{name}' is missing")
                nothing: dict[str | None, Value] = {"flag": False, "list": ()}
                values[name] = nothing.get(spec.type, Text("", at))
                continue
            with self.problems.gather():
                values[name] = self.value(node, spec, f"{where}.{name}")
        return values

    def value(self, node: Node, spec: Field, context: str) -> Value:
        if spec.type == "list":
            if not isinstance(node, Items) or not all(isinstance(item, Text) for item in node):
                raise fault(node.at, "a list of words is expected here", "write [a, b]")
            return tuple(item for item in node if isinstance(item, Text))
        if not isinstance(node, Text):
            kind = "mapping" if isinstance(node, Fields) else "list"
            raise fault(node.at, f"one value is expected here, not a {kind}")
        if spec.choice:
            known = self.game.lists[spec.choice]
            if node not in known:
                hint = did_you_mean(node, known)
                raise fault(node.at, f"unknown {spec.choice} '{node}'", hint)
            return known[node]
        if spec.type == "picture":
            return find_picture(node, [self.game.folder.art])
        if spec.type == "number" and not re.fullmatch(r"[+-]?\d+(\.\d+)?", node):
            raise fault(node.at, f"'{node}' is not a number")
        if spec.type == "flag":
            flags = {"yes": True, "true": True, "no": False, "false": False}
            if node.lower() not in flags:
                raise fault(node.at, f"'{node}' is neither yes nor no")
            return flags[node.lower()]
        self.check_text(node)
        return Message.of(node, context) if spec.type == "text" else node

    def check_text(self, text: Text) -> None:
        if len(text) > MAX_TEXT:
            raise fault(text.at, f"the text has more than {MAX_TEXT:,} characters")
        if bad := unprintable(text):
            raise fault(text.at, f"U+{ord(bad):04X} can't be printed", "remove the character")


def _choice(value: Text, properties: Mapping[str, Value]) -> Choice:
    choice = Choice(value, value.at)
    choice.properties = properties
    return choice


def select(cards: list[Card], wanted: tuple[Text, ...]) -> list[Card]:
    """Return the cards named by kinds, ids and ranges of ids, in the order of the names.

    A range `001-040` takes the cards from the first to the last in catalogue order.
    """
    index = {str(card.id): i for i, card in enumerate(cards)}
    kinds = {card.kind for card in cards}
    chosen: dict[Card, None] = {}
    for name in wanted:
        if name in kinds:
            found = [card for card in cards if card.kind == name]
        elif name in index:
            found = [cards[index[name]]]
        else:
            first, last = _ends_of_range(name, index)
            found = cards[index[first] : index[last] + 1]
        chosen.update(dict.fromkeys(found))
    return list(chosen)


def _ends_of_range(name: Text, index: Mapping[str, int]) -> tuple[str, str]:
    for match in re.finditer("-", name):
        first, last = name[: match.start()], name[match.end() :]
        if first in index and last in index and index[first] <= index[last]:
            return first, last
    hint = did_you_mean(name, index)
    raise fault(name.at, f"no card, kind or range '{name}'", hint)


def decks_of(
    game: LoadedGame, name: Text | None, problems: Problems
) -> dict[str, tuple[DeckSpec | None, list[Card]]]:
    """Return the decks that a game declares (or the one named), each with its cards."""
    declared: dict[Text, DeckSpec | None] = {**game.spec.decks} or {Text("cards"): None}
    if name is not None and name not in declared:
        raise fault(name.at, f"unknown deck '{name}'", did_you_mean(name, declared))
    decks: dict[str, tuple[DeckSpec | None, list[Card]]] = {}
    for deck, spec in declared.items():
        if name in (None, deck):
            with problems.gather():
                wanted = spec.cards if spec else ()
                decks[str(deck)] = spec, select(game.cards, wanted) if wanted else game.cards
    return decks
