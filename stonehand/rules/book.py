"""A rulebook from its blocks to pages: names resolved, contents with page numbers, running heads.

The contents need the pages of the sections, and take room themselves: the book is laid out until
the numbers stay as they are, which is at the second time unless contents grow by a line.
"""

from collections.abc import Callable, Iterable

import msgspec
from msgspec.structs import replace

from stonehand.cards.deck import Card
from stonehand.cards.layout import Layouter
from stonehand.language.translation import Message
from stonehand.rules import inline
from stonehand.rules.blocks import Block, Box, Figure, Heading, ListBlock, Parts, Rulebook
from stonehand.rules.figures import small_card
from stonehand.rules.pages import MadePage, PageFormat, fill, scenes
from stonehand.rules.setting import BODY, SMALL, TITLES, Look, Piece, Setter
from stonehand.rules.style import ACCENT, HAIRLINE, QUIET, BookStyle
from stonehand.rules.terms import Term
from stonehand.scene import (
    Anchor,
    Bookmark,
    Group,
    Link,
    Mark,
    Matrix,
    Path,
    Scene,
    Stroke,
    Tag,
    polygon,
)
from stonehand.source.problems import did_you_mean
from stonehand.source.text import Text
from stonehand.typesetting import markup

MAX_LAYOUTS = 8
FAN_WIDTH = 3.0  # of a card: how wide five of them are, held as a hand
BACK = "/back"  # after the id of a card: what a figure shows is its back


class Names:
    """What references, values and figures of a book mean in the language of a layouter."""

    def __init__(self, rules: Rulebook, layouter: Layouter, terms: dict[str, Term]) -> None:
        self.layouter = layouter
        self.terms = terms
        self.headings = {str(b.id): b for b in rules.blocks if isinstance(b, Heading)}
        self.withdrawn = rules.withdrawn
        self.cards = {str(card.id): card for card in layouter.game.cards}

    def count(self, kind: str) -> int:
        """Return how many cards there are of a kind, or in all."""
        cards = self.layouter.game.cards
        return sum(card.count for card in cards if not kind or card.kind == kind)

    def reference(self, target: str, where: Text) -> tuple[str, str]:
        """Return the words of a reference that brings none, and the anchor it leads to."""
        if heading := self.headings.get(target):
            letter = self.letter(heading.id)
            if heading.rule or letter:
                return letter or target, target
            title = self.layouter.translations.text(heading.text) if heading.text else target
            return str(title), target
        if target.startswith("card."):
            card = self.cards.get(target.removeprefix("card."))
            if card:
                return self.card_name(card), ""
            known = [f"card.{name}" for name in self.cards]
        elif target in self.terms:
            stems = self.terms[target].stems.get(str(self.layouter.language.code), ())
            return (stems[0] if stems else target), ""
        else:
            known = [*self.headings, *self.terms]
        hint = did_you_mean(target, known)
        if target in self.withdrawn:
            hint = "the rule is withdrawn"
        self.layouter.problems.error(where.at, f"unknown reference '{target}'", hint)
        return target, ""

    def letter(self, name: str) -> str:
        """Return the letter of a section that has one."""
        return name if len(name) == 1 and name.isupper() else ""

    def card(self, name: Text) -> Card | None:
        """Return a card that a figure names; an unknown one is reported."""
        if name not in self.cards:
            hint = did_you_mean(name, self.cards)
            self.layouter.problems.error(name.at, f"no card '{name}'", hint)
        return self.cards.get(name)

    def side(self, name: Text) -> tuple[Card, bool] | None:
        """Return a card that a figure names, and whether its back is meant (`12/back`).

        An unknown card is reported, and one that has no back.
        """
        plain = name.removesuffix(BACK)
        card, back = self.card(Text(plain, name.at)), plain != name
        if card and back and not self.layouter.game.spec.kinds[Text(card.kind)].back:
            self.layouter.problems.error(name.at, f"the card '{plain}' has no back")
            return None
        return (card, back) if card else None

    def shown(self, name: Text) -> tuple[str, Scene] | None:
        """Return what a figure shows under a name, in words and as it looks."""
        side = self.side(name)
        if side is None:
            return None
        card, back = side
        scene = self.layouter.back(card) if back else self.layouter.front(card)
        words = self.card_name(card)
        if back:
            words = f"{words} ({self.layouter.language.words.get(Text('back'), 'back')})"
        return (words, scene) if scene else None

    def card_name(self, card: Card) -> str:
        """Return what a card is called: its name, else what its kind says, else its id."""
        return self.layouter.called(card)

    def unknown_anchor(self, name: Text, known: Iterable[str]) -> None:
        """Report a call-out to a part that the card's template does not name."""
        hint = did_you_mean(name, known)
        self.layouter.problems.error(name.at, f"the card has no part '{name}'", hint)

    def check(self, rules: Rulebook) -> None:
        """Report unknown references, values, cards and parts of the source text itself."""
        for message in rules.texts():
            self.check_message(message)
        self.check_figures(rules.blocks)

    def check_figures(self, blocks: tuple[Block, ...]) -> None:
        """Report unknown cards and parts of cards."""
        for block in blocks:
            if isinstance(block, Figure):
                for name in block.cards:
                    self.side(name)
            elif isinstance(block, Parts):
                if card := self.card(block.card):
                    known = self.layouter.anchors(card)
                    for name, _ in block.labels:
                        if name not in known:
                            self.unknown_anchor(name, known)
            elif isinstance(block, Box):
                self.check_figures(block.blocks)
            elif isinstance(block, ListBlock):
                for item in block.items:
                    self.check_figures(item)

    def check_message(self, message: Message) -> None:
        """Report what is wrong in the notation of a message of the source."""
        with self.layouter.problems.gather():
            for part in inline.parse(message):
                if isinstance(part, inline.Reference):
                    self.reference(part.target, message)
                elif isinstance(part, inline.Value) and part.kind:
                    kinds = self.layouter.game.spec.kinds
                    if Text(part.kind) not in kinds:
                        hint = did_you_mean(part.kind, kinds)
                        what = f"unknown kind '{part.kind}'"
                        self.layouter.problems.error(message.at, what, hint)


