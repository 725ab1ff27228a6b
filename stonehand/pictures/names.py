"""What the names of picture files tell: which side of which card, how many of it, and its name.

    goblin.png, goblin-back.png, goblin (back).png, back-goblin.png      two sides of one card
    goblin-3x.png, goblin x3.png, 3x goblin.png, goblin (3).png          three of it

A number in brackets is a count only where it is alone: `goblin (1)` and `goblin (2)` are two cards,
as file managers number what would have the same name.
"""

import re
import unicodedata
from collections.abc import Collection
from typing import Literal, NamedTuple

Side = Literal["front", "back", ""]

_BETWEEN = r"[\s_.\-–—]+"
_SIDE_AT_START = re.compile(rf"(?P<side>front|back){_BETWEEN}(?P<rest>.+)", re.IGNORECASE)
_SIDE_AT_END = re.compile(
    rf"(?P<rest>.+?)(?:{_BETWEEN}(?P<side>front|back)|[\s_.\-]*[(\[](?P<inner>front|back)[)\]])",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"(?P<first>\d{{1,3}})x{_BETWEEN}(?P<after>.+)"
    rf"|(?P<rest>.+?)(?:{_BETWEEN}(?:(?P<n>\d{{1,3}})x|x(?P<m>\d{{1,3}}))"
    r"|[\s_.\-]*\((?:(?P<o>\d{1,3})x|x(?P<p>\d{1,3}))\))",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"(?P<rest>.+?)[\s_.\-]*\((?P<n>\d{1,3})\)")
_FOR_ALL = {"back", "backs", "cardback", "cardbacks", "backside"}  # without what is between words
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\Z")  # names that Windows keeps for itself
_LONGEST = 80  # bytes of an id; it may have up to 100, and a number may follow


class Told(NamedTuple):
    """What a name tells: the side ("" if it tells none), how many, and what is left."""

    base: str
    side: Side = ""
    copies: int | None = None

    @property
    def key(self) -> str:
        """What is equal for both sides of a card: letters and digits, in whatever case."""
        return _plain(self.base)


def told_by(stem: str, *, numbered: Collection[str] = (), sides: bool = True) -> Told:
    """Return what a file's name without its suffix tells.

    `numbered` are keys of names whose numbers in brackets are no counts; see `numbered_names`.
    Without `sides`, "front" and "back" are words like others.
    """
    base, side = unicodedata.normalize("NFC", stem).strip(), ""
    copies: int | None = None
    for _ in range(2):  # a side and a count, in either order
        if (
            sides
            and not side
            and (found := _SIDE_AT_START.fullmatch(base) or _SIDE_AT_END.fullmatch(base))
        ):
            inner = found.groupdict().get("inner")
            base, side = found["rest"], (found["side"] or inner or "").lower()
        if copies is None and (found := _COUNT.fullmatch(base)):
            base = found["after"] or found["rest"]
            copies = int(next(found[n] for n in ("first", "n", "m", "o", "p") if found[n]))
        elif copies is None and (found := _BRACKETED.fullmatch(base)):
            if _plain(found["rest"]) in numbered:
                break
            base, copies = found["rest"], int(found["n"])
    return Told(base, side, copies)  # type: ignore[arg-type]  # the patterns know two sides


def numbered_names(stems: Collection[str]) -> set[str]:
    """Return the keys of names that several fronts share but for numbers in brackets."""
    seen: dict[str, int] = {}
    for told in map(told_by, stems):
        if told.side != "back":
            seen[told.key] = seen.get(told.key, 0) + 1
    return {key for key, number in seen.items() if number > 1}


def is_for_all(stem: str) -> bool:
    """Tell whether a name is that of one back for all cards, such as `back` or `card-back`."""
    return _plain(stem).replace(" ", "") in _FOR_ALL


def name_of(base: str) -> str:
    """Return a readable name: `Fire dragon` for `02_fire-dragon` or `FireDragon`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", base)
    words = re.sub(r"[\s_.\-–—]+", " ", words).strip()
    words = "".join(c for c in words if c.isprintable() or c in "\u200c\u200d")
    bare = re.sub(r"^\d+ +(?=[^\W\d_])", "", words)
    return bare[:1].upper() + bare[1:]


def in_order(name: str) -> list[tuple[bool, int, str]]:
    """Return by what names are put in the order in which people count: `card 2`, `card 10`."""
    parts = re.findall(r"\d{1,9}|\D+", name.casefold())
    return [(False, int(p), "") if p.isdecimal() else (True, 0, p) for p in parts]


class Ids:
    """Gives each card an id of its own, in letters and digits that any file may have."""

    def __init__(self, taken: Collection[str] = ()) -> None:
        """Begin with ids that no card may have."""
        self._taken = set(taken)

    def of(self, base: str) -> str:
        """Return an id for a name that was given none before; `-2` is added to one that was."""
        made = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFKC", base).lower()).strip("-")
        made = made.encode()[:_LONGEST].decode(errors="ignore").rstrip("-") or "card"
        if _DEVICES.match(made):
            made = f"card-{made}"
        number, unique = 2, made
        while unique.casefold() in self._taken:
            unique, number = f"{made}-{number}", number + 1
        self._taken.add(unique.casefold())
        return unique


def _plain(text: str) -> str:
    return re.sub(r"[\s_.\-–—()\[\]]+", " ", text).strip().casefold()
