"""What stands on a sheet beside the cards: cut and fold marks, a ruler to check the scale, a label.

Cut marks lie exactly on the trim and each cut is drawn once. Grey is seen on light and dark art;
0.15 mm is a line that home printers still draw (docs/sheets.md). `unprintable` is how far, in mm,
the printer stays away from the paper's edge.
"""

from collections.abc import Callable, Iterable
from math import cos, pi, sin
from typing import Literal

from stonehand.scene import Box, Group, Mark, Matrix, Outline, Path, Stroke, polygon, rectangle
from stonehand.sheets.forme import Cut, Forme

Marks = Literal["lines", "corners", "ticks", "none"]
Align = Literal["left", "center", "right"]
SetText = Callable[[str, Box, Align], list[Mark]]
"""Sets a text in a box, aligned so."""
Point = tuple[float, float]

CUT = Stroke("#808080", 0.15)
FOLD = Stroke("#808080", 0.15, (1.0, 1.0))
RULE = Stroke("#404040", 0.15)
SIGN_LINE = Stroke("#404040", 0.2)
ARM = 2.0  # mm; length of a corner mark's arms
TICK = 4.0  # mm; length of edge ticks and how far full lines go beyond the cards
CLEAR = 1.0  # mm; between the trim and a tick
BAND = 3.2  # mm; thickness of the strip that holds a label or a ruler
STRIP = 160.0  # mm; length of strip that both rules and their note need
UNPRINTABLE = 3.0  # mm; no printer is trusted nearer to the paper's edge
INCH = 25.4


def cut_marks(forme: Forme, kind: Marks, unprintable: float = UNPRINTABLE) -> list[Mark]:
    """Return the cut marks of a page."""
    lines: list[list[Point]] = []
    for cut in forme.cuts() if kind in ("lines", "ticks") else ():
        before, after = (_outside(forme, cut, end, unprintable) for end in (0, 1))
        if kind == "lines":
            lines.append([_point(cut, cut.start - before), _point(cut, cut.end + after)])
            continue
        for end, reach, away, outer in (
            (cut.start, before, -1.0, cut.outer[0]),
            (cut.end, after, 1.0, cut.outer[1]),
        ):
            # where there is no room for a tick that stands clear, it begins at the trim; at the
            # end of a cut between cards it is a dash across the trim
            clear, far = (CLEAR if reach > CLEAR else 0.0, reach) if outer else (-ARM / 2, ARM / 2)
            lines.append([_point(cut, end + away * far), _point(cut, end + away * clear)])
    if kind == "corners":
        corners = {
            (round(x, 4), round(y, 4))
            for slot in forme.slots
            for x in (slot.box.x, slot.box.right)
            for y in (slot.box.y, slot.box.bottom)
        }
        for x, y in sorted(corners):
            lines.append([(x - ARM, y), (x + ARM, y)])
            lines.append([(x, y - ARM), (x, y + ARM)])
    return [Path(polygon(line, closed=False), stroke=CUT) for line in lines]


def _point(cut: Cut, along: float) -> Point:
    return (along, cut.at) if cut.level else (cut.at, along)


def _outside(forme: Forme, cut: Cut, end: int, unprintable: float) -> float:
    """Return by how many mm the marks of a cut go beyond one of its ends."""
    if not cut.outer[end]:
        return 0.0
    whole = forme.width if cut.level else forme.height
    margin = cut.start if end == 0 else whole - cut.end
    return min(TICK, max(0.0, margin - unprintable))


def trim_outlines(outlines: Iterable[Outline]) -> list[Mark]:
    """Return the trims of cards, with their rounded corners, as marks to cut along."""
    return [Path(outline, stroke=CUT) for outline in outlines]


def fold_marks(forme: Forme) -> list[Mark]:
    """Return the lines along which cards are folded over, and those of nets, dashed."""
    return [
        Path(polygon([(x1, y1), (x2, y2)], closed=False), stroke=FOLD)
        for x1, y1, x2, y2 in (*forme.folds, *creases(forme))
    ]


def creases(forme: Forme) -> list[tuple[float, float, float, float]]:
    """Return the lines x1, y1, x2, y2 along which the pieces of a forme are folded."""
    boxes = [forme.slots[i].box for i in forme.free]
    return [
        (box.x + x1, box.y + y1, box.x + x2, box.y + y2)
        for box in boxes
        for x1, y1, x2, y2 in forme.creases
    ]


