"""Rulebooks as PDF: what readers are told, structure, links, and the text that is read back.

The rules of ONIROO in all its languages. What is to be found is taken from `rules.md` and the PO
files (see `printed` in conftest.py).

Structure is walked with pikepdf, and the text of each node decoded here by the tables of the fonts.
The nodes that hold text, in their order, are compared with what the source says, role and text,
whole and exactly. White space and the soft hyphens at line ends do not count. What is within
figures is not compared (card texts; they are those of test_extraction.py).

Text is read with pypdf, pdfium and `pdftotext -raw` in the order each of them gives, running heads
cut off. White space is folded to one space; a soft hyphen at a line's end goes, and the line's end
after it; a line's end after a hyphen, dash or slash that was written is no space. Each text of the
source, block by block, must be found, after the one before it. Texts that stand in between (those
of cards in figures, contents, marks of lists) are skipped.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pypdf
import pypdfium2
import pytest

from stonehand.rules.blocks import (
    Box,
    Components,
    Figure,
    Heading,
    ListBlock,
    Paragraph,
    Parts,
    Scores,
    Table,
)

LANGUAGES = ("en", "hi", "el", "ko")
READERS = ("pypdf", "pdfium", "pdftotext")
MILLION = 1_000_000


@pytest.fixture(scope="module")
def opened(oniroo_rules):
    """The four books, opened with pikepdf."""
    books = {code: pikepdf.open(path) for code, path in oniroo_rules.items()}
    yield books
    for book in books.values():
        book.close()


@pytest.fixture(params=LANGUAGES)
def code(request) -> str:
    return request.param


@pytest.fixture
def pdf(opened, code) -> pikepdf.Pdf:
    return opened[code]


def words_of(press, code: str, name: str) -> str:
    """Return a word that the program prints in a language."""
    return str(press.languages[code].words[name])


# --- what readers are told ---


class TestWhatReadersAreTold:
    def test_title_is_that_of_the_game_in_its_language(self, pdf, press, rules_text, printed, code):
        title = f"{printed(code, rules_text.title)}: {words_of(press, code, 'rules')}"
        assert pdf.docinfo.Title == title
        with pdf.open_metadata() as metadata:
            assert metadata["dc:title"] == title
        assert pdf.Root.ViewerPreferences.DisplayDocTitle == True  # noqa: E712 -- a PDF boolean

    def test_language_is_that_of_the_text(self, pdf, code):
        assert pdf.Root.Lang == code

    def test_outline_has_the_sections_and_within_them_their_rules(
        self, pdf, rules_text, printed, code
    ):
        wanted = []
        for heading in headings(rules_text):
            mark = str(heading.id) if heading.rule or len(heading.id) == 1 else ""
            words = printed(code, heading.text) if heading.text else ""
            wanted.append((heading.level, " ".join(filter(None, (mark, words)))))

        def walk(items, level):
            for item in items:
                yield (level, item.title)
                yield from walk(item.children, level + 1)

        with pdf.open_outline() as outline:
            assert list(walk(outline.root, 2)) == wanted
            assert len(outline.root) == sum(level == 2 for level, _ in wanted)

    def test_bookmarks_lead_to_their_headings(self, pdf, rules_text):
        places = destinations(pdf)

        def walk(items):
            for item in items:
                yield item.destination
                yield from walk(item.children)

        with pdf.open_outline() as outline:
            found = [repr(place) for place in walk(outline.root)]
        assert found == [repr(places[str(heading.id)]) for heading in headings(rules_text)]


def headings(rules) -> list[Heading]:
    return [block for block in rules.blocks if isinstance(block, Heading)]


def destinations(pdf) -> dict[str, pikepdf.Object]:
    return {str(k): v for k, v in pikepdf.NameTree(pdf.Root.Names.Dests).items()}


class TestPlaces:
    def test_every_id_is_a_named_place_and_nothing_else_is(self, pdf, rules_text):
        assert set(destinations(pdf)) == {str(heading.id) for heading in headings(rules_text)}

    def test_places_lie_on_pages_of_the_book_in_the_order_of_the_ids(self, pdf, rules_text):
        pages = [page.obj.objgen for page in pdf.pages]
        places = destinations(pdf)
        order = []
        for heading in headings(rules_text):
            page, kind, x, y, zoom = list(places[str(heading.id)])
            assert kind == "/XYZ"
            assert zoom is None
            _, _, right, top = map(float, page.MediaBox)
            assert 0 <= x <= right
            assert 0 <= y <= top
            column = int(float(x) > right / 2)
            order.append((pages.index(page.objgen), column, -float(y)))
        assert order == sorted(order)

    def test_every_link_leads_to_a_place_of_the_book_and_says_so(self, pdf):
        places = destinations(pdf)
        for page, annotation in annotations(pdf):
            assert annotation.A.S == "/GoTo"
            assert str(annotation.A.D) in places
            assert str(annotation.Contents)
            assert annotation.F == 4  # it is printed
            left, bottom, right, top = map(float, annotation.Rect)
            _, _, width, height = map(float, page.MediaBox)
            assert 0 < left < right < width
            assert 0 < bottom < top < height

    def test_contents_and_references_are_links(self, pdf, rules_text):
        """One each; a reference that goes on in the next line has one more."""
        ids = {str(heading.id) for heading in headings(rules_text)}
        wanted = dict.fromkeys(ids, 0)
        for heading in headings(rules_text):
            wanted[str(heading.id)] += heading.level == 2
        for message in rules_text.texts():
            for target in re.findall(r"\[\[([^|\]]+)", message):
                if target in ids:
                    wanted[target] += 1
        found = dict.fromkeys(ids, 0)
        for _, annotation in annotations(pdf):
            found[str(annotation.A.D)] += 1
        assert {n: k for n, k in wanted.items() if found[n] < k} == {}
        assert sum(found.values()) < sum(wanted.values()) * 1.2


def annotations(pdf) -> Iterator[tuple[pikepdf.Page, pikepdf.Object]]:
    for page in pdf.pages:
        for annotation in page.get("/Annots", []):
            assert annotation.Subtype == "/Link"
            yield page, annotation


# --- structure ---


def elements(pdf) -> Iterator[pikepdf.Object]:
    """Yield the nodes of the structure tree in their order."""

    def walk(node):
        yield node
        for kid in kids(node):
            if kid.get("/Type") == "/StructElem":
                assert kid.P.objgen == node.objgen
                yield from walk(kid)

    root = pdf.Root.StructTreeRoot
    assert root.K.S == "/Document"
    assert root.K.P.objgen == root.objgen
    yield from walk(root.K)


def kids(node) -> list[pikepdf.Object]:
    inner = node.get("/K", [])
    return list(inner) if isinstance(inner, pikepdf.Array) else [inner]


PAINTS = {"f", "f*", "F", "S", "s", "B", "B*", "b", "b*", "Do", "sh", "Tj", "TJ", "'", '"', "EI"}


class TestStructure:
    def test_is_announced(self, pdf):
        assert pdf.Root.MarkInfo.Marked == True  # noqa: E712 -- a PDF boolean
        assert all(page.Tabs == "/S" for page in pdf.pages)

    def test_has_the_standard_roles_only(self, pdf):
        roles = {str(node.S) for node in elements(pdf)}
        blocks = {"Document", "H1", "H2", "H3", "P", "Caption", "Figure", "Link"}
        lists = {"L", "LI", "Lbl", "LBody", "TOC", "TOCI", "Reference"}
        tables = {"Table", "TR", "TH", "TD"}
        assert roles == {f"/{role}" for role in blocks | lists | tables}

    def test_nests_as_the_standard_says(self, pdf):
        """ISO 32000-1, 14.8.4.3: what stands in lists, contents and tables."""
        within = {
            "LI": {"L"},
            "Lbl": {"LI"},
            "LBody": {"LI"},
            "TOCI": {"TOC"},
            "TR": {"Table"},
            "TH": {"TR"},
            "TD": {"TR"},
        }
        only = {"L": {"LI"}, "TOC": {"TOCI"}, "Table": {"TR"}, "TR": {"TH", "TD"}}
        for node in elements(pdf):
            role = str(node.S)[1:]
            inner = [str(kid.S)[1:] for kid in kids(node) if kid.get("/Type") == "/StructElem"]
            if role in within:
                assert str(node.P.S)[1:] in within[role]
            if role in only:
                assert set(inner) <= only[role]
                assert len(inner) == len(kids(node))  # no text of their own
            if role == "LI":
                assert inner == ["Lbl", "LBody"]
            assert kids(node), f"an empty {role}"

    def test_pages_and_tree_agree_on_every_piece_of_content(self, pdf):
        parents = dict(pikepdf.NumberTree(pdf.Root.StructTreeRoot.ParentTree).items())
        keys = []
        claimed: dict[tuple, list] = {}
        objects = []
        for node in elements(pdf):
            for kid in kids(node):
                if kid.get("/Type") == "/MCR":
                    claimed.setdefault((kid.Pg.objgen, int(kid.MCID)), []).append(node.objgen)
                elif kid.get("/Type") == "/OBJR":
                    objects.append((kid.Obj.objgen, node.objgen))
        assert all(len(nodes) == 1 for nodes in claimed.values())
        total = 0
        for page in pdf.pages:
            keys.append(int(page.StructParents))
            nodes = list(parents[keys[-1]])
            ids = marked(page)
            assert ids == list(range(len(nodes)))
            for mcid, node in enumerate(nodes):
                assert claimed[page.obj.objgen, mcid] == [node.objgen]
            total += len(nodes)
        assert total == len(claimed)
        links = [(a.objgen, parents[int(a.StructParent)].objgen) for _, a in annotations(pdf)]
        keys += [int(a.StructParent) for _, a in annotations(pdf)]
        assert sorted(links) == sorted(objects)
        assert sorted(keys) == sorted(parents) == list(range(len(keys)))
        assert int(pdf.Root.StructTreeRoot.ParentTreeNextKey) == len(keys)

    def test_all_that_is_painted_is_tagged_or_decoration(self, pdf):
        for page in pdf.pages:
            open_: list[str] = []
            for operands, operator in pikepdf.parse_content_stream(page):
                name = str(operator)
                if name in ("BDC", "BMC"):
                    assert not open_, "marked content within marked content"
                    open_.append(str(operands[0]))
                elif name == "EMC":
                    open_.pop()
                elif name in PAINTS:
                    assert open_, f"{name} {operands} is neither"
            assert not open_

    def test_figures_say_in_words_what_they_show(self, pdf, rules_text, printed, oniroo, code):
        names = {
            str(card.id): printed(code, card.values["name"]) for card in oniroo.cards
        }  # as on the cards

        def wanted(blocks):
            for block in blocks:
                if isinstance(block, Figure):
                    shown = ", ".join(names[card] for card in block.cards)
                    yield f"{printed(code, block.caption)}: {shown}"
                elif isinstance(block, Parts):
                    yield names[block.card]
                elif isinstance(block, Box):
                    yield from wanted(block.blocks)

        found = [spaced(str(node.Alt)) for node in elements(pdf) if node.S == "/Figure"]
        assert found == list(map(spaced, wanted(rules_text.blocks)))
        assert not any(character in text for text in found for character in "[]{}*|")

    def test_heads_of_tables_say_what_they_head(self, pdf):
        for node in elements(pdf):
            if node.S == "/TH":
                assert node.A.O == "/Table"
                assert node.A.Scope in ("/Column", "/Row")

    def test_rows_of_a_table_have_as_many_cells(self, pdf):
        for node in elements(pdf):
            if node.S == "/Table":
                assert len({len(kids(row)) for row in kids(node)}) == 1


def marked(page) -> list[int]:
    """Return the ids of a page's marked content in the order they are painted."""
    found = []
    for operands, operator in pikepdf.parse_content_stream(page):
        if str(operator) == "BDC":
            found.append(int(operands[1].MCID))
    return found


