"""The HTML edition: well-formed, closed in itself, and with the words of the rules, all of them.

It is read back with the parser of the standard library, which knows as little of the writer as a
browser does. What the rules say is asked of the source and the PO files, not of the writer.
"""

import base64
import re
import struct
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from stonehand.language.languages import Language, load_languages
from stonehand.language.translation import Message
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.project import find_game, find_project, shipped_content
from stonehand.rulebooks import build_rules, rules_of
from stonehand.rules import inline
from stonehand.rules.blocks import Heading, translatable
from stonehand.rules.html_style import style_sheet
from stonehand.source.problems import Problems, StonehandError
from stonehand.source.text import Text
from stonehand.typesetting import markup

LANGUAGES = ("en", "hi", "el", "ko")
VOID = {"meta", "link", "img", "br"}
BLOCKS = {"p", "li", "h1", "h2", "h3", "td", "th", "figcaption", "title"}


@dataclass
class Node:
    name: str
    attributes: dict[str, str | None]
    parent: "Node | None" = None
    children: "list[Node | str]" = field(default_factory=list)

    def walk(self):
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()

    def all(self, *names: str) -> "list[Node]":
        return [node for node in self.walk() if node.name in names]

    @property
    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text for c in self.children)

    @property
    def flat(self) -> str:
        return fold(self.text)


