"""The rules of TWEAK!: whole, with every fact of the fact sheet, and true to the deck.

Texts are taken as printed (see `_printed` in conftest.py), in all languages of `LANGUAGES`: a
language joins when its translation is whole.
"""

import re

import pytest

from stonehand.rules.blocks import Box, Components, Figure, Heading, Parts, Scores, Table

LANGUAGES = ("en", "hi", "el", "ko")
RULES_OF = {"A": 1, "B": 1, "C": 3, "D": 3, "E": 7, "F": 3, "G": 3, "H": 4, "I": 5}
COLOURS = ("red", "orange", "yellow", "green", "blue", "violet")
IDS = [f"{letter}_{n:02}" for letter, count in RULES_OF.items() for n in range(1, count + 1)]


@pytest.fixture(scope="module")
def texts(tweak_rules_text, tweak_printed, texts_of) -> dict[str, dict[str, str]]:
    """All that is printed below a heading, up to the next: {language: {id: text}}."""
    return texts_of(tweak_rules_text, tweak_printed, LANGUAGES)


@pytest.fixture(scope="module")
def source(shipped) -> str:
    return (shipped / "i18n/tweak/rules.md").read_text("utf-8")


@pytest.fixture(scope="module")
def terms(terms_of) -> dict[str, dict[str, tuple[str, ...]]]:
    return terms_of("tweak")


# --- whole ---


class TestOrder:
    def test_rules_stand_in_the_order_of_their_ids(self, tweak_rules_text):
        headings = [block for block in tweak_rules_text.blocks if isinstance(block, Heading)]
        assert [str(heading.id) for heading in headings if heading.rule] == IDS
        assert not tweak_rules_text.withdrawn

    def test_nine_sections_are_those_of_the_source_in_their_order(self, tweak_rules_text, terms):
        headings = [b for b in tweak_rules_text.blocks if isinstance(b, Heading) and b.level == 2]
        assert [str(h.id) for h in headings] == list(RULES_OF)
        titles = [str(h.text).replace("[T!] ", "") for h in headings]
        assert titles == [
            terms[f"head.{letter}"]["en"][0].replace("[T!] ", "") for letter in RULES_OF
        ]

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_every_rule_has_a_title_and_text(self, texts, code):
        for name in IDS:
            title, *lines = texts[code][name].strip().split("\n")
            assert title
            assert any(len(line) > 8 for line in lines), name


# --- the facts ---

