"""What content of a PDF paints, apart from where: the marks, and the matrices they come through.

Units are those of the content's own space; a matrix takes them to those of what it is placed in.
"""

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from stonehand.inspection.colours import Space

if TYPE_CHECKING:
    from pikepdf import Object

Linear = tuple[float, float, float, float]
"""The a, b, c and d of a matrix."""

Key = tuple[int, int] | bytes
"""What tells objects apart: number and generation, or the content of a direct object."""

PLAIN: Linear = (1.0, 0.0, 0.0, 1.0)


def times(inner: Linear, outer: Linear) -> Linear:
    """Return the matrix that does first the inner, then the outer one (8.3.4)."""
    a, b, c, d = inner
    e, f, g, h = outer
    return (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)


def narrowest(matrix: Linear) -> float:
    """Return the least factor by which a matrix scales a line: its lesser singular value."""
    a, b, c, d = matrix
    squares, area = a * a + b * b + c * c + d * d, abs(a * d - b * c)
    return math.sqrt(max(0.0, squares - math.sqrt(max(0.0, squares**2 - 4 * area**2))) / 2)


def key_of(thing: "Object") -> Key:
    """Return what tells an object from others of its file."""
    return thing.objgen if thing.is_indirect else thing.unparse()


class ExhaustedError(Exception):
    """A file asks for more work than a check may take."""


class Budget:
    """How many steps may still be taken for a file."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self, steps: int) -> None:
        """Take some steps; raise `ExhaustedError` if there are none left."""
        self._left -= steps
        if self._left < 0:
            raise ExhaustedError


class Colour(NamedTuple):
    """A colour that is painted."""

    space: Space
    ink: float | None  # percent
    white_overprint: bool


class Text(NamedTuple):
    """Letters shown in a font; `matrix` takes an em to what it is scaled to."""

    font: Key
    matrix: Linear
    inks: int  # how many the colour takes; 0 if that is not known, or nothing is painted


class Feature(NamedTuple):
    """Something else that a press must know of, and which it is."""

    kind: Literal["transparency", "group", "overprint", "halftone", "filter", "foreign", "broken"]
    what: str = ""


class Marks(NamedTuple):
    """What some content paints."""

    images: set[tuple[Key, Linear]]
    lines: set[tuple[float, Linear]]  # widths in the units of the matrix
    texts: set[Text]
    colours: set[Colour]
    features: set[Feature]

    def count_all(self) -> int:
        """Return how many marks there are, of all kinds."""
        return sum(len(kind) for kind in (self.images, self.lines, self.texts, self.colours))

    def place(self, inner: "Marks", matrix: Linear) -> None:
        """Add what a form paints that is painted through a matrix."""
        self.images.update((key, times(own, matrix)) for key, own in inner.images)
        self.lines.update((width, times(own, matrix)) for width, own in inner.lines)
        self.texts.update(t._replace(matrix=times(t.matrix, matrix)) for t in inner.texts)
        self.colours.update(inner.colours)
        self.features.update(inner.features)


def no_marks() -> Marks:
    """Return marks to be added to."""
    return Marks(set(), set(), set(), set(), set())


def filters_of(stream: Any) -> list[str]:
    """Return the names of the filters that a stream was packed with (7.4), without a slash."""
    from pikepdf import Array

    said = stream.get("/Filter")
    names = list(said) if isinstance(said, Array) else [] if said is None else [said]
    return [str(name).removeprefix("/") for name in names]
