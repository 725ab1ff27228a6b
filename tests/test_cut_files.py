"""Cutting machines: registration marks, the slots they leave, and files that machines follow.

Files are read back by programs that did not write them: ezdxf, and an XML parser.
"""

import math
import re
import xml.etree.ElementTree as ET
from io import StringIO

import ezdxf
import pytest
from ezdxf import bbox
from hypothesis import given, settings
from hypothesis import strategies as st
from tiles import A4, FRONT, POKER, NoLetters, Tiles, box_of, grid_of, pages_of, plan, tiles_on

from stonehand.output import cut_files
from stonehand.project import shipped_content
from stonehand.scene import Box, Path, ellipse, polygon, rectangle
from stonehand.sheet_maker import SheetMaker
from stonehand.sheets.cutter import find_cutter, load_cutters, registration, reserved
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text

EXACT = 0.01  # mm


@pytest.fixture(scope="module")
def cutters():
    return load_cutters([shipped_content() / "layouts/cutters.yaml"], Problems())


def of_dxf(data: bytes):
    """Return the drawing as ezdxf reads it, which finds no fault in it."""
    drawing = ezdxf.read(StringIO(data.decode("ascii")))
    auditor = drawing.audit()
    assert not auditor.errors
    assert not auditor.fixes
    return drawing


def dxf_boxes(data: bytes, height: float) -> list[Box]:
    """Return the extents of every polyline, y downward from the page's top."""
    found = []
    for entity in of_dxf(data).modelspace():
        box = bbox.extents([entity], fast=False)
        found.append(Box(box.extmin.x, height - box.extmax.y, box.size.x, box.size.y))
    return found


def svg_boxes(data: bytes) -> tuple[ET.Element, list[Box]]:
    """Return the root of an SVG and the extents of its paths, whose curves keep within them."""
    root = ET.fromstring(data)
    found = []
    for path in root.iter("{http://www.w3.org/2000/svg}path"):
        numbers = list(map(float, re.findall(r"-?\d+(?:\.\d+)?", path.get("d"))))
        found.append(box_of(list(zip(numbers[::2], numbers[1::2], strict=True))))
    return root, found


def near(one: Box, other: Box) -> bool:
    names = ("x", "y", "width", "height")
    return all(abs(getattr(one, n) - getattr(other, n)) < EXACT for n in names)


def made_for(size, count=9, **choices):
    tiles = Tiles([size] * count)
    maker = SheetMaker(tiles, plan(**choices), NoLetters())
    pages = list(maker.pages(tiles.cards, lambda: None))
    [forme] = maker.formes
    return maker, forme, [page.scene for page in pages]


class TestFiles:
    @pytest.mark.parametrize("size", [POKER, (44.45, 63.5), (31.75, 44.45), (70.0, 70.0)])
    @pytest.mark.parametrize("paper", [A4, (215.9, 279.4), (297.0, 420.0)])
    def test_have_outlines_exactly_at_the_trims_of_the_cards(self, size, paper):
        maker, forme, pages = made_for(size, 200, paper=paper, gap=1.25)
        outlines = maker.dress.outlines(forme)
        trims = [box_of(corners) for corners in tiles_on(pages[0], FRONT).values()]
        assert len(trims) == len(forme.slots)
        dxf = dxf_boxes(cut_files.dxf(outlines, forme.height), forme.height)
        _, svg = svg_boxes(cut_files.svg(outlines, forme.width, forme.height))
        for found in (dxf, svg):
            assert len(found) == len(trims)
            for trim, box in zip(trims, found, strict=True):
                assert near(trim, box)

    def test_are_in_millimetres_of_the_page(self):
        data = cut_files.svg([rectangle(Box(1, 2, 63, 88), 3)], 210.0, 297.0)
        root, _ = svg_boxes(data)
        assert root.get("width") == "210mm"
        assert root.get("height") == "297mm"
        assert root.get("viewBox") == "0 0 210 297"
        drawing = of_dxf(cut_files.dxf([rectangle(Box(1, 2, 63, 88), 3)], 297.0))
        assert drawing.dxfversion == "AC1009"
        assert drawing.header["$INSUNITS"] == 4
        assert drawing.header["$MEASUREMENT"] == 1

    def test_have_corners_as_quarter_circles(self):
        drawing = of_dxf(cut_files.dxf([rectangle(Box(10, 20, 63, 88), 3)], 297.0))
        [line] = drawing.modelspace()
        assert line.is_closed
        bulges = sorted(vertex.dxf.bulge for vertex in line.vertices)
        quarter = math.tan(math.pi / 8)
        # clockwise seen with y downward is counter-clockwise nowhere: all of one sign
        assert bulges == pytest.approx([-quarter] * 4 + [0] * 4, abs=1e-3)

    def test_of_square_corners_are_plain_rectangles(self):
        drawing = of_dxf(cut_files.dxf([rectangle(Box(10, 20, 63, 88))], 297.0))
        [line] = drawing.modelspace()
        corners = {(round(v.dxf.location.x, 4), round(v.dxf.location.y, 4)) for v in line.vertices}
        assert corners == {(10, 277), (73, 277), (73, 189), (10, 189)}
        assert all(not vertex.dxf.bulge for vertex in line.vertices)

    @given(
        st.floats(2, 60), st.floats(2, 60), st.floats(0, 30), st.sampled_from(["round", "ellipse"])
    )
    @settings(max_examples=100, deadline=None)
    def test_keep_arcs_within_their_tolerance_of_the_curve(self, width, height, radius, kind):
        box = Box(5, 7, width, height)
        outline = rectangle(box, radius) if kind == "round" else ellipse(box)
        [found] = dxf_boxes(cut_files.dxf([outline], 297.0), 297.0)
        assert near(found, box)

    def test_close_an_outline_that_is_open_or_ends_where_it_began(self):
        for points in ([(0, 0), (9, 0), (9, 9)], [(0, 0), (9, 0), (9, 9), (0, 0)]):
            [line] = of_dxf(cut_files.dxf([polygon(points)], 297.0)).modelspace()
            assert line.is_closed
            assert len(list(line.vertices)) == 3


