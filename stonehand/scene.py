"""Scene: the marks on a surface, in millimetres from the trim's top-left corner, y down.

Templates make Scenes, imposition places them, writers paint them and tests read them. A Scene
knows nothing of cards, files or PDF: if a writer had to know what a card is, the Scene would be
wrong. Everything is frozen; a mark that is drawn in many places is one object, marked as shared,
and a writer stores it once.

`origin` of a mark is what it was made for, in a form its maker chooses: checks tell it, writers
pass it over, and marks that differ in nothing else are equal.
"""

from collections.abc import Iterator
from math import cos, radians, sin
from typing import NamedTuple, Protocol

import msgspec


class FaceLike(Protocol):
    """What a glyph run needs of a font: an identity, its units per em and the boxes of glyphs."""

    @property
    def key(self) -> str:
        """A name that is the same in every run for the same glyphs."""

    @property
    def upem(self) -> int:
        """Font units per em."""

    def ink(self, glyph: int) -> tuple[int, int, int, int]:
        """Return left, bottom, right and top of a glyph in font units, y up."""


class ArtLike(Protocol):
    """What a placed picture needs of art: an identity, a shape, and how fine it is."""

    @property
    def key(self) -> str:
        """A name that is the same in every run for the same picture."""

    @property
    def aspect(self) -> float:
        """Width over height."""

    @property
    def pixels(self) -> tuple[int, int] | None:
        """Width and height in px; none for a drawing, which is sharp at any size."""


class Matrix(msgspec.Struct, frozen=True, gc=False):
    """An affine map x' = a·x + c·y + e, y' = b·x + d·y + f (PDF 32000-1, 8.3.3)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    @classmethod
    def shift(cls, x: float, y: float) -> "Matrix":
        """Return a move by x and y mm."""
        return cls(e=x, f=y)

    @classmethod
    def turn(cls, degrees: float, x: float, y: float) -> "Matrix":
        """Return a clockwise turn about the point x, y."""
        quarter = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
        exact = quarter.get(degrees % 360)  # no rounding dust for the turns that print makes
        c, s = exact or (cos(radians(degrees)), sin(radians(degrees)))
        return cls(c, s, -s, c, x - c * x + s * y, y - s * x - c * y)

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        """Return where the map takes a point."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def after(self, first: "Matrix") -> "Matrix":
        """Return the map that applies `first` and then this one."""
        return Matrix(
            self.a * first.a + self.c * first.b,
            self.b * first.a + self.d * first.b,
            self.a * first.c + self.c * first.d,
            self.b * first.c + self.d * first.d,
            *self(first.e, first.f),
        )


IDENTITY = Matrix()


