"""Where pictures and fonts come from: named in `CREDITS.md`, and fonts that may be embedded."""

import re
from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from stonehand.source.files import read_text, shown, there
from stonehand.source.problems import Location, Problems

CREDITS = "CREDITS.md"
# OS/2 fsType (OpenType 1.9): of bits 0 to 3 the least restrictive counts; bit 9 allows bitmaps only
_LICENCE, _RESTRICTED, _BITMAPS = 0x000F, 0x0002, 0x0200


def check_credits(root: Path, files: Collection[Path], problems: Problems, *, notes: bool) -> None:
    """Report files of a project that its credits do not name, one finding for each folder.

    A file is named by its path from the project's folder, with or without suffix, by a pattern, or
    by a folder that it lies in, in backticks. `notes` tells whether to miss the page itself.
    """
    own = sorted(path for path in {file.resolve() for file in files} if path.is_relative_to(root))
    if not own:
        return
    page = root / CREDITS
    at = Location(shown(page))
    if not there(page):
        if notes:
            message = f"not found: nothing says where {len(own)} pictures and fonts come from"
            problems.finding("no-credits", at, message)
        return
    named = {given.rstrip("/") for given in re.findall(r"`([^`\n]+)`", read_text(page))}
    patterns = [given for given in named if any(sign in given for sign in "*?[")]
    folders: dict[Path, list[Path]] = {}
    for path in own:
        names = _names(path.relative_to(root))
        if not names & named and not any(fnmatchcase(n, p) for p in patterns for n in names):
            folders.setdefault(path.parent, []).append(path)
    for folder, left in folders.items():
        few = ", ".join(f"'{path.name}'" for path in left[:3])
        more = f" and {len(left) - 3} more" if len(left) > 3 else ""
        message = f"no word of {few}{more} in {folder.relative_to(root).as_posix()}/"
        problems.finding("uncredited", at, message, "tell where they are from, and the licence")


def _names(path: Path) -> set[str]:
    """Return what a file may be named by: itself, without its suffix, or a folder it lies in."""
    names = {path.as_posix(), path.with_suffix("").as_posix()}
    return names | {folder.as_posix() for folder in path.parents} - {"."}


def check_fonts(fonts: Mapping[Path, int], problems: Problems) -> None:
    """Report fonts whose licence bits, told with their files, allow no embedding in documents."""
    for path, bits in fonts.items():
        if bits & _LICENCE == _RESTRICTED or bits & _BITMAPS:
            message = f"the font forbids that it is embedded (fsType {bits:#06x})"
            problems.finding("no-embedding", Location(shown(path)), message, "use another font")
