"""Checks of translations: what a reader would stumble over, found before it is printed.

A `Pair` of a source text and its translation goes in, `Finding`s come out. Each check is a function
filed under its own name with `@check`; that name is its code, and a translator who is right against
a check silences it in a comment of the entry: `# unchecked: quotes - the name of a shop`.

What is looked at and how strictly follows what Weblate and pofilter check, less what only software
needs. Checks by words are for languages that have them: those without spaces and with much
inflection get few, and no check is worth a false alarm in every tenth message.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from stonehand.language.languages import Language
from stonehand.language.po import PoFile
from stonehand.source.codes import CODES
from stonehand.source.text import Text


class Notation(msgspec.Struct, frozen=True):
    """A text as its notation takes it apart.

    `protected` are references, values and icons with how often each occurs; `words` those that
    references bring, by target; `outside` is the text without any of that, `printed` the text with
    the words of references; `voices` counts strong and emphasised pieces, `loose` marks of
    emphasis that stand for themselves.
    """

    outside: str
    printed: str
    protected: Counter[str] = msgspec.field(default_factory=Counter)
    words: tuple[tuple[str, str], ...] = ()
    voices: tuple[int, int] = (0, 0)
    loose: int = 0


class Pair(msgspec.Struct, frozen=True):
    """A source text and its translation; `kind` is what sort of text it is, such as a heading."""

    context: str
    kind: str
    source: Notation
    translation: Notation
    source_text: str
    text: Text
    words_for_figures: bool = False


class House(msgspec.Struct, frozen=True):
    """What holds for all of a translation: its language, and the accepted stems of terms.

    `source` is the code of the language that is translated from.
    """

    language: Language
    stems: Mapping[str, tuple[str, ...]] = {}
    source: str = ""


class Finding(NamedTuple):
    """What is wrong in a translation, and what to do about it."""

    message: str
    hint: str = ""


_Run = Callable[[Pair, House], Iterator[Finding]]
CHECKS: dict[str, _Run] = {}  # by the code of what it finds


def check(run: _Run) -> _Run:
    """File a check under the name of its function, which is its code."""
    name = run.__name__.replace("_", "-")
    assert name in CODES and name not in CHECKS, name
    CHECKS[name] = run
    return run


def findings(pair: Pair, house: House) -> Iterator[tuple[str, Finding]]:
    """Yield what the checks find in a translation, each with its code."""
    for code, run in CHECKS.items():
        if code != "figures" or not pair.words_for_figures:
            for finding in run(pair, house):
                yield code, finding


# --- errors: the text would say something else


@check
def references(pair: Pair, house: House) -> Iterator[Finding]:
    """Find references, values and icons that were lost or added."""
    if finding := differing(pair.source.protected, pair.translation.protected):
        yield finding


def differing(source: Counter[str], translation: Counter[str]) -> Finding | None:
    """Return what is wrong if a translation has not the same references and values."""
    if source == translation:
        return None
    lost, added = source - translation, translation - source
    return Finding(_differs(lost, added), "the words after the bar are free, the rest is not")


_ENGLISH_NUMBERS = (
    "a an another each once one single, both pair twice two, three, four, five, six, seven, eight, "
    "nine, ten"
)
_NUMBER_WORDS = {
    "en": {
        word: str(number)
        for number, words in enumerate(_ENGLISH_NUMBERS.split(", "), 1)
        for word in words.split()
    }
}
_WORD = re.compile(r"[^\W\d_]+")
_FIGURE = re.compile(r"\d+(?:[.,:\u066b\u066c'’]\d+)*")


@check
def figures(pair: Pair, house: House) -> Iterator[Finding]:
    """Find numbers that were lost or added; native digits count as Latin ones.

    A language may have a figure where the source has a word, as Korean 1장 for "a card", or in a
    term, as 1인. So what the source says in words and what is part of a term is no addition.
    """
    source, translation = (Counter(_figures(n.outside)) for n in (pair.source, pair.translation))
    if source == translation:
        return
    lost, added = source - translation, translation - source
    if added:
        for word in _WORD.findall(pair.source.printed.casefold()):
            added.pop(_NUMBER_WORDS.get(house.source, {}).get(word, ""), None)
        printed = folded(pair.translation.printed)
        for stem in {stem for stems in house.stems.values() for stem in stems}:
            for figure in _figures(stem):
                if figure in added and folded(stem) in printed:
                    del added[figure]
    if lost or added:
        yield Finding(_differs(lost, added), "where words say it: # numbers-as-words")


def _figures(text: str) -> Iterator[str]:
    for match in _FIGURE.finditer(text):
        yield "".join(str(unicodedata.decimal(c)) for c in match[0] if c.isdecimal())


def _differs(lost: Counter[str], added: Counter[str]) -> str:
    said = []
    for what, counted in (("lacks", lost), ("has too much of", added)):
        if counted:
            said.append(f"{what} {', '.join(f'{name}' for name in sorted(counted.elements()))}")
    return "the translation " + " and ".join(said)


@check
def emphasis(pair: Pair, house: House) -> Iterator[Finding]:
    """Find marks of emphasis that would be printed as they stand, as they were not closed."""
    if pair.translation.loose > pair.source.loose:
        hint = "closing marks stand right behind a letter, or before a space"
        yield Finding("a mark of emphasis is not opened or not closed", hint)


# --- warnings: a reader would stumble


@check
def voices(pair: Pair, house: House) -> Iterator[Finding]:
    """Find emphasis that was lost or added."""
    names = ("strong", "emphasised")
    for name, had, has in zip(names, pair.source.voices, pair.translation.voices, strict=True):
        if had != has:
            yield Finding(f"{has} {name} {'piece' if has == 1 else 'pieces'}, the source has {had}")


_ENDS = {
    "hi": {".": "।"},
    "mr": {},
    "ne": {".": "।"},
    "bn": {".": "।"},
    "el": {"?": ";"},
    "ja": {".": "。", "?": "？", "!": "！"},
    "zh": {".": "。", "?": "？", "!": "！"},
}
_CLOSING = "\"'’”»)]*_›」』 \u00a0"


@check
def end_mark(pair: Pair, house: House) -> Iterator[Finding]:
    """Find sentences that do not end with the mark that ends them in the language.

    The last item of a list may end with a full stop though it is no sentence: it has no capital.
    """
    text = pair.source.printed.rstrip(_CLOSING)
    source = text[-1:]
    fragment = text[:1].islower() and not re.search(r"[.?!]\s", text)
    if source and source in ".?!" and not fragment:
        ends = _ENDS.get(_primary(house.language), {})
        wanted = ends.get(source, source)
        text = pair.translation.printed.rstrip(_CLOSING)
        if not text.endswith(wanted) and not text.endswith("…"):
            yield Finding(f"the source ends with '{source}', this with '{text[-1:]}'", wanted)


_FULL_WIDTH = re.compile("[\uff01-\uff5e\u3000-\u3002]")


@check
def full_width(pair: Pair, house: House) -> Iterator[Finding]:
    """Find full-width marks where the language has none."""
    if _primary(house.language) not in ("ja", "zh"):
        for mark in dict.fromkeys(_FULL_WIDTH.findall(pair.text)):
            plain = unicodedata.normalize("NFKC", mark).replace("。", ".").replace("、", ",")
            yield Finding(f"full-width mark '{mark}'", f"write '{plain}'")


_QUOTES = "“”„‟«»‹›‚‛‘’「」『』"
_APOSTROPHE = re.compile(r"(?<=\w)['’]|['’](?=\w)")


@check
def quotes(pair: Pair, house: House) -> Iterator[Finding]:
    """Find quotation marks of typewriters and of other languages, and some left open."""
    text = pair.translation.printed
    if '"' in text or "'" in text:
        own = " ".join(house.language.quotes) or "“ ” ‘ ’"
        yield Finding("straight quotation marks", f"those of the language are {own}")
    if len(house.language.quotes) != 4:
        return
    outer, outer_end, inner, inner_end = house.language.quotes
    for mark in dict.fromkeys(_APOSTROPHE.sub("", text)):
        if mark in _QUOTES and mark not in house.language.quotes:
            hint = f"those of the language are {' '.join(house.language.quotes)}"
            yield Finding(f"quotation mark '{mark}'", hint)
    for opening, closing in ((outer, outer_end), (inner, inner_end)):
        # one that is also an apostrophe can't be counted
        counted = opening != closing and "’" not in (opening, closing)
        if counted and text.count(opening) != text.count(closing):
            yield Finding(f"as many '{opening}' as '{closing}' are expected")


_GREEK_PARTICLES = (
    "από για δεν είναι ένα και κατά μας μαζί μετά μέχρι μπορεί όπως όταν ότι που πρέπει πριν προς "
    "σας στα στη στην στις στο στον στους της την τις του τους των τον"
)
_PARTICLES = {"el": frozenset(_GREEK_PARTICLES.split())}
_DOUBLED = re.compile(r"\b([^\W\d_]{3,})\s+\1\b", re.IGNORECASE)


@check
def doubled_word(pair: Pair, house: House) -> Iterator[Finding]:
    """Find a word that stands there twice, where that is no way of speaking.

    Greek says βήμα βήμα for "step by step"; there only particles are looked at.
    """
    if house.language.script in ("Latn", "Grek", "Cyrl"):
        only = _PARTICLES.get(_primary(house.language))
        before = {found[1].casefold() for found in _DOUBLED.finditer(pair.source.printed)}
        for found in _DOUBLED.finditer(pair.translation.printed):
            word = found[1].casefold()
            if word not in before and (only is None or word in only):
                yield Finding(f"'{found[1]}' stands there twice")


_SPACES = (
    ("doubled space", re.compile(r"[ \u00a0]{2}|\t")),
    ("space at an edge", re.compile(r"\A\s|\s\Z")),
)


@check
def spaces(pair: Pair, house: House) -> Iterator[Finding]:
    """Find doubled spaces, and such at an edge, that the source does not have."""
    for what, pattern in _SPACES:
        if pattern.search(pair.text) and not pattern.search(pair.source_text):
            yield Finding(what)


_INVISIBLE = re.compile("[\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_JOINED = ("Deva", "Beng", "Gujr", "Guru", "Knda", "Mlym", "Orya", "Sinh", "Taml", "Telu", "Arab")


@check
def invisible(pair: Pair, house: House) -> Iterator[Finding]:
    """Find characters that can't be seen, but joiners in scripts that are spelt with them.

    A soft hyphen is the translator's choice of a place to break.
    """
    for character in dict.fromkeys(_INVISIBLE.findall(pair.text)):
        if character not in "\u200c\u200d" or house.language.script not in _JOINED:
            name = unicodedata.name(character, "control character").lower()
            yield Finding(f"invisible U+{ord(character):04X} ({name})", "remove it")


@check
def unchanged(pair: Pair, house: House) -> Iterator[Finding]:
    """Find texts of more than three words that are those of the source."""
    if pair.text == pair.source_text and len(_WORD.findall(pair.source.outside)) > 3:
        yield Finding("the text is that of the source")


@check
def composed(pair: Pair, house: House) -> Iterator[Finding]:
    """Find text that is not in Unicode's form NFC."""
    if not unicodedata.is_normalized("NFC", pair.text):
        yield Finding("the text is not in the form NFC", "'stonehand translate update' mends it")


