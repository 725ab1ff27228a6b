"""The source room: YAML as text with places, typed values, lengths, files, problems."""

import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stonehand.cards.game import Catalogue, Game
from stonehand.cards.template import Part, Template
from stonehand.language.languages import Language
from stonehand.sheets.papers import Paper
from stonehand.source import yaml
from stonehand.source.bind import Ref, Spec, bind, bind_table, field_types
from stonehand.source.files import exact, found, inside, read_text
from stonehand.source.problems import (
    MOST_ERRORS,
    Location,
    Problem,
    Problems,
    StonehandError,
    TooManyError,
    did_you_mean,
    fault,
)
from stonehand.source.text import Fields, Items, Node, Text
from stonehand.source.units import MAX_MM, FixedGap, FixedSize, Gap, Length, Size

AT = Location("game.yaml", 3, 7)


def faults(run) -> list[str]:
    """Return what a function that must raise says is wrong."""
    with pytest.raises(StonehandError) as caught:
        run()
    return [str(problem) for problem in caught.value.problems]


# --- YAML: what is written is what is read ---


@pytest.mark.parametrize(
    "written",
    [
        "001",
        "1",
        "no",
        "No",
        "NO",
        "off",
        "y",
        "null",
        "~",
        "true",
        "1:30",
        "1e3",
        "0x1F",
        "0o17",
        "1_000",
        ".inf",
        ".nan",
        "=",
        "2024-13-45",
        "2001-01-01",
        "+5",
        "-0",
        "1.0",
        "12:30:45",
        "<=",
    ],
)
def test_every_scalar_stays_the_text_that_stands_there(written):
    tree = yaml.parse(f"key: {written}\nlist: [{written}]\n{written}: key\n", "a.yaml")
    assert tree == {"key": written, "list": [written], written: "key"}
    assert type(tree[Text("key")]) is Text


def test_every_value_and_key_knows_its_place():
    tree = yaml.parse("a:\n  - {b: c,\n     d: ''}\n", "x/a.yaml")
    (item,) = tree[Text("a")]
    places = [tree.at, *(k.at for k in tree), tree[Text("a")].at, item.at]
    assert [str(at) for at in places] == ["x/a.yaml:1:1"] * 2 + ["x/a.yaml:2:3", "x/a.yaml:2:5"]
    assert [(key, *key.at[1:3]) for key in item] == [("b", 2, 6), ("d", 3, 6)]
    assert [(value, *value.at[1:3]) for value in item.values()] == [("c", 2, 9), ("", 3, 9)]


def test_nothing_written_is_told_from_an_empty_text():
    tree = yaml.parse("a:\nb: ''\nc: \"\"\n", "a.yaml")
    assert [value.empty for value in tree.values()] == [True, False, False]


def test_an_alias_stands_for_what_it_names():
    tree = yaml.parse("a: &a {b: c}\nd: *a\n", "a.yaml")
    assert tree == {"a": {"b": "c"}, "d": {"b": "c"}}


def test_aliases_may_add_as_many_values_as_are_allowed():
    hundred = ", ".join(["x"] * 100)
    lines = "".join(f"- [{', '.join(['*a'] * 100)}]\n" for _ in range(9))
    assert len(yaml.parse(f"- &a [{hundred}]\n{lines}", "a.yaml")) == 10


def test_a_file_may_be_nested_64_levels():
    yaml.parse("[" * 64 + "]" * 64, "a.yaml")
    assert faults(lambda: yaml.parse("[" * 65 + "]" * 65, "a.yaml")) == [
        "a.yaml:1:65: error: nested deeper than 64 levels"
    ]


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for kind in (Game, Catalogue, Template, Part):
        problems = Problems()
        try:
            value = bind(yaml.parse(text, "a.yaml"), kind, problems)
        except StonehandError:
            continue
        assert (value is None) == bool(problems.errors)


SYNTAX = st.text("ab:-?,[]{}#&*!|>'\"%@` \n\t\\~<=0", max_size=40)


