"""Papers by name or by size, exact to the hundredth of a millimetre."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec

from stonehand.source import yaml
from stonehand.source.bind import Spec, bind_table
from stonehand.source.problems import Problems, did_you_mean, fault
from stonehand.source.text import Text
from stonehand.source.units import FixedSize

Doc = msgspec.Meta


class Paper(Spec, frozen=True, kw_only=True, eq=False):
    """A sheet of paper, upright."""

    width: Annotated[FixedSize, Doc(description="Width.")]
    height: Annotated[FixedSize, Doc(description="Height.")]
    note: Annotated[Text | None, Doc(description="Where the size is told.")] = None


def load_papers(files: Iterable[Path], problems: Problems) -> dict[str, Paper]:
    """Read the tables of papers; a later file adds to and replaces an earlier one."""
    papers: dict[str, Paper] = {}
    for file in files:
        with problems.gather():
            papers.update(bind_table(yaml.load(file), Paper, problems))
    return papers


def find_paper(name: Text, papers: dict[str, Paper]) -> tuple[float, float]:
    """Return width and height in mm of a paper: a name, or a size such as `210x297mm`."""
    if paper := papers.get(name.lower()):
        return paper.width.mm, paper.height.mm
    size = r"([\d.]++)\s*+(?:(mm|cm|in)\s*+)?[x×]\s*+([\d.]++)\s*+(mm|cm|in)"
    match = re.fullmatch(size, name.lower())
    if match is None:
        hint = "" if name[:1].isdecimal() else did_you_mean(name.lower(), papers)
        raise fault(name.at, f"unknown paper '{name}'", hint or "a size is written 210x297mm")
    try:
        width = FixedSize.parse(Text(match[1] + (match[2] or match[4])))
        height = FixedSize.parse(Text(match[3] + match[4]))
    except ValueError as error:
        raise fault(name.at, *error.args) from None
    return width.mm, height.mm
