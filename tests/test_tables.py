"""Catalogues as tables: CSV and spreadsheets give the cards that YAML gives, or say where not."""

import csv
import io
import json
import re
import shutil
from datetime import date
from pathlib import Path

import pytest
import yaml as pyyaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tabling import (
    GAME,
    lay_project,
    loaded,
    opendocument,
    p,
    repacked,
    repeated,
    run,
    said,
    shown,
    too_large,
    workbook,
)

from stonehand.cards.deck import LoadedGame
from stonehand.cards.reading import load_game
from stonehand.cards.rows import OF_ALL_CARDS
from stonehand.language.translation import Translations
from stonehand.project import find_game, find_project
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


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small game's project, as a place to stand in."""
    return lay_project(tmp_path, monkeypatch)


def table(data: bytes, delimiter: str | None = None, name: str = "a.csv") -> list[list[str]]:
    """Return the cells of a CSV file, the header first."""
    Path(name).write_bytes(data)
    problems = Problems()
    made = read_table(Path(name), None, delimiter, problems)
    assert list(problems) == []
    return [list(map(str, row)) for row in (made.header, *made.rows)]


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
    run(capsys, monkeypatch, "new", "pond")
    monkeypatch.chdir("pond")
    lay("tutorial.md")
    yaml_game = loaded_as_it_is()
    Path("cards/pond/cards.yaml").unlink()
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
