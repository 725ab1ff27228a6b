"""The kinds of files that people write, each with the type it is read as."""

from typing import Any

from stonehand.cards.game import Catalogue, Game
from stonehand.cards.template import CardSize, Part, Template
from stonehand.language.languages import Language
from stonehand.rules.style import BookStyle
from stonehand.sheets.cutter import Cutter
from stonehand.sheets.papers import Paper
from stonehand.sheets.printer import Printer
from stonehand.source.json_schema import json_schema
from stonehand.source.text import Text

FILES: dict[str, tuple[str, Any]] = {
    "game": ("cards/GAME/game.yaml", Game),
    "catalogue": ("catalogues of a game", Catalogue),
    "template": ("face templates in layouts/", Template),
    "part": ("shared parts in layouts/", Part),
    "sizes": ("layouts/sizes.yaml", dict[Text, CardSize]),
    "papers": ("layouts/papers.yaml", dict[Text, Paper]),
    "cutters": ("layouts/cutters.yaml", dict[Text, Cutter]),
    "printer": ("a printer's profile", Printer),
    "books": ("layouts/books.yaml", dict[Text, BookStyle]),
    "languages": ("i18n/languages.yaml", dict[Text, Language]),
}
"""Name of the schema, what files it is for, and their type."""


def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a kind of file."""
    files, to = FILES[name]
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Stonehand: {files}",
    }
    return head | json_schema(to)
