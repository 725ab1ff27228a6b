"""Numbers of spreadsheets as their cells show them.

A spreadsheet keeps `001`, `50 %` and 5.0 as a number and a way to show it. Programs keep 15 digits,
so 0.1 + 0.2 is 0.3; numbers are written without grouping and with a point, as everywhere else.
"""

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

TOO_LONG = "the cell holds a number of more than 15 digits, and the last ones are lost"
AS_TEXT = "format the column as text, and write the cell again"
_ENOUGH = Context(prec=60)  # digits of what is rounded
_LARGEST = 10**15  # beyond, the last digits are no longer those that were typed
# colours, languages, and room as wide as a character (ECMA-376 part 1, 18.8.31)
_ASIDE = re.compile(r"\[(?:[A-Za-z]+\d*|\$-[0-9A-Fa-f]+)\]|_.|\*.")
_PLAIN = re.compile(
    r"(?:#,##)?#*(?P<whole>0*)(?:\.(?P<places>0{0,15})(?P<more>#{0,15}))?(?P<percent>%?)"
)
_GENERAL = re.compile(r"(?:General|Standard|@)?|[#0?.]*E[+-][#0]+|[#0? ]*/[#0-9? ]+", re.ASCII)


def kept(value: float) -> bool:
    """Tell whether a spreadsheet keeps all digits of a number before its point."""
    return math.isfinite(value) and abs(value) <= _LARGEST


@lru_cache(maxsize=4096)
def number_shown(value: float, code: str) -> str | None:
    """Return a number that is `kept` as a format of a spreadsheet shows it: `000`, `0.0%`.

    Exponents and fractions are written out. None if the format shows anything else, such as a
    currency.
    """
    exact = Decimal(value if isinstance(value, int) else format(value, ".15g"))
    code = _ASIDE.sub("", code.partition(";")[0]).strip()
    if _GENERAL.fullmatch(code):
        return _written(exact)
    match = _PLAIN.fullmatch(code)
    if match is None:
        return None
    if match["percent"]:
        exact *= 100
    least = len(match["places"] or "")
    return (
        _written(exact, len(match["whole"]), least, least + len(match["more"] or ""))
        + match["percent"]
    )


def number_read(shown: str) -> Decimal | None:
    """Return the number that digits with a point or comma show; None if there is anything else."""
    shown = shown.replace(",", ".")
    return Decimal(shown) if re.fullmatch(r"[+-]?\d{1,20}(\.\d{1,20})?", shown, re.ASCII) else None


def _written(number: Decimal, whole: int = 1, least: int = 0, most: int | None = None) -> str:
    """Return a number with so many digits before the point, and behind it, at least and at most."""
    if most is not None:
        number = number.quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP, _ENOUGH)
    before, _, behind = format(abs(number), "f").partition(".")
    behind = behind.rstrip("0").ljust(least, "0")
    digits = before.zfill(whole) + ("." + behind if behind else "")
    return f"-{digits}" if number < 0 and digits.strip("0.") else digits
