"""`game.yaml`: what a game is made of: its kinds of cards, lists, colours, styles and decks."""

import re
from typing import Annotated, Literal, NamedTuple

import msgspec

from stonehand.source.bind import Spec
from stonehand.source.text import Node, Text
from stonehand.source.units import MM_PER, FixedGap, FixedSize
from stonehand.typesetting.style import Style

Doc = msgspec.Meta

MOST_PLAYERS = 100


class Players(NamedTuple):
    """Numbers of players, from one to another."""

    first: int
    last: int

    @classmethod
    def parse(cls, text: Text) -> "Players":
        """Read `4-12` or `7`; raises ValueError with (message, hint) where it is neither."""
        match = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text, re.ASCII)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= MOST_PLAYERS:
            raise ValueError(f"'{text}' is no number of players", "write 4 or 4-12")
        return cls(first, last)

    def __contains__(self, number: object) -> bool:
        """Tell whether a number of players is among them."""
        return isinstance(number, int) and self.first <= number <= self.last

    def __str__(self) -> str:
        return f"{self.first}-{self.last}" if self.last > self.first else str(self.first)


FieldType = Literal["text", "word", "number", "flag", "picture", "list"]


class Field(Spec, frozen=True, kw_only=True, eq=False):
    """A field that cards of a kind have."""

    type: Annotated[
        FieldType | None,
        Doc(
            description="`text` (translated), `word` (the same in every language), `number`, "
            "`flag`, `picture` (a file below the game's `art/`) or `list` (of words)."
        ),
    ] = None
    choice: Annotated[
        Text | None, Doc(description="Name of a list of the game: one of its values is meant.")
    ] = None
    default: Annotated[Text | None, Doc(description="Value of cards that leave the field out.")] = (
        None
    )
    optional: Annotated[bool, Doc(description="Cards may leave the field out, without value.")] = (
        False
    )

    @classmethod
    def short(cls, name: Text) -> "Field":
        """Return the field that a single word stands for: a type, else the name of a list."""
        if name in FieldType.__args__:  # type: ignore[attr-defined]
            return cls(type=name)  # type: ignore[arg-type]
        return cls(choice=name)


class Back(Spec, frozen=True, kw_only=True, eq=False):
    """A back: its template, and values for names that the template uses."""

    template: Annotated[
        Text, Doc(description="A path below `layouts/`, or `none` for a card without a back.")
    ]
    values: Annotated[
        dict[Text, Text],
        Doc(description="Values for names that the template uses as `$name`; may be references."),
    ] = {}
    differs: Annotated[
        bool, Doc(description="Whether it is meant to differ from card to card; default no.")
    ] = False


class Kind(Spec, frozen=True, kw_only=True, eq=False):
    """A kind of cards: how they look and what must be told of each."""

    title: Annotated[Text, Doc(description="What the kind is called; translated.")]
    name: Annotated[
        Text | None,
        Doc(
            description="What a card without a field `name` is called, such as "
            "`$colour.name $value`; its own words are translated."
        ),
    ] = None
    front: Annotated[Text, Doc(description="Template of the front, a path below `layouts/`.")]
    back: Annotated[
        Text | Back | None,
        Doc(
            description="The back: a template, or a mapping with `values` for it; none if left "
            "out. A card's own `back`, and that of a deck, overrule it."
        ),
    ] = None
    form: Annotated[
        Literal["flat", "standee", "tent"],
        Doc(
            description="`standee` and `tent` are folded over at the top, with front and back "
            "outside, and stand on feet or a floor."
        ),
    ] = "flat"
    fields: Annotated[
        dict[Text, Text | Field],
        Doc(description="The fields: a type, the name of a list, or a mapping with details."),
    ] = {}


class ChoiceList(Spec, frozen=True, kw_only=True, eq=False):
    """A list of values that have properties of their own, such as the groups of a game."""

    values: Annotated[
        dict[Text, dict[Text, Node]], Doc(description="Each value with its properties.")
    ]
    fields: Annotated[
        dict[Text, Text | Field], Doc(description="The properties, as the fields of a kind.")
    ] = {}


