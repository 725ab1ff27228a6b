"""Lengths as people write them: `5mm`, `0.5in`, `9pt`, `50%`, `0`.

What a length is for tells what it may be: a distance may be negative, a gap may not, a size must
be more than nothing, and the size of type or of paper is no share of anything.
"""

import re
from typing import NamedTuple

from stonehand.source.text import Text

MM_PER = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72}
MAX_MM = 2000.0

# possessive, so that a hostile text costs no more than its length
_LENGTH = re.compile(r"([+-]?(?:\d++(?:\.\d*+)?|\.\d++))\s*+(mm|cm|in|pt|%)?\Z", re.ASCII)


class Length(NamedTuple):
    """So many millimetres plus a share of the whole it is measured in."""

    mm: float = 0.0
    share: float = 0.0

    @classmethod
    def parse(cls, text: Text) -> "Length":
        """Read a length; raises ValueError with (message, hint) where it is none."""
        match = _LENGTH.match(text)
        if match is None or (match[2] is None and float(match[1]) != 0):
            point = text.replace(",", ".")
            hint = "a length has a unit: 5mm, 0.2in, 9pt or 50%"
            if point != text and _LENGTH.match(point):
                hint = f"use a point: {point}"
            raise ValueError(f"'{text}' is not a length", hint)
        value = float(match[1])
        if match[2] == "%":
            made = cls(share=value / 100)
        else:
            made = cls(mm=value * MM_PER[match[2] or "mm"])
        if abs(made.mm) > MAX_MM or abs(made.share) > MAX_MM:
            raise ValueError(f"'{text}' is too long", f"at most {MAX_MM:.0f}mm")
        return made

    def of(self, whole: float) -> float:
        """Return the length in mm where 100 % is `whole` mm."""
        return self.mm + self.share * whole


class Gap(Length):
    """A length that is not negative: a gap, a radius."""

    @classmethod
    def parse(cls, text: Text) -> "Gap":
        """Read a length; raises ValueError with (message, hint) also where it is negative."""
        length = Length.parse(text)
        if length.mm < 0 or length.share < 0:
            raise ValueError(f"'{text}' is negative", "at least 0")
        return cls(*length)


class Size(Length):
    """A length that is at least 0.01 mm, or a share of more than nothing: a width, a height."""

    @classmethod
    def parse(cls, text: Text) -> "Size":
        """Read a length; raises ValueError with (message, hint) also where it is not positive."""
        length = Length.parse(text)
        if length.mm < 0.01 and length.share <= 0:
            raise ValueError(f"'{text}' is too small", "at least 0.01mm")
        return cls(*length)


class FixedGap(Gap):
    """A gap in a unit of its own: a bleed, the margin of a sheet."""

    @classmethod
    def parse(cls, text: Text) -> "FixedGap":
        """Read a length; raises ValueError with (message, hint) also where it is a share."""
        return cls(*_in_mm(Gap.parse(text), text))


class FixedSize(Size):
    """A size in a unit of its own: of type, of a card, of paper."""

    @classmethod
    def parse(cls, text: Text) -> "FixedSize":
        """Read a length; raises ValueError with (message, hint) also where it is a share."""
        return cls(*_in_mm(Size.parse(text), text))


def _in_mm(length: Length, text: Text) -> Length:
    if length.share:
        raise ValueError(f"'{text}' is a share, which has no meaning here", "write 5mm")
    return length


JSON_SCHEMA = {
    "type": ["string", "integer"],
    "minimum": 0,
    "maximum": 0,
    "pattern": r"^(0|[+-]?(\d+\.?\d*|\.\d+)\s*(mm|cm|in|pt|%)|\$.+)$",
    "examples": ["5mm", "0.2in", "9pt", "50%"],
}
"""How editors see a length: 0 needs no unit."""
