"""Rulebooks as people have them: a rules text in a language, as plain text, Markdown or DOCX.

References are printed as their words, ids or names, values as numbers. It shares no code with what
imports them.
"""

import io
import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

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
)

Said = Callable[[Message], str]  # a message as it is printed, with its marks of emphasis


class Look(NamedTuple):
    """How a rulebook is written: its bullets, numbers, and what stands between A and 01."""

    bullet: str = "-"
    number: str = "{}."
    separator: str = "_"
    section: str = "{}."
    example: dict[str, str] = {}  # names of boxes


class Chunk(NamedTuple):
    """A heading and its blocks."""

    heading: Heading | None
    blocks: list[Block]


def chunks(rules: Rulebook) -> list[Chunk]:
    made = [Chunk(None, [])]
    for block in rules.blocks:
        if isinstance(block, Heading):
            made.append(Chunk(block, []))
        else:
            made[-1].blocks.append(block)
    return made


def shuffled(parts: list[Chunk], seed: int = 1) -> list[Chunk]:
    """Return the parts with sections in another order, and the rules within each."""
    chance = random.Random(seed)
    groups: list[list[Chunk]] = []
    for part in parts[1:]:
        if part.heading and part.heading.level == 2:
            groups.append([])
        groups[-1].append(part)
    chance.shuffle(groups)
    made = parts[:1]
    for first, *rest in groups:
        rules = [part for part in rest if part.heading and part.heading.rule]
        if len(rules) == len(rest):  # parts without an id stay where they are
            chance.shuffle(rest)
        made += [first, *rest]
    return made


def words_of(heading: Heading, said: Said, look: Look) -> str:
    words = said(heading.text) if heading.text else ""
    name = str(heading.id)
    if heading.rule:
        return f"{name.replace('_', look.separator)} {words}".strip()
    return f"{look.section.format(name)} {words}" if len(name) == 1 else words


def lines(parts: Iterable[Chunk], title: str, said: Said, look: Look, markdown: bool) -> str:
    """Return a rulebook as plain text or Markdown."""

    def text(message: Message) -> str:
        return said(message) if markdown else re.sub(r"\*", "", said(message))

    def written(blocks: Iterable[Block], indent: str = "") -> Iterator[str]:
        for block in blocks:
            if isinstance(block, Paragraph):
                yield f"{indent}{text(block.text)}\n"
            elif isinstance(block, Figure):
                yield f"{indent}{text(block.caption)}\n"
            elif isinstance(block, ListBlock):
                for n, item in enumerate(block.items, 1):
                    mark = look.number.format(n) if block.numbered else look.bullet
                    inner = list(written(item))
                    yield f"{indent}{mark} {inner[0]}".rstrip("\n")
                    yield from (f"{indent}  {line}".rstrip("\n") for line in inner[1:])
                yield ""
            elif isinstance(block, Table):
                for n, row in enumerate((block.head, *block.rows)):
                    yield f"| {' | '.join(map(text, row))} |"
                    if n == 0:
                        yield f"|{'---|' * len(row)}"
                yield ""
            elif isinstance(block, Parts):
                yield from (f"{look.bullet} {text(label)}" for _, label in block.labels)
                yield ""
            elif isinstance(block, Box):
                inner = list(written(block.blocks, indent))
                yield f"{look.example[block.kind]}: {inner[0]}"
                yield from inner[1:]

    made = [f"# {title}\n" if markdown else f"{title}\n"]
    for part in parts:
        if part.heading:
            mark = f"{'#' * part.heading.level} " if markdown else "\n"
            made.append(f"{mark}{words_of(part.heading, said, look)}\n")
        made += written(part.blocks)
    return "\n".join(made)


def docx(parts: Iterable[Chunk], title: str, said: Said, look: Look) -> bytes:
    """Return a rulebook as a word processor would have it, with real headings and lists."""
    from docx import Document

    document: Any = Document()
    document.add_heading(title, 0)

    def put(paragraph: Any, text: str) -> None:
        for piece in re.findall(r"\*\*[^*]+\*\*|\*[^*]+\*|[^*]+", text):
            run = paragraph.add_run(piece.strip("*"))
            run.bold = piece.startswith("**") or None
            run.italic = (piece.startswith("*") and not run.bold) or None

    def write(blocks: Iterable[Block]) -> None:
        for block in blocks:
            if isinstance(block, Paragraph | Figure):
                message = block.text if isinstance(block, Paragraph) else block.caption
                put(document.add_paragraph(), said(message))
            elif isinstance(block, ListBlock):
                style = "List Number" if block.numbered else "List Bullet"
                for first, *rest in block.items:
                    assert isinstance(first, Paragraph)
                    put(document.add_paragraph(style=style), said(first.text))
                    write(rest)
            elif isinstance(block, Table):
                table = document.add_table(0, len(block.head))
                for row in (block.head, *block.rows):
                    for cell, message in zip(table.add_row().cells, row, strict=True):
                        put(cell.paragraphs[0], said(message))
            elif isinstance(block, Parts):
                for _, label in block.labels:
                    put(document.add_paragraph(style="List Bullet"), said(label))
            elif isinstance(block, Box):
                inner = block.blocks
                first = inner[0]
                assert isinstance(first, Paragraph)
                name = look.example[block.kind]
                put(document.add_paragraph(), f"{name}: {said(first.text)}")
                write(inner[1:])

    for part in parts:
        if part.heading:
            words = words_of(part.heading, said, look)
            document.add_heading(words, part.heading.level - 1)
        write(part.blocks)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()