class Book(msgspec.Struct, frozen=True):
    """A laid-out rulebook: its pages, bookmarks and title."""

    pages: tuple[Scene, ...]
    outline: tuple[Bookmark, ...]
    title: str


def lay_out(
    rules: Rulebook,
    layouter: Layouter,
    terms: dict[str, Term],
    style: BookStyle,
    paper: tuple[float, float],
) -> Book:
    """Return a rulebook as pages in the language of a layouter."""
    unit = style.leading.mm * layouter.language.leading
    layout = PageFormat(style, *paper, unit)
    maker = Maker(rules, layouter, terms, layout)
    return settled(maker, lambda numbers: joined(maker.groups(numbers)), maker.opening())


def joined(groups: list[list[Piece]]) -> list[Piece]:
    """Return the pieces of all groups in one list."""
    return [piece for group in groups for piece in group]


def settled(
    maker: "Maker", pieces: Callable[[dict[str, int]], list[Piece]], opening: Piece
) -> Book:
    """Lay pieces out until the page numbers of the contents are those of the sections."""
    numbers: dict[str, int] = {}
    for _ in range(MAX_LAYOUTS):
        pages = fill(pieces(numbers), maker.layout, opening)
        found = {
            mark.name: page.number
            for page in pages
            for mark, _ in Scene(1, 1, tuple(page.marks)).walk()
            if isinstance(mark, Anchor)
        }
        if found == numbers:
            break
        numbers = found
    else:
        unsettled = "the page numbers of the contents do not settle"
        maker.setter.layouter.problems.finding("unsettled-pages", maker.rules.title.at, unsettled)
    return Book(
        tuple(scenes(pages, maker.layout, maker.decoration)),
        tuple(maker.bookmarks()),
        str(maker.text(maker.rules.title)),
    )