# --- every block once, in order, in its role ---


class Element(NamedTuple):
    role: str
    text: str  # without white space and soft hyphens


def solid(text: str) -> str:
    return re.sub(r"[\s\u00ad]", "", text)


def expected(rules, printed, press, oniroo, code) -> Iterator[Element]:
    """Yield what the structure of a book holds, in order, from its source."""

    def word(name: str) -> str:
        return words_of(press, code, name)

    def message(role: str, text) -> Element:
        return Element(role, solid(printed(code, text)))

    def optional(heading: Heading) -> str:
        return f"({word('optional')})" if heading.optional else ""

    def block(one) -> Iterator[Element]:
        if isinstance(one, Heading):
            mark = str(one.id) if one.rule or len(one.id) == 1 else ""
            words = printed(code, one.text) if one.text else ""
            yield Element(f"H{one.level}", solid(mark + words + optional(one)))
        elif isinstance(one, Paragraph):
            yield message("P", one.text)
        elif isinstance(one, ListBlock):
            marks = press.languages[code].list_marks
            for number, item in enumerate(one.items, 1):
                mark = marks.get("number", "{}.").replace("{}", str(number))
                yield Element("Lbl", mark if one.numbered else marks.get("dash", "–"))
                for inner in item:
                    yield from block(inner)
        elif isinstance(one, Table):
            yield from (message("TH", cell) for cell in one.head)
            yield from (message("TD", cell) for row in one.rows for cell in row)
        elif isinstance(one, Figure):
            yield Element("Figure", "")
            yield message("Caption", one.caption)
        elif isinstance(one, Parts):
            yield Element("Figure", "")
            for number, (_, words) in enumerate(one.labels, 1):
                yield Element("Lbl", str(number))
                yield message("LBody", words)
        elif isinstance(one, Box):
            yield Element("P", solid(word(one.kind)))
            for inner in one.blocks:
                yield from block(inner)
        elif isinstance(one, Components):
            yield Element("TH", solid(word("kind")))
            yield Element("TH", solid(word("count")))
            for kind, title in oniroo.titles.items():
                yield message("TD", title)
                yield Element("TD", str(sum(c.count for c in oniroo.cards if c.kind == kind)))
            yield Element("TD", solid(word("total")))
            yield Element("TD", str(sum(card.count for card in oniroo.cards)))
        else:
            assert isinstance(one, Scores)
            labels = [word("player"), *map(str, range(1, one.rows + 1)), word("total")]
            yield from (Element("TH", solid(label)) for label in labels)

    yield message("H1", rules.title)
    yield Element("P", solid(word("rules")))
    first = next(i for i, one in enumerate(rules.blocks) if isinstance(one, Heading))
    for one in rules.blocks[:first]:
        yield from block(one)
    yield Element("H2", solid(word("contents")))
    for heading in headings(rules):
        if heading.level == 2:
            mark = str(heading.id) if len(heading.id) == 1 else ""
            yield Element("TOCI", solid(mark + printed(code, heading.text) + optional(heading)))
    for one in rules.blocks[first:]:
        yield from block(one)


