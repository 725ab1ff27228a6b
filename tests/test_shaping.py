"""From characters to glyphs: runs by script and face, clusters that add up to the text."""

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stonehand.press import Press
from stonehand.project import Project, shipped_content
from stonehand.scene import Cluster, GlyphRun
from stonehand.source.problems import Problems
from stonehand.source.text import Text
from stonehand.typesetting.fonts import Face
from stonehand.typesetting.shaping import invisible, itemise, shape

PRESS = Press(Project((shipped_content(),)), Problems())
DEVANAGARI_WORD = re.compile(r"[\u0900-\u0963\u0970-\u097f\u200c\u200d]+")

Run = tuple[str, str, str]  # text, script, family


def chain(code: str, weight: float = 400) -> tuple[Face, ...]:
    languages = PRESS.languages
    return PRESS.fonts.chain(Text("sans"), weight, False, languages[code], languages)


def itemised(text: str, code: str) -> tuple[list[Run], list[str]]:
    """The runs of a text, and the characters that no font has."""
    missing: list[str] = []
    runs = [
        (text[start:end], script, face.file.family)
        for start, end, script, face in itemise(text, chain(code), missing.append)
    ]
    return runs, missing


def runs_of(text: str, code: str) -> list[Run]:
    runs, missing = itemised(text, code)
    assert not missing
    return runs


def clusters_of(text: str, code: str) -> list[Cluster]:
    return [
        cluster
        for start, end, script, face in itemise(text, chain(code), lambda _: None)
        for cluster in shape(text[start:end], face, script, code)
    ]


def glyphs_of(text: str, code: str) -> list[tuple[int, ...]]:
    """The glyph ids of each cluster."""
    return [tuple(gid for gid, *_ in cluster.glyphs) for cluster in clusters_of(text, code)]


@pytest.fixture(scope="session")
def hindi_texts(shipped: Path) -> list[str]:
    entries = polib.pofile(str(shipped / "i18n" / "oniroo" / "hi.po"))
    return [entry.msgstr for entry in entries if entry.msgstr]


class TestDevanagari:
    @pytest.mark.parametrize("code", ["hi", "en", "ko"])
    @pytest.mark.parametrize("weight", [400, 700])
    def test_every_shipped_word_is_shaped_in_context_as_alone(
        self, hindi_texts: list[str], code: str, weight: float
    ) -> None:
        faces = chain(code, weight)
        devanagari = next(face for face in faces if face.has("क"))
        words = 0
        for text in hindi_texts:
            at: dict[int, Cluster] = {}
            for start, end, script, face in itemise(text, faces, lambda _: None):
                for cluster in shape(text[start:end], face, script, code):
                    at[start] = cluster
                    start += len(cluster.text)  # noqa: PLW2901
            for word in DEVANAGARI_WORD.finditer(text):
                alone = shape(word[0], devanagari, "Deva", code)
                inside = [at[i] for i in sorted(at) if word.start() <= i < word.end()]
                assert [c.glyphs for c in inside] == [c.glyphs for c in alone], word[0]
                words += 1
        assert words > 300

    def test_words_are_the_same_beside_any_neighbour(self, hindi_texts: list[str]) -> None:
        words = {word for text in hindi_texts for word in DEVANAGARI_WORD.findall(text)}
        for word in sorted(words):
            alone = glyphs_of(word, "hi")
            for before, after in (("Oniroo", "B"), ("(", ")"), ("한", "글"), ("“α", "5”")):
                found = glyphs_of(before + word + after, "hi")
                assert found[len(before) : len(found) - len(after)] == alone, (before, word)

    def test_conjuncts_are_formed(self) -> None:
        assert len(glyphs_of("क्ष", "hi")) == 1  # KSSA is one letter
        half = glyphs_of("ष्प", "hi")
        assert half[0] != glyphs_of("ष", "hi")[0], "half form of SSA"

    def test_no_dotted_circle_is_set(self, hindi_texts: list[str]) -> None:
        (circle,) = glyphs_of("◌", "hi")
        for text in hindi_texts:
            assert circle[0] not in {gid for glyphs in glyphs_of(text, "hi") for gid in glyphs}


class TestRuns:
    def test_latin_letters_of_the_devanagari_font_do_not_swallow_devanagari(self) -> None:
        family = "Noto Sans Devanagari"
        assert runs_of("Aक्ष", "hi") == [("A", "Latn", family), ("क्ष", "Deva", family)]

    def test_devanagari_then_latin_is_split_too(self) -> None:
        family = "Noto Sans Devanagari"
        assert runs_of("पत्ता A", "hi") == [("पत्ता ", "Deva", family), ("A", "Latn", family)]

    def test_the_shipped_title_and_a_hindi_word(self) -> None:
        assert [run[:2] for run in runs_of("Oniroo के नियम", "hi")] == [
            ("Oniroo ", "Latn"),
            ("के नियम", "Deva"),
        ]

    def test_signs_and_digits_go_with_their_neighbours(self) -> None:
        for text in ("“नमस्ते” (क्ष) 12।", "12 पत्ते", "3"):
            assert len(runs_of(text, "hi")) == 1

    def test_four_scripts_in_a_line_are_four_runs(self) -> None:
        runs = runs_of("Owl κουκουβάγια 부엉이 उल्लू", "el")
        assert [(script, family) for _, script, family in runs] == [
            ("Latn", "Noto Sans"),
            ("Grek", "Noto Sans"),
            ("Hang", "Pretendard Variable"),
            ("Deva", "Noto Sans Devanagari"),
        ]

    def test_greek_with_accents_is_one_run_however_it_is_written(self) -> None:
        for form in ("NFC", "NFD"):
            text = unicodedata.normalize(form, "Νυχτερινός ουρανός, ΰ ἄ")
            assert len(runs_of(text, "el")) == 1

    def test_an_empty_text_has_none(self) -> None:
        assert runs_of("", "en") == []


