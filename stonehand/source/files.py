"""The one door through which files of a project are read.

A project may come from a stranger: nothing outside it and the shipped content is ever opened,
nothing that is not a regular file, and nothing larger than its kind needs. Names are compared
letter by letter, so that a project that builds on one system builds on all. Every look is noted for
who wants to know later whether anything has changed (`trace`).
"""

import os
import re
from functools import lru_cache
from pathlib import Path

from stonehand.source.problems import Location, StonehandError, did_you_mean, fault
from stonehand.source.text import Text
from stonehand.source.trace import fingerprint, listed, note, state, tracing

TEXT_LIMIT = 10_000_000  # bytes; a catalogue of 20,000 one-line cards has about 2.5 MB
PICTURE_LIMIT = 100_000_000
NAME_LIMIT = 200  # bytes of one name in a path; file systems take 255, and suffixes are added
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def shown(path: Path) -> str:
    """Return a path as people see it: relative to where they stand if it lies below that."""
    try:
        return path.relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):  # it lies elsewhere, or where we stand is gone
        return path.as_posix()


def read_bytes(path: Path, limit: int, at: Location | None = None) -> bytes:
    """Return the content of a regular file of at most `limit` bytes.

    `at` is where the file was named; faults are reported there, else at the file itself.
    """
    where = at or Location(shown(path))
    name = f"'{path.name}' " if at else ""
    try:
        if not path.is_file():
            # also a FIFO or a device: opening one of those may never return
            note("content", _absolute(path), "")
            kind = "is not a regular file" if path.exists() else "not found"
            raise fault(where, f"{name}{kind}")
        size = path.stat().st_size
        if size > limit:
            raise fault(
                where,
                f"{name}has {size / 1e6:.0f} MB; files of its kind may have {limit / 1e6:.0f} MB",
            )
        data = path.read_bytes()
        if tracing():
            note("content", _absolute(path), fingerprint(data))
        return data
    except OSError as error:
        raise fault(where, f"{name}can't be read: {error.strerror}") from None


def content_of(path: Path) -> str:
    """Return the fingerprint of a file of any kind that a project has; "" if it can't be read."""
    try:
        return fingerprint(read_bytes(path, PICTURE_LIMIT))
    except StonehandError:
        return ""


def mapped(path: Path) -> str:
    """Return the path of a file that a library maps into memory, in place of its content."""
    if tracing():
        # its state stands for its content, which is never read as a whole
        note("state", _absolute(path), state(path))
    return str(path)


def read_text(path: Path, limit: int = TEXT_LIMIT) -> str:
    """Return the text of a UTF-8 file (with or without byte-order mark), newlines as they are.

    Not UTF-8, a NUL and unresolved merge conflicts are faults at their line.
    """
    data = read_bytes(path, limit)
    file = shown(path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[1:2] == b"\0":
        raise fault(Location(file), "the file is UTF-16", "save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = _place(file, data, error.start)
        raise fault(at, f"not UTF-8 (byte 0x{data[error.start]:02X})", "save it as UTF-8") from None
    if (nul := text.find("\0")) >= 0:
        raise fault(_place(file, text.encode(), len(text[:nul].encode())), "NUL in a text file")
    if "<<<<<<< " in text:
        lines = text.splitlines()
        first = next((n for n, line in enumerate(lines, 1) if line.startswith("<<<<<<< ")), 0)
        if first:
            end = (n for n, line in enumerate(lines, 1) if line.startswith(">>>>>>> "))
            last = next((n for n in end if n > first), len(lines))
            raise fault(Location(file, first, 1), f"unresolved merge conflict to line {last}")
    return text


def _place(file: str, data: bytes, offset: int) -> Location:
    before = data[:offset]
    line = before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")
    return Location(file, before.count(b"\n") + 1, len(line) + 1)


@lru_cache(maxsize=64)
def _resolved(folder: Path) -> Path:
    return folder.resolve()


def within(root: Path, path: Path) -> bool:
    """Tell whether a path lies in a folder also after all links are followed."""
    try:
        inside = path.resolve().is_relative_to(_resolved(root))
    except (OSError, RuntimeError):  # links in a circle
        inside = False
    note("link", f"{_absolute(root)}\0{_absolute(path)}", str(inside))
    return inside


def _absolute(path: Path) -> str:
    return os.path.abspath(path)  # noqa: PTH100 -- links are noted as they are named


def there(path: Path) -> bool:
    """Tell whether something is at a path, be it a broken link; what can't be seen is not."""
    try:
        seen = path.exists() or path.is_symlink()
    except OSError:
        seen = False
    note("there", _absolute(path), str(seen))
    return seen


def is_folder(path: Path) -> bool:
    """Tell whether a folder is at a path."""
    seen = path.is_dir()
    note("folder", _absolute(path), str(seen))
    return seen


def below(folder: Path) -> list[Path]:
    """Return all that lies in a folder, at any depth, sorted; nothing if it is not there."""
    if not is_folder(folder):
        return []
    if tracing():
        note("listed", _absolute(folder), listed(folder))
    return sorted(folder.rglob("*"))


def inside(folder: Path, name: Text) -> Path:
    """Return `folder/name` for a name someone wrote, which must stay inside the folder.

    Faults: an absolute name, one with a backslash or a scheme, one that climbs out, also by a
    link, and one that no file can have. The file need not exist.
    """
    _check_name(name)
    return _linked_inside(folder, folder / name, name)


def found(folder: Path, name: Text, suffixes: tuple[str, ...]) -> Path | None:
    """Return the first file there is of a name with one of some suffixes; faults as `inside`."""
    _check_name(name)
    for suffix in suffixes:
        if there(path := folder / f"{name}{suffix}"):
            return exact(folder, _linked_inside(folder, path, name), name)
    return None


def _check_name(name: Text) -> None:
    if "\\" in name:
        raise fault(name.at, f"'{name}' has a backslash", "use forward slashes")
    if name.startswith(("/", "~")) or ":" in name:
        raise fault(name.at, f"'{name}' must lie in the project", "name it relative to its folder")
    parts = name.split("/")
    if ".." in parts:
        raise fault(name.at, f"'{name}' must lie in the project", "it leads out of its folder")
    long = len(parts) > 20 or any(len(part.encode()) > NAME_LIMIT for part in parts)
    if long or parts[-1] in ("", ".") or _CONTROL.search(name):
        raise fault(name.at, f"'{name}' can't be the name of a file")


def _linked_inside(folder: Path, path: Path, name: Text) -> Path:
    if not within(folder, path):
        hint = "it is a link that leads out of its folder"
        raise fault(name.at, f"'{name}' must lie in the project", hint)
    return path


@lru_cache(maxsize=64)
def _names(folder: Path, changed: int) -> frozenset[str]:
    """Return the names in a folder, listed again only when it has `changed`."""
    return frozenset(entry.name for entry in folder.iterdir())


def exact(folder: Path, path: Path, name: Text) -> Path:
    """Return a path below a folder if it is there in exactly these letters.

    A file system that does not tell `Sun.png` from `sun.png` would hide a fault seen elsewhere. A
    fault stands where the file was named, and tells the nearest name there is.
    """
    for part in path.relative_to(folder).parts:
        try:
            names = _names(folder, folder.stat().st_mtime_ns)
        except OSError:
            names = frozenset()
        note("named", _absolute(folder / part), str(part in names))
        if part not in names:
            hint = did_you_mean(part, names)
            raise fault(name.at, f"'{name}' not found in {shown(folder)}/", hint)
        folder /= part
    return path
