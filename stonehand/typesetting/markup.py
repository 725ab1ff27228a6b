"""Markdown emphasis and inline icons in a text: `*so*`, `**so**`, `:star:`."""

import re
from dataclasses import dataclass

ICON = "\ufffc"  # the character that stands for an icon in the flat text: object replacement
_MARKED = re.compile(r"[*_\\:&]")
_ICON_NAME = re.compile(r":([a-z][a-z0-9_-]*):")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text in one voice, or an icon by its name."""

    text: str
    strong: bool = False
    emphasis: bool = False
    icon: str = ""


def parse(text: str) -> tuple[Span, ...]:
    r"""Return the spans of a text in CommonMark's inline notation; `\*` stands for itself."""
    if not _MARKED.search(text):
        return (Span(text),)
    spans: list[Span] = []
    for part, strong, emphasis in _voices(text):
        end = 0
        for match in _ICON_NAME.finditer(part):
            if match.start() > end:
                spans.append(Span(part[end : match.start()], strong, emphasis))
            spans.append(Span(ICON, strong, emphasis, icon=match[1]))
            end = match.end()
        if end < len(part):
            spans.append(Span(part[end:], strong, emphasis))
    return tuple(spans)


def _voices(text: str) -> list[tuple[str, bool, bool]]:
    if not re.search(r"[*_\\&]", text):
        return [(text, False, False)]
    from markdown_it import MarkdownIt

    reader = MarkdownIt("zero").enable(["emphasis", "escape", "newline"])
    parts: list[tuple[str, bool, bool]] = []
    strong = emphasis = 0
    for token in reader.parseInline(text)[0].children or []:
        strong += {"strong_open": 1, "strong_close": -1}.get(token.type, 0)
        emphasis += {"em_open": 1, "em_close": -1}.get(token.type, 0)
        content = "\n" if token.type in ("softbreak", "hardbreak") else token.content
        if content:
            parts.append((content, strong > 0, emphasis > 0))
    return parts
