"""How rulebooks look: their colours, and the pages of `layouts/books.yaml`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec

from stonehand.source import yaml
from stonehand.source.bind import Spec, bind_table
from stonehand.source.problems import Problems
from stonehand.source.text import Text
from stonehand.source.units import FixedGap, FixedSize

Doc = msgspec.Meta

INK, ACCENT, TINT, QUIET, STALE = "#1d1a2b", "#6237b0", "#f2eefa", "#6b6780", "#c22339"
HAIRLINE = "#b9b2cc"


class BookStyle(Spec, frozen=True, kw_only=True, eq=False):
    """A page format of rulebooks."""

    paper: Annotated[Text, Doc(description="A named paper, or a size such as `148x210mm`.")]
    columns: Annotated[int, Doc(ge=1, le=3, description="Columns on a page.")]
    top: Annotated[FixedGap, Doc(description="Margin above the text.")]
    bottom: Annotated[FixedGap, Doc(description="Margin below the text.")]
    inner: Annotated[FixedGap, Doc(description="Margin at the spine.")]
    outer: Annotated[FixedGap, Doc(description="Margin at the outer edge.")]
    gutter: Annotated[FixedGap, Doc(description="Distance between columns.")]
    hang: Annotated[FixedGap, Doc(description="How far the ids of rules hang out at the left.")]
    size: Annotated[FixedSize, Doc(description="Size of running text.")]
    leading: Annotated[FixedSize, Doc(description="Distance of its baselines: the page's grid.")]


def load_books(files: Iterable[Path], problems: Problems) -> dict[str, BookStyle]:
    """Read the tables of page formats; a later file adds to and replaces an earlier one."""
    books: dict[str, BookStyle] = {}
    for file in files:
        with problems.gather():
            books.update(bind_table(yaml.load(file), BookStyle, problems))
    return books
