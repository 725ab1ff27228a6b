"""Printers: what is read from a calibration sheet becomes a profile, and backs land on fronts.

A printer is simulated: what it is given as the back of a page lands elsewhere, as its profile says.
All that is seen from the front has x to the right and y downward; lengths are in mm.
"""

import sys
from math import cos, radians, sin
from pathlib import Path
from typing import NamedTuple

import pypdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import cut_lines, fills
from tiles import (
    A4,
    BACK,
    EXACT,
    FRONT,
    POKER,
    NoLetters,
    Tiles,
    lines_on,
    plan,
    tiles_on,
    turned_over,
)

from stonehand import cli
from stonehand.card_sheets import build_cards
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.scene import GlyphRun, Matrix, Scene
from stonehand.scene import Path as PathMark
from stonehand.sheet_maker import SheetMaker
from stonehand.sheets import calibration
from stonehand.sheets.printer import (
    Printer,
    corrected,
    inverse,
    landing_of,
    least_squares,
    load_printer,
    parse_readings,
    written,
)
from stonehand.source import yaml
from stonehand.source.bind import bind
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text
from stonehand.source.units import Length


def printer(x=0.0, y=0.0, **more) -> Printer:
    return Printer(x=Length(x), y=Length(y), **more)


@st.composite
def printers(draw, wildness=1.0):
    def about(middle, off):
        return middle + wildness * draw(st.integers(-round(off * 100), round(off * 100))) / 100

    return printer(
        about(0, 5),
        about(0, 5),
        angle=about(0, 1),
        scale_x=about(100, 2),
        scale_y=about(100, 2),
        size_x=about(100, 2),
        size_y=about(100, 2),
    )


def printed(page: Scene, side: str, made: Printer, flip: str):
    """Return where a point of a page comes to lie on the paper, seen from the front.

    It does not use the program's matrices: a turn, a stretch and a shift about the middle.
    """

    def lands(x: float, y: float) -> tuple[float, float]:
        if side == "back":
            x, y = turned_over(x, y, page, flip)
        x, y = x - page.width / 2, y - page.height / 2
        x, y = x * made.size_x / 100, y * made.size_y / 100
        if side == "back":
            x, y = x * made.scale_x / 100, y * made.scale_y / 100
            t = radians(made.angle)
            x, y = x * cos(t) - y * sin(t), x * sin(t) + y * cos(t)
            x, y = x + made.x.mm, y + made.y.mm
        return x + page.width / 2, y + page.height / 2

    return lands


