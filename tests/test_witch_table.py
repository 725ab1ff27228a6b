"""Catch the Witch at the table: random games by the written steps, and what must hold in them.

The table is that of `witch_table.py`, which follows the rules step by step. It plays for
every number of players, with a host and without one.
"""

import itertools
from collections import Counter

import pytest
from witch_table import (
    COPIES,
    JOKER,
    ROLES,
    SETTINGS,
    SOOT,
    VILLAGE,
    WITCHES,
    Cat,
    Table,
    roles_for,
    setting,
    settle,
    settle_vote,
)

PLAYERS = range(4, 13)
GAMES = 25  # of each number of players, in each way
TOLD = {
    (VILLAGE, "seals"),  # W2.1
    (VILLAGE, "all out"),  # W2.2
    (VILLAGE, "all frogs"),  # W2.3
    (VILLAGE, "final vote"),  # W2.4
    (WITCHES, "takeover"),  # W2.5
    (WITCHES, "final vote"),  # W2.7
    (JOKER, "voted out"),  # W2.8
}


def cat(role: str, *, frog: bool = False, out: bool = False) -> Cat:
    return Cat(1, role, [], frog_since=1 if frog else None, out=out)


def details(cat: Cat, topic: str) -> list[tuple]:
    return [detail for found, detail in cat.knows if found == topic]


@pytest.fixture(scope="module")
def games() -> list[Table]:
    """Games that are over."""
    played = [
        Table(n, host, seed) for n in PLAYERS for host in (True, False) for seed in range(GAMES)
    ]
    for game in played:
        game.play()
    return played


@pytest.fixture(scope="module")
def cats(games) -> list[tuple[Table, Cat]]:
    return [(game, cat) for game in games for cat in game.cats]


class TestTheEnd:
    def test_is_told(self, games):
        assert {game.result for game in games} <= TOLD

    def test_is_not_later_than_the_knights_day(self, games):
        assert all(game.day <= setting("knights", game.players) for game in games)

    def test_can_be_any_that_is_told(self, games):
        assert {game.result for game in games} >= TOLD - {(VILLAGE, "all frogs")}

    def test_comes_with_the_first_check_that_is_true(self, games):
        for game in games:
            *before, last = [text for _, text in game.log if "(" in text or text.endswith("None")]
            assert all(text.endswith("None") for text in before)
            assert last.endswith(str(game.result))

    def test_checks_ritual_and_vote_after_the_day(self, games):
        order = {"day": 0, "ritual": 1, "vote": 2}
        for game in games:
            checks = [(day, order[t.split(":")[0]]) for day, t in game.log if ":" in t]
            assert checks == sorted(set(checks))

    def test_by_seals_needs_as_many_as_set(self, games):
        for game in games:
            full = game.seals == setting("seals", game.players)
            assert full == (game.result == (VILLAGE, "seals"))

    def test_by_the_joker_is_by_one_who_is_no_frog(self, games):
        for game in games:
            if game.result == (JOKER, "voted out"):
                [joker] = [cat for cat in game.cats if cat.role == "joker"]
                assert joker.out
                assert not joker.frog

    def test_counts_the_frogs_for_the_score(self, games):
        for game in games:
            assert game.score == sum(cat.frog for cat in game.cats)


class TestPrecedence:
    """W2.9 to W2.11, one by one."""

    def test_all_frogs_come_before_takeover(self):
        assert settle([cat("witch", frog=True), cat("crow", frog=True)]) == (VILLAGE, "all frogs")

    def test_takeover_counts_crow_and_joker_as_non_witches(self):
        village = [cat("crow"), cat("joker")]
        assert settle([cat("witch"), *village]) is None
        assert settle([cat("witch"), cat("witch"), *village]) == (WITCHES, "takeover")

    def test_takeover_counts_no_frogs(self):
        assert settle([cat("witch"), cat("healer"), cat("seer", frog=True)])
        assert settle([cat("witch"), cat("witch", frog=True), cat("seer"), cat("guard")]) is None

    def test_takeover_needs_a_witch_in_human_form(self):
        gone = [cat("villager", out=True)] * 3
        assert settle([cat("witch", out=True), *gone]) is None

    @pytest.mark.parametrize("last", [False, True])
    def test_the_joker_comes_first_in_a_vote(self, last):
        joker = cat("joker", out=True)
        assert settle_vote([cat("witch", frog=True), joker], joker, last) == (JOKER, "voted out")

    def test_in_the_final_vote_one_witch_is_enough(self):
        gone = cat("witch", out=True)
        assert settle_vote([cat("witch"), gone], gone, True) == (VILLAGE, "final vote")

    @pytest.mark.parametrize("role", [None, "crow", "villager"])
    def test_the_final_vote_fails_with_any_other_cat_or_none(self, role):
        gone = cat(role, out=True) if role else None
        cats = [cat("witch", frog=True), cat("seer"), *([gone] if gone else [])]
        assert settle_vote(cats, gone, True) == (WITCHES, "final vote")

    def test_all_out_comes_before_takeover_whatever_the_crow(self):
        gone = cat("witch", out=True)
        assert settle_vote([gone, cat("crow")], gone, False) == (VILLAGE, "all out")

    def test_after_a_vote_frogs_and_takeover_are_checked_as_by_day(self):
        gone = cat("seer", out=True)
        assert settle_vote([cat("witch", frog=True), gone], gone, False) == (VILLAGE, "all frogs")
        assert settle_vote([cat("witch"), cat("guard"), gone], gone, False) == (WITCHES, "takeover")
        assert settle_vote([cat("witch"), cat("guard"), cat("seer")], None, False) is None


