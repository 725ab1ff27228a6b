"""From a template and a card to a Scene.

A `Layouter` serves one game in one language. It does once what is the same on every card: the
marks of elements without references are made at their first use and shared by all Scenes.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from stonehand.cards import template as t
from stonehand.cards.deck import Card, LoadedGame, Value, find_picture
from stonehand.cards.scope import Scope
from stonehand.language.languages import Language, Languages
from stonehand.language.translation import Translations
from stonehand.scene import (
    ArtLike,
    Box,
    Group,
    Mark,
    Matrix,
    Outline,
    Path,
    Picture,
    Scene,
    Stroke,
    ellipse,
    polygon,
    rectangle,
)
from stonehand.source.bind import Ref
from stonehand.source.problems import Problems, did_you_mean, fault
from stonehand.source.text import Text
from stonehand.source.units import Length, Size
from stonehand.typesetting.fonts import FontLibrary
from stonehand.typesetting.paragraph import Paragraph, Setting, Voices
from stonehand.typesetting.style import Style, StyleFields

if TYPE_CHECKING:
    from stonehand.art.library import ArtLibrary

MAX_REPEAT = 1000
MAX_DEPTH = 32

_E = TypeVar("_E", bound=t.Element)
_Drawer = Callable[["_Face", Any, Box, Scope], list[Mark]]
_DRAWERS: dict[type[t.Element], _Drawer] = {}


def _draws(element: type[_E]) -> Callable[[Callable[["_Face", _E, Box, Scope], list[Mark]]], Any]:
    """Register the function that draws an element."""

    def register(function: Callable[["_Face", _E, Box, Scope], list[Mark]]) -> Any:
        _DRAWERS[element] = function
        return function

    return register


class Layouter:
    """Makes the Scenes of a game's cards in one language."""

    def __init__(
        self,
        game: LoadedGame,
        language: Language,
        languages: Languages,
        translations: Translations,
        fonts: FontLibrary,
        art: "ArtLibrary",
        problems: Problems,
        *,
        proof: bool = False,
    ) -> None:
        self.proof = proof
        self.game = game
        self.language = language
        self.languages = languages
        self.translations = translations
        self.fonts = fonts
        self.art = art
        self.problems = problems
        project = game.folder.project
        self.sizes = t.load_sizes(project.files("layouts/sizes.yaml"), problems)
        self._faces: dict[str, _Face | None] = {}
        self._paragraphs: dict[tuple[Any, ...], Paragraph] = {}
        self._voices: dict[tuple[Any, ...], Voices] = {}

    def front(self, card: Card) -> Scene | None:
        """Return the front of a card; None when its template has faults."""
        face = self.face(self.game.spec.kinds[Text(card.kind)].front)
        return face.scene(card) if face else None

    def back(self, card: Card) -> Scene | None:
        """Return the back of a card; None when it has none or its template has faults."""
        name = self.game.spec.kinds[Text(card.kind)].back
        face = self.face(name) if name else None
        return face.scene(card) if face else None

    def safe(self, card: Card, *, back: bool) -> float:
        """Return the safe margin of a side of a card, in mm."""
        kind = self.game.spec.kinds[Text(card.kind)]
        face = self.face(kind.back if back and kind.back else kind.front)
        return face.safe if face else 0.0

    def face(self, name: Text) -> "_Face | None":
        """Return a template made ready for drawing."""
        if name not in self._faces:
            self._faces[str(name)] = None
            with self.problems.gather():
                spec = t.load_template(self.game.folder.project.layout(name), self.problems)
                if spec:
                    self._faces[str(name)] = _Face(self, spec)
        return self._faces[name]

    def colour(self, text: Text) -> str:
        """Return a colour as #rrggbb from what a template or style says."""
        named = self.game.spec.colours.get(text, text)
        digits = named[1:].lower()
        if len(digits) in (3, 6) and named[0] == "#" and set(digits) <= set("0123456789abcdef"):
            return "#" + (digits if len(digits) == 6 else "".join(d * 2 for d in digits))
        hint = did_you_mean(text, self.game.spec.colours)
        raise fault(text.at, f"unknown colour '{text}'", hint or "write #rrggbb")

    def style(self, name: Text | None) -> StyleFields:
        """Return a style of the game as it is in the language."""
        if name is None:
            return Style()
        if name not in self.game.spec.styles:
            hint = did_you_mean(name, self.game.spec.styles)
            raise fault(name.at, f"unknown style '{name}'", hint)
        return self.game.spec.styles[name].for_language(self.language.code)

    def voices(self, style: StyleFields) -> Voices:
        """Return the faces of a style's plain, strong and emphasised text."""
        role = style.font or Text("sans", style.at)
        weight = float(style.weight or 400)
        strong = float(style.strong or max(700, min(900, weight + 200)))
        italic = bool(style.italic)
        key = (role, weight, strong, italic)
        if key not in self._voices:
            slants = self.language.emphasis == "italic"

            def chain(weight: float, italic: bool) -> Any:
                return self.fonts.chain(role, weight, italic, self.language, self.languages)

            self._voices[key] = Voices(
                chain(weight, italic),
                chain(strong, italic),
                chain(weight if slants else strong, not italic if slants else italic),
                chain(strong, not italic if slants else italic),
            )
        return self._voices[key]

    def paragraph(self, text: Text, style: StyleFields, where: str) -> Paragraph:
        """Return a shaped text; `where` tells people which text is meant."""
        voices = self.voices(style)
        hyphenate = style.hyphenate is not False
        key = (str(text), id(voices), hyphenate)
        if key not in self._paragraphs:
            if len(self._paragraphs) > 5000:
                self._paragraphs.clear()

            def missing(character: str) -> None:
                code = self.language.code
                what = f"no font of '{code}' has U+{ord(character):04X} '{character}'"
                self.problems.error(text.at, f"{what} ({where})", "add a font to fonts/")

            self._paragraphs[key] = Paragraph(
                text,
                voices,
                self.language,
                hyphenate=hyphenate,
                icon=lambda name: self.icon(Text(name, text.at)),
                missing=missing,
            )
        return self._paragraphs[key]

    def icon(self, name: Text) -> ArtLike | None:
        """Return an icon that a text names; an unknown one is reported."""
        with self.problems.gather():
            folder = self.game.spec.icons
            if folder is None:
                raise fault(
                    name.at, f"':{name}:' names an icon, but the game has no 'icons' folder"
                )
            return self.picture(Text(f"{folder}/{name}", name.at))
        return None

    def picture(self, name: Text) -> ArtLike:
        """Return a picture that a template names: from the game's art or beside the layouts."""
        folders = [self.game.folder.art, *self.game.folder.project.folders("layouts")]
        return self.art.load(find_picture(name, folders), name)


