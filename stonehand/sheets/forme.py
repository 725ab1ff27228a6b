"""A forme: the slots of a page, where faces are trimmed, and what follows from where they lie.

A forme is what printers call the pages locked up together for one side of a sheet. Slots are in mm
from the page's top left corner. Everything here is geometry: a forme does not know what a card is.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, groupby
from math import inf
from typing import Literal, NamedTuple

import msgspec

from stonehand.scene import Box, Group, Matrix, Outline, Scene, moved, rectangle

Flip = Literal["long", "short"]
"""The edge of the paper over which it is turned."""

DUST = 1e-3  # mm; edges nearer than this are one, whatever rounding has made of them


class Slot(msgspec.Struct, frozen=True):
    """Where a face is trimmed, and by how many degrees clockwise it is turned there."""

    box: Box
    turn: int = 0


class Cut(NamedTuple):
    """A straight cut: where its line is, from where to where it goes, and its number in order.

    `at` is y of a level cut, x of an upright one; `start` and `end` are along it. `outer` tells for
    each end whether it lies at the outside of the block, where there is a margin.
    """

    level: bool
    at: float
    start: float
    end: float
    outer: tuple[bool, bool]
    number: int


class Reach(NamedTuple):
    """How far a face may print beyond its trim on each side, in mm; inf where nothing is near."""

    left: float
    top: float
    right: float
    bottom: float


class Forme(msgspec.Struct, frozen=True):
    """The slots of a page of this size, held this way, in rows from top to bottom.

    Rows are strips: level cuts from edge to edge part them, and upright cuts part the cards of
    each, so every forme can be cut with a guillotine. `free` are the numbers (from 0) of the slots
    that take cards, all if it is left out. Where cards are folded over, `backs` are the slots of
    their backs on the same page, and `folds` the lines x1, y1, x2, y2 between the two. Where what
    is cut is no rectangle, `outline` is that of every slot, from its upper left corner; `creases`
    are lines along which each piece is folded, x1, y1, x2, y2 from there.
    """

    width: float
    height: float
    rows: tuple[tuple[Slot, ...], ...]
    free: tuple[int, ...] = ()
    backs: tuple[Slot, ...] = ()
    folds: tuple[tuple[float, float, float, float], ...] = ()
    outline: Outline | None = None
    creases: tuple[tuple[float, float, float, float], ...] = ()

    def __post_init__(self) -> None:
        if not self.free:
            msgspec.structs.force_setattr(self, "free", tuple(range(len(self.slots))))

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All slots, row by row."""
        return tuple(slot for row in self.rows for slot in row)

    @property
    def block(self) -> Box:
        """The box around all slots."""
        boxes = [slot.box for slot in (*self.slots, *self.backs)]
        left, top = min(b.x for b in boxes), min(b.y for b in boxes)
        right, bottom = max(b.right for b in boxes), max(b.bottom for b in boxes)
        return Box(left, top, right - left, bottom - top)

    def behind(self, flip: Flip) -> tuple[Slot, ...]:
        """Return where each slot lies on the back of the paper, turned over that edge.

        Every slot is reflected about the page's centre line, never by column, so it holds for
        half-empty sheets and any arrangement. Turning the paper over its upright edge mirrors left
        and right; a face turned by t is turned by -t there. Over its level edge it mirrors top and
        bottom, and backs stand on their heads to be upright on the card: by 180 - t.
        """
        if turned_like_a_page(self.width, self.height, flip):
            return tuple(
                Slot(
                    Box(self.width - s.box.right, s.box.y, s.box.width, s.box.height), -s.turn % 360
                )
                for s in self.slots
            )
        return tuple(
            Slot(
                Box(s.box.x, self.height - s.box.bottom, s.box.width, s.box.height),
                (180 - s.turn) % 360,
            )
            for s in self.slots
        )

    def cuts(self) -> list[Cut]:
        """Return the cuts in the order in which they are made, each once.

        Rows of the same cards share their upright cuts. If all do, the longer cuts come first,
        while the sheet is still whole; else the strips are parted before they are divided.
        """
        if self.outline:
            return []
        block = self.block
        level = _apart(e for row in self.rows for s in row for e in (s.box.y, s.box.bottom))
        across = [(y, block.x, block.right, (True, True)) for y in level]
        upright = []
        for edges, group in groupby(self.rows, key=_uprights):
            boxes = [slot.box for row in group for slot in row]
            top, bottom = min(b.y for b in boxes), max(b.bottom for b in boxes)
            outer = (top - block.y < DUST, block.bottom - bottom < DUST)
            upright += [(x, top, bottom, outer) for x in edges]
        whole = all(all(outer) for *_, outer in upright)
        first = [(True, *cut) for cut in across]
        then = [(False, *cut) for cut in upright]
        if whole and block.height > block.width:
            first, then = then, first
        return [Cut(*cut, number) for number, cut in enumerate([*first, *then], 1)]