def read_structure(pdf) -> Iterator[Element]:
    """Yield the nodes that hold text, or are figures, in the order of the tree."""
    texts = {page.obj.objgen: marked_texts(page) for page in pdf.pages}
    for node in elements(pdf):
        role = str(node.S)[1:]
        held = [kid for kid in kids(node) if kid.get("/Type") == "/MCR"]
        text = solid("".join(texts[kid.Pg.objgen][int(kid.MCID)] for kid in held))
        if role == "Figure":
            assert held
            yield Element(role, "")
        elif role == "Reference":
            # it ends with a page number, which test_rules_pages.py compares
            yield Element("TOCI", re.sub(r"\d+\Z", "", text))
        elif held:
            yield Element(role, text)


def marked_texts(page) -> dict[int, str]:
    """Return the text of each piece of marked content of a page, by its id."""
    fonts = {name: to_unicode(font) for name, font in page.Resources.Font.items()}
    texts: dict[int, str] = {}
    mcid, font = -1, {}
    for operands, operator in pikepdf.parse_content_stream(page):
        name = str(operator)
        if name == "BDC":
            mcid = int(operands[1].MCID)
            texts[mcid] = ""
        elif name == "EMC":
            mcid = -1
        elif name == "Tf":
            font = fonts[str(operands[0])]
        elif name == "TJ" and mcid >= 0:
            data = b"".join(bytes(o) for o in operands[0] if isinstance(o, pikepdf.String))
            codes = zip(data[::2], data[1::2], strict=True)
            texts[mcid] += "".join(font[high * 256 + low] for high, low in codes)
    return texts


