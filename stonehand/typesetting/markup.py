"""Markdown emphasis and inline icons in a text: `*so*`, `**so**`, `:star:`."""

import re
from functools import cache
from typing import Any

import msgspec

ICON = "\ufffc"  # the character that stands for an icon in the flat text: object replacement
_MARKED = re.compile(r"[*_\\:]")
_ICON_NAME = re.compile(r":([a-z][a-z0-9_-]*):")


class Span(msgspec.Struct, frozen=True):
    """A piece of text in one voice, or an icon by its name."""

    text: str
    strong: bool = False
    emphasis: bool = False
    icon: str = ""
    link: str = ""  # the anchor or address it leads to
    colour: str = ""  # if it differs from the text around it


def parse(text: str) -> tuple[Span, ...]:
    r"""Return the spans of a text in CommonMark's inline notation; `\*` stands for itself."""
    if not _MARKED.search(text):
        return (Span(text),)
    spans: list[Span] = []
    for part, strong, emphasis, escaped in _voices(text):
        end = 0
        for match in () if escaped else _ICON_NAME.finditer(part):
            _add(spans, part[end : match.start()], strong, emphasis)
            spans.append(Span(ICON, strong, emphasis, icon=match[1]))
            end = match.end()
        _add(spans, part[end:], strong, emphasis)
    return tuple(spans)


def _add(spans: list[Span], text: str, strong: bool, emphasis: bool) -> None:
    """Add text; it is one span with the text before it if that is in the same voice."""
    last = spans[-1] if spans else None
    if last and not last.icon and (last.strong, last.emphasis) == (strong, emphasis):
        spans[-1] = Span(last.text + text, strong, emphasis)
    elif text:
        spans.append(Span(text, strong, emphasis))


def _voices(text: str) -> list[tuple[str, bool, bool, bool]]:
    """Return the pieces of a text, each with: is it strong, is it emphasised, was it escaped."""
    if not re.search(r"[*_\\]", text):
        return [(text, False, False, False)]
    parts: list[tuple[str, bool, bool, bool]] = []
    strong = emphasis = 0
    for token in _reader().parseInline(text)[0].children or []:
        strong += {"strong_open": 1, "strong_close": -1}.get(token.type, 0)
        emphasis += {"em_open": 1, "em_close": -1}.get(token.type, 0)
        content = "\n" if token.type in ("softbreak", "hardbreak") else token.content
        if content:
            parts.append((content, strong > 0, emphasis > 0, token.type == "text_special"))
    return parts


@cache
def _reader() -> Any:
    from markdown_it import MarkdownIt

    # without text_join, what was escaped stays apart: `\:star:` is no icon
    reader = MarkdownIt("zero").enable(["emphasis", "escape", "newline"])
    return reader.disable("text_join")