class TestCorrection:
    @given(
        printers(),
        st.sampled_from([A4, (297.0, 210.0), (215.9, 279.4)]),
        st.sampled_from([POKER, (88.0, 57.0), (57.0, 88.0)]),
        st.sampled_from(["long", "short"]),
    )
    @settings(max_examples=150, deadline=None)
    def test_makes_cards_and_guides_of_both_sides_meet_in_their_true_size(
        self, made, paper, card, flip
    ):
        tiles = Tiles([card] * 5)
        choices = {"flip": flip, "marks_on": "both", "printer": made, "printer_name": "p"}
        maker = SheetMaker(tiles, plan(paper, 8, 4, **choices), NoLetters())
        (_, front), (_, back) = maker.pages(tiles.cards, lambda: None)
        assert (front.width, front.height) == tuple(sorted(paper))  # upright, as paper goes in
        on_front = printed(front, "front", made, flip)
        on_back = printed(back, "back", made, flip)
        fronts = {n: [on_front(*c) for c in cs] for n, cs in tiles_on(front, FRONT).items()}
        backs = {n: [on_back(*c) for c in cs] for n, cs in tiles_on(back, BACK).items()}
        assert set(backs) == set(fronts) == set(range(5))
        for number, (a, b, c, d) in fronts.items():
            # the back's upper left corner under the front's upper right one, and so on
            for wanted, found in zip((b, a, d, c), backs[number], strict=True):
                assert found == pytest.approx(wanted, abs=1e-6)
            for corner, next_to, length in ((a, b, card[0]), (b, c, card[1])):
                size = sum((p - q) ** 2 for p, q in zip(corner, next_to, strict=True)) ** 0.5
                assert size == pytest.approx(length, abs=1e-6)
        cuts = [_ends(on_front, line) for line in lines_on(front)]
        behind = [_ends(on_back, line) for line in lines_on(back)]
        assert len(cuts) == len(behind) > 0
        for line in behind:
            assert min(_apart(line, cut) for cut in cuts) < 1e-6

    def test_moves_a_back_by_what_was_read_to_the_other_side_as_seen_from_behind(self):
        made = corrected(printer(1.2, -0.7), *A4, "back", "long")
        assert made(50, 60) == pytest.approx((51.2, 60.7))
        made = corrected(printer(1.2, -0.7), *A4, "back", "short")
        assert made(50, 60) == pytest.approx((48.8, 59.3))

    def test_leaves_fronts_alone_but_for_their_size(self):
        assert corrected(printer(1.2, -0.7, angle=0.5), *A4, "front", "long") == Matrix()
        made = corrected(printer(size_x=99.0), *A4, "front", "long")
        assert made(105, 100) == pytest.approx((105, 100))
        assert made(0, 100)[0] == pytest.approx(105 - 105 / 0.99)

    def test_is_about_the_middle_of_the_sheet(self):
        made = corrected(printer(angle=1.0, scale_x=101.0), *A4, "back", "long")
        assert made(105, 148.5) == pytest.approx((105, 148.5))

    @given(printers())
    @settings(max_examples=50, deadline=None)
    def test_undoes_what_the_printer_does(self, made):
        both = made.landing.after(inverse(made.landing))
        assert (both.a, both.b, both.c, both.d) == pytest.approx((1, 0, 0, 1), abs=1e-12)
        assert (both.e, both.f) == pytest.approx((0, 0), abs=1e-9)


def _ends(lands, line):
    x1, y1, x2, y2 = line
    return lands(x1, y1), lands(x2, y2)


def _apart(one, other) -> float:
    (a, b), (c, d) = one, other

    def distance(p, q):
        return max(abs(p[0] - q[0]), abs(p[1] - q[1]))

    return min(
        max(distance(a, c), distance(b, d)),
        max(distance(a, d), distance(b, c)),
    )


# --- in the PDF -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sheets(press: Press, tmp_path_factory):
    """Build the sheets of TWEAK! for a printer, or for none."""
    tweak = press.load(press.project.games()["tweak"])
    [english] = press.languages_of(tweak, [Text("en")])

    def built(made: Printer | None) -> pypdf.PdfReader:
        target = tmp_path_factory.mktemp("sheets") / "x.pdf"
        with Staged() as staged:
            named = (Text("office"), made) if made else None
            build_cards(press, tweak, [english], target, staged, lambda: None, printer=named)
        return pypdf.PdfReader(target)

    return built


class TestPdf:
    def test_has_backs_moved_by_exactly_what_was_read(self, sheets):
        plain, moved = sheets(None), sheets(printer(1.25, -0.8))
        assert len(plain.pages) == len(moved.pages) == 16
        for before, after in zip(plain.pages[1::2], moved.pages[1::2], strict=True):
            places = list(zip(fills(before), fills(after), strict=True))
            assert places
            for (_, was), (_, now) in places:
                for (x, y), (new_x, new_y) in zip(was, now, strict=True):
                    assert (new_x - x, new_y - y) == pytest.approx((1.25, 0.8), abs=EXACT / 2)
        for before, after in zip(plain.pages[::2], moved.pages[::2], strict=True):
            assert [p for _, p in fills(before)] == [p for _, p in fills(after)]

    def test_has_shift_angle_and_scale_at_once(self, sheets):
        made = printer(2.1, -1.3, angle=0.4, scale_x=100.6, scale_y=99.2, size_y=99.5)
        plain, moved = sheets(None), sheets(made)
        landing, size = made.landing, Matrix(1, 0, 0, 0.995)
        for before, after in zip(plain.pages[1::2], moved.pages[1::2], strict=True):
            for (_, was), (_, now) in zip(fills(before), fills(after), strict=True):
                for (x, y), (new_x, new_y) in zip(was, now, strict=True):
                    # seen from the front, printed, it must be where it was meant to be
                    landed = landing.after(size)(105 - new_x, new_y - 148.5)
                    assert landed == pytest.approx((105 - x, y - 148.5), abs=EXACT)

    def test_is_not_rasterised_and_keeps_its_text(self, sheets):
        plain, moved = sheets(None), sheets(printer(2.1, -1.3, angle=0.4, scale_x=100.6))
        for before, after in zip(plain.pages[1::2], moved.pages[1::2], strict=True):
            assert not list(after.images)
            was = before.extract_text().split()
            assert set(was) <= set(after.extract_text().split())
            assert len(cut_lines(after)) == len(cut_lines(before))

    def test_says_for_which_printer_it_is(self, sheets):
        text = sheets(printer(1.0)).pages[1].extract_text()
        assert "adjusted for office" in text


