"""Sheets: where cards, their backs, cut marks, ruler and label lie on the paper.

Sheets are made by the `SheetMaker` that prints; cards are plain tiles, each in a colour of its
own that tells which card it is. Lengths are in mm.
"""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiles import (
    A4,
    BACK,
    DUST,
    EXACT,
    FRONT,
    POKER,
    NoLetters,
    Tiles,
    box_of,
    colour,
    grid_of,
    level,
    lines_on,
    pages_of,
    plan,
    tile,
    tiles_on,
    turned_over,
    upright,
)

from stonehand.cards.deck import Card
from stonehand.cards.game import Back
from stonehand.cards.template import load_sizes
from stonehand.press import Press
from stonehand.project import Project, shipped_content
from stonehand.scene import Box, GlyphRun, Group, Matrix, Path, Scene, rectangle
from stonehand.sheet_maker import SheetMaker
from stonehand.sheet_plan import SheetPlan
from stonehand.sheets import furniture
from stonehand.sheets.forme import Forme, placed, reaches
from stonehand.sheets.imposition import Piece
from stonehand.sheets.papers import find_paper, load_papers
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text
from stonehand.typesetting.lettering import SIZE, Lettering


@st.composite
def runs(draw):
    """Tiles of one or two sizes, and a plan on which they fit."""

    def length(low, high):
        return draw(st.integers(low * 10, high * 10)) / 10

    margin, gap = length(0, 20), length(0, 10)
    sizes = [(length(15, 90), length(15, 130)) for _ in range(draw(st.integers(1, 2)))]
    widest = max(max(size) for size in sizes)
    paper = (length(60, 460), length(60, 460))
    paper = tuple(max(side, widest + 2 * margin) for side in paper)
    pieces = draw(st.lists(st.sampled_from(sizes), min_size=1, max_size=45))
    backless = draw(st.sets(st.integers(0, len(pieces) - 1)))
    flip = draw(st.sampled_from(["long", "short"]))
    marks = draw(st.sampled_from(["lines", "corners", "ticks", "none"]))
    backs = draw(st.sampled_from(["duplex", "duplex", "none"]))
    return Tiles(pieces, frozenset(backless)), plan(paper, margin, gap, marks, flip, backs=backs)


def sheets_of(tiles: Tiles, made: SheetPlan):
    """Return (front page, back page or None) of every sheet."""
    pages = pages_of(tiles, made)
    two_sided = made.backs != "none" and len(tiles.backless) < len(tiles.sizes)
    if not two_sided:
        return [(page, None) for page in pages]
    assert len(pages) % 2 == 0
    return list(zip(pages[::2], pages[1::2], strict=True))


