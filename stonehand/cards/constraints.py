"""Constraints: what a game declares of its cards, and where the cards break it.

A check is a function that takes a `Case` and yields what it has found, filed under the name of its
field in `game.yaml`. A constraint that can't be understood is an error; one that does not hold is
a finding, placed at the card at fault where one card is, else at the constraint.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import msgspec

from stonehand.cards.deck import Card, LoadedGame
from stonehand.cards.game import Constraint, Players
from stonehand.cards.tally import cards_with, key, label, place_of, tally, value_of
from stonehand.source.problems import Location, Problems, counted, fault
from stonehand.source.text import Text

BELONGS = {"by": "spread", "within": "spread", "among": "matches", "least": "follows"}
"""What may stand in a constraint beside the field that it belongs to."""


class Finding(NamedTuple):
    """Where a constraint is broken, how, and what helps to see it."""

    at: Location
    message: str
    hint: str = ""


class Case(msgspec.Struct, frozen=True):
    """A constraint of a game that is looked into."""

    game: LoadedGame
    constraint: Constraint

    def cards(self, *fields: Text) -> list[Card]:
        """Return the cards that it is of, which have these fields."""
        return cards_with(self.game, listed(self.constraint.of), fields)

    @property
    def of(self) -> str:
        """The cards that it is of, in a word."""
        return ", ".join(listed(self.constraint.of)) or "all"


Check = Callable[[Case], Iterator[Finding]]
CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    """File a check under the name of its field."""
    CHECKS[function.__name__] = function
    return function


def check_constraints(game: LoadedGame, problems: Problems) -> None:
    """Report where the cards of a game break its constraints, and constraints that say nothing."""
    for constraint in game.spec.constraints:
        with problems.gather():
            for found in _checked(Case(game, constraint)):
                problems.finding("broken-constraint", *found)


def _checked(case: Case) -> Iterator[Finding]:
    constraint = case.constraint
    given = [name for name in CHECKS if getattr(constraint, name) is not None]
    if len(given) != 1:
        what = f"has {' and '.join(map(repr, given))}" if given else "says nothing"
        raise fault(constraint.at, f"the constraint {what}", f"one of {', '.join(CHECKS)}")
    for name, owner in BELONGS.items():
        if getattr(constraint, name) is not None and owner != given[0]:
            raise fault(constraint.at, f"'{name}' belongs to '{owner}', not to '{given[0]}'")
    return CHECKS[given[0]](case)


def listed(names: Text | tuple[Text, ...] | None) -> tuple[Text, ...]:
    """Return names that may be one, several or none."""
    return (names,) if isinstance(names, Text) else names or ()


@check
def count(case: Case) -> Iterator[Finding]:
    """Find another number of cards than is told, for any number of players."""
    written, players, at = case.constraint.count, case.game.spec.players, case.constraint.at
    cards = case.cards()
    if players is None:
        if not isinstance(written, int):
            hint = "write 'players: 2-4' in game.yaml"
            raise fault(at, "the game does not say for how many players it is", hint)
        there = sum(card.count for card in cards)
        if there != written:
            yield Finding(at, f"{case.of}: {counted(there, 'card')}, not {written}")
        return
    for number, wanted in _wanted(written, players, at).items():
        there = sum(card.counts.get(number, card.count) for card in cards)
        if there != wanted:
            yield Finding(
                at, f"{case.of}: {counted(there, 'card')} for {number} players, not {wanted}"
            )


def _wanted(written: object, players: Players, at: Location) -> dict[int, int]:
    """Return the count for each number of players; 0 for those that a mapping leaves out."""
    numbers = range(players.first, players.last + 1)
    if not isinstance(written, Mapping):
        return {n: n if written == "players" else int(str(written)) for n in numbers}
    wanted = dict.fromkeys(numbers, 0)
    for name, value in written.items():
        try:
            some = Players.parse(name)
        except ValueError as error:
            raise fault(name.at, *error.args) from None
        if some.first not in players or some.last not in players:
            raise fault(name.at, f"the game is for {players} players, not {some}")
        for number in range(some.first, some.last + 1):
            wanted[number] = number if value == "players" else value
    return wanted


@check
def unique(case: Case) -> Iterator[Finding]:
    """Find cards that share their values of all fields with a card before them."""
    fields = listed(case.constraint.unique)
    first: dict[tuple[object, ...], Card] = {}
    for card in _valued(case.cards(*fields), fields):
        same = first.setdefault(_keys(card, fields), card)
        if same is not card:
            message = f"the cards {same.id} and {card.id} share {_told(card, fields)}"
            yield Finding(place_of(card, fields[0]), message, f"first at {same.id.at}")


@check
def spread(case: Case) -> Iterator[Finding]:
    """Find values that are more common than others."""
    by, within = case.constraint.by, case.constraint.within
    within = 1 if within is None else within
    for field in listed(case.constraint.spread):
        cards = case.cards(field, *listed(by))
        groups: dict[object, list[Card]] = defaultdict(list)
        for card in cards:
            groups[key(value_of(card, by)) if by else None].append(card)
        known = [share.value for share in tally(case.game, cards, field) if share.value]
        for group in groups.values():
            copies = dict.fromkeys(known, 0)
            copies |= {share.value: share.copies for share in tally(case.game, group, field)}
            copies.pop("", None)
            if known and max(copies.values()) - min(copies.values()) > within:
                most, least = (
                    max(copies, key=copies.__getitem__),
                    min(copies, key=copies.__getitem__),
                )
                among = f" with {_told(group[0], (by,))}" if by else ""
                message = (
                    f"{case.of}{among}: {counted(copies[most], 'card')} of {field} {most}, "
                    f"{copies[least]} of {least}"
                )
                wanted = f"they may differ by {within}" if within else "all are to be equal"
                yield Finding(field.at, message, wanted)


@check
def decides(case: Case) -> Iterator[Finding]:
    """Find cards that have another value than most of those which agree with them in one."""
    for field, names in (case.constraint.decides or {}).items():
        for decided in listed(names):
            groups: dict[object, list[Card]] = defaultdict(list)
            for card in case.cards(field, decided):
                groups[key(value_of(card, field))].append(card)
            for group in groups.values():
                values = Counter(key(value_of(card, decided)) for card in group)
                usual = values.most_common(1)[0][0]
                model = next(c for c in group if key(value_of(c, decided)) == usual)
                for card in group:
                    if key(value_of(card, decided)) != usual:
                        message = (
                            f"card {card.id} has {_told(card, (field, decided))}, "
                            f"but card {model.id} {_told(model, (decided,))}"
                        )
                        yield Finding(place_of(card, decided), message)


@check
def matches(case: Case) -> Iterator[Finding]:
    """Find cards to which no other goes."""
    pairs = case.constraint.matches or {}
    own, others = tuple(pairs), tuple(pairs.values())
    among = listed(case.constraint.among or case.constraint.of)
    there = {_keys(card, others) for card in cards_with(case.game, among, others)}
    for card in _valued(case.cards(*own), own):
        if _keys(card, own) not in there:
            wanted = " and ".join(
                f"{other} {label(value_of(card, field))}" for field, other in pairs.items()
            )
            where = f" among {', '.join(among)}" if among else ""
            yield Finding(place_of(card, own[0]), f"card {card.id}: no card{where} has {wanted}")


@check
def follows(case: Case) -> Iterator[Finding]:
    """Find cards after which another comes than should, or that too few are right."""
    pairs, least = case.constraint.follows or {}, case.constraint.least
    own, others = tuple(pairs), tuple(pairs.values())
    neighbours = list(pairwise(case.cards(*own, *others)))
    wrong = [(one, after) for one, after in neighbours if _keys(one, own) != _keys(after, others)]
    right = len(neighbours) - len(wrong)
    if least is not None:
        if right < least:
            told = ", ".join(f"{field} as {other}" for field, other in pairs.items())
            message = f"{case.of}: {right} of {len(neighbours)} cards have the next one's {told}"
            yield Finding(case.constraint.at, message, f"at least {least} are to")
        return
    for one, after in wrong:
        message = (
            f"card {one.id} has {_told(one, own)}, "
            f"but card {after.id} after it {_told(after, others)}"
        )
        yield Finding(place_of(after, others[0]), message)


def _keys(card: Card, fields: Iterable[str]) -> tuple[object, ...]:
    return tuple(key(value_of(card, field)) for field in fields)


def _valued(cards: Iterable[Card], fields: tuple[Text, ...]) -> Iterator[Card]:
    """Yield the cards that have a value of any of the fields."""
    return (card for card in cards if any(label(value_of(card, field)) for field in fields))


def _told(card: Card, fields: Iterable[str]) -> str:
    return ", ".join(f"{field} {label(value_of(card, field)) or '-'}" for field in fields)
