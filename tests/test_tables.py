"""Catalogues as tables: CSV and spreadsheets give the cards that YAML gives, or say where not."""

import csv
import io
import json
import re
import shutil
import sys
import time
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from datetime import time as clock
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import openpyxl
import pytest
import yaml as pyyaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

from stonehand import cli
from stonehand.cards.deck import LoadedGame
from stonehand.cards.reading import load_game
from stonehand.cards.rows import OF_ALL_CARDS
from stonehand.language.translation import Translations
from stonehand.project import find_game, find_project
from stonehand.source.numbers import TOO_LONG, kept, number_shown
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.table import (
    DELIMITERS,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_LINES,
    MAX_ROWS,
    Table,
    read_table,
)
from stonehand.source.text import Text

BASE = Path(__file__).parent / "bad/base"
GAME = """\
title: Tiny
languages: [en, ko, el]
catalogues: [{catalogues}]
kinds:
  thing:
    title: Thing
    front: tiny/front
    fields:
      name: text
      rule: {{type: text, default: Nothing.}}
      art: {{type: picture, optional: true}}
      group: {{choice: group, optional: true}}
      words: {{type: list, optional: true}}
      strong: flag
      value: {{type: number, optional: true}}
lists:
  group: [red, green, blue]
styles:
  name: {{size: 9pt, colour: ink}}
colours:
  ink: "#222222"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a small game, as a place to stand in; its catalogues are still to be told."""
    for name, place in {"front.yaml": "layouts/tiny", "dot.svg": "cards/tiny/art"}.items():
        (tmp_path / place).mkdir(parents=True)
        shutil.copy(BASE / name, tmp_path / place)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loaded(catalogues: str = "things.csv", game: str = GAME) -> tuple[LoadedGame, list[str]]:
    """Read the game of the project with these catalogues; return it and what is said."""
    Path("cards/tiny/game.yaml").write_text(game.format(catalogues=catalogues), "utf-8")
    problems = Problems()
    try:
        made = load_game(find_game("tiny", find_project(Path.cwd())), problems)
    except StonehandError as error:
        return None, [str(problem) for problem in error.problems]  # type: ignore[return-value]
    return made, [str(problem) for problem in problems]


def said(text: str, catalogues: str = "things.csv") -> list[str]:
    """Return what is said of a table in CSV, without the name of its file."""
    Path("cards/tiny/things.csv").write_bytes(text.encode())
    problems = loaded(catalogues)[1]
    return [problem.removeprefix("cards/tiny/things.csv:") for problem in problems]


def table(data: bytes, delimiter: str | None = None, name: str = "a.csv") -> list[list[str]]:
    """Return the cells of a CSV file, the header first."""
    Path(name).write_bytes(data)
    problems = Problems()
    made = read_table(Path(name), None, delimiter, problems)
    assert list(problems) == []
    return [list(map(str, row)) for row in (made.header, *made.rows)]


def workbook(path: Path, sheets: dict[str, list[list[object]]], **formats: str) -> None:
    """Write an XLSX file; `formats` are of cells by their names, `state_TITLE` hides a sheet."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for name, code in formats.items():
            sheet[name].number_format = code
    book.save(path)


def repacked(path: Path, change: Callable[[str, bytes], bytes]) -> None:
    """Change the parts of a ZIP file."""
    with zipfile.ZipFile(path) as old:
        parts = {name: change(name, old.read(name)) for name in old.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in parts.items():
            new.writestr(name, data)


ODS = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content office:version="1.3"
  xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
  xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
  xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">
<office:automatic-styles><style:style style:name="ta2" style:family="table">
<style:table-properties table:display="false"/></style:style></office:automatic-styles>
<office:body><office:spreadsheet>{}</office:spreadsheet></office:body></office:document-content>
"""


def p(text: str) -> str:
    """Return a cell of ODS that holds a text."""
    lines = escape(text).replace("  ", ' <text:s text:c="1"/>').split("\n")
    paragraphs = "".join(f"<text:p>{line}</text:p>" for line in lines)
    return f'<table:table-cell office:value-type="string">{paragraphs}</table:table-cell>'