@given(SYNTAX)
def test_any_text_of_yaml_signs_is_read_or_refused_at_a_place(text):
    try:
        yaml.parse(text, "a.yaml")
    except StonehandError as error:
        lines = text.count("\n") + 1
        for problem in error.problems:
            assert 0 <= problem.location.line <= lines + 1
            assert "\n" not in str(problem)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"])))
def test_a_quoted_text_is_read_as_it_is(text):
    text = text.translate(dict.fromkeys([0xFEFF, 0xFFFE, 0xFFFF, 0x85]))
    quoted = text.replace("'", "''")
    assert yaml.parse(f"'{quoted}'", "a.yaml") == text


# --- binding: any tree, of the names that are known and of others ---

WORDS = sorted(
    {name for kind in (Game, Catalogue, Template, Language, Paper) for name in field_types(kind)}
    | {"draw", "rect", "text", "use", "repeat", "grid", "width", "points", "en", "$name", "5mm"}
    | {"-1", "50%", "yes", "9" * 400, "", "1.5", "a b", "é"}
)
SCALARS = st.sampled_from(WORDS) | st.text(max_size=5)


def _items(children: list[Node]) -> Items:
    items = Items(AT)
    items.extend(children)
    return items


def _fields(children: dict[str, Node]) -> Fields:
    fields = Fields(AT)
    fields.update({Text(key, AT): value for key, value in children.items()})
    return fields


TREES = st.recursive(
    st.builds(
        lambda text, empty: Text("" if empty else text, AT, empty=empty), SCALARS, st.booleans()
    ),
    lambda inner: (
        st.lists(inner, max_size=3).map(_items)
        | st.dictionaries(SCALARS, inner, max_size=4).map(_fields)
    ),
    max_leaves=20,
)


@given(TREES)
def test_any_tree_is_bound_or_all_its_faults_are_told(tree):
    for kind in (Game, Catalogue, Template, Part, Language, Paper):
        problems = Problems()
        value = bind(tree, kind, problems)
        assert (value is None) == bool(problems.errors)
        assert all(problem.location == AT for problem in problems)
    bind_table(tree, Paper, Problems())


class Inner(Spec, frozen=True, kw_only=True, eq=False):
    name: Text


class Outer(Spec, frozen=True, kw_only=True, eq=False):
    number: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    share: float = 0.0
    flag: bool = False
    side: Literal["left", "right"] = "left"
    size: Size | Ref | None = None
    inner: Inner | None = None
    words: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)] = ()
    table: dict[Text, int] = {}
    either: Text | Inner | None = None
    over: Ref | tuple[Text, ...] = ()


def bound(text: str) -> tuple[Outer | None, list[str]]:
    problems = Problems()
    return bind(yaml.parse(text, "a"), Outer, problems), [str(problem) for problem in problems]


def test_values_get_the_types_that_are_declared():
    value, said = bound(
        "{number: 3, share: .5, flag: yes, side: right, size: 5mm, inner: {name: 001},"
        " words: [no], table: {a: 1}, either: word, over: $all}"
    )
    assert said == []
    assert (value.number, value.share, value.flag, value.side) == (3, 0.5, True, "right")
    assert (value.size, value.inner.name, value.words) == (Size(5.0), "001", ("no",))
    assert (value.table, value.either, value.over) == ({"a": 1}, "word", "$all")
    assert value.at == Location("a", 1, 1)
    assert value.inner.at == Location("a", 1, 66)
    assert isinstance(value.over, Ref)


def test_what_is_left_empty_is_as_if_it_were_left_out_where_it_may_be():
    value, said = bound("{size: , inner: , either: }")
    assert (said, value.size, value.inner, value.either) == ([], None, None, None)


