"""Spreadsheets: what their programs make of what is typed comes back, or is told at its cell."""

import json
import re
import sys
import time
import zipfile
from datetime import date, datetime
from datetime import time as clock
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from tabling import (
    lay_project,
    loaded,
    opendocument,
    p,
    repacked,
    repeated,
    run,
    shown,
    v,
    workbook,
)

from stonehand.source.archive import PART_LIMIT
from stonehand.source.numbers import TOO_LONG, kept, number_shown
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.table import read_table


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small game's project, as a place to stand in."""
    return lay_project(tmp_path, monkeypatch)


# --- spreadsheets: what their programs make of what is typed

AS_TEXT = "(format the column as text, and write the cell again)"
SAVE = "(open the file in a spreadsheet program and save it)"


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (5.0, "General", "5"),
        (5, "General", "5"),
        (-5.25, "General", "-5.25"),
        (0.1 + 0.2, "General", "0.3"),
        (1e15, "General", "1000000000000000"),
        (1e-7, "General", "0.0000001"),
        (1, "000", "001"),
        (-1, "000", "-001"),
        (1.5, "0.00", "1.50"),
        (2.5, "0", "3"),
        (-0.4, "0", "0"),
        (3.14159, "0.0##", "3.142"),
        (3, "0.0##", "3.0"),
        (1234.5, "#,##0.00", "1234.50"),
        (1234, "#,##0_);(#,##0)", "1234"),
        (7, "[Red]0;[Blue]-0", "7"),
        (0.5, "0%", "50%"),
        (0.125, "0.0%", "12.5%"),
        (12345, "0.00E+00", "12345"),
        (0.5, "# ?/?", "0.5"),
        (5, '"$"#,##0.00', None),
        (5, "[$€-407] 0.00", None),
        (5, '0" cards"', None),
        (5, "@", "5"),
        (1e15, "0." + "0" * 15, "1000000000000000." + "0" * 15),
        (1e15, "0." + "0" * 40, None),
    ],
)
def test_numbers_are_as_cells_show_them(value, code, text):
    assert kept(value)
    assert number_shown(value, code) == text


@pytest.mark.parametrize("value", [1234567890123456, -(10.0**16), float("inf"), float("nan")])
def test_numbers_with_more_digits_than_spreadsheets_keep_are_none(value):
    assert not kept(value)


def test_a_workbook_gives_what_its_cells_show(project):
    rows = [
        ["id", "note"],
        ["001", "a text"],
        [1, "a number"],
        [5.0, "  spaces \u00a0"],
        [True, "two\nlines"],
        ["0.50", "a_x000D_\nb"],
        [None, None],
        ["x", None],
    ]
    workbook(Path("a.xlsx"), {"Animals": rows}, A3="000")
    assert shown("a.xlsx") == (
        [
            ["id", "note"],
            ["001", "a text"],
            ["001", "a number"],
            ["5", "spaces"],
            ["TRUE", "two\nlines"],
            ["0.50", "a\nb"],
            ["x", ""],
        ],
        [],
    )


def test_what_a_workbook_can_not_give_back_is_told_at_its_cell(project):
    rows = [
        ["id", "name", "rule"],
        [date(2026, 2, 1), datetime(2026, 3, 4, 5, 6), clock(7, 8)],
        ["a", "#REF!", "=1+1"],
        ["b", 5, 12345678901234567890],
    ]
    workbook(Path("a.xlsx"), {"My Animals": rows}, B4='"$"0')
    assert shown("a.xlsx")[1] == [
        f"a.xlsx[My Animals!A2]: error: the cell holds a date or time, 2026-02-01 {AS_TEXT}",
        "a.xlsx[My Animals!B2]: error: the cell holds a date or time, 2026-03-04 05:06:00"
        f" {AS_TEXT}",
        f"a.xlsx[My Animals!C2]: error: the cell holds a date or time, 07:08:00 {AS_TEXT}",
        "a.xlsx[My Animals!B3]: error: the cell holds the error #REF! (mend its formula)",
        f"a.xlsx[My Animals!C3]: error: the formula has no value {SAVE}",
        f"a.xlsx[My Animals!B4]: error: the cell shows the number 5 as '\"$\"0' {AS_TEXT}",
        f"a.xlsx[My Animals!C4]: error: {TOO_LONG} {AS_TEXT}",
    ]