class TestWhereCardsLie:
    @given(runs())
    @settings(max_examples=100, deadline=None)
    def test_every_card_is_placed_once_in_its_own_size(self, run):
        tiles, made = run
        seen = Counter()
        for front, _ in sheets_of(tiles, made):
            for number, corners in tiles_on(front, FRONT).items():
                seen[number] += 1
                box = box_of(corners)
                width, height = tiles.sizes[number]
                assert abs(box.width - width) < EXACT
                assert abs(box.height - height) < EXACT
                assert corners[0] == min(corners)  # fronts stand upright
        assert seen == dict.fromkeys(range(len(tiles.sizes)), 1)

    @given(runs())
    @settings(max_examples=100, deadline=None)
    def test_pages_are_the_paper_upright_or_turned(self, run):
        tiles, made = run
        for page in pages_of(tiles, made):
            assert (page.width, page.height) in (made.paper, made.paper[::-1])
            assert page.bleed == 0

    @given(runs())
    @settings(max_examples=100, deadline=None)
    def test_no_card_reaches_into_the_margin_or_nearer_than_the_gap_to_another(self, run):
        tiles, made = run
        for front, back in sheets_of(tiles, made):
            for page, kind in ((front, FRONT), (back, BACK)):
                boxes = [box_of(c) for c in tiles_on(page, kind).values()] if page else []
                for box in boxes:
                    assert box.x >= made.margin - DUST
                    assert box.y >= made.margin - DUST
                    assert box.right <= page.width - made.margin + DUST
                    assert box.bottom <= page.height - made.margin + DUST
                for i, one in enumerate(boxes):
                    for other in boxes[i + 1 :]:
                        across = max(one.x, other.x) - min(one.right, other.right)
                        down = max(one.y, other.y) - min(one.bottom, other.bottom)
                        assert max(across, down) >= made.gap - DUST

    @given(runs())
    @settings(max_examples=100, deadline=None)
    def test_slots_are_the_same_on_every_sheet_of_a_size(self, run):
        """A stack of sheets is cut in one go, the sparse last one too (18F/methods #243)."""
        tiles, made = run
        slots = {}
        for front, _ in sheets_of(tiles, made):
            for i, (number, corners) in enumerate(tiles_on(front, FRONT).items()):
                slots.setdefault((tiles.sizes[number], i), set()).add(tuple(corners))
        assert all(len(places) == 1 for places in slots.values())

    @given(runs())
    @settings(max_examples=50, deadline=None)
    def test_cards_of_a_size_lie_in_the_order_of_the_deck_on_as_few_sheets_as_will_hold_them(
        self, run
    ):
        tiles, made = run
        order = {}
        for front, _ in sheets_of(tiles, made):
            numbers = list(tiles_on(front, FRONT))
            size = tiles.sizes[numbers[0]]
            assert {tiles.sizes[number] for number in numbers} == {size}
            order.setdefault(size, []).append(numbers)
        for size, sheets in order.items():
            assert [n for numbers in sheets for n in numbers] == [
                n for n, own in enumerate(tiles.sizes) if own == size
            ]
            assert len({len(numbers) for numbers in sheets[:-1]}) <= 1

    def test_copies_of_a_card_lie_side_by_side(self):
        tiles = Tiles([POKER])
        tiles.cards = [Card(Text("0"), "0", 4, {}, Back(template=Text("back0")))]
        [front, _] = pages_of(tiles, plan())
        marks = [m for m, _ in front.walk() if isinstance(m, Path) and m.fill == colour(FRONT, 0)]
        assert len(marks) == 4


