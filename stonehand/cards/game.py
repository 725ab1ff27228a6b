"""`game.yaml`: what a game is made of: its kinds of cards, lists, colours, styles and decks."""

from typing import Annotated, Literal

import msgspec

from stonehand.source.bind import Spec
from stonehand.source.text import Node, Text
from stonehand.source.units import FixedGap
from stonehand.typesetting.style import Style

Doc = msgspec.Meta

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


class Kind(Spec, frozen=True, kw_only=True, eq=False):
    """A kind of cards: how they look and what must be told of each."""

    title: Annotated[Text, Doc(description="What the kind is called; translated.")]
    front: Annotated[Text, Doc(description="Template of the front, a path below `layouts/`.")]
    back: Annotated[Text | None, Doc(description="Template of the back; none if left out.")] = None
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
        FixedGap | None, Doc(description="Distance between cards; 0, the default, shares the cuts.")
    ] = None
    marks: Annotated[
        Literal["lines", "corners", "ticks", "none"] | None,
        Doc(description="Cut marks: full `lines` (default), `corners`, edge `ticks` or `none`."),
    ] = None
    flip: Annotated[
        Literal["long", "short", "none"] | None,
        Doc(description="Edge over which the paper is turned for the backs; `none`: no backs."),
    ] = None


class DeckSpec(Spec, frozen=True, kw_only=True, eq=False):
    """A named selection of cards that is printed as one file."""

    cards: Annotated[
        tuple[Text, ...],
        Doc(description="Kinds, ids and ranges such as `001-040`, in the order of printing."),
    ] = ()
    sheet: Annotated[Sheet | None, Doc(description="What differs from the game's sheet.")] = None


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
        tuple[Text, ...],
        Doc(min_length=1, description="The files that list the cards, in the order of printing."),
    ]
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
    sheet: Annotated[Sheet | None, Doc(description="How cards are laid on paper.")] = None


class Catalogue(Spec, frozen=True, kw_only=True, eq=False):
    """A file that lists cards of one kind."""

    kind: Annotated[Text, Doc(description="The kind of all cards of the file.")]
    cards: Annotated[
        tuple[dict[Text, Node], ...],
        Doc(description="The cards: `id`, `count` if not 1, and the fields of the kind."),
    ]
    defaults: Annotated[
        dict[Text, Node], Doc(description="Fields that all cards of the file share.")
    ] = {}
