"""What a rules text is read as: blocks in the order of the text, each with its place.

A block's words are `Message`s whose context is the id of the rule (or section) they stand in, never
a number of their own: a paragraph put in between must not shift the translations of those after it.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from stonehand.language.translation import Message
from stonehand.source.bind import Spec
from stonehand.source.problems import Location
from stonehand.source.text import Text

BoxKind = Literal["example", "note", "tip", "optional"]


Doc = msgspec.Meta


class FrontMatter(Spec, frozen=True, kw_only=True, eq=False):
    """What stands between two lines of dashes at the head of a rules text."""

    game: Annotated[Text | None, Doc(description="The name of the game.")] = None
    language: Annotated[Text | None, Doc(description="The language the rules are written in.")] = (
        None
    )


class Heading(msgspec.Struct, frozen=True):
    """A title: level 1 is the book's, 2 a section's, 3 a rule's or that of a part of a section.

    A rule's `id` is such as `A_01`, a lettered section's a capital; the words may be missing for a
    rule. `note` is for translators.
    """

    level: int
    id: Text
    text: Message | None
    at: Location
    rule: bool = False
    optional: bool = False


class Paragraph(msgspec.Struct, frozen=True):
    """Running text in the inline notation of `inline`."""

    text: Message


class ListBlock(msgspec.Struct, frozen=True):
    """A numbered or dashed list; an item is a list of blocks."""

    numbered: bool
    items: tuple[tuple["Block", ...], ...]


class Table(msgspec.Struct, frozen=True):
    """A table: the head's cells, then rows of cells."""

    head: tuple[Message, ...]
    rows: tuple[tuple[Message, ...], ...]
    at: Location


class Figure(msgspec.Struct, frozen=True):
    """Cards of the deck: in a row, in a row with arrows between, or held as a fan.

    `12/back` is the back of the card 12.
    """

    arrange: Literal["row", "arrows", "fan"]
    cards: tuple[Text, ...]
    caption: Message


class Parts(msgspec.Struct, frozen=True):
    """A card with call-outs to its named parts."""

    card: Text
    labels: tuple[tuple[Text, Message], ...]
    at: Location


class Box(msgspec.Struct, frozen=True):
    """An example, a note, a tip or something optional, set apart."""

    kind: BoxKind
    blocks: tuple["Block", ...]


class Components(msgspec.Struct, frozen=True):
    """The table of components, made from the catalogue."""

    at: Location


class Scores(msgspec.Struct, frozen=True):
    """A score sheet to print, for so many rounds and players."""

    rows: int
    players: int
    at: Location


Block = Heading | Paragraph | ListBlock | Table | Figure | Parts | Box | Components | Scores


class Rulebook(msgspec.Struct, frozen=True):
    """A rules text: its title and blocks; `notes` are for translators, by message.

    `withdrawn` are ids of rules that are gone.
    """

    title: Message
    blocks: tuple[Block, ...]
    notes: dict[tuple[str, str], tuple[str, ...]] = {}
    front: FrontMatter = msgspec.field(default_factory=FrontMatter)
    withdrawn: frozenset[str] = frozenset()

    def messages(self) -> Iterator[Message]:
        """Yield every text to translate, in the order of the source, each once."""
        seen: set[tuple[str, str]] = set()
        for message in self.texts():
            key = (message.context, str(message))
            if key not in seen and translatable(message):
                seen.add(key)
                yield message

    def texts(self) -> Iterator[Message]:
        """Yield every text of the book, also those that are the same in all languages."""
        yield self.title
        yield from _messages(self.blocks)


def place(block: Block) -> Location:
    """Return where a block stands."""
    if isinstance(block, Heading | Table | Parts | Components | Scores):
        return block.at
    return next(_messages((block,))).at


def _messages(blocks: tuple[Block, ...]) -> Iterator[Message]:
    for block in blocks:
        if isinstance(block, Heading):
            if block.text:
                yield block.text
        elif isinstance(block, Paragraph):
            yield block.text
        elif isinstance(block, ListBlock):
            for item in block.items:
                yield from _messages(item)
        elif isinstance(block, Table):
            yield from block.head
            for row in block.rows:
                yield from row
        elif isinstance(block, Figure):
            yield block.caption
        elif isinstance(block, Parts):
            yield from (label for _, label in block.labels)
        elif isinstance(block, Box):
            yield from _messages(block.blocks)


def translatable(message: Message) -> bool:
    """Tell whether a text has words; figures, dashes, values and bare references have none."""
    from stonehand.rules.inline import Reference, Value, Words, parse

    return any(
        (isinstance(part, Words) and any(map(str.isalpha, part.text)))
        or (isinstance(part, Reference) and bool(part.words))
        for part in parse(message)
        if not isinstance(part, Value)
    )
