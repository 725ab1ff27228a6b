"""DOCX to pieces, by python-docx: what a word processor writes, without what only looks.

Headings come by their style or outline level, lists by their
numbering, with the numbers that Word would show where these are ids. What has no place in rules,
such as pictures and text boxes, is told.
"""

import io
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stonehand.importing.pieces import Manuscript, Piece, cleaned, notation, spaced, split_id
from stonehand.source.archive import damaged, read_archive
from stonehand.source.files import shown
from stonehand.source.problems import Location, fault

SIZE_LIMIT = 50_000_000  # bytes of the file: it may have pictures
UNPACKED_LIMIT = 100_000_000  # bytes of all its parts together
XML_LIMIT = 20_000_000  # bytes of one part of XML
WORD_PROCESSOR = "a word processor"
BLOCK_LIMIT = 20_000
RUN_LIMIT = 200_000
LONGEST_HEADING = 60  # characters, where no style tells a heading
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"heading (\d)\Z", re.IGNORECASE)
_LEFT_OUT = {
    "drawing": "a picture",
    "pict": "a picture",
    "object": "an embedded object",
    "txbxContent": "a text box",
    "footnoteReference": "a footnote",
    "endnoteReference": "an endnote",
}


def read_docx(path: Path, id_pattern: re.Pattern[str] | None = None) -> Manuscript:
    """Return the pieces of a DOCX file; its places count paragraphs, as lines.

    Faults: a file that is none, that is too large when unpacked, or has tracked changes.
    """
    at = Location(shown(path))
    try:
        import docx
    except ImportError:
        hint = "pip install 'stonehand[docx]', or save it as plain text"
        raise fault(at, "DOCX is read with python-docx, which is not there", hint) from None
    package = read_archive(path, WORD_PROCESSOR, SIZE_LIMIT, UNPACKED_LIMIT)
    if "word/document.xml" not in package.parts:
        raise damaged(path, WORD_PROCESSOR)
    for name, part in package.parts.items():
        if len(part) > XML_LIMIT:
            raise fault(at, f"'{name}' is too large")
    try:
        document = docx.Document(io.BytesIO(package.data))
        reader = _Reader(document, shown(path), id_pattern)
        reader.read()
    except (KeyError, ValueError, AttributeError, TypeError, IndexError, SyntaxError) as error:
        # lxml's faults are SyntaxErrors; python-docx lets through what it did not expect
        what = f"can't be read as DOCX: {str(error)[:100] or type(error).__name__}"
        raise fault(at, what, "open it in a word processor and save it again") from None
    pieces = _with_headings(reader.pieces, id_pattern)
    return Manuscript(shown(path), tuple(pieces), tuple(reader.left_out))


