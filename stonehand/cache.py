"""What builds remember: files that were made, and what was looked at to make them.

A cache is a folder outside of projects and their output. `entries/` holds, by the name of a piece
of work, what it came to in its latest states; `data/` holds the files, by their fingerprints. It
can be deleted at any time. What is damaged, of another form or of another fingerprint is as if it
were not there, and nothing that is read from it is ever run. Several runs may use it at once: each
file in it appears whole, and what one removes another makes again.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from stonehand import __version__
from stonehand.output.files import forget, kept
from stonehand.source.files import read_bytes
from stonehand.source.problems import Problem, StonehandError
from stonehand.source.trace import Trace, fingerprint, state

FORM = 2  # of the files here; another number makes all older ones as if they were not there
ENTRY_LIMIT = 20_000_000  # bytes
STATES = 4  # that are remembered of one piece of work: changed, and changed back
SIZE_LIMIT = 500_000_000  # bytes of all files together
PRUNED_TO = 0.8  # of that limit
KNOWN_LIMIT = 50_000  # files whose fingerprints are remembered

_T = TypeVar("_T")


class Output(msgspec.Struct, frozen=True, array_like=True):
    """A file that was made: its name below the output folder, and the fingerprint of its data."""

    name: str
    data: str


class Found(msgspec.Struct, frozen=True, array_like=True):
    """A problem, and for one on a face what it says apart from where it was seen."""

    problem: Problem
    face: str = ""


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """What a piece of work came to, and all that it looked at."""

    outputs: tuple[Output, ...]
    lines: tuple[tuple[str, str], ...]  # name of a file, and what it is in words
    found: tuple[Found, ...]
    art: tuple[str, ...]  # pictures that were used
    fonts: tuple[tuple[str, int], ...]  # fonts that were used, with their licence bits
    looks: tuple[tuple[str, str, str], ...]
    cards: tuple[tuple[str, str], ...] = ()  # of a deck: ids, and fingerprints of cards

    @property
    def trace(self) -> Trace:
        """What was looked at and seen."""
        return {(kind, what): seen for kind, what, seen in self.looks}


def program() -> str:
    """Return a fingerprint of what makes files: Stonehand's own code, Python, other packages."""
    package = Path(__file__).parent
    sources = sorted([*package.rglob("*.py"), *(package / "cli").glob("*.py")])
    parts = [__version__, sys.version, str(FORM)]
    parts += [f"{path} {state(path)}" for path in dict.fromkeys(sources)]
    for folder in dict.fromkeys(filter(None, sys.path)):
        with suppress(OSError):
            parts += sorted(path.name for path in Path(folder).glob("*.dist-info"))
    return fingerprint("\n".join(parts).encode("utf-8", "surrogateescape"))


class Cache:
    """A folder of what was made earlier; with none, nothing is remembered."""

    def __init__(self, folder: Path | None, limit: int = SIZE_LIMIT) -> None:
        self.folder = folder
        self.limit = limit
        self._stored = False
        self.known: dict[str, tuple[str, str]] = (
            self._read("known", dict[str, tuple[str, str]]) or {}
        )

    def entries(self, name: str) -> list[Entry]:
        """Return what a piece of work came to earlier, latest first."""
        return self._read(f"entries/{name}", list[Entry]) or []

    def data(self, entry: Entry) -> dict[str, bytes] | None:
        """Return the files of an entry by their names; None if any is not there as it was."""
        found: dict[str, bytes] = {}
        for output in entry.outputs:
            path = self._path(f"data/{output.data}")
            if path is None:
                return None
            try:
                data = read_bytes(path, self.limit)
            except StonehandError:
                return None
            if fingerprint(data) != output.data:
                return None
            found[output.name] = data
            with suppress(OSError):
                os.utime(path)  # files that were not used for longest are removed first
        return found

    def keep(self, name: str, entry: Entry, files: dict[str, bytes]) -> None:
        """Remember what a piece of work came to; where that can't be written it is not."""
        self._stored = True
        for output in entry.outputs:
            if not self._write(f"data/{output.data}", files[output.name]):
                return
        older = [other for other in self.entries(name) if other.looks != entry.looks]
        self._write(f"entries/{name}", msgspec.msgpack.encode([entry, *older][:STATES]))

    def close(self) -> None:
        """Remember the fingerprints of files, and remove what was not used for longest."""
        if self.folder is None:
            return
        if len(self.known) > KNOWN_LIMIT:
            self.known.clear()
        encoded = msgspec.msgpack.encode(self.known)
        if self._read("known", dict[str, tuple[str, str]]) != self.known:
            self._write("known", encoded)
        if self._stored:
            self._prune()

    def _prune(self) -> None:
        files = sorted(self._files())
        total = sum(size for _, size, _ in files)
        if total <= self.limit:
            return
        for _, size, path in files:
            if total <= self.limit * PRUNED_TO:
                break
            total -= size
            with suppress(StonehandError):  # another run does the same
                forget(path)

    def _files(self) -> Iterator[tuple[int, int, Path]]:
        for part in ("data", "entries"):
            folder = self._path(part)
            with suppress(OSError):
                for path in folder.iterdir() if folder else ():
                    with suppress(OSError):
                        stat = path.stat()
                        yield stat.st_mtime_ns, stat.st_size, path

    def _path(self, name: str) -> Path | None:
        return self.folder / name if self.folder else None

    def _read(self, name: str, kind: type[_T]) -> _T | None:
        path = self._path(name)
        try:
            if path is None or not path.is_file():
                return None
            data = read_bytes(path, ENTRY_LIMIT)
            found: _T = msgspec.msgpack.decode(data, type=kind)
            return found
        except (StonehandError, msgspec.MsgspecError, OSError, UnicodeDecodeError):
            return None

    def _write(self, name: str, data: bytes) -> bool:
        path = self._path(name)
        return path is not None and kept(path, data)
