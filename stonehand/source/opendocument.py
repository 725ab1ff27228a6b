"""ODS spreadsheets (OpenDocument 1.3): a sheet as rows of texts, each as its cell shows it.

Beside the value of each cell, the file holds the text that is shown, and what kind of value it is;
no library hands on all three, so expat walks the file. What can't come back as it was typed is
reported at its cell, as in `workbook`.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from xml.parsers import expat

from stonehand.source.archive import damaged, read_archive
from stonehand.source.files import shown
from stonehand.source.numbers import AS_TEXT, TOO_LONG, kept, number_read, number_shown
from stonehand.source.problems import Location, Problems, fault
from stonehand.source.table import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, clean, too_large
from stonehand.source.text import Text
from stonehand.source.workbook import chosen

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0 "
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0 "
_STYLE = "urn:oasis:names:tc:opendocument:xmlns:style:1.0 "
_CALC = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0 "
_CELLS = (_TABLE + "table-cell", _TABLE + "covered-table-cell")
_SPACES = {_TEXT + "s": " ", _TEXT + "tab": "\t", _TEXT + "line-break": "\n"}
_ERROR = re.compile(r"#[A-Z/0]+[!?A]|Err:\d+")
_MORE_THAN_DIGITS = re.compile(r"[^\d\s.,'’+\-eE%]")

_Attributes = dict[str, str]


def read_sheet(
    path: Path, name: Text | None, problems: Problems
) -> tuple[Location, Iterator[list[Text]]]:
    """Return the place of a sheet, the only visible one if it is not named, and its rows.

    Cells that hold a date or an error, and formulas without a value, are reported.
    """
    parts = read_archive(path).parts
    if b"encryption-data" in parts.get("META-INF/manifest.xml", b""):
        hint = "save it without a password"
        raise fault(Location(shown(path)), "the file is protected by a password", hint)
    content = parts.get("content.xml", b"")
    sheets = _Sheets()
    sheets.walk(content, path)
    at = Location(shown(path), sheet=chosen(path, name, sheets.found))
    cells = _Cells(at, problems)
    cells.walk(content, path)
    return at, iter(cells.rows)


class _Walk:
    """A walk through a file, told of the beginnings and ends of elements."""

    def start(self, tag: str, attributes: _Attributes) -> None:
        """Meet an element."""

    def end(self, tag: str) -> None:
        """Leave an element."""

    def characters(self, text: str) -> None:
        """Meet text."""

    def walk(self, content: bytes, path: Path) -> None:
        """Walk through a file; one that is damaged is a fault."""
        parser = expat.ParserCreate("UTF-8", " ")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        try:
            parser.Parse(content, True)
        except (expat.ExpatError, ValueError):  # also of counts and numbers that are none
            raise damaged(path) from None


class _Sheets(_Walk):
    """Finds the sheets, and whether they are visible."""

    def __init__(self) -> None:
        self.found: dict[str, bool] = {}
        self.hidden: set[str] = set()  # names of styles
        self.style = ""

    def start(self, tag: str, attributes: _Attributes) -> None:
        if tag == _STYLE + "style":
            self.style = attributes.get(_STYLE + "name", "")
        elif tag == _STYLE + "table-properties":
            if attributes.get(_TABLE + "display") == "false":
                self.hidden.add(self.style)
        elif tag == _TABLE + "table":
            name = attributes.get(_TABLE + "name", "")
            style = attributes.get(_TABLE + "style-name", "")
            self.found.setdefault(name, style not in self.hidden)


class _Cells(_Walk):
    """Reads the rows of the sheet whose place is given."""

    def __init__(self, at: Location, problems: Problems) -> None:
        self.at = at
        self.problems = problems
        self.rows: list[list[Text]] = []
        self.count = 0  # of the cells of all rows
        self.inside = self.done = False  # of the sheet
        self.line = self.column = 1
        self.times = 1  # that the row is repeated
        self.row: dict[int, str] = {}  # what is shown, by column
        self.depth = 0  # of elements in a cell, which itself is the first
        self.attributes: _Attributes = {}
        self.paragraphs: list[str] = []
        self.writing = False  # a paragraph of the cell itself, not of a note on it

    def start(self, tag: str, attributes: _Attributes) -> None:
        if self.depth:
            self.depth += 1
            if self.depth == 2 and tag == _TEXT + "p":
                self.paragraphs.append("")
                self.writing = True
            elif self.writing and tag in _SPACES:
                many = min(_times(attributes, _TEXT + "c"), 1000)
                self.paragraphs[-1] += _SPACES[tag] * many
        elif tag == _TABLE + "table":
            self.inside = not self.done and attributes.get(_TABLE + "name") == self.at.sheet
        elif self.inside and tag == _TABLE + "table-row":
            self.times = _times(attributes, _TABLE + "number-rows-repeated")
            self.row, self.column = {}, 1
        elif self.inside and tag in _CELLS:
            self.depth, self.attributes, self.paragraphs = 1, attributes, []

    def characters(self, text: str) -> None:
        if self.writing:
            self.paragraphs[-1] += text

    def end(self, tag: str) -> None:
        if self.depth:
            self.depth -= 1
            self.writing = self.writing and self.depth > 1
            if not self.depth:
                self.cell(covered=tag == _CELLS[1])
        elif self.inside and tag == _TABLE + "table-row":
            self.end_of_row()
        elif tag == _TABLE + "table":
            self.done, self.inside = self.done or self.inside, False

    def cell(self, *, covered: bool) -> None:
        """Keep what a cell shows; one that is covered by a merged one shows nothing."""
        times = _times(self.attributes, _TABLE + "number-columns-repeated")
        last = min(self.column + times, MAX_COLUMNS + 2)
        at = self.at._replace(line=self.line, column=self.column)
        if not covered and self.column < last and (text := self.shown(at)):
            self.row.update(dict.fromkeys(range(self.column, last), text))
        self.column += times

    def end_of_row(self) -> None:
        """Add a row with content, as often as it is repeated, though not beyond what is allowed."""
        width = max(self.row, default=0)
        for line in range(self.line, self.line + self.times if self.row else 0):
            if len(self.rows) > MAX_ROWS + 1:
                break
            self.count += width
            if self.count > MAX_CELLS:
                raise too_large(self.at)
            places = (self.at._replace(line=line, column=i + 1) for i in range(width))
            self.rows.append([clean(self.row.get(at.column, ""), at) for at in places])
        self.line += self.times

    def shown(self, at: Location) -> str:
        """Return what a cell shows, and report what can't be what was typed."""
        text = "\n".join(self.paragraphs)
        kind = self.attributes.get(_OFFICE + "value-type")
        formula = _TABLE + "formula" in self.attributes
        failed = self.attributes.get(_CALC + "value-type") == "error"
        if failed or (formula and _ERROR.fullmatch(text)):
            self.problems.error(at, f"the cell holds the error {text}", "mend its formula")
        elif formula and kind is None:
            hint = "open the file in a spreadsheet program and save it"
            self.problems.error(at, "the formula has no value", hint)
        elif kind in ("date", "time"):
            self.problems.error(at, f"the cell holds a date or time, {text}", AS_TEXT)
        elif kind == "boolean":
            return self.attributes.get(_OFFICE + "boolean-value", "").upper()
        elif kind in ("float", "percentage", "currency"):
            return self.number(text.strip(), at)
        return text or self.attributes.get(_OFFICE + "string-value", "")

    def number(self, text: str, at: Location) -> str:
        """Return a number as it is shown, without grouping and with a point."""
        value = float(self.attributes.get(_OFFICE + "value", ""))
        if not kept(value):
            self.problems.error(at, TOO_LONG, AS_TEXT)
            return text
        percent = "%" if text.endswith("%") else ""
        plain = number_shown(value, f"0.{'#' * 15}%" if percent else "General")
        if plain is None or _MORE_THAN_DIGITS.search(text):  # such as a currency
            return text
        digits = text.removesuffix("%").strip().replace(",", ".")
        read = number_read(digits)
        if read is None:
            return plain
        places = len(digits.partition(".")[2])
        off = abs(read - Decimal(plain.removesuffix("%")))
        return digits + percent if off <= Decimal(5).scaleb(-places - 1) else plain


def _times(attributes: _Attributes, name: str) -> int:
    return max(int(attributes.get(name, "1")), 0)