class _Reader:
    def __init__(self, document: Any, file: str, pattern: re.Pattern[str] | None) -> None:
        self.document = document
        self.file = file
        self.pattern = pattern
        self.pieces: list[Piece] = []
        self.left_out: list[tuple[Location, str]] = []
        self.count = 0
        self.runs = 0
        self.numbering = _Numbering(document)

    @property
    def at(self) -> Location:
        return Location(self.file, self.count)

    def read(self) -> None:
        changed = next(self.document.element.body.iter(f"{_W}ins", f"{_W}del"), None)
        if changed is not None:
            at = Location(self.file)
            raise fault(at, "has tracked changes", "accept or reject them all, and save it")
        for block in self.document.iter_inner_content():
            self.step()
            if hasattr(block, "rows"):
                self.table(block)
            else:
                self.paragraph(block)
        lost = sum(1 for _ in self.document.element.body.iter(f"{_W}sdt"))
        if lost:
            self.left_out.append((Location(self.file), f"{lost} content controls, with their text"))

    def step(self) -> None:
        self.count += 1
        if self.count > BLOCK_LIMIT:
            at = Location(self.file)
            raise fault(at, f"has more than {BLOCK_LIMIT} paragraphs", "import it in pieces")

    def table(self, table: Any) -> None:
        seen: set[Any] = set()
        for row, line in enumerate(table.rows):
            self.step()
            column = 0
            for cell in line.cells:
                if cell._tc in seen:  # merged with the one before or above
                    continue
                seen.add(cell._tc)
                if cell.tables:
                    self.left_out.append((self.at, "a table within a table"))
                words = " ".join(filter(None, (self.words(p) for p in cell.paragraphs)))
                self.pieces.append(Piece("cell", words, self.at, cell=(row, column)))
                column += 1

    def paragraph(self, paragraph: Any) -> None:
        level = _heading_level(paragraph)
        number = self.numbering.of(paragraph)
        if level is not None:
            words = spaced(cleaned(paragraph.text))
            if number and not number.bullet:
                words = f"{number.label} {words}"
            name, rest = split_id(unicodedata.normalize("NFC", words), self.pattern)
            self.look_for_left_out(paragraph)
            if rest or name:
                text = notation([(rest, False, False)])
                self.pieces.append(Piece("heading", text, self.at, level=level, id=name))
            return
        text = self.words(paragraph)
        if not text:
            return
        if number or _style(paragraph).startswith(("list bullet", "list number")):
            numbered = not number.bullet if number else "number" in _style(paragraph)
            depth = min(number.depth, 4) if number else 0
            self.pieces.append(Piece("item", text, self.at, depth, numbered=numbered))
        else:
            self.pieces.append(Piece("paragraph", text, self.at))

    def words(self, paragraph: Any) -> str:
        """Return the words of a paragraph in the notation of rules."""
        self.look_for_left_out(paragraph)
        spans: list[tuple[str, bool, bool]] = []
        for run in _runs(paragraph):
            self.runs += 1
            if self.runs > RUN_LIMIT:
                raise fault(Location(self.file), f"has more than {RUN_LIMIT} runs of text")
            text = unicodedata.normalize("NFC", re.sub(r"[\t\r\n\x0b\x0c]", " ", run.text))
            spans.append((cleaned(text), bool(run.bold), bool(run.italic)))
        return notation(spans)

    def look_for_left_out(self, paragraph: Any) -> None:
        found: dict[str, str] = {}
        for element in paragraph._p.iter(*(f"{_W}{name}" for name in _LEFT_OUT)):
            what = _LEFT_OUT[element.tag.removeprefix(_W)]
            said = "".join(t.text or "" for t in element.iter(f"{_W}t"))[:60]
            found.setdefault(what, f"{what}: {said}" if said else what)
        if "a text box" in found:
            found.pop("a picture", None)  # which is its frame
        self.left_out += [(self.at, told) for told in found.values()]


def _runs(paragraph: Any) -> Iterator[Any]:
    """Yield the runs of a paragraph, those of links with them."""
    for item in paragraph.iter_inner_content():
        if hasattr(item, "runs"):
            yield from item.runs
        else:
            yield item


def _style(paragraph: Any) -> str:
    return str(paragraph.style.name or "").casefold() if paragraph.style is not None else ""


def _heading_level(paragraph: Any) -> int | None:
    """Return the level of a heading, 1 for a title; None for any other paragraph."""
    if _style(paragraph) == "title":
        return 1
    for element, name in _from_near(paragraph):
        outline = _number(_value(element, "outlineLvl"), 9) if element is not None else 9
        if outline < 9:
            return outline + 2
        if match := _HEADING.match(name):
            return int(match[1]) + 1
    return None


def _from_near(paragraph: Any) -> Iterator[tuple[Any, str]]:
    """Yield the properties of a paragraph, then those of its styles with their names."""
    yield paragraph._p.pPr, ""
    style = paragraph.style
    for _ in range(10):  # styles go by others, which might be in a circle
        if style is None:
            return
        yield style.element.find(f"{_W}pPr"), str(style.name or "")
        style = style.base_style