# --- readings -------------------------------------------------------------------------------------


def readings_of(made: Printer, paper=A4) -> dict[str, float]:
    """Return what the scales show of a printer, exactly."""
    found = {}
    for letter, scale in calibration.scales(*paper).items():
        x, y = scale.x - paper[0] / 2, scale.y - paper[1] / 2
        new_x, new_y = made.landing(x, y)
        found[letter] = new_x - x if scale.axis == "x" else new_y - y
    return found


class TestReadings:
    @given(printers())
    @settings(max_examples=100, deadline=None)
    def test_of_all_scales_tell_shift_angle_and_scale(self, made):
        landing, rest = landing_of(readings_of(made), calibration.scales(*A4), A4)
        found = Printer().moved(landing)
        assert (found.x.mm, found.y.mm) == pytest.approx((made.x.mm, made.y.mm), abs=0.002)
        assert found.angle == pytest.approx(made.angle, abs=0.001)
        assert found.scale_x == pytest.approx(made.scale_x, abs=0.002)
        assert found.scale_y == pytest.approx(made.scale_y, abs=0.002)
        assert rest < 0.001

    def test_of_two_scales_tell_the_shift_alone(self):
        landing, rest = landing_of({"A": 2.0, "B": -1.0}, calibration.scales(*A4), A4)
        assert landing == Matrix(1, 0, 0, 1, 2.0, -1.0)
        assert rest == 0

    def test_that_no_printer_could_give_are_far_from_any(self):
        wrong = readings_of(printer(1.0)) | {"C": -3.0}
        assert landing_of(wrong, calibration.scales(*A4), A4)[1] > 0.4

    @given(printers(0.3), printers(0.3))
    @settings(max_examples=50, deadline=None)
    def test_after_a_correction_are_added_to_it(self, true, guess):
        """The second sheet was adjusted by the first guess: what is read there is what is left."""
        after_guess = true.landing.after(inverse(guess.landing))
        left = {}
        for letter, scale in calibration.scales(*A4).items():
            x, y = scale.x - 105, scale.y - 148.5
            new_x, new_y = after_guess(x, y)
            left[letter] = new_x - x if scale.axis == "x" else new_y - y
        landing, _ = landing_of(left, calibration.scales(*A4), A4)
        found = guess.moved(landing.after(guess.landing))
        for x, y in ((-90, -130), (90, 130), (0, 0)):
            assert found.landing(x, y) == pytest.approx(true.landing(x, y), abs=0.02)

    @pytest.mark.parametrize(
        ("word", "value"), [("A3", 3), ("b-0.4", -0.4), ("C+1", 1), ("D−2", -2), ("E0,5", 0.5)]
    )
    def test_are_written_as_people_write_them(self, word, value):
        assert list(parse_readings([Text(word)]).values()) == [value]

    @pytest.mark.parametrize("words", [["J3"], ["A"], ["3"], ["A3", "A4"], ["A3mm"], ["A1.2.3"]])
    def test_that_are_none_are_told(self, words):
        with pytest.raises(StonehandError) as caught:
            parse_readings([Text(word, Location("command line")) for word in words])
        assert "reading" in str(caught.value)

    @given(st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=1, max_size=6))
    @settings(max_examples=100, deadline=None)
    def test_least_squares_leaves_nothing_that_a_step_could_better(self, table):
        rows = [list(map(float, row[:2])) for row in table]
        values = [float(row[2]) for row in table]

        def error(x):
            return sum(
                (sum(a * b for a, b in zip(r, x, strict=True)) - v) ** 2
                for r, v in zip(rows, values, strict=True)
            )

        found = least_squares(rows, values)
        for step in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)):
            assert error(found) <= error([a + b for a, b in zip(found, step, strict=True)]) + 1e-9


