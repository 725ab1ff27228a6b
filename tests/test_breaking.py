"""Where lines may break, and where they do."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from stonehand.language.languages import Languages
from stonehand.typesetting.breaking import (
    HYPHEN_PENALTY,
    SHRINK,
    SPACE,
    TIGHT_PENALTY,
    Align,
    Opportunity,
    Segment,
    choose_lines,
    opportunities,
)

OWL = "\U0001f989"  # a character beyond the Basic Multilingual Plane


@pytest.fixture(scope="session")
def pieces(languages: Languages):
    """A function that shows where a text may break freely: a|b|c."""

    def shown(text: str, code: str = "en", *, penalty: float = 0.0) -> str:
        found = opportunities(text, languages[code])
        ends = [chance.at for chance in found if chance.penalty <= penalty]
        return "|".join(text[start:end] for start, end in pairwise([0, *ends]))

    return shown


class TestUnicodeRules:
    """UAX #14, by cases that meet a designer of cards."""

    @pytest.mark.parametrize(
        "shown",
        [
            "one |two",
            "one,  |two",  # all the spaces stay on the line that they end
            "one\u00a0two",  # no-break space
            "5\u00a0mm |wide",
            "one\u2060two",  # word joiner
            "one\u200b|two",  # zero width space
            "(one) |two",
            "“one” |‘two’",
            "«ένα» |«δύο»",
            "Why? |No!",
            "10,000 |points",
            "3.5 |or |-2",
            "50% |of |$5",
            "don’t |stop",
            "e\u0301e\u0301 |e",  # marks stay with their letters
            "one |— |two",
        ],
    )
    @pytest.mark.parametrize("code", ["en", "hi", "el", "ko"])
    def test_say_where_a_line_may_end(self, pieces, shown: str, code: str) -> None:
        assert pieces(shown.replace("|", ""), code) == shown

    def test_an_empty_text_has_no_place(self, languages: Languages) -> None:
        assert opportunities("", languages["en"]) == ()

    @pytest.mark.parametrize("text", ["a", "one two ", "한국어", "उल्लू", OWL, "two-", "a\u00ad"])
    @pytest.mark.parametrize("code", ["en", "hi", "el", "ko"])
    def test_the_end_of_the_text_comes_last_and_is_free(
        self, languages: Languages, text: str, code: str
    ) -> None:
        assert opportunities(text, languages[code])[-1] == Opportunity(len(text))

    def test_places_beyond_the_first_plane_are_counted_in_characters(self, pieces) -> None:
        text = f"{OWL} owl {OWL}{OWL} two"
        assert pieces(text).replace("|", "") == text
        assert f"{OWL} |owl |" in pieces(text)
        assert pieces(text).endswith(" |two")

    def test_nothing_breaks_within_an_emoji_of_several_characters(self, pieces) -> None:
        family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
        assert pieces(f"a {family} b") == f"a |{family} |b"


class TestHyphensThatAreWritten:
    def test_divide_a_word_at_a_price(self, languages: Languages) -> None:
        found = opportunities("स्वप्न-परियाँ आते", languages["hi"])
        assert found[0] == Opportunity(len("स्वप्न-"), HYPHEN_PENALTY)
        assert found[1].penalty == 0

    def test_get_no_second_hyphen(self, languages: Languages) -> None:
        assert not opportunities("self-aware", languages["en"], hyphenate=False)[0].hyphen

    def test_within_numbers_do_not_divide(self, pieces) -> None:
        assert pieces("5-6 players", penalty=1000).startswith("5-6 ")

    def test_soft_hyphens_say_where_a_word_may_be_divided(self, languages: Languages) -> None:
        found = opportunities("Traum\u00adfee", languages["hi"])
        assert found == (Opportunity(6, HYPHEN_PENALTY, hyphen=True), Opportunity(9))

    def test_soft_hyphens_do_nothing_where_words_stay_whole(self, languages: Languages) -> None:
        assert opportunities("Traum\u00adfee", languages["hi"], hyphenate=False) == (
            Opportunity(9),
        )


class TestKorean:
    TEXT = "왼쪽 플레이어에게 넘깁니다."

    def test_breaks_at_spaces(self, pieces) -> None:
        assert pieces(self.TEXT, "ko") == "왼쪽 |플레이어에게 |넘깁니다."

    def test_breaks_between_syllables_at_a_high_price(self, languages: Languages, pieces) -> None:
        assert pieces(self.TEXT, "ko", penalty=TIGHT_PENALTY).startswith("왼|쪽 |플|레|이|어")
        inside = [o for o in opportunities(self.TEXT, languages["ko"]) if o.penalty]
        assert {o.penalty for o in inside} == {TIGHT_PENALTY}
        assert not any(o.hyphen for o in inside)

    def test_never_breaks_before_a_full_stop(self, languages: Languages) -> None:
        assert len(self.TEXT) - 1 not in {o.at for o in opportunities(self.TEXT, languages["ko"])}

    def test_words_are_divided_only_where_they_would_not_fit(self, paragraph) -> None:
        made = paragraph(self.TEXT, "ko")

        def lines(measure: float) -> list[str]:
            return [
                "".join(a.cluster.text for a in line.atoms)
                for line in made.lines(measure, "left")[0]
            ]

        assert lines(9.0) == ["왼쪽 플레이어에게", "넘깁니다."]
        assert lines(6.0) == ["왼쪽", "플레이어에게", "넘깁니다."]
        assert lines(4.0) == ["왼쪽 플레", "이어에게", "넘깁니다."], "the long one is divided, once"