class TestBacks:
    @given(runs())
    @settings(max_examples=150, deadline=None)
    def test_lie_on_their_own_fronts_when_the_paper_is_turned(self, run):
        tiles, made = run
        for front, back in sheets_of(tiles, made):
            if back is None:
                continue
            assert (back.width, back.height) == (front.width, front.height)
            fronts, backs = tiles_on(front, FRONT), tiles_on(back, BACK)
            for number, corners in backs.items():
                beneath = box_of([turned_over(*c, back, made.flip) for c in corners])
                own = box_of(fronts[number])
                for name in ("x", "y", "width", "height"):
                    assert abs(getattr(beneath, name) - getattr(own, name)) < EXACT

    @given(runs())
    @settings(max_examples=100, deadline=None)
    def test_stand_upright_on_a_card_that_is_turned_like_a_page(self, run):
        """The back's top left corner lies under the front's top right one."""
        tiles, made = run
        for front, back in sheets_of(tiles, made):
            if back is None:
                continue
            fronts = tiles_on(front, FRONT)
            for number, (top_left, top_right, *_) in tiles_on(back, BACK).items():
                front_left, front_right = fronts[number][:2]
                assert turned_over(*top_left, back, made.flip) == pytest.approx(
                    front_right, abs=EXACT
                )
                assert turned_over(*top_right, back, made.flip) == pytest.approx(
                    front_left, abs=EXACT
                )

    @given(runs())
    @settings(max_examples=100, deadline=None)
    def test_that_a_card_lacks_leave_their_place_empty(self, run):
        tiles, made = run
        for front, back in sheets_of(tiles, made):
            if back is not None:
                wanted = set(tiles_on(front, FRONT)) - tiles.backless
                assert set(tiles_on(back, BACK)) == wanted

    @pytest.mark.parametrize(
        ("flip", "paper", "first"),
        [
            ("long", A4, Box(136.5, 16.5, 63, 88)),  # a mirror image
            ("short", A4, Box(10.5, 192.5, 63, 88)),  # at the foot, on its head
            ("long", (420.0, 297.0), Box(21, 192.5, 63, 88)),
            ("short", (420.0, 297.0), Box(336, 16.5, 63, 88)),
        ],
    )
    def test_of_the_first_card_lies_where_the_turned_paper_brings_it(self, flip, paper, first):
        tiles = Tiles([POKER])
        _, back = pages_of(tiles, plan(paper, flip=flip))
        corners = tiles_on(back, BACK)[0]
        assert box_of(corners) == first
        on_its_head = corners[0][1] > corners[2][1]
        assert on_its_head == (first.y > 100)

    def test_of_a_last_sheet_with_one_card_lies_under_that_card(self):
        tiles = Tiles([POKER] * 10)
        pages = pages_of(tiles, plan())
        assert len(pages) == 4
        assert box_of(tiles_on(pages[2], FRONT)[9]) == Box(10.5, 16.5, 63, 88)
        assert box_of(tiles_on(pages[3], BACK)[9]) == Box(136.5, 16.5, 63, 88)

    def test_are_left_out_when_asked(self):
        assert len(pages_of(Tiles([POKER] * 10), plan(backs="none"))) == 2

    def test_are_no_pages_when_no_card_has_one(self):
        tiles = Tiles([POKER] * 10, backless=frozenset(range(10)))
        assert len(pages_of(tiles, plan())) == 2

    def test_have_a_page_on_every_sheet_so_that_a_duplex_printer_keeps_step(self):
        tiles = Tiles([POKER] * 18 + [(50.0, 50.0)] * 3, backless=frozenset(range(9)))
        pages = pages_of(tiles, plan())
        assert [bool(tiles_on(page, FRONT)) for page in pages] == [True, False] * 3
        assert [len(tiles_on(page, BACK)) for page in pages[1::2]] == [0, 9, 3]

    def test_carry_no_cut_marks(self):
        front, back = pages_of(Tiles([POKER]), plan())
        assert lines_on(front)
        assert not lines_on(back)


class TestBleed:
    def test_is_cut_at_half_the_gap_between_cards_and_whole_at_the_outside(self):
        grid = grid_of(A4, POKER, 5, 4)
        assert grid is not None
        group = placed(tile(FRONT, 0, POKER), grid.slots[0], reaches(grid.slots)[0])
        [(_, (left, top)), _, (_, (right, bottom)), *_] = group.clip
        first = grid.slots[0].box
        assert (left, top) == (first.x - 3, first.y - 3)
        assert (right, bottom) == (first.right + 2, first.bottom + 2)

    def test_never_lies_on_a_neighbour(self):
        grid = grid_of(A4, POKER, 5, 0)
        assert grid is not None
        middle = placed(tile(FRONT, 0, POKER), grid.slots[4], reaches(grid.slots)[4])
        assert middle.clip == rectangle(grid.slots[4].box)