class Sheet(Spec, frozen=True, kw_only=True, eq=False):
    """How cards are laid on paper."""

    paper: Annotated[
        Text | None, Doc(description="A named paper or `WIDTHxHEIGHT` with a unit; default `a4`.")
    ] = None
    margin: Annotated[
        FixedGap | None, Doc(description="What the printer can't print at each edge; default 5mm.")
    ] = None
    gap: Annotated[
        FixedGap | None,
        Doc(
            description="Distance between cards. Default: 0 where all neighbours look alike at "
            "their edges, so that they can share a cut, else twice the bleed."
        ),
    ] = None
    bleed: Annotated[
        FixedGap | None,
        Doc(description="Most bleed printed at the outside of the block; default: all there is."),
    ] = None
    back_bleed: Annotated[
        FixedGap | None, Doc(description="The same for backs; default: as for fronts.")
    ] = None
    marks: Annotated[
        Literal["lines", "corners", "ticks", "none"] | None,
        Doc(
            description="Cut marks: full `lines` (default), `corners`, edge `ticks` or `none`, the "
            "default where a cutting machine has marks of its own."
        ),
    ] = None
    marks_on: Annotated[
        Literal["front", "back", "both"] | None,
        Doc(description="Which sides have cut marks; default `front`."),
    ] = None
    corners: Annotated[
        Literal["square", "round"] | None,
        Doc(
            description="`round` draws the rounded outline of each card; cut files always have "
            "it, unless this is `square`."
        ),
    ] = None
    backs: Annotated[
        Literal["duplex", "fold", "separate", "none"] | None,
        Doc(
            description="How backs are made: on the other side of each sheet (`duplex`, the "
            "default), beside the front across a `fold`, in a `separate` file, or not (`none`)."
        ),
    ] = None
    flip: Annotated[
        Literal["long", "short"] | None,
        Doc(description="Edge of the paper over which it is turned for the backs; default `long`."),
    ] = None
    order: Annotated[
        Literal["reading", "stack"] | None,
        Doc(
            description="`reading` fills sheet after sheet; `stack` so that, cut as a stack, the "
            "piles laid upon each other are the deck in order."
        ),
    ] = None
    skip: Annotated[
        tuple[Annotated[int, Doc(ge=1, le=500)], ...] | None,
        Doc(description="Slots that stay empty on every sheet, counted from 1 as one reads."),
    ] = None
    mixed: Annotated[
        bool | None,
        Doc(
            description="Whether what is left of several card sizes after their full sheets "
            "shares sheets; default no."
        ),
    ] = None
    cutter: Annotated[
        Text | None,
        Doc(
            description="A cutting machine of `layouts/cutters.yaml`: its marks are printed, and "
            "cut files are written as SVG and DXF."
        ),
    ] = None
    copies: Annotated[
        int | None, Doc(ge=1, le=100, description="How often the whole deck is printed.")
    ] = None


class DeckSpec(Spec, frozen=True, kw_only=True, eq=False):
    """A named selection of cards that is printed as one file."""

    cards: Annotated[
        tuple[Text, ...],
        Doc(description="Kinds, ids and ranges such as `001-040`, in the order of printing."),
    ] = ()
    decks: Annotated[
        tuple[Text, ...],
        Doc(description="Other decks that are laid on shared sheets, each with its own back."),
    ] = ()
    back: Annotated[
        Text | Back | None, Doc(description="The back of all cards of the deck; see kinds.")
    ] = None
    sheet: Annotated[Sheet | None, Doc(description="What differs from the game's sheet.")] = None


class TuckBox(Spec, frozen=True, kw_only=True, eq=False):
    """A box for a deck; its panels are templates, which take the size of the panel."""

    deck: Annotated[
        Text | None, Doc(description="The deck that it holds; all cards if left out.")
    ] = None
    thickness: Annotated[FixedSize, Doc(description="Thickness of a card.")] = FixedSize(0.3)
    front: Annotated[Text, Doc(description="Template of the front.")]
    back: Annotated[Text | None, Doc(description="Template of the back; default: the front.")] = (
        None
    )
    side: Annotated[Text | None, Doc(description="Template of both sides.")] = None
    lid: Annotated[Text | None, Doc(description="Template of lid and floor.")] = None


