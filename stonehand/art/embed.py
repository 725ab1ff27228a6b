"""Art in a PDF: every picture becomes one XObject, however often and in whichever pages it stands.

Rasters become images, drawings become forms. With each comes the matrix that takes it to the unit
square with y down, (0, 0) at the picture's top left: a writer whose user space is millimetres, y
down, says `width 0 0 height x y cm`, that matrix `cm`, and `Do`.
"""

from typing import TYPE_CHECKING

from stonehand.art.flat import colourless
from stonehand.art.library import ArtLibrary
from stonehand.art.pdf import Box, bounded, copy_content, pack, placed
from stonehand.art.picture import Raster, Vector
from stonehand.scene import ArtLike
from stonehand.source.problems import Location, fault

if TYPE_CHECKING:
    from pikepdf import Object, Pdf, Stream

Matrix = tuple[float, float, float, float, float, float]

_UNIT: Box = (0, 0, 1, 1)
_CHANNELS = {"gray": 1, "rgb": 3, "cmyk": 4}

# EXIF orientation: what is stored at (s, t), both 0 to 1 with t down, is seen at (u, v):
# u = a s + c t + e, v = b s + d t + f (EXIF 2.32, 4.6.4 A, and libjpeg's transupp.c)
_TURNS: dict[int, Matrix] = {
    1: (1, 0, 0, 1, 0, 0),
    2: (-1, 0, 0, 1, 1, 0),
    3: (-1, 0, 0, -1, 1, 1),
    4: (1, 0, 0, -1, 0, 1),
    5: (0, 1, 1, 0, 0, 0),
    6: (0, 1, -1, 0, 1, 0),
    7: (0, -1, -1, 0, 1, 1),
    8: (0, -1, 1, 0, 0, 1),
}


def placing(box: Box, turn: int) -> Matrix:
    """Return the matrix from a box with y up to the unit square with y down, turned upright."""
    left, bottom, right, top = box
    width, height = right - left, top - bottom
    a, b, c, d, e, f = _TURNS[turn]
    # s = (x - left) / width, t = (top - y) / height
    return (
        a / width,
        b / width,
        -c / height,
        -d / height,
        e - a * left / width + c * top / height,
        f - b * left / width + d * top / height,
    )