def v(kind: str, value: str, shown: str, more: str = "") -> str:
    """Return a cell of ODS that holds a value of a type."""
    name = {"date": "date-value", "time": "time-value", "boolean": "boolean-value"}.get(
        kind, "value"
    )
    told = f'office:value-type="{kind}" office:{name}="{value}" {more}' if kind else more
    return f"<table:table-cell {told}><text:p>{shown}</text:p></table:table-cell>"


def opendocument(path: Path, sheets: dict[str, list[list[str]]]) -> None:
    """Write an ODS file of cells; a sheet whose name begins with `-` is hidden."""
    tables = "".join(
        f"<table:table table:name={quoteattr(title)}"
        f' table:style-name="{"ta2" if title.startswith("-") else "ta1"}">'
        + "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in rows)
        + "</table:table>"
        for title, rows in sheets.items()
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("content.xml", ODS.format(tables))


def repeated(times: int) -> Callable[[str, bytes], bytes]:
    """Return a change of an ODS file: its last row is repeated."""
    row = b"<table:table-row>"
    told = b'<table:table-row table:number-rows-repeated="%d">' % times
    return lambda name, data: told.join(data.rsplit(row, 1))


def shown(path: str, sheet: str | None = None) -> tuple[list[list[str]], list[str]]:
    """Return the cells of a spreadsheet, the header first, and what is said of it."""
    problems = Problems()
    try:
        made = read_table(Path(path), Text(sheet) if sheet else None, None, problems)
    except StonehandError as error:
        return [], [str(problem) for problem in error.problems]
    rows = [list(map(str, row)) for row in (made.header, *made.rows)]
    return rows, [str(problem) for problem in problems]


# --- the shipped games, as tables


def rows_of(catalogue: dict) -> list[list[str]]:
    """Return a YAML catalogue as a table."""
    names = list(dict.fromkeys(name for card in catalogue["cards"] for name in card))
    return [names, *([cell(card.get(name, "")) for name in names] for card in catalogue["cards"])]


def cell(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(value)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {one}" for key, one in value.items())
    return str(value)


def content(game: LoadedGame) -> list[object]:
    """Return all that a game knows of its cards, but for places."""
    return [
        (
            str(card.id),
            card.kind,
            card.count,
            card.counts,
            card.editions,
            card.back and card.back.template,
            {n: (str(v), getattr(v, "context", "")) for n, v in card.values.items()},
        )
        for card in game.cards
    ]


@pytest.mark.parametrize(
    ("name", "suffix"), [("oniroo", "csv"), ("tweak", "ods"), ("witch", "xlsx")]
)
def test_a_shipped_game_in_tables_is_the_same_game(tmp_path, shipped, name, suffix):
    """All cells are texts here, as in a column that is formatted so."""
    folder = tmp_path / "cards" / name
    shutil.copytree(shipped / "cards" / name / "art", folder / "art")
    game = pyyaml.load((shipped / f"cards/{name}/game.yaml").read_text("utf-8"), pyyaml.BaseLoader)
    tables, sheets = [], {}
    for file in game["catalogues"]:
        text = (shipped / "cards" / name / file).read_text("utf-8")
        catalogue = pyyaml.load(text, pyyaml.BaseLoader)
        details = {"kind": catalogue["kind"], "defaults": catalogue.get("defaults", {})}
        title = file.removesuffix(".yaml")
        sheets[title] = rows_of(catalogue)
        if suffix == "csv":
            tables.append({"file": f"{title}.csv", **details})
            with (folder / f"{title}.csv").open("w", encoding="utf-8", newline="") as target:
                csv.writer(target, delimiter=";").writerows(sheets[title])
        else:
            tables.append({"file": f"deck.{suffix}", "sheet": title, **details})
    if suffix == "xlsx":
        workbook(folder / "deck.xlsx", sheets)
    elif suffix == "ods":
        opendocument(
            folder / "deck.ods",
            {t: [[p(c) for c in row] for row in rows] for t, rows in sheets.items()},
        )
    text = pyyaml.safe_dump(game | {"catalogues": tables}, allow_unicode=True, sort_keys=False)
    (folder / "game.yaml").write_text(text, "utf-8")
    problems = Problems()
    made = load_game(find_game(name, find_project(tmp_path)), problems)
    assert list(problems) == []
    assert content(made) == content(load_game(find_game(name, find_project(shipped)), problems))


# --- CSV


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_the_delimiter_is_found_in_the_header(project, delimiter):
    mark = DELIMITERS[delimiter]
    rows = [["id", "rule"], ["a", "One, two; three| four\tfive, six, seven, eight"], ["b", "x"]]
    text = io.StringIO()
    csv.writer(text, delimiter=mark).writerows(rows)
    assert table(text.getvalue().encode()) == rows
    assert table(text.getvalue().encode(), delimiter) == rows


def test_the_delimiter_may_be_told(project):
    assert table(b"id,a|name,b\n1,2|3,4\n", "|") == [["id,a", "name,b"], ["1,2", "3,4"]]
    assert table(b"id\tname, or title, or so\n1\t2\n", name="a.tsv")[1] == ["1", "2"]
    assert table(b'sep=;\r\nid;"a,b,c"\r\n1;2') == [["id", "a,b,c"], ["1", "2"]]


def test_quotes_commas_and_names_in_the_header_do_not_hide_the_delimiter(project):
    assert table(b'"id";"name, long, and longer"\n1;2\n')[0] == ["id", "name, long, and longer"]
    assert table(b"\n;;\nid;name\n1;2\n") == [["id", "name"], ["1", "2"]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way_and_places_count_them_all(project, end):
    text = 'id,rule\n\na,"one ""two""\nthree"\nb, "four" \n,\nc,5" nail\n'.replace("\n", end)
    Path("a.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    made = read_table(Path("a.csv"), None, None, Problems())
    cells = [cell for row in (made.header, *made.rows) for cell in row]
    assert cells == ["id", "rule", "a", 'one "two"\nthree', "b", "four", "c", '5" nail']
    places = [cell.at[1:3] for cell in cells]
    assert places == [(line, column) for line in (1, 3, 5, 7) for column in (1, 2)]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"id,name\na,Z\xfcrich\n", "2:4: error: not UTF-8 (byte 0xFC) (save it as UTF-8)"),
        ("id,name\n".encode("utf-16"), " error: the file is UTF-16 (save it as UTF-8)"),
        (b"id,name\na,b\0c\n", "2:4: error: NUL in a text file"),
        (b"", " error: the table is empty (its first row names the columns)"),
        (b"\n , \n", " error: the table is empty (its first row names the columns)"),
        (b"id,name\n", " error: the table has no rows below its header"),
        (
            b"id,name\na,One, two\nb\n",
            "2:1: error: the row has 3 cells, the header 2"
            " (put a text that holds what separates cells in quotes)",
        ),
        (b'id,name\na,"b\n', "2:2: error: the quotation mark is not closed"),
        (
            b'id,name\na,"b"c"\n',
            "2:2: error: text behind the closing quotation mark"
            " (a quotation mark within quotes is written twice)",
        ),
        (
            b"id,name,\na,b,c\nd,e,f\n",
            "2:3: error: the column has no name"
            " (name it in line 1; '#' before a name makes it a note)",
        ),
        (b"id,id\na,b\n", "1:2: error: two columns hold 'id' (first at a.csv:1:1)"),
    ],
)
def test_a_fault_of_a_csv_file_is_told_at_its_cell(project, data, line):
    Path("cards/tiny/things.csv").write_bytes(data)
    problems = loaded()[1]
    assert line in problems[0].removeprefix("cards/tiny/things.csv:").replace(
        "cards/tiny/things", "a"
    )


def test_a_row_that_is_too_short_tells_both_counts(project):
    assert said("id,name,rule,strong\na,b,c\n") == ["2:1: error: the row has 3 cells, the header 4"]


def too_large(monkeypatch: pytest.MonkeyPatch) -> str:
    """Make tables of 500 lines or 1,000 cells too large; return what is said of them."""
    for module in ("table", "workbook", "opendocument"):
        monkeypatch.setattr(f"stonehand.source.{module}.MAX_CELLS", 1000)
    for module in ("table", "workbook"):
        monkeypatch.setattr(f"stonehand.source.{module}.MAX_LINES", 500)
    return (
        "the table has more than 500 lines or 1,000 cells"
        " (delete what lies below and beside the cards)"
    )


def test_lines_and_cells_of_tables_are_bounded(project, monkeypatch):
    assert (MAX_LINES, MAX_CELLS) == (100_000, 1_000_000)
    told = too_large(monkeypatch)
    assert said("\n" * 501) == [f"501:1: error: {told}"]
    assert said((",".join("x" * 100) + "\n") * 11) == [f"11:100: error: {told}"]
    workbook(Path("a.xlsx"), {"A": [["id"] * 100] * 11})
    assert shown("a.xlsx")[1] == [f"a.xlsx[A]: error: {told}"]
    workbook(Path("a.xlsx"), {"A": [["id"], ["a"]]})
    sheet = "xl/worksheets/sheet1.xml"
    repacked(
        Path("a.xlsx"),
        lambda name, data: (
            data.replace(b'r="A2"', b'r="A99999999"').replace(b'r="2"', b'r="99999999"')
            if name == sheet
            else data
        ),
    )
    assert shown("a.xlsx")[1] == [f"a.xlsx[A]: error: {told}"]
    wide = '<table:table-cell table:number-columns-repeated="100"><text:p>b</text:p>'
    opendocument(Path("a.ods"), {"A": [[p("id")], [f"{wide}</table:table-cell>"]]})
    repacked(Path("a.ods"), repeated(11))
    assert shown("a.ods")[1] == [f"a.ods[A]: error: {told}"]


def test_tables_are_bounded(project):
    assert said("id\n" + "a\n" * 20_001) == ["20002:1: error: more than 20,000 rows"]
    assert said(",".join("x" * 201)) == ["1:1: error: more than 200 columns"]
    assert said("id\n" + "a" * 10_000_000) == [
        " error: has 10 MB; files of its kind may have 10 MB"
    ]


# --- from rows to cards


def test_a_row_is_a_card(project):
    Path("cards/tiny/things.csv").write_text(
        "id,name,#cost,art,count,_mine,group,words,strong,rule\n"
        'a1,Ant,3,dot,2,x,red,"one; two;",yes,\n'
        "\n"
        'a2,Bee,,,,,,"one\ntwo",,"Fly **far**."\n',
        "utf-8",
    )
    game, problems = loaded()
    assert problems == []
    ant, bee = game.cards
    assert (ant.id, ant.kind, ant.count, bee.count) == ("a1", "thing", 2, 1)
    values = {"name": "Ant", "rule": "Nothing.", "art": "dot", "group": "red", "value": ""}
    assert ant.values == values | {"words": ("one", "two"), "strong": True}
    assert bee.values["words"] == ("one", "two")
    assert bee.values["rule"] == "Fly **far**."
    assert bee.values["rule"].context == "card.a2.rule"
    assert bee.values["rule"].at == Location("cards/tiny/things.csv", 5, 10)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id,nmae\na,b\n", "1:2: error: unknown column 'nmae' (did you mean 'name'?)"),
        ("id,Name\na,b\n", "1:2: error: unknown column 'Name' (did you mean 'name'?)"),
        ("id,name,name\na,b,c\n", "1:3: error: two columns hold 'name' (first at X:1:2)"),
        (
            "name\nb\n",
            "1:1: error: the table has no column 'id' (add one, or name a column to make them of"
            " in game.yaml: {file: ..., id: ...})",
        ),
        ("id,name\n,b\n", "2:1: error: the card has no id"),
        ("id,name\na,\n", "2:2: error: 'name' is missing"),
        (
            "id,rule\na,b\n",
            "1:1: error: the table has no column 'name' (every card of the kind 'thing' has it)",
        ),
        ("id,name\na,b\nA,c\n", "3:1: error: the id 'A' is taken (first at X:2:1)"),
        (
            "id,name\na b,c\n",
            "2:1: error: 'a b' can't be an id (letters and digits, then also '.', '-' and '_';"
            " at most 100 bytes)",
        ),
        ("id,name,art\na,b,dott\n", "2:3: error: picture 'dott' not found (did you mean 'dot'?)"),
        (
            "id,name,group\na,b,gren\n",
            "2:3: error: unknown group 'gren' (did you mean 'green'?)",
        ),
        ("id,name,value\na,b,many\n", "2:3: error: 'many' is not a number"),
        ("id,name,count\na,b,2.5\n", "2:3: error: count must be a whole number, not '2.5'"),
        ("id,name,count\na,b,2: 1; 2: 3\n", "2:3: error: '2' appears twice"),
        ("id,name,kind\na,b,thin\n", "2:3: error: unknown kind 'thin' (did you mean 'thing'?)"),
        ("id,name,name:hi\na,b,c\n", "1:3: error: the game has no language 'hi' (known: el, ko)"),
        (
            "id,name,name:en\na,b,c\n",
            "1:3: error: the cards are written in 'en' (known: el, ko)",
        ),
        ("id,name,nam:ko\na,b,c\n", "1:3: error: unknown column 'nam:ko' (did you mean 'name'?)"),
        (
            "id,name,value:ko\na,b,c\n",
            "2:3: error: 'value' of 'thing' is not a text to translate",
        ),
        (
            "id,name,rule:ko\na,b,c\n",
            "2:3: error: a translation, but there is no 'rule' to translate",
        ),
        (
            "id,name,name:ko\na,b,c\x07d\n",
            "2:3: error: U+0007 can't be printed (remove the character)",
        ),
    ],
)
def test_a_fault_of_a_row_is_told_at_its_cell(project, text, problem):
    assert said(text) == [problem.replace("X", "cards/tiny/things.csv")]


