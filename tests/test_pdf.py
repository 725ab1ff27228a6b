"""The PDF that prints, read back with pypdf: sizes, boxes, cut lines, fonts, and what is stored.

Positions are read from the content streams, so that what is measured is what a printer is told.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pypdf
import pytest
from pypdf.generic import ContentStream, IndirectObject
from reading import GREY, MM, cut_lines, cut_positions, is_layout, mm, strokes

from stonehand import __version__
from stonehand.art.library import ArtLibrary
from stonehand.output.pdf import PdfWriter
from stonehand.press import Press
from stonehand.scene import Box, Group, Matrix, Scene, Stroke, polygon, rectangle
from stonehand.scene import Path as PathMark
from stonehand.sheet_maker import SheetMaker
from stonehand.sheet_plan import SheetPlan
from stonehand.sheets import furniture
from stonehand.source.problems import Problems
from stonehand.source.text import Text
from stonehand.typesetting.lettering import Lettering

EXACT = 0.01  # mm
LANGUAGES = ("en", "hi", "el", "ko")
BOXES = ("/MediaBox", "/BleedBox", "/TrimBox")


def streams(pdf: pypdf.PdfReader) -> Iterator[tuple[int, pypdf.generic.StreamObject]]:
    for number in range(1, int(pdf.trailer["/Size"])):
        found = pdf.get_object(IndirectObject(number, 0, pdf))
        if isinstance(found, pypdf.generic.StreamObject):
            yield number, found


def fonts(pdf: pypdf.PdfReader) -> list[pypdf.generic.DictionaryObject]:
    numbers = range(1, int(pdf.trailer["/Size"]))
    objects = (pdf.get_object(IndirectObject(number, 0, pdf)) for number in numbers)
    return [o for o in objects if isinstance(o, dict) and o.get("/Type") == "/Font"]


@pytest.fixture(scope="module")
def read(oniroo_pdfs) -> dict[str, pypdf.PdfReader]:
    return {code: pypdf.PdfReader(path) for code, path in oniroo_pdfs.items()}


@pytest.fixture(scope="module")
def english(read) -> pypdf.PdfReader:
    return read["en"]


# --- the deck ------------------------------------------------------------------------------------


class TestPages:
    @pytest.mark.parametrize("code", LANGUAGES)
    def test_are_20_fronts_and_20_backs_for_173_cards_at_nine_a_page(self, read, code):
        assert len(read[code].pages) == 40

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_are_a4_to_a_hundredth_of_a_millimetre(self, read, code):
        for page in read[code].pages:
            for name in BOXES:
                assert mm(page[name]) == pytest.approx([0, 0, 210, 297], abs=EXACT)
            assert "/Rotate" not in page
            assert "/UserUnit" not in page

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_alternate_between_fronts_with_cuts_and_backs_without(self, read, code):
        for number, page in enumerate(read[code].pages):
            assert len(cut_lines(page)) == (0 if number % 2 else 8)

    def test_have_cut_lines_exactly_at_the_trims(self, english):
        for page in english.pages[::2]:
            across, down = cut_positions(page)
            assert across == pytest.approx([10.5, 73.5, 136.5, 199.5], abs=EXACT)
            assert down == pytest.approx([16.5, 104.5, 192.5, 280.5], abs=EXACT)

    def test_have_cut_lines_of_015_mm(self, english):
        widths = {
            round(width, 4)
            for colour, width, points in strokes(english.pages[0])
            if len(points) == 2 and colour == pytest.approx((GREY,) * 3, abs=1e-3)
        }
        assert widths == {0.15}

    def test_have_rulers_of_exactly_50_mm_and_2_inches_on_both_sides(self, english):
        for page in (english.pages[0], english.pages[1], english.pages[-1]):
            lengths = sorted(
                ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
                for _, width, points in strokes(page)
                if len(points) == 2 and width == pytest.approx(0.15, abs=1e-4)
                for a, b in [points]
            )
            longer = [length for length in lengths if 45 < length < 55]
            assert longer == pytest.approx([50.0, 50.8], abs=EXACT)


class TestWhatIsStored:
    @pytest.mark.parametrize("code", LANGUAGES)
    def test_the_back_is_one_form_however_often_it_is_drawn(self, read, code):
        drawn: Counter = Counter()
        for page in read[code].pages[1::2]:
            resources = page["/Resources"]["/XObject"]
            on_page: Counter = Counter()
            for operands, operator in ContentStream(page.get_contents(), read[code]).operations:
                if operator == b"Do":
                    on_page[resources.raw_get(operands[0]).idnum] += 1
            drawn += on_page
        [(_, most), *others] = drawn.most_common()
        assert most == 173
        assert all(count <= 20 for _, count in others)

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_every_picture_is_stored_once(self, read, code):
        stored: Counter = Counter()
        for _, found in streams(read[code]):
            if found.get("/Subtype") in ("/Form", "/Image") and not is_layout(found):
                names = repr({k: v for k, v in sorted(found.items()) if k != "/Length"})
                content = found.get_data() + names.encode()
                stored[hashlib.sha256(content).hexdigest()] += 1
        assert len(stored) > 150
        assert set(stored.values()) == {1}

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_all_fonts_are_embedded(self, read, code):
        found = fonts(read[code])
        descendants = [font for font in found if font["/Subtype"] == "/CIDFontType2"]
        composite = [font for font in found if font["/Subtype"] == "/Type0"]
        assert descendants
        assert len(found) == len(descendants) + len(composite)
        assert len(composite) == len(descendants)
        for font in descendants:
            assert "/FontFile2" in font["/FontDescriptor"]
        for font in composite:
            assert "/ToUnicode" in font
            assert re.match(r"/[A-Z]{6}\+", font["/BaseFont"])  # the tag of a subset

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_no_font_is_asked_of_the_reader(self, read, code):
        names = {str(font["/BaseFont"]) for font in fonts(read[code])}
        assert not any("Helvetica" in name or "Times" in name for name in names)

    def test_two_subsets_never_share_a_name(self, read):
        names = [str(font["/BaseFont"]) for font in fonts(read["hi"]) if "/ToUnicode" in font]
        assert len(names) == len(set(names))

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_every_stream_is_compressed_but_the_metadata(self, read, code):
        """Metadata is to be found by programs that know no PDF (PDF 32000-1, 14.3.2)."""
        raw = [s for _, s in streams(read[code]) if "/Filter" not in s]
        assert [stream["/Type"] for stream in raw] == ["/Metadata"]
        packet = raw[0].get_data().decode()
        assert read[code].metadata.title in packet
        assert f"<rdf:li>{code}</rdf:li>" in packet

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_objects_lie_in_object_streams(self, oniroo_pdfs, code):
        data = oniroo_pdfs[code].read_bytes()
        assert data.startswith(b"%PDF-1.7")
        assert b"/ObjStm" in data
        assert b"/XRef" in data
        assert b"\ntrailer" not in data

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_a_deck_of_vector_art_stays_small(self, oniroo_pdfs, code):
        assert oniroo_pdfs[code].stat().st_size < 1_000_000


class TestWhatReadersAreTold:
    @pytest.mark.parametrize(
        ("code", "name"),
        [("en", "English"), ("hi", "हिन्दी"), ("el", "Ελληνικά"), ("ko", "한국어")],
    )
    def test_title_is_the_game_and_the_language(self, read, oniroo, code, name):
        title = read[code].metadata.title
        assert title.endswith(f"({name})")
        assert "Oniroo" in title or code != "en"

    def test_creator_is_this_program(self, english):
        assert english.metadata.creator == f"Stonehand {__version__}"

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_language_is_that_of_the_text(self, read, code):
        assert read[code].root_object["/Lang"] == code

    def test_the_page_is_not_to_be_scaled_and_the_title_is_to_be_shown(self, english):
        preferences = english.root_object["/ViewerPreferences"]
        assert preferences["/PrintScaling"] == "/None"
        assert preferences["/DisplayDocTitle"] == True  # noqa: E712 -- pypdf's own boolean

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_text_comes_back_as_it_was_written(self, read, oniroo, press, code):
        [language] = press.languages_of(oniroo, [Text(code)])
        text = press.layouter(oniroo, language).translations.text
        page = "".join(read[code].pages[0].extract_text().split())
        for card in oniroo.cards[:9]:
            assert "".join(text(card.values["name"]).split()) in page

    @pytest.mark.skipif(not shutil.which("qpdf"), reason="qpdf is not installed")
    @pytest.mark.parametrize("code", LANGUAGES)
    def test_qpdf_finds_nothing_wrong(self, oniroo_pdfs, code):
        done = subprocess.run(
            ["qpdf", "--check", oniroo_pdfs[code]], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "WARNING" not in done.stdout + done.stderr


# --- the same bytes ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built_twice(tmp_path_factory) -> list[Path]:
    """The Hindi deck made by two people in two places, time zones and hash seeds."""
    made = []
    for i, (user, zone, seed) in enumerate(
        [("zaphod", "Asia/Kolkata", "1"), ("trillian", "America/Lima", "99")]
    ):
        folder = tmp_path_factory.mktemp(f"where{i}") / user
        folder.mkdir()
        env = {
            **os.environ,
            "TZ": zone,
            "PYTHONHASHSEED": seed,
            "HOME": str(folder),
            "USER": user,
            "LOGNAME": user,
        }
        entry = "import sys; from stonehand.cli import main; sys.argv[0] = 'stonehand'; main()"
        arguments = ["cards", "oniroo", "--lang", "hi", "-o", f"{user}.pdf", "--quiet"]
        subprocess.run([sys.executable, "-c", entry, *arguments], cwd=folder, env=env, check=True)
        made.append(folder / f"{user}.pdf")
    return made


class TestSameBytes:
    def test_come_from_the_same_game_anywhere_at_any_time(self, built_twice, oniroo_pdfs):
        first, second = (path.read_bytes() for path in built_twice)
        assert first == second
        assert first == oniroo_pdfs["hi"].read_bytes()

    def test_hold_no_date(self, built_twice):
        info = pypdf.PdfReader(built_twice[0]).metadata
        assert "/CreationDate" not in info
        assert "/ModDate" not in info

    def test_hold_no_path_and_no_name_of_a_person(self, built_twice):
        path = built_twice[0]
        checkout = str(Path(__file__).parent.parent)
        secrets = [path.parent, path.parent.parent, "zaphod", checkout, "/tmp/", "/home/", ".svg"]
        with pikepdf.open(path) as pdf:
            whole = [path.read_bytes()]
            for item in pdf.objects:
                if isinstance(item, pikepdf.Stream):
                    whole.append(item.read_bytes())
                else:
                    whole.append(item.unparse(resolved=True))
        for secret in secrets:
            assert not any(str(secret).encode() in part for part in whole), secret


# --- the writer alone ----------------------------------------------------------------------------


def written(tmp_path: Path, *scenes: Scene) -> pypdf.PdfReader:
    writer = PdfWriter("Test", "en", ArtLibrary(Problems()))
    for scene in scenes:
        writer.add_page(scene)
    (tmp_path / "test.pdf").write_bytes(writer.data())
    return pypdf.PdfReader(tmp_path / "test.pdf")


class TestBoxes:
    @pytest.mark.parametrize("size", [(63.0, 88.0), (44.45, 63.5), (57.15, 88.9), (8.5 * 25.4, 70)])
    @pytest.mark.parametrize("bleed", [0.0, 2.0, 3.0, 3.175])
    def test_nest_exactly_and_measure_what_was_asked(self, tmp_path, size, bleed):
        page = written(tmp_path, Scene(*size, (), bleed)).pages[0]
        media, bled, trim = (list(map(float, page[name])) for name in BOXES)
        assert media == bled
        assert bled[0] <= trim[0]
        assert bled[1] <= trim[1]
        assert trim[2] <= bled[2]
        assert trim[3] <= bled[3]
        width, height = (trim[2] - trim[0]) * MM, (trim[3] - trim[1]) * MM
        assert (width, height) == pytest.approx(size, abs=EXACT / 10)
        assert trim[0] * MM == pytest.approx(bleed, abs=EXACT / 10)
        assert (bled[3] - trim[3]) * MM == pytest.approx(bleed, abs=EXACT / 10)

    def test_begin_at_the_origin(self, tmp_path):
        page = written(tmp_path, Scene(63, 88, (), 3.0)).pages[0]
        assert list(map(float, page["/MediaBox"][:2])) == [0, 0]


class TestPositions:
    def test_are_those_of_the_scene_from_its_top_left(self, tmp_path):
        line = PathMark(polygon([(1.25, 2.5), (60, 80)], closed=False), stroke=Stroke("#ff0000", 1))
        [(colour, width, points)] = strokes(written(tmp_path, Scene(63, 88, (line,))).pages[0])
        assert colour == (1, 0, 0)
        assert width == pytest.approx(1)
        assert points == [pytest.approx((1.25, 2.5)), pytest.approx((60, 80))]

    def test_in_groups_within_groups_add_up(self, tmp_path):
        line = PathMark(polygon([(0, 0), (10, 0)], closed=False), stroke=Stroke("#000000", 0.2))
        inner = Group((line,), Matrix.turn(90, 0, 0))
        outer = Group((inner,), Matrix.shift(20, 30))
        [(*_, points)] = strokes(written(tmp_path, Scene(63, 88, (outer,))).pages[0])
        assert points == [pytest.approx((20, 30)), pytest.approx((20, 40))]

    def test_of_shared_marks_are_those_of_each_place(self, tmp_path):
        line = PathMark(polygon([(0, 0), (10, 5)], closed=False), stroke=Stroke("#000000", 0.2))
        marks = (line,)
        places = [Group(marks, Matrix.shift(x, 7), shared=True) for x in (0, 12.5, 31.75)]
        pdf = written(tmp_path, Scene(63, 88, tuple(places)))
        starts = [points[0] for *_, points in strokes(pdf.pages[0])]
        assert starts == [pytest.approx((x, 7), abs=EXACT) for x in (0, 12.5, 31.75)]
        assert len(pdf.pages[0]["/Resources"]["/XObject"]) == 1

    def test_of_a_rectangle_are_those_of_its_box(self, tmp_path):
        frame = PathMark(rectangle(Box(3, 4, 20, 10)), stroke=Stroke("#123456", 0.25))
        [(*_, points)] = strokes(written(tmp_path, Scene(63, 88, (frame,))).pages[0])
        wanted = [(3, 4), (23, 4), (23, 14), (3, 14)]
        assert points == [pytest.approx(point, abs=EXACT) for point in wanted]


class TestOtherSheets:
    @pytest.mark.parametrize(
        ("paper", "page", "across", "down"),
        [
            (
                (215.9, 279.4),
                (215.9, 279.4),
                [13.45, 76.45, 139.45, 202.45],
                [7.7, 95.7, 183.7, 271.7],
            ),
            (
                (297.0, 420.0),
                (420.0, 297.0),
                [21, 84, 147, 210, 273, 336, 399],
                [16.5, 104.5, 192.5, 280.5],
            ),
        ],
    )
    def test_cut_lines_on_letter_and_a3_lie_where_arithmetic_puts_them(
        self, tmp_path, oniroo, paper, page, across, down
    ):
        pdf = self.sheet(tmp_path, oniroo, SheetPlan(paper=paper, gap=0))
        assert mm(pdf.pages[0]["/MediaBox"]) == pytest.approx([0, 0, *page], abs=EXACT)
        found = cut_positions(pdf.pages[0])
        assert found[0] == pytest.approx(across, abs=EXACT)
        assert found[1] == pytest.approx(down, abs=EXACT)

    def test_cut_lines_with_gaps_are_two_to_a_gutter(self, tmp_path, oniroo):
        pdf = self.sheet(tmp_path, oniroo, SheetPlan(paper=(210.0, 297.0), gap=4))
        across, down = cut_positions(pdf.pages[0])
        assert across == pytest.approx([6.5, 69.5, 73.5, 136.5, 140.5, 203.5], abs=EXACT)
        assert down == pytest.approx([12.5, 100.5, 104.5, 192.5, 196.5, 284.5], abs=EXACT)

    def sheet(self, tmp_path, oniroo, plan: SheetPlan) -> pypdf.PdfReader:
        press = Press(oniroo.folder.project, Problems())
        [language] = press.languages_of(oniroo, [Text("en")])
        cards = oniroo.cards[:3]
        lettering = Lettering(press.fonts, language, press.languages, press.problems)
        maker = SheetMaker(press.layouter(oniroo, language), plan, lettering)
        return written(tmp_path, *(page.scene for page in maker.pages(cards, lambda: None)))


def test_grey_of_the_cut_lines_is_what_this_test_looks_for():
    assert Stroke("#808080", 0.15) == furniture.CUT
