"""A text and the rules source, part by part and block by block.

Parts are matched by the ids of their headings, whatever their order; those without an id by where
they stand between others, else by what is in them. Within a part, blocks are aligned by dynamic
programming, as sentences are in parallel texts (Gale and Church, 1993): a cost for kind, length
and what both have in common, a price for what is left over. What comes by id, with as many blocks
of the same kinds, is certain; of all else it is told why not.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from stonehand.importing.pieces import Part, Piece, canonical
from stonehand.importing.restore import Guide, Stems, evidence, flat
from stonehand.importing.slots import Slot, SourcePart
from stonehand.language.checks import folded
from stonehand.language.translation import Message
from stonehand.rules import inline
from stonehand.source.text import Text

GAP = 0.9  # the price of a block without a counterpart
JOIN = 0.6  # the price of two blocks for one
LIKELY = 0.4  # parts without ids that are so alike, from 0 to 1, belong together
LEAST = 0.2  # these too, if no other is nearly as like
AHEAD = 0.1
MOST = 250_000  # pairs of blocks that are compared in one part; beyond, nothing of it has a place
MOST_PARTS = 2500  # pairs of parts without ids
SHORT = 30  # characters; of less, a length tells nothing
STRETCH = 1.7  # how much longer or shorter a certain text may be than is usual in its language
UNLIKE = 1.1  # a pair that costs more is not certain


@dataclass(frozen=True)
class Pair:
    """A message of the source and the pieces that say it; `doubts` tell why that is not certain."""

    message: Message
    pieces: tuple[Piece, ...]
    doubts: tuple[str, ...] = ()


@dataclass
class Alignment:
    """What belongs together, and what has no counterpart on either side."""

    pairs: list[Pair] = field(default_factory=list)
    unplaced: list[Piece] = field(default_factory=list)
    missing: list[SourcePart] = field(default_factory=list)


@dataclass(frozen=True)
class Match:
    """A part of the source, that of the text, and why it is not certain that they are the same."""

    source: int
    text: int
    doubt: str = ""


@dataclass(frozen=True)
class Sides:
    """What is known of the two languages: a guide to the source's, and the stems of the text's."""

    ours: Guide
    stems: Stems
    letters: Callable[[str], str]


def align(
    source: Sequence[SourcePart],
    text: Sequence[Part],
    sides: Sides,
    known: Iterable[tuple[str, str]] = (),
) -> Alignment:
    """Return what of a text belongs to what of the source.

    `known` are translations of headings that are there already, as (id, words).
    """
    made = Alignment()
    text = _settled(source, text, sides)
    matches = _match(source, text, sides, dict(known))
    ratio = _ratio([(source[m.source], text[m.text]) for m in matches], sides.ours)
    by_source = {match.source: match for match in matches}
    for i, part in enumerate(source):
        match = by_source.get(i)
        if match is None:
            made.missing.append(part)
            continue
        _align_part(part, text[match.text], match.doubt, sides, ratio, made)
    used = {match.text for match in matches}
    for j, other in enumerate(text):
        if j not in used:
            made.unplaced += [other.heading] if other.heading else []
            made.unplaced += other.pieces
    made.unplaced.sort(key=lambda piece: piece.at)
    return made


# --- parts


def _settled(source: Sequence[SourcePart], text: Sequence[Part], sides: Sides) -> list[Part]:
    """Return the parts of a text without headings that were only taken for such.

    A line that stands alone in a plain text may be a caption. What follows a part that is known by
    its id, up to the next one, is compared with the source, headings and blocks in one row.
    """
    matches = _by_id(source, text, sides) | {0: Match(0, 0)}
    ratio = _ratio([(source[m.source], text[m.text]) for m in matches.values()], sides.ours)
    ends = sorted({match.text for match in matches.values()})
    to_source = {match.text: match.source for match in matches.values()}
    made: list[Part] = []
    for start, end in pairwise([*ends, len(text)]):
        run = text[start:end]
        demoted: set[int] = set()
        if any(_guessed(part) for part in run[1:]):
            i = to_source[start]
            slots = list(source[i].slots)
            while (i := i + 1) < len(source) and i not in matches:
                heading = source[i].heading or Message.of(Text(""), source[i].id)
                slots += [Slot(heading, "heading", True), *source[i].slots]
            pieces = list(run[0].pieces)
            for part in run[1:]:
                pieces += [*([part.heading] if part.heading else []), *part.pieces]
            for k, j, a, b, _ in _path(slots, pieces, sides, ratio):
                if a and b and slots[k].kind != "heading":
                    demoted |= {id(piece) for piece in pieces[j : j + b]}
        for part in run:
            if made and part.heading and _guessed(part) and id(part.heading) in demoted:
                made[-1].pieces += [part.heading._replace(kind="paragraph"), *part.pieces]
            else:
                made.append(Part(part.heading, list(part.pieces)))
    return made


def _guessed(part: Part) -> bool:
    """Tell whether the heading of a part is a line of which nothing says that it is one."""
    return bool(part.heading and not part.heading.id and not part.heading.level)


def _match(
    source: Sequence[SourcePart], text: Sequence[Part], sides: Sides, known: dict[str, str]
) -> list[Match]:
    matches = _by_id(source, text, sides)
    # a text that begins without a heading, or with that of the book, begins the book
    if text and 0 not in matches and (text[0].heading is None or not text[0].heading.id):
        first = text[0].heading
        if (
            first is None
            or first.level == 1
            or source[0].heading == first.text
            or not _same_start(source, text)
        ):
            matches[0] = Match(0, 0)
    words = {folded(said): i for i, part in enumerate(source) if (said := known.get(part.id))}
    for j, part in enumerate(text):
        if part.heading and not part.heading.id and j not in {m.text for m in matches.values()}:
            i = words.get(folded(part.heading.text))
            if i is not None and i not in matches:
                matches[i] = Match(i, j)
    _by_place(source, text, matches)
    _by_content(source, text, sides, matches)
    return list(matches.values())


def _same_start(source: Sequence[SourcePart], text: Sequence[Part]) -> bool:
    """Tell whether a text has no title: its first heading is that of a part like any other."""
    levels = {part.heading.level for part in text if part.heading and not part.heading.id}
    first = text[0].heading
    return bool(first and first.level and levels == {first.level} and first.level > 1)


def _by_id(source: Sequence[SourcePart], text: Sequence[Part], sides: Sides) -> dict[int, Match]:
    by_id = {part.id: i for i, part in enumerate(source)}
    matches: dict[int, Match] = {}
    for j, part in enumerate(text):
        if part.heading and part.heading.id:
            i = by_id.get(canonical(part.heading.id, sides.letters))
            if i is not None and i not in matches:
                matches[i] = Match(i, j)
    return matches


def _free(
    source: Sequence[SourcePart], text: Sequence[Part], matches: dict[int, Match]
) -> tuple[list[int], list[int]]:
    """Return the parts without an id that are not matched yet, of the source and of the text."""
    used = {match.text for match in matches.values()}
    ours = [i for i in range(len(source)) if i not in matches]
    theirs = [
        j for j, part in enumerate(text) if j not in used and not (part.heading and part.heading.id)
    ]
    return ours, theirs


def _by_place(
    source: Sequence[SourcePart], text: Sequence[Part], matches: dict[int, Match]
) -> None:
    """Match what stands between the same two neighbours, if it is as many parts on both sides."""
    to_text = {match.source: match.text for match in matches.values()} | {
        -1: -1,
        len(source): len(text),
    }
    for before, after in pairwise(sorted(to_text)):
        ours = range(before + 1, after)
        theirs = range(to_text[before] + 1, to_text[after])
        free = not any(part.heading and part.heading.id for part in (text[j] for j in theirs))
        if ours and free and len(ours) == len(theirs):
            alike = all(
                _same_shape(source[i].slots, text[j].pieces)
                for i, j in zip(ours, theirs, strict=True)
            )
            doubt = "" if alike else "the section has no id: placed by its order"
            for i, j in zip(ours, theirs, strict=True):
                matches[i] = Match(i, j, doubt)


def _by_content(
    source: Sequence[SourcePart], text: Sequence[Part], sides: Sides, matches: dict[int, Match]
) -> None:
    """Match the parts that are left with those most like them, the most alike first."""
    ours, theirs = _free(source, text, matches)
    known = [(source[m.source], text[m.text]) for m in matches.values()]
    ratio = _ratio(known, sides.ours)
    if len(ours) * len(theirs) > MOST_PARTS:
        return
    slots = {i: _slots(source[i].slots, sides) for i in ours}
    pieces = {j: _pieces(text[j].pieces) for j in theirs}
    scored = {
        (i, j): _likeness(source[i], slots[i], text[j], pieces[j], ratio)
        for i in ours
        for j in theirs
    }
    while scored:
        (i, j), score = max(scored.items(), key=lambda found: (found[1], found[0]))
        rivals = [other for at, other in scored.items() if (at[0] == i) != (at[1] == j)]
        if score < LIKELY and score < max(rivals, default=0.0) + AHEAD:
            del scored[i, j]
            continue
        if score < LEAST:
            break
        matches[i] = Match(i, j, "the section has no id: placed by what is in it")
        scored = {at: other for at, other in scored.items() if at[0] != i and at[1] != j}


def _likeness(
    ours: SourcePart,
    slots: "Sequence[_Side]",
    theirs: Part,
    pieces: "Sequence[_Side]",
    ratio: float,
) -> float:
    """Return how like two parts are, from 0 to 1."""
    size = max(len(slots), len(pieces))
    steps = _cheapest(slots, pieces, ratio)
    cost = sum(cost for *_, cost in steps) / (size * GAP) if size else 0.5
    heading = 0.5
    if ours.heading and theirs.heading:
        one, other = evidence(ours.heading), evidence(theirs.heading.text)
        heading = 0.5 if not one and not other else float(one == other)
    return max(0.0, 1 - cost) * 0.75 + heading * 0.25


# --- blocks


def _shape(blocks: Iterable[Slot | Piece]) -> list[str]:
    """Return the kinds of blocks; a caption is a paragraph."""
    return ["paragraph" if block.kind == "caption" else block.kind for block in blocks]


def _same_shape(slots: Sequence[Slot], pieces: Sequence[Piece]) -> bool:
    """Tell whether a text has the blocks of the source, with the captions of figures or without."""
    shape = _shape(pieces)
    return shape in (_shape(slots), _shape(slot for slot in slots if slot.kind != "caption"))


def _ratio(pairs: Iterable[tuple[SourcePart, Part]], ours: Guide) -> float:
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


def _path(slots: Sequence[Slot], pieces: Sequence[Piece], sides: Sides, ratio: float) -> list[Step]:
    """Return the cheapest way through slots and pieces, both in their order."""
    return _cheapest(_slots(slots, sides), _pieces(pieces), ratio)


def _cheapest(ours: "Sequence[_Side]", theirs: "Sequence[_Side]", ratio: float) -> list[Step]:
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


@dataclass(frozen=True)
class _Side:
    """What is compared of a block."""

    kind: str
    length: int
    evidence: Counter[str]
    terms: tuple[tuple[str, ...], ...]  # the stems of each term that is referred to
    ends: bool
    text: str = ""

    @classmethod
    def of_slot(cls, slot: Slot, sides: Sides) -> "_Side":
        printed = flat(slot.message, sides.ours)
        terms = tuple(
            tuple(map(folded, sides.stems[part.target]))
            for part in inline.parse(slot.message)
            if isinstance(part, inline.Reference) and part.target in sides.stems
        )
        return cls(slot.kind, len(printed), evidence(printed), terms, _ends(printed))

    @classmethod
    def of_piece(cls, piece: Piece) -> "_Side":
        text = piece.text
        guess = piece.kind == "heading" and not piece.level and not piece.id
        kind = "guess" if guess else piece.kind
        return cls(kind, len(text), evidence(text), (), _ends(text), folded(text))


def _slots(slots: Iterable[Slot], sides: Sides) -> list[_Side]:
    return [_Side.of_slot(slot, sides) for slot in slots]


def _pieces(pieces: Iterable[Piece]) -> list[_Side]:
    return [_Side.of_piece(piece) for piece in pieces]


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


def _cost(ours: Sequence[_Side], theirs: Sequence[_Side], ratio: float) -> float:
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


def _evidence(sides: Sequence[_Side]) -> Counter[str]:
    if len(sides) == 1:
        return sides[0].evidence
    return sum((side.evidence for side in sides), Counter[str]())


def _align_part(
    source: SourcePart, text: Part, doubt: str, sides: Sides, ratio: float, made: Alignment
) -> None:
    about = (doubt,) if doubt else ()
    if text.heading and text.heading.text:
        if source.heading:
            made.pairs.append(Pair(source.heading, (text.heading,), about))
        else:
            made.unplaced.append(text.heading)
    same = _same_shape(source.slots, text.pieces)
    steps = _path(source.slots, text.pieces, sides, ratio)
    straight = same and all(
        a == b == 1 or (a == 1 and not b and source.slots[i].kind == "caption")
        for i, _, a, b, _ in steps
    )
    for i, j, a, b, cost in steps:
        pieces = tuple(text.pieces[j : j + b])
        if not a:
            made.unplaced += pieces
            continue
        if not b:
            continue
        doubts = list(about)
        if a == 2:
            doubts.append("it holds what are two texts in the source: this and the next")
        elif b == 2:
            doubts.append("these were two texts")
        elif not same:
            had, has = _counted(_shape(source.slots)), _counted(_shape(text.pieces))
            doubts.append(f"the source has {had} here, the text {has}")
        elif not straight:
            doubts.append("the texts around it come in another order, or others")
        else:
            doubts += _unlike(source.slots[i], pieces[0], sides, ratio, cost)
        slot = source.slots[i]
        if slot.to_fill:
            made.pairs.append(Pair(slot.message, pieces, tuple(doubts)))


def _unlike(slot: Slot, piece: Piece, sides: Sides, ratio: float, cost: float) -> list[str]:
    """Return why a text may be another one, or not whole, though it stands at its place."""
    ours, theirs = _Side.of_slot(slot, sides), _Side.of_piece(piece)
    expected = ours.length * ratio
    long = min(expected, theirs.length) > SHORT
    if long and not 1 / STRETCH < theirs.length / expected < STRETCH:
        return ["it is much longer or shorter than the source"]
    if slot.kind == "paragraph" and ours.ends and not theirs.ends:
        return ["it does not end as the source does: is it whole?"]
    return ["it is unlike the source in length and figures"] if cost > UNLIKE else []


def _counted(kinds: Sequence[str]) -> str:
    counted = Counter(kinds)
    if not counted:
        return "nothing"
    return ", ".join(f"{n} {kind}{'s' * (n > 1)}" for kind, n in counted.items())
