"""Pictures: what is seen is what the file shows, and a bad file is a fault, never a crash."""

import base64
import hashlib
import io
import random
import struct
import subprocess
import sys
import time
import zlib
from functools import cache
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms, ImageDraw, ImageOps

from stonehand.art import draw, raster, svg
from stonehand.art.embed import PdfArt
from stonehand.art.library import ArtLibrary
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text

RED, GREEN, BLUE, YELLOW = (230, 20, 30), (20, 160, 60), (30, 40, 200), (250, 220, 40)
QUARTERS = {(0.25, 0.25): RED, (0.75, 0.25): GREEN, (0.25, 0.75): BLUE, (0.75, 0.75): YELLOW}
AT = Location("cards.yaml", 3, 7)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
SHIPPED = Path(__file__).parents[1] / "cards/oniroo/art"


def quarters(width=48, height=32):
    """Four fields of colour, so that any turn or flip shows."""
    image = Image.new("RGB", (width, height))
    pen = ImageDraw.Draw(image)
    for (x, y), colour in QUARTERS.items():
        left, top = round((x - 0.25) * width), round((y - 0.25) * height)
        pen.rectangle((left, top, left + width // 2 - 1, top + height // 2 - 1), colour)
    return image


def as_bytes(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def read(data, name="a.png", problems=None):
    return raster.read(data, Text(name, AT), problems)


def message(data, name="a.png"):
    with pytest.raises(StonehandError) as raised:
        read(data, name)
    (problem,) = raised.value.problems
    assert problem.location == AT
    return f"{problem.message} ({problem.hint})"


class Sheet:
    """A PDF of one page, with art stretched over it in a space of millimetres, y down."""

    def __init__(self, library=None):
        self.pdf = pikepdf.new()
        self.library = library or ArtLibrary()
        self.art = PdfArt(self.pdf, self.library)

    def bytes(self, art, tint=None, times=1):
        paint, used = [], {}
        for _ in range(times):
            made, matrix = self.art.xobject(art, tint)
            name = f"/X{made.objgen[0]}"
            used[name] = made
            numbers = " ".join(f"{n:.9f}" for n in matrix)
            paint.append(f"q 60 0 0 40 0 0 cm {numbers} cm {name} Do Q")
        page = self.pdf.add_blank_page(page_size=(60, 40))
        page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(used))
        lines = "\n".join(["0 0 1 rg 1 0 0 -1 0 40 cm", *paint])
        page.obj.Contents = self.pdf.make_stream(lines.encode())
        file = io.BytesIO()
        self.pdf.save(file, deterministic_id=True)
        return file.getvalue()

    def seen(self, art, tint=None):
        pdf = pypdfium2.PdfDocument(self.bytes(art, tint))
        image = pdf[len(pdf) - 1].render(scale=2).to_pil().convert("RGB")
        pdf.close()
        return image


def colour_at(image, x, y):
    return image.getpixel((round(x * (image.width - 1)), round(y * (image.height - 1))))


def near(one, other, tolerance=6):
    return all(abs(a - b) <= tolerance for a, b in zip(one, other, strict=True))


def shows_quarters(art, tolerance=6, library=None):
    image = Sheet(library).seen(art)
    return all(near(colour_at(image, *at), c, tolerance) for at, c in QUARTERS.items())


def loaded(folder, name, data, problems=None, page=1):
    path = folder / name
    path.write_bytes(data)
    library = ArtLibrary(problems)
    return library, library.load(path, Text(name, AT), page)


# --- raster: what is seen --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("PNG", {}),
        ("JPEG", {"quality": 95, "subsampling": 0}),
        ("JPEG", {"quality": 95, "progressive": True}),
        ("WEBP", {"lossless": True}),
        ("TIFF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("GIF", {}),
    ],
)
def test_every_format_shows_its_colours(kind, options):
    art = read(as_bytes(quarters(), kind, **options))
    assert (art.width, art.height, art.aspect) == (48, 32, 1.5)
    assert shows_quarters(art)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "TIFF"])
@pytest.mark.parametrize("turn", range(1, 9))
def test_an_exif_turn_is_seen(kind, turn):
    exif = Image.Exif()
    exif[0x0112] = turn
    back = {6: 8, 8: 6}.get(turn, turn)  # stored so that, turned, it is upright
    other = Image.Exif()
    other[0x0112] = back
    stored = quarters()
    stored.info["exif"] = other.tobytes()
    stored = ImageOps.exif_transpose(Image.open(io.BytesIO(as_bytes(stored, "PNG", exif=other))))
    options = {"quality": 95} if kind == "JPEG" else {"lossless": True} if kind == "WEBP" else {}
    data = as_bytes(stored, kind, exif=exif, dpi=(300, 150), **options)
    art = read(data)
    assert (art.width, art.height) == (48, 32)
    assert shows_quarters(art)
    if kind == "JPEG":
        assert art.data == data
        assert art.dpi == ((150, 300) if turn > 4 else (300, 150))


def cmyk_of(image):
    return Image.merge("CMYK", [*ImageOps.invert(image).split(), Image.new("L", image.size)])


def without_adobe(jpeg):
    start = jpeg.index(b"\xff\xee")
    return jpeg[:start] + jpeg[start + 2 + int.from_bytes(jpeg[start + 2 : start + 4]) :]


def inked(data):
    """How a CMYK picture of pure inks looks: cyan, magenta, yellow, black quarters."""
    image = Sheet().seen(read(data, "a.jpg"))
    return [colour_at(image, *at) for at in QUARTERS]


INKS = [(255, 0, 0, 0), (0, 255, 0, 0), (0, 0, 255, 0), (0, 0, 0, 255)]


def ink_quarters():
    image = Image.new("CMYK", (64, 64))
    for (x, y), ink in zip(QUARTERS, INKS, strict=True):
        image.paste(ink, (round((x - 0.25) * 64), round((y - 0.25) * 64), 64, 64))
    for (x, y), ink in zip(QUARTERS, INKS, strict=True):
        box = [round((v + d) * 64) for d in (-0.25, 0.25) for v in (x, y)]
        image.paste(ink, tuple(box))
    return image


def looks_like_inks(colours):
    cyan, magenta, yellow, black = colours
    assert cyan[0] < 80 and min(cyan[1:]) > 150
    assert magenta[1] < 80 and min(magenta[0], magenta[2]) > 120
    assert yellow[2] < 80 and min(yellow[:2]) > 200
    assert max(black) < 70