def test_formulas_have_the_values_that_were_saved(project):
    workbook(Path("a.xlsx"), {"A": [["id", "name"], ["=1+1", '="a"&"b"'], ["=1/0", '=""']]})

    def saved(name: str, data: bytes) -> bytes:
        for formula, kind, value in (
            (b"1+1", b"n", b"2"),
            (b'"a"&amp;"b"', b"str", b"ab"),
            (b"1/0", b"e", b"#DIV/0!"),
            (b'""', b"str", b""),
        ):
            pattern = rb'(<c r="\w+")[^>]*><f>' + re.escape(formula) + rb"</f><v ?/?>(</v>)?"
            made = rb'\1 t="' + kind + rb'"><f>' + formula + rb"</f><v>" + value + rb"</v>"
            data = re.sub(pattern, made, data)
        return data

    repacked(Path("a.xlsx"), saved)
    assert shown("a.xlsx") == (
        [["id", "name"], ["2", "ab"], ["#DIV/0!", ""]],
        ["a.xlsx[A!A3]: error: the cell holds the error #DIV/0! (mend its formula)"],
    )


def test_merged_cells_have_their_value_in_the_first(project):
    workbook(Path("a.xlsx"), {"A": [["id", "name"], ["a", "x"], ["b", "y"]]})
    book = openpyxl.load_workbook("a.xlsx")
    book["A"].merge_cells("B2:B3")
    book["A"].row_dimensions[3].hidden = True
    book.save("a.xlsx")
    assert shown("a.xlsx") == ([["id", "name"], ["a", "x"], ["b", ""]], [])


def test_macros_and_links_to_other_files_are_left_alone(project):
    workbook(Path("a.xlsm"), {"A": [["id", "name"], ["a", "x"]]})
    with zipfile.ZipFile("a.xlsm", "a") as file:
        file.writestr("xl/vbaProject.bin", b"Sub Workbook_Open()")
        file.writestr("xl/externalLinks/externalLink1.xml", b"no XML at all")
    assert shown("a.xlsm") == ([["id", "name"], ["a", "x"]], [])


def test_rich_text_is_text(project):
    book = openpyxl.Workbook()
    bold = TextBlock(InlineFont(b=True), "every")
    book.active.append(["id", CellRichText("Take ", bold, " card.")])
    book.active.append(["a", "b"])
    book.save("a.xlsx")
    assert shown("a.xlsx")[0][0] == ["id", "Take every card."]


def test_an_open_document_gives_what_its_cells_show(project):
    note = "<office:annotation><text:p>no</text:p></office:annotation>"
    cells = [
        p("  a  b\nc "),
        v("float", "1", "001"),
        v("float", "5", "5"),
        v("float", "0.30000000000000004", "0,3"),
        v("float", "1234567.5", "1.234.567,50"),
        v("float", "1000", "1,000"),
        v("float", "12345", "1,23E+04"),
        v("float", "1.5", "1,50"),
        v("percentage", "0.5", "50 %"),
        v("percentage", "0.125", "12.5%"),
        v("currency", "5", "5,00 €"),
        v("boolean", "true", "WAHR"),
        v("string", "", "3", 'table:formula="of:=1+2"'),
        '<table:table-cell office:value-type="string" office:string-value="s"/>',
        f"<table:table-cell>{note}<text:p>a<text:s/>b<text:span>c</text:span></text:p>"
        "</table:table-cell>",
        "<table:covered-table-cell><text:p>gone</text:p></table:covered-table-cell>",
        '<table:table-cell table:number-columns-repeated="2"><text:p>r</text:p></table:table-cell>',
        '<table:table-cell table:number-columns-repeated="16000"/>',
    ]
    head = [p(f"c{i}") for i in range(18)]
    opendocument(Path("a.ods"), {"A": [head, cells]})
    rows, problems = shown("a.ods")
    assert problems == []
    assert rows[1] == [
        *("a  b\nc", "001", "5", "0.3", "1234567.5", "1000", "12345", "1.50", "50%", "12.5%"),
        *("5,00 €", "TRUE", "3", "s", "a bc", "", "r", "r"),
    ]


