"""A rulebook in two languages, side by side: each block begins on the same line in both.

Rules are compared and looked up by block, so that is what is aligned; within a block each language
runs as long as it needs.
"""

from itertools import zip_longest

import msgspec

from stonehand.cards.layout import Layouter
from stonehand.rules.blocks import Rulebook
from stonehand.rules.book import Book, Maker, settled
from stonehand.rules.pages import PageFormat
from stonehand.rules.setting import Piece
from stonehand.rules.style import BookStyle
from stonehand.rules.terms import Term
from stonehand.scene import Tag

GUTTER = 6.0  # mm; between the two languages, where the format has none


def lay_out_two(
    rules: Rulebook,
    layouters: tuple[Layouter, Layouter],
    terms: dict[str, Term],
    style: BookStyle,
    paper: tuple[float, float],
) -> Book:
    """Return a rulebook in two languages; title, contents and heads are those of the first."""
    unit = style.leading.mm * max(layouter.language.leading for layouter in layouters)
    layout = PageFormat(msgspec.structs.replace(style, columns=1), *paper, unit)
    gutter = style.gutter.mm or GUTTER
    width = (layout.column_width - gutter) / 2
    # who has the book read aloud hears it whole in one language, then in the other
    left, right = (
        Maker(rules, made, terms, layout, width, Tag("Div", language=str(made.language.code)))
        for made in layouters
    )

    def pieces(numbers: dict[str, int]) -> list[Piece]:
        pairs = zip(left.groups(numbers), right.groups(numbers), strict=True)
        return [piece for pair in pairs for piece in beside(left, *pair, width + gutter)]

    return settled(left, pieces, left.opening())


def beside(maker: Maker, left: list[Piece], right: list[Piece], x: float) -> list[Piece]:
    """Return the pieces of a block in two languages, the second one from x on.

    Lines of text pair with lines; a block of anything else is kept whole.
    """
    unit = maker.layout.unit
    if not all(abs(piece.height - unit) < 1e-6 for piece in (*left, *right)):
        left, right = ([_whole(maker, pieces)] if pieces else [] for pieces in (left, right))
    made = []
    for one, two in zip_longest(left, right):
        present = [piece for piece in (one, two) if piece]
        marks = (*(one.marks if one else ()), *((two.shifted(x, 0),) if two else ()))
        made.append(
            Piece(
                max(piece.height for piece in present),
                marks,
                max(piece.before for piece in present),
                any(piece.keep for piece in present),
                one.title if one else "",
            )
        )
    return made


def _whole(maker: Maker, pieces: list[Piece]) -> Piece:
    """Return several pieces as one, with the space and the ties of their ends."""
    if len(pieces) == 1:
        return pieces[0]
    stacked = maker.setter.stacked(pieces)
    return Piece(stacked.height, stacked.marks, pieces[0].before, pieces[-1].keep, pieces[0].title)
