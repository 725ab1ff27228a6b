"""Previews: exactly as many pixels as the card has in print, and showing what prints."""

from itertools import combinations
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops

from stonehand.output.files import Staged
from stonehand.output.png import pixels
from stonehand.press import Press
from stonehand.preview import TABLE, PreviewOptions, build_previews, contact_sheet
from stonehand.scene import Group, Scene
from stonehand.source.problems import Problems, StonehandError
from stonehand.source.text import Text

DPI = 300
NEAR, FAR = 40, 100  # of 255: within half a pixel of the same, another picture


@pytest.fixture(scope="module")
def preview(oniroo, tmp_path_factory):
    """Return what makes previews of Oniroo: {file name: picture}."""
    press = Press(oniroo.folder.project, Problems())

    def made(*cards: str, lang: str = "en", output: Path | None = None, **options):
        folder = output or tmp_path_factory.mktemp("previews")
        with Staged() as staged:
            build_previews(
                press,
                oniroo,
                press.languages_of(oniroo, [Text(lang)]),
                tuple(map(Text, cards)),
                folder,
                staged,
                PreviewOptions(**options),
            )
        assert not list(press.problems)
        pictures = {}
        for path in [folder] if folder.is_file() else sorted(folder.iterdir()):
            with Image.open(path) as picture:
                picture.load()
                pictures[path.name] = picture
        return pictures

    return made


@pytest.fixture(scope="module")
def centaur(preview) -> Image.Image:
    return preview("023")["023-en.png"]


def mm(value: float, dpi: float = DPI) -> int:
    return round(value / 25.4 * dpi)


def rgb(picture: Image.Image):
    return picture.convert("RGB").get_flattened_data()


def reds(picture: Image.Image) -> int:
    """Count the pixels of the trim line."""
    return sum(r > 200 and g < 90 and b < 90 for r, g, b in rgb(picture))


def greens(picture: Image.Image) -> int:
    """Count the pixels of the safe line."""
    return sum(g > 130 and r < 130 and b < 130 for r, g, b in rgb(picture))


