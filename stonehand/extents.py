"""Extents: how far marks reach, as left, top, right and bottom in mm."""

from stonehand.scene import Matrix, Outline

Extent = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def around(outline: Outline) -> Extent:
    """Return the extent of an outline's points: that of the outline, or a little more at curves."""
    points = [value for _, values in outline for value in values]
    xs, ys = points[0::2], points[1::2]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, 0.0, 0.0)


def grown(extent: Extent, by: float) -> Extent:
    """Return an extent with every edge moved outward by `by` mm."""
    left, top, right, bottom = extent
    return left - by, top - by, right + by, bottom + by


def mapped(extent: Extent, matrix: Matrix) -> Extent:
    """Return the extent of what a map makes of an extent."""
    left, top, right, bottom = extent
    if matrix.b == matrix.c == 0 and matrix.a == matrix.d == 1:  # most marks are not even moved
        x, y = matrix.e, matrix.f
        return left + x, top + y, right + x, bottom + y
    corners = [matrix(x, y) for x in (left, right) for y in (top, bottom)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def within(extent: Extent, clip: Extent | None) -> Extent:
    """Return what two extents have in common; `None` clips nothing. It may be less than nothing."""
    if clip is None:
        return extent
    return (
        max(extent[0], clip[0]),
        max(extent[1], clip[1]),
        min(extent[2], clip[2]),
        min(extent[3], clip[3]),
    )


def union(extents: list[Extent]) -> Extent | None:
    """Return the extent around some others; None around none."""
    if not extents:
        return None
    lefts, tops, rights, bottoms = zip(*extents, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
