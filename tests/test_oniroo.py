"""The ONIROO deck: what the rules tell of it.

Facts are those of the printed rulebooks; rule ids such as F_06 are theirs. How many cards there are
and what makes them play well is declared in its `game.yaml`; see `test_constraints.py`.
"""

from collections import Counter
from pathlib import Path

import pytest

from stonehand.cards.deck import Card, LoadedGame
from stonehand.cards.layout import Layouter
from stonehand.language import po
from stonehand.language.translation import Message
from stonehand.press import Press
from stonehand.scene import Box, GlyphRun, Picture, Scene
from stonehand.scene import Path as PathMark
from stonehand.source.problems import Problems
from stonehand.typesetting.fonts import Face

COUNTS = {
    "symbol": 130,
    "free": 8,
    "wakeup": 1,
    "badnight": 3,
    "moonhead": 5,
    "fairy": 5,
    "magiccode": 21,
}
LANGUAGES = ("en", "hi", "el", "ko")
CODES = ("letter", "shape", "digit")
SAFE = 4.0  # mm


def of_kind(game: LoadedGame, kind: str) -> list[Card]:
    return [card for card in game.cards if card.kind == kind]


def card_of(game: LoadedGame, card_id: str) -> Card:
    return next(card for card in game.cards if card.id == card_id)


@pytest.fixture(scope="module")
def symbols(oniroo: LoadedGame) -> list[Card]:
    return of_kind(oniroo, "symbol")


@pytest.fixture(scope="module")
def problems() -> Problems:
    return Problems()


@pytest.fixture(scope="module")
def layouters(oniroo: LoadedGame, problems: Problems) -> dict[str, Layouter]:
    press = Press(oniroo.folder.project, problems)
    press.read_pictures(oniroo.cards)
    languages = press.languages_of(oniroo, ())
    return {str(language.code): press.layouter(oniroo, language) for language in languages}


@pytest.fixture(scope="module")
def fronts(oniroo: LoadedGame, layouters: dict[str, Layouter]) -> dict[str, dict[str, Scene]]:
    """The front of every card in every language."""
    made: dict[str, dict[str, Scene]] = {}
    for code, layouter in layouters.items():
        scenes = {str(card.id): layouter.front(card) for card in oniroo.cards}
        made[code] = {card_id: scene for card_id, scene in scenes.items() if scene}
    return made


class TestTheDeck:
    def test_has_173_cards_each_printed_once(self, oniroo):
        assert len(oniroo.cards) == 173
        assert {card.count for card in oniroo.cards} == {1}

    def test_is_made_in_the_source_language_and_three_others(self, oniroo):
        assert tuple(map(str, oniroo.spec.languages)) == LANGUAGES

    @pytest.mark.parametrize(
        ("kinds", "cards"),
        [
            (("symbol", "wakeup"), 131),
            (("symbol", "wakeup", "free"), 139),
            (("symbol", "wakeup", "badnight", "moonhead", "fairy"), 144),
            (("symbol", "wakeup", "badnight", "fairy", "free"), 147),
            (("symbol", "wakeup", "moonhead", "fairy", "free"), 149),
            (("symbol", "free", "wakeup", "badnight", "moonhead", "fairy"), 152),
        ],
    )
    def test_gives_each_level_its_deck(self, oniroo, kinds, cards):
        assert sum(card.kind in kinds for card in oniroo.cards) == cards


class TestSymbolCards:
    def test_are_numbered_001_to_130_in_order(self, symbols):
        assert [str(card.id) for card in symbols] == [f"{n:03}" for n in range(1, 131)]

    def test_023_is_the_centaur_with_A_cross_5_in_the_group_of_myths(self, oniroo):
        centaur = card_of(oniroo, "023").values
        assert centaur["name"] == "Centaur"
        assert [centaur[code] for code in CODES] == ["A", "cross", "5"]
        assert centaur["group"] == "myth"

    @pytest.mark.parametrize(("card_id", "name"), [("058", "Night Sky"), ("067", "Bridge")])
    def test_named_in_the_rules_have_their_numbers(self, oniroo, card_id, name):
        assert card_of(oniroo, card_id).values["name"] == name

    def test_diamond_is_in_the_group_of_objects(self, symbols):
        [diamond] = [card for card in symbols if card.values["name"] == "Diamond"]
        assert diamond.values["group"] == "object"

    def test_020_asks_for_the_group_of_021_as_the_rules_tell(self, oniroo):
        assert card_of(oniroo, "020").values["next"] == card_of(oniroo, "021").values["group"]

    def test_digits_do_not_run_in_step_with_the_numbers_as_F_06_says(self, symbols):
        digits = [int(card.values["digit"]) for card in symbols]
        for first, second, third in zip(digits, digits[1:], digits[2:], strict=False):
            assert (second - first, third - second) not in ((1, 1), (-1, -1))

    def test_digits_rarely_repeat_the_last_figure_of_the_number(self, symbols):
        assert sum(int(card.values["digit"]) == int(card.id) % 10 for card in symbols) <= 20


