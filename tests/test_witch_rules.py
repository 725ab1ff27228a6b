"""The rules of Catch the Witch: whole, with every fact of the fact sheet, and true to the game.

Texts are taken as printed (see `_printed` in conftest.py), in all languages of `LANGUAGES`: a
language joins when its translation is whole.
"""

import re

import pytest

from stonehand.rules.blocks import Components, Figure, Heading, Parts, Table

LANGUAGES = ("en", "hi", "el", "ko")
RULES_OF = {
    "A": 5, "B": 3, "C": 4, "D": 1, "E": 2, "F": 5, "G": 3, "H": 4, "I": 3, "J": 2, "K": 6, "L": 8,
    "M": 2, "N": 2, "O": 1,
}  # fmt: skip
IDS = [f"{letter}_{n:02}" for letter, count in RULES_OF.items() for n in range(1, count + 1)]


@pytest.fixture(scope="module")
def texts(witch_rules_text, witch_printed, texts_of) -> dict[str, dict[str, str]]:
    """All that is printed below a heading, up to the next: {language: {id: text}}."""
    return texts_of(witch_rules_text, witch_printed, LANGUAGES)


@pytest.fixture(scope="module")
def terms(terms_of) -> dict[str, dict[str, tuple[str, ...]]]:
    return terms_of("witch")


# --- whole ---


class TestOrder:
    def test_rules_stand_in_the_order_of_their_ids(self, witch_rules_text):
        headings = [block for block in witch_rules_text.blocks if isinstance(block, Heading)]
        assert [str(heading.id) for heading in headings if heading.rule] == IDS
        assert not witch_rules_text.withdrawn

    def test_sections_are_called_as_in_the_termbase(self, witch_rules_text, terms):
        headings = [b for b in witch_rules_text.blocks if isinstance(b, Heading) and b.level == 2]
        assert [str(h.id) for h in headings] == list(RULES_OF)
        titles = {str(h.id): str(h.text) for h in headings}
        for letter, title in titles.items():
            if letter != "O":  # optional, and ours
                assert title == terms[f"head.{letter}"]["en"][0]

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_every_rule_has_a_title_and_text(self, texts, code):
        for name in IDS:
            title, *lines = texts[code][name].strip().split("\n")
            assert title
            assert any(len(line) > 8 for line in lines), name

    def test_every_term_has_all_languages(self, terms):
        for key, row in terms.items():
            assert all(row[code] for code in ("en", "hi", "el", "ko")), key


# --- the facts ---