class TestSecrets:
    """That nobody comes to know what is not theirs."""

    def test_roles_are_known_to_their_owners_and_those_who_are_told(self, cats):
        for game, cat in cats:
            for seat, role in details(cat, "role"):
                other = game.cats[seat - 1]
                shared = role == "witch" and (cat.witch or cat.role == "crow")
                assert other is cat or shared or other.out

    def test_places_are_known_to_those_who_were_there(self, cats):
        assert all(seat == cat.seat for _, cat in cats for _, seat, _ in details(cat, "path"))

    def test_counts_of_cats_name_nobody(self, cats):
        for game, cat in cats:
            for _, counts in details(cat, "counts"):
                assert all(place in game.places and number > 0 for place, number in counts)

    def test_with_a_host_only_guard_and_witches_see_the_counts(self, cats):
        for game, cat in cats:
            if game.host and details(cat, "counts"):
                assert cat.role in ("guard", "witch")

    def test_with_a_host_only_the_guard_knows_the_watched_place(self, cats):
        for game, cat in cats:
            if game.host and details(cat, "watched"):
                assert cat.role == "guard"

    def test_spells_are_known_to_witches(self, cats):
        assert all(cat.witch for _, cat in cats if details(cat, "spell"))

    def test_letters_are_read_by_those_they_are_for(self, cats):
        assert all(to == cat.seat for _, cat in cats for _, to, _, _ in details(cat, "letter"))

    def test_cards_of_a_ritual_are_seen_by_one_cat_or_none(self, games):
        for game in games:
            seen = Counter(day for c in game.cats for day, _ in details(c, "ritual cards"))
            held = game.seals + game.ashes
            assert sum(seen.values()) == (0 if game.host else held)
            assert set(seen.values()) <= {1}

    def test_only_the_seer_learns_a_side_and_only_the_pickpocket_swaps(self, cats):
        assert {cat.role for _, cat in cats if details(cat, "side")} == {"seer"}
        assert {cat.role for _, cat in cats if details(cat, "swap")} == {"pickpocket"}

    def test_all_that_is_known_is_of_a_known_sort(self, cats):
        public = {"demand", "frog", "returned", "yes", "vote", "ritual"}
        private = {"role", "path", "counts", "watched", "spell", "letter", "side", "swap"}
        assert {topic for _, cat in cats for topic, _ in cat.knows} <= public | private | {
            "ritual cards"
        }

    def test_cards_in_hand_tell_only_how_often_a_cat_has_fed_the_circle(self, cats):
        """F_05: whether home, hit or on watch, larder and basket together are as many."""
        for game, cat in cats:
            assert cat.path is None
            whole = COPIES * len(game.places) + COPIES
            assert len(cat.larder) + len(cat.basket) == whole - cat.fed

    def test_witches_know_whether_a_takeover_holds(self, cats):
        """K_04: what they know of roles is all that the check needs."""
        for game, cat in cats:
            if cat.witch:
                known = {seat for seat, role in details(cat, "role") if role == "witch"}
                assert known == {other.seat for other in game.cats if other.witch}


class TestSteps:
    def test_the_host_calls_in_the_same_order_every_day(self, games):
        for game in games:
            calls = [text for _, text in game.log if text.startswith("call")]
            assert calls == ["call healer", "call guard", "call witches"] * (game.host * game.day)

    def test_the_head_goes_round_and_each_day_goes_on_after_the_last(self, games):
        for game in games:
            heads = [int(text.split()[1]) for _, text in game.log if text.startswith("head")]
            assert all(one != other for one, other in itertools.pairwise(heads))
            first = [int(t.split()[1]) for day, t in game.log if day == 1 and t.startswith("head")]
            frogs = {seat for cat in game.cats for day, seat in details(cat, "frog") if day == 1}
            human = [cat.seat for cat in game.cats if cat.seat not in frogs]
            assert first == human[: len(first)]

    def test_a_guard_on_watch_is_never_hit(self, cats):
        for game, cat in cats:
            if game.host and cat.role == "guard":
                watched = {day for day, _ in details(cat, "watched")}
                assert not watched & {d for d, seat in details(cat, "frog") if seat == cat.seat}

    def test_a_frog_misses_the_day_after(self, cats):
        for _, cat in cats:
            days = {day for day, seat, _ in details(cat, "path")}
            hit = {day for day, seat in details(cat, "frog") if seat == cat.seat}
            assert not {day + 1 for day in hit} & days

    def test_no_ingredient_comes_from_nowhere(self, games):
        for game in games:
            of_place = Counter(card for c in game.cats for card in [*c.larder, *c.basket])
            for place in game.places:
                assert of_place[place] <= COPIES * game.players
            assert of_place[SOOT] <= COPIES * game.players

    def test_everybody_has_a_card_to_lay_every_day(self):
        for players in PLAYERS:
            cards = COPIES * setting("places", players)
            assert cards >= setting("knights", players)


@pytest.mark.parametrize("players", PLAYERS)
def test_roles_are_as_many_as_the_players_and_the_village_begins_stronger(players):
    roles = roles_for(players)
    assert len(roles) == players
    assert settle([cat(role) for role in roles]) is None


def test_settings_leave_room():
    for players in PLAYERS:
        assert setting("needed", players) <= setting("places", players)
        assert setting("needed", players) < players  # somebody is left to look at the ritual
        assert setting("seals", players) <= setting("knights", players)
    assert all(len(row) == 9 for row in (*ROLES.values(), *SETTINGS.values()))
