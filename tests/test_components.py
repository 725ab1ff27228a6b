"""Components other than cards: outlines, nests, nets that fold, boards in tiles, boxes, tracks.

What is asserted is geometry, in mm: where knives and folds go, and what they make. The project in
docs/gallery has one of each.
"""

import math
import sys
from itertools import pairwise
from pathlib import Path as FilePath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiles import A4, EXACT, NoLetters, box_of, plan

from stonehand import cli
from stonehand.cards import forms
from stonehand.cards.deck import LoadedGame
from stonehand.cards.forms import BoxSize, standee, tent, tuck_box
from stonehand.press import Press
from stonehand.project import Project, shipped_content
from stonehand.scene import Box, Group, Matrix, Path, Scene, ellipse, flattened, polygon, rectangle
from stonehand.sheet_maker import SheetMaker
from stonehand.sheets import furniture
from stonehand.sheets.forme import shaped
from stonehand.sheets.imposition import Piece, Room, best_grid, best_nest
from stonehand.sheets.tiling import OVERLAP, part_of, tiles
from stonehand.source.problems import Problems, StonehandError
from stonehand.source.text import Text

GALLERY = FilePath(__file__).parent.parent / "docs/gallery"


@pytest.fixture(scope="module")
def press() -> Press:
    return Press(Project((GALLERY, shipped_content())), Problems())


@pytest.fixture(scope="module")
def gallery(press: Press) -> LoadedGame:
    return press.load(press.project.games()["gallery"])


@pytest.fixture(scope="module")
def layouter(press, gallery):
    [english] = press.languages_of(gallery, ())
    return press.layouter(gallery, english)


@pytest.fixture
def made(press, gallery, layouter):
    """A function that lays cards of a kind on sheets: (maker, pages)."""

    def make(kind: str, **choices):
        cards = [card for card in gallery.cards if card.kind == kind]
        maker = SheetMaker(layouter, plan(**{"gap": None, **choices}), NoLetters())
        pages = list(maker.pages(cards, lambda: None))
        assert not list(press.problems)
        return maker, pages

    return make


def hexagon(width: float, height: float) -> list[tuple[float, float]]:
    points = [(0.5, 0), (1, 0.25), (1, 0.75), (0.5, 1), (0, 0.75), (0, 0.25)]
    return [(x * width, y * height) for x, y in points]


def points_of(outline) -> list[tuple[float, float]]:
    [points] = flattened(outline, 32)
    return points


def gap_between(one, other) -> float:
    """Return the distance of two convex polygons; below 0 if they overlap."""
    apart = -math.inf  # along the direction that parts them best
    for points in (one, other):
        for (x1, y1), (x2, y2) in sides(points):
            length = math.hypot(x2 - x1, y2 - y1)
            nx, ny = (y2 - y1) / length, (x1 - x2) / length
            a = [x * nx + y * ny for x, y in one]
            b = [x * nx + y * ny for x, y in other]
            apart = max(apart, min(b) - max(a), min(a) - max(b))
    if apart < 0 or apart > 10:
        return apart  # far enough, whatever it is
    return min(
        distance(point, side)
        for points, others in ((one, other), (other, one))
        for point in points
        for side in sides(others)
    )


def sides(points):
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return [(a, b) for a, b in pairs if math.dist(a, b) > 1e-9]


