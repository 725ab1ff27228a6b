"""The one door for ZIP archives: spreadsheets are such, and a small one can hold a huge file.

What an archive says of the sizes of its parts is summed up before any is unpacked; `zipfile` never
unpacks more than was said. XML that declares entities, which may expand without end, is refused.
"""

import io
import re
import zipfile
from pathlib import Path
from typing import NamedTuple

from stonehand.source.files import read_bytes, shown
from stonehand.source.problems import Location, StonehandError, fault

SIZE_LIMIT = 30_000_000  # bytes
UNPACKED_LIMIT = 60_000_000  # bytes of all parts together
_COMPOUND = b"\xd0\xcf\x11\xe0"  # a Compound File: old spreadsheets, and new ones with a password
_ENTITIES = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


class Archive(NamedTuple):
    """The bytes of an archive, and its parts of XML by their names."""

    data: bytes
    parts: dict[str, bytes]


def read_archive(path: Path) -> Archive:
    """Return a spreadsheet's archive; one that is damaged, too large or locked is a fault."""
    data, at = read_bytes(path, SIZE_LIMIT), Location(shown(path))
    if data.startswith(_COMPOUND):
        message = "the file is protected by a password, or of an old kind"
        raise fault(at, message, f"save it without a password as {path.suffix.lower()}")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        size = sum(part.file_size for part in archive.infolist())
        names = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
        parts = {name: archive.read(name) for name in names} if size <= UNPACKED_LIMIT else {}
    except Exception:  # those of zipfile, of each compression, and of names that are none
        raise damaged(path) from None
    if size > UNPACKED_LIMIT:
        message = f"the file unpacks to {size / 1e6:.0f} MB; it may have {UNPACKED_LIMIT / 1e6:.0f}"
        raise fault(at, message, "remove pictures and sheets that are not needed")
    if any(_ENTITIES.search(part) for part in parts.values()):
        raise fault(at, "the file declares entities", "save it anew")
    return Archive(data, parts)


def damaged(path: Path) -> StonehandError:
    """Return the fault of a file that is no spreadsheet of its kind."""
    kind = path.suffix.lower()
    hint = f"open it in a spreadsheet program and save it as {kind}"
    return fault(Location(shown(path)), f"the file is damaged, or no {kind} file", hint)