class TestOtherCards:
    def test_fairies_show_five_different_pictures_and_an_at_sign(self, oniroo):
        fairies = of_kind(oniroo, "fairy")
        assert len({card.values["art"].path.read_bytes() for card in fairies}) == 5
        assert {str(card.values["sign"]) for card in fairies} == {"@"}

    @pytest.mark.parametrize("kind", ["badnight", "moonhead"])
    def test_negative_cards_are_marked_with_a_question_mark(self, oniroo, kind):
        assert {str(card.values["sign"]) for card in of_kind(oniroo, kind)} == {"?"}

    def test_bad_nights_wear_orange_green_and_violet(self, oniroo):
        tones = {str(card.id): card.values["tone"] for card in of_kind(oniroo, "badnight")}
        assert tones == {"nightmare": "orange", "sleepwalker": "green", "insomnia": "violet"}

    def test_moon_heads_are_one_for_each_sense(self, oniroo):
        ids = {str(card.id) for card in of_kind(oniroo, "moonhead")}
        assert ids == {"moon-eyes", "moon-hands", "moon-ears", "moon-mouth", "moon-nose"}

    def test_magic_codes_are_one_for_each_letter_shape_and_digit(self, oniroo):
        shown = [
            (code, str(card.values[code]))
            for card in of_kind(oniroo, "magiccode")
            for code in CODES
            if card.values[code]
        ]
        assert len(shown) == 21
        wanted = {(code, str(value)) for code in CODES for value in oniroo.lists[code]}
        assert set(shown) == wanted

    def test_pictures_of_all_kinds_are_different(self, oniroo):
        pictures = [card.values["art"].path for card in oniroo.cards if "art" in card.values]
        assert len({path.read_bytes() for path in pictures}) == len(pictures)


class TestTexts:
    def test_every_text_is_translated_and_none_is_fuzzy_or_out_of_date(
        self, oniroo, layouters, problems
    ):
        for layouter in layouters.values():
            for message in oniroo.messages():
                assert layouter.translations.text(message)
        assert [str(problem) for problem in problems] == []

    @pytest.mark.parametrize("code", ["hi", "el", "ko"])
    def test_every_text_differs_from_the_source_but_for_names_that_stay(self, oniroo, code):
        entries = po.read(oniroo.folder.translation(code)).entries
        same = {str(e.context) for e in entries if e.translation == e.source}
        assert same <= {"game.title", "title"}

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_symbol_names_are_all_different(self, symbols, layouters, code):
        text = layouters[code].translations.text
        names = [str(text(card.values["name"])).casefold() for card in symbols]
        assert [name for name, count in Counter(names).items() if count > 1] == []

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_cards_of_other_kinds_are_told_apart_by_name(self, oniroo, layouters, code):
        text = layouters[code].translations.text
        for kind in ("badnight", "moonhead", "magiccode"):
            names = [str(text(card.values["name"])) for card in of_kind(oniroo, kind)]
            assert len(set(names)) == COUNTS[kind]
        assert len({str(text(title)) for title in oniroo.titles.values()}) == len(COUNTS)

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_every_card_shows_its_name(self, oniroo, layouters, fronts, code):
        for card in oniroo.cards:
            name = layouters[code].translations.text(card.values["name"])
            assert squeezed(name) in squeezed(fronts[code][str(card.id)].text), card.id

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_every_effect_is_printed_whole(self, oniroo, layouters, fronts, code):
        cards = [card for card in oniroo.cards if "text" in card.values]
        assert len(cards) == 14
        for card in cards:
            effect = layouters[code].translations.text(card.values["text"])
            assert squeezed(effect) in squeezed(fronts[code][str(card.id)].text), card.id


def squeezed(text: str) -> str:
    """Return a text without what breaking it into lines changes."""
    return "".join(text.replace("\u00ad", "").split())


