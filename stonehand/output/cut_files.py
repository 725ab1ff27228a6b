"""Outlines to the files that cutting machines read: SVG and DXF, in millimetres.

SVG has a size in mm and a viewBox in the same numbers: without either, programs guess at 72 or 96
units an inch. DXF is R12, the oldest that all of them read, with y upward from the lower left
corner of the page and curves as arcs.
"""

from collections.abc import Iterable, Sequence
from math import hypot

from stonehand.output.svg import number, path_data
from stonehand.scene import Outline

TOLERANCE = 0.002  # mm; how far an arc may be from the curve it stands for
COLOUR, FOLD_COLOUR = "#ff0000", "#0000ff"
Point = tuple[float, float]
Vertex = tuple[float, float, float]
"""x, y, and the bulge of the line from here: the tangent of a quarter of its arc's angle."""


Line = tuple[float, float, float, float]
"""x1, y1, x2, y2 of a fold."""


def svg(
    outlines: Sequence[Outline], width: float, height: float, folds: Sequence[Line] = ()
) -> bytes:
    """Return an SVG of a page of this size in mm with one path for each outline and each fold."""
    w, h = number(width), number(height)
    paths = "\n".join(f'  <path d="{path_data(outline)}"/>' for outline in outlines)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">
 <g fill="none" stroke="{COLOUR}" stroke-width="0.1">
{paths}
 </g>{_folds(folds)}
</svg>
""".encode()


def _folds(folds: Sequence[Line]) -> str:
    """Return folds as a group of their own, in another colour, so that they can be scored."""
    if not folds:
        return ""
    lines = "\n".join(f'  <path d="M{x1} {y1} L{x2} {y2}"/>' for x1, y1, x2, y2 in _numbers(folds))
    head = f'<g id="fold" fill="none" stroke="{FOLD_COLOUR}" stroke-width="0.1">'
    return f"\n {head}\n{lines}\n </g>"


def _numbers(folds: Sequence[Line]) -> Iterable[tuple[str, ...]]:
    return (tuple(map(number, fold)) for fold in folds)


def dxf(outlines: Sequence[Outline], height: float, folds: Sequence[Line] = ()) -> bytes:
    """Return a DXF of a page of this height in mm: outlines on a layer CUT, folds on FOLD."""
    groups: list[tuple[int, object]] = [
        (0, "SECTION"),
        (2, "HEADER"),
        (9, "$ACADVER"),
        (1, "AC1009"),
        (9, "$INSUNITS"),  # newer than R12, and read where it is there: 4 is millimetres
        (70, 4),
        (9, "$MEASUREMENT"),
        (70, 1),
        (0, "ENDSEC"),
        (0, "SECTION"),
        (2, "ENTITIES"),
    ]
    for outline in outlines:
        groups += [(0, "POLYLINE"), (8, "CUT"), (66, 1), (70, 1)]
        groups += [(10, "0"), (20, "0"), (30, "0")]
        for x, y, bulge in vertices(outline):
            groups += [(0, "VERTEX"), (8, "CUT"), (10, number(x)), (20, number(height - y))]
            if bulge:
                groups.append((42, f"{-bulge:.9f}"))  # turned over with y
        groups += [(0, "SEQEND"), (8, "CUT")]
    for x1, y1, x2, y2 in folds:
        groups += [(0, "LINE"), (8, "FOLD"), (10, number(x1)), (20, number(height - y1))]
        groups += [(11, number(x2)), (21, number(height - y2))]
    groups += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:3d}\n{value}\n" for code, value in groups).encode("ascii")


def vertices(outline: Outline) -> list[Vertex]:
    """Return a closed outline as lines and arcs."""
    made: list[Vertex] = []
    at: Point = (0.0, 0.0)
    for step, points in outline:
        if step == "C":
            curve = (at, points[0:2], points[2:4], points[4:6])
            made += _arcs(curve)  # type: ignore[arg-type]
        elif step == "L":
            made.append((*at, 0.0))
        if points:
            at = (points[-2], points[-1])
    first = (made[0][0], made[0][1]) if made else at
    if hypot(at[0] - first[0], at[1] - first[1]) > 1e-6:
        made.append((*at, 0.0))  # the line that closes it
    return made


Curve = tuple[Point, Point, Point, Point]


def _arcs(curve: Curve) -> Iterable[Vertex]:
    """Yield a Bézier curve as arcs, halved until each is near enough."""
    start, end = curve[0], curve[3]
    bulge = _bulge(start, _on(curve, 0.5), end)
    if all(_off(start, end, bulge, _on(curve, t)) <= TOLERANCE for t in (0.2, 0.35, 0.65, 0.8)):
        yield (*start, bulge)
        return
    for half in _halves(curve):
        yield from _arcs(half)


def _on(curve: Curve, t: float) -> Point:
    """Return the point of a Bézier curve at t from 0 to 1."""
    s = 1 - t
    weights = (s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t)
    return (
        sum(w * p[0] for w, p in zip(weights, curve, strict=True)),
        sum(w * p[1] for w, p in zip(weights, curve, strict=True)),
    )


def _halves(curve: Curve) -> tuple[Curve, Curve]:
    """Return the two halves of a curve (de Casteljau)."""

    def middle(p: Point, q: Point) -> Point:
        return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2

    a, b, c, d = curve
    ab, bc, cd = middle(a, b), middle(b, c), middle(c, d)
    abc, bcd = middle(ab, bc), middle(bc, cd)
    whole = middle(abc, bcd)
    return (a, ab, abc, whole), (whole, bcd, cd, d)


def _bulge(start: Point, middle: Point, end: Point) -> float:
    """Return the bulge of the arc through three points: twice its height over its chord."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    chord = hypot(dx, dy)
    if chord < 1e-9:
        return 0.0
    # the arc's height at the middle of the chord, positive to the right of the way with y down
    height = ((middle[0] - start[0]) * dy - (middle[1] - start[1]) * dx) / chord
    return 2 * height / chord


def _off(start: Point, end: Point, bulge: float, point: Point) -> float:
    """Return how far a point is from an arc."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    chord = hypot(dx, dy)
    if abs(bulge) < 1e-9 or chord < 1e-9:
        return abs((point[0] - start[0]) * dy - (point[1] - start[1]) * dx) / (chord or 1.0)
    radius = chord * (1 + bulge * bulge) / (4 * abs(bulge))
    # the centre is on the bisector of the chord, opposite to the arc's height
    away = (bulge * bulge - 1) / (4 * bulge) * chord
    cx = (start[0] + end[0]) / 2 + away * dy / chord
    cy = (start[1] + end[1]) / 2 - away * dx / chord
    return abs(hypot(point[0] - cx, point[1] - cy) - radius)
