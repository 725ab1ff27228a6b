"""Which files of a project have changed: told a moment after the last of them was saved."""

from collections.abc import AsyncIterator
from pathlib import Path

from stonehand.project import GameFolder

FOLDERS = ("cards", "layouts", "fonts", "i18n")
QUIET = 30  # ms without a change after which what was saved is told
LONGEST = 300  # ms that it is waited for that
LOOK = 1000  # ms after which is looked for new folders


def watched(folder: GameFolder) -> list[Path]:
    """Return the folders that a game is made from, as far as they are there."""
    roots = folder.project.roots
    places = [folder.folder, *(root / name for root in roots for name in FOLDERS)]
    return [place for place in dict.fromkeys(places) if place.is_dir()]


async def changes(folder: GameFolder) -> AsyncIterator[set[Path]]:
    """Yield the files that have changed, time after time; nothing of what was not there at first.

    Folders that a project gets later are watched from then on.
    """
    from watchfiles import awatch

    while True:
        places = watched(folder)
        following = awatch(
            *places,
            step=QUIET,
            debounce=LONGEST,
            rust_timeout=LOOK,
            yield_on_timeout=True,
        )
        async for found in following:
            if found:
                yield {Path(path) for _, path in found}
            if watched(folder) != places:
                yield set()
                break
