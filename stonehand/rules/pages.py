"""From pieces to pages: columns filled from top to bottom, running heads, page numbers.

Pieces that keep together form chunks; a chunk that does not fit goes to the next column. All
heights are whole lines of the grid, so baselines of columns agree.
"""

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from stonehand.rules.setting import Piece
from stonehand.rules.style import BookStyle
from stonehand.scene import Group, Mark, Matrix, Scene

DUST = 1e-6  # mm; what floating point may be off


class PageFormat(msgspec.Struct, frozen=True):
    """A page and its columns: x and width of each on a right-hand page, top and height; in mm."""

    style: BookStyle
    width: float
    height: float
    unit: float  # a line of the grid

    @property
    def column_width(self) -> float:
        """The width of a column, its hanging ids included."""
        style = self.style
        text = self.width - style.inner.mm - style.outer.mm
        return (text - style.gutter.mm * (style.columns - 1)) / style.columns

    @property
    def column_height(self) -> float:
        """The height of a column: as many whole lines as there is room for."""
        room = self.height - self.style.top.mm - self.style.bottom.mm
        return int(room / self.unit + 1e-6) * self.unit

    def column_x(self, column: int, page: int) -> float:
        """Return the left edge of a column; the spine is left on odd pages, right on even ones."""
        left = self.style.inner.mm if page % 2 else self.style.outer.mm
        return left + column * (self.column_width + self.style.gutter.mm)


COVER = 0.25  # of the first page's height; so much left empty makes it a cover


class MadePage(msgspec.Struct):
    """A page in the making: its marks, and the section it begins in, for the running head."""

    number: int
    marks: list[Group] = []
    title: str = ""


Decorate = Callable[[MadePage], list[Mark]]


def chunks(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return the runs of pieces that keep together."""
    made: list[list[Piece]] = []
    open_ = False
    for piece in pieces:
        if open_:
            made[-1].append(piece)
        else:
            made.append([piece])
        open_ = piece.keep
    return made


def fill(
    pieces: Sequence[Piece], layout: PageFormat, opening: Piece | None = None
) -> list[MadePage]:
    """Return pages filled with pieces; `opening` stands across the head of the first page.

    Where what follows leaves much of that page empty, as a title page of A5 is, what is there
    stands lower: as a cover, with half as much above it as below.
    """
    filler = _Filler(layout, opening)
    for chunk in chunks(pieces):
        height = sum(piece.height for piece in chunk) + sum(piece.before for piece in chunk[1:])
        while not filler.fits(chunk[0].before, height):
            filler.next_column()
        for piece in chunk:
            while not filler.fits(piece.before, piece.height):
                filler.next_column()  # the chunk is longer than a column: it parts somewhere
            filler.place(piece)
    first = filler.pages[0]
    if opening and layout.style.columns == 1 and filler.left > COVER * layout.column_height:
        lower = Matrix.shift(0, filler.left / 3 // layout.unit * layout.unit)
        first.marks = [replace(mark, matrix=lower.after(mark.matrix)) for mark in first.marks]
    return filler.pages


class _Filler:
    """Where the next piece goes."""

    def __init__(self, layout: PageFormat, opening: Piece | None) -> None:
        self.layout = layout
        self.pages = [MadePage(1)]
        self.section = ""  # in force where the next piece goes
        self.column = 0
        self.top = layout.style.top.mm
        self.bottom = self.top + layout.column_height
        if opening:
            self.pages[0].marks.append(opening.shifted(layout.column_x(0, 1), self.top))
            self.top += opening.height
        self.y = self.top
        self.left = 0.0  # mm of the first page that stay empty, known once it is left

    @property
    def at_top(self) -> bool:
        """Whether the column is empty."""
        return self.y <= self.top + DUST

    def fits(self, before: float, height: float) -> bool:
        """Tell whether there is room for something, or no use in looking for more."""
        whole = self.at_top and self.top == self.layout.style.top.mm
        before = 0.0 if self.at_top else before
        return whole or self.y + before + height <= self.bottom + DUST

    def next_column(self) -> None:
        """Go to the head of the next column, of the next page after the last one."""
        self.column += 1
        if self.column == self.layout.style.columns:
            if len(self.pages) == 1:
                self.left = self.bottom - self.y
            self.pages.append(MadePage(len(self.pages) + 1, title=self.section))
            self.column = 0
            self.top = self.layout.style.top.mm
        self.y = self.top

    def place(self, piece: Piece) -> None:
        """Put a piece where the column has come to; the space before it is lost at its head."""
        page = self.pages[-1]
        if piece.title:
            self.section = piece.title
            if not page.title or (self.at_top and not self.column):
                page.title = piece.title
        self.y += 0.0 if self.at_top else piece.before
        x = self.layout.column_x(self.column, page.number)
        page.marks.append(piece.shifted(x, self.y))
        self.y += piece.height


def scenes(pages: Sequence[MadePage], layout: PageFormat, decorate: Decorate) -> list[Scene]:
    """Return finished pages; what `decorate` adds comes before the text."""
    return [Scene(layout.width, layout.height, (*decorate(page), *page.marks)) for page in pages]
