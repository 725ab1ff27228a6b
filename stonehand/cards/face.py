"""A template made ready for drawing: boxes, conditions, and what is the same on every card.

What an element of each type draws is told in `elements`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from stonehand.cards import template as t
from stonehand.cards.deck import Card, Value, identity
from stonehand.cards.elements import DRAWERS, points_of, svg_path
from stonehand.cards.scope import Scope
from stonehand.scene import (
    Box,
    Group,
    Mark,
    Matrix,
    Outline,
    Path,
    Scene,
    Stroke,
    ellipse,
    polygon,
    rectangle,
)
from stonehand.source.bind import Ref
from stonehand.source.problems import did_you_mean, fault
from stonehand.source.text import Text
from stonehand.source.units import FixedSize, Length, Size

if TYPE_CHECKING:
    from stonehand.cards.layout import Layouter

KEPT_BOXES = 5000
MAX_DEPTH = 32  # of elements within elements, over all the parts they use
MAX_ELEMENTS = 20_000  # of one face, those of its parts and repetitions counted
SMALLEST = 5.0  # mm; a card's side
PROOF_LINE = Stroke("#0080ff", 0.08)


class _Kept(NamedTuple):
    """Marks that are the same on several cards, as one shared group, and the anchors in them."""

    marks: tuple[Mark, ...]
    anchors: Mapping[str, Box]

    @classmethod
    def of(cls, marks: Sequence[Mark], anchors: Mapping[str, Box]) -> "_Kept":
        return cls((Group(tuple(marks), shared=True),) if marks else (), anchors)


class Face:
    """A template ready for drawing, with what it has drawn once for all cards."""

    def __init__(
        self,
        layouter: "Layouter",
        spec: t.Template,
        values: Mapping[Text, Text],
        panel: tuple[float, float] | None = None,
    ) -> None:
        """Make a template ready; one for a panel of a box takes that size, in mm."""
        self.layouter = layouter
        self.spec = spec
        self.values = values
        size = spec.size
        if not isinstance(size, t.CardSize):
            if size not in layouter.sizes:
                hint = did_you_mean(size, layouter.sizes)
                raise fault(size.at, f"unknown card size '{size}'", hint)
            size = layouter.sizes[size]
        self.width, self.height = panel or (size.width.mm, size.height.mm)
        if panel is None and min(self.size) < SMALLEST:
            message = f"a card of {self.width:g} x {self.height:g} mm is too small"
            raise fault(size.at, message, f"at least {SMALLEST:g} mm each way")
        self.corner = (spec.corner or size.corner).mm
        self.bleed = spec.bleed.mm
        self.safe = spec.safe.mm
        own = t.names_in(spec.elements) - {str(name) for name in values}
        box = Box(0, 0, self.width, self.height)
        self.nest, self.shape = _shape(spec.outline, box)
        if self.nest == "circle":
            self.corner = min(self.size) / 2
        self.folds = tuple(_fold(line, box, spec) for line in spec.folds)
        self.fixed = not own and not t.names_in(list(values.values()))
        self.parts = dict(spec.parts)
        self.using: list[str] = []  # names of the parts that are being drawn, outermost first
        self.anchors: dict[str, Box] = {}  # of the card that was drawn last
        self._drawn: Scene | None = None
        self._names: dict[int, frozenset[str]] = {}
        self._boxes: dict[tuple[int, Box], Box] = {}  # of elements that are placed by no name
        self._parts: dict[tuple[object, ...], _Kept] = {}
        self._shared: dict[tuple[tuple[int, Box], ...], _Kept] = {}
        self._depth = 0
        self._count = 0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the trimmed card in mm."""
        return self.width, self.height

    def scene(self, card: Card) -> Scene:
        """Return the face of a card."""
        if self._drawn:
            return self._drawn
        scope = Scope(self.layouter.game, card, self.layouter.translations)
        box = Box(0, 0, self.width, self.height)
        self._count = 0
        self.anchors = {}
        marks: list[Mark] = []
        with self.layouter.problems.gather():
            if self.values:
                scope = scope.extended(scope.references(self.values))
            marks = self.draw(self.spec.elements, [box] * len(self.spec.elements), scope)
        scene = Scene(
            self.width,
            self.height,
            tuple(marks),
            self.bleed,
            self.corner,
            self.fixed,
            self.shape,
            self.folds,
        )
        if self.fixed:
            self._drawn = scene
        return scene

    def draw(self, elements: Iterable[t.Element], boxes: Iterable[Box], scope: Scope) -> list[Mark]:
        """Return the marks of elements, each in its box; those the same on all cards are shared."""
        marks: list[Mark] = []
        pairs = zip(elements, boxes, strict=True)
        for named, run in groupby(pairs, key=lambda pair: bool(self.names_in(pair[0]))):
            if named:
                for element, box in run:
                    marks += self.element(element, box, scope)
                continue
            together = tuple(run)
            key = tuple((id(element), box) for element, box in together)
            if key not in self._shared:
                with self._anchors_of_its_own() as anchors:
                    made = [mark for pair in together for mark in self.element(*pair, scope)]
                self._shared[key] = _Kept.of(made, anchors)
            marks += self._again(self._shared[key])
        return marks

    @contextmanager
    def _anchors_of_its_own(self) -> Iterator[dict[str, Box]]:
        """Give the anchors that are met within the block, and only those."""
        outer, self.anchors = self.anchors, {}
        try:
            yield self.anchors
        finally:
            self.anchors = outer

    def _again(self, kept: "_Kept") -> tuple[Mark, ...]:
        self.anchors.update(kept.anchors)
        return kept.marks

    def names_in(self, element: t.Element) -> frozenset[str]:
        """Return the names that an element refers to."""
        if id(element) not in self._names:
            self._names[id(element)] = t.names_in(element)
        return self._names[id(element)]

    def part(
        self,
        elements: tuple[t.AnyElement, ...],
        box: Box,
        values: Mapping[str, Value],
        scope: Scope,
    ) -> list[Mark]:
        """Return the marks of a part; one that needs no more than its values is shared, too."""
        boxes = [box] * len(elements)
        inner = scope.extended(values)
        if not all(self.names_in(element) <= values.keys() for element in elements):
            return self.draw(elements, boxes, inner)
        key = (id(elements), box, *((name, identity(value)) for name, value in values.items()))
        if key not in self._parts:
            faults = self.layouter.problems.count
            with self._anchors_of_its_own() as anchors:
                marks = self.draw(elements, boxes, inner)
            if self.layouter.problems.count > faults:
                return marks  # the next card shall tell of its own
            self._parts[key] = _Kept.of(marks, anchors)
        return list(self._again(self._parts[key]))

    def element(self, element: t.Element, around: Box, scope: Scope) -> list[Mark]:
        """Return the marks of one element; its faults are reported and it is left out."""
        self._depth += 1
        try:
            self._count += 1
            if self._count > MAX_ELEMENTS:  # not gathered: every element around this one ends, too
                raise fault(self.spec.at, f"the face has more than {MAX_ELEMENTS:,} elements")
            if self._depth > MAX_DEPTH:
                raise fault(element.at, f"elements are nested deeper than {MAX_DEPTH} levels")
            with self.layouter.problems.gather():
                if not self.wanted(element, scope):
                    return []
                box = self.box(element, around, scope)
                if element.anchor:
                    self.anchors[str(element.anchor)] = box
                marks = DRAWERS[type(element)](self, element, box, scope)
                if self.layouter.proof:
                    marks = [*marks, Path(rectangle(box), stroke=PROOF_LINE)]
                if element.rotate and marks:
                    x, y = box.x + box.width / 2, box.y + box.height / 2
                    marks = [Group(tuple(marks), Matrix.turn(element.rotate, x, y))]
                return marks
            return []
        finally:
            self._depth -= 1

    def wanted(self, element: t.Element, scope: Scope) -> bool:
        """Tell whether an element's conditions let it be drawn."""
        if element.when is not None and not _holds(element.when, scope):
            return False
        return element.unless is None or not _holds(element.unless, scope)

    def box(self, element: t.Element, around: Box, scope: Scope) -> Box:
        """Return the box of an element within the one around it."""
        if element.bleed:
            trim = Box(0, 0, self.width, self.height)
            return trim.grown(self.bleed) if element.bleed is True else trim
        key = (id(element), around)
        if (known := self._boxes.get(key)) is not None:
            return known
        edges = (element.left, element.right, element.top, element.bottom)
        named = any(isinstance(length, Ref) for length in (*edges, element.width, element.height))

        def across(value: Length | Ref | None, whole: float, kind: Any = Length) -> float | None:
            return None if value is None else scope.length(value, kind).of(whole)

        x, width = _span(
            across(element.left, around.width),
            across(element.right, around.width),
            across(element.width, around.width, Size),
            around.width,
        )
        y, height = _span(
            across(element.top, around.height),
            across(element.bottom, around.height),
            across(element.height, around.height, Size),
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
        box = Box(around.x + x, around.y + y, width, height)
        if not named:
            if len(self._boxes) > KEPT_BOXES:
                self._boxes.clear()
            self._boxes[key] = box
        return box

    def stroke(self, shape: t.Shape, scope: Scope) -> Stroke | None:
        """Return the stroke of a shape, if it has one."""
        if shape.stroke is None:
            return None
        width = scope.length(shape.line, FixedSize).mm
        return Stroke(self.colour(shape.stroke, scope), width, tuple(d.mm for d in shape.dash))

    def colour(self, text: Text, scope: Scope) -> str:
        """Return a colour that may be a reference."""
        return self.layouter.colour(scope.text(text))

    def fill(self, shape: t.Shape, scope: Scope) -> str | None:
        """Return the fill of a shape, if it has one."""
        return self.colour(shape.fill, scope) if shape.fill else None


OUTLINES = ("rect", "circle", "hexagon", "hexagon-flat")


def _shape(spec: Text | t.OutlineSpec, box: Box) -> tuple[str, Outline | None]:
    """Return how an outline nests with others of its kind ("" if it does not), and itself."""
    if isinstance(spec, t.OutlineSpec):
        if (spec.path is None) == (not spec.polygon):
            raise fault(spec.at, "an outline is a polygon or a path", "write one of both")
        if spec.path is not None:
            return "", svg_path(spec.path, box)
        return "", polygon(points_of(spec.polygon, box, spec.at))
    if spec not in OUTLINES:
        raise fault(spec.at, f"unknown outline '{spec}'", did_you_mean(spec, OUTLINES))
    if spec == "rect":
        return "", None
    if spec == "circle":
        return "circle" if abs(box.width - box.height) < 1e-6 else "", ellipse(box)
    near, middle, far = (0.0, 0.25), (0.5, 0.0), (1.0, 0.25)
    upright = (middle, far, (1.0, 0.75), (0.5, 1.0), (0.0, 0.75), near)
    points = upright if spec == "hexagon" else tuple((y, x) for x, y in upright)
    return str(spec), polygon([(x * box.width, y * box.height) for x, y in points])


def _fold(
    line: tuple[tuple[Length, ...], ...], box: Box, spec: t.Template
) -> tuple[float, float, float, float]:
    if len(line) != 2:
        raise fault(spec.at, "a fold is a line between two points", "write [[0, 50%], [100%, 50%]]")
    (x1, y1), (x2, y2) = points_of(line, box, spec.at)
    return x1, y1, x2, y2


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
