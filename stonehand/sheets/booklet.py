"""Booklets: pages of a book on sheets that are folded once, laid into each other and stapled.

Order and creep are functions of numbers alone; `impose` applies them to Scenes. Lengths are in mm.
The last page is the back cover: blank pages that fill up the last sheet come before it. An inner
sheet lies around less paper than an outer one and stands out at the fore-edge, where trimming would
take more of its margin: its pages are printed nearer to the spine by the thickness of the sheets
outside it, as for a hard crease.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from stonehand.scene import (
    Anchor,
    Box,
    Group,
    Link,
    Mark,
    Matrix,
    Path,
    Scene,
    polygon,
    rectangle,
)
from stonehand.sheets.forme import Flip, Forme, Slot, turned_like_a_page
from stonehand.sheets.furniture import CLEAR, CUT, FOLD, TICK, UNPRINTABLE, cut_marks

PAPER = 0.1  # mm; thickness of office paper of 80 g/m²
MUCH_CREEP = 1.0  # mm; beyond this, page margins differ to the eye
FOLD_LENGTH = 8.0  # mm; of a fold mark where the margin is narrower than that
STAPLE = 12.0  # mm; the mark is as long as the staple that will cover it
STAPLES = (0.25, 0.75)  # of the height of a page


class Opening(NamedTuple):
    """Two pages side by side on a side of a sheet, counted from 1."""

    left: int
    right: int


class Leaf(NamedTuple):
    """A sheet of a booklet: its outer side, which is printed first, and its inner side."""

    front: Opening
    back: Opening


def padded(pages: int) -> list[int | None]:
    """Return which page stands at each place of the booklet; None is a blank one.

    There are as many places as the sheets have, and the last page is at the last of them.
    """
    blanks: list[int | None] = [None] * (-pages % 4)
    numbers: list[int | None] = list(range(1, pages + 1))
    before = max(1, pages - 1)  # a single page is the front cover
    return [*numbers[:before], *blanks, *numbers[before:]]


def printers_order(places: int) -> list[Leaf]:
    """Return the sheets of a booklet, the outermost first; `places` is a multiple of 4."""
    assert places % 4 == 0
    return [
        Leaf(Opening(places - 2 * i, 2 * i + 1), Opening(2 * i + 2, places - 2 * i - 1))
        for i in range(places // 4)
    ]


def creep(sheet: int, thickness: float) -> float:
    """Return by how many mm the pages of a sheet move to the spine; the outermost is sheet 0."""
    return sheet * thickness


class Spread(msgspec.Struct, frozen=True):
    """A sheet held so that its fold is upright, and the pages beside the fold."""

    width: float
    height: float
    page_width: float
    page_height: float

    @property
    def spine(self) -> float:
        """Where the fold is: always the middle of the sheet."""
        return self.width / 2

    @property
    def block(self) -> Box:
        """The box of both pages."""
        left, top = self.spine - self.page_width, (self.height - self.page_height) / 2
        return Box(left, top, 2 * self.page_width, self.page_height)

    def page(self, *, right: bool, moved: float = 0.0) -> Box:
        """Return the trim of a page, moved to the spine (and beyond it) by so many mm."""
        x = self.spine - moved if right else self.spine - self.page_width + moved
        return Box(x, self.block.y, self.page_width, self.page_height)

    def half(self, *, right: bool, bleed: float) -> Box:
        """Return the half of the sheet that a page may print on: up to the fold, not beyond."""
        block = self.block.grown(bleed)
        return Box(self.spine if right else block.x, block.y, block.width / 2, block.height)


def spread(paper: tuple[float, float], page: tuple[float, float]) -> Spread | None:
    """Return how two pages lie side by side on a paper, level if they can; None if they don't."""
    dust = 1e-6
    short, long = sorted(paper)
    for width, height in ((long, short), (short, long)):
        if 2 * page[0] <= width + dust and page[1] <= height + dust:
            return Spread(width, height, *page)
    return None


def impose(
    pages: Sequence[Scene], sheet: Spread, thickness: float = PAPER, turn: Flip = "short"
) -> Iterator[Scene]:
    """Yield the sides of the sheets: the front of each, then its back.

    Pages keep their text and lose tags, links and anchors, which have no meaning on paper. Where
    the printer turns the sheet over a level edge, backs stand on their heads.
    """
    places = padded(len(pages))
    level_edge = not turned_like_a_page(sheet.width, sheet.height, turn)
    for number, leaf in enumerate(printers_order(len(places))):
        moved = creep(number, thickness)
        for opening in leaf:
            marks: list[Mark] = []
            for place, right in zip(opening, (False, True), strict=True):
                page = places[place - 1]
                if page is not None:
                    marks.append(_placed(pages[page - 1], sheet, right, moved))
            if opening is leaf.front:
                marks += _marks(sheet, staples=number == 0)
            elif level_edge:
                middle = Matrix.turn(180, sheet.width / 2, sheet.height / 2)
                marks = [Group(tuple(marks), middle)]
            yield Scene(sheet.width, sheet.height, tuple(marks))


def _placed(page: Scene, sheet: Spread, right: bool, moved: float) -> Group:
    """Return a page in its place, what would reach over the fold cut off."""
    trim = sheet.page(right=right, moved=moved)
    marks = Group(plain(page.marks), Matrix.shift(trim.x, trim.y))
    return Group((marks,), clip=rectangle(sheet.half(right=right, bleed=page.bleed)))


def _marks(sheet: Spread, *, staples: bool) -> list[Mark]:
    """Return where to fold, and on the outermost sheet where to staple and (if at all) to cut."""
    spine, block = sheet.spine, sheet.block
    # in the margin if there is one, else at the edge of the pages, where their inner margins are
    reach = block.y - CLEAR if block.y - CLEAR > FOLD_LENGTH else FOLD_LENGTH
    ends = ((0.0, reach), (sheet.height, sheet.height - reach))
    marks: list[Mark] = [
        Path(polygon([(spine, a), (spine, b)], closed=False), stroke=FOLD) for a, b in ends
    ]
    if staples:
        for share in STAPLES:
            y = block.y + block.height * share
            line = [(spine, y - STAPLE / 2), (spine, y + STAPLE / 2)]
            marks.append(Path(polygon(line, closed=False), stroke=CUT))
    if max(block.x, block.y) >= UNPRINTABLE + TICK / 2:
        # the booklet is trimmed after it is folded
        marks += cut_marks(Forme(sheet.width, sheet.height, ((Slot(block),),)), "ticks")
    return marks


def plain(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """Return marks without tags, links and anchors; what has none of them stays the same object."""
    made = [kept for mark in marks if (kept := _plain(mark)) is not None]
    same = len(made) == len(marks) and all(a is b for a, b in zip(made, marks, strict=True))
    return marks if same else tuple(made)


def _plain(mark: Mark) -> Mark | None:
    if isinstance(mark, Link | Anchor):
        return None
    if not isinstance(mark, Group) or mark.shared:  # shared marks are stored by their identity
        return mark
    inner = plain(mark.marks)
    if mark.tag is None and inner is mark.marks:
        return mark
    return replace(mark, marks=inner, tag=None)