# What a rule must say of a fact: a number, a term of the termbase (any of its stems), a figure or
# call as it stands after "=", a rule that is referred to after "->"; in English, also what the
# patterns find.
FACTS: dict[str, tuple[str, list[int | str], list[str]]] = {
    "T1.1": ("A_01", ["=TWEAK!"], ["lively", "fun", "quick"]),
    "T1.2": ("A_01", ["word.combination", "word.target"], ["each turn a new", "adds? up"]),
    "T1.3": ("A_01", ["kind.t"], ["most valuable cards", "bend the game your way"]),
    "T1.4": ("A_01", [], ["plan", "eye on the others", "change your plan"]),
    "T2.1": ("B_01", [2, 6, "word.player"], []),
    "T2.2": ("B_01", [8, "info.age"], ["8 years and up"]),
    "T2.3": ("B_01", [20, "info.time"], []),
    "T2.4": ("B_01", [3], ["not recommended for children under 3"]),
    "T3.1": ("C", [72, 3, 54, 17, 1, "kind.number", "kind.t", "kind.special"], []),
    "T3.2": ("C_01", [54, 1, 6, "word.front", "word.value"], ["make your sums"]),
    "T3.3": ("C_01", [7, 8, 9, 10, "word.target", "colour.black"], ["backs are black"]),
    "T3.4": ("C_02", ["word.pile", "word.table", 17], ["bend", "moment", "apart", "face-down"]),
    "T3.5": ("C_02", ["word.dotweak", "word.sweep", "word.table"], ["own turn", "every card"]),
    "T3.6": ("C_03", [7, "word.deck"], ["both sides", "under the central", "end of the round"]),
    "T3.7": ("C_03", [], ["stays where", "[Nn]obody can steal it", "nobody can play it"]),
    "T4.1": ("D_01", ["word.dealer", "word.round"], ["draw lots", "to the right of the last"]),
    "T4.2": ("D_02", ["word.shuffle", "word.facedown", "word.table"], ["on their own", "one side"]),
    "T4.3": ("D_02", ["kind.special"], ["opposite side"]),
    "T4.4": ("D_02", [3], ["Shuffle the number cards and deal 3 to each player"]),
    "T4.5": ("D_02", [2, "word.faceup"], ["in the middle of the table"]),
    "T4.6": ("D_02", ["word.deck", "word.bottom"], ["black backs up", "on the blue card"]),
    "T5.1": ("E_01", [1, "word.hand", "word.target"], ["one card of your hand", "from the table"]),
    "T5.2": ("E_01", ["word.deck", 7], ["top card", "Once the deck is gone, the target is 7"]),
    "T5.3": ("E_05", [1, "kind.t"], ["On your turn", "won earlier in the round"]),
    "T5.4": ("E_02", ["word.sum", "word.plus", 1, 3, 2, 9], ["aloud, step by step", "check"]),
    "T5.5": ("E_03", ["word.facedown", "word.pile"], ["yours", "end of the round"]),
    "T5.6": ("E_04", ["=TWEAK!", 1, "word.faceup"], ["call", "none is left", "next turn"]),
    "T5.7": ("E_06", [1, "word.hand", "word.table"], ["cannot make a sum"]),
    "T5.8": ("E_06", [], ["must play a card on every turn"]),
    "T5.9": ("E_06", [], ["little use to the others"]),
    "T5.10": ("E_07", [3, "word.deck", "word.hand"], ["[Dd]raw .* until"]),
    "T5.11": ("E_07", [2, "=TWEAK!", "word.table"], ["for the next player"]),
    "T5.12": ("E_07", [], ["hand is filled first and the table after", "with what there is"]),
    "T6.1": ("F_01", ["word.deck", "word.round"], ["used up", "one after the other", "last card"]),
    "T6.2": ("F_01", [], ["every hand is empty"]),
    "T6.3": ("F_03", ["word.table"], ["no sum", "Remove", "worth nothing"]),
    "T6.4": ("F_03", ["word.pile"], ["your own pile"]),
    "T6.5": ("F_03", ["word.points", "word.corner"], ["every card"]),
    "T7.1": ("G_01", ["word.round"], ["several rounds"]),
    "T7.2": ("G_01", ["word.points"], ["after each"]),
    "T7.3": ("G_02", ["word.player"], ["reaches or passes", "depends on the number of players"]),
    "T8.1": ("H_01", ["word.hand", "word.table", 1], ["at random", "one card short on the next"]),
    "T8.2": ("H_02", ["word.target", "=±1"], ["one higher or one lower", "choice is yours"]),
    "T8.3": ("H_03", ["word.deck", "word.table"], ["card like any other", "below it sets a new"]),
    "T8.4": ("H_04", [1, "word.hand", "word.table"], ["[Ee]very other", "one card short"]),
    "T9.1": ("I_01", ["word.turn"], ["chance is gone", "passes on", "Nobody else may claim"]),
    "T9.2": ("I_02", [3, "t.thief", "t.bomb"], ["all three", "lose that turn"]),
    "T9.3": ("I_02", [3], ["All the same, you draw", "before the turn passes on"]),
    "T9.4": ("I_03", ["word.hand", "word.table"], ["first fill the hand, and last the table"]),
    "T9.5": ("I_03", [], ["as far as you can", "next player"]),
    "T9.6": ("I_04", [7, "word.deck"], ["blue card", "until the round ends", "one by one"]),
    "T9.7": ("I_05", ["kind.t", "word.points"], ["cannot use them any more", "count all the same"]),
    "K1": ("E_06", ["->I_02"], ["only exception"]),
    "K2": ("I_01", [], ["out of turn", "own turn, though, you may use any card"]),
    "K3": ("D_02", [], ["opposite side", "Stack the rest on the blue card"]),
    "K4": ("C_01", ["word.points", "word.corner"], ["small number .* is the card’s points"]),
    "K5": ("H_03", [7], ["Once the deck is gone, you cannot use a Target Switch"]),
    "K6": ("H_02", [6, 11], ["beyond the numbers on the backs"]),
    "OPEN-01": ("C_01", [14, 13], ["tells you nothing about its front"]),
    "OPEN-02": ("C_02", [2, "word.points"], ["Each is worth 2 points"]),
    "OPEN-02, blue": ("C_03", [], ["brings no points"]),
    "OPEN-03": ("G_02", [100, 75, 60, 50, 40], []),
    "OPEN-04": ("C_02", [], ["backs are all alike, without a number"]),
    "OPEN-05": ("D_03", ["word.dealer"], ["right of the dealer begins", "goes to the right"]),
    "OPEN-06": ("G_03", [], ["highest total wins", "one more round"]),
    "OPEN-07, used": ("E_05", [], ["set aside and brings no points"]),
    "OPEN-07, unused": ("F_03", [], ["not used count", "back to their pile for the next round"]),
    "OPEN-08": ("E_04", [], ["pile is empty, there is none to win"]),
    "OPEN-09": ("E_01", [], ["one or more cards from the table"]),
    "OPEN-10": ("E_05", [1], ["even if you do not make a sum", "use one TWEAK! card"]),
    "OPEN-11, call": ("E_04", [], ["forget to call, you get no TWEAK! card"]),
    "OPEN-11, wrong": ("E_02", [], ["wrong, .* go back", "from your hand stays on the table"]),
    "OPEN-12, choice": ("H_04", [], ["of their own choice", "nothing to players without cards"]),
    "OPEN-12, empty": ("H_01", [], ["cannot take anything from an empty hand"]),
    "OPEN-13": (
        "F_02",
        ["t.thief", "t.bomb"],
        ["table empty, the next player can only lay a card, unless a Thief or a Bomb"],
    ),
    "OPEN-14": ("C_01", [f"colour.{name}" for name in COLOURS], ["decoration: no rule uses"]),
    "OPEN-15": ("H_03", ["t.change"], []),
}  # fmt: skip
TOLD = {1: 4, 2: 4, 3: 7, 4: 6, 5: 12, 6: 5, 7: 3, 8: 4, 9: 7}  # facts of each section