def turned_like_a_page(width: float, height: float, flip: Flip) -> bool:
    """Tell whether a page that is turned over an edge of its paper turns like that of a book."""
    return (flip == "long") == (height >= width)


def _uprights(row: tuple[Slot, ...]) -> list[float]:
    """Return x of the upright cuts of a row."""
    return _apart(edge for slot in row for edge in (slot.box.x, slot.box.right))


def _apart(edges: Iterable[float]) -> list[float]:
    """Return edges in order; those of neighbours, a rounding apart, are one."""
    found: list[float] = []
    for edge in sorted(edges):
        if not found or edge - found[-1] > DUST:
            found.append(round(edge, 6))
    return found


@lru_cache(maxsize=64)
def reaches(slots: tuple[Slot, ...]) -> tuple[Reach, ...]:
    """Return for each slot half of the distance to its neighbour on each side."""
    found = []
    for one in slots:
        near = [inf] * 4
        for other in slots:
            if one is other:
                continue
            facing = list(_distances(one.box, other.box))
            for side, distance in facing or [_across(one.box, other.box)]:
                near[side] = min(near[side], max(0.0, distance / 2))
        found.append(Reach(*near))
    return tuple(found)


def _distances(one: Box, other: Box) -> Iterator[tuple[int, float]]:
    """Yield on which sides (0 left, 1 top, 2 right, 3 bottom) another box lies, and how far."""
    beside = one.y < other.bottom - DUST and other.y < one.bottom - DUST
    above = one.x < other.right - DUST and other.x < one.right - DUST
    if beside:
        yield (0, one.x - other.right) if other.x < one.x else (2, other.x - one.right)
    if above:
        yield (1, one.y - other.bottom) if other.y < one.y else (3, other.y - one.bottom)


def _across(one: Box, other: Box) -> tuple[int, float]:
    """Return the side and distance that keep apart two boxes that meet at a corner at most."""
    wide = max(one.x - other.right, other.x - one.right)
    high = max(one.y - other.bottom, other.y - one.bottom)
    if wide >= high:
        return (0 if other.x < one.x else 2), wide
    return (1 if other.y < one.y else 3), high


@lru_cache(maxsize=64)
def neighbours(slots: tuple[Slot, ...]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of slots, by number, that share a cut."""
    return tuple(
        (i, j)
        for (i, one), (j, other) in combinations(enumerate(slots), 2)
        if any(abs(distance) < DUST for _, distance in _distances(one.box, other.box))
    )


def shaped(slot: Slot, outline: Outline, by: float = 0.0, *, behind: bool = False) -> Outline:
    """Return the outline of what is cut in a slot, on either side of the paper.

    It is larger by `by` mm on each side: exactly so for circles and regular polygons, which are
    stretched about their middle.
    """
    box = slot.box
    turned = slot.turn % 180
    width, height = (box.height, box.width) if turned else (box.width, box.height)
    factor = 1 + 2 * by / min(width, height)
    stretched = Matrix(-factor if behind else factor, 0, 0, factor)
    about = stretched.after(Matrix.shift(-width / 2, -height / 2))
    middle = Matrix.shift(box.x + box.width / 2, box.y + box.height / 2)
    return moved(outline, middle.after(Matrix.turn(slot.turn, 0, 0)).after(about))


def placed(
    face: Scene, slot: Slot, reach: Reach, outer: float = inf, clip: Outline | None = None
) -> Group:
    """Return a face laid in a slot, its bleed cut off at `reach`, or at an outline of its own.

    At the outside of the block the whole bleed is printed, but at most `outer` mm of it.
    """
    box = slot.box
    turned = Matrix.turn(slot.turn, face.width / 2, face.height / 2)
    # turned by a quarter about its middle, the face has its corner beside that of the slot
    across, down = (box.width - face.width) / 2, (box.height - face.height) / 2
    middle = Matrix.shift(box.x + across, box.y + down)
    sides = [min(face.bleed, outer if near == inf else near) for near in reach]
    left, top, right, bottom = sides
    seen = Box(box.x - left, box.y - top, box.width + left + right, box.height + top + bottom)
    laid = Group(face.marks, middle.after(turned), shared=face.shared)
    return Group((laid,), clip=clip or rectangle(seen))
