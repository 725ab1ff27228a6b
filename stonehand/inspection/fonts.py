"""Fonts of a PDF: whether they come with it, and whether their text can be read back."""

from typing import TYPE_CHECKING, Any, NamedTuple

from stonehand.inspection.marks import filters_of

if TYPE_CHECKING:
    from pikepdf import Object

_KINDS = {
    "/Type0": "composite",
    "/Type1": "Type 1",
    "/MMType1": "Type 1",
    "/Type3": "Type 3",
    "/TrueType": "TrueType",
    "/CIDFontType0": "CFF",
    "/CIDFontType2": "TrueType",
}
_FILES = ("/FontFile", "/FontFile2", "/FontFile3")
_NON_SYMBOLIC = 32  # PDF 32000-1, table 123
_COLLECTIONS = ("GB1", "CNS1", "Japan1", "Korea1", "KR")  # Adobe says which letters they hold
_TAG = 7  # letters of `ABCDEF+`, which marks a subset (9.6.4)


class FontFacts(NamedTuple):
    """A font; `pages` are those with text in it, none if it is only listed."""

    name: str
    kind: str
    embedded: bool
    subset: bool
    extractable: bool  # what is written in it can be searched and copied
    filters: tuple[str, ...]
    pages: tuple[int, ...]


def font_facts(font: "Object", pages: tuple[int, ...]) -> FontFacts:
    """Return the facts of a font dictionary (PDF 32000-1, 9.5 to 9.8)."""
    kind = str(font.get("/Subtype"))
    inner = font["/DescendantFonts"][0] if kind == "/Type0" else font
    name = str(font.get("/BaseFont", font.get("/Name", "/unnamed"))).removeprefix("/")
    descriptor: Any = inner.get("/FontDescriptor", {})
    files = [descriptor[file] for file in _FILES if file in descriptor]
    return FontFacts(
        name=name,
        kind=_KINDS.get(str(inner.get("/Subtype")), "unknown"),
        embedded=bool(files) or kind == "/Type3",  # its glyphs are content streams
        subset=name[_TAG - 1 : _TAG] == "+" and name[: _TAG - 1].isupper(),
        extractable=_extractable(font, inner, int(descriptor.get("/Flags", _NON_SYMBOLIC))),
        filters=tuple(filter_ for file in files for filter_ in filters_of(file)),
        pages=pages,
    )


def _extractable(font: "Object", inner: "Object", flags: int) -> bool:
    """Tell whether a reader can find out which characters the codes of a font are (9.10.2)."""
    from pikepdf import Dictionary, Name

    if "/ToUnicode" in font:
        return True
    encoding = font.get("/Encoding")
    if inner is not font:
        system: Any = inner.get("/CIDSystemInfo", {})
        known = str(system.get("/Ordering")) in _COLLECTIONS
        return known or (isinstance(encoding, Name) and not str(encoding).startswith("/Identity"))
    if isinstance(encoding, Dictionary):
        from fontTools.agl import toUnicode

        names = [str(n)[1:] for n in encoding.get("/Differences", ()) if isinstance(n, Name)]
        return all(name == ".notdef" or toUnicode(name) for name in names)
    if isinstance(encoding, Name):
        return True
    # without an encoding, Type 1 fonts name their glyphs, and others that are not symbolic have
    # the standard one (9.6.6)
    kind = font.get("/Subtype")
    return kind in ("/Type1", "/MMType1") or (kind == "/TrueType" and bool(flags & _NON_SYMBOLIC))
