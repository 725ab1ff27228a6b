"""Scenes to PDF, through pikepdf.

User space of every page and form is that of Scenes: millimetres, y down, so that numbers in the
file are the numbers of the layout (PDF 32000-1, 8.3.2.3). What is drawn more than once is stored
once, as a form or image; pages are compressed as they are finished, so memory grows by what a
page takes in the file. The same Scenes give the same bytes: no clock, no random id.
"""

import hashlib
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from pikepdf import Array, Dictionary, Name, Object, ObjectStreamMode, Page, Pdf, Stream, String

from stonehand import __version__
from stonehand.output.structure import Structure, has_tags
from stonehand.scene import (
    IDENTITY,
    SPACES,
    Anchor,
    ArtLike,
    Bookmark,
    Box,
    GlyphRun,
    Group,
    Link,
    Mark,
    Matrix,
    Outline,
    Path,
    Picture,
    Scene,
    Tag,
)
from stonehand.typesetting.embed import EmbeddedFont
from stonehand.typesetting.fonts import Face

if TYPE_CHECKING:
    from stonehand.art.library import ArtLibrary

PT = 72 / 25.4  # points in a millimetre
_REACH = 4000  # mm; a form's box must hold all it draws, and no paper is larger


def number(value: float) -> str:
    """Return a number as PDF writes it, to a ten-thousandth."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _operands(*values: float) -> str:
    return " ".join(map(number, values))


class PdfWriter:
    """Collects pages and writes them as one PDF file."""

    def __init__(
        self,
        title: str,
        language: str,
        library: "ArtLibrary",
        flip: Literal["long", "short"] | None = None,
    ) -> None:
        """Begin a file; `flip` is the edge over which a printer is to turn its sheets."""
        from stonehand.art.embed import PdfArt

        self.pdf = Pdf.new()
        self.art = PdfArt(self.pdf, library)
        self.outline: list[Bookmark] = []
        self.title = title
        self.language = language
        self.flip = flip
        self._fonts: dict[str, tuple[str, EmbeddedFont, Object]] = {}
        self._forms: dict[int, tuple[str, Object, tuple[Mark, ...]]] = {}
        self._pictures: dict[tuple[str, str | None], tuple[str, Object, Matrix]] = {}
        self.structure = Structure(self.pdf)

    def add_page(self, scene: Scene) -> None:
        """Add a page whose TrimBox is the Scene's trim and whose BleedBox is its bleed."""
        content = _Content(self)
        tagged = any(has_tags(mark) for mark in scene.marks)
        if tagged:
            content.tagged(scene.marks)
        else:
            content.marks(scene.marks)
        media = scene.trim.grown(scene.bleed)
        to_points = Matrix(PT, 0, 0, -PT, scene.bleed * PT, (scene.height + scene.bleed) * PT)
        m = to_points
        head = " ".join(f"{v:.9g}" for v in (m.a, m.b, m.c, m.d, m.e, m.f)) + " cm\n"
        page = Dictionary(
            Type=Name.Page,
            MediaBox=_box(media, to_points),
            BleedBox=_box(media, to_points),
            TrimBox=_box(scene.trim, to_points),
            Resources=content.resources(),
            Contents=self._stream(head.encode() + content.bytes()),
        )
        made = self.pdf.make_indirect(page)
        self.pdf.pages.append(Page(made))
        if tagged:
            self.structure.add_page(made, content.tags)
        self.structure.add_places(made, scene, to_points)

    def data(self) -> memoryview:
        """Finish the fonts and return the file's content.

        It is made in memory: qpdf would end the whole process if the disk were full.
        """
        for _, embedded, place in self._fonts.values():
            self._finish_font(embedded, place)
        self.structure.finish(self.outline)
        root = self.pdf.Root
        root.Lang = String(self.language)
        root.ViewerPreferences = Dictionary(
            DisplayDocTitle=True, PrintScaling=Name("/None"), PickTrayByPDFSize=True
        )
        if self.flip:
            edge = {"long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}[self.flip]
            root.ViewerPreferences.Duplex = Name(edge)
        creator = f"Stonehand {__version__}"
        info = Dictionary(Title=String(self.title), Creator=String(creator))
        self.pdf.trailer.Info = self.pdf.make_indirect(info)
        root.Metadata = self.pdf.make_stream(_xmp(self.title, self.language, creator))
        root.Metadata.Type, root.Metadata.Subtype = Name.Metadata, Name.XML
        made = BytesIO()
        self.pdf.save(
            made,
            min_version="1.7",
            object_stream_mode=ObjectStreamMode.generate,
            deterministic_id=True,
            fix_metadata_version=False,  # the packet says nothing of it
        )
        return made.getbuffer()

    def font(self, face: Face) -> tuple[str, EmbeddedFont, Object]:
        """Return the resource name of a face's font, the font and its object."""
        if face.key not in self._fonts:
            name = f"/F{len(self._fonts) + 1}"
            place = self.pdf.make_indirect(Dictionary())
            self._fonts[face.key] = (name, EmbeddedFont(face), place)
        return self._fonts[face.key]

    def picture(self, art: ArtLike, tint: str | None) -> tuple[str, Object, Matrix]:
        """Return the resource name of a picture, its object and its map to the unit square."""
        key = (art.key, tint)
        if key not in self._pictures:
            made, matrix = self.art.xobject(art, tint)
            self._pictures[key] = (f"/P{len(self._pictures) + 1}", made, Matrix(*matrix))
        return self._pictures[key]

    def form(self, marks: tuple[Mark, ...]) -> tuple[str, Object]:
        """Return the resource name and object of the form that draws some shared marks."""
        if id(marks) not in self._forms:
            content = _Content(self)
            content.marks(marks)
            form = self._stream(content.bytes())
            form.Type, form.Subtype = Name.XObject, Name.Form
            form.BBox = Array([-_REACH, -_REACH, _REACH, _REACH])
            form.Resources = content.resources()
            # the marks are kept so that no other object can take on their identity
            self._forms[id(marks)] = (f"/X{len(self._forms) + 1}", form, marks)
        return self._forms[id(marks)][:2]

    def _stream(self, data: bytes) -> Stream:
        made = Stream(self.pdf, zlib.compress(data, 6))
        made.Filter = Name.FlateDecode
        return made

    def _finish_font(self, embedded: EmbeddedFont, place: Object) -> None:
        face = embedded.face
        program, bounds = embedded.program()
        scale = 1000 / face.upem
        # the tag tells subsets of one font apart (PDF 32000-1, 9.6.4)
        digest = hashlib.sha256(program).digest()
        tag = "".join(chr(65 + byte % 26) for byte in digest[:6])
        plain = "".join(c for c in face.file.family if c.isascii() and c.isalnum())
        slant = "Italic" if face.file.italic else ""
        base = Name(f"/{tag}+{plain}-{face.weight:g}{slant}")
        file = self._stream(program)
        file.Length1 = len(program)
        descriptor = Dictionary(
            Type=Name.FontDescriptor,
            FontName=base,
            Flags=4,  # symbolic: its codes are its own
            FontBBox=Array([round(value * scale) for value in bounds]),
            ItalicAngle=-12 if face.file.italic else 0,
            Ascent=round(face.ascender * scale),
            Descent=round(face.descender * scale),
            CapHeight=round(face.cap_height * scale),
            StemV=80,
            FontFile2=file,
        )
        descendant = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=base,
            CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            FontDescriptor=self.pdf.make_indirect(descriptor),
            CIDToGIDMap=Name.Identity,
            DW=0,
            W=Array([1, Array(embedded.widths())]),
        )
        font = {
            "/Type": Name.Font,
            "/Subtype": Name.Type0,
            "/BaseFont": base,
            "/Encoding": Name("/Identity-H"),
            "/DescendantFonts": Array([self.pdf.make_indirect(descendant)]),
            "/ToUnicode": self._stream(embedded.to_unicode()),
        }
        for key, value in font.items():
            place[key] = value