def test_all_faults_of_a_table_are_told_at_once(project):
    assert said("id,name,group,strong\na,,red,yes\n,x,,\nc,d,blu,maybe\n") == [
        "2:2: error: 'name' is missing",
        "3:1: error: the card has no id",
        "4:3: error: unknown group 'blu' (did you mean 'blue'?)",
        "4:4: error: 'maybe' is neither yes nor no",
    ]


def test_a_table_tells_the_kinds_of_its_cards(project):
    other = (
        "  other: {{title: Other, front: tiny/front, fields: {{name: text, size: number}}}}\nlists:"
    )
    game = GAME.replace("lists:", other)
    path = Path("cards/tiny/things.csv")
    path.write_text("id,kind,name,size\na,thing,A,\nb,other,B,5\n,,,\nc,,C,\n")
    made, problems = loaded(
        "{{file: things.csv, kind: thing}}".replace("{{", "{").replace("}}", "}"), game
    )
    assert problems == []
    assert [(card.id, card.kind) for card in made.cards] == [
        ("a", "thing"),
        ("b", "other"),
        ("c", "thing"),
    ]
    assert loaded("things.csv", game)[1] == [
        "cards/tiny/things.csv:5:2: error: the card has no kind"
    ]
    path.write_text("id,kind,name,size\na,thing,A,5\n")
    assert loaded("things.csv", game)[1] == [
        "cards/tiny/things.csv:2:4: error: unknown field 'size'"
        " (known: art, group, name, rule, strong, value, words)"
    ]
    path.write_text("id,name\na,A\n")
    assert loaded("things.csv", game)[1] == [
        "cards/tiny/things.csv:1:1: error: the table does not tell of what kind its cards are"
        " (add a column 'kind', or name it in game.yaml: {file: ..., kind: ...})"
    ]


