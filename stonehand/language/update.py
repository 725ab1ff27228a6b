"""A PO file brought up to date with its source: what is new, what changed, what is gone.

A message keeps its translation if context and text are the same. Else the closest text of the same
context that lost its message is taken over, marked as fuzzy, its old text kept beside it; gettext's
own guessing over the whole file is often wrong. What is left over becomes obsolete. No clock and no
line numbers go into the file, so that its history shows only what people did.
"""

import difflib
from collections.abc import Iterable
from typing import NamedTuple

from stonehand.language.po import Entry, PoFile
from stonehand.language.translation import CLOSE, Message
from stonehand.source.text import Text


class Wanted(NamedTuple):
    """A message of the source, what translators should know of it, and the file it stands in."""

    message: Message
    comments: tuple[str, ...]
    file: str


def updated(old: PoFile, wanted: Iterable[Wanted]) -> PoFile:
    """Return a PO file with exactly the wanted messages, in their order, then the obsolete ones."""
    wanted = list(wanted)
    by_key = {(str(e.context), str(e.source)): e for e in old.entries if e.translation}
    left = dict(by_key)
    for item in wanted:
        left.pop((item.message.context, str(item.message)), None)
    entries = []
    for item in wanted:
        entry = by_key.get((item.message.context, str(item.message)))
        if entry is None:
            entry = _closest(item.message, left)
        made = Entry(
            source=item.message,
            context=_text(item.message.context),
            translation=entry.translation if entry else _text(""),
            flags=entry.flags if entry else (),
            translator_comments=entry.translator_comments if entry else (),
            extracted_comments=item.comments,
            references=(item.file,),
            previous_source=entry.previous_source if entry and entry.fuzzy else None,
        )
        entries.append(made)
    obsolete = [
        Entry(
            source=e.source,
            context=e.context,
            translation=e.translation,
            flags=e.flags,
            translator_comments=e.translator_comments,
            obsolete=True,
        )
        for e in left.values()
    ]
    return PoFile(
        file=old.file,
        header=old.header,
        entries=(*entries, *obsolete),
        preamble=old.preamble,
    )


def _closest(message: Message, left: dict[tuple[str, str], Entry]) -> Entry | None:
    """Take the translation of the closest text of the context that is not used, as fuzzy."""
    texts = [text for context, text in left if context == message.context]
    near = difflib.get_close_matches(str(message), texts, n=1, cutoff=CLOSE)
    if not near:
        return None
    entry = left.pop((message.context, near[0]))
    flags = tuple(dict.fromkeys(("fuzzy", *entry.flags)))
    return Entry(
        source=message,
        context=entry.context,
        translation=entry.translation,
        flags=flags,
        translator_comments=entry.translator_comments,
        previous_source=entry.source,
    )


def _text(value: str) -> Text:
    return Text(value)
