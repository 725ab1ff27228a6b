"""What a page paints: its content is followed, with the forms and patterns that it paints.

A page comes in, its `Marks` go out: the images, lines, texts and colours on it, each with the part
of the matrix that scales and turns it. Where they lie is not kept. So a form that stands in a
thousand places is followed once for each state of graphics it is painted in, and what it holds is
multiplied into its place (PDF 32000-1, 8.4 and 8.10). What hostile files may cost is bounded by a
`Budget`, by a depth, and by the size of one content stream.
"""

import warnings
from typing import TYPE_CHECKING, Any

from stonehand.inspection.colours import Space, space_of
from stonehand.inspection.marks import (
    Budget,
    Colour,
    ExhaustedError,
    Feature,
    Key,
    Marks,
    filters_of,
    key_of,
    no_marks,
)
from stonehand.inspection.operators import KNOWN, OPERATORS, WORDS, Run, State

if TYPE_CHECKING:
    from pikepdf import Object, Page

DEPTH_LIMIT = 24  # of forms in forms
CONTENT_LIMIT = 32_000_000  # bytes of one content stream, unpacked
OPERATOR_LIMIT = 1_000_000  # operators of one content stream; each takes some 300 bytes when parsed
OPERAND_LIMIT = 1_000_000  # bytes without an operator


class Follower:
    """Follows content, and remembers forms it has followed, and the fonts and images it met."""

    def __init__(self, budget: Budget) -> None:
        self.fonts: dict[Key, Object] = {}  # also those that are only listed as resources
        self.images: dict[Key, tuple[Any, Space | None]] = {}  # masks have no colour space
        self.budget = budget
        self._forms: dict[tuple[Key, Key, State], Marks] = {}
        self._open: list[Key] = []

    def page(self, page: "Page", resources: "Object") -> Marks:
        """Return what a page paints, in points; raises `ExhaustedError`."""
        from pikepdf import Array

        unit = float(page.obj.get("/UserUnit", 1))
        marks = no_marks()
        group = page.obj.get("/Group")
        if group is not None and group.get("/S") == "/Transparency":
            marks.features.add(Feature("group"))
            self._group(group, resources, marks)
        contents = page.obj.get("/Contents")
        if contents is None:
            return marks
        streams = list(contents) if isinstance(contents, Array) else [contents]
        painted = self._follow(page, streams, resources, State())
        marks.place(painted, (unit, 0.0, 0.0, unit))
        return marks

    def form(self, form: "Object", resources: "Object", state: State) -> Marks:
        """Return what a form paints, or a pattern, in its own units."""
        key = key_of(form)
        own = form.get("/Resources")
        known = (key, key_of(resources) if own is None else b"", state)
        own = resources if own is None else own
        if known not in self._forms:
            marks = no_marks()
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
        self, content: "Page | Object", streams: "list[Object]", resources: "Object", state: State
    ) -> Marks:
        """Return what a content stream paints; one that can't be read is a feature of its own."""
        from pikepdf import parse_content_stream

        self.budget.spend(1)  # before anything is unpacked
        run = Run(self, resources, state)
        for font in resources.get("/Font", {}).values():
            self.fonts.setdefault(key_of(font), font)
        filters = {name for stream in streams for name in filters_of(stream)}
        run.marks.features.update(Feature("filter", name) for name in filters)
        data = b"\n".join(stream.read_bytes() for stream in streams)
        self.budget.spend(len(data) // 50)
        if _too_much(data):
            self.budget.spend(OPERATOR_LIMIT)  # finding that out took as long as following it
            raise ExhaustedError
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            parsed = parse_content_stream(content, operators=KNOWN)
        broken = bool(told)
        self.budget.spend(len(parsed))
        for instruction in parsed:
            does = OPERATORS.get(str(instruction.operator))
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


def _too_much(data: bytes) -> bool:
    """Tell whether parsing a content stream would take too much memory."""
    if len(data) <= OPERATOR_LIMIT:
        return False
    if len(data) > CONTENT_LIMIT:
        return True
    end = 0
    for count, word in enumerate(WORDS.finditer(data)):
        if count > OPERATOR_LIMIT or word.start() - end > OPERAND_LIMIT:
            return True
        end = word.end()
    return len(data) - end > OPERAND_LIMIT
