"""Rules texts are read whole or their faults told: every construct, every fault at its line."""

import re
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from stonehand import cli
from stonehand.language.checks import differing
from stonehand.rules import inline
from stonehand.rules.blocks import (
    Block,
    Box,
    Components,
    Figure,
    Heading,
    ListBlock,
    Paragraph,
    Parts,
    Rulebook,
    Scores,
    Table,
    translatable,
)
from stonehand.rules.reading import CONTAINERS, MAX_DEPTH, read_rules
from stonehand.rules.terms import load_terms
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text

BAD = Path(__file__).parent / "bad"
HEAD = "# Tiny\n\n## One {#one}\n\n"  # what is put below it begins at line 5


@pytest.fixture
def read(tmp_path, monkeypatch):
    """A function that reads a rules text; returns the book and the lines printed about it."""
    monkeypatch.chdir(tmp_path)

    def run(text: str | bytes) -> tuple[Rulebook | None, list[str]]:
        path = tmp_path / "rules.md"
        path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
        problems = Problems()
        return read_rules(path, problems), [str(problem) for problem in problems]

    return run


@pytest.fixture
def blocks(read):
    """A function that reads what stands in a section, without any fault."""

    def run(text: str) -> list[Block]:
        book, said = read(HEAD + dedent(text))
        assert said == []
        heading, *rest = book.blocks
        assert str(heading.id) == "one"
        return rest

    return run


def shown(block: Block) -> object:
    """Return a block as plain values, to be compared at a glance."""
    match block:
        case Heading():
            words = str(block.text) if block.text else None
            return (block.level, str(block.id), words, block.rule, block.optional)
        case Paragraph():
            return str(block.text)
        case ListBlock():
            items = [[shown(inner) for inner in item] for item in block.items]
            return ("1." if block.numbered else "-", items)
        case Table():
            return [[str(cell) for cell in row] for row in (block.head, *block.rows)]
        case Figure():
            return (block.arrange, [str(card) for card in block.cards], str(block.caption))
        case Parts():
            return (str(block.card), [(str(part), str(words)) for part, words in block.labels])
        case Box():
            return (block.kind, [shown(inner) for inner in block.blocks])
        case Components():
            return "components"
        case Scores():
            return (block.rows, block.players)


# --- every construct ---


