"""What each element of a template draws in its box."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from stonehand.cards import template as t
from stonehand.cards.deck import Value
from stonehand.cards.scope import Scope
from stonehand.scene import (
    Box,
    Group,
    Mark,
    Matrix,
    Outline,
    Path,
    Picture,
    ellipse,
    polygon,
    rectangle,
)
from stonehand.source.bind import Ref
from stonehand.source.problems import Location, StonehandError, did_you_mean, fault
from stonehand.source.text import Text
from stonehand.source.units import MAX_MM, MM_PER, FixedSize, Gap, Length, Size
from stonehand.typesetting.paragraph import Setting

if TYPE_CHECKING:
    from stonehand.cards.face import Face

MAX_REPEAT = 1000

_E = TypeVar("_E", bound=t.Element)
DRAWERS: dict[type[t.Element], Callable[["Face", Any, Box, Scope], list[Mark]]] = {}


def draws(
    element: type[_E],
) -> Callable[[Callable[["Face", _E, Box, Scope], list[Mark]]], Any]:
    """Register the function that draws an element of a type."""

    def register(function: Callable[["Face", _E, Box, Scope], list[Mark]]) -> Any:
        DRAWERS[element] = function
        return function

    return register


def _shape(face: "Face", shape: t.Shape, outline: Outline, scope: Scope) -> list[Mark]:
    """Return what is drawn of an outline."""
    origin = Text(type(shape).__name__.lower(), shape.at)
    return [Path(outline, face.fill(shape, scope), face.stroke(shape, scope), origin)]


@draws(t.Rect)
def _rect(face: "Face", rect: t.Rect, box: Box, scope: Scope) -> list[Mark]:
    outline = rectangle(box, scope.length(rect.radius, Gap).of(min(box.width, box.height)))
    return _shape(face, rect, outline, scope)


@draws(t.Ellipse)
def _ellipse(face: "Face", shape: t.Ellipse, box: Box, scope: Scope) -> list[Mark]:
    return _shape(face, shape, ellipse(box), scope)


def points_of(
    points: tuple[tuple[Length, ...], ...], box: Box, at: Location
) -> list[tuple[float, float]]:
    """Return points of a box in mm; `at` is where what is wrong with them is told."""
    if len(points) < 2 or any(len(point) != 2 for point in points):
        raise fault(at, "points are pairs of lengths", "write [[0, 0], [100%, 100%]]")
    return [(box.x + x.of(box.width), box.y + y.of(box.height)) for x, y in points]


def _points(shape: t.Polygon | t.Line, box: Box) -> list[tuple[float, float]]:
    return points_of(shape.points, box, shape.at)


@draws(t.Polygon)
def _polygon(face: "Face", shape: t.Polygon, box: Box, scope: Scope) -> list[Mark]:
    return _shape(face, shape, polygon(_points(shape, box)), scope)


@draws(t.Line)
def _line(face: "Face", line: t.Line, box: Box, scope: Scope) -> list[Mark]:
    if line.stroke is None:
        raise fault(line.at, "'stroke' is missing", "a line has a colour")
    outline = polygon(_points(line, box), closed=False)
    return [Path(outline, None, face.stroke(line, scope), Text("line", line.at))]


@draws(t.Path)
def _path(face: "Face", path: t.Path, box: Box, scope: Scope) -> list[Mark]:
    outline = svg_path(scope.text(path.d), box)
    return _shape(face, path, outline, scope)


def svg_path(d: Text, box: Box) -> Outline:
    """Return the outline of SVG path data, moved to a box's corner (fontTools parses it)."""
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.svgLib.path import parse_path

    pen = RecordingPen()
    try:
        parse_path(d, pen)
    except (ValueError, LookupError, TypeError, AssertionError, ArithmeticError):
        raise fault(d.at, "this is not SVG path data", "such as 'M0 0 L10 5 Z', in mm") from None
    coordinates = (c for _, points in pen.value for point in points for c in point)
    if not all(abs(c) < MAX_MM for c in coordinates):  # also where one is no number
        raise fault(d.at, f"the path leads farther than {MAX_MM:g} mm")
    steps: list[tuple[str, tuple[float, ...]]] = []
    at = (0.0, 0.0)
    for name, points in pen.value:
        flat = tuple(c for x, y in points for c in (box.x + x, box.y + y))
        if name == "moveTo":
            steps.append(("M", flat))
        elif name == "lineTo":
            steps.append(("L", flat))
        elif name == "curveTo":
            steps.append(("C", flat))
        elif name == "qCurveTo":
            cx, cy, x, y = flat
            ax, ay = at
            # a quadratic curve as a cubic one: controls at two thirds of the way
            cubic = (ax + (cx - ax) * 2 / 3, ay + (cy - ay) * 2 / 3)
            steps.append(("C", (*cubic, x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3, x, y)))
        elif name == "closePath":
            steps.append(("Z", ()))
        if flat:
            at = (flat[-2], flat[-1])
    if not steps:
        raise fault(d.at, "the path is empty")
    return tuple(steps)


