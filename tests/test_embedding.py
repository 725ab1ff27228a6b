"""The fonts in a PDF: outlines, widths and texts of their glyphs, and where these are drawn."""

import io
import re
import unicodedata
from collections.abc import Iterator
from ctypes import c_double
from itertools import pairwise
from pathlib import Path

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from fontTools.pens.areaPen import AreaPen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import DecomposingRecordingPen, RecordingPen
from fontTools.ttLib import TTFont

from stonehand.cards.deck import LoadedGame
from stonehand.output.pdf import PT, PdfWriter
from stonehand.press import Press
from stonehand.scene import Cluster, GlyphRun, Scene
from stonehand.source.problems import Problems
from stonehand.source.text import Text
from stonehand.typesetting.embed import MAX_KERN, TAIL, EmbeddedFont
from stonehand.typesetting.fonts import Face, FontLibrary
from stonehand.typesetting.shaping import itemise, shape

LANGUAGES = ("en", "hi", "el", "ko")
every_language = pytest.mark.parametrize("code", LANGUAGES)


def runs_of(text: str, code: str, press: Press, weight: float = 400) -> Iterator[GlyphRun]:
    """A text as runs one after the other on a line of 10 mm type, from x = 0."""
    languages = press.languages
    faces = press.fonts.chain(Text("sans"), weight, False, languages[code], languages)
    x = 0.0
    for start, end, script, face in itemise(text, faces, lambda _: None):
        run = GlyphRun(face, 10.0, x, 0.0, shape(text[start:end], face, script, code))
        x += run.width
        yield run


@pytest.fixture(scope="session")
def texts(oniroo: LoadedGame, press: Press) -> dict[str, list[str]]:
    """Every text of the game in every language."""
    found = {}
    for language in press.languages_of(oniroo, ()):
        translations = press.layouter(oniroo, language).translations
        all_texts = {str(translations.text(message)) for message in oniroo.messages()}
        found[str(language.code)] = sorted(all_texts)
    return found


class Embedded:
    """The font that a document would hold, read back with fontTools."""

    def __init__(self, made: EmbeddedFont, clusters: list[Cluster]) -> None:
        self.made = made
        self.clusters = clusters
        self.program, self.bounds = made.program()
        self.font = TTFont(io.BytesIO(self.program), checkChecksums=2)
        self.order = self.font.getGlyphOrder()
        self.widths = made.widths()

    def outline(self, code: int) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
        pen = DecomposingRecordingPen(self.font.getGlyphSet())
        self.font.getGlyphSet()[self.order[code]].draw(pen)
        return pen.value


@pytest.fixture(scope="session")
def embedded(texts: dict[str, list[str]], press: Press) -> dict[str, Embedded]:
    """For each language, the font that its texts in its first face make."""
    found = {}
    for code in LANGUAGES:
        clusters: dict[Cluster, None] = {}
        made = None
        for text in texts[code]:
            for run in runs_of(text, code, press):
                made = made or EmbeddedFont(run.face)
                if run.face is made.face:
                    clusters |= dict.fromkeys(run.clusters)
        for cluster in clusters:
            made.show(cluster)
        found[code] = Embedded(made, list(clusters))
    return found


def contours(recorded) -> list[list[tuple[float, float]]]:
    """The points of an outline, contour by contour, from each first one on."""
    found: list[list[tuple[float, float]]] = []
    for name, points in recorded:
        if name == "moveTo":
            found.append([])
        found[-1].extend(point for point in points if point is not None) if points else None
    for contour in found:
        if len(contour) > 1 and contour[0] == contour[-1]:
            contour.pop()
    return [contour for contour in found if len(contour) > 1]


def harfbuzz_contours(cluster: Cluster, face: Face) -> list[list[tuple[float, float]]]:
    """What HarfBuzz draws for a cluster, in whole units."""
    found = []
    for gid, dx, dy, _ in cluster.glyphs:
        pen = RecordingPen()
        face.font.draw_glyph_with_pen(gid, pen)
        rounded = [(n, tuple((round(x), round(y)) for x, y in p)) for n, p in pen.value]
        found += [[(x + dx, y + dy) for x, y in contour] for contour in contours(rounded)]
    return found


