"""Catch the Witch: what is printed for each number of players, and that no back tells anything.

The counts stand here and in `witch_table.py` once more, written out for 4 to 12 players, and are
compared with the catalogue and with the tables of the rules. Faces are looked at as they print:
pixels come from PDFium.
"""

import re
from collections import Counter

import pytest
from PIL import Image, ImageChops
from witch_table import ROLES, SETTINGS

from stonehand.cards.deck import Card
from stonehand.cards.layout import Layouter
from stonehand.output import png
from stonehand.output.pdf import PdfWriter
from stonehand.press import Press
from stonehand.rules.blocks import Table
from stonehand.scene import Scene
from stonehand.source.problems import Problems

LANGUAGES = ("en", "hi", "el", "ko")
PLAYERS = range(4, 13)
EACH = (4, 5, 6, 7, 8, 9, 10, 11, 12)
OPEN, DAYS = SETTINGS["places"], SETTINGS["knights"]
KINDS = {  # cards of each kind, for 4 to 12 players
    "role": EACH,
    "place": OPEN,
    "demand": OPEN,
    "spell": (3,) * 9,
    "phase": (7,) * 9,
    "ingredient": (24, 30, 48, 56, 64, 90, 100, 132, 144),
    "soot": (8, 10, 12, 14, 16, 18, 20, 22, 24),
    "answer": (8, 10, 12, 14, 16, 18, 20, 22, 24),
    "seat": EACH,
    "arrow": EACH,
    "paw": EACH,
    "aid": EACH,
    "seal": (2, 3, 3, 3, 3, 3, 3, 3, 3),
    "ash": DAYS,
    "lantern": DAYS,
    "absent": (4,) * 9,
    "standee": (2,) * 9,
    "marker": (3,) * 9,
    "board": (1,) * 9,
    "setup": (1,) * 9,
    "host": (1,) * 9,
    "slip": (32, 50, 60, 70, 80, 90, 120, 132, 144),
}
ROWS = {  # the rows of the rules' table of components, and what is counted for each
    "Role cards": "role",
    "Place cards": "place",
    "Demand cards": "demand",
    "Ingredient cards": "ingredient",
    "Soot cards": "soot",
    "Yes cards": "yes",
    "No cards": "no",
    "Seat tokens": "seat",
    "Vote arrows": "arrow",
    "Paw tokens": "paw",
    "Player aids": "aid",
    "Seals": "seal",
    "Ash tokens": "ash",
    "Lanterns": "lantern",
    "Slips (no host)": "slip",
}
PLACES = ("orchard", "mill", "wood", "bees", "well", "tower")
GOODS = ("apple", "wheat", "mushroom", "honey", "water", "feather")
DPI = 72


def count(card: Card, players: int) -> int:
    return card.counts.get(players, card.count)


def of_kind(cards: list[Card], kind: str) -> list[Card]:
    return [card for card in cards if card.kind == kind]


@pytest.fixture(scope="module")
def by_id(witch) -> dict[str, Card]:
    return {str(card.id): card for card in witch.cards}


@pytest.fixture(scope="module")
def problems() -> Problems:
    return Problems()


@pytest.fixture(scope="module")
def layouters(witch, problems) -> dict[str, Layouter]:
    press = Press(witch.folder.project, problems)
    press.read_pictures(witch.cards)
    return {code: press.layouter(witch, press.languages[code]) for code in LANGUAGES}


@pytest.fixture(scope="module")
def tables(witch_rules_text, walk) -> dict[str, Table]:
    """The written tables about numbers of players, by the id they stand below."""
    found = [b for b in walk(witch_rules_text.blocks) if isinstance(b, Table)]
    return {str(t.head[0].context): t for t in found if str(t.head[0]) == "Players"}


def pixels(press: Press, scenes: list[Scene]) -> list[Image.Image]:
    writer = PdfWriter("", "en", press.art)
    for scene in scenes:
        writer.add_page(scene)
    return list(png.rasterise(writer.data(), scenes, DPI))


class TestCounts:
    @pytest.mark.parametrize("players", PLAYERS)
    def test_of_every_kind_are_exact(self, witch, players):
        found = Counter()
        for card in witch.cards:
            found[str(card.kind)] += count(card, players)
        assert found == {kind: counts[players - 4] for kind, counts in KINDS.items()}

    @pytest.mark.parametrize("players", PLAYERS)
    def test_of_every_role_are_exact_and_sum_to_the_players(self, witch, players):
        found = {str(card.id): count(card, players) for card in of_kind(witch.cards, "role")}
        assert found == {role: counts[players - 4] for role, counts in ROLES.items()}
        assert sum(found.values()) == players

    def test_printed_for_any_number_are_the_largest(self, witch):
        for card in witch.cards:
            assert card.count == max(count(card, players) for players in PLAYERS), card.id

    @pytest.mark.parametrize("players", PLAYERS)
    def test_of_an_open_place_are_one_card_one_demand_and_two_ingredients_each(
        self, by_id, players
    ):
        for n, (place, good) in enumerate(zip(PLACES, GOODS, strict=True), 1):
            is_open = n <= OPEN[players - 4]
            assert count(by_id[place], players) == is_open
            assert count(by_id[f"d{good}"], players) == is_open
            assert count(by_id[good], players) == 2 * players * is_open
            numbers = {str(by_id[name].values["number"]) for name in (place, f"d{good}", good)}
            assert numbers == {str(n)}

    @pytest.mark.parametrize("players", PLAYERS)
    def test_of_seats_are_those_of_the_players(self, by_id, players):
        for n in range(1, 13):
            assert count(by_id[f"seat{n}"], players) == (n <= players)

    @pytest.mark.parametrize("players", PLAYERS)
    def test_of_slips_are_two_a_day_for_each(self, by_id, players):
        assert count(by_id["slip"], players) == 2 * players * DAYS[players - 4]


