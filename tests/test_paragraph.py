"""A text in its box: where each line stands, which size fits, what is bold and what is an icon."""

from collections.abc import Iterable
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from stonehand.cards.deck import LoadedGame
from stonehand.output.pdf import PdfWriter
from stonehand.press import Press
from stonehand.project import Project, shipped_content
from stonehand.scene import Box, GlyphRun, Mark, Picture, Scene
from stonehand.source.problems import Problems
from stonehand.source.text import Text
from stonehand.typesetting import markup
from stonehand.typesetting.paragraph import STEP, Paragraph, Setting, unprintable

PT = 25.4 / 72  # mm
EXACT = 0.01  # mm
BOX = Box(7.0, 11.0, 50.0, 40.0)
SIZE = 3.2  # mm

TEXTS = {
    "en": "Show this card to be safe from a Bad Night or a Moon Head, then discard it.",
    "hi": "यह पत्ता दिखाकर बुरी रात या चंद्रमुख से बचें, फिर इसे त्याग दें। हाथ में 5 पत्ते रखें।",
    "el": "Επιλέξτε έναν άλλον παίκτη: απορρίπτει όλες τις κάρτες του χεριού του.",
    "ko": "다른 플레이어 1명을 고릅니다. 그\u00a0플레이어는 손에 든 카드를 모두 버립니다.",
}
every_language = pytest.mark.parametrize("code", TEXTS)


def setting(size: float, **changes: Any) -> Setting:
    """How a text is to be set: at a size in mm, black, from the top left."""
    usual = {"smallest": size, "leading": 1.2, "colour": "#000000", "align": "left"}
    return Setting(size=size, **{**usual, "valign": "top", **changes})


def width(run: GlyphRun) -> float:
    """The width that a run takes in print."""
    spaces = sum(cluster.text in (" ", "\u00a0") for cluster in run.clusters)
    units = sum(cluster.advance for cluster in run.clusters)
    return units * run.size / run.face.upem + spaces * run.word_space


def lines(marks: Iterable[Mark]) -> list[list[GlyphRun]]:
    """The runs of each line, from the top."""
    runs = [mark for mark in marks if isinstance(mark, GlyphRun)]
    return [list(line) for _, line in groupby(runs, key=lambda run: run.y)]


def ends(line: list[GlyphRun]) -> tuple[float, float]:
    """Where a line begins and ends."""
    return line[0].x, line[-1].x + width(line[-1])


def texts(marks: Iterable[Mark]) -> list[str]:
    return ["".join(run.text for run in line) for line in lines(marks)]


def read_back(marks: Iterable[Mark], press: Press, tmp_path: Path) -> str:
    """The text of marks as pdfium reads it from a PDF, its white space folded."""
    writer = PdfWriter("Marks", "en", press.art)
    writer.add_page(Scene(70, 70, tuple(marks)))
    (tmp_path / "marks.pdf").write_bytes(writer.data())
    with pypdfium2.PdfDocument(tmp_path / "marks.pdf") as document:
        return " ".join(document[0].get_textpage().get_text_range().split())