class TestProgram:
    @every_language
    def test_is_a_font_that_fonttools_reads_whole(
        self, embedded: dict[str, Embedded], code: str
    ) -> None:
        made = embedded[code]
        assert set(made.font.keys()) - {"GlyphOrder"} == {
            "glyf", "head", "hhea", "hmtx", "loca", "maxp",
        }  # fmt: skip
        assert made.font["maxp"].numGlyphs == len(made.order)
        for name in made.order:
            made.font["glyf"][name].expand(made.font["glyf"])
        assert made.font["head"].unitsPerEm == made.made.face.upem

    @every_language
    def test_holds_a_glyph_for_each_code_and_the_parts_of_composites(
        self, embedded: dict[str, Embedded], code: str
    ) -> None:
        made = embedded[code]
        parts = {
            made.order.index(part.glyphName)
            for name in made.order
            for part in getattr(made.font["glyf"][name], "components", ())
        }
        count = len(made.widths)
        assert len(made.order) >= 1 + count
        assert set(range(1 + count, len(made.order))) <= parts
        assert made.font["glyf"][made.order[0]].numberOfContours == 0

    @every_language
    def test_keeps_promises_of_its_tables(self, embedded: dict[str, Embedded], code: str) -> None:
        made = embedded[code]
        stated = {key: value for key, value in vars(made.font["maxp"]).items() if "max" in key}
        made.font["maxp"].recalc(made.font)
        for key in ("maxPoints", "maxContours", "maxCompositePoints", "maxCompositeContours"):
            assert stated[key] >= getattr(made.font["maxp"], key), key
        head = made.font["head"]  # recalculated with maxp
        assert made.bounds == (head.xMin, head.yMin, head.xMax, head.yMax)
        assert stated["maxComponentDepth"] >= made.font["maxp"].maxComponentDepth
        for name in made.order:
            glyph = made.font["glyf"][name]
            _advance, left = made.font["hmtx"][name]
            assert left == getattr(glyph, "xMin", 0)
            if glyph.numberOfContours:
                stored = (glyph.xMin, glyph.yMin, glyph.xMax, glyph.yMax)
                glyph.recalcBounds(made.font["glyf"])
                assert stored[:2] <= (glyph.xMin, glyph.yMin)
                assert stored[2] >= glyph.xMax
                assert stored[3] >= glyph.yMax

    @every_language
    def test_draws_what_harfbuzz_draws(self, embedded: dict[str, Embedded], code: str) -> None:
        made = embedded[code]
        composites = 0
        for cluster in made.clusters:
            shown = made.made.show(cluster)
            drawn = contours(made.outline(shown.codes[0]))
            wanted = harfbuzz_contours(cluster, made.made.face)
            assert len(drawn) == len(wanted), cluster.text
            for one, other in zip(drawn, wanted, strict=True):
                assert len(one) == len(other), cluster.text
                for (x, y), (true_x, true_y) in zip(one, other, strict=True):
                    assert abs(x - true_x) <= 1, cluster.text
                    assert abs(y - true_y) <= 1, cluster.text
            composites += len(cluster.glyphs) > 1
            for tail in shown.codes[1:]:
                assert not made.outline(tail), "what carries marks is blank"
        if code == "hi":
            assert composites > 50

    def test_of_cubic_outlines_strays_less_than_a_thousandth_em(
        self, tmp_path: Path, make_font
    ) -> None:
        make_font(tmp_path / "cubic.otf", cubic=True, letters="ABo")
        face = FontLibrary([tmp_path], Problems()).face(Text("Plain"), 400, False)
        made = EmbeddedFont(face)
        clusters = shape("Bo", face, "Latn", "en")
        codes = [made.show(cluster).codes[0] for cluster in clusters]
        font = Embedded(made, list(clusters))
        glyphs = font.font.getGlyphSet()
        for cluster, code in zip(clusters, codes, strict=True):
            bounds, area = BoundsPen(None), AreaPen()
            true_bounds, true_area = BoundsPen(None), AreaPen()
            glyphs[font.order[code]].draw(bounds)
            glyphs[font.order[code]].draw(area)
            face.font.draw_glyph_with_pen(cluster.glyphs[0][0], true_bounds)
            face.font.draw_glyph_with_pen(cluster.glyphs[0][0], true_area)
            assert bounds.bounds == pytest.approx(true_bounds.bounds, abs=1)
            assert area.value == pytest.approx(true_area.value, rel=0.005)


