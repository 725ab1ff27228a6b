"""What a picture file is read as: frozen values that say how large it is and hold its content.

`Raster` is pixels, ready to be an image of a PDF; `Vector` is a drawing, an SVG file or a page of
a PDF file. Both are an `Art`: enough to lay it out. How they get into a PDF: `embed.py`.
"""

from pathlib import PurePath
from typing import Literal, Protocol

import msgspec

from stonehand.scene import ArtLike
from stonehand.source.problems import Location

Kind = Literal["png", "jpeg", "webp", "tiff", "gif", "svg", "pdf"]

SUFFIXES: dict[str, Kind] = {
    ".png": "png",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".webp": "webp",
    ".tif": "tiff",
    ".tiff": "tiff",
    ".gif": "gif",
    ".svg": "svg",
    ".pdf": "pdf",
}
NAMES = {"png": "PNG", "jpeg": "JPEG", "webp": "WebP", "tiff": "TIFF", "gif": "GIF"}
READABLE = "PNG, JPEG, WebP, TIFF, GIF, SVG or PDF"


class Art(ArtLike, Protocol):
    """A picture as layout sees it.

    Its `key` is equal for equal content, whatever the files are called (SHA-256, with the page of
    a PDF); its `aspect` is width over height as it is seen.
    """

    @property
    def where(self) -> str:
        """The name of the file as people see it."""

    @property
    def tintable(self) -> bool:
        """Whether it has a shape that can be drawn in one colour."""


class Raster(msgspec.Struct, frozen=True):
    """Pixels as a PDF stores them, 8 bits a channel, not yet turned.

    The file is called `where` as people see it, and was named at the place `at`.
    `width` and `height` are px as seen; `turn` is the EXIF orientation (1-8) that leads from the
    stored rows to what is seen. `data` is a whole JPEG file ("dct") or deflated rows with PNG
    predictors ("flate"), `mask` the alpha in the latter form. `inverted` says that 0 is full ink
    (CMYK as Adobe writes it). `profile` is an ICC profile where colours are not sRGB.
    """

    key: str
    where: str
    at: Location
    width: int
    height: int
    dpi: tuple[float, float] | None
    data: bytes
    filter: Literal["dct", "flate"]
    colour: Literal["gray", "rgb", "cmyk"]
    inverted: bool = False
    mask: bytes | None = None
    profile: bytes | None = None
    turn: int = 1
    bits: Literal[8] = 8

    @property
    def aspect(self) -> float:
        """Width over height, as it is seen."""
        return self.width / self.height

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in px, as it is seen."""
        return self.width, self.height

    @property
    def tintable(self) -> bool:
        """True if it has transparency: that is its shape."""
        return self.mask is not None


class Vector(msgspec.Struct, frozen=True):
    """A drawing and its natural size in mm; `source` is the file, `page` counts from 1."""

    key: str
    where: str
    width: float
    height: float
    kind: Literal["svg", "pdf"]
    source: bytes
    page: int = 1

    @property
    def aspect(self) -> float:
        """Width over height, as it is seen."""
        return self.width / self.height

    @property
    def pixels(self) -> None:
        """It has none."""

    @property
    def tintable(self) -> bool:
        """Drawings always are."""
        return True


_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"II+\0", "TIFF"),
    (b"MM\0+", "TIFF"),
    (b"%!PS", "EPS"),
    (b"\xc5\xd0\xd3\xc6", "EPS"),
    (b"8BPS", "PSD"),
    (b"SIMPLE  =", "FITS"),
    (b"BM", "BMP"),
    (b"\0\0\1\0", "ICO"),
    (b"\0\0\0\x0cjP  ", "JPEG 2000"),
    (b"\xff\x0a", "JPEG XL"),
    (b"\0\0\0\x0cJXL ", "JPEG XL"),
    (b"gimp xcf", "XCF"),
    (b"PK\3\4", "ZIP"),
    (b"\x1f\x8b", "gzip"),
)


def format_of(data: bytes) -> str:
    """Return the name of the format that the first bytes tell, "" if they tell none."""
    for signature, name in _SIGNATURES:
        if data.startswith(signature):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data[4:8] == b"ftyp":
        return "AVIF" if data[8:12] in (b"avif", b"avis") else "HEIC"
    if b"%PDF-" in data[:1024]:
        return "PDF"
    start = data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"<?xml", b"<svg", b"<!")):
        return "SVG" if b"<svg" in data[:65536] else "XML"
    return ""


def mislabelled(data: bytes, name: str) -> str:
    """Return what the content is if that is not what the suffix of `name` says, else ""."""
    kind = SUFFIXES[PurePath(name).suffix.lower()]
    found = format_of(data)
    if kind == "svg":  # any XML may yet be SVG, and what is none is told by its reader
        return "" if found == "XML" else found.replace("SVG", "")
    return "" if found == NAMES.get(kind, "PDF") else found
