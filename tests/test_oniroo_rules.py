"""The rules of ONIROO: whole, with every number of the fact sheet, and true to the deck.

In all four languages, as printed (see `printed` in conftest.py).
"""

import re
from itertools import pairwise

import pytest

from stonehand.rules.blocks import Figure, Heading, ListBlock, Paragraph, Parts

LANGUAGES = ("en", "hi", "el", "ko")
RULES_OF = {  # how many rules each section has
    "A": 6, "B": 5, "C": 7, "D": 2, "E": 1, "F": 8, "G": 6, "H": 8, "I": 3, "J": 4, "K": 2,
    "L": 1, "M": 4, "N": 3,
}  # fmt: skip
IDS = [f"{letter}_{n:02}" for letter, count in RULES_OF.items() for n in range(1, count + 1)]


@pytest.fixture(scope="module")
def texts(rules_text, printed, texts_of) -> dict[str, dict[str, str]]:
    """All that is printed below a heading, up to the next: {language: {id: text}}."""
    return texts_of(rules_text, printed, LANGUAGES)


@pytest.fixture(scope="module")
def source(shipped) -> str:
    return (shipped / "i18n/oniroo/rules.md").read_text("utf-8")


# --- whole ---


class TestOrder:
    def test_sixty_rules_stand_in_the_order_of_their_ids(self, rules_text):
        assert len(IDS) == 60
        headings = [block for block in rules_text.blocks if isinstance(block, Heading)]
        assert [str(heading.id) for heading in headings if heading.rule] == IDS
        assert not rules_text.withdrawn

    def test_fourteen_lettered_sections_hold_the_rules_of_their_letter(self, rules_text):
        headings = [block for block in rules_text.blocks if isinstance(block, Heading)]
        letters = [str(h.id) for h in headings if h.level == 2 and len(h.id) == 1]
        assert letters == list(RULES_OF)
        section = ""
        for heading in headings:
            if heading.level == 2:
                section = str(heading.id)
            elif heading.rule:
                assert heading.id[0] == section

    def test_every_rule_has_a_title_and_text_in_every_language(self, texts):
        for code in LANGUAGES:
            for name in IDS:
                title, *lines = texts[code][name].strip().split("\n")
                assert title
                assert any(len(line) > 8 for line in lines) or name == "E_01"

    def test_describing_and_voting_are_optional(self, rules_text):
        optional = [str(b.id) for b in rules_text.blocks if isinstance(b, Heading) and b.optional]
        assert optional == ["L", "M"]

    def test_the_book_opens_with_the_licence(self, texts):
        for code, words in {
            "en": ("free of charge", "may not be sold", "copyright fees", "not liable"),
            "hi": ("निःशुल्क", "बेच", "कॉपीराइट", "उत्तरदायी"),
            "el": ("δωρεάν", "πωλ", "δικαι", "ευθ"),
            "ko": ("무료", "판매", "저작권", "책임"),
        }.items():
            for word in words:
                assert word in texts[code]["title"], f"{code}: {word}"


# --- the numbers of the fact sheet, sections 4 and 5 and the rules themselves ---

POINTS = {
    "en": r"\b{} (?:extra )?points",
    "hi": r"(?<!\d){} (?:अतिरिक्त )?अंक",
    "el": r"(?<!\d){} (?:επιπλέον |πρόσθετους )?πόντ",
    "ko": r"(?<!\d){}점",
}
P = "points"
FACTS: dict[str, list[int | str | tuple[int, str]]] = {
    "intro": [173, 5, 2, 6, 1],
    "A_01": [130, 8, "A", "F", 0, 9],
    "A_02": [8],
    "A_03": [1],
    "A_04": [3],
    "A_05": [5],
    "A_06": [5],
    "B_01": [5],
    "B_02": [2],
    "B_04": [1, 6, 5],
    "decks": [130, 8, 1, 3, 5, 21],
    "C_01": [1, 10, (5, P)],
    "C_02": [1, 10, (5, P)],
    "C_03": [1, 10, (10, P), 5, 2, (5, P)],
    "level-4": [5],
    "C_05": [5],
    "C_06": [5, 1],
    "C_07": [(15, P), (5, P), 2],
    "D_01": ["001", 130, 8],
    "E_01": [7, (20, P)],
    "F_01": [5, 1],
    "F_02": ["020", "021"],
    "F_03": [5],
    "F_04": [(5, P)],
    "F_05": [5, 1, "A", "F"],
    "F_06": [5, 1],
    "F_07": [5, 1, "1 2 3 4 5", "6 7 8 9 0", "5 4 3 2 1"],
    "G_05": [5],
    "G_06": [1, 5],
    "H_01": [5],
    "H_02": [1],
    "H_03": ["2\n1\n", "3\n2\n", "4\n3\n", "5\n4\n", "6\n5\n"],
    "H_06": [1, 5],
    "H_08": [5],
    "I_01": [(5, P)],
    "I_02": [5],
    "I_03": [5, (15, P)],
    "J_01": ["07:00"],
    "J_03": [1],
    "J_04": [(5, P)],
    "K_01": [5],
    "M_02": [1, (5, P), (10, P), 15, "001", 130],
    "N_01": [2],
    "N_02": [2],
    "solo-codes": ["A", "F", 0, 9],
    "solo-drawing": [2],
    "solo-free": [1, 2],
    "solo-1": ["067", 0, 6, 7],
    "solo-2": [3, 0, 5, 8, "058"],
    "N_03": ["022"],
    "solo-3": ["A", 5, "023"],
}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", FACTS)
def test_every_number_of_the_fact_sheet_is_in_its_rule(texts, number, code, name):
    text = texts[code][name].replace("\u00a0", " ")
    for fact in FACTS[name]:
        if isinstance(fact, tuple):
            pattern = POINTS[code].format(fact[0])
        elif isinstance(fact, int):
            pattern = number(code, fact)
        else:
            pattern = re.escape(fact)
        found = re.search(pattern, text, re.IGNORECASE)
        assert found, f"{code} {name} lacks {fact!r}: {text}"


