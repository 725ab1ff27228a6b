"""Translations of a game's texts, looked up by context in a gettext PO file.

What is printed where a translation is missing, fuzzy or made from an older text is the source
text, and each such place is reported: a stale rule is worse than an English one.
"""

from collections.abc import Iterable
from pathlib import Path

from stonehand.language import po
from stonehand.source.files import shown, there
from stonehand.source.problems import Location, Problems
from stonehand.source.text import NOWHERE, Text


class Message(Text):
    """A text to be translated; `context` is its name in PO files, such as `card.023.name`."""

    __slots__ = ("context",)
    context: str

    @classmethod
    def of(cls, text: Text, context: str) -> "Message":
        """Return a text as a message with a context."""
        message = cls(text, text.at)
        message.context = context
        return message


class Translations:
    """The texts of a game in one language; of the source language when made with no file."""

    def __init__(self, language: str, entries: Iterable[po.Entry], problems: Problems) -> None:
        self.language = language
        self.problems = problems
        self._entries = {str(e.context): e for e in entries if not e.obsolete}
        self._source = False

    @classmethod
    def source(cls, language: str) -> "Translations":
        """Return what gives every text as it was written."""
        made = cls(language, (), Problems())
        made._source = True
        return made

    @classmethod
    def load(cls, path: Path, language: str, problems: Problems) -> "Translations":
        """Read a PO file; without one every text stays as written, which is reported once."""
        if not there(path):
            at = Location(shown(path))
            problems.warning(
                at, f"not found: all texts of '{language}' stay in the source language"
            )
            return cls.source(language)
        with problems.gather():
            file = po.read(path)
            declared = file.header.get("Language", "")
            if declared != language:
                at = Location(shown(path), 1, 1)
                problems.error(at, f"the header says 'Language: {declared}', not '{language}'")
            return cls(language, file.entries, problems)
        return cls.source(language)

    def text(self, message: Message) -> Text:
        """Return a message in the language, else as it was written."""
        if self._source or not message:
            return message
        entry = self._entries.get(message.context)
        where, wrong = message.at, ""
        if entry is None:
            wrong = "is missing"
        else:
            where = entry.translation.at if entry.translation.at != NOWHERE else entry.source.at
            if entry.source != message:
                wrong = "belongs to an older text"
            elif not entry.translation:
                wrong = "is empty"
            elif entry.fuzzy:
                wrong = "is marked as fuzzy"
            else:
                return entry.translation
        what = f"the '{self.language}' translation of '{message.context}' {wrong}"
        self.problems.warning(where, what, "the source text is printed")
        return message

    def report_unknown(self, contexts: Iterable[str]) -> None:
        """Report entries whose context no text has."""
        known = set(contexts)
        for context, entry in self._entries.items():
            if context not in known:
                self.problems.warning(entry.context.at, f"no text has the context '{context}'")
