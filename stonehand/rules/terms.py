"""The termbase of a game: what its things are called in each language, `i18n/GAME/terms.csv`.

A cell holds the chosen term and, after `;`, further stems that count as it: inflected languages and
those without spaces can't be checked by whole words.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from stonehand.source.files import read_text, shown
from stonehand.source.problems import Location, Problems, fault

NOT_LANGUAGES = ("key", "note")


class Term(msgspec.Struct, frozen=True):
    """A key, the stems accepted per language, the chosen term first, and its line."""

    key: str
    stems: dict[str, tuple[str, ...]]
    at: Location


def load_terms(path: Path, problems: Problems) -> dict[str, Term]:
    """Read a termbase.

    Reported are a row with the wrong number of cells, a key or a column that is there twice, and
    what is no CSV, after which nothing more is read.
    """
    terms: dict[str, Term] = {}
    with problems.gather():
        rows = _rows(read_text(path), shown(path))
        at, head = next(rows, (Location(shown(path), 1, 1), []))
        if "key" not in head:
            problems.error(at, "the first row names no column 'key'")
            return {}
        for column, times in Counter(head).items():
            if times > 1:
                problems.error(at, f"the column '{column}' is there {times} times")
        for at, row in rows:
            if len(row) != len(head):
                problems.error(at, f"the row has {len(row)} cells, the first one {len(head)}")
                continue
            cells = dict(zip(head, row, strict=True))
            key = cells["key"].strip()
            if key in terms:
                problems.error(at, f"the term '{key}' is taken", f"first at {terms[key].at}")
            stems = {
                language: tuple(stem.strip() for stem in cell.split(";") if stem.strip())
                for language, cell in cells.items()
                if language not in NOT_LANGUAGES
            }
            terms[key] = Term(key, stems, at)
    return terms


def _rows(text: str, file: str) -> Iterator[tuple[Location, list[str]]]:
    """Yield the rows, each with the place where it begins; raises what is no CSV there."""
    # with newline="" a lone carriage return ends a row too, else csv would fail on it
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        at = Location(file, reader.line_num + 1, 1)
        try:
            row = next(reader, None)
        except csv.Error as error:
            hint = "close every quote that is opened, and write a quote within a cell twice"
            raise fault(at, f"not CSV: {error}", hint) from None
        if row is None:
            return
        yield at, row