def test_what_an_open_document_can_not_give_back_is_told_at_its_cell(project):
    error = 'table:formula="of:=1/0" calcext:value-type="error"'
    rows = [
        [p("id"), p("name"), p("rule")],
        [
            v("date", "2026-02-01", "1. Feb"),
            v("time", "PT1H", "01:00"),
            v("string", "", "#DIV/0!", error),
        ],
        [p("b"), v("", "", "", 'table:formula="of:=1+1"'), v("float", "1E+20", "1E+20")],
    ]
    opendocument(Path("a.ods"), {"A": rows})
    assert shown("a.ods")[1] == [
        f"a.ods[A!A2]: error: the cell holds a date or time, 1. Feb {AS_TEXT}",
        f"a.ods[A!B2]: error: the cell holds a date or time, 01:00 {AS_TEXT}",
        "a.ods[A!C2]: error: the cell holds the error #DIV/0! (mend its formula)",
        f"a.ods[A!B3]: error: the formula has no value {SAVE}",
        f"a.ods[A!C3]: error: {TOO_LONG} {AS_TEXT}",
    ]


def test_rows_of_an_open_document_may_be_repeated(project):
    opendocument(Path("a.ods"), {"A": [[p("id")], [p("a")], [p("b")]]})
    repacked(Path("a.ods"), repeated(3))
    made = read_table(Path("a.ods"), None, None, Problems())
    assert [(str(row[0]), row[0].at.cell) for row in made.rows] == [
        ("a", "A2"),
        ("b", "A3"),
        ("b", "A4"),
        ("b", "A5"),
    ]
    opendocument(Path("a.ods"), {"A": [[p("id")], [p("a")], [p("b")]]})
    repacked(Path("a.ods"), repeated(10**9))
    assert shown("a.ods")[1] == ["a.ods[A!A20002]: error: more than 20,000 rows"]


# --- spreadsheets: sheets, and files that are no good


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_the_sheet_is_named_where_there_are_several(project, suffix):
    path = Path(f"cards/tiny/deck.{suffix}")
    sheets = {"Animals": [["id", "name"], ["a", "A"]], "Plants": [["id", "name"], ["b", "B"]]}

    def write(names: dict[str, str]) -> None:
        made = {names.get(title, title): rows for title, rows in sheets.items()}
        if suffix == "ods":
            opendocument(
                path, {t: [[p(c) for c in row] for row in rows] for t, rows in made.items()}
            )
            return
        workbook(path, made)
        book = openpyxl.load_workbook(path)
        for sheet in book:
            sheet.sheet_state = "hidden" if sheet.title.startswith("-") else "visible"
        book.save(path)

    write({})
    assert [
        str(c.id) for c in loaded(f"'deck.{suffix}#Plants', 'deck.{suffix}#Animals'")[0].cards
    ] == [
        "b",
        "a",
    ]
    assert loaded(f"deck.{suffix}")[1] == [
        f"{path}: error: the file has several sheets: Animals, Plants"
        f" (name one in game.yaml: 'deck.{suffix}#Animals')"
    ]
    assert loaded(f"'deck.{suffix}#Animal'")[1] == [
        f"cards/tiny/game.yaml:3:14: error: no sheet 'Animal' in {path} (did you mean 'Animals'?)"
    ]
    write({"Animals": "-Animals"})
    assert [str(card.id) for card in loaded(f"deck.{suffix}")[0].cards] == ["b"]
    path.write_bytes(b"PK\3\4" + path.read_bytes()[4:200])
    assert loaded(f"deck.{suffix}")[1] == [
        f"{path}: error: the file is damaged, or no .{suffix} file"
        f" (open it in a spreadsheet program and save it as .{suffix})"
    ]


