"""The pseudo-language `art-x-pseudo`: the source text, made strange, for looks before translators.

    Lay 1 [[kind.free|Free card]].  ->  ⁅Ĺáýý 1 [[kind.free|Ḟŕéeé ćáŕď]].⁆

Texts grow by about a third, as translations from English do: what will not fit shows at once. They
stand in brackets: a word outside of them never reached translation, a bracket that is lost was cut
off. References, values, emphasis and icons stay as they are. Only letters and brackets that the
shipped fonts have are used. Codes of invented languages begin with `art-x-` (BCP 47).
"""

import re
import unicodedata
from collections.abc import Mapping

from msgspec.structs import replace

from stonehand.language.languages import Language
from stonehand.language.translation import Message, Translations
from stonehand.source.problems import Problems
from stonehand.source.text import Text

CODE = "art-x-pseudo"
GROWTH = 0.35
OPENING, CLOSING = "⁅", "⁆"

_KEPT = re.compile(
    r"\[\[[^\[\]|]*(?:\||\]\])|\]\]|\{[^{}]*\}|\$\{?\w+\}?|:[a-z][a-z0-9_-]*:|\\.|[*_]+"
)
_VOWELS = frozenset("aeiouyAEIOUY")
_ACCENTS = {
    **dict.fromkeys("aceilmnoprsuyzACEIKLMNOPRSUYZ", "\u0301"),  # acute
    **dict.fromkeys("bfghtwBFGHTW", "\u0307"),  # dot above
    **dict.fromkeys("dkjDJ", "\u030c"),  # caron
    **dict.fromkeys("vV", "\u0303"),  # tilde
}


def pseudo(text: str) -> str:
    """Return a text accented, longer by about a third, and in brackets."""
    pieces: list[tuple[str, bool]] = []  # text, is it kept
    end = 0
    for match in _KEPT.finditer(text):
        pieces += [(text[end : match.start()], False), (match[0], True)]
        end = match.end()
    pieces.append((text[end:], False))
    length = sum(len(piece) for piece, kept in pieces if not kept)
    wanted, grown, seen = 0.0, 0, 0
    made: list[str] = []
    for piece, kept in pieces:
        if kept:
            made.append(piece)
            continue
        for letter in piece:
            seen += 1
            wanted = seen * GROWTH
            accented = unicodedata.normalize("NFC", letter + _ACCENTS.get(letter, ""))
            made.append(accented)
            if letter in _VOWELS and grown < wanted:
                made.append(letter.lower())
                grown += 1
    # where vowels do not do it, as in Korean, the rest comes at the end
    rest = round(length * GROWTH) - grown
    words = [" " + "~" * min(4, rest - i) for i in range(0, max(rest, 0), 5)]
    return f"{OPENING}{''.join(made)}{''.join(words)}{CLOSING}"


def pseudo_language(source: Language, words: Mapping[Text, Text]) -> Language:
    """Return a source language's entry as that of the pseudo-language.

    `words` are those that Stonehand prints, for what the language's own table lacks.
    """
    printed = {
        name: Text(pseudo(word), word.at) for name, word in {**words, **source.words}.items()
    }
    made = replace(
        source,
        name=Text(pseudo(source.name), source.name.at),
        breaking=Text(source.break_locale),
        words=printed,
    )
    made.__dict__["at"] = source.at
    made.__dict__["code"] = Text(CODE)
    return made


class PseudoTranslations(Translations):
    """The texts of any game in the pseudo-language."""

    def __init__(self) -> None:
        super().__init__(CODE, (), Problems())

    def printed(self, message: Message) -> tuple[Text, bool]:
        """Return a message made strange; it stands where its source does."""
        return (Text(pseudo(message), message.at) if message else message), True
