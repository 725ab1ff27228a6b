"""Booklets: pages in printer's order, folded by hand in these tests; creep; what stays of a page.

A simulated booklet is folded as paper is: each sheet has an outer side, whose right half is a front
and whose left half is a back, and an inner side; sheets lie in each other, the first one outermost.
"""

import sys

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stonehand.cli import _run
from stonehand.scene import (
    Anchor,
    Box,
    Group,
    Link,
    Matrix,
    Path,
    Scene,
    Tag,
    rectangle,
)
from stonehand.sheets.booklet import (
    CUT,
    FOLD,
    Spread,
    impose,
    padded,
    plain,
    printers_order,
    spread,
)

A4, LETTER, A5, HALF_LETTER = (210.0, 297.0), (215.9, 279.4), (148.0, 210.0), (139.7, 215.9)
DUST = 1e-6
counts = st.integers(1, 200)
thicknesses = st.floats(0, 0.5)


def read_through(leaves):
    """Fold the sheets and turn the pages: return the places in the order a reader meets them."""
    first_half = [place for leaf in leaves for place in (leaf.front.right, leaf.back.left)]
    second_half = [
        place for leaf in reversed(leaves) for place in (leaf.back.right, leaf.front.left)
    ]
    return first_half + second_half


def colour(page: int) -> str:
    return f"#{page:06x}"


def page(number: int, size=A5, bleed: float = 0.0) -> Scene:
    """A page in a colour that tells its number, filled to its bleed."""
    box = Box(0, 0, *size).grown(bleed)
    return Scene(*size, (Path(rectangle(box), fill=colour(number)),), bleed)


def pages(count: int, size=A5, bleed: float = 0.0) -> list[Scene]:
    return [page(i + 1, size, bleed) for i in range(count)]


def box_of(path: Path, matrix: Matrix) -> Box:
    points = [matrix(*step[1][:2]) for step in path.outline if step[1]]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def found(side: Scene) -> dict[int, Box]:
    """Return the pages on a side of a sheet, with the boxes they would fill if not clipped."""
    return {
        int(mark.fill[1:], 16): box_of(mark, matrix)
        for mark, matrix in side.walk()
        if isinstance(mark, Path) and mark.fill
    }


def clips(side: Scene) -> list[Box]:
    """Return the boxes that pages are clipped to."""

    def inside(marks, matrix):
        for mark in marks:
            if isinstance(mark, Group):
                here = matrix.after(mark.matrix)
                if mark.clip:
                    yield box_of(Path(mark.clip), matrix)
                yield from inside(mark.marks, here)

    return list(inside(side.marks, Matrix()))


def strokes(side: Scene, stroke) -> list[Box]:
    return [
        box_of(mark, matrix)
        for mark, matrix in side.walk()
        if isinstance(mark, Path) and mark.stroke == stroke
    ]


class TestPlaces:
    @given(counts)
    def test_are_a_multiple_of_four_and_hold_every_page_once_in_order(self, count):
        places = padded(count)
        assert len(places) % 4 == 0
        assert 0 <= len(places) - count < 4
        assert [place for place in places if place] == list(range(1, count + 1))

    @given(counts.filter(lambda n: n > 1))
    def test_keep_the_last_page_as_back_cover_and_the_first_as_front_cover(self, count):
        places = padded(count)
        assert places[0] == 1
        assert places[-1] == count
        assert None not in places[: count - 1]

    def test_of_a_single_page_have_it_in_front(self):
        assert padded(1) == [1, None, None, None]

    def test_of_nothing_are_none(self):
        assert padded(0) == []


