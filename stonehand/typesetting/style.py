"""Named text styles of a game, as they are written, and what they are in a language."""

from typing import Annotated, Literal

import msgspec

from stonehand.source.bind import Spec, laid_over
from stonehand.source.text import Text
from stonehand.source.units import FixedSize

Doc = msgspec.Meta


class StyleFields(Spec, frozen=True, kw_only=True, eq=False):
    """What a style may set; what it leaves out is as below."""

    font: Annotated[
        Text | None, Doc(description="A role of the language's fonts or a family; default `sans`.")
    ] = None
    weight: Annotated[
        int | None, Doc(ge=1, le=1000, description="Weight of plain text; default 400.")
    ] = None
    strong: Annotated[
        int | None, Doc(ge=1, le=1000, description="Weight of `**strong**` text; default 700.")
    ] = None
    italic: Annotated[bool | None, Doc(description="Slanted throughout; default no.")] = None
    size: Annotated[FixedSize | None, Doc(description="Size of type; default 9pt.")] = None
    smallest: Annotated[
        FixedSize | None, Doc(description="How far `fit: shrink` may go; default 6pt.")
    ] = None
    leading: Annotated[
        float | None,
        Doc(ge=0.5, le=5, description="Distance of baselines as a factor on size; default 1.2."),
    ] = None
    colour: Annotated[Text | None, Doc(description="`#rrggbb` or a named colour; black.")] = None
    icons: Annotated[
        Text | None, Doc(description="Colour of icons in the text; default: their own colours.")
    ] = None
    align: Annotated[
        Literal["left", "center", "right", "justify"] | None, Doc(description="Default `left`.")
    ] = None
    valign: Annotated[
        Literal["top", "middle", "bottom"] | None, Doc(description="Default `top`.")
    ] = None
    fit: Annotated[
        Literal["fail", "shrink", "clip"] | None,
        Doc(
            description="What is done with text that is too much for its box: report it (`fail`, "
            "the default), set it smaller (`shrink`) or cut it off (`clip`)."
        ),
    ] = None
    hyphenate: Annotated[
        bool | None, Doc(description="Whether words may be divided; default yes.")
    ] = None


class Style(StyleFields, frozen=True, kw_only=True, eq=False):
    """A named text style; `languages` holds what differs in a language."""

    languages: Annotated[
        dict[Text, StyleFields], Doc(description="Per language, the fields that differ.")
    ] = {}

    def for_language(self, code: str) -> StyleFields:
        """Return the style with what differs in a language laid over it."""
        return laid_over(self, self.languages.get(Text(code)), StyleFields.__struct_fields__)
