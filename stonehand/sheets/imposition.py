"""Imposition: which card lies where on which sheet, and where its back lies on the other side.

Slots are the trims of the cards, in mm from the page's top left corner. Backs are mirrored about
the page's centre line, never by column, so that it holds for half-empty sheets and any grid.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeVar

from stonehand.scene import Box, Group, Mark, Matrix, Scene, rectangle

Flip = Literal["long", "short", "none"]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Grid:
    """The slots of a page: where cards are trimmed on a sheet of this size, held this way."""

    width: float
    height: float
    gap: float
    slots: tuple[Box, ...]

    @property
    def block(self) -> Box:
        """The box around all slots."""
        first, last = self.slots[0], self.slots[-1]
        return Box(first.x, first.y, last.right - first.x, last.bottom - first.y)

    def mirrored(self, slot: Box, flip: Flip) -> tuple[Box, bool]:
        """Return where a slot lies on the back of the paper, and whether its back is turned.

        Turning the paper over its upright edge mirrors left and right. Over its level edge it
        mirrors top and bottom, and the back must stand on its head to be upright on the card.
        """
        upright_edge = (flip == "long") == (self.height >= self.width)
        if upright_edge:
            return Box(self.width - slot.right, slot.y, slot.width, slot.height), False
        return Box(slot.x, self.height - slot.bottom, slot.width, slot.height), True


def best_grid(
    paper: tuple[float, float], card: tuple[float, float], margin: float, gap: float
) -> Grid | None:
    """Return the centred grid that holds the most cards on a paper, upright if that is as good.

    All in mm. None if the card does not fit at all.
    """
    width, height = paper
    upright = _grid(width, height, card, margin, gap)
    turned = _grid(height, width, card, margin, gap)
    if turned and (upright is None or len(turned.slots) > len(upright.slots)):
        return turned
    return upright


def _grid(
    width: float, height: float, card: tuple[float, float], margin: float, gap: float
) -> Grid | None:
    w, h = card
    dust = 1e-6  # 297 mm must hold what is 297 mm long, whatever floating point says
    columns = int((width - 2 * margin + gap + dust) / (w + gap))
    rows = int((height - 2 * margin + gap + dust) / (h + gap))
    if columns < 1 or rows < 1:
        return None
    left = (width - columns * w - (columns - 1) * gap) / 2
    top = (height - rows * h - (rows - 1) * gap) / 2
    slots = tuple(
        Box(left + column * (w + gap), top + row * (h + gap), w, h)
        for row in range(rows)
        for column in range(columns)
    )
    return Grid(width, height, gap, slots)


def placed(scene: Scene, slot: Box, turned: bool, grid: Grid) -> Group:
    """Return a face laid in a slot, its bleed cut at half the gap to its neighbours.

    At the outside of the block the whole bleed is printed.
    """
    matrix = Matrix.shift(slot.x, slot.y)
    if turned:
        middle = (slot.x + slot.width / 2, slot.y + slot.height / 2)
        matrix = Matrix.turn(180, *middle).after(matrix)
    # neighbours are told by the block, which is centred and so its own mirror image
    block, reach = grid.block, grid.gap / 2
    left = scene.bleed if slot.x - block.x < 0.01 else min(reach, scene.bleed)
    top = scene.bleed if slot.y - block.y < 0.01 else min(reach, scene.bleed)
    right = scene.bleed if block.right - slot.right < 0.01 else min(reach, scene.bleed)
    bottom = scene.bleed if block.bottom - slot.bottom < 0.01 else min(reach, scene.bleed)
    seen = Box(slot.x - left, slot.y - top, slot.width + left + right, slot.height + top + bottom)
    face = Group(scene.marks, matrix, shared=scene.shared)
    return Group((face,), clip=rectangle(seen))


def batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Yield an iterable in lists of a size; the last may be shorter."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def side(faces: list[Scene | None], grid: Grid, flip: Flip | None = None) -> list[Mark]:
    """Return the faces of one side of a sheet; with `flip`, as the backs of the fronts there.

    A card without a back leaves its place empty.
    """
    marks: list[Mark] = []
    for face, slot in zip(faces, grid.slots, strict=False):
        where, turned = grid.mirrored(slot, flip) if flip else (slot, False)
        if face:
            marks.append(placed(face, where, turned, grid))
    return marks