def test_two_dollars_are_no_reference():
    _, said = bound("{size: $$5}")
    assert said == [
        "a:1:8: error: '$$5' is not a length (a length has a unit: 5mm, 0.2in, 9pt or 50%)"
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("number: 10", "a:1:9: error: 10 is out of range (from 1 to 9)"),
        ("number: 1.0", "a:1:9: error: '1.0' is not a whole number"),
        ("number: +-1", "a:1:9: error: '+-1' is not a whole number"),
        ("number: ३", "a:1:9: error: '३' is not a whole number"),
        ("share: 1e3", "a:1:8: error: '1e3' is not a number"),
        ("share: nan", "a:1:8: error: 'nan' is not a number"),
        ("share: 5-", "a:1:8: error: '5-' is not a number"),
        ("share: .", "a:1:8: error: '.' is not a number"),
        ("flag: on", "a:1:7: error: 'on' is neither yes nor no"),
        ("side: Left", "a:1:7: error: unknown value 'Left' (did you mean 'left'?)"),
        ("words: []", "a:1:8: error: the list is empty"),
        (
            "words: {a: b}",
            "a:1:8: error: a list is expected here (write [a, b] or lines with '- ')",
        ),
        ("over: all", "a:1:7: error: 'all' is no reference to a field (write $all)"),
        ("inner: {}", "a:1:8: error: 'name' is missing"),
        ("inner: a", "a:1:8: error: names with values are expected here (write 'name: value')"),
        ("inner: {nam: a, name: b}", "a:1:9: error: unknown field 'nam' (did you mean 'name'?)"),
    ],
)
def test_a_value_of_the_wrong_type_is_a_fault_at_its_place(text, said):
    assert bound(text) == (None, [said])


# --- lengths ---


@pytest.mark.parametrize(
    ("text", "mm", "share"),
    [
        ("0", 0, 0),
        ("5mm", 5, 0),
        ("5 mm", 5, 0),
        ("+.5cm", 5, 0),
        ("-1in", -25.4, 0),
        ("72pt", 25.4, 0),
        ("5.mm", 5, 0),
        ("50%", 0, 0.5),
        ("2000mm", 2000, 0),
    ],
)
def test_a_length_is_so_many_mm_and_a_share(text, mm, share):
    assert Length.parse(Text(text)) == pytest.approx((mm, share))


@pytest.mark.parametrize(
    ("kind", "refused", "allowed"),
    [
        (Length, ["", "5", "5 parsecs", "nan", "inf", "1e3mm", "2,5mm", "٥mm", "2001mm"], ["-5%"]),
        (Gap, ["-1mm", "-1%"], ["0", "0%", "50%"]),
        (Size, ["0", "-1mm", "0.009mm", "0%"], ["0.01mm", "0.5%"]),
        (FixedGap, ["-1mm", "5%"], ["0", "5mm"]),
        (FixedSize, ["0", "5%", "-1mm"], ["5mm"]),
    ],
)
def test_what_a_length_is_for_tells_what_it_may_be(kind, refused, allowed):
    for text in refused:
        with pytest.raises(ValueError, match=re.escape(f"'{text}' ")) as caught:
            kind.parse(Text(text))
        assert len(caught.value.args) == 2
    for text in allowed:
        assert type(kind.parse(Text(text))) is kind


@given(
    st.decimals(-2000, 2000, allow_nan=False, places=4),
    st.sampled_from([("mm", 1.0), ("cm", 10.0), ("in", 25.4), ("pt", 25.4 / 72)]),
)
def test_a_length_is_exact_to_the_arithmetic(number, unit):
    name, mm = unit
    if abs(float(number) * mm) <= MAX_MM:
        assert Length.parse(Text(f"{number:f}{name}")) == (float(number) * mm, 0.0)


@given(st.text(max_size=12) | st.text("0123456789.+-%mincpt ,e", max_size=12))
def test_any_text_is_a_length_in_range_or_is_refused_with_a_hint(text):
    for kind in (Length, Gap, Size, FixedGap, FixedSize):
        try:
            length = kind.parse(Text(text))
        except ValueError as error:
            message, hint = error.args
            assert text in message
            assert hint
        else:
            assert abs(length.mm) <= MAX_MM
            assert abs(length.share) <= MAX_MM