class TestEveryConstruct:
    def test_headings_give_title_sections_rules_and_parts_of_a_section(self, read):
        book, said = read("""\
            # The game
            ## The cards {#A}
            ### A_01 Symbol cards
            ### A_02
            ### Level 1 {#level-1}
            ## Telling {#L optional}
            ### L_01 Tell it {#L_01 optional}
            """)
        assert said == []
        assert str(book.title) == "The game"
        assert [shown(block) for block in book.blocks] == [
            (2, "A", "The cards", False, False),
            (3, "A_01", "Symbol cards", True, False),
            (3, "A_02", None, True, False),
            (3, "level-1", "Level 1", False, False),
            (2, "L", "Telling", False, True),
            (3, "L_01", "Tell it", True, True),
        ]

    def test_soft_breaks_and_runs_of_spaces_are_one_space(self, blocks):
        one = blocks("Lay a\ncard   down\n  and wait.")
        other = blocks("Lay a card down and wait.")
        assert shown(one[0]) == shown(other[0]) == "Lay a card down and wait."

    def test_emphasis_references_and_values_stay_in_the_text(self, blocks):
        text = "**All** {count} [[kind.free|*free* cards]], see [[one]]."
        assert shown(blocks(text)[0]) == text

    def test_lists_nest_and_hold_several_paragraphs(self, blocks):
        [made] = blocks("""\
            1. First.

               More of it.
            2. Second:
               - a dash
               - another
            """)
        assert shown(made) == (
            "1.",
            [["First.", "More of it."], ["Second:", ("-", [["a dash"], ["another"]])]],
        )

    def test_tables_have_a_head_and_rows_and_a_bar_may_be_escaped(self, blocks):
        [made] = blocks("""\
            | What | Points |
            |---|:-:|
            | [[one\\|Here]] | 5 |
            | There | |
            """)
        assert shown(made) == [["What", "Points"], ["[[one|Here]]", "5"], ["There", ""]]

    @pytest.mark.parametrize("arrange", ["row", "fan", "arrows"])
    def test_figures_are_a_row_a_fan_or_joined_by_arrows(self, blocks, arrange):
        word = "" if arrange == "row" else f"{arrange} "
        [made] = blocks(f"![[{word}001, fairy-1 | See [[one]],\nboth of them]]")
        assert shown(made) == (arrange, ["001", "fairy-1"], "See [[one]], both of them")

    def test_parts_name_parts_of_a_card(self, blocks):
        [made] = blocks("""\
            ::: parts 023
            - name: its name
            - digit: digit code: the blue one
            :::
            """)
        assert shown(made) == ("023", [("name", "its name"), ("digit", "digit code: the blue one")])

    @pytest.mark.parametrize("kind", ["example", "note", "tip", "optional"])
    def test_boxes_hold_blocks(self, blocks, kind):
        [made] = blocks(f"::: {kind}\nOne.\n\n- two\n\n![[001 | three]]\n:::\n")
        assert shown(made) == (kind, ["One.", ("-", [["two"]]), ("row", ["001"], "three")])

    def test_components_and_scores_stand_for_tables(self, blocks):
        made = blocks(
            "::: components\n:::\n\n::: scores\n:::\n\n::: scores {players=4 rows=8}\n:::\n"
        )
        assert [shown(block) for block in made] == ["components", (12, 6), (8, 4)]

    def test_blocks_know_their_lines(self, read):
        book, _ = read(
            HEAD + "Five.\n\n- seven\n- eight\n\n|a|\n|-|\n|twelve|\n\n::: tip\nf\n:::\n"
        )
        _, five, items, table, tip = book.blocks
        assert five.text.at == Location("rules.md", 5, 1)
        assert [item[0].text.at.line for item in items.items] == [7, 8]
        assert (table.head[0].at.line, table.rows[0][0].at.line) == (10, 12)
        assert tip.blocks[0].text.at.line == 15

    def test_the_end_of_a_line_may_be_that_of_windows(self, read):
        book, said = read((HEAD + "- a\n- b\n\n::: tip\nc\n:::").replace("\n", "\r\n").encode())
        assert said == []
        assert [shown(block) for block in book.blocks[1:]] == [
            ("-", [["a"], ["b"]]),
            ("tip", ["c"]),
        ]

    def test_front_matter_names_game_and_language(self, read):
        book, said = read("---\ngame: tiny\nlanguage: en\n---\n" + HEAD)
        assert said == []
        assert (book.front.game, book.front.language) == ("tiny", "en")
        assert book.front.game.at == Location("rules.md", 2, 7)

    def test_characters_with_a_meaning_are_escaped_by_a_backslash(self, blocks):
        assert shown(blocks(r"\*5 \:star: \&amp;")[0]) == r"\*5 \:star: \&amp;"


class TestMessages:
    def test_have_the_id_of_their_rule_or_section_as_context_and_no_number(self, read):
        book, _ = read("""\
            # Tiny
            Opening.
            ## The cards {#A}
            Lead.
            ### A_01 Words
            One.

            - Two.
            ### Level {#level-1}
            ::: note
            Three.
            :::
            """)
        assert [(m.context, str(m)) for m in book.messages()] == [
            ("title", "Tiny"),
            ("title", "Opening."),
            ("A", "The cards"),
            ("A", "Lead."),
            ("A_01", "Words"),
            ("A_01", "One."),
            ("A_01", "Two."),
            ("level-1", "Level"),
            ("level-1", "Three."),
        ]

    def test_are_told_once_however_often_they_stand_in_a_rule(self, read):
        book, _ = read(HEAD + "Again.\n\nAgain.\n\n### A_01\nAgain.\n")
        assert [(m.context, str(m)) for m in book.messages()][2:] == [
            ("one", "Again."),
            ("A_01", "Again."),
        ]

    @pytest.mark.parametrize("text", ["–", "10", "{count}", "[[one]]", "{count kind=free} – 5"])
    def test_without_words_are_not_translated(self, text):
        assert not translatable(Text(text))

    @pytest.mark.parametrize("text", ["a", "[[one|here]]", "10 cards", "카드"])
    def test_with_words_are_translated(self, text):
        assert translatable(Text(text))

    def test_carry_the_notes_for_translators_that_stand_before_them(self, read):
        book, said = read("""\
            # Tiny
            ## One {#one}
            <!-- translators: a
                 term -->
            <!-- translators: short -->
            First.

            Second.

            <!-- translators: of the heading -->
            ### A_01 Words
            """)
        assert said == []
        assert book.notes == {
            ("title", "Tiny"): ("title of the book",),
            ("one", "One"): ("heading",),
            ("one", "First."): ("paragraph", "a term", "short"),
            ("one", "Second."): ("paragraph",),
            ("A_01", "Words"): ("title of a rule", "of the heading"),
        }


