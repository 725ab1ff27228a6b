"""Face templates: what is drawn on a card, as it is written in `layouts/`.

A template is a list of elements drawn in order. An element stands in a box: that of the card, or
the one its container gives it. `$name` in any value stands for a field.
"""

import pathlib
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec

from stonehand.source import yaml
from stonehand.source.bind import Ref, Spec, bind, bind_table
from stonehand.source.problems import Problems
from stonehand.source.text import Node, Text
from stonehand.source.units import FixedGap, FixedSize, Gap, Length, Size

Doc = msgspec.Meta

Align = Literal["left", "center", "right"]
VAlign = Literal["top", "middle", "bottom"]
Condition = Ref | dict[Text, Node]


class Element(Spec, frozen=True, kw_only=True, eq=False, tag_field="draw"):
    """What all elements have: a box, and conditions.

    The box is told by any of its edges' distances from the surrounding box, and its size. With
    two opposite edges the size follows; with a size alone the box is centred; with nothing it
    fills what surrounds it.
    """

    left: Annotated[Length | Ref | None, Doc(description="Distance from the left edge.")] = None
    right: Annotated[Length | Ref | None, Doc(description="Distance from the right edge.")] = None
    top: Annotated[Length | Ref | None, Doc(description="Distance from the top edge.")] = None
    bottom: Annotated[Length | Ref | None, Doc(description="Distance from the bottom edge.")] = None
    width: Annotated[Size | Ref | None, Doc(description="Width.")] = None
    height: Annotated[Size | Ref | None, Doc(description="Height.")] = None
    bleed: Annotated[
        bool, Doc(description="Fill the card with its bleed, whatever surrounds the element.")
    ] = False
    anchor: Annotated[
        Text | None, Doc(description="A name by which a rulebook's call-outs find the element.")
    ] = None
    rotate: Annotated[
        float, Doc(ge=-360, le=360, description="Degrees clockwise about the box's centre.")
    ] = 0.0
    when: Annotated[
        Condition | None,
        Doc(
            description="Draw only if the field has a value (`when: $art`), or has this value or "
            "one of these (`when: {group: [animal, plant]}`)."
        ),
    ] = None
    unless: Annotated[
        Condition | None, Doc(description="Do not draw if so; written like `when`.")
    ] = None


class Shape(Element, frozen=True, kw_only=True, eq=False):
    """What elements with an outline have."""

    fill: Annotated[Text | None, Doc(description="Colour of the area: `#rrggbb` or a name.")] = None
    stroke: Annotated[Text | None, Doc(description="Colour of the outline.")] = None
    line: Annotated[FixedSize | Ref, Doc(description="Width of the outline.")] = FixedSize(0.25)
    dash: Annotated[
        tuple[FixedSize, ...], Doc(description="Lengths of dashes and gaps; solid if left out.")
    ] = ()


class Rect(Shape, frozen=True, kw_only=True, eq=False, tag="rect"):
    """A rectangle."""

    radius: Annotated[Gap | Ref, Doc(description="Radius of the corners.")] = Gap()


class Ellipse(Shape, frozen=True, kw_only=True, eq=False, tag="ellipse"):
    """An ellipse that fills the box; a circle where the box is square."""


class Polygon(Shape, frozen=True, kw_only=True, eq=False, tag="polygon"):
    """A polygon through points of the box."""

    points: Annotated[
        tuple[tuple[Length, ...], ...],
        Doc(description="The points `[x, y]` from the box's top left corner; `%` of its size."),
    ]


class Line(Shape, frozen=True, kw_only=True, eq=False, tag="line"):
    """A line through points of the box; from corner to corner if none are given."""

    points: Annotated[
        tuple[tuple[Length, ...], ...], Doc(description="The points, as of a polygon.")
    ] = ((Length(), Length()), (Length(share=1.0), Length(share=1.0)))


class Path(Shape, frozen=True, kw_only=True, eq=False, tag="path"):
    """An outline in the notation of SVG paths, in mm from the box's top left corner."""

    d: Annotated[Text, Doc(description="Path data, such as `M0 0 L10 5 Z`.")]


class Picture(Element, frozen=True, kw_only=True, eq=False, tag="picture"):
    """A picture: a field of that type, or a file of the game's `art/`."""

    picture: Annotated[Text, Doc(description="`$field`, or a file below the game's `art/`.")]
    fit: Annotated[
        Literal["contain", "cover", "stretch"],
        Doc(description="Whole within the box, filling the box, or out of its proportions."),
    ] = "contain"
    align: Annotated[Align, Doc(description="Where it stands if the box is wider.")] = "center"
    valign: Annotated[VAlign, Doc(description="Where it stands if the box is higher.")] = "middle"
    bleed: Annotated[
        bool | Literal["extend", "auto"],
        Doc(
            description="`yes`: the picture has a bleed and fills the card with it; `extend`: it "
            "fills the card to the cut and is continued beyond; `auto`: whichever its proportions "
            "tell, which is then reported. Surroundings do not matter."
        ),
    ] = False  # type: ignore[assignment]  # a picture can say more than other elements
    beyond: Annotated[
        Literal["mirror", "stretch"],
        Doc(description="How it is continued: as in a mirror, or by its outermost rim."),
    ] = "mirror"
    tint: Annotated[Text | None, Doc(description="Draw vector art in this one colour.")] = None
    radius: Annotated[Gap | Ref, Doc(description="Round the corners of the box.")] = Gap()