def test_columns_may_have_other_names_and_ids_may_be_made_of_one(project):
    Path("cards/tiny/things.csv").write_text(
        "Card Name,Text\nPond  Frog_2!,Hop.\nΦρύνος,\n", "utf-8"
    )
    made, problems = loaded(
        "{file: things.csv, id: Card Name, columns: {Card Name: name, Text: rule},"
        " defaults: {rule: x}}"
    )
    assert problems == []
    assert [str(card.id) for card in made.cards] == ["pond-frog-2", "φρύνος"]
    assert [card.values["rule"] for card in made.cards] == ["Hop.", "x"]
    assert said("Name\nB\n", "{file: things.csv, id: Nam, columns: {Name: name}}") == [
        "cards/tiny/game.yaml:3:37: error: the table has no column 'Nam' (did you mean 'Name'?)"
    ]


@pytest.mark.parametrize(
    ("catalogues", "column", "said"),
    [
        ("deck.xls", 14, "tables of the kind '.xls' are not read (save it as .csv, .tsv, .xlsx,"),
        ("{file: a.yaml}", 21, "'a.yaml' is no table (its name ends with .csv, .tsv, .xlsx,"),
        ("{file: a.csv, sheet: B}", 35, "a .csv file has no sheets (only spreadsheets have)"),
        ("{file: a.ods, delimiter: ','}", 14, "a .ods file has no delimiter (only text files"),
        ("{file: a.csv, delimiter: x}", 39, "unknown value 'x' (known: ,, ;, tab, |)"),
        ("a.csv", 14, "'a.csv' not found in cards/tiny/"),
        ("../a.csv", 14, "'../a.csv' must lie in the project (it leads out of its folder)"),
        ("a.csv, {file: a.csv}", 21, "the catalogue 'a.csv' is named twice (first at line 3)"),
    ],
)
def test_a_fault_in_naming_a_table_is_told_in_game_yaml(project, catalogues, column, said):
    problems = loaded(catalogues)[1]
    start = f"cards/tiny/game.yaml:3:{column}: error: {said}"
    assert any(problem.startswith(start) for problem in problems), problems


