"""What a piece of work has looked at, so that one can ask later whether it would see the same.

The door for reading files (`files`) notes every look: contents, and also names that were looked
for and not there, since adding such a file changes what is found. A `Trace` is these looks with
what was seen; asked again, it tells whether anything has changed.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

Look = tuple[str, str]
"""What was looked at: the kind of look, and the path (of links: folder and path)."""

Trace = dict[Look, str]
"""Looks, and what was seen, as a short text."""

YOUNG = 2_000_000_000  # ns; a file written so lately may change again without a newer time
_open: list[Trace] = []


@contextmanager
def traced() -> Iterator[Trace]:
    """Give a trace of all that is looked at within the block."""
    trace: Trace = {}
    _open.append(trace)
    try:
        yield trace
    finally:
        _open[:] = [other for other in _open if other is not trace]


def tracing() -> bool:
    """Tell whether anyone wants to know what is looked at."""
    return bool(_open)


def note(kind: str, what: str, seen: str) -> None:
    """Add a look to all open traces."""
    for trace in _open:
        trace[kind, what] = seen


def note_again(trace: Trace) -> None:
    """Add the looks of an earlier trace, of something that was kept and is used again."""
    for other in _open:
        other.update(trace)


def fingerprint(data: bytes | memoryview) -> str:
    """Return the SHA-256 of some content in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def listed(folder: Path) -> str:
    """Return a fingerprint of the names of all that lies in a folder, at any depth."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    return fingerprint("\n".join(names).encode("utf-8", "surrogateescape"))


class Looker:
    """Looks again at what traces have looked at, at each thing once.

    Contents are read only where time or size of a file differ from `known`, which may be kept
    from one run to the next: by path, what a file's metadata and fingerprint were.
    """

    def __init__(
        self, known: Mapping[str, tuple[str, str]], fingerprint_of: Callable[[Path], str]
    ) -> None:
        """Begin with what is `known` of contents; `fingerprint_of` reads the others."""
        self.known = dict(known)
        self.fingerprint_of = fingerprint_of
        self._seen: Trace = {}
        self.looks: dict[str, Callable[[str], str]] = {
            "content": self._content,
            "state": lambda path: state(Path(path)),
            "there": lambda path: str(_there(Path(path))),
            "folder": lambda path: str(Path(path).is_dir()),
            "link": _link,
            "named": lambda path: str(_named(Path(path))),
            "listed": lambda path: listed(Path(path)),
        }

    def same(self, trace: Trace) -> bool:
        """Tell whether all that a trace has seen would be seen now; unknown looks are new."""
        return all(self.look(*look) == seen for look, seen in trace.items())

    def look(self, kind: str, what: str) -> str | None:
        """Return what is seen now; None if nobody knows how to look."""
        if (kind, what) not in self._seen:
            look = self.looks.get(kind)
            if look is None:
                return None
            try:
                self._seen[kind, what] = look(what)
            except (OSError, RuntimeError, ValueError):  # gone, or a name that no file can have
                self._seen[kind, what] = ""
        return self._seen[kind, what]

    def _content(self, path: str) -> str:
        now = state(Path(path))
        was = self.known.get(path)
        if was is not None and now and was[0] == now:
            return was[1]
        found = self.fingerprint_of(Path(path)) if now else ""
        if now and time.time_ns() - Path(path).stat().st_mtime_ns > YOUNG:
            self.known[path] = (now, found)
        return found


def state(path: Path) -> str:
    """Return what changes when a regular file is written: its times, size and number; else ""."""
    if not path.is_file():
        return ""
    stat = path.stat()
    return f"{stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_size} {stat.st_ino}"


def _there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _link(both: str) -> str:
    root, _, path = both.partition("\0")
    return str(Path(path).resolve().is_relative_to(Path(root).resolve()))


def _named(path: Path) -> bool:
    return any(entry.name == path.name for entry in path.parent.iterdir())
