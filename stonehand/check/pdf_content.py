"""What a page paints: its content is followed, with the forms and patterns that it paints.

A page comes in, its `Marks` go out: the images, lines, texts and colours on it, each with the part
of the matrix that scales and turns it. Where they lie is not kept. So a form that stands in a
thousand places is followed once for each state of graphics it is painted in, and what it holds is
multiplied into its place (PDF 32000-1, 8.4 and 8.10). What hostile files may cost is bounded by a
`Budget`, by a depth, and by the size of one content stream.
"""

import math
import re
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from stonehand.check.pdf_colours import CMYK, GRAY, RGB, Space, space_of

if TYPE_CHECKING:
    from pikepdf import Object, Page

DEPTH_LIMIT = 24  # of forms in forms
CONTENT_LIMIT = 32_000_000  # bytes of one content stream, unpacked
OPERATOR_LIMIT = 1_000_000  # operators of one content stream; each takes some 300 bytes when parsed

Linear = tuple[float, float, float, float]
"""The a, b, c and d of a matrix."""

Key = tuple[int, int] | bytes
"""What tells objects apart: number and generation, or the content of a direct object."""

_PLAIN: Linear = (1.0, 0.0, 0.0, 1.0)


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


class Paint(NamedTuple):
    """A colour to paint with; a pattern has no values."""

    space: Space
    values: tuple[float, ...]


class _State(NamedTuple):
    """The part of the graphics state (8.4.1) that forms inherit and that is asked for here."""

    fill: Paint = Paint(GRAY, (0.0,))
    stroke: Paint = Paint(GRAY, (0.0,))
    width: float = 1.0
    font: Key = b""
    size: float = 0.0
    mode: int = 0  # of showing text, table 106
    opacity: float = 1.0
    line_opacity: float = 1.0
    blend: str = "/Normal"
    masked: bool = False
    overprint: bool = False
    line_overprint: bool = False

    def transparency(self) -> str:
        """Return in which way the state lets shine through what is painted, if it does."""
        if self.masked:
            return "soft mask"
        if self.blend not in ("/Normal", "/Compatible"):
            return f"blend mode {self.blend[1:]}"
        opacity = min(self.opacity, self.line_opacity)
        return f"opacity {opacity:.0%}".replace("%", " %") if opacity < 1 else ""