class TestBestGrid:
    @given(
        st.tuples(st.integers(50, 4500), st.integers(50, 4500)),
        st.tuples(st.integers(50, 1500), st.integers(50, 1500)),
        st.integers(0, 200),
        st.integers(0, 100),
    )
    @settings(max_examples=300, deadline=None)
    def test_holds_as_many_as_any_grid_upright_or_turned(self, paper, card, margin, gap):
        """Counted in whole tenths of a millimetre, one card after the other."""

        def along(side, extent):
            count, end = 0, margin
            while end + extent <= side - margin:
                count, end = count + 1, end + extent + gap
            return count

        (width, height), (w, h) = paper, card
        most = max(
            along(width, w) * along(height, h),
            along(height, w) * along(width, h),
        )
        grid = grid_of((width / 10, height / 10), (w / 10, h / 10), margin / 10, gap / 10)
        assert (len(grid.slots) if grid else 0) == most

    @pytest.mark.parametrize(
        ("size", "cards"),
        [
            ("poker", 9),
            ("poker-us", 9),
            ("bridge", 10),
            ("bridge-us", 10),
            ("american", 10),
            ("japanese", 9),
            ("euro", 9),
            ("mini-euro", 16),
            ("mini-us", 21),
            ("mini", 18),
            ("micro", 36),
            ("tarot", 4),
            ("tarot-us", 4),
            ("tarot-small", 4),
            ("square-70", 8),
            ("square-63", 12),
            ("square-89", 6),
            ("jumbo", 4),
            ("jumbo-tall", 4),
            ("oversized", 4),
            ("business", 10),
            ("business-us", 10),
            ("domino", 12),
            ("divider", 6),
            ("mint-tin", 10),
            ("a7", 4),
        ],
    )
    def test_holds_on_a4_what_the_trade_table_says(self, card_sizes, size, cards):
        grid = grid_of(A4, card_sizes[size], 5, 0)
        assert grid is not None
        assert len(grid.slots) == cards

    @pytest.mark.parametrize(
        ("size", "cards"),
        [("poker", 8), ("bridge", 9), ("mini-euro", 12), ("micro", 28), ("business", 9), ("a7", 4)],
    )
    def test_holds_on_a4_what_the_trade_table_says_of_gaps_for_bleed(self, card_sizes, size, cards):
        grid = grid_of(A4, card_sizes[size], 8, 4)
        assert grid is not None
        assert len(grid.slots) == cards

    def test_is_centred_on_the_paper(self):
        grid = grid_of(A4, POKER, 5, 0)
        assert grid is not None
        assert grid.block == Box(10.5, 16.5, 189, 264)

    def test_stays_upright_where_turning_gains_nothing(self):
        grid = grid_of(A4, (70.0, 70.0), 5, 0)
        assert grid is not None
        assert (grid.width, grid.height) == A4

    def test_turns_the_paper_where_more_cards_fit(self):
        grid = grid_of(A4, (57.0, 88.0), 5, 0)
        assert grid is not None
        assert (grid.width, grid.height) == (297.0, 210.0)

    def test_fills_paper_to_the_last_hundredth(self):
        grid = grid_of((210.0, 297.0), (70.0, 99.0), 0, 0)
        assert grid is not None
        assert len(grid.slots) == 9

    def test_is_none_for_a_card_larger_than_the_paper(self):
        assert grid_of(A4, (201.0, 290.0), 5, 0) is None

    def test_that_is_none_is_an_error_that_names_card_paper_and_margin(self):
        with pytest.raises(StonehandError) as caught:
            pages_of(Tiles([(300.0, 400.0)]), plan())
        [problem] = caught.value.problems
        assert str(problem) == (
            "game.yaml:1:1: error: a card of 300 x 400 mm does not fit paper of 210 x 297 mm "
            "(margins of 5 mm)"
        )


@pytest.fixture(scope="module")
def card_sizes() -> dict[str, tuple[float, float]]:
    sizes = load_sizes([shipped_content() / "layouts" / "sizes.yaml"], Problems())
    return {str(name): (size.width.mm, size.height.mm) for name, size in sizes.items()}


