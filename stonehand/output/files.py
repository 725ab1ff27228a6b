"""The one door through which files are written: whole or not at all.

What a run makes is first written beside its place under a hidden name, and all of it is renamed
at the end. A fault, a full disk or an interruption on the way leaves what was there before.
"""

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from stonehand.source.files import shown
from stonehand.source.problems import Location, fault


def forget(path: Path) -> None:
    """Remove a file; faults of the system are reported there."""
    try:
        path.unlink()
    except OSError as error:
        raise fault(Location(shown(path)), f"can't be removed: {error.strerror}") from None


class Staged:
    """The files of one run; leaving the `with` block without an exception puts them in place."""

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
                for target, beside in self._waiting.items():
                    beside.replace(target)
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