# --- translations in columns


PO = """\
msgid ""
msgstr "Language: ko\\nContent-Type: text/plain; charset=UTF-8\\n"

msgctxt "card.a.name"
msgid "Ant"
msgstr "개미"

msgctxt "card.b.name"
msgid "Bee"
msgstr "벌"
"""


@pytest.fixture
def translated(project: Path) -> Path:
    """The project with a table in two languages, and a PO file of one."""
    Path("i18n/tiny").mkdir(parents=True)
    Path("i18n/tiny/ko.po").write_text(PO, "utf-8")
    text = "id,name,name:ko,name:el\na,Ant,왕개미,Μυρμήγκι\nb,Bee,,Μέλισσα\n"
    Path("cards/tiny/things.csv").write_text(text, "utf-8")
    word = "rule: {{type: word, optional: true}}"
    loaded(game=GAME.replace("rule: {{type: text, default: Nothing.}}", word))
    return project


def run(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    monkeypatch.setattr(sys, "argv", ["stonehand", *words])
    cli._run()
    out, err = capsys.readouterr()
    return (out + err).splitlines()


def test_a_column_of_a_language_is_what_is_printed_there(translated, capsys, monkeypatch):
    problems = Problems()
    game = load_game(find_game("tiny", find_project(Path.cwd())), problems)
    for code, wanted in {"ko": ["왕개미", "벌"], "el": ["Μυρμήγκι", "Μέλισσα"]}.items():
        texts = Translations.load(game.folder.translation(code), code, problems)
        assert [texts.text(card.values["name"]) for card in game.cards] == wanted
    assert Translations.source("en").text(game.cards[0].values["name"]) == "Ant"


def test_an_entry_beside_a_column_is_told_as_unused(translated, capsys, monkeypatch):
    doubled = (
        "i18n/tiny/ko.po:4:9: warning: 'card.a.name' is translated at cards/tiny/things.csv:2:3,"
        " which is what is printed (remove one of the two) [unused-translation]"
    )
    assert doubled in run(capsys, monkeypatch, "build", "tiny")
    assert doubled in run(capsys, monkeypatch, "translate", "check", "tiny")
    assert doubled in run(capsys, monkeypatch, "check", "tiny")


def test_without_a_po_file_only_what_no_table_has_stays_untranslated(
    translated, capsys, monkeypatch
):
    assert (
        "i18n/tiny/el.po: warning: not found: texts of 'el' that no table has stay in the source"
        " language [untranslated]"
    ) in run(capsys, monkeypatch, "cards", "tiny", "--lang", "el")


def test_translators_are_not_asked_for_what_a_table_has(translated, capsys, monkeypatch):
    assert run(capsys, monkeypatch, "translate", "update", "tiny") == [
        "i18n/tiny/ko.po: 3 messages, 2 missing, 0 fuzzy, 1 obsolete",
        "i18n/tiny/el.po: 2 messages, 2 missing, 0 fuzzy, 0 obsolete",
        "i18n/tiny/tiny.pot: 4 messages",
    ]
    assert "card.b.name" not in Path("i18n/tiny/el.po").read_text("utf-8")
    status = run(capsys, monkeypatch, "translate", "status", "tiny", "--json")
    counted = json.loads("\n".join(status))
    assert counted["el"]["all"] | {"percent": 0} == {
        "total": 4,
        "translated": 2,
        "fuzzy": 0,
        "missing": 2,
        "percent": 0,
    }


def test_translations_in_tables_are_checked_as_others(translated, capsys, monkeypatch):
    table = Path("cards/tiny/things.csv")
    table.write_text(
        "id,name,name:el\na,Two ants.,3 μυρμήγκια\nb,Two ants.,2 μυρμήγκια.\n", "utf-8"
    )
    said = run(capsys, monkeypatch, "translate", "check", "tiny", "--lang", "el")
    assert said[0] == "el: 2 texts checked, 3 problems"
    assert [line.rpartition("[")[2] for line in said[1:]] == [
        "figures]",
        "end-mark]",
        "consistency]",
    ]
    assert said[1].startswith("cards/tiny/things.csv:2:3: error: 'card.a.name': ")


# --- CSV in whole: whatever is written comes back, and nothing breaks

CELLS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=12
).map(str.strip)