class TestAlignment:
    @every_language
    def test_left_begins_at_the_left_edge(self, paragraph, code: str) -> None:
        for line in lines(paragraph(TEXTS[code], code).marks(BOX, setting(SIZE), SIZE)):
            assert ends(line)[0] == pytest.approx(BOX.x, abs=EXACT)

    @every_language
    def test_right_ends_at_the_right_edge(self, paragraph, code: str) -> None:
        made = paragraph(TEXTS[code], code)
        for line in lines(made.marks(BOX, setting(SIZE, align="right"), SIZE)):
            assert ends(line)[1] == pytest.approx(BOX.right, abs=EXACT)

    @every_language
    def test_center_leaves_as_much_on_both_sides(self, paragraph, code: str) -> None:
        made = paragraph(TEXTS[code], code)
        for line in lines(made.marks(BOX, setting(SIZE, align="center"), SIZE)):
            start, end = ends(line)
            assert start - BOX.x == pytest.approx(BOX.right - end, abs=EXACT)

    @every_language
    def test_justify_fills_the_measure_but_for_the_last_line(self, paragraph, code: str) -> None:
        made = paragraph(TEXTS[code], code)
        *full, last = lines(made.marks(BOX, setting(SIZE, align="justify"), SIZE))
        assert full
        for line in full:
            start, end = ends(line)
            assert start == pytest.approx(BOX.x, abs=EXACT)
            assert end == pytest.approx(BOX.right, abs=EXACT)
        assert ends(last)[0] == pytest.approx(BOX.x, abs=EXACT)
        assert ends(last)[1] < BOX.right
        assert all(run.word_space == 0 for run in last)

    @every_language
    def test_justify_of_two_paragraphs_leaves_the_last_line_of_each(
        self, paragraph, code: str
    ) -> None:
        made = paragraph(f"{TEXTS[code]}\n{TEXTS[code]}", code)
        found = lines(made.marks(BOX, setting(SIZE, align="justify"), SIZE))
        short = [line for line in found if ends(line)[1] < BOX.right - EXACT]
        assert len(short) == 2

    def test_runs_of_a_line_follow_each_other(self, paragraph) -> None:
        made = paragraph("Owl **κουκουβάγια** 부엉이 *उल्लू* 23", "el")
        for align in ("left", "right", "center"):
            (line,) = lines(made.marks(BOX, setting(2.5, align=align), 2.5))
            assert len(line) > 4
            for one, two in pairwise(line):
                assert two.x == pytest.approx(one.x + width(one), abs=EXACT)

    def test_spaces_at_a_lines_end_take_no_room(self, paragraph) -> None:
        (line,) = lines(paragraph("Owl   ").marks(BOX, setting(SIZE, align="right"), SIZE))
        assert ends(line)[1] == pytest.approx(BOX.right, abs=EXACT)
        assert line[-1].text == "Owl"


class TestVerticalAlignment:
    def extremes(self, paragraph, code: str, valign: str) -> tuple[float, float, float]:
        """The first and the last baseline, and the height of capitals."""
        made = paragraph(TEXTS[code], code)
        found = lines(made.marks(BOX, setting(SIZE, valign=valign), SIZE))
        assert len(found) > 1
        for one, two in pairwise(found):
            assert two[0].y - one[0].y == pytest.approx(1.2 * SIZE, abs=EXACT)
        face = made.voices.plain[0]
        return found[0][0].y, found[-1][0].y, face.cap_height * SIZE / face.upem

    @every_language
    def test_top_puts_the_ascender_at_the_top(self, paragraph, code: str) -> None:
        face = paragraph("a", code).voices.plain[0]
        first, _, _ = self.extremes(paragraph, code, "top")
        assert first == pytest.approx(BOX.y + face.ascender * SIZE / face.upem, abs=EXACT)

    @every_language
    def test_bottom_puts_the_descender_at_the_bottom(self, paragraph, code: str) -> None:
        face = paragraph("a", code).voices.plain[0]
        _, last, _ = self.extremes(paragraph, code, "bottom")
        assert last == pytest.approx(BOX.bottom + face.descender * SIZE / face.upem, abs=EXACT)

    @every_language
    def test_middle_centres_what_stands_between_capitals_and_baseline(
        self, paragraph, code: str
    ) -> None:
        first, last, cap = self.extremes(paragraph, code, "middle")
        assert first - cap - BOX.y == pytest.approx(BOX.bottom - last, abs=EXACT)