def test_a_fault_in_a_spreadsheet_is_told_at_sheet_and_cell(project, capsys, monkeypatch):
    rows = [["id", "name", "group"], ["a", "A", "gren"]]
    workbook(Path("cards/tiny/deck.xlsx"), {"Animals": rows})
    place = "cards/tiny/deck.xlsx[Animals!C2]: error: unknown group 'gren' (did you mean 'green'?)"
    assert loaded("deck.xlsx")[1] == [place]
    assert place in run(capsys, monkeypatch, "build", "tiny")
    report = json.loads("\n".join(run(capsys, monkeypatch, "check", "tiny", "--format", "json")))
    found = report["findings"][0]
    assert (found["line"], found["column"], found["sheet"]) == (2, 3, "Animals")
    sarif = json.loads("\n".join(run(capsys, monkeypatch, "check", "tiny", "--format", "sarif")))
    (location,) = sarif["runs"][0]["results"][0]["locations"]
    assert location["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 3}
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "Animals!C2"


@pytest.mark.parametrize(("column", "cell"), [(1, "A7"), (26, "Z7"), (27, "AA7"), (703, "AAA7")])
def test_columns_are_named_by_letters(column, cell):
    assert str(Location("a.ods", 7, column, "B")) == f"a.ods[B!{cell}]"


@pytest.mark.parametrize("name", ["a.xlsx", "a.ods"])
def test_a_file_with_a_password_or_without_sense_is_refused(project, name):
    suffix = name[1:]
    for data, what in (
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
            "the file is protected by a password, or of an old kind"
            f" (save it without a password as {suffix})",
        ),
        (
            b"id,name\na,b\n",
            f"the file is damaged, or no {suffix} file"
            f" (open it in a spreadsheet program and save it as {suffix})",
        ),
    ):
        Path(name).write_bytes(data)
        assert shown(name) == ([], [f"{name}: error: {what}"])
    with zipfile.ZipFile(name, "w") as file:
        file.writestr("content.xml", "<a")
        file.writestr("META-INF/manifest.xml", "<a><manifest:encryption-data/></a>")
    said = shown(name)[1][0]
    assert "password" in said if name == "a.ods" else "damaged" in said


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused_before_it_is(project):
    with zipfile.ZipFile("a.xlsx", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/worksheets/sheet1.xml", bytes(61_000_000))
    assert Path("a.xlsx").stat().st_size < 100_000
    began = time.process_time()
    said = "a.xlsx: error: the file unpacks to 61 MB; it may have 60"
    assert shown("a.xlsx")[1] == [f"{said} (remove what is not needed, such as pictures)"]
    assert time.process_time() - began < 0.5


def in_utf_16(data: bytes) -> bytes:
    return data.decode().replace("UTF-8", "UTF-16").encode("utf-16")


@pytest.mark.parametrize(
    "change", [lambda data: data.replace(b"?>", b"?><!DOCTYPE a>", 1), in_utf_16]
)
def test_entities_are_refused_also_where_they_could_be_hidden(project, change):
    opendocument(Path("a.ods"), {"A": [[p("id")], [p("a")]]})
    repacked(Path("a.ods"), lambda name, data: change(data) if name.endswith(".xml") else data)
    assert shown("a.ods")[1] == ["a.ods: error: the file declares entities (save it anew)"]


def test_an_archive_of_very_many_parts_is_refused(project):
    with zipfile.ZipFile("a.xlsx", "w") as file:
        for number in range(PART_LIMIT + 1):
            file.writestr(f"{number}", b"")
    message = "the file has more than 10,000 parts (remove its pictures)"
    assert shown("a.xlsx")[1] == [f"a.xlsx: error: {message}"]


def test_without_openpyxl_one_is_told_what_to_install(project, monkeypatch):
    workbook(Path("cards/tiny/deck.xlsx"), {"A": [["id", "name"], ["a", "A"]]})
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert loaded("deck.xlsx")[1] == [
        "cards/tiny/deck.xlsx: error: openpyxl, which reads workbooks, is not installed"
        " (pip install 'stonehand[spreadsheets]', or save the sheet as .ods or .csv)"
    ]


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_damaged_spreadsheet_is_a_table_or_a_problem(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    name = data.draw(st.sampled_from(["a.xlsx", "a.ods"]))
    path = folder / name
    if name == "a.ods":
        opendocument(path, {"A": [[p("id"), v("float", "1", "1")], [p("a"), p("b")]]})
    else:
        workbook(path, {"A": [["id", 1, date(2026, 1, 1)], ["a", "b", "=1"]]})

    def damage(part: str, content: bytes) -> bytes:
        at = data.draw(st.integers(0, len(content)))
        return content[:at] + data.draw(st.binary(max_size=3)) + content[at + 2 :]

    repacked(path, damage)
    problems = Problems()
    try:
        read_table(path, None, None, problems)
    except StonehandError as error:
        assert error.problems
