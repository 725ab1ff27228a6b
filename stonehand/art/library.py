"""The pictures of a run: each file is read once, SVG files are converted together at first need."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from stonehand.art import draw, pdf, raster, svg
from stonehand.art.picture import READABLE, SUFFIXES, Art, Vector, mislabelled
from stonehand.source.files import PICTURE_LIMIT, read_bytes, shown
from stonehand.source.problems import Problem, Problems, fault
from stonehand.source.text import Text
from stonehand.source.trace import Trace, note_again, traced

if TYPE_CHECKING:
    import pikepdf


class _Read(msgspec.Struct, frozen=True):
    """A picture, what was found in it, and what was looked at to read it."""

    art: Art
    found: tuple[Problem, ...]
    trace: Trace


class Shelf(msgspec.Struct):
    """Pictures that several libraries share."""

    read: dict[tuple[Path, int], _Read] = {}
    waiting: dict[str, Vector] = {}  # SVG by key, to be drawn together
    pages: dict[str, "tuple[pikepdf.Pdf, pikepdf.Page]"] = {}
    files: dict[Path, tuple[pdf.File, Trace]] = {}

    def refresh(self, same: Callable[[Trace], bool]) -> None:
        """Forget what was read from files that are no longer the same."""
        self.read = {where: read for where, read in self.read.items() if same(read.trace)}
        self.files = {path: file for path, file in self.files.items() if same(file[1])}
        keys = {read.art.key for read in self.read.values()}
        self.pages = {key: page for key, page in self.pages.items() if key in keys}
        self.waiting = {key: art for key, art in self.waiting.items() if key in keys}


class ArtLibrary:
    """Reads art and keeps it; warnings go to `problems`, faults are raised."""

    def __init__(self, problems: Problems | None = None, shelf: Shelf | None = None) -> None:
        """Begin with nothing read, or with what libraries of the same shelf have read."""
        self._problems = problems
        self.shelf = shelf or Shelf()
        self._loaded: dict[tuple[Path, int], Art] = {}

    @property
    def files(self) -> set[Path]:
        """All files that were read."""
        return {path for path, _ in self._loaded}

    def without(self, changed: Collection[Path], problems: Problems) -> "ArtLibrary":
        """Return a library for the next run, which reads again only files that have changed."""
        shelf = self.shelf
        read = {where: one for where, one in shelf.read.items() if where[0] not in changed}
        keys = {one.art.key for one in read.values()}
        waiting = {key: art for key, art in shelf.waiting.items() if key in keys}
        pages = {key: page for key, page in shelf.pages.items() if key in keys}
        files = {path: file for path, file in shelf.files.items() if path not in changed}
        return ArtLibrary(problems, Shelf(read, waiting, pages, files))

    def load(self, path: Path, name: Text, page: int = 1) -> Art:
        """Return the art in a file that someone named `name`; `page` counts from 1, in PDF files.

        The same content has the same key, whatever its files are called. Faults stand where the
        file was named, those of SVG in the SVG file.
        """
        where = (path, page)
        if where not in self._loaded:
            read = self.shelf.read.get(where)
            if read is None:
                read = self._first(path, name, page)
                self.shelf.read[where] = read
            else:
                note_again(read.trace)
                self._tell(read.found)
            self._loaded[where] = read.art
        return self._loaded[where]

    def pages_of(self, path: Path) -> int:
        """Return how many pages a file has that was loaded: one, unless it is a PDF."""
        return len(self.shelf.files[path][0].pdf.pages) if path in self.shelf.files else 1

    def _first(self, path: Path, name: Text, page: int) -> _Read:
        found = Problems()
        with traced() as trace:
            try:
                return _Read(self._read(path, name, page, found), tuple(found), trace)
            finally:
                self._tell(found)

    def _tell(self, found: Iterable[Problem]) -> None:
        if self._problems is not None:
            self._problems.add(found)

    def _read(self, path: Path, name: Text, page: int, problems: Problems) -> Art:
        kind = SUFFIXES.get(path.suffix.lower())
        if kind is None:
            raise fault(name.at, f"'{name}' is no picture", f"art is {READABLE}")
        if path in self.shelf.files:
            note_again(self.shelf.files[path][1])
            return self._page(path, name, page)
        with traced() as trace:
            data = read_bytes(path, PICTURE_LIMIT, name.at)
        if not data:
            raise fault(name.at, f"picture '{name}' is empty")
        if found := mislabelled(data, path.name):
            raise fault(name.at, f"picture '{name}' is {found}, named {path.suffix}")
        if kind != "pdf" and page != 1:
            raise fault(name.at, f"'{name}' has no page {page}", "only PDF files have pages")
        if kind == "pdf":
            self.shelf.files[path] = pdf.opened(data, name), trace
            return self._page(path, name, page)
        if kind == "svg":
            drawing = svg.read(data, shown(path))
            if drawing.key not in self.shelf.pages:
                self.shelf.waiting.setdefault(drawing.key, drawing)
            return drawing
        return raster.read(data, name, problems)

    def _page(self, path: Path, name: Text, number: int) -> Vector:
        file, _ = self.shelf.files[path]
        art = pdf.read(file, name, number)
        self.shelf.pages.setdefault(art.key, (file.pdf, file.pdf.pages[number - 1]))
        return art

    def convert(self) -> None:
        """Draw all SVG files loaded so far; those that can't be drawn are raised together."""
        waiting = self.shelf.waiting
        if waiting:
            drawn = draw.pages(list(waiting.values()))
            for key, page in zip(waiting, drawn.pages, strict=True):
                self.shelf.pages[key] = drawn, page
            waiting.clear()

    def page(self, art: Vector) -> "tuple[pikepdf.Pdf, pikepdf.Page]":
        """Return a drawing this library loaded as a page of a PDF, and that PDF."""
        if art.key not in self.shelf.pages:
            self.shelf.waiting.setdefault(art.key, art)
            self.convert()
        return self.shelf.pages[art.key]
