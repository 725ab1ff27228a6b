"""From blocks to pieces: strips of marks that pages are filled with from top to bottom.

A piece can't be divided. Its height, and the space before it, are whole lines of the page's grid,
so that the baselines of neighbouring columns agree. A paragraph is a piece a line; pieces that must
not part (a heading and its text, the first two lines, the last two) say so by `keep`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import ceil, inf
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from stonehand.cards.layout import Layouter
from stonehand.language.checks import differing
from stonehand.language.languages import Language
from stonehand.language.translation import Message
from stonehand.rules import inline
from stonehand.rules.blocks import (
    Block,
    Box,
    Components,
    Figure,
    Heading,
    ListBlock,
    Paragraph,
    Parts,
    Scores,
    Table,
    place,
    translatable,
)
from stonehand.rules.style import ACCENT, INK, QUIET, STALE, TINT, BookStyle
from stonehand.scene import Anchor, Group, Link, Mark, Matrix, Path, Tag, rectangle
from stonehand.scene import Box as Area
from stonehand.source.text import Text
from stonehand.typesetting import markup
from stonehand.typesetting.breaking import SOFT_HYPHEN, Align
from stonehand.typesetting.paragraph import Paragraph as SetParagraph
from stonehand.typesetting.paragraph import Setting, set_line
from stonehand.typesetting.style import StyleFields

if TYPE_CHECKING:
    from stonehand.rules.book import Names

INDENT = 4.5  # mm; of what stands in a list
PAD = 2.2  # mm; within a box
_RUN = re.compile(r"(?<=\b\d) (?=\d\b)|(?<=\d) (?=[+=] \d)|(?<=\d [+=]) (?=\d)")
PLACEHOLDER = 0xE000  # private characters stand for references while emphasis is read
_HELD = re.compile("([\ue000-\uf8ff])")


class Piece(msgspec.Struct, frozen=True):
    """A strip of a column: marks from its top left corner, height and space before it in mm."""

    height: float
    marks: tuple[Mark, ...]
    before: float = 0.0
    keep: bool = False  # with the next piece
    title: str = ""  # of the section that begins here, for running heads

    def shifted(self, x: float, y: float) -> Group:
        """Return the marks moved to a place."""
        return Group(self.marks, Matrix.shift(x, y))


class Look(msgspec.Struct, frozen=True):
    """How a run of text is set: factors on the page's size and grid, weight, colour, alignment."""

    size: float = 1.0
    lines: float = 1.0  # of the grid, from baseline to baseline
    weight: int = 400
    colour: str = INK
    align: Align | None = None  # None: as running text
    role: str = "P"
    language: Language | None = None
    indent: float = 0.0  # em, of the first line


class Wording(msgspec.Struct, frozen=True):
    """The words of a message, their language if not the book's, and whether they are stale."""

    spans: Sequence[markup.Span]
    language: Language | None = None
    stale: bool = False

    @property
    def code(self) -> str:
        """The code of the language where it is not the book's."""
        return str(self.language.code) if self.language else ""

    def look(self, look: Look) -> Look:
        """Return a look as it is in the language of the words."""
        return replace(look, language=self.language) if self.language else look


BODY = Look()
INDENTED = Look(indent=1.3)
SMALL = Look(size=0.86, lines=0.86, colour=QUIET, align="left", role="Caption")
CELL = Look(size=0.83, lines=0.86, align="left", role="TD")
TITLES = {
    1: Look(size=3.0, lines=3.0, weight=800, align="left", role="H1"),
    2: Look(size=1.75, lines=2.0, weight=800, colour=ACCENT, align="left", role="H2"),
    3: Look(size=1.12, weight=700, align="left", role="H3"),
}
PART = Look(size=1.35, lines=2.0, weight=800, colour=ACCENT, align="left", role="H3")