class TestCutMarks:
    def test_of_nine_poker_cards_are_eight_lines_at_the_trim(self):
        front, _ = pages_of(Tiles([POKER] * 9), plan())
        lines = lines_on(front)
        assert upright(lines) == [10.5, 73.5, 136.5, 199.5]
        assert level(lines) == [16.5, 104.5, 192.5, 280.5]
        assert len(lines) == 8

    def test_are_the_same_on_a_sheet_with_one_card(self):
        full, sparse = (pages_of(Tiles([POKER] * n), plan())[0] for n in (9, 1))
        assert lines_on(full) == lines_on(sparse)

    def test_are_two_to_a_gutter_where_cards_stand_apart(self):
        front, _ = pages_of(Tiles([POKER]), plan(gap=4))
        assert upright(lines_on(front)) == [6.5, 69.5, 73.5, 136.5, 140.5, 203.5]
        assert level(lines_on(front)) == [12.5, 100.5, 104.5, 192.5, 196.5, 284.5]

    @given(runs())
    @settings(max_examples=100, deadline=None)
    def test_draw_every_cut_once_and_only_on_a_trim(self, run):
        tiles, made = run
        made = plan(made.paper, made.margin, made.gap, "lines", made.flip, backs=made.backs)
        for front, _ in sheets_of(tiles, made):
            lines = lines_on(front)
            size = tiles.sizes[next(iter(tiles_on(front, FRONT)))]
            boxes = [
                slot.box
                for slot in SheetMaker(tiles, made, NoLetters()).forme(Piece(*size), made.gap).slots
            ]
            for found, edges in (
                (upright(lines), {e for s in boxes for e in (s.x, s.right)}),
                (level(lines), {e for s in boxes for e in (s.y, s.bottom)}),
            ):
                gaps = [b - a for a, b in itertools.pairwise(found)]
                assert all(gap > EXACT for gap in gaps)
                assert all(min(abs(edge - line) for line in found) < EXACT for edge in edges)
                assert all(min(abs(edge - line) for edge in edges) < EXACT for line in found)
            assert len(lines) == len(upright(lines)) + len(level(lines))

    @pytest.mark.parametrize("width", [254 / 30, 47.453900499999996, 63.0000005])
    def test_of_neighbours_are_one_line_whatever_rounding_makes_of_their_edges(self, width):
        grid = grid_of(A4, (width, width * 1.1), 5, 0)
        assert grid is not None
        cuts = grid.cuts()
        columns = sum(slot.box.y == grid.block.y for slot in grid.slots)
        assert sum(not cut.level for cut in cuts) == columns + 1
        assert sum(cut.level for cut in cuts) == len(grid.slots) / columns + 1

    def test_as_full_lines_run_past_the_cards_but_not_where_no_printer_prints(self):
        front, _ = pages_of(Tiles([POKER]), plan())
        for x1, y1, x2, y2 in lines_on(front):
            if x1 == x2:
                assert (y1, y2) == (16.5 - 4, 280.5 + 4)
            else:
                assert (x1, x2) == (10.5 - 4, 199.5 + 4)
        tight, _ = pages_of(Tiles([(204.0, 291.0)]), plan(margin=3))
        assert {(y1, y2) for x1, y1, x2, y2 in lines_on(tight) if x1 == x2} == {(3, 294)}

    def test_as_ticks_leave_the_cards_alone(self):
        front, _ = pages_of(Tiles([POKER]), plan(marks="ticks"))
        lines = lines_on(front)
        assert len(lines) == 16
        for x1, y1, x2, y2 in lines:
            outside = max(y1, y2) <= 16.5 - 1 or min(y1, y2) >= 280.5 + 1
            beside = max(x1, x2) <= 10.5 - 1 or min(x1, x2) >= 199.5 + 1
            assert outside or beside
        assert sorted(set(upright(lines))) == [10.5, 73.5, 136.5, 199.5]

    @pytest.mark.parametrize("margin", [0.0, 2.0, 3.0, 3.5, 4.0])
    def test_as_ticks_never_point_into_a_card(self, margin):
        card = (100.0 - 2 * margin, 150.0 - 2 * margin)
        grid = grid_of((100.0, 150.0), card, margin, 0)
        assert grid is not None
        block = grid.block
        for mark in furniture.cut_marks(grid, "ticks"):
            for _, (x, y) in mark.outline:
                in_a_card = block.x < x < block.right and block.y < y < block.bottom
                assert not in_a_card
                on_the_paper = 0 <= x <= 100 and 0 <= y <= 150
                assert on_the_paper

    def test_as_corners_are_a_cross_at_each_corner_of_a_card(self):
        front, _ = pages_of(Tiles([POKER]), plan(marks="corners"))
        lines = lines_on(front)
        assert len(lines) == 2 * 16
        crossings = Counter(((x1 + x2) / 2, (y1 + y2) / 2) for x1, y1, x2, y2 in lines)
        corners = {(x, y) for x in (10.5, 73.5, 136.5, 199.5) for y in (16.5, 104.5, 192.5, 280.5)}
        assert crossings == dict.fromkeys(corners, 2)

    def test_can_be_left_out(self):
        front, _ = pages_of(Tiles([POKER]), plan(marks="none"))
        assert lines_on(front) == []


