"""Edges: whether neighbours may share a cut, the gap that follows, pictures beyond the cut."""

from pathlib import Path as FilePath
from types import SimpleNamespace

import pytest
from PIL import Image
from tiles import A4, BACK, FRONT, POKER, NoLetters, Tiles, plan, tiles_on

from stonehand.output import png
from stonehand.output.pdf import PdfWriter
from stonehand.press import Press
from stonehand.project import Project, find_game, shipped_content
from stonehand.scene import Box, Cluster, GlyphRun, Group, Matrix, Path, Scene, Stroke, rectangle
from stonehand.sheet_maker import GapNeeded, SheetMaker
from stonehand.sheets.edges import EdgeReader
from stonehand.source.problems import Problems, StonehandError
from stonehand.source.text import Text

CARD = Box(0, 0, 63, 88)


def face(*marks) -> Scene:
    return Scene(63, 88, marks, 3.0)


def edge(*marks):
    return EdgeReader().edge(face(*marks))


def filled(box: Box, colour="#112233", radius=0.0) -> Path:
    return Path(rectangle(box, radius), fill=colour)


class Font:
    """A font whose only glyph is half an em high and as wide as it is told."""

    key, upem = "font", 1000

    def ink(self, glyph):
        return 100, 0, 400, 500


def letter(x, y, size=10.0) -> GlyphRun:
    return GlyphRun(Font(), size, x, y, (Cluster(((1, 0, 0, 500),), 500, "o"),))


class TestEdge:
    def test_of_an_empty_face_is_the_paper(self):
        assert edge() == "#ffffff"

    def test_is_the_colour_that_covers_the_card(self):
        assert edge(filled(CARD.grown(3))) == "#112233"
        assert edge(filled(CARD)) == "#112233"
        assert edge(filled(CARD.grown(3)), filled(CARD.grown(3), "#445566")) == "#445566"

    def test_is_not_changed_by_what_keeps_a_millimetre_away(self):
        assert edge(filled(CARD.grown(-1))) == "#ffffff"
        assert edge(filled(CARD.grown(3)), filled(CARD.grown(-4), "#ffffff", 5)) == "#112233"
        assert edge(Path(rectangle(CARD.grown(-2)), stroke=Stroke("#000000", 1.9))) == "#ffffff"

    @pytest.mark.parametrize(
        "mark",
        [
            filled(Box(0, 0, 30, 88)),
            filled(CARD.grown(-0.5)),
            filled(CARD.grown(3), radius=6),
            Path(rectangle(CARD.grown(-1.5)), stroke=Stroke("#000000", 1.2)),
            Group((filled(Box(0, 0, 10, 10)),), Matrix.shift(55, 30)),
            letter(-0.5, 40),
            letter(58.8, 40),
        ],
        ids=["half", "inset", "rounded", "frame", "moved", "letter left", "letter right"],
    )
    def test_of_several_colours_is_the_design_itself(self, mark):
        one, other = face(mark), face(mark, mark)
        reader = EdgeReader()
        assert reader.edge(one) == reader.edge(one)
        assert reader.edge(one) != reader.edge(other)

    def test_takes_letters_for_as_large_as_they_are(self):
        """A large figure in the middle has room above it that no other letter of its font would."""
        assert edge(letter(20, 10, 12.0)) == "#ffffff"
        assert edge(letter(20, 6.9, 12.0)) != "#ffffff"

    def test_sees_through_groups_and_their_clips(self):
        whole = Group((filled(CARD.grown(3)),), clip=rectangle(CARD.grown(-2)))
        assert edge(whole) == "#ffffff"
        assert edge(Group((Group((filled(CARD),), Matrix.shift(0, 0)),))) == "#112233"
        turned = Group((filled(CARD),), Matrix.turn(180, 31.5, 44))
        assert edge(turned) == "#112233"

    def test_of_shared_marks_is_found_anew_for_each_face(self):
        shared = Group((filled(Box(0, 0, 5, 5)),), shared=True)
        reader = EdgeReader()
        assert reader.edge(face(shared)) != "#ffffff"
        moved = Group((shared,), Matrix.shift(20, 20))
        assert reader.edge(face(moved)) == "#ffffff"


