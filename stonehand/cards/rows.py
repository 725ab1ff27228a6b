"""From the rows of a table to cards as a YAML catalogue would list them.

The header names what every card has (`id`, `kind`, `count`, `back`, `edition`), fields, and as
`name:hi` translations of a field. An empty cell leaves its field out. Lists are written `a; b` or
with line breaks.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import NamedTuple

from stonehand.cards.deck import check_text
from stonehand.cards.game import CatalogueTable, Field, Game
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.table import SPREADSHEETS, TEXT_TABLES, Table, read_table
from stonehand.source.text import Fields, Items, Node, Text

OF_ALL_CARDS = ("id", "kind", "count", "back", "edition")
_NOTES = ("#", "_")
_NOT_READ = (".xls", ".xlsb", ".numbers", ".gsheet", ".fods")


class Listed(NamedTuple):
    """A card as a catalogue lists it, with what it shares with others, and its place."""

    kind: Text
    written: Mapping[Text, Node]
    defaults: Mapping[Text, Node]
    at: Location
    translations: Mapping[str, Mapping[str, Text]] = {}  # of fields, by language
    blanks: Mapping[str, Location] = {}  # where fields that are left out could stand


class _Column(NamedTuple):
    field: str
    language: str = ""


def table_of(named: Text | CatalogueTable) -> CatalogueTable | None:
    """Return what game.yaml says of a catalogue that is a table, `FILE` or `FILE#SHEET`."""
    if isinstance(named, Text):
        file, _, sheet = named.partition("#")
        suffix = PurePath(file).suffix.lower()
        if suffix in _NOT_READ:
            hint = f"save it as {', '.join((*TEXT_TABLES, *SPREADSHEETS))}"
            raise fault(named.at, f"tables of the kind '{suffix}' are not read", hint)
        if suffix not in (*TEXT_TABLES, *SPREADSHEETS):
            return None
        made = CatalogueTable(
            file=Text(file, named.at), sheet=Text(sheet, named.at) if sheet else None
        )
        made.__dict__["at"] = named.at
        return table_of(made)
    suffix = PurePath(named.file).suffix.lower()
    if suffix not in (*TEXT_TABLES, *SPREADSHEETS):
        hint = f"its name ends with {', '.join((*TEXT_TABLES, *SPREADSHEETS))}"
        raise fault(named.file.at, f"'{named.file}' is no table", hint)
    if named.sheet and suffix in TEXT_TABLES:
        raise fault(named.sheet.at, f"a {suffix} file has no sheets", "only spreadsheets have")
    if named.delimiter and suffix in SPREADSHEETS:
        raise fault(named.at, f"a {suffix} file has no delimiter", "only text files have")
    return named


def rows_of(spec: CatalogueTable, path: Path, game: Game, problems: Problems) -> list[Listed]:
    """Return the cards of a table; one without a kind or an id is reported and left out."""
    table = read_table(path, spec.sheet, spec.delimiter, problems)
    rows = _Rows(spec, table, game, problems)
    cards = []
    for row in table.rows:
        with problems.gather():
            cards.append(rows.card(row))
    return cards


class _Rows:
    """Knows what the columns of a table mean."""

    def __init__(self, spec: CatalogueTable, table: Table, game: Game, problems: Problems) -> None:
        """Read the header; its faults are raised together."""
        self.spec = spec
        self.game = game
        self.problems = problems
        self.header = table.header
        top = table.header[0].at
        named = {spec.columns.get(name, name) for name in table.header if name}
        self.kind = self.kind_of_all(top, told="kind" in named)
        self.fields = {
            kind: {
                name: Field.short(field) if isinstance(field, Text) else field
                for name, field in game.kinds[kind].fields.items()
            }
            for kind in (game.kinds if "kind" in named else filter(None, [self.kind]))
        }
        for name in (*spec.columns, *filter(None, [spec.id])):
            if name not in table.header:
                hint = did_you_mean(name, filter(None, table.header))
                raise fault(name.at, f"the table has no column '{name}'", hint)
        if "id" not in named and spec.id is None:
            hint = "add one, or name a column to make them of in game.yaml: {file: ..., id: ...}"
            raise fault(top, "the table has no column 'id'", hint)
        self.columns: list[_Column | None] = []
        faults = Problems()
        for name in table.header:
            column = None
            with faults.gather():
                column = self.column(name)
            self.columns.append(column)
        # else every row would lack what a misspelt column holds
        faults.raise_errors()
        if "kind" not in named:
            self.check_needed(top)

    def check_needed(self, top: Location) -> None:
        """Raise the fault of columns that are not there and that every card needs."""
        ((kind, fields),) = self.fields.items()
        there = {column.field for column in self.columns if column and not column.language}
        lacking = [
            f"'{name}'"
            for name, field in fields.items()
            if name not in there and name not in self.spec.defaults
            if field.default is None and not field.optional and field.type != "flag"
        ]
        if lacking:
            what = f"the table has no column {' and none '.join(lacking)}"
            raise fault(top, what, f"every card of the kind '{kind}' has it")

    def kind_of_all(self, top: Location, *, told: bool) -> Text | None:
        """Return the kind of the cards that do not tell theirs, if there is one."""
        kinds = self.game.kinds
        if self.spec.kind is not None and self.spec.kind not in kinds:
            hint = did_you_mean(self.spec.kind, kinds)
            raise fault(self.spec.kind.at, f"unknown kind '{self.spec.kind}'", hint)
        kind = self.spec.kind or (next(iter(kinds)) if len(kinds) == 1 else None)
        if kind is None and not told:
            hint = "add a column 'kind', or name it in game.yaml: {file: ..., kind: ...}"
            raise fault(top, "the table does not tell of what kind its cards are", hint)
        return kind

    def column(self, name: Text) -> _Column | None:
        """Return what a column holds, None for notes."""
        if not name or name.startswith(_NOTES):
            return None
        meant = self.spec.columns.get(name, name)
        at = name.at if meant is name else meant.at
        field, colon, language = meant.partition(":")
        fields = {own for kind in self.fields.values() for own in kind}
        if field not in fields and (colon or field not in OF_ALL_CARDS):
            hint = did_you_mean(field, [*OF_ALL_CARDS, *fields])
            raise fault(
                at, f"unknown column '{meant}'", hint or "'#' before its name makes it a note"
            )
        source, *others = self.game.languages
        if colon and language not in others:
            what = f"the game has no language '{language}'"
            if language == source:
                what = f"the cards are written in '{language}'"
            raise fault(at, what, did_you_mean(language, others))
        column = _Column(field, language)
        if column in self.columns:
            first = self.header[self.columns.index(column)]
            raise fault(name.at, f"two columns hold '{meant}'", f"first at {first.at}")
        return column

    def card(self, row: list[Text]) -> Listed:
        """Return the card of a row."""
        cells = {column: cell for column, cell in zip(self.columns, row, strict=True) if column}
        own = {c.field: cell for c, cell in cells.items() if cell and not c.language}
        kind = own.pop("kind", self.kind)
        if kind is None:
            raise fault(cells[_Column("kind")].at, "the card has no kind")
        if kind not in self.game.kinds:
            hint = did_you_mean(kind, self.game.kinds)
            raise fault(kind.at, f"unknown kind '{kind}'", hint)
        if "id" not in own and self.spec.id is not None:
            named = row[self.header.index(self.spec.id)]
            own["id"] = Text(_slug(named), named.at)
        if not own.get("id"):
            raise fault(cells.get(_Column("id"), row[0]).at, "the card has no id")
        written = {Text(f, cell.at): self.node(f, cell, kind) for f, cell in own.items()}
        translations: dict[str, dict[str, Text]] = {}
        for (field, language), cell in cells.items():
            if language and cell:
                with self.problems.gather():
                    self.check_translation(field, cell, kind, own)
                    translations.setdefault(field, {})[language] = cell
        blanks = {c.field: cell.at for c, cell in cells.items() if not cell and not c.language}
        return Listed(kind, written, self.spec.defaults, own["id"].at, translations, blanks)

    def node(self, field: str, cell: Text, kind: Text) -> Node:
        """Return what a cell holds, as YAML would have it."""
        spec = self.fields[kind].get(Text(field))
        if field == "count" and ":" in cell:
            counts = Fields(cell.at)
            for part in _parts(cell):
                players, number = (Text(said.strip(), cell.at) for said in part.partition(":")[::2])
                if players in counts:
                    raise fault(cell.at, f"'{players}' appears twice")
                counts[players] = number
            return counts
        if field == "edition" or (spec is not None and spec.type == "list"):
            items = Items(cell.at)
            items.extend(_parts(cell))
            return items
        return cell

    def check_translation(
        self, field: str, cell: Text, kind: Text, own: Mapping[str, Text]
    ) -> None:
        """Raise the fault of a translation of what is no text or not there, or not printable."""
        spec = self.fields[kind].get(Text(field))
        if spec is None or spec.type != "text":
            raise fault(cell.at, f"'{field}' of '{kind}' is not a text to translate")
        if field not in own:
            raise fault(cell.at, f"a translation, but there is no '{field}' to translate")
        check_text(cell)


def _parts(cell: Text) -> Iterator[Text]:
    for part in re.split(r"[;\n]", cell):
        if part := part.strip():
            yield Text(part, cell.at)


def _slug(name: str) -> str:
    """Return a name as an id: in small letters, and `-` for what is neither letter nor digit."""
    lower = unicodedata.normalize("NFC", name).lower()
    return re.sub(r"[^\w]+|_", "-", lower).strip("-")
