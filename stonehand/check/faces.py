"""What a face will look like in print, measured on its marks: type, margins, lines, pictures."""

from collections.abc import Callable, Iterator
from math import hypot
from typing import NamedTuple

import msgspec

from stonehand.art.picture import Raster, Vector
from stonehand.cards.game import Limits
from stonehand.check.drawings import Drawing
from stonehand.check.ground import (
    Laid,
    contrast,
    distance,
    ground,
    laid,
)
from stonehand.extents import Extent, union
from stonehand.scene import GlyphRun, Path, Picture, Scene, flattened
from stonehand.source.problems import Location
from stonehand.source.text import Text
from stonehand.source.units import MM_PER
from stonehand.typesetting.fonts import Face

SHARP = 300  # dpi; what print services ask for
STRETCHED = 0.02  # by how much of itself width over height may differ
DUST = 0.02  # mm
LARGE, LARGE_BOLD = 18.0, 14.0  # pt; WCAG's large type
LARGE_CONTRAST = 3.0


class Found(NamedTuple):
    """A finding about something on a face, in mm from the upper left of the trim."""

    code: str
    what: Text  # with its place
    extent: Extent
    message: str
    hint: str = ""


class Unclear(NamedTuple):
    """A text whose ground has to be looked at, as the marks behind it do not tell one colour."""

    what: Text
    extent: Extent
    colour: str
    needed: float
    behind: tuple[Laid, ...]


class _Type(msgspec.Struct):
    """What was seen of one text: the extents of its runs, its smallest size in pt."""

    smallest: float = 1e9
    extents: list[Extent] = []


DrawingOf = Callable[[Vector], Drawing]
"""Tells what is in a drawing."""


def findings(
    scene: Scene, safe: float, limits: Limits, drawing: DrawingOf | None = None
) -> Iterator[Found | Unclear]:
    """Yield what is wrong with a face, whose margin is `safe` mm; look into drawings if told how.

    Marks without an origin are passed over: they continue others.
    """
    texts: dict[tuple[str, Location], _Type] = {}
    below: list[Laid] = []
    for item in laid(scene):
        mark = item.mark
        what = item.origin
        if isinstance(what, Text):
            if isinstance(mark, GlyphRun):
                seen = texts.setdefault((str(what), what.at), _Type())
                seen.smallest = min(seen.smallest, _points(item))
                left, top, right, bottom = item.extent
                if right > left and bottom > top:
                    seen.extents.append(item.extent)
                    yield from _contrast(item, mark, below, what, limits)
            elif isinstance(mark, Path):
                yield from _line(item, mark, what, limits)
            elif isinstance(mark, Picture):
                yield from _picture(item, mark, what, limits)
                if drawing and isinstance(mark.art, Vector):
                    yield from _drawing(item, mark, drawing(mark.art), what, limits)
        below.append(item)
    for (name, at), seen in texts.items():
        yield from _text(seen, Text(name, at), scene, safe, limits)


def _scale(item: Laid) -> tuple[float, float]:
    """Return by how much a mark is scaled across and down."""
    m = item.matrix
    return hypot(m.a, m.b), hypot(m.c, m.d)


def _points(item: Laid) -> float:
    """Return the size of type in print, in pt."""
    assert isinstance(item.mark, GlyphRun)
    return item.mark.size * min(_scale(item)) / MM_PER["pt"]


def _text(seen: _Type, what: Text, scene: Scene, safe: float, limits: Limits) -> Iterator[Found]:
    extent = union(seen.extents)
    if extent is None:
        return
    readable = limits.readable.mm / MM_PER["pt"]
    if seen.smallest < readable - 0.01:
        message = f"the text prints at {seen.smallest:.1f} pt"
        yield Found("small-text", what, extent, message, f"under {readable:g} pt is hard to read")
    inside = min(_inside(scene, one) for one in seen.extents)
    if inside < -DUST:
        message = f"the text goes {-inside:.1f} mm beyond the cut"
        yield Found("text-cut-off", what, extent, message, "it will be cut off")
    elif inside < safe - DUST:
        message = f"the text comes as near as {max(0.0, inside):.1f} mm to the cut"
        yield Found("text-near-cut", what, extent, message, f"{safe:g} mm are to be kept safe")


