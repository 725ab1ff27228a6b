"""Constraints: the shipped games keep theirs, each of which finds what breaks it, at its place."""

import re
import shutil
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from stonehand.cards.constraints import CHECKS, check_constraints, listed
from stonehand.cards.deck import Card, LoadedGame
from stonehand.cards.game import Constraint
from stonehand.cards.reading import load_game
from stonehand.cards.tally import cards_with
from stonehand.project import find_game, find_project, shipped_content
from stonehand.source import yaml
from stonehand.source.bind import bind
from stonehand.source.problems import Problem, Problems
from stonehand.source.text import Text

ONE_OF = f"one of {', '.join(CHECKS)}"
GAMES = ("oniroo", "tweak", "witch")
SHIPPED = {
    name: bind(
        yaml.load(shipped_content() / f"cards/{name}/game.yaml")[Text("constraints")],
        tuple[Constraint, ...],
        Problems(),
    )
    for name in GAMES
}


@pytest.fixture(scope="session")
def games(oniroo, tweak, witch) -> dict[str, LoadedGame]:
    return {"oniroo": oniroo, "tweak": tweak, "witch": witch}


def found(game: LoadedGame, *constraints: Constraint) -> list[Problem]:
    problems = Problems()
    spec = msgspec.structs.replace(game.spec, constraints=constraints or game.spec.constraints)
    check_constraints(replace(game, spec=spec), problems)
    return list(problems)


def said(game: LoadedGame, written: str) -> list[str]:
    """Return what a constraint reports, without its place."""
    problems = Problems()
    made = bind(yaml.parse(written, "game.yaml"), Constraint, problems)
    told = found(game, made) if made else list(problems)
    return [str(problem).partition(": ")[2] for problem in told]


def changed(game: LoadedGame, card_id: str, **values: str) -> LoadedGame:
    """Return a game in which a card has other values."""
    cards = [
        replace(card, values={**card.values, **{k: Text(v, card.id.at) for k, v in values.items()}})
        if card.id == card_id
        else card
        for card in game.cards
    ]
    assert cards != game.cards
    return replace(game, cards=cards)


@pytest.mark.parametrize("name", GAMES)
def test_of_the_shipped_games_hold(games, name):
    assert found(games[name]) == []
    assert len(SHIPPED[name]) == len(games[name].spec.constraints) > 5


def broken(game: LoadedGame, constraint: Constraint) -> LoadedGame:
    """Return a game whose cards are changed so that a constraint does not hold."""
    fields = {
        *listed(constraint.unique),
        *listed(constraint.spread),
        *(constraint.decides or {}),
        *(constraint.matches or {}),
        *(constraint.follows or {}),
    }
    meant = cards_with(game, listed(constraint.of), fields)
    first = meant[0]
    if constraint.count is not None:
        return replace(game, cards=[card for card in game.cards if card is not first])
    if constraint.follows:
        return replace(game, cards=game.cards[::-1])
    if constraint.decides:
        return changed(game, first.id, **{str(v): "99" for v in constraint.decides.values()})
    if constraint.matches:
        return changed(game, first.id, **{str(next(iter(constraint.matches))): "99"})
    alike = {str(field): first.values[field] for field in fields if field != "kind"}

    def made(card: Card) -> Card:
        changes = card in meant[: len(meant) * 2 // 3]
        return replace(card, values={**card.values, **alike}) if changes else card

    return replace(game, cards=[made(card) for card in game.cards])


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, i) for name in GAMES for i in range(len(SHIPPED[name]))],
)
def test_of_the_shipped_games_find_what_breaks_them(games, name, number):
    constraint = games[name].spec.constraints[number]
    problems = found(broken(games[name], constraint), constraint)
    assert problems
    assert {problem.code for problem in problems} == {"broken-constraint"}
    assert all(problem.location.line for problem in problems)


