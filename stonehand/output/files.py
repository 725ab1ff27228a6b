"""The one door through which files are written: whole or not at all.

What a run makes is first written beside its place under a hidden name, and all of it is renamed
at the end. A fault, a full disk or an interruption on the way leaves what was there before.
"""

import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType

from stonehand.source.files import shown, within
from stonehand.source.problems import Location, fault

if sys.platform != "win32":
    import fcntl

HIDDEN = re.compile(r"\.(?P<target>.+)\.\d+\.tmp")
LEFT_OVER = 3600.0  # seconds after which a hidden file is that of a run that was killed


def default_output(name: str) -> Path:
    """Return `output/NAME`, where files go unless another place is named.

    A link there that leads elsewhere is a fault: it may have come with someone's game.
    """
    path = Path("output") / name
    if not within(Path.cwd(), path):
        raise fault(Location(shown(path)), "is a link out of this folder (name a folder with -o)")
    return path


def forget(path: Path) -> None:
    """Remove a file; faults of the system are reported there."""
    try:
        path.unlink()
    except OSError as error:
        raise fault(Location(shown(path)), f"can't be removed: {error.strerror}") from None


def kept(target: Path, data: bytes) -> bool:
    """Write a file that can be made again, whole or not at all; tell whether it is there."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            file.write(data)
        beside.replace(target)
        return True
    except OSError:
        with suppress(OSError):
            beside.unlink()
        return False


class Staged:
    """The files of one run; leaving the `with` block without an exception puts them in place."""

    wanted = True  # whether there is anything to be made for it

    def __init__(self) -> None:
        self._waiting: dict[Path, Path] = {}

    def __enter__(self) -> "Staged":
        return self

    def write(self, target: Path, data: bytes | memoryview) -> None:
        """Write what will become `target`; faults of the system are reported there."""
        at = Location(shown(target))
        if target in self._waiting:
            raise fault(at, "this file would be written twice in one run")
        beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        self._waiting[target] = beside
        try:
            if target.is_dir() or (target.is_symlink() and not target.is_file()):
                raise fault(at, "is in the way and not a file")
            if blocked := next((folder for folder in target.parents if folder.is_file()), None):
                raise fault(
                    Location(shown(blocked)),
                    "is a file where a folder is needed (name another with -o)",
                )
            target.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise fault(at, f"can't be written: {error.strerror or error}") from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                with _alone({target.parent.resolve() for target in self._waiting}):
                    for target, beside in self._waiting.items():
                        beside.replace(target)
                _tidy(self._waiting)
        except OSError as failure:
            at = Location(shown(target))
            raise fault(at, f"can't be written: {failure.strerror}") from None
        finally:
            for beside in self._waiting.values():
                with suppress(OSError):  # it may never have come to be, or its folder is closed
                    beside.unlink()

    @property
    def targets(self) -> list[Path]:
        """The files that are put in place at the end."""
        return list(self._waiting)


@contextmanager
def _alone(folders: Iterable[Path]) -> Iterator[None]:
    """Let no other run put its files into these folders meanwhile: those of two would mix.

    Each folder once and resolved, since a second lock of ours would wait for the first. Not on
    Windows, which locks no folders.
    """
    with ExitStack() as stack:
        if sys.platform != "win32":
            for folder in sorted(folders):  # in the same order in all runs: no deadlock
                # a folder may be closed to readers, and some network drives have no locks
                with suppress(OSError):
                    descriptor = os.open(folder, os.O_RDONLY)
                    stack.callback(os.close, descriptor)  # which ends the lock
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def _tidy(targets: Iterable[Path]) -> None:
    """Remove what killed runs have left beside targets, as far as that is possible."""
    ours = set(targets)
    for folder in {target.parent for target in ours}:
        with suppress(OSError):  # it may be closed to readers, or another run does the same
            for path in folder.iterdir():
                found = HIDDEN.fullmatch(path.name)
                left = found and folder / found["target"] in ours
                if left and time.time() - path.stat().st_mtime > LEFT_OVER:
                    path.unlink()