def rules_on(page: Scene) -> list[tuple[float, float, float, float]]:
    lines = []
    for mark, matrix in page.walk():
        if isinstance(mark, Path) and mark.stroke == furniture.RULE:
            [(_, first), (_, last)] = mark.outline
            lines.append((*matrix(*first), *matrix(*last)))
    return lines


def length_of(line) -> float:
    x1, y1, x2, y2 = line
    return ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5


class TestRuler:
    @pytest.mark.parametrize("paper", [A4, (215.9, 279.4), (215.9, 355.6), (297.0, 420.0)])
    def test_is_exactly_50_mm_and_2_inches_on_both_sides_of_every_paper(self, paper):
        for page in pages_of(Tiles([POKER]), plan(paper)):
            long = sorted(length for line in rules_on(page) if (length := length_of(line)) > 10)
            assert long == pytest.approx([50.0, 50.8], abs=1e-9)

    @pytest.mark.parametrize(
        ("paper", "card"),
        [((148.0, 210.0), (88.9, 127.0)), (A4, (60.0, 250.0)), (A4, (110.0, 200.0))],
    )
    def test_is_whole_where_the_cards_take_less_room_than_it(self, paper, card):
        front, _ = pages_of(Tiles([card]), plan(paper))
        lines = rules_on(front)
        long = sorted(length for line in lines if (length := length_of(line)) > 10)
        assert long == pytest.approx([50.0, 50.8], abs=1e-9)
        assert all(3 <= x <= front.width - 3 for x1, _, x2, _ in lines for x in (x1, x2))
        assert all(3 <= y <= front.height - 3 for _, y1, _, y2 in lines for y in (y1, y2))

    def test_is_divided_into_halves_of_centimetres_and_quarters_of_inches(self):
        front, _ = pages_of(Tiles([POKER]), plan())
        ticks = [line for line in rules_on(front) if length_of(line) < 10]
        assert len(ticks) == 11 + 9
        xs = sorted(x for x, *_ in ticks)
        steps = [b - a for a, b in itertools.pairwise(xs)]
        assert steps[:10] == pytest.approx([5.0] * 10)
        assert steps[11:] == pytest.approx([6.35] * 8)

    def test_and_label_keep_off_the_cards_and_on_the_printable_paper(self):
        for paper, card in (
            (A4, POKER),
            (A4, (60.0, 250.0)),
            ((148.0, 210.0), (88.9, 127.0)),
            ((215.9, 279.4), POKER),
            ((297.0, 420.0), POKER),
        ):
            grid = grid_of(paper, card, 5, 0)
            assert grid is not None
            found = furniture.strips(grid)
            assert found is not None
            for matrix, length in found:
                box = box_of([matrix(0, 0), matrix(length, furniture.BAND)])
                assert box.x >= furniture.UNPRINTABLE
                assert box.y >= furniture.UNPRINTABLE
                assert box.right <= grid.width - furniture.UNPRINTABLE
                assert box.bottom <= grid.height - furniture.UNPRINTABLE
                block = grid.block
                apart = (
                    box.bottom <= block.y
                    or box.y >= block.bottom
                    or box.right <= block.x
                    or box.x >= block.right
                )
                assert apart

    def test_is_left_out_where_the_margins_have_no_room_for_it(self):
        front, _ = pages_of(Tiles([(200.0, 287.0)]), plan())
        assert rules_on(front) == []