class TestCodes:
    @every_language
    def test_are_dense_from_1_on(self, embedded: dict[str, Embedded], code: str) -> None:
        made = embedded[code]
        used = {c for cluster in made.clusters for c in made.made.show(cluster).codes}
        assert used == set(range(1, len(made.widths) + 1))

    @every_language
    def test_have_the_same_width_in_the_pdf_and_in_the_font(
        self, embedded: dict[str, Embedded], code: str
    ) -> None:
        made = embedded[code]
        scale = 1000 / made.made.face.upem
        for number, width in enumerate(made.widths, 1):
            assert width == pytest.approx(made.font["hmtx"][made.order[number]][0] * scale, abs=0.5)

    @every_language
    def test_leave_no_gap_that_reads_as_a_space(
        self, embedded: dict[str, Embedded], code: str
    ) -> None:
        made = embedded[code]
        for cluster in made.clusters:
            shown = made.made.show(cluster)
            gap = cluster.advance / made.made.face.upem - shown.width / 1000
            assert abs(gap) <= MAX_KERN + 0.001  # widths are whole thousandths
            assert shown.width == sum(made.widths[c - 1] for c in shown.codes)

    @every_language
    def test_give_the_text_of_their_cluster(self, embedded: dict[str, Embedded], code: str) -> None:
        made = embedded[code]
        text_of: dict[int, str] = {}
        for number, text in re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]+)>\n", made.made.to_unicode()):
            text_of[int(number, 16)] = bytes.fromhex(text.decode()).decode("utf-16-be")
        assert sorted(text_of) == list(range(1, len(made.widths) + 1))
        for cluster in made.clusters:
            assert "".join(text_of[c] for c in made.made.show(cluster).codes) == cluster.text

    def test_a_block_of_the_map_has_at_most_a_hundred_entries(
        self, embedded: dict[str, Embedded]
    ) -> None:
        cmap = embedded["hi"].made.to_unicode()
        counts = [int(n) for n in re.findall(rb"(\d+) beginbfchar", cmap)]
        assert len(counts) > 1
        assert max(counts) <= 100
        assert sum(counts) == len(embedded["hi"].widths)
        blocks = re.findall(rb"beginbfchar\n(.*?)endbfchar", cmap, re.DOTALL)
        assert [block.count(b"\n") for block in blocks] == counts

    def test_of_equal_clusters_are_the_same(self, embedded: dict[str, Embedded]) -> None:
        made = embedded["hi"]
        again = Cluster(*(getattr(made.clusters[0], n) for n in ("glyphs", "advance", "text")))
        assert made.made.show(again) is made.made.show(made.clusters[0])

    def test_marks_after_the_first_character_have_a_blank_glyph_of_their_own(
        self, press: Press
    ) -> None:
        """pdf.js needs them apart, Poppler more than a tenth of an em for them."""
        (run,) = runs_of("मे", "hi", press)
        made = EmbeddedFont(run.face)
        (cluster,) = run.clusters
        head, tail = made.show(cluster).codes
        widths = made.widths()
        assert widths[tail - 1] == pytest.approx(TAIL * 1000, abs=1)
        assert widths[tail - 1] > 100
        whole = cluster.advance * 1000 / run.face.upem
        assert widths[head - 1] + widths[tail - 1] == pytest.approx(whole, abs=1)
        assert b"<%04X> <092E>" % head in made.to_unicode()
        assert b"<%04X> <0947>" % tail in made.to_unicode()

    def test_a_text_beyond_the_first_plane_is_written_in_utf16(self, fonts: FontLibrary) -> None:
        face = fonts.face(Text("Noto Sans"), 400, False)
        made = EmbeddedFont(face)
        made.show(Cluster(((3, 0, 0, 500),), 500, "\U0001f989"))
        assert b"<0001> <D83EDD89>" in made.to_unicode()