# What a rule must say of a fact: a number, a term of the termbase (any of its stems), a rule that
# is referred to after "->"; in English, also what the patterns find. "W2.9" and the like are those
# of the fact sheet, C its contradictions, "N" what a table edition needs.
FACTS: dict[str, tuple[str, list[int | str], list[str]]] = {
    "W1.1": ("A_01", [4, 12], ["one room"]),
    "W1.1, phones": ("N_01", ["word.phone"], ["phone for each player"]),
    "W1.2": ("A_01", ["who.wizardcat", "role.witch"], ["of a village", "look for the witch"]),
    "W1.3": ("A_02", ["side.village", "side.witch", "side.solo"], []),
    "W1.4": ("A_02", ["role.any"], ["one secret role"]),
    "W1.4, hidden": ("A_05", ["thing.rolecard"], ["may not show your role card"]),
    "W1.5": (
        "A_01",
        ["phase.day", "phase.evening", "phase.night", "phase.ritual", "phase.vote"],
        ["duck tells", "day after day, until the game is decided"],
    ),
    "W1.6": ("A_01", ["who.knights"], ["come is the last"]),
    "W1.7": (
        "A_02",
        [],
        ["wins or loses as a team", "nobody of it wins alone", "attack each other"],
    ),
    "W2.1": ("K_01", ["win.seals"], ["at once, also on the knights’ day, without a final vote"]),
    "W2.2": ("K_01", ["win.allout"], ["crow does not matter"]),
    "W2.3": ("K_01", ["who.frog"], ["still in play is a frog", "end of the Day and after a vote"]),
    "W2.4": ("K_01", ["phase.finalvote"], ["One is enough, even if other witches remain"]),
    "W2.5": ("K_02", ["win.takeover", "state.human"], ["as many as .* or fewer", "end of the Day"]),
    "W2.6": (
        "K_02",
        ["who.nonwitch"],
        [
            "Frogs count for nobody",
            "Crow and joker count as non-witches",
            "Without a witch in human",
        ],
    ),
    "W2.7": ("K_02", ["result.tie", "act.skip"], ["no witch, or nobody is voted out", "all skip"]),
    "W2.8": (
        "K_03",
        ["role.joker"],
        ["wins alone", "even in the final vote", "a frog today cannot"],
    ),
    "W2.9": ("K_05", ["win.seals"], ["seals are complete village, at once"]),
    "W2.10": ("K_05", ["win.takeover"], ["1. all remaining witches .*2. takeover witches"]),
    "W2.11": (
        "K_05",
        [],
        [
            "1. the joker is voted out joker alone .*2. knights’ day: a witch is voted out village "
            ".*2. knights’ day: anything else witches .*3. all witches are out, or all remaining "
            "are frogs village .*4. takeover witches .*5. none of these the next day"
        ],
    ),
    "W2.12": ("K_06", ["thing.score"], ["number of frogs at the moment when the game ends"]),
    "W3.1": ("C_04", ["act.ready"], ["Look at your own", "all are ready", "Day 1 begins"]),
    "W3.2": ("C_04", ["state.absent"], ["no time limit", "counts as ready"]),
    "W3.3": ("E_02", ["thing.openplace", "thing.circle"], ["draw as many", "Everybody sees"]),
    "W3.3, who": ("E_02", ["who.postduck"], ["brings apples"]),
    "W3.4": ("D_01", ["phase.morning"], ["day 2 on, .* result of yesterday’s vote, and then"]),
    "W3.5": (
        "F_01",
        ["who.nonwitch", "role.crow", "role.joker", "role.guard"],
        ["3?.*the witches"],
    ),
    "W3.6": ("F_02", [], ["in secret", "each chooses one place"]),
    "W3.6, talk": ("F_01", [], ["talk, agree and lie as you like"]),
    "W3.7": ("F_02", [], ["may change it until the witches have their turn"]),
    "W3.7, fixed": ("F_03", [], ["neither the guard nor a witch can change"]),
    "W3.8": ("M_01", ["thing.timed", "result.random"], ["take a minute, and then draw a place"]),
    "W3.9": ("F_03", ["role.healer", "who.frog"], ["may point at one frog"]),
    "W3.9, letter": ("F_04", ["role.healer", "act.return"], ["write to a frog"]),
    "W3.10": (
        "L_04",
        ["act.gather", "act.watch"],
        ["after all other non-witches", "how many cats"],
    ),
    "W3.11": ("F_02", [], ["turn comes when every cat in human form has laid a card"]),
    "W3.12": (
        "F_03",
        [15, "act.target"],
        ["no names", "a place, at a spell, and at a seat", "late"],
    ),
    "W3.12, letter": ("F_04", [15, "thing.spell"], ["no names", "late, it is chosen for her"]),
    "W3.13": ("F_05", [], ["Attacks.*Returns.*Ingredients.*Who has won"]),
    "W3.14": ("F_02", [], ["no time limit"]),
    "W3.14, absent": ("M_02", ["state.absent"], ["Place a random card .* a random card"]),
    "W3.15": (
        "G_01",
        ["who.frog", "who.duck"],
        ["names the new frogs, and the cats that returned"],
    ),
    "W3.16": ("G_01", ["thing.pond"], ["always found at the pond", "changed is never told"]),
    "W3.17": ("G_01", [], ["no new frog, it says: “All are safely back"]),
    "W3.18": ("G_01", ["state.absent"], ["all have heard it, frogs and voted-out cats too"]),
    "W3.19": ("G_02", ["role.pickpocket", "role.seer"], ["until the yes/no vote, the seer until"]),
    "W3.20": ("G_03", ["phase.discussion", "thing.countdown"], ["at 0 the proposal", "say so"]),
    "W3.21": ("M_01", ["thing.unlimited"], ["wait for everybody"]),
    "W3.21, away": ("M_02", [], ["Discussion the proposal follows has ended it"]),
    "W3.22": ("H_02", ["who.head"], ["exactly as many as", "head may be one"]),
    "W3.23": (
        "H_01",
        ["thing.seating"],
        ["day 1, seat 1", "next", "Frogs and voted-out .* skipped"],
    ),
    "W3.24": ("H_03", ["result.rejected"], ["next, who is village head at once"]),
    "W3.24, day": ("H_01", [], ["next in seating order after the last one, also on the next day"]),
    "W3.25": ("M_02", ["result.random"], ["Proposal at random at random"]),
    "W3.26": (
        "H_03",
        ["act.yes", "act.no"],
        ["the head, too", "may change it until", "who voted how"],
    ),
    "W3.27": ("M_02", [], ["Yes/no vote yes yes"]),
    "W3.28": ("H_03", ["result.majority", "result.tie"], ["tie the proposal is rejected"]),
    "W3.29": ("H_03", ["->I", "who.member"], ["Passed"]),
    "W3.30": ("H_03", ["thing.cursemeter"], ["curse marker on by 1"]),
    "W3.31": ("H_04", ["->J", "->O"], ["fails by itself", "no seal", "does not count"]),
    "W3.32": ("E_01", [], ["curse marker back to 0"]),
    "W3.33": ("I_01", ["who.member"], ["one card .* in secret", "others wait"]),
    "W3.34": ("I_01", [], ["no time limit"]),
    "W3.34, away": ("M_02", ["thing.basket"], ["Ritual no limit the top card"]),
    "W3.35": ("I_02", ["result.success", "result.failure"], ["says nothing but"]),
    "W3.35, quarrel": ("I_03", [], ["Who was it", "Four seconds", "Then vote"]),
    "W3.36": ("J_01", [], ["votes for one other cat in human form, or skips", "Never .* yourself"]),
    "W3.37": ("J_01", [], ["Frogs and voted-out cats do not vote and get no votes"]),
    "W3.38": ("J_01", [], ["may change it until all"]),
    "W3.39": ("M_02", ["act.skip"], ["Vote skip skip"]),
    "W3.40": ("J_02", [], ["most votes", "next morning begins"]),
    "C1": ("M_01", [15], ["Day has no limit but the 15 seconds"]),
    "C2": ("M_02", ["state.absent"], ["marked absent"]),
    "C4": ("K_01", [], ["check it at the end of the Day and after a vote"]),
    "C6": ("L_07", [], ["Witch side", "count as a non-witch"]),
    "C7": (
        "K_05",
        [],
        ["knights’ day with a full curse meter, the ritual fails and the final vote"],
    ),
    "C8": ("M_02", [], ["What happens by itself"]),
    "N.host": ("A_04", ["who.host"], ["With a host", "Without a host", "hold for both"]),
    "N.attack": ("F_05", [], ["hits if the target gathers at the place", "guard does not watch"]),
    "N.frog": ("A_03", ["role.healer"], ["by itself on the second morning"]),
    "N.few": ("H_02", [], ["fewer cats .* than ingredients", "propose all of them"]),
    "N.letters": ("F_04", ["thing.letter", "thing.slip"], ["folded", "mix"]),
    "N.looker": ("I_02", [], ["next in seating order after the head who is no member"]),
    "N.differs": ("N_02", [], ["Four things", "how many cats", "guard watches", "spell", "ritual"]),
    "N.says": ("K_04", [], ["those who know must tell", "know each other"]),
}
TOLD = {1: 7, 2: 12, 3: 40}  # facts of each section


