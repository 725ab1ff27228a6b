"""The calibration sheet: where a printer puts the back of a sheet, read against the light.

Eight scales, lettered A to H, lie near the four edges: where two opposite ones differ, the back is
turned or of another size. Each has a short row of millimetres to 5 either way, which one line of
the back crosses, and a long one, a vernier: its lines stand 2 mm apart on the front and 1.9 mm on
the back, so that the pair that meets tells tenths of a millimetre to 1 either way.

All lines are thin, so a print costs little. Lengths are in mm, from the page's top left corner.
"""

from typing import Literal, Protocol

import msgspec

from stonehand.scene import Box, Group, Mark, Matrix, Path, Scene, Stroke, polygon
from stonehand.sheets.forme import Flip, turned_like_a_page
from stonehand.sheets.furniture import Align
from stonehand.sheets.printer import Printer, corrected, told

Axis = Literal["x", "y"]
SMALLEST = (148.0, 210.0)  # mm; on less paper the scales would lie over each other
LINE = Stroke("#000000", 0.1)
BACK_LINE = Stroke("#000000", 0.15)
COARSE = 5  # mm either way
FINE = 10  # tenths of a mm either way
APART, APART_BEHIND = 2.0, 1.9  # mm; the vernier's lines on front and back
EDGE = 8  # mm; how far in the scales at the paper's edges go
RULE_IN = 20.0  # mm; from the paper's edges to the ends of the long rules


class Lettering(Protocol):
    """What sets the words of the sheet: sheets do not know how type is set."""

    def word(self, name: str) -> str:
        """Return a word of the language."""

    def line(self, text: str, box: Box, align: Align = "left", size: float = 2.2) -> list[Mark]:
        """Return a line of text in a box."""

    def block(self, text: str, box: Box, size: float) -> list[Mark]:
        """Return a text of several lines at the top of a box."""


class Scale(msgspec.Struct, frozen=True):
    """A scale: what it measures, and where its middle is."""

    axis: Axis
    x: float
    y: float


def scales(width: float, height: float) -> dict[str, Scale]:
    """Return the scales of a paper by their letters: two near each edge, clockwise from the top."""
    middle_x, middle_y = width / 2, height / 2
    near = [
        (middle_x, 36.0),
        (width - 47.0, middle_y + 25.0),
        (middle_x, height - 36.0),
        (47.0, middle_y - 25.0),
    ]
    made: dict[str, Scale] = {}
    letters = iter("ABCDEFGH")
    for x, y in near:
        made[next(letters)] = Scale("x", x - 13.0, y)
        made[next(letters)] = Scale("y", x + 24.0, y)
    return made


def rules(width: float, height: float) -> tuple[float, float]:
    """Return the lengths of the level and the upright rule, which people measure."""
    return width - 2 * RULE_IN, height - 2 * RULE_IN


def calibration(
    paper: tuple[float, float],
    lettering: Lettering,
    flip: Flip,
    name: str,
    printer: Printer,
) -> tuple[Scene, Scene]:
    """Return front and back of the sheet, corrected by what is known of the printer so far."""
    width, height = paper
    found = scales(width, height)
    front: list[Mark] = [*_rules(width, height, lettering), *_edges(width, height, lettering)]
    back: list[Mark] = []
    for letter, scale in found.items():
        turned = Matrix.shift(scale.x, scale.y)
        if scale.axis == "y":
            # reading downward: the scale of x, turned by a quarter
            turned = turned.after(Matrix(0, 1, -1, 0))
        front.append(Group(tuple(_front_of(letter, scale.axis, lettering)), turned))
        back.append(Group(tuple(_back_of()), turned))
    front += _instructions(width, height, lettering, flip, name, printer)
    if turned_like_a_page(width, height, flip):
        mirror = Matrix(-1, 0, 0, 1, width, 0)
    else:
        mirror = Matrix(1, 0, 0, -1, 0, height)
    side = lettering.line(lettering.word("back"), Box(RULE_IN, 16.0, 40.0, 3.0))
    behind: tuple[Mark, ...] = (Group(tuple(back), mirror), *side)
    fronts = Group(tuple(front), corrected(printer, width, height, "front", flip))
    backs = Group(behind, corrected(printer, width, height, "back", flip))
    return Scene(width, height, (fronts,)), Scene(width, height, (backs,))


def _line(x1: float, y1: float, x2: float, y2: float, stroke: Stroke = LINE) -> Path:
    return Path(polygon([(x1, y1), (x2, y2)], closed=False), stroke=stroke)