def test_cmyk_jpeg_as_adobe_writes_it_is_not_a_negative():
    data = as_bytes(ink_quarters(), "JPEG", quality=95)
    art = read(data)
    assert (art.colour, art.inverted, art.data) == ("cmyk", True, data)
    looks_like_inks(inked(data))


def test_cmyk_jpeg_without_adobes_mark_is_not_inverted():
    upside = Image.merge("CMYK", [c.point(lambda v: 255 - v) for c in ink_quarters().split()])
    data = without_adobe(as_bytes(upside, "JPEG", quality=95))
    assert not read(data).inverted
    looks_like_inks(inked(data))


def test_ycck_jpeg():
    c, m, y, k = ink_quarters().split()
    # Adobe's YCC is that of the inks, written inverted as all of Adobe's CMYK is
    planes = [
        p.point(lambda v: 255 - v) for p in Image.merge("RGB", (c, m, y)).convert("YCbCr").split()
    ]
    data = as_bytes(Image.merge("CMYK", [*planes, k]), "JPEG", quality=95)
    mark = data.index(b"Adobe")
    data = data[: mark + 11] + b"\2" + data[mark + 12 :]
    with Image.open(io.BytesIO(data)) as image:
        assert near(image.getpixel((16, 16)), INKS[0], 12)
    assert read(data).data == data
    looks_like_inks(inked(data))


def test_cmyk_tiff():
    data = as_bytes(ink_quarters(), "TIFF")
    assert (read(data).filter, read(data).colour) == ("flate", "cmyk")
    looks_like_inks(inked(data))


def png(width, height, depth, colour, rows, *extra, interlaced=0):
    """A PNG file from its unfiltered rows."""

    def chunk(kind, content):
        crc = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", crc)

    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    chunks = [(b"IHDR", header), *extra, (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*c) for c in chunks)


def test_16_bit_gray_png_is_scaled():
    row = b"\0" + struct.pack(">4H", 0, 0x4000, 0x8000, 0xFFFF)
    seen = Sheet().seen(read(png(4, 1, 16, 0, row)))
    grays = [colour_at(seen, (i + 0.5) / 4, 0.5)[0] for i in range(4)]
    assert near(grays, (0, 64, 128, 255), 2)


@pytest.mark.parametrize("mode", ["I;16", "I;16B"])
def test_16_bit_gray_tiff_is_scaled(mode):
    order = "<" if mode == "I;16" else ">"
    image = Image.frombytes(mode, (4, 1), struct.pack(f"{order}4H", 0, 0x4000, 0x8000, 0xFFFF))
    seen = Sheet().seen(read(as_bytes(image, "TIFF")))
    grays = [colour_at(seen, (i + 0.5) / 4, 0.5)[0] for i in range(4)]
    assert near(grays, (0, 64, 128, 255), 2)


def test_16_bit_rgb_png_is_scaled():
    row = b"\0" + struct.pack(">6H", *(v * 257 for v in (*RED, *BLUE)))
    seen = Sheet().seen(read(png(2, 1, 16, 2, row)))
    assert near(colour_at(seen, 0.2, 0.5), RED)
    assert near(colour_at(seen, 0.8, 0.5), BLUE)


def half_clear(mode):
    image = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    image.paste((*(RED if mode != "LA" else (90, 90, 90)), 255), (20, 0, 40, 40))
    return image.convert(mode)


@pytest.mark.parametrize(("mode", "kind"), [("RGBA", "PNG"), ("LA", "PNG"), ("RGBA", "WEBP")])
def test_transparency_shows_what_is_below(mode, kind):
    options = {"lossless": True} if kind == "WEBP" else {}
    seen = Sheet().seen(read(as_bytes(half_clear(mode), kind, **options)))
    assert colour_at(seen, 0.2, 0.5) == (255, 255, 255)
    assert near(colour_at(seen, 0.8, 0.5), RED if mode == "RGBA" else (90, 90, 90))


def test_half_transparent_is_mixed():
    seen = Sheet().seen(read(as_bytes(Image.new("RGBA", (9, 9), (255, 0, 0, 128)), "PNG")))
    assert near(colour_at(seen, 0.5, 0.5), (255, 127, 127))


@pytest.mark.parametrize("kind", ["PNG", "GIF"])
def test_palette_with_a_transparent_entry(kind):
    image = Image.new("P", (40, 40), 1)
    image.putpalette([0, 0, 0, *RED])
    image.paste(0, (0, 0, 20, 40))
    seen = Sheet().seen(read(as_bytes(image, kind, transparency=0)))
    assert colour_at(seen, 0.2, 0.5) == (255, 255, 255)
    assert near(colour_at(seen, 0.8, 0.5), RED)


def test_a_colour_named_transparent_in_an_rgb_png():
    data = as_bytes(quarters(), "PNG", transparency=RED)
    seen = Sheet().seen(read(data))
    assert colour_at(seen, 0.25, 0.25) == (255, 255, 255)
    assert near(colour_at(seen, 0.75, 0.25), GREEN)


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_one_bit(kind):
    image = Image.new("1", (40, 40), 1)
    image.paste(0, (0, 0, 20, 40))
    seen = Sheet().seen(read(as_bytes(image, kind)))
    assert (colour_at(seen, 0.2, 0.5), colour_at(seen, 0.8, 0.5)) == ((0,) * 3, (255,) * 3)


def test_opaque_alpha_makes_no_mask():
    art = read(as_bytes(quarters().convert("RGBA"), "PNG"))
    assert art.mask is None
    assert not art.tintable


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "TIFF"])
def test_of_an_animation_the_first_picture_with_a_warning(kind):
    more = [Image.new("RGB", (48, 32), "black")]
    options = {"lossless": True} if kind == "WEBP" else {}
    data = as_bytes(quarters(), kind, save_all=True, append_images=more, **options)
    problems = Problems()
    assert shows_quarters(read(data, "a.gif", problems))
    assert [str(p) for p in problems] == [
        "cards.yaml:3:7: warning: 'a.gif' holds several pictures; the first is used"
        " [several-pictures]"
    ]