def cut_order(forme: Forme, set_text: SetText, unprintable: float = UNPRINTABLE) -> list[Mark]:
    """Return the number of every cut that begins in the margin, beside its beginning.

    Numbers are those of the order in which the cuts are made, so that each is one straight cut
    through all that still hangs together.
    """
    marks: list[Mark] = []
    for cut in forme.cuts():
        reach = _outside(forme, cut, 0, unprintable)
        if reach < ARM:
            continue
        if cut.level:
            box = Box(cut.start - reach, cut.at - BAND + 0.6, reach - 0.4, BAND - 0.8)
            marks += set_text(str(cut.number), box, "right")
        else:
            box = Box(cut.at + 0.4, cut.start - reach, BAND, min(reach, BAND - 0.8))
            marks += set_text(str(cut.number), box, "left")
    return marks


def strips(
    forme: Forme, unprintable: float = UNPRINTABLE, corner: float = UNPRINTABLE
) -> tuple[tuple[Matrix, float], tuple[Matrix, float]] | None:
    """Return where a label and a ruler go: for each a map from a level strip, and its length.

    They lie outside the block along its longer-margined pair of edges, and so many mm from the
    corners of the page; None if neither margin has room.
    """
    block = forme.block
    level, upright = block.y - unprintable, block.x - unprintable
    if max(level, upright) < BAND:
        return None
    if level >= upright:
        away = min(TICK + 0.5, level - BAND)
        start, length = _span(block.x, forme.width, corner)
        top = Matrix.shift(start, block.y - away - BAND)
        return (top, length), (Matrix.shift(start, block.bottom + away), length)
    away = min(TICK + 0.5, upright - BAND)
    start, length = _span(block.y, forme.height, corner)
    # reading upward on the left, downward on the right: both with their feet to the cards
    left = Matrix(0, -1, 1, 0, block.x - away - BAND, start + length)
    right = Matrix(0, 1, -1, 0, block.right + away + BAND, start)
    return (left, length), (right, length)


def _span(start: float, whole: float, corner: float) -> tuple[float, float]:
    """Return start and length of a strip: the block's, or longer where the block is short."""
    longer = min(start, (whole - STRIP) / 2)
    begin = max(longer, corner)
    return begin, whole - 2 * begin


SIGN = 7.0  # mm; room for the sign that shows how the paper is turned


def label(text: str, where: tuple[Matrix, float], set_text: SetText, sign: Mark | None) -> Mark:
    """Return a line of text in a strip, after a sign if there is one."""
    matrix, length = where
    room = SIGN if sign else 0.0
    marks = set_text(text, Box(room, 0, length - room, BAND), "left")
    return Group((*((sign,) if sign else ()), *marks), matrix)


def turning_sign(width: float, height: float, *, like_a_page: bool) -> Mark:
    """Return a small page with an arrow over the edge by which it is turned, for a label.

    `like_a_page` tells that the edge is an upright one of the page as it is held; the page is drawn
    in the proportions of `width` and `height`, within SIGN by BAND mm.
    """
    high = BAND - (0.0 if like_a_page else 1.1)
    wide = min(high * width / height, SIGN - 3.0)
    page = Box(0.0, BAND - high, wide, high)
    marks: list[Mark] = [Path(rectangle(page), stroke=SIGN_LINE)]
    if like_a_page:
        edge = [(page.right, page.y), (page.right, page.bottom)]
        # over the right edge, from the middle of the page to behind it
        turn = (page.right, BAND / 2 + 0.5, 1.5, 1.3, pi, 2 * pi)
    else:
        edge = [(page.x, page.y), (page.right, page.y)]
        turn = (wide / 2, page.y, 1.0, 1.1, pi / 2, -pi / 2)
    marks.append(Path(polygon(edge, closed=False), stroke=Stroke(SIGN_LINE.colour, 0.4)))
    marks += _arrow(*turn)
    return Group(tuple(marks))


def _arrow(x: float, y: float, across: float, down: float, start: float, end: float) -> list[Mark]:
    """Return an arrow along an arc of an ellipse about x, y, angles in radians, y down."""
    steps = 12
    angles = [start + (end - start) * i / steps for i in range(steps + 1)]
    points = [(x + across * cos(a), y + down * sin(a)) for a in angles]
    tip, before = points[-1], points[-3]
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    size = (dx * dx + dy * dy) ** 0.5
    dx, dy = dx / size, dy / size
    wings = [
        (tip[0] - 0.8 * dx + side * 0.5 * dy, tip[1] - 0.8 * dy - side * 0.5 * dx)
        for side in (1, -1)
    ]
    return [
        Path(polygon(points, closed=False), stroke=SIGN_LINE),
        Path(polygon([tip, *wings]), fill=SIGN_LINE.colour),
    ]


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