POINTS_TABLE = [
    (5, "C_01"), (5, "C_02"), (10, "C_03"), (15, "C_07"), (5, "J_04"), (20, "E_01"), (15, "I_03"),
    (-5, "I_01"), (5, "M_02"), (10, "M_02"),
]  # fmt: skip


@pytest.mark.parametrize("code", LANGUAGES)
def test_points_at_a_glance_are_those_of_the_fact_sheet_and_name_their_rules(
    rules_text, printed, code
):
    at = next(i for i, b in enumerate(rules_text.blocks) if getattr(b, "id", "") == "points")
    table = rules_text.blocks[at + 1]
    assert len(table.head) == 3
    found = []
    for _, points, rule in table.rows:
        text = printed(code, points).replace("−", "-")
        found.append((int(re.search(r"-?\d+", text)[0]), printed(code, rule)))
    assert found == POINTS_TABLE


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_level_gets_the_cards_of_the_fact_sheet(rules_text, printed, code):
    at = next(i for i, b in enumerate(rules_text.blocks) if getattr(b, "id", "") == "decks")
    table = next(b for b in rules_text.blocks[at:] if hasattr(b, "rows"))
    numbers = [[re.findall(r"\d+|–", printed(code, c)) for c in row[1:]] for row in table.rows]
    assert [[(cell or ["digits"])[0] for cell in row] for row in numbers] == [
        ["130"] * 6,
        ["8", "–", "8", "8", "–", "8"],
        ["1"] * 6,
        ["–", "3", "3", "3", "3", "3"],
        ["–", "5", "5", "5", "5", "5"],
        ["–", "5", "5", "5", "5", "5"],
        ["–", "–", "–", "–", "digits", "21"],
    ]


def test_counts_are_asked_of_the_catalogue_and_never_typed(source):
    kinds = r"(?:different |Symbol |special |\w+ )?(?:\[\[[^|\]]*\|)?[\w -]*\bcards?\b"
    assert not re.search(rf"\b(?:130|152|173|21)\b {kinds}", source)
    assert source.count("{count") > 30


# --- what figures and examples say of the deck ---


class Deck:
    def __init__(self, oniroo) -> None:
        self.cards = {str(card.id): card for card in oniroo.cards}

    def value(self, card: str, field: str) -> str:
        """A value of a card; a Free card has any letter, shape, digit and own group."""
        found = self.cards[card].values.get(field)
        return str(found) if found is not None else "any"

    def values(self, cards: list[str], field: str) -> str:
        return " ".join(self.value(card, field) for card in cards)

    def matches(self, cards: list[str]) -> list[int]:
        """Return which cards, counted from 1, ask for the group of the card after them."""
        return [
            i
            for i, (one, after) in enumerate(pairwise(cards), 1)
            if self.value(after, "group") in (self.value(one, "next"), "any")
        ]


@pytest.fixture(scope="module")
def deck(oniroo) -> Deck:
    return Deck(oniroo)


@pytest.fixture(scope="module")
def figures(rules_text, walk) -> dict[str, list[list[str]]]:
    """The cards of each figure, by the id it stands below."""
    made: dict[str, list[list[str]]] = {}
    for block in walk(rules_text.blocks):
        if isinstance(block, Figure):
            made.setdefault(block.caption.context, []).append([str(card) for card in block.cards])
    return made