def maker_of(press, game, language, made: SheetPlan) -> SheetMaker:
    lettering = Lettering(press.fonts, language, press.languages, press.problems)
    return SheetMaker(press.layouter(game, language), made, lettering)


@pytest.fixture(scope="module")
def labels(oniroo):
    press = Press(oniroo.folder.project, Problems())

    def of(code: str, count: int = 19, **choices) -> list[str]:
        [language] = press.languages_of(oniroo, [Text(code)])
        maker = maker_of(press, oniroo, language, plan(**choices))
        pages = maker.pages(oniroo.cards[-count:], lambda: None)
        return [page.scene.text for page in pages]

    return of


class TestLabel:
    def test_names_game_language_sheet_and_side(self, labels):
        pages = labels("en")
        assert len(pages) == 6
        for i, text in enumerate(pages):
            side = "back" if i % 2 else "front"
            assert f"Oniroo · English · sheet {i // 2 + 1} of 3 · {side} ·" in text

    def test_says_over_which_edge_the_paper_is_turned(self, labels):
        assert all("flip on the long edge" in text for text in labels("en"))
        assert all("flip on the short edge" in text for text in labels("en", flip="short"))
        assert not any("flip" in text for text in labels("en", backs="none"))

    @pytest.mark.parametrize(
        ("code", "words"),
        [
            ("hi", ["हिन्दी", "पृष्ठ 1/3", "सामने"]),
            ("el", ["Ελληνικά", "φύλλο 1 από 3", "μπροστινή όψη"]),
            ("ko", ["한국어", "3장 중 1번째 장", "앞면"]),
        ],
    )
    def test_is_in_the_language_of_the_cards(self, labels, code, words):
        first = labels(code)[0]
        assert all(word in first for word in words)

    def test_tells_what_the_ruler_measures(self, labels):
        for code in ("en", "hi", "el", "ko"):
            runs = labels(code)[1]
            assert "50 mm" in runs
            assert "2 in" in runs

    @pytest.mark.parametrize("size", ["poker", "tarot", "micro"])
    def test_stays_within_the_paper_in_every_language(self, oniroo, card_sizes, size):
        press = Press(oniroo.folder.project, Problems())
        for language in press.languages_of(oniroo, ()):
            maker = maker_of(press, oniroo, language, plan(order="stack"))
            grid = maker.forme(Piece(*card_sizes[size]), 0)
            page = maker.dress.page([], grid, 100, 100, "front")
            for mark, matrix in page.walk():
                if isinstance(mark, GlyphRun):
                    for x, y in (matrix(mark.x, mark.y), matrix(mark.x + mark.width, mark.y)):
                        assert 3 <= x <= page.width - 3
                        assert 3 <= y <= page.height - 3


@pytest.fixture(scope="module")
def papers():
    return load_papers([shipped_content() / "layouts" / "papers.yaml"], Problems())


