"""Plain text and Markdown to pieces, line by line.

Markdown is read by lines, too: people write bullets and headings in it that CommonMark does not
know, and nothing of a text may get lost. Only the emphasis within a piece is left to a parser.
Where a plain text does not say what is a heading, a short line that stands alone is one.
"""

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from stonehand.importing.pieces import (
    Manuscript,
    Piece,
    cleaned,
    escaped,
    notation,
    spaced,
    split_id,
)
from stonehand.source.files import read_text, shown
from stonehand.source.problems import Location, fault

SIZE_LIMIT = 1_000_000  # bytes; the rules of Oniroo have 42,000
LINE_LIMIT = 20_000
LONGEST = 10_000  # characters of a line or paragraph
_HEADING_LENGTH = 90  # characters
_GUESS_LENGTH = 60

_ATX = re.compile(r"\s{0,3}(#{1,6})\s+(\S.*?)\s*(?:\s#+)?\s*\Z")
_UNDERLINE = re.compile(r"\s{0,3}(={3,}|-{3,}|~{3,})\s*\Z")
_RULE = re.compile(r"\s*(?:[-_*=~]\s*){3,}\Z")
_BOX = re.compile(r"\s*:{3,}\s*([\w-]*)(.*)\Z")
_ROW = re.compile(r"\s*\|.*\|\s*\Z")
_TABLE_RULE = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?\s*\Z")
_CELL_END = re.compile(r"(?<!\\)\|")
_FIGURE = re.compile(r"!\[\[[^\]|]*(?:\|\s*(.*?)\s*)?\]\]\Z")
_PICTURE = re.compile(r"(?<!\\)!\[[^\[\]]*\][(\[]|<img\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BULLET = re.compile(r"(\s*)[-*+•‣⁃–—·▪▫■□●○◦▶►➤✓✔※]\s+(\S.*)\Z")
_NUMBER = re.compile(
    r"(\s*)(?:[(（]?(\d{1,2})[.)）]|[(（]([a-zα-ωа-я]|[ivx]{1,4})[)）]|([a-zα-ωа-я])[)）]|([①-⑳])"
    r"|([가나다라마바사아자차카타파하])[.)])\s*(?<=[\s①-⑳])(\S.*)\Z"
)
_SENTENCE_END = re.compile(r"[.:,。।…][\"'»”’)*_]*\Z")
_CALL_END = re.compile(r"[!?;！？][\"'»”’)*_]*\Z")  # of sentences, but of some headings, too


def read_manuscript(
    path: Path, *, markdown: bool, id_pattern: re.Pattern[str] | None = None
) -> Manuscript:
    """Return the pieces of a text file; faults as `read_text`, and of too many lines."""
    text = unicodedata.normalize("NFC", read_text(path, SIZE_LIMIT))
    return parse_manuscript(text, shown(path), markdown=markdown, id_pattern=id_pattern)


def parse_manuscript(
    text: str, file: str, *, markdown: bool, id_pattern: re.Pattern[str] | None = None
) -> Manuscript:
    """Return the pieces of a text; `file` is the name that its places carry."""
    if markdown:
        text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    lines = [cleaned(line).expandtabs(4).rstrip() for line in re.split(r"\r\n?|[\n\f]", text)]
    if len(lines) > LINE_LIMIT:
        what = f"has {len(lines)} lines; a rules text may have {LINE_LIMIT}"
        raise fault(Location(file), what, "import it in pieces")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST:
            raise fault(Location(file, number), f"the line has more than {LONGEST} characters")
    reader = _Reader(lines, file, markdown, id_pattern)
    reader.read()
    return Manuscript(file, tuple(reader.pieces), tuple(reader.left_out))


class _Reader:
    def __init__(
        self, lines: list[str], file: str, markdown: bool, pattern: re.Pattern[str] | None
    ) -> None:
        self.lines = lines
        self.file = file
        self.markdown = markdown
        self.pattern = pattern
        self.pieces: list[Piece] = []
        self.left_out: list[tuple[Location, str]] = []
        self.boxes: list[str] = []
        self.last = 0  # the number of the last item of a list
        # a text that marks its headings has no others
        self.marked = any(
            _ATX.match(line) or (_UNDERLINE.match(line) and before and not above)
            for above, before, line in zip(["", "", *lines], ["", *lines], lines, strict=False)
        )

    def line(self, i: int) -> str:
        return self.lines[i] if 0 <= i < len(self.lines) else ""

    def read(self) -> None:
        i = self.front_matter()
        while i < len(self.lines):
            i = self.block(i)

    def front_matter(self) -> int:
        """Return the line after front matter, which says what the command says."""
        if self.markdown and self.line(0) == "---" and "---" in self.lines[1:]:
            return self.lines.index("---", 1) + 1
        return 0

    def block(self, i: int) -> int:
        """Read what begins at a line; return the line after it."""
        line = self.line(i)
        if not line:
            return i + 1
        if match := _BOX.match(line):
            self.box(match[1])
            return i + 1
        if match := _ATX.match(line):
            self.heading(i, match[2], len(match[1]))
            return i + 1
        if self.line(i + 1) and not self.line(i - 1) and not _BULLET.match(line):
            under = _UNDERLINE.match(self.line(i + 1))
            if under and not _RULE.match(line) and not _ROW.match(line):
                self.heading(i, line.strip(), 1 if under[1][0] == "=" else 2)
                return i + 2
        if _RULE.match(line):
            return i + 1
        if _ROW.match(line) or ("|" in line and _TABLE_RULE.match(self.line(i + 1))):
            return self.table(i)
        if self.is_heading(i):
            self.heading(i, line.strip(), 0)
            return i + 1
        if item := self.item(i):
            return self.words(i, "item", *item)
        return self.words(i, "paragraph", line, 0, False)

    def box(self, name: str) -> None:
        if name:
            self.boxes.append(name)
        elif self.boxes:
            self.boxes.pop()

    def heading(self, i: int, words: str, level: int) -> None:
        plain = re.sub(r"^(\*\*|__)(.*)\1$", r"\2", words)
        name, rest = split_id(plain, self.pattern)
        text = self.inline(rest)
        if self.markdown:  # a heading is plain words
            text = re.sub(r"(?<!\\)\*", "", text)
        if text or name:
            self.add(i, "heading", text, level=level, id=name)

    def is_heading(self, i: int) -> bool:
        """Tell whether a line of a text that does not mark its headings is one."""
        line = self.line(i).strip()
        if self.line(i - 1) and not (self.pieces and self.pieces[-1].kind == "heading"):
            return False
        name, _ = split_id(line, self.pattern)
        alone = not self.line(i + 1)
        strong = bool(re.fullmatch(r"[^\W\d_]_\d\d", name))
        if len(line) > _HEADING_LENGTH or _SENTENCE_END.search(line):
            return strong and len(line) < 8
        if strong:
            return alone or len(line) <= _GUESS_LENGTH
        if not alone or (self.marked and (self.markdown or not name)):
            return False
        if name:
            return not (name.isdigit() and self.in_list(i, int(name)))
        if self.line(i - 1) or (_CALL_END.search(line) and self.pieces) or self.item(i):
            return False
        return len(line) <= _GUESS_LENGTH and any(map(str.isalpha, line))

    def in_list(self, i: int, number: int) -> bool:
        """Tell whether a numbered line has its neighbour in the list before or after it."""
        after = next((line for line in self.lines[i + 1 :] if line), "")
        match = _NUMBER.match(after)
        before = bool(self.pieces) and self.pieces[-1].numbered and self.last == number - 1
        return before or bool(match and match[2] and int(match[2]) == number + 1)

    def item(self, i: int) -> tuple[str, int, bool] | None:
        """Return the words of an item of a list, its indent, and whether it is numbered."""
        line = self.line(i)
        if match := _BULLET.match(line):
            return match[2], len(match[1]), False
        match = _NUMBER.match(line)
        if match is None:
            return None
        return match[7], len(match[1]), True

    def count_item(self, i: int) -> None:
        match = _NUMBER.match(self.line(i))
        self.last = int(match[2]) if match and match[2] else 0

    def interrupts(self, i: int, kind: str) -> bool:
        """Tell whether a line begins another piece though no empty line is above it."""
        line = self.line(i)
        if not line or _BOX.match(line) or _ATX.match(line) or _ROW.match(line):
            return True
        if _BULLET.match(line):
            return True
        match = _NUMBER.match(line)
        if match is None:
            return False
        if kind == "item":
            return True
        # a line of a paragraph may begin with a number by chance
        if match[2]:
            return int(match[2]) == 1
        return (match[3] or match[4] or match[5] or match[6]) in ("a", "α", "а", "i", "①", "가")

    def words(self, i: int, kind: str, first: str, indent: int, numbered: bool) -> int:
        """Read a paragraph or item, which may go on over some lines."""
        lines = [first]
        end = i + 1
        while end < len(self.lines) and not self.interrupts(end, kind):
            lines.append(self.lines[end].strip())
            end += 1
        written = " ".join(line.strip().removesuffix("\\") for line in lines)
        if len(written) > LONGEST:
            at = Location(self.file, i + 1)
            raise fault(at, f"the paragraph has more than {LONGEST} characters", "divide it")
        if self.markdown and _PICTURE.search(written):
            self.left_out.append((Location(self.file, i + 1), "a picture"))
        if figure := _FIGURE.match(written.strip()):
            written, kind = figure[1] or "", "caption"
        if kind == "item":
            self.count_item(i)
            if self.boxes and self.boxes[-1] == "parts":
                written = written.partition(":")[2].strip() or written
        text = self.inline(written)
        if text:
            self.add(i, kind, text, level=min(indent // 2, 4), numbered=numbered)
        return end

    def table(self, i: int) -> int:
        row = 0
        while "|" in self.line(i):
            line = self.line(i).strip()
            if not _TABLE_RULE.match(line):
                line = line.removeprefix("|")
                line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
                for column, cell in enumerate(_CELL_END.split(line)):
                    text = self.inline(cell.strip().replace("\\|", "|"))
                    self.add(i, "cell", text, cell=(row, column))
                row += 1
            i += 1
        return i

    def inline(self, words: str) -> str:
        if not self.markdown:
            return escaped(spaced(words))
        return notation(_spans(words))

    def add(self, i: int, kind: Any, text: str, **more: Any) -> None:
        at = Location(self.file, i + 1)
        box = next((name for name in reversed(self.boxes) if name != "parts"), "")
        self.pieces.append(Piece(kind, text, at, box=box, **more))


def _spans(words: str) -> list[tuple[str, bool, bool]]:
    """Return the words of Markdown with their voices: links and code as words, HTML left out."""
    spans: list[tuple[str, bool, bool]] = []
    strong = emphasis = 0
    for token in _markdown().parseInline(words)[0].children or []:
        strong += {"strong_open": 1, "strong_close": -1}.get(token.type, 0)
        emphasis += {"em_open": 1, "em_close": -1}.get(token.type, 0)
        text = " " if token.type in ("softbreak", "hardbreak") else token.content
        if text and token.type not in ("html_inline", "image"):
            spans.append((text, strong > 0, emphasis > 0))
    return spans


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")
