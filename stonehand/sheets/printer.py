"""Printers: what was read from a calibration sheet, kept as a profile, and what corrects it.

A home printer lays the back of a sheet some millimetres beside its front, turns it a little, and
may print long or short. A profile says where things land; `corrected` is the inverse, applied to a
whole page, so that cards and their guides move together and stay vectors.

All that a profile holds is seen from the front, the paper upright: x to the right, y downward,
turns clockwise, about the middle of the sheet. It is a property of the way the paper takes through
the printer, so it holds whichever way the sheets are flipped.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from math import atan2, cos, degrees, hypot, radians, sin
from pathlib import Path
from typing import Annotated, Literal, Protocol

import msgspec

from stonehand.scene import Group, Mark, Matrix, Scene
from stonehand.sheets.forme import Flip, turned_like_a_page
from stonehand.source import yaml
from stonehand.source.bind import Spec, bind
from stonehand.source.files import shown
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.text import Text
from stonehand.source.units import FixedGap, Length

Doc = msgspec.Meta
Side = Literal["front", "back"]

LARGEST_SHIFT = 15.0  # mm; more is a wrong reading
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}\Z")


class Printer(Spec, frozen=True, kw_only=True, eq=False):
    """Where a printer puts things on the paper; from the calibration sheet."""

    x: Annotated[Length, Doc(description="How far right of their fronts backs land.")] = Length()
    y: Annotated[Length, Doc(description="How far below their fronts backs land.")] = Length()
    angle: Annotated[
        float, Doc(ge=-3, le=3, description="Degrees by which backs are turned clockwise.")
    ] = 0.0
    scale_x: Annotated[
        float, Doc(ge=90, le=110, description="Width of backs in percent of that of fronts.")
    ] = 100.0
    scale_y: Annotated[
        float, Doc(ge=90, le=110, description="Height of backs in percent of that of fronts.")
    ] = 100.0
    size_x: Annotated[
        float, Doc(ge=90, le=110, description="Width of what is printed in percent of the true.")
    ] = 100.0
    size_y: Annotated[
        float, Doc(ge=90, le=110, description="Height of what is printed in percent of the true.")
    ] = 100.0
    margins: Annotated[
        tuple[FixedGap, ...],
        Doc(description="What can't be printed at the top, right, bottom and left edge."),
    ] = ()
    paper: Annotated[
        Text | None, Doc(description="The paper it was calibrated with, such as `a4`.")
    ] = None
    flip: Annotated[
        Literal["long", "short"] | None, Doc(description="Edge over which it turns the paper.")
    ] = None
    note: Annotated[Text | None, Doc(description="Which tray, paper or settings.")] = None

    @property
    def unprintable(self) -> float:
        """The widest margin that can't be printed, in mm; 0 if that was not read."""
        return max((margin.mm for margin in self.margins), default=0.0)

    @property
    def adjusts(self) -> bool:
        """Whether anything was read that moves, turns or stretches a page."""
        return self.landing != Matrix() or (self.size_x, self.size_y) != (100, 100)

    @property
    def landing(self) -> Matrix:
        """The map from where a back belongs to where it lands, about the middle of the sheet."""
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        across, down = self.scale_x / 100, self.scale_y / 100
        return Matrix(c * across, s * across, -s * down, c * down, self.x.mm, self.y.mm)

    def moved(self, landing: Matrix) -> "Printer":
        """Return the profile with another map of where backs land."""
        m = landing
        return msgspec.structs.replace(
            self,
            x=Length(round(m.e, 3)),
            y=Length(round(m.f, 3)),
            angle=round(degrees(atan2(m.b, m.a)), 4),
            scale_x=round(100 * hypot(m.a, m.b), 4),
            scale_y=round(100 * hypot(m.c, m.d), 4),
        )


def corrected(printer: Printer, width: float, height: float, side: Side, flip: Flip) -> Matrix:
    """Return the map of a page, held as it is, that makes all of it land where it belongs.

    Fronts are only brought to their true size. What a back is moved by is seen from behind.
    """
    size = Matrix(printer.size_x / 100, 0, 0, printer.size_y / 100)
    landing = printer.landing if side == "back" else Matrix()
    wanted = inverse(landing.after(size))
    if side == "back":
        like_a_page = turned_like_a_page(width, height, flip)
        mirror = Matrix(a=-1) if like_a_page else Matrix(d=-1)
        wanted = mirror.after(wanted).after(mirror)
    middle = Matrix.shift(width / 2, height / 2)
    return middle.after(wanted).after(Matrix.shift(-width / 2, -height / 2))