class Painted(Tiles):
    """Tiles whose fronts and backs are of the colours that are told."""

    def __init__(self, fronts, backs=None):
        super().__init__([POKER] * len(fronts), frozenset() if backs else range(len(fronts)))
        self.fronts, self.backs = fronts, backs

    def front(self, card):
        return face(filled(CARD.grown(3), self.fronts[int(card.id)]))

    def back(self, card):
        return face(filled(CARD.grown(3), self.backs[int(card.id)])) if self.backs else None


def spacing(tiles, **choices):
    maker = SheetMaker(tiles, plan(gap=None, **choices), NoLetters())
    list(maker.pages(tiles.cards, lambda: None))
    return maker.spacing


class TestGap:
    def test_is_none_between_cards_of_one_colour(self):
        made = spacing(Painted(["#101010"] * 12, ["#202020"] * 12))
        assert (made.gap, made.unlike) == (0.0, False)

    def test_is_there_where_one_neighbour_differs(self):
        for fronts, backs in (
            (["#101010"] * 11 + ["#ff0000"], None),
            (["#101010"] * 12, ["#202020"] * 11 + ["#ff0000"]),
        ):
            made = spacing(Painted(fronts, backs))
            assert made.unlike
            assert made.gap == 5.5  # with which nine still fit an A4 sheet

    def test_does_not_mind_colours_that_never_meet(self):
        """The first sheet is black, the second white: no knife can mix them."""
        assert spacing(Painted(["#000000"] * 9 + ["#ffffff"] * 3)).gap == 0.0

    def test_does_not_mind_backs_that_are_not_printed(self):
        tiles = Painted(["#101010"] * 2, ["#202020", "#ff0000"])
        assert spacing(tiles, backs="none").gap == 0.0
        assert spacing(tiles, backs="duplex").gap > 0

    def test_minds_the_front_beside_a_back_that_is_folded_over(self):
        tiles = Painted(["#101010"] * 4, ["#202020"] * 4)
        assert spacing(tiles, backs="duplex").gap == 0.0
        assert spacing(tiles, backs="fold").gap > 0

    def test_is_twice_the_bleed_where_a_smaller_one_saves_no_card(self):
        tiles = Painted(["#101010", "#ff0000"])
        assert spacing(tiles, paper=(140.0, 100.0), margin=0.0).gap == 6.0
        assert spacing(tiles, paper=(300.0, 300.0)).gap == 6.0

    def test_is_the_one_that_keeps_most_cards_on_the_sheet(self):
        """On Letter, nine cards have no room for gaps; eight have for 5.5 mm, six for 6 mm."""
        tiles = Painted(["#101010", "#ff0000"])
        assert spacing(tiles, paper=(215.9, 279.4)).gap == 5.5

    def test_is_none_where_the_card_has_no_bleed(self):
        tiles = Tiles([POKER] * 2)
        tiles.front = lambda card: Scene(63, 88, (filled(CARD, f"#00000{card.id}"),))
        tiles.face = lambda name: SimpleNamespace(
            size=POKER, corner=3.0, bleed=0.0, shape=None, nest=""
        )
        assert spacing(Tiles([POKER])).gap == 0.0
        assert spacing(tiles, backs="none").gap == 0.0

    def test_that_was_asked_for_is_kept(self):
        tiles = Painted(["#101010", "#ff0000"])
        for gap in (0.0, 2.0, 10.0):
            maker = SheetMaker(tiles, plan(gap=gap), NoLetters())
            list(maker.pages(tiles.cards, lambda: None))
            assert maker.spacing.gap == gap
            assert not maker.spacing.chosen

    def test_of_a_large_deck_is_found_sheet_by_sheet_and_begun_anew_if_it_is_needed(self):
        """A hundred sheets of black and a red card at the end: all of them get the gap."""
        tiles = Painted(["#101010"] * 901 + ["#ff0000"])
        maker = SheetMaker(tiles, plan(gap=None), NoLetters())
        with pytest.raises(GapNeeded):
            list(maker.pages(tiles.cards, lambda: None))
        assert len(list(maker.pages(tiles.cards, lambda: None))) == 101
        assert (maker.spacing.gap, maker.spacing.unlike) == (5.5, True)
        plain = Painted(["#101010"] * 902)
        maker = SheetMaker(plain, plan(gap=None), NoLetters())
        assert len(list(maker.pages(plain.cards, lambda: None))) == 101
        assert maker.spacing.gap == 0.0

    def test_of_a_large_deck_that_was_asked_for_is_kept_and_its_price_known(self):
        tiles = Painted(["#101010"] * 901 + ["#ff0000"])
        maker = SheetMaker(tiles, plan(gap=0.0), NoLetters())
        assert len(list(maker.pages(tiles.cards, lambda: None))) == 101
        assert (maker.spacing.gap, maker.spacing.unlike) == (0.0, True)

    @pytest.mark.parametrize("name", ["oniroo", "tweak"])
    def test_of_the_shipped_games_is_none_since_they_were_drawn_so(self, press: Press, name: str):
        from stonehand.typesetting.lettering import Lettering

        game = press.load(press.project.games()[name])
        [english] = press.languages_of(game, [Text("en")])
        lettering = Lettering(press.fonts, english, press.languages, press.problems)
        maker = SheetMaker(press.layouter(game, english), plan(gap=None), lettering)
        next(maker.pages(game.cards, lambda: None))
        assert maker.spacing.gap == 0.0
        assert maker.spacing.bleed == 3.0


