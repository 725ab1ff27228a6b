"""Tables: files of cells, of which the first row names the columns, as texts with places.

CSV and spreadsheets are one kind of table: every cell is a text without the spaces around it, rows
without content are left out. The column of a place counts cells, not characters.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from stonehand.source.files import read_text, shown
from stonehand.source.problems import Location, Problems, StonehandError, fault
from stonehand.source.text import Text

MAX_ROWS = 20_000
MAX_COLUMNS = 200
MAX_LINES = 100_000  # of a table, empty ones among them
MAX_CELLS = 1_000_000  # the same
TEXT_TABLES = (".csv", ".tsv")
SPREADSHEETS = (".xlsx", ".xlsm", ".ods")
DELIMITERS: Mapping[str, str] = {",": ",", ";": ";", "tab": "\t", "|": "|"}
"""What may stand between the cells of a line, by the name it has in game.yaml."""


class Table(NamedTuple):
    """The names of columns, and rows of as many cells; empty ones are empty texts."""

    at: Location
    header: list[Text]
    rows: list[list[Text]]


def read_table(path: Path, sheet: Text | None, delimiter: str | None, problems: Problems) -> Table:
    """Return the table in a CSV file or on a sheet of a spreadsheet.

    `delimiter` is a name of `DELIMITERS`; without one, that of the header is found. Without the
    name of a sheet, the file must have a single one that is visible. Faults that leave no table
    are raised.
    """
    suffix = path.suffix.lower()
    if suffix in TEXT_TABLES:
        text, at = read_text(path), Location(shown(path))
        between = DELIMITERS[delimiter] if delimiter else _delimiter(text, suffix)
        return _table(_split(text, at.file, between), at, problems, padded=False)
    if suffix == ".ods":
        from stonehand.source.opendocument import read_sheet
    else:
        from stonehand.source.workbook import read_sheet
    at, rows = read_sheet(path, sheet, problems)
    return _table(rows, at, problems, padded=True)


def _table(rows: Iterable[list[Text]], at: Location, problems: Problems, *, padded: bool) -> Table:
    """Return a table of rows, which have the same length or are `padded`.

    Rows of another length, and what stands in columns without a name, are reported.
    """
    filled = (row for row in rows if any(row))
    header = next(filled, [])
    if not header:
        raise fault(at, "the table is empty", "its first row names the columns")
    if len(header) > MAX_COLUMNS:
        raise fault(header[0].at, f"more than {MAX_COLUMNS} columns")
    kept: list[list[Text]] = []
    nameless: set[int] = set()
    number = 0
    for number, row in enumerate(filled, 1):
        start = row[0].at
        if number > MAX_ROWS:
            raise fault(start, f"more than {MAX_ROWS:,} rows")
        if len(row) != len(header) and not padded:
            cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
            hint = "put a text that holds what separates cells in quotes"
            hint = hint if len(row) > len(header) else ""
            problems.error(start, f"the row has {cells}, the header {len(header)}", hint)
            continue
        for cell, name in zip_longest(row, header):
            if cell and not name and cell.at.column not in nameless:
                nameless.add(cell.at.column)
                hint = f"name it in line {header[0].at.line}; '#' before a name makes it a note"
                problems.error(cell.at, "the column has no name", hint)
        lacking = (name.at._replace(line=start.line) for name in header[len(row) :])
        kept.append([*row[: len(header)], *(Text("", place, empty=True) for place in lacking)])
    if not number:
        raise fault(at, "the table has no rows below its header")
    return Table(at, header, kept)


# --- CSV (RFC 4180), and what programs and people make of it


def _delimiter(text: str, suffix: str) -> str:
    """Return what stands between cells: it is most often in the header, outside of quotes."""
    if suffix == ".tsv":
        return "\t"
    if told := re.match(r"sep=([,;\t|])\r?$", text, re.MULTILINE):  # written by Excel
        return told[1]
    start = re.sub(r'"[^"]*+("|\Z)', '""', text[:100_000])
    lines = re.split(r"[\r\n]+", start)
    header = next((line for line in lines if line.strip(" ,;\t|")), "")
    return max(DELIMITERS.values(), key=header.count)


def _split(text: str, file: str, delimiter: str) -> Iterator[list[Text]]:
    """Yield the rows of a CSV text. A line ends with LF, CR LF or a lone CR, also within quotes."""
    d = re.escape(delimiter)
    quoted = r'[ ]*+"([^"]*+(?:""[^"]*+)*+)"[ ]*+'
    cell = re.compile(rf"(?:{quoted}(?=[{d}\r\n]|\Z)|([^{d}\r\n]*+))({d}|\r\n|[\r\n]|\Z)")
    row: list[Text] = []
    position, line, rows, cells = 0, 1, 0, 0
    if told := re.match(r"sep=.(\r\n|[\r\n])", text):
        position, line = told.end(), 2
    while True:
        at = Location(file, line, len(row) + 1)
        match = cell.match(text, position)
        assert match, "any text begins with a cell"
        inner, plain, end = match.groups()
        if inner is None and plain.lstrip(" ").startswith('"'):
            if re.compile(quoted).match(text, position):
                hint = "a quotation mark within quotes is written twice"
                raise fault(at, "text behind the closing quotation mark", hint)
            raise fault(at, "the quotation mark is not closed")
        row.append(clean(plain if inner is None else inner.replace('""', '"'), at))
        position = match.end()
        if len(row) > MAX_COLUMNS:
            raise fault(row[0].at, f"more than {MAX_COLUMNS} columns")
        if end != delimiter:
            yield row
            cells += len(row)
            row, line, rows = [], line + 1, rows + 1
            if rows > MAX_LINES or cells > MAX_CELLS:
                raise too_large(at)
        if inner:
            line += len(re.findall(r"\r\n|[\r\n]", inner))
        if not end:
            return


def too_large(at: Location) -> StonehandError:
    """Return the fault of a table with too many lines or cells, empty ones among them."""
    message = f"the table has more than {MAX_LINES:,} lines or {MAX_CELLS:,} cells"
    return fault(at, message, "delete what lies below and beside the cards")


def clean(value: str, at: Location) -> Text:
    """Return a cell's text with plain line breaks, and without any kind of space around it."""
    value = value.replace("\r\n", "\n").replace("\r", "\n").strip()
    return Text(value, at, empty=not value)