def adjusted(page: Scene, side: Side, flip: Flip, printer: Printer) -> Scene:
    """Return a page moved against what its printer does to it, upright as paper goes in.

    A page on its side is turned by a quarter, clockwise on both of its sides, which is one and the
    same turn of the paper: whoever prints it, it enters the printer as the calibration sheet did.
    """
    marks: tuple[Mark, ...] = page.marks
    width, height = page.width, page.height
    if width > height:
        marks = (Group(marks, Matrix(0, 1, -1, 0, height, 0)),)
        width, height = height, width
    return Scene(width, height, (Group(marks, corrected(printer, width, height, side, flip)),))


def inverse(m: Matrix) -> Matrix:
    """Return the map that undoes another."""
    det = m.a * m.d - m.b * m.c
    a, b, c, d = m.d / det, -m.b / det, -m.c / det, m.a / det
    return Matrix(a, b, c, d, -(a * m.e + c * m.f), -(b * m.e + d * m.f))


# --- from readings to a profile -----------------------------------------------------------------


class Where(Protocol):
    """A scale of the calibration sheet: what it measures, and where its middle is, in mm."""

    @property
    def axis(self) -> Literal["x", "y"]:
        """What it measures."""

    @property
    def x(self) -> float:
        """From the left edge of the paper."""

    @property
    def y(self) -> float:
        """From its upper edge."""


_READING = re.compile(r"([A-H])\s*([+\-−]?\d{1,3}(?:[.,]\d{1,9})?)\Z")


def parse_readings(words: Iterable[Text]) -> dict[str, float]:
    """Return the mm read at each scale from words such as `A3` or `B-0.4`."""
    readings: dict[str, float] = {}
    for word in words:
        match = _READING.match(word.upper())
        if match is None:
            hint = "a letter of the sheet and what was read there, such as A3 or B-0.4"
            raise fault(word.at, f"'{word}' is no reading", hint)
        if match[1] in readings:
            raise fault(word.at, f"two readings of scale {match[1]}")
        readings[match[1]] = float(match[2].replace("−", "-").replace(",", "."))
    return readings


def landing_of(
    readings: Mapping[str, float], scales: Mapping[str, Where], paper: tuple[float, float]
) -> tuple[Matrix, float]:
    """Return the map that readings tell of, and by how many mm they contradict each other at most.

    The five unknowns (shift in x and y, turn, scale in x and y) are found by least squares. A turn
    is looked for where two scales far apart were read for it, a scale where both of its ends were;
    what the readings do not tell stays as it is.
    """
    known = set(readings)
    turn = {"A", "E"} <= known or {"D", "H"} <= known
    use = (True, True, turn, {"C", "G"} <= known, {"B", "F"} <= known)
    rows: list[list[float]] = []
    for letter in readings:
        scale = scales[letter]
        x, y = scale.x - paper[0] / 2, scale.y - paper[1] / 2
        # a small clockwise turn by t moves the point x, y by -t·y, t·x
        row = [1.0, 0.0, -y, x, 0.0] if scale.axis == "x" else [0.0, 1.0, x, 0.0, y]
        rows.append([value if used else 0.0 for value, used in zip(row, use, strict=True)])
    landing, found = Matrix(), [0.0] * 5
    for _ in range(3):  # a turn is linear only as long as it is small (Gauss and Newton)
        left = _left(readings, scales, paper, landing)
        step = least_squares(rows, left)
        found = [a + b for a, b in zip(found, step, strict=True)]
        dx, dy, t, kx, ky = found
        c, s = cos(t), sin(t)
        landing = Matrix(c * (1 + kx), s * (1 + kx), -s * (1 + ky), c * (1 + ky), dx, dy)
    return landing, max(map(abs, _left(readings, scales, paper, landing)))