@draws(t.Picture)
def _picture(face: "Face", element: t.Picture, box: Box, scope: Scope) -> list[Mark]:
    name: Value = element.picture
    if scope.is_reference(element.picture):
        name = scope.value(element.picture)
        if isinstance(name, Text) and not name:
            return []
    elif "$" in element.picture:
        name = scope.text(element.picture)
    if not isinstance(name, Text):
        raise fault(element.picture.at, f"'{element.picture}' is not a picture")
    art = face.layouter.picture(name)
    tint = face.colour(element.tint, scope) if element.tint else None
    origin = Text(f"picture '{name}'", name.at)
    if element.bleed == "auto" and _has_bleed(face, name, art.aspect):
        return [Picture(art, box.grown(face.bleed), tint, origin)]
    placed = box
    if element.fit != "stretch":
        placed = box.fitted(art.aspect, element.fit, element.align, element.valign)
    radius = scope.length(element.radius, Gap).of(min(box.width, box.height))
    mark = Picture(art, placed, tint, origin)
    if element.bleed in ("extend", "auto"):
        return _extended(mark, box, face.bleed, element.beyond)
    if element.fit == "cover" or radius > 0:
        return [Group((mark,), clip=rectangle(box, radius))]
    return [mark]


SAME_SHAPE = 0.01  # by how much of itself a picture's width over height may differ
RIM = 0.25  # mm; what is stretched over the bleed
SEAM = 0.05  # mm; by which what continues a picture lies under it


def _has_bleed(face: "Face", name: Text, aspect: float) -> bool:
    """Tell whether a picture has the shape of the card with its bleed, not of the card alone."""
    bare = aspect / (face.width / face.height)
    wide, high = face.width + 2 * face.bleed, face.height + 2 * face.bleed
    whole = aspect / (wide / high)
    has = abs(whole - 1) < abs(bare - 1)
    if min(abs(whole - 1), abs(bare - 1)) > SAME_SHAPE:
        sizes = f"{face.width:g} x {face.height:g} mm nor, with bleed, {wide:g} x {high:g} mm"
        message = f"picture '{name}' has neither the shape of {sizes}"
        raise fault(name.at, message, "say 'bleed: yes', 'extend' or 'no'")
    taken = f"with its bleed of {face.bleed:g} mm" if has else "to end at the cut, and continued"
    face.layouter.problems.finding("bleed-guessed", name.at, f"picture '{name}' is taken {taken}")
    return has


def _extended(mark: Picture, trim: Box, bleed: float, beyond: str) -> list[Mark]:
    """Return a picture that ends at the trim, with what continues it to the end of the bleed."""
    marks: list[Mark] = []
    across = _continued(trim.x, trim.right, bleed, beyond)
    down = _continued(trim.y, trim.bottom, bleed, beyond)
    for a, e, left, right in across:
        for d, f, top, bottom in down:
            if (a, e, d, f) != (1.0, 0.0, 1.0, 0.0):
                seen = rectangle(Box(left, top, right - left, bottom - top))
                marks.append(Group((replace(mark, origin=None),), Matrix(a, 0, 0, d, e, f), seen))
    return [*marks, Group((mark,), clip=rectangle(trim))] if bleed else [mark]


def _continued(
    near: float, far: float, bleed: float, beyond: str
) -> list[tuple[float, float, float, float]]:
    """Return for before, within and after a stretch: factor and shift of the map, start and end."""
    if beyond == "mirror":
        before, after = (-1.0, 2 * near), (-1.0, 2 * far)
    else:
        factor = bleed / RIM
        before = (factor, near * (1 - factor) - bleed)
        after = (factor, far * (1 - factor) + bleed)
    return [
        (*before, near - bleed, near + SEAM),
        (1.0, 0.0, near, far),
        (*after, far - SEAM, far + bleed),
    ]