def difference(one: Image.Image, other: Image.Image) -> int:
    """Return the greatest difference of two pictures in any channel, seen from a little away."""
    size = (one.width // 8, one.height // 8)
    seen = [p.convert("RGB").resize(size, Image.Resampling.BOX) for p in (one, other)]
    return max(high for _, high in ImageChops.difference(*seen).getextrema())


class TestSize:
    def test_of_a_poker_card_at_300_dpi_is_744_by_1039(self, centaur):
        assert centaur.size == (744, 1039)

    def test_with_bleed_is_815_by_1110(self, preview):
        [picture] = preview("023", bleed=True).values()
        assert picture.size == (815, 1110)

    @pytest.mark.parametrize(
        ("dpi", "size"),
        [(72, (179, 249)), (96, (238, 333)), (150, (372, 520)), (600, (1488, 2079))],
    )
    def test_follows_the_resolution(self, preview, dpi, size):
        [picture] = preview("023", dpi=dpi).values()
        assert picture.size == size

    def test_is_told_in_the_file(self, centaur):
        assert centaur.info["dpi"] == pytest.approx((300, 300), abs=0.01)

    @pytest.mark.parametrize(
        ("length", "dpi", "wanted"),
        [(63, 300, 744), (88, 300, 1039), (69, 300, 815), (25.4, 150, 150), (0.001, 10, 1)],
    )
    def test_is_rounded_to_the_nearest_pixel_and_never_nothing(self, length, dpi, wanted):
        assert pixels(length, dpi) == wanted


class TestCorners:
    def test_are_transparent_where_the_cutter_rounds_them(self, centaur):
        assert centaur.mode == "RGBA"
        right, bottom = centaur.width - 1, centaur.height - 1
        for corner in ((0, 0), (right, 0), (0, bottom), (right, bottom)):
            assert centaur.getpixel(corner)[3] == 0

    def test_have_a_radius_of_3_mm(self, centaur):
        alpha = centaur.getchannel("A")
        radius = mm(3)
        assert alpha.getpixel((radius + 1, 0)) == 255
        assert alpha.getpixel((0, radius + 1)) == 255
        on_the_arc = round(radius * (1 - 0.5**0.5))
        assert alpha.getpixel((on_the_arc - 3, on_the_arc - 3)) == 0
        assert alpha.getpixel((on_the_arc + 3, on_the_arc + 3)) == 255

    def test_are_all_that_is_transparent(self, centaur):
        alpha = centaur.getchannel("A")
        inner = alpha.crop((0, mm(3) + 1, centaur.width, centaur.height - mm(3) - 1))
        assert inner.getextrema() == (255, 255)

    def test_stay_square_with_bleed(self, preview):
        [picture] = preview("023", bleed=True).values()
        assert picture.mode == "RGB"


class TestWhatIsShown:
    @pytest.mark.parametrize("code", ["en", "hi", "el", "ko"])
    def test_is_what_the_sheet_shows(self, preview, oniroo_pdfs, code):
        """Card 023 lies in the middle of the third sheet, its corner at 73.5, 104.5 mm."""
        [card] = preview("023", lang=code).values()
        sheet = page_of(oniroo_pdfs[code], 4)
        corner = mm(73.5), mm(104.5)
        cell = sheet.crop((*corner, corner[0] + card.width, corner[1] + card.height))
        inside = (mm(1), mm(1), card.width - mm(1), card.height - mm(1))  # off the cut lines
        assert difference(cell.crop(inside), card.crop(inside)) <= NEAR
        [other] = preview("022", lang=code).values()
        assert difference(cell.crop(inside), other.crop(inside)) > FAR

    def test_differs_between_languages(self, preview, centaur):
        [korean] = preview("023", lang="ko").values()
        assert difference(centaur, korean) > FAR

    def test_is_the_back_when_asked(self, preview, oniroo_pdfs):
        pictures = preview("023", back=True)
        assert list(pictures) == ["023-en-back.png"]
        back = pictures["023-en-back.png"]
        sheet = page_of(oniroo_pdfs["en"], 5)
        corner = mm(73.5), mm(104.5)
        cell = sheet.crop((*corner, corner[0] + back.width, corner[1] + back.height))
        inside = (mm(3), mm(3), back.width - mm(3), back.height - mm(3))
        assert difference(cell.crop(inside), back.crop(inside)) <= NEAR

    def test_of_the_back_is_the_same_turned_round_so_that_it_gives_nothing_away(self, preview):
        [back] = preview("023", back=True, dpi=150).values()
        assert difference(back, back.rotate(180)) <= NEAR

    def test_with_bleed_is_the_card_with_more_around_it(self, preview, centaur):
        [bled] = preview("023", bleed=True).values()
        offset = mm(3)
        inner = bled.crop((offset, offset, offset + centaur.width, offset + centaur.height))
        inside = (mm(3), mm(3), centaur.width - mm(3), centaur.height - mm(3))
        assert difference(inner.crop(inside), centaur.crop(inside)) <= NEAR

    def test_is_the_same_every_time(self, preview, centaur):
        [again] = preview("023").values()
        assert again.tobytes() == centaur.tobytes()


def page_of(pdf: Path, index: int) -> Image.Image:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return document[index].render(scale=DPI / 72).to_pil().convert("RGB")
    finally:
        document.close()


class TestProof:
    def test_draws_the_safe_line_4_mm_from_the_cut_and_the_trim_line_on_it(self, preview, centaur):
        [proof] = preview("023", proof=True, bleed=True).values()
        edge, safe = mm(3), mm(3 + 4)
        around_trim = proof.crop((edge - 3, mm(20), edge + 4, mm(70)))
        around_safe = proof.crop((safe - 3, mm(20), safe + 4, mm(70)))
        assert reds(around_trim) > mm(40)
        assert greens(around_safe) > mm(10)
        assert reds(centaur.crop((0, mm(20), 4, mm(70)))) == 0
        assert greens(centaur.crop((mm(4) - 3, mm(20), mm(4) + 4, mm(70)))) == 0

    def test_leaves_the_size_as_it_is(self, preview):
        [proof] = preview("023", proof=True).values()
        assert proof.size == (744, 1039)

    def test_shows_the_safe_line_of_the_back_too(self, preview):
        [plain] = preview("023", back=True).values()
        [proof] = preview("023", back=True, proof=True).values()
        assert greens(proof) > greens(plain) + mm(100)


class TestContactSheet:
    def test_is_one_picture_of_all_cards_on_a_table(self, preview):
        pictures = preview(contact=True, dpi=50)
        assert list(pictures) == ["contact-en.png"]
        sheet = pictures["contact-en.png"]
        assert 0.6 < sheet.width / sheet.height < 1.7
        table = sheet.convert("RGB").getpixel((0, 0))
        assert "#{:02x}{:02x}{:02x}".format(*table) == TABLE

    def test_shows_the_named_cards_alone_in_their_order(self, preview, centaur):
        [sheet] = preview("023", "fairy-1", contact=True, dpi=DPI).values()
        small = centaur.resize((mm(63 * 0.35), mm(88 * 0.35)), Image.Resampling.BOX)
        corner = mm(2), mm(2)
        cell = sheet.crop((*corner, corner[0] + small.width, corner[1] + small.height))
        inside = (mm(1.5), mm(1.5), small.width - mm(1.5), small.height - mm(1.5))
        assert difference(cell.crop(inside), small.crop(inside)) <= NEAR

    def test_lays_pieces_of_several_sizes_in_rows_that_do_not_overlap(self):
        sizes = [(20, 20)] * 5 + [(60, 40)] * 2 + [(200, 100)] + [(30, 30)]
        sheet = contact_sheet([Scene(width, height, ()) for width, height in sizes])
        places = [mark.matrix for mark in sheet.marks if isinstance(mark, Group)]
        boxes = [
            (m.e, m.f, m.e + width * m.a, m.f + height * m.d)
            for m, (width, height) in zip(places, sizes, strict=True)
        ]
        for left, top, right, bottom in boxes:
            assert 2 <= left < right <= sheet.width - 2
            assert 2 <= top < bottom <= sheet.height - 2
        for one, other in combinations(boxes, 2):
            beside = one[2] <= other[0] or other[2] <= one[0]
            assert beside or one[3] <= other[1] or other[3] <= one[1]

    def test_can_show_the_backs(self, preview):
        assert list(preview("023", "067", contact=True, back=True, dpi=50)) == [
            "contact-en-back.png"
        ]


class TestFiles:
    def test_are_named_by_card_and_language(self, preview):
        names = list(preview("023", "wake-up", lang="hi", dpi=20))
        assert names == ["023-hi.png", "wake-up-hi.png"]

    def test_can_be_one_named_file(self, preview, tmp_path):
        assert list(preview("023", output=tmp_path / "x.png", dpi=20)) == ["x.png"]

    def test_are_not_forced_into_one(self, preview, tmp_path):
        with pytest.raises(StonehandError, match="2 pictures do not go into one file"):
            preview("023", "024", output=tmp_path / "x.png", dpi=20)
        assert list(tmp_path.iterdir()) == []

    def test_of_kinds_and_ranges_are_one_for_each_card(self, preview):
        names = list(preview("fairy", "009-011", dpi=20))
        cards = ["009", "010", "011", *(f"fairy-{n}" for n in range(1, 6))]
        assert names == [f"{card}-en.png" for card in cards]
