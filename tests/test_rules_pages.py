"""Pages of rulebooks: whole lines of a grid, nothing torn apart, nothing outside the margins."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import msgspec
import pytest

from stonehand.press import Press
from stonehand.project import Project
from stonehand.rules.blocks import Heading
from stonehand.rules.book import MAX_LAYOUTS, Book, Maker, joined, settled
from stonehand.rules.figures import EDGE
from stonehand.rules.pages import PageFormat, fill
from stonehand.rules.reading import read_rules
from stonehand.rules.setting import Piece
from stonehand.rules.style import load_books
from stonehand.rules.terms import load_terms
from stonehand.scene import Anchor, GlyphRun, Group, Matrix, Path, Scene, Tag
from stonehand.sheets.papers import find_paper, load_papers
from stonehand.source.problems import Problems
from stonehand.source.text import Text

LANGUAGES = ("en", "hi", "el", "ko")
FORMATS = ("a4", "a5", "letter", "half-letter")
DUST = 1e-6  # mm


@dataclass
class Placed:
    """A piece of a book and where it was put: page, column and top, in mm."""

    piece: Piece
    page: int
    column: int
    x: float
    y: float


@dataclass
class Laid:
    """A laid-out book, its pieces in their order, and what they were put by."""

    book: Book
    layout: PageFormat
    maker: Maker
    placed: list[Placed] = field(default_factory=list)

    @property
    def bottom(self) -> float:
        return self.layout.style.top.mm + self.layout.column_height


class Desk:
    """Lays out rules with a press of its own, so that its problems are those of one test."""

    def __init__(self, shipped) -> None:
        self.press = Press(Project((shipped,)), Problems())
        self.game = self.press.load(self.press.project.games()["oniroo"])
        self.terms = load_terms(shipped / "i18n/oniroo/terms.csv", self.press.problems)
        problems = self.press.problems
        self.styles = load_books([shipped / "layouts/books.yaml"], problems)
        self.papers = load_papers([shipped / "layouts/papers.yaml"], problems)
        self.press.read_pictures(self.game.cards)

    @property
    def said(self) -> list[str]:
        return [str(problem) for problem in self.press.problems]

    def lay(self, rules, code: str, style) -> Laid:
        [language] = self.press.languages_of(self.game, [Text(code)])
        layouter = self.press.layouter(self.game, language)
        paper = find_paper(style.paper, self.papers)
        # as `lay_out` does, keeping what it makes on the way
        layout = PageFormat(style, *paper, style.leading.mm * language.leading)
        maker = Maker(rules, layouter, self.terms, layout)
        book = settled(maker, lambda numbers: joined(maker.groups(numbers)), maker.opening())
        numbers = {
            mark.name: number
            for number, page in enumerate(book.pages, 1)
            for mark, _ in page.walk()
            if isinstance(mark, Anchor)
        }
        pieces = joined(maker.groups(numbers))
        pages = fill(pieces, layout, maker.opening())
        assert len(pages) == len(book.pages)
        where = {}
        for page in pages:
            xs = [layout.column_x(c, page.number) for c in range(style.columns)]
            for group in page.marks:
                x, y = group.matrix.e, group.matrix.f
                column = max(c for c, left in enumerate(xs) if left <= x + DUST)
                where.setdefault(id(group.marks), []).append((page.number, column, x, y))
        made = Laid(book, layout, maker)
        for piece in pieces:
            if piece.marks:
                [place] = where[id(piece.marks)]
                made.placed.append(Placed(piece, *place))
        return made


@pytest.fixture
def desk(shipped) -> Desk:
    return Desk(shipped)


@pytest.fixture(scope="module")
def shared(shipped) -> Desk:
    return Desk(shipped)


@pytest.fixture(
    scope="module", params=[*(("a4", c) for c in LANGUAGES), ("a5", "hi")], ids="-".join
)
def laid(request, shared, rules_text) -> Laid:
    """The rules of Oniroo as shipped: the A4 books, and one of a single column."""
    style, code = request.param
    made = shared.lay(rules_text, code, shared.styles[style])
    assert shared.said == []
    return made


def tags(piece: Piece) -> list[Tag]:
    """Return the tags of a piece's marks, in their order."""

    def walk(marks) -> Iterator[Tag]:
        for mark in marks:
            if isinstance(mark, Group):
                if mark.tag:
                    yield mark.tag
                yield from walk(mark.marks)

    return list(walk(piece.marks))