@draws(t.TextBox)
def _text(face: "Face", element: t.TextBox, box: Box, scope: Scope) -> list[Mark]:
    text = scope.text(element.text)
    if not text.strip():
        return []
    layouter = face.layouter
    style = layouter.style(element.style)
    where = f"card {scope.card.id}, text '{element.text}'"
    paragraph = layouter.paragraph(text, style, where)
    size = style.size.mm if style.size else 9 * MM_PER["pt"]
    if element.size:
        size = scope.length(element.size, FixedSize).mm
    fit = element.fit or style.fit or "fail"
    smallest = size
    if fit == "shrink":
        smallest = min(style.smallest.mm if style.smallest else 6 * MM_PER["pt"], size)
    setting = Setting(
        size,
        smallest,
        (style.leading or 1.2) * layouter.language.leading,
        face.colour(element.colour or style.colour or Text("#000000"), scope),
        element.align or style.align or "left",
        element.valign or style.valign or "top",
        face.colour(style.icons, scope) if style.icons else None,
        Text(where, text.at),
    )
    at_size, (wide, high) = paragraph.fit(box, setting)
    if fit == "clip":
        return [Group(tuple(paragraph.marks(box, setting, at_size)), clip=rectangle(box))]
    if wide > 0.005 or high > 0.005:
        setting = replace(setting, origin=None)  # what does not fit need not be looked at
        too = " and ".join(
            f"{mm:.1f} mm too {how}" for mm, how in ((wide, "wide"), (high, "high")) if mm > 0.005
        )
        hint = "shorten it, give it more room, or set 'fit: shrink'"
        if fit == "shrink":
            hint = f"the smallest size, {smallest / MM_PER['pt']:.1f}pt, is reached"
        code = layouter.language.code
        layouter.problems.finding(
            "text-overflow", text.at, f"the text is {too} ({code}, {where})", hint
        )
    return paragraph.marks(box, setting, at_size)


@lru_cache(maxsize=256)  # the same code stands on all cards, in all languages
def _modules(data: str) -> tuple[bytes, ...] | None:
    """Return the rows of a QR code, 1 for a dark module; None if the data is too much for one."""
    import segno
    from segno.encoder import DataOverflowError

    try:
        return tuple(map(bytes, segno.make(data, micro=False, error="m").matrix))
    except (DataOverflowError, ValueError):
        return None


@draws(t.Code)
def _code(face: "Face", code: t.Code, box: Box, scope: Scope) -> list[Mark]:
    data = scope.text(code.data)
    matrix = _modules(str(data))
    if matrix is None:
        raise fault(data.at, "this is too much for a QR code")
    square = box.fitted(1.0, "contain")
    step = square.width / len(matrix)
    steps: list[tuple[str, tuple[float, ...]]] = []
    for j, row in enumerate(matrix):
        start = None
        for i, dark in enumerate([*row, 0]):
            if dark and start is None:
                start = i
            elif not dark and start is not None:  # a run of dark modules, without seams
                left, top = square.x + start * step, square.y + j * step
                steps += rectangle(Box(left, top, (i - start) * step, step))
                start = None
    return [Path(tuple(steps), face.colour(code.colour, scope), None, Text("code", code.at))]


def _shares(
    children: tuple[t.AnyElement, ...], axis: str, whole: float, gap: float, scope: Scope
) -> list[float]:
    """Return the extents of children along an axis: their own, or a share of what is left."""
    own = [getattr(child, axis) for child in children]
    fixed = [None if value is None else scope.length(value, Size).of(whole) for value in own]
    left = whole - gap * (len(children) - 1) - sum(f for f in fixed if f is not None)
    free = sum(f is None for f in fixed)
    return [left / free if f is None else f for f in fixed]


def _in_line(
    children: tuple[t.AnyElement, ...], box: Box, gap: float, axis: str, scope: Scope
) -> list[Box]:
    across = axis == "width"
    whole = box.width if across else box.height
    boxes: list[Box] = []
    at = box.x if across else box.y
    for extent in _shares(children, axis, whole, gap, scope):
        if across:
            boxes.append(Box(at, box.y, extent, box.height))
        else:
            boxes.append(Box(box.x, at, box.width, extent))
        at += extent + gap
    return boxes