# --- every fault ---

HTML_HINT = "(a note is written <!-- translators: words -->)"
KNOWN = "(known: components, example, note, optional, parts, scores, tip)"
FIGURE_HINT = "(as in ![[023, 058 | caption]])"
CLOSED_HINT = "(as in [[A_01|words]])"
FAULTS = {
    "an unknown container": (
        "::: exampel\na\n:::",
        "5:1: error: unknown container 'exampel' (did you mean 'example'?)",
    ),
    "a container of no known kind": (
        "::: warning\na\n:::",
        f"5:1: error: unknown container 'warning' {KNOWN}",
    ),
    "a container that is not closed": (
        "a\n\n::: note\na\n",
        "7:1: error: 'note' is not closed (end it with :::)",
    ),
    "an end of no container": ("a\n\n:::", "7:1: error: nothing is open here that ::: could close"),
    "options of a box": ("::: note big\na\n:::", "5:1: error: 'note' takes no options"),
    "an empty box": ("::: note\n:::", "5:1: error: 'note' is empty"),
    "a table of components with text": (
        "::: components\na\n:::",
        "5:1: error: 'components' holds nothing (close it with :::)",
    ),
    "an unknown option": (
        "::: scores {colums=5}\n:::",
        "5:1: error: unknown option 'colums=5' (::: scores {rows=12 players=6})",
    ),
    "a score sheet of 41 players": (
        "::: scores {players=41}\n:::",
        "5:1: error: a score sheet has from 1 to 40 rows and players",
    ),
    "a score sheet of no rows": (
        "::: scores {rows=0}\n:::",
        "5:1: error: a score sheet has from 1 to 40 rows and players",
    ),
    "a number beyond all numbers": (
        f"::: scores {{rows={'9' * 5000}}}\n:::",
        f"5:1: error: unknown option 'rows={'9' * 278}",
    ),
    "parts of no card": (
        "::: parts\n- a: b\n:::",
        "5:1: error: 'parts' needs a card and a list of its parts (::: parts 023)",
    ),
    "a call-out without its part": (
        "::: parts 001\n- a: b\n- words\n:::",
        "7:1: error: a call-out is written '- part: words'",
    ),
    "text among the parts": (
        "::: parts 001\n- a: b\n\nwords\n:::",
        "8:1: error: 'parts' holds a list and nothing else",
    ),
    "a figure that is not closed": (
        "![[001 | a",
        f"5:1: error: the figure is not closed {FIGURE_HINT}",
    ),
    "a figure without caption": (
        "![[001, 002]]",
        f"5:1: error: the figure has no caption {FIGURE_HINT}",
    ),
    "a figure within text": (
        "See ![[001 | a]].",
        "5:1: error: a figure stands in a paragraph of its own",
    ),
    "two figures in a paragraph": (
        "![[001 | a]]\n![[002 | b]]",
        "5:1: error: a figure stands in a paragraph of its own",
    ),
    "a figure of 41 cards": (
        f"![[{', '.join(['001'] * 41)} | a]]",
        "5:1: error: a figure has at most 40 cards",
    ),
    "a heading without id": (
        "### Words",
        "5:1: error: the heading has no id (write {#name} after it, or A_01 before it)",
    ),
    "an id twice": (
        "## Two {#two}\n\n## Three {#two}",
        "7:1: error: the id 'two' is taken (first at rules.md:5:1)",
    ),
    "a rule twice": (
        "### A_01 a\n\n### A_01 b",
        "7:1: error: the id 'A_01' is taken (first at rules.md:5:1)",
    ),
    "the id of the title": ("### Two {#title}", "5:1: error: the id 'title' is taken"),
    "two ids": ("### A_01 a {#b}", "5:1: error: the rule has two ids, 'A_01' and 'b'"),
    "a heading without words": ("## {#two}", "5:1: error: the heading has no words"),
    "a heading of level 4": ("#### a {#b}", "5:1: error: headings go to ### only"),
    "a second title": (
        "# Again",
        "5:1: error: the rules have a second title (sections begin with ##)",
    ),
    "a heading in a box": (
        "::: note\n### A_01 a\n:::",
        "6:1: error: a heading can't stand in a list or box",
    ),
    "a heading in a list": ("- # a", "5:1: error: a heading can't stand in a list or box"),
    "a reference in a heading": (
        "## As in [[one]] {#two}",
        "5:1: error: a heading can have no references, values or emphasis"
        " (they would be lost in the contents)",
    ),
    "HTML": ("<div>\na\n</div>", f"5:1: error: HTML is not allowed in rules {HTML_HINT}"),
    "a comment": ("<!-- todo -->", f"5:1: error: HTML is not allowed in rules {HTML_HINT}"),
    "HTML in text": ("a <b>b</b>", "5:1: error: HTML is not allowed in the text of rules"),
    "a picture": ("a ![b](c.png)", "5:1: error: a picture is not allowed in the text of rules"),
    "code in text": ("a `b`", "5:1: error: code is not allowed in the text of rules"),
    "a link": (
        "a [b](https://c.org)",
        "5:1: error: a link of Markdown is not allowed in the text of rules",
    ),
    "code": ("```\na\n```", "5:1: error: rules have no code"),
    "text that begins with four spaces": (
        "a\n\n    b",
        "7:1: error: rules have no code (a line begins with four spaces)",
    ),
    "a quote": ("> a", "5:1: error: rules have no quotes"),
    "a line across": ("a\n\n***", "7:1: error: rules have no lines across"),
    "a forced line break": (
        "a\\\nb",
        "5:1: error: a forced line break is not allowed in the text of rules",
    ),
    "an entity": (
        "a&nbsp;b",
        "5:1: error: '&nbsp;' is not allowed in rules (write the character itself)",
    ),
    "an override of direction": (
        "a \u202eb",
        "5:1: error: U+202E can't be printed (remove the character)",
    ),
    "an icon": ("a :star:", "5:1: error: rules have no icons such as ':star:' (write \\:star:)"),
    "a list that goes on counting": (
        "3. a",
        "5:1: error: a numbered list begins with 1 (its numbers are counted anew)",
    ),
    "an empty item": ("- a\n-\n- b", "6:1: error: the item of the list is empty"),
    "a table of 100 columns": (
        f"{'|a' * 100}|\n{'|-' * 100}|\n",
        "5:1: error: a table has at most 40 columns",
    ),
    "a row with a cell too many": (
        "|a|b|\n|-|-|\n|1|2|3|",
        "7:1: error: the row has 3 cells, the head 2 (a | within a cell is written \\|)",
    ),
    "a row with a cell too few": (
        "|a|b|\n|-|-|\n|1|",
        "7:1: error: the row has 1 cells, the head 2 (a | within a cell is written \\|)",
    ),
    "a reference in a cell whose bar is not escaped": (
        "|a|b|\n|-|-|\n|[[one|here]]|1|",
        "7:1: error: the row has 3 cells, the head 2 (a | within a cell is written \\|)",
    ),
    "a table whose head has fewer cells than the line below": (
        "|a|b|\n|-|-|-|\n|1|2|",
        "5:1: error: the paragraph looks like a table (its first two rows must have as many cells)",
    ),
    "a reference that is not closed": (
        "See [[one.",
        f"5:1: error: '[[' is not closed or not opened {CLOSED_HINT}",
    ),
    "a reference that is not opened": (
        "See one]].",
        f"5:1: error: ']]' is not closed or not opened {CLOSED_HINT}",
    ),
    "a value that is not closed": (
        "All {count cards.",
        f"5:1: error: '{{' is not closed or not opened {CLOSED_HINT}",
    ),
    "an unknown value": (
        "All {number kind=a}.",
        "5:1: error: unknown value '{number kind=a}' (write {count kind=NAME})",
    ),
    "a reference with empty words": (
        "See [[one|]].",
        "5:1: error: '[[one|]]' has no words (or write [[one]])",
    ),
    "a rule out of order": (
        "### A_02 a\n\n### A_01 b",
        "7:1: error: rule 'A_01' comes after rule 'A_02'",
    ),
    "a rule of another section": (
        "## B {#B}\n\n### A_01 a",
        "7:1: error: rule 'A_01' stands in section 'B'",
    ),
    "a section out of order": (
        "## B {#B}\n\n## A {#A}",
        "7:1: error: section 'A' comes after section 'B'",
    ),
    "a withdrawn rule with text": (
        "### A_01 (withdrawn)\n\na",
        "7:1: error: the rule 'A_01' is withdrawn and can have no text",
    ),
    "the id of a withdrawn rule": (
        "### A_01 (withdrawn)\n\n### A_01 a",
        "7:1: error: the id 'A_01' is taken (first at rules.md:5:1)",
    ),
}


