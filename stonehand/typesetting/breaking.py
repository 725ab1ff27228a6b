"""Where lines may break (UAX #14 through ICU, hyphens through Pyphen) and where they do.

Lines are chosen for the whole paragraph at once, after Knuth and Plass, "Breaking Paragraphs into
Lines" (Software: Practice and Experience 11, 1981): the sum of what is ugly about each line is
made as small as it can be.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    from stonehand.language.languages import Hyphenation, Language

Align = Literal["left", "center", "right", "justify"]

HYPHEN_PENALTY = 50.0
TIGHT_PENALTY = 800.0  # a break inside a word of a language that would rather not
LINE_PENALTY = 200.0  # ragged text takes a penalty this high to save one line
SOFT_HYPHEN = "\u00ad"  # where a word may be divided, and what a hyphen at a line's end stands for
_HYPHENS = "-\u2010\u2013\u2014/"  # a compound is better not divided after one of these
_DANDAS = ("\u0964", "\u0965")  # they end a sentence, so no line begins with one
SPACE = 0.25  # em; the usual width of a space, which stretch and shrink are reckoned from
STRETCH, SHRINK = 0.5, 0.25  # of that width
SHORT = 0.6  # of the measure; what may stay empty at the end of a line that could be longer


class Opportunity(msgspec.Struct, frozen=True):
    """A place before character `at` where a line may end, and what that costs."""

    at: int
    penalty: float = 0.0
    hyphen: bool = False


@lru_cache(maxsize=4096)
def opportunities(
    text: str, language: "Language", hyphenate: bool = True
) -> tuple[Opportunity, ...]:
    """Return all places where a line of text may be broken, in order; the last is its end."""
    found: dict[int, Opportunity] = {}
    if hyphenate and language.hyphenation:
        for at in _hyphens(text, language.hyphenation):
            found[at] = Opportunity(at, HYPHEN_PENALTY, hyphen=True)
    if language.breaking_tight:
        for at in _icu_breaks(text, language.breaking_tight):
            found[at] = Opportunity(at, TIGHT_PENALTY)
    for at in _icu_breaks(text, language.break_locale):
        if text.startswith(_DANDAS, at):
            continue  # also after a space, which some write before it
        if text[at - 1] == SOFT_HYPHEN and at < len(text):
            if hyphenate:
                found[at] = Opportunity(at, HYPHEN_PENALTY, hyphen=True)
        else:
            within = text[at - 1] in _HYPHENS and text[at : at + 1].isalpha()
            found[at] = Opportunity(at, HYPHEN_PENALTY if within else 0.0)
    found[len(text)] = Opportunity(len(text))
    return tuple(found[at] for at in sorted(found) if at)


def _icu_breaks(text: str, locale: str) -> list[int]:
    from icu4py.breakers import LineBreaker

    ends = [end for _, end in LineBreaker(text, locale).segments()]
    if text.isascii() or max(map(ord, text), default=0) <= 0xFFFF:
        return ends
    # ICU counts UTF-16 units
    index = {0: 0}
    units = 0
    for i, character in enumerate(text, 1):
        units += 1 + (ord(character) > 0xFFFF)
        index[units] = i
    return [index[end] for end in ends if end in index]


@cache
def _dictionary(name: str) -> Any:
    import pyphen

    return pyphen.Pyphen(lang=name, left=1, right=1)


def _hyphens(text: str, rules: "Hyphenation") -> list[int]:
    """Return where words may be divided; names and words in capitals stay whole."""
    found = []
    for match in re.finditer(r"[^\W\d_]+", text):
        word = match[0]
        if word[0].isupper() or len(word) < rules.before + rules.after:
            continue
        for at in _dictionary(rules.dictionary).positions(word):
            if rules.before <= at <= len(word) - rules.after:
                found.append(match.start() + at)
    return found


class Segment(msgspec.Struct, frozen=True):
    """What stands between two opportunities, in em: its ink, then the space that ends it.

    `inner_spaces` counts the spaces within (no-break spaces); `space` is the width of the space at
    its end, which vanishes at a line's end; `hyphen` is the width that a hyphen there would add.
    """

    width: float
    space: float
    inner_spaces: int
    penalty: float
    hyphen: float


_Way = tuple[float, float, float, int]
"""A way to set the segments up to one; less is better, in this order.

By how many em the widest line is too wide; how many lines, and a part of one for each penalty, 0
where text is justified; what it costs; and the segment that the last line begins with.
"""


def choose_lines(
    segments: Sequence[Segment], measure: float, align: Align
) -> tuple[list[int], float]:
    """Return the segment indices before which lines end, and by how much the widest is too wide.

    `measure` is the line length in em. Justified text gets even spaces. Other text gets as few
    lines as will do, and these of even length; if centred, the last one too.
    """
    width, spaces = [0.0], [0]
    for segment in segments:
        width.append(width[-1] + segment.width + segment.space)
        spaces.append(spaces[-1] + segment.inner_spaces + (segment.space > 0))
    justify = align == "justify"
    best: list[_Way] = [(0.0, 0.0, 0.0, 0)]
    for end in range(1, len(segments) + 1):
        here = segments[end - 1]
        found: _Way = (inf, inf, inf, end - 1)
        last = end == len(segments)
        room = measure - width[end] + here.space - here.hyphen  # but for where the line starts
        for start in range(end - 1, -1, -1):
            slack = room + width[start]
            if slack > SHORT * measure and start and room + width[start - 1] >= 0 and not last:
                continue  # so short a line is never worth it while a longer one fits
            gaps = spaces[end] - spaces[start] - (here.space > 0)
            too_wide = slack < -(gaps * SPACE * SHRINK if justify else 0.0) - 1e-9
            if too_wide and start < end - 1:
                break  # lines that start earlier are wider still
            excess, lines, cost, _ = best[start]
            if too_wide and -slack > excess:
                excess = -slack
            if excess > found[0]:
                continue
            ugly = _ugliness(slack, gaps, measure, align, last=last)
            lines = 0.0 if justify else lines + 1 + here.penalty / LINE_PENALTY
            way = (excess, lines, cost + (10 + ugly + here.penalty) ** 2, start)
            found = min(found, way)
        best.append(found)
    ends, at = [], len(segments)
    while at > 0:
        ends.append(at)
        at = best[at][3]
    return ends[::-1], best[-1][0]


def _ugliness(slack: float, gaps: int, measure: float, align: Align, *, last: bool) -> float:
    if align == "justify":
        if last and slack >= 0:
            return 0.0
        # a line without a space costs as if it had one, else it would look perfect
        ratio = slack / (max(gaps, 1) * SPACE * (STRETCH if slack >= 0 else SHRINK))
        return min(100 * abs(ratio) ** 3, 1e8)
    if last and align != "center":
        return 0.0
    return 100 * (slack / measure) ** 2 if measure > 0 else 0.0
