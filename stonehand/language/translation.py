"""Translations of a game's texts, looked up by context in a gettext PO file.

What is printed where a translation is missing, fuzzy or made from an older text is the source
text, and each such place is reported: a stale rule is worse than an English one.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from stonehand.language import po
from stonehand.source.files import shown, there
from stonehand.source.problems import Location, Problems, fault
from stonehand.source.text import NOWHERE, Text

CLOSE = 0.5  # how alike two texts must be for one to be the other's older state
COMPARED = 2_000  # characters of a text; a rule has a tenth of that


_NONE: Mapping[str, Text] = MappingProxyType({})


class Message(Text):
    """A text to be translated; `context` is its name in PO files, such as `card.023.name`.

    `given` are translations that stand beside it, in columns of a table, by language.
    """

    __slots__ = ("context", "given")
    context: str
    given: Mapping[str, Text]

    @classmethod
    def of(cls, text: Text, context: str) -> "Message":
        """Return a text as a message with a context."""
        message = cls(text, text.at)
        message.context = context
        message.given = _NONE
        return message


Stale = Literal["source", "keep", "fail"]
"""What is printed for a text whose translation is fuzzy or older: the source, that, or nothing."""

_OF_CARDS = re.compile(r"(?:game|kind|list|text|card)\.")


def alike(one: str, other: str, least: float = CLOSE) -> float:
    """Return how alike two texts are, from 0 to 1; some number below `least` if not that much.

    Of long texts the first COMPARED characters are compared: it takes the square of their number.
    """
    matcher = difflib.SequenceMatcher(None, one[:COMPARED], other[:COMPARED])
    upper = min(matcher.real_quick_ratio(), matcher.quick_ratio())
    return matcher.ratio() if upper >= least else upper


def of_cards(context: str) -> bool:
    """Tell whether a context is that of a text on cards or of the game, not of the rules."""
    return _OF_CARDS.match(context) is not None


def read_translation(path: Path, language: str) -> po.PoFile | None:
    """Return a PO file of a language, None if there is none; its faults are raised together."""
    if not there(path):
        return None
    file = po.read(path)
    declared = file.header.get("Language", Text("", Location(file.file, 1, 1)))
    if declared != language:
        raise fault(declared.at, f"the header says 'Language: {declared}', not '{language}'")
    return file


class Translations:
    """The texts of a game in one language; of the source language when made with no file."""

    def __init__(
        self,
        language: str,
        entries: Iterable[po.Entry],
        problems: Problems,
        stale: Stale = "source",
    ) -> None:
        self.language = language
        self.problems = problems
        self.stale = stale
        self._source = False
        self._entries: dict[str, list[po.Entry]] = {}
        for entry in entries:
            if not entry.obsolete:
                self._entries.setdefault(str(entry.context), []).append(entry)

    @classmethod
    def source(cls, language: str) -> "Translations":
        """Return what gives every text as it was written."""
        made = cls(language, (), Problems())
        made._source = True
        return made

    @classmethod
    def load(
        cls,
        path: Path,
        language: str,
        problems: Problems,
        stale: Stale = "source",
        messages: Iterable[Message] = (),
        read: Callable[[Path, str], po.PoFile | None] = read_translation,
    ) -> "Translations":
        """Read a PO file; without one every text stays as written, which is reported once.

        `messages` are all texts: some may have translations beside them. `read` reads the file.
        """
        with problems.gather():
            file = read(path, language)
            if file is not None:
                return cls(language, file.entries, problems, stale)
            given = any(language in message.given for message in messages)
            texts = (
                f"texts of '{language}' that no table has"
                if given
                else f"all texts of '{language}'"
            )
            what = f"not found: {texts} stay in the source language"
            problems.finding("untranslated", Location(shown(path)), what)
        return cls.source(language)

    def text(self, message: Message) -> Text:
        """Return a message in the language, else as it was written."""
        return self.printed(message)[0]

    def printed(self, message: Message) -> tuple[Text, bool]:
        """Return what is printed of a message, and whether it is a good translation of it."""
        if given := message.given.get(self.language):
            return given, True
        if self._source or not message:
            return message, True
        entry, wrong = self._found(message)
        if entry and not wrong:
            return entry.translation, True
        where = message.at
        if entry:
            where = entry.translation.at if entry.translation.at != NOWHERE else entry.source.at
        keep = self.stale == "keep" and entry is not None and bool(entry.translation)
        what = f"the '{self.language}' translation of '{message.context}' {wrong}"
        if self.stale == "fail":
            self.problems.error(where, what)
        else:
            printed = "it is printed all the same" if keep else "the source text is printed"
            code = "fuzzy" if entry and entry.translation else "untranslated"
            self.problems.finding(code, where, what, printed)
        return (entry.translation if keep and entry else message), False

    def _found(self, message: Message) -> tuple[po.Entry | None, str]:
        """Return the entry for a message, or for its older text, and what is wrong with it."""
        entries = self._entries.get(message.context, [])
        for entry in entries:
            if entry.source == message:
                wrong = "is marked as fuzzy" if entry.fuzzy else ""
                return entry, wrong if entry.translation else "is empty"
        # a rule has many texts: the closest one may be what this text was before
        cutoff = 0.0 if of_cards(message.context) else CLOSE
        near = [(alike(str(entry.source), str(message), cutoff), entry) for entry in entries]
        likeness, nearest = max(near, key=lambda pair: pair[0], default=(-1.0, None))
        return (nearest, "belongs to an older text") if likeness >= cutoff else (None, "is missing")

    def report_doubled(self, messages: Iterable[Message]) -> None:
        """Report entries of texts that have a translation beside them, which is the one printed."""
        for message in messages:
            given = message.given.get(self.language)
            if given is not None and message.context in self._entries:
                entry = self._entries[message.context][0]
                report_doubled(entry, given, self.problems)

    def report_unknown(self, contexts: Iterable[str], *, cards: bool = True) -> None:
        """Report entries whose context no text has: among those of cards, or of rules."""
        known = set(contexts)
        for context, entries in self._entries.items():
            if context not in known and of_cards(context) == cards:
                at = entries[0].context.at
                self.problems.finding(
                    "unused-translation", at, f"no text has the context '{context}'"
                )


def report_doubled(entry: po.Entry, given: Text, problems: Problems) -> None:
    """Report an entry whose text has a translation beside it, in a table."""
    at = entry.context.at if entry.context else entry.source.at
    what = f"'{entry.context}' is translated at {given.at}, which is what is printed"
    problems.finding("unused-translation", at, what, "remove one of the two")
