"""What a PDF says of itself, apart from what its pages paint.

Its claims and metadata, output intents, tags and layers, whatever in it acts (scripts, forms,
attachments), and the boxes of its pages.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pikepdf import Object, Page, Pdf

MM = 25.4 / 72  # millimetres in a point
_XMP_LIMIT = 2_000_000  # bytes
_NAMES_LIMIT = 200  # nodes of a tree of names that are looked at

# namespaces of XMP (ISO 16684-1, 7.13; ISO 15930-7, 6.8)
_PDFX_ID = "{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"


class Box(NamedTuple):
    """A box of a page in millimetres, from the lower left corner of its own space."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """How high it is."""
        return self.top - self.bottom

    def holds(self, other: "Box") -> bool:
        """Tell whether another box lies within this one, to a ten-thousandth of a millimetre."""
        near = 1e-4
        return (
            self.left <= other.left + near
            and self.bottom <= other.bottom + near
            and self.right >= other.right - near
            and self.top >= other.top - near
        )

    def meets(self, other: "Box") -> bool:
        """Tell whether both have an area in common."""
        across = min(self.right, other.right) - max(self.left, other.left)
        return across > 0 and min(self.top, other.top) - max(self.bottom, other.bottom) > 0


class PageFacts(NamedTuple):
    """The boxes of a page (PDF 32000-1, 14.11.2); None is one that the page does not have.

    `size` is what shows of it, turned as it is looked at, in millimetres.
    """

    number: int
    size: tuple[float, float]
    turn: int  # degrees
    media: Box
    crop: Box | None
    bleed: Box | None
    trim: Box | None
    art: Box | None
    notes: tuple[str, ...]  # kinds of annotations
    notes_within: bool  # one of them lies where the page is printed
    acts: tuple[str, ...]  # actions of the page and its annotations


class Intent(NamedTuple):
    """An output intent (14.11.5): for which way of printing the colours were made."""

    kind: str  # such as GTS_PDFX
    condition: str
    registry: str
    info: str
    profile: str  # class and colour space from the profile's header, such as "prtr CMYK"


class Document(NamedTuple):
    """What a file says of itself; texts are empty where it says nothing."""

    version: str
    claims: tuple[str, ...]  # standards such as PDF/X-4
    title: str
    creator: str
    language: str
    created: str
    modified: str
    trapped: str
    identified: bool  # the trailer has an ID
    encrypted: bool
    packed: bool  # in object or cross-reference streams
    tagged: bool
    layers: bool
    intents: tuple[Intent, ...]
    acts: tuple[str, ...]  # scripts, forms, attachments and actions


def document(pdf: "Pdf", data: bytes) -> Document:
    """Return what a file says of itself."""
    from pikepdf import Dictionary

    root = pdf.Root
    info: Any = pdf.trailer.get("/Info", {})
    xmp = _xmp(pdf)

    def said(key: str, property_: str) -> str:
        return _text(info.get(key)) or xmp.get(property_, "")

    marks: Any = root.get("/MarkInfo", {})
    return Document(
        version=max(pdf.pdf_version, str(root.get("/Version", "")).removeprefix("/")),
        claims=tuple(_claims(info, xmp)),
        title=said("/Title", "dc:title"),
        creator=said("/Creator", "xmp:CreatorTool"),
        language=_text(root.get("/Lang")),
        created=said("/CreationDate", "xmp:CreateDate"),
        modified=said("/ModDate", "xmp:ModifyDate"),
        trapped=_text(info.get("/Trapped")).removeprefix("/") or xmp.get("pdf:Trapped", ""),
        identified="/ID" in pdf.trailer,
        encrypted=pdf.is_encrypted,
        packed=bool(re.search(rb"/Type\s*/(?:ObjStm|XRef)\b", data)),
        tagged=bool(marks.get("/Marked", False)) and "/StructTreeRoot" in root,
        layers="/OCProperties" in root,
        intents=tuple(
            _intent(one) for one in root.get("/OutputIntents", ()) if isinstance(one, Dictionary)
        ),
        acts=tuple(sorted(set(_acts(root)))),
    )


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip("\0 ")


def _xmp(pdf: "Pdf") -> dict[str, str]:
    """Return the properties of the metadata packet that are asked for; a broken one has none."""
    packet = pdf.Root.get("/Metadata")
    if packet is None or int(packet.get("/Length", 0)) > _XMP_LIMIT:
        return {}
    if len(packet.read_bytes()) > _XMP_LIMIT:
        return {}
    keys = ("dc:title", "xmp:CreatorTool", "xmp:CreateDate", "xmp:ModifyDate", "pdf:Trapped")
    try:
        metadata = pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False)
        found = {key: metadata.get(key) for key in (*keys, _PDFX_ID)}
    except Exception:  # lxml's and pikepdf's own
        return {}
    return {key: str(value) for key, value in found.items() if value}


def _claims(info: "Object | dict[str, Any]", xmp: dict[str, str]) -> Iterator[str]:
    conformance = _text(info.get("/GTS_PDFXConformance"))
    version = _text(info.get("/GTS_PDFXVersion"))
    if conformance or version:
        yield conformance or version
    if _PDFX_ID in xmp and xmp[_PDFX_ID] not in (conformance, version):
        yield xmp[_PDFX_ID]


def _intent(intent: "Object") -> Intent:
    header = b""
    if (profile := intent.get("/DestOutputProfile")) is not None:
        header = profile.read_bytes()[12:20]  # ICC.1:2010, 7.2.5 and 7.2.6
    return Intent(
        kind=_text(intent.get("/S")).removeprefix("/"),
        condition=_text(intent.get("/OutputConditionIdentifier")),
        registry=_text(intent.get("/RegistryName")),
        info=_text(intent.get("/Info")),
        profile=f"{header[:4].decode('latin-1')} {header[4:].decode('latin-1').strip()}".strip(),
    )


def _acts(root: "Object") -> Iterator[str]:
    """Yield what acts in the whole file: open actions, scripts, attachments and forms."""
    from pikepdf import Dictionary

    for key in ("/OpenAction", "/AA"):
        yield from _actions(root.get(key))
    names: Any = root.get("/Names", {})
    if "/JavaScript" in names:
        yield "JavaScript"
    if _named_any(names.get("/EmbeddedFiles")) or "/AF" in root:
        yield "attachments"
    form = root.get("/AcroForm")
    if isinstance(form, Dictionary) and ("/XFA" in form or len(form.get("/Fields", ()))):
        yield "form fields"


def _named_any(tree: Any) -> bool:
    """Tell whether a tree of names holds anything (7.9.6)."""
    todo, seen = [tree], 0
    while todo and seen < _NAMES_LIMIT:
        node, seen = todo.pop(), seen + 1
        if node is not None:
            if len(node.get("/Names", ())):
                return True
            todo += list(node.get("/Kids", ()))
    return bool(todo)


_HARMLESS = ("GoTo", "URI")  # links


def _actions(said: Any) -> Iterator[str]:
    """Yield the kinds of an action, or those of a dictionary of actions (12.6)."""
    from pikepdf import Dictionary

    if not isinstance(said, Dictionary):
        return  # a destination
    for action in [said] if "/S" in said else list(said.values()):
        if isinstance(action, Dictionary):
            kind = _text(action.get("/S")).removeprefix("/")
            if kind and kind not in _HARMLESS:
                yield kind if kind == "JavaScript" else f"{kind} action"


_MEDIA = ("RichMedia", "3D", "Movie", "Screen", "Sound")
_NO_MARKS = ("Popup", "PrinterMark", "TrapNet")  # annotations that a press file may have


def page_facts(page: "Page", number: int) -> PageFacts:
    """Return the boxes and annotations of a page; raises what pikepdf does for broken ones."""
    obj = page.obj
    unit = float(obj.get("/UserUnit", 1)) * MM
    media = _box(page.mediabox, unit)
    boxes = {
        name: _box(obj[key], unit) if key in obj else None
        for name, key in (("bleed", "/BleedBox"), ("trim", "/TrimBox"), ("art", "/ArtBox"))
    }
    crop = _box(page.cropbox, unit)  # it may be inherited; without one it is the media box
    seen = Box(
        max(media.left, crop.left),
        max(media.bottom, crop.bottom),
        min(media.right, crop.right),
        min(media.top, crop.top),
    )
    turn = page.rotation % 360
    size = (seen.width, seen.height)
    printed = boxes["bleed"] or boxes["trim"] or media
    notes: set[str] = set()
    within = False
    acts = set(_actions(obj.get("/AA")))
    for note in obj.get("/Annots", ()):
        kind = _text(note.get("/Subtype")).removeprefix("/")
        notes.add(kind)
        if kind not in _NO_MARKS and "/Rect" in note:
            within = within or printed.meets(_box(note["/Rect"], unit))
        acts.update((*_actions(note.get("/A")), *_actions(note.get("/AA"))))
        if kind in _MEDIA:
            acts.add(kind)
        elif kind == "FileAttachment":
            acts.add("attachments")
    return PageFacts(
        number=number,
        size=size[::-1] if turn in (90, 270) else size,
        turn=turn,
        media=media,
        crop=None if crop == media else crop,
        **boxes,
        notes=tuple(sorted(notes)),
        notes_within=within,
        acts=tuple(sorted(acts)),
    )


def _box(said: Any, unit: float) -> Box:
    x1, y1, x2, y2 = (float(side) * unit for side in said)
    return Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
