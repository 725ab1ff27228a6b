"""The termbase of a game: what its things are called in each language, `i18n/GAME/terms.csv`.

A cell holds the chosen term and, after `;`, further stems that count as it: inflected languages and
those without spaces can't be checked by whole words.
"""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from stonehand.source.files import read_text, shown
from stonehand.source.problems import Location, Problems

NOT_LANGUAGES = ("key", "note")


@dataclass(frozen=True)
class Term:
    """A key, the stems accepted per language, the chosen term first, and its line."""

    key: str
    stems: dict[str, tuple[str, ...]]
    at: Location


def load_terms(path: Path, problems: Problems) -> dict[str, Term]:
    """Read a termbase; a row with the wrong number of cells or a key used twice is reported."""
    terms: dict[str, Term] = {}
    with problems.gather():
        reader = csv.reader(io.StringIO(read_text(path)))
        head = next(reader, [])
        if "key" not in head:
            problems.error(Location(shown(path), 1, 1), "the first row names no column 'key'")
            return {}
        for row in reader:
            at = Location(shown(path), reader.line_num, 1)
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