class TestFit:
    def sizes(self, how: Setting) -> list[float]:
        """The sizes that are tried, largest first."""
        steps = int((how.size - how.smallest) / STEP + 1e-9)
        return [how.size, *(how.smallest + STEP * i for i in range(steps, -1, -1))]

    def largest(self, made: Paragraph, box: Box, how: Setting) -> float | None:
        return next((s for s in self.sizes(how) if not any(made.overflow(box, how, s))), None)

    def test_keeps_the_wanted_size_where_it_fits(self, paragraph) -> None:
        how = setting(14 * PT, smallest=9 * PT)
        assert paragraph("Owl").fit(BOX, how) == (14 * PT, (0.0, 0.0))

    def test_gives_the_smallest_and_what_is_too_much_where_nothing_fits(self, paragraph) -> None:
        how = setting(14 * PT, smallest=9 * PT)
        size, (wide, high) = paragraph(TEXTS["en"]).fit(Box(0, 0, 30, 5), how)
        assert size == 9 * PT
        assert wide == 0
        assert high > 1

    @pytest.mark.parametrize("align", ["left", "center", "justify"])
    @pytest.mark.parametrize(("wide", "high"), [(42.0, 8.8), (18.0, 14.0), (52.0, 21.4)])
    @every_language
    def test_finds_the_largest_size_that_fits(
        self, paragraph, oniroo: LoadedGame, press: Press, code: str, wide, high, align
    ) -> None:
        """All names and some rules of the game, against trying every size.

        Halving the range finds it, as a text at a larger size never takes fewer lines.
        """
        (language,) = press.languages_of(oniroo, [Text(code)])
        translations = press.layouter(oniroo, language).translations
        found = sorted({str(translations.text(message)) for message in oniroo.messages()})
        how = setting(14 * PT, smallest=6 * PT, leading=1.05, align=align)
        box = Box(0, 0, wide, high)
        for text in found[::4] if high < 20 else [t for t in found if len(t) > 60][::4]:
            made = paragraph(text, code, weight=700, hyphenate=high > 20)
            size, over = made.fit(box, how)
            best = self.largest(made, box, how)
            if best is None:
                assert size == how.smallest
                assert any(over)
            else:
                assert not any(over), text
                assert not any(made.overflow(box, how, size)), text
                assert best - STEP - 1e-9 <= size <= best, (text, size / PT, best / PT)

    @pytest.mark.parametrize(
        ("text", "code", "wide", "count"),
        [
            ("Νυχτερινός ουρανός", "el", 42, 1),
            ("Νυχτερινός ουρανός", "el", 30, 2),  # on one line it would be smaller
            ("Autumn Leaves", "en", 42, 1),
            ("Autumn Leaves", "en", 24, 2),
            ("चेरी के फूल", "hi", 42, 1),
            ("밤하늘", "ko", 42, 1),
        ],
    )
    def test_takes_the_number_of_lines_that_allows_the_largest_size(
        self, paragraph, text: str, code: str, wide: float, count: int
    ) -> None:
        how = setting(14 * PT, smallest=9 * PT, leading=1.05, valign="middle")
        box = Box(0, 0, wide, 8.8)
        made = paragraph(text, code, weight=700, hyphenate=False)
        size, over = made.fit(box, how)
        assert not any(over)
        found = lines(made.marks(box, how, size))
        assert size >= self.largest(made, box, how) - STEP - 1e-9
        assert len(found) == count

    def test_tells_how_much_too_wide_a_text_is(self, paragraph) -> None:
        made = paragraph("Nightmare")
        (line,) = lines(made.marks(Box(0, 0, 100, 10), setting(SIZE), SIZE))
        wide, high = made.overflow(Box(0, 0, 10, 10), setting(SIZE), SIZE)
        assert wide == pytest.approx(ends(line)[1] - 10, abs=EXACT)
        assert high == 0

    def test_tells_how_much_too_high_a_text_is(self, paragraph) -> None:
        made = paragraph("one\ntwo\nthree")
        face = made.voices.plain[0]
        extent = 2 * 1.2 * SIZE + (face.ascender - face.descender) * SIZE / face.upem
        wide, high = made.overflow(Box(0, 0, 50, 5), setting(SIZE), SIZE)
        assert wide == 0
        assert high == pytest.approx(extent - 5, abs=EXACT)


class TestFitOnCards:
    GAME = """\
title: Mini
languages: [en]
catalogues: [all.yaml]
kinds:
  plain: {title: Card, front: face, fields: {name: text}}
"""
    CARDS = "kind: plain\ncards:\n  - {id: a1, name: Internationalisation}\n"
    FACE = "size: poker\nelements:\n  - {draw: text, text: $name, size: 12pt, width: 20mm, %s}\n"

    def told(self, tmp_path: Path, element: str) -> tuple[str, float]:
        """The problem that a text gives rise to, and the size it is set at, in pt."""
        files = {"cards/mini/game.yaml": self.GAME, "cards/mini/all.yaml": self.CARDS}
        for name, text in (files | {"layouts/face.yaml": self.FACE % element}).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        problems = Problems()
        press = Press(Project((tmp_path, shipped_content())), problems)
        game = press.load(press.project.games()["mini"])
        (language,) = press.languages_of(game, ())
        scene = press.layouter(game, language).front(game.cards[0])
        assert scene
        (size,) = {mark.size for mark, _ in scene.walk() if isinstance(mark, GlyphRun)}
        return "\n".join(map(str, problems)), size / PT

    def test_fail_tells_how_many_mm_are_too_much(self, tmp_path: Path, paragraph) -> None:
        (line,) = lines(
            paragraph("Internationalisation").marks(Box(0, 0, 99, 9), setting(12 * PT), 12 * PT)
        )
        told, size = self.told(tmp_path, "height: 4mm")
        assert size == pytest.approx(12)
        assert f"{ends(line)[1] - 20:.1f} mm too wide and " in told
        assert "mm too high (en, card a1, text '$name')" in told
        assert "all.yaml:3:" in told

    def test_shrink_is_silent_where_a_size_fits(self, tmp_path: Path) -> None:
        told, size = self.told(tmp_path, "height: 9mm, fit: shrink")
        assert not told
        assert 6 < size < 12

    def test_shrink_tells_that_its_smallest_size_is_reached(self, tmp_path: Path) -> None:
        told, size = self.told(tmp_path, "height: 1mm, fit: shrink")
        assert size == pytest.approx(6)
        assert "mm too high" in told
        assert "the smallest size, 6.0pt, is reached" in told

    def test_clip_is_silent(self, tmp_path: Path) -> None:
        told, size = self.told(tmp_path, "height: 2mm, fit: clip")
        assert not told
        assert size == pytest.approx(12)


