"""Rulebooks in two languages: side by side, each block beginning on the same line in both."""

from collections import defaultdict
from itertools import pairwise

import pytest

from stonehand.press import Press
from stonehand.rulebooks import rules_of, terms_of
from stonehand.rules.bilingual import lay_out_two
from stonehand.rules.style import load_books
from stonehand.scene import Anchor, GlyphRun, Group, Link, Scene, Tag
from stonehand.sheets.papers import find_paper, load_papers
from stonehand.source.text import Text


@pytest.fixture(scope="module")
def book(press: Press, oniroo):
    """The rules of ONIROO in Hindi and English, on A4."""
    layouters = tuple(press.layouter(oniroo, press.languages[code]) for code in ("hi", "en"))
    style = load_books(press.project.files("layouts/books.yaml"), press.problems)["a4"]
    papers = load_papers(press.project.files("layouts/papers.yaml"), press.problems)
    paper = find_paper(Text("a4"), papers)
    rules = rules_of(oniroo, press)
    return lay_out_two(rules, layouters, terms_of(oniroo, press), style, paper)


def runs(page: Scene):
    """Yield every run of text that is not on a card in a figure, with its place on the page."""
    for mark, matrix in page.walk():
        if isinstance(mark, GlyphRun) and matrix.a == 1:
            yield mark, *matrix(mark.x, mark.y)


def places(book) -> dict[str, list[tuple[int, float, float]]]:
    found = defaultdict(list)
    for number, page in enumerate(book.pages, 1):
        for mark, matrix in page.walk():
            if isinstance(mark, Anchor):
                x, y = matrix(mark.x, mark.y)
                found[mark.name].append((number, round(x, 3), round(y, 3)))
    return found


def tags(mark, found: list[Tag]) -> list[Tag]:
    if isinstance(mark, Group):
        if mark.tag:
            found.append(mark.tag)
        for inner in mark.marks:
            tags(inner, found)
    return found


def test_every_heading_stands_on_one_line_in_both_languages(book):
    for name, both in places(book).items():
        (page, left, y), (other_page, right, other_y) = both
        assert (page, y) == (other_page, other_y), name
        assert left < 105 < right, name


def test_each_language_keeps_to_its_half_of_the_page(book):
    for page in book.pages[1:]:
        for run, x, y in runs(page):
            hindi = any("\u0900" <= character <= "\u097f" for character in run.text)
            if hindi and y > 20:  # below the running head
                assert x + run.width < 105, run.text


def test_no_text_of_the_two_overlaps(book):
    for page in book.pages[1:]:
        lines = defaultdict(list)
        for run, x, y in runs(page):
            lines[round(y, 2)].append((x, x + run.width))
        for spans in lines.values():
            spans.sort()
            for (_, end), (start, _) in pairwise(spans):
                assert end <= start + 0.01


def test_who_listens_hears_one_language_whole_and_then_the_other(book):
    roots = []
    for page in book.pages:
        for mark in page.marks:
            for tag in tags(mark, []):
                top = tag
                while top.parent:
                    top = top.parent
                if top not in roots:
                    roots.append(top)
    assert [(tag.role, tag.language) for tag in roots] == [("Div", "hi"), ("Div", "en")]


def test_links_lead_to_places_of_the_book(book):
    known = set(places(book))
    targets = {
        mark.target for page in book.pages for mark, _ in page.walk() if isinstance(mark, Link)
    }
    assert {target for target in targets if target in known} >= {"C_02", "F_05", "N"}
    assert not {target for target in targets if target not in known}