def distance(point, side) -> float:
    (x, y), ((x1, y1), (x2, y2)) = point, side
    dx, dy = x2 - x1, y2 - y1
    t = max(0.0, min(1.0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
    return math.dist(point, (x1 + t * dx, y1 + t * dy))


class TestOutlines:
    @pytest.mark.parametrize(
        ("name", "width", "height", "corners"),
        [
            ("hexagon", 50, 57.735, hexagon(50, 57.735)),
            ("hexagon-flat", 57.735, 50, [(y, x) for x, y in hexagon(50, 57.735)]),
            ("{polygon: [[0, 0], [100%, 0], [50%, 30mm]]}", 40, 30, [(0, 0), (40, 0), (20, 30)]),
            ("{path: M0 0 L20 0 L20 10 L0 10 Z}", 20, 10, [(0, 0), (20, 0), (20, 10), (0, 10)]),
        ],
    )
    def test_are_where_they_are_told_to_be(self, face_of, name, width, height, corners):
        face = face_of(f"outline: {name}", width, height)
        found = points_of(face.shape)
        assert len({(round(x, 6), round(y, 6)) for x, y in found}) == len(corners)
        for wanted in corners:
            assert min(math.dist(wanted, point) for point in found) < EXACT

    def test_of_a_circle_is_a_circle(self, face_of):
        for x, y in points_of(face_of("outline: circle", 25, 25).shape):
            assert math.hypot(x - 12.5, y - 12.5) == pytest.approx(12.5, abs=EXACT)

    @pytest.mark.parametrize(
        ("outline", "said"),
        [
            ("circel", "unknown outline 'circel' (did you mean 'circle'?)"),
            ("{}", "an outline is a polygon or a path"),
            ("{polygon: [[0, 0]]}", "points are pairs of lengths"),
            ("{path: nonsense}", "this is not SVG path data"),
        ],
    )
    def test_that_are_none_are_told(self, face_of, outline, said):
        with pytest.raises(StonehandError) as caught:
            face_of(f"outline: {outline}", 20, 20)
        assert said in str(caught.value)

    def test_are_cut_on_the_sheet_and_in_cut_files_exactly_there(self, made):
        for kind in ("token", "tile", "die", "spinner"):
            maker, pages = made(kind)
            [forme] = maker.formes
            wanted = [
                maker.layouter.measure(c) for c in maker.layouter.game.cards if c.kind == kind
            ]
            for outline, i in zip(maker.dress.outlines(forme), forme.free, strict=True):
                box, slot = box_of(points_of(outline)), forme.slots[i].box
                own = box_of(points_of(wanted[0].outline))
                assert box.x - slot.x == pytest.approx(own.x, abs=EXACT)
                assert box.y - slot.y == pytest.approx(own.y, abs=EXACT)
                assert box.width == pytest.approx(own.width, abs=EXACT)
            drawn = [m.outline for m, _ in pages[0].scene.walk() if is_cut(m)]
            assert drawn
            assert set(drawn) <= set(maker.dress.outlines(forme))

    def test_lie_on_their_backs_when_the_paper_is_turned(self):
        arrow = polygon([(0, 0), (20, 5), (0, 10)])
        for flip, paper in (("long", A4), ("short", A4), ("long", A4[::-1])):
            forme = best_nest(Piece(20, 10, arrow), Room(paper, 5, 4))
            for front, back in zip(forme.slots, forme.behind(flip), strict=True):
                seen = points_of(shaped(front, arrow))
                behind = points_of(shaped(back, arrow, behind=True))
                like_a_page = (flip == "long") == (forme.height >= forme.width)
                turned = [
                    (forme.width - x, y) if like_a_page else (x, forme.height - y)
                    for x, y in behind
                ]
                for point in seen:
                    assert min(math.dist(point, other) for other in turned) < EXACT


def is_cut(mark) -> bool:
    return isinstance(mark, Path) and mark.stroke == furniture.CUT and mark.fill is None


@pytest.fixture
def face_of(tmp_path):
    """A function that makes a face from lines of a template and its size in mm."""

    def make(lines: str, width: float, height: float):
        (tmp_path / "cards/one").mkdir(parents=True, exist_ok=True)
        (tmp_path / "layouts").mkdir(exist_ok=True)
        (tmp_path / "cards/one/game.yaml").write_text(
            "title: One\nlanguages: [en]\ncatalogues: [c.yaml]\n"
            "kinds: {one: {title: One, front: front, fields: {}}}\n"
        )
        (tmp_path / "cards/one/c.yaml").write_text("kind: one\ncards: [{id: a}]\n")
        size = f"{{width: {width}mm, height: {height}mm, corner: 0}}"
        elements = "elements: [{draw: rect, bleed: yes, fill: '#123456'}]"
        (tmp_path / "layouts/front.yaml").write_text(f"size: {size}\n{lines}\n{elements}\n")
        problems = Problems()
        press = Press(Project((tmp_path, shipped_content())), problems)
        game = press.load(press.project.games()["one"])
        [english] = press.languages_of(game, ())
        face = press.layouter(game, english).face(Text("front"))
        problems.raise_errors()
        return face

    return make


class TestNests:
    @given(st.floats(25, 70), st.floats(0, 6), st.sampled_from([A4, (215.9, 279.4)]))
    @settings(max_examples=25, deadline=None)
    def test_hexagons_keep_their_gap_on_all_sides(self, width, gap, paper):
        height = width * 2 / math.sqrt(3)
        piece = Piece(width, height, polygon(hexagon(width, height)), "hexagon")
        self.check(piece, gap, paper)
        flat = polygon([(y, x) for x, y in hexagon(width, height)])
        self.check(Piece(height, width, flat, "hexagon-flat"), gap, paper)

    @given(st.floats(12, 60), st.floats(0, 6))
    @settings(max_examples=60, deadline=None)
    def test_circles_keep_their_gap_on_all_sides(self, size, gap):
        piece = Piece(size, size, ellipse(Box(0, 0, size, size)), "circle")
        forme = best_nest(piece, Room(A4, 5, gap))
        middles = [(s.box.x + size / 2, s.box.y + size / 2) for s in forme.slots]
        for i, one in enumerate(middles):
            for other in middles[i + 1 :]:
                assert math.dist(one, other) >= size + gap - EXACT
        assert len(forme.slots) >= len(best_grid((size, size), Room(A4, 5, gap)).slots)

    def check(self, piece: Piece, gap: float, paper) -> None:
        forme = best_nest(piece, Room(paper, 5, gap))
        plain = best_grid(piece[:2], Room(paper, 5, gap))
        assert len(forme.slots) >= len(plain.slots if plain else ())
        shapes = [points_of(shaped(slot, piece.outline)) for slot in forme.slots]
        for i, one in enumerate(shapes):
            for x, y in one:
                assert 5 - EXACT <= x <= forme.width - 5 + EXACT
                assert 5 - EXACT <= y <= forme.height - 5 + EXACT
            for other in shapes[i + 1 :]:
                if math.dist(one[0], other[0]) < 3 * piece.width:  # neighbours
                    assert gap_between(one, other) >= gap - EXACT

    def test_hold_more_than_a_grid(self):
        width, height = 50.0, 100 / math.sqrt(3)
        piece = Piece(width, height, polygon(hexagon(width, height)), "hexagon")
        assert len(best_nest(piece, Room(A4, 5, 0)).slots) > len(
            best_grid((width, height), Room(A4, 5, 0)).slots
        )

    def test_print_no_bleed_on_a_neighbour(self, made):
        _, pages = made("tile")
        seen = [
            points_of(mark.clip)
            for mark in pages[0].scene.marks
            if isinstance(mark, Group) and mark.clip
        ]
        assert len(seen) > 5
        for i, one in enumerate(seen):
            for other in seen[i + 1 :]:
                assert gap_between(one, other) >= -EXACT


def dashed(page) -> list[Path]:
    paths = [mark for mark, _ in page.scene.walk() if isinstance(mark, Path)]
    return [path for path in paths if path.stroke == furniture.FOLD]


class TestStandeesAndTents:
    FRONT = Scene(30, 45, (Path(rectangle(Box(0, 0, 30, 45)), fill="#ff0000"),), 2.0)
    BACK = Scene(30, 45, (Path(rectangle(Box(0, 0, 30, 45)), fill="#0000ff"),), 2.0)

    def corners(self, net: Scene, fill: str):
        for mark, matrix in net.walk():
            if isinstance(mark, Path) and mark.fill == fill:
                return [matrix(*points) for _, points in mark.outline if points]
        raise AssertionError

    @pytest.mark.parametrize(("make", "ridge"), [(standee, forms.FOOT + 45), (tent, 45)])
    def test_have_their_back_behind_their_front_when_folded_at_the_top(self, make, ridge):
        net = make(self.FRONT, self.BACK)
        assert any(fold[1] == fold[3] == ridge for fold in net.folds)
        front, back = self.corners(net, "#ff0000"), self.corners(net, "#0000ff")
        over = [(x, 2 * ridge - y) for x, y in back]
        # as seen from the front, the back's upper left corner lies behind the upper right one
        assert over[0] == pytest.approx(front[1])
        assert over[1] == pytest.approx(front[0])
        assert over[3] == pytest.approx(front[2])

    def test_of_a_standee_has_feet_of_one_depth_at_both_ends(self):
        net = standee(self.FRONT, self.BACK)
        assert (net.width, net.height) == (30, 2 * 45 + 2 * forms.FOOT)
        assert [fold[1] for fold in net.folds] == [10, 55, 100]

    def test_of_a_tent_has_a_floor_that_reaches_from_front_to_back(self):
        net = tent(self.FRONT, self.BACK)
        floor = net.folds[2][1] - net.folds[1][1]
        assert floor == pytest.approx(forms.BASE * 45)
        assert floor < 2 * 45  # else the panels would not meet
        assert net.height - net.folds[2][1] == pytest.approx(forms.FLAP)

    def test_measure_what_is_printed(self, layouter, gallery):
        for card in gallery.cards:
            if card.kind in ("cat", "sign"):
                net, size = layouter.printed(card, "front"), layouter.measure(card)
                assert (net.width, net.height) == (size.width, size.height)
                assert net.folds == size.folds
                assert layouter.printed(card, "back") is None

    def test_need_no_page_for_backs_and_have_their_folds_drawn(self, made):
        _, pages = made("cat")
        assert [page.side for page in pages] == ["front"]
        assert len(dashed(pages[0])) == 2 * 3


class TestBoards:
    @given(
        st.floats(220, 1200), st.floats(300, 1200), st.floats(0, 20),
        st.sampled_from([A4, (215.9, 279.4), (297.0, 420.0)]),
    )  # fmt: skip
    @settings(max_examples=100, deadline=None)
    def test_rejoin_exactly_from_their_tiles(self, width, height, margin, paper):
        """Laid with its edge on its neighbour's line, each tile goes on where that one ends."""
        found = tiles((width, height), paper, margin)
        columns = max(tile.column for tile in found) + 1
        rows = max(tile.row for tile in found) + 1
        assert len(found) == columns * rows
        room = sorted(side - 2 * margin for side in paper)
        for tile in found:
            window = tile.window
            assert sorted((window.width, window.height))[0] <= room[0] + 1e-6
            assert max(window.width, window.height) <= room[1] + 1e-6
            assert tile.last_column == (tile.column == columns - 1)
            if not tile.last_column:
                right = next(t for t in found if (t.row, t.column) == (tile.row, tile.column + 1))
                assert right.window.x == pytest.approx(window.right - OVERLAP, abs=1e-9)
            if not tile.last_row:
                below = next(t for t in found if (t.row, t.column) == (tile.row + 1, tile.column))
                assert below.window.y == pytest.approx(window.bottom - OVERLAP, abs=1e-9)
        assert min(t.window.x for t in found) == min(t.window.y for t in found) == 0
        assert max(t.window.right for t in found) == pytest.approx(width)
        assert max(t.window.bottom for t in found) == pytest.approx(height)

    def test_are_one_tile_where_they_fit(self):
        [tile] = tiles((200, 287), A4, 5)
        assert tile.window == Box(0, 0, 200, 287)

    def test_show_the_same_point_of_the_board_at_the_same_place(self):
        dot = Path(rectangle(Box(205, 101, 1, 1)), fill="#ff0000")
        board = Scene(400, 280, (dot,))
        seen = []
        for tile in tiles((400, 280), A4, 5):
            for mark, matrix in part_of(board, tile).walk():
                if mark is dot:
                    x, y = matrix(205, 101)
                    seen.append((x + tile.window.x, y + tile.window.y))
        assert seen
        assert all(point == pytest.approx((205, 101)) for point in seen)

    def test_have_backs_behind_their_fronts(self):
        board = Scene(400, 280, ())
        for tile in tiles((400, 280), A4, 5):
            back = part_of(board, tile, behind=True)
            [group] = back.marks
            # the back's left edge is the board's right edge, seen from behind
            assert group.matrix == Matrix.shift(-(400 - tile.window.right), -tile.window.y)

    def test_are_printed_one_tile_a_sheet_with_its_name(self, made):
        _, pages = made("board")
        assert len(pages) == 3
        assert [len(dashed(page)) for page in pages] == [1, 1, 0]

    def test_without_room_for_a_tile_are_told(self, made):
        with pytest.raises(StonehandError) as caught:
            made("board", margin=95.0)
        assert "has no room for a tile of a board" in str(caught.value)


class TestTuckBoxes:
    @given(st.floats(30, 90), st.floats(40, 130), st.integers(1, 120), st.floats(0.1, 0.5))
    @settings(max_examples=100, deadline=None)
    def test_hold_their_deck(self, width, height, count, thickness):
        """Folded, the four walls close into a tube, and lid and floor shut it."""
        size = BoxSize.of((width, height), count, thickness)
        assert size.width > width
        assert size.height > height
        assert size.depth > count * thickness
        p = size.panels()
        walls = [p["back"], p["left"], p["front"], p["right"]]
        for one, other in pairwise(walls):
            assert other.x == pytest.approx(one.right)
        # opposite walls are of one size, and the glue flap lies behind the last one
        assert p["back"].width == pytest.approx(p["front"].width)
        assert p["left"].width == pytest.approx(p["right"].width)
        assert p["glue"].right == pytest.approx(p["back"].x)
        # lid and floor reach from wall to wall, and their tucks go in beside the deck
        for name, wall in (("lid", "back"), ("floor", "front")):
            assert p[name].width == pytest.approx(p[wall].width)
            assert p[name].height == pytest.approx(size.depth)
        assert p["lid"].bottom == pytest.approx(p["back"].y)
        assert p["floor"].y == pytest.approx(p["front"].bottom)
        assert p["tuck"].height < size.height / 2 or size.height < 2 * forms.TUCK
        for name in ("dust left top", "dust right top", "dust left floor", "dust right floor"):
            assert p[name].height <= size.width / 2 + EXACT  # two do not overlap under the lid

    @given(st.floats(30, 90), st.floats(40, 130), st.integers(5, 120))
    @settings(max_examples=60, deadline=None)
    def test_have_nets_whose_panels_do_not_overlap_and_lie_within_the_outline(
        self, width, height, count
    ):
        size = BoxSize.of((width, height), count, 0.3)
        panels = list(size.panels().values())
        net_width, net_height = size.net
        for i, one in enumerate(panels):
            assert one.x >= -EXACT
            assert one.y >= -EXACT
            assert one.right <= net_width + EXACT
            assert one.bottom <= net_height + EXACT
            for other in panels[i + 1 :]:
                across = min(one.right, other.right) - max(one.x, other.x)
                down = min(one.bottom, other.bottom) - max(one.y, other.y)
                assert min(across, down) < EXACT
        xs, ys = zip(*points_of(size.outline()), strict=True)
        assert (min(xs), max(xs)) == pytest.approx((0, net_width))
        assert (min(ys), max(ys)) == pytest.approx((0, net_height))

    def test_have_a_fold_at_every_edge_between_two_panels(self):
        size = BoxSize.of((63, 88), 54, 0.3)
        p = size.panels()
        hinges = []
        walls = ["glue", "back", "left", "front", "right"]
        for left, right in pairwise(walls):
            x = p[left].right
            assert x == pytest.approx(p[right].x)
            hinges.append((x, p["back"].y, x, p["back"].bottom))
        for above, below in (
            ("tuck", "lid"), ("lid", "back"), ("front", "floor"), ("floor", "floor tuck"),
            ("dust left top", "left"), ("dust right top", "right"),
            ("left", "dust left floor"), ("right", "dust right floor"),
        ):  # fmt: skip
            y = p[above].bottom
            assert y == pytest.approx(p[below].y)
            hinges.append((p[above].x, y, p[above].right, y))
        found = sorted(tuple(round(v, 6) for v in fold) for fold in size.folds())
        assert len(found) == len(hinges) == 12
        for fold, hinge in zip(found, sorted(hinges), strict=True):
            assert fold == pytest.approx(hinge, abs=1e-5)

    def test_show_their_panels_where_they_are_folded_to(self):
        size = BoxSize.of((63, 88), 54, 0.3)
        front = Scene(64, 89, (Path(rectangle(Box(0, 0, 64, 89)), fill="#ff0000"),))
        net = tuck_box(size, {"front": front}, 0.0)
        [(mark, matrix)] = [(m, x) for m, x in net.walk() if isinstance(m, Path)]
        corners = [matrix(*points) for _, points in mark.outline if points]
        panel = size.panels()["front"]
        found = box_of(corners)
        assert (found.x, found.y) == pytest.approx((panel.x, panel.y))
        assert (found.width, found.height) == pytest.approx((64, 89))

    def test_are_sized_for_their_deck(self, run):
        code, out, err = run("build", "gallery", "-o", "out")
        assert (code, err) == (0, "")
        assert "out/box-en.pdf: a box of 64.0 x 89.0 x 18.3 mm for 54 cards" in out


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Runs a command in a copy of the gallery."""
    import shutil

    shutil.copytree(GALLERY, tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")

    def command(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["stonehand", *words])
        return (cli._run(), *capsys.readouterr())

    return command


class TestTracks:
    def spaces(self, face_of, lines: str, width=100, height=60) -> list[Box]:
        face = face_of("outline: rect", width, height)
        from stonehand.cards import template as t
        from stonehand.cards.elements import _spaces
        from stonehand.source import yaml
        from stonehand.source.bind import bind

        problems = Problems()
        text = f"{{draw: track, element: {{draw: rect}}, {lines}}}"
        track = bind(yaml.parse(text, "x"), t.AnyElement, problems)
        problems.raise_errors()
        return _spaces(track, Box(0, 0, *face.size))

    def test_in_a_row_or_column_share_the_length_and_keep_their_gap(self, face_of):
        row = self.spaces(face_of, "spaces: 5, gap: 5mm")
        assert [box.x for box in row] == pytest.approx([0, 21, 42, 63, 84])
        assert {box.height for box in row} == {60}
        column = self.spaces(face_of, "spaces: 3, arrange: column")
        assert [box.y for box in column] == pytest.approx([0, 20, 40])

    def test_in_a_ring_go_around_clockwise_without_a_break(self, face_of):
        ring = self.spaces(face_of, "spaces: 14, arrange: ring, columns: 5")
        assert len(ring) == 14
        assert (ring[0].x, ring[0].y) == (0, 0)
        for one, other in zip(ring, [*ring[1:], ring[0]], strict=True):
            steps = (abs(one.x - other.x), abs(one.y - other.y))
            assert steps == pytest.approx((20, 0)) or steps == pytest.approx((0, 15))
        assert ring[4].x > ring[0].x
        assert ring[5].y > ring[4].y

    def test_as_a_snake_go_to_and_fro(self, face_of):
        snake = self.spaces(face_of, "spaces: 8, arrange: snake, columns: 3")
        assert [box.x for box in snake] == pytest.approx(
            [0, 100 / 3, 200 / 3, 200 / 3, 100 / 3, 0, 0, 100 / 3]
        )

    def test_that_make_no_ring_are_told(self, face_of):
        for lines in (
            "spaces: 7, arrange: ring, columns: 5",
            "spaces: 13, arrange: ring, columns: 5",
        ):
            with pytest.raises(StonehandError) as caught:
                self.spaces(face_of, lines)
            assert "make no ring of 5 columns" in str(caught.value)

    def test_number_their_spaces(self, layouter, gallery):
        [board] = [card for card in gallery.cards if card.kind == "board"]
        numbers = [line for line in layouter.front(board).text.split() if line.isdecimal()]
        assert numbers == [str(number) for number in range(1, 41)]


class TestPlayers:
    @pytest.mark.parametrize(
        ("players", "tokens", "aids"), [(None, 7, 4), (2, 4, 2), (3, 6, 3), (4, 7, 4)]
    )
    def test_get_what_so_many_need(self, run, players, tokens, aids):
        words = ["--players", str(players)] if players else []
        code, out, _ = run("cards", "gallery", "--deck", "tokens,rest", *words)
        assert code == 0
        assert f"tokens-en.pdf: {tokens} cards" in out
        assert f"rest-en.pdf: {aids + 1} cards" in out

    def test_are_listed_each_number_with_its_components(self, run):
        _, out, _ = run("list", "gallery")
        assert "    all     2    3    4  for so many players\n" in out
        assert "      7    4    6    7  token: Token\n" in out

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["gallery", "--players", "5"], "gallery is for 2-4 players, not 5"),
            (["gallery", "--players", "two"], "gallery is for 2-4 players, not two"),
            (["oniroo", "--players", "3"], "oniroo does not say for how many players it is"),
            (["gallery", "--edition", "x"], "gallery has no edition 'x'"),
        ],
    )
    def test_that_can_not_be_are_told(self, run, words, said):
        code, _, err = run("cards", *words)
        assert code == 2
        assert said in err

    @pytest.mark.parametrize(
        ("count", "said"),
        [
            ("{5: 1}", "the game is for 2-4 players, not 5"),
            ("{two: 1}", "'two' is no number of players"),
            ("{2-3: many}", "count must be a whole number, not 'many'"),
            ("{4-2: 1}", "'4-2' is no number of players"),
        ],
    )
    def test_of_counts_that_can_not_be_are_told(self, run, count, said):
        path = FilePath("cards/gallery/pieces.yaml")
        path.write_text(path.read_text().replace("count: players", f"count: {count}"))
        code, _, err = run("build", "gallery")
        assert code == 1
        assert said in err

    def test_and_editions_choose_cards(self, run):
        game = FilePath("cards/gallery/game.yaml")
        game.write_text(
            game.read_text().replace("players: 2-4", "players: 2-4\neditions: [small, full]")
        )
        path = FilePath("cards/gallery/pieces.yaml")
        path.write_text(path.read_text().replace("id: gem,", "id: gem, edition: full,"))
        assert "tokens-en.pdf: 4 cards" in run("build", "gallery", "--edition", "small")[1]
        assert "tokens-en.pdf: 7 cards" in run("build", "gallery", "--edition", "full")[1]
        assert (
            "tokens-en.pdf: 2 cards"
            in run("build", "gallery", "--edition", "small", "--players", "2")[1]
        )
        path.write_text(path.read_text().replace("edition: full", "edition: fulll"))
        assert "unknown edition 'fulll' (did you mean 'full'?)" in run("build", "gallery")[2]