class TestCount:
    def test_is_told_at_the_constraint(self, oniroo):
        assert said(oniroo, "{of: fairy, count: 6}") == [
            "warning: fairy: 5 cards, not 6 [broken-constraint]"
        ]

    def test_counts_copies_of_decks_ids_and_ranges(self, tweak, witch):
        assert said(tweak, "{of: [thief, bomb], count: 7}") == []
        assert said(tweak, "{of: 01-09, count: 9}") == []
        assert said(tweak, "{count: 72}") == []
        assert said(witch, "{of: [aids, aid], count: players}") == []

    def test_is_told_for_each_number_of_players_that_is_wrong(self, witch):
        assert said(witch, "{of: seal, count: {4-5: 2, 6-12: 3}}") == [
            "warning: seal: 3 cards for 5 players, not 2 [broken-constraint]"
        ]

    def test_holds_for_every_number_of_players_if_it_is_one_number(self, witch):
        assert len(said(witch, "{of: role, count: 12}")) == 8

    def test_of_players_who_are_left_out_is_0(self, witch):
        assert said(witch, "{of: tower, count: {11-12: 1}}") == []
        assert len(said(witch, "{of: tower, count: {12: 1}}")) == 1


class TestUnique:
    def test_is_told_at_the_later_card(self, oniroo):
        game = changed(oniroo, "005", letter="D", shape="cross", digit="7")
        constraint = Constraint(
            of=Text("symbol"), unique=(Text("letter"), Text("shape"), Text("digit"))
        )
        [problem] = found(game, constraint)
        assert problem.message == "the cards 001 and 005 share letter D, shape cross, digit 7"
        assert re.fullmatch(r"first at .*symbols\.yaml:3:10", problem.hint)

    def test_leaves_cards_alone_that_have_no_value(self, oniroo):
        assert said(oniroo, "{of: magiccode, unique: letter}") == []

    def test_takes_pictures_for_equal_by_their_file(self, oniroo):
        owl, moon = (
            next(card for card in oniroo.cards if card.id == name) for name in ("001", "002")
        )
        cards = [replace(moon, values={**moon.values, "art": owl.values["art"]}), owl]
        [told] = said(replace(oniroo, cards=cards), "{unique: art}")
        assert "the cards 002 and 001 share art owl" in told

    def test_reaches_into_properties(self, tweak):
        game = replace(tweak, cards=tweak.cards[:10])
        told = said(game, "{of: 01-10, unique: colour.name}")
        assert len(told) == 8
        assert "the cards 01 and 02 share colour.name Red" in told[0]


class TestSpread:
    def test_is_told_with_the_values_that_differ_most(self, oniroo):
        assert said(oniroo, "{of: symbol, spread: group, within: 2}") == [
            "warning: symbol: 18 cards of group object, 15 of plant (they may differ by 2) "
            "[broken-constraint]"
        ]

    def test_counts_values_that_no_card_has(self, oniroo):
        assert said(oniroo, "{of: badnight, spread: tone}") == []
        assert said(oniroo, "{of: badnight, spread: tone, within: 0}") == [
            "warning: badnight: 1 card of tone orange, 0 of dawn (all are to be equal) "
            "[broken-constraint]"
        ]

    def test_may_be_asked_within_each_value_of_another_field(self, tweak):
        assert said(tweak, "{of: number, spread: target, by: value, within: 0}") == [
            "warning: number with value 4: 2 cards of target 7, 1 of 9 (all are to be equal) "
            "[broken-constraint]",
            "warning: number with value 5: 2 cards of target 9, 1 of 7 (all are to be equal) "
            "[broken-constraint]",
            "warning: number with value 6: 2 cards of target 7, 1 of 9 (all are to be equal) "
            "[broken-constraint]",
        ]


