"""The pictures of a run: each file is read once, SVG files are converted together at first need."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from stonehand.art import draw, pdf, raster, svg
from stonehand.art.picture import READABLE, SUFFIXES, Art, Vector, mislabelled
from stonehand.source.files import PICTURE_LIMIT, read_bytes, shown
from stonehand.source.problems import Problems, fault
from stonehand.source.text import Text

if TYPE_CHECKING:
    import pikepdf


class ArtLibrary:
    """Reads art and keeps it; warnings go to `problems`, faults are raised."""

    def __init__(self, problems: Problems | None = None) -> None:
        self._problems = problems
        self._loaded: dict[tuple[Path, int], Art] = {}
        self._waiting: dict[str, Vector] = {}  # SVG by key, until all are converted together
        self._pages: dict[str, tuple[pikepdf.Pdf, pikepdf.Page]] = {}
        self._files: dict[Path, pdf.File] = {}

    @property
    def files(self) -> set[Path]:
        """All files that were read."""
        return {path for path, _ in self._loaded}

    def without(self, changed: Collection[Path], problems: Problems) -> "ArtLibrary":
        """Return a library for the next run, which reads again only files that have changed."""
        made = ArtLibrary(problems)
        made._loaded = {key: art for key, art in self._loaded.items() if key[0] not in changed}
        made._files = {path: file for path, file in self._files.items() if path not in changed}
        kept = {art.key for art in made._loaded.values()}
        made._waiting = {key: art for key, art in self._waiting.items() if key in kept}
        made._pages = {key: page for key, page in self._pages.items() if key in kept}
        return made

    def load(self, path: Path, name: Text, page: int = 1) -> Art:
        """Return the art in a file that someone named `name`; `page` counts from 1, in PDF files.

        The same content has the same key, whatever its files are called. Faults stand where the
        file was named, those of SVG in the SVG file.
        """
        where = (path, page)
        if where not in self._loaded:
            self._loaded[where] = self._read(path, name, page)
        return self._loaded[where]

    def pages_of(self, path: Path) -> int:
        """Return how many pages a file has that was loaded: one, unless it is a PDF."""
        return len(self._files[path].pdf.pages) if path in self._files else 1

    def _read(self, path: Path, name: Text, page: int) -> Art:
        kind = SUFFIXES.get(path.suffix.lower())
        if kind is None:
            raise fault(name.at, f"'{name}' is no picture", f"art is {READABLE}")
        if path in self._files:
            return self._page(path, name, page)
        data = read_bytes(path, PICTURE_LIMIT, name.at)
        if not data:
            raise fault(name.at, f"picture '{name}' is empty")
        if found := mislabelled(data, path.name):
            raise fault(name.at, f"picture '{name}' is {found}, named {path.suffix}")
        if kind != "pdf" and page != 1:
            raise fault(name.at, f"'{name}' has no page {page}", "only PDF files have pages")
        if kind == "pdf":
            self._files[path] = pdf.opened(data, name)
            return self._page(path, name, page)
        if kind == "svg":
            drawing = svg.read(data, shown(path))
            if drawing.key not in self._pages:
                self._waiting.setdefault(drawing.key, drawing)
            return drawing
        return raster.read(data, name, self._problems)

    def _page(self, path: Path, name: Text, number: int) -> Vector:
        file = self._files[path]
        art = pdf.read(file, name, number)
        self._pages.setdefault(art.key, (file.pdf, file.pdf.pages[number - 1]))
        return art

    def convert(self) -> None:
        """Draw all SVG files loaded so far; those that can't be drawn are raised together."""
        if self._waiting:
            drawn = draw.pages(list(self._waiting.values()))
            for key, page in zip(self._waiting, drawn.pages, strict=True):
                self._pages[key] = drawn, page
            self._waiting.clear()

    def page(self, art: Vector) -> "tuple[pikepdf.Pdf, pikepdf.Page]":
        """Return a drawing this library loaded as a page of a PDF, and that PDF."""
        if art.key not in self._pages:
            self._waiting.setdefault(art.key, art)
            self.convert()
        return self._pages[art.key]
