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
    """Tell whether a character belongs to the one before it: a mark or a joiner."""
    return unicodedata.category(character) in ("Mn", "Mc", "Me") or character in "\u200c\u200d"


@lru_cache(maxsize=4096)
def invisible(character: str) -> bool:
    """Tell whether a character needs no glyph: joiners and other format characters."""
    return unicodedata.category(character) == "Cf"


def itemise(
    text: str, faces: tuple[Face, ...], missing: Callable[[str], None]
) -> Iterator[tuple[int, int, str, Face]]:
    """Yield (start, end, script, face) of each run of a text.

    `missing` is called with each character that no face has.
    """
    start, script, face = 0, COMMON, faces[0]
    for i, character in enumerate(text):
        own = script_of(character)
        if i > start and _joins(character) and (face.has(character) or invisible(character)):
            continue
        if own == COMMON and face.has(character):
            wanted = face
        else:
            wanted = next((f for f in faces if f.has(character)), face)
            if not wanted.has(character):
                if not invisible(character):
                    missing(character)
                wanted = face
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
    infos, positions = buffer.glyph_infos, buffer.glyph_positions
    starts = sorted({info.cluster for info in infos})
    ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
    clusters: list[Cluster] = []
    i = 0
    while i < len(infos):
        first = infos[i].cluster
        glyphs, pen = [], 0
        while i < len(infos) and infos[i].cluster == first:
            position = positions[i]
            gid = infos[i].codepoint
            own = face.font.get_glyph_h_advance(gid)
            glyphs.append((gid, pen + position.x_offset, position.y_offset, own))
            pen += position.x_advance
            i += 1
        clusters.append(Cluster(tuple(glyphs), pen, text[first : ends[first]]))
    return tuple(clusters)