class TestPapers:
    @pytest.mark.parametrize(
        ("name", "size"),
        [
            ("a4", (210, 297)),
            ("A4", (210, 297)),
            ("a3", (297, 420)),
            ("a5", (148, 210)),
            ("letter", (215.9, 279.4)),
            ("Letter", (215.9, 279.4)),
            ("legal", (215.9, 355.6)),
            ("tabloid", (279.4, 431.8)),
            ("sra3", (320, 450)),
        ],
    )
    def test_have_names_and_are_exact(self, papers, name, size):
        assert find_paper(Text(name), papers) == pytest.approx(size, abs=1e-9)

    @pytest.mark.parametrize(
        ("written", "size"),
        [
            ("210x297mm", (210, 297)),
            ("210mm x 297mm", (210, 297)),
            ("21cmx297mm", (210, 297)),
            ("8.5x11in", (215.9, 279.4)),
            ("8.5 x 11 in", (215.9, 279.4)),
            ("420x297mm", (420, 297)),
            ("210 × 297 mm", (210, 297)),
            ("210X297MM", (210, 297)),
        ],
    )
    def test_of_any_size_are_written_with_a_unit(self, papers, written, size):
        assert find_paper(Text(written), papers) == pytest.approx(size, abs=1e-9)

    @pytest.mark.parametrize(
        ("written", "message"),
        [
            ("leter", "unknown paper 'leter' (did you mean 'letter'?)"),
            ("b0", "unknown paper 'b0' ("),
            ("210x297", "unknown paper '210x297' (a size is written 210x297mm)"),
            ("1.2.3x297mm", "'1.2.3mm' is not a length"),
            ("0x297mm", "'0mm' is too small"),
            ("99999x297mm", "'99999mm' is too long"),
        ],
    )
    def test_that_are_unknown_are_errors_with_a_hint(self, papers, written, message):
        with pytest.raises(StonehandError) as caught:
            find_paper(Text(written, Location("game.yaml", 3, 9)), papers)
        assert str(caught.value).startswith(f"game.yaml:3:9: error: {message}")

    def test_of_a_project_add_to_and_replace_the_shipped_ones(self, tmp_path):
        (tmp_path / "layouts").mkdir()
        own = tmp_path / "layouts" / "papers.yaml"
        own.write_text("b5: {width: 176mm, height: 250mm}\na4: {width: 200mm, height: 300mm}\n")
        project = Project((tmp_path, shipped_content()))
        papers = load_papers(project.files("layouts/papers.yaml"), Problems())
        assert find_paper(Text("b5"), papers) == (176, 250)
        assert find_paper(Text("a4"), papers) == (200, 300)
        assert find_paper(Text("a3"), papers) == (297, 420)

    @pytest.mark.parametrize(
        ("paper", "cards"),
        [("letter", 9), ("legal", 9), ("a3", 18), ("tabloid", 18), ("a5", 4), ("200x200mm", 6)],
    )
    def test_hold_as_many_poker_cards_as_fit(self, papers, paper, cards):
        size = find_paper(Text(paper), papers)
        front, _ = pages_of(Tiles([POKER] * cards), plan(size))
        assert len(tiles_on(front, FRONT)) == cards


def test_a_forme_turned_over_twice_is_itself():
    forme = grid_of(A4, POKER, 5, 0)
    assert isinstance(forme, Forme)
    for flip in ("long", "short"):
        once = forme.behind(flip)
        again = Forme(forme.width, forme.height, (once,)).behind(flip)
        assert again == forme.slots
        assert {slot.box for slot in once} == {slot.box for slot in forme.slots}


def test_a_placed_face_is_one_group_within_a_clip():
    forme = grid_of(A4, POKER, 5, 0)
    assert forme is not None
    slot = forme.behind("short")[4]
    group = placed(tile(FRONT, 7, POKER), slot, reaches(forme.slots)[4])
    [face] = group.marks
    assert isinstance(face, Group)
    assert face.matrix == Matrix(-1, 0, 0, -1, 136.5, 192.5)


@pytest.mark.parametrize("code", ["en", "hi", "el", "ko"])
def test_labels_are_as_large_in_every_script(fonts, languages, code):
    """Devanagari needs more height than the strip has: that makes no label small."""
    lettering = Lettering(fonts, languages[code], languages, Problems())
    strip = Box(0, 0, 150, furniture.BAND)
    words = f"{lettering.word('front')} · {lettering.word('flip_long')}"
    assert {run.size for run in lettering.line(words, strip)} == {SIZE}
    assert {run.size < SIZE for run in lettering.line(words * 6, strip)} == {True}