def test_every_fact_and_choice_has_its_rule():
    labels = {label.split(",")[0] for label in FACTS}
    wanted = {f"T{section}.{n}" for section, count in TOLD.items() for n in range(1, count + 1)}
    wanted |= {f"K{n}" for n in range(1, 7)} | {f"OPEN-{n:02}" for n in range(1, 16)}
    assert labels == wanted


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("label", FACTS)
def test_every_fact_is_in_its_rule(tweak, tweak_printed, texts, terms, number, code, label):
    name, facts, english = FACTS[label]
    text = " ".join(texts[code][name].replace("\u00a0", " ").split())
    if name == "C":  # its table is made from the catalogue
        for kind, title in tweak.titles.items():
            count = sum(card.count for card in tweak.cards if card.kind == kind)
            text += f" {tweak_printed(code, title)} {count}"
    for fact in facts:
        if isinstance(fact, int):
            found = re.search(number(code, fact), text, re.IGNORECASE)
        elif fact[0] == "=":
            found = fact[1:] in text
        elif fact.startswith("->"):
            found = fact[2:] in text
        else:
            known = terms[fact][code]
            found = any(stem.casefold() in text.casefold() for stem in known)
        assert found, f"{code} {name} lacks {fact!r}: {text}"
    if code == "en":
        for pattern in english:
            assert re.search(pattern, text), f"{name} lacks '{pattern}': {text}"


