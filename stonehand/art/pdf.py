"""A page of a PDF file as art: only what the page paints is taken.

A file must be whole: qpdf would repair a truncated one, and half a drawing could print. Notes,
links, forms, scripts and attachments stay behind, as they are no part of a page's content.
"""

import hashlib
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from stonehand.art.picture import Vector
from stonehand.source.problems import Location, StonehandError, fault
from stonehand.source.text import Text

if TYPE_CHECKING:
    import pikepdf

UNPACKED_LIMIT = 100_000_000  # bytes of one stream; deflate can pack a thousand into one
_TURNS = {0: 1, 90: 6, 180: 3, 270: 8}  # /Rotate as an EXIF orientation

Box = tuple[float, float, float, float]


class File(NamedTuple):
    """A PDF file that was opened, and the SHA-256 of its content."""

    pdf: "pikepdf.Pdf"
    data: bytes
    digest: str


@contextmanager
def bounded(at: Location, name: str) -> Iterator[None]:
    """Read PDF content under a limit on what it unpacks to; what qpdf finds wrong is a fault."""
    import pikepdf
    from pikepdf.settings import set_qpdf_limits

    before: dict[str, Any] = set_qpdf_limits(
        flate_max_memory=UNPACKED_LIMIT,
        run_length_max_memory=UNPACKED_LIMIT,
        png_max_memory=UNPACKED_LIMIT,
        tiff_max_memory=UNPACKED_LIMIT,
        max_stream_filters=4,
    )
    try:
        yield
    except StonehandError:
        raise
    except pikepdf.PasswordError:
        hint = "save it without a password"
        raise fault(at, f"'{name}' is password protected", hint) from None
    except Exception as error:  # pikepdf raises its own, ValueError, TypeError, KeyError and others
        hint = "export it again"
        raise fault(at, f"'{name}' is damaged", hint) from error
    finally:
        set_qpdf_limits(**before)


def opened(data: bytes, name: Text) -> File:
    """Return a PDF file that is whole and not encrypted, even with an empty password."""
    import pikepdf

    with bounded(name.at, name):
        pdf = pikepdf.open(io.BytesIO(data), attempt_recovery=False, suppress_warnings=True)
        if pdf.is_encrypted:
            raise pikepdf.PasswordError
        count = len(pdf.pages)
        if pdf.get_warnings():
            raise ValueError("qpdf had to guess")
    if not count:
        raise fault(name.at, f"'{name}' has no pages")
    return File(pdf, data, hashlib.sha256(data).hexdigest())


def read(file: File, name: Text, number: int) -> Vector:
    """Return page `number` (from 1) of an opened PDF as art; its size is that of the crop box."""
    count = len(file.pdf.pages)
    if not 1 <= number <= count:
        raise fault(name.at, f"'{name}' has no page {number}", f"it has pages 1 to {count}")
    with bounded(name.at, name):
        page = file.pdf.pages[number - 1]
        (left, bottom, right, top), turn = placed(page)
        unit = float(page.obj.get("/UserUnit", 1)) * 25.4 / 72
        width, height = (right - left) * unit, (top - bottom) * unit
        content(page)
    if turn in (6, 8):
        width, height = height, width
    if not (0.01 < width < 20_000 and 0.01 < height < 20_000):
        raise fault(name.at, f"'{name}' has no usable size ({width:g} x {height:g} mm)")
    key = f"{file.digest}-{number}"
    return Vector(key, str(name), width, height, "pdf", file.data, number)


def placed(page: "pikepdf.Page") -> tuple[Box, int]:
    """Return the box that shows of a page, in its own units, and its turn as EXIF has it.

    The box is the crop box as far as it lies in the media box (ISO 32000-2, 14.11.2).
    """
    media, crop = (_ordered(box) for box in (page.mediabox, page.cropbox))
    left, bottom = max(media[0], crop[0]), max(media[1], crop[1])
    right, top = min(media[2], crop[2]), min(media[3], crop[3])
    if left >= right or bottom >= top:
        left, bottom, right, top = media
    return (left, bottom, right, top), _TURNS[page.rotation % 360]


def _ordered(box: "pikepdf.Array") -> Box:
    x1, y1, x2, y2 = (float(side) for side in box)
    return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)


def content(page: "pikepdf.Page") -> bytes:
    """Return what a page paints, its streams in one."""
    return b"\n".join(part.read_bytes() for part in _streams(page))


def copy_content(page: "pikepdf.Page", form: "pikepdf.Stream") -> None:
    """Give a form what a page paints, as it is packed where that is plain."""
    from pikepdf import Name

    streams = _streams(page)
    plain = len(streams) == 1 and streams[0].get("/Filter") == Name.FlateDecode
    if plain and "/DecodeParms" not in streams[0]:
        form.write(streams[0].read_raw_bytes(), filter=Name.FlateDecode)
    else:
        pack(form, content(page))


def _streams(page: "pikepdf.Page") -> "list[pikepdf.Object]":
    from pikepdf import Array

    found = page.obj.get("/Contents")
    return list(found) if isinstance(found, Array) else [] if found is None else [found]


def pack(stream: "pikepdf.Stream", data: bytes) -> None:
    """Give a stream its data, deflated."""
    from pikepdf import Name

    stream.write(zlib.compress(data), filter=Name.FlateDecode)