class TestFaults:
    @pytest.mark.parametrize("name", FAULTS)
    def test_are_told_at_their_line(self, read, name):
        text, wanted = FAULTS[name]
        _, said = read(HEAD + text)
        said = [line for line in said if ": warning: " not in line]
        assert len(said) == 1
        assert said[0].startswith(f"rules.md:{wanted}")
        assert said[0] == f"rules.md:{wanted}" or len(wanted) > 200

    def test_are_told_all_in_one_run(self, read):
        kept = ("HTML", "a picture", "a quote", "an empty box", "an entity", "a heading of level 4")
        text, lines = HEAD, []
        for name in kept:
            line = text.count("\n") + 1
            lines.append(f"rules.md:{line}{FAULTS[name][1].removeprefix('5')}")
            text += f"{FAULTS[name][0]}\n\n"
        assert read(text)[1] == lines

    @pytest.mark.parametrize("text", ["", "\n\n", "## One {#one}\n", "# Tiny\n"])
    def test_a_file_without_title_or_text_is_no_book(self, read, text):
        book, said = read(text)
        assert book is None
        assert said == ["rules.md: error: the rules have no title or no text (begin with # Title)"]

    def test_text_before_the_title(self, read):
        _, said = read("Words.\n\n" + HEAD)
        assert said == ["rules.md:1:1: error: text before the title (begin with # Title)"]

    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            (
                "---\ngame: tiny\n" + HEAD,
                "1:1: error: the front matter is not closed (end it with ---)",
            ),
            (
                "---\ngame: tiny\nlangauge: en\n---\n" + HEAD,
                "3:1: error: unknown field 'langauge' (did you mean 'language'?)",
            ),
            ("---\ngame: [tiny\n---\n" + HEAD, "3:1: error: not YAML"),
            ("---\n- tiny\n---\n" + HEAD, "2:1: error: "),
            ("---\ngame: tiny\ngame: other\n---\n" + HEAD, "3:1: error: 'game' appears twice"),
        ],
    )
    def test_of_the_front_matter(self, read, text, wanted):
        _, said = read(text)
        assert said[0].startswith(f"rules.md:{wanted}")

    def test_empty_front_matter_is_none(self, read):
        assert read("---\n---\n" + HEAD)[1] == []

    def test_what_is_no_text_is_no_rules(self, read):
        assert read(b"# Tiny\n\n\xe9")[1] == [
            "rules.md:3:1: error: not UTF-8 (byte 0xE9) (save it as UTF-8)"
        ]
        assert read("# T\n<<<<<<< a\n=======\n>>>>>>> b\n")[1] == [
            "rules.md:2:1: error: unresolved merge conflict to line 4"
        ]

    def test_a_gap_among_the_rules_is_told_as_a_warning(self, read):
        book, said = read(HEAD + "### A_01 a\n\n### A_03 b\n\n### B_02 c\n")
        assert book is not None
        assert said == [
            "rules.md:7:1: warning: no rule 'A_02' comes before 'A_03'"
            " (one that is gone stays as '### A_02 (withdrawn)') [missing-rule]",
            "rules.md:9:1: warning: no rule 'B_01' comes before 'B_02'"
            " (one that is gone stays as '### B_01 (withdrawn)') [missing-rule]",
        ]

    def test_a_withdrawn_rule_fills_its_gap_and_is_not_printed(self, read):
        book, said = read(HEAD + "### A_01 a\n\n### A_02 (withdrawn)\n\n### A_03 b\n\nText.\n")
        assert said == []
        assert [str(b.id) for b in book.blocks if isinstance(b, Heading)] == ["one", "A_01", "A_03"]
        assert book.withdrawn == {"A_02"}
        assert book.blocks[-1].text.context == "A_03"