# --- tables ---


@pytest.fixture(scope="module")
def tables(tweak_rules_text, walk) -> dict[str, list[Table]]:
    """The written tables, by the id they stand below."""
    made: dict[str, list[Table]] = {}
    for block in walk(tweak_rules_text.blocks):
        if isinstance(block, Table):
            made.setdefault(block.head[0].context, []).append(block)
    return made


def figures_of(table: Table) -> list[list[int]]:
    return [[int(cell) for cell in row] for row in table.rows]


def test_values_are_as_many_and_bring_the_points_of_the_deck(tables, tweak):
    numbers = [card for card in tweak.cards if card.kind == "number"]
    for value, of_colour, in_all, points in figures_of(tables["C_01"][0]):
        found = [card for card in numbers if card.values["value"] == str(value)]
        assert len(found) == in_all == 6 * of_colour
        assert {str(card.values["points"]) for card in found} == {str(points)}


def test_backs_are_as_many_as_in_the_deck(tables, tweak):
    table = tables["C_01"][1]
    for target, count in zip(table.head[1:], table.rows[0][1:], strict=True):
        found = [card for card in tweak.cards if card.values.get("target") == target]
        assert sum(card.kind == "number" for card in found) == int(count)


@pytest.mark.parametrize("code", LANGUAGES)
def test_T_cards_are_as_many_as_in_the_deck_and_called_what_the_cards_say(
    tables, tweak, tweak_printed, code
):
    rows = {
        tweak_printed(code, name): int(count) for name, count in (r for r in tables["C_02"][0].rows)
    }
    cards = [card for card in tweak.cards if card.kind == "tweak"]
    assert rows == {tweak_printed(code, card.values["name"]): card.count for card in cards}


def test_decks_are_what_the_deal_leaves(tables):
    rows = figures_of(tables["D_02"][0])
    assert rows == [[players, 54 - 3 * players - 2] for players in range(2, 7)]


def test_end_scores_are_those_of_the_fact_sheet(tables):
    rows = figures_of(tables["G_02"][0])
    assert rows == [[2, 100], [3, 75], [4, 60], [5, 50], [6, 40]]


def test_the_book_has_a_table_of_components_a_card_explained_and_a_score_sheet(
    tweak_rules_text, walk
):
    kinds = [type(block) for block in walk(tweak_rules_text.blocks)]
    assert kinds.count(Components) == kinds.count(Scores) == 1
    [parts] = [block for block in tweak_rules_text.blocks if isinstance(block, Parts)]
    assert {str(name) for name, _ in parts.labels} == {"value", "index", "shape", "points", "pips"}


def test_counts_of_kinds_are_asked_of_the_catalogue(source):
    prose = re.sub(r"^\|.*$|!\[\[.*?\|", "", source, flags=re.MULTILINE)
    assert not re.search(r"(?<!card\.)\b(?:72|54|17)\b", prose)


# --- figures and examples ---


@pytest.fixture(scope="module")
def figures(tweak_rules_text, walk) -> dict[str, list[list[str]]]:
    """The cards of each figure, by the id it stands below; `04/back` is a back."""
    made: dict[str, list[list[str]]] = {}
    for block in walk(tweak_rules_text.blocks):
        if isinstance(block, Figure):
            made.setdefault(block.caption.context, []).append([str(card) for card in block.cards])
    return made


@pytest.fixture(scope="module")
def deck(tweak) -> dict[str, dict[str, str]]:
    """The values of each card as texts, by id."""
    return {
        str(card.id): {name: str(value) for name, value in card.values.items()}
        for card in tweak.cards
    }


def target(deck, cards: list[str]) -> int:
    """Return the target sum that a figure shows: on a back, or on the blue card."""
    [shown] = [card for card in cards if card.endswith("/back") or card == "seven"]
    return int(deck[shown.removesuffix("/back")]["target"])