class Setter:
    """Sets blocks in the column of a page format, in the language of a layouter."""

    def __init__(
        self,
        layouter: Layouter,
        style: BookStyle,
        width: float,
        names: "Names",
        unit: float,
        root: Tag | None = None,
    ) -> None:
        self.layouter = layouter
        self.language = layouter.language
        self.translations = layouter.translations
        self.style = style
        self.names = names
        self.width = width  # mm; of the column, the hanging ids included
        self.root = root  # what the structure of all pieces is below
        self.room = inf  # mm; the height of a column
        self.unit = unit  # mm; a line of the page's grid
        self.size = style.size.mm
        self.hang = style.hang.mm
        self.where = Text("")  # the id of the rule that is set, for problems

    def pieces(self, blocks: Sequence[Block], x: float, width: float) -> list[Piece]:
        """Return the pieces of a run of blocks that stand from x on, so many mm wide."""
        return [piece for group in self.groups(blocks, x, width) for piece in group]

    def groups(self, blocks: Sequence[Block], x: float, width: float) -> list[list[Piece]]:
        """Return the pieces of each of a run of blocks."""
        made: list[list[Piece]] = []
        before: Block | None = None
        for block in blocks:
            indent = isinstance(block, Paragraph) and isinstance(before, Paragraph)
            new = self.block(block, x, width, BODY if not indent else INDENTED)
            self.check_height(block, new)
            shows = isinstance(block, Figure | Parts | Table | Scores)
            if shows and isinstance(before, Paragraph | ListBlock):
                made[-1][-1] = replace(made[-1][-1], keep=True)  # what is shown stays with its text
            made.append(new)
            before = block
        return made

    def check_height(self, block: Block, pieces: Sequence[Piece]) -> None:
        """Report what is too high for any column: it would run off the page."""
        over = max((piece.height for piece in pieces), default=0.0) - self.room
        if over > 1e-6:
            message = f"this is {over:.0f} mm too high for a column"
            self.layouter.problems.error(place(block), message, "divide it")

    def block(self, block: Block, x: float, width: float, look: Look) -> list[Piece]:
        """Return the pieces of a block."""
        from stonehand.rules import figures, tables

        if isinstance(block, Heading):
            return self.heading(block)
        if isinstance(block, Paragraph):
            return self.text(block.text, x, width, look)
        if isinstance(block, ListBlock):
            return self.list(block, x, width, None)
        if isinstance(block, Box):
            return [self.box(block, x, width)]
        if isinstance(block, Figure):
            return [figures.figure(self, block, x, width)]
        if isinstance(block, Parts):
            return [figures.parts(self, block, x, width)]
        if isinstance(block, Table):
            return tables.table(self, block, x, width)
        if isinstance(block, Components):
            return [tables.components(self, x, width)]
        assert isinstance(block, Scores)
        return [tables.scores(self, block, x, width)]

    def spans_of(self, text: Text) -> list[markup.Span]:
        """Return the spans of a text in the notation of rules."""
        shown: list[markup.Span] = []
        flat = ""
        for part in inline.parse(text):
            if isinstance(part, inline.Words):
                flat += _RUN.sub("\u00a0", part.text)  # 1 2 3 and 1 + 2 = 3 stay on a line
                continue
            if isinstance(part, inline.Reference) and not part.words and flat.endswith(" "):
                flat = flat[:-1] + "\u00a0"  # an id or a letter begins no line
            flat += chr(PLACEHOLDER + len(shown))
            if isinstance(part, inline.Value):
                shown.append(markup.Span(str(self.names.count(part.kind))))
            else:
                words, target = self.names.reference(part.target, text)
                # ids and names of sections are told apart by colour, terms are not
                colour = ACCENT if target and not part.words else ""
                shown.append(markup.Span(part.words or words, link=target, colour=colour))
        spans: list[markup.Span] = []
        for span in markup.parse(flat):
            for run in _HELD.split(span.text):
                if _HELD.fullmatch(run):
                    it = shown[ord(run) - PLACEHOLDER]
                    spans.append(replace(span, text=it.text, link=it.link, colour=it.colour))
                elif spans and replace(spans[-1], text="") == replace(span, text=""):
                    spans[-1] = replace(span, text=spans[-1].text + run)
                elif run:
                    spans.append(replace(span, text=run))
        return spans

    def paragraph(self, spans: Sequence[markup.Span], look: Look) -> SetParagraph:
        """Return spans shaped in a look."""
        language = look.language or self.language
        hyphenate = look.align is None or look.role in ("TD", "TH")
        where = Text(f"rule {self.where}", self.where.at)
        return self.layouter.shaped(spans, _style(look), language, hyphenate, where, look.indent)

    def baseline(self, look: Look) -> float:
        """Return how far below the top of a line of a look its baseline is, in mm."""
        face = self.layouter.voices(_style(look), look.language or self.language).plain[0]
        size = self.size * look.size / face.upem
        return (self.unit * look.lines + (face.ascender + face.descender) * size) / 2

    def lines(
        self,
        spans: Sequence[markup.Span],
        x: float,
        width: float,
        look: Look,
        tag: Tag | None,
        baseline: float | None = None,
    ) -> list[Piece]:
        """Return a piece for each line of some spans; their heights are the look's, not yet whole.

        Links get tags below `tag`.
        """
        paragraph = self.paragraph(spans, look)
        size = self.size * look.size
        align = look.align or ("justify" if self.language.justify else "left")
        face = paragraph.voices.plain[0]
        setting = Setting(size, size, 1.0, look.colour, align, "top", origin=self.where)
        step = self.unit * look.lines
        baseline = self.baseline(look) if baseline is None else baseline
        cap = face.cap_height * size / face.upem
        set_lines, excess = paragraph.lines(width / size, align)
        if excess * size > 0.1:
            message = f"a word is {excess * size:.1f} mm too wide for its column"
            self.layouter.problems.finding(
                "wide-word", self.where.at, message, "use a wider format"
            )
        pieces = []
        for line in set_lines:
            marks = set_line(line, Area(x, 0, width, step), baseline, size, setting, cap)
            text = tuple(mark for mark in marks if not isinstance(mark, Link))
            links = tuple(
                replace(mark, tag=Tag("Link", tag) if tag else None)
                for mark in marks
                if isinstance(mark, Link)
            )
            tagged = (Group(text, tag=tag),) if tag and text else text
            # a word is not divided between two columns
            divided = bool(line.atoms) and line.atoms[-1].cluster.text == SOFT_HYPHEN
            pieces.append(Piece(step, (*tagged, *links), keep=divided))
        return pieces

    def fits(self, spans: Sequence[markup.Span], width: float, look: Look, most: int) -> bool:
        """Tell whether spans take at most so many lines of a width in mm, no word too wide."""
        align = look.align or ("justify" if self.language.justify else "left")
        lines, excess = self.paragraph(spans, look).lines(width / (self.size * look.size), align)
        return len(lines) <= most and excess <= 0

    def text(
        self, message: Message, x: float, width: float, look: Look, parent: Tag | None = None
    ) -> list[Piece]:
        """Return the pieces of a message, a line each; a stale translation is marked beside it."""
        self.where = Text(message.context, message.at)
        words = self.wording(message)
        tag = Tag(look.role, parent or self.root, words.code)
        return _unbroken(
            self.barred(self.lines(words.spans, x, width, words.look(look), tag), words, x)
        )

    def barred(self, lines: list[Piece], words: "Wording", x: float) -> list[Piece]:
        """Return lines with a bar beside them if their words are stale."""
        if not words.stale:
            return lines
        return [replace(p, marks=(*p.marks, _bar(x, p.height))) for p in lines]

    def wording(self, message: Message) -> "Wording":
        """Return how a message is printed: in the source language where no translation is good."""
        text, good = self.printed(message)
        language = None
        if not good and text == message:
            language = self.layouter.languages[self.layouter.game.source_language]
        return Wording(self.spans_of(text), language, not good)

    def printed(self, message: Message) -> tuple[Text, bool]:
        """Return what is printed of a message, and whether it is as it should be."""
        if not translatable(message):
            return message, True
        text, good = self.translations.printed(message)
        with self.layouter.problems.gather():
            wrong = None
            if text is not message and good:
                wrong = differing(inline.protected(message), inline.protected(text))
            if wrong is None:
                return text, good
            told = f"'{message.context}': {wrong.message}"
            self.layouter.problems.finding("references", text.at, told, wrong.hint)
        return message, False

    def heading(self, heading: Heading) -> list[Piece]:
        """Return the piece of a heading: a rule's id or a section's letter hangs at the left."""
        look = TITLES[heading.level] if heading.rule or heading.level < 3 else PART
        wording = self.wording(heading.text) if heading.text else Wording(())
        look = wording.look(look)
        tag = Tag(look.role, self.root, wording.code)
        self.where = heading.id
        lines: list[Piece] = []
        title = ""
        x, width = self.hang, self.width - self.hang
        if heading.text:
            lines = self.barred(self.lines(wording.spans, x, width, look, tag), wording, x)
            if heading.optional:
                words = [markup.Span(f"({self.word('optional')})")]
                lines += self.lines(words, x, width, replace(SMALL, role=look.role), tag)
            title = self.printed(heading.text)[0] if heading.level == 2 else ""
        beside = look if heading.text else BODY  # what the hanging mark stands on a line with
        marks: list[Mark] = [Anchor(heading.id, 0, 0)]
        if hanging := str(heading.id) if heading.rule else self.names.letter(heading.id):
            size = 0.86 if heading.rule else look.size
            small = replace(look, size=size, lines=beside.lines, colour=ACCENT)
            label = self.lines(
                [markup.Span(hanging)], 0, self.hang, small, tag, self.baseline(beside)
            )
            marks += label[0].marks  # before the words, for those who listen
        y = 0.0
        for line in lines:
            marks.append(line.shifted(0, y))
            y += line.height
        whole = ceil(y / self.unit - 1e-6) * self.unit
        before = self.unit * {2: 2, 3: 1}.get(heading.level, 0)
        # what rounding adds goes above, so that a title is near its text; an id alone takes no room
        # and hangs beside the first line of its text
        body = Group(tuple(marks), Matrix.shift(0, whole - y))
        return [Piece(whole, (body,), before, keep=True, title=title)]

    def list(self, block: ListBlock, x: float, width: float, parent: Tag | None) -> list[Piece]:
        """Return the pieces of a list, its marks those of the language."""
        tag = Tag("L", parent or self.root)
        made: list[Piece] = []
        marks = self.language.list_marks
        for number, item in enumerate(block.items, 1):
            label = str(marks.get(Text("dash"), "–"))
            if block.numbered:
                label = str(marks.get(Text("number"), "{}.")).replace("{}", str(number))
            item_tag = Tag("LI", tag)
            body = Tag("LBody", item_tag)
            label_look = replace(BODY, align="left")
            spans = [markup.Span(label, colour=ACCENT)]
            shown = self.lines(spans, x, INDENT, label_look, Tag("Lbl", item_tag))[0]
            pieces: list[Piece] = []
            for inner in item:
                if isinstance(inner, Paragraph):
                    pieces += self.text(inner.text, x + INDENT, width - INDENT, BODY, body)
                elif isinstance(inner, ListBlock):
                    pieces += self.list(inner, x + INDENT, width - INDENT, body)
                else:
                    pieces += self.block(inner, x + INDENT, width - INDENT, BODY)
            if pieces:
                pieces[0] = replace(pieces[0], marks=(*shown.marks, *pieces[0].marks))
            made += pieces
        if parent is None and len(made) > 2:  # the first and the last item do not stand alone
            made[0], made[-2] = replace(made[0], keep=True), replace(made[-2], keep=True)
        return made

    def box(self, block: Box, x: float, width: float, *, named: bool = True) -> Piece:
        """Return a box with its name and blocks as one piece upon a tint."""
        inner_width = width - 2 * PAD - 1
        look = replace(BODY, size=0.8, weight=700, colour=ACCENT, align="left", role="P")
        spans = [markup.Span(self.word(block.kind))]
        name = (
            self.lines(spans, x + PAD + 1, inner_width, look, Tag("P", self.root)) if named else []
        )
        pieces = [*name, *self.pieces(block.blocks, x + PAD + 1, inner_width)]
        piece = self.stacked(pieces, pad=PAD)
        # a little air above and below, within the whole lines
        area = Area(x, self.unit * 0.2, width, piece.height - self.unit * 0.4)
        ground = Path(rectangle(area, 1.2), fill=TINT)
        edge = Path(rectangle(Area(x, area.y, 0.9, area.height), 0.4), fill=ACCENT)
        return replace(piece, marks=(ground, edge, *piece.marks))

    def stacked(self, pieces: Sequence[Piece], pad: float = 0.0) -> Piece:
        """Return several pieces as one, its height whole lines of the grid."""
        y = pad
        marks: list[Mark] = []
        for i, piece in enumerate(pieces):
            y += piece.before if i else 0.0
            marks.append(piece.shifted(0, y))
            y += piece.height
        height = ceil((y + pad) / self.unit - 1e-6) * self.unit
        return Piece(height, tuple(marks))

    def word(self, name: str) -> str:
        """Return a word that the program itself prints."""
        return str(self.language.words.get(Text(name), name))


def _bar(x: float, height: float) -> Path:
    """Return what marks a text that is not (or not well) translated."""
    return Path(rectangle(Area(x - 1.6, 0, 0.5, height)), fill=STALE)


def _unbroken(pieces: list[Piece]) -> list[Piece]:
    """Forbid a single line of a paragraph at the foot or the head of a column."""
    last = len(pieces) - 1
    return [
        replace(piece, keep=True) if i < last and (i in (0, last - 1)) else piece
        for i, piece in enumerate(pieces)
    ]


@lru_cache(maxsize=64)
def _style(look: Look) -> StyleFields:
    return StyleFields(font=Text("sans"), weight=look.weight)
