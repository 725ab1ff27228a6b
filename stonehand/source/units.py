"""Lengths as people write them: `5mm`, `0.5in`, `9pt`, `50%`, `0`."""

import re
from typing import NamedTuple

from stonehand.source.text import Text

MM_PER = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72}
MAX_MM = 2000.0

_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))\s*(mm|cm|in|pt|%)?\Z")


class Length(NamedTuple):
    """So many millimetres plus a share of the whole it is measured in."""

    mm: float = 0.0
    share: float = 0.0

    @classmethod
    def parse(cls, text: Text) -> "Length":
        """Read a length; raises ValueError with (message, hint) where it is none."""
        match = _LENGTH.match(text)
        if match is None or (match[2] is None and float(match[1]) != 0):
            hint = "a length has a unit: 5mm, 0.2in, 9pt or 50%"
            if "," in text:
                hint = f"use a point: {text.replace(',', '.')}"
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


class Size(Length):
    """A length that is at least 0.01 mm: a width, a height, a size of type."""

    @classmethod
    def parse(cls, text: Text) -> "Size":
        """Read a length; raises ValueError with (message, hint) also where it is not positive."""
        length = Length.parse(text)
        if length.mm + length.share < 0.01:
            raise ValueError(f"'{text}' is too small", "at least 0.01mm")
        return cls(*length)


JSON_SCHEMA = {
    "type": ["string", "integer"],
    "pattern": r"^(0|[+-]?(\d+\.?\d*|\.\d+)\s*(mm|cm|in|pt|%)|\$.+)$",
    "examples": ["5mm", "0.2in", "9pt", "50%"],
}
"""How editors see a length: 0 needs no unit."""
