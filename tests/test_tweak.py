"""The TWEAK! deck: what the rules tell of it, what makes it play well, and what one sees.

Faces are looked at as they print: pixels come from PDFium (see `pixels`).
"""

import itertools
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from stonehand.cards.deck import Card, LoadedGame
from stonehand.cards.layout import Layouter
from stonehand.output import png
from stonehand.output.pdf import PdfWriter
from stonehand.press import Press
from stonehand.scene import Box, Picture, Scene
from stonehand.scene import Path as PathMark
from stonehand.source.problems import Problems

LANGUAGES = ("en", "hi", "el", "ko")
COLOURS = ("red", "orange", "yellow", "green", "blue", "violet")
COPIES = {1: 2, 2: 2, 3: 2, 4: 1, 5: 1, 6: 1}  # of each value in each colour
POINTS = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}
BACKS = {  # of all cards of a value
    1: [7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10],
    2: [7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10],
    3: [7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10],
    4: [7, 7, 8, 8, 9, 10],
    5: [7, 8, 9, 9, 10, 10],
    6: [7, 7, 8, 8, 9, 10],
}
DPI = 72
WHITE_EDGE = 3.0  # mm within the cut


def value(card: Card, field: str) -> int:
    return int(str(card.values[field]))


def of_kind(game: LoadedGame, kind: str) -> list[Card]:
    return [card for card in game.cards if card.kind == kind]


@pytest.fixture(scope="module")
def numbers(tweak) -> list[Card]:
    return of_kind(tweak, "number")


@pytest.fixture(scope="module")
def problems() -> Problems:
    return Problems()


@pytest.fixture(scope="module")
def layouters(tweak, problems) -> dict[str, Layouter]:
    press = Press(tweak.folder.project, problems)
    press.read_pictures(tweak.cards)
    return {code: press.layouter(tweak, press.languages[code]) for code in LANGUAGES}


@pytest.fixture(scope="module")
def fronts(tweak, layouters) -> dict[str, Scene]:
    """The front of every card in English."""
    return {str(card.id): layouters["en"].front(card) for card in tweak.cards}


@pytest.fixture(scope="module")
def backs(tweak, layouters) -> dict[str, Scene]:
    """The back of every card in English."""
    return {str(card.id): layouters["en"].back(card) for card in tweak.cards}


def pixels(press: Press, scenes: list[Scene]) -> list[Image.Image]:
    """Return Scenes, their bleed included, as pictures of so many dots per inch."""
    writer = PdfWriter("", "en", press.art)
    for scene in scenes:
        writer.add_page(scene)
    return list(png.rasterise(writer.data(), scenes, DPI))


def edge(image: Image.Image, mm: float) -> set[tuple[int, int, int]]:
    """Return the colours in a picture's outermost so many mm."""
    deep = int(mm / 25.4 * DPI) - 1  # a pixel on the border mixes
    inner = image.copy()
    inner.paste((255, 0, 255), (deep, deep, image.width - deep, image.height - deep))
    colours = {colour for _, colour in inner.getcolors(1 << 20)}
    return colours - {(255, 0, 255)}


class TestTheDeck:
    def test_has_72_cards_of_three_kinds(self, tweak):
        counts = Counter()
        for card in tweak.cards:
            counts[card.kind] += card.count
        assert counts == {"number": 54, "tweak": 17, "special": 1}

    def test_prints_the_number_cards_first_nine_of_a_colour_to_a_sheet(self, tweak, numbers):
        assert tweak.cards[:54] == numbers
        assert [str(card.id) for card in numbers] == [f"{n:02}" for n in range(1, 55)]
        assert [str(c.values["colour"]) for c in numbers] == [c for c in COLOURS for _ in range(9)]
        assert [str(card.id) for card in tweak.cards[54:]] == [
            "thief", "joker", "switch", "bomb", "seven",
        ]  # fmt: skip

    def test_has_five_thieves_five_jokers_five_switches_and_two_bombs(self, tweak):
        counts = {str(card.id): card.count for card in of_kind(tweak, "tweak")}
        assert counts == {"thief": 5, "joker": 5, "switch": 5, "bomb": 2}

    def test_has_each_value_as_often_in_every_colour(self, numbers):
        found = Counter((str(card.values["colour"]), value(card, "value")) for card in numbers)
        assert found == {(c, v): n for c in COLOURS for v, n in COPIES.items()}
        assert sum(value(card, "value") for card in numbers) == 162

    def test_brings_96_points_on_number_cards_and_2_on_each_T(self, tweak, numbers):
        assert all(value(card, "points") == POINTS[value(card, "value")] for card in numbers)
        assert sum(value(card, "points") for card in numbers) == 96
        assert {value(card, "points") for card in of_kind(tweak, "tweak")} == {2}