def test_a_broken_colour_profile_is_ignored_with_a_warning():
    problems = Problems()
    data = as_bytes(quarters(), "PNG", icc_profile=b"no profile at all" * 20)
    art = read(data, "a.png", problems)
    assert art.profile is None
    assert shows_quarters(art)
    assert ["broken colour profile" in p.message for p in problems] == [True]


def test_an_srgb_profile_is_left_out():
    icc = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    problems = Problems()
    assert read(as_bytes(quarters(), "PNG", icc_profile=icc), "a", problems).profile is None
    assert not list(problems)


def wide_profile():
    """The sRGB profile with red and green exchanged: what honours it is plain to see."""
    icc = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    icc = bytearray(
        bytes(icc)
        .replace(b"s\0R\0G\0B\0", b"w\0i\0d\0e\0")
        .replace(b"\0s\0R\0G\0B", b"\0w\0i\0d\0e")
    )
    return bytes(icc.replace(b"rXYZ", b"?XYZ").replace(b"gXYZ", b"rXYZ").replace(b"?XYZ", b"gXYZ"))


@pytest.mark.parametrize(("kind", "options"), [("PNG", {}), ("JPEG", {"quality": 95})])
def test_another_profile_travels_with_the_picture_once(kind, options):
    icc = wide_profile()
    first = read(as_bytes(quarters(), kind, icc_profile=icc, **options))
    second = read(as_bytes(quarters(64, 64), kind, icc_profile=icc, **options))
    assert first.profile == second.profile == icc
    sheet = Sheet()
    sheet.bytes(first)
    with pikepdf.open(io.BytesIO(sheet.bytes(second))) as pdf:
        assert sum("/Alternate" in o for o in pdf.objects if isinstance(o, pikepdf.Stream)) == 1
    red, green = (colour_at(sheet.seen(first), *at) for at in ((0.25, 0.25), (0.75, 0.25)))
    assert red[1] > red[0]
    assert green[0] > green[1]


# --- raster: what is stored ------------------------------------------------------------------


def images(data):
    with pikepdf.open(io.BytesIO(data)) as pdf:
        found = [o for o in pdf.objects if isinstance(o, pikepdf.Stream)]
        return [bytes(o.read_raw_bytes()) for o in found if o.get("/Subtype") == "/Image"]


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("progressive", [False, True])
def test_the_bytes_of_a_jpeg_file_are_in_the_pdf(tmp_path, mode, progressive):
    data = as_bytes(quarters().convert(mode), "JPEG", progressive=progressive)
    library, art = loaded(tmp_path, "a.jpg", data)
    assert images(Sheet(library).bytes(art)) == [data]


def test_the_rows_of_a_plain_png_file_are_in_the_pdf(tmp_path):
    data = as_bytes(quarters(), "PNG")
    library, art = loaded(tmp_path, "a.png", data)
    (stored,) = images(Sheet(library).bytes(art))
    assert stored in data


def test_a_file_placed_fifty_times_is_stored_once(tmp_path):
    library, art = loaded(tmp_path, "a.jpg", as_bytes(quarters(), "JPEG"))
    assert len(images(Sheet(library).bytes(art, times=50))) == 1


def test_a_jpeg_of_plain_rgb_components_is_decoded():
    data = as_bytes(quarters(), "JPEG", keep_rgb=True, quality=95)
    assert read(without_adobe(data) if b"Adobe" in data else data).filter == "flate"
    assert shows_quarters(read(data))


def test_an_interlaced_png_is_decoded():
    row = bytes([0, *RED])
    art = read(png(1, 1, 8, 2, row, interlaced=1))
    assert near(colour_at(Sheet().seen(art), 0.5, 0.5), RED)


def test_dpi_is_what_the_file_says():
    assert read(as_bytes(quarters(), "JPEG", dpi=(300, 300))).dpi == (300, 300)
    assert read(as_bytes(quarters(), "PNG")).dpi is None
    assert read(as_bytes(quarters(), "PNG", dpi=(0, 0))).dpi is None


def test_the_same_content_has_the_same_key_and_the_pdf_the_same_bytes(tmp_path):
    data = as_bytes(half_clear("RGBA"), "PNG")
    library, one = loaded(tmp_path, "one.png", data)
    (tmp_path / "two.png").write_bytes(data)
    two = library.load(tmp_path / "two.png", Text("two.png", AT))
    assert (one.key, one.where, two.where) == (two.key, "one.png", "two.png")
    sheet = Sheet(library)
    assert sheet.art.xobject(one) is sheet.art.xobject(two)
    assert Sheet().bytes(one, "#112233") == Sheet().bytes(two, "#112233")


# --- raster: what is refused -----------------------------------------------------------------


BOMB = png(12000, 12000, 8, 0, b"\0")  # which Pillow alone would decode


def gif_bomb(screen, frame):
    gif = b"GIF89a" + struct.pack("<HHBBB", screen, screen, 0, 0, 0)
    gif += b"!\xf9\4\x08\0\0\0\0," + bytes(4)  # what comes after shall stand on bare ground
    return gif + struct.pack("<HHB", frame, frame, 0) + b"\2\2\x4c\1\0;"


@cache
def bombs():
    gif = gif_bomb(60000, 60000)
    webp = b"VP8X" + struct.pack("<IB3x", 10, 0) + (16382).to_bytes(3, "little") * 2
    webp += b"VP8L" + struct.pack("<I", 6) + b"\x2f\xff\xff\xff\x0f\0"
    jpeg = bytearray(as_bytes(quarters(), "JPEG"))
    frame = jpeg.index(b"\xff\xc0")
    jpeg[frame + 5 : frame + 9] = struct.pack(">HH", 60000, 60000)
    tags = [(256, 4, 60000), (257, 4, 60000), (258, 3, 8), (259, 3, 1), (262, 3, 1)]
    tags += [(273, 4, 8), (277, 3, 1), (278, 4, 60000), (279, 4, 100)]
    tiff = b"II*\0" + struct.pack("<IH", 8, len(tags))
    tiff += b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    return {
        "png": png(20000, 20000, 8, 2, b"\0"),
        "below Pillow's own limit": BOMB,
        "gif": gif,
        "webp": b"RIFF" + struct.pack("<I", len(webp) + 4) + b"WEBP" + webp,
        "jpeg": bytes(jpeg),
        "tiff": tiff + bytes(4),
    }


