"""A small game whose catalogues are tables, and writers of spreadsheets, for several tests."""

import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import openpyxl
import pytest

from stonehand import cli
from stonehand.cards.deck import LoadedGame
from stonehand.cards.reading import load_game
from stonehand.project import find_game, find_project
from stonehand.source.problems import Problems, StonehandError
from stonehand.source.table import read_table
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


def lay_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project with a small game, to stand in it; its catalogues are still to be told."""
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


def run(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    monkeypatch.setattr(sys, "argv", ["stonehand", *words])
    cli._run()
    out, err = capsys.readouterr()
    return (out + err).splitlines()


def workbook(path: Path, sheets: dict[str, list[list[object]]], **formats: str) -> None:
    """Write an XLSX file; `formats` are those of cells by their names, in every sheet."""
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
