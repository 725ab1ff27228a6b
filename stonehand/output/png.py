"""Pages of a PDF as PNG, rasterised by PDFium from the very file that prints: it can't lie."""

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from stonehand.scene import Scene, flattened
from stonehand.source.problems import COMMAND_LINE, Location, fault

if TYPE_CHECKING:
    from PIL.Image import Image


MAX_PIXELS = 200_000_000  # takes 800 MB while it is drawn


def pixels(mm: float, dpi: float) -> int:
    """Return a length in whole pixels: 63 mm are 744 at 300 dpi."""
    return max(1, round(mm / 25.4 * dpi))


def rasterise(pdf: memoryview, scenes: list["Scene"], dpi: float) -> Iterator["Image"]:
    """Yield each page of a PDF (its bytes), made from these Scenes, as a picture of its size."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    document = pypdfium2.PdfDocument(bytes(pdf))
    try:
        for page, scene in zip(document, scenes, strict=True):
            width = pixels(scene.width + 2 * scene.bleed, dpi)
            height = pixels(scene.height + 2 * scene.bleed, dpi)
            if width * height > MAX_PIXELS:
                message = f"a picture of {width:,} x {height:,} pixels is too large"
                raise fault(Location(COMMAND_LINE), message, "lower --dpi")
            bitmap = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRx)
            bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
            flags = pdfium.FPDF_ANNOT | pdfium.FPDF_PRINTING
            pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
            yield bitmap.to_pil().convert("RGB")
            bitmap.close()
            page.close()
    finally:
        document.close()


def cut_out(image: "Image", face: Scene, dpi: float) -> "Image":
    """Return the picture of a face with all that is outside of its outline transparent."""
    from PIL import Image, ImageDraw

    fine = 4  # the mask is drawn larger for smooth edges
    size = (image.width * fine, image.height * fine)
    mask = Image.new("L", size)
    drawn = ImageDraw.Draw(mask)
    scale = dpi / 25.4 * fine
    if face.shape is None:
        whole = (0, 0, size[0] - 1, size[1] - 1)
        drawn.rounded_rectangle(whole, face.corner * scale, fill=255)
    for points in flattened(face.shape or ()):
        drawn.polygon([(x * scale, y * scale) for x, y in points], fill=255)
    shape = image.convert("RGBA")
    shape.putalpha(mask.resize(image.size, Image.Resampling.BOX))
    return shape


def encoded(image: "Image", dpi: float) -> bytes:
    """Return a PNG file; made fast rather than small, as encoding is what a preview costs."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=1, dpi=(dpi, dpi))
    return file.getvalue()


def encoded_small(image: "Image") -> bytes:
    """Return a PNG file of at most 256 colours, a third as large: for pictures in a text."""
    from PIL import Image

    file = BytesIO()
    few = image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, "PNG", compress_level=6)
    return file.getvalue()
