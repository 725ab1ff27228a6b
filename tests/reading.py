"""A small reader of content streams: outlines of a page, with their places in mm."""

from collections.abc import Iterator

import pypdf
import pytest
from pypdf.generic import ContentStream

MM = 25.4 / 72  # of a point
Points = list[tuple[float, float]]


def times(first: tuple, second: tuple) -> tuple:
    """Return the matrix that applies `first`, then `second` (PDF 32000-1, 8.3.4)."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + m,
    )


def at(matrix: tuple, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def strokes(page: pypdf.PageObject) -> Iterator[tuple[tuple, float, Points]]:
    """Yield colour, width in mm and points in mm from the top left of every stroked outline."""
    height = float(page.mediabox.height)
    for width, colour, points in _outlines(page):
        if width is not None:
            yield colour, width * MM, [(x * MM, (height - y) * MM) for x, y in points]


def fills(page: pypdf.PageObject) -> Iterator[tuple[tuple, Points]]:
    """Yield colour and points in mm from the top left of every filled outline."""
    height = float(page.mediabox.height)
    for width, colour, points in _outlines(page):
        if width is None:
            yield colour, [(x * MM, (height - y) * MM) for x, y in points]


def _outlines(page: pypdf.PageObject):
    operations = ContentStream(page.get_contents(), page.pdf).operations
    yield from _read(page, operations, (1, 0, 0, 1, 0, 0), {})


def _read(owner, operations, matrix: tuple, parsed: dict):
    """Yield line width (None of a fill), colour and points, y up, of all outlines, also in forms.

    `parsed` keeps what forms say.
    """
    state, stack, points = (matrix, (0, 0, 0), 1.0, (0, 0, 0)), [], []
    for operands, operator in operations:
        matrix, colour, width, fill = state
        if operator == b"q":
            stack.append(state)
        elif operator == b"Q":
            state = stack.pop()
        elif operator == b"cm":
            state = (times(tuple(map(float, operands)), matrix), colour, width, fill)
        elif operator == b"RG":
            state = (matrix, tuple(map(float, operands)), width, fill)
        elif operator == b"rg":
            state = (matrix, colour, width, tuple(map(float, operands)))
        elif operator == b"w":
            state = (matrix, colour, float(operands[0]), fill)
        elif operator in (b"m", b"l"):
            points.append(at(matrix, *map(float, operands)))
        elif operator == b"S":
            scale = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
            yield width * scale, colour, points
            points = []
        elif operator in (b"f", b"f*", b"B"):
            yield None, fill, points
            points = []
        elif operator == b"n":
            points = []
        elif operator == b"Do":
            reference = owner["/Resources"]["/XObject"].raw_get(operands[0])
            form = reference.get_object()
            if is_layout(form):
                if reference.idnum not in parsed:
                    parsed[reference.idnum] = ContentStream(form, form.indirect_reference.pdf)
                yield from _read(form, parsed[reference.idnum].operations, matrix, parsed)
    assert not stack


def is_layout(form) -> bool:
    """Tell a form of shared marks, whose box holds any paper, from a picture."""
    return form["/Subtype"] == "/Form" and float(form["/BBox"][2]) > 2000


GREY = 0x80 / 255


def cut_lines(page: pypdf.PageObject) -> list[Points]:
    return [
        points
        for colour, _, points in strokes(page)
        if colour == pytest.approx((GREY, GREY, GREY), abs=1e-3) and len(points) == 2
    ]


def cut_positions(page: pypdf.PageObject) -> tuple[list[float], list[float]]:
    """Return x of the upright cut lines and y of the level ones, in mm from the top left."""
    lines = cut_lines(page)
    across = sorted(a[0] for a, b in lines if abs(a[0] - b[0]) < 1e-6)
    down = sorted(a[1] for a, b in lines if abs(a[1] - b[1]) < 1e-6)
    assert len(across) + len(down) == len(lines)
    return across, down


def mm(box) -> list[float]:
    return [float(value) * MM for value in box]