def _xmp(title: str, language: str, creator: str) -> bytes:
    """Return the metadata packet (ISO 16684-1) that says what the document's information says."""
    title, language, creator = map(escape, (title, language, creator))
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>""".encode()


def _box(box: Box, to_points: Matrix) -> Array:
    """Return a box in points; nested boxes are made from the same numbers, so they nest exactly."""
    left, bottom = to_points(box.x, box.bottom)
    right, top = to_points(box.right, box.y)
    return Array([Object.parse(f"{v:.5f}".encode()) for v in (left, bottom, right, top)])


class _Content:
    """A content stream in the making, with the resources it names."""

    def __init__(self, writer: PdfWriter) -> None:
        self.writer = writer
        self.parts: list[str] = []
        self.fonts: dict[str, Object] = {}
        self.xobjects: dict[str, Object] = {}
        self.tags: list[Tag] = []  # by marked-content id

    def bytes(self) -> bytes:
        return "\n".join(self.parts).encode("ascii")

    def resources(self) -> Dictionary:
        found: dict[str, Mapping[str, Object]] = {"/Font": self.fonts, "/XObject": self.xobjects}
        return Dictionary({key: Dictionary(named) for key, named in found.items() if named})

    def marks(self, marks: tuple[Mark, ...]) -> None:
        for mark in marks:
            if isinstance(mark, GlyphRun):
                self.run(mark)
            elif isinstance(mark, Path):
                self.path(mark)
            elif isinstance(mark, Picture):
                self.picture(mark)
            elif isinstance(mark, Group):
                self.group(mark, self.marks)

    def tagged(self, marks: tuple[Mark, ...]) -> None:
        """Paint marks of a document with structure: tagged ones as such, the rest as decoration."""
        for decoration, run in groupby(marks, key=lambda mark: not has_tags(mark)):
            if decoration:
                plain = tuple(mark for mark in run if not isinstance(mark, Link | Anchor))
                if plain:
                    self.parts.append("/Artifact BMC")
                    self.marks(plain)
                    self.parts.append("EMC")
                continue
            for mark in run:
                assert isinstance(mark, Group)
                if mark.tag is None:
                    self.group(mark, self.tagged)
                    continue
                self.parts.append(f"/{mark.tag.role} <</MCID {len(self.tags)}>> BDC")
                self.tags.append(mark.tag)
                self.group(mark, self.marks)
                self.parts.append("EMC")

    def group(self, group: Group, paint: Callable[[tuple[Mark, ...]], None]) -> None:
        plain = group.matrix == IDENTITY and group.clip is None
        if not plain:
            self.parts.append("q")
        if group.clip is not None:
            self.parts.append(f"{_outline(group.clip)} W n")
        if group.matrix != IDENTITY:
            self.parts.append(f"{_matrix(group.matrix)} cm")
        if group.shared:
            name, form = self.writer.form(group.marks)
            self.xobjects[name] = form
            self.parts.append(f"{name} Do")
        else:
            paint(group.marks)
        if not plain:
            self.parts.append("Q")

    def path(self, path: Path) -> None:
        state = []
        if path.fill:
            state.append(f"{_colour(path.fill)} rg")
        if stroke := path.stroke:
            state.append(f"{_colour(stroke.colour)} RG {number(stroke.width)} w")
            if stroke.dash:
                state.append(f"[{_operands(*stroke.dash)}] 0 d")
            if stroke.round:
                state.append("1 J 1 j")
        if not state:
            return
        paint = {(True, False): "f", (False, True): "S", (True, True): "B"}
        operator = paint[bool(path.fill), bool(path.stroke)]
        drawn = f"{' '.join(state)} {_outline(path.outline)} {operator}"
        special = path.stroke and (path.stroke.dash or path.stroke.round)
        self.parts.append(f"q {drawn} Q" if special else drawn)

    def picture(self, picture: Picture) -> None:
        name, made, matrix = self.writer.picture(picture.art, picture.tint)
        self.xobjects[name] = made
        box = picture.box
        place = Matrix(box.width, 0, 0, box.height, box.x, box.y).after(matrix)
        self.parts.append(f"q {_matrix(place)} cm {name} Do Q")

    def run(self, run: GlyphRun) -> None:
        assert isinstance(run.face, Face)
        name, font, place = self.writer.font(run.face)
        self.fonts[name] = place
        per_mille = 1000 / run.face.upem
        shown: list[str] = []
        codes: list[str] = []
        ahead = 0.0  # by how much the pen is beyond where it should be, in thousandths of an em
        for cluster in run.clusters:
            glyphs = font.show(cluster)
            codes.append(glyphs.written)
            ahead += glyphs.width - cluster.advance * per_mille
            if run.word_space and cluster.text in SPACES:
                ahead -= run.word_space / run.size * 1000
            if abs(ahead) >= 0.5:
                shown.append(f"<{''.join(codes)}>{number(ahead)}")
                codes, ahead = [], 0.0
        if codes:
            shown.append(f"<{''.join(codes)}>")
        size = number(run.size)
        self.parts.append(
            f"BT {_colour(run.colour)} rg {name} 1 Tf {size} 0 0 -{size} "
            f"{_operands(run.x, run.y)} Tm [{''.join(shown)}] TJ ET"
        )


@lru_cache(maxsize=256)
def _colour(colour: str) -> str:
    """Return #rrggbb as PDF's three numbers from 0 to 1."""
    return _operands(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))


def _matrix(matrix: Matrix) -> str:
    """Return a matrix with its factors to nine digits: they may multiply whole pages."""
    factors = (f"{v:.9f}".rstrip("0").rstrip(".") for v in (matrix.a, matrix.b, matrix.c, matrix.d))
    turn = " ".join("0" if f in ("-0", "") else f for f in factors)
    return f"{turn} {_operands(matrix.e, matrix.f)}"


_STEP = {"M": "m", "L": "l", "C": "c", "Z": "h"}


@lru_cache(maxsize=1024)  # the shapes of a deck are few, and drawn on every card
def _outline(outline: Outline) -> str:
    return " ".join(
        f"{_operands(*points)} {_STEP[step]}" if points else _STEP[step] for step, points in outline
    )
