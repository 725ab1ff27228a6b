"""From `rules.md` to blocks: CommonMark with tables through markdown-it-py, and a few extensions.

    # Title                       ### A_01 Words          a rule
    ## Words {#A}  {#L optional}  ### Words {#level-1}    a part of a section
    ![[023, 058 | caption]]       ![[fan 001, 002 | …]]   ![[arrows 020, 021 | …]]
    ::: example   note   tip   optional   components   scores {rows=12 players=6}   parts 023
    <!-- translators: a note for the message that follows -->

Raw HTML and pictures of Markdown are faults. A soft line break is a space: how the source is
wrapped must not matter to a translation.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stonehand.language.translation import Message
from stonehand.rules.blocks import (
    Block,
    Box,
    BoxKind,
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
from stonehand.source.files import read_text, shown
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.text import Text
from stonehand.typesetting.paragraph import unprintable

if TYPE_CHECKING:
    from markdown_it.token import Token

RULE_ID = re.compile(r"[A-Z]_\d\d\Z")
_RULE = re.compile(r"([A-Z]_\d\d)(?:\s+(.*))?\Z", re.DOTALL)
_ATTRIBUTES = re.compile(r"(.*?)\s*\{#([\w-]+)( optional)?\}\s*\Z", re.DOTALL)
_FIGURE = re.compile(
    r"!\[\[\s*(?:(fan|arrows)\s+)?([^|\]]+?)\s*(?:\|\s*(.*?)\s*)?\]\]\Z", re.DOTALL
)
_NOTE = re.compile(r"<!--\s*translators:\s*(.*?)\s*-->\s*\Z", re.DOTALL)
_OPTION = re.compile(r"(\w+)=(\d+)")
CONTAINERS = ("example", "note", "tip", "optional", "components", "scores", "parts")
MAX_SIDE = 40  # rows or players of a score sheet; columns of a table


def read_rules(path: Path, problems: Problems) -> Rulebook | None:
    """Read a rules text; None when its faults, which are reported, leave no book."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.container import container_plugin
    from mdit_py_plugins.front_matter import front_matter_plugin

    markdown = MarkdownIt("commonmark").enable("table").use(front_matter_plugin)
    markdown.use(container_plugin, "any", validate=lambda *_: True)
    reader = _Reader(shown(path), problems)
    before = len(problems.errors)
    with problems.gather():
        reader.read(markdown.parse(read_text(path)))
        if reader.title is None or not reader.blocks:
            raise fault(Location(shown(path)), "the rules have no title or no text", "# Title")
    if reader.title is None or len(problems.errors) > before:
        return None
    return Rulebook(reader.title, tuple(reader.blocks), reader.notes)


