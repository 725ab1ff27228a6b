"""From pieces to pages: columns filled from top to bottom, running heads, page numbers.

Pieces that keep together form chunks; a chunk that does not fit goes to the next column. All
heights are whole lines of the grid, so baselines of columns agree.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from stonehand.rules.setting import Piece
from stonehand.rules.style import BookStyle
from stonehand.scene import Mark, Scene


@dataclass(frozen=True)
class PageFormat:
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


@dataclass
class MadePage:
    """A page in the making: its marks, and the section in force at its end, for the head."""

    number: int
    marks: list[Mark] = field(default_factory=list)
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
    """Return pages filled with pieces; `opening` stands across the head of the first page."""
    pages = [MadePage(1)]
    top = layout.style.top.mm
    first = top
    if opening:
        pages[0].marks.append(opening.shifted(layout.column_x(0, 1), top))
        first = top + opening.height
    column, y = 0, first
    bottom = top + layout.column_height
    for chunk in chunks(pieces):
        needed = sum(p.height for p in chunk) + sum(p.before for p in chunk[1:])
        start = first if len(pages) == 1 else top
        before = chunk[0].before if y > start + 1e-6 else 0.0
        fits = y + before + needed <= bottom + 1e-6
        if not fits and y > start + 1e-6:
            column, y = column + 1, start
            if column == layout.style.columns:
                pages.append(MadePage(len(pages) + 1, title=pages[-1].title))
                column, y = 0, top
        for i, piece in enumerate(chunk):
            start = first if len(pages) == 1 else top
            at_top = y <= start + 1e-6
            y += 0.0 if at_top else piece.before
            if y + piece.height > bottom + 1e-6 and not at_top and i:
                # the chunk is longer than a column: it has to part somewhere
                column, y = column + 1, start
                if column == layout.style.columns:
                    pages.append(MadePage(len(pages) + 1, title=pages[-1].title))
                    column, y = 0, top
            page = pages[-1]
            page.marks.append(piece.shifted(layout.column_x(column, page.number), y))
            page.title = piece.title or page.title
            y += piece.height
    return pages


def scenes(pages: Sequence[MadePage], layout: PageFormat, decorate: Decorate) -> list[Scene]:
    """Return finished pages; what `decorate` adds comes before the text."""
    return [Scene(layout.width, layout.height, (*decorate(page), *page.marks)) for page in pages]
