"""PNG files as a PDF can use them: checked whole, and the deflated rows as they are.

Rows of a PNG file and of a PDF image with predictor 15 are the same bytes (ISO 32000-2, 7.4.4.4).
"""

import struct
import zlib

Chunk = tuple[bytes, bytes]  # kind, content

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # by colour type
# first column, first row, and their steps in each pass (PNG 3rd edition, 8.2)
_ADAM7 = (
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
)


def chunks(data: bytes) -> list[Chunk]:
    """Return the chunks of a PNG file; a wrong checksum or a missing end raise an exception."""
    found: list[Chunk] = []
    at = 8
    while not found or found[-1][0] != b"IEND":
        size, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8 : at + 8 + size]
        (checksum,) = struct.unpack_from(">I", data, at + 8 + size)
        if zlib.crc32(content, zlib.crc32(kind)) != checksum:
            raise ValueError(f"wrong checksum in {kind!r}")
        found.append((kind, content))
        at += 12 + size
    return found


def rows(data: bytes) -> bytes:
    """Return the deflated rows of a PNG file that is known to be good."""
    return b"".join(content for kind, content in chunks(data) if kind == b"IDAT")


def plain_rows(data: bytes) -> bytes | None:
    """Check a PNG file whole; return its deflated rows if a PDF can hold them as they are.

    That is 8-bit gray or RGB without transparency, interlacing or a turn. Too few or too many rows
    raise ValueError: Pillow would leave black what is missing.
    """
    parts = chunks(data)
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    size = 0
    for left, top, across, down in _ADAM7 if interlaced else ((0, 0, 1, 1),):
        columns, lines = -(-(width - left) // across), -(-(height - top) // down)
        if columns > 0 and lines > 0:
            size += ((columns * depth * _CHANNELS[colour] + 7) // 8 + 1) * lines
    packed = b"".join(content for kind, content in parts if kind == b"IDAT")
    inflate = zlib.decompressobj()
    plain = inflate.decompress(packed, size + 1)
    if len(plain) != size or not inflate.eof:
        raise ValueError("not the number of rows that the header says")
    other = {b"tRNS", b"eXIf", b"acTL"} & {kind for kind, _ in parts}
    if depth != 8 or colour not in (0, 2) or interlaced or other:
        return None
    if max(plain[:: size // height]) > 4:
        raise ValueError("a row with an unknown filter")
    return packed
