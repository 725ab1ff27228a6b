"""Imposition: what lies where on which sheet.

`lay` takes what is to be printed, by its size, and yields sheet after sheet with what lies in each
slot. It knows nothing of what it lays. Lengths are in mm.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import sqrt
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from stonehand.scene import Box, Outline
from stonehand.sheets.forme import Forme, Slot

Order = Literal["reading", "stack"]
Size = tuple[float, float]


class Piece(NamedTuple):
    """What is cut out: its size, its outline if it is no rectangle, how it nests, its folds."""

    width: float
    height: float
    outline: Outline | None = None
    nest: str = ""
    creases: tuple[tuple[float, float, float, float], ...] = ()


_P = TypeVar("_P", bound=tuple[Any, ...])  # a Piece, or its width and height alone
_T = TypeVar("_T")

FOLD_GUTTER = 6.0  # mm; between a front and its folded back: a bleed of 3 mm for each
MAX_MIXED = 6  # sizes; all ways of turning more are too many to try
_DUST = 1e-6  # 297 mm must hold what is 297 mm long, whatever floating point says


def nothing_reserved(width: float, height: float) -> list[Box]:
    """Return the boxes of a page that must stay free of cards: none."""
    return []


class Room(msgspec.Struct, frozen=True):
    """What cards are laid on: the paper, its margin, gaps, and what must stay free.

    `skip` are numbers of slots from 1, in reading order; `reserved` tells for a page's width and
    height which boxes of it are taken.
    """

    paper: Size
    margin: float = 5.0
    gap: float = 0.0
    skip: frozenset[int] = frozenset()
    reserved: Callable[[float, float], list[Box]] = nothing_reserved

    def ways(self) -> tuple[Size, Size]:
        """Return the page upright and on its side."""
        width, height = self.paper
        return (width, height), (height, width)


class Laid(msgspec.Struct, Generic[_T], frozen=True):
    """A forme and what lies in its slots, None in those that stay empty."""

    forme: Forme
    items: tuple[_T | None, ...]


def lay(
    items: Mapping[_P, Sequence[_T]],
    formes: Mapping[_P, Forme],
    order: Order = "reading",
    mixed: Room | None = None,
) -> Iterator[Laid[_T]]:
    """Yield sheets of what is to be printed: each size on its own forme, in its own order.

    With a room for `mixed` sheets, what is left of each size after its full sheets shares sheets
    with the others, where that saves any.
    """
    left: dict[_P, Sequence[_T]] = {}
    for size, found in items.items():
        forme = formes[size]
        whole = len(found) - len(found) % len(forme.free) if mixed else len(found)
        yield from _sheets(found[:whole], forme, order)
        if whole < len(found):
            left[size] = found[whole:]
    together = list(_together(left, mixed)) if mixed and 1 < len(left) <= MAX_MIXED else []
    if together and len(together) < len(left):
        yield from together
    else:
        for size, found in left.items():
            yield from _sheets(found, formes[size], order)


def _sheets(items: Sequence[_T], forme: Forme, order: Order) -> Iterator[Laid[_T]]:
    """Yield the sheets of one size.

    In the order `stack` each slot's pile holds what comes one after the other, so that the piles,
    laid upon each other in reading order, give the whole in order: the first at the top.
    """
    slots = len(forme.free)
    sheets = -(-len(items) // slots)
    for sheet in range(sheets):
        laid: list[_T | None] = [None] * len(forme.slots)
        for place, slot in enumerate(forme.free):
            index = place * sheets + sheet if order == "stack" else sheet * slots + place
            if index < len(items):
                laid[slot] = items[index]
        yield Laid(forme, tuple(laid))


def best_grid(card: Size, room: Room) -> Forme | None:
    """Return the centred grid that holds the most cards on a paper, upright if that is as good.

    None if the card does not fit at all.
    """
    return _most(_grid(page, card, room) for page in room.ways())


def best_nest(piece: Piece, room: Room) -> Forme | None:
    """Return the forme that holds the most pieces of an outline: in a grid, or nested.

    Circles nest in rows that are offset by half, hexagons as in a honeycomb; gaps are between their
    sides. None if not even one fits.
    """
    formes = [_grid(page, (piece.width, piece.height), room) for page in room.ways()]
    if piece.nest:
        formes += [_nested(page, piece, room) for page in room.ways()]
    best = _most(formes)
    return replace(best, outline=piece.outline) if best else None


def _nested(page: Size, piece: Piece, room: Room) -> Forme | None:
    flat = piece.nest == "hexagon-flat"  # a honeycomb of columns: that of rows, turned over
    width, height = page[::-1] if flat else page
    w, h = (piece.height, piece.width) if flat else (piece.width, piece.height)
    margin, gap = room.margin, room.gap
    across = w + gap
    # sides that slant lean on each other at 60 degrees
    down = (0.75 * h if "hexagon" in piece.nest else h * sqrt(3) / 2) + gap * sqrt(3) / 2
    even = int((width - 2 * margin + gap + _DUST) / across)
    odd = int((width - 2 * margin + gap - across / 2 + _DUST) / across)
    rows = int((height - 2 * margin - h + _DUST) / down) + 1 if height - 2 * margin >= h else 0
    if even < 1 or rows < 1:
        return None
    wide = max(even * across - gap, odd * across - gap + across / 2 if rows > 1 else 0.0)
    left, top = (width - wide) / 2, (height - h - (rows - 1) * down) / 2
    strips = []
    for row in range(rows):
        start = left + across / 2 * (row % 2)
        boxes = [
            Box(start + i * across, top + row * down, w, h) for i in range(odd if row % 2 else even)
        ]
        if flat:
            boxes = [Box(box.y, box.x, box.height, box.width) for box in boxes]
        if boxes:
            strips.append(tuple(map(Slot, boxes)))
    return _with_free(Forme(*page, tuple(strips)), room)


def best_fold(card: Size, room: Room) -> Forme | None:
    """Return the forme that holds the most cards beside their backs, a fold between the two.

    Each card has a fold of its own: right of its front, which keeps the back upright, or below it,
    where the back stands on its head. None if not even one fits.
    """
    w, h = card
    found = []
    for page in room.ways():
        for upright in (True, False):
            pair = (2 * w + FOLD_GUTTER, h) if upright else (w, 2 * h + FOLD_GUTTER)
            grid = _grid(page, pair, room)
            found.append(_folded(grid, card, upright=upright) if grid else None)
    return _most(found)


def _most(formes: Iterable[Forme | None]) -> Forme | None:
    """Return the first of the formes that take the most cards."""
    there = [forme for forme in formes if forme and forme.free]
    return max(there, key=lambda forme: len(forme.free), default=None)


def _grid(page: Size, card: Size, room: Room) -> Forme | None:
    (width, height), (w, h) = page, card
    margin, gap = room.margin, room.gap
    columns = int((width - 2 * margin + gap + _DUST) / (w + gap))
    rows = int((height - 2 * margin + gap + _DUST) / (h + gap))
    if columns < 1 or rows < 1:
        return None
    left = (width - columns * w - (columns - 1) * gap) / 2
    top = (height - rows * h - (rows - 1) * gap) / 2
    strips = tuple(
        tuple(
            Slot(Box(left + column * (w + gap), top + row * (h + gap), w, h))
            for column in range(columns)
        )
        for row in range(rows)
    )
    return _with_free(Forme(width, height, strips), room)


def _with_free(forme: Forme, room: Room) -> Forme | None:
    """Return a forme without the slots that are skipped or reserved; None if none is left."""
    taken = room.reserved(forme.width, forme.height)
    free = tuple(
        i
        for i, slot in enumerate(forme.slots)
        if i + 1 not in room.skip and not any(_overlap(slot.box, box) for box in taken)
    )
    return replace(forme, free=free) if free else None


def _overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.right - _DUST
        and other.x < one.right - _DUST
        and one.y < other.bottom - _DUST
        and other.y < one.bottom - _DUST
    )


def _folded(pairs: Forme, card: Size, *, upright: bool) -> Forme:
    """Return the forme of fronts, backs and folds that a grid of pairs holds."""
    w, h = card
    fronts, backs, folds = [], [], []
    for row in pairs.rows:
        fronts.append(tuple(Slot(Box(pair.box.x, pair.box.y, w, h)) for pair in row))
        for pair in row:
            x, y = pair.box.x, pair.box.y
            if upright:
                backs.append(Slot(Box(x + w + FOLD_GUTTER, y, w, h)))
                at = x + w + FOLD_GUTTER / 2
                folds.append((at, y, at, y + h))
            else:
                backs.append(Slot(Box(x, y + h + FOLD_GUTTER, w, h), 180))
                at = y + h + FOLD_GUTTER / 2
                folds.append((x, at, x + w, at))
    return Forme(pairs.width, pairs.height, tuple(fronts), pairs.free, tuple(backs), tuple(folds))


class _Strip(msgspec.Struct, Generic[_T], frozen=True):
    """Cards of one size side by side, each so wide and high on the sheet."""

    width: float
    height: float
    turn: int
    items: tuple[_T, ...]


def _together(left: Mapping[_P, Sequence[_T]], room: Room) -> Iterator[Laid[_T]]:
    """Yield sheets of strips of different sizes, as few as any way of turning them gives."""
    best: list[list[_Strip[_T]]] | None = None
    best_page = room.paper
    for page in room.ways():
        inner = (page[0] - 2 * room.margin, page[1] - 2 * room.margin)
        # upright cards first: where turning gains nothing, nothing is turned
        for turns in product((0, 90), repeat=len(left)):
            strips = _strips(left, turns, inner, room.gap)
            sheets = _stacked_up(strips, inner[1], room.gap) if strips else None
            if sheets is not None and (best is None or len(sheets) < len(best)):
                best, best_page = sheets, page
    for sheet in best or ():
        yield _of_strips(sheet, best_page, room.gap)


def _strips(
    left: Mapping[_P, Sequence[_T]], turns: Sequence[int], inner: Size, gap: float
) -> list[_Strip[_T]] | None:
    """Return what is left as strips of cards turned so; None if a card does not fit."""
    strips: list[_Strip[_T]] = []
    for (size, items), turn in zip(left.items(), turns, strict=True):
        if any(size[2:]):
            return None  # only plain rectangles lie in strips
        w, h = size[1::-1] if turn else size[:2]
        many = int((inner[0] + gap + _DUST) / (w + gap))
        if many < 1 or h > inner[1] + _DUST:
            return None
        strips += [
            _Strip(w, h, turn, tuple(items[i : i + many])) for i in range(0, len(items), many)
        ]
    return strips


def _stacked_up(strips: list[_Strip[_T]], height: float, gap: float) -> list[list[_Strip[_T]]]:
    """Return strips on sheets: the highest first, each on the first sheet with room for it."""
    sheets: list[list[_Strip[_T]]] = []
    for strip in sorted(strips, key=lambda strip: -strip.height):
        for sheet in sheets:
            if sum(s.height + gap for s in sheet) + strip.height <= height + _DUST:
                sheet.append(strip)
                break
        else:
            sheets.append([strip])
    return sheets


def _of_strips(strips: list[_Strip[_T]], page: Size, gap: float) -> Laid[_T]:
    """Return a sheet of strips, in the middle of the page, their left edges in one line."""
    width, height = page
    widest = max(len(s.items) * (s.width + gap) - gap for s in strips)
    left = (width - widest) / 2
    y = (height - sum(s.height for s in strips) - gap * (len(strips) - 1)) / 2
    rows: list[tuple[Slot, ...]] = []
    items: list[_T] = []
    for strip in strips:
        rows.append(
            tuple(
                Slot(Box(left + i * (strip.width + gap), y, strip.width, strip.height), strip.turn)
                for i in range(len(strip.items))
            )
        )
        items += strip.items
        y += strip.height + gap
    return Laid(Forme(width, height, tuple(rows)), tuple(items))