@given(
    rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=6),
    delimiter=st.sampled_from(list(DELIMITERS)),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
@settings(max_examples=60, deadline=None)
def test_what_the_csv_module_writes_comes_back(tmp_path_factory, rows, delimiter, end, quoting):
    text = io.StringIO()
    head = ["id", "name", "rule"]
    writer = csv.writer(text, delimiter=DELIMITERS[delimiter], lineterminator=end, quoting=quoting)
    writer.writerows([head, *rows, ["last", "", ""]])
    path = tmp_path_factory.getbasetemp() / "roundtrip.csv"
    path.write_bytes(text.getvalue().encode())
    made = read_table(path, None, None, Problems())
    assert made.header == head
    assert made.rows == [*(row for row in rows if any(row)), ["last", "", ""]]


@given(
    data=st.binary(max_size=60)
    | st.text('id,;"\n\r\t| aé\ufeff#=sep', max_size=60).map(str.encode)
    | st.text(max_size=40).map(str.encode)
)
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_a_table_or_a_problem(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(data)
    problems = Problems()
    try:
        made = read_table(path, None, None, problems)
    except StonehandError as error:
        assert error.problems
    else:
        assert isinstance(made, Table)
        assert all(len(row) == len(made.header) for row in made.rows)
        assert all(isinstance(cell, Text) and cell.at.line for row in made.rows for cell in row)


WORDS = ["", "id", "name", "name:ko", "rule", "art", "group", "words", "value", "kind", "count"]
WORDS += ["back", "edition", "#", "a", "b", "thing", "dot", "red", "1", "-1", "yes", "a; b", "1: 2"]
WORDS += [
    ":",
    ":ko",
    "name:",
    "none",
    "..",
    "$name",
    "x" * 300,
    "\u0301" * 70,
    "\a",
    "\n",
    '"',
    ";",
]


@given(
    rows=st.lists(st.lists(st.sampled_from(WORDS), min_size=4, max_size=4), min_size=1, max_size=4),
    details=st.dictionaries(
        st.sampled_from(["kind", "id", "columns", "defaults", "sheet", "delimiter"]),
        st.sampled_from([*WORDS, {"name": "rule"}, {"id": "name"}, {"a": "b"}, {"a": "name:ko"}]),
        max_size=2,
    ),
    known=st.booleans(),
)
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_table_is_cards_or_problems(project, rows, details, known):
    text = io.StringIO()
    csv.writer(text).writerows([["id", "name", "value", "kind"], *rows] if known else rows)
    Path("cards/tiny/things.csv").write_text(text.getvalue(), "utf-8")
    catalogue = json.dumps({"file": "things.csv", **details})
    loaded(catalogue)  # raises nothing but problems, which it returns


def test_findings_in_a_table_are_silenced_in_game_yaml(project, capsys, monkeypatch):
    path = Path("cards/tiny/things.csv")
    path.write_text("id,name,rule\na,Same,Same\nb,Same,Same\n")
    loaded()
    said = run(capsys, monkeypatch, "check", "tiny", "--lang", "en")
    (found,) = (line for line in said if line.startswith(f"{path}:"))
    code = found.rpartition("[")[2].removesuffix("]")
    silence = f"{{{{code: {code}, files: {path}, reason: They are meant to be.}}}}"
    loaded(game=f"{GAME}check: {{{{unchecked: [{silence}]}}}}\n")
    said = run(capsys, monkeypatch, "check", "tiny", "--lang", "en")
    assert not any(line.startswith(f"{path}:") for line in said)


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
    said = (
        "a.xlsx: error: the file unpacks to 61 MB; it may have 60 (remove pictures and sheets that"
    )
    assert shown("a.xlsx")[1] == [f"{said} are not needed)"]
    assert time.process_time() - began < 0.5


def test_entities_are_refused(project):
    opendocument(Path("a.ods"), {"A": [[p("id")], [p("a")]]})
    repacked(Path("a.ods"), lambda name, data: data.replace(b"?>", b"?><!DOCTYPE a>", 1))
    assert shown("a.ods")[1] == ["a.ods: error: the file declares entities (save it anew)"]


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


# --- the page on spreadsheets

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def lay(page: str) -> None:
    """Write the files that a page shows in full."""
    for file, _, text in BLOCK.findall((DOCS / page).read_text("utf-8")):
        if file and not file.endswith(".po"):
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(text, "utf-8")


def test_the_page_on_spreadsheets_can_be_followed_to_the_letter(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lay("tutorial.md")
    yaml_game = loaded_as_it_is()
    Path("cards/pond/animals.yaml").unlink()
    lay("how-to/spreadsheets.md")
    assert content(loaded_as_it_is()) == content(yaml_game)
    page = BLOCK.findall((DOCS / "how-to/spreadsheets.md").read_text("utf-8"))
    (command,) = (text.split() for _, language, text in page if language == "sh")
    printed, faults = (text.splitlines() for _, language, text in page if language == "text")
    assert sorted(run(capsys, monkeypatch, *command[1:])) == sorted(printed)

    table = Path("cards/pond/animals.csv")
    table.write_text(table.read_text("utf-8").replace(",frog,#", ",forg,#"), "utf-8")
    again = (*command[1:], "--lang", "en")
    told = run(capsys, monkeypatch, *again)
    rows = list(csv.reader(io.StringIO(table.read_text("utf-8"))))
    rows[2][0] = date(2026, 2, 1)
    workbook(Path("cards/pond/deck.xlsx"), {"Animals": rows})
    game = Path("cards/pond/game.yaml")
    game.write_text(game.read_text("utf-8").replace("animals.csv", "deck.xlsx"), "utf-8")
    assert told + run(capsys, monkeypatch, *again) == faults


def loaded_as_it_is() -> LoadedGame:
    problems = Problems()
    made = load_game(find_game("pond", find_project(Path.cwd())), problems)
    assert list(problems) == []
    return made


def test_every_column_that_is_no_field_is_told_on_the_page():
    page = (DOCS / "how-to/spreadsheets.md").read_text("utf-8")
    first = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", page, re.MULTILINE)
    assert {name for cell in first for name in re.findall(r"\w+", cell)} >= set(OF_ALL_CARDS)
    rows = f"{MAX_ROWS:,} rows and {MAX_COLUMNS} columns"
    assert rows in page