class TestBounds:
    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ("> " * 5000 + "a", "5:1: error: rules have no quotes"),
            (
                "".join(f"{'  ' * depth}- a\n" for depth in range(200)),
                f"{5 + MAX_DEPTH}:1: error: nested deeper than {MAX_DEPTH} lists or boxes",
            ),
            (
                "".join(f"{':' * (100 - depth)} note\na\n\n" for depth in range(90)),
                "",
            ),
            ("[" * 20_000, "5:1: error: '[[' is not closed or not opened"),
            ("[[a" * 20_000, "5:1: error: '[[' is not closed or not opened"),
            ("{" * 20_000, "5:1: error: '{' is not closed or not opened"),
            ("![[" + "a " * 20_000, "5:1: error: the figure is not closed"),
            ("![[a |" + " b" * 20_000 + "]] ", ""),
            ("*a **b " * 10_000, ""),
            ("`" * 20_001, ""),
            ("### " + "a " * 20_000, "5:1: error: the heading has no id"),
            ("<!-- translators:" + " " * 100_000, "5:1: error: HTML is not allowed in rules"),
            ("<a " * 20_000, ""),
            ("|a" * 3000 + "|\n" + "|-" * 3000 + "|\n", "5:1: error: a table has at most 40"),
            ("|a|\n|-|\n" + "|b|\n" * 5000, ""),
        ],
        ids=lambda value: value[:8] if isinstance(value, str) else "",
    )
    def test_what_is_nested_or_repeated_without_end_is_read_in_a_second(self, read, text, wanted):
        began = time.process_time()
        _, said = read(HEAD + text)
        assert time.process_time() - began < 2
        if wanted:
            assert any(line.startswith(f"rules.md:{wanted}") for line in said)
        assert all(len(line) < 1000 for line in said)

    def test_lists_may_be_as_deep_as_is_told(self, blocks):
        made = blocks("".join(f"{'  ' * depth}- a{depth}\n" for depth in range(MAX_DEPTH)))
        for depth in range(MAX_DEPTH):
            [item] = made[-1].items
            assert str(item[0].text) == f"a{depth}"
            made = item[1:]
        assert made == ()