# --- files ---


@given(st.text(max_size=30) | st.text("./\\~:ab\0", max_size=12))
def test_no_name_leads_out_of_its_folder(text):
    folder = Path("/nowhere/project")
    name = Text(text, AT)
    try:
        path = inside(folder, name)
    except StonehandError as error:
        assert [problem.location for problem in error.problems] == [AT]
    else:
        assert path.resolve().is_relative_to(folder)
        assert path.resolve() != folder


def test_names_are_compared_letter_by_letter_in_every_folder(tmp_path):
    (tmp_path / "Groups").mkdir()
    (tmp_path / "Groups/sun.svg").touch()
    good, wrong = Text("Groups/sun", AT), Text("groups/sun", AT)
    assert found(tmp_path, good, (".png", ".svg")) == tmp_path / "Groups/sun.svg"
    (said,) = faults(lambda: exact(tmp_path, tmp_path / "groups/sun.svg", wrong))
    assert said.startswith("game.yaml:3:7: error: 'groups/sun' not found in ")
    assert said.endswith("(did you mean 'Groups'?)")


def test_a_byte_that_is_not_utf_8_is_told_by_the_character_it_stands_at(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes("a: b\nहिन्दी: ".encode() + b"\xe9\n")
    (said,) = faults(lambda: read_text(path))
    assert said == f"{path}:2:9: error: not UTF-8 (byte 0xE9) (save it as UTF-8)"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: b")
    assert read_text(path) == "a: b"


# --- problems ---


@given(st.text(), st.text(), st.text())
def test_a_problem_is_one_line_that_a_terminal_can_print(file, message, hint):
    line = str(Problem(Location(file, 1, 2), "error", message, hint))
    assert line.splitlines() == [line] or not line.strip()
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", line)


def test_a_long_message_is_cut_in_its_middle():
    line = str(Problem(AT, "error", f"unknown field '{'x' * 5000}'"))
    assert len(line) < 450
    assert line.endswith("x'")


def test_problems_are_sorted_by_place_and_told_once():
    problems = Problems()
    for line in (9, 10, 2, 9):
        problems.error(Location("b.yaml", line), "wrong")
    problems.finding("untranslated", Location("a.yaml", 99), "odd")
    with problems.gather():
        raise StonehandError([Problem(Location("b.yaml", 2), "error", "wrong")])
    assert [str(problem) for problem in problems] == [
        "a.yaml:99: warning: odd [untranslated]",
        "b.yaml:2: error: wrong",
        "b.yaml:9: error: wrong",
        "b.yaml:10: error: wrong",
    ]
    assert [str(p) for p in problems.errors] == [str(p) for p in problems][1:]


def test_warnings_alone_raise_nothing():
    problems = Problems()
    problems.finding("untranslated", AT, "odd")
    problems.raise_errors()


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("anmal", ["animal", "plant"], "did you mean 'animal'?"),
        ("SUN", ["sun", "son"], "did you mean 'sun'?"),
        ("x", ["b", "a", "b"], "known: a, b"),
        ("x", [], ""),
        ("x", "abcdefghi", ""),
    ],
)
def test_a_hint_names_the_nearest_word_or_the_few_there_are(word, known, hint):
    assert did_you_mean(word, known) == hint


def test_a_thousand_errors_are_enough():
    problems = Problems()
    with pytest.raises(TooManyError) as caught, problems.gather():
        for line in range(5000):
            problems.error(Location("a.yaml", line + 1), "wrong")
    told = caught.value.problems
    assert len(told) == MOST_ERRORS + 1
    assert str(told[-1]) == "a.yaml:1001: error: more than 1000 errors (mend these first)"


def test_the_same_error_told_again_and_again_is_one():
    problems = Problems()
    for _ in range(3 * MOST_ERRORS):
        with problems.gather():
            raise fault(AT, "wrong")
    assert problems.count == 1