class Unchecked(Spec, frozen=True, kw_only=True, eq=False):
    """Findings that are right, but not wanted."""

    code: Annotated[Text, Doc(description="The code of the findings.")]
    files: Annotated[
        Text | None,
        Doc(description="A file, or a pattern such as `cards/my-game/art/*`; all if left out."),
    ] = None
    reason: Annotated[Text, Doc(description="Why, for those who read it later.")]


class Limits(Spec, frozen=True, kw_only=True, eq=False):
    """How the game is checked."""

    readable: Annotated[FixedSize, Doc(description="Smallest size of type.")] = FixedSize(
        5 * MM_PER["pt"]
    )
    line: Annotated[FixedSize, Doc(description="Thinnest line; 0.25 pt if left out.")] = FixedSize(
        0.25 * MM_PER["pt"]
    )
    fine: Annotated[
        int, Doc(ge=1, le=300, description="Dots per inch under which pictures are coarse.")
    ] = 200
    contrast: Annotated[
        float, Doc(ge=1, le=21, description="Least contrast of a text to its ground, as n to 1.")
    ] = 4.5
    unchecked: Annotated[tuple[Unchecked, ...], Doc(description="Findings that are not told.")] = ()


class Constraint(Spec, frozen=True, kw_only=True, eq=False):
    """What is to hold for some cards: `of` them, one of the other fields with what belongs to it.

    Names of fields may reach into properties, such as `group.name`; `id` and `kind` are fields.
    """

    of: Annotated[
        Text | tuple[Text, ...] | None,
        Doc(
            description="The cards: decks, kinds, ids and ranges; all cards that have the fields "
            "if left out."
        ),
    ] = None
    count: Annotated[
        Annotated[int, Doc(ge=0)]
        | Literal["players"]
        | dict[Text, int | Literal["players"]]
        | None,
        Doc(
            description="How many there are, with all their copies: a number, `players` for one "
            "each, or such as `{4-6: 1, 7: 2}` by their number."
        ),
    ] = None
    unique: Annotated[
        Text | tuple[Text, ...] | None,
        Doc(description="No two cards have the same value of this field, or of all of these."),
    ] = None
    spread: Annotated[
        Text | tuple[Text, ...] | None,
        Doc(
            description="All values of this field, or of each of these, are equally common: those "
            "of its list, else those that occur."
        ),
    ] = None
    by: Annotated[
        Text | None,
        Doc(description="For `spread`: they are so among the cards of each value of this field."),
    ] = None
    within: Annotated[
        int | None,
        Doc(ge=0, description="For `spread`: the most by which two counts differ; default 1."),
    ] = None
    decides: Annotated[
        dict[Text, Text | tuple[Text, ...]] | None,
        Doc(
            description="Cards with the same value of one field have the same value of another, "
            "such as `{value: points}`."
        ),
    ] = None
    matches: Annotated[
        dict[Text, Text] | None,
        Doc(
            description="For each card there is one with equal values: each of its own fields "
            "with a field of that one, such as `{good: name, number: number}`."
        ),
    ] = None
    among: Annotated[
        Text | tuple[Text, ...] | None,
        Doc(description="For `matches`: where that one is, as for `of`; default there."),
    ] = None
    follows: Annotated[
        dict[Text, Text] | None,
        Doc(
            description="The card after each one, as they are listed, has equal values, such as "
            "`{next: group}`: `group` of the later is `next` of the earlier."
        ),
    ] = None
    least: Annotated[
        int | None,
        Doc(ge=0, description="For `follows`: how many times at least; default: always."),
    ] = None


