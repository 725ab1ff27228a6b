"""Fonts: the files of the font folders, found by family, weight and slant.

Any TrueType or OpenType file will do, static or variable, with quadratic or cubic outlines, alone
or in a collection; HarfBuzz reads them all. A `Face` is one font at one weight.
"""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from stonehand.source.files import below, mapped, read_bytes, shown, within
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.text import Text

if TYPE_CHECKING:
    from stonehand.language.languages import Language, Languages

SUFFIXES = {".ttf", ".otf", ".ttc", ".otc"}
FONT_LIMIT = 100_000_000  # bytes; the whole of Noto CJK in one collection has 27 MB


class FontFile(msgspec.Struct, frozen=True):
    """A font in a file, as its own tables describe it."""

    path: Path
    index: int
    family: str
    weights: tuple[float, float]  # lowest and highest; equal for a static font
    italic: bool
    width: int  # OS/2 usWidthClass: 5 is normal, less is condensed
    hb_face: Any


class Face:
    """One font at one weight: what glyphs are taken from."""

    def __init__(self, file: FontFile, weight: float) -> None:
        import uharfbuzz as hb

        self.file = file
        self.weight = min(max(weight, file.weights[0]), file.weights[1])
        slant = "i" if file.italic else ""
        self.key = f"{file.family}:{self.weight:g}{slant}:{file.index}"
        self.font = hb.Font(file.hb_face)
        if file.weights[0] != file.weights[1]:
            self.font.set_variations({"wght": self.weight})
        self.upem: int = file.hb_face.upem
        extents = self.font.get_font_extents("ltr")
        self.ascender: int = extents.ascender
        self.descender: int = extents.descender  # negative, as in the font
        tags = hb.OTMetricsTag
        self.cap_height: int = self.font.get_metric_position_with_fallback(tags.CAP_HEIGHT)
        self.shaped: dict[tuple[str, str, str], Any] = {}  # kept by shaping.shape
        self.drawn: dict[int, Any] = {}  # kept by embed
        self._advances: dict[int, int] = {}
        self._ink: dict[int, tuple[int, int, int, int]] = {}

    @cached_property
    def characters(self) -> Any:
        """The set of code points that the font has."""
        return self.file.hb_face.unicodes

    @cached_property
    def licence_bits(self) -> int:
        """What the font allows documents to do with it: fsType of its table OS/2, 0 without one."""
        table = bytes(self.file.hb_face.reference_table("OS/2").data)
        return int.from_bytes(table[8:10], "big")

    def has(self, character: str) -> bool:
        """Tell whether the font has a glyph for a character."""
        return ord(character) in self.characters

    def advance(self, glyph: int) -> int:
        """Return how far a glyph advances by itself, in font units."""
        if glyph not in self._advances:
            self._advances[glyph] = self.font.get_glyph_h_advance(glyph)
        return self._advances[glyph]

    def ink(self, glyph: int) -> tuple[int, int, int, int]:
        """Return left, bottom, right and top of a glyph in font units, y up; zeros if none."""
        if glyph not in self._ink:
            box = self.font.get_glyph_extents(glyph)
            corners = [box.x_bearing, box.x_bearing + box.width] if box else [0, 0]
            edges = [box.y_bearing, box.y_bearing + box.height] if box else [0, 0]
            self._ink[glyph] = (corners[0], min(edges), corners[1], max(edges))
        return self._ink[glyph]

    def __repr__(self) -> str:
        return f"Face({self.key})"