# --- any text ---

PIECES = st.sampled_from(
    [
        *(
            "# ",
            "## ",
            "### ",
            "A_01 ",
            "A_02 ",
            "{#A}",
            "{#b optional}",
            "(withdrawn)",
            "[[",
            "]]",
        ),
        *(
            "|",
            "![[",
            "{count",
            "}",
            " kind=free",
            ":::",
            "::: ",
            "note",
            "parts 023",
            "components",
        ),
        *("scores {rows=3}", "- ", "1. ", "3) ", "\n", "\n\n", "  ", "    ", "|-|", "---", "***"),
        *("<!-- translators: x -->", "<!--", "-->", "<b>", "`", "```", "> ", "&amp;", "\\", "*"),
        *(
            "**",
            "_",
            ":star:",
            "a",
            "Word ",
            "1",
            "[a]: b",
            "\t",
            "\r",
            "\u2028",
            "\u202e",
            "é",
            "카",
        ),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


def run_on(folder: Path, text: str) -> None:
    path = folder / "rules.md"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    problems = Problems()
    book = read_rules(path, problems)
    if book is not None:
        for message in book.messages():
            inline.parse(message)
            assert message == " ".join(message.split())
            assert message.at.line
    assert book is not None or problems.errors
    assert all(str(problem).startswith(str(path)) for problem in problems)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS)
@example(":::")
@example("# a\n:::\n")
@example("# a\n- ::: note\n")
@example("-")
@example("---\n---")
@example("# a\n::: parts 1\n-\n")
def test_any_text_is_read_or_refused_and_breaks_nothing(tmp_path_factory, text):
    run_on(tmp_path_factory.getbasetemp(), text)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=20).map("".join))
def test_the_notation_within_a_text_gives_all_of_it_back_or_is_refused(text):
    try:
        parts = inline.parse(Text(text))
    except StonehandError:
        return
    written = ""
    for part in parts:
        if isinstance(part, inline.Words):
            written += part.text
        elif isinstance(part, inline.Reference):
            written += f"[[{part.target}|{part.words}]]" if part.words else f"[[{part.target}]]"
        else:
            written += "{count kind=" + part.kind + "}" if part.kind else "{count}"
    folded = "".join(written.split())
    assert folded == "".join(text.split())


class TestTranslations:
    def check(self, source: str, translation: str) -> str:
        wanted, found = (inline.protected(Text(text)) for text in (source, translation))
        finding = differing(wanted, found)
        return finding.message if finding else ""

    def test_may_move_references_and_values_and_word_them_anew(self):
        assert not self.check(
            "{count} [[a.b|cards]] of [[A_01]]", "[[A_01]]의 [[a.b|카드]] {count}장"
        )

    def test_that_drop_or_add_a_reference_are_told(self):
        assert self.check("{count} of [[A_01]]", "{count}") == "the translation lacks [[A_01]]"
        assert self.check("{count kind=a}", "{count}") == (
            "the translation lacks {count kind=a} and has too much of {count}"
        )


# --- what names mean ---