class _Face:
    """A template ready for drawing, with what it has drawn once for all cards."""

    def __init__(self, layouter: Layouter, spec: t.Template) -> None:
        self.layouter = layouter
        self.spec = spec
        size = spec.size
        if not isinstance(size, t.CardSize):
            if size not in layouter.sizes:
                hint = did_you_mean(size, layouter.sizes)
                raise fault(size.at, f"unknown card size '{size}'", hint)
            size = layouter.sizes[size]
        if size.width.share or size.height.share:
            raise fault(size.at, "a card's size can't be a percentage", "write 63mm")
        self.width, self.height = size.width.mm, size.height.mm
        self.corner = max(0.0, (spec.corner or size.corner).mm)
        self.bleed = max(0.0, spec.bleed.mm)
        self.safe = spec.safe.mm
        self.fixed = t.is_fixed(spec.elements)
        self.drawn: Scene | None = None
        self.shared: dict[tuple[int, Box], tuple[Mark, ...]] = {}
        self.using: list[str] = []
        self.depth = 0

    def scene(self, card: Card) -> Scene:
        """Return the face of a card."""
        if self.drawn:
            return self.drawn
        scope = Scope(self.layouter.game, card, self.layouter.translations)
        box = Box(0, 0, self.width, self.height)
        marks = self.draw(self.spec.elements, [box] * len(self.spec.elements), scope)
        scene = Scene(self.width, self.height, tuple(marks), self.bleed, self.corner, self.fixed)
        if self.fixed:
            self.drawn = scene
        return scene

    def draw(self, elements: Iterable[t.Element], boxes: Iterable[Box], scope: Scope) -> list[Mark]:
        """Return the marks of elements, each in its box; those the same on all cards are shared."""
        marks: list[Mark] = []
        for element, box in zip(elements, boxes, strict=True):
            if t.is_fixed(element):
                key = (id(element), box)
                if key not in self.shared:
                    made = self.element(element, box, scope)
                    self.shared[key] = (Group(tuple(made), shared=True),) if made else ()
                marks += self.shared[key]
            else:
                marks += self.element(element, box, scope)
        return marks

    def element(self, element: t.Element, around: Box, scope: Scope) -> list[Mark]:
        """Return the marks of one element; its faults are reported and it is left out."""
        self.depth += 1
        try:
            if self.depth > MAX_DEPTH:
                raise fault(element.at, f"elements are nested deeper than {MAX_DEPTH} levels")
            with self.layouter.problems.gather():
                if not self.wanted(element, scope):
                    return []
                box = self.box(element, around, scope)
                marks = _DRAWERS[type(element)](self, element, box, scope)
                if element.rotate and marks:
                    x, y = box.x + box.width / 2, box.y + box.height / 2
                    marks = [Group(tuple(marks), Matrix.turn(element.rotate, x, y))]
                return marks
            return []
        finally:
            self.depth -= 1

    def wanted(self, element: t.Element, scope: Scope) -> bool:
        """Tell whether an element's conditions let it be drawn."""
        if element.when is not None and not _holds(element.when, scope):
            return False
        return element.unless is None or not _holds(element.unless, scope)

    def box(self, element: t.Element, around: Box, scope: Scope) -> Box:
        """Return the box of an element within the one around it."""
        if element.bleed:
            return Box(0, 0, self.width, self.height).grown(self.bleed)

        def across(value: Length | Ref | None, whole: float) -> float | None:
            return None if value is None else length(value, scope).of(whole)

        x, width = _span(
            across(element.left, around.width),
            across(element.right, around.width),
            across(element.width, around.width),
            around.width,
        )
        y, height = _span(
            across(element.top, around.height),
            across(element.bottom, around.height),
            across(element.height, around.height),
            around.height,
        )
        if width < 0.01 or height < 0.01:
            if isinstance(element, t.Line):
                width, height = max(width, 0.0), max(height, 0.0)
            else:
                size = f"{width:.2f} x {height:.2f} mm"
                raise fault(element.at, f"the element has no room ({size})")
        reach = 2 * (self.width + self.height)
        if abs(x) + width > reach or abs(y) + height > reach:
            raise fault(element.at, "the element lies far outside the card")
        return Box(around.x + x, around.y + y, width, height)

    def stroke(self, shape: t.Shape, scope: Scope) -> Stroke | None:
        """Return the stroke of a shape, if it has one."""
        if shape.stroke is None:
            return None
        width = length(shape.line, scope).mm
        return Stroke(self.colour(shape.stroke, scope), width, tuple(d.mm for d in shape.dash))

    def colour(self, text: Text, scope: Scope) -> str:
        """Return a colour that may be a reference."""
        return self.layouter.colour(scope.text(text))

    def fill(self, shape: t.Shape, scope: Scope) -> str | None:
        """Return the fill of a shape, if it has one."""
        return self.colour(shape.fill, scope) if shape.fill else None