def runs(marks) -> list[tuple[GlyphRun, Matrix]]:
    return [(m, at) for m, at in Scene(1, 1, tuple(marks)).walk() if isinstance(m, GlyphRun)]


def lines_of_text(laid: Laid) -> list[Placed]:
    """Return the pieces that are one line of running text each, in paragraphs and lists."""
    body = laid.layout.style.size.mm
    found = []
    for placed in laid.placed:
        names = [tag.role for tag in tags(placed.piece)]
        sizes = {run.size for run, _ in runs(placed.piece.marks)}
        one = abs(placed.piece.height - laid.layout.unit) < DUST and sizes == {body}
        if one and names and set(names) <= {"P", "Lbl", "Link"}:
            found.append(placed)
    return found


class TestTheGrid:
    def test_pieces_and_the_space_before_them_are_whole_lines(self, laid):
        for placed in laid.placed:
            for length in (placed.piece.height, placed.piece.before):
                lines = length / laid.layout.unit
                assert abs(lines - round(lines)) < DUST

    def test_baselines_of_running_text_agree_on_a_page_and_from_page_to_page(self, laid):
        unit = laid.layout.unit
        seen = set()
        columns = set()
        for placed in lines_of_text(laid):
            for run, matrix in runs(placed.piece.marks):
                _, y = matrix(run.x, run.y)
                seen.add(
                    round((placed.y + y - laid.layout.style.top.mm) % unit, 3) % round(unit, 3)
                )
                columns.add(placed.column)
        assert len(seen) == 1
        assert len(columns) == laid.layout.style.columns

    def test_most_of_the_book_is_running_text(self, laid):
        assert len(lines_of_text(laid)) > 300

    def test_columns_are_whole_lines_high(self, laid):
        lines = laid.layout.column_height / laid.layout.unit
        assert abs(lines - round(lines)) < DUST
        assert lines > 25


class TestNothingIsTornApart:
    def test_no_heading_stands_at_the_foot_of_a_column(self, laid):
        for one, after in pairwise(laid.placed):
            if any(isinstance(mark, Anchor) for mark, _ in walk(one.piece)):
                assert (one.page, one.column) == (after.page, after.column)

    def test_no_line_of_a_paragraph_stands_alone(self, laid):
        paragraphs: dict[int, list[Placed]] = {}
        for placed in lines_of_text(laid):
            for tag in tags(placed.piece):
                if tag.role == "P":
                    paragraphs.setdefault(id(tag), []).append(placed)
                    break
        parted = 0
        for lines in paragraphs.values():
            columns = [(line.page, line.column) for line in lines]
            assert columns == sorted(columns)
            for column in set(columns):
                assert columns.count(column) > 1 or len(lines) == 1
            parted += len(set(columns)) > 1
        assert parted or laid.layout.style.columns == 1  # there are some

    def test_a_figure_and_its_caption_are_in_one_column(self, laid):
        figures = 0
        for placed in laid.placed:
            roles = [tag.role for tag in tags(placed.piece)]
            assert roles.count("Figure") <= roles.count("Caption") + roles.count("LBody")
            figures += roles.count("Figure")
        assert figures >= 20

    def test_columns_are_filled_in_order_from_the_top(self, laid):
        places = [(p.page, p.column, p.y) for p in laid.placed]
        assert places == sorted(places)
        for one, after in pairwise(laid.placed):
            if (one.page, one.column) == (after.page, after.column):
                assert after.y >= one.y + one.piece.height - DUST

    def test_no_column_but_the_last_is_left_empty(self, laid):
        ends: dict[tuple[int, int], float] = {}
        for placed in laid.placed:
            end = placed.y + placed.piece.height
            ends[placed.page, placed.column] = max(end, ends.get((placed.page, placed.column), 0.0))
        *most, _ = (ends[column] for column in sorted(ends))
        assert min(most) > laid.bottom - laid.layout.column_height * 0.6


def walk(piece: Piece):
    return Scene(1, 1, piece.marks).walk()