@pytest.fixture(scope="module")
def captions(rules_text, walk) -> dict[str, list[str]]:
    """The captions of figures, by the id they stand below."""
    made: dict[str, list[str]] = {}
    for block in walk(rules_text.blocks):
        if isinstance(block, Figure):
            made.setdefault(block.caption.context, []).append(str(block.caption))
    return made


class TestFiguresAreTrue:
    def test_one_card_of_each_kind(self, figures, deck):
        kinds = [str(deck.cards[card].kind) for card in figures["A"][0]]
        assert kinds == ["symbol", "free", "wakeup", "badnight", "moonhead", "fairy", "magiccode"]

    def test_the_shared_dream_of_C_03(self, figures, deck, captions):
        first, second = figures["C_03"]
        dream = first + second
        assert len(dream) == 10
        letters = deck.values(dream, "letter").split()
        assert [i for i, letter in enumerate(letters, 1) if letter == "C"] == [2, 3, 5, 7, 10]
        assert "second, third and fifth card" in captions["C_03"][0]
        assert "seventh and tenth card" in captions["C_03"][1]
        assert 1 in deck.matches(dream)  # 009 asks for the group of 021
        assert dream[-1] == "049"

    def test_the_dream_of_C_07(self, figures, deck):
        hand, dream = figures["C_07"]
        assert hand == ["033", "044", "041", "018", "wake-up"]
        assert deck.values(["053", "064", "033", "044", "041"], "letter") == "E E E E E"
        assert dream == ["053", "064", "033", "044", "041", "wake-up"]
        assert deck.matches(dream[:5]) == [1, 2, 3, 4]
        assert deck.value("018", "letter") != "E"
        assert deck.value("062", "letter") != "E"  # "which is no help"

    def test_a_card_of_each_group_in_the_order_of_the_list(self, figures, deck, oniroo):
        cards = figures["D_01"][0]
        assert deck.values(cards, "group").split() == list(oniroo.spec.lists["group"].values)

    def test_the_diamond_is_an_object(self, figures, deck):
        assert figures["D"] == [["096"]]
        assert deck.value("096", "group") == "object"
        assert deck.value("096", "name") == "Diamond"

    def test_020_and_021_match(self, figures, deck):
        assert figures["F_02"] == [["020", "021"]]
        assert deck.matches(["020", "021"]) == [1]

    def test_five_times_F_with_one_match(self, figures, deck):
        [cards] = figures["F_05"]
        assert deck.values(cards, "letter") == "F F F F F"
        assert deck.matches(cards) == [3]

    def test_five_stars_with_two_matches(self, figures, deck):
        [cards] = figures["F_06"]
        assert deck.values(cards, "shape") == "star star star star star"
        assert deck.matches(cards) == [1, 2]

    @pytest.mark.parametrize("name", ["F_07", "H_06"])
    def test_digits_3_to_7_with_one_match(self, figures, deck, name):
        [cards] = figures[name]
        assert deck.values(cards, "digit") == "3 4 5 6 7"
        assert deck.matches(cards) == [1]

    def test_digits_5_to_1_with_a_free_card_and_every_match(self, figures, deck):
        [cards] = figures["F_08"]
        assert deck.values(cards, "digit") == "5 4 any 2 1"
        assert deck.matches(cards) == [1, 2, 3, 4]

    def test_the_example_of_F_08(self, deck, texts):
        text = texts["en"]["F_08"]
        for card, said in {
            "063": "letter E, triangle, digit 5",
            "049": "letter C, triangle, digit 4",
        }.items():
            letter, shape, digit = (deck.value(card, f) for f in ("letter", "shape", "digit"))
            assert said == f"letter {letter}, {shape}, digit {digit}"
            assert f"{deck.value(card, 'name')}: {said}" in text
        assert deck.values(["045"], "shape") == "star"
        assert deck.values(["045", "004"], "digit") == "2 1"
        assert deck.matches(["063", "049"]) == [1]

    def test_the_example_of_K_02(self, deck, source):
        hand = ["002", "086", "006", "003", "001"]
        said = re.findall(r"\[\[card\.(\d+)\]\] \((?:digit )?(\d)\)", source.replace("\n", " "))
        assert said == [(card, deck.value(card, "digit")) for card in hand[:4]]
        assert deck.value("001", "digit") == "7"
        assert 1 in deck.matches(hand)
        assert deck.cards["091"] is not None

    def test_bad_nights_wear_the_colours_that_are_told(self, figures, deck):
        [cards] = figures["G"]
        assert deck.values(cards, "tone") == "orange green violet"
        assert deck.values(cards, "name") == "Nightmare Sleepwalker Insomnia"

    def test_moon_heads_and_fairies_are_all_shown(self, figures, deck, oniroo):
        for name, kind in (("H", "moonhead"), ("I", "fairy")):
            [cards] = figures[name]
            assert sorted(cards) == sorted(str(c.id) for c in oniroo.cards if c.kind == kind)

    def test_the_solo_figures_are_those_of_the_fact_sheet(self, figures, deck):
        assert figures["solo-1"] == [["067", "code-0", "code-6", "code-7"]]
        assert figures["solo-2"] == [["code-0", "code-5", "code-8", "058"]]
        assert figures["solo-3"] == [["code-A", "code-cross", "code-5", "023"]]
        assert [deck.value("023", f) for f in ("letter", "shape", "digit")] == ["A", "cross", "5"]
        names = [deck.value(card, "name") for card in ("067", "058", "085", "023")]
        assert names[0] == "Bridge"
        assert names[1] == "Night Sky"
        assert names[3] == "Centaur"

    def test_every_part_of_an_explained_card_has_its_words(self, rules_text, printed):
        explained = [b for b in rules_text.blocks if isinstance(b, Parts)]
        assert [str(b.card) for b in explained][:2] == ["023", "free-3"]
        for block in explained:
            assert len({str(part) for part, _ in block.labels}) == len(block.labels) >= 4


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_eight_groups_are_listed_as_the_game_names_them(rules_text, printed, oniroo, code):
    groups = [group.properties["name"] for group in oniroo.lists["group"].values()]
    numbered = next(
        b
        for b in rules_text.blocks
        if isinstance(b, ListBlock) and b.numbered and len(b.items) == 8
    )
    items = [item[0] for item in numbered.items]
    assert all(isinstance(item, Paragraph) for item in items)
    assert [printed(code, item.text) for item in items] == [printed(code, g) for g in groups]


