"""Blocks of a text compared with those of the source, and the cheapest way through both.

Two blocks are like each other if they are of one kind, as long as is usual between the languages,
and have the same figures, ids, terms and end marks.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from stonehand.importing.pieces import Part, Piece
from stonehand.importing.restore import Guide, Stems, evidence, flat
from stonehand.importing.slots import Slot, SourcePart
from stonehand.language.checks import folded
from stonehand.rules import inline

GAP = 0.9  # the price of a block without a counterpart
JOIN = 0.6  # the price of two blocks for one
MOST = 250_000  # pairs of blocks that are compared in one part; beyond, nothing of it has a place
SHORT = 30  # characters; of less, a length tells nothing
STRETCH = 1.7  # how much longer or shorter a certain text may be than is usual in its language
UNLIKE = 1.1  # a pair that costs more is not certain


class Sides(msgspec.Struct, frozen=True):
    """What is known of the two languages: a guide to the source's, and the stems of the text's."""

    ours: Guide
    stems: Stems
    letters: Callable[[str], str]


def shape(blocks: Iterable[Slot | Piece]) -> list[str]:
    """Return the kinds of blocks; a caption is a paragraph."""
    return ["paragraph" if block.kind == "caption" else block.kind for block in blocks]


def same_shape(slots: Sequence[Slot], pieces: Sequence[Piece]) -> bool:
    """Tell whether a text has the blocks of the source, with the captions of figures or without."""
    has = shape(pieces)
    return has in (shape(slots), shape(slot for slot in slots if slot.kind != "caption"))


def counted(kinds: Sequence[str]) -> str:
    """Return how many blocks of each kind there are, in words."""
    said = [f"{n} {kind}{'s' * (n > 1)}" for kind, n in Counter(kinds).items()]
    return ", ".join(said) or "nothing"


def usual_ratio(pairs: Iterable[tuple[SourcePart, Part]], ours: Guide) -> float:
    """Return how long the text is compared with the source, by what is known to be the same."""
    lengths = [
        (sum(len(slot.message) for slot in one.slots), sum(len(p.text) for p in other.pieces))
        for one, other in pairs
    ]
    length = sum(one for one, other in lengths if one and other)
    return sum(other for one, other in lengths if one and other) / length if length else 1.0


Step = tuple[int, int, int, int, float]
"""From a slot and a piece, so many of each that belong together, and what that costs."""

_MOVES = ((1, 1), (1, 0), (0, 1), (1, 2), (2, 1))


def path(slots: Sequence[Slot], pieces: Sequence[Piece], sides: Sides, ratio: float) -> list[Step]:
    """Return the cheapest way through slots and pieces, both in their order."""
    return cheapest(looks_of_slots(slots, sides), looks_of_pieces(pieces), ratio)


def cheapest(ours: "Sequence[Look]", theirs: "Sequence[Look]", ratio: float) -> list[Step]:
    """Return the cheapest way; if both are far too long, that on which nothing belongs together."""
    n, m = len(ours), len(theirs)
    if n * m > MOST:
        return [(i, 0, 1, 0, GAP) for i in range(n)] + [(n, j, 0, 1, GAP) for j in range(m)]
    best = [[math.inf] * (m + 1) for _ in range(n + 1)]
    back: dict[tuple[int, int], Step] = {}
    best[0][0] = 0.0
    for i in range(n + 1):
        for j in range(m + 1):
            for a, b in _MOVES:
                if i + a > n or j + b > m:
                    continue
                cost = _cost(ours[i : i + a], theirs[j : j + b], ratio)
                if best[i][j] + cost < best[i + a][j + b]:
                    best[i + a][j + b] = best[i][j] + cost
                    back[i + a, j + b] = (i, j, a, b, cost)
    steps: list[Step] = []
    at = (n, m)
    while at != (0, 0):
        steps.append(back[at])
        at = back[at][:2]
    return steps[::-1]


class Look(msgspec.Struct, frozen=True):
    """What is compared of a block."""

    kind: str
    length: int
    evidence: Counter[str]
    terms: tuple[tuple[str, ...], ...]  # the stems of each term that is referred to
    ends: bool
    text: str = ""

    @classmethod
    def of_slot(cls, slot: Slot, sides: Sides) -> "Look":
        """Return what is compared of a message of the source."""
        printed = flat(slot.message, sides.ours)
        terms = tuple(
            tuple(map(folded, sides.stems[part.target]))
            for part in inline.parse(slot.message)
            if isinstance(part, inline.Reference) and part.target in sides.stems
        )
        return cls(slot.kind, len(printed), evidence(printed), terms, _ends(printed))

    @classmethod
    def of_piece(cls, piece: Piece) -> "Look":
        """Return what is compared of a piece of the text; a heading may be only taken for one."""
        text = piece.text
        guess = piece.kind == "heading" and not piece.level and not piece.id
        kind = "guess" if guess else piece.kind
        return cls(kind, len(text), evidence(text), (), _ends(text), folded(text))


def looks_of_slots(slots: Iterable[Slot], sides: Sides) -> list[Look]:
    """Return what is compared of some messages."""
    return [Look.of_slot(slot, sides) for slot in slots]


def looks_of_pieces(pieces: Iterable[Piece]) -> list[Look]:
    """Return what is compared of some pieces."""
    return [Look.of_piece(piece) for piece in pieces]


def _ends(text: str) -> bool:
    return text.rstrip("*_\"'»”’)")[-1:] in tuple(".!?।。;…")


_KINDS = {  # what it costs if a block is of another kind than its counterpart
    frozenset({"paragraph", "caption"}): 0.0,
    frozenset({"paragraph", "item"}): 0.5,
    frozenset({"item", "caption"}): 0.5,
    frozenset({"heading", "guess"}): 0.0,
    frozenset({"paragraph", "guess"}): 0.2,
    frozenset({"caption", "guess"}): 0.1,
    frozenset({"item", "guess"}): 0.5,
}


def _cost(ours: Sequence[Look], theirs: Sequence[Look], ratio: float) -> float:
    if not ours or not theirs:
        return GAP
    kinds = frozenset(side.kind for side in (*ours, *theirs))
    extra = len(ours) + len(theirs) - 2
    if extra and kinds & {"heading", "guess", "cell"}:
        return math.inf  # no text was ever split there
    cost = JOIN * extra
    if len(kinds) > 1:
        cost += _KINDS.get(kinds, 1.0)
    length = sum(side.length for side in ours) * ratio
    other = sum(side.length for side in theirs)
    cost += min(1.0, 0.6 * abs(math.log((other + 8) / (length + 8))))
    one, two = _evidence(ours), _evidence(theirs)
    if one or two:
        common = (one & two).total()
        cost += 0.8 * (1 - common / max((one | two).total(), 1))
        cost -= 0.1 if common else 0.0
    if terms := [stems for side in ours for stems in side.terms]:
        said = " ".join(side.text for side in theirs)
        found = sum(any(stem in said for stem in stems) for stems in terms) / len(terms)
        cost += 0.4 * (1 - found) - 0.1 * found
    cost += 0.15 * (ours[-1].ends != theirs[-1].ends)
    return max(cost, 0.0)


def _evidence(sides: Sequence[Look]) -> Counter[str]:
    if len(sides) == 1:
        return sides[0].evidence
    return sum((side.evidence for side in sides), Counter[str]())


def unlike(slot: Slot, piece: Piece, sides: Sides, ratio: float, cost: float) -> list[str]:
    """Return why a text may be another one, or not whole, though it stands at its place."""
    ours, theirs = Look.of_slot(slot, sides), Look.of_piece(piece)
    expected = ours.length * ratio
    long = min(expected, theirs.length) > SHORT
    if long and not 1 / STRETCH < theirs.length / expected < STRETCH:
        return ["it is much longer or shorter than the source"]
    if slot.kind == "paragraph" and ours.ends and not theirs.ends:
        return ["it does not end as the source does: is it whole?"]
    return ["it is unlike the source in length and figures"] if cost > UNLIKE else []
