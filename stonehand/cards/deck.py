"""A game as it was read, and selections of its cards: decks, ranges, numbers of players."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from stonehand.cards.game import (
    Back,
    DeckSpec,
    Game,
)
from stonehand.language.translation import Message
from stonehand.project import GameFolder
from stonehand.source.problems import (
    Problem,
    Problems,
    StonehandError,
    did_you_mean,
    fault,
)
from stonehand.source.text import Text
from stonehand.typesetting.paragraph import unprintable

MAX_PRINTED = 100_000  # copies of all cards together
MAX_TEXT = 20_000  # characters of one text
MAX_ID = 100  # bytes
REFERENCE = re.compile(r"\$(?:\$|\{([^{}]*+)\}|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*))")


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


def identity(value: Value) -> object:
    """Return what two values have in common that are drawn alike, wherever they were written."""
    if isinstance(value, Choice):
        return str(value), id(value.properties)
    if isinstance(value, PictureFile):
        return value.path, value.page
    if isinstance(value, tuple):
        return tuple(map(identity, value))
    return value if isinstance(value, bool) else str(value)


class Card(msgspec.Struct, frozen=True, eq=False):
    """One card: its id, kind, how often it is printed, its fields' values, and its back if any."""

    id: Text
    kind: str
    count: int
    values: Mapping[str, Value]
    back: Back | None = None
    counts: Mapping[int, int] = {}  # by number of players, if it depends
    editions: tuple[str, ...] = ()  # that it is in; all if there are none


class LoadedGame(msgspec.Struct):
    """A game with everything its files say, in its source language."""

    folder: GameFolder
    spec: Game
    lists: dict[str, dict[str, Choice]] = {}
    titles: dict[str, Message] = {}
    names: dict[str, Text] = {}  # by kind; a Message where it has words
    texts: dict[str, Message] = {}
    colours: dict[str, str] = {}  # each #rrggbb
    cards: list[Card] = []

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

    def for_players(self, number: Text | None, edition: Text | None) -> "LoadedGame":
        """Return the game with what so many players, or an edition, need of each card.

        Without a number, a card is there as often as any number of players needs it.
        """
        if number is None and edition is None:
            return self
        cards = self.cards
        if number is not None:
            players = self.spec.players
            if players is None:
                raise fault(number.at, f"{self.name} does not say for how many players it is")
            many = int(number) if re.fullmatch("[0-9]{1,3}", number) else 0
            if many not in players:
                raise fault(number.at, f"{self.name} is for {players} players, not {number}")
            cards = [replace(card, count=card.counts.get(many, card.count)) for card in cards]
        if edition is not None:
            if edition not in self.spec.editions:
                hint = did_you_mean(edition, self.spec.editions)
                raise fault(edition.at, f"{self.name} has no edition '{edition}'", hint)
            out = [card.editions and edition not in card.editions for card in cards]
            cards = [replace(c, count=0) if left else c for c, left in zip(cards, out, strict=True)]
        return replace(self, cards=cards)

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
        yield from _of_type_message(self.names)
        yield from self.texts.values()
        for values in self.lists.values():
            for choice in values.values():
                yield from _of_type_message(choice.properties)
        for card in self.cards:
            yield from _of_type_message(card.values)


def _of_type_message(values: Mapping[str, Value]) -> Iterator[Message]:
    return (value for value in values.values() if isinstance(value, Message))


def hex_colour(text: str) -> str:
    """Return `#rgb` or `#rrggbb` as the latter in small letters, anything else as an empty text."""
    if not re.fullmatch(r"#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})", text):
        return ""
    digits = text[1:].lower()
    return "#" + (digits if len(digits) == 6 else "".join(d * 2 for d in digits))


def back_of(written: Text | Back | None) -> Back | None:
    """Return the back that is meant by a template's name or a mapping; None for `none`."""
    back = written
    if isinstance(written, Text):
        back = Back(template=written)
        back.__dict__["at"] = written.at
    return back if isinstance(back, Back) and back.template != "none" else None