def to_unicode(font) -> dict[int, str]:
    """Read the table of a font that says what its codes stand for (ISO 32000-1, 9.10.3)."""
    table: dict[int, str] = {}
    cmap = font.ToUnicode.read_bytes().decode("ascii")
    for section in re.findall(r"beginbfchar(.*?)endbfchar", cmap, re.DOTALL):
        for code, text in re.findall(r"<(\w+)>\s*<(\w*)>", section):
            assert text, f"pdfium shows code {code}, which stands for nothing, as a letter"
            table[int(code, 16)] = bytes.fromhex(text).decode("utf-16-be")
    assert "beginbfrange" not in cmap
    return table


def test_every_block_is_in_the_structure_once_in_order_in_its_role(
    pdf, rules_text, printed, press, oniroo, code
):
    wanted = list(expected(rules_text, printed, press, oniroo, code))
    assert len(wanted) > 600
    assert list(read_structure(pdf)) == wanted


# --- the text that is read back ---


@cache
def pages_read(reader: str, path: Path) -> list[str]:
    if reader == "pypdf":
        return [page.extract_text() for page in pypdf.PdfReader(path).pages]
    if reader == "pdfium":
        with pypdfium2.PdfDocument(path) as document:
            return [page.get_textpage().get_text_range() for page in document]
    if not shutil.which("pdftotext"):
        pytest.skip("Poppler is not installed")
    made = subprocess.run(
        ["pdftotext", "-raw", "-enc", "UTF-8", path, "-"], capture_output=True, check=True
    )
    return made.stdout.decode().split("\f")[:-1]


def spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def folded(text: str, reader: str = "") -> str:
    """Return a text without what comes of its lines; also without hyphens for pdfium.

    pdfium gives every hyphen at a line's end as U+FFFE, whether it was written or made.
    """
    text = re.sub(r"[\u00ad\ufffe] ?", "", spaced(text))
    text = re.sub(r"(?<=\S[-–—/]) (?=\w)", "", text) if reader else text
    return text.replace("-", "") if reader == "pdfium" else text


@pytest.mark.parametrize("reader", READERS)
def test_every_text_comes_back_in_reading_order(
    oniroo_rules, rules_text, printed, press, code, reader
):
    sections = [printed(code, h.text) for h in headings(rules_text) if h.level == 2]
    name = f"{printed(code, rules_text.title)} · {words_of(press, code, 'rules')}"
    # the page's number, the book's name and a section, at the head in any order
    parts = "|".join(re.escape(words) for words in (name, *sections))
    head = re.compile(rf"\A(\d+) (?:{parts}) ?(?:{parts}) ")
    text = ""
    for number, page in enumerate(pages_read(reader, oniroo_rules[code]), 1):
        read = spaced(page).strip()
        if number > 1:
            match = head.match(read)
            assert match, f"no running head on page {number}: {read[:80]}"
            assert match[1] == str(number)
            read = read[match.end() :]
        text += f" {read}"
    text = folded(text, reader)
    at = 0
    before = ""
    for message in rules_text.texts():
        wanted = folded(printed(code, message), reader)
        found = text.find(wanted, at)
        assert found >= 0, (
            f"{message.context}: '{wanted}' does not follow '{before}'"
            f"{' but is there' if wanted in text else ''}"
        )
        at, before = found + len(wanted), wanted


# --- the file ---


class TestFile:
    def test_is_the_same_made_elsewhere_alone_at_any_time(self, oniroo_rules, tmp_path):
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        env = os.environ | {"TZ": "America/Lima", "PYTHONHASHSEED": "7", "HOME": str(folder)}
        entry = "import sys; from stonehand.cli import main; sys.argv[0] = 'stonehand'; main()"
        arguments = ["rules", "oniroo", "--lang", "ko", "-o", "again.pdf", "--quiet"]
        subprocess.run([sys.executable, "-c", entry, *arguments], cwd=folder, env=env, check=True)
        assert (folder / "again.pdf").read_bytes() == oniroo_rules["ko"].read_bytes()

    def test_is_small(self, oniroo_rules, code):
        assert oniroo_rules[code].stat().st_size < 1.5 * MILLION

    def test_has_no_fault_that_qpdf_finds(self, oniroo_rules, code):
        if not shutil.which("qpdf"):
            pytest.skip("qpdf is not installed")
        made = subprocess.run(
            ["qpdf", "--check", oniroo_rules[code]], capture_output=True, text=True, check=False
        )
        assert made.returncode == 0, made.stdout + made.stderr
        assert not made.stderr