class FontLibrary:
    """All fonts of some folders; a family found in an earlier folder hides one in a later."""

    def __init__(self, folders: Iterable[Path], problems: Problems) -> None:
        self.families: dict[str, list[FontFile]] = {}
        self._made: dict[tuple[str, float, bool], Face] = {}
        self._faces: dict[tuple[str, float, bool], Face] = {}  # those that were asked for
        self._chains: dict[tuple[str, float, bool, str], tuple[Face, ...]] = {}
        for folder in folders:
            found: dict[str, list[FontFile]] = {}
            for path in below(folder):
                if path.suffix.lower() in (".woff", ".woff2"):
                    at = Location(shown(path))
                    problems.finding("web-font", at, "is a font for the web", "convert it to TTF")
                if path.suffix.lower() in SUFFIXES:
                    with problems.gather():
                        if not within(folder, path):
                            at = Location(shown(path))
                            raise fault(
                                at, "is a link that leads out of its folder", "copy the font"
                            )
                        for file in _open(path):
                            found.setdefault(file.family, []).append(file)
            self.families = found | self.families

    def beside(self) -> "FontLibrary":
        """Return a library of the same fonts of which none was asked for yet."""
        other = object.__new__(FontLibrary)
        other.families, other._made = self.families, self._made
        other._faces, other._chains = {}, {}
        return other

    @property
    def faces(self) -> list[Face]:
        """The faces that were asked for."""
        return list(self._faces.values())

    @property
    def licences(self) -> dict[Path, int]:
        """The files of the faces that were asked for, and what each allows documents to do."""
        return {face.file.path: face.licence_bits for face in self.faces}

    def face(self, family: Text, weight: float, italic: bool) -> Face:
        """Return the face of a family nearest to a weight and slant."""
        key = (str(family), weight, italic)
        if key not in self._faces:
            if family not in self.families:
                hint = did_you_mean(family, self.families)
                raise fault(family.at, f"no font of the family '{family}'", hint)

            def distance(file: FontFile) -> tuple[bool, int, float]:
                low, high = file.weights
                off = max(low - weight, weight - high, 0)
                return file.italic != italic, abs(file.width - 5), off

            if key not in self._made:
                self._made[key] = Face(min(self.families[family], key=distance), weight)
            self._faces[key] = self._made[key]
        return self._faces[key]

    def chain(
        self, role: Text, weight: float, italic: bool, language: "Language", languages: "Languages"
    ) -> tuple[Face, ...]:
        """Return the faces to look for a character in, best first.

        `role` is a role of the language's fonts or a family. After the language's own families
        come those of the other languages, so that a Greek name on a Korean card is still set.
        """
        key = (str(role), weight, italic, str(language.code))
        if key not in self._chains:
            if role in language.fonts:
                families = list(language.fonts[role])
            elif role in self.families:
                families = [role, *language.fonts.get(Text("sans"), ())]
            else:
                known = [*language.fonts, *self.families]
                raise fault(role.at, f"no font or role '{role}'", did_you_mean(role, known))
            for other in languages.values():
                families += [family for fonts in other.fonts.values() for family in fonts]
            families += [Text(family) for family in sorted(self.families)]
            faces = (self.face(f, weight, italic) for f in dict.fromkeys(families))
            self._chains[key] = tuple(faces)
        return self._chains[key]


def _open(path: Path) -> list[FontFile]:
    import uharfbuzz as hb

    at = Location(shown(path))
    if path.is_file() and path.stat().st_size <= FONT_LIMIT:
        blob = hb.Blob.from_file_path(mapped(path))  # maps the file: a large font costs nothing
    else:
        blob = hb.Blob(read_bytes(path, FONT_LIMIT))
    files = []
    for index in range(max(1, hb.Face(blob).count)):
        face = hb.Face(blob, index)
        names = hb.OTNameIdPredefined
        family = face.get_name(names.TYPOGRAPHIC_FAMILY, "en") or face.get_name(
            names.FONT_FAMILY, "en"
        )
        if not face.glyph_count or not family:
            raise fault(at, "not a font, or damaged", "TrueType and OpenType fonts are read")
        os2 = bytes(face.reference_table("OS/2").data or b"")
        weight = int.from_bytes(os2[4:6], "big") if len(os2) >= 6 else 400
        width = int.from_bytes(os2[6:8], "big") if len(os2) >= 8 else 5
        italic = len(os2) >= 64 and bool(os2[63] & 1)  # fsSelection bit 0
        axis = next((a for a in face.axis_infos if a.tag == "wght"), None)
        span = (axis.min_value, axis.max_value) if axis else (float(weight), float(weight))
        files.append(FontFile(path, index, family, span, italic, width, face))
    return files