class TestSeams:
    def test_between_neighbours_of_one_colour_do_not_show(self, press: Press):
        """Black beside black: no paper shines through where two backs share a cut."""
        from stonehand.typesetting.lettering import Lettering

        game = press.load(press.project.games()["tweak"])
        [english] = press.languages_of(game, [Text("en")])
        lettering = Lettering(press.fonts, english, press.languages, press.problems)
        maker = SheetMaker(press.layouter(game, english), plan(gap=None), lettering)
        _, (_, back) = list(maker.pages(game.cards[:9], lambda: None))
        writer = PdfWriter("", "en", press.art)
        writer.add_page(back)
        for dpi in (72.0, 97.0, 150.0):
            [image] = png.rasterise(writer.data(), [back], dpi)
            pixels = image.convert("L")
            scale = dpi / 25.4
            for x in (73.5, 136.5):
                column = [
                    pixels.getpixel((round(x * scale) + i, round(30 * scale))) for i in (-1, 0, 1)
                ]
                assert max(column) == 0
            for y in (104.5, 192.5):
                row = [
                    pixels.getpixel((round(20 * scale), round(y * scale) + i)) for i in (-1, 0, 1)
                ]
                assert max(row) == 0

    def test_are_left_as_they_are_where_neighbours_differ(self):
        for fronts in (["#101010", "#202020"], ["#101010", "#101010"]):
            tiles = Painted(fronts)
            maker = SheetMaker(tiles, plan(gap=0.0), NoLetters())
            [(_, page)] = maker.pages(tiles.cards, lambda: None)
            first = next(mark for mark in page.marks if mark.clip is not None)
            right = max(x for _, points in first.clip if points for x in points[::2])
            assert right == pytest.approx(73.5 + (0.25 if len(set(fronts)) == 1 else 0.0))