class Reader(HTMLParser):
    """Builds a tree, and insists that every element is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Node("", {})

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice"
        node = Node(tag, dict(attrs), self.here)
        self.here.children.append(node)
        if tag not in VOID:
            self.here = node

    def handle_startendtag(self, tag, attrs):
        assert self.inside("svg"), f"<{tag}/> outside SVG"
        self.here.children.append(Node(tag, dict(attrs), self.here))

    def handle_endtag(self, tag):
        assert self.here.name == tag, f"</{tag}> closes <{self.here.name}>"
        assert self.here.parent
        self.here = self.here.parent

    def handle_data(self, data):
        if not self.inside("svg"):  # what is drawn over a card says nothing to readers
            self.here.children.append(data)

    def inside(self, name: str) -> bool:
        node: Node | None = self.here
        while node and node.name != name:
            node = node.parent
        return node is not None


def read(text: str) -> Node:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.here is reader.root, f"<{reader.here.name}> is not closed"
    return reader.root


def fold(text: str) -> str:
    return " ".join(text.split())


def make(game_folder, output: Path, language: str, **options) -> tuple[str, Problems]:
    problems = Problems()
    press = Press(game_folder.project, problems)
    game = press.load(game_folder)
    languages = press.languages_of(game, [Text(language)])
    with Staged() as staged:
        build_rules(press, game, languages, output, staged, editions=["html"], **options)
        problems.raise_errors()
    file = output if output.suffix else output / f"rules-{language}.html"
    return file.read_text(encoding="utf-8"), problems


@pytest.fixture(scope="module")
def oniroo_folder():
    return find_game("oniroo", find_project(shipped_content()))


@pytest.fixture(scope="module")
def editions(oniroo_folder, tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("html")
    return {code: make(oniroo_folder, folder, code)[0] for code in LANGUAGES}


@pytest.fixture(scope="module")
def trees(editions) -> dict[str, Node]:
    return {code: read(text) for code, text in editions.items()}


@pytest.fixture(scope="module")
def world(oniroo_folder):
    """The rules, and what they are in each language."""
    problems = Problems()
    press = Press(oniroo_folder.project, problems)
    game = press.load(oniroo_folder)
    rules = rules_of(game, press)
    layouters = {
        str(language.code): press.layouter(game, language)
        for language in press.languages_of(game, ())
    }
    return SimpleNamespace(game=game, rules=rules, layouters=layouters)


@pytest.fixture(params=LANGUAGES)
def code(request) -> str:
    return request.param


@pytest.fixture
def tree(trees, code) -> Node:
    return trees[code]


class TestTheFile:
    def test_is_small(self, editions, code):
        assert len(editions[code].encode()) < 3_000_000

    def test_is_html_in_the_language(self, editions, tree, code):
        assert editions[code].startswith("<!DOCTYPE html>\n")
        (html,) = tree.all("html")
        assert html.attributes["lang"] == code
        assert [n.attributes["charset"] for n in tree.all("meta") if "charset" in n.attributes] == [
            "utf-8"
        ]
        (title,) = tree.all("title")
        assert title.flat.startswith("Oniroo: ")

    def test_names_nothing_outside_itself_but_its_sisters(self, editions, tree, code):
        without = re.sub(r'"data:image/png;base64,[^"]*"', '""', editions[code])
        assert not re.search(r"(?:https?:)?//\w|url\(|@import|src=\"[^\"]", without)
        assert {n.name for n in tree.walk()} & {"script", "iframe", "object", "form"} == set()
        assert not [a for n in tree.walk() for a in n.attributes if a.startswith("on")]
        sisters = {f"rules-{other}.html" for other in LANGUAGES if other != code}
        targets = {n.attributes["href"] for n in tree.all("a", "link")}
        assert {t for t in targets if not t.startswith("#")} == sisters

    def test_forbids_everything_but_its_pictures_and_styles(self, tree):
        policy = [n for n in tree.all("meta") if "http-equiv" in n.attributes]
        assert "default-src 'none'" in policy[0].attributes["content"]

    def test_is_the_same_in_every_run(self, editions, oniroo_folder, tmp_path):
        assert make(oniroo_folder, tmp_path, "en")[0] == editions["en"]

    def test_leads_to_the_other_languages_in_their_own_names(self, tree, code, world):
        for name in ("a", "link"):
            found = [n for n in tree.all(name) if "hreflang" in n.attributes]
            assert {n.attributes["hreflang"]: n.attributes["href"] for n in found} == {
                other: f"rules-{other}.html" for other in LANGUAGES if other != code
            }
        (current,) = [n for n in tree.walk() if "aria-current" in n.attributes]
        assert current.text == world.layouters[code].language.name
        for link in tree.all("a"):
            if "hreflang" in link.attributes:
                assert link.attributes["lang"] == link.attributes["hreflang"]

    def test_that_stands_alone_leads_to_no_others(self, oniroo_folder, tmp_path):
        alone = read(make(oniroo_folder, tmp_path / "book.html", "en")[0])
        assert not [n for n in alone.walk() if "hreflang" in n.attributes]


class TestIds:
    def test_are_those_of_the_rules_each_once_in_order(self, tree, world):
        ids = [n.attributes["id"] for n in tree.walk() if "id" in n.attributes]
        assert ids == [str(b.id) for b in world.rules.blocks if isinstance(b, Heading)]
        assert max(Counter(ids).values()) == 1

    def test_are_where_links_lead_to(self, tree):
        ids = {n.attributes["id"] for n in tree.walk() if "id" in n.attributes}
        targets = [n.attributes["href"] for n in tree.all("a")]
        inside = [target[1:] for target in targets if target.startswith("#")]
        assert len(inside) > 100
        assert set(inside) <= ids

    def test_of_sections_are_all_in_the_contents(self, tree, world):
        (nav,) = tree.all("nav")
        sections = [b.id for b in world.rules.blocks if isinstance(b, Heading) and b.level == 2]
        assert [n.attributes["href"] for n in nav.all("a")] == [f"#{name}" for name in sections]
        assert nav.attributes["aria-label"] == nav.all("h2")[0].text


def words_of(message: Message, world, code: str) -> str:
    """Return what a message says in a language: values filled in, references by their words."""
    layouter = world.layouters[code]
    text = layouter.translations.text(message) if translatable(message) else message
    said = ""
    for part in inline.parse(text):
        if isinstance(part, inline.Words):
            said += part.text
        elif isinstance(part, inline.Value):
            cards = world.game.cards
            said += str(sum(c.count for c in cards if part.kind in ("", c.kind)))
        else:
            said += part.words or named(part.target, world, layouter)
    return fold("".join(span.text for span in markup.parse(said)))


def named(target: str, world, layouter) -> str:
    """Return the name of what a reference without words leads to."""
    for block in world.rules.blocks:
        if isinstance(block, Heading) and block.id == target:
            if block.rule or len(target) == 1:
                return target
            return layouter.translations.text(block.text)
    for card in world.game.cards:
        if f"card.{card.id}" == target:
            return layouter.translations.text(card.values["name"])
    raise AssertionError(target)


class TestWords:
    def test_of_every_block_are_those_of_the_rules(self, tree, world, code):
        found = Counter(node.flat for node in tree.all(*BLOCKS))
        inside = [node.flat for node in tree.all("h2", "h3")]
        for message in world.rules.messages():
            said = words_of(message, world, code)
            # a heading has its letter or id before it, and may say that it is optional
            assert found[said] or any(said in text for text in inside), said

    def test_come_in_the_order_of_the_rules(self, tree, world, code):
        text = fold(" ".join(node.flat for node in tree.all("main")))
        at = 0
        # the contents say the headings before they come
        for message in world.rules.messages():
            if message.context == "title":
                continue
            said = words_of(message, world, code)
            found = text.find(said, at)
            # the same words are one message, wherever they stand in a rule
            assert found >= 0 or said in text
            at = found if found >= 0 and len(said) > 40 else at

    def test_of_headings_begin_with_their_ids(self, tree, world):
        heads = {n.attributes["id"]: n for n in tree.all("h3")}
        rules = [b for b in world.rules.blocks if isinstance(b, Heading) and b.rule]
        assert len(rules) >= 60
        for rule in rules:
            head = heads[rule.id]
            assert head.flat.split()[0] == rule.id
            assert head.all("a")[0].attributes == {"class": "id", "href": f"#{rule.id}"}

    def test_tell_what_is_optional(self, tree, world, code):
        word = world.layouters[code].language.words[Text("optional")]
        optional = [b.id for b in world.rules.blocks if isinstance(b, Heading) and b.optional]
        assert optional
        for section in tree.all("section"):
            head = section.all("h2")[0]
            assert (f"({word})" in head.flat) == (section.attributes["id"] in optional)


class TestTables:
    def test_have_heads_with_a_scope(self, tree):
        heads = tree.all("th")
        assert heads
        assert {n.attributes["scope"] for n in heads} == {"col", "row"}

    def test_have_as_many_cells_in_every_row(self, tree):
        for table in tree.all("table"):
            rows = {len(row.all("th", "td")) for row in table.all("tr")}
            assert len(rows) == 1

    def test_of_components_count_the_cards(self, tree, world, code):
        table = tree.all("table")[0]
        rows = [tuple(cell.flat for cell in row.all("th", "td")) for row in table.all("tr")]
        text = world.layouters[code].translations.text
        counts = Counter(card.kind for card in world.game.cards)
        assert rows[1:-1] == [
            (text(title), str(counts[kind])) for kind, title in world.game.titles.items()
        ]
        assert rows[-1][1] == "173"

    def test_of_scores_have_a_row_a_round_and_a_column_a_player(self, tree):
        (scores,) = [t for t in tree.all("table") if t.attributes.get("class") == "scores"]
        rows = scores.all("tr")
        assert [row.all("th")[0].text for row in rows[1:-1]] == [
            str(i + 1) for i in range(len(rows) - 2)
        ]
        assert {len(row.all("td")) for row in rows} == {6}


class TestFigures:
    def test_show_cards_by_their_names_with_a_caption(self, tree, world, code):
        figures = [
            f for f in tree.all("figure") if "parts" not in (f.attributes.get("class") or "")
        ]
        names = {
            str(world.layouters[code].translations.text(card.values["name"]))
            for card in world.game.cards
            if "name" in card.values
        }
        assert len(figures) > 15
        for figure in figures:
            (caption,) = figure.all("figcaption")
            assert caption.flat
            pictures = figure.all("img")
            assert pictures
            # Magic Code cards are called after their codes
            assert all(p.attributes["alt"] for p in pictures)
            assert sum(p.attributes["alt"] in names for p in pictures) > 0

    def test_are_pngs_as_large_as_they_say_twice_over(self, tree):
        for picture in tree.all("img"):
            head, _, data = picture.attributes["src"].partition(",")
            assert head == "data:image/png;base64"
            content = base64.b64decode(data, validate=True)
            width, height = struct.unpack(">II", content[16:24])
            assert width == 2 * int(picture.attributes["width"])
            assert abs(height - 2 * int(picture.attributes["height"])) <= 1

    def test_of_parts_name_each_in_the_order_of_its_numbers(self, editions, tree, code):
        figures = [f for f in tree.all("figure") if f.attributes.get("class") == "parts"]
        drawn = re.findall(r"<svg.*?</svg>", editions[code])
        assert len(figures) == len(drawn) > 2
        for figure, svg in zip(figures, drawn, strict=True):
            numbers = sorted(map(int, re.findall(r">(\d+)</text>", svg)))
            assert numbers == list(range(1, len(figure.all("li")) + 1))
            assert 'aria-hidden="true"' in svg


# --- a small game, for what the shipped one does not have


GAME = """\
title: Pond
languages: [en, el]
catalogues: [cards.yaml]
kinds:
  animal: {title: Animal, front: pond/front, fields: {name: text}}
