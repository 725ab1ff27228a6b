"""What an SVG file grows to when all its references are followed, and the bounds on that.

A file of a few lines can draw without end (`use` in `use`, patterns and masks in each other), and
nested transforms can leave the range of the numbers of whatever draws them.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from stonehand.source.problems import Location, fault

DEPTH_LIMIT = 256  # elements in elements, references followed
ELEMENT_LIMIT = 100_000  # elements, references expanded
SCALE_LIMIT = 18  # powers of ten; coordinates have up to 7 more, single precision holds 38


class Element(msgspec.Struct):
    """An element as far as it matters here."""

    tag: str
    at: Location
    words: set[str]  # what a style sheet can call it by: tag, id, classes
    points: int = 1  # an upper bound on the markers it may carry
    inside: list["Element"] = []
    targets: list[tuple[str, int]] = []  # an id, and how often it is drawn
    scale: float = 0.0  # by how many powers of ten it magnifies what is inside


class _Totals(NamedTuple):
    drawn: int = 0
    depth: int = 0
    scale: float = 0.0


def check_bounds(root: Element, ids: Mapping[str, Element]) -> None:
    """Follow all references below `root`; raise the fault if they don't end, or not in bounds."""
    done: dict[int, _Totals] = {}
    opened: set[int] = set()
    todo = [root]
    while todo:  # depth first, each element once its parts are done
        element = todo[-1]
        if id(element) in done:
            todo.pop()
            continue
        parts = list(_parts(element, ids))
        waiting = [part for part, _ in parts if id(part) not in done]
        if waiting:
            opened.add(id(element))
            if any(id(part) in opened for part in waiting):
                raise fault(element.at, "SVG has an element that contains itself")
            todo += waiting
            continue
        found = [(done[id(part)], times) for part, times in parts]
        drawn = 1 + sum(totals.drawn * times for totals, times in found)
        depth = 1 + max((totals.depth for totals, _ in found), default=0)
        scale = element.scale + max((totals.scale for totals, _ in found), default=0.0)
        if drawn > ELEMENT_LIMIT:
            raise fault(element.at, f"SVG expands to more than {ELEMENT_LIMIT:,} elements")
        if depth > DEPTH_LIMIT:
            raise fault(element.at, f"SVG is nested deeper than {DEPTH_LIMIT} levels")
        if scale > SCALE_LIMIT:
            raise fault(element.at, "SVG has transforms that magnify out of range")
        done[id(element)] = _Totals(drawn, depth, scale)
        opened.discard(id(element))
        todo.pop()


def _parts(element: Element, ids: Mapping[str, Element]) -> Iterator[tuple[Element, int]]:
    yield from ((part, 1) for part in element.inside)
    for target, times in element.targets:
        if part := ids.get(target):
            # a gradient is a colour: it draws nothing of its own, though it may go in a circle
            yield part, 0 if part.tag.endswith("Gradient") else times