class TestVoices:
    def voices(self, text: str, made: Paragraph) -> dict[str, tuple[float, bool]]:
        """The weight and slant of every run, spaces left out."""
        (line,) = lines(made.marks(BOX, setting(2.5), 2.5))
        return {
            run.text.strip(): (run.face.weight, run.face.file.italic)
            for run in line
            if run.text.strip()
        }

    def test_are_plain_strong_emphasised_or_both(self, paragraph) -> None:
        text = "plain **strong** *slanted* ***both***"
        assert self.voices(text, paragraph(text)) == {
            "plain": (400, False),
            "strong": (700, False),
            "slanted": (400, True),
            "both": (700, True),
        }

    @pytest.mark.parametrize(("code", "word"), [("hi", "पत्ता"), ("ko", "카드")])
    def test_emphasis_is_bold_where_a_script_has_no_italics(
        self, paragraph, code: str, word: str
    ) -> None:
        text = f"5 *{word}*"
        assert self.voices(text, paragraph(text, code))[word] == (700, False)

    def test_leave_the_text_as_it_is(self, paragraph, press: Press, tmp_path: Path) -> None:
        made = paragraph("Draw **5** cards, *discard* one.")
        marks = made.marks(BOX, setting(SIZE), SIZE)
        assert read_back(marks, press, tmp_path) == "Draw 5 cards, discard one."


class TestMarkup:
    @pytest.mark.parametrize(
        "text",
        [
            "2 * 3 * 4",
            "snake_case_word",
            "10:30:45",
            "AT&T",
            "&amp;",
            "a : b",
            "<b>",
            "[x](y)",
            "`",
        ],
    )
    def test_leaves_plain_signs_alone(self, text: str) -> None:
        assert markup.parse(text) == (markup.Span(text),)

    @pytest.mark.parametrize(
        ("written", "shown"),
        [
            (r"\*not slanted\*", "*not slanted*"),
            (r"5 \* 3", "5 * 3"),
            (r"\_\_", "__"),
            (r"a\\b", r"a\b"),
            (r"\:star:", ":star:"),
            (r"10\:a:30", "10:a:30"),
            (r"C:\temp", r"C:\temp"),
        ],
    )
    def test_takes_a_sign_after_a_backslash_for_itself(self, written: str, shown: str) -> None:
        assert markup.parse(written) == (markup.Span(shown),)

    def test_keeps_words_with_escapes_in_one_span(self) -> None:
        assert markup.parse(r"क\*ख *ग*") == (
            markup.Span("क*ख "),
            markup.Span("ग", emphasis=True),
        )

    def test_finds_icons_in_any_voice(self) -> None:
        star = markup.Span(markup.ICON, strong=True, icon="star")
        assert markup.parse("**a :star:**:moon_2:") == (
            markup.Span("a ", strong=True),
            star,
            markup.Span(markup.ICON, icon="moon_2"),
        )


