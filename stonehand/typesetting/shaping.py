"""From characters to clusters of glyphs: itemising by script and coverage, then HarfBuzz.

A run ends where the script changes or the face has no glyph. Both matter: fonts for Devanagari
hold Latin letters too, and a run that begins in Latin and goes on in Devanagari would be shaped
as Latin, its conjuncts fallen apart, while the text extracted from the PDF looked right.
"""

import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

from stonehand.scene import Cluster
from stonehand.typesetting.fonts import Face

COMMON = ""  # the script of a character that takes on its neighbours'


@lru_cache(maxsize=4096)
def script_of(character: str) -> str:
    """Return the ISO 15924 code of a character's script, or COMMON."""
    import uharfbuzz as hb

    buffer = hb.Buffer()
    buffer.add_str(character)
    buffer.guess_segment_properties()
    return buffer.script or COMMON


@lru_cache(maxsize=4096)
def _joins(character: str) -> bool:
    """Tell whether a character belongs to the one before it: a mark, a joiner, a later jamo."""
    if unicodedata.category(character) in ("Mn", "Mc", "Me") or character in "\u200c\u200d":
        return True
    # vowels and final consonants of Hangul written as jamo, as file names on a Mac have it
    return "\u1160" <= character <= "\u11ff" or "\ud7b0" <= character <= "\ud7fb"


@lru_cache(maxsize=4096)
def invisible(character: str) -> bool:
    """Tell whether a character needs no glyph: joiners, variation selectors and the like."""
    return unicodedata.category(character) == "Cf" or (
        character == "\u034f"
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
    )


def _units(text: str) -> Iterator[tuple[int, str]]:
    """Yield every character with what joins it, and where it begins: no run ends inside."""
    start = 0
    for i in range(1, len(text)):
        if not _joins(text[i]):
            yield start, text[start:i]
            start = i
    if text:
        yield start, text[start:]


@lru_cache(maxsize=4096)
def _script_of_unit(unit: str) -> str:
    return next(filter(None, map(script_of, unit)), COMMON)


@lru_cache(maxsize=16_384)
def _covers(face: Face, unit: str) -> bool:
    """Tell whether a face can set a unit, as it is written or in an equal spelling.

    HarfBuzz composes and decomposes as the font asks: jamo become the syllable that it has.
    """
    if len(unit) == 1 and face.has(unit):
        return True
    spellings = (unit, unicodedata.normalize("NFC", unit), unicodedata.normalize("NFD", unit))
    return any(all(face.has(c) or invisible(c) for c in spelling) for spelling in spellings)


def itemise(
    text: str, faces: tuple[Face, ...], missing: Callable[[str], None]
) -> Iterator[tuple[int, int, str, Face]]:
    """Yield (start, end, script, face) of each run of a text.

    `missing` is called with each character that no face has; of a mark, no face that has the
    letter too.
    """
    start, script, face = 0, COMMON, faces[0]
    for i, unit in _units(text):
        own = _script_of_unit(unit)
        wanted = face
        if own != COMMON or not _covers(face, unit):
            found = next((f for f in faces if _covers(f, unit)), None)
            wanted = found or next((f for f in faces if f.has(unit[0])), face)
            if not found:
                for character in unit:
                    if not wanted.has(character) and not invisible(character):
                        missing(character)
        changes = own not in (COMMON, script) and script != COMMON
        if i > start and (wanted is not face or changes):
            yield start, i, script, face
            start, script = i, own
        face, script = wanted, own or script
    if start < len(text):
        yield start, len(text), script, face


def shape(text: str, face: Face, script: str, language: str) -> tuple[Cluster, ...]:
    """Return the clusters of a run, in font units; shaping is done once for equal input."""
    key = (text, script, language)
    done: tuple[Cluster, ...] | None = face.shaped.get(key)
    if done is None:
        if len(face.shaped) > 20_000:
            face.shaped.clear()
        done = face.shaped[key] = _shape(text, face, script, language)
    return done


def _shape(text: str, face: Face, script: str, language: str) -> tuple[Cluster, ...]:
    import uharfbuzz as hb

    buffer = hb.Buffer()
    buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_GRAPHEMES
    buffer.add_str(text)
    buffer.direction = "ltr"
    buffer.language = language
    if script:
        buffer.script = script
    hb.shape(face.font, buffer)
    # reading a glyph's facts is a call each: once is enough
    glyphs = [(info.cluster, info.codepoint) for info in buffer.glyph_infos]
    starts = sorted({start for start, _ in glyphs})
    ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
    clusters: list[Cluster] = []
    drawn: list[tuple[int, int, int, int]] = []
    pen = 0
    for i, ((start, glyph), placed) in enumerate(zip(glyphs, buffer.glyph_positions, strict=True)):
        drawn.append((glyph, pen + placed.x_offset, placed.y_offset, face.advance(glyph)))
        pen += placed.x_advance
        if i + 1 == len(glyphs) or glyphs[i + 1][0] != start:
            clusters.append(Cluster(tuple(drawn), pen, text[start : ends[start]]))
            drawn, pen = [], 0
    return tuple(clusters)
