"""What a YAML file is read as: texts, lists and mappings that remember where they stood."""

from stonehand.source.problems import Location

NOWHERE = Location("<built in>")


class Text(str):
    """A scalar as it was written, never converted: `001` stays `001`, `no` stays `no`."""

    __slots__ = ("at", "empty")
    at: Location
    empty: bool  # nothing was written at all (`name:`), not even quotes

    def __new__(cls, value: str, at: Location = NOWHERE, *, empty: bool = False) -> "Text":
        """Make a text that stands at a place."""
        self = super().__new__(cls, value)
        self.at = at
        self.empty = empty
        return self


class Items(list["Node"]):
    """A sequence and its place."""

    __slots__ = ("at",)

    def __init__(self, at: Location) -> None:
        self.at = at


class Fields(dict[Text, "Node"]):
    """A mapping and its place; its keys are texts with places of their own."""

    __slots__ = ("at",)

    def __init__(self, at: Location) -> None:
        self.at = at


Node = Text | Items | Fields
