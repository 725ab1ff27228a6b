"""Fields of cards by name, and how often each of their values occurs.

Constraints and statistics count in the same way, here. A field's name may reach into properties:
`group.name`. A value is told by its label, which is how it was written.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec

from stonehand.cards.deck import Card, Choice, LoadedGame, PictureFile, Value, named
from stonehand.cards.game import ChoiceList, Field
from stonehand.source.problems import Location, StonehandError, did_you_mean, fault
from stonehand.source.text import Text

ALWAYS = {"id": Field(type="word"), "kind": Field(type="word")}
"""Fields that every card has."""


class Share(msgspec.Struct, frozen=True):
    """A value by its label, and how many different cards and how many copies have it."""

    value: str
    cards: int
    copies: int


class Cross(msgspec.Struct, frozen=True):
    """Copies by the values of two fields: a row for each value of one, a cell for the other's."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    copies: tuple[tuple[int, ...], ...]


def fields_of(game: LoadedGame, kind: str) -> dict[str, Field]:
    """Return the fields of a kind by name, those that every card has first."""
    written = game.spec.kinds[Text(kind)].fields
    return ALWAYS | {str(name): _field(spec) for name, spec in written.items()}


def _field(written: Text | Field) -> Field:
    return Field.short(written) if isinstance(written, Text) else written


def field_of(game: LoadedGame, kind: str, path: Text) -> Field:
    """Return a field of a kind or a property; raises the fault of one that there is not."""
    known = fields_of(game, kind)
    where = f"kind '{kind}' has no field"
    for i, name in enumerate(path.split(".")):
        if name not in known:
            raise fault(path.at, f"{where} '{name}'", did_you_mean(name, known))
        found = known[name]
        listed = game.spec.lists.get(found.choice) if found.choice else None
        own = listed.fields if isinstance(listed, ChoiceList) else {}
        known = {str(key): _field(spec) for key, spec in own.items()}
        where = f"'{'.'.join(path.split('.')[: i + 1])}' has no property"
    return found


def cards_with(game: LoadedGame, wanted: tuple[Text, ...], fields: Iterable[Text]) -> list[Card]:
    """Return the cards that are named, which must have the fields, or all that have them.

    Raises the faults of names of which there are none.
    """
    fields = tuple(fields)
    cards = named(game, wanted) if wanted else game.cards
    kinds = list(dict.fromkeys(card.kind for card in cards))
    faulty: dict[str, StonehandError] = {}
    for kind in kinds:
        try:
            for path in fields:
                field_of(game, kind, path)
        except StonehandError as error:
            faulty[kind] = error
    if wanted and faulty:
        raise next(iter(faulty.values()))
    if kinds and len(faulty) == len(kinds):
        known = {kind: fields_of(game, kind) for kind in kinds}
        firsts = {path.partition(".")[0] for path in fields}
        near = next((error for kind, error in faulty.items() if firsts <= set(known[kind])), None)
        raise near or _nowhere(set().union(*known.values()), fields)
    return [card for card in cards if card.kind not in faulty]


def _nowhere(known: Collection[str], fields: Sequence[Text]) -> StonehandError:
    """Return the fault of fields that no kind has, or none has together."""
    for path in fields:
        first = path.partition(".")[0]
        if first not in known:
            return fault(path.at, f"no kind has a field '{first}'", did_you_mean(first, known))
    told = " and ".join(f"'{path}'" for path in fields)
    return fault(fields[0].at, f"no kind has {told}", "one kind must have all of them")


def value_of(card: Card, path: str) -> Value:
    """Return a card's value of a field or of a property; an empty text where it has none."""
    name, *rest = path.split(".")
    own: dict[str, Value] = {"id": card.id, "kind": Text(card.kind, card.id.at)}
    value = own.get(name) or card.values[name]
    for part in rest:
        value = value.properties[part] if isinstance(value, Choice) else Text("", card.id.at)
    return value


def place_of(card: Card, path: str) -> Location:
    """Return where a card's value stands in the catalogue, else where its id does."""
    value = card.values.get(path)
    return value.at if isinstance(value, Text) and not isinstance(value, Choice) else card.id.at


def label(value: Value) -> str:
    """Return how a value was written; of a list, all its words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(label, value)) if isinstance(value, tuple) else str(value)


def labels(card: Card, path: str) -> tuple[str, ...]:
    """Return what a card counts for: each word of a list once, an empty label if it has none."""
    value = value_of(card, path)
    words = value if isinstance(value, tuple) else (value,)
    return tuple(dict.fromkeys(map(label, words))) or ("",)


def key(value: Value) -> object:
    """Return what equal values have in common: of pictures the file, else how they are written."""
    if isinstance(value, PictureFile):
        return value.path, value.page
    return tuple(map(key, value)) if isinstance(value, tuple) else label(value)


def tally(game: LoadedGame, cards: Sequence[Card], path: Text) -> tuple[Share, ...]:
    """Count cards and copies for each value of a field; cards of no copies are not there.

    Values stand in the order of their list, numbers by size, others by how common they are;
    cards without a value come last. Every value of a list is told, also where no card has it.
    """
    found = dict.fromkeys(_known(game, cards, path), (0, 0))
    for card in cards:
        for value in labels(card, path) if card.count else ():
            number, copies = found.get(value, (0, 0))
            found[value] = (number + 1, copies + card.count)
    shares = [Share(value, *counts) for value, counts in found.items()]
    return tuple(sorted(shares, key=_order(game, cards, path)))


def cross(game: LoadedGame, cards: Sequence[Card], row: Text, column: Text) -> Cross:
    """Count copies for each value of one field with each value of another."""
    rows = tuple(share.value for share in tally(game, cards, row))
    columns = tuple(share.value for share in tally(game, cards, column))
    found = dict.fromkeys(((r, c) for r in rows for c in columns), 0)
    for card in cards:
        for r in labels(card, row) if card.count else ():
            for c in labels(card, column):
                found[r, c] += card.count
    return Cross(rows, columns, tuple(tuple(found[r, c] for c in columns) for r in rows))


def _known(game: LoadedGame, cards: Sequence[Card], path: Text) -> tuple[str, ...]:
    """Return the values that a field can have, as far as they are told."""
    field = field_of(game, cards[0].kind, path) if cards else Field()
    if field.choice:
        return tuple(map(str, game.lists[field.choice]))
    return ("no", "yes") if field.type == "flag" else ()


def _order(
    game: LoadedGame, cards: Sequence[Card], path: Text
) -> Callable[[Share], tuple[bool, float, str]]:
    known = {value: float(i) for i, value in enumerate(_known(game, cards, path))}
    numbers = bool(cards) and field_of(game, cards[0].kind, path).type == "number"

    def order(share: Share) -> tuple[bool, float, str]:
        if known:
            return share.value == "", known.get(share.value, 0.0), ""
        if numbers and share.value:
            return False, float(share.value), share.value
        return share.value == "", float(-share.copies), share.value

    return order