class Box(msgspec.Struct, frozen=True, gc=False):
    """An upright rectangle: left edge x, top edge y, width and height, in mm."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The bottom edge."""
        return self.y + self.height

    def grown(self, by: float) -> "Box":
        """Return the box with every edge moved outward by `by` mm."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def fitted(
        self, aspect: float, fit: str, align: str = "center", valign: str = "middle"
    ) -> "Box":
        """Return a box of an aspect ratio that lies within (contain) or around (cover) this one."""
        by_width = (self.width / aspect <= self.height) == (fit == "contain")
        width = self.width if by_width else self.height * aspect
        height = self.width / aspect if by_width else self.height
        across = {"left": 0.0, "center": 0.5, "right": 1.0}[align]
        down = {"top": 0.0, "middle": 0.5, "bottom": 1.0}[valign]
        return Box(
            self.x + (self.width - width) * across,
            self.y + (self.height - height) * down,
            width,
            height,
        )


Segment = tuple[str, tuple[float, ...]]
"""One step of an outline: ("M", x y), ("L", x y), ("C", x1 y1 x2 y2 x y) or ("Z", nothing)."""

Outline = tuple[Segment, ...]

_KAPPA = 0.5522847498307936  # 4/3·(√2-1): a quarter circle as one Bézier curve, off by 0.03 %


def rectangle(box: Box, radius: float = 0.0) -> Outline:
    """Return the outline of a box, its corners rounded by `radius` mm (at most half a side)."""
    x, y, right, bottom = box.x, box.y, box.right, box.bottom
    r = min(radius, box.width / 2, box.height / 2)
    if r <= 0:
        return (
            ("M", (x, y)),
            ("L", (right, y)),
            ("L", (right, bottom)),
            ("L", (x, bottom)),
            ("Z", ()),
        )
    k = r * (1 - _KAPPA)
    return (
        ("M", (x + r, y)),
        ("L", (right - r, y)),
        ("C", (right - k, y, right, y + k, right, y + r)),
        ("L", (right, bottom - r)),
        ("C", (right, bottom - k, right - k, bottom, right - r, bottom)),
        ("L", (x + r, bottom)),
        ("C", (x + k, bottom, x, bottom - k, x, bottom - r)),
        ("L", (x, y + r)),
        ("C", (x, y + k, x + k, y, x + r, y)),
        ("Z", ()),
    )


def ellipse(box: Box) -> Outline:
    """Return the outline of the ellipse that fills a box."""
    rx, ry = box.width / 2, box.height / 2
    cx, cy = box.x + rx, box.y + ry
    kx, ky = rx * _KAPPA, ry * _KAPPA
    return (
        ("M", (cx, box.y)),
        ("C", (cx + kx, box.y, box.right, cy - ky, box.right, cy)),
        ("C", (box.right, cy + ky, cx + kx, box.bottom, cx, box.bottom)),
        ("C", (cx - kx, box.bottom, box.x, cy + ky, box.x, cy)),
        ("C", (box.x, cy - ky, cx - kx, box.y, cx, box.y)),
        ("Z", ()),
    )


def polygon(points: list[tuple[float, float]], *, closed: bool = True) -> Outline:
    """Return the outline through some points."""
    steps: list[Segment] = [("L", point) for point in points]
    steps[0] = ("M", points[0])
    return (*steps, ("Z", ())) if closed else tuple(steps)


def moved(outline: Outline, matrix: Matrix) -> Outline:
    """Return an outline with all its points mapped."""
    return tuple(
        (step, tuple(v for x, y in zip(p[::2], p[1::2], strict=True) for v in matrix(x, y)))
        for step, p in outline
    )


def flattened(outline: Outline, steps: int = 16) -> list[list[tuple[float, float]]]:
    """Return the closed polygons of an outline, each curve as so many straight lines."""
    found: list[list[tuple[float, float]]] = []
    for step, p in outline:
        if step == "M":
            found.append([(p[0], p[1])])
        elif step == "L":
            found[-1].append((p[0], p[1]))
        elif step == "C":
            x0, y0 = found[-1][-1]
            for i in range(1, steps + 1):
                t, s = i / steps, 1 - i / steps
                w = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
                x = w[0] * x0 + w[1] * p[0] + w[2] * p[2] + w[3] * p[4]
                y = w[0] * y0 + w[1] * p[1] + w[2] * p[3] + w[3] * p[5]
                found[-1].append((x, y))
    return found


class Stroke(msgspec.Struct, frozen=True, gc=False):
    """A line's colour (#rrggbb), width in mm, dash lengths in mm and shape of ends and corners."""

    colour: str
    width: float
    dash: tuple[float, ...] = ()
    round: bool = False


class _Painted(msgspec.Struct, frozen=True, eq=False):
    """A mark that is seen; what it was made for makes no difference between two."""

    def _own(self) -> tuple[object, ...]:
        names = self.__struct_fields__
        return tuple([getattr(self, name) for name in names if name != "origin"])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._own() == other._own()

    def __hash__(self) -> int:
        return hash(self._own())


class Path(_Painted, frozen=True, eq=False):
    """A filled or stroked outline; fill is #rrggbb."""

    outline: Outline
    fill: str | None = None
    stroke: Stroke | None = None
    origin: object | None = None


class Picture(_Painted, frozen=True, eq=False):
    """Art stretched over a box, in its own colours or in one (`tint`, #rrggbb)."""

    art: ArtLike
    box: Box
    tint: str | None = None
    origin: object | None = None


SPACES = (" ", "\u00a0")
"""What is widened where text is justified."""


class Cluster(msgspec.Struct, frozen=True, gc=False):
    """The smallest piece of set text: one or more glyphs that stand for some characters.

    Glyphs are (glyph id, x, y, own advance), x and y from where the cluster begins, y up; all in
    font units.
    """

    glyphs: tuple[tuple[int, int, int, int], ...]
    advance: int
    text: str