def _span(
    near: float | None, far: float | None, size: float | None, whole: float
) -> tuple[float, float]:
    """Return start and extent along one axis from the distances and the size that are given."""
    if size is None:
        start = near or 0.0
        return start, whole - start - (far or 0.0)
    if near is not None:
        return near, size
    if far is not None:
        return whole - far - size, size
    return (whole - size) / 2, size


def _holds(condition: t.Condition, scope: Scope) -> bool:
    if isinstance(condition, Ref):
        return bool(scope.value(condition))
    for name, wanted in condition.items():
        value = scope.value(Text(f"${name}", name.at))
        options = wanted if isinstance(wanted, list) else [wanted]
        if value not in options:
            return False
    return True


def length(value: Length | Ref, scope: Scope) -> Length:
    """Return a length that may be a reference to a field."""
    if not isinstance(value, Ref):
        return value
    text = scope.value(value)
    try:
        return Length.parse(text if isinstance(text, Text) else Text(str(text), value.at))
    except ValueError as error:
        raise fault(getattr(text, "at", value.at), *error.args) from None


@_draws(t.Rect)
def _rect(face: _Face, rect: t.Rect, box: Box, scope: Scope) -> list[Mark]:
    outline = rectangle(box, length(rect.radius, scope).of(min(box.width, box.height)))
    return [Path(outline, face.fill(rect, scope), face.stroke(rect, scope))]


@_draws(t.Ellipse)
def _ellipse(face: _Face, shape: t.Ellipse, box: Box, scope: Scope) -> list[Mark]:
    return [Path(ellipse(box), face.fill(shape, scope), face.stroke(shape, scope))]


def _points(shape: t.Polygon | t.Line, box: Box) -> list[tuple[float, float]]:
    if len(shape.points) < 2 or any(len(point) != 2 for point in shape.points):
        raise fault(shape.at, "points are pairs of lengths", "write [[0, 0], [100%, 100%]]")
    return [(box.x + x.of(box.width), box.y + y.of(box.height)) for x, y in shape.points]


