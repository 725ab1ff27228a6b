"""A text and the rules source, part by part and block by block.

Parts are matched by the ids of their headings, whatever their order; those without an id by where
they stand between others, else by what is in them. Within a part, blocks are aligned by dynamic
programming, as sentences are in parallel texts (Gale and Church, 1993): a cost for kind, length
and what both have in common, a price for what is left over. What comes by id, with as many blocks
of the same kinds, is certain; of all else it is told why not.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from stonehand.importing.compare import (
    GAP,
    Look,
    Sides,
    cheapest,
    counted,
    looks_of_pieces,
    looks_of_slots,
    path,
    same_shape,
    shape,
    unlike,
    usual_ratio,
)
from stonehand.importing.pieces import Part, Piece, canonical, is_title
from stonehand.importing.restore import evidence
from stonehand.importing.slots import Slot, SourcePart
from stonehand.language.checks import folded
from stonehand.language.translation import Message
from stonehand.source.text import Text

LIKELY = 0.4  # parts without ids that are so alike, from 0 to 1, belong together
LEAST = 0.2  # these too, if no other is nearly as like
AHEAD = 0.1
MOST_PARTS = 2500  # pairs of parts without ids


class Pair(msgspec.Struct, frozen=True):
    """A message of the source and the pieces that say it; `doubts` tell why that is not certain."""

    message: Message
    pieces: tuple[Piece, ...]
    doubts: tuple[str, ...] = ()


class Alignment(msgspec.Struct):
    """What belongs together, and what has no counterpart on either side."""

    pairs: list[Pair] = []
    unplaced: list[Piece] = []
    missing: list[SourcePart] = []


class Match(msgspec.Struct, frozen=True):
    """A part of the source, that of the text, and why it is not certain that they are the same."""

    source: int
    text: int
    doubt: str = ""


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
    ratio = usual_ratio([(source[m.source], text[m.text]) for m in matches], sides.ours)
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
    matches = _by_id(source, text, sides)
    if not any(match.text == 0 for match in matches.values()):
        matches[0] = Match(0, 0)
    ratio = usual_ratio([(source[m.source], text[m.text]) for m in matches.values()], sides.ours)
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
            for k, j, a, b, _ in path(slots, pieces, sides, ratio):
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
    if text and 0 not in matches and (title := _title(source[0], text)):
        matches[0] = title
    words = _unique(
        (folded(known[part.id]), i) for i, part in enumerate(source) if part.id in known
    )
    for j, part in enumerate(text):
        if part.heading and not part.heading.id and j not in {m.text for m in matches.values()}:
            i = words.get(folded(part.heading.text))
            if i is not None and i not in matches:
                matches[i] = Match(i, j)
    _by_place(source, text, matches)
    _by_content(source, text, sides, matches)
    return list(matches.values())


def _unique(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return what is found by each word, without words that several have."""
    pairs = list(pairs)
    counted = Counter(word for word, _ in pairs)
    return {word: i for word, i in pairs if counted[word] == 1}


def _title(source: SourcePart, text: Sequence[Part]) -> Match | None:
    """Return the match of the book's title and opening with what a text begins with, if it is."""
    first = text[0].heading
    if first is None:
        return Match(0, 0)
    if not is_title(first, [part.heading for part in text[1:] if part.heading]):
        return None
    alike = same_shape(source.slots, text[0].pieces)
    certain = first.level == 1 or first.text == source.heading or alike
    return Match(0, 0, "" if certain else "it may be the title of the book, or another heading")


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
                same_shape(source[i].slots, text[j].pieces)
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
    ratio = usual_ratio(known, sides.ours)
    if len(ours) * len(theirs) > MOST_PARTS:
        return
    slots = {i: looks_of_slots(source[i].slots, sides) for i in ours}
    pieces = {j: looks_of_pieces(text[j].pieces) for j in theirs}
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
    slots: "Sequence[Look]",
    theirs: Part,
    pieces: "Sequence[Look]",
    ratio: float,
) -> float:
    """Return how like two parts are, from 0 to 1."""
    size = max(len(slots), len(pieces))
    steps = cheapest(slots, pieces, ratio)
    cost = sum(cost for *_, cost in steps) / (size * GAP) if size else 0.5
    heading = 0.5
    if ours.heading and theirs.heading:
        one, other = evidence(ours.heading), evidence(theirs.heading.text)
        heading = 0.5 if not one and not other else float(one == other)
    return max(0.0, 1 - cost) * 0.75 + heading * 0.25


# --- blocks


def _align_part(
    source: SourcePart, text: Part, doubt: str, sides: Sides, ratio: float, made: Alignment
) -> None:
    about = (doubt,) if doubt else ()
    if text.heading and text.heading.text:
        if source.heading:
            made.pairs.append(Pair(source.heading, (text.heading,), about))
        else:
            made.unplaced.append(text.heading)
    same = same_shape(source.slots, text.pieces)
    steps = path(source.slots, text.pieces, sides, ratio)
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
            had, has = counted(shape(source.slots)), counted(shape(text.pieces))
            doubts.append(f"the source has {had} here, the text {has}")
        elif not straight:
            doubts.append("the texts around it come in another order, or others")
        else:
            doubts += unlike(source.slots[i], pieces[0], sides, ratio, cost)
        slot = source.slots[i]
        if slot.to_fill:
            made.pairs.append(Pair(slot.message, pieces, tuple(doubts)))
