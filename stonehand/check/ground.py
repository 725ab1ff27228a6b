"""What lies behind a text: one colour if the marks of a Scene tell it, else it must be looked at.

Contrast is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#contrast-minimum): the ratio of relative
luminances, from 1 to 21.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Literal

import msgspec

from stonehand.extents import Extent, around, grown, mapped, within
from stonehand.scene import (
    GlyphRun,
    Group,
    Mark,
    Matrix,
    Outline,
    Path,
    Picture,
    Scene,
    flattened,
    moved,
)

PAPER = "#ffffff"
Polygon = list[tuple[float, float]]
Relation = Literal["apart", "across", "around"]


def channels(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of #rrggbb, each from 0 to 1."""
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))  # type: ignore[return-value]


def linear(value: float) -> float:
    """Return the light of an sRGB channel, both from 0 to 1 (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def luminance(rgb: Iterable[float]) -> float:
    """Return the relative luminance of sRGB channels from 0 to 1 (WCAG 2.2)."""
    weights = (0.2126, 0.7152, 0.0722)
    return sum(w * linear(c) for w, c in zip(weights, rgb, strict=True))


@lru_cache(maxsize=1024)
def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours #rrggbb."""
    a, b = luminance(channels(one)), luminance(channels(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


class Laid(msgspec.Struct, frozen=True, dict=True):
    """A mark as it lies on the face, with the outlines that clip it."""

    mark: Mark
    matrix: Matrix
    extent: Extent
    clips: tuple[Outline, ...] = ()

    @property
    def origin(self) -> object | None:
        """What the mark was made for."""
        return getattr(self.mark, "origin", None)

    @property
    def polygons(self) -> list[Polygon]:
        """The area of a path."""
        assert isinstance(self.mark, Path)
        return _polygons(self.mark.outline, self.matrix)

    @cached_property
    def windows(self) -> list[list[Polygon]]:
        """What each clip lets see."""
        return [flattened(clip) for clip in self.clips]


@lru_cache(maxsize=1024)  # most cards have the same panels
def _polygons(outline: Outline, matrix: Matrix) -> list[Polygon]:
    return flattened(moved(outline, matrix))


def laid(scene: Scene) -> Iterator[Laid]:
    """Yield what is painted on a face, in order."""
    return _laid(scene.marks, Matrix(), (), None)


def _laid(
    marks: tuple[Mark, ...],
    matrix: Matrix,
    clips: tuple[Outline, ...],
    seen: Extent | None,
) -> Iterator[Laid]:
    for mark in marks:
        if isinstance(mark, Group) and mark.face and mark.clip is not None:
            # a face that stands on a page was looked at by itself, and is a picture here
            reach = mapped(around(mark.clip), matrix.after(mark.matrix))
            yield Laid(mark, matrix, within(reach, seen), clips)
        elif isinstance(mark, Group):
            inner = matrix.after(mark.matrix)
            if mark.clip is None:
                yield from _laid(mark.marks, inner, clips, seen)
            else:
                clip = moved(mark.clip, inner)
                reach = within(around(clip), seen)
                yield from _laid(mark.marks, inner, (*clips, clip), reach)
        elif isinstance(mark, GlyphRun):
            yield Laid(mark, matrix, within(mapped(mark.ink, matrix), seen), clips)
        elif isinstance(mark, Path):
            reach = grown(around(mark.outline), mark.stroke.width / 2 if mark.stroke else 0.0)
            yield Laid(mark, matrix, within(mapped(reach, matrix), seen), clips)
        elif isinstance(mark, Picture):
            box = mark.box
            reach = box.x, box.y, box.right, box.bottom
            yield Laid(mark, matrix, within(mapped(reach, matrix), seen), clips)


def ground(below: list[Laid], extent: Extent) -> str | tuple[Laid, ...]:
    """Return the colour behind an extent, over what was painted below it.

    Where a picture lies there, or an edge goes through, it is all that is behind, in order.
    """
    behind: list[Laid] = []
    for item in reversed(below):
        if isinstance(item.mark, GlyphRun) or _apart(item.extent, extent):
            continue
        windows = [relation(window, extent) for window in item.windows]
        lies = _lies(item, extent)
        if lies == "apart" or "apart" in windows:
            continue
        covers = lies == "around" and "across" not in windows
        if covers and not behind and isinstance(item.mark, Path):
            return item.mark.fill or PAPER
        behind.append(item)
        if covers:
            break
    return tuple(reversed(behind)) or PAPER


def _lies(item: Laid, extent: Extent) -> Relation:
    """Tell how what a mark paints lies to an extent; a picture may have holes anywhere."""
    if not isinstance(item.mark, Path):
        return "across"
    stroke = item.mark.stroke
    if stroke and relation(item.polygons, grown(extent, stroke.width / 2)) == "across":
        return "across"
    return relation(item.polygons, extent) if item.mark.fill else "apart"


def _apart(one: Extent, other: Extent) -> bool:
    return one[0] >= other[2] or one[2] <= other[0] or one[1] >= other[3] or one[3] <= other[1]


def relation(polygons: list[Polygon], extent: Extent) -> Relation:
    """Tell whether an area lies apart from an extent, its edge goes across, or it lies around."""
    x, y = (extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2
    inside = False
    for polygon in polygons:
        ax, ay = polygon[-1]
        for bx, by in polygon:
            if _crosses(ax, ay, bx, by, extent):
                return "across"
            # even-odd rule: edges that a ray to the right meets
            if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
                inside = not inside
            ax, ay = bx, by
    return "around" if inside else "apart"


def _crosses(ax: float, ay: float, bx: float, by: float, extent: Extent) -> bool:
    """Tell whether a line meets the inside of an extent (Liang and Barsky, 1984)."""
    left, top, right, bottom = extent
    if max(ax, bx) <= left or min(ax, bx) >= right or max(ay, by) <= top or min(ay, by) >= bottom:
        return False
    start, end = 0.0, 1.0
    for step, near in (
        (ax - bx, ax - left),
        (bx - ax, right - ax),
        (ay - by, ay - top),
        (by - ay, bottom - ay),
    ):
        if step == 0:
            continue  # parallel, and not outside
        if step < 0:
            start = max(start, near / step)
        else:
            end = min(end, near / step)
    return start < end


def distance(polygons: list[Polygon], extent: Extent) -> float:
    """Return how far an extent lies inside an area, in mm; less than 0 where it sticks out."""
    nearest = min(
        _to_segment(x, y, a, b)
        for polygon in polygons
        for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
        for x in (extent[0], extent[2])
        for y in (extent[1], extent[3])
    )
    return nearest if relation(polygons, extent) == "around" else -nearest


def _to_segment(x: float, y: float, a: tuple[float, float], b: tuple[float, float]) -> float:
    ax, ay = a
    dx, dy = b[0] - ax, b[1] - ay
    square = dx * dx + dy * dy
    t = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / square)) if square else 0.0
    return float(((x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2) ** 0.5)