@_draws(t.Polygon)
def _polygon(face: _Face, shape: t.Polygon, box: Box, scope: Scope) -> list[Mark]:
    return [Path(polygon(_points(shape, box)), face.fill(shape, scope), face.stroke(shape, scope))]


@_draws(t.Line)
def _line(face: _Face, line: t.Line, box: Box, scope: Scope) -> list[Mark]:
    if line.stroke is None:
        raise fault(line.at, "'stroke' is missing", "a line has a colour")
    return [Path(polygon(_points(line, box), closed=False), None, face.stroke(line, scope))]


@_draws(t.Path)
def _path(face: _Face, path: t.Path, box: Box, scope: Scope) -> list[Mark]:
    outline = _svg_path(scope.text(path.d), box)
    return [Path(outline, face.fill(path, scope), face.stroke(path, scope))]


def _svg_path(d: Text, box: Box) -> Outline:
    """Return the outline of SVG path data, moved to a box's corner (fontTools parses it)."""
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.svgLib.path import parse_path

    pen = RecordingPen()
    try:
        parse_path(d, pen)
    except (ValueError, IndexError, TypeError, KeyError, AssertionError):
        raise fault(d.at, "this is not SVG path data", "such as 'M0 0 L10 5 Z', in mm") from None
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


@_draws(t.Picture)
def _picture(face: _Face, element: t.Picture, box: Box, scope: Scope) -> list[Mark]:
    art: Value
    if scope.is_reference(element.picture):
        art = scope.value(element.picture)
        if not art:
            return []
        if isinstance(art, Text):  # a word that names a picture
            art = face.layouter.picture(art)
    else:
        art = face.layouter.picture(scope.text(element.picture))
    if isinstance(art, Text | bool | tuple):
        raise fault(element.picture.at, f"'{element.picture}' is not a picture")
    tint = face.colour(element.tint, scope) if element.tint else None
    placed = box
    if element.fit != "stretch":
        placed = box.fitted(art.aspect, element.fit, element.align, element.valign)
    radius = length(element.radius, scope).of(min(box.width, box.height))
    mark = Picture(art, placed, tint)
    if element.fit == "cover" or radius > 0:
        return [Group((mark,), clip=rectangle(box, radius))]
    return [mark]


@_draws(t.TextBox)
def _text(face: _Face, element: t.TextBox, box: Box, scope: Scope) -> list[Mark]:
    text = scope.text(element.text)
    if not text.strip():
        return []
    layouter = face.layouter
    style = layouter.style(element.style)
    where = f"card {scope.card.id}, text '{element.text}'"
    paragraph = layouter.paragraph(text, style, where)
    size = length(element.size, scope) if element.size else style.size or Size(_pt(9))
    fit = element.fit or style.fit or "fail"
    smallest = min((style.smallest or Size(_pt(6))).mm, size.mm) if fit == "shrink" else size.mm
    setting = Setting(
        size.mm,
        smallest,
        (style.leading or 1.2) * layouter.language.leading,
        face.colour(element.colour or style.colour or Text("#000000"), scope),
        element.align or style.align or "left",
        element.valign or style.valign or "top",
        fit == "clip",
    )
    at_size, (wide, high) = paragraph.fit(box, setting)
    marks = paragraph.marks(box, setting, at_size)
    if fit == "clip":
        return [Group(tuple(marks), clip=rectangle(box))]
    if wide > 0.005 or high > 0.005:
        too = " and ".join(
            f"{mm:.1f} mm too {how}" for mm, how in ((wide, "wide"), (high, "high")) if mm > 0.005
        )
        hint = "shorten it, give it more room, or set 'fit: shrink'"
        if fit == "shrink":
            hint = f"the smallest size, {smallest * 72 / 25.4:.1f}pt, is reached"
        code = layouter.language.code
        layouter.problems.error(text.at, f"the text is {too} ({code}, {where})", hint)
    return marks


def _pt(points: float) -> float:
    return points * 25.4 / 72


@_draws(t.Code)
def _code(face: _Face, code: t.Code, box: Box, scope: Scope) -> list[Mark]:
    import segno
    from segno.encoder import DataOverflowError

    data = scope.text(code.data)
    try:
        matrix = segno.make(data, micro=False, error="m").matrix
    except (DataOverflowError, ValueError):
        raise fault(data.at, "this is too much for a QR code") from None
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
    return [Path(tuple(steps), face.colour(code.colour, scope))]