class Maker:
    """Makes what a book in one language is filled with, for the columns of a page format.

    `width` is that of a column where it is not the format's own; all structure is below `root`.
    """

    def __init__(
        self,
        rules: Rulebook,
        layouter: Layouter,
        terms: dict[str, Term],
        layout: PageFormat,
        width: float = 0.0,
        root: Tag | None = None,
    ) -> None:
        self.rules = rules
        self.layout = layout
        self.width = width or layout.column_width
        names = Names(rules, layouter, terms)
        names.check(rules)
        self.setter = Setter(layouter, layout.style, self.width, names, layout.unit, root)
        self.setter.room = layout.column_height
        self.text = layouter.translations.text
        first = next((i for i, b in enumerate(rules.blocks) if isinstance(b, Heading)), 0)
        self._lead: list[list[Piece]] = []
        if first:
            # what stands before the first section is set upon a tint
            box = Box("note", rules.blocks[:first])
            self._lead = [[self.setter.box(box, 0.0, self.width, named=False)]]
            self.setter.check_height(box, self._lead[0])
        hang = self.setter.hang
        self._body = self.setter.groups(rules.blocks[first:], hang, self.width - hang)

    def groups(self, numbers: dict[str, int]) -> list[list[Piece]]:
        """Return the pieces of each block, the contents with these numbers among them."""
        return [*self._lead, self._contents(numbers), *self._body]

    def _sections(self) -> list[Heading]:
        return [b for b in self.rules.blocks if isinstance(b, Heading) and b.level == 2]

    def opening(self) -> Piece:
        """Return the title block: the title, what the book is, and some cards as a fan.

        The title stands left of the fan: in two lines, or smaller, where it is long.
        """
        setter, layout = self.setter, self.layout
        width = layout.width - layout.style.inner.mm - layout.style.outer.mm
        game = setter.layouter.game
        # five cards of the first kind, as a hand
        first = [card for card in game.cards if card.kind == game.cards[0].kind]
        held = first[:: max(1, len(first) // 5)][:5]
        hand = [scene for card in held if (scene := setter.layouter.front(card))]
        high = setter.unit * 7
        wide = max((high * scene.width / scene.height for scene in hand), default=0.0)
        room = width - wide * FAN_WIDTH if hand else width
        title = [markup.Span(self.text(self.rules.title))]
        looks = [
            replace(TITLES[1], size=tenths / 10, lines=tenths * 0.086, colour=ACCENT)
            for tenths in range(44, 25, -2)
        ]
        look = next((look for look in looks if setter.fits(title, room, look, 2)), looks[-1])
        lines = setter.lines(title, 0, room, look, Tag("H1", setter.root))
        below = Look(size=1.6, lines=2.0, colour=QUIET, align="left")
        lines += setter.lines(
            [markup.Span(setter.word("rules"))], 0, room, below, Tag("P", setter.root)
        )
        piece = setter.stacked(lines)
        drawn: list[Mark] = []
        for i, scene in enumerate(hand):
            across = high * scene.width / scene.height
            x = width - across * 2.3 + i * across * 0.24
            y = max(0.0, (piece.height - high) / 2)
            drawn.append(small_card(scene, across, x, y, 7.0 * (i - 2)))
        height = max(piece.height, high) + setter.unit * 2
        return Piece(height, (Group(tuple(drawn)), *piece.marks))

    def _contents(self, numbers: dict[str, int]) -> list[Piece]:
        """Return the contents: a line for each section, with a leader and its page."""
        setter, width = self.setter, self.width
        look = TITLES[3]
        heading = setter.lines(
            [markup.Span(setter.word("contents"))], 0, width, look, Tag("H2", setter.root)
        )
        toc = Tag("TOC", setter.root)
        rows: list[Piece] = []
        number_width = 8.0
        line_look = replace(BODY, align="left", size=0.94)
        for section in self._sections():
            letter = setter.names.letter(section.id)
            words = str(self.text(section.text) if section.text else section.id)
            item = Tag("TOCI", toc)
            reference = Tag("Reference", item)
            shown = [markup.Span(words, link=str(section.id))]
            if section.optional:
                shown.append(markup.Span(f" ({setter.word('optional')})", colour=QUIET))
            x = 6.0
            marks: list[Mark] = []
            if letter:
                label = setter.lines(
                    [markup.Span(letter, strong=True, colour=ACCENT)], 0, x, line_look, reference
                )[0]
                marks += label.marks
            lines = setter.lines(shown, x, width - x - number_width, line_look, reference)
            marks += lines[0].marks
            page = str(numbers.get(str(section.id), 0) or "")
            right = replace(line_look, align="right")
            if page:
                number = setter.lines(
                    [markup.Span(page)], width - number_width, number_width, right, reference
                )[0]
                marks += number.marks
            end = max((m.box.right for m in lines[0].marks if isinstance(m, Link)), default=x)
            baseline = setter.baseline(line_look)
            start, stop = (end + 1.5, baseline), (width - 1.0 - 1.9 * len(page or "0"), baseline)
            if stop[0] > start[0]:
                dots = Stroke(QUIET, 0.25, (0.01, 1.2), round=True)
                marks.append(Path(polygon([start, stop], closed=False), stroke=dots))
            rows.append(Piece(setter.unit, tuple(marks)))
            rows += lines[1:]
        whole = setter.stacked([*heading, *rows])
        if whole.height > self.layout.column_height:  # they go on in the next column
            return [replace(heading[0], before=setter.unit, keep=True), *rows]
        return [replace(whole, before=setter.unit)]

    def decoration(self, page: MadePage) -> list[Mark]:
        """Return the running head and the page number."""
        setter, layout = self.setter, self.layout
        width = layout.width - layout.style.inner.mm - layout.style.outer.mm
        left = layout.column_x(0, page.number)
        marks: list[Mark] = []
        outside = "right" if page.number % 2 else "left"
        look = replace(SMALL, size=0.8, align=outside)
        foot = layout.height - layout.style.bottom.mm * 0.62
        number = setter.lines([markup.Span(str(page.number))], left, width, look, None)[0]
        marks.append(number.shifted(0, foot))
        if page.number > 1:
            head = layout.style.top.mm * 0.5
            inside = replace(look, align="left" if outside == "right" else "right")
            title = setter.lines([markup.Span(page.title)], left, width, look, None)
            name = f"{self.text(self.rules.title)} · {setter.word('rules')}"
            game = setter.lines([markup.Span(name)], left, width, inside, None)
            marks.append(game[0].shifted(0, head))
            if page.title:
                marks.append(title[0].shifted(0, head))
            line = [(left, head + 4.2), (left + width, head + 4.2)]
            marks.append(Path(polygon(line, closed=False), stroke=Stroke(HAIRLINE, 0.2)))
        return [Group((mark,), Matrix()) for mark in marks]

    def bookmarks(self) -> list[Bookmark]:
        """Return the outline: sections, and within them their parts and rules."""
        made = []
        for block in self.rules.blocks:
            if isinstance(block, Heading):
                letter = self.setter.names.letter(block.id)
                words = str(self.text(block.text)) if block.text else ""
                prefix = str(block.id) if block.rule else letter
                title = " ".join(part for part in (prefix, words) if part)
                made.append(Bookmark(block.level - 2, title or str(block.id), str(block.id)))
        return made