EVERYTHING = """\
---
game: tinny
language: en
---
# Tiny

See [[A_1]] and [[kind.thng|things]] and [[card.b1]] and [[A_02]].

There are {count kind=thin} of {count kind=thing}.

## The cards {#A}

![[a1, a9 | Two of them]]

<div>

### A_01 Words

::: parts a1
- name: the name
- pictur: the picture
:::

::: parts a7
- name: the name
:::

- See [[one.

|a|b|
|-|-|
|[[Q]]|c|

### A_02 (withdrawn)

### A_01 Again
"""
FRONT = """\
size: poker
elements:
  - {draw: text, text: $name, style: name, height: 10mm, top: 5mm, left: 5mm, anchor: name}
  - {draw: picture, picture: $art, top: 20mm, height: 20mm, anchor: picture}
"""


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A project of a game with two cards, as a place to stand in."""
    for name in ("cards.yaml", "game.yaml", "dot.svg"):
        target = tmp_path / "cards/tiny" / ("art" if name == "dot.svg" else "") / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((BAD / "base" / name).read_bytes())
    for name, text in {
        "layouts/tiny/front.yaml": FRONT,
        "i18n/tiny/terms.csv": "key,en\nkind.thing,thing\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def stonehand(monkeypatch, capsys):
    """Runs a command as `main` does, in this process; returns its code and what it says."""

    def run(*words: str) -> tuple[int, list[str]]:
        monkeypatch.setattr(sys, "argv", ["stonehand", *words])
        code = cli._run()
        out, err = capsys.readouterr()
        return code, (out + err).splitlines()

    return run


def test_unknown_names_are_told_at_their_lines_all_in_one_run_with_all_else(tiny, stonehand):
    rules = tiny / "i18n/tiny/rules.md"
    rules.write_text(EVERYTHING)
    code, said = stonehand("rules", "tiny")
    assert code == 1
    where = {text: EVERYTHING[: EVERYTHING.index(text)].count("\n") + 1 for text in (
        "tinny", "See [[A_1", "There", "![[a1", "<div>", "- pictur", "::: parts a7", "- See",
        "|[[Q]]", "### A_01 Again",
    )}  # fmt: skip
    assert [line.removeprefix("i18n/tiny/rules.md:") for line in said] == [
        f"{where['tinny']}:7: error: these are rules of 'tinny', not of 'tiny'",
        f"{where['See [[A_1']}:1: error: unknown reference 'A_02' (the rule is withdrawn)",
        f"{where['See [[A_1']}:1: error: unknown reference 'A_1' (did you mean 'A_01'?)",
        f"{where['See [[A_1']}:1: error: unknown reference 'card.b1' (did you mean 'card.a1'?)",
        f"{where['See [[A_1']}:1: error: unknown reference 'kind.thng'"
        " (did you mean 'kind.thing'?)",
        f"{where['There']}:1: error: unknown kind 'thin' (did you mean 'thing'?)",
        f"{where['![[a1']}:1: error: no card 'a9' (known: a1, a2)",
        f"{where['<div>']}:1: error: HTML is not allowed in rules {HTML_HINT}",
        f"{where['- pictur']}:1: error: the card has no part 'pictur' (did you mean 'picture'?)",
        f"{where['::: parts a7']}:1: error: no card 'a7' (known: a1, a2)",
        f"{where['- See']}:1: error: '[[' is not closed or not opened {CLOSED_HINT}",
        f"{where['|[[Q]]']}:1: error: unknown reference 'Q' (known: A, A_01, kind.thing)",
        f"{where['### A_01 Again']}:1: error: the id 'A_01' is taken"
        " (first at i18n/tiny/rules.md:17:1)",
    ]
    assert not list(tiny.rglob("*.pdf"))


def test_a_translation_that_drops_a_reference_is_told_at_its_place_and_nothing_is_made(
    tiny, stonehand
):
    game = tiny / "cards/tiny/game.yaml"
    game.write_text(game.read_text().replace("[en]", "[en, el]"))
    (tiny / "i18n/tiny/rules.md").write_text(HEAD + "Lay [[one|here]] and see [[one]].\n")
    entries = [
        ("title", "Tiny", "Μικρό"),
        ("one", "One", "Ένα"),
        ("one", "Lay [[one|here]] and see [[one]].", "Βάλε [[one|εδώ]]."),
        ("game.title", "Tiny", "Μικρό"),
        ("kind.thing.title", "Thing", "Πράγμα"),
        ("card.a1.name", "Ant", "Μυρμήγκι"),
        ("card.a2.name", "Bee", "Μέλισσα"),
    ]
    (tiny / "i18n/tiny/el.po").write_text(
        'msgid ""\nmsgstr "Language: el\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n'
        + "\n".join(f'msgctxt "{c}"\nmsgid "{m}"\nmsgstr "{t}"\n' for c, m, t in entries)
    )
    code, said = stonehand("rules", "tiny")
    assert (code, said) == (
        1,
        [
            "i18n/tiny/el.po:14:8: error: 'one': the translation lacks [[one]]"
            " (the words after the bar are free, the rest is not) [references]"
        ],
    )
    assert not list(tiny.rglob("*.pdf"))


DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_rules_on_the_page_of_the_manual_are_set_without_a_fault(
    tmp_path, monkeypatch, stonehand
):
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "how-to/rules.md").read_text("utf-8")
    steps = BLOCK.findall((DOCS / "tutorial.md").read_text("utf-8")) + BLOCK.findall(page)
    for file, _, text in steps:
        if file and file != "layouts/books.yaml":
            target = tmp_path / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
    told = next(text for file, language, text in BLOCK.findall(page) if language == "text")
    assert stonehand("rules", "pond", "--lang", "en") == (0, told.splitlines())
    rules = tmp_path / "i18n/pond/rules.md"
    rules.write_text(rules.read_text("utf-8").replace("([[B_01]])", "([[B_10]])"), "utf-8")
    code, [said] = stonehand("rules", "pond", "--lang", "en")
    assert code == 1
    assert said.endswith(": error: unknown reference 'B_10' (did you mean 'B_02'?)")
    assert f"\n{said}\n" in page


def test_the_page_of_the_manual_tells_every_container():
    page = (DOCS / "how-to/rules.md").read_text("utf-8")
    assert set(re.findall(r"`::: (\w+)", page)) == set(CONTAINERS)


def test_a_game_without_rules_is_told(tiny, stonehand):
    code, [said] = stonehand("rules", "tiny")
    assert code == 1
    assert said.startswith("i18n/tiny/rules.md: error: not found: the game has no rules")


def test_a_termbase_with_a_short_row_or_a_key_twice_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "terms.csv"
    path.write_text("key,en,hi\na,A;b;,क\nb,B\na,C,ग\n", encoding="utf-8")
    problems = Problems()
    terms = load_terms(path, problems)
    assert [str(problem) for problem in problems] == [
        "terms.csv:3:1: error: the row has 2 cells, the first one 3",
        "terms.csv:4:1: error: the term 'a' is taken (first at terms.csv:2:1)",
    ]
    assert terms["a"].stems["en"] in (("A", "b"), ("C",))


NOT_CSV_HINT = "(close every quote that is opened, and write a quote within a cell twice)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1:1: error: the first row names no column 'key'"),
        ("key,en,en\na,b,c\n", "1:1: error: the column 'en' is there 2 times"),
        ('key,en\na,"b\nc,d\n', f"2:1: error: not CSV: unexpected end of data {NOT_CSV_HINT}"),
        ('key,en\na,"b"c\n', f"2:1: error: not CSV: ',' expected after '\"' {NOT_CSV_HINT}"),
        (
            f'key,en\n"a\nb",c\nd,{"e" * 140_000}\n',
            f"4:1: error: not CSV: field larger than field limit (131072) {NOT_CSV_HINT}",
        ),
        ('key,en\n"a\nb",c\nd\n', "4:1: error: the row has 1 cells, the first one 2"),
    ],
    ids=range(6),
)
def test_what_is_no_termbase_is_told_where_its_row_begins(tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "terms.csv").write_text(text, encoding="utf-8")
    problems = Problems()
    load_terms(Path("terms.csv"), problems)
    assert [str(problem) for problem in problems] == [f"terms.csv:{said}"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_rows_of_a_termbase_end_as_any_system_ends_lines(tmp_path, end):
    path = tmp_path / "terms.csv"
    path.write_bytes(f'key,en{end}a,"A;b"{end}c,C{end}'.encode())
    problems = Problems()
    terms = load_terms(path, problems)
    assert not list(problems)
    assert {term.key: (term.stems["en"], term.at.line) for term in terms.values()} == {
        "a": (("A", "b"), 2),
        "c": (("C",), 3),
    }


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(st.sampled_from('key,en";\n\r\t \u2028é카\ufeff')) | st.text())
def test_any_termbase_is_read_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "terms.csv"
    path.write_bytes(f"key{text}".encode("utf-8", "surrogatepass"))
    problems = Problems()
    terms = load_terms(path, problems)
    assert all(term.at.line for term in terms.values())
    assert all(str(problem).startswith(str(path)) for problem in problems)