def values(deck, cards: list[str]) -> list[int]:
    """Return the values of the fronts of number cards in a figure."""
    return [int(deck[card]["value"]) for card in cards if "value" in deck.get(card, {})]


SUMS = {  # the target of a figure, and how the text and the figure say the sum, hand first
    ("title", 0): (8, [5, 2, 1]),
    ("E_01", 0): (9, [4, 2, 3]),
    ("E_02", 0): (9, [1, 3, 2, 3]),
    ("E_04", 0): (8, [5, 2, 1]),
    ("F_02", 0): (7, [5, 2]),
    ("H_01", 0): (7, [3, 2, 2]),
    ("H_02", 0): (10, [6, 2, 1]),
    ("H_03", 1): (None, [6, 3, 1]),
    ("H_04", 0): (9, [5, 1, 2, 1]),
}


@pytest.mark.parametrize(("name", "index"), SUMS)
def test_sums_of_figures_are_right_and_made_of_the_cards_shown(deck, figures, name, index):
    wanted, parts = SUMS[name, index]
    cards = figures[name][index]
    assert values(deck, cards) == parts
    if wanted:
        assert target(deck, cards) == wanted
        assert sum(parts) == wanted - ("joker" in cards)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_sum_that_is_written_adds_up(texts, code):
    whole = "\n".join(texts[code].values()).replace("\u00a0", " ")
    sums = re.findall(r"(\d+(?: \+ \d+)+) = (\d+)", whole)
    assert len(sums) >= 10
    for parts, total in sums:
        assert sum(map(int, parts.split(" + "))) == int(total)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", ["E_01", "E_04", "F_02", "H_01", "H_03", "H_04"])
def test_the_text_of_an_example_says_the_sum_of_its_figure(texts, deck, figures, code, name):
    parts = values(deck, figures[name][-1])
    said = f"{' + '.join(map(str, parts))} = {sum(parts)}"
    assert said in texts[code][name].replace("\u00a0", " ")


@pytest.mark.parametrize(("name", "index"), SUMS)
def test_no_card_is_in_two_places_of_a_figure(figures, name, index):
    cards = [card.removesuffix("/back") for card in figures[name][index]]
    assert len(set(cards)) == len(cards)