class TextBox(Element, frozen=True, kw_only=True, eq=False, tag="text"):
    """A text in a named style; what is given here overrules the style."""

    text: Annotated[Text, Doc(description="The text; `$name` stands for a field.")]
    style: Annotated[Text | None, Doc(description="A style of the game.")] = None
    size: Annotated[FixedSize | Ref | None, Doc(description="Size of type.")] = None
    colour: Annotated[Text | None, Doc(description="Colour.")] = None
    align: Annotated[
        Literal["left", "center", "right", "justify"] | None, Doc(description="Across the box.")
    ] = None
    valign: Annotated[VAlign | None, Doc(description="Down the box.")] = None
    fit: Annotated[
        Literal["fail", "shrink", "clip"] | None,
        Doc(description="What is done with too much text; see styles."),
    ] = None


class Code(Element, frozen=True, kw_only=True, eq=False, tag="code"):
    """A QR code."""

    data: Annotated[Text, Doc(description="What the code says, such as an address.")]
    colour: Annotated[Text, Doc(description="Colour of the modules.")] = Text("#000000")


class Container(Element, frozen=True, kw_only=True, eq=False):
    """What containers have: children, the gap between them and a margin around them."""

    elements: Annotated[tuple["AnyElement", ...], Doc(description="What it holds, in order.")]
    gap: Annotated[Gap, Doc(description="Distance between two children.")] = Gap()
    pad: Annotated[Gap, Doc(description="Distance of the children from the box.")] = Gap()


class Row(Container, frozen=True, kw_only=True, eq=False, tag="row"):
    """Children side by side; those without a width share what is left."""


class Column(Container, frozen=True, kw_only=True, eq=False, tag="column"):
    """Children one below the other; those without a height share what is left."""


class Grid(Container, frozen=True, kw_only=True, eq=False, tag="grid"):
    """Children in equal cells, row by row."""

    columns: Annotated[int, Doc(ge=1, le=100, description="Cells in a row.")]
    rows: Annotated[
        int | None, Doc(ge=1, le=100, description="Rows; default: as many as are needed.")
    ] = None


class Stack(Container, frozen=True, kw_only=True, eq=False, tag="stack"):
    """Children one upon the other in the same box; a group."""


class Repeat(Element, frozen=True, kw_only=True, eq=False, tag="repeat"):
    """One element for each value of a list."""

    over: Annotated[
        Ref | tuple[Text, ...],
        Doc(description="A field of type `list`, `$lists.NAME` of the game, or values."),
    ]
    element: Annotated["AnyElement", Doc(description="What is drawn for each value.")]
    name: Annotated[Text, Doc(description="What the value is called in the element: `$item`.")] = (
        Text("item")
    )
    arrange: Annotated[
        Literal["row", "column", "grid", "stack"], Doc(description="How they are laid out.")
    ] = "row"
    columns: Annotated[int, Doc(ge=1, le=100, description="Cells in a row of a grid.")] = 1
    gap: Annotated[Gap, Doc(description="Distance between two of them.")] = Gap()


class Track(Element, frozen=True, kw_only=True, eq=False, tag="track"):
    """A row, column or ring of numbered spaces."""

    spaces: Annotated[int, Doc(ge=1, le=200, description="How many spaces.")]
    element: Annotated["AnyElement", Doc(description="What is drawn in each space.")]
    first: Annotated[int, Doc(ge=-1000, le=1000, description="Number of the first space.")] = 1
    step: Annotated[int, Doc(ge=-100, le=100, description="From number to number.")] = 1
    name: Annotated[Text, Doc(description="What the number is called in the element: `$item`.")] = (
        Text("item")
    )
    arrange: Annotated[
        Literal["row", "column", "ring", "snake"],
        Doc(
            description="`ring`: clockwise around the box from its upper left corner; `snake`: in "
            "rows, to and fro."
        ),
    ] = "row"
    columns: Annotated[
        int, Doc(ge=1, le=100, description="Spaces in a row of a `ring` or `snake`.")
    ] = 10
    gap: Annotated[Gap, Doc(description="Distance between two spaces.")] = Gap()


class Use(Element, frozen=True, kw_only=True, eq=False, tag="use"):
    """A shared part: one of the template's `parts`, or a file of `layouts/`."""

    part: Annotated[Text, Doc(description="Name of the part.")]
    values: Annotated[
        dict[Text, Text], Doc(description="Values for names that the part uses as `$name`.")
    ] = {}


AnyElement = (
    Rect
    | Ellipse
    | Polygon
    | Line
    | Path
    | Picture
    | TextBox
    | Code
    | Row
    | Column
    | Grid
    | Stack
    | Repeat
    | Track
    | Use
)


