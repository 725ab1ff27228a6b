"""Boards larger than the paper: divided into tiles that overlap, so that they can be glued.

Every tile is cut along its edges. Its right and lower neighbours are laid over it, up to a line
that is printed on it: what is beyond is glue margin, printed with the same picture.
"""

from math import ceil

import msgspec

from stonehand.scene import Box, Group, Mark, Matrix, Path, Scene, polygon
from stonehand.sheets.furniture import FOLD

OVERLAP = 10.0  # mm
SMALLEST = 40.0  # mm; less of a page is no room for a tile
_DUST = 1e-6


class Tile(msgspec.Struct, frozen=True):
    """A part of a board: its box on the board in mm, and its row and column, from 0."""

    window: Box
    row: int
    column: int
    last_row: bool
    last_column: bool

    @property
    def name(self) -> str:
        """Its name on the sheet, such as B2: row B, second column."""
        return f"{chr(65 + self.row % 26)}{self.column + 1}"


def tiles(board: tuple[float, float], paper: tuple[float, float], margin: float) -> list[Tile]:
    """Return the tiles of a board, as few as the paper allows, upright or on its side.

    All tiles are of one size. None at all if the margins leave no room.
    """
    found: list[list[Tile]] = []
    for page in (paper, paper[::-1]):
        room = (page[0] - 2 * margin, page[1] - 2 * margin)
        if min(room) >= SMALLEST:
            found.append(_tiles(board, room))
    return min(found, key=len, default=[])


def _tiles(board: tuple[float, float], room: tuple[float, float]) -> list[Tile]:
    counts, steps = [], []
    for whole, most in zip(board, room, strict=True):
        count = max(1, ceil((whole - OVERLAP - _DUST) / (most - OVERLAP)))
        counts.append(count)
        steps.append((whole - OVERLAP) / count if count > 1 else whole)
    (columns, rows), (across, down) = counts, steps
    width = across + (OVERLAP if columns > 1 else 0.0)
    height = down + (OVERLAP if rows > 1 else 0.0)
    return [
        Tile(
            Box(column * across, row * down, width, height),
            row,
            column,
            row == rows - 1,
            column == columns - 1,
        )
        for row in range(rows)
        for column in range(columns)
    ]


def part_of(board: Scene, tile: Tile, *, behind: bool = False) -> Scene:
    """Return what a tile shows of a board; of its back where it is seen from behind."""
    window = tile.window
    left = board.width - window.right if behind else window.x
    marks: list[Mark] = [Group(board.marks, Matrix.shift(-left, -window.y), shared=True)]
    if not behind:
        marks += _glue_lines(tile)
    return Scene(window.width, window.height, tuple(marks), board.bleed)


def _glue_lines(tile: Tile) -> list[Mark]:
    """Return the lines up to which the neighbours at the right and below are laid over a tile."""
    width, height = tile.window.width, tile.window.height
    lines = []
    if not tile.last_column:
        lines.append([(width - OVERLAP, 0.0), (width - OVERLAP, height)])
    if not tile.last_row:
        lines.append([(0.0, height - OVERLAP), (width, height - OVERLAP)])
    return [Path(polygon(line, closed=False), stroke=FOLD) for line in lines]
