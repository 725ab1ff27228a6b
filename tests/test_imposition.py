"""Imposition: random decks on random paper, laid every way there is, then turned, folded and cut.

What is asserted is what happens to paper: where a back lies once the sheet is turned over or
folded, what a pile of cut sheets holds, which pieces a knife leaves. Lengths are in mm.
"""

from collections import Counter, defaultdict
from typing import ClassVar

import msgspec
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
    grid_of,
    pages_of,
    plan,
    tiles_on,
    turned_over,
    windows_on,
)

from stonehand.scene import Box, Group, Path, Scene, polygon
from stonehand.sheet_maker import SheetMaker
from stonehand.sheet_plan import SheetPlan
from stonehand.sheets import furniture
from stonehand.sheets.forme import Forme
from stonehand.sheets.imposition import FOLD_GUTTER, Laid, Piece, Room, best_fold, lay


@st.composite
def decks(draw, backs=("duplex", "separate"), sizes=3):
    """Tiles of some sizes, some without a back, and a plan on which they fit."""

    def length(low, high):
        return draw(st.integers(low * 10, high * 10)) / 10

    way = draw(st.sampled_from(backs))
    margin, gap = length(0, 15), draw(st.sampled_from([0.0, 1.3, 4.0, 6.0]))
    of = [(length(15, 90), length(15, 120)) for _ in range(draw(st.integers(1, sizes)))]
    room = 2 * max(max(size) for size in of) + FOLD_GUTTER if way == "fold" else max(map(max, of))
    paper = tuple(max(length(60, 450), room + 2 * margin) for _ in range(2))
    pieces = draw(st.lists(st.sampled_from(of), min_size=1, max_size=40))
    backless = draw(st.sets(st.integers(0, len(pieces) - 1), max_size=len(pieces) // 2))
    more = draw(
        st.sampled_from([{}, {"order": "stack"}, {"mixed": True}, {"skip": frozenset({2, 5})}])
    )
    if way == "fold" and "mixed" in more:
        more = {}
    made = plan(paper, margin, gap, flip=draw(st.sampled_from(["long", "short"])), **more)
    tiles = Tiles(pieces, frozenset(backless))
    return tiles, msgspec.structs.replace(made, backs=way)


def fits(tiles: Tiles, made: SheetPlan) -> bool:
    """Tell whether slots that are skipped are there, and leave some for each size."""
    maker = SheetMaker(tiles, made, NoLetters())
    formes = [maker.find_forme(Piece(*size), made.gap) for size in set(tiles.sizes)]
    return all(formes) and max(made.skip, default=0) <= max(len(f.slots) for f in formes)


def sheets(tiles: Tiles, made: SheetPlan) -> list[tuple[Scene, Scene | None]]:
    """Return front and back of every sheet."""
    pages = list(SheetMaker(tiles, made, NoLetters()).pages(tiles.cards, lambda: None))
    fronts = [page.scene for page in pages if page.side == "front"]
    backs = [page.scene for page in pages if page.side == "back"]
    if not backs:
        return [(front, None) for front in fronts]
    assert [page.side for page in pages] == ["front", "back"] * len(fronts)
    return list(zip(fronts, backs, strict=True))


def same_spot(one: Box, other: Box) -> bool:
    edges = ("x", "y", "right", "bottom")
    return all(abs(getattr(one, e) - getattr(other, e)) < EXACT for e in edges)


class TestPaperTurnedOver:
    @given(decks())
    @settings(max_examples=200, deadline=None)
    def test_brings_every_back_onto_its_front_and_upright_on_the_card(self, deck):
        tiles, made = deck
        if not fits(tiles, made):
            return
        met = set()
        for front, back in sheets(tiles, made):
            fronts = tiles_on(front, FRONT)
            for number, corners in tiles_on(back, BACK).items() if back else ():
                beneath = [turned_over(*corner, back, made.flip) for corner in corners]
                assert same_spot(box_of(beneath), box_of(fronts[number]))
                # the back's upper left corner lies under the front's upper right one
                assert beneath[0] == pytest.approx(fronts[number][1], abs=EXACT)
                assert beneath[1] == pytest.approx(fronts[number][0], abs=EXACT)
                met.add(number)
        assert met == set(range(len(tiles.sizes))) - tiles.backless

    @given(decks())
    @settings(max_examples=60, deadline=None)
    def test_shows_every_card_once_in_its_own_size(self, deck):
        tiles, made = deck
        if not fits(tiles, made):
            return
        seen = Counter()
        for front, _ in sheets(tiles, made):
            for number, corners in tiles_on(front, FRONT).items():
                seen[number] += 1
                box = box_of(corners)
                assert sorted((box.width, box.height)) == pytest.approx(
                    sorted(tiles.sizes[number]), abs=EXACT
                )
                assert box.x >= made.margin - DUST
                assert box.right <= front.width - made.margin + DUST
                assert box.bottom <= front.height - made.margin + DUST
        assert seen == dict.fromkeys(range(len(tiles.sizes)), 1)


class TestPaperFolded:
    @given(decks(backs=("fold",), sizes=2))
    @settings(max_examples=150, deadline=None)
    def test_brings_every_back_onto_its_front_and_upright_on_the_card(self, deck):
        tiles, made = deck
        if not fits(tiles, made):
            return
        met = set()
        for page, none in sheets(tiles, made):
            assert none is None
            fronts, folds = tiles_on(page, FRONT), folds_on(page)
            for number, corners in tiles_on(page, BACK).items():
                front, back = box_of(fronts[number]), box_of(corners)
                upright = abs(front.y - back.y) < DUST
                # the fold is in the middle between the two, in the gutter, and is drawn there
                middle = (front.right + back.x) / 2 if upright else (front.bottom + back.y) / 2
                assert any(is_on(fold, middle, front, upright) for fold in folds)
                folded = [
                    (2 * middle - x, y) if upright else (x, 2 * middle - y) for x, y in corners
                ]
                assert same_spot(box_of(folded), front)
                assert folded[0] == pytest.approx(fronts[number][1], abs=EXACT)
                met.add(number)
        assert met == set(range(len(tiles.sizes))) - tiles.backless

    @pytest.mark.parametrize("size", [(40.0, 60.0), (85.0, 60.0)])
    def test_lays_the_outline_of_a_back_onto_that_of_its_front(self, size):
        """Pieces of any outline: here one that is not the same mirrored or turned."""
        wide, high = size
        corners = [(0.0, 0.0), (wide, high / 3), (wide / 2, high), (0.0, high)]
        tiles = Tiles([size] * 5, frozenset({3}), outline=polygon(corners))
        met = set()
        for page, none in sheets(tiles, plan(backs="fold")):
            assert none is None
            fronts = windows_on(page, FRONT)
            for number, back in windows_on(page, BACK).items():
                front = fronts[number]
                upright = abs(box_of(front).y - box_of(back).y) < DUST
                if upright:
                    middle = (box_of(front).right + box_of(back).x) / 2
                    folded = [(2 * middle - x, y) for x, y in back]
                else:
                    middle = (box_of(front).bottom + box_of(back).y) / 2
                    folded = [(x, 2 * middle - y) for x, y in back]
                assert folded == [pytest.approx(point, abs=EXACT) for point in front]
                met.add(number)
        assert met == {0, 1, 2, 4}

    def test_never_has_a_fold_through_a_card(self):
        page, _ = sheets(Tiles([POKER] * 4), plan(backs="fold"))[0]
        for kind in (FRONT, BACK):
            for corners in tiles_on(page, kind).values():
                box = box_of(corners)
                for x1, y1, x2, y2 in folds_on(page):
                    assert not (
                        box.x < (x1 + x2) / 2 < box.right and box.y < (y1 + y2) / 2 < box.bottom
                    )

    def test_numbers_no_cuts_since_cards_are_cut_out_one_by_one(self):
        maker = SheetMaker(Tiles([POKER]), plan(backs="fold"), Numbers())
        [page] = maker.pages(maker.layouter.cards, lambda: None)
        assert not Numbers.told
        maker = SheetMaker(Tiles([POKER]), plan(), Numbers())
        assert list(maker.pages(maker.layouter.cards, lambda: None))
        assert Numbers.told == {str(number) for number in range(1, 9)}
        assert page.side == "front"

    @pytest.mark.parametrize(
        ("card", "paper", "cards"),
        [
            (POKER, A4, 4),  # on its side, two pairs across and two down
            (POKER, (215.9, 279.4), 4),
            ((44.0, 68.0), A4, 8),
            ((88.0, 63.0), A4, 4),
        ],
    )
    def test_takes_as_many_pairs_as_fit_whichever_way_they_are_folded(self, card, paper, cards):
        forme = best_fold(card, Room(paper))
        assert forme is not None
        assert len(forme.free) == len(forme.backs) == cards


class Numbers(NoLetters):
    """Remembers which numbers were set."""

    told: ClassVar[set[str]] = set()

    def line(self, text, *_):
        if text.isdecimal():
            self.told.add(text)
        return []


def folds_on(page: Scene) -> list[tuple[float, float, float, float]]:
    lines = []
    for mark, matrix in page.walk():
        if isinstance(mark, Path) and mark.stroke == furniture.FOLD:
            [(_, first), (_, last)] = mark.outline
            lines.append((*matrix(*first), *matrix(*last)))
    return lines


def is_on(fold, middle: float, front: Box, upright: bool) -> bool:
    x1, y1, x2, y2 = fold
    if upright:
        across, along = (x1, x2), (y1, y2)
        wanted = (front.y, front.bottom)
    else:
        across, along = (y1, y2), (x1, x2)
        wanted = (front.x, front.right)
    return across == pytest.approx((middle, middle)) and along == pytest.approx(wanted)


class TestCutAndStack:
    @given(
        st.integers(1, 120), st.sampled_from([POKER, (44.0, 68.0), (70.0, 120.0)]), st.booleans()
    )
    @settings(max_examples=100, deadline=None)
    def test_gives_the_deck_in_order_fronts_and_backs(self, count, size, skip):
        """Sheets lie on each other, the first on top; cut, each slot becomes a pile."""
        tiles = Tiles([size] * count)
        made = plan(order="stack", skip=frozenset({1}) if skip else frozenset())
        piles: dict[tuple[float, float], list[int]] = defaultdict(list)
        for front, back in sheets(tiles, made):
            fronts, backs = tiles_on(front, FRONT), tiles_on(back, BACK)
            for number, corners in fronts.items():
                box = box_of(corners)
                beneath = box_of([turned_over(*c, back, made.flip) for c in backs[number]])
                assert same_spot(beneath, box)
                piles[round(box.y, 3), round(box.x, 3)].append(number)
        whole = [number for place in sorted(piles) for number in piles[place]]
        assert whole == list(range(count))

    def test_takes_as_many_sheets_as_any_order(self):
        for count in (1, 9, 10, 17, 18, 19, 173):
            of_order = [
                len(sheets(Tiles([POKER] * count), plan(order=order)))
                for order in ("reading", "stack")
            ]
            assert of_order == [-(-count // 9)] * 2

    def test_has_piles_that_differ_by_less_than_a_deck_that_ends_early(self):
        """Ten cards on nine slots: five piles of two, not nine of one and one of one."""
        forme = grid_of(A4, POKER, 5, 0)
        laid = list(lay({POKER: list(range(10))}, {POKER: forme}, "stack"))
        assert [sheet.items[:6] for sheet in laid] == [(0, 2, 4, 6, 8, None), (1, 3, 5, 7, 9, None)]


class TestSkippedSlots:
    def test_stay_empty_on_every_sheet_and_do_not_move_the_others(self):
        tiles = Tiles([POKER] * 16)
        whole = {box_of(c) for c in tiles_on(pages_of(tiles, plan())[0], FRONT).values()}
        for front, _ in sheets(tiles, plan(skip=frozenset({1, 9}))):
            places = {box_of(c) for c in tiles_on(front, FRONT).values()}
            assert places < whole
            assert Box(10.5, 16.5, 63, 88) not in places
            assert Box(136.5, 192.5, 63, 88) not in places

    def test_may_not_be_all(self):
        maker = SheetMaker(Tiles([POKER]), plan(skip=frozenset(range(1, 10))), NoLetters())
        assert maker.find_forme(Piece(*POKER), 0.0) is None


class TestCopies:
    def test_repeat_the_whole_deck_not_each_card(self):
        tiles = Tiles([POKER] * 3)
        maker = SheetMaker(tiles, plan(copies=3, backs="none"), NoLetters())
        [page] = maker.pages(tiles.cards, lambda: None)
        order = [
            int(mark.fill[3:], 16)
            for mark, _ in page.scene.walk()
            if isinstance(mark, Path) and mark.fill
        ]
        assert order == [0, 1, 2] * 3


class TestMixedSizes:
    @given(decks(sizes=3))
    @settings(max_examples=100, deadline=None)
    def test_never_take_more_sheets_than_each_size_alone(self, deck):
        tiles, made = deck
        made = msgspec.structs.replace(made, order="reading", skip=frozenset())
        alone = len(sheets(tiles, msgspec.structs.replace(made, mixed=False)))
        assert len(sheets(tiles, msgspec.structs.replace(made, mixed=True))) <= alone

    def test_share_a_sheet_where_they_fit_it(self):
        tiles = Tiles([POKER] * 3 + [(44.0, 68.0)] * 4 + [(70.0, 70.0)] * 2)
        assert len(sheets(tiles, plan(mixed=True))) == 1
        assert len(sheets(tiles, plan())) == 3

    def test_are_turned_where_that_saves_a_sheet(self):
        tiles = Tiles([(120.0, 60.0)] * 3 + [(60.0, 100.0)] * 3)
        [(front, back)] = sheets(tiles, plan((210.0, 260.0), mixed=True))
        turned = {
            number
            for number, (first, second, *_) in tiles_on(front, FRONT).items()
            if abs(first[1] - second[1]) > DUST
        }
        assert turned
        assert turned < set(range(6))
        assert set(tiles_on(back, BACK)) == set(range(6))

    def test_keep_full_sheets_of_a_size_as_they_are(self):
        tiles = Tiles([POKER] * 11 + [(44.0, 68.0)] * 4)
        first, second = sheets(tiles, plan(mixed=True))
        assert set(tiles_on(first[0], FRONT)) == set(range(9))
        assert set(tiles_on(second[0], FRONT)) == {9, 10, 11, 12, 13, 14}


def pieces_after(forme: Forme) -> list[Box]:
    """Cut a sheet as it says: each cut goes straight through every piece that it meets."""
    block = forme.block
    pieces = [block]
    for cut in forme.cuts():
        after = []
        for piece in pieces:
            near, far = (piece.y, piece.bottom) if cut.level else (piece.x, piece.right)
            start, end = (piece.x, piece.right) if cut.level else (piece.y, piece.bottom)
            within = cut.start <= start + DUST and cut.end >= end - DUST
            apart = cut.end <= start + DUST or cut.start >= end - DUST
            assert within or apart, "a cut ends within a piece: no guillotine could make it"
            if apart or not near + DUST < cut.at < far - DUST:
                after.append(piece)
            elif cut.level:
                after.append(Box(piece.x, piece.y, piece.width, cut.at - piece.y))
                after.append(Box(piece.x, cut.at, piece.width, piece.bottom - cut.at))
            else:
                after.append(Box(piece.x, piece.y, cut.at - piece.x, piece.height))
                after.append(Box(cut.at, piece.y, piece.right - cut.at, piece.height))
        pieces = after
    return pieces


class TestCuts:
    @given(decks(backs=("none",)))
    @settings(max_examples=150, deadline=None)
    def test_made_in_their_order_from_edge_to_edge_leave_every_card_whole_and_alone(self, deck):
        tiles, made = deck
        if not fits(tiles, made):
            return
        maker = SheetMaker(tiles, made, NoLetters())
        list(maker.pages(tiles.cards, lambda: None))
        assert maker.formes
        for forme in maker.formes:
            pieces = pieces_after(forme)
            for slot in forme.slots:
                assert sum(same_spot(slot.box, piece) for piece in pieces) == 1

    def test_are_numbered_from_one_the_longer_ones_first(self):
        cuts = grid_of(A4, POKER, 5, 0).cuts()
        assert [cut.number for cut in cuts] == list(range(1, 9))
        assert [cut.level for cut in cuts] == [False] * 4 + [True] * 4
        level_first = grid_of((297.0, 210.0), (88.0, 63.0), 5, 0).cuts()
        assert [cut.level for cut in level_first] == [True] * 4 + [False] * 4

    def test_part_strips_before_their_cards_where_sizes_are_mixed(self):
        tiles = Tiles([POKER] * 3 + [(44.0, 68.0)] * 4)
        maker = SheetMaker(tiles, plan(mixed=True), NoLetters())
        list(maker.pages(tiles.cards, lambda: None))
        [forme] = maker.formes
        kinds = [cut.level for cut in forme.cuts()]
        assert kinds == sorted(kinds, reverse=True)

    def test_have_numbers_in_the_margin_beside_their_beginnings(self):
        forme = grid_of(A4, POKER, 5, 0)
        set_at = {}

        def letters(text, box, align):
            set_at[text] = box
            return []

        furniture.cut_order(forme, letters)
        assert list(set_at) == [str(number) for number in range(1, 9)]
        for cut in forme.cuts():
            box = set_at[str(cut.number)]
            beside = box.right < cut.start if cut.level else box.x - cut.at < 1
            assert beside
            assert box.x >= 3
            assert box.y >= 3
            block = forme.block
            assert box.right <= block.x or box.bottom <= block.y


class TestBleed:
    @given(decks(backs=("duplex", "fold"), sizes=2))
    @settings(max_examples=80, deadline=None)
    def test_of_no_face_lies_on_another_card(self, deck):
        tiles, made = deck
        if not fits(tiles, made):
            return
        for pair in sheets(tiles, made):
            for page in filter(None, pair):
                seen = [box_of_clip(mark) for mark in page.marks if is_face(mark)]
                for i, one in enumerate(seen):
                    for other in seen[i + 1 :]:
                        across = min(one.right, other.right) - max(one.x, other.x)
                        down = min(one.bottom, other.bottom) - max(one.y, other.y)
                        assert min(across, down) < EXACT

    @pytest.mark.parametrize(("gap", "bleed"), [(0.0, 1.0), (4.0, 1.0), (0.0, 0.0), (6.0, 2.0)])
    def test_at_the_outside_is_as_wide_as_asked_whatever_the_gap(self, gap, bleed):
        made = plan(gap=gap, bleed=bleed, back_bleed=3.0)
        [(front, back)] = sheets(Tiles([POKER] * 2), made)
        first = box_of(tiles_on(front, FRONT)[0])
        seen = next(box_of_clip(mark) for mark in front.marks if is_face(mark))
        assert (first.x - seen.x, first.y - seen.y) == pytest.approx((bleed, bleed))
        assert seen.right - first.right == pytest.approx(min(gap / 2, 3.0))
        beneath = box_of(tiles_on(back, BACK)[0])
        behind = next(box_of_clip(mark) for mark in back.marks if is_face(mark))
        assert behind.right - beneath.right == pytest.approx(3.0)


def is_face(mark) -> bool:
    return isinstance(mark, Group) and mark.clip is not None


def box_of_clip(mark: Group) -> Box:
    return box_of([points for _, points in mark.clip if points])


def test_laid_sheets_hold_what_they_are_given_and_know_nothing_of_it():
    forme = grid_of(A4, POKER, 5, 0)
    [laid] = lay({POKER: ["a", "b"]}, {POKER: forme})
    assert isinstance(laid, Laid)
    assert laid.items == ("a", "b", *[None] * 7)
