"""Cutting machines: the marks by which they find a sheet, and where those leave room for cards."""

from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Annotated, Literal

import msgspec

from stonehand.scene import Box, Mark, Path, Stroke, polygon, rectangle
from stonehand.source import yaml
from stonehand.source.bind import Spec, bind_table
from stonehand.source.problems import Problems, did_you_mean, fault
from stonehand.source.text import Text
from stonehand.source.units import FixedGap, FixedSize

Doc = msgspec.Meta
INK = "#000000"


class Cutter(Spec, frozen=True, kw_only=True, eq=False):
    """A cutting machine and its registration marks."""

    marks: Annotated[
        Literal["three", "four", "none"],
        Doc(
            description="`three`: a square at the upper left, angles at the upper right and lower "
            "left; `four`: an angle at each corner; or `none`."
        ),
    ]
    inset: Annotated[FixedGap, Doc(description="From the paper's edges to the marks.")] = FixedGap(
        10.0
    )
    arm: Annotated[FixedSize, Doc(description="Length of an angle's arms.")] = FixedSize(8.89)
    line: Annotated[FixedSize, Doc(description="Thickness of the arms.")] = FixedSize(0.5)
    square: Annotated[FixedSize, Doc(description="Side of the square.")] = FixedSize(6.0)
    clear: Annotated[FixedGap, Doc(description="What stays free around each mark.")] = FixedGap(1.0)
    note: Annotated[Text | None, Doc(description="Which machines, and where this is told.")] = None


def load_cutters(files: Iterable[FilePath], problems: Problems) -> dict[str, Cutter]:
    """Read the tables of cutting machines; a later file adds to and replaces an earlier one."""
    cutters: dict[str, Cutter] = {}
    for file in files:
        with problems.gather():
            cutters.update(bind_table(yaml.load(file), Cutter, problems))
    return cutters


def find_cutter(name: Text, cutters: dict[str, Cutter]) -> Cutter:
    """Return a cutting machine by its name."""
    if name not in cutters:
        raise fault(name.at, f"unknown cutter '{name}'", did_you_mean(name, cutters))
    return cutters[name]


def registration(cutter: Cutter, width: float, height: float) -> list[Mark]:
    """Return the marks on a page of this size, in mm."""
    return [mark for _, marks in _corners(cutter, width, height) for mark in marks]


def reserved(cutter: Cutter, width: float, height: float) -> list[Box]:
    """Return the boxes of a page that the marks and the space around them take."""
    return [
        box.grown(cutter.clear.mm) for boxes, _ in _corners(cutter, width, height) for box in boxes
    ]


def _corners(cutter: Cutter, width: float, height: float) -> list[tuple[list[Box], list[Mark]]]:
    """Return for each corner that has a mark the boxes it fills and what is drawn."""
    if cutter.marks == "none":
        return []
    near, arm, line = cutter.inset.mm, cutter.arm.mm, cutter.line.mm
    right, bottom = width - near, height - near
    corners = [(near, near, 1, 1), (right, near, -1, 1), (near, bottom, 1, -1)]
    if cutter.marks == "four":
        corners.append((right, bottom, -1, -1))
    made: list[tuple[list[Box], list[Mark]]] = []
    for i, (x, y, across, down) in enumerate(corners):
        if i == 0 and cutter.marks == "three":
            box = Box(x, y, cutter.square.mm, cutter.square.mm)
            made.append(([box], [Path(rectangle(box), fill=INK)]))
            continue
        # arms point to the middle of the page; their line lies inside the corner
        mid_x, mid_y = x + across * line / 2, y + down * line / 2
        points = [(x + across * arm, mid_y), (mid_x, mid_y), (mid_x, y + down * arm)]
        level = Box(min(x, x + across * arm), min(y, y + down * line), arm, line)
        upright = Box(min(x, x + across * line), min(y, y + down * arm), line, arm)
        made.append(
            ([level, upright], [Path(polygon(points, closed=False), stroke=Stroke(INK, line))])
        )
    return made