"""
CARDS = "kind: animal\ncards:\n  - {id: duck, name: 'Duck & <Drake>', count: 3}\n"
FRONT = """\
elements:
  - {draw: text, text: $name, left: 5mm, right: 5mm, top: 5mm, height: 8mm}
"""
RULES = """\
# Pond & < Puddle

## First {#first}

Fish \\& chips cost 1 < 2 > 0, "quoted" and 'so'. **Strong** and *gentle*, [[first]].

- one

  a second paragraph

  1. inner
- two

![[duck | A "duck" & < nothing >]]
"""
PO = """\
msgid ""
msgstr ""
"Language: el\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

#, fuzzy
msgctxt "first"
msgid "one"
msgstr "ένα"

msgctxt "first"
msgid "two"
msgstr "δύο"
"""


@pytest.fixture
def pond(tmp_path):
    files = {
        "cards/pond/game.yaml": GAME,
        "cards/pond/cards.yaml": CARDS,
        "layouts/pond/front.yaml": FRONT,
        "i18n/pond/rules.md": RULES,
        "i18n/pond/el.po": PO,
    }
    for name, text in files.items():
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return find_game("pond", find_project(tmp_path))


class TestEscaping:
    def test_keeps_every_character_of_texts_and_attributes(self, pond, tmp_path):
        root = read(make(pond, tmp_path, "en")[0])
        assert root.all("h1")[0].text == "Pond & < Puddle"
        paragraph = root.all("section")[0].all("p")[0]
        assert paragraph.flat == (
            "Fish & chips cost 1 < 2 > 0, \"quoted\" and 'so'. Strong and gentle, First."
        )
        assert [n.text for n in paragraph.all("strong", "em", "a")] == ["Strong", "gentle", "First"]
        assert root.all("img")[0].attributes["alt"] == "Duck & <Drake>"
        assert root.all("figcaption")[0].text == 'A "duck" & < nothing >'

    def test_of_a_style_can_not_be_left(self):
        tables = load_languages([shipped_content() / "i18n/languages.yaml"], Problems())
        fields = {name: getattr(tables["en"], name) for name in Language.__struct_fields__}
        fields["list_marks"] = {Text("dash"): Text('</style>"\\'), Text("number"): Text("({})")}
        made = style_sheet(Language(**fields))
        assert "</style" not in made
        assert '"\\3c /style>\\22 \\5c  "' in made
        assert 'prefix: "("; suffix: ") "' in made


class TestLists:
    def test_hold_blocks_where_an_item_has_more_than_a_line(self, pond, tmp_path):
        (outer,) = read(make(pond, tmp_path, "en")[0]).all("ul")[-1:]
        first, second = (n for n in outer.children if isinstance(n, Node))
        assert [n.text for n in first.all("p")] == ["one", "a second paragraph"]
        assert [n.text for n in first.all("ol")[0].all("li")] == ["inner"]
        assert second.text == "two"


class TestStaleText:
    def test_is_marked_and_in_the_language_it_is_in(self, pond, tmp_path):
        text, problems = make(pond, tmp_path, "el")
        marked = {n.flat: n.attributes for n in read(text).walk() if "stale" in _classes(n)}
        assert marked["one"] == {"lang": "en", "class": "stale"}
        assert "two" not in marked
        assert "δύο" not in marked
        assert any("is marked as fuzzy" in str(problem) for problem in problems)

    def test_that_is_kept_is_marked_but_in_its_language(self, pond, tmp_path):
        text, _ = make(pond, tmp_path, "el", stale="keep")
        marked = {n.flat: n.attributes for n in read(text).walk() if "stale" in _classes(n)}
        assert marked["ένα"] == {"class": "stale"}


def _classes(node: Node) -> list[str]:
    return (node.attributes.get("class") or "").split()


class TestCommand:
    def test_wants_a_name_that_tells_what_the_file_is(self, oniroo_folder, tmp_path):
        with pytest.raises(StonehandError, match=r"end it with \.html"):
            make(oniroo_folder, tmp_path / "book.pdf", "en")