class TestOrder:
    @given(counts)
    def test_has_every_place_once(self, sheets):
        leaves = printers_order(4 * sheets)
        all_places = [place for leaf in leaves for side in leaf for place in side]
        assert sorted(all_places) == list(range(1, 4 * sheets + 1))
        assert len(leaves) == sheets

    @given(counts)
    def test_reads_from_first_to_last_once_folded(self, sheets):
        assert read_through(printers_order(4 * sheets)) == list(range(1, 4 * sheets + 1))

    @given(counts)
    def test_puts_even_places_on_the_left_and_odd_ones_on_the_right(self, sheets):
        for leaf in printers_order(4 * sheets):
            for side in leaf:
                assert side.left % 2 == 0
                assert side.right % 2 == 1
                assert side.left + side.right == 4 * sheets + 1

    def test_of_a_book_of_13_pages_is_the_one_known(self):
        places = [None, *padded(13)]
        sides = [
            (places[side.left], places[side.right]) for leaf in printers_order(16) for side in leaf
        ]
        assert sides == [
            (13, 1), (2, None),
            (None, 3), (4, None),
            (12, 5), (6, 11),
            (10, 7), (8, 9),
        ]  # fmt: skip


class TestFit:
    @pytest.mark.parametrize(("paper", "size"), [(A4, A5), (LETTER, HALF_LETTER)])
    def test_of_halves_is_exact_on_the_level_sheet(self, paper, size):
        sheet = spread(paper, size)
        assert sheet
        assert (sheet.width, sheet.height) == (paper[1], paper[0])
        assert sheet.block.y == pytest.approx(0)
        assert sheet.block.x == pytest.approx((paper[1] - 2 * size[0]) / 2)

    @pytest.mark.parametrize(("paper", "size"), [(A4, HALF_LETTER), (LETTER, A5), (A4, A4)])
    def test_of_what_is_too_large_is_none(self, paper, size):
        assert spread(paper, size) is None

    def test_of_tall_narrow_pages_may_need_the_sheet_upright(self):
        assert spread(A4, (70, 250)) == Spread(210, 297, 70, 250)