class CardSize(Spec, frozen=True, kw_only=True, eq=False):
    """A size of card."""

    width: Annotated[FixedSize, Doc(description="Width of the trimmed card.")]
    height: Annotated[FixedSize, Doc(description="Height of the trimmed card.")]
    corner: Annotated[FixedGap, Doc(description="Radius of its corners.")] = FixedGap(3.0)
    note: Annotated[Text | None, Doc(description="Where the size is told.")] = None


class OutlineSpec(Spec, frozen=True, kw_only=True, eq=False):
    """An outline of one's own: one of both fields."""

    polygon: Annotated[
        tuple[tuple[Length, ...], ...],
        Doc(description="Its corners `[x, y]`, from the upper left; `%` of the size."),
    ] = ()
    path: Annotated[
        Text | None, Doc(description="Path data as of SVG, in mm from the upper left.")
    ] = None


class Template(Spec, frozen=True, kw_only=True, eq=False):
    """A face of a card."""

    elements: Annotated[tuple[AnyElement, ...], Doc(description="What is drawn, in order.")]
    size: Annotated[
        Text | CardSize,
        Doc(description="A named size, such as `poker`, or a mapping with width and height."),
    ] = Text("poker")
    corner: Annotated[
        FixedGap | None, Doc(description="Radius of the corners; default: that of the size.")
    ] = None
    bleed: Annotated[FixedGap, Doc(description="How far art goes beyond the cut.")] = FixedGap(3.0)
    safe: Annotated[
        FixedGap, Doc(description="How far from the cut everything that matters stays.")
    ] = FixedGap(3.0)
    parts: Annotated[
        dict[Text, tuple[AnyElement, ...]], Doc(description="Parts of this template.")
    ] = {}
    outline: Annotated[
        Text | OutlineSpec,
        Doc(
            description="What is cut: `rect`, `circle`, `hexagon` (a corner on top), "
            "`hexagon-flat` (a side on top), or one of your own."
        ),
    ] = Text("rect")
    tiled: Annotated[
        bool, Doc(description="Larger than the paper, it is divided into tiles to glue.")
    ] = False
    folds: Annotated[
        tuple[tuple[tuple[Length, ...], ...], ...],
        Doc(description="Lines to fold along, each two points `[[x, y], [x, y]]`."),
    ] = ()


class Part(Spec, frozen=True, kw_only=True, eq=False):
    """A file of `layouts/` that other templates use."""

    elements: Annotated[tuple[AnyElement, ...], Doc(description="What is drawn, in order.")]


class Templates:
    """Reads templates and parts, each once for all decks and languages of a run."""

    def __init__(self, once: Callable[[str, Callable[[Problems], Any]], Any]) -> None:
        """`once` reads what is of a name, or gives what it has read; see `Press.once`."""
        self._once = once

    def template(self, path: pathlib.Path) -> Template | None:
        """Read a template; None when faults were reported."""
        read = lambda problems: bind(yaml.load(path), Template, problems)  # noqa: E731
        found: Template | None = self._once(f"template {path}", read)
        return found

    def part(self, path: pathlib.Path) -> Part | None:
        """Read a shared part; None when faults were reported."""
        read = lambda problems: bind(yaml.load(path), Part, problems)  # noqa: E731
        found: Part | None = self._once(f"part {path}", read)
        return found

    def sizes(self, paths: list[pathlib.Path]) -> dict[str, CardSize]:
        """Read the tables of named card sizes; see `load_sizes`."""
        found: dict[str, CardSize] = self._once("sizes", lambda p: load_sizes(paths, p))
        return found


def load_sizes(paths: list[pathlib.Path], problems: Problems) -> dict[str, CardSize]:
    """Read the tables of named card sizes; a later file adds to and replaces an earlier one."""
    sizes: dict[str, CardSize] = {}
    for path in paths:
        with problems.gather():
            sizes.update(bind_table(yaml.load(path), CardSize, problems))
    return sizes


ANY_NAME = "*"
_NAME = re.compile(r"\$\{?([A-Za-z_]\w*)")


def names_in(value: Any) -> frozenset[str]:
    """Return the names that an element (or anything in it) refers to by `$name`.

    An element without any looks the same on every card. `ANY_NAME` stands for those of a part that
    it uses, which are known only where the part is drawn.
    """
    if isinstance(value, str):
        return frozenset(_NAME.findall(value))
    if isinstance(value, Use):
        placed = (getattr(value, name) for name in Element.__struct_fields__)
        return names_in((*placed, *value.values.values())) | {ANY_NAME}
    if isinstance(value, msgspec.Struct):
        return names_in([getattr(value, name) for name in value.__struct_fields__])
    if isinstance(value, dict):  # a condition: its keys are names of fields
        return frozenset(map(str, value)) | names_in(list(value.values()))
    if isinstance(value, tuple | list):
        return frozenset().union(*map(names_in, value))
    return frozenset()
