"""What the operators of content streams do, as far as it is asked for here.

Each is a function filed with `@_operator` under its names (PDF 32000-1, annex A). It changes the
graphics state of a `Run`, or adds to its marks. Wrong operands may raise anything.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from stonehand.inspection.colours import CMYK, GRAY, RGB, Space, space_of
from stonehand.inspection.marks import (
    PLAIN,
    Colour,
    Feature,
    Key,
    Linear,
    Text,
    filters_of,
    key_of,
    no_marks,
    times,
)

if TYPE_CHECKING:
    from pikepdf import Object

    from stonehand.inspection.content import Follower


class Paint(NamedTuple):
    """A colour to paint with; a pattern has no values."""

    space: Space
    values: tuple[float, ...]


class State(NamedTuple):
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


class Run:
    """One content stream that is being followed."""

    def __init__(self, follower: "Follower", resources: "Object", state: State) -> None:
        self.follower = follower
        self.resources = resources
        self.state = state
        self.matrix = self.text = PLAIN
        self.stack: list[tuple[State, Linear]] = []
        self.marks = no_marks()

    def named(self, category: str, name: "Object") -> Any:
        """Return a resource; raises KeyError."""
        return self.resources[category][str(name)]

    def space(self, said: "Object") -> Space:
        """Return a colour space, which may be a name among the resources."""
        return space_of(said, self.resources.get("/ColorSpace"))

    def change(self, **fields: Any) -> None:
        """Set fields of the state."""
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


OPERATORS: dict[str, Callable[[Run, Any], None]] = {}


def _operator(*names: str) -> Callable[[Callable[[Run, Any], None]], Callable[[Run, Any], None]]:
    """File a function as what operators do (annex A)."""

    def file(function: Callable[[Run, Any], None]) -> Callable[[Run, Any], None]:
        OPERATORS.update(dict.fromkeys(names, function))
        return function

    return file


@_operator("q")
def _save(run: Run, _: Any) -> None:
    run.stack.append((run.state, run.matrix))


@_operator("Q")
def _restore(run: Run, _: Any) -> None:
    if run.stack:
        run.state, run.matrix = run.stack.pop()


@_operator("cm")
def _concatenate(run: Run, operands: Any) -> None:
    run.matrix = times(_linear(operands), run.matrix)


def _linear(numbers: Any) -> Linear:
    return (float(numbers[0]), float(numbers[1]), float(numbers[2]), float(numbers[3]))


@_operator("w")
def _width(run: Run, operands: Any) -> None:
    run.change(width=abs(float(operands[0])))


@_operator("f", "F", "f*")
def _fill(run: Run, _: Any) -> None:
    run.paint(fill=True)


@_operator("S", "s")
def _stroke(run: Run, _: Any) -> None:
    run.paint(line=True)


@_operator("B", "B*", "b", "b*")
def _fill_and_stroke(run: Run, _: Any) -> None:
    run.paint(fill=True, line=True)


@_operator("g", "rg", "k")
def _fill_device(run: Run, operands: Any) -> None:
    run.change(fill=_device(run, operands))


@_operator("G", "RG", "K")
def _stroke_device(run: Run, operands: Any) -> None:
    run.change(stroke=_device(run, operands))


def _device(run: Run, operands: Any) -> Paint:
    from pikepdf import Name

    plain = {1: GRAY, 3: RGB, 4: CMYK}[len(operands)]
    return Paint(run.space(Name(f"/{plain.name}")), tuple(map(float, operands)))


@_operator("cs")
def _fill_space(run: Run, operands: Any) -> None:
    space = run.space(operands[0])
    run.change(fill=Paint(space, space.first()))


@_operator("CS")
def _stroke_space(run: Run, operands: Any) -> None:
    space = run.space(operands[0])
    run.change(stroke=Paint(space, space.first()))


@_operator("sc", "scn")
def _fill_values(run: Run, operands: Any) -> None:
    run.change(fill=_values(run, run.state.fill.space, operands))


@_operator("SC", "SCN")
def _stroke_values(run: Run, operands: Any) -> None:
    run.change(stroke=_values(run, run.state.stroke.space, operands))


def _values(run: Run, space: Space, operands: Any) -> Paint:
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
    state = State()
    if pattern.get("/PaintType") == 2 and space.base:  # it is painted in this colour
        paint = Paint(space.base, tuple(map(float, list(operands)[:-1])))
        state = State(fill=paint, stroke=paint)
    _place(run, pattern, state, PLAIN)
    return Paint(space, ())


@_operator("sh")
def _shading(run: Run, operands: Any) -> None:
    space = run.space(run.named("/Shading", operands[0])["/ColorSpace"])
    run.marks.colours.add(Colour(space, None, False))
    run.paint()


@_operator("Tf")
def _font(run: Run, operands: Any) -> None:
    _use_font(run, run.named("/Font", operands[0]), operands[1])


def _use_font(run: Run, font: "Object", size: Any) -> None:
    key = key_of(font)
    run.follower.fonts[key] = font
    run.change(font=key, size=float(size))


@_operator("Tr")
def _mode(run: Run, operands: Any) -> None:
    run.change(mode=int(operands[0]))


@_operator("BT")
def _begin_text(run: Run, _: Any) -> None:
    run.text = PLAIN


@_operator("Tm")
def _text_matrix(run: Run, operands: Any) -> None:
    run.text = _linear(operands)


@_operator("Tj", "TJ", "'", '"')
def _show(run: Run, operands: Any) -> None:
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
def _settings(run: Run, operands: Any) -> None:
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
def _do(run: Run, operands: Any) -> None:
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


def _place(run: Run, form: "Object", state: State, matrix: Linear) -> None:
    inner = run.follower.form(form, run.resources, state)
    run.follower.budget.spend(inner.count_all())
    own = _linear(form.get("/Matrix", (1, 0, 0, 1)))
    run.marks.place(inner, times(own, matrix))


@_operator("INLINE IMAGE")
def _inline_image(run: Run, operands: Any) -> None:
    image = operands[0]
    said = image.obj  # with the short names written out
    run.marks.features.update(Feature("filter", name) for name in filters_of(said))
    run.image(said.unparse(), image, said.get("/ColorSpace"), bool(said.get("/ImageMask", False)))


# what is kept when content is parsed, and what words are likely operators: a count of these bounds
# what parsing takes
KNOWN = " ".join(name for name in OPERATORS if " " not in name) + " BI ID EI"
WORDS = re.compile(rb"(?<![A-Za-z])(?:[A-Z]{1,3}|[a-z]{1,3})(?![A-Za-z])|['\"]")