class TestHindi:
    def test_a_danda_never_begins_a_line(self, languages: Languages) -> None:
        for text in ("पत्ते रखें।", "पत्ते रखें ।", "पत्ते॥ रखें॥"):
            places = {o.at for o in opportunities(text, languages["hi"])}
            for i, character in enumerate(text):
                if character in "।॥":
                    assert i not in places, text

    def test_no_line_ends_within_a_word(self, pieces) -> None:
        text = "खिलाड़ी के क्\u200cष स्वप्न में"
        assert pieces(text, "hi", penalty=1000) == "खिलाड़ी |के |क्\u200cष |स्वप्न |में"


class TestHyphenation:
    def hyphenated(self, word: str, languages: Languages, code: str) -> list[str]:
        places = [o.at for o in opportunities(word, languages[code])]
        return [word[start:end] for start, end in pairwise([0, *places])]

    def test_divides_greek_by_its_own_rules(self, languages: Languages) -> None:
        assert self.hyphenated("διατεθειμένοι", languages, "el") == ["δια", "τε", "θει", "μένοι"]

    @pytest.mark.parametrize(
        "word",
        ["ουρανός", "παίκτης", "παρτίδα", "απορρίπτει", "ολοκληρωμένο", "κάρτες", "όνειρο", "ένα"],
    )
    def test_leaves_three_letters_on_each_side(self, languages: Languages, word: str) -> None:
        for chance in opportunities(word, languages["el"])[:-1]:
            assert chance.hyphen
            assert chance.penalty == HYPHEN_PENALTY
            assert 3 <= chance.at <= len(word) - 3

    @pytest.mark.parametrize(
        "word", ["Φεγγαροκεφαλή", "ΣΥΜΒΟΛΟ", "Ελληνικά", "Oniroo", "Nightmare"]
    )
    def test_keeps_names_and_capitals_whole(self, languages: Languages, word: str) -> None:
        for code in ("el", "en"):
            assert len(opportunities(word, languages[code])) == 1

    def test_is_left_out_where_a_style_says_so(self, languages: Languages) -> None:
        assert len(opportunities("διατεθειμένοι", languages["el"], hyphenate=False)) == 1

    @pytest.mark.parametrize("code", ["hi", "ko"])
    def test_is_unknown_to_hindi_and_korean(self, languages: Languages, code: str) -> None:
        text = "क्रिकेट 플레이어 internationally"
        assert not any(o.hyphen for o in opportunities(text, languages[code]))


# lines are chosen among segments ---------------------------------------------------------------

ALIGNS: list[Align] = ["left", "center", "right", "justify"]

segments = st.builds(
    Segment,
    width=st.floats(0.1, 6.0),
    space=st.sampled_from([0.0, SPACE]),
    inner_spaces=st.integers(0, 1),
    penalty=st.sampled_from([0.0, HYPHEN_PENALTY, TIGHT_PENALTY]),
    hyphen=st.sampled_from([0.0, 0.3]),
)
free_segments = st.builds(
    Segment,
    width=st.floats(0.1, 6.0),
    space=st.just(SPACE),
    inner_spaces=st.just(0),
    penalty=st.just(0.0),
    hyphen=st.just(0.0),
)
measures = st.floats(1.0, 20.0)


def paragraphs(of: st.SearchStrategy[Segment]) -> st.SearchStrategy[list[Segment]]:
    """Segments of which the last ends the text: freely and without a hyphen."""
    end = of.map(lambda s: Segment(s.width, s.space, s.inner_spaces, 0.0, 0.0))
    return st.tuples(st.lists(of, max_size=24), end).map(lambda both: [*both[0], both[1]])


def split(text: list[Segment], ends: list[int]) -> list[list[Segment]]:
    return [text[start:end] for start, end in pairwise([0, *ends])]


def natural(line: list[Segment]) -> float:
    """The width of a line without the space that it ends with."""
    return sum(s.width + s.space for s in line) - line[-1].space + line[-1].hyphen


def narrowest(line: list[Segment], align: Align) -> float:
    gaps = sum(s.inner_spaces + (s.space > 0) for s in line) - (line[-1].space > 0)
    return natural(line) - (gaps * SPACE * SHRINK if align == "justify" else 0.0)


def greedy(text: list[Segment], measure: float) -> list[list[Segment]]:
    """Lines as a typewriter makes them: as much on each as goes, from the first on."""
    lines: list[list[Segment]] = []
    while text:
        count = 1
        for n in range(2, len(text) + 1):
            if natural(text[:n]) <= measure:
                count = n
        lines.append(text[:count])
        text = text[count:]
    return lines