@check
def terms(pair: Pair, house: House) -> Iterator[Finding]:
    """Find references to terms whose words hold none of the accepted stems."""
    for target, words in pair.translation.words:
        stems = house.stems.get(target, ())
        if words and stems and not any(folded(stem) in folded(words) for stem in stems):
            hint = f"accepted: {', '.join(stems)}"
            yield Finding(f"'{words}' does not hold the term '{target}'", hint)


def folded(text: str) -> str:
    """Return what is equal for texts that differ in case and accents only.

    Accents are the marks that Latin, Greek and Cyrillic share; signs of other scripts are letters.
    """
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFC", text).casefold())
    return unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", apart))


def _primary(language: Language) -> str:
    return language.code.partition("-")[0]


# --- what a look at single texts does not show


def inconsistent(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, Finding]]:
    """Yield texts whose source was translated otherwise before, in a text of the same kind."""
    first: dict[tuple[str, str], Pair] = {}
    for pair in pairs:
        before = first.setdefault((pair.kind, pair.source_text), pair)
        if before.text != pair.text:
            at = before.text.at
            near = at.file == pair.text.at.file and not at.sheet
            yield (
                pair,
                Finding(
                    f"'{pair.source_text}' is '{before.text}' in '{before.context}'",
                    f"at line {at.line}" if near else f"at {at}",
                ),
            )


def lacking_plurals(file: PoFile) -> Iterator[tuple[Text, Finding]]:
    """Yield entries that have fewer plural forms than the language."""
    count = file.plural_count
    for entry in file.entries:
        if entry.plural is not None and count and not entry.obsolete and any(entry.plurals):
            filled = sum(map(bool, entry.plurals))
            if filled < count:
                yield entry.source, Finding(f"{filled} of {count} plural forms are there")
