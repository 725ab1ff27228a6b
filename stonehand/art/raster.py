"""The one door through which raster files are opened: bytes in, a `Raster` or a fault out.

Only the five formats people use for art are tried, whatever else Pillow reads (it would start
Ghostscript for an EPS named .png). The number of pixels is bounded by what the header says, before
anything is decoded. What a file holds is kept where a PDF can hold it too: the bytes of a JPEG
file, the rows of an 8-bit PNG file, a colour profile, and an EXIF turn, which becomes part of the
placing. All else is decoded and stored as deflated rows with PNG predictors.
"""

import hashlib
import io
import math
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple

from stonehand.art import png
from stonehand.art.picture import Raster
from stonehand.source.problems import Problems, StonehandError, fault
from stonehand.source.text import Text

if TYPE_CHECKING:
    from PIL import Image

PIXEL_LIMIT = 50_000_000  # a 300 dpi poster of 60 x 60 cm; Pillow only warns, and at 89,478,485
_FORMATS = ("PNG", "JPEG", "WEBP", "TIFF", "GIF")
_ORIENTATION = 0x0112  # EXIF 2.32, table 4
_SIMPLER = {
    "1": "L",
    "La": "LA",
    "P": "RGB",
    "PA": "RGBA",
    "RGBX": "RGB",
    "RGBa": "RGBA",
    "YCbCr": "RGB",
    "HSV": "RGB",
}


class _Stored(NamedTuple):
    size: tuple[int, int]
    data: bytes
    filter: Literal["dct", "flate"]
    colour: Literal["gray", "rgb", "cmyk"]
    inverted: bool = False
    mask: bytes | None = None


def read(data: bytes, name: Text, problems: Problems | None = None) -> Raster:
    """Return the picture in a file that was named `name`.

    Faults: damaged, cut off, too large, a kind of pixel that can't be printed. Warnings: a broken
    colour profile, an animation (its first picture is used).
    """
    notes: list[tuple[str, str]] = []  # codes and messages
    with _explained(name), opened(data, name) as image:
        stored = _stored(image, data, name)
        if image.format in _FORMATS and getattr(image, "is_animated", False):
            message = f"'{name}' holds several pictures; the first is used"
            notes.append(("several-pictures", message))
        turn = _turn(image)
        profile = _profile(image, name, notes) if stored.colour == "rgb" else None
        dpi = _dpi(image)
    if problems:
        for code, message in notes:
            problems.finding(code, name.at, message)
    size = stored.size
    if turn >= 5:  # lies on its side
        size, dpi = size[::-1], dpi and dpi[::-1]
    key = hashlib.sha256(data).hexdigest()
    return Raster(
        key=key,
        where=str(name),
        at=name.at,
        width=size[0],
        height=size[1],
        dpi=dpi,
        data=stored.data,
        filter=stored.filter,
        colour=stored.colour,
        inverted=stored.inverted,
        mask=stored.mask,
        profile=profile,
        turn=turn,
    )


def check(data: bytes, name: Text) -> int:
    """Decode a picture that another program will draw; return its pixels, or raise its faults."""
    with _explained(name), opened(data, name) as image:
        _whole(image, data)
        return image.width * image.height


@contextmanager
def opened(data: bytes, name: Text) -> Iterator["Image.Image"]:
    """Open a picture for one block, after its header passed the limit on pixels."""
    from PIL import Image

    with warnings.catch_warnings(), _limited(PIXEL_LIMIT):
        warnings.simplefilter("ignore")  # of oddities in the metadata
        try:
            image = Image.open(io.BytesIO(data), formats=_FORMATS)
        except Image.DecompressionBombError:
            raise _too_large(name, _size(data)) from None
        with image:
            if not image.width or not image.height:
                raise fault(name.at, f"picture '{name}' is empty ({image.width} x {image.height})")
            yield image


@contextmanager
def _limited(pixels: int | None) -> Iterator[None]:
    """Let Pillow refuse whatever has more pixels, also where it is not the size of the picture."""
    from PIL import Image

    before = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = pixels and pixels // 2  # it refuses what has twice as many
    try:
        yield
    finally:
        Image.MAX_IMAGE_PIXELS = before


def _size(data: bytes) -> tuple[int, int]:
    """Return the size that the header of a picture too large for Pillow says."""
    from PIL import Image

    # when these are opened, memory for the pixels is taken
    if data.startswith(b"GIF"):
        width, height = struct.unpack_from("<HH", data, 6)
        return width, height
    if data[8:12] == b"WEBP":
        return _webp_size(data)
    with _limited(None), Image.open(io.BytesIO(data), formats=_FORMATS) as image:
        return image.size


def _webp_size(data: bytes) -> tuple[int, int]:
    """Return what the header of a WebP file says (RFC 9649, 2.5 to 2.7)."""
    if data[12:16] == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if data[12:16] == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    width, height = struct.unpack_from("<HH", data, 26)
    return width & 0x3FFF, height & 0x3FFF


@contextmanager
def _explained(name: Text) -> Iterator[None]:
    """Turn whatever reading a bad file raises into its fault.

    Pillow has no exception of its own for bad content: OSError, ValueError, SyntaxError,
    struct.error, EOFError, KeyError and others were all seen.
    """
    from PIL.Image import DecompressionBombError

    try:
        yield
    except StonehandError:
        raise
    except (DecompressionBombError, MemoryError):
        raise _too_large(name) from None
    except Exception as error:
        hint = "open it in a picture editor and save it again"
        raise fault(name.at, f"picture '{name}' is damaged", hint) from error