class TestTablesOfTheRules:
    def test_of_components_are_the_catalogue(self, tables, by_id, witch):
        table = tables["B_01"]
        assert [str(cell) for cell in table.head] == ["Players", *map(str, PLAYERS)]
        assert [str(row[0]) for row in table.rows] == list(ROWS)
        for row in table.rows:
            what = ROWS[str(row[0])]
            cards = of_kind(witch.cards, what) or [by_id[what]]
            wanted = [sum(count(card, players) for card in cards) for players in PLAYERS]
            assert [int(cell) for cell in row[1:]] == wanted, row[0]

    def test_of_roles_are_the_catalogue(self, tables, by_id):
        table = tables["C_01"]
        rows = {str(row[0]): [int(cell) for cell in row[1:]] for row in table.rows}
        assert rows == {
            str(by_id[role].values["name"]): list(counts) for role, counts in ROLES.items()
        }

    def test_of_the_village_agree_with_what_is_printed(self, tables):
        rows = {str(row[0]): tuple(map(int, row[1:])) for row in tables["C_02"].rows}
        assert rows == {
            "Open places": OPEN,
            "Ingredients a night": SETTINGS["needed"],
            "Seals to win": KINDS["seal"],
            "Knights’ day": DAYS,
            "Curse meter full at": (3,) * 9,
        }

    def test_stand_on_the_setup_sheet_as_well(self, tables, by_id, layouters):
        """Row by row as there; a dash is a nought."""
        runs = layouters["en"].front(by_id["setup"]).text.split()
        figures = [0 if run == "–" else int(run) for run in runs if re.fullmatch(r"\d+|–", run)]
        wanted = []
        for name in ("C_01", "C_02"):
            wanted += PLAYERS
            wanted += [int(cell) for row in tables[name].rows for cell in row[1:]]
        assert figures == wanted


class TestBacks:
    """Backs that could give something away are one."""

    @pytest.mark.parametrize(
        "kinds", [("role",), ("ingredient", "soot"), ("answer",), ("demand",)], ids="+".join
    )
    @pytest.mark.parametrize("code", LANGUAGES)
    def test_are_equal_without_words_and_the_same_turned_round(
        self, press, witch, layouters, kinds, code
    ):
        cards = [card for kind in kinds for card in of_kind(witch.cards, kind)]
        images = pixels(press, [layouters[code].back(card) for card in cards])
        assert len({image.tobytes() for image in images}) == 1
        assert layouters[code].back(cards[0]).text == ""
        turned = ImageChops.difference(images[0], images[0].rotate(180)).convert("L").histogram()
        assert sum(turned[64:]) < 20  # pixels at the edges of shapes may round otherwise

    def test_of_seats_show_the_same_number_and_a_frog(self, witch, layouters):
        for card in of_kind(witch.cards, "seat"):
            number = [str(card.values["number"])]
            assert layouters["en"].front(card).text.split() == number
            assert layouters["en"].back(card).text.split() == number
        [back] = {card.back for card in of_kind(witch.cards, "seat")}
        assert (back.template, back.differs) == ("witch/seat-frog", True)

    def test_of_slips_there_are_none(self, witch, layouters):
        [slip] = of_kind(witch.cards, "slip")
        assert layouters["en"].back(slip) is None


class TestFaces:
    def test_of_roles_show_name_ability_side_and_picture(self, witch, layouters):
        pictures = set()
        for card in of_kind(witch.cards, "role"):
            shown = squeezed(layouters["en"].front(card).text)
            for words in (card.values["name"], card.values["text"]):
                assert squeezed(str(words)) in shown
            assert squeezed(str(card.values["side"].properties["name"])) in shown
            pictures.add(card.values["art"].path)
        assert len(pictures) == 8

    def test_sides_have_a_sign_and_a_colour_each(self, witch):
        sides = witch.lists["side"].values()
        assert len({side.properties["sign"].path for side in sides}) == 3
        assert len({str(side.properties["panel"]) for side in sides}) == 3

    @pytest.mark.parametrize(
        "style", ["name", "effect", "steps", "side", "label", "small", "sheet"]
    )
    def test_words_are_never_smaller_than_7_and_a_half_points(self, witch, style):
        assert witch.spec.styles[style].smallest.mm >= 7.5 * 25.4 / 72 - 1e-6

    def test_type_has_contrast(self, witch):
        colours = witch.colours
        for ink, ground in (
            ("candle", "night"),
            ("candle", "dusk"),
            ("candle", "moss"),
            ("candle", "violet"),
            ("light", "pond"),
            ("light", "ember"),
            ("ink", "parchment"),
            ("ink", "shade"),
            ("quiet", "parchment"),
        ):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        for side in witch.lists["side"].values():
            assert contrast(str(side.properties["panel"]), colours["parchment"]) >= 4.5


def squeezed(text: str) -> str:
    """Return a text without what breaking it into lines changes."""
    return "".join(text.replace("\u00ad", "").split())


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_fits_and_nothing_is_reported(witch, layouters, problems, code):
    for card in witch.cards:
        assert layouters[code].front(card)
        layouters[code].back(card)
    assert [str(problem) for problem in problems] == []
