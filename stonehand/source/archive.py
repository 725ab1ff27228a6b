"""The one door for ZIP archives, which spreadsheets and DOCX are: a small one can hold a huge file.

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
PART_LIMIT = 10_000
PROGRAM = "a spreadsheet program"  # that writes such files
_COMPOUND = b"\xd0\xcf\x11\xe0"  # a Compound File: old spreadsheets, and new ones with a password
_ENTITIES = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


class Archive(NamedTuple):
    """The bytes of an archive, and its parts of XML by their names."""

    data: bytes
    parts: dict[str, bytes]


def read_archive(
    path: Path, program: str = PROGRAM, size: int = SIZE_LIMIT, unpacked: int = UNPACKED_LIMIT
) -> Archive:
    """Return the archive of a file that some program writes.

    One that is damaged, locked, or larger than so many bytes is a fault.
    """
    data, at = read_bytes(path, size), Location(shown(path))
    if data.startswith(_COMPOUND):
        message = "the file is protected by a password, or of an old kind"
        raise fault(at, message, f"save it without a password as {path.suffix.lower()}")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        whole = sum(part.file_size for part in archive.infolist())
        many = len(archive.infolist()) > PART_LIMIT
        names = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
        parts = {n: archive.read(n) for n in names} if whole <= unpacked and not many else {}
    except Exception:  # those of zipfile, of each compression, and of names that are none
        raise damaged(path, program) from None
    if whole > unpacked:
        message = f"the file unpacks to {whole / 1e6:.0f} MB; it may have {unpacked / 1e6:.0f}"
        raise fault(at, message, "remove what is not needed, such as pictures")
    if many:
        raise fault(at, f"the file has more than {PART_LIMIT:,} parts", "remove its pictures")
    # in UTF-16, which has NULs, a declaration would not be seen; no program writes that
    if any(_ENTITIES.search(part) or b"\0" in part[:100] for part in parts.values()):
        raise fault(at, "the file declares entities", "save it anew")
    return Archive(data, parts)


def damaged(path: Path, program: str = PROGRAM) -> StonehandError:
    """Return the fault of a file that is not of the kind that a program writes."""
    kind = path.suffix.lower()
    hint = f"open it in {program} and save it as {kind}"
    return fault(Location(shown(path)), f"the file is damaged, or no {kind} file", hint)