def _too_large(name: Text, size: tuple[int, int] = (0, 0)) -> StonehandError:
    message = f"picture '{name}' has more than {PIXEL_LIMIT // 1_000_000} million pixels"
    if size[0] * size[1] > PIXEL_LIMIT:  # else it is some other size, such as that of a tile
        message += f" ({size[0]:,} x {size[1]:,})"
    return fault(name.at, message)


def _whole(image: "Image.Image", data: bytes) -> None:
    """Decode all pixels; a file cut off or with a wrong checksum raises."""
    if image.format == "PNG":
        png.plain_rows(data)
    image.load()


def _stored(image: "Image.Image", data: bytes, name: Text) -> _Stored:
    size = image.size
    if image.format in ("JPEG", "MPO"):
        colour = _jpeg_colour(data)
        if colour:
            # Adobe writes CMYK inverted, and what it wrote carries its mark
            inverted = colour == "cmyk" and "adobe" in image.info
            image.draft("L", (1, 1))  # an eighth of the size reads all the data in less time
            image.load()
            return _Stored(size, data, "dct", colour, inverted)
    if image.format == "PNG":
        rows = png.plain_rows(data)
        if rows:
            return _Stored(size, rows, "flate", "gray" if image.mode == "L" else "rgb")
    image.load()
    return _encoded(image, name)


def _jpeg_colour(data: bytes) -> Literal["gray", "rgb", "cmyk", ""]:
    """Return the colours of a JPEG file that every PDF reader decodes, "" for rarer ones."""
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            # SOF0-2 (ITU-T T.81 B.2.2): baseline, extended, progressive; precision 8
            if marker > 0xC2 or data[at + 4] != 8:
                return ""
            names = data[at + 10 : at + 10 + 3 * data[at + 9] : 3]
            if names == b"RGB":  # without Adobe's mark, PDF readers would take it for YCbCr
                return ""
            colours: dict[int, Literal["gray", "rgb", "cmyk"]] = {1: "gray", 3: "rgb", 4: "cmyk"}
            return colours.get(len(names), "")
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return ""


def _encoded(image: "Image.Image", name: Text) -> _Stored:
    """Return decoded pixels as deflated rows, transparency apart."""
    from PIL import Image

    mode = image.mode
    if mode.startswith("I;16"):
        # Pillow's own conversion turns all above 255 white; the high byte is the 8-bit value
        high = image.tobytes()[0 if mode == "I;16B" else 1 :: 2]
        plain: Image.Image = Image.frombytes("L", image.size, high)
    elif "transparency" in image.info and mode in ("1", "L", "P", "RGB"):
        plain = image.convert("RGBA")
    else:
        plain = image.convert(_SIMPLER[mode]) if mode in _SIMPLER else image  # and not a copy
    if plain.mode not in ("L", "LA", "RGB", "RGBA", "CMYK"):
        hint = "save it as RGB or gray with 8 or 16 bits a channel"
        raise fault(name.at, f"picture '{name}' has pixels of a kind not printed ({mode})", hint)
    mask = None
    if plain.mode in ("LA", "RGBA"):
        alpha = plain.getchannel("A")
        mask = None if alpha.getextrema() == (255, 255) else _rows(alpha)
        plain = plain.convert(plain.mode[:-1])
    if plain.mode == "CMYK":
        # PNG has no CMYK, but its rows with four channels of any meaning are what a PDF wants
        four = Image.frombytes("RGBA", plain.size, plain.tobytes())
        return _Stored(plain.size, _rows(four), "flate", "cmyk")
    return _Stored(
        plain.size, _rows(plain), "flate", "gray" if plain.mode == "L" else "rgb", mask=mask
    )


def _rows(image: "Image.Image") -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=4)  # a third of the time of 6 for 8 % more bytes
    return png.rows(file.getvalue())


def _turn(image: "Image.Image") -> int:
    """Return the EXIF orientation, 1 (upright) where it is missing or senseless."""
    if image.format == "PNG" and not {"exif", "Raw profile type exif"} & image.info.keys():
        return 1  # Pillow would decode the picture to look for it behind the rows
    try:
        turn = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # metadata nobody sees is no reason to refuse a picture
        return 1
    return turn if isinstance(turn, int) and 1 <= turn <= 8 else 1


def _profile(image: "Image.Image", name: Text, notes: list[tuple[str, str]]) -> bytes | None:
    """Return the RGB profile of a picture whose colours are not sRGB."""
    icc = image.info.get("icc_profile")
    if not icc:
        return None
    from PIL import ImageCms

    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
        title = ImageCms.getProfileDescription(profile)
        fits = profile.profile.xcolor_space == "RGB "
    except (OSError, ValueError, ImageCms.PyCMSError):
        fits, title = False, ""
    if not fits:
        message = f"'{name}' has a broken colour profile; its colours are taken as sRGB"
        notes.append(("broken-profile", message))
        return None
    return None if "sRGB" in title else bytes(icc)


def _dpi(image: "Image.Image") -> tuple[float, float] | None:
    try:
        x, y = (float(value) for value in image.info["dpi"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None
    return (x, y) if all(math.isfinite(value) and value >= 1 for value in (x, y)) else None
