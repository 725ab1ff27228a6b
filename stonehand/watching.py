"""Waiting for changes in the folders of projects, for builds that follow them."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from stonehand.project import GameFolder
from stonehand.source.files import below, is_folder
from stonehand.source.problems import COMMAND_LINE, Location, fault
from stonehand.source.trace import state

FOLDERS = ("cards", "layouts", "fonts", "i18n")
QUIET = 100  # ms without a change after which an editor is taken to have written all
LONGEST = 1000  # ms that are waited for that
LOOK = 1000  # ms after which is looked whether a folder has come to be


def folders_of(games: list[GameFolder]) -> list[Path]:
    """Return the folders that games are read from and that are there."""
    found = [game.folder for game in games]
    for game in games:
        found += [root / name for root in game.project.roots for name in FOLDERS]
    there = [path.resolve() for path in dict.fromkeys(found) if is_folder(path)]
    return [path for path in there if not any(path.is_relative_to(p) for p in there if p != path)]


def changes(folders: Callable[[], list[Path]], ignored: Path) -> Iterator[None]:
    """Yield at once, and then each time that something has changed in the folders.

    What changes while the caller works is yielded after that; what lies below `ignored` is not.
    Raises KeyboardInterrupt at Ctrl-C, and a fault where the package for it is missing.
    """
    try:
        from watchfiles import DefaultFilter, watch
    except ImportError:
        at = Location(COMMAND_LINE)
        hint = "pip install 'stonehand[watch]'"
        raise fault(at, "to watch takes the package watchfiles", hint) from None
    own = DefaultFilter(ignore_paths=[ignored.resolve()])
    while True:
        now = folders()
        before: list[str] | None = _states(now)
        yield
        if not now:
            time.sleep(LOOK / 1000)
            continue
        for found in watch(
            *now,
            watch_filter=own,
            debounce=LONGEST,
            step=QUIET,
            rust_timeout=LOOK,
            yield_on_timeout=True,
        ):
            if folders() != now:
                break
            # looked at once: before the watch began, files may have changed, too
            if found or (before is not None and _states(now) != before):
                yield
            before = None


def _states(folders: list[Path]) -> list[str]:
    return [f"{path} {state(path)}" for folder in folders for path in below(folder)]
