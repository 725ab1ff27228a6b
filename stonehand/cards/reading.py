"""From `game.yaml` and its catalogues to cards: every value checked against its kind's fields."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from stonehand.cards.catalogues import listed
from stonehand.cards.deck import (
    MAX_ID,
    MAX_PRINTED,
    REFERENCE,
    Card,
    Choice,
    LoadedGame,
    PictureFile,
    Value,
    back_of,
    check_text,
    hex_colour,
)
from stonehand.cards.game import Back, ChoiceList, Field, Game, Players
from stonehand.cards.rows import Listed
from stonehand.language.translation import Message
from stonehand.project import GameFolder
from stonehand.source import yaml
from stonehand.source.bind import bind
from stonehand.source.files import found
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.text import Fields, Items, Node, Text

MAX_COUNT = 1_000
PICTURE_SUFFIXES = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".gif", ".pdf")
RESERVED = ("id", "count", "back", "edition", "kind", "game")  # what every card has
_ID = re.compile(r"[^\W_][\w.-]*\Z")
NAME_HINT = f"letters and digits, then also '.', '-' and '_'; at most {MAX_ID} bytes"


def is_name(text: str) -> bool:
    """Tell whether a text can be the id of a card, or the name of a deck or a game.

    All become parts of names of files.
    """
    return bool(_ID.match(text)) and len(text.encode()) <= MAX_ID


def load_game(folder: GameFolder, problems: Problems) -> LoadedGame:
    """Read a game and its catalogues; faults that leave no game to speak of are raised at once."""
    spec = bind(yaml.load(folder.file), Game, problems)
    if spec is None:
        problems.raise_errors()
        raise AssertionError("a game that could not be bound has an error")
    game = LoadedGame(folder, spec)
    reader = _Reader(game, problems)
    reader.names()
    reader.lists()
    reader.texts()
    reader.kinds()
    for card in listed(folder.folder, spec, problems):
        with problems.gather():
            reader.card(card)
    printed = sum(card.count for card in game.cards)
    if printed > MAX_PRINTED:
        problems.error(spec.at, f"the game prints {printed:,} cards", f"at most {MAX_PRINTED:,}")
        problems.raise_errors()
    if not printed and not problems.errors:
        problems.error(spec.at, "the game has no cards")
    return game


def find_picture(name: Text, folders: list[Path]) -> PictureFile:
    """Find a picture, named with or without suffix, in the first of some folders that has it.

    `name.pdf#2` is the second page of a PDF.
    """
    plain, _, page = name.partition("#")
    if page and not (re.fullmatch("[0-9]{1,4}", page) and int(page)):
        raise fault(name.at, f"'{page}' is not a page number", "write file.pdf#2")
    for folder in folders:
        suffixes = ("",) if Path(plain).suffix else PICTURE_SUFFIXES
        if path := found(folder, Text(plain, name.at), suffixes):
            picture = PictureFile(name, name.at)
            picture.path, picture.page = path, int(page or 1)
            return picture
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


class _Reader:
    """Holds what reading the values of a game needs."""

    def __init__(self, game: LoadedGame, problems: Problems) -> None:
        self.game = game
        self.problems = problems
        self.art = game.folder.art
        self.ids: dict[str, Location] = {}
        self.reading: list[str] = []  # names of the lists that are being read, outermost first
        self.backs: dict[str, Back | None] = {}  # by kind: one object for all its cards
        self.fields_of: dict[str, dict[str, Field | None]] = {}  # by kind; None where faulty
        self.shared: dict[str, str] = {}  # texts of contexts that cards share

    def names(self) -> None:
        """Check what becomes part of a file's name, what is named twice, and the colours."""
        spec = self.game.spec
        self.once(spec.languages, "language")
        folded: dict[str, Text] = {}
        for deck in spec.decks:
            if not is_name(deck):
                self.problems.error(deck.at, f"'{deck}' can't be the name of a deck", NAME_HINT)
            elif (first := folded.setdefault(_folded(deck), deck)) is not deck:
                message = f"'{deck}' and '{first}' would be one file"
                self.problems.error(deck.at, message, f"first at {first.at}")
        for style in spec.styles.values():
            for code in style.languages:
                if code not in spec.languages:
                    hint = did_you_mean(code, spec.languages)
                    self.problems.finding(
                        "unknown-language", code.at, f"the game has no language '{code}'", hint
                    )
        for name, colour in spec.colours.items():
            self.game.colours[str(name)] = hex_colour(colour) or "#000000"
            if not hex_colour(colour):
                self.problems.error(colour.at, f"'{colour}' is not a colour", "write #rrggbb")

    def once(self, names: Iterable[Text], what: str) -> None:
        first: dict[Text, Location] = {}
        for name in names:
            if first.setdefault(name, name.at) != name.at:
                hint = f"first at line {first[name].line}"
                self.problems.error(name.at, f"the {what} '{name}' is named twice", hint)

    def lists(self) -> None:
        for name in self.game.spec.lists:
            with self.problems.gather():
                self.choices(name)

    def choices(self, name: Text) -> dict[str, Choice]:
        """Return the values of a list, whose properties may be values of other lists."""
        if name in self.game.lists:
            return self.game.lists[name]
        if name in self.reading:
            path = " -> ".join([*self.reading[self.reading.index(name) :], name])
            raise fault(name.at, f"the list holds values of itself: {path}")
        spec = self.game.spec.lists[name]
        values: dict[str, Choice] = {}
        self.reading.append(str(name))
        if isinstance(spec, ChoiceList):
            fields = self.fields(spec.fields)
            for value, written in spec.values.items():
                prefix = f"list.{name}.{value}"
                properties = self.values(written, fields, value.at, prefix)
                values[value] = _choice(value, properties)
        else:
            self.once(spec, "value")
            values = {value: _choice(value, {}) for value in spec}
        self.reading.pop()
        self.game.lists[str(name)] = values
        return values

    def texts(self) -> None:
        spec = self.game.spec
        check_text(spec.title)
        for name, kind in spec.kinds.items():
            self.game.titles[name] = self.message(kind.title, f"kind.{name}.title")
            if kind.name:
                own = REFERENCE.sub("", kind.name)
                named = self.message(kind.name, f"kind.{name}.name")
                self.game.names[name] = named if any(map(str.isalpha, own)) else kind.name
        for name, text in spec.texts.items():
            self.game.texts[name] = self.message(text, f"text.{name}")

    def message(self, text: Text, context: str) -> Message:
        with self.problems.gather():
            check_text(text)
            self.shared[context] = text
            return Message.of(text, context)
        return Message.of(Text("", text.at), context)

    def kinds(self) -> None:
        for name, kind in self.game.spec.kinds.items():
            self.fields_of[str(name)] = self.fields(kind.fields)
            self.backs[str(name)] = back_of(kind.back)

    def card(self, card: Listed) -> None:
        written, at = card.written, card.at
        card_id = written.get(Text("id"))
        if not isinstance(card_id, Text) or card_id.empty:
            raise fault(at, "the card has no id", "write 'id: ...'")
        if not is_name(card_id):
            raise fault(card_id.at, f"'{card_id}' can't be an id", NAME_HINT)
        folded = _folded(card_id)
        if folded in self.ids:
            first = self.ids[folded]
            raise fault(card_id.at, f"the id '{card_id}' is taken", f"first at {first}")
        self.ids[folded] = card_id.at
        general = ("id", "count", "back", "edition")
        own = {k: v for k, v in written.items() if k not in general}
        defaults = {k: v for k, v in card.defaults.items() if k not in general}

        def given(name: str) -> Node | None:
            return written.get(Text(name), card.defaults.get(Text(name)))

        count, counts = 1, dict[int, int]()
        with self.problems.gather():
            count, counts = self.counts(given("count"))
        editions: tuple[str, ...] = ()
        with self.problems.gather():
            editions = self.editions(given("edition"))
        fields, kind = self.fields_of[card.kind], f"kind.{card.kind}"
        values = self.values(own, fields, at, f"card.{card_id}", defaults, kind, card.blanks)
        for name, translations in card.translations.items():
            value = values.get(name)
            if isinstance(value, Message):
                value.given = translations
        back = self.back(given("back"), card.kind)
        kind_name = str(card.kind)
        self.game.cards.append(Card(card_id, kind_name, count, values, back, counts, editions))

    def back(self, written: Node | None, kind: Text) -> Back | None:
        """Return the back of a card: its own, or that of its kind."""
        if written is None:
            return self.backs[kind]
        made = bind(written, Text | Back, self.problems)  # type: ignore[arg-type]
        return back_of(made)

    def editions(self, written: Node | None) -> tuple[str, ...]:
        """Return the editions that a card is in."""
        names = [written] if isinstance(written, Text) else written or []
        known = self.game.spec.editions
        for name in names:
            if not isinstance(name, Text):
                raise fault(name.at, "an edition is a word", "write [a, b]")
            if name not in known:
                raise fault(name.at, f"unknown edition '{name}'", did_you_mean(name, known))
        return tuple(map(str, names))

    def counts(self, written: Node | None) -> tuple[int, dict[int, int]]:
        """Return how often a card is printed for any number of players, and for each of them."""
        players = self.game.spec.players
        if not isinstance(written, Fields) and written != "players":
            return self.count(written), {}
        at = written.at if written else self.game.spec.at
        if players is None:
            hint = "write 'players: 2-4' in game.yaml"
            raise fault(at, "the game does not say for how many players it is", hint)
        if not isinstance(written, Fields):
            counts = {number: number for number in range(players.first, players.last + 1)}
            return players.last, counts
        counts = dict.fromkeys(range(players.first, players.last + 1), 0)
        for key, value in written.items():
            try:
                some = Players.parse(key)
            except ValueError as error:
                raise fault(key.at, *error.args) from None
            if some.first not in players or some.last not in players:
                raise fault(key.at, f"the game is for {players} players, not {some}")
            for number in range(some.first, some.last + 1):
                counts[number] = number if value == "players" else self.count(value)
        return max(counts.values()), counts

    def count(self, written: Node | None) -> int:
        if written is None:
            return 1
        if not isinstance(written, Text) or not re.fullmatch(r"[+-]?[0-9]+", written):
            what = f", not '{written}'" if isinstance(written, Text) else ""
            raise fault(written.at, f"count must be a whole number{what}")
        if len(written) > 6 or not 0 <= int(written) <= MAX_COUNT:
            raise fault(written.at, f"count {written} is out of range", f"from 0 to {MAX_COUNT}")
        return int(written)

    def fields(self, written: Mapping[Text, Text | Field]) -> dict[str, Field | None]:
        """Return the fields by name; None for one that is faulty, which has been reported."""
        fields: dict[str, Field | None] = {}
        for name, spec in written.items():
            made = Field.short(spec) if isinstance(spec, Text) else spec
            fields[str(name)] = None
            if (made.choice is None) == (made.type is None):
                hint = "a type, or the list that its values are of"
                self.problems.error(made.at, f"field '{name}' needs a 'type' or a 'choice'", hint)
            elif made.choice and made.choice not in self.game.spec.lists:
                known = [*self.game.spec.lists, "text", "word", "number", "flag", "picture", "list"]
                hint = did_you_mean(made.choice, known)
                self.problems.error(
                    made.choice.at, f"unknown field type or list '{made.choice}'", hint
                )
            elif name in RESERVED:
                self.problems.error(name.at, f"every card has '{name}'", "use another name")
            else:
                fields[str(name)] = made
        return fields

    def values(
        self,
        written: Mapping[Text, Node],
        fields: Mapping[str, Field | None],
        at: Location,
        context: str,
        defaults: Mapping[Text, Node] | None = None,
        default_context: str = "",
        blanks: Mapping[str, Location] = MappingProxyType({}),
    ) -> dict[str, Value]:
        """Return the value of every field; one that is wrong is reported and is as if left out.

        `blanks` are places where fields that are left out could stand.
        """
        defaults = defaults or {}
        for given in [*written, *defaults]:
            if given not in fields:
                hint = did_you_mean(given, fields)
                self.problems.error(given.at, f"unknown field '{given}'", hint)
        values: dict[str, Value] = {}
        for name, spec in fields.items():
            if spec is None:
                values[name] = Text("", at)
                continue
            key = Text(name)
            node = written.get(key)
            where = context
            if node is None and key in defaults:
                node = defaults[key]
                # a text that all cards share is translated once, if it is the same on all
                shared = self.shared.setdefault(f"{default_context}.{name}", str(node))
                where = default_context if shared == str(node) else context
            if node is None:
                node = spec.default
            nothing: dict[str | None, Value] = {"flag": False, "list": ()}
            values[name] = nothing.get(spec.type, Text("", at))
            if node is None or (isinstance(node, Text) and node.empty):
                if not spec.optional and spec.type != "flag":
                    self.problems.error(blanks.get(name, at), f"'{name}' is missing")
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
            known = self.choices(spec.choice)
            if node not in known:
                hint = did_you_mean(node, known)
                raise fault(node.at, f"unknown {spec.choice} '{node}'", hint)
            return known[node]
        if spec.type == "picture":
            return find_picture(node, [self.art])
        if spec.type == "number" and not re.fullmatch(r"[+-]?\d+(\.\d+)?", node):
            raise fault(node.at, f"'{node}' is not a number")
        if spec.type == "flag":
            flags = {"yes": True, "true": True, "no": False, "false": False}
            if node.lower() not in flags:
                raise fault(node.at, f"'{node}' is neither yes nor no")
            return flags[node.lower()]
        check_text(node)
        return Message.of(node, context) if spec.type == "text" else node


def _folded(name: str) -> str:
    """Return what is equal for names that some file system takes for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _choice(value: Text, properties: Mapping[str, Value]) -> Choice:
    choice = Choice(value, value.at)
    choice.properties = properties
    return choice
