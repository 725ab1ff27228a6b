"""Tables of figures: data first, written as aligned text for a terminal or as JSON."""

import json
import unicodedata
from collections.abc import Iterable, Mapping

import msgspec

LONGEST = 48  # characters of a cell in lines

Cell = str | int | float


class Table(msgspec.Struct, frozen=True):
    """A table, with what it is about: `table` is its sort, the others say of which cards."""

    about: Mapping[str, str]
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def as_json(head: Mapping[str, str], tables: Iterable[Table]) -> str:
    """Return tables below some head as JSON, each in a line of its own."""
    rows = ({**table.about, "columns": table.columns, "rows": table.rows} for table in tables)
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "tables": [\n{lines}\n]}}'


def as_text(table: Table) -> str:
    """Return a table in lines: words to the left, numbers to the right of their columns."""
    columns = []
    for name, *cells in zip(table.columns, *table.rows, strict=True):
        words = [name, *map(_written, cells)]
        width = max(map(_columns, words))
        number = not any(isinstance(cell, str) for cell in cells)
        blanks = [" " * (width - _columns(word)) for word in words]
        padded = zip(blanks, words, strict=True)
        columns.append([b + word if number else word + b for b, word in padded])
    lines = ("  ".join(cells).rstrip() for cells in zip(*columns, strict=True))
    return "\n".join((table.title, *(f"  {line}" for line in lines)))


def _written(cell: Cell) -> str:
    """Return a cell as it stands in a line: a long text by its beginning.

    What a terminal would obey is shown as a mark; joiners are kept, words of Hindi need them.
    """
    words = f"{cell:.1f}" if isinstance(cell, float) else " ".join(str(cell).split())
    line = "".join(c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in words)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def _columns(text: str) -> int:
    """Return how many columns of a terminal a text takes (Unicode Standard Annex 11)."""
    wide = sum(unicodedata.east_asian_width(c) in ("W", "F") for c in text)
    marks = sum(unicodedata.category(c) in ("Mn", "Me", "Cf") for c in text)
    return len(text) + wide - marks
