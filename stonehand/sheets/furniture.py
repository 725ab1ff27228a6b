"""What stands on a sheet beside the cards: cut marks, a ruler to check the scale, a label.

Cut marks lie exactly on the trim and each cut is drawn once. Grey is seen on light and dark art;
0.15 mm is a line that home printers still draw (docs/sheets.md).
"""

from collections.abc import Callable, Iterable
from typing import Literal

from stonehand.scene import Box, Group, Mark, Matrix, Path, Stroke, polygon
from stonehand.sheets.imposition import Grid

Marks = Literal["lines", "corners", "ticks", "none"]
SetText = Callable[[str, Box, str], list[Mark]]
"""Sets a text in a box, aligned left, center or right."""

CUT = Stroke("#808080", 0.15)
RULE = Stroke("#404040", 0.15)
ARM = 2.0  # mm; length of a corner mark's arms
TICK = 4.0  # mm; length of edge ticks and how far full lines go beyond the cards
CLEAR = 1.0  # mm; between the trim and a tick
BAND = 3.2  # mm; thickness of the strip that holds a label or a ruler
STRIP = 160.0  # mm; length of strip that both rules and their note need
UNPRINTABLE = 3.0  # mm; no printer is trusted nearer to the paper's edge
INCH = 25.4


def cut_positions(grid: Grid) -> tuple[list[float], list[float]]:
    """Return x of every upright cut and y of every level one, each once, in mm."""
    across = _apart(x for slot in grid.slots for x in (slot.x, slot.right))
    down = _apart(y for slot in grid.slots for y in (slot.y, slot.bottom))
    return across, down


def _apart(edges: Iterable[float]) -> list[float]:
    """Return edges in order; those of neighbours, a rounding apart, are one."""
    found: list[float] = []
    for edge in sorted(edges):
        if not found or edge - found[-1] > 1e-3:
            found.append(round(edge, 6))
    return found


def cut_marks(grid: Grid, kind: Marks) -> list[Mark]:
    """Return the cut marks of a page."""
    across, down = cut_positions(grid)
    block = grid.block
    lines: list[list[tuple[float, float]]] = []
    if kind in ("lines", "ticks"):
        reach_x = min(TICK, max(0.0, block.x - UNPRINTABLE))
        reach_y = min(TICK, max(0.0, block.y - UNPRINTABLE))
        left, right = block.x - reach_x, block.right + reach_x
        top, bottom = block.y - reach_y, block.bottom + reach_y
        if kind == "lines":
            lines += [[(x, top), (x, bottom)] for x in across]
            lines += [[(left, y), (right, y)] for y in down]
        else:
            # where the margin has no room for a tick that stands clear, it begins at the trim
            clear_x = CLEAR if reach_x > CLEAR else 0.0
            clear_y = CLEAR if reach_y > CLEAR else 0.0
            for x in across:
                lines.append([(x, top), (x, block.y - clear_y)])
                lines.append([(x, block.bottom + clear_y), (x, bottom)])
            for y in down:
                lines.append([(left, y), (block.x - clear_x, y)])
                lines.append([(block.right + clear_x, y), (right, y)])
    elif kind == "corners":
        for x in across:
            for y in down:
                lines.append([(x - ARM, y), (x + ARM, y)])
                lines.append([(x, y - ARM), (x, y + ARM)])
    return [Path(polygon(line, closed=False), stroke=CUT) for line in lines]


def strips(grid: Grid) -> tuple[tuple[Matrix, float], tuple[Matrix, float]] | None:
    """Return where a label and a ruler go: for each a map from a level strip, and its length.

    They lie outside the block along its longer-margined pair of edges; None if neither margin
    has room.
    """
    block = grid.block
    level, upright = block.y - UNPRINTABLE, block.x - UNPRINTABLE
    if max(level, upright) < BAND:
        return None
    if level >= upright:
        away = min(TICK + 0.5, level - BAND)
        start, length = _span(block.x, block.width)
        top = Matrix.shift(start, block.y - away - BAND)
        return (top, length), (Matrix.shift(start, block.bottom + away), length)
    away = min(TICK + 0.5, upright - BAND)
    start, length = _span(block.y, block.height)
    # reading upward on the left, downward on the right: both with their feet to the cards
    left = Matrix(0, -1, 1, 0, block.x - away - BAND, start + length)
    right = Matrix(0, 1, -1, 0, block.right + away + BAND, start)
    return (left, length), (right, length)


def _span(start: float, extent: float) -> tuple[float, float]:
    """Return start and length of a strip: the block's, or longer where the block is short."""
    more = min(max(0.0, (STRIP - extent) / 2), max(0.0, start - UNPRINTABLE))
    return start - more, extent + 2 * more


def label(text: str, where: tuple[Matrix, float], set_text: SetText) -> Mark:
    """Return a line of text in a strip."""
    matrix, length = where
    return Group(tuple(set_text(text, Box(0, 0, length, BAND), "left")), matrix)


def ruler(note: str, where: tuple[Matrix, float], set_text: SetText) -> list[Mark]:
    """Return two rules of exactly 50 mm and 2 in, with their names, in a strip."""
    matrix, length = where
    marks: list[Mark] = []
    x = 0.0
    for units, step, fine, name in ((50.0, 10.0, 5.0, "50 mm"), (2 * INCH, INCH, INCH / 4, "2 in")):
        if x + units > length:
            break
        marks.append(_line(x, 0, x + units, 0))
        for i in range(round(units / fine) + 1):
            whole = abs(i * fine / step - round(i * fine / step)) < 1e-6
            marks.append(_line(x + i * fine, 0, x + i * fine, 1.6 if whole else 0.8))
        marks += set_text(name, Box(x + 0.8, 1.0, units, BAND - 1.0), "left")
        x += units + 8.0
    if x < length:
        marks += set_text(note, Box(x, 0, length - x, BAND), "left")
    return [Group(tuple(marks), matrix)]


def _line(x1: float, y1: float, x2: float, y2: float) -> Path:
    return Path(polygon([(x1, y1), (x2, y2)], closed=False), stroke=RULE)