class TestFiguresAreTrue:
    def test_each_kind_is_shown_from_both_sides(self, figures):
        assert figures["C"] == [["09", "09/back", "thief", "thief/back", "seven", "seven/back"]]

    def test_the_six_colours_in_the_order_of_the_text(self, figures, deck, tweak):
        colours = [deck[card]["colour"] for card in figures["C_01"][0]]
        assert colours == list(map(str, tweak.lists["colour"]))
        assert values(deck, figures["C_01"][0]) == [1, 2, 3, 4, 5, 6]

    def test_the_four_backs_in_the_order_of_the_caption(self, figures, deck):
        cards = [card.removesuffix("/back") for card in figures["C_01"][1]]
        assert [deck[card]["target"] for card in cards] == ["7", "8", "9", "10"]

    def test_the_explained_card_is_a_six_whose_underline_is_told(self, tweak_rules_text, deck):
        [parts] = [b for b in tweak_rules_text.blocks if isinstance(b, Parts)]
        assert deck[str(parts.card)]["value"] == "6"

    def test_the_setup_shows_the_deck_and_two_cards(self, figures, deck):
        [cards] = figures["D_02"]
        assert target(deck, cards) == 9
        assert len(values(deck, cards)) == 2

    def test_no_sum_is_possible_where_the_text_says_so(self, figures, deck):
        table, hand = figures["E_06"]
        assert target(deck, table) == 10
        assert values(deck, table) == [1, 2]
        assert values(deck, hand) == [3, 4, 6]
        largest = max(values(deck, hand)) + sum(values(deck, table))
        assert largest == 9

    def test_no_sum_was_there_before_the_T_card(self, figures, deck):
        """Without it the hand card and the table miss the target."""
        for name, table in {"H_01": [12], "H_02": [49, 1], "H_04": [46]}.items():
            cards = figures[name][0]
            hand = values(deck, cards)[0]
            lying = [int(deck[f"{card:02}"]["value"]) for card in table]
            reachable = {hand + lying[0], hand + sum(lying), hand + lying[-1]}
            assert target(deck, cards) not in reachable

    def test_points_of_the_example_are_those_of_the_cards(self, figures, deck, texts):
        [cards] = figures["F_03"]
        points = [int(deck[card]["points"]) for card in cards]
        assert points == [3, 2, 1, 1, 2]
        assert f"{' + '.join(map(str, points))} = 9" in texts["en"]["F_03"].replace("\u00a0", " ")

    def test_the_switch_turns_the_top_card_and_shows_the_next_target(self, figures, deck):
        top, turned, after = figures["H_03"][0]
        assert top == f"{turned}/back"
        assert deck[turned] | {"value": "3", "target": "8"} == deck[turned]
        assert deck[after.removesuffix("/back")]["target"] == "10"
        assert turned in figures["H_03"][1]
        assert sum(values(deck, figures["H_03"][1])) == 10

    def test_all_T_cards_are_shown_in_the_order_of_their_rules(self, figures):
        assert figures["H"] == [["thief", "joker", "switch", "bomb"]]
        shown = [figures[name][-1][0] for name in ("H_01", "H_02", "H_03", "H_04")]
        assert shown == figures["H"][0]

    def test_figures_of_examples_stand_in_their_boxes(self, tweak_rules_text):
        boxes = [b for b in tweak_rules_text.blocks if isinstance(b, Box) and b.kind == "example"]
        pictured = [box for box in boxes if any(isinstance(b, Figure) for b in box.blocks)]
        assert len(boxes) == 11
        assert len(pictured) == 10  # all but that of the end score


# --- words ---


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_term_is_used_in_the_book_or_on_the_cards(terms, texts, tweak, tweak_printed, code):
    cards = [tweak_printed(code, message) for message in tweak.messages()]
    whole = "\n".join([*texts[code].values(), *cards]).casefold()
    unused = {
        key for key, row in terms.items() if not any(s.casefold() in whole for s in row[code])
    }
    assert unused == set()


def test_every_term_that_is_referred_to_is_in_the_termbase(terms, source):
    used = set(re.findall(r"\[\[([a-z]+\.[a-z]+)\b(?=\|)", source))
    assert used <= set(terms)
    assert len(used) > 25


def test_every_term_has_words_in_all_languages(terms):
    for key, row in terms.items():
        assert all(row[code] for code in ("en", "hi", "el", "ko")), key


@pytest.mark.parametrize("code", LANGUAGES)
def test_kinds_and_T_cards_are_called_what_the_termbase_calls_them(
    terms, tweak, tweak_printed, code
):
    named = {"number": "kind.number", "tweak": "kind.t", "special": "kind.special"}
    for kind, title in tweak.titles.items():
        words = terms[named[kind]][code]
        assert any(w.casefold() in tweak_printed(code, title).casefold() for w in words)
    keys = {"thief": "t.thief", "joker": "t.joker", "switch": "t.change", "bomb": "t.bomb"}
    for card in tweak.cards:
        if card.kind == "tweak":
            name = tweak_printed(code, card.values["name"])
            assert name == terms[keys[str(card.id)]][code][0]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "card"), [("H_01", "thief"), ("H_02", "joker"), ("H_03", "switch"), ("H_04", "bomb")]
)
def test_rules_of_a_T_card_are_titled_with_the_name_on_it(
    tweak, tweak_printed, texts, code, name, card
):
    [found] = [c for c in tweak.cards if c.id == card]
    on_card = tweak_printed(code, found.values["name"])
    assert texts[code][name].split("\n", 1)[0] == on_card