def _shares(
    children: tuple[t.AnyElement, ...], axis: str, whole: float, gap: float, scope: Scope
) -> list[float]:
    """Return the extents of children along an axis: their own, or a share of what is left."""
    own = [getattr(child, axis) for child in children]
    fixed = [None if value is None else length(value, scope).of(whole) for value in own]
    left = whole - gap * (len(children) - 1) - sum(f for f in fixed if f is not None)
    free = sum(f is None for f in fixed)
    return [left / free if f is None else f for f in fixed]


def _in_line(
    face: _Face, children: tuple[t.AnyElement, ...], box: Box, gap: float, axis: str, scope: Scope
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


def _padded(container: t._Container, box: Box) -> Box:
    return box.grown(-container.pad.of(min(box.width, box.height)))


@_draws(t.Row)
def _row(face: _Face, row: t.Row, box: Box, scope: Scope) -> list[Mark]:
    inner = _padded(row, box)
    boxes = _in_line(face, row.elements, inner, row.gap.of(box.width), "width", scope)
    return face.draw(row.elements, boxes, scope)


@_draws(t.Column)
def _column(face: _Face, column: t.Column, box: Box, scope: Scope) -> list[Mark]:
    inner = _padded(column, box)
    boxes = _in_line(face, column.elements, inner, column.gap.of(box.height), "height", scope)
    return face.draw(column.elements, boxes, scope)


@_draws(t.Grid)
def _grid(face: _Face, grid: t.Grid, box: Box, scope: Scope) -> list[Mark]:
    count = len(grid.elements)
    rows = grid.rows or -(-count // grid.columns)
    if count > rows * grid.columns:
        raise fault(grid.at, f"{count} elements do not fit {rows} x {grid.columns} cells")
    boxes = _cells(_padded(grid, box), count, grid.columns, rows, grid.gap.of(box.width))
    return face.draw(grid.elements, boxes, scope)


@_draws(t.Stack)
def _stack(face: _Face, stack: t.Stack, box: Box, scope: Scope) -> list[Mark]:
    return face.draw(stack.elements, [_padded(stack, box)] * len(stack.elements), scope)


@_draws(t.Repeat)
def _repeat(face: _Face, repeat: t.Repeat, box: Box, scope: Scope) -> list[Mark]:
    over: Iterable[Value] = repeat.over if isinstance(repeat.over, tuple) else ()
    if isinstance(repeat.over, Ref):
        over = scope.many(repeat.over)
    values = list(over)
    if len(values) > MAX_REPEAT:
        raise fault(repeat.at, f"more than {MAX_REPEAT} repetitions")
    count, gap = len(values), repeat.gap
    if repeat.arrange == "stack":
        boxes = [box] * count
    elif repeat.arrange == "grid":
        boxes = _cells(box, count, repeat.columns, -(-count // repeat.columns), gap.of(box.width))
    elif repeat.arrange == "row":
        boxes = _cells(box, count, max(1, count), 1, gap.of(box.width))
    else:
        boxes = _cells(box, count, 1, max(1, count), gap.of(box.height))
    marks: list[Mark] = []
    for value, cell in zip(values, boxes, strict=True):
        if isinstance(value, Text) and scope.is_reference(value):
            value = scope.value(value)  # noqa: PLW2901
        inner = scope.extended({str(repeat.name): value})
        marks += face.draw([repeat.element], [cell], inner)
    return marks


@_draws(t.Use)
def _use(face: _Face, use: t.Use, box: Box, scope: Scope) -> list[Mark]:
    name = str(use.part)
    if name in face.using:
        path = " -> ".join([*face.using[face.using.index(name) :], name])
        raise fault(use.part.at, f"the part uses itself: {path}")
    elements = face.spec.parts.get(use.part)
    if elements is None:
        elements = _shared_part(face, use.part)
    values: dict[str, Value] = {}
    for key, written in use.values.items():
        one = scope.is_reference(written)
        values[str(key)] = scope.value(written) if one else scope.text(written)
    face.using.append(name)
    try:
        return face.draw(elements, [box] * len(elements), scope.extended(values))
    finally:
        face.using.pop()


def _shared_part(face: _Face, name: Text) -> tuple[t.AnyElement, ...]:
    try:
        path = face.layouter.game.folder.project.layout(name)
    except Exception:
        if "/" in name or not face.spec.parts:
            raise
        hint = did_you_mean(name, face.spec.parts)
        raise fault(name.at, f"unknown part '{name}'", hint) from None
    part = t.load_part(path, face.layouter.problems)
    if part is None:
        raise fault(name.at, f"the part '{name}' has faults")
    face.spec.parts[name] = part.elements  # read once
    return part.elements