@pytest.mark.parametrize("kind", bombs())
def test_too_many_pixels_are_refused_by_the_header_alone(kind):
    sides = {"png": "20,000", "below Pillow's own limit": "12,000", "webp": "16,383"}
    side = sides.get(kind, "60,000")
    start = time.process_time()
    said = f"picture 'a.png' has more than 50 million pixels ({side} x {side})"
    assert message(bombs()[kind]).startswith(said)
    assert time.process_time() - start < 1


def test_a_frame_larger_than_its_picture_is_refused_as_one():
    assert message(gif_bomb(5, 34000)).startswith("picture 'a.png' has more than 50 million pixels")


def test_a_refused_bomb_takes_no_memory():
    pytest.importorskip("resource")
    script = """
import resource, sys
from stonehand.art import raster
from stonehand.source.text import Text
from stonehand.source.problems import StonehandError
import PIL.Image, PIL.PngImagePlugin, PIL.ImageCms
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for part in sys.stdin.read().split():
    try:
        raster.read(bytes.fromhex(part), Text("x"))
    except StonehandError:
        pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    frame = gif_bomb(5, 34000)  # whose memory Pillow takes when it is opened
    hexes = " ".join(data.hex() for data in (*bombs().values(), frame))
    run = [sys.executable, "-c", script]
    grown = subprocess.run(run, input=hexes, capture_output=True, text=True, check=True).stdout
    assert int(grown) < 30_000  # kB


@cache
def damaged():
    good = as_bytes(quarters(400, 300), "PNG")
    jpeg = as_bytes(quarters(400, 300), "JPEG")
    flipped = bytearray(good)
    flipped[good.index(b"IDAT") + 40] ^= 0xFF
    header = bytearray(good)
    header[19] ^= 1  # the width, and no longer its checksum
    return {
        "png cut": good[: len(good) // 2],
        "png without its end": good[:-12],
        "png data altered": bytes(flipped),
        "png header altered": bytes(header),
        "png with too few rows": png(10, 10, 8, 2, b"\0" * 31 * 9),
        "png with 9 MB of rows too many": png(10, 10, 8, 2, bytes(9_000_000)),
        "png with an unknown filter": png(2, 2, 8, 0, b"\7\0\0" * 2),
        "png 0 x 0": png(0, 0, 8, 2, b""),
        "png 16-bit cut": png(4, 4, 16, 0, bytes(9)),
        "png with a huge text": png(
            1, 1, 8, 0, bytes(2), (b"zTXt", b"a\0\0" + zlib.compress(bytes(99_000_000)))
        ),
        "jpeg cut": jpeg[: len(jpeg) // 2],
        "jpeg without its end": jpeg[:-2],
        "jpeg header only": jpeg[:20],
        "webp cut": as_bytes(quarters(), "WEBP")[:60],
        "gif cut": as_bytes(quarters(), "GIF")[:-30],
        "tiff cut": as_bytes(quarters(), "TIFF")[:200],
        "tga": as_bytes(quarters(), "TGA"),
        "nothing": b"",
        "noise": random.Random(1).randbytes(999),
    }


@pytest.mark.parametrize("kind", damaged())
def test_a_damaged_picture_is_a_fault(kind):
    said = message(damaged()[kind])
    assert said.startswith(("picture 'a.png' is damaged", "picture 'a.png' is empty"))


def test_pixels_that_can_not_be_printed_are_named():
    assert "pixels of a kind not printed (F)" in message(as_bytes(Image.new("F", (2, 2)), "TIFF"))


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.png", b"%!PS-Adobe-3.0 EPSF-3.0", "picture 'a.png' is EPS, named .png"),
        ("a.png", b"%PDF-1.4", "picture 'a.png' is PDF, named .png"),
        ("a.png", b"8BPS\0\1", "picture 'a.png' is PSD, named .png"),
        ("a.jpg", b"SIMPLE  =   T", "picture 'a.jpg' is FITS, named .jpg"),
        ("a.PNG", b"\xff\xd8\xff\xe0", "picture 'a.PNG' is JPEG, named .PNG"),
        ("a.png", b"<?xml version='1.0'?><svg/>", "picture 'a.png' is SVG, named .png"),
        ("a.svg", b"\x89PNG\r\n\x1a\n", "picture 'a.svg' is PNG, named .svg"),
        ("a.svg", b"\x1f\x8b\x08", "picture 'a.svg' is gzip, named .svg"),
        ("a.pdf", b"PK\3\4", "picture 'a.pdf' is ZIP, named .pdf"),
        ("a.eps", b"%!PS", "'a.eps' is no picture"),
        ("a", b"GIF89a", "'a' is no picture"),
        ("a.png", b"", "picture 'a.png' is empty"),
    ],
)
def test_a_file_is_what_its_name_says(tmp_path, name, data, said):
    with pytest.raises(StonehandError) as raised:
        loaded(tmp_path, name, data)
    (problem,) = raised.value.problems
    assert (problem.location, problem.message) == (AT, said)


def test_a_missing_file_is_told_where_it_was_named(tmp_path):
    with pytest.raises(StonehandError, match=r"cards\.yaml:3:7: error: 'no\.png' not found"):
        ArtLibrary().load(tmp_path / "no.png", Text("no.png", AT))


# --- SVG -------------------------------------------------------------------------------------


def drawing(body, size='viewBox="0 0 48 32"'):
    return f"{SVG} {size}>{body}</svg>".encode()


def svg_quarters():
    rects = (
        f'<rect x="{(x - 0.25) * 48}" y="{(y - 0.25) * 32}" width="24" height="16" fill="rgb{c}"/>'
        for (x, y), c in QUARTERS.items()
    )
    return drawing("".join(rects))


def test_a_drawing_is_seen_upright_in_its_colours(tmp_path):
    library, art = loaded(tmp_path, "a.svg", svg_quarters())
    assert shows_quarters(art, 1, library)


def test_pictures_inside_a_drawing(tmp_path):
    inside = base64.b64encode(as_bytes(quarters(), "PNG")).decode()
    body = f'<image width="48" height="32" xlink:href="data:image/png;base64,{inside}"/>'
    library, art = loaded(tmp_path, "a.svg", drawing(body))
    assert shows_quarters(art, 2, library)


@pytest.mark.parametrize(
    ("size", "width", "height"),
    [
        ('viewBox="0 0 96 48"', 25.4, 12.7),
        ('width="30mm" height="2cm"', 30, 20),
        ('width="1in" height="72pt"', 25.4, 25.4),
        ('width="96" height="96px"', 25.4, 25.4),
        ('width="6pc" height="96"', 25.4, 25.4),
        ('width="100%" height="100%" viewBox="0,0,96,48"', 25.4, 12.7),
        ('width="96" viewBox="-5 -5 50 48"', 25.4, 12.7),
    ],
)
def test_the_size_of_a_drawing(size, width, height, tmp_path):
    library, art = loaded(tmp_path, "a.svg", drawing('<path d="M0 0h9v9z"/>', size))
    assert (art.width, art.height) == pytest.approx((width, height))
    page = library.page(art)[1]
    assert float(page.mediabox[2] / page.mediabox[3]) == pytest.approx(art.aspect, 1e-4)


REFUSED = {
    "DOCTYPE is not allowed in SVG": [
        b'<!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
        b'<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg/>',
        b'<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg/>',
    ],
    "<script> is not allowed in SVG": [
        drawing("<script/>"),
        drawing('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'),
    ],
    "<foreignObject> is not allowed in SVG": [drawing("<foreignObject/>")],
    "'onload' is not allowed in SVG": [drawing("", 'viewBox="0 0 1 1" onload="x()"')],
    "text in SVG depends on fonts": [drawing("<g><text>a</text></g>")],
    "SVG refers to outside content": [
        drawing('<image href="http://x/a.png"/>'),
        drawing('<image xlink:href="file:///etc/passwd"/>'),
        drawing('<image href="../../a.png"/>'),
        drawing('<use href="other.svg#a"/>'),
        drawing('<a href="https://example.org"/>'),
        drawing('<rect fill="url(http://x/#a)"/>'),
        drawing("<rect style=\"fill: URL( 'x.svg#a' )\"/>"),
        drawing("<style>@import 'x.css';</style>"),
        drawing("<style>@font-face { src: url(x.ttf) }</style>"),
        drawing("<style><![CDATA[.a { mask: url(x.svg#m) }]]></style>"),
        b'<?xml-stylesheet href="x.css"?>' + drawing(""),
    ],
    "SVG uses a filter, which has no sharp print": [
        drawing('<rect filter="url(#f)"/>'),
        drawing('<rect style="filter:blur(9px)"/>'),
        drawing("<style>rect { filter: url(#f) }</style><rect/>"),
    ],
    "SVG has an element that contains itself": [
        drawing('<g id="a"><use href="#a"/></g>'),
        drawing('<g id="a"><use href="#b"/></g><g id="b"><use xlink:href="#a"/></g>'),
        drawing('<mask id="m"><rect mask="url(#m)"/></mask>'),
        drawing('<style>.x{mask:url(#m)}</style><mask id="m"><rect class="x"/></mask>'),
        drawing('<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>'),
    ],
    "SVG expands to more than 100,000 elements": [
        drawing(
            '<g id="u0"><rect/></g>'
            + "".join(
                f'<g id="u{i + 1}">{f"<use href=chr(34)#u{i}chr(34)/>" * 10}</g>' for i in range(6)
            ).replace("chr(34)", '"')
        ),
        drawing(
            '<marker id="m"><path/></marker><style>.k { marker-mid: url(#m) }</style>'
            + f'<path class="k" d="M0 0{"h1" * 60_000}"/>'
        ),
    ],
    "SVG has more than 100,000 elements": [drawing("<g/>" * 100_000)],
    "SVG is nested deeper than 256 levels": [
        drawing("<g>" * 300 + "</g>" * 300),
        drawing("".join(f'<g id="a{i}"><use href="#a{i + 1}"/></g>' for i in range(20_000))),
    ],
    "SVG has numbers out of range in 'd'": [drawing('<path d="M0 0L1e30 5"/>')],
    "SVG has numbers out of range in 'transform'": [
        drawing('<g style="transform: translate(1e38)"/>'),
    ],
    "SVG has numbers out of range in 'viewBox'": [
        drawing('<svg viewBox="0 0 1e-9 1"/>'),
    ],
    "SVG has transforms that magnify out of range": [
        drawing('<g transform="scale(100000)">' * 5 + "</g>" * 5),
    ],
    "SVG has no size": [drawing("", "")],
    "SVG has width '3em'": [drawing("", 'width="3em" height="4"')],
    "SVG has height '0.5 parsecs'": [drawing("", 'width="3" height="0.5 parsecs"')],
    "SVG has no usable size (0 x 1.05833 mm)": [drawing("", 'width="0" height="4"')],
    "not SVG: the root is <html>": [b"<html/>"],
    "not SVG: not UTF-8 text": ["<svg/>".encode("utf-16"), b"<svg \xe9/>"],
    "not SVG: no element found": [b" "],
    "not SVG: mismatched tag": [drawing("<g>")],
    "not SVG: undefined entity": [drawing("&nbsp;")],
    "a picture inside SVG is damaged: not base64": [
        drawing('<image href="data:image/png;base64,A"/>')
    ],
    "a picture inside SVG is PNG, JPEG, GIF or WebP in base64": [
        drawing('<image href="data:image/svg+xml;base64,AAAA"/>'),
        drawing('<image href="data:text/html,x"/>'),
    ],
    "picture 'inside SVG' is damaged": [drawing('<image href="data:image/png;base64,aGVsbG8="/>')],
    "picture 'inside SVG' has more than 50 million pixels (12,000 x 12,000)": [
        drawing(f'<image href="data:image/png;base64,{base64.b64encode(BOMB).decode()}"/>')
    ],
}


@pytest.mark.parametrize(
    ("said", "data"),
    [(said, data) for said, all_ in REFUSED.items() for data in all_],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_gate_refuses(said, data):
    start = time.process_time()
    with pytest.raises(StonehandError) as raised:
        svg.read(data, "art/a.svg")
    (problem,) = raised.value.problems
    assert problem.message == said
    assert problem.location.file == "art/a.svg"
    assert time.process_time() - start < 2


def test_a_fault_in_a_drawing_stands_at_its_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StonehandError, match=r"^a\.svg:3:3: error: <script> is not allowed"):
        loaded(tmp_path, "a.svg", drawing("\n<g/>\n  <script/>"))


def test_a_drawing_larger_than_10_mb_is_refused():
    with pytest.raises(StonehandError, match="SVG has more than 10 MB"):
        svg.read(drawing(" " * 10_000_001), "a.svg")


def test_the_gate_passes_what_editors_write():
    body = (
        '<defs><linearGradient id="g"><stop offset="1"/></linearGradient></defs>'
        '<metadata><x:RDF xmlns:x="urn:x" x:resource="http://example.org"/></metadata>'
        '<style>.a{fill:url(#g);clip-path:url("#c")}</style><clipPath id="c"><rect/></clipPath>'
        '<g transform="matrix(6.1e-17,1,-1,6.1e-17,0,0)"><path class="a" d="M0 0h9v9z"/></g>'
        '<a href="#top"/><use href="#nowhere"/><filter id="f"/>' + '<path class="a"/>' * 20_000
    )
    assert svg.read(drawing(body), "a.svg").aspect == 1.5


def test_drawings_are_converted_in_one_go_and_the_same_one_once(tmp_path, monkeypatch):
    calls = []
    compiled = draw._compiled
    monkeypatch.setattr(draw, "_compiled", lambda all_: calls.append(len(all_)) or compiled(all_))
    library = ArtLibrary()
    arts = [library.load(p, Text(p.name, AT)) for p in sorted(SHIPPED.rglob("*.svg"))]
    (tmp_path / "again.svg").write_bytes(next(SHIPPED.rglob("star.svg")).read_bytes())
    arts.append(library.load(tmp_path / "again.svg", Text("again.svg", AT)))
    sheet = Sheet(library)
    for art in arts:
        sheet.art.xobject(art)
    assert calls == [len(arts) - 1]
    assert len({art.key for art in arts}) == len(arts) - 1


def test_every_shipped_drawing_passes():
    library = ArtLibrary()
    for path in SHIPPED.rglob("*.svg"):
        library.load(path, Text(path.name, AT))
    library.convert()


def test_drawings_that_fail_are_all_told(tmp_path, monkeypatch):
    def fails(drawings):
        if any(b"bad" in d.source for d in drawings):
            raise ValueError("sorry")
        return b""

    monkeypatch.setattr(draw, "_compiled", fails)
    monkeypatch.chdir(tmp_path)
    library = ArtLibrary()
    for name, body in {"a": "<bad/>", "b": "<g/>", "c": "<bad x='1'/>"}.items():
        path = tmp_path / f"{name}.svg"
        path.write_bytes(drawing(body))
        library.load(path, Text(path.name, AT))
    with pytest.raises(StonehandError) as raised:
        library.convert()
    assert [str(p) for p in raised.value.problems] == [
        "a.svg: error: SVG can't be drawn: sorry (export it as plain SVG, or as PDF)",
        "c.svg: error: SVG can't be drawn: sorry (export it as plain SVG, or as PDF)",
    ]


def test_a_drawing_brings_no_colour_profiles_along(tmp_path):
    gradient = '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-opacity=".2"/>'
    body = gradient + '</linearGradient><rect width="48" height="32" fill="url(#g)" opacity=".5"/>'
    library, art = loaded(tmp_path, "a.svg", drawing(body))
    with pikepdf.open(io.BytesIO(Sheet(library).bytes(art))) as pdf:
        assert not [o for o in pdf.objects if "ICCBased" in repr(o)]


# --- tint ------------------------------------------------------------------------------------


def has_only(image, colour):
    """Whether every pixel lies on the line from white to the colour, and some reach it."""
    reached = False
    for pixel in image.get_flattened_data():
        ink = max((255 - p) / (255 - c) for p, c in zip(pixel, colour, strict=True))
        if not near(pixel, [255 - ink * (255 - c) for c in colour], 4):
            return False
        reached |= near(pixel, colour, 3)
    return reached


TINT = (0x12, 0x80, 0x40)
DRAWN = {
    "flat": '<path fill="red" stroke="blue" stroke-width="3" d="M4 4h30v20z"/>',
    "default black": '<path d="M4 4h30v20z"/>',
    "gradient": '<linearGradient id="g"><stop stop-color="red"/><stop offset="1"/></linearGradient>'
    '<path fill="url(#g)" d="M4 4h30v20z"/>',
    "fading gradient": '<linearGradient id="g"><stop stop-color="red"/>'
    '<stop offset="1" stop-opacity=".2"/></linearGradient><path fill="url(#g)" d="M4 4h30v20H4z"/>',
    "pattern": '<pattern id="p" width="4" height="4" patternUnits="userSpaceOnUse">'
    '<rect width="2" height="2" fill="red"/></pattern><path fill="url(#p)" d="M4 4h30v20z"/>',
    "groups": '<g opacity=".5"><path fill="red" d="M4 4h30v20z"/>'
    '<g opacity=".9"><path fill="#00f" d="M20 4h9v9z"/></g></g><path fill="lime" d="M0 0h5v5z"/>',
    "mask": '<mask id="m"><rect width="48" height="32" fill="#fff"/></mask>'
    '<g mask="url(#m)"><path fill="red" d="M4 4h30v20z"/></g>',
}


@pytest.mark.parametrize("kind", DRAWN)
def test_a_tint_is_the_only_colour_of_a_drawing(tmp_path, kind):
    library, art = loaded(tmp_path, "a.svg", drawing(DRAWN[kind]))
    assert has_only(Sheet(library).seen(art, "#128040"), TINT)


def test_tints_share_one_shape_and_the_untinted_stays(tmp_path):
    library, art = loaded(tmp_path, "a.svg", svg_quarters())
    sheet = Sheet(library)
    one, _ = sheet.art.xobject(art, "#FF0000")
    two, _ = sheet.art.xobject(art, "#0000ff")
    assert sheet.art.xobject(art, "#ff0000")[0] is one
    shape = [made.Resources.XObject["/Shape"].objgen for made in (one, two)]
    assert shape[0] == shape[1]
    image = sheet.seen(art)
    assert all(near(colour_at(image, *at), c, 1) for at, c in QUARTERS.items())


def test_a_shading_operator_becomes_the_flat_colour(tmp_path):
    data = pdf_art(paint=b"q 10 10 20 20 re W n /S sh Q", shading=True)
    library, art = loaded(tmp_path, "a.pdf", data)
    assert has_only(Sheet(library).seen(art, "#128040"), TINT)


def test_a_picture_with_transparency_is_tinted_by_its_shape(tmp_path):
    library, art = loaded(tmp_path, "a.png", as_bytes(half_clear("RGBA"), "PNG"))
    assert art.tintable
    seen = Sheet(library).seen(art, "#128040")
    assert has_only(seen, TINT)
    assert colour_at(seen, 0.2, 0.5) == (255, 255, 255)


def test_a_picture_without_a_shape_is_not_tinted(tmp_path):
    library, art = loaded(tmp_path, "a.jpg", as_bytes(quarters(), "JPEG"))
    with pytest.raises(
        StonehandError, match=f"^{AT}: error: picture 'a.jpg' has no shape, and can't"
    ):
        Sheet(library).bytes(art, "#128040")


# --- PDF -------------------------------------------------------------------------------------


def pdf_art(paint=None, pages=1, shading=False, change=None, **options):
    """A PDF of 48 x 32 pt with the four quarters."""
    pdf = pikepdf.new()
    if paint is None:
        rects = (
            f"{c[0] / 255} {c[1] / 255} {c[2] / 255} rg "
            f"{(x - 0.25) * 48} {(0.75 - y) * 32} 24 16 re f"
            for (x, y), c in QUARTERS.items()
        )
        paint = "\n".join(rects).encode()
    for _ in range(pages):
        page = pdf.add_blank_page(page_size=(48, 32))
        half = len(paint) // 2 if b"\n" in paint else 0
        cut = paint.find(b"\n", half) if half else len(paint)
        parts = [pdf.make_stream(paint[:cut]), pdf.make_stream(paint[cut:])]
        page.obj.Contents = pikepdf.Array(parts)
        if shading:
            function = pikepdf.Dictionary(
                FunctionType=2, Domain=[0, 1], C0=[1, 0, 0], C1=[0, 0, 1], N=1
            )
            shades = pikepdf.Dictionary(
                ShadingType=2,
                ColorSpace=pikepdf.Name.DeviceRGB,
                Coords=[0, 0, 48, 0],
                Function=function,
            )
            page.obj.Resources = pikepdf.Dictionary(Shading=pikepdf.Dictionary(S=shades))
    if change:
        change(pdf)
    file = io.BytesIO()
    pdf.save(file, **options)
    return file.getvalue()


def set_box(box, name="/CropBox"):
    def change(pdf):
        pdf.pages[0].obj[name] = pikepdf.Array(box)

    return change


def test_a_page_of_a_pdf_is_art(tmp_path):
    library, art = loaded(tmp_path, "a.pdf", pdf_art())
    assert (art.width, art.height) == pytest.approx((48 * 25.4 / 72, 32 * 25.4 / 72))
    assert shows_quarters(art, 1, library)


@pytest.mark.parametrize(("turn", "quarter"), [(90, 6), (180, 3), (270, 8), (-90, 8)])
def test_a_turned_page_is_seen_turned(tmp_path, turn, quarter):
    def change(pdf):
        pdf.pages[0].obj.Rotate = turn

    library, art = loaded(tmp_path, "a.pdf", pdf_art(change=change))
    turned = {
        6: Image.Transpose.ROTATE_270,
        3: Image.Transpose.ROTATE_180,
        8: Image.Transpose.ROTATE_90,
    }
    wanted = quarters().transpose(turned[quarter])
    assert art.aspect == pytest.approx(wanted.width / wanted.height)
    seen = Sheet(library).seen(art)
    assert all(near(colour_at(seen, *at), colour_at(wanted, *at)) for at in QUARTERS)


def test_the_crop_box_is_what_shows(tmp_path):
    library, art = loaded(tmp_path, "a.pdf", pdf_art(change=set_box([24, 16, 400, 32])))
    assert art.aspect == pytest.approx(24 / 16)
    assert near(colour_at(Sheet(library).seen(art), 0.1, 0.9), GREEN, 1)


def test_user_units_count(tmp_path):
    def change(pdf):
        pdf.pages[0].obj.UserUnit = 2

    assert loaded(tmp_path, "a.pdf", pdf_art(change=change))[1].width == pytest.approx(
        48 * 25.4 / 36
    )


def test_pages_by_number(tmp_path):
    def change(pdf):
        pdf.pages[1].obj.Contents = pdf.make_stream(b"1 0 0 rg 0 0 48 32 re f")

    library, second = loaded(tmp_path, "a.pdf", pdf_art(pages=2, change=change), page=2)
    first = library.load(tmp_path / "a.pdf", Text("a.pdf", AT))
    assert first.key != second.key
    assert colour_at(Sheet(library).seen(second), 0.9, 0.9) == (255, 0, 0)
    with pytest.raises(StonehandError, match=r"'a\.pdf' has no page 3 \(it has pages 1 to 2\)"):
        library.load(tmp_path / "a.pdf", Text("a.pdf", AT), 3)


def test_a_page_among_thousands(tmp_path):
    pdf = pikepdf.new()
    for number in range(3_000):
        pdf.add_blank_page(page_size=(48, 32 if number == 2_998 else 16))
    pdf.save(tmp_path / "a.pdf")
    began = time.process_time()
    art = ArtLibrary().load(tmp_path / "a.pdf", Text("a.pdf", AT), 2_999)
    assert art.aspect == pytest.approx(1.5)
    assert time.process_time() - began < 1


def test_active_parts_stay_behind(tmp_path):
    def change(pdf):
        script = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")
        note = pikepdf.Dictionary(Subtype=pikepdf.Name.Link, Rect=[0, 0, 9, 9], A=script)
        pdf.pages[0].obj.Annots = pikepdf.Array([note])
        pdf.pages[0].obj.AA = pikepdf.Dictionary(O=script)
        pdf.Root.OpenAction = script
        pdf.attachments["x.txt"] = b"hello"

    library, art = loaded(tmp_path, "a.pdf", pdf_art(change=change))
    with pikepdf.open(io.BytesIO(Sheet(library).bytes(art))) as pdf:
        told = "".join(repr(o) for o in pdf.objects)
    assert not [word for word in ("JavaScript", "Annots", "EmbeddedFile", "AA") if word in told]


def packed(size):
    """A PDF whose content unpacks to `size` bytes."""

    def change(pdf):
        stream = pdf.make_stream(b"")
        stream.write(zlib.compress(bytes(size)), filter=pikepdf.Name.FlateDecode)
        pdf.pages[0].obj.Contents = stream

    return pdf_art(change=change)


@cache
def bad_pdfs():
    locked = pikepdf.Encryption(owner="a", user="b")
    open_ = pikepdf.Encryption(owner="a", user="")
    good = pdf_art()
    return {
        "cut": (good[: len(good) // 2], "is damaged"),
        "without its end": (good[:-30], "is damaged"),
        "wrong offsets": (
            good.replace(b"%PDF-1", b"% %PDF-1", 1).replace(b"obj", b" obj", 3),
            "is damaged",
        ),
        "locked": (pdf_art(encryption=locked), "is password protected"),
        "locked with no password": (pdf_art(encryption=open_), "is password protected"),
        "no pages": (pdf_art(pages=0), "has no pages"),
        "no content after all": (b"%PDF-1.7\n", "is damaged"),
        "endless": (packed(120_000_000), "is damaged"),
        "no size": (
            pdf_art(change=set_box([0, 0, 0, 0], "/MediaBox")),
            "has no usable size (0 x 0 mm)",
        ),
        "turned oddly": (
            pdf_art(change=lambda p: setattr(p.pages[0].obj, "Rotate", 45)),
            "is damaged",
        ),
    }


@pytest.mark.parametrize("kind", bad_pdfs())
def test_a_bad_pdf_is_a_fault(tmp_path, kind):
    data, said = bad_pdfs()[kind]
    with pytest.raises(StonehandError) as raised:
        loaded(tmp_path, "a.pdf", data)
    (problem,) = raised.value.problems
    assert (problem.location, problem.message) == (AT, f"'a.pdf' {said}")


def test_only_pdf_files_have_pages(tmp_path):
    with pytest.raises(StonehandError, match="has no page 2"):
        loaded(tmp_path, "a.png", as_bytes(quarters(), "PNG"), page=2)


def test_forms_in_a_circle_end(tmp_path):
    def change(pdf):
        form = pdf.make_stream(b"1 0 0 rg 0 0 9 9 re f /X Do", Subtype=pikepdf.Name.Form)
        form.BBox, form.Type = pikepdf.Array([0, 0, 9, 9]), pikepdf.Name.XObject
        form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=form))
        pdf.pages[0].obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=form))

    library, art = loaded(tmp_path, "a.pdf", pdf_art(paint=b"/X Do", change=change))
    Sheet(library).bytes(art, "#128040")


# --- any bytes at all ------------------------------------------------------------------------

BASES = {
    "a.png": as_bytes(quarters(), "PNG"),
    "b.png": as_bytes(half_clear("RGBA"), "PNG"),
    "a.jpg": as_bytes(
        quarters(), "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\1\3\0\1\0\0\0\6\0\0\0"
    ),
    "b.jpg": as_bytes(quarters().convert("CMYK"), "JPEG", progressive=True),
    "a.gif": as_bytes(quarters(), "GIF"),
    "a.webp": as_bytes(quarters(), "WEBP"),
    "a.tif": as_bytes(quarters(), "TIFF", compression="tiff_lzw"),
    "a.svg": drawing("".join(DRAWN.values())),
    "a.pdf": pdf_art(),
}


def checksummed(data):
    """Make the checksums of a PNG right again, so that the faults are met further in."""
    out, at = bytearray(data), 8
    while at + 12 <= len(out):
        size = int.from_bytes(out[at : at + 4])
        if at + 12 + size > len(out):
            break
        crc = zlib.crc32(out[at + 4 : at + 8 + size])
        out[at + 8 + size : at + 12 + size] = crc.to_bytes(4)
        at += 12 + size
    return bytes(out)


@pytest.mark.parametrize("name", BASES)
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    edits=st.lists(st.tuples(st.integers(0, 5000), st.binary(min_size=1, max_size=4)), max_size=6),
    cut=st.one_of(st.none(), st.integers(0, 5000)),
    right=st.booleans(),
)
def test_no_file_raises_anything_but_its_faults(tmp_path, name, edits, cut, right):
    data = bytearray(BASES[name])
    for place, change in edits:
        at = place % len(data)
        data[at : at + len(change)] = change
    data = bytes(data[: cut % len(data)] if cut is not None else data)
    if right and name.endswith(".png"):
        data = checksummed(data)
    try:
        library, art = loaded(tmp_path, name, data)
        sheet = Sheet(library)
        sheet.art.xobject(art)
        if art.tintable:
            sheet.art.xobject(art, "#123456")
    except StonehandError as error:
        assert error.problems


SVG_PIECES = """
<g id="a">
<g id="b" href="#a">
<use href="#a"/>
<use href="#b"/>
<mask id="a" mask="url(#b)">
<image href="data:image/png;base64,AAAA"/>
<path class="a b" d="M0 0h1"/>
<path d="M1e9"/>
<g transform="scale(1e400)">
<g transform="matrix(0 0)"/>
<g style="fill:url( #a );x">
<svg width="1e999" height="nan"/>
<svg viewBox="0 0 1e-400 1e400"/>
<style>
.a{d:1}
*{mask:url(#a)}
}{ {{
/*
*/
</style>
</g>
</mask>
<a:b xmlns:a="c"
onclick=""
>
<!--
-->
<![CDATA[
]]>
&amp; &#0;
&x;
"""


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from(SVG_PIECES.split("\n")), max_size=12).map("\n".join),
    st.sampled_from(["<svg>", "<svg ", drawing("").decode().removesuffix("</svg>")]),
)
def test_any_drawing_passes_the_gate_or_is_refused_at_a_place(pieces, begin):
    try:
        art = svg.read(f"{begin}\n{pieces}</svg>".encode(), "a.svg")
    except StonehandError as error:
        assert all(str(problem).startswith("a.svg:") for problem in error.problems)
    else:
        assert 0 < art.aspect < 1e6


def test_importing_art_loads_no_heavy_module():
    script = (
        "import sys, stonehand.art.embed, stonehand.art.library\n"
        "print(*({'PIL', 'pikepdf', 'typst', 'pypdfium2'} & sys.modules.keys()))"
    )
    run = [sys.executable, "-c", script]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip() == ""


def test_a_key_is_the_hash_of_the_content():
    data = as_bytes(quarters(), "PNG")
    assert read(data).key == hashlib.sha256(data).hexdigest()