def _cells(box: Box, count: int, columns: int, rows: int, gap: float) -> list[Box]:
    width = (box.width - gap * (columns - 1)) / columns
    height = (box.height - gap * (rows - 1)) / rows
    return [
        Box(
            box.x + (i % columns) * (width + gap),
            box.y + (i // columns) * (height + gap),
            width,
            height,
        )
        for i in range(count)
    ]


def _padded(container: t.Container, box: Box) -> Box:
    return box.grown(-container.pad.of(min(box.width, box.height)))


@draws(t.Row)
def _row(face: "Face", row: t.Row, box: Box, scope: Scope) -> list[Mark]:
    inner = _padded(row, box)
    boxes = _in_line(row.elements, inner, row.gap.of(box.width), "width", scope)
    return face.draw(row.elements, boxes, scope)


@draws(t.Column)
def _column(face: "Face", column: t.Column, box: Box, scope: Scope) -> list[Mark]:
    inner = _padded(column, box)
    boxes = _in_line(column.elements, inner, column.gap.of(box.height), "height", scope)
    return face.draw(column.elements, boxes, scope)


@draws(t.Grid)
def _grid(face: "Face", grid: t.Grid, box: Box, scope: Scope) -> list[Mark]:
    count = len(grid.elements)
    rows = grid.rows or -(-count // grid.columns)
    if count > rows * grid.columns:
        raise fault(grid.at, f"{count} elements do not fit {rows} x {grid.columns} cells")
    boxes = _cells(_padded(grid, box), count, grid.columns, rows, grid.gap.of(box.width))
    return face.draw(grid.elements, boxes, scope)


@draws(t.Stack)
def _stack(face: "Face", stack: t.Stack, box: Box, scope: Scope) -> list[Mark]:
    return face.draw(stack.elements, [_padded(stack, box)] * len(stack.elements), scope)


@draws(t.Repeat)
def _repeat(face: "Face", repeat: t.Repeat, box: Box, scope: Scope) -> list[Mark]:
    over: Iterable[Value] = repeat.over if isinstance(repeat.over, tuple) else ()
    if isinstance(repeat.over, Ref):
        over = scope.many(repeat.over)
    values = list(over)
    if len(values) > MAX_REPEAT:
        raise fault(repeat.at, f"more than {MAX_REPEAT} repetitions")
    if not values:
        return []
    count, gap = len(values), repeat.gap
    if repeat.arrange == "stack":
        boxes = [box] * count
    elif repeat.arrange == "grid":
        boxes = _cells(box, count, repeat.columns, -(-count // repeat.columns), gap.of(box.width))
    elif repeat.arrange == "row":
        boxes = _cells(box, count, count, 1, gap.of(box.width))
    else:
        boxes = _cells(box, count, 1, count, gap.of(box.height))
    marks: list[Mark] = []
    for value, cell in zip(values, boxes, strict=True):
        if isinstance(value, Text) and scope.is_reference(value):
            value = scope.value(value)  # noqa: PLW2901
        inner = scope.extended({str(repeat.name): value})
        marks += face.draw([repeat.element], [cell], inner)
    return marks


@draws(t.Track)
def _track(face: "Face", track: t.Track, box: Box, scope: Scope) -> list[Mark]:
    marks: list[Mark] = []
    for i, cell in enumerate(_spaces(track, box)):
        number = Text(str(track.first + i * track.step), track.at)
        inner = scope.extended({str(track.name): number})
        marks += face.draw([track.element], [cell], inner)
    return marks


def _spaces(track: t.Track, box: Box) -> list[Box]:
    """Return the boxes of the spaces of a track, in the order of their numbers."""
    count, gap = track.spaces, track.gap.of(min(box.width, box.height))
    if track.arrange == "row":
        return _cells(box, count, count, 1, gap)
    if track.arrange == "column":
        return _cells(box, count, 1, count, gap)
    columns = min(track.columns, count)
    if track.arrange == "snake":
        rows = -(-count // columns)
        cells = _cells(box, rows * columns, columns, rows, gap)
        lines = [cells[i : i + columns] for i in range(0, len(cells), columns)]
        return [c for i, line in enumerate(lines) for c in line[:: -1 if i % 2 else 1]][:count]
    # a ring has two full rows, and what is left in the columns at both ends
    sides, odd = divmod(count - 2 * columns, 2)
    if sides < 0 or odd:
        hint = f"an even number from {2 * columns}, or other columns"
        raise fault(track.at, f"{count} spaces make no ring of {columns} columns", hint)
    rows = sides + 2
    cells = _cells(box, rows * columns, columns, rows, gap)
    grid = [cells[i : i + columns] for i in range(0, len(cells), columns)]
    right = [line[-1] for line in grid[1:-1]]
    left = [line[0] for line in grid[1:-1]]
    return [*grid[0], *right, *grid[-1][::-1], *left[::-1]]


@draws(t.Use)
def _use(face: "Face", use: t.Use, box: Box, scope: Scope) -> list[Mark]:
    name = str(use.part)
    if name in face.using:
        path = " -> ".join([*face.using[face.using.index(name) :], name])
        raise fault(use.part.at, f"the part uses itself: {path}")
    elements = face.parts.get(use.part)
    if elements is None:
        elements = _shared_part(face, use.part)
    values = scope.references(use.values)
    face.using.append(name)
    try:
        return face.part(elements, box, values, scope)
    finally:
        face.using.pop()


def _shared_part(face: "Face", name: Text) -> tuple[t.AnyElement, ...]:
    try:
        path = face.layouter.game.folder.project.layout(name)
    except StonehandError:
        hint = did_you_mean(name, face.parts)
        if "/" in name or not hint:
            raise
        raise fault(name.at, f"unknown part '{name}'", hint) from None
    part = face.layouter.templates.part(path)
    if part is None:
        raise fault(name.at, f"the part '{name}' has faults")
    face.parts[name] = part.elements  # read once
    return part.elements