class PdfArt:
    """The art in one PDF that is being written."""

    def __init__(self, pdf: "Pdf", library: ArtLibrary) -> None:
        self._pdf = pdf
        self._library = library
        self._made: dict[tuple[str, str | None], tuple[Object, Matrix]] = {}
        self._profiles: dict[bytes, Object] = {}
        self._colourless: dict[tuple[int, int], Stream] = {}

    def xobject(self, art: ArtLike, tint: str | None = None) -> "tuple[Object, Matrix]":
        """Return the XObject of a picture and its matrix onto the unit square, y down.

        With `tint` (`#rrggbb`) all it paints has that colour. A picture of pixels needs
        transparency for that, which is its shape then; `art.tintable` tells.
        """
        key = (art.key, tint and tint.lower())
        if key not in self._made:
            if isinstance(art, Raster):
                made: Object = self._image(art, tint)
                self._made[key] = made, placing(_UNIT, art.turn)
            elif isinstance(art, Vector):
                box, turn = placed(self._library.page(art)[1])
                made = self._tinted(art, box, tint) if tint else self._form(art, box)
                self._made[key] = made, placing(box, turn)
            else:
                raise TypeError(f"no art: {art!r}")
        return self._made[key]

    def _image(self, art: Raster, tint: str | None) -> "Object":
        from pikepdf import Array, Name, Stream, String

        channels = _CHANNELS[art.colour]
        if not tint:
            image = self._pixels(art, art.data, art.filter, channels)
            image.ColorSpace = self._colour_space(art)
            if art.inverted:
                image.Decode = Array([1, 0] * channels)
        elif art.mask is None:
            hint = "use SVG or PDF, or a picture with transparency"
            message = f"picture '{art.where}' has no shape, and can't be tinted"
            raise fault(art.at, message, hint)
        else:
            # one colour everywhere: a palette of one, and a row of zero bits for each row
            image = Stream(self._pdf, b"")
            width, height = _stored_size(art)
            pack(image, bytes((width + 7) // 8 * height))
            colour = String(bytes.fromhex(tint[1:]))
            self._describe(image, art, bits=1)
            image.ColorSpace = Array([Name.Indexed, Name.DeviceRGB, 0, colour])
        if art.mask is not None:
            mask = self._pixels(art, art.mask, "flate", 1)
            mask.ColorSpace = Name.DeviceGray
            image.SMask = self._pdf.make_indirect(mask)
        return self._pdf.make_indirect(image)

    def _pixels(self, art: Raster, data: bytes, filter_: str, channels: int) -> "Stream":
        from pikepdf import Dictionary, Name, Stream

        image = Stream(self._pdf, b"")
        if filter_ == "dct":
            image.write(data, filter=Name.DCTDecode)
        else:
            # 15: each row's first byte says how it is predicted, as in PNG (ISO 32000-2, 7.4.4.4)
            rows = {"/Predictor": 15, "/Colors": channels, "/Columns": _stored_size(art)[0]}
            image.write(data, filter=Name.FlateDecode, decode_parms=Dictionary(rows))
        self._describe(image, art, bits=art.bits)
        return image

    def _describe(self, image: "Stream", art: Raster, bits: int) -> None:
        from pikepdf import Name

        image.Type, image.Subtype = Name.XObject, Name.Image
        image.Width, image.Height = _stored_size(art)
        image.BitsPerComponent = bits

    def _colour_space(self, art: Raster) -> "Object":
        from pikepdf import Array, Name, Stream

        device = {"gray": Name.DeviceGray, "rgb": Name.DeviceRGB, "cmyk": Name.DeviceCMYK}
        if art.profile is None:
            return device[art.colour]
        if art.profile not in self._profiles:
            profile = Stream(self._pdf, b"")
            pack(profile, art.profile)
            profile.N, profile.Alternate = 3, Name.DeviceRGB
            self._profiles[art.profile] = self._pdf.make_indirect(profile)
        return Array([Name.ICCBased, self._profiles[art.profile]])

    def _form(self, art: Vector, box: Box) -> "Stream":
        """Return the form that paints what the page paints, clipped to its box."""
        from pikepdf import Dictionary

        source, page = self._library.page(art)
        with bounded(Location(art.where), art.where):
            form = self._new_form(box)
            copy_content(page, form)
            used = Dictionary({"/Resources": page.resources})
            if "/Group" in page.obj:
                used.Group = page.obj.Group
            # qpdf copies indirect objects only, and what several pages share only once
            for key, value in self._pdf.copy_foreign(source.make_indirect(used)).items():
                form[key] = value
        return form

    def _tinted(self, art: Vector, box: Box, tint: str) -> "Stream":
        """Return a form that sets the colour and paints the shape, one form for all colours."""
        from pikepdf import Dictionary

        coloured, _ = self.xobject(art)
        with bounded(Location(art.where), art.where):
            shape = colourless(self._pdf, coloured, self._colourless)
        red, green, blue = (f"{value / 255:.4g}" for value in bytes.fromhex(tint[1:]))
        paint = f"{red} {green} {blue} rg {red} {green} {blue} RG /Shape Do"
        form = self._new_form(box)
        pack(form, paint.encode())
        form.Resources = Dictionary({"/XObject": Dictionary({"/Shape": shape})})
        return form

    def _new_form(self, box: Box) -> "Stream":
        from pikepdf import Array, Name

        form = self._pdf.make_stream(b"")
        form.Type, form.Subtype = Name.XObject, Name.Form
        form.BBox = Array(list(box))
        return form


def _stored_size(art: Raster) -> tuple[int, int]:
    return (art.width, art.height) if art.turn < 5 else (art.height, art.width)