def _left(
    readings: Mapping[str, float],
    scales: Mapping[str, Where],
    paper: tuple[float, float],
    landing: Matrix,
) -> list[float]:
    """Return what a map does not explain of each reading."""
    left = []
    for letter, value in readings.items():
        scale = scales[letter]
        x, y = scale.x - paper[0] / 2, scale.y - paper[1] / 2
        at = landing(x, y)
        left.append(value - (at[0] - x if scale.axis == "x" else at[1] - y))
    return left


def least_squares(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """Return the x that makes the rows times x come nearest to the values; 0 where it is free."""
    size = len(rows[0])
    table = [
        [sum(r[i] * r[j] for r in rows) for j in range(size)]
        + [sum(r[i] * v for r, v in zip(rows, values, strict=True))]
        for i in range(size)
    ]
    used: list[int] = []
    for column in range(size):  # Gauss and Jordan, the largest pivot first
        free = [i for i in range(size) if i not in used]
        pivot = max(free, key=lambda i: abs(table[i][column]))
        if abs(table[pivot][column]) < 1e-9:
            continue
        table[pivot], table[column] = table[column], table[pivot]
        used.append(column)
        table[column] = [v / table[column][column] for v in table[column]]
        for i in range(size):
            if i != column:
                factor = table[i][column]
                table[i] = [a - factor * b for a, b in zip(table[i], table[column], strict=True)]
    return [table[i][size] if i in used else 0.0 for i in range(size)]


# --- profiles on disk -----------------------------------------------------------------------------


def profile_file(folder: Path, name: Text) -> Path:
    """Return the file of a profile; a name that can't be a file's is a fault."""
    if not _NAME.match(name):
        hint = "small letters, digits, '-' and '_', such as office-tray2"
        raise fault(name.at, f"'{name}' can't be the name of a printer", hint)
    return folder / f"{name}.yaml"


def profiles(folder: Path) -> list[str]:
    """Return the names of all profiles of a folder."""
    return sorted(file.stem for file in folder.glob("*.yaml") if _NAME.match(file.stem))


def load_printer(folder: Path, name: Text, problems: Problems) -> Printer:
    """Read the profile of a printer."""
    path = profile_file(folder, name)
    if not path.is_file():
        hint = did_you_mean(name, profiles(folder))
        hint = hint or f"make one with 'stonehand printer calibrate {name}'"
        raise fault(name.at, f"no printer '{name}'", hint)
    printer = bind(yaml.load(path), Printer, problems)
    if printer is None:
        problems.raise_errors()
        raise AssertionError("a profile that could not be bound has an error")
    at = Location(shown(path))
    if len(printer.margins) not in (0, 4):
        raise fault(at, "margins are four lengths", "top, right, bottom and left")
    if max(abs(printer.x.mm), abs(printer.y.mm)) > LARGEST_SHIFT or printer.x.share:
        raise fault(at, f"a shift is at most {LARGEST_SHIFT:g}mm", "read the sheet again")
    return printer


def written(printer: Printer) -> str:
    """Return a profile as it is kept in its file."""
    lines = ["# Where this printer puts things; made by 'stonehand printer set'."]
    for name in printer.__struct_fields__:
        value = getattr(printer, name)
        if value in (None, ()):
            continue
        if isinstance(value, Length):
            lines.append(f"{name}: {value.mm:g}mm")
        elif isinstance(value, tuple):
            lines.append(f"{name}: [{', '.join(f'{margin.mm:g}mm' for margin in value)}]")
        elif isinstance(value, float):
            lines.append(f"{name}: {value:g}")
        else:
            lines.append(f"{name}: {json.dumps(str(value), ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


def told(printer: Printer) -> str:
    """Return a profile in words, for the screen and for the label of a sheet."""
    x, y, turn = round(printer.x.mm, 2), round(printer.y.mm, 2), round(printer.angle, 3)
    # 0.0 added makes a zero of what rounding has left as a negative one
    parts = [f"x {x + 0.0:+.2f} mm", f"y {y + 0.0:+.2f} mm", f"{turn + 0.0:+.3f}°"]
    if (printer.scale_x, printer.scale_y) != (100, 100):
        parts.append(f"scale {printer.scale_x:.2f} × {printer.scale_y:.2f} %")
    if (printer.size_x, printer.size_y) != (100, 100):
        parts.append(f"size {printer.size_x:.2f} × {printer.size_y:.2f} %")
    return ", ".join(parts)