class TestMargins:
    def test_pieces_lie_between_head_and_foot(self, laid):
        for placed in laid.placed:
            assert placed.y >= laid.layout.style.top.mm - DUST
            assert placed.y + placed.piece.height <= laid.bottom + DUST

    def test_all_type_lies_in_its_column(self, laid):
        """That of cards in figures, too."""
        layout = laid.layout
        for placed in laid.placed:
            left = layout.column_x(placed.column, placed.page)
            for run, matrix in runs(placed.piece.marks):
                ink = run.width
                spaces = "".join(c.text for c in run.clusters)
                if spaces != spaces.rstrip():
                    continue  # what hangs out is white
                for x in (run.x, run.x + ink):
                    at, _ = matrix(x, run.y)
                    assert -0.1 <= at + placed.x - left <= layout.column_width + 0.1, run.text

    def test_heads_and_page_numbers_lie_in_the_margins(self, laid):
        style, layout = laid.layout.style, laid.layout
        for number, page in enumerate(laid.book.pages, 1):
            left = layout.column_x(0, number)
            right = layout.width - left - (style.outer.mm if number % 2 else style.inner.mm) + left
            decoration = [m for m in page.marks if not isinstance(m, Group) or not has_tag(m)]
            found = [
                (m.text, *at(m.x, m.y), at(m.x + m.width, m.y)[0])
                for m, at in runs(decoration)
                if m.size < style.size.mm
                and not layout.style.top.mm < at(m.x, m.y)[1] < laid.bottom
            ]
            assert str(number) in [text for text, *_ in found]
            for _, start, y, end in found:
                assert left - 0.1 <= start < end <= right + 0.1
                assert 4 < y < layout.height - 4


def has_tag(group: Group) -> bool:
    return group.tag is not None or any(
        has_tag(mark) for mark in group.marks if isinstance(mark, Group)
    )


def pages_of(laid: Laid) -> dict[str, int]:
    return {
        mark.name: number
        for number, page in enumerate(laid.book.pages, 1)
        for mark, _ in page.walk()
        if isinstance(mark, Anchor)
    }


class TestContents:
    def test_give_the_pages_on_which_the_sections_begin(self, laid, rules_text):
        rows: dict[int, str] = {}
        for page in laid.book.pages:
            for tag, text in tagged_texts(page.marks):
                if tag.role == "Reference":
                    rows[id(tag)] = f"{rows.get(id(tag), '')} {text}"
        at = pages_of(laid)
        sections = [b for b in rules_text.blocks if isinstance(b, Heading) and b.level == 2]
        found = [int(text.split()[-1]) for text in rows.values()]
        assert found == [at[str(section.id)] for section in sections]
        assert found == sorted(found)
        assert found[-1] > 8

    def test_running_heads_name_a_section_of_their_page(self, laid, rules_text):
        text = laid.maker.text
        sections = [b for b in rules_text.blocks if isinstance(b, Heading) and b.level == 2]
        at = pages_of(laid)
        for number, page in enumerate(laid.book.pages, 1):
            if number == 1:
                continue
            before = [s for s in sections if at[str(s.id)] < number]
            there = [s for s in sections if at[str(s.id)] == number]
            decoration = "\n".join(
                run.text for run, at_ in runs(page.marks) if at_(run.x, run.y)[1] < 18
            )
            names = [str(text(section.text)) for section in (*before[-1:], *there)]
            assert any(name in decoration for name in names)


def tagged_texts(marks, tag: Tag | None = None) -> Iterator[tuple[Tag, str]]:
    for mark in marks:
        if isinstance(mark, Group):
            yield from tagged_texts(mark.marks, mark.tag or tag)
        elif isinstance(mark, GlyphRun) and tag:
            yield tag, mark.text


# --- other rules ---


