"""Which lines of its file a card was written in."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from stonehand.cards.deck import Card
from stonehand.source.files import read_text
from stonehand.source.problems import Location, StonehandError

_ITEM = re.compile(r"(\s*)-(\s|$)")
MOST = 60  # lines that are shown of a card


class Lines(NamedTuple):
    """Lines of a file, counted from 1, and what stands there."""

    file: str
    first: int
    last: int
    text: str

    def hold(self, at: Location) -> bool:
        """Tell whether a place lies in them."""
        return at.file == self.file and self.first <= at.line <= self.last


def lines_of(cards: Iterable[Card]) -> dict[str, Lines]:
    """Return the lines of cards by their ids; each file is read once."""
    files: dict[str, list[str]] = {}
    found: dict[str, Lines] = {}
    for card in cards:
        file, line, *_ = card.id.at
        if file not in files:
            try:
                files[file] = read_text(Path(file)).splitlines()
            except StonehandError:  # it went away a moment ago, and will be read again
                files[file] = []
        found[str(card.id)] = _item(files[file], file, line)
    return found


def at(lines: Mapping[str, Lines], place: Location) -> str:
    """Return the id of the card that was written at a place; empty if none was."""
    return next((card for card, own in lines.items() if own.hold(place)), "")


def _item(lines: list[str], file: str, line: int) -> Lines:
    """Return the item of a list that a line belongs to; where there is none, that line."""
    first = line
    while first > 1 and first <= len(lines) and line - first < MOST:
        if _ITEM.match(lines[first - 1]):
            break
        first -= 1
    start = _ITEM.match(lines[first - 1]) if 0 < first <= len(lines) else None
    if start is None:
        return Lines(file, line, line, "\n".join(lines[line - 1 : line]))
    last = first
    for number in range(first + 1, min(len(lines), first + MOST) + 1):
        text = lines[number - 1]
        if text.strip() and len(text) - len(text.lstrip()) <= len(start[1]):
            break
        if text.strip():
            last = number
    return Lines(file, first, last, "\n".join(lines[first - 1 : last]))