class TestWhatGoesTogether:
    def test_one_field_decides_another(self, tweak):
        game = changed(tweak, "01", points="3")
        assert said(game, "{of: number, decides: {value: points}}") == [
            "warning: card 01 has value 1, points 3, but card 02 points 1 [broken-constraint]"
        ]
        assert said(tweak, "{of: number, decides: {value: [points, colour.name]}}") != []

    def test_a_card_matches_one_of_another_kind(self, witch):
        game = changed(witch, "mill", gives="Flour")
        assert said(game, "{of: place, matches: {number: number, gives: name}, among: demand}") == [
            "warning: card mill: no card among demand has number 2 and name Flour "
            "[broken-constraint]"
        ]

    def test_a_card_matches_one_of_its_own_kind(self, oniroo):
        assert said(oniroo, "{of: symbol, matches: {next: group}}") == []

    def test_the_next_card_follows(self, oniroo):
        told = said(oniroo, "{of: 020-022, follows: {next: group}}")
        assert told == ["warning: card 021 has next animal, but card 022 after it group animal"][:0]
        assert said(oniroo, "{of: [020, 022], follows: {next: group}}") == [
            "warning: card 020 has next myth, but card 022 after it group animal "
            "[broken-constraint]"
        ]

    def test_enough_cards_follow(self, oniroo):
        assert said(oniroo, "{of: symbol, follows: {next: group}, least: 73}") == []
        assert said(oniroo, "{of: symbol, follows: {next: group}, least: 74}") == [
            "warning: symbol: 73 of 129 cards have the next one's next as group "
            "(at least 74 are to) [broken-constraint]"
        ]


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("{of: symbol}", f"the constraint says nothing ({ONE_OF})"),
        ("{count: 1, unique: id}", f"the constraint has 'count' and 'unique' ({ONE_OF})"),
        ("{of: symbl, count: 1}", "no card, kind, deck or range 'symbl' (did you mean 'symbol'?)"),
        (
            "{of: symbol, unique: [letter, digt]}",
            "kind 'symbol' has no field 'digt' (did you mean 'digit'?)",
        ),
        ("{unique: digt}", "no kind has a field 'digt' (did you mean 'digit'?)"),
        (
            "{unique: [group, tone]}",
            "no kind has 'group' and 'tone' (one kind must have all of them)",
        ),
        ("{of: symbol, unique: group.nam}", "'group' has no property 'nam' (did you mean 'name'?)"),
        ("{of: symbol, unique: digit.x}", "'digit' has no property 'x'"),
        ("{of: symbol, spred: group}", "unknown field 'spred' (did you mean 'spread'?)"),
        ("{of: symbol, count: 1, within: 2}", "'within' belongs to 'spread', not to 'count'"),
        ("{of: symbol, unique: id, among: free}", "'among' belongs to 'matches', not to 'unique'"),
        (
            "{of: symbol, count: players}",
            "the game does not say for how many players it is (write 'players: 2-4' in game.yaml)",
        ),
        ("{of: symbol, count: many}", "'many' is not a whole number"),
        ("{of: symbol, spread: group, within: -1}", "-1 is out of range (at least 0)"),
    ],
)
def test_that_are_not_understood_are_errors(oniroo, written, fault):
    assert said(oniroo, written) == [f"error: {fault}"]


@pytest.mark.parametrize(
    ("count", "fault"),
    [
        ("{3-5: 1}", "the game is for 4-12 players, not 3-5"),
        ("{few: 1}", "'few' is no number of players (write 4 or 4-12)"),
    ],
)
def test_counts_for_impossible_numbers_of_players_are_errors(witch, count, fault):
    assert said(witch, f"{{of: seal, count: {count}}}") == [f"error: {fault}"]


def test_a_game_of_files_is_told_where_it_is_broken(shipped, tmp_path: Path, monkeypatch):
    shutil.copytree(shipped / "cards/tweak", tmp_path / "cards/tweak")
    catalogue = tmp_path / "cards/tweak/numbers.yaml"
    text = catalogue.read_text("utf-8")
    catalogue.write_text(text.replace("target: 8,  points: 1", "target: 8,  points: 2", 1), "utf-8")
    monkeypatch.chdir(tmp_path)
    problems = Problems()
    game = load_game(find_game("tweak", find_project(tmp_path)), problems)
    check_constraints(game, problems)
    line = catalogue.read_text("utf-8").splitlines()[2]
    [told] = map(str, problems)
    assert told == (
        f"cards/tweak/numbers.yaml:3:{line.index('points') + 9}: warning: card 01 has value 1, "
        "points 2, but card 02 points 1 [broken-constraint]"
    )
    page = Path(__file__).parent.parent / "docs/how-to/balance.md"
    assert f"\n{told}\n" in page.read_text("utf-8")