class TestChosenLines:
    @given(paragraphs(segments), measures, st.sampled_from(ALIGNS))
    def test_hold_all_segments_in_order(
        self, text: list[Segment], measure: float, align: Align
    ) -> None:
        ends, _ = choose_lines(text, measure, align)
        assert ends == sorted(set(ends))
        assert ends[0] > 0
        assert ends[-1] == len(text)

    @given(paragraphs(segments), measures, st.sampled_from(ALIGNS))
    def test_fit_the_measure_unless_one_segment_alone_does_not(
        self, text: list[Segment], measure: float, align: Align
    ) -> None:
        ends, _ = choose_lines(text, measure, align)
        for line in split(text, ends):
            assert len(line) == 1 or narrowest(line, align) <= measure + 1e-6

    @given(paragraphs(segments), measures, st.sampled_from(ALIGNS))
    def test_come_with_how_much_the_widest_is_too_wide(
        self, text: list[Segment], measure: float, align: Align
    ) -> None:
        ends, excess = choose_lines(text, measure, align)
        assume(all(abs(narrowest(line, align) - measure) > 1e-6 for line in split(text, ends)))
        over = max(
            natural(line) - measure if narrowest(line, align) > measure + 1e-9 else 0.0
            for line in split(text, ends)
        )
        assert excess == pytest.approx(over, abs=1e-6)

    @given(paragraphs(free_segments), measures, st.sampled_from(ALIGNS[:3]))
    def test_of_ragged_text_are_never_more_than_greedy_ones(
        self, text: list[Segment], measure: float, align: Align
    ) -> None:
        ends, _ = choose_lines(text, measure, align)
        assert len(ends) <= len(greedy(text, measure))

    @given(paragraphs(segments), measures, st.sampled_from(ALIGNS[:3]))
    def test_cost_no_more_lines_than_words_kept_whole(
        self, text: list[Segment], measure: float, align: Align
    ) -> None:
        """Penalties are paid to save lines, so a text gets no longer by being divided."""
        words: list[Segment] = []
        for segment in text:
            if words and words[-1].penalty:
                last = words.pop()
                width = last.width + last.space + segment.width
                inner = last.inner_spaces + segment.inner_spaces + (last.space > 0)
                segment = Segment(width, segment.space, inner, segment.penalty, segment.hyphen)  # noqa: PLW2901
            words.append(segment)
        assume(all(natural([word]) <= measure for word in words))
        ends, _ = choose_lines(text, measure, align)
        assert len(ends) <= len(greedy(words, measure))

    @given(paragraphs(free_segments), measures)
    @settings(max_examples=50, suppress_health_check=[HealthCheck.filter_too_much])
    def test_of_centred_text_are_as_even_as_can_be(
        self, text: list[Segment], measure: float
    ) -> None:
        ends, excess = choose_lines(text, measure, "center")
        assume(len(ends) == 2 and not excess)
        both = [[text[:i], text[i:]] for i in range(1, len(text))]
        fitting = [two for two in both if max(map(natural, two)) <= measure + 1e-9]
        uneven = [abs(natural(a) - natural(b)) for a, b in fitting]
        one, two = split(text, ends)
        assert abs(natural(one) - natural(two)) == pytest.approx(min(uneven), abs=1e-6)

    def test_of_no_text_are_none(self) -> None:
        assert choose_lines([], 10.0, "left") == ([], 0.0)

    def test_a_hyphen_is_taken_only_to_save_a_line(self) -> None:
        def text(width: float) -> list[Segment]:
            divided = Segment(2.0, 0.0, 0, HYPHEN_PENALTY, 0.3)
            return [Segment(3.0, SPACE, 0, 0.0, 0.0), divided, Segment(width, 0.0, 0, 0.0, 0.0)]

        assert choose_lines(text(3.5), 6.0, "left")[0] == [1, 3], "two lines without a hyphen"
        assert choose_lines(text(4.5), 6.0, "left")[0] == [2, 3], "else it would be too wide"

    def test_a_justified_line_may_shrink_its_spaces_a_little(self) -> None:
        word = Segment(1.0, SPACE, 0, 0.0, 0.0)
        wide = 5 * 1.0 + 4 * SPACE
        assert choose_lines([word] * 5, wide - 3 * SPACE * SHRINK, "justify") == ([5], 0.0)
        assert len(choose_lines([word] * 5, wide - 5 * SPACE * SHRINK, "justify")[0]) == 2
        assert len(choose_lines([word] * 5, wide - 3 * SPACE * SHRINK, "left")[0]) == 2

    def test_a_long_text_takes_no_more_than_its_length_in_time(self) -> None:
        word = Segment(2.0, SPACE, 0, 0.0, 0.0)
        ends, excess = choose_lines([word] * 20_000, 40.0, "justify")
        assert not excess
        assert len(ends) == pytest.approx(20_000 / 18, rel=0.1)