class TestMarksAndJoiners:
    @pytest.mark.parametrize(
        "unit", ["e\u0301", "a\u030a", "क\u0301", "x\u20dd", "क\u093c\u094d", "र\u094d\u200d"]
    )
    @pytest.mark.parametrize("code", ["hi", "el", "ko"])
    def test_stay_in_the_run_of_their_letter(self, unit: str, code: str) -> None:
        for text in (unit, f"한{unit}", f"A{unit}B"):
            runs = [run[0] for run in runs_of(text, code)]
            assert sum(unit in run for run in runs) == 1, runs

    def test_a_letter_goes_to_the_font_that_has_its_mark_too(self) -> None:
        # Noto Sans has no enclosing circle
        assert runs_of("x\u20dd", "en") == [("x\u20dd", "Latn", "Pretendard Variable")]

    def test_joiners_do_not_end_a_run(self) -> None:
        for joiner in "\u200c\u200d":
            text = f"क\u094d{joiner}ष"
            assert [run[0] for run in runs_of(text, "ko")] == [text]
            assert len(clusters_of(text, "ko")) > 1, "and they keep the conjunct from forming"

    def test_what_is_invisible_needs_no_glyph(self) -> None:
        for character in "\u200b\u200d\u2060\ufe0f\ufe0e\u034f\u00ad":
            assert invisible(character)
            assert itemised(f"a{character}b", "hi")[1] == []

    def test_a_mark_that_no_font_has_is_missing(self) -> None:
        assert itemised("a\u1ab0", "en")[1] == ["\u1ab0"]

    def test_a_letter_that_no_font_has_is_missing_each_time(self) -> None:
        assert itemised("\U0001f989 and \U0001f989", "en")[1] == ["\U0001f989"] * 2

    def test_korean_as_jamo_is_set_in_the_syllables_of_the_font(self) -> None:
        text = "카드 한 벌"
        apart = unicodedata.normalize("NFD", text)
        assert len(apart) > len(text)
        assert glyphs_of(apart, "ko") == glyphs_of(text, "ko")
        assert "".join(c.text for c in clusters_of(apart, "ko")) == apart


class TestClusters:
    LETTERS = (
        "aZéß09.,-—()“”«»!?·… \u00a0αΩάΰ한글카ᄒ\u1161\u11abकखरिीुेोंँः़््।॥\u0301\u0308\u200c\u200d\u00ad"
    )

    @given(st.text(LETTERS, max_size=30), st.sampled_from(["en", "hi", "el", "ko"]))
    @settings(deadline=None, max_examples=200)
    def test_texts_add_up_to_the_text(self, text: str, code: str) -> None:
        runs = list(itemise(text, chain(code), lambda _: None))
        assert "".join(text[start:end] for start, end, *_ in runs) == text
        clusters = clusters_of(text, code)
        assert "".join(cluster.text for cluster in clusters) == text
        assert all(cluster.text for cluster in clusters)

    @given(st.text(LETTERS, max_size=30), st.sampled_from(["en", "hi", "el", "ko"]))
    @settings(deadline=None, max_examples=200)
    def test_no_run_begins_with_a_mark_or_joiner(self, text: str, code: str) -> None:
        for start, *_ in itemise(text, chain(code), lambda _: None):
            if start:
                assert text[start] not in "\u200c\u200d"
                assert not unicodedata.category(text[start]).startswith("M")

    @given(st.text(LETTERS, min_size=1, max_size=12))
    @settings(deadline=None, max_examples=100)
    def test_each_has_a_glyph_and_no_negative_width(self, text: str) -> None:
        for cluster in clusters_of(text, "hi"):
            assert cluster.advance >= 0
            assert len(cluster.glyphs) >= 1

    @pytest.mark.parametrize("text", ["कि", "हिन्दी", "स्त्री", "पत्ता", "책", "fi"])
    def test_have_their_ink_about_where_they_stand(self, text: str) -> None:
        """Glyphs of a cluster are placed from its beginning, so none is a letter too far right."""
        [(start, end, script, face)] = itemise(text, chain("hi"), lambda _: None)
        run = GlyphRun(face, 10.0, 5.0, 20.0, shape(text[start:end], face, script, "hi"))
        left, top, right, bottom = run.ink
        assert 5 - 1 < left < right < 5 + run.width + 1
        assert 20 - 10 < top < bottom < 20 + 5

    def test_of_equal_runs_are_shaped_once(self) -> None:
        face = chain("hi")[0]
        assert shape("पत्ता", face, "Deva", "hi") is shape("पत्ता", face, "Deva", "hi")

    def test_depend_on_the_language(self) -> None:
        # Marathi and Nepali have letters of their own shape in Noto Sans Devanagari
        face: Face = chain("hi")[0]
        shown: Callable[[str], list[int]] = lambda code: [  # noqa: E731
            gid for c in shape("ल श", face, "Deva", code) for gid, *_ in c.glyphs
        ]
        assert shown("mr") != shown("hi")
