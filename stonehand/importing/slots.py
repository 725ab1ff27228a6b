"""The rules source as slots to fill: its messages, part by part, in the order of the text."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from stonehand.importing.pieces import Kind
from stonehand.language.translation import Message
from stonehand.rules.blocks import (
    Block,
    Box,
    Figure,
    Heading,
    ListBlock,
    Paragraph,
    Parts,
    Rulebook,
    Table,
    translatable,
)


class Slot(NamedTuple):
    """A message and what it stands as; one without words, such as a number, is only counted."""

    message: Message
    kind: Kind
    to_fill: bool


class SourcePart(msgspec.Struct):
    """A heading with its id, and the slots below it; that of the title has the id `title`."""

    id: str
    level: int
    heading: Message | None
    slots: list[Slot] = []


def source_parts(rules: Rulebook) -> list[SourcePart]:
    """Return the parts of a rules source."""
    parts = [SourcePart("title", 1, rules.title)]
    for block in rules.blocks:
        if isinstance(block, Heading):
            parts.append(SourcePart(str(block.id), block.level, block.text))
        else:
            parts[-1].slots += _slots((block,), "paragraph")
    return parts


def _slots(blocks: Iterable[Block], kind: Kind) -> list[Slot]:
    found: list[Slot] = []

    def add(message: Message, kind: Kind) -> None:
        found.append(Slot(message, kind, translatable(message)))

    for block in blocks:
        if isinstance(block, Paragraph):
            add(block.text, kind)
        elif isinstance(block, ListBlock):
            for item in block.items:
                found += _slots(item[:1], "item") + _slots(item[1:], "paragraph")
        elif isinstance(block, Table):
            for row in (block.head, *block.rows):
                for cell in row:
                    add(cell, "cell")
        elif isinstance(block, Figure):
            add(block.caption, "caption")
        elif isinstance(block, Parts):
            for _, label in block.labels:
                add(label, "item")
        elif isinstance(block, Box):
            found += _slots(block.blocks, "paragraph")
    return found
