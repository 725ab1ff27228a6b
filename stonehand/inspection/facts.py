"""The facts of a PDF file: bytes in, `PdfFacts` out; what is made of them is `press`'s business.

A file may come from anyone: it is read in one piece up to a size, its pages up to a number, what
they paint within a budget of steps, and its images within one of pixels. What was not looked at
is a fact of its own.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from io import BytesIO
from itertools import islice
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stonehand.art.pdf import bounded
from stonehand.inspection.content import Follower
from stonehand.inspection.document import Document, PageFacts, document, page_facts
from stonehand.inspection.fonts import FontFacts, font_facts
from stonehand.inspection.images import ImageFacts, described, dpi_of, size_of
from stonehand.inspection.marks import (
    Budget,
    Colour,
    ExhaustedError,
    Feature,
    Key,
    Linear,
    Marks,
    narrowest,
)
from stonehand.source.files import read_bytes, shown
from stonehand.source.problems import Location, fault

if TYPE_CHECKING:
    from pikepdf import Pdf

FILE_LIMIT = 500_000_000  # bytes; a deck of 100 uncompressed faces at 300 dpi has about 400 MB
PAGE_LIMIT = 2_000
STEP_LIMIT = 4_000_000  # operators followed; some ten seconds
PIXELS = 200_000_000  # of all images that are unpacked to measure their ink

Pages = tuple[int, ...]
_BUFFER = re.compile(r"<_io\.BytesIO[^>]*>\s*")  # qpdf names the file so, which was read before


class PdfFacts(NamedTuple):
    """The facts of a file; where something stands is told by the numbers of pages, from 1."""

    file: str
    bytes: int
    document: Document
    page_count: int  # of all there are
    pages: tuple[PageFacts, ...]  # those that were looked at
    unread: Pages  # pages whose content was not followed: there was too much
    broken: dict[str, Pages]  # what can't be read
    mended: str  # what qpdf had to guess, or nothing
    fonts: tuple[FontFacts, ...]
    images: tuple[ImageFacts, ...]
    colours: dict[Colour, Pages]
    features: dict[Feature, Pages]
    lines: dict[float, Pages]  # widths in points
    texts: dict[tuple[float, int], Pages]  # sizes in points, and numbers of inks


def read_facts(path: Path) -> PdfFacts:
    """Return the facts of a file; one that is no PDF, is damaged or has a password is a fault."""
    import pikepdf

    data = read_bytes(path, FILE_LIMIT)
    at = Location(shown(path))
    if b"%PDF-" not in data[:1024]:  # PDF 32000-1, annex H.3.4.1
        raise fault(at, "not a PDF file")
    with bounded(at, path.name), pikepdf.open(BytesIO(data), suppress_warnings=True) as pdf:
        if not len(pdf.pages):
            raise fault(at, "the file has no pages")
        return _facts(pdf, at.file, data)


class _Found:
    """What was found so far on which pages."""

    def __init__(self) -> None:
        self.pages: list[PageFacts] = []
        self.unread: list[int] = []
        self.broken: dict[str, set[int]] = defaultdict(set)
        self.fonts: dict[Key, set[int]] = defaultdict(set)
        self.images: dict[Key, tuple[float, set[int]]] = {}
        self.colours: dict[Colour, set[int]] = defaultdict(set)
        self.features: dict[Feature, set[int]] = defaultdict(set)
        self.lines: dict[float, set[int]] = defaultdict(set)
        self.texts: dict[tuple[float, int], set[int]] = defaultdict(set)

    def add(self, number: int, marks: Marks, follower: Follower) -> None:
        """Add what a page paints."""
        for key, matrix in marks.images:
            dpi = min(dpi_of(*size_of(follower.images[key][0]), matrix))
            before, pages = self.images.get(key, (dpi, set()))
            self.images[key] = (min(before, dpi), pages | {number})
        for width, matrix in marks.lines:
            self.lines[round(width * narrowest(matrix), 3)].add(number)
        for text in marks.texts:
            self.fonts[text.font].add(number)
            self.texts[round(_height(text.matrix), 2), text.inks].add(number)
        for colour in marks.colours:
            self.colours[colour].add(number)
        for feature in marks.features:
            known = (
                self.broken[feature.what] if feature.kind == "broken" else self.features[feature]
            )
            known.add(number)


def _height(matrix: Linear) -> float:
    """Return how high an em stands: its area by its width, whichever way it is turned."""
    a, b, c, d = matrix
    width = sqrt(a * a + b * b)
    return abs(a * d - b * c) / width if width else sqrt(c * c + d * d)


def _facts(pdf: "Pdf", file: str, data: bytes) -> PdfFacts:
    follower, found = Follower(Budget(STEP_LIMIT)), _Found()
    for number, page in enumerate(islice(pdf.pages, PAGE_LIMIT), 1):
        try:
            found.pages.append(page_facts(page, number))
            found.add(number, follower.page(page, page.resources), follower)
        except ExhaustedError:
            found.unread.append(number)
        except Exception:  # as in art/pdf.py: pikepdf raises almost anything for wrong content
            found.broken["content that can't be read"].add(number)
    pixels = Budget(PIXELS)
    mended = pdf.get_warnings()
    return PdfFacts(
        file=file,
        bytes=len(data),
        document=document(pdf, data),
        page_count=len(pdf.pages),
        pages=tuple(found.pages),
        unread=tuple(found.unread),
        broken={what: _sorted(pages) for what, pages in found.broken.items()},
        mended=_BUFFER.sub("", str(mended[0])) if mended else "",
        fonts=tuple(
            sorted(
                font_facts(font, _sorted(found.fonts.get(key, ())))
                for key, font in follower.fonts.items()
            )
        ),
        images=tuple(
            described(*follower.images[key], dpi, _sorted(pages), pixels)
            for key, (dpi, pages) in found.images.items()
        ),
        colours={colour: _sorted(pages) for colour, pages in found.colours.items()},
        features={feature: _sorted(pages) for feature, pages in found.features.items()},
        lines={width: _sorted(pages) for width, pages in sorted(found.lines.items())},
        texts={text: _sorted(pages) for text, pages in sorted(found.texts.items())},
    )


def _sorted(pages: Iterable[int]) -> Pages:
    return tuple(sorted(pages))