class _Reader:
    def __init__(self, file: str, problems: Problems) -> None:
        self.file = file
        self.problems = problems
        self.title: Message | None = None
        self.blocks: list[Block] = []
        self.notes: dict[tuple[str, str], tuple[str, ...]] = {}
        self.context = "title"
        self.ids: dict[str, Location] = {}
        self.note = ""

    def at(self, token: "Token") -> Location:
        return Location(self.file, token.map[0] + 1 if token.map else 0, 1)

    def read(self, tokens: Sequence["Token"]) -> None:
        self.blocks += self.level(list(tokens), top=True)

    def level(self, tokens: list["Token"], *, top: bool = False) -> list[Block]:
        """Return the blocks of some tokens at one level of nesting."""
        blocks: list[Block] = []
        i = 0
        while i < len(tokens):
            end = _end(tokens, i)
            with self.problems.gather():
                blocks += self.block(tokens[i : end + 1], top)
            i = end + 1
        return blocks

    def block(self, tokens: list["Token"], top: bool) -> list[Block]:
        first = tokens[0]
        kind = first.type.removesuffix("_open")
        if kind == "front_matter":
            return []
        if kind == "heading":
            if not top:
                raise fault(self.at(first), "a heading can't stand in a list or box")
            return self.heading(first, tokens[1])
        if kind == "paragraph":
            return [self.paragraph(tokens[1])]
        if kind in ("bullet_list", "ordered_list"):
            items = [self.level(item[1:-1]) for item in _children(tokens, "list_item")]
            return [ListBlock(kind == "ordered_list", tuple(map(tuple, items)))]
        if kind == "table":
            return [self.table(tokens)]
        if kind == "container_any":
            return self.container(first, tokens[1:-1])
        if kind == "html_block":
            note = _NOTE.match(first.content.strip())
            if note is None:
                raise fault(self.at(first), "HTML is not allowed in rules", "use Markdown")
            self.note = " ".join(note[1].split())
            return []
        if kind in ("fence", "code_block", "blockquote", "hr"):
            raise fault(self.at(first), f"rules have no {kind.replace('_', ' ')}")
        raise fault(self.at(first), f"'{kind}' is not allowed in rules")

    def message(self, token: "Token", text: str, what: str) -> Message:
        """Return the words of a block as a message of the rule that is being read."""
        at = self.at(token)
        flat = " ".join(text.split())
        for child in token.children or []:
            if child.type in ("html_inline", "image", "code_inline"):
                names = {"html_inline": "HTML", "image": "a picture", "code_inline": "code"}
                raise fault(at, f"{names[child.type]} is not allowed in the text of rules")
        if bad := unprintable(flat):
            raise fault(at, f"U+{ord(bad):04X} can't be printed", "remove the character")
        message = Message.of(Text(flat, at), self.context)
        comments = (what, self.note) if self.note else (what,)
        self.notes.setdefault((message.context, flat), comments)
        self.note = ""
        return message

    def heading(self, opening: "Token", inline: "Token") -> list[Block]:
        level = int(opening.tag[1:])
        at = self.at(opening)
        text, name, optional = inline.content, "", False
        if attributes := _ATTRIBUTES.match(text):
            text, name, optional = attributes[1], attributes[2], bool(attributes[3])
        if level == 1:
            if self.title is not None:
                raise fault(at, "the rules have a second title", "sections begin with ##")
            self.title = self.message(inline, text, "title of the book")
            return []
        if level > 3:
            raise fault(at, "headings go to ### only")
        rule = _RULE.match(text) if level == 3 else None
        if rule:
            name, text = rule[1], rule[2] or ""
        if not name:
            raise fault(at, "the heading has no id", "write {#name} after it, or A_01 before it")
        if name in self.ids:
            raise fault(at, f"the id '{name}' is taken", f"first at {self.ids[name]}")
        self.ids[name] = at
        self.context = name
        what = "title of a rule" if rule else "heading"
        message = self.message(inline, text, what) if text else None
        return [Heading(level, Text(name, at), message, at, bool(rule), optional)]

    def paragraph(self, inline: "Token") -> Block:
        text = inline.content.strip()
        if not text.startswith("![["):
            return Paragraph(self.message(inline, text, "paragraph"))
        at = self.at(inline)
        match = _FIGURE.match(text)
        if match is None:
            raise fault(at, "the figure is not closed", "as in ![[023, 058 | caption]]")
        if not match[3]:
            raise fault(at, "the figure has no caption", "as in ![[023, 058 | caption]]")
        cards = tuple(Text(card.strip(), at) for card in match[2].split(","))
        caption = self.message(inline, match[3], "caption of a figure")
        return Figure(match[1] or "row", cards, caption)  # type: ignore[arg-type]

    def table(self, tokens: list["Token"]) -> Table:
        rows: list[tuple[Message, ...]] = []
        for row in _children(tokens, "tr"):
            cells = [t for t in row if t.type == "inline"]
            if len(cells) > MAX_SIDE:
                raise fault(self.at(row[0]), f"a table has at most {MAX_SIDE} columns")
            rows.append(
                tuple(self.message(cell, cell.content, "cell of a table") for cell in cells)
            )
        return Table(rows[0], tuple(rows[1:]), self.at(tokens[0]))

    def container(self, opening: "Token", inner: list["Token"]) -> list[Block]:
        at = self.at(opening)
        name, _, options = opening.info.strip().partition(" ")
        if name not in CONTAINERS:
            hint = did_you_mean(name, CONTAINERS)
            raise fault(at, f"unknown container '{name}'", hint)
        if name == "parts":
            return [self.parts(at, Text(options.strip(), at), inner)]
        if name in ("components", "scores"):
            if inner:
                raise fault(at, f"'{name}' holds nothing", "close it with :::")
            if name == "components":
                return [Components(at)]
            given = {key: int(number) for key, number in _OPTION.findall(options)}
            rows, players = given.get("rows", 12), given.get("players", 6)
            if not (0 < rows <= MAX_SIDE and 0 < players <= MAX_SIDE):
                raise fault(at, f"a score sheet has from 1 to {MAX_SIDE} rows and players")
            return [Scores(rows, players, at)]
        kind: BoxKind = name  # type: ignore[assignment]
        return [Box(kind, tuple(self.level(inner)))]

    def parts(self, at: Location, card: Text, inner: list["Token"]) -> Parts:
        labels: list[tuple[Text, Message]] = []
        for item in _children(inner, "list_item"):
            inline = next((token for token in item if token.type == "inline"), None)
            anchor, colon, text = inline.content.partition(":") if inline else ("", "", "")
            if inline is None or not colon or not text.strip():
                raise fault(self.at(item[0]), "a call-out is written '- part: words'")
            message = self.message(inline, text, "call-out to a part of a card")
            labels.append((Text(anchor.strip(), message.at), message))
        if not card or not labels:
            raise fault(at, "'parts' needs a card and a list of its parts", "::: parts 023")
        return Parts(card, tuple(labels), at)


def _end(tokens: list["Token"], start: int) -> int:
    """Return the index of the token that closes the one at `start`."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += tokens[i].nesting
        if depth <= 0:
            return i
    return len(tokens) - 1


def _children(tokens: list["Token"], kind: str) -> list[list["Token"]]:
    """Return the token runs of the elements of a kind, outermost only."""
    found = []
    i = 0
    while i < len(tokens):
        if tokens[i].type == f"{kind}_open":
            end = _end(tokens, i)
            found.append(tokens[i : end + 1])
            i = end
        i += 1
    return found