def test_every_fact_has_its_rule():
    labels = {label.split(",")[0] for label in FACTS}
    wanted = {f"W{section}.{n}" for section, count in TOLD.items() for n in range(1, count + 1)}
    assert wanted <= labels


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("label", FACTS)
def test_every_fact_is_in_its_rule(texts, terms, number, code, label):
    name, facts, english = FACTS[label]
    text = " ".join(texts[code][name].replace("\u00a0", " ").split())
    for fact in facts:
        if isinstance(fact, int):
            found = re.search(number(code, fact), text, re.IGNORECASE)
        elif fact.startswith("->"):
            found = re.search(rf"\b{fact[2:]}\b", text)
        else:
            known = terms[fact][code]
            found = any(stem.casefold() in text.casefold() for stem in known)
        assert found, f"{code} {name} lacks {fact!r}: {text}"
    if code == "en":
        for pattern in english:
            assert re.search(pattern, text), f"{name} lacks '{pattern}': {text}"


# --- what stands in it ---


def test_the_table_of_checks_is_in_the_told_order(witch_rules_text, walk):
    [table] = [
        block
        for block in walk(witch_rules_text.blocks)
        if isinstance(block, Table) and block.head[0].context == "K_05"
    ]
    order = ["After the ritual"] + 2 * ["End of the Day"] + 6 * ["After the vote"]
    assert [str(row[0]) for row in table.rows] == order
    numbers = [str(row[1])[0] for row in table.rows[1:]]
    assert numbers == ["1", "2", "1", "2", "2", "3", "4", "5"]


def test_every_role_has_a_rule_called_as_its_card(witch, witch_rules_text):
    titles = {
        str(block.text)
        for block in witch_rules_text.blocks
        if isinstance(block, Heading) and str(block.id).startswith("L_")
    }
    assert titles == {str(c.values["name"]) for c in witch.cards if c.kind == "role"}


def test_the_steps_of_a_day_are_shown_by_their_cards(witch, witch_rules_text, walk):
    shown: list[str] = []
    here = False
    for block in walk(witch_rules_text.blocks):
        if isinstance(block, Heading):
            here = str(block.id) == "D_01"
        elif isinstance(block, Figure) and here:
            shown += map(str, block.cards)
    assert shown == [str(card.id) for card in witch.cards if card.kind == "phase"]


def test_the_book_has_a_table_of_components_and_a_role_explained(witch_rules_text, walk):
    kinds = [type(block) for block in walk(witch_rules_text.blocks)]
    assert kinds.count(Components) == 1
    [parts] = [block for block in witch_rules_text.blocks if isinstance(block, Parts)]
    assert {str(name) for name, _ in parts.labels} == {"sign", "picture", "name", "text"}