# --- words ---


@pytest.fixture(scope="module")
def terms(terms_of) -> dict[str, dict[str, tuple[str, ...]]]:
    return terms_of("oniroo")


# the fact sheet's contents list words two sections otherwise than their headings do
SPARE = {"class.positive", "head.C.toc"}
# in English the senses are "picked out", and the contents are just that
SPARE_IN_ENGLISH = {f"painted.{part}" for part in ("eyes", "hands", "ears", "nose")} | {"head.toc"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_term_is_used_in_the_book_or_on_the_cards(terms, texts, oniroo, printed, press, code):
    words = [str(word) for word in press.languages[code].words.values()]
    cards = [
        printed(code, value)
        for card in oniroo.cards
        for value in card.values.values()
        if hasattr(value, "context")
    ]
    whole = "\n".join([*texts[code].values(), *words, *cards]).casefold()
    unused = {
        key for key, row in terms.items() if not any(s.casefold() in whole for s in row[code])
    }
    assert unused <= (SPARE | SPARE_IN_ENGLISH if code == "en" else SPARE)


def test_every_term_that_is_referred_to_is_in_the_termbase(terms, source):
    keys = set(terms)
    used = set(re.findall(r"\[\[([a-z]+\.[a-z]+)\b", source)) - {"card.diamond"}
    assert used <= keys
    assert len(used) > 30


KIND_TERMS = {
    "symbol": "kind.symbol",
    "free": "kind.free",
    "wakeup": "kind.wakeup",
    "badnight": "kind.badnight",
    "moonhead": "kind.moonhead",
    "fairy": "kind.fairy",
    "magiccode": "kind.magiccode",
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_kinds_are_called_what_the_cards_call_them(terms, oniroo, printed, code):
    chosen = {key: row[code] for key, row in terms.items()}
    for kind, title in oniroo.titles.items():
        words = chosen[KIND_TERMS[kind]]
        assert any(word in printed(code, title) for word in words), kind


NAMED = {
    "G_04": "nightmare",
    "G_05": "sleepwalker",
    "G_06": "insomnia",
    "H_02": "moon-eyes",
    "H_03": "moon-hands",
    "H_04": "moon-ears",
    "H_05": "moon-mouth",
    "H_06": "moon-nose",
}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", NAMED)
def test_rules_of_a_card_are_titled_with_the_name_on_it(deck, texts, printed, code, name):
    on_card = printed(code, deck.cards[NAMED[name]].values["name"])
    title = texts[code][name].split("\n", 1)[0]
    assert re.match(rf"{re.escape(on_card)}(?:\W|\Z)", title), f"{title} / {on_card}"


@pytest.mark.parametrize("code", LANGUAGES)
def test_cards_named_in_the_rules_have_the_names_on_the_cards(
    deck, rules_text, printed, source, code
):
    named = set(re.findall(r"\[\[card\.([\w-]+)", source))
    assert len(named) > 20
    for message in rules_text.texts():
        for card in re.findall(r"\[\[card\.([\w-]+)\]\]", message):
            name = printed(code, deck.cards[card].values["name"])
            assert name in printed(code, message)
