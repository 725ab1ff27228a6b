"""References and values put back into a text that was printed, typed or set without them.

The source says what a text refers to. What stands for it in the text is looked for: an id, a
number, the name of a card, the title of a section, or a stem of the termbase. Nothing is guessed
silently: what is not found, or could stand in more than one place, is told.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from stonehand.importing.pieces import LIKE_LATIN
from stonehand.language.checks import folded
from stonehand.rules import inline
from stonehand.source.text import Text

Stems = Mapping[str, Sequence[str]]


class Guide(msgspec.Struct, frozen=True):
    """What references and values are printed as in a language.

    `titles` are those of sections without a letter, by id; `ids` are of rules and lettered
    sections.
    """

    ids: frozenset[str]
    stems: Stems
    count: Callable[[str], int]
    card: Callable[[str], str]
    titles: Mapping[str, str] = {}
    letters: Callable[[str], str] = lambda c: c.translate(LIKE_LATIN)


class Restored(NamedTuple):
    """A text with its references and values, and what is not certain of them."""

    text: str
    doubts: tuple[str, ...]


class _Hit(NamedTuple):
    start: int
    end: int


def flat(source: Text, guide: Guide) -> str:
    """Return a text of the source as a reader sees it, with the names that a guide has."""
    return "".join(_shown(part, guide) for part in inline.parse(source))


def _shown(part: inline.Part, guide: Guide) -> str:
    if isinstance(part, inline.Words):
        return part.text
    if isinstance(part, inline.Value):
        return str(guide.count(part.kind))
    if part.words:
        return part.words
    if part.target.startswith("card."):
        return guide.card(part.target.removeprefix("card."))
    if part.target in guide.stems:
        return next(iter(guide.stems[part.target]), part.target)
    return guide.titles.get(part.target, part.target)


def restored(source: Text, text: str, theirs: Guide, ours: Guide) -> Restored:
    """Return a text with the references and values of its source.

    `theirs` is the guide to the language of the text, `ours` to that of the source. What the text
    has of them already counts.
    """
    wanted: dict[str, list[inline.Reference | inline.Value]] = {}
    for part in inline.parse(source):
        if not isinstance(part, inline.Words):
            wanted.setdefault(_key(part, theirs), []).append(part)
    have = inline.protected(Text(text))
    taken = [_Hit(*match.span()) for match in _KEPT.finditer(text)]
    placed: list[tuple[_Hit, str]] = []
    doubts: list[str] = []
    printed = flat(source, ours)
    for key in sorted(wanted, key=_order):
        parts = []
        for part in wanted[key]:
            if have[_written(part)]:
                have[_written(part)] -= 1
            else:
                parts.append(part)
        if not parts:
            continue
        hits = [hit for hit in _hits(parts[0], text, theirs) if not _overlaps(hit, taken)]
        chosen, doubt = _chosen(parts, hits, source, printed, ours)
        if doubt:
            doubts.append(doubt)
        for found, part in zip(chosen, parts, strict=False):
            hit = _with_end(found, part, text)
            taken.append(hit)
            placed.append((hit, _marked(part, text[hit.start : hit.end])))
    for hit, marked in sorted(placed, reverse=True):
        text = text[: hit.start] + marked + text[hit.end :]
    return Restored(text, tuple(doubts))


_KEPT = re.compile(r"\[\[[^\[\]]*\]\]|\{[^{}]*\}")


def _key(part: inline.Reference | inline.Value, guide: Guide) -> str:
    """Return what stands for a part in a text: values of the same number are one."""
    if isinstance(part, inline.Value):
        return f"#{guide.count(part.kind)}"
    return f"{part.target}|" if part.words and part.target not in guide.stems else part.target


def _order(key: str) -> tuple[int, str]:
    """Sort keys so that what is most its own is looked for first: `A_01` before 1 and A."""
    if len(key) == 4 and key[1] == "_":
        return 0, key
    if key.startswith("card."):
        return 1, key
    if key.startswith("#"):
        return 3, key
    return (4 if len(key) == 1 else 2), key


def _written(part: inline.Reference | inline.Value) -> str:
    return part.written if isinstance(part, inline.Value) else f"[[{part.target}]]"


def _marked(part: inline.Reference | inline.Value, words: str) -> str:
    if isinstance(part, inline.Value):
        return part.written
    return f"[[{part.target}|{words}]]" if part.words else f"[[{part.target}]]"


def _with_end(hit: _Hit, part: inline.Reference | inline.Value, text: str) -> _Hit:
    """Return a place with the mark that ends its sentence, if the words of the source have one."""
    ends = isinstance(part, inline.Reference) and part.words.endswith((".", "!", "?"))
    return hit._replace(end=hit.end + 1) if ends and text[hit.end : hit.end + 1] in _ENDS else hit


_ENDS = tuple(".!?।。;")


def _overlaps(hit: _Hit, taken: Sequence[_Hit]) -> bool:
    return any(hit.start < other.end and other.start < hit.end for other in taken)


def _chosen(
    parts: Sequence[inline.Reference | inline.Value],
    hits: Sequence[_Hit],
    source: Text,
    printed: str,
    ours: Guide,
) -> tuple[list[_Hit], str]:
    """Return the places for the parts that are printed alike, and what is not certain of them."""
    need, first = len(parts), parts[0]
    name = _written(first)
    if isinstance(first, inline.Value):
        name = f"{name} ({ours.count(first.kind)})"
        if len({part.written for part in parts if isinstance(part, inline.Value)}) > 1:
            return list(hits[:need]), f"which {ours.count(first.kind)} is which value?"
    if len(hits) < need:
        what = "no place" if not hits else f"only {len(hits)} of {need} places"
        return list(hits), f"{what} found for {name}"
    if len(hits) == need:
        return list(hits), ""
    # mentioned as often as in the source: the same ones of them are references
    mentions = list(_hits(first, printed, ours))
    if len(mentions) == len(hits):
        at = _places(source, ours, first)
        same = [i for i, hit in enumerate(mentions) if any(a <= hit.start < b for a, b in at)]
        if len(same) == need:
            return [hits[i] for i in same], ""
    return list(hits[:need]), f"{len(hits)} places for {name}: the first was taken"


def _places(
    source: Text, guide: Guide, wanted: inline.Reference | inline.Value
) -> Iterator[tuple[int, int]]:
    """Yield where a reference stands in the source as a reader sees it."""
    start = 0
    for part in inline.parse(source):
        end = start + len(_shown(part, guide))
        if not isinstance(part, inline.Words) and _written(part) == _written(wanted):
            yield start, end
        start = end


def _hits(part: inline.Reference | inline.Value, text: str, guide: Guide) -> Iterator[_Hit]:
    """Yield where a text has what stands for a part, from left to right."""
    if isinstance(part, inline.Value):
        yield from _numbers(guide.count(part.kind), text)
    elif part.target in guide.stems:
        yield from _terms(guide.stems[part.target], text)
    elif part.words:
        return
    elif part.target.startswith("card."):
        yield from _words(guide.card(part.target.removeprefix("card.")), text)
    elif part.target in guide.ids:
        yield from _ids(part.target, text, guide)
    elif title := guide.titles.get(part.target, ""):
        yield from _words(title, text)


def _numbers(number: int, text: str) -> Iterator[_Hit]:
    for match in re.finditer(r"(?<![\d_])(?<!\d[.,:])\d+(?![\d_]|[.,:]\d)", text):
        if "".join(str(unicodedata.decimal(c)) for c in match[0]) == str(number):
            yield _Hit(*match.span())


_RULE = re.compile(
    r"(?<![^\W_])([^\W\d_])[_.\-\u2010-\u2013·]?0*(\d{1,2})(?!\d)(?![^\W\d_](?<=[A-Za-z]))"
)
_SECTION = re.compile(r"(?<![^\W_])(?<![_\d])([^\W\d_])(?![A-Za-zΑ-Ωα-ωА-Яа-я\d_])(?![.\-]\d)")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.0*(\d{1,2})(?![\d]|\.\d)")
_PARAGRAPH = re.compile(r"§\s?(\d{1,2})(?![\d]|\.\d)")


def _ids(target: str, text: str, guide: Guide) -> Iterator[_Hit]:
    letter, _, number = target.partition("_")
    section = str(ord(letter) - ord("A") + 1)
    if number:
        for pattern, sign in ((_RULE, letter), (_DOTTED, section)):
            for match in pattern.finditer(text):
                said = match[1] if match[1].isdigit() else guide.letters(match[1])
                if said == sign and int(match[2]) == int(number):
                    yield _Hit(*match.span())
        return
    for match in _SECTION.finditer(text):
        if match[1].isupper() and guide.letters(match[1]) == letter:
            yield _Hit(*match.span())
    for match in _PARAGRAPH.finditer(text):
        if match[1] == section:
            yield _Hit(*match.span())


def _words(words: str, text: str) -> Iterator[_Hit]:
    """Yield where words stand, in the same capitals or not."""
    if words:
        for start, end in _found([words], text):
            if _edge(text, start) and (_edge(text, end) or _glued(text[end - 1])):
                yield _Hit(start, end)


def _found(stems: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Return where one of some stems stands, longer ones first; capitals and accents don't count.

    Places are those of the text as it is, from left to right, none upon another.
    """
    plain, index = "", []
    for i, character in enumerate(text):
        simple = folded(character)
        plain += simple
        index += [i] * len(simple)
    index.append(len(text))
    spans: list[tuple[int, int]] = []
    for stem in sorted({folded(stem) for stem in stems}, key=lambda s: (-len(s), s)):
        start = plain.find(stem) if stem else -1
        while start >= 0:
            span = (index[start], index[start + len(stem) - 1] + 1)
            if not any(span[0] < end and begin < span[1] for begin, end in spans):
                spans.append(span)
            start = plain.find(stem, start + 1)
    return sorted(spans)