class Follower:
    """Follows content, and remembers forms it has followed, and the fonts and images it met."""

    def __init__(self, budget: Budget) -> None:
        self.fonts: dict[Key, Object] = {}  # also those that are only listed as resources
        self.images: dict[Key, tuple[Any, Space | None]] = {}  # masks have no colour space
        self.budget = budget
        self._forms: dict[tuple[Key, Key, _State], Marks] = {}
        self._open: list[Key] = []

    def page(self, page: "Page", resources: "Object") -> Marks:
        """Return what a page paints, in points; raises `ExhaustedError`."""
        from pikepdf import Array

        unit = float(page.obj.get("/UserUnit", 1))
        marks = Marks(set(), set(), set(), set(), set())
        group = page.obj.get("/Group")
        if group is not None and group.get("/S") == "/Transparency":
            marks.features.add(Feature("group"))
            self._group(group, resources, marks)
        contents = page.obj.get("/Contents")
        if contents is None:
            return marks
        streams = list(contents) if isinstance(contents, Array) else [contents]
        painted = self._follow(page, streams, resources, _State())
        marks.place(painted, (unit, 0.0, 0.0, unit))
        return marks

    def form(self, form: "Object", resources: "Object", state: _State) -> Marks:
        """Return what a form paints, or a pattern, in its own units."""
        key = key_of(form)
        own = form.get("/Resources")
        known = (key, key_of(resources) if own is None else b"", state)
        own = resources if own is None else own
        if known not in self._forms:
            marks = Marks(set(), set(), set(), set(), set())
            if key in self._open or len(self._open) >= DEPTH_LIMIT:
                marks.features.add(
                    Feature("broken", "a form that paints itself, or forms too deep")
                )
                return marks
            self._open.append(key)
            try:
                marks = self._follow(form, [form], own, state)
            finally:
                self._open.pop()
            group = form.get("/Group")
            if group is not None and group.get("/S") == "/Transparency":
                marks.features.add(Feature("group"))
                self._group(group, own, marks)
            if "/OPI" in form:
                marks.features.add(Feature("foreign", "OPI"))
            self._forms[known] = marks
        return self._forms[known]

    def _group(self, group: "Object", resources: "Object", marks: Marks) -> None:
        if (said := group.get("/CS")) is not None:
            marks.colours.add(Colour(space_of(said, resources.get("/ColorSpace")), None, False))

    def _follow(
        self, content: "Page | Object", streams: "list[Object]", resources: "Object", state: _State
    ) -> Marks:
        """Return what a content stream paints; one that can't be read is a feature of its own."""
        from pikepdf import parse_content_stream

        run = _Run(self, resources, state)
        for font in resources.get("/Font", {}).values():
            self.fonts.setdefault(key_of(font), font)
        filters = {name for stream in streams for name in filters_of(stream)}
        run.marks.features.update(Feature("filter", name) for name in filters)
        data = b"\n".join(stream.read_bytes() for stream in streams)
        self.budget.spend(len(data) // 50)
        if len(data) > CONTENT_LIMIT or (
            len(data) > OPERATOR_LIMIT and sum(1 for _ in _WORDS.finditer(data)) > OPERATOR_LIMIT
        ):
            raise ExhaustedError
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            parsed = parse_content_stream(content, operators=_KNOWN)
        broken = bool(told)
        self.budget.spend(len(parsed))
        for instruction in parsed:
            does = _OPERATORS.get(str(instruction.operator))
            if does is None:
                continue
            try:
                does(run, instruction.operands)
            except ExhaustedError:
                raise
            except Exception:  # as in art/pdf.py: a wrong operand may raise almost anything
                broken = True
        if broken:
            run.marks.features.add(Feature("broken", "content that can't be read"))
        return run.marks


def filters_of(stream: Any) -> list[str]:
    """Return the names of the filters that a stream was packed with (7.4), without a slash."""
    from pikepdf import Array

    said = stream.get("/Filter")
    names = list(said) if isinstance(said, Array) else [] if said is None else [said]
    return [str(name).removeprefix("/") for name in names]


class _Run:
    """One content stream that is being followed."""

    def __init__(self, follower: Follower, resources: "Object", state: _State) -> None:
        self.follower = follower
        self.resources = resources
        self.state = state
        self.matrix = self.text = _PLAIN
        self.stack: list[tuple[_State, Linear]] = []
        self.marks = Marks(set(), set(), set(), set(), set())

    def named(self, category: str, name: "Object") -> Any:
        """Return a resource; raises KeyError."""
        return self.resources[category][str(name)]

    def space(self, said: "Object") -> Space:
        return space_of(said, self.resources.get("/ColorSpace"))

    def change(self, **fields: Any) -> None:
        self.state = self.state._replace(**fields)

    def paint(self, *, fill: bool = False, line: bool = False) -> None:
        """Record that something is painted, with its colours."""
        state = self.state
        if fill:
            self._colour(state.fill, state.overprint)
        if line:
            self._colour(state.stroke, state.line_overprint)
            self.marks.lines.add((state.width, self.matrix))
        if through := state.transparency():
            self.marks.features.add(Feature("transparency", through))

    def _colour(self, paint: Paint, overprint: bool) -> None:
        ink = paint.space.ink(paint.values) if paint.values else None
        self.marks.colours.add(Colour(paint.space, ink, overprint and ink == 0))
        if overprint:
            self.marks.features.add(Feature("overprint"))

    def image(self, key: Key, image: Any, said: "Object | None", mask: bool) -> None:
        """Record an image; a mask is painted with the colour for filling."""
        if key not in self.follower.images:
            space = None if mask or said is None else self.space(said)
            self.follower.images[key] = image, space
        _, space = self.follower.images[key]
        if space:
            self.marks.colours.add(Colour(space, None, False))
        self.marks.images.add((key, self.matrix))
        self.paint(fill=space is None and mask)


_OPERATORS: dict[str, Callable[[_Run, Any], None]] = {}


def _operator(*names: str) -> Callable[[Callable[[_Run, Any], None]], Callable[[_Run, Any], None]]:
    """File a function as what operators do (annex A)."""

    def file(function: Callable[[_Run, Any], None]) -> Callable[[_Run, Any], None]:
        _OPERATORS.update(dict.fromkeys(names, function))
        return function

    return file


@_operator("q")
def _save(run: _Run, _: Any) -> None:
    run.stack.append((run.state, run.matrix))


@_operator("Q")
def _restore(run: _Run, _: Any) -> None:
    if run.stack:
        run.state, run.matrix = run.stack.pop()


@_operator("cm")
def _concatenate(run: _Run, operands: Any) -> None:
    run.matrix = times(_linear(operands), run.matrix)


def _linear(numbers: Any) -> Linear:
    return (float(numbers[0]), float(numbers[1]), float(numbers[2]), float(numbers[3]))


@_operator("w")
def _width(run: _Run, operands: Any) -> None:
    run.change(width=abs(float(operands[0])))


@_operator("f", "F", "f*")
def _fill(run: _Run, _: Any) -> None:
    run.paint(fill=True)


@_operator("S", "s")
def _stroke(run: _Run, _: Any) -> None:
    run.paint(line=True)


@_operator("B", "B*", "b", "b*")
def _fill_and_stroke(run: _Run, _: Any) -> None:
    run.paint(fill=True, line=True)


@_operator("g", "rg", "k")
def _fill_device(run: _Run, operands: Any) -> None:
    run.change(fill=_device(run, operands))


@_operator("G", "RG", "K")
def _stroke_device(run: _Run, operands: Any) -> None:
    run.change(stroke=_device(run, operands))


def _device(run: _Run, operands: Any) -> Paint:
    from pikepdf import Name

    plain = {1: GRAY, 3: RGB, 4: CMYK}[len(operands)]
    return Paint(run.space(Name(f"/{plain.name}")), tuple(map(float, operands)))


@_operator("cs")
def _fill_space(run: _Run, operands: Any) -> None:
    space = run.space(operands[0])
    run.change(fill=Paint(space, space.first()))


@_operator("CS")
def _stroke_space(run: _Run, operands: Any) -> None:
    space = run.space(operands[0])
    run.change(stroke=Paint(space, space.first()))


@_operator("sc", "scn")
def _fill_values(run: _Run, operands: Any) -> None:
    run.change(fill=_values(run, run.state.fill.space, operands))


@_operator("SC", "SCN")
def _stroke_values(run: _Run, operands: Any) -> None:
    run.change(stroke=_values(run, run.state.stroke.space, operands))


def _values(run: _Run, space: Space, operands: Any) -> Paint:
    """Return a colour; what a pattern paints is counted as painted from here on (8.7)."""
    from pikepdf import Name

    if not len(operands) or not isinstance(operands[-1], Name):
        values = tuple(map(float, operands))
        if space.palette and space.base:
            index, channels = int(values[0]), space.base.channels
            row = space.palette[index * channels : (index + 1) * channels]
            return Paint(space.base, tuple(value / 255 for value in row))
        return Paint(space, values)
    pattern = run.named("/Pattern", operands[-1])
    if pattern.get("/PatternType") == 2:
        return Paint(run.space(pattern["/Shading"]["/ColorSpace"]), ())
    state = _State()
    if pattern.get("/PaintType") == 2 and space.base:  # it is painted in this colour
        paint = Paint(space.base, tuple(map(float, list(operands)[:-1])))
        state = _State(fill=paint, stroke=paint)
    _place(run, pattern, state, _PLAIN)
    return Paint(space, ())


@_operator("sh")
def _shading(run: _Run, operands: Any) -> None:
    space = run.space(run.named("/Shading", operands[0])["/ColorSpace"])
    run.marks.colours.add(Colour(space, None, False))
    run.paint()


@_operator("Tf")
def _font(run: _Run, operands: Any) -> None:
    _use_font(run, run.named("/Font", operands[0]), operands[1])


def _use_font(run: _Run, font: "Object", size: Any) -> None:
    key = key_of(font)
    run.follower.fonts[key] = font
    run.change(font=key, size=float(size))


@_operator("Tr")
def _mode(run: _Run, operands: Any) -> None:
    run.change(mode=int(operands[0]))


@_operator("BT")
def _begin_text(run: _Run, _: Any) -> None:
    run.text = _PLAIN


@_operator("Tm")
def _text_matrix(run: _Run, operands: Any) -> None:
    run.text = _linear(operands)


@_operator("Tj", "TJ", "'", '"')
def _show(run: _Run, operands: Any) -> None:
    state = run.state
    if not state.font:
        raise KeyError("no font")
    fill, line = state.mode in (0, 2, 4, 6), state.mode in (1, 2, 5, 6)
    inks = state.fill.space.inks(state.fill.values) if fill else 0
    size = state.size
    matrix = times(times((size, 0.0, 0.0, size), run.text), run.matrix)
    run.marks.texts.add(Text(state.font, matrix, inks))
    if fill or line:
        run.paint(fill=fill, line=line)


@_operator("gs")
def _settings(run: _Run, operands: Any) -> None:
    """Take over a dictionary of graphics state parameters (table 58)."""
    from pikepdf import Array, Dictionary

    said = run.named("/ExtGState", operands[0])
    fields: dict[str, Any] = {}
    for name, field in (("/LW", "width"), ("/ca", "opacity"), ("/CA", "line_opacity")):
        if name in said:
            fields[field] = float(said[name])
    if "/BM" in said:
        mode = said["/BM"]  # the first that a reader knows
        fields["blend"] = str(mode[0] if isinstance(mode, Array) else mode)
    if "/SMask" in said:
        fields["masked"] = isinstance(said["/SMask"], Dictionary)
    if "/OP" in said:
        fields["line_overprint"] = fields["overprint"] = bool(said["/OP"])
    if "/op" in said:
        fields["overprint"] = bool(said["/op"])
    run.change(**fields)
    if "/Font" in said:
        _use_font(run, *said["/Font"])
    if said.get("/TR2", said.get("/TR", "/Default")) not in ("/Default", "/Identity"):
        run.marks.features.add(Feature("halftone", "transfer curve"))
    halftone = said.get("/HT")
    if (
        halftone is not None
        and halftone != "/Default"
        and halftone.get("/HalftoneType") not in (1, 5)
    ):
        run.marks.features.add(Feature("halftone", "halftone of another type than 1 and 5"))


@_operator("Do")
def _do(run: _Run, operands: Any) -> None:
    thing = run.named("/XObject", operands[0])
    kind = thing.get("/Subtype")
    if kind == "/Form":
        run.paint()
        _place(run, thing, run.state, run.matrix)
    elif kind == "/Image":
        if "/SMask" in thing or thing.get("/SMaskInData", 0):
            run.marks.features.add(Feature("transparency", "image with a soft mask"))
        if "/OPI" in thing:
            run.marks.features.add(Feature("foreign", "OPI"))
        run.marks.features.update(Feature("filter", name) for name in filters_of(thing))
        mask = bool(thing.get("/ImageMask", False))
        run.image(key_of(thing), thing, thing.get("/ColorSpace"), mask)
    elif kind == "/PS":
        run.marks.features.add(Feature("foreign", "PostScript"))


def _place(run: _Run, form: "Object", state: _State, matrix: Linear) -> None:
    inner = run.follower.form(form, run.resources, state)
    run.follower.budget.spend(inner.count_all())
    own = _linear(form.get("/Matrix", (1, 0, 0, 1)))
    run.marks.place(inner, times(own, matrix))


@_operator("INLINE IMAGE")
def _inline_image(run: _Run, operands: Any) -> None:
    image = operands[0]
    said = image.obj  # with the short names written out
    run.marks.features.update(Feature("filter", name) for name in filters_of(said))
    run.image(said.unparse(), image, said.get("/ColorSpace"), bool(said.get("/ImageMask", False)))


_KNOWN = " ".join(name for name in _OPERATORS if " " not in name) + " BI ID EI"
_WORDS = re.compile(rb"(?<![A-Za-z])(?:[A-Z]{1,3}|[a-z]{1,3})(?![A-Za-z])|['\"]")
