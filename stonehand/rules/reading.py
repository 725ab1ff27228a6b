"""From `rules.md` to blocks: CommonMark with tables through markdown-it-py, and a few extensions.

    # Title                       ### A_01 Words          a rule
    ## Words {#A}  {#L optional}  ### Words {#level-1}    a part of a section
    ![[023, 058 | caption]]       ![[fan 001, 002 | …]]   ![[arrows 020, 021 | …]]
    ::: example   note   tip   optional   components   scores {rows=12 players=6}   parts 023
    <!-- translators: a note for the message that follows -->   <!-- unchecked: code - why -->

What Markdown would print otherwise than it stands, or drop (HTML, pictures, code, links, entities,
forced line breaks, surplus cells), is a fault. A soft line break is a space: how the source is
wrapped must not matter to a translation. Rules and sections come in the order of their ids; a rule
that is gone stays as `### A_02 (withdrawn)`, so that no id is used again.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stonehand.cards.deck import check_text
from stonehand.language.translation import Message
from stonehand.rules import inline
from stonehand.rules.blocks import (
    Block,
    Box,
    BoxKind,
    Components,
    Figure,
    FrontMatter,
    Heading,
    ListBlock,
    Paragraph,
    Parts,
    Rulebook,
    Scores,
    Table,
)
from stonehand.source import yaml
from stonehand.source.bind import bind
from stonehand.source.files import read_text, shown
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.text import Text
from stonehand.typesetting import markup

if TYPE_CHECKING:
    from markdown_it.token import Token

_RULE = re.compile(r"([A-Z]_\d\d)(?: (.*))?\Z", re.ASCII)
_ATTRIBUTES = re.compile(r"(.*?) ?\{#([\w-]+)( optional)?\}\Z")
_FIGURE = re.compile(r"!\[\[ ?(?:(fan|arrows) )?([^|\]]+?) ?(?:\| ?(.*?) ?)?\]\]\Z")
_SILENCE = re.compile(r"<!-- ?unchecked: .*?-->\Z")  # see stonehand.source.silence
_NOTE = re.compile(r"<!-- ?translators: ?(.*?) ?-->\Z")
_OPTION = re.compile(r"(rows|players)=(\d{1,9})", re.ASCII)
_LINE_END = re.compile(r"\r\n?|\n")
_CELL_END = re.compile(r"(?<!\\)\|")
_TABLE_RULE = re.compile(r"^[ :-]*+\|[ |:-]*+$", re.MULTILINE)
_ENTITY = re.compile(r"(?<!\\)&(?:#\w{1,8}|[A-Za-z]\w{1,30});")
CONTAINERS = ("example", "note", "tip", "optional", "components", "scores", "parts")
ALONE = ("components", "scores")  # they hold nothing
MAX_SIDE = 40  # rows or players of a score sheet; columns of a table; cards of a figure
MAX_DEPTH = 6  # of lists and boxes within each other
WITHDRAWN = "(withdrawn)"


def read_rules(path: Path, problems: Problems) -> Rulebook | None:
    """Read a rules text; None where no title or no text is found.

    Faults are reported, all of them; the book then lacks the blocks at fault.
    """
    with problems.gather():
        return parse_rules(read_text(path), shown(path), problems)
    return None


def parse_rules(text: str, file: str, problems: Problems) -> Rulebook | None:
    """Do what `read_rules` does, with a text; `file` is the name that its places carry."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.container import container_plugin
    from mdit_py_plugins.front_matter import front_matter_plugin

    # what is nested deeper than the parser goes is dropped without a word, so it must go deeper
    options = {"maxNesting": 6 * MAX_DEPTH}
    markdown = MarkdownIt("commonmark", options).enable("table").disable("reference")
    markdown.use(front_matter_plugin)
    markdown.use(container_plugin, "any", validate=lambda *_: True)
    with problems.gather():
        reader = _Reader(file, text, problems)
        reader.read(markdown.parse(f"{text}\n"))  # a container that ends the file wants a line end
        return reader.rulebook()
    return None