def _terms(stems: Sequence[str], text: str) -> Iterator[_Hit]:
    """Yield where a term stands, whole words around its stems, with the rest of its name."""
    chosen = [folded(word) for word in (stems[0] if stems else "").split()]
    ended = 0
    for span in _found(stems, text):
        if span[0] >= ended:
            start, end = _with_rest(text, *_whole(text, *span), chosen)
            if start >= ended:
                yield _Hit(start, end)
                ended = end


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a place to whole words, but for what is glued to them in Korean and the like."""
    while start and not _edge(text, start):
        start -= 1
    while end < len(text) and not _edge(text, end) and not _glued(text[end - 1]):
        end += 1
    return start, end


def _with_rest(text: str, start: int, end: int, chosen: list[str]) -> tuple[int, int]:
    """Widen a place to neighbouring words that are like the other words of the term."""
    inner = [folded(word) for word in text[start:end].split()]
    have = [i for i, word in enumerate(chosen) if any(_alike(word, other) for other in inner)]
    if not have:
        return start, end
    for word in reversed(chosen[: have[0]]):
        before = re.search(r"([^\W\d_]+)\s\Z", text[:start])
        if before is None or not _alike(word, folded(before[1])):
            break
        start = before.start()
    for word in chosen[have[-1] + 1 :]:
        after = re.match(r"\s([^\W\d_]+)", text[end:])
        if after is None or not _alike(word, folded(after[1])):
            break
        end += after.end()
    return start, end


def _alike(one: str, other: str) -> bool:
    """Tell whether two words are forms of one, as far as their beginnings show."""
    need = max(min(len(one), 3), round(0.6 * len(one)))
    return one[:need] == other[:need]


def _edge(text: str, i: int) -> bool:
    """Tell whether no word goes on at a place."""
    return not (0 < i < len(text) and _of_word(text[i - 1]) and _of_word(text[i]))


def _of_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) in ("Mn", "Mc")


def _glued(character: str) -> bool:
    """Tell whether what follows a word in this script may be written without a space."""
    return "\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7a3"


def evidence(text: str) -> Counter[str]:
    """Return what a text has that is the same in all languages: figures and ids."""
    found: Counter[str] = Counter()
    for match in re.finditer(r"\d+", text):
        found[str(int("".join(str(unicodedata.decimal(c)) for c in match[0])))] += 1
    for match in re.finditer(r"(?<![A-Za-z])[A-Z](?![A-Za-z])", text.translate(LIKE_LATIN)):
        found[match[0]] += 1
    return found