def origins(path: Path) -> list[tuple[float, float]]:
    """Where the codes of a page with one font matrix a run are drawn, as the standard has it.

    PDF 32000-1, 9.4.4: after a code the pen moves on by its width, after a number in TJ back.
    """
    found = []
    with pikepdf.open(path) as pdf:
        page = pdf.pages[0]
        widths: dict[str, list[float]] = {}
        for name, font in page.Resources.Font.items():
            widths[name] = [0.0, *map(float, font.DescendantFonts[0].W[1])]
        around = text = pikepdf.Matrix()
        for operands, operator in pikepdf.parse_content_stream(page):
            if str(operator) == "cm":
                around = pikepdf.Matrix(*map(float, operands)) @ around
            elif str(operator) == "Tf":
                name = str(operands[0])
            elif str(operator) == "Tm":
                text = pikepdf.Matrix(*map(float, operands)) @ around
            elif str(operator) == "TJ":
                pen = 0.0
                for item in operands[0]:
                    if not isinstance(item, pikepdf.String):
                        pen -= float(item)
                        continue
                    data = bytes(item)
                    for i in range(0, len(data), 2):
                        found.append(text.transform((pen / 1000, 0)))
                        pen += widths[name][int.from_bytes(data[i : i + 2], "big")]
    return found


class TestPositions:
    TEXTS = (
        ("en", "AVATAR To Wolf, fjord 5/10 — “Owl”"),
        ("hi", "उल्लू क्षत्रिय कीर्ति हिन्दी में 5 पत्ते।"),
        ("el", "Νυχτερινός ουρανός, ΰ ἄ, 12"),
        ("ko", "다른 플레이어 1명을 고릅니다."),
        ("ko", "Owl κουκουβάγια 부엉이 उल्लू"),
    )

    @pytest.fixture(params=[0.0, 0.8], ids=["natural", "justified"])
    def word_space(self, request) -> float:
        return request.param

    @pytest.fixture(params=TEXTS, ids=[f"{code}-{i}" for i, (code, _) in enumerate(TEXTS)])
    def printed(self, request, word_space: float, press: Press, tmp_path: Path):
        """A text set from x = 5, y = 12 mm, its clusters with their wanted x in pt, and the PDF."""
        code, text = request.param
        wanted: list[tuple[Cluster, float]] = []
        runs, x = [], 5.0
        for shaped in runs_of(text, code, press):
            run = GlyphRun(shaped.face, 4.0, x, 12.0, shaped.clusters, word_space=word_space)
            runs.append(run)
            for cluster in run.clusters:
                wanted.append((cluster, x * PT))
                x += cluster.advance * run.size / run.face.upem
                x += word_space if cluster.text == " " else 0.0
        writer = PdfWriter("Positions", code, press.art)
        writer.add_page(Scene(150, 20, tuple(runs)))
        (tmp_path / "made.pdf").write_bytes(writer.data())
        return text, wanted, tmp_path / "made.pdf"

    def test_of_glyphs_are_those_of_harfbuzz(self, printed) -> None:
        """Within half a thousandth of an em, which is 0.006 pt here: widths are whole ones."""
        _, wanted, path = printed
        half = 4.0 * PT / 2000
        drawn = iter(origins(path))
        for cluster, x in wanted:
            found = next(drawn)
            assert found == pytest.approx((x, (20 - 12) * PT), abs=half + 0.001), cluster.text
            if any(unicodedata.category(c) in ("Mn", "Cf") for c in cluster.text[1:]):
                next(drawn)  # the blank glyph of the marks
        assert next(drawn, None) is None

    def test_are_read_so_by_pdfium(self, printed) -> None:
        """Within 0.03 pt, from the first glyph to the last."""
        text, wanted, path = printed
        document = pypdfium2.PdfDocument(path)
        page = document[0].get_textpage()
        assert page.get_text_range() == text
        index = 0
        for cluster, x in wanted:
            found_x, found_y = c_double(), c_double()
            assert pdfium.FPDFText_GetUnicode(page, index) == ord(cluster.text[0])
            assert pdfium.FPDFText_GetCharOrigin(page, index, found_x, found_y)
            assert found_x.value == pytest.approx(x, abs=0.03)
            assert found_y.value == pytest.approx((20 - 12) * PT, abs=0.03)
            index += len(cluster.text)
        document.close()


