"""What a drawing holds that print may not: thin lines, colours of a press, transparency."""

from typing import TYPE_CHECKING, NamedTuple

from stonehand.inspection.content import Follower
from stonehand.inspection.marks import Budget, ExhaustedError, narrowest

if TYPE_CHECKING:
    from pikepdf import Page

STEPS = 200_000  # operators of one drawing that are followed


class Drawing(NamedTuple):
    """What is in a drawing; the thinnest line as a share of its width, None without lines."""

    thinnest: float | None = None
    press: bool = False
    transparent: bool = False


def drawing_of(page: "Page") -> Drawing:
    """Return what is in a drawing that was converted to a page; nothing if it holds too much."""
    from pikepdf import Dictionary

    try:
        marks = Follower(Budget(STEPS)).page(page, page.obj.get("/Resources", Dictionary()))
    except ExhaustedError:
        return Drawing()
    left, bottom, right, top = map(float, page.cropbox)
    across = top - bottom if int(page.obj.get("/Rotate", 0)) % 180 else right - left
    across *= float(page.obj.get("/UserUnit", 1))
    widths = [width * narrowest(matrix) / across for width, matrix in marks.lines]
    return Drawing(
        min((width for width in widths if width > 0), default=None),
        any(colour.space.name == "DeviceCMYK" for colour in marks.colours),
        any(feature.kind == "transparency" for feature in marks.features),
    )
