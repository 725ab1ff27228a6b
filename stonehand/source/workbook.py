"""XLSX workbooks: a sheet as rows of texts, each as its cell shows it.

openpyxl reads; it comes with `pip install stonehand[spreadsheets]`. Spreadsheet programs turn what
is typed into numbers and dates. What can't come back as it was typed, such as an id `1-2` that has
become a date, is reported at its cell. Macros, links to other files and pictures are left alone.
"""

import io
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stonehand.source.archive import damaged, read_archive
from stonehand.source.files import shown
from stonehand.source.numbers import AS_TEXT, TOO_LONG, kept, number_shown
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.table import MAX_CELLS, MAX_LINES, clean, too_large
from stonehand.source.text import Text

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

# a formula with nothing behind it; openpyxl tells it from an empty cell only in a second pass
_NO_VALUE = re.compile(rb"<f(?: [^>]*)?(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # ST_Xstring, ECMA-376 part 1, 22.9.2.19


def read_sheet(
    path: Path, name: Text | None, problems: Problems
) -> tuple[Location, Iterator[list[Text]]]:
    """Return the place of a sheet, the only visible one if it is not named, and its rows.

    Cells that hold a date or an error, and formulas without a value, are reported.
    """
    archive = read_archive(path)
    book = _opened(archive.data, path, values=True)
    sheets = {sheet.title: sheet.sheet_state == "visible" for sheet in book.worksheets}
    at = Location(shown(path), sheet=chosen(path, name, sheets))
    passes = [_lines(book, at.sheet, path)]
    if any(_NO_VALUE.search(part) for part in archive.parts.values()):
        passes.append(_lines(_opened(archive.data, path, values=False), at.sheet, path))
    return at, _rows(zip_longest(*passes, fillvalue=()), at, problems)


def chosen(path: Path, name: Text | None, sheets: Mapping[str, bool]) -> str:
    """Return the name of the sheet that is meant, of all with whether they are visible."""
    at = Location(shown(path))
    if name is not None:
        if name not in sheets:
            raise fault(name.at, f"no sheet '{name}' in {at}", did_you_mean(name, sheets))
        return str(name)
    visible = [title for title, shows in sheets.items() if shows]
    if len(visible) != 1:
        what = f"several sheets: {', '.join(visible[:8])}" if visible else "no visible sheet"
        hint = f"name one in game.yaml: '{path.name}#{next(iter(visible or sheets), 'Cards')}'"
        raise fault(at, f"the file has {what}", hint)
    return visible[0]


def _opened(data: bytes, path: Path, *, values: bool) -> "Workbook":
    """Return a workbook with the values that formulas had when it was saved, or with formulas."""
    try:
        import openpyxl
    except ImportError:
        what = "openpyxl, which reads workbooks, is not installed"
        hint = "pip install 'stonehand[spreadsheets]', or save the sheet as .ods or .csv"
        raise fault(Location(shown(path)), what, hint) from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what would be lost in writing
        try:
            return openpyxl.load_workbook(
                io.BytesIO(data), read_only=True, data_only=values, keep_links=False
            )
        except Exception:  # it has no exceptions of its own for what is damaged
            raise damaged(path) from None


class _Cell(NamedTuple):
    value: Any
    kind: str  # openpyxl's letter: a number, a formula, an error, a text by a formula
    code: str  # the format of a number


def _lines(book: "Workbook", title: str, path: Path) -> Iterator[Sequence[_Cell]]:
    """Yield the cells of each line of a sheet, the empty ones among them."""
    sheet = book[title]
    sheet.reset_dimensions()  # some programs write wrong ones
    lines = sheet.iter_rows()
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                line = next(lines, None)
                cells = [_cell(cell) for cell in line or ()]
            except Exception:  # as above
                raise damaged(path) from None
        if line is None:
            return
        yield cells


def _cell(cell: Any) -> _Cell:
    code = cell.number_format if isinstance(cell.value, int | float) else ""
    return _Cell(cell.value, cell.data_type, str(code))


def _rows(
    lines: Iterable[tuple[Sequence[_Cell], ...]], at: Location, problems: Problems
) -> Iterator[list[Text]]:
    """Yield the rows that hold anything, from lines of values and, if there are, of formulas."""
    cells_read = 0
    for number, passes in enumerate(lines, 1):
        cells, behind = passes[0], passes[-1]
        cells_read += len(cells)
        if number > MAX_LINES or cells_read > MAX_CELLS:
            raise too_large(at)
        width = max((i for i, cell in enumerate(behind, 1) if cell.value is not None), default=0)
        if width:
            yield [
                _text(cells[i], behind[i], Location(at.file, number, i + 1, at.sheet), problems)
                for i in range(width)
            ]


def _text(cell: _Cell, behind: _Cell, at: Location, problems: Problems) -> Text:
    """Return what a cell shows; `behind` is the same cell, with a formula if it has one."""
    value = cell.value
    if value is None:
        # a formula that gave an empty text has that type; one that was never computed has none
        if behind.value is not None and cell.kind != "str":
            hint = "open the file in a spreadsheet program and save it"
            problems.error(at, "the formula has no value", hint)
        return Text("", at, empty=True)
    if cell.kind == "e":
        problems.error(at, f"the cell holds the error {value}", "mend its formula")
    elif isinstance(value, bool):
        value = str(value).upper()
    elif isinstance(value, int | float):
        number = number_shown(value, cell.code) if kept(value) else None
        if number is None:
            shows = f"the cell shows the number {value} as '{cell.code}'"
            problems.error(at, shows if kept(value) else TOO_LONG, AS_TEXT)
        value = number or value
    elif isinstance(value, date | time | timedelta):
        if isinstance(value, datetime) and value.time() == time():
            value = value.date()
        problems.error(at, f"the cell holds a date or time, {value}", AS_TEXT)
    return clean(_ESCAPED.sub(lambda match: chr(int(match[1], 16)), str(value)), at)