class TestSheets:
    @settings(max_examples=100, deadline=None)
    @given(st.integers(1, 40), thicknesses)
    def test_have_every_page_once(self, count, thickness):
        sheet = spread(A4, A5)
        sides = list(impose(pages(count), sheet, thickness))
        assert len(sides) == 2 * -(-count // 4)
        assert sorted(n for side in sides for n in found(side)) == list(range(1, count + 1))
        assert {(side.width, side.height) for side in sides} == {(297, 210)}

    @settings(max_examples=100, deadline=None)
    @given(st.integers(4, 80), thicknesses)
    def test_move_both_pages_to_the_spine_by_the_paper_outside_them(self, count, thickness):
        sheet = spread(A4, A5)
        for i, side in enumerate(impose(pages(count), sheet, thickness)):
            for box in found(side).values():
                middle = box.x + box.width / 2
                from_spine = sheet.page_width / 2 - i // 2 * thickness
                assert abs(middle - sheet.spine) == pytest.approx(from_spine)
                assert box.y == pytest.approx(sheet.block.y)

    @settings(max_examples=100, deadline=None)
    @given(st.integers(1, 20), thicknesses)
    def test_have_pages_whose_centres_are_each_others_mirror(self, quarter, thickness):
        sheet = spread(A4, A5)
        for side in impose(pages(4 * quarter), sheet, thickness):
            left, right = sorted(box.x + box.width / 2 for box in found(side).values())
            assert left + right == pytest.approx(sheet.width)

    @settings(max_examples=100, deadline=None)
    @given(st.integers(1, 20), thicknesses, st.sampled_from(["short", "long"]))
    def test_have_pages_back_to_back(self, quarter, thickness, turn):
        """Seen through the paper, a page and its other side lie upon each other."""
        sheet = spread(A4, A5)
        sides = list(impose(pages(4 * quarter), sheet, thickness, turn))
        for front, back in zip(sides[::2], sides[1::2], strict=True):
            behind = found(back)
            for number, box in found(front).items():
                other = behind[number + 1 if number % 2 else number - 1]
                if turn == "short":
                    assert other.x == pytest.approx(sheet.width - box.right)
                    assert other.y == pytest.approx(box.y)
                else:
                    assert other.x == pytest.approx(box.x)
                    assert other.y == pytest.approx(sheet.height - box.bottom)

    def test_turned_over_the_long_edge_have_backs_upside_down(self):
        sheet = spread(A4, A5)
        front, back = impose(pages(4), sheet, 0, "long")
        matrices = {
            int(mark.fill[1:], 16): matrix
            for side in (front, back)
            for mark, matrix in side.walk()
            if isinstance(mark, Path) and mark.fill
        }
        assert matrices[1].a == matrices[4].a == 1
        assert matrices[2].a == matrices[3].a == -1

    def test_that_stand_upright_have_it_the_other_way_round(self):
        sheet = spread(A4, (70, 250))
        for turn, factor in (("long", 1), ("short", -1)):
            _, back = impose(pages(4, (70, 250)), sheet, 0, turn)
            assert {m.a for mark, m in back.walk() if isinstance(mark, Path) and mark.fill} == {
                factor
            }

    @settings(max_examples=100, deadline=None)
    @given(st.integers(4, 60), thicknesses, st.floats(0, 5))
    def test_print_nothing_over_the_fold(self, count, thickness, bleed):
        sheet = spread((420, 297), A5)
        for side in impose(pages(count, bleed=bleed), sheet, thickness):
            assert len(clips(side)) == len(found(side))
            for clip in clips(side):
                left, right = clip.right <= sheet.spine + DUST, clip.x >= sheet.spine - DUST
                assert left or right

    def test_of_13_pages_fold_to_a_book(self):
        sheet = spread(A4, A5)
        sides = list(impose(pages(13), sheet))

        def halves(side):
            left = [n for n, box in found(side).items() if box.x + box.width / 2 < sheet.spine]
            right = [n for n in found(side) if n not in left]
            return left, right

        fronts = [halves(side) for side in sides[::2]]
        backs = [halves(side) for side in sides[1::2]]
        sheets = list(zip(fronts, backs, strict=True))
        read = [half for front, back in sheets for half in (front[1], back[0])]
        read += [half for front, back in reversed(sheets) for half in (back[1], front[0])]
        order = [half[0] if half else None for half in read]
        assert order == [*range(1, 13), None, None, None, 13]


class TestMarks:
    def test_for_folding_are_on_fronts_only_at_the_spine_above_and_below(self):
        sheet = spread(A4, A5)
        front, back, inner, _ = impose(pages(8), sheet)
        for side in (front, inner):
            above, below = sorted(strokes(side, FOLD), key=lambda box: box.y)
            assert above.x == below.x == sheet.spine
            assert above.y == 0
            assert below.bottom == sheet.height
            assert above.height == below.height <= 10
        assert strokes(back, FOLD) == []

    def test_for_staples_are_two_on_the_outermost_front(self):
        sheet = spread(A4, A5)
        front, back, inner, _ = impose(pages(8), sheet)
        staples = strokes(front, CUT)
        assert [box.y + box.height / 2 for box in staples] == [52.5, 157.5]
        assert {box.x for box in staples} == {sheet.spine}
        assert strokes(back, CUT) == strokes(inner, CUT) == []

    def test_for_cutting_are_there_where_the_paper_is_larger(self):
        sheet = spread((297, 420), A5)
        front, _ = impose(pages(4), sheet)
        ticks = [box for box in strokes(front, CUT) if box.x != sheet.spine]
        assert {round(box.x, 3) for box in ticks if box.width == 0} == {62, 358}

    def test_for_folding_stay_out_of_the_page_where_the_margin_has_room(self):
        sheet = spread((297, 420), A5)
        front, _ = impose(pages(4), sheet)
        assert all(
            box.bottom < sheet.block.y or box.y > sheet.block.bottom for box in strokes(front, FOLD)
        )


class TestPlainMarks:
    def test_have_no_tags_links_and_anchors(self):
        drawn = Path(rectangle(Box(0, 0, 1, 1)), fill="#000000")
        tag = Tag("P")
        inner = Group((drawn, Link(Box(0, 0, 1, 1), "A", "A", tag)), tag=tag)
        (made,) = plain((Group((Anchor("A", 0, 0), inner), Matrix.shift(1, 1)),))
        assert made == Group((Group((drawn,)),), Matrix.shift(1, 1))

    def test_that_had_none_are_the_same_objects(self):
        shared = Group((Path(rectangle(Box(0, 0, 1, 1)), fill="#000000"),), shared=True)
        marks = (Group((shared,), Matrix.shift(2, 2)),)
        assert plain(marks) is marks

    def test_that_are_shared_stay_shared_beside_what_goes(self):
        shared = Group((Path(rectangle(Box(0, 0, 1, 1)), fill="#000000"),), shared=True)
        (group,) = plain((Group((shared, Anchor("A", 0, 0))),))
        assert group.marks[0] is shared


@pytest.fixture
def stonehand(monkeypatch, capsys, tmp_path):
    """Run `stonehand rules oniroo` in English, in an empty folder."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.chdir(tmp_path)
        line = ["stonehand", "rules", "oniroo", "--lang", "en", *arguments]
        monkeypatch.setattr(sys, "argv", line)
        capsys.readouterr()
        return (_run(), *capsys.readouterr())

    return run


def words(text: str) -> list[str]:
    return text.split()


class TestTheFile:
    def test_is_the_book_on_sheets_with_all_its_text_and_nothing_else(self, stonehand, tmp_path):
        assert stonehand("--paper", "a5", "-o", "book.pdf")[0] == 0
        code, out, _ = stonehand("--booklet")
        assert code == 0
        book = pypdf.PdfReader(tmp_path / "book.pdf")
        made = pypdf.PdfReader(tmp_path / "output/oniroo/rules-en-booklet.pdf")
        count = len(book.pages)
        sheets = -(-count // 4)
        name = "output/oniroo/rules-en-booklet.pdf"
        assert out == f"{name}: {count} pages on {sheets} sheets\n"
        assert len(made.pages) == 2 * sheets
        for side in made.pages:
            assert [round(float(v) / 72 * 25.4, 1) for v in side.mediabox[2:]] == [297, 210]
            assert "/Annots" not in side
            assert "/StructParents" not in side
        assert "/StructTreeRoot" not in made.trailer["/Root"]
        assert "/Names" not in made.trailer["/Root"]
        assert made.outline == []
        places = padded(count)
        sides = [side for leaf in printers_order(len(places)) for side in leaf]
        for side, sheet in zip(sides, made.pages, strict=True):
            pages_here = [places[place - 1] for place in side]
            wanted = [book.pages[n - 1].extract_text() for n in pages_here if n]
            assert sorted(words(sheet.extract_text())) == sorted(words(" ".join(wanted)))

    def test_on_letter_has_half_letter_pages(self, stonehand, tmp_path):
        code, _, _ = stonehand("--booklet", "--sheet-paper", "letter", "-o", "book.pdf")
        assert code == 0
        side = pypdf.PdfReader(tmp_path / "book.pdf").pages[0]
        assert [round(float(v)) for v in side.mediabox[2:]] == [792, 612]

    def test_takes_pages_only_that_fit_the_sheet(self, stonehand, tmp_path):
        code, _, err = stonehand("--booklet", "--paper", "a4")
        assert code == 2
        assert "two pages of 'a4' do not fit side by side on paper 'a4'" in err
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("thickness", "code", "said"),
        [
            ("0.3mm", 0, "warning: the innermost pages are moved"),
            ("3mm", 2, "which is more than their margin of 15 mm (use thinner paper)"),
            ("thin", 2, "'thin' is not a length"),
            ("-1mm", 2, "'-1mm' is negative"),
        ],
    )
    def test_of_thick_paper_is_warned_of_or_refused(self, stonehand, thickness, code, said):
        done = stonehand("--booklet", "--thickness", thickness)
        assert done[0] == code
        assert said in done[2]