class CatalogueTable(Spec, frozen=True, kw_only=True, eq=False):
    """A catalogue that is a table: one row is one card, and the first row names the fields."""

    file: Annotated[Text, Doc(description="A `.csv`, `.tsv`, `.xlsx`, `.xlsm` or `.ods` file.")]
    sheet: Annotated[
        Text | None,
        Doc(description="The sheet of a spreadsheet; if left out, the only one that is visible."),
    ] = None
    delimiter: Annotated[
        Literal[",", ";", "tab", "|"] | None,
        Doc(
            description="What stands between the cells of a CSV file; default: found in its header."
        ),
    ] = None
    kind: Annotated[
        Text | None,
        Doc(
            description="The kind of the cards without one in a column `kind`; if left out, the "
            "only kind of the game."
        ),
    ] = None
    id: Annotated[
        Text | None,
        Doc(
            description="For a table without a column `id`: the column that ids are made of, such "
            "as `pond-frog` of `Pond frog`. If it changes, the card is another one."
        ),
    ] = None
    columns: Annotated[
        dict[Text, Text],
        Doc(description="The fields of columns that have other names: `{Rule text: rule}`."),
    ] = {}
    defaults: Annotated[
        dict[Text, Node], Doc(description="Fields of cards whose cells are empty or not there.")
    ] = {}


class Game(Spec, frozen=True, kw_only=True, eq=False):
    """The content of a `game.yaml`."""

    title: Annotated[Text, Doc(description="The game's name; translated.")]
    languages: Annotated[
        tuple[Text, ...],
        Doc(
            min_length=1,
            description="Codes of the languages; the first is the one the cards are written in.",
        ),
    ]
    kinds: Annotated[dict[Text, Kind], Doc(description="The kinds of cards.")]
    catalogues: Annotated[
        tuple[Text | CatalogueTable, ...],
        Doc(
            min_length=1,
            description="The files that list the cards, in the order of printing: YAML, or tables "
            'such as `animals.csv`, `"deck.xlsx#Sheet"`, or with details.',
        ),
    ]
    players: Annotated[
        Players | None,
        Doc(description="For how many players it is, such as `4-12`; counts may depend on it."),
    ] = None
    editions: Annotated[
        tuple[Text, ...], Doc(description="Editions that can be printed by `--edition`.")
    ] = ()
    lists: Annotated[
        dict[Text, ChoiceList | tuple[Text, ...]],
        Doc(description="Lists of values: plain `[A, B]` or with properties."),
    ] = {}
    texts: Annotated[
        dict[Text, Text], Doc(description="Texts that templates use as `$text.name`; translated.")
    ] = {}
    colours: Annotated[dict[Text, Text], Doc(description="Named colours, each `#rrggbb`.")] = {}
    styles: Annotated[dict[Text, Style], Doc(description="Named text styles.")] = {}
    icons: Annotated[
        Text | None,
        Doc(description="Folder below `art/` whose SVG files texts may use as `:name:`."),
    ] = None
    decks: Annotated[
        dict[Text, DeckSpec],
        Doc(description="What `stonehand build` prints; default: all cards as `cards`."),
    ] = {}
    boxes: Annotated[
        dict[Text, TuckBox], Doc(description="Tuck boxes, each sized for a deck.")
    ] = {}
    sheet: Annotated[Sheet | None, Doc(description="How cards are laid on paper.")] = None
    check: Annotated[Limits, Doc(description="Limits of the checks, and findings not told.")] = (
        Limits()
    )
    constraints: Annotated[
        tuple[Constraint, ...],
        Doc(
            description="What is to hold for the cards; `stonehand check` tells where it does not."
        ),
    ] = ()


class Catalogue(Spec, frozen=True, kw_only=True, eq=False):
    """A file that lists cards of one kind."""

    kind: Annotated[Text, Doc(description="The kind of all cards of the file.")]
    cards: Annotated[
        tuple[dict[Text, Node], ...],
        Doc(
            description="The cards: `id`, `count` if not 1 (a number, `players` for one each, or "
            "such as `{4-6: 1, 7: 2}` by their number), `back` if not that of the kind, `edition` "
            "if it is not in all, and the fields of the kind."
        ),
    ]
    defaults: Annotated[
        dict[Text, Node], Doc(description="Fields that all cards of the file share.")
    ] = {}