class GlyphRun(_Painted, frozen=True, eq=False):
    """Clusters of one face on one baseline, starting at x, y mm; size in mm.

    `word_space` mm is added after each space: what justification asks for.
    """

    face: FaceLike
    size: float
    x: float
    y: float
    clusters: tuple[Cluster, ...]
    colour: str = "#000000"
    word_space: float = 0.0
    origin: object | None = None

    @property
    def width(self) -> float:
        """The advance width in mm."""
        units = sum(cluster.advance for cluster in self.clusters)
        spaces = sum(cluster.text in SPACES for cluster in self.clusters)
        return units * self.size / self.face.upem + spaces * self.word_space

    @property
    def ink(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of what is drawn, in mm; empty at x, y if nothing is."""
        scale, pen = self.size / self.face.upem, self.x
        boxes: list[tuple[float, float, float, float]] = []
        for cluster in self.clusters:
            for glyph, dx, dy, _ in cluster.glyphs:
                left, bottom, right, top = self.face.ink(glyph)
                if right > left:
                    x, y = pen + dx * scale, self.y - dy * scale
                    boxes.append(
                        (x + left * scale, y - top * scale, x + right * scale, y - bottom * scale)
                    )
            pen += cluster.advance * scale
            pen += self.word_space if cluster.text in SPACES else 0.0
        if not boxes:
            return self.x, self.y, self.x, self.y
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)

    @property
    def text(self) -> str:
        """The characters that the run stands for."""
        return "".join(cluster.text for cluster in self.clusters)


class Tag(msgspec.Struct, frozen=True, eq=False):
    """A node of a document's structure, for readers that follow it rather than the page.

    `role` is one of the standard structure types (PDF 32000-1, 14.8.4); a tag without `parent`
    stands below the document. `language` is given where it differs from the parent's, `alt` for
    what has no text of its own. Nodes are in order of their first mark.
    """

    role: str
    parent: "Tag | None" = None
    language: str = ""
    alt: str = ""
    scope: str = ""  # of a head cell: Row or Column


class Link(msgspec.Struct, frozen=True):
    """An area that leads to an anchor of the document, or to an address; `alt` says so in words."""

    box: Box
    target: str
    alt: str
    tag: Tag | None = None


class Bookmark(NamedTuple):
    """An entry of a document's outline: its depth from 0, words, and the anchor it leads to."""

    level: int
    title: str
    target: str


class Anchor(msgspec.Struct, frozen=True):
    """A point that links and bookmarks lead to."""

    name: str
    x: float
    y: float


class Group(msgspec.Struct, frozen=True):
    """Marks moved together, within an optional clip; `shared` asks writers to store it once.

    `tag` is what the marks are in the document's structure; only innermost groups have one. In a
    document with tags, marks without one are decoration. `face` tells that they are a whole face
    that stands on a page.
    """

    marks: tuple["Mark", ...]
    matrix: Matrix = IDENTITY
    clip: Outline | None = None
    shared: bool = False
    tag: Tag | None = None
    face: bool = False


Mark = Path | Picture | GlyphRun | Link | Anchor | Group


class Scene(msgspec.Struct, frozen=True, eq=False):
    """One face: width and height of the trim, bleed around it, radius of its corners, in mm.

    `shared` tells that the face is placed many times (one back for a whole deck). `shape` is what
    is cut if it is no rectangle, `folds` are lines x1, y1, x2, y2 along which it is folded.
    """

    width: float
    height: float
    marks: tuple[Mark, ...]
    bleed: float = 0.0
    corner: float = 0.0
    shared: bool = False
    shape: Outline | None = None
    folds: tuple[tuple[float, float, float, float], ...] = ()

    @property
    def outline(self) -> Outline:
        """What is cut."""
        return self.shape or rectangle(self.trim, self.corner)

    @property
    def trim(self) -> Box:
        """The box that the knife follows."""
        return Box(0, 0, self.width, self.height)

    def walk(self) -> Iterator[tuple[Mark, Matrix]]:
        """Yield every mark that is not a group with the map that puts it on the face."""
        yield from _walk(self.marks, IDENTITY)

    @property
    def text(self) -> str:
        """All set text in drawing order, one run a line: for tests and for reading aloud."""
        return "\n".join(mark.text for mark, _ in self.walk() if isinstance(mark, GlyphRun))


def _walk(marks: tuple[Mark, ...], matrix: Matrix) -> Iterator[tuple[Mark, Matrix]]:
    for mark in marks:
        if isinstance(mark, Group):
            yield from _walk(mark.marks, matrix.after(mark.matrix))
        else:
            yield mark, matrix