def check_text(text: Text) -> None:
    """Raise the fault of a text that can't be printed."""
    if len(text) > MAX_TEXT:
        raise fault(text.at, f"the text has more than {MAX_TEXT:,} characters")
    if bad := unprintable(text):
        raise fault(text.at, f"U+{ord(bad):04X} can't be printed", "remove the character")


def select(
    cards: list[Card], wanted: tuple[Text, ...], decks: Mapping[str, list[Card]] | None = None
) -> list[Card]:
    """Return the cards named by kinds, ids and ranges of ids, in the order of the names.

    A range `001-040` takes the cards from the first to the last in catalogue order. With `decks`,
    their names are understood, too, after those of kinds that have cards.
    """
    decks = decks or {}
    index = {str(card.id): i for i, card in enumerate(cards)}
    kinds = {card.kind for card in cards}
    chosen: dict[Card, None] = {}
    unknown: list[Problem] = []
    for name in wanted:
        if name in kinds:
            found = [card for card in cards if card.kind == name]
        elif name in decks:
            found = decks[name]
        elif name in index:
            found = [cards[index[name]]]
        elif ends := _ends_of_range(name, index):
            found = cards[index[ends[0]] : index[ends[1]] + 1]
        else:
            hint = did_you_mean(name, [*kinds, *decks, *index])
            what = "card, kind, deck or range" if decks else "card, kind or range"
            unknown.append(Problem(name.at, "error", f"no {what} '{name}'", hint))
            continue
        chosen.update(dict.fromkeys(found))
    if unknown:
        raise StonehandError(unknown)
    return list(chosen)


def named(game: LoadedGame, wanted: tuple[Text, ...]) -> list[Card]:
    """Return the cards named by decks, kinds, ids and ranges, each once and as it is in the game.

    A deck's own back is left out of account. Kinds may be without cards.
    """
    own = {card.id: card for card in game.cards}
    known: dict[str, list[Card]] = {str(name): [] for name in (*game.spec.kinds, *game.spec.decks)}
    for deck in game.spec.decks:
        if deck in wanted:
            known[deck] = [own[card.id] for card in _cards_of(game, deck, ())]
    return select(game.cards, wanted, known)


def _ends_of_range(name: Text, index: Mapping[str, int]) -> tuple[str, str] | None:
    if len(name) > 2 * MAX_ID + 1:
        return None
    for match in re.finditer("-", name):
        first, last = name[: match.start()], name[match.end() :]
        if first in index and last in index and index[first] <= index[last]:
            return first, last
    return None


def decks_of(
    game: LoadedGame, names: Sequence[Text], problems: Problems
) -> dict[str, tuple[DeckSpec | None, list[Card]]]:
    """Return the decks that a game declares (or those named), each with its cards."""
    declared: dict[Text, DeckSpec | None] = {**game.spec.decks} or {Text("cards"): None}
    decks: dict[str, tuple[DeckSpec | None, list[Card]]] = {}
    for name in names or declared:
        with problems.gather():
            if name not in declared:
                raise fault(name.at, f"unknown deck '{name}'", did_you_mean(name, declared))
            decks[str(name)] = declared[name], _cards_of(game, name, ())
    return decks


def joined(decks: Iterable[list[Card]]) -> list[Card]:
    """Return the cards of several decks as one."""
    return [card for cards in decks for card in cards]


def _cards_of(game: LoadedGame, deck: Text, within: tuple[Text, ...]) -> list[Card]:
    """Return the cards of a deck and of the decks in it, which are laid within each other."""
    spec = game.spec.decks.get(deck)
    if spec is None:
        return game.cards
    if deck in within:
        raise fault(deck.at, f"the deck holds itself: {' -> '.join([*within, deck])}")
    for inner in spec.decks:
        if inner not in game.spec.decks:
            raise fault(inner.at, f"unknown deck '{inner}'", did_you_mean(inner, game.spec.decks))
    cards = joined(_cards_of(game, inner, (*within, deck)) for inner in spec.decks)
    if spec.cards or not spec.decks:
        cards += select(game.cards, spec.cards) if spec.cards else game.cards
    if spec.back is not None:
        back = back_of(spec.back)
        cards = [replace(card, back=back) for card in cards]
    return cards
