"""Images in a PDF: their size in print, and the most ink that a pixel takes.

Sizes and dots per inch come from the dictionary and the matrix alone (PDF 32000-1, 8.9.5), so that
an image of any size costs nothing. Only images made of inks are unpacked, within a budget.
"""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from stonehand.inspection.colours import Space
from stonehand.inspection.marks import Budget, ExhaustedError, Linear, filters_of

if TYPE_CHECKING:
    from PIL import Image

PIXEL_LIMIT = 40_000_000  # of one image that is unpacked to measure its ink: A4 at 600 dpi
_BAND = 1_000_000  # pixels that are added up at once


class ImageFacts(NamedTuple):
    """An image; `dpi` is where it is coarsest, `ink` in percent, None where it is not known."""

    width: int
    height: int
    bits: int
    colours: str
    filters: tuple[str, ...]
    dpi: float | None
    ink: float | None
    pages: tuple[int, ...]


def dpi_of(width: int, height: int, matrix: Linear) -> tuple[float, float]:
    """Return the dots per inch across and down of an image, whose unit square a matrix (pt) scales.

    One without any extent has none that can be seen, which is infinity.
    """
    a, b, c, d = matrix
    across, down = math.hypot(a, b), math.hypot(c, d)
    return (
        width * 72 / across if across else math.inf,
        height * 72 / down if down else math.inf,
    )


def size_of(image: Any) -> tuple[int, int]:
    """Return the width and height of an image in pixels, without unpacking it."""
    said = getattr(image, "obj", image)
    return int(said.get("/Width", 0)), int(said.get("/Height", 0))


def described(
    image: Any, space: Space | None, dpi: float, pages: tuple[int, ...], pixels: Budget
) -> ImageFacts:
    """Return the facts of an image or inline image; `space` is None for a mask."""
    said = getattr(image, "obj", image)
    width, height = size_of(image)
    bits = 1 if space is None else int(said.get("/BitsPerComponent", 8))
    filters = tuple(filters_of(said))
    try:
        ink = _most_ink(image, space, (width, height), bits, filters, pixels)
    except Exception:  # what can't be unpacked has no known ink; Pillow and qpdf raise anything
        ink = None
    name = space.name if space else "mask"
    seen = dpi if math.isfinite(dpi) and min(width, height) > 1 else None  # else it is a fill
    return ImageFacts(width, height, bits, name, filters, seen, ink, pages)


def _most_ink(
    image: Any,
    space: Space | None,
    size: tuple[int, int],
    bits: int,
    filters: tuple[str, ...],
    pixels: Budget,
) -> float | None:
    """Return the most ink that a pixel of an image takes in percent, if that can be found out."""
    colours = space.base if space and space.palette else space
    if not space or not colours or colours.family not in ("cmyk", "spot"):
        return None
    channels = colours.channels
    if space.palette:
        rows = (space.palette[i : i + channels] for i in range(0, len(space.palette), channels))
        return max(sum(row) for row in rows) / 2.55
    if bits != 8 or size[0] * size[1] > PIXEL_LIMIT:
        return None
    try:
        pixels.spend(size[0] * size[1])
    except ExhaustedError:
        return None
    inverted = _inverted(image, channels)
    if inverted is None:
        return None
    from PIL import ImageChops, ImageMath

    most = 0
    jpeg = filters == ("DCTDecode",)
    for planes in _jpeg(image, size) if jpeg else _raw(image, channels):
        whole = [ImageChops.invert(plane) for plane in planes] if inverted else planes
        named = {f"p{number}": plane for number, plane in enumerate(whole)}
        # given together with the functions that an expression may use
        added = ImageMath.lambda_eval(lambda given: sum(given[name] for name in named), **named)  # noqa: B023 -- called at once
        most = max(most, int(added.getextrema()[1]))
    return most / 2.55


def _inverted(image: Any, channels: int) -> bool | None:
    """Tell whether the values of an image stand for their opposites; None if they do otherwise."""
    decode = [float(value) for value in getattr(image, "obj", image).get("/Decode", ())]
    if decode in ([], [0.0, 1.0] * channels):
        return False
    return True if decode == [1.0, 0.0] * channels else None


def _raw(image: Any, channels: int) -> "Iterator[list[Image.Image]]":
    """Yield the channels of an image of 8 bits, by bands."""
    from PIL import Image

    data = memoryview(image.read_bytes())
    for start in range(0, len(data), _BAND * channels):
        band = data[start : start + _BAND * channels]
        count = len(band) // channels
        yield [
            Image.frombytes("L", (count, 1), bytes(band[channel : count * channels : channels]))
            for channel in range(channels)
        ]


def _jpeg(image: Any, size: tuple[int, int]) -> "Iterator[list[Image.Image]]":
    """Yield the channels of a JPEG by bands, as stored: Pillow turns over those of CMYK."""
    from PIL import ImageChops

    from stonehand.art.raster import opened
    from stonehand.source.text import Text

    with opened(image.read_raw_bytes(), Text("image")) as picture:
        picture.load()
        rows = max(1, _BAND // size[0])
        for top in range(0, picture.height, rows):
            box = (0, top, picture.width, min(picture.height, top + rows))
            planes = picture.crop(box).split()
            turned = picture.mode == "CMYK"
            yield [ImageChops.invert(plane) if turned else plane for plane in planes]
