"""`stonehand inspect`: facts of PDF files and what is found in them, ours and others'."""

import json
import re
import subprocess
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from click.testing import CliRunner, Result
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from PIL import Image

from stonehand.card_sheets import build_cards
from stonehand.cards.deck import LoadedGame
from stonehand.cli.inspect_command import command
from stonehand.inspection.facts import PAGE_LIMIT, PdfFacts, read_facts
from stonehand.inspection.home import Standard, pages_told
from stonehand.inspection.inspect import inspect
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.rulebooks import build_rules
from stonehand.source.codes import CODES, PDF
from stonehand.source.problems import Problems, StonehandError
from stonehand.source.text import Text

MM = 72 / 25.4
A4 = (210 * MM, 297 * MM)
PRESS_PROFILE = b"\0\0\0\x80test\x02\x10\0\0prtrCMYKLab " + bytes(104)

Change = Callable[[Pdf], None]


class Made:
    """Makes files in a folder: one that is as it should be, changed by what a test asks."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "made.pdf"

    def home(self, content: bytes = b"", change: Change = lambda _: None, pages: int = 1) -> Path:
        pdf = Pdf.new()
        for _ in range(pages):
            pdf.add_blank_page(page_size=A4)
        pdf.Root.Lang = String("en")
        pdf.Root.MarkInfo = Dictionary(Marked=True)
        pdf.Root.StructTreeRoot = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
        pdf.trailer.Info = pdf.make_indirect(Dictionary(Title=String("A deck")))
        pdf.pages[0].obj.Contents = pdf.make_stream(content)
        change(pdf)
        pdf.save(self.path)
        return self.path

    def press(self, content: bytes = b"", change: Change = lambda _: None, **saved: Any) -> Path:
        """Make a PDF/X-1a:2003 of one page with 3 mm of bleed."""
        pdf = Pdf.new()
        page = pdf.add_blank_page(page_size=A4).obj
        page.BleedBox = Array([0, 0, *A4])
        page.TrimBox = Array([3 * MM, 3 * MM, A4[0] - 3 * MM, A4[1] - 3 * MM])
        page.Contents = pdf.make_stream(content)
        pdf.trailer.Info = pdf.make_indirect(
            Dictionary(
                Title=String("A deck"),
                CreationDate=String("D:20250101000000Z"),
                ModDate=String("D:20250101000000Z"),
                Trapped=Name("/False"),
                GTS_PDFXVersion=String("PDF/X-1a:2003"),
            )
        )
        profile = pdf.make_stream(PRESS_PROFILE)
        profile.N = 4
        intent = Dictionary(
            Type=Name.OutputIntent,
            S=Name.GTS_PDFX,
            OutputConditionIdentifier=String("FOGRA39"),
            RegistryName=String("http://www.color.org"),
            DestOutputProfile=profile,
        )
        pdf.Root.OutputIntents = Array([intent])
        change(pdf)
        plain = {
            "object_stream_mode": pikepdf.ObjectStreamMode.disable,
            "compress_streams": False,
            "stream_decode_level": pikepdf.StreamDecodeLevel.none,  # else LZW is packed anew
            "force_version": "1.4",
        }
        pdf.save(self.path, **(plain | saved))
        return self.path


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


def found(path: Path, standard: Standard = "home", ink: float = 300) -> list[tuple[str, str]]:
    """Return the codes and messages of what is found."""
    problems = Problems()
    inspect(path, standard, ink, problems)
    return [(problem.code, problem.message) for problem in problems]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def resources(**named: Any) -> Change:
    """Return what gives the first page resources: `XObject={"/I": ...}`."""

    def change(pdf: Pdf) -> None:
        pdf.pages[0].obj.Resources = Dictionary(
            {f"/{kind}": Dictionary(things) for kind, things in named.items()}
        )

    return change


def image(
    pdf: Pdf, width: int, height: int, space: Any = Name.DeviceGray, data: bytes = b""
) -> Any:
    made = pdf.make_stream(data)
    made.Subtype, made.Width, made.Height = Name.Image, width, height
    made.BitsPerComponent, made.ColorSpace = 8, space
    return made


def form(pdf: Pdf, content: bytes, **fields: Any) -> Any:
    made = pdf.make_stream(content)
    made.Subtype, made.BBox = Name.Form, Array([0, 0, 1000, 1000])
    for key, value in fields.items():
        made[f"/{key}"] = value
    return made


# --- files as they should be


def test_a_sound_file_has_no_findings(made: Made) -> None:
    assert found(made.home(b"0 0 1 rg 1 w 0 0 9 9 re B")) == []


def test_a_sound_press_file_has_no_findings(made: Made) -> None:
    path = made.press(b"1 0 0 0 k 1 w 0 0 9 9 re f 0 0 9 9 re S")
    assert found(path, "x-1a") == []


def test_pages_are_told_as_people_write_them() -> None:
    assert pages_told([3]) == "page 3"
    assert pages_told([1, 2]) == "pages 1-2"
    assert pages_told([12, *range(1, 10), 2000]) == "pages 1-9, 12, 2,000"


# --- one fault each


def helvetica(pdf: Pdf) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    resources(Font={"/F": font})(pdf)


def opaque(**fields: Any) -> Change:
    return resources(ExtGState={"/G": Dictionary(**fields)})


def second_size(pdf: Pdf) -> None:
    pdf.add_blank_page(page_size=(200, 200))


def trim_beyond_bleed(pdf: Pdf) -> None:
    pdf.pages[0].obj.BleedBox = Array([20, 20, 400, 400])
    pdf.pages[0].obj.TrimBox = Array([19, 20, 400, 400])


def no_text(pdf: Pdf) -> None:
    descriptor = Dictionary(Flags=4, FontFile2=pdf.make_stream(b""))
    inner = Dictionary(Subtype=Name.CIDFontType2, FontDescriptor=descriptor)
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name("/ABCDEF+Kai"),
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([inner]),
    )
    resources(Font={"/F": font})(pdf)


def script(pdf: Pdf) -> None:
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))


def attachment(pdf: Pdf) -> None:
    names = Array([String("a"), Dictionary()])
    pdf.Root.Names = Dictionary(EmbeddedFiles=Dictionary(Kids=Array([Dictionary(Names=names)])))


def field(pdf: Pdf) -> None:
    pdf.Root.AcroForm = Dictionary(Fields=Array([Dictionary()]))


def link(pdf: Pdf) -> None:
    note = Dictionary(Subtype=Name.Link, Rect=Array([50, 50, 90, 90]), A=Dictionary(S=Name.URI))
    pdf.pages[0].obj.Annots = Array([note])


def coarse(pdf: Pdf) -> None:
    resources(XObject={"/I": image(pdf, 150, 300)})(pdf)


def dropped(*keys: str) -> Change:
    def change(pdf: Pdf) -> None:
        for key in keys:
            place: Any = pdf.Root if key in pdf.Root else pdf.trailer.Info
            del place[key]

    return change


INCH = b"q 72 0 0 72 0 0 cm /I Do Q"

HOME = [
    (b"BT /F 9 Tf (a) Tj ET", helvetica, "pdf-font: font 'Helvetica' is not embedded, page 1"),
    (b"BT /F 9 Tf <0001> Tj ET", no_text, "pdf-lost-text: what is set in 'ABCDEF+Kai' can't be s"),
    (b"", trim_beyond_bleed, "pdf-boxes: the trim box reaches out of the bleed box, page 1"),
    (b"", second_size, "pdf-page-sizes: pages have 2 sizes: 210 x 297 mm (page 1); 70.6 x 70.6 mm"),
    (INCH, coarse, "pdf-coarse-image: an image of 150 x 300 pixels has 150 dpi, page 1"),
    (b"q 43.2 0 0 43.2 0 0 cm /I Do Q", coarse, "pdf-soft-image: an image of 150 x 300 pixels has"),
    (b"0.2 w 0 0 9 9 re S", None, "pdf-fine-line: lines down to 0.2 pt, page 1"),
    (b"0 w 0 0 9 9 re S", None, "pdf-fine-line: lines down to as thin as the printer can, page 1"),
    (b"/G gs 0 0 9 9 re f", opaque(ca=0.5), "pdf-transparency: opacity 50 %, page 1"),
    (b"/G gs 0 0 9 9 re f", opaque(BM=Name.Multiply), "pdf-transparency: blend mode Multiply, pa"),
    (b"/G gs 0 0 9 9 re f", opaque(SMask=Dictionary()), "pdf-transparency: soft mask, page 1"),
    (b"/G gs 1 g 0 0 9 9 re f", opaque(op=True), "pdf-white-overprint: white overprints, page 1"),
    (b"", script, "pdf-active: the file has JavaScript"),
    (b"", attachment, "pdf-active: the file has attachments"),
    (b"", field, "pdf-active: the file has form fields"),
    (b"0 0 0 1 k 0 0 9 9 re f", None, "pdf-press-colours: colours of a press (DeviceCMYK), page 1"),
    (b"", dropped("/Title"), "pdf-title: the file has no title"),
    (b"", dropped("/Lang"), "pdf-language: the file does not say in which language it is"),
    (b"", dropped("/MarkInfo"), "pdf-untagged: the file has no tags"),
    (b"1 w /Nothing Do", None, "pdf-broken-page: content that can't be read: page 1"),
]


@pytest.mark.parametrize(("content", "change", "wanted"), HOME, ids=[h[2][:24] for h in HOME])
def test_a_fault_is_found(made: Made, content: bytes, change: Change | None, wanted: str) -> None:
    code, _, message = wanted.partition(": ")
    ((its_code, its_message),) = found(made.home(content, change or (lambda _: None)))
    assert its_code == code
    assert its_message.startswith(message)


def lab(pdf: Pdf) -> None:
    resources(ColorSpace={"/C": Array([Name.Lab, Dictionary()])})(pdf)


def spot_by_rgb(pdf: Pdf) -> None:
    spot = Array([Name.Separation, Name.CutContour, Name.DeviceRGB, Dictionary()])
    resources(ColorSpace={"/C": spot})(pdf)


def group(pdf: Pdf) -> None:
    pdf.pages[0].obj.Group = Dictionary(S=Name.Transparency)


def packed(filter_: Name) -> Change:
    def change(pdf: Pdf) -> None:
        made = image(pdf, 300, 300)
        made.write(b"data", filter=filter_)
        resources(XObject={"/I": made})(pdf)

    return change


def less_bleed(pdf: Pdf) -> None:
    pdf.pages[0].obj.BleedBox = Array([1 * MM, 1 * MM, A4[0] - 1 * MM, A4[1] - 1 * MM])


def no_trim(pdf: Pdf) -> None:
    del pdf.pages[0].obj.TrimBox


def wrong_profile(pdf: Pdf) -> None:
    pdf.Root.OutputIntents[0].DestOutputProfile.write(PRESS_PROFILE.replace(b"prtr", b"mntr"))


def layers(pdf: Pdf) -> None:
    pdf.Root.OCProperties = Dictionary()


def embedded_arial(pdf: Pdf) -> None:
    descriptor = Dictionary(Flags=32, FontFile2=pdf.make_stream(b""))
    font = Dictionary(
        Subtype=Name.TrueType,
        BaseFont=Name.Arial,
        Encoding=Name.WinAnsiEncoding,
        FontDescriptor=descriptor,
    )
    resources(Font={"/F": font})(pdf)


FILL = b" 0 0 9 9 re f"
PRESS = [
    (b"", dropped("/GTS_PDFXVersion"), "pdf-x-name: the file does not say that it is PDF/X-1a"),
    (b"", dropped("/Trapped"), "pdf-x-trapped: the file does not say whether it is trapped"),
    (b"", dropped("/ModDate"), "pdf-x-metadata: the file lacks a date of change"),
    (b"", dropped("/OutputIntents"), "pdf-x-intent: no output intent of PDF/X"),
    (b"", wrong_profile, "pdf-x-intent: the profile of the output intent is not one of a printer"),
    (b"", no_trim, "pdf-x-boxes: no trim box, page 1"),
    (b"", less_bleed, "pdf-x-bleed: the bleed is only 2 mm, page 1"),
    (b"", helvetica, "pdf-x-font: font 'Helvetica' is listed and not embedded"),
    (b"1 0 0 rg" + FILL, None, "pdf-x-colour: colours in DeviceRGB, page 1"),
    (b"/C cs 9 9 9 sc" + FILL, lab, "pdf-x-colour: colours in Lab, page 1"),
    (b"/C cs 1 sc" + FILL, spot_by_rgb, "pdf-x-colour: colours in DeviceRGB, page 1"),
    (b"1 1 1 1 k" + FILL, None, "pdf-ink: colours take up to 400 % of ink, page 1"),
    (b"/G gs 0 0 0 0 k" + FILL, opaque(OP=True), "pdf-white-overprint: white overprints, page 1"),
    (b"0.2 w 0 0 9 9 re S", None, "pdf-thin-line: lines down to 0.2 pt, page 1"),
    (b"", group, "pdf-x-transparency: transparency group, page 1"),
    (INCH, packed(Name.LZWDecode), "pdf-x-filter: content is packed as LZWDecode, page 1"),
    (INCH, packed(Name.JPXDecode), "pdf-x-filter: content is packed as JPXDecode, page 1"),
    (b"/G gs", opaque(TR=Dictionary()), "pdf-x-foreign: transfer curve, page 1"),
    (b"", link, "pdf-x-annotation: notes or links lie where the page is printed, page 1"),
    (b"", script, "pdf-x-active: the file has JavaScript"),
    (b"", layers, "pdf-x-layers: the file has layers"),
    (
        b"BT 1 0 0 .5 k /F 7 Tf (a) Tj ET",
        embedded_arial,
        "pdf-x-small-type: type of 7 pt is printed in several inks, page 1",
    ),
]


@pytest.mark.parametrize(("content", "change", "wanted"), PRESS, ids=[p[2][:26] for p in PRESS])
def test_a_fault_of_a_press_file_is_found(
    made: Made, content: bytes, change: Change | None, wanted: str
) -> None:
    code, _, message = wanted.partition(": ")
    ((its_code, its_message),) = found(made.press(content, change or (lambda _: None)), "x-1a")
    assert its_code == code
    assert its_message.startswith(message)


def test_the_version_and_packing_of_a_press_file_are_checked(made: Made) -> None:
    packed = pikepdf.ObjectStreamMode.generate
    path = made.press(object_stream_mode=packed, force_version="1.7")
    assert [code for code, _ in found(path, "x-1a")] == ["pdf-x-version", "pdf-x-packed"]


def test_a_press_file_without_an_id_is_told(made: Made) -> None:
    path = made.press()
    path.write_bytes(re.sub(rb"/ID \[.*?\]", lambda m: b" " * len(m[0]), path.read_bytes()))
    assert [code for code, _ in found(path, "x-1a")] == ["pdf-x-id"]


def test_pages_on_their_side_have_the_same_size(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        pdf.add_blank_page(page_size=A4[::-1])

    assert found(made.home(change=change)) == []


def test_a_file_is_held_to_what_it_claims(made: Made) -> None:
    assert ("pdf-x-colour", "colours in DeviceRGB, page 1") in found(made.press(b"1 0 0 rg" + FILL))


def test_a_claim_that_is_not_checked_is_told(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        pdf.trailer.Info.GTS_PDFXVersion = String("PDF/X-3:2002")

    assert found(made.home(change=change)) == [
        ("pdf-claim", "the file says it is PDF/X-3:2002, which is not checked")
    ]


def test_x_4_is_claimed_in_xmp_and_takes_transparency_and_profiles(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        profile = pdf.make_stream(b"", N=3)
        resources(ColorSpace={"/C": Array([Name.ICCBased, profile])})(pdf)
        pdf.pages[0].obj.Resources.ExtGState = Dictionary({"/G": Dictionary(ca=0.5)})
        del pdf.trailer.Info.GTS_PDFXVersion
        pdf.Root.Metadata = pdf.make_stream(
            b'<x:xmpmeta xmlns:x="adobe:ns:meta/">'
            b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
            b'<rdf:Description rdf:about="" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">'
            b"<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>"
            b"</rdf:Description></rdf:RDF></x:xmpmeta>"
        )

    content = b"/G gs /C cs 1 0 0 sc" + FILL
    assert found(made.press(content, change), "x-4") == []
    codes = [code for code, _ in found(made.press(content + b" 1 0 0 rg" + FILL, change), "x-4")]
    assert codes == ["pdf-x-colour"]


def test_encryption_without_a_password_is_told(made: Made) -> None:
    path = made.home()
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.save(path, encryption=pikepdf.Encryption(owner="secret", user=""))
    assert found(path) == [("pdf-active", "the file is encrypted")]
    codes = {code for code, _ in found(path, "x-1a")}
    assert "pdf-x-active" in codes


def test_every_code_has_a_test_here() -> None:
    tested = {wanted.partition(":")[0] for _, _, wanted in (*HOME, *PRESS)}
    elsewhere = {"pdf-damaged", "pdf-unread", "pdf-claim", "pdf-large-page"}
    elsewhere |= {"pdf-x-version", "pdf-x-packed", "pdf-x-id"}
    assert tested | elsewhere == {code.name for code in PDF}


# --- facts of what is painted


def facts(path: Path) -> PdfFacts:
    return read_facts(path)


def test_dots_per_inch_hold_in_nested_turned_and_scaled_forms(made: Made) -> None:
    """300 pixels on 2 x 0.5 x 72 pt = 1 inch, turned by 30 degrees; the form is doubled."""

    def change(pdf: Pdf) -> None:
        inner = form(
            pdf,
            b"q 62.3538 36 -36 62.3538 5 5 cm /I Do Q",  # 72 pt at 30 degrees
            Matrix=Array([0.5, 0, 0, 0.5, 0, 0]),
            Resources=Dictionary(XObject=Dictionary({"/I": image(pdf, 300, 450)})),
        )
        outer = form(
            pdf,
            b"q 0 2 -2 0 0 0 cm /B Do Q",
            Resources=Dictionary(XObject=Dictionary({"/B": inner})),
        )
        resources(XObject={"/A": outer})(pdf)

    path = made.home(b"/A Do q 0.5 0 0 0.5 0 0 cm /A Do Q", change)
    (only,) = facts(path).images
    assert only.dpi == pytest.approx(300, abs=0.01)
    path = made.home(b"q 3 0 0 3 0 0 cm /A Do Q /A Do", change)
    assert facts(path).images[0].dpi == pytest.approx(100, abs=0.01)


def test_lines_are_as_wide_as_they_are_printed(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        pdf.pages[0].obj.UserUnit = 2
        resources(XObject={"/A": form(pdf, b"0 0 m 9 9 l S")})(pdf)

    path = made.home(b"4 w q .1 0 0 .5 0 0 cm 0 0 m 9 9 l S Q q .25 0 0 .25 0 0 cm /A Do Q", change)
    assert list(facts(path).lines) == [pytest.approx(0.8), pytest.approx(2.0)]


def test_forms_paint_in_the_colours_they_inherit(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        resources(XObject={"/A": form(pdf, FILL)})(pdf)

    path = made.home(b"1 0 0 0 k /A Do .2 .2 .2 .2 k /A Do", change)
    assert sorted(colour.ink or 0 for colour in facts(path).colours) == pytest.approx([80, 100])


def test_patterns_and_palettes_are_followed(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        tile = form(pdf, b"0 1 1 0 k" + FILL, PatternType=1, PaintType=1)
        palette = Array([Name.Indexed, Name.DeviceCMYK, 1, String(b"\0\0\0\0\xff\xff\xff\x33")])
        resources(Pattern={"/P": tile}, ColorSpace={"/C": palette})(pdf)

    content = b"/Pattern cs /P scn" + FILL + b" /C cs 1 sc" + FILL
    told = {c.ink and round(c.ink) for c in facts(made.home(content, change)).colours}
    assert told == {None, 200, 320}


def test_type_is_as_large_as_it_is_printed(made: Made) -> None:
    content = b"BT /F 1 Tf 0 12 -6 0 9 9 Tm (a) Tj ET q .5 0 0 .5 0 0 cm BT /F 9 Tf (a) Tj ET Q"
    assert [size for size, _ in facts(made.home(content, helvetica)).texts] == [4.5, 6.0]


@pytest.mark.parametrize("packing", ["flate", "jpeg", "inline"])
def test_the_ink_of_an_image_is_that_of_its_fullest_pixel(made: Made, packing: str) -> None:
    rows = b"\0\0\0\xff" * 255 + b"\xff\xff\x80\0"  # 100 %, and once 250 %
    if packing == "inline":
        content = b"q 9 0 0 9 0 0 cm BI /W 4 /H 4 /CS /CMYK /BPC 8 ID " + rows[-64:] + b" EI Q"
        (only,) = facts(made.home(content)).images
    else:

        def change(pdf: Pdf) -> None:
            made = image(pdf, 16, 16, Name.DeviceCMYK, rows)
            if packing == "jpeg":
                data = BytesIO()
                plain = Image.new("CMYK", (16, 16), (255, 255, 128, 0))
                plain.save(data, "JPEG", quality=100)  # which Pillow stores turned over
                made.write(data.getvalue(), filter=Name.DCTDecode)
                made.Decode = Array([1, 0] * 4)
            resources(XObject={"/I": made})(pdf)

        (only,) = facts(made.home(b"1 0 0 1 0 0 cm /I Do", change)).images
    assert only.ink == pytest.approx(250, abs=1)


def test_images_with_too_much_ink_are_found(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        resources(XObject={"/I": image(pdf, 300, 1, Name.DeviceCMYK, b"\xff\xff\xff\0" * 300)})(pdf)

    path = made.press(INCH, change)
    assert found(path, "x-1a") == []
    message = "images take up to 300 % of ink, page 1"
    assert found(path, "x-1a", ink=240) == [("pdf-ink", message)]


# --- our own files, and what other programs say of them


@pytest.fixture(scope="module")
def oniroo_files(press: Press, oniroo: LoadedGame, tmp_path_factory: Any) -> list[Path]:
    """The sheets and rules of Oniroo in one language, which is all that is needed here."""
    folder = tmp_path_factory.mktemp("inspected")
    languages = press.languages_of(oniroo, (Text("en"),))
    with Staged() as staged:
        build_cards(press, oniroo, languages, folder, staged, lambda: None)
        build_rules(press, oniroo, languages, folder, staged)
    return [folder / "cards-en.pdf", folder / "rules-en.pdf"]


def test_our_files_are_fit_for_home(oniroo_files: list[Path]) -> None:
    for path in oniroo_files:
        problems = Problems()
        read = inspect(path, "home", 300, problems)
        assert {problem.severity for problem in problems} <= {"note"}
        assert {tuple(round(side, 2) for side in page.size) for page in read.pages} == {(210, 297)}
        assert all(font.embedded and font.extractable and font.pages for font in read.fonts)
        assert not read.broken
        compare_with_poppler(path, read)


def test_images_are_those_that_poppler_lists(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        resources(XObject={"/I": image(pdf, 200, 100, data=zlib.compress(bytes(20000)))})(pdf)
        pdf.pages[0].obj.Resources.XObject.I.Filter = Name.FlateDecode
        pdf.pages[0].obj.Rotate = 90
        pdf.pages[0].obj.CropBox = Array([10, 10, 300, 400])

    path = made.home(b"q 0 144 -36 0 50 50 cm /I Do Q", change)
    read = facts(path)
    compare_with_poppler(path, read)
    (only,) = read.images
    listed = poppler("pdfimages", "-list", path)[2].split()
    assert min(int(listed[12]), int(listed[13])) == only.dpi == 100
    assert read.pages[0].size == pytest.approx((390 / MM, 290 / MM))


def compare_with_poppler(path: Path, read: PdfFacts) -> None:
    info = dict(line.split(":", 1) for line in poppler("pdfinfo", "-box", path) if ":" in line)
    assert int(info["Pages"]) == read.page_count
    assert info["PDF version"].strip() == read.document.version
    assert info["Title"].strip() == read.document.title
    assert (info["Tagged"].strip() == "yes") == read.document.tagged
    first = read.pages[0]
    boxes = {"MediaBox": first.media, "CropBox": first.crop or first.media}
    boxes |= {
        "TrimBox": first.trim or boxes["CropBox"],
        "BleedBox": first.bleed or boxes["CropBox"],
    }
    for name, box in boxes.items():
        assert [float(side) / MM for side in info[name].split()] == pytest.approx(box, abs=0.01)
    listed = {line.split()[0]: line.split()[-5:-2] for line in poppler("pdffonts", path)[2:]}
    ours = {
        font.name: [{True: "yes", False: "no"}[flag] for flag in (font.embedded, font.subset)]
        for font in read.fonts
    }
    assert {name: flags[:2] for name, flags in listed.items()} == ours
    assert len({line.split()[10] for line in poppler("pdfimages", "-list", path)[2:]}) == len(
        read.images
    )


def poppler(*arguments: str | Path) -> list[str]:
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


# --- files that mean no good


def test_forms_that_paint_themselves_end(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        own = form(pdf, b"/A Do /A Do")
        own.Resources = Dictionary(XObject=Dictionary({"/A": own}))
        resources(XObject={"/A": own})(pdf)

    (only,) = found(made.home(b"/A Do", change))
    assert only == ("pdf-broken-page", "a form that paints itself, or forms too deep: page 1")


def test_forms_that_double_without_end_are_bounded(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stonehand.inspection.facts.STEP_LIMIT", 100_000)

    def change(pdf: Pdf) -> None:
        inner = form(pdf, b"0 0 m 9 9 l S")
        for _ in range(22):
            inner = form(
                pdf,
                b"q 1.01 0 0 1 0 0 cm /A Do Q q 1 0 .1 1.03 0 0 cm /A Do Q",
                Resources=Dictionary(XObject=Dictionary({"/A": inner})),
            )
        resources(XObject={"/A": inner})(pdf)

    assert [code for code, _ in found(made.home(b"/A Do", change))] == ["pdf-unread"]


def test_a_header_of_a_huge_image_costs_nothing(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        resources(XObject={"/I": image(pdf, 10**6, 10**6, Name.DeviceCMYK)})(pdf)

    (only,) = facts(made.home(b"9 0 0 9 0 0 cm /I Do", change)).images
    assert (only.width, only.ink) == (10**6, None)


def test_of_many_pages_the_first_are_looked_at(made: Made) -> None:
    problems = Problems()
    read = inspect(made.home(pages=10_000), "home", 300, problems)
    assert (read.page_count, len(read.pages)) == (10_000, PAGE_LIMIT)
    assert [problem.message for problem in problems] == ["too much to look at: pages 2,001-10,000"]


@pytest.mark.parametrize("content", [b"q\n" * 20_000_000, b"1 " * 2_000_000 + b"w"])
def test_content_that_would_take_too_much_memory_is_not_parsed(made: Made, content: bytes) -> None:
    def change(pdf: Pdf) -> None:
        pdf.pages[0].obj.Contents = Stream(pdf, zlib.compress(content, 1), Filter=Name.FlateDecode)

    assert found(made.home(change=change)) == [("pdf-unread", "too much to look at: page 1")]


def test_a_page_that_is_damaged_does_not_hide_the_others(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        broken = pdf.make_stream(b"not deflated")
        broken.write(b"not deflated", filter=Name.FlateDecode)
        pdf.pages[0].obj.Contents = broken
        pdf.pages[1].obj.Contents = pdf.make_stream(b"1 w 0 0 m 9 9 l S")

    path = made.home(change=change, pages=2)
    codes = dict(found(path))
    assert codes["pdf-broken-page"] == "content that can't be read: page 1"
    assert facts(path).lines == {1.0: (2,)}


@pytest.fixture
def bad(tmp_path: Path, made: Made) -> Iterator[Path]:
    whole = made.home().read_bytes()
    (tmp_path / "cut.pdf").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "head.pdf").write_bytes(b"%PDF-1.7\n")
    (tmp_path / "empty.pdf").write_bytes(b"")
    (tmp_path / "text.pdf").write_text("a letter")
    (tmp_path / "folder.pdf").mkdir()
    with pikepdf.open(made.path) as pdf:
        pdf.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="a", user="b"))
    yield tmp_path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cut", "'cut.pdf' is damaged (export it again)"),
        ("head", "'head.pdf' is damaged (export it again)"),
        ("empty", "not a PDF file"),
        ("text", "not a PDF file"),
        ("folder", "is not a regular file"),
        ("missing", "not found"),
        ("locked", "'locked.pdf' is password protected (save it without a password)"),
    ],
)
def test_a_file_that_can_t_be_read_is_an_error(bad: Path, name: str, message: str) -> None:
    path = bad / f"{name}.pdf"
    with pytest.raises(StonehandError):
        facts(path)
    result = run(path)
    assert result.exit_code == 1
    assert result.stderr == f"{path.as_posix()}: error: {message}\n"
    assert result.stdout == ""


def test_a_file_that_was_mended_is_told(made: Made) -> None:
    path = made.home()
    path.write_bytes(path.read_bytes().replace(b"startxref", b"startxrfe"))
    codes = dict(found(path))
    assert "pdf-damaged" in codes
    assert "BytesIO" not in codes["pdf-damaged"]


# --- the command


def test_the_command_tells_facts_and_findings(made: Made) -> None:
    result = run(made.home(b"0.2 w 0 0 9 9 re S BT /F 9 Tf (a) Tj ET", helvetica))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    where = made.path.as_posix()
    assert lines[0] == where
    assert "  size          210 x 297 mm" in lines
    assert "  fonts         Helvetica, Type 1, NOT embedded" in lines
    assert "  thinnest line 0.2 pt" in lines
    assert lines[-2] == f"{where}: error: font 'Helvetica' is not embedded, page 1 [pdf-font]"
    assert lines[-1] == f"{where}: note: lines down to 0.2 pt, page 1 [pdf-fine-line]"


def test_what_a_terminal_would_obey_is_escaped(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        pdf.trailer.Info.Title = String("\x1b[2Jgone")

    assert "  title         \\x1b[2Jgone" in run(made.home(change=change)).stdout.splitlines()


def test_strict_ends_with_1_for_warnings_but_not_for_notes(made: Made) -> None:
    assert run("--strict", made.home(b"0.2 w 0 0 9 9 re S")).exit_code == 0
    made.home(INCH, coarse)
    assert run(made.path).exit_code == 0
    assert run("--strict", made.path).exit_code == 1


def test_json_holds_facts_and_findings_of_each_file(made: Made) -> None:
    result = run("--json", made.home(INCH, coarse), made.path.with_name("missing.pdf"))
    assert result.exit_code == 1
    first, second = json.loads(result.stdout)
    assert first["facts"]["pages"][0]["size"] == [210.0, 297.0]
    assert first["facts"]["images"][0]["dpi"] == 150
    assert [(f["severity"], f["code"]) for f in first["findings"]] == [
        ("warning", "pdf-coarse-image")
    ]
    assert second["facts"] is None
    assert second["findings"][0]["message"] == "not found"


def test_quiet_tells_findings_alone(made: Made) -> None:
    assert run("-q", made.home()).stdout == ""
    assert len(run("-q", made.home(INCH, coarse)).stdout.splitlines()) == 1


def test_a_large_page_is_told(made: Made) -> None:
    def change(pdf: Pdf) -> None:
        pdf.pages[0].obj.MediaBox = Array([0, 0, 297 * MM, 420 * MM])

    message = "larger than A4 and Letter, page 1: up to 297 x 420 mm"
    assert found(made.home(change=change)) == [("pdf-large-page", message)]
    assert CODES["pdf-large-page"].severity == "note"