class TestFronts:
    def test_are_the_same_number_in_every_language(self, fronts):
        assert {code: len(scenes) for code, scenes in fronts.items()} == dict.fromkeys(
            LANGUAGES, 173
        )

    def test_are_poker_sized_with_bleed_and_round_corners(self, fronts):
        for scenes in fronts.values():
            shapes = {(s.width, s.height, s.bleed, s.corner) for s in scenes.values()}
            assert shapes == {(63.0, 88.0, 3.0, 3.0)}

    def test_of_symbol_cards_show_number_and_codes(self, symbols, fronts):
        for card in symbols:
            runs = fronts["ko"][str(card.id)].text.split("\n")
            assert str(card.id) in runs
            assert str(card.values["letter"]) in runs
            assert str(card.values["digit"]) in runs

    def test_of_symbol_cards_show_picture_shape_and_both_groups(self, oniroo, symbols, fronts):
        for card in symbols:
            values = card.values
            wanted = {
                values["art"].path,
                *(values[name].properties["glyph"].path for name in ("shape", "group", "next")),
            }
            shown = {path.resolve() for path in pictures(fronts["en"][str(card.id)])}
            assert wanted <= shown, card.id

    def test_letters_are_red_shapes_green_and_digits_blue(self, oniroo, fronts):
        colours = oniroo.spec.colours
        tints = {
            Path(mark.art.where).stem: mark.tint
            for mark, _ in fronts["en"]["023"].walk()
            if isinstance(mark, Picture) and Path(mark.art.where).parent.name == "badges"
        }
        assert tints == {
            "letter": colours["red"],
            "shape": colours["green"],
            "digit": colours["blue"],
        }

    def test_own_group_is_in_a_yellow_rectangle_and_the_next_in_a_violet_circle(
        self, oniroo, fronts
    ):
        yellow, violet = oniroo.spec.colours["yellow"], oniroo.spec.colours["violet"]
        for card_id in ("023", "free-3"):
            marks = [m for m, _ in fronts["en"][card_id].walk() if isinstance(m, PathMark)]
            assert sum(mark.fill == yellow for mark in marks) == 1
            assert sum(mark.fill == violet for mark in marks) == 1

    def test_of_free_cards_show_all_21_codes_and_no_own_group(self, oniroo, fronts):
        for card in of_kind(oniroo, "free"):
            scene = fronts["hi"][str(card.id)]
            runs = scene.text.split("\n")
            assert {"A", "B", "C", "D", "E", "F"} <= set(runs)
            assert set("0123456789") <= set(runs)
            stems = [path.stem for path in pictures(scene)]
            shapes = set(map(str, oniroo.lists["shape"]))
            assert shapes <= set(stems)
            groups = [stem for stem in stems if stem in oniroo.lists["group"]]
            assert groups == [str(card.values["next"])]

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_keep_all_type_4_mm_from_the_cut(self, fronts, code):
        near = [
            f"{card_id}: '{run.text}' {margin:.2f} mm"
            for card_id, scene in fronts[code].items()
            for run, margin in margins(scene)
            if margin < SAFE - 0.005
        ]
        assert near == []


def pictures(scene: Scene) -> list[Path]:
    """Return the files of the pictures on a face, in drawing order."""
    return [Path(mark.art.where) for mark, _ in scene.walk() if isinstance(mark, Picture)]


def margins(scene: Scene):
    """Yield each glyph run with the distance in mm from its ink to the nearest edge of the trim."""
    for mark, matrix in scene.walk():
        if not isinstance(mark, GlyphRun):
            continue
        assert isinstance(mark.face, Face)
        scale = mark.size / mark.face.upem
        pen, corners = mark.x, []
        for cluster in mark.clusters:
            for gid, dx, dy, _ in cluster.glyphs:
                ink = mark.face.font.get_glyph_extents(gid)
                left = pen + (dx + ink.x_bearing) * scale
                top = mark.y - (dy + ink.y_bearing) * scale
                if ink.width:
                    corners.append((left, top))
                    corners.append((left + ink.width * scale, top - ink.height * scale))
            pen += cluster.advance * scale
            if cluster.text in (" ", "\u00a0"):
                pen += mark.word_space
        if corners:
            xs, ys = zip(*(matrix(x, y) for x, y in corners), strict=True)
            yield (
                mark,
                min(*xs, *ys, scene.width - max(xs), scene.height - max(ys)),
            )


class TestBacks:
    def test_are_one_and_the_same_for_all_kinds(self, oniroo, layouters):
        for layouter in layouters.values():
            backs = {id(layouter.back(card)) for card in oniroo.cards}
            assert len(backs) == 1

    def test_fill_the_bleed(self, oniroo, layouters):
        back = layouters["en"].back(oniroo.cards[0])
        [picture] = [mark for mark, _ in back.walk()]
        assert picture.box == back.trim.grown(back.bleed) == Box(-3, -3, 69, 94)

    def test_are_shared_so_that_a_file_stores_them_once(self, oniroo, layouters):
        assert layouters["ko"].back(oniroo.cards[0]).shared


def test_nothing_in_the_deck_is_reported(fronts, problems):
    assert [str(problem) for problem in problems] == []


def test_every_picture_of_the_deck_is_the_work_of_the_project(oniroo):
    art: Path = oniroo.folder.art
    for card in oniroo.cards:
        if "art" in card.values:
            assert card.values["art"].path.is_relative_to(art)


def test_every_translated_text_knows_its_context(oniroo):
    for message in oniroo.messages():
        assert isinstance(message, Message)
        assert message.context