class TestMarks:
    def test_of_silhouette_are_a_square_and_two_angles(self, cutters):
        marks = registration(cutters["silhouette"], *A4)
        assert len(marks) == 3
        square, right, lower = marks
        assert box_of([p for _, p in square.outline if p]) == Box(10, 10, 6, 6)
        assert square.fill == "#000000"
        edges = []
        for mark in (right, lower):
            half = mark.stroke.width / 2
            points = [p for _, p in mark.outline if p]
            xs, ys = zip(*points, strict=True)
            edges.append((max(xs) + half, min(ys) - half, min(xs) - half, max(ys) + half))
        assert edges[0][:2] == pytest.approx((200, 10))
        assert edges[1][2:] == pytest.approx((10, 287))
        for mark in (right, lower):
            a, b, c = (p for _, p in mark.outline if p)
            assert math.dist(a, b) + mark.stroke.width / 2 == pytest.approx(8.89)
            assert math.dist(b, c) + mark.stroke.width / 2 == pytest.approx(8.89)

    def test_of_the_alpha_are_four_angles(self, cutters):
        marks = registration(cutters["silhouette-alpha"], *A4)
        assert len(marks) == 4
        assert all(mark.stroke.width == 0.3 for mark in marks)

    def test_of_a_plain_machine_are_none(self, cutters):
        assert registration(cutters["plain"], *A4) == []
        assert reserved(cutters["plain"], *A4) == []

    def test_are_printed_on_fronts_alone(self, cutters):
        _, _, (front, back) = made_for(POKER, 5, cutter=cutters["silhouette"])
        black = [
            mark
            for page in (front, back)
            for mark, _ in page.walk()
            if isinstance(mark, Path)
            and "#000000" in (mark.fill, mark.stroke and mark.stroke.colour)
        ]
        assert len(black) == 3

    @pytest.mark.parametrize("name", ["silhouette", "silhouette-alpha"])
    @pytest.mark.parametrize("size", [POKER, (44.0, 68.0), (57.0, 88.0)])
    def test_keep_free_of_cards(self, cutters, name, size):
        cutter = cutters[name]
        _, forme, pages = made_for(size, 40, cutter=cutter, gap=1.25)
        taken = reserved(cutter, forme.width, forme.height)
        assert taken
        for page in pages[::2]:
            for corners in tiles_on(page, FRONT).values():
                card = box_of(corners)
                for box in taken:
                    across = min(card.right, box.right) - max(card.x, box.x)
                    down = min(card.bottom, box.bottom) - max(card.y, box.y)
                    assert min(across, down) <= 1e-6

    def test_cost_two_of_nine_poker_cards_on_a4_unless_turning_the_sheet_costs_less(self, cutters):
        """Nine upright would lose the two corners with angles; eight on its side lose none."""
        _, forme, _ = made_for(POKER, 9, cutter=cutters["silhouette"])
        assert len(forme.free) == 8
        assert (forme.width, forme.height) == (297.0, 210.0)

    def test_leave_cut_files_without_the_slots_they_take(self, cutters):
        maker, forme, pages = made_for((31.75, 44.45), 40, cutter=cutters["silhouette-alpha"])
        assert len(forme.free) < len(forme.slots)
        assert len(maker.dress.outlines(forme)) == len(forme.free)
        assert len(tiles_on(pages[0], FRONT)) == len(forme.free)

    def test_of_an_unknown_machine_are_told(self, cutters):
        with pytest.raises(StonehandError) as caught:
            find_cutter(Text("silhuette", Location("game.yaml", 3, 9)), cutters)
        assert "unknown cutter 'silhuette' (did you mean 'silhouette'?)" in str(caught.value)

    def test_tell_in_the_table_where_their_figures_are_from(self, cutters):
        assert all(cutter.note for cutter in cutters.values())


class TestCommand:
    def test_prints_no_cut_lines_that_would_cross_the_marks_unless_asked(self, press):
        from stonehand.cards.game import Sheet
        from stonehand.sheet_plan import SheetPlan

        def marks(**choices):
            sheet = Sheet(**{name: Text(value) for name, value in choices.items()})
            return SheetPlan.of(press.project, Problems(), sheet).marks

        assert marks(cutter="silhouette") == "none"
        assert marks(cutter="plain") == marks() == "lines"
        assert marks(cutter="silhouette", marks="ticks") == "ticks"


class TestCorners:
    def test_are_drawn_round_where_asked(self):
        _, forme, (front, back) = made_for(POKER, 9, corners="round")
        rounded = rectangle(forme.slots[0].box, 3.0)
        outlines = [
            mark.outline for mark, _ in front.walk() if isinstance(mark, Path) and mark.stroke
        ]
        assert outlines.count(rounded) == 1
        assert not any(isinstance(m, Path) and m.outline == rounded for m, _ in back.walk())

    def test_are_not_drawn_else(self):
        front, _ = pages_of(Tiles([POKER]), plan())
        forme = grid_of(A4, POKER, 5, 0)
        rounded = rectangle(forme.slots[0].box, 3.0)
        assert not any(isinstance(m, Path) and m.outline == rounded for m, _ in front.walk())