@pytest.fixture
def other(desk, tmp_path, monkeypatch):
    """A function that lays out a rules text in English; figures show cards of Oniroo."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, style: str = "a4", **changed) -> Laid:
        path = tmp_path / "rules.md"
        path.write_text(text, encoding="utf-8")
        rules = read_rules(path, desk.press.problems)
        assert rules
        return desk.lay(rules, "en", msgspec.structs.replace(desk.styles[style], **changed))

    return run


HEAD = "# Tiny\n\n## One {#one}\n\n"


def inside(laid: Laid) -> bool:
    """Tell whether all pieces lie within their columns from head to foot."""
    return all(p.y + p.piece.height <= laid.bottom + DUST for p in laid.placed)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_title_page_that_stays_half_empty_is_a_cover(shared, rules_text, code):
    """In A5 the contents of some languages go to the second page; the title then stands lower."""
    laid = shared.lay(rules_text, code, shared.styles["a5"])
    [contents] = [p for p in laid.placed if "Reference" in {t.role for t in tags(p.piece)}]
    above = laid.placed[0].y - laid.maker.opening().height - laid.layout.style.top.mm
    if contents.page == 1:
        assert above == pytest.approx(0, abs=DUST)
    else:
        ends = [p.y + p.piece.height for p in laid.placed if p.page == 1]
        below = laid.bottom - max(ends)
        assert above > 3 * laid.layout.unit
        assert below / 2 - laid.layout.unit < above <= below / 2 + DUST
        assert above / laid.layout.unit == pytest.approx(round(above / laid.layout.unit))


def test_pages_that_never_settle_end_with_a_warning(other, desk, monkeypatch):
    """Contents whose length depends on the numbers in them could be laid out for ever."""
    laid = other(f"{HEAD}Text.\n")
    tried = []

    def moved(pieces, layout, opening):
        tried.append(1)
        pages = fill(pieces, layout, opening)
        for page in pages:
            page.number += len(tried)
        return pages

    monkeypatch.setattr("stonehand.rules.book.fill", moved)
    maker = laid.maker
    book = settled(maker, lambda numbers: joined(maker.groups(numbers)), maker.opening())
    assert len(tried) == MAX_LAYOUTS
    assert len(book.pages) == len(laid.book.pages)
    [said] = desk.said
    assert said.startswith("rules.md:1:1: warning: the page numbers of the contents do not settle")


def test_rules_of_200_rules_are_laid_out(other, desk):
    text = "# Many\n\n" + "".join(
        f"## Section {letter} {{#{letter}}}\n\n"
        + "".join(
            f"### {letter}_{n:02} Rule\n\nDraw a card, as in [[{letter}_01]], and lay it down.\n\n"
            for n in range(1, 51)
        )
        for letter in "ABCD"
    )
    began = time.process_time()
    laid = other(text)
    assert time.process_time() - began < 10
    assert desk.said == []
    assert len(pages_of(laid)) == 204
    assert inside(laid)
    assert len(laid.book.pages) > 4


@pytest.mark.parametrize("style", FORMATS)
def test_a_figure_wider_than_its_column_is_made_smaller(other, desk, style):
    cards = ", ".join(f"{n:03}" for n in range(1, 41))
    few = ", ".join(f"{n:03}" for n in range(1, 6))
    laid = other(HEAD + "".join(f"![[{a} {few} | Five]]\n\n" for a in ("", "arrows", "fan")), style)
    TestMargins().test_all_type_lies_in_its_column(laid)
    laid = other(f"{HEAD}![[{cards} | Forty]]\n", style)
    TestMargins().test_all_type_lies_in_its_column(laid)
    assert inside(laid)
    assert desk.said == []


def test_a_table_that_does_not_fit_is_told(other, desk):
    cells = "|".join(f"Unforgettable{n}" for n in range(12))
    other(f"{HEAD}|{cells}|\n|{'|'.join('-' * 12)}|\n|{cells}|\n")
    told = [line for line in desk.said if "the table is" in line]
    assert len(told) == 1
    assert told[0].startswith("rules.md:5:1: warning: the table is ")
    assert told[0].endswith(" mm too wide for its column (use a wider format) [wide-table]")


def test_a_table_longer_than_a_page_goes_on_in_the_next_column(other, desk):
    rows = "".join(f"|Row {n}|{n}|\n" for n in range(300))
    laid = other(f"{HEAD}|What|Points|\n|-|-|\n{rows}")
    assert desk.said == []
    assert inside(laid)
    assert len({(p.page, p.column) for p in laid.placed}) > 4


@pytest.mark.parametrize("lines", range(28, 48, 4))
def test_a_short_table_is_not_divided(other, lines):
    text = "Words of a rule.\n\n" * lines
    laid = other(f"{HEAD}{text}|What|Points|\n|-|-|\n" + "|Duck|5|\n" * 12)
    rows = [p for p in laid.placed if tags(p.piece) and tags(p.piece)[0].role in ("TH", "TD")]
    assert len(rows) == 13
    assert len({(p.page, p.column) for p in rows}) == 1


def test_an_empty_cell_of_a_table_is_a_cell(other, desk):
    laid = other(f"{HEAD}|What|Points|\n|-|-|\n|Duck||\n|||\n")
    assert desk.said == []
    roles = [[tag.role for tag in tags(placed.piece)] for placed in laid.placed]
    assert roles[-3:] == [["TH", "TH"], ["TD", "TD"], ["TD", "TD"]]


def test_a_word_longer_than_its_column_is_told(other, desk):
    other(f"{HEAD}Short words.\n\nA {'x' * 90} here.\n")
    assert len(desk.said) == 1
    assert desk.said[0].startswith("rules.md:7:1: warning: a word is ")
    assert desk.said[0].endswith(" mm too wide for its column (use a wider format) [wide-word]")


LINES = "Draw a card and lay it down.\n\n"
TOO_HIGH = r"rules.md:{}:1: error: this is \d+ mm too high for a column \(divide it\)"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{HEAD}::: example\n{LINES * 60}:::\n", 6),
        (f"{HEAD}::: scores {{rows=40 players=4}}\n:::\n", 5),
        (f"# Tiny\n\n{LINES * 60}## One {{#one}}\n", 3),
    ],
    ids=["a box", "a score sheet", "an opening"],
)
def test_what_is_higher_than_a_column_is_told(other, desk, text, line):
    other(text)
    assert len(desk.said) == 1
    assert re.fullmatch(TOO_HIGH.format(line), desk.said[0])


def test_what_is_as_high_as_a_column_goes_to_a_page_without_title_block(other, desk):
    laid = other(f"{HEAD}::: example\n{LINES * 45}:::\n")
    assert desk.said == []
    assert inside(laid)
    assert laid.placed[-1].page == 2


def test_contents_longer_than_a_column_go_on_in_the_next(other, desk):
    sections = "".join(f"## Section number {n} {{#s{n}}}\n\nWords.\n\n" for n in range(150))
    laid = other(f"# Many\n\n{sections}")
    assert desk.said == []
    assert inside(laid)


def test_a_letter_that_no_font_has_is_told_with_its_place(other, desk):
    other(f"{HEAD}Cuneiform \U00012000 is old.\n")
    assert desk.said == [
        "rules.md:5:1: error: no font of 'en' has U+12000 '\U00012000' (rule one)"
        " (add a font to fonts/) [missing-glyph]"
    ]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Lay 1 2 3 4 down.", "Lay 1~2~3~4 down."),
        ("So 5 + 2 + 1 = 8 it is.", "So 5~+~2~+~1~=~8 it is."),
        ("The cross (+) and 2 cards.", "The cross (+) and 2 cards."),
    ],
)
def test_sums_and_runs_of_figures_stay_on_a_line(other, written, kept):
    setter = other(f"{HEAD}Words.\n").maker.setter
    [span] = setter.spans_of(Text(written))
    assert span.text.replace("\u00a0", "~") == kept


@pytest.mark.parametrize("name", ["oniroo", "tweak", "witch"])
@pytest.mark.parametrize("format_name", ["a4", "a5"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_title_keeps_off_the_cards_beside_it(shipped, shared, name, format_name, code):
    """A long title is in two lines, or smaller."""
    press = shared.press
    game = press.load(press.project.games()[name])
    [language] = press.languages_of(game, [Text(code)])
    rules = read_rules(game.folder.rules, press.problems)
    style = shared.styles[format_name]
    unit = style.leading.mm * language.leading
    layout = PageFormat(style, *find_paper(style.paper, shared.papers), unit)
    alone = msgspec.structs.replace(rules, blocks=())
    opening = Maker(alone, press.layouter(game, language), {}, layout).opening()
    width = layout.width - style.inner.mm - style.outer.mm
    page = Scene(width, opening.height, opening.marks)
    cards, letters = [], []
    for mark, matrix in page.walk():
        if isinstance(mark, Path) and mark.stroke == EDGE:
            cards += [matrix(*p[-2:]) for _, p in mark.outline if p]
        elif isinstance(mark, GlyphRun) and matrix == Matrix(e=matrix.e, f=matrix.f):
            x, _ = matrix(mark.x + mark.width, mark.y)
            letters.append((mark.size * matrix.a, x))
    assert cards
    largest = max(size for size, _ in letters)
    title = [x for size, x in letters if size == largest]
    assert max(title) < min(x for x, _ in cards)
    assert max(x for x, _ in cards) < width + style.outer.mm