class TestTargets:
    def test_are_14_sevens_14_eights_13_nines_and_13_tens(self, numbers):
        counts = Counter(value(card, "target") for card in numbers)
        assert counts == {7: 14, 8: 14, 9: 13, 10: 13}

    @pytest.mark.parametrize("front", BACKS)
    def test_tell_nothing_about_the_value(self, numbers, front):
        found = [value(card, "target") for card in numbers if value(card, "value") == front]
        assert sorted(found) == BACKS[front]

    @pytest.mark.parametrize("colour", COLOURS)
    def test_occur_two_or_three_times_in_each_colour(self, numbers, colour):
        found = Counter(value(c, "target") for c in numbers if c.values["colour"] == colour)
        assert set(found) == {7, 8, 9, 10}
        assert set(found.values()) == {2, 3}

    def test_make_every_number_card_one_of_its_kind(self, numbers):
        cards = {tuple(str(c.values[f]) for f in ("colour", "value", "target")) for c in numbers}
        assert len(cards) == 54


class TestFronts:
    def test_of_number_cards_show_value_and_points(self, numbers, fronts):
        for card in numbers:
            runs = fronts[str(card.id)].text.split()
            both = [str(card.values["value"])] * 2 + [str(card.values["points"])]
            assert sorted(runs) == sorted(both), card.id

    def test_of_number_cards_show_their_shape_once_and_as_often_as_the_value(self, numbers, fronts):
        for card in numbers:
            glyph = card.values["colour"].properties["glyph"].path
            assert pictures(fronts[str(card.id)]).count(glyph) == value(card, "value") + 1

    def test_have_points_in_the_upper_right_corner(self, tweak, layouters):
        for name in ("tweak/number", "tweak/t"):
            card = next(c for c in tweak.cards if tweak.spec.kinds[c.kind].front == name)
            box = layouters["en"].anchors(card)["points"]
            assert box.x > 63 / 2
            assert box.right < 63 - 4
            assert box.y < 10

    def test_underline_the_six_and_nothing_else(self, numbers, fronts):
        for card in numbers:
            plain = 2  # the panel and the die
            shapes = paths(fronts[str(card.id)])
            assert len(shapes) == plain + 2 * (value(card, "value") == 6), card.id

    def test_of_T_cards_show_name_effect_points_and_a_picture(self, tweak, layouters, fronts):
        text = layouters["en"].translations.text
        for card in of_kind(tweak, "tweak"):
            shown = squeezed(fronts[str(card.id)].text)
            for field in ("name", "text"):
                assert squeezed(text(card.values[field])) in shown
            assert "2" in fronts[str(card.id)].text.split()
            assert card.values["art"].path in pictures(fronts[str(card.id)])

    def test_T_cards_show_four_different_pictures_of_the_project(self, tweak):
        files = [card.values["art"].path for card in of_kind(tweak, "tweak")]
        assert len({path.read_bytes() for path in files}) == 4
        assert all(path.is_relative_to(tweak.folder.art) for path in files)

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_of_the_blue_card_say_when_the_target_is_7(self, tweak, layouters, code):
        [card] = of_kind(tweak, "special")
        shown = layouters[code].front(card).text
        assert squeezed(layouters[code].translations.text(card.values["text"])) in squeezed(shown)
        assert shown.split().count("7") >= 3


class TestBacks:
    def test_of_number_cards_show_their_target_in_the_middle_and_two_corners(self, numbers, backs):
        for card in numbers:
            assert backs[str(card.id)].text.split() == [str(card.values["target"])] * 3

    def test_underline_the_nine_and_nothing_else(self, numbers, backs):
        for card in numbers:
            nine = value(card, "target") == 9
            assert len(paths(backs[str(card.id)])) == 1 + 3 * nine, card.id

    def test_of_number_cards_are_black_over_all_the_edge(self, press, numbers, backs):
        one_each = {value(card, "target"): backs[str(card.id)] for card in numbers}
        for image in pixels(press, list(one_each.values())):
            assert edge(image, 3 + WHITE_EDGE) == {(0, 0, 0)}

    def test_of_T_cards_are_all_one_without_words_and_not_black(self, press, tweak, backs):
        scenes = {id(backs[str(card.id)]): backs[str(card.id)] for card in of_kind(tweak, "tweak")}
        [scene] = scenes.values()
        assert scene.text == ""
        [image] = pixels(press, [scene])
        assert (0, 0, 0) not in {colour for _, colour in image.getcolors(1 << 20)}

    def test_of_T_cards_look_the_same_turned_round(self, press, backs):
        [image] = pixels(press, [backs["thief"]])
        other = ImageChops.difference(image, image.rotate(180)).convert("L").histogram()
        assert sum(other[64:]) < 10  # pixels at the edges of shapes may round otherwise

    def test_of_the_blue_card_show_7_as_the_front_does(self, backs):
        assert backs["seven"].text.split() == ["7"] * 3