def _front_of(letter: str, axis: Axis, lettering: Lettering) -> list[Mark]:
    """Return the front of a scale that reads from left to right, about its middle."""
    marks: list[Mark] = []
    for mm in range(-COARSE, COARSE + 1):
        long = mm % COARSE == 0
        marks.append(_line(mm, -10.5 - (1.2 if long else 0.0), mm, -7.5))
        if long:
            text = f"{mm:+d}" if mm else "0"
            marks += lettering.line(text, Box(mm - 2.5, -14.6, 5.0, 2.6), "center")
    for tenth in range(-FINE, FINE + 1):
        x, long = tenth * APART, tenth % 5 == 0
        marks.append(_line(x, 1.5 - (1.2 if long else 0.0), x, 4.5))
        if long:
            text = f"{tenth / 10:+g}" if tenth else "0"
            marks += lettering.line(text, Box(x - 4.0, -2.7, 8.0, 2.6), "center")
    # the letter stands upright whichever way its scale reads
    where = Matrix.shift(-17.0, -10.0)
    if axis == "y":
        where = where.after(Matrix(0, -1, 1, 0))
    name = lettering.line(letter, Box(-4.0, -3.0, 8.0, 6.0), "center", 5.0)
    marks.append(Group(tuple(name), where))
    return marks


def _back_of() -> list[Mark]:
    """Return what the back has of such a scale: a line, and the lines of the vernier."""
    # long enough to cross its scale wherever the back lands
    marks: list[Mark] = [_line(0.0, -17.0, 0.0, -3.0, BACK_LINE)]
    for tenth in range(-FINE, FINE + 1):
        x = tenth * APART_BEHIND
        marks.append(_line(x, 4.0, x, 8.5 + (1.2 if tenth % 5 == 0 else 0.0), BACK_LINE))
    return marks


def _rules(width: float, height: float, lettering: Lettering) -> list[Mark]:
    """Return a level and an upright rule, as long as the paper allows, with their lengths."""
    level, upright = rules(width, height)
    marks: list[Mark] = [
        _line(RULE_IN, 10.5, RULE_IN + level, 10.5),
        _line(10.5, RULE_IN, 10.5, RULE_IN + upright),
    ]
    for start, length, across in ((RULE_IN, level, True), (RULE_IN, upright, False)):
        for end in (start, start + length):
            marks.append(_line(end, 9.0, end, 12.0) if across else _line(9.0, end, 12.0, end))
    marks += lettering.line(f"{level:g} mm", Box(RULE_IN, 11.0, 30.0, 3.0))
    side = lettering.line(f"{upright:g} mm", Box(0.0, 0.0, 30.0, 3.0))
    marks.append(Group(tuple(side), Matrix(0, -1, 1, 0, 11.0, RULE_IN + 30.0)))
    return marks


def _edges(width: float, height: float, lettering: Lettering) -> list[Mark]:
    """Return stairs at the four edges: a step each millimetre, the first whole one is printable."""
    steps: list[Mark] = []
    for mm in range(1, EDGE + 1):
        steps.append(_line(3.0 * mm, mm, 3.0 * mm + 2.4, mm))
        steps += lettering.line(str(mm), Box(3.0 * mm, mm + 0.3, 2.4, 2.0), "center", 1.8)
    stairs = tuple(steps)
    span = 3.0 * EDGE + 2.4
    at = width - RULE_IN - span
    down = height - RULE_IN - span
    return [
        Group(stairs, Matrix.shift(at, 0)),
        Group(stairs, Matrix(0, 1, -1, 0, width, down)),
        Group(stairs, Matrix(-1, 0, 0, -1, at + span, height)),
        Group(stairs, Matrix(0, -1, 1, 0, 0, down + span)),
    ]


def _instructions(
    width: float,
    height: float,
    lettering: Lettering,
    flip: Flip,
    name: str,
    printer: Printer,
) -> list[Mark]:
    """Return what to do, beside the scales at the left."""
    left, top = 90.0, height / 2 - 46.0
    room = width - left - 12.0
    texts = [lettering.word(f"calibrate_{step}") for step in ("1", "2", "3", "4")]
    texts[0] = texts[0].replace("{flip}", lettering.word(f"flip_{flip}"))
    size = f"{width:g} × {height:g} mm"
    marks = lettering.block(f"{name} · {size}", Box(left, top, room, 5.0), 3.6)
    marks += lettering.block(told(printer), Box(left, top + 5.2, room, 3.0), 2.2)
    marks += lettering.block("\n".join(texts), Box(left, top + 9.0, room, 32.0), 2.6)
    command = (
        f"stonehand printer set {name} --read A…,B…,C…,D…,E…,F…,G…,H…\n"
        "--rules …x… --margins …mm,…mm,…mm,…mm"
    )
    marks += lettering.block(command, Box(left, top + 42.0, room, 6.0), 2.2)
    return marks