# --- the sheet ------------------------------------------------------------------------------------


def lines_of(page: Scene, stroke) -> list[tuple[float, float, float, float]]:
    found = []
    for mark, matrix in page.walk():
        if isinstance(mark, PathMark) and mark.stroke == stroke and len(mark.outline) == 2:
            [(_, first), (_, last)] = mark.outline
            found.append((*matrix(*first), *matrix(*last)))
    return found


class Letters(NoLetters):
    def block(self, *_):
        return []


@pytest.mark.parametrize("paper", [A4, (215.9, 279.4), (148.0, 210.0), (297.0, 420.0)])
@pytest.mark.parametrize("flip", ["long", "short"])
class TestCalibrationSheet:
    def test_shows_a_simulated_printer_what_it_does(self, paper, flip):
        """The back's line crosses each short scale where the reading says; so do the verniers."""
        made = printer(0.6, -0.4, angle=0.1)
        _, back = calibration.calibration(paper, Letters(), flip, "p", Printer())
        lands = printed(back, "back", made, flip)
        behind = [_ends(lands, line) for line in lines_of(back, calibration.BACK_LINE)]
        for letter, scale in calibration.scales(*paper).items():
            wanted = readings_of(made, paper)[letter]
            along = 0 if scale.axis == "x" else 1
            middle = (scale.x, scale.y)
            near = [
                (a[along] + b[along]) / 2 - middle[along]
                for a, b in behind
                if max(abs(a[0] - b[0]), abs(a[1] - b[1])) > 12  # the long line
                and abs((a[1 - along] + b[1 - along]) / 2 - middle[1 - along]) < 25
                and abs((a[along] + b[along]) / 2 - middle[along]) < 6
            ]
            assert len(near) == 1
            assert near[0] == pytest.approx(wanted, abs=0.05)
            vernier = sorted(
                (a[along] + b[along]) / 2 - middle[along]
                for a, b in behind
                if max(abs(a[0] - b[0]), abs(a[1] - b[1])) < 8
                and abs((a[1 - along] + b[1 - along]) / 2 - middle[1 - along]) < 12
                and abs((a[along] + b[along]) / 2 - middle[along]) < 22
            )
            assert len(vernier) == 21
            fronts = [2.0 * tenth for tenth in range(-10, 11)]
            offsets = [abs(b - f) for b, f in zip(vernier, fronts, strict=True)]
            assert (offsets.index(min(offsets)) - 10) / 10 == pytest.approx(wanted, abs=0.06)

    def test_lies_within_the_paper_and_its_scales_apart(self, paper, flip):
        for page in calibration.calibration(paper, Letters(), flip, "p", Printer()):
            for mark, matrix in page.walk():
                if isinstance(mark, PathMark):
                    for _, points in mark.outline:
                        x, y = matrix(*points)
                        assert 0 <= x <= paper[0]
                        assert 0 <= y <= paper[1]
        places = list(calibration.scales(*paper).values())
        boxes = [
            (s.x - 20, s.y - 15, s.x + 20, s.y + 9) if s.axis == "x"
            else (s.x - 9, s.y - 20, s.x + 15, s.y + 20)
            for s in places
        ]  # fmt: skip
        for i, one in enumerate(boxes):
            for other in boxes[i + 1 :]:
                across = min(one[2], other[2]) - max(one[0], other[0])
                down = min(one[3], other[3]) - max(one[1], other[1])
                assert min(across, down) <= 0

    def test_takes_little_ink(self, paper, flip):
        for page in calibration.calibration(paper, Letters(), flip, "p", Printer()):
            lines = [mark for mark, _ in page.walk() if isinstance(mark, PathMark)]
            assert all(mark.fill is None and mark.stroke.width <= 0.15 for mark in lines)

    def test_printed_with_a_known_profile_shows_nothing_on_any_scale(self, paper, flip):
        made = printer(3.2, -1.4, angle=-0.3, scale_x=100.4, size_y=99.7)
        _, back = calibration.calibration(paper, Letters(), flip, "p", made)
        lands = printed(back, "back", made, flip)
        behind = [_ends(lands, line) for line in lines_of(back, calibration.BACK_LINE)]
        for scale in calibration.scales(*paper).values():
            along = 0 if scale.axis == "x" else 1
            middle = (scale.x, scale.y)
            assert any(
                abs(a[along] - middle[along]) < 1e-6 and abs(b[along] - middle[along]) < 1e-6
                for a, b in behind
            )