# --- pictures ------------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path):
    """Make a game of one card with a picture as its front, from its element and pixels."""

    def made(element: str, size=(126, 176), bleed="3mm"):
        image = Image.new("RGB", size, "#00ff00")
        image.paste("#ff0000", (0, 0, size[0] // 2, size[1]))
        image.paste("#0000ff", (0, 0, 4, size[1]))
        image.paste("#ffff00", (0, size[1] - 4, size[0], size[1]))
        folder = tmp_path / "cards/one"
        (folder / "art").mkdir(parents=True, exist_ok=True)
        (tmp_path / "layouts").mkdir(exist_ok=True)
        image.save(folder / "art/art.png")
        (folder / "game.yaml").write_text(
            "title: One\nlanguages: [en]\ncatalogues: [cards.yaml]\n"
            "kinds:\n  card: {title: Card, front: front, fields: {art: picture}}\n"
        )
        (folder / "cards.yaml").write_text("kind: card\ncards:\n  - {id: a, art: art}\n")
        (tmp_path / "layouts/front.yaml").write_text(
            f"bleed: {bleed}\nelements:\n  - {{draw: picture, picture: $art, {element}}}\n"
        )
        return drawn(tmp_path)

    return made


def drawn(root: FilePath):
    """Return the card with its bleed as an image of 10 pixels a mm, and what was said."""
    problems = Problems()
    press = Press(Project((root, shipped_content())), problems)
    loaded = press.load(find_game("one", press.project))
    [english] = press.languages_of(loaded, ())
    scene = press.layouter(loaded, english).front(loaded.cards[0])
    problems.raise_errors()
    writer = PdfWriter("", "en", press.art)
    writer.add_page(scene)
    [image] = png.rasterise(writer.data(), [scene], 254.0)
    return image.convert("RGB"), [str(problem) for problem in problems]


def at(image: Image.Image, x: float, y: float) -> str:
    """Return the colour at a point of the card, in mm from its trim."""
    pixel = image.getpixel((round((x + 3) * 10), round((y + 3) * 10)))
    return "#" + "".join(f"{value:02x}" for value in pixel)


class TestPictures:
    def test_that_end_at_the_cut_are_continued_as_in_a_mirror(self, game):
        image, _ = game("bleed: extend, fit: stretch")
        assert image.size == (690, 940)
        assert at(image, 1, 40) == at(image, -1, 40) == "#0000ff"  # 2 mm of blue, mirrored
        assert at(image, -2.8, 40) == "#ff0000"
        assert at(image, 40, 87) == at(image, 40, 89) == "#ffff00"
        assert at(image, 40, 90.8) == "#00ff00"
        assert at(image, 65.8, -2.8) == "#00ff00"
        assert at(image, -2.8, 90.8) == "#ff0000"

    def test_that_end_at_the_cut_are_continued_by_their_rim(self, game):
        image, _ = game("bleed: extend, fit: stretch, beyond: stretch")
        assert at(image, -2.8, 40) == "#0000ff"
        assert at(image, 40, 90.8) == at(image, -2.8, 90.8) == "#ffff00"
        assert at(image, 40, -2.8) == "#00ff00"

    def test_have_no_seam_at_the_cut(self, game):
        for beyond in ("mirror", "stretch"):
            image, _ = game(f"bleed: extend, fit: stretch, beyond: {beyond}")
            column = {image.getpixel((640 + i, 300)) for i in range(-30, 45)}
            assert column == {(0, 255, 0)}
            row = {image.getpixel((500, i)) for i in range(300)}
            assert row == {(0, 255, 0)}

    def test_with_a_bleed_of_their_own_fill_the_card_with_it(self, game):
        image, _ = game("bleed: yes, fit: stretch", size=(138, 188))
        assert at(image, -2.9, 40) == "#0000ff"
        assert at(image, -0.5, 40) == "#ff0000"

    @pytest.mark.parametrize(
        ("size", "said"),
        [
            ((744, 1039), "is taken to end at the cut, and continued"),
            ((815, 1110), "is taken with its bleed of 3 mm"),
        ],
    )
    def test_are_told_by_their_shape_and_that_is_reported(self, game, size, said):
        image, notes = game("bleed: auto", size=size)
        assert image.size == (690, 940)
        assert len(notes) == 1
        assert notes[0].endswith(f"cards.yaml:3:18: note: picture 'art' {said} [bleed-guessed]")

    def test_of_neither_shape_are_refused_not_guessed(self, game):
        with pytest.raises(StonehandError) as caught:
            game("bleed: auto", size=(500, 500))
        assert "has neither the shape of 63 x 88 mm nor, with bleed, 69 x 94 mm" in str(
            caught.value
        )
        assert "say 'bleed: yes', 'extend' or 'no'" in str(caught.value)

    def test_without_room_to_bleed_are_drawn_as_they_are(self, game):
        image, _ = game("bleed: extend, fit: stretch", bleed="0")
        assert image.size == (630, 880)


def test_tiles_have_edges_too():
    """The stand-ins of other tests behave as cards do."""
    tiles = Tiles([POKER] * 2)
    assert EdgeReader().edge(tiles.front(tiles.cards[0])) == "#010000"
    maker = SheetMaker(tiles, plan(A4), NoLetters())
    (_, front), (_, back) = maker.pages(tiles.cards, lambda: None)
    assert len(tiles_on(front, FRONT)) == len(tiles_on(back, BACK)) == 2