def _with_headings(pieces: list[Piece], pattern: re.Pattern[str] | None) -> list[Piece]:
    """Return pieces with headings where their writer used no styles: short strong ones and ids."""
    if any(piece.kind == "heading" and piece.level > 1 for piece in pieces):
        return pieces
    made: list[Piece] = []
    for piece in pieces:
        strong = re.fullmatch(r"\*{2,3}([^*]+)\*{2,3}", piece.text)
        words = strong[1] if strong else piece.text
        name, rest = split_id(words, pattern)
        short = len(words) <= LONGEST_HEADING and words[-1:] not in tuple(".:,।。…")
        if piece.kind == "paragraph" and short and (strong or "_" in name):
            made.append(piece._replace(kind="heading", text=rest, id=name))
        else:
            made.append(piece)
    return made


class _Number:
    """What the numbering of a paragraph shows: a bullet, or a label such as `1.2`."""

    def __init__(self, depth: int, bullet: bool, label: str) -> None:
        self.depth = depth
        self.bullet = bullet
        self.label = label


class _Numbering:
    """Counts the numbered paragraphs of a document, as Word does."""

    def __init__(self, document: Any) -> None:
        self.levels: dict[str, dict[int, tuple[str, str, int]]] = {}
        self.abstract: dict[str, str] = {}
        self.counters: dict[str, dict[int, int]] = {}
        try:
            root = document.part.numbering_part.element
        except (KeyError, NotImplementedError):  # it has no lists
            return
        for abstract in root.iter(f"{_W}abstractNum"):
            levels = self.levels.setdefault(abstract.get(f"{_W}abstractNumId", ""), {})
            for level in abstract.iter(f"{_W}lvl"):
                levels[_number(level.get(f"{_W}ilvl"))] = (
                    _value(level, "numFmt"),
                    _value(level, "lvlText"),
                    _number(_value(level, "start"), 1),
                )
        for one in root.iter(f"{_W}num"):
            self.abstract[one.get(f"{_W}numId", "")] = _value(one, "abstractNumId")

    def of(self, paragraph: Any) -> _Number | None:
        """Count a paragraph and return its number; None for one without."""
        properties = _number_properties(paragraph)
        if properties is None:
            return None
        name = _value(properties, "numId")
        depth = _number(_value(properties, "ilvl"))
        if name in ("", "0"):
            return None
        abstract = self.abstract.get(name, "")
        form, pattern, begin = self.levels.get(abstract, {}).get(depth, ("bullet", "", 1))
        if form in ("bullet", "none"):
            return _Number(depth, True, "")
        counters = self.counters.setdefault(abstract, {})
        counters[depth] = counters.get(depth, begin - 1) + 1
        for deeper in [level for level in counters if level > depth]:
            del counters[deeper]

        def shown_at(match: re.Match[str]) -> str:
            level = int(match[1]) - 1
            form, _, begin = self.levels[abstract].get(level, ("decimal", "", 1))
            return _in_form(counters.get(level, begin), form)

        return _Number(depth, False, re.sub(r"%(\d)", shown_at, pattern))


def _number_properties(paragraph: Any) -> Any:
    """Return what numbers a paragraph, by itself or by its style."""
    for element, _ in _from_near(paragraph):
        found = element.find(f"{_W}numPr") if element is not None else None
        if found is not None:
            return found
    return None


def _value(element: Any, name: str) -> str:
    child = element.find(f"{_W}{name}")
    return str(child.get(f"{_W}val", "")) if child is not None else ""


def _number(text: str | None, default: int = 0) -> int:
    return int(text) if text and re.fullmatch(r"\d{1,6}", text, re.ASCII) else default


def _in_form(number: int, form: str) -> str:
    """Return a number as letters where its form says so."""
    if form in ("upperLetter", "lowerLetter") and 1 <= number <= 26:
        letter = chr(ord("A") + number - 1)
        return letter if form == "upperLetter" else letter.lower()
    return f"{number:02}" if form == "decimalZero" else str(number)