# --- profiles and commands ------------------------------------------------------------------------


class Run(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def stonehand(monkeypatch, capsys, tmp_path):
    """Runs a command as `main` does, with settings in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / "settings" / name))

    def run(*words: str) -> Run:
        monkeypatch.setattr(sys, "argv", ["stonehand", *words])
        code = cli._run()
        return Run(code, *capsys.readouterr())

    return run


def profile(tmp_path: Path, name="office") -> Printer:
    return load_printer(tmp_path / "settings/stonehand/printers", Text(name), Problems())


class TestCommands:
    def test_go_from_a_sheet_to_a_profile_to_sheets_for_it(self, stonehand, tmp_path):
        done = stonehand("printer", "calibrate", "office")
        assert done.code == 0
        assert "not adjusted yet" in done.out
        first = (tmp_path / "output/calibration-office.pdf").read_bytes()
        done = stonehand("printer", "set", "office", "--read", "A2,B-1,C2,D-1,E2,F-1,G2,H-1")
        assert done == Run(0, "office: x +2.00 mm, y -1.00 mm, +0.000°\n", "")
        done = stonehand("printer", "calibrate", "office")
        assert "adjusted by x +2.00 mm, y -1.00 mm" in done.out
        assert (tmp_path / "output/calibration-office.pdf").read_bytes() != first
        done = stonehand("printer", "set", "office", "--read", "A0.3,B-0.1,E0.3,C0.3")
        assert done.out == "office: x +2.30 mm, y -1.10 mm, +0.000°\n"
        assert stonehand("printer", "list").out == done.out
        for command in ("cards", "build"):
            done = stonehand(command, "tweak", "--lang", "en", "--printer", "office")
            assert done.code == 0
            assert done.err == ""
        assert stonehand("printer", "remove", "office").code == 0
        assert stonehand("printer", "list").out == ""

    def test_remember_paper_and_flip_of_the_first_sheet(self, stonehand, tmp_path):
        stonehand("printer", "calibrate", "home", "--paper", "letter", "--flip", "short")
        assert (profile(tmp_path, "home").paper, profile(tmp_path, "home").flip) == (
            "letter",
            "short",
        )
        done = stonehand("printer", "calibrate", "home")
        assert "not adjusted yet" in done.out
        pdf = pypdf.PdfReader(tmp_path / "output/calibration-home.pdf")
        assert float(pdf.pages[0].mediabox.width) == pytest.approx(612)
        assert pdf.trailer["/Root"]["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipShortEdge"
        # readings of a Letter sheet are those of its scales
        truth = printer(1.0, -2.0, angle=0.4)
        read = readings_of(truth, (215.9, 279.4))
        words = ",".join(f"{letter}{value:.3f}" for letter, value in read.items())
        stonehand("printer", "set", "home", "--read", words)
        assert profile(tmp_path, "home").angle == pytest.approx(0.4, abs=0.002)
        done = stonehand("cards", "tweak", "-l", "en", "--printer", "home", "-o", "x.pdf")
        assert "printer 'home' was calibrated with paper 'letter', not 'a4'" in done.err
        done = stonehand("printer", "calibrate", "home", "--paper", "a4")
        assert done.code == 2
        assert "printer 'home' is for paper 'letter' (give it another name" in done.err

    def test_adjust_the_sheets_of_booklets_too(self, stonehand, tmp_path):
        stonehand("printer", "set", "office", "--read", "A2,B-1")
        words = ("rules", "tweak", "--booklet", "-l", "en", "-o")
        assert stonehand(*words, "plain.pdf").code == 0
        assert stonehand(*words, "moved.pdf", "--printer", "office").code == 0
        plain, moved = pypdf.PdfReader("plain.pdf"), pypdf.PdfReader("moved.pdf")
        places = []
        for pdf in (plain, moved):
            box = pdf.pages[1].mediabox
            assert sorted(map(round, (box.width, box.height))) == [595, 842]
            places.append([points for _, points in fills(pdf.pages[1])])
        assert moved.pages[1].mediabox.width < moved.pages[1].mediabox.height
        # turned clockwise, then, over the short edge, moved left and down as seen from behind
        for was, now in zip(*places, strict=True):
            for (x, y), found in zip(was, now, strict=True):
                assert found == pytest.approx((210 - y - 2, x - 1), abs=EXACT)

    def test_turn_measured_rules_into_the_true_size(self, stonehand, tmp_path):
        level, upright = calibration.rules(*A4)
        assert (level, upright) == (170.0, 257.0)
        stonehand("printer", "set", "office", "--rules", "169.15x257")
        assert profile(tmp_path).size_x == pytest.approx(99.5)
        # measured on a sheet that was adjusted by that
        stonehand("printer", "set", "office", "--rules", "170.17x257")
        assert profile(tmp_path).size_x == pytest.approx(99.5 * 170.17 / 170, abs=1e-3)

    def test_keep_margins_flip_paper_and_note_and_add_to_what_is_known(self, stonehand, tmp_path):
        stonehand("printer", "set", "office", "--read", "A1,B1")
        words = ["--margins", "4mm,4mm,6mm,4mm", "--flip", "short", "--note", 'tray "2": 300 g']
        assert stonehand("printer", "set", "office", *words).code == 0
        made = profile(tmp_path)
        assert made.x.mm == 1
        assert made.unprintable == 6
        assert made.flip == "short"
        assert made.note == 'tray "2": 300 g'
        assert '(tray "2": 300 g)' in stonehand("printer", "list").out
        assert stonehand("printer", "set", "office", "--fresh", "--read", "A-1,B0").code == 0
        assert profile(tmp_path).flip is None

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["set", "office", "--read", "A9,Q1"], "'Q1' is no reading"),
            (["set", "office", "--read", f"A{'9' * 400}"], "is no reading"),  # more than any float
            (["set", "office", "--rules", "100x100"], "is far from 170 x 257 mm"),
            (["set", "office", "--rules", "wide"], "'wide' are not two lengths"),
            (["set", "office", "--margins", "4mm,4mm"], "margins are four lengths"),
            (["set", "office", "--margins", "4"], "'4' is not a length"),
            (["set", "office", "--read", "A99,B0"], "no printer is so far off"),
            (["set", "../x", "--read", "A1"], "'../x' can't be the name of a printer"),
            (["calibrate", "Büro"], "'Büro' can't be the name of a printer"),
            (["calibrate", "office", "--paper", "80x80mm"], "too small for the calibration sheet"),
            (["calibrate", "office", "--paper", "a44"], "unknown paper 'a44'"),
            (["calibrate", "office", "--lang", "xx"], "unknown language 'xx'"),
            (["remove", "office"], "no printer 'office'"),
        ],
    )
    def test_tell_what_is_wrong_and_keep_nothing_of_it(self, stonehand, tmp_path, words, message):
        done = stonehand("printer", *words)
        assert done.code == 2
        assert message in done.err
        assert not list(tmp_path.rglob("*.yaml"))
        assert not list(tmp_path.rglob("*.pdf"))

    def test_warn_of_readings_that_contradict_each_other(self, stonehand):
        done = stonehand("printer", "set", "office", "--read", "A0,B0,C0,D0,E0,F0,G3,H0")
        assert done.code == 0
        assert "command line: warning: the readings differ by" in done.err

    def test_name_the_nearest_printer(self, stonehand):
        stonehand("printer", "set", "office", "--read", "A1,B1")
        done = stonehand("cards", "tweak", "--printer", "offcie")
        assert done.code == 2
        assert "no printer 'offcie' (did you mean 'office'?)" in done.err

    def test_tell_faults_of_a_profile_at_their_place(self, stonehand, tmp_path):
        folder = tmp_path / "settings/stonehand/printers"
        folder.mkdir(parents=True)
        (folder / "office.yaml").write_text("x: 1\nangel: 2\nscale_x: 50\n")
        done = stonehand("cards", "tweak", "--printer", "office")
        assert done.code == 1
        assert [line.partition(": ")[2] for line in done.err.splitlines()] == [
            "error: '1' is not a length (a length has a unit: 5mm, 0.2in, 9pt or 50%)",
            "error: unknown field 'angel' (did you mean 'angle'?)",
            "error: 50 is out of range (from 90 to 110)",
        ]

    def test_warn_where_sheets_are_for_other_paper_or_reach_into_its_margins(self, stonehand):
        stonehand("printer", "set", "office", "--margins", "7mm,4mm,4mm,4mm", "--paper", "letter")
        words = ("cards", "tweak", "--lang", "en", "--printer", "office", "--margin", "5mm")
        done = stonehand(*words)
        assert "printer 'office' was calibrated with paper 'letter', not 'a4'" in done.err
        assert "a margin of 5 mm is less than printer 'office' leaves blank" in done.err


@given(printers())
@settings(max_examples=50, deadline=None)
def test_a_profile_reads_back_as_it_was_written(made):
    problems = Problems()
    again = bind(yaml.parse(written(made), "p.yaml"), Printer, problems)
    assert not list(problems)
    assert (again.x.mm, again.y.mm) == pytest.approx((made.x.mm, made.y.mm), abs=1e-5)
    for name in ("angle", "scale_x", "scale_y", "size_x", "size_y"):
        assert getattr(again, name) == pytest.approx(getattr(made, name), rel=1e-5)


@pytest.mark.parametrize("code", ["en", "hi", "el", "ko"])
def test_the_calibration_sheet_tells_what_to_do_in_every_language(press: Press, code: str):
    from stonehand.typesetting.lettering import Lettering

    language = press.languages[code]
    lettering = Lettering(press.fonts, language, press.languages, press.problems)
    for paper in (A4, (148.0, 210.0)):
        front, _ = calibration.calibration(paper, lettering, "long", "office", Printer())
        for number in (1, 3, 4):
            words = str(language.words[Text(f"calibrate_{number}")]).split()[1:4]
            assert all(word in front.text for word in words)
        for mark, matrix in front.walk():
            if isinstance(mark, GlyphRun):
                for x, y in (matrix(mark.x, mark.y), matrix(mark.x + mark.width, mark.y)):
                    assert 0 <= x <= paper[0]
                    assert 0 <= y <= paper[1]


def test_labels_and_guides_keep_off_what_the_printer_leaves_blank():
    made = printer(margins=tuple(map(Length, (7.0, 4.0, 4.0, 4.0))))
    tiles = Tiles([POKER])
    maker = SheetMaker(tiles, plan(printer=made, printer_name="p"), NoLetters())
    (_, front), _ = maker.pages(tiles.cards, lambda: None)
    for x1, y1, x2, y2 in lines_on(front):
        assert min(x1, y1, x2, y2) >= 7 - 1e-6
