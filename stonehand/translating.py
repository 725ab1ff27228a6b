"""What translators work with: the PO files of a game, brought up to date, counted and checked."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stonehand.cards.deck import LoadedGame
from stonehand.language import po
from stonehand.language.translation import Message
from stonehand.language.update import Wanted, updated
from stonehand.rules.blocks import Rulebook
from stonehand.source.text import Text


def wanted(game: LoadedGame, rules: Rulebook | None) -> Iterator[Wanted]:
    """Yield every message of a game, those of its cards first, then those of its rules."""
    root = game.folder.folder.parent.parent
    for message in game.messages():
        yield Wanted(message, (), _file(message, root))
    for message in rules.messages() if rules else ():
        notes = rules.notes.get((message.context, str(message)), ()) if rules else ()
        yield Wanted(message, notes, _file(message, root))


def _file(message: Message, root: Path) -> str:
    """Return the file a message stands in, told from the project's root."""
    path = Path(message.at.file).resolve()
    return path.relative_to(root.resolve()).as_posix()


def new_file(game: LoadedGame, language: str) -> po.PoFile:
    """Return an empty PO file for a language."""
    header = {
        "Project-Id-Version": game.name,
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    return po.PoFile(file="", header={name: Text(value) for name, value in header.items()})


@dataclass(frozen=True, slots=True)
class Status:
    """How far a translation has come: numbers of messages."""

    language: str
    total: int
    translated: int
    fuzzy: int

    @property
    def missing(self) -> int:
        """How many messages have no translation at all."""
        return self.total - self.translated - self.fuzzy


def status(language: str, file: po.PoFile, messages: list[Wanted]) -> Status:
    """Count what a PO file holds of the messages that are wanted."""
    fresh = updated(file, messages)
    entries = [entry for entry in fresh.entries if not entry.obsolete and entry.translation]
    fuzzy = sum(entry.fuzzy for entry in entries)
    return Status(language, len(messages), len(entries) - fuzzy, fuzzy)