class TestEdges:
    def test_are_white_but_for_the_backs_of_number_cards(self, press, tweak, fronts, backs):
        scenes = [*fronts.values(), backs["thief"], backs["seven"]]
        names = [*fronts, "back of thief", "back of seven"]
        for name, image in zip(names, pixels(press, scenes), strict=True):
            assert edge(image, 3 + WHITE_EDGE) == {(255, 255, 255)}, name

    def test_are_those_of_poker_cards(self, fronts, backs):
        shapes = {(s.width, s.height, s.bleed) for s in (*fronts.values(), *backs.values())}
        assert shapes == {(63.0, 88.0, 3.0)}


@pytest.fixture(scope="module")
def looks(tweak) -> dict[str, tuple[str, str]]:
    """The colour of each panel, and of what stands on it."""
    return {
        str(name): (str(colour.properties["panel"]), str(colour.properties["ink"]))
        for name, colour in tweak.lists["colour"].items()
    }


class TestColours:
    """That they are told apart, and what stands on them is read, without seeing colours."""

    def test_are_the_six_of_the_rules(self, tweak):
        assert tuple(map(str, tweak.lists["colour"])) == COLOURS

    def test_differ_in_lightness_by_5_or_more(self, looks):
        steps = sorted(lightness(panel) for panel, _ in looks.values())
        assert min(b - a for a, b in itertools.pairwise(steps)) >= 5, steps

    @pytest.mark.parametrize("colour", COLOURS)
    def test_have_type_and_shapes_of_contrast(self, looks, colour):
        assert contrast(*looks[colour]) >= 4.5

    def test_of_the_other_cards_have_contrast_with_white(self, tweak):
        colours = tweak.colours
        for name in ("tweak", "blue", "black", "ink"):
            assert contrast(colours[name], colours["light"]) >= 4.5

    def test_have_shapes_whose_outlines_differ(self, press, tweak):
        """Of what two shapes cover, less than four fifths is covered by both."""
        files = {str(n): c.properties["glyph"] for n, c in tweak.lists["colour"].items()}
        assert len({file.path for file in files.values()}) == 6
        scenes = [
            Scene(20, 20, (Picture(press.art.load(file.path, file), Box(0, 0, 20, 20), "#000000"),))
            for file in files.values()
        ]
        masks = [
            image.convert("L").point(lambda level: 255 * (level < 128), "1")
            for image in pixels(press, scenes)
        ]
        for one, other in itertools.combinations(masks, 2):
            both = ImageChops.logical_and(one, other).histogram()[-1]
            either = ImageChops.logical_or(one, other).histogram()[-1]
            assert both / either < 0.8


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def lightness(colour: str) -> float:
    """Return the lightness L* of #rrggbb, 0 to 100 (CIE 1976)."""
    y = luminance(colour)
    return 903.3 * y if y <= 0.008856 else 116 * y ** (1 / 3) - 16


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def squeezed(text: str) -> str:
    """Return a text without what breaking it into lines changes."""
    return "".join(text.replace("\u00ad", "").split())


def pictures(scene: Scene) -> list[Path]:
    """Return the files of the pictures on a face, in drawing order."""
    return [Path(mark.art.where).resolve() for mark, _ in scene.walk() if isinstance(mark, Picture)]


def paths(scene: Scene) -> list[PathMark]:
    """Return the shapes on a face."""
    return [mark for mark, _ in scene.walk() if isinstance(mark, PathMark)]


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_fits_and_nothing_is_reported(tweak, layouters, problems, code):
    for card in tweak.cards:
        assert layouters[code].front(card)
        assert layouters[code].back(card)
    assert [str(problem) for problem in problems] == []