def _inside(scene: Scene, extent: Extent) -> float:
    """Return how far an extent lies inside of the cut, in mm; less than 0 where it sticks out."""
    left, top, right, bottom = extent
    across = min(left, scene.width - right)
    down = min(top, scene.height - bottom)
    if scene.shape is None and max(across, down) >= scene.corner:
        return min(across, down)
    return distance(flattened(scene.outline), extent)


def _contrast(
    item: Laid, run: GlyphRun, below: list[Laid], what: Text, limits: Limits
) -> Iterator[Found | Unclear]:
    bold = isinstance(run.face, Face) and run.face.weight >= 700
    needed = limits.contrast
    if _points(item) >= (LARGE_BOLD if bold else LARGE):
        needed = min(needed, LARGE_CONTRAST)
    behind = ground(below, item.extent)
    if not isinstance(behind, str):
        yield Unclear(what, item.extent, run.colour, needed, behind)
    elif message := faint(run.colour, behind, needed):
        yield Found("low-contrast", what, item.extent, message, f"{needed:g} to 1 is needed")


def faint(colour: str, behind: str, needed: float) -> str:
    """Return how little a colour stands out from what is behind it, "" if it does enough."""
    ratio = contrast(colour, behind)
    if ratio >= needed:
        return ""
    # rounded down: 4.49 is not 4.5
    return f"the text has a contrast of {int(ratio * 10) / 10:.1f} to 1, {colour} on {behind}"


def _line(item: Laid, path: Path, what: Text, limits: Limits) -> Iterator[Found]:
    if path.stroke:
        width = path.stroke.width * min(_scale(item))
        if width < limits.line.mm - 1e-6:
            hint = f"under {limits.line.mm:.3g} mm it may break up or vanish"
            message = f"the line of the {what} is {width:.3g} mm wide"
            yield Found("thin-line", what, item.extent, message, hint)


def _picture(item: Laid, mark: Picture, what: Text, limits: Limits) -> Iterator[Found]:
    across, down = _scale(item)
    width, height = mark.box.width * across, mark.box.height * down
    times = width / height / mark.art.aspect
    if abs(times - 1) > STRETCHED:
        message = f"the picture is stretched to {times:.2f} times its width"
        yield Found(
            "stretched-picture", what, item.extent, message, "use 'fit: contain' or 'cover'"
        )
    if mark.art.pixels:
        x, y = mark.art.pixels
        dpi = min(x / width, y / height) * 25.4
        if dpi < SHARP - 0.5:
            code = "coarse-picture" if dpi < limits.fine else "soft-picture"
            message = f"the picture prints at {dpi:.0f} dpi"
            message = f"{message}: {x} x {y} pixels on {width:.1f} x {height:.1f} mm"
            enough = " x ".join(str(round(mm / 25.4 * SHARP)) for mm in (width, height))
            coarse = f"it looks coarse under {limits.fine} dpi; " if dpi < limits.fine else ""
            hint = f"{coarse}{enough} pixels are sharp"
            yield Found(code, what, item.extent, message, hint)
    if isinstance(mark.art, Raster):
        has = Drawing(None, mark.art.colour == "cmyk", mark.art.mask is not None)
        yield from _drawing(item, mark, has, what, limits)


def _drawing(
    item: Laid, mark: Picture, has: Drawing, what: Text, limits: Limits
) -> Iterator[Found]:
    """Yield what is wrong with what a picture holds."""
    if has.press and mark.tint is None:
        message = "the picture has the colours of a press (CMYK)"
        yield Found("colour-space", what, item.extent, message, "convert it to sRGB")
    if has.transparent:
        message = "the picture is partly transparent"
        yield Found("transparency", what, item.extent, message)
    if has.thinnest is not None:
        across, down = _scale(item)
        width = has.thinnest * min(
            mark.box.width * across, mark.box.height * down * mark.art.aspect
        )
        if width < limits.line.mm - 1e-6:
            message = f"the drawing has lines of {width:.3f} mm"
            hint = f"under {limits.line.mm:.3g} mm they may break up or vanish"
            yield Found("thin-drawing", what, item.extent, message, hint)