class _Reader:
    def __init__(self, file: str, text: str, problems: Problems) -> None:
        self.file = file
        self.lines = _LINE_END.split(text)
        self.problems = problems
        self.front = FrontMatter()
        self.title: Message | None = None
        self.blocks: list[Block] = []
        self.notes: dict[tuple[str, str], tuple[str, ...]] = {}
        self.context = "title"
        self.ids: dict[str, Location] = {"title": Location(file)}
        self.section = ""  # letter of the section that is read, if it has one
        self.lettered = ""  # the last letter of a section
        self.rule = ""  # the last id of a rule
        self.withdrawn: list[str] = []
        self.gone = False  # the rule that is read is withdrawn
        self.note: tuple[str, ...] = ()

    def at(self, token: "Token") -> Location:
        return Location(self.file, token.map[0] + 1 if token.map else 0, 1)

    def read(self, tokens: Sequence["Token"]) -> None:
        self.blocks += self.level(list(tokens), 0)

    def rulebook(self) -> Rulebook | None:
        if self.title is None or not self.blocks:
            at = Location(self.file)
            self.problems.error(at, "the rules have no title or no text", "begin with # Title")
            return None
        withdrawn = frozenset(self.withdrawn)
        return Rulebook(self.title, tuple(self.blocks), self.notes, self.front, withdrawn)

    def level(self, tokens: list["Token"], depth: int) -> list[Block]:
        """Return the blocks of some tokens at one level of nesting."""
        blocks: list[Block] = []
        if depth > MAX_DEPTH:
            raise fault(self.at(tokens[0]), f"nested deeper than {MAX_DEPTH} lists or boxes")
        i = 0
        while i < len(tokens):
            end = _end(tokens, i)
            with self.problems.gather():
                blocks += self.block(tokens[i : end + 1], depth)
            i = end + 1
        return blocks

    def block(self, tokens: list["Token"], depth: int) -> list[Block]:
        first = tokens[0]
        kind = first.type.removesuffix("_open")
        if kind == "front_matter":
            self.front_matter(first)
            return []
        if kind == "heading":
            if depth:
                raise fault(self.at(first), "a heading can't stand in a list or box")
            return self.heading(first, tokens[1])
        if kind == "html_block":
            written = " ".join(first.content.split())
            if _SILENCE.match(written):
                return []
            note = _NOTE.match(written)
            if note is None:
                hint = "a note is written <!-- translators: words -->"
                raise fault(self.at(first), "HTML is not allowed in rules", hint)
            self.note += (note[1],)
            return []
        if kind == "hr" and first.map == [0, 1] and first.markup.startswith("---"):
            raise fault(self.at(first), "the front matter is not closed", "end it with ---")
        if self.title is None:
            self.context = "title"
            raise fault(self.at(first), "text before the title", "begin with # Title")
        if self.gone:
            at = self.at(first)
            raise fault(at, f"the rule '{self.context}' is withdrawn and can have no text")
        if kind == "paragraph":
            return [self.paragraph(tokens[1])]
        if kind in ("bullet_list", "ordered_list"):
            return [self.list_block(tokens, depth)]
        if kind == "table":
            return [self.table(tokens)]
        if kind == "container_any":
            return [self.container(first, tokens[1:-1], depth)]
        names = {
            "fence": "code",
            "code_block": "code",
            "blockquote": "quotes",
            "hr": "lines across",
        }
        hint = "a line begins with four spaces" if kind == "code_block" else ""
        raise fault(self.at(first), f"rules have no {names.get(kind, kind)}", hint)

    def front_matter(self, token: "Token") -> None:
        if token.content.strip():
            # after a line end, since places count from the line of the dashes
            front = bind(yaml.parse(f"\n{token.content}", self.file), FrontMatter, self.problems)
            self.front = front or self.front

    def message(self, token: "Token", text: str, what: str) -> Message:
        """Return the words of a block as a message of the rule that is being read."""
        at = self.at(token)
        flat = Text(" ".join(text.split()), at)
        for child in token.children or []:
            if name := _REFUSED.get(child.type):
                raise fault(at, f"{name} is not allowed in the text of rules")
        if "\\\n" in token.content:
            raise fault(at, "a forced line break is not allowed in the text of rules")
        if entity := _ENTITY.search(flat):
            raise fault(at, f"'{entity[0]}' is not allowed in rules", "write the character itself")
        if "![[" in flat:
            raise fault(at, "a figure stands in a paragraph of its own")
        inline.parse(flat)
        check_text(flat)
        message = Message.of(flat, self.context)
        self.notes.setdefault((message.context, str(flat)), (what, *self.note))
        self.note = ()
        return message

    def heading(self, opening: "Token", inner: "Token") -> list[Block]:
        level = int(opening.tag[1:])
        at = self.at(opening)
        text, name, optional = " ".join(inner.content.split()), "", False
        if attributes := _ATTRIBUTES.match(text):
            text, name, optional = attributes[1], attributes[2], bool(attributes[3])
        if level > 3:
            raise fault(at, "headings go to ### only")
        rule = _RULE.match(text) if level == 3 else None
        if rule:
            if name not in ("", rule[1]):
                raise fault(at, f"the rule has two ids, '{rule[1]}' and '{name}'")
            name, text = rule[1], rule[2] or ""
        if level > 1 and not name:
            raise fault(at, "the heading has no id", "write {#name} after it, or A_01 before it")
        if not text and not rule:
            raise fault(at, "the heading has no words")
        if inline.protected(Text(text, at)) or any(
            s.strong or s.emphasis for s in markup.parse(text)
        ):
            hint = "they would be lost in the contents"
            raise fault(at, "a heading can have no references, values or emphasis", hint)
        if level == 1:
            if self.title is not None:
                raise fault(at, "the rules have a second title", "sections begin with ##")
            self.title = self.message(inner, text, "title of the book")
            return []
        if name in self.ids:
            first = self.ids[name]
            raise fault(at, f"the id '{name}' is taken", f"first at {first}" if first.line else "")
        self.ids[name] = at
        self.context = name
        self.gone = bool(rule) and text == WITHDRAWN
        if rule:
            self.check_rule(name, at)
        elif level == 2:
            self.check_section(name, at)
        if self.gone:
            self.withdrawn.append(name)
            return []
        what = "title of a rule" if rule else "heading"
        message = self.message(inner, text, what) if text else None
        return [Heading(level, Text(name, at), message, at, bool(rule), optional)]

    def check_section(self, name: str, at: Location) -> None:
        """Report a letter of a section that is out of order."""
        self.section = name if len(name) == 1 and "A" <= name <= "Z" else ""
        if self.section:
            if self.section < self.lettered:
                self.problems.error(at, f"section '{name}' comes after section '{self.lettered}'")
            self.lettered = max(self.section, self.lettered)

    def check_rule(self, name: str, at: Location) -> None:
        """Report an id of a rule that is out of order, or in a section of another letter."""
        letter, number = name[0], int(name[2:])
        before = int(self.rule[2:]) if self.rule[:1] == letter else 0
        if self.section and letter != self.section:
            self.problems.error(at, f"rule '{name}' stands in section '{self.section}'")
        elif name < self.rule:
            self.problems.error(at, f"rule '{name}' comes after rule '{self.rule}'")
        elif number > before + 1:
            gap = f"{letter}_{before + 1:02}"
            hint = f"one that is gone stays as '### {gap} {WITHDRAWN}'"
            self.problems.finding(
                "missing-rule", at, f"no rule '{gap}' comes before '{name}'", hint
            )
        self.rule = max(name, self.rule)

    def paragraph(self, inner: "Token") -> Block:
        text = " ".join(inner.content.split())
        at = self.at(inner)
        if not text.startswith("![["):
            if _TABLE_RULE.search(inner.content):
                hint = "its first two rows must have as many cells"
                raise fault(at, "the paragraph looks like a table", hint)
            return Paragraph(self.message(inner, text, "paragraph"))
        match = _FIGURE.match(text)
        if match is None:
            raise fault(at, "the figure is not closed", "as in ![[023, 058 | caption]]")
        if not match[3]:
            raise fault(at, "the figure has no caption", "as in ![[023, 058 | caption]]")
        cards = tuple(Text(card.strip(), at) for card in match[2].split(","))
        if len(cards) > MAX_SIDE:
            raise fault(at, f"a figure has at most {MAX_SIDE} cards")
        caption = self.message(inner, match[3], "caption of a figure")
        return Figure(match[1] or "row", cards, caption)  # type: ignore[arg-type]

    def list_block(self, tokens: list["Token"], depth: int) -> ListBlock:
        numbered = tokens[0].type == "ordered_list_open"
        if tokens[0].attrGet("start") is not None:
            at = self.at(tokens[0])
            raise fault(at, "a numbered list begins with 1", "its numbers are counted anew")
        items = []
        for item in _children(tokens, "list_item"):
            if len(item) == 2:
                raise fault(self.at(item[0]), "the item of the list is empty")
            items.append(tuple(self.level(item[1:-1], depth + 1)))
        return ListBlock(numbered, tuple(items))

    def table(self, tokens: list["Token"]) -> Table:
        rows: list[tuple[Message, ...]] = []
        for row in _children(tokens, "tr"):
            at = self.at(row[0])
            cells = [t for t in row if t.type == "inline"]
            if len(cells) > MAX_SIDE:
                raise fault(at, f"a table has at most {MAX_SIDE} columns")
            line = self.lines[at.line - 1].strip().removeprefix("|").removesuffix("|")
            written = len(_CELL_END.findall(line)) + 1
            if written != len(cells):
                hint = "a | within a cell is written \\|"
                raise fault(at, f"the row has {written} cells, the head {len(cells)}", hint)
            rows.append(
                tuple(self.message(cell, cell.content, "cell of a table") for cell in cells)
            )
        return Table(rows[0], tuple(rows[1:]), self.at(tokens[0]))

    def container(self, opening: "Token", inner: list["Token"], depth: int) -> Block:
        at = self.at(opening)
        name, _, options = opening.info.strip().partition(" ")
        if not name:
            raise fault(at, "nothing is open here that ::: could close")
        if name not in CONTAINERS:
            raise fault(at, f"unknown container '{name}'", did_you_mean(name, CONTAINERS))
        assert opening.map
        last = self.lines[opening.map[1]] if opening.map[1] < len(self.lines) else ""
        if not last.strip().startswith(":::"):
            raise fault(at, f"'{name}' is not closed", "end it with :::")
        if name == "parts":
            return self.parts(at, Text(options.strip(), at), inner)
        if options.strip() and name != "scores":
            raise fault(at, f"'{name}' takes no options")
        if bool(inner) == (name in ALONE):
            what = "holds nothing" if inner else "is empty"
            raise fault(at, f"'{name}' {what}", "close it with :::" if inner else "")
        if name == "components":
            return Components(at)
        if name == "scores":
            return _scores(options.strip(), at)
        kind: BoxKind = name  # type: ignore[assignment]
        return Box(kind, tuple(self.level(inner, depth + 1)))

    def parts(self, at: Location, card: Text, inner: list["Token"]) -> Parts:
        labels: list[tuple[Text, Message]] = []
        if not card or not inner or inner[0].type != "bullet_list_open":
            raise fault(at, "'parts' needs a card and a list of its parts", "::: parts 023")
        if (end := _end(inner, 0) + 1) < len(inner):
            raise fault(self.at(inner[end]), "'parts' holds a list and nothing else")
        for item in _children(inner, "list_item"):
            anchor, colon, text = item[2].content.partition(":") if len(item) > 2 else ("", "", "")
            if len(item) != 5 or not colon or not text.strip():
                raise fault(self.at(item[0]), "a call-out is written '- part: words'")
            message = self.message(item[2], text, "call-out to a part of a card")
            labels.append((Text(anchor.strip(), message.at), message))
        return Parts(card, tuple(labels), at)


_REFUSED = {
    "html_inline": "HTML",
    "image": "a picture",
    "code_inline": "code",
    "link_open": "a link of Markdown",
}


def _scores(options: str, at: Location) -> Scores:
    given = {"rows": 12, "players": 6}
    for option in options.removeprefix("{").removesuffix("}").split() if options else ():
        match = _OPTION.fullmatch(option)
        if match is None:
            raise fault(at, f"unknown option '{option}'", "::: scores {rows=12 players=6}")
        given[match[1]] = int(match[2])
    if not all(0 < number <= MAX_SIDE for number in given.values()):
        raise fault(at, f"a score sheet has from 1 to {MAX_SIDE} rows and players")
    return Scores(given["rows"], given["players"], at)


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
