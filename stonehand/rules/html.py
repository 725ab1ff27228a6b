"""A rulebook as one HTML file: nothing beside it is needed, and nothing is fetched.

The same blocks, translations, values and references as on pages; ids of sections and rules are the
anchors. What comes in is a Rulebook, the `Setter` of a language and pictures of the cards; what
goes out is text. Words of people are escaped wherever they go (HTML Living Standard, 13.1).
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from stonehand import __version__
from stonehand.language.languages import Language
from stonehand.language.translation import Message
from stonehand.rules.blocks import (
    Block,
    Box,
    Components,
    Figure,
    Heading,
    ListBlock,
    Paragraph,
    Parts,
    Rulebook,
    Scores,
    Table,
)
from stonehand.rules.html_style import style_sheet
from stonehand.rules.setting import Setter
from stonehand.rules.style import ACCENT
from stonehand.source.text import Text
from stonehand.typesetting import markup

CARD, LARGE = 110, 200  # CSS px; width of a card in a row, and of one that is explained
DOT = 6.4  # mm on the card; diameter of a call-out's number
FAN_STEP = 8.0  # degrees between two cards of a hand
_CALLOUTS = (
    f'<g fill="{ACCENT}" stroke="{ACCENT}" stroke-width="0.5" '
    'font-size="4.4" font-weight="700" text-anchor="middle">'
)


class Wanted(NamedTuple):
    """A picture that an edition shows: a card or its back, and how wide it is in CSS px."""

    card: Text
    width: int


class Shot(NamedTuple):
    """A picture of a card: its data URI, its trim in mm and the radius of its corners."""

    data: str
    width: float
    height: float
    corner: float


Shots = Mapping[Wanted, Shot]


def wanted(blocks: Sequence[Block]) -> Iterator[Wanted]:
    """Yield the pictures that some blocks show."""
    for block in blocks:
        if isinstance(block, Figure):
            yield from (Wanted(card, CARD) for card in block.cards)
        elif isinstance(block, Parts):
            yield Wanted(block.card, LARGE)
        elif isinstance(block, Box):
            yield from wanted(block.blocks)
        elif isinstance(block, ListBlock):
            for item in block.items:
                yield from wanted(item)


def edition(
    rules: Rulebook, setter: Setter, title: str, languages: Sequence[Language], shots: Shots
) -> str:
    """Return the HTML of a rulebook; `languages` are those whose editions lie beside it."""
    return _Writer(rules, setter, languages, shots).document(title)


def file_name(language: Language) -> str:
    """Return the name of the edition in a language, by which the others lead to it."""
    return f"rules-{language.code}.html"


class _Writer:
    def __init__(
        self, rules: Rulebook, setter: Setter, languages: Sequence[Language], shots: Shots
    ) -> None:
        self.rules = rules
        self.setter = setter
        self.names = setter.names
        self.language = setter.language
        self.languages = languages
        self.shots = shots
        source = setter.layouter.game.source_language
        self.source = str(source)

    def document(self, title: str) -> str:
        """Return the whole file."""
        others = [one for one in self.languages if one.code != self.language.code]
        alternates = "".join(
            f'<link rel="alternate" hreflang="{one.code}" href="{file_name(one)}">\n'
            for one in others
        )
        return (
            "<!DOCTYPE html>\n"
            f'<html lang="{self.language.code}">\n<head>\n<meta charset="utf-8">\n'
            # the file says itself that it needs nothing from anywhere
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n"
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="generator" content="Stonehand {__version__}">\n'
            f"<title>{escape(title)}</title>\n{alternates}"
            f"<style>\n{style_sheet(self.language)}</style>\n</head>\n<body>\n"
            f"{self.header()}{self.main()}</body>\n</html>\n"
        )

    def header(self) -> str:
        """Return the title, and the way to the other languages."""
        title = escape(self.setter.translations.text(self.rules.title))
        links = ""
        if len(self.languages) > 1:
            items = "".join(map(self.language_link, self.languages))
            links = f'<ul class="languages">\n{items}</ul>\n'
        kind = f'<p class="kind">{self.word("rules")}</p>'
        return f"<header>\n{links}<h1>{title}</h1>\n{kind}\n</header>\n"

    def language_link(self, one: Language) -> str:
        """Return the link to a language's edition, or the name of this one."""
        name, code = escape(one.name), one.code
        if code == self.language.code:
            return f'<li><span aria-current="page">{name}</span></li>\n'
        return f'<li><a href="{file_name(one)}" hreflang="{code}" lang="{code}">{name}</a></li>\n'

    def main(self) -> str:
        """Return what comes before the sections, the contents, and the sections."""
        blocks = self.rules.blocks
        first = next((i for i, b in enumerate(blocks) if isinstance(b, Heading)), len(blocks))
        parts = []
        if first:
            parts.append(f'<div class="lead">\n{self.blocks(blocks[:first])}</div>\n')
        parts.append(self.contents())
        open_ = False
        for block in blocks[first:]:
            if isinstance(block, Heading) and block.level == 2:
                parts.append("</section>\n" if open_ else "")
                parts.append(f'<section id="{escape(block.id)}">\n')
                open_ = True
            parts.append(self.block(block))
        return f"<main>\n{''.join(parts)}{'</section>' if open_ else ''}\n</main>\n"

    def contents(self) -> str:
        """Return the contents: the sections, by their letters if they have one."""
        items = []
        for block in self.rules.blocks:
            if isinstance(block, Heading) and block.level == 2:
                letter = self.names.letter(block.id)
                mark = f'<span class="letter">{escape(letter)}</span> ' if letter else ""
                words, _ = self.heading_words(block)
                items.append(f'<li>{mark}<a href="#{escape(block.id)}">{words}</a></li>\n')
        if not items:
            return ""
        word = self.word("contents")
        head = f'<nav class="contents" aria-label="{word}">\n<h2>{word}</h2>\n'
        return f"{head}<ol>\n{''.join(items)}</ol>\n</nav>\n"

    def word(self, name: str) -> str:
        """Return a word that the program itself says, escaped."""
        return escape(self.setter.word(name))

    def blocks(self, blocks: Sequence[Block]) -> str:
        """Return some blocks."""
        return "".join(map(self.block, blocks))

    def block(self, block: Block) -> str:
        """Return a block, ended by a line break."""
        if isinstance(block, Heading):
            return self.heading(block)
        if isinstance(block, Paragraph):
            return self.element("p", block.text)
        if isinstance(block, ListBlock):
            return self.list(block)
        if isinstance(block, Box):
            word = self.word(block.kind)
            head = f'<aside class="{block.kind}" aria-label="{word}">\n<p class="name">{word}</p>\n'
            return f"{head}{self.blocks(block.blocks)}</aside>\n"
        if isinstance(block, Figure):
            return self.figure(block)
        if isinstance(block, Parts):
            return self.parts(block)
        if isinstance(block, Table):
            return self.table(block)
        if isinstance(block, Components):
            return self.components()
        assert isinstance(block, Scores)
        return self.scores(block)

    def element(self, name: str, message: Message, more: str = "") -> str:
        """Return a message as an element, marked where it is not well translated."""
        words, marks = self.words(message)
        return f"<{name}{marks}{more}>{words}</{name}>\n"

    def words(self, message: Message) -> tuple[str, str]:
        """Return the words of a message, and attributes that tell what is wrong with them."""
        text, good = self.setter.printed(message)
        if good:
            return self.inline(text), ""
        foreign = text == message and self.language.code != self.source
        marks = f' lang="{self.source}"' if foreign else ""
        return self.inline(text), f'{marks} class="stale"'

    def inline(self, text: Text) -> str:
        """Return a text in the notation of rules."""
        return "".join(map(self.span, self.setter.spans_of(text)))

    def span(self, span: markup.Span) -> str:
        """Return a piece of text in one voice."""
        shown = escape(span.text, quote=False)
        if span.strong:
            shown = f"<strong>{shown}</strong>"
        if span.emphasis:
            shown = f"<em>{shown}</em>"
        if span.link in self.names.headings:
            shown = f'<a href="#{escape(span.link)}">{shown}</a>'
        return shown

    def heading_words(self, heading: Heading) -> tuple[str, str]:
        """Return the words of a heading with what is told of it, and its attributes."""
        words, marks = self.words(heading.text) if heading.text else ("", "")
        if heading.optional:
            words += f' <span class="optional">({self.word("optional")})</span>'
        return words.strip() or escape(heading.id), marks

    def heading(self, heading: Heading) -> str:
        """Return a heading; that of a section has its id on the section."""
        words, marks = self.heading_words(heading)
        name = escape(heading.id)
        if heading.level == 2:
            letter = escape(self.names.letter(heading.id))
            mark = f'<span class="letter">{letter}</span> ' if letter else ""
            return f"<h2{marks}>{mark}{words}</h2>\n"
        if not heading.rule:
            look = marks or ' class="part"'
            return f'<h3 id="{name}"{look}>{words}</h3>\n'
        link = f'<a class="id" href="#{name}">{name}</a>'
        said = f" {words}" if heading.text or heading.optional else ""
        return f'<h3 id="{name}"{marks}>{link}{said}</h3>\n'

    def list(self, block: ListBlock) -> str:
        """Return a list; an item of one paragraph is just its words."""
        name = "ol" if block.numbered else "ul"
        items = []
        for item in block.items:
            if len(item) == 1 and isinstance(item[0], Paragraph):
                items.append(self.element("li", item[0].text))
            else:
                items.append(f"<li>\n{self.blocks(item)}</li>\n")
        return f"<{name}>\n{''.join(items)}</{name}>\n"

    def table(self, block: Table) -> str:
        """Return a written table."""
        head = "".join(self.element("th", cell, ' scope="col"') for cell in block.head)
        rows = "".join(
            f"<tr>\n{''.join(self.element('td', cell) for cell in row)}</tr>\n"
            for row in block.rows
        )
        return _table(f"<tr>\n{head}</tr>\n", rows)

    def components(self) -> str:
        """Return the table of components: each kind of card with its number."""
        titles = self.setter.layouter.game.titles
        rows = [
            (escape(self.setter.translations.text(title)), self.names.count(kind), "")
            for kind, title in titles.items()
        ]
        rows.append((self.word("total"), self.names.count(""), ' class="total"'))
        body = "".join(
            f'<tr{of}>\n<th scope="row">{name}</th>\n<td>{count}</td>\n</tr>\n'
            for name, count, of in rows
        )
        cells = "".join(f'<th scope="col">{self.word(name)}</th>\n' for name in ("kind", "count"))
        return _table(f"<tr>\n{cells}</tr>\n", body)

    def scores(self, block: Scores) -> str:
        """Return a score sheet: a column for each player, a row for each round, and the total."""
        rounds = [self.word("player"), *map(str, range(1, block.rows + 1)), self.word("total")]
        empty = "<td></td>\n" * block.players
        rows = "".join(f'<tr>\n<th scope="row">{label}</th>\n{empty}</tr>\n' for label in rounds)
        return _table("", rows, ' class="scores"')

    def picture(self, name: Text, width: int, style: str = "") -> str:
        """Return the picture of a card, or of its back."""
        shown = self.names.shown(name)
        shot = self.shots.get(Wanted(name, width))
        if shown is None or shot is None:
            return ""  # a card that is not there is a problem that stops the run
        height = round(width * shot.height / shot.width)
        across, down = (100 * shot.corner / side for side in (shot.width, shot.height))
        look = f"border-radius:{across:.2f}%/{down:.2f}%{style}"
        alt = escape(shown[0])
        size = f'width="{width}" height="{height}"'
        return f'<img src="{shot.data}" alt="{alt}" {size} style="{look}">'

    def figure(self, block: Figure) -> str:
        """Return cards in a row or as a hand, with their caption."""
        half = (len(block.cards) - 1) / 2
        cards = []
        for i, card in enumerate(block.cards):
            fan = block.arrange == "fan"
            style = f";transform:rotate({FAN_STEP * (i - half):g}deg)" if fan else ""
            cards.append(f'<span class="card">{self.picture(card, CARD, style)}</span>\n')
        caption = self.element("figcaption", block.caption)
        inner = f'<div class="cards {block.arrange}">\n{"".join(cards)}</div>\n'
        return f"<figure>\n{inner}{caption}</figure>\n"

    def parts(self, block: Parts) -> str:
        """Return a card with numbers at its parts, and what the numbers mean."""
        picture = self.picture(block.card, LARGE)
        labels = "".join(self.element("li", label) for _, label in block.labels)
        callouts = self.callouts(block)
        inner = f'<span class="card">{picture}{callouts}</span>\n<ol>\n{labels}</ol>\n'
        return f'<figure class="parts">\n{inner}</figure>\n'

    def callouts(self, block: Parts) -> str:
        """Return numbers beside a card, with lines to its parts, as SVG in mm of the card."""
        card = self.names.cards.get(str(block.card))
        shot = self.shots.get(Wanted(block.card, LARGE))
        if card is None or shot is None:
            return ""
        known = self.names.layouter.anchors(card)
        for anchor, _ in block.labels:
            if anchor not in known:
                self.names.unknown_anchor(anchor, known)
        found = [(known[a], n) for n, (a, _) in enumerate(block.labels, 1) if a in known]
        last: dict[bool, float] = {}
        drawn = []
        for box, number in sorted(found, key=lambda f: (f[0].y, f[0].x)):
            right = box.x + box.width / 2 > shot.width / 2 and box.x > shot.width * 0.12
            middle = box.y + box.height / 2
            y = last[right] = max(middle, last.get(right, -DOT) + DOT * 1.06)
            x, end = (shot.width, box.right) if right else (0.0, box.x)
            below = y + DOT * 0.24
            drawn.append(
                f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{end:.1f}" y2="{middle:.1f}"/>'
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT / 2:g}"/>'
                f'<text x="{x:.1f}" y="{below:.1f}" fill="#ffffff" stroke="none">{number}</text>'
            )
        size = f'viewBox="0 0 {shot.width:g} {shot.height:g}"'
        return f'<svg {size} aria-hidden="true">{_CALLOUTS}{"".join(drawn)}</g></svg>'


def _table(head: str, rows: str, attributes: str = "") -> str:
    head = f"<thead>\n{head}</thead>\n" if head else ""
    body = f"<table{attributes}>\n{head}<tbody>\n{rows}</tbody>\n</table>\n"
    return f'<div class="table">\n{body}</div>\n'