class TestDocument:
    @every_language
    def test_holds_our_fonts_only_and_all_of_them_embedded(
        self, oniroo_pdfs: dict[str, Path], fonts: FontLibrary, code: str
    ) -> None:
        families = {"".join(c for c in family if c.isalnum()) for family in fonts.families}
        whole = 0
        with pikepdf.open(oniroo_pdfs[code]) as pdf:
            for thing in pdf.objects:
                if not isinstance(thing, pikepdf.Dictionary) or thing.get("/Type") != "/Font":
                    continue
                name = str(thing.BaseFont)
                assert re.fullmatch(r"/[A-Z]{6}\+[A-Za-z0-9]+-\d+(Italic)?", name)
                assert name.split("+")[1].split("-", maxsplit=1)[0] in families
                if thing.Subtype == "/Type0":
                    whole += 1
                    assert thing.Encoding == "/Identity-H"
                    assert "/ToUnicode" in thing
                else:
                    assert thing.Subtype == "/CIDFontType2"
                    program = bytes(thing.FontDescriptor.FontFile2.read_bytes())
                    assert len(program) == thing.FontDescriptor.FontFile2.Length1
                    assert TTFont(io.BytesIO(program))["maxp"].numGlyphs > 1
                    assert len(thing.W[1]) < TTFont(io.BytesIO(program))["maxp"].numGlyphs
        assert whole >= 2
        assert b"Helvetica" not in oniroo_pdfs[code].read_bytes()

    @every_language
    def test_prints_ink_where_each_word_stands(
        self, code: str, press: Press, tmp_path: Path
    ) -> None:
        words = {
            "en": "Owl Wolf Heart",
            "hi": "उल्लू भेड़िया दिल",
            "el": "Κουκουβάγια Λύκος Καρδιά",
            "ko": "부엉이 늑대 심장",
        }
        runs = [
            GlyphRun(run.face, 5.0, 5 + run.x / 2, 10, run.clusters, "#000000")
            for run in runs_of(words[code], code, press)
        ]
        writer = PdfWriter("Ink", code, press.art)
        writer.add_page(Scene(90, 20, tuple(runs)))
        (tmp_path / "made.pdf").write_bytes(writer.data())
        scale = 8  # pixels a mm
        with pypdfium2.PdfDocument(tmp_path / "made.pdf") as document:
            image = document[0].render(scale=scale / PT, grayscale=True).to_pil()
        dark = image.point(lambda value: 255 if value < 128 else 0)
        spaces, x = [], runs[0].x
        for run in runs:
            for cluster in run.clusters:
                wide = cluster.advance * run.size / run.face.upem
                if cluster.text == " ":
                    spaces.append((x, x + wide))
                x += wide
        edges = [(0.0, 5.0), *spaces, (x, 90.0)]
        for (_, start), (end, _) in pairwise(edges):
            word = dark.crop((round(start * scale), 4 * scale, round(end * scale), 12 * scale))
            assert word.getbbox(), "a word is seen"
            share = word.histogram()[255] / (word.width * word.height)
            assert 0.03 < share < 0.5
        blank = dark.crop((0, 14 * scale, 90 * scale, 20 * scale))
        assert not blank.getbbox(), "and nothing below"
