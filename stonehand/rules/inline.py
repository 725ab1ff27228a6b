"""The notation within a block: emphasis, references that carry their words, values asked for.

    **strong**, *emphasis*, [[A_02]], [[kind.symbol|symbol cards]], {count kind=symbol}

References and values are protected: a translation must have the same ones, in any order.
"""

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from stonehand.source.problems import fault
from stonehand.source.text import Text

_PROTECTED = re.compile(r"\[\[([^\[\]|]+?)(?:\|([^\[\]]*))?\]\]|\{([^{}]*)\}")
_UNPAIRED = re.compile(r"\[\[|\]\]|[{}]")
_LOST = re.compile(r"(?<!\\):[a-z][a-z0-9_-]*:|[\ue000-\uf8ff]")  # icons, and private characters
_VALUE = re.compile(r"count(?:\s+kind=([\w-]+))?\Z")


class Words(msgspec.Struct, frozen=True):
    """Plain words, with their emphasis marks still in them."""

    text: str


class Reference(msgspec.Struct, frozen=True):
    """A reference to a rule, a section, a term or a card, and the words to print for it."""

    target: str
    words: str


class Value(msgspec.Struct, frozen=True):
    """A number asked of the catalogue: how many cards, of a kind or in all."""

    kind: str

    @property
    def written(self) -> str:
        """The value as it stands in a text."""
        return f"{{count kind={self.kind}}}" if self.kind else "{count}"


Part = Words | Reference | Value


def parse(text: Text) -> list[Part]:
    """Return the parts of a text; what is not closed is a fault at the text's place."""
    parts: list[Part] = []
    end = 0
    for match in _PROTECTED.finditer(text):
        if match.start() > end:
            parts.append(Words(text[end : match.start()]))
        if match[3] is not None:
            value = _VALUE.match(match[3].strip())
            if value is None:
                raise fault(text.at, f"unknown value '{match[0]}'", "write {count kind=NAME}")
            parts.append(Value(value[1] or ""))
        else:
            if match[2] is not None and not match[2].strip():
                raise fault(text.at, f"'{match[0]}' has no words", f"or write [[{match[1]}]]")
            parts.append(Reference(match[1].strip(), match[2] or ""))
        end = match.end()
    if end < len(text):
        parts.append(Words(text[end:]))
    for part in parts:
        if isinstance(part, Words) and (bad := _UNPAIRED.search(part.text)):
            raise fault(text.at, f"'{bad[0]}' is not closed or not opened", "as in [[A_01|words]]")
    if lost := _LOST.search(text):
        hint = f"write \\{lost[0]}" if lost[0][0] == ":" else "remove it"
        raise fault(text.at, f"rules have no icons such as '{lost[0]}'", hint)
    return parts


def protected(text: Text) -> Counter[str]:
    """Return the references and values of a text, with how often each occurs."""
    return protected_parts(parse(text))


def protected_parts(parts: Iterable[Part]) -> Counter[str]:
    """Return the references and values among parts of a text, with how often each occurs."""
    return Counter(
        f"[[{part.target}]]" if isinstance(part, Reference) else part.written
        for part in parts
        if not isinstance(part, Words)
    )