class TestIcons:
    def test_stand_in_the_line_centred_on_the_capitals(self, paragraph) -> None:
        made = paragraph("Gain :star: now")
        marks = made.marks(BOX, setting(SIZE), SIZE)
        before, icon, after = marks
        assert isinstance(before, GlyphRun)
        assert isinstance(icon, Picture)
        assert isinstance(after, GlyphRun)
        face = made.voices.plain[0]
        middle = before.y - face.cap_height * SIZE / face.upem / 2
        assert icon.box.height == pytest.approx(SIZE, abs=EXACT)
        assert icon.box.width == pytest.approx(SIZE * icon.art.aspect, abs=EXACT)
        assert icon.box.y + icon.box.height / 2 == pytest.approx(middle, abs=EXACT)
        assert icon.box.x == pytest.approx(before.x + width(before), abs=EXACT)
        assert after.x == pytest.approx(icon.box.right, abs=EXACT)

    def test_do_not_break_up_the_text(self, paragraph, press: Press, tmp_path: Path) -> None:
        made = paragraph("Gain 3 :star: for each :circle:, then pass.")
        marks = made.marks(BOX, setting(SIZE), SIZE)
        assert sum(isinstance(mark, Picture) for mark in marks) == 2
        assert read_back(marks, press, tmp_path) == "Gain 3 for each , then pass."

    def test_take_part_in_line_breaking(self, paragraph) -> None:
        made = paragraph(":star: " * 30)
        marks = made.marks(BOX, setting(SIZE), SIZE)
        boxes = [mark.box for mark in marks if isinstance(mark, Picture)]
        assert len(boxes) == 30
        assert len({box.y for box in boxes}) > 1
        assert all(box.right <= BOX.right + EXACT for box in boxes)

    def test_never_part_from_the_comma_after_them(self, paragraph) -> None:
        made = paragraph("word " * 3 + ":star:, word")
        for tenth in range(40, 200):
            found, _ = made.lines(tenth / 10, "left")
            firsts = [line.atoms[0].cluster.text for line in found if line.atoms]
            assert "," not in firsts


class TestLineBreaks:
    def test_are_kept(self, paragraph) -> None:
        assert texts(paragraph("one\ntwo three\nfour").marks(BOX, setting(SIZE), SIZE)) == [
            "one",
            "two three",
            "four",
        ]

    def test_are_kept_beside_emphasis(self, paragraph) -> None:
        made = paragraph("**one\ntwo** three\n*four*")
        assert texts(made.marks(BOX, setting(SIZE), SIZE)) == ["one", "two three", "four"]

    def test_make_empty_lines(self, paragraph) -> None:
        one, two = lines(paragraph("one\n\ntwo").marks(BOX, setting(SIZE), SIZE))
        assert two[0].y - one[0].y == pytest.approx(2 * 1.2 * SIZE, abs=EXACT)

    def test_divide_words_with_a_hyphen_that_readers_drop(
        self, paragraph, press: Press, tmp_path: Path
    ) -> None:
        made = paragraph("ένα ολοκληρωμένο όνειρο", "el")
        box = Box(5, 5, 24, 40)
        marks = made.marks(box, setting(4.0), 4.0)
        first = texts(marks)[0]
        assert first.endswith("\u00ad")
        hyphen = lines(marks)[0][-1].clusters[-1]
        assert hyphen.glyphs[0][0] == hyphen_glyph(made), "and it is seen"
        read = read_back(marks, press, tmp_path)
        assert "".join(c for c in read if c not in "\u00ad\ufffe \u2010") == "έναολοκληρωμένοόνειρο"

    def test_show_soft_hyphens_only_where_they_divide(self, paragraph) -> None:
        made = paragraph("Mond\u00adkopf", "hi")
        whole = lines(made.marks(BOX, setting(SIZE), SIZE))
        assert [run.text for line in whole for run in line] == ["Mond\u00adkopf"]
        hyphen = hyphen_glyph(made)
        shown = {gid for run in whole[0] for c in run.clusters for gid, *_ in c.glyphs}
        assert hyphen not in shown
        first, second = lines(made.marks(Box(0, 0, 10, 40), setting(SIZE), SIZE))
        assert first[0].text == "Mond\u00ad"
        assert first[0].clusters[-1].glyphs[0][0] == hyphen
        assert second[0].text == "kopf"


def hyphen_glyph(made: Paragraph) -> int:
    gid: int = made.voices.plain[0].font.get_nominal_glyph(ord("-"))
    return gid


class TestUnprintable:
    @pytest.mark.parametrize("bad", ["\t", "\0", "\x7f", "\x9f", "\ud800", "\u202e", "\u2066"])
    def test_characters_are_found(self, bad: str) -> None:
        assert unprintable(f"text {bad} text") == bad

    def test_the_65th_mark_on_a_letter_is_one(self) -> None:
        assert unprintable("a" + "\u0301" * 64) == ""
        assert unprintable("a" + "\u0301" * 65) == "\u0301"

    @every_language
    def test_characters_are_not_in_real_texts(self, code: str) -> None:
        assert unprintable(f"{TEXTS[code]}\n{TEXTS[code]}") == ""
