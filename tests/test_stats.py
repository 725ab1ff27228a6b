"""Statistics: cards counted by their fields, the tables and plots of it, and Scenes as SVG."""

import json
import re
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from stonehand import cli, plots
from stonehand.cards.deck import LoadedGame
from stonehand.cards.reading import load_game
from stonehand.cards.tally import Share, cards_with, cross, tally
from stonehand.language.languages import find_language
from stonehand.output import png
from stonehand.output.files import Staged
from stonehand.output.pdf import PdfWriter
from stonehand.output.svg import svg
from stonehand.press import Press
from stonehand.project import find_game, find_project
from stonehand.scene import (
    Box,
    GlyphRun,
    Group,
    Matrix,
    Picture,
    Scene,
    Stroke,
    ellipse,
    polygon,
    rectangle,
)
from stonehand.scene import (
    Path as PathMark,
)
from stonehand.source.problems import Problems, StonehandError
from stonehand.source.text import Text
from stonehand.stats import StatsOptions, letters, make_stats
from stonehand.tables import Table, as_text
from stonehand.typesetting.lettering import Lettering

NS = "{http://www.w3.org/2000/svg}"


def counts(game: LoadedGame, field: str, *wanted: str) -> dict[str, int]:
    """Return copies by value, in the order in which they are told."""
    path = Text(field)
    cards = cards_with(game, tuple(map(Text, wanted)), [path])
    return {share.value: share.copies for share in tally(game, cards, path)}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> LoadedGame:
    """A game with a field of each type that is counted."""
    folder = tmp_path_factory.mktemp("small") / "cards/small"
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text(
        "title: Small\nlanguages: [en]\nplayers: 2-4\ncatalogues: [a.yaml]\nkinds:\n"
        "  thing:\n    title: Thing\n    front: thing\n    fields:\n"
        "      signs: {type: list, optional: true}\n      good: flag\n      size: number\n"
        "      maker: {type: word, optional: true}\n",
        encoding="utf-8",
    )
    (folder / "a.yaml").write_text(
        "kind: thing\ncards:\n"
        "  - {id: a, signs: [sun, moon, sun], good: yes, size: 10, maker: Bo}\n"
        "  - {id: b, signs: [moon], size: 9.5, count: 3}\n"
        "  - {id: c, size: 9.5, maker: Al, count: {2: 0, 3-4: players}}\n",
        encoding="utf-8",
    )
    problems = Problems()
    game = load_game(find_game("small", find_project(folder)), problems)
    assert not list(problems)
    return game


class TestTally:
    def test_counts_cards_and_copies_in_the_order_of_the_list(self, oniroo):
        found = tally(oniroo, cards_with(oniroo, (Text("symbol"),), ()), Text("group"))
        assert [(share.value, share.cards) for share in found] == [
            ("animal", 17), ("plant", 15), ("object", 18), ("place", 16),
            ("human", 16), ("myth", 16), ("landscape", 16), ("energy", 16),
        ]  # fmt: skip
        assert all(share.cards == share.copies for share in found)

    def test_orders_numbers_by_size(self, tweak):
        assert list(counts(tweak, "target").items()) == [
            ("7", 15),
            ("8", 14),
            ("9", 13),
            ("10", 13),
        ]

    def test_takes_all_cards_that_have_the_field(self, oniroo):
        assert sum(counts(oniroo, "next").values()) == 138
        assert sum(counts(oniroo, "next", "free").values()) == 8

    def test_tells_values_that_no_card_has_and_cards_without_value_last(self, oniroo):
        assert counts(oniroo, "tone", "badnight") == {
            "dawn": 0, "orange": 1, "green": 1, "violet": 1, "moon": 0, "fairy": 0, "night": 0,
        }  # fmt: skip
        assert list(counts(oniroo, "shape", "magiccode").items())[-1] == ("", 16)

    def test_counts_each_word_of_a_list_once(self, small):
        assert counts(small, "signs") == {"moon": 4, "sun": 1, "": 4}
        [moon, sun, none] = tally(small, small.cards, Text("signs"))
        assert moon == Share("moon", 2, 4)
        assert (sun.cards, none.cards) == (1, 1)

    def test_counts_flags_numbers_and_words(self, small):
        assert list(counts(small, "good").items()) == [("no", 7), ("yes", 1)]
        assert list(counts(small, "size").items()) == [("9.5", 7), ("10", 1)]
        assert list(counts(small, "maker").items()) == [("Al", 4), ("Bo", 1), ("", 3)]

    def test_leaves_out_cards_that_are_not_printed(self, small):
        assert counts(small.for_players(Text("2"), None), "maker") == {"Bo": 1, "": 3}

    def test_reaches_into_properties(self, tweak):
        assert counts(tweak, "colour.ink") == {"#ffffff": 36, "#2e2400": 9, "#33190a": 9}

    def test_crosses_two_fields(self, tweak, oniroo):
        found = cross(tweak, cards_with(tweak, (), [Text("value")]), Text("value"), Text("target"))
        assert found.columns == ("7", "8", "9", "10")
        assert found.copies == (
            (3, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 1, 1), (1, 1, 2, 2), (2, 2, 1, 1),
        )  # fmt: skip
        symbols = [card for card in oniroo.cards if card.kind == "symbol"]
        made = cross(oniroo, symbols, Text("group"), Text("letter"))
        wanted = Counter((str(c.values["group"]), str(c.values["letter"])) for c in symbols)
        assert {
            (r, c): n
            for r, row in zip(made.rows, made.copies, strict=True)
            for c, n in zip(made.columns, row, strict=True)
            if n
        } == wanted


@pytest.fixture
def told(press: Press):
    """A function that returns the tables of a game by what they are about."""

    def made(game: LoadedGame, *codes: str, **options) -> dict[str, list]:
        languages = press.languages_of(game, tuple(map(Text, codes)))
        with Staged() as staged:
            text = make_stats(press, game, languages, staged, StatsOptions(json=True, **options))
        data = json.loads(text)
        assert data["game"] == game.name
        about = ("table", "kind", "field", "by")
        return {" ".join(t[n] for n in about if n in t): t["rows"] for t in data["tables"]}

    return made


class TestTables:
    def test_of_all_kinds_come_first_then_fields_that_say_something(self, told, oniroo):
        tables = told(oniroo)
        assert list(tables) == ["kinds", *(f"field symbol {f}" for f in (
            "group", "next", "letter", "shape", "digit"))]  # fmt: skip
        assert tables["kinds"][0] == ["symbol", 130, 130, "Symbol card"]
        assert tables["kinds"][-1] == ["total", 173, 173, ""]
        assert tables["field symbol letter"][0] == ["A", 22, 22, 16.9]

    def test_of_kinds_tell_each_number_of_players(self, told, witch):
        [role, *_, total] = told(witch)["kinds"]
        assert role == ["role", 8, 12, 4, 5, 6, 7, 8, 9, 10, 11, 12, "Role card"]
        assert total == ["total", 67, 445, 130, 166, 205, 232, 259, 306, 357, 412, 445, ""]

    def test_are_of_a_number_of_players_if_one_is_named(self, told, witch):
        tables = told(witch, players=Text("7"))
        assert tables["kinds"][-1] == ["total", 53, 232, ""]
        sides = [["village", 4, 5, 71.4], ["witch", 1, 2, 28.6], ["solo", 0, 0, 0.0]]
        assert tables["field role side"] == sides

    def test_of_one_field_are_of_all_kinds_that_have_it(self, told, oniroo):
        [(about, rows)] = told(oniroo, by=(Text("next"),)).items()
        assert about == "field symbol, free next"
        assert rows[0] == ["animal", 18, 18, 13.0]

    def test_of_two_fields_have_sums(self, told, tweak):
        [(about, rows)] = told(tweak, by=(Text("value"), Text("target"))).items()
        assert about == "cross number value target"
        assert rows[3] == ["4", 2, 2, 1, 1, 6]
        assert rows[-1] == ["total", 14, 14, 13, 13, 54]

    def test_of_two_fields_are_no_wider_than_a_hundred_values(self, told, oniroo):
        assert len(told(oniroo, by=(Text("id"), Text("group")))["cross symbol id group"]) == 131
        with pytest.raises(StonehandError, match="id has 130 values, too many for a table"):
            told(oniroo, by=(Text("group"), Text("id")))

    def test_of_texts_tell_the_longest_in_each_language(self, told, oniroo):
        tables = told(oniroo, "en", "ko", texts=True, cards=(Text("symbol"),))
        [english, korean] = tables["texts symbol name"]
        names = [str(card.values["name"]) for card in oniroo.cards if card.kind == "symbol"]
        assert english[:3] == ["en", round(sum(map(len, names)) / 130, 1), max(map(len, names))]
        assert english[4] == max(names, key=len)
        assert korean[0] == "ko"
        assert korean[2] == letters(korean[4])

    @pytest.mark.parametrize(
        ("text", "count"), [("Owl", 3), ("दुःस्वप्न", 5), ("몽유병", 3), ("Éé", 2), ("e\u0301", 1)]
    )
    def test_of_texts_count_letters_as_readers_do(self, text, count):
        assert letters(text) == count

    def test_in_lines_are_aligned_in_any_script(self):
        rows = (("몽유병", 1, 0.5), ("दो", 12, 10.0), ("Owl", 3, 2.25))
        table = Table({"table": "field"}, "Title", ("word", "cards", "percent"), rows)
        assert as_text(table).splitlines() == [
            "Title",
            "  word    cards  percent",
            "  몽유병      1      0.5",  # each of the three is two columns wide
            "  दो         12     10.0",  # its vowel sign is a column of its own
            "  Owl         3      2.2",
        ]

    def test_in_lines_hold_nothing_that_a_terminal_obeys(self):
        table = Table({"table": "field"}, "Title", ("word",), (("a\x1b[2J\nb",), ("x" * 99,)))
        assert as_text(table).splitlines()[2:] == ["  a\ufffd[2J b", f"  {'x' * 47}…"]


@pytest.fixture
def drawn(press: Press, tmp_path: Path):
    """A function that returns the plot of some fields as it is written."""

    def made(game: LoadedGame, by: str, suffix: str, code: str = "en", **options) -> bytes:
        target = tmp_path / f"plot{suffix}"
        fields = tuple(map(Text, by.split(",")))
        languages = press.languages_of(game, (Text(code),))
        with Staged() as staged:
            wanted = StatsOptions(by=fields, plot=target, **options)
            text = make_stats(press, game, languages, staged, wanted)
        assert text.splitlines()[-1].endswith(target.name)
        return target.read_bytes()

    return made


def words(data: bytes) -> list[str]:
    root = ElementTree.fromstring(data)
    return [g.get("aria-label") for g in root.iter(f"{NS}g") if g.get("aria-label")]


class TestPlots:
    def test_of_a_field_name_and_number_each_value(self, drawn, oniroo):
        data = drawn(oniroo, "group", ".svg", cards=(Text("symbol"),))
        root = ElementTree.fromstring(data)
        assert root.find(f"{NS}title").text == "Oniroo: group"
        shown = words(data)
        assert shown[:5] == ["Oniroo: group", "Symbol card · 130", "Animal kingdom", "17", "13%"]
        assert shown[-1] == "mean 16"
        assert "Works of imagination, history," in shown  # broken into two lines

    @pytest.mark.parametrize(
        ("code", "label", "mean"),
        [("hi", "पशु-जगत", "औसत"), ("el", "Ενέργεια", "μέσος όρος"), ("ko", "동물계", "평균")],
    )
    def test_are_labelled_in_the_language(self, drawn, oniroo, code, label, mean):
        shown = words(drawn(oniroo, "group", ".svg", code))
        assert label in shown
        assert f"{mean} 16" in shown

    def test_of_two_fields_are_a_grid_with_sums(self, drawn, tweak):
        shown = words(drawn(tweak, "value,target", ".svg"))
        assert shown[0] == "TWEAK!: value × target"
        grid = shown[shown.index("1") :]
        assert grid[:6] == ["1", "3", "3", "3", "3", "12"]
        assert grid[-5:] == ["14", "14", "13", "13", "54"]

    def test_have_bars_as_long_as_their_counts_and_a_line_at_the_mean(self, press):
        scene = plots.bars(lettering(press), "t", "n", [("a", 4), ("b", 0), ("c", 1)], 2.0)
        bars = [m for m in scene.marks if isinstance(m, PathMark) and m.fill == plots.BAR]
        boxes = [[p[0] for _, p in bar.outline if p] for bar in bars]
        assert [max(xs) - min(xs) for xs in boxes] == pytest.approx([plots.LONG, plots.LONG / 4])
        [mean] = [m for m in scene.marks if isinstance(m, PathMark) and m.stroke]
        assert mean.outline[0][1][0] == pytest.approx(min(boxes[0]) + plots.LONG / 2)

    def test_keep_their_words_on_the_page_and_apart(self, press, oniroo):
        labels = [str(c.properties["name"]) for c in oniroo.lists["group"].values()]
        numbers = [[1000 + i * j for i in range(8)] for j in range(8)]
        fields = ("a field", "another")
        scene = plots.grid(lettering(press), "Title", "n", fields, labels, labels, numbers)
        inks = [mark.ink for mark in scene.marks if isinstance(mark, GlyphRun)]
        for left, top, right, bottom in inks:
            assert plots.EDGE - 0.5 <= left <= right <= scene.width - plots.EDGE + 0.5
            assert plots.EDGE - 0.5 <= top <= bottom <= scene.height - plots.EDGE + 0.5
        for i, (left, top, right, bottom) in enumerate(inks):
            for other in inks[:i]:
                across = min(right, other[2]) - max(left, other[0])
                assert across <= 0 or min(bottom, other[3]) - max(top, other[1]) <= 0

    @pytest.mark.parametrize("share", [0, 0.1, 0.3, 0.5, 0.6, 0.7, 0.9, 1])
    def test_have_numbers_of_contrast_on_every_shade(self, share):
        colour = plots.shade(share)
        dark, light = sorted(luminance(c) for c in (colour, plots.readable_on(colour)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5

    def test_have_darker_shades_for_larger_counts(self):
        shades = [luminance(plots.shade(i / 10)) for i in range(11)]
        assert shades == sorted(shades, reverse=True)
        assert (plots.shade(0), plots.shade(1)) == (plots.PALE, plots.DEEP)

    def test_are_drawn_as_png_in_the_size_of_the_scene(self, drawn, tweak):
        image = Image.open(BytesIO(drawn(tweak, "target", ".png"))).convert("RGB")
        root = ElementTree.fromstring(drawn(tweak, "target", ".svg"))
        assert image.width == png.pixels(float(root.get("width").removesuffix("mm")), 200)
        colours = {colour: n for n, colour in image.getcolors(1 << 20)}
        assert max(colours, key=colours.get) == (255, 255, 255)
        assert colours[tuple(int(plots.BAR[i : i + 2], 16) for i in (1, 3, 5))] > 20_000

    @pytest.mark.parametrize(
        ("by", "options", "fault"),
        [
            ("name", {}, "name has 5 values, too many for a plot"),
            ("number", {"cards": (Text("tower"),), "players": Text("4")}, "nothing to plot"),
        ],
    )
    def test_of_too_much_or_of_nothing_are_refused(
        self, drawn, witch, monkeypatch, by, options, fault
    ):
        monkeypatch.setattr("stonehand.stats.MOST_BARS", 4)
        with pytest.raises(StonehandError, match=fault):
            drawn(witch, by, ".png", **{"cards": (Text("answer"), Text("spell"))} | options)


def lettering(press: Press) -> Lettering:
    language = find_language(Text("en"), press.languages)
    return Lettering(press.fonts, language, press.languages, press.problems)


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


class TestSvg:
    def test_looks_as_the_pdf_does(self, press, tmp_path):
        """Paths, strokes, maps, clips and type, drawn by Typst and by PDFium."""
        box = Box(2, 20, 36, 8)
        words = lettering(press).line("Aß & किताब 책", box, size=5.0, colour="#102040")
        turned = Group(tuple(words), Matrix.turn(-20, 20, 24))
        dashes = Stroke("#aa0000", 0.8, (3.0, 2.0), round=True)
        marks = (
            PathMark(rectangle(Box(-2, -2, 44, 44)), fill="#eef4ff"),
            Group((PathMark(rectangle(Box(0, 0, 30, 9)), fill="#0b3a70"),), Matrix.shift(5, 2),
                  clip=ellipse(Box(4, 1, 20, 12))),
            PathMark(polygon([(3, 36), (20, 31), (37, 36)], closed=False), stroke=dashes),
            turned,
        )  # fmt: skip
        scene = Scene(40, 40, marks, bleed=2.0)
        path = tmp_path / "scene.svg"
        path.write_bytes(svg(scene, "A & B", "en"))
        art = press.art.load(path, Text("scene.svg"))
        assert art
        assert art.aspect == 1
        again = Scene(40, 40, (Picture(art, Box(-2, -2, 44, 44)),), bleed=2.0)
        writer = PdfWriter("", "en", press.art)
        for one in (scene, again):
            writer.add_page(one)
        first, second = png.rasterise(writer.data(), [scene, again], 150)
        other = ImageChops.difference(first, second).convert("L").histogram()
        assert sum(other[112:]) < 10  # pixels at the edges of letters round otherwise

    def test_holds_the_words_and_each_glyph_once(self, press):
        scene = Scene(50, 10, tuple(lettering(press).line("a<a & a", Box(0, 0, 50, 10))))
        data = svg(scene, "<t>", "ko")
        root = ElementTree.fromstring(data)
        assert root.get("viewBox") == "0 0 50 10"
        assert (root.get("width"), root.get("height")) == ("50mm", "10mm")
        assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "ko"
        assert root.find(f"{NS}title").text == "<t>"
        assert words(data) == ["a<a & a"]
        assert len(root.findall(f".//{NS}defs/{NS}path")) == 3
        assert len(root.findall(f".//{NS}use")) == 5
        assert len({use.get("href") for use in root.iter(f"{NS}use")}) == 3

    def test_is_well_formed_whatever_the_words_are(self):
        assert ElementTree.fromstring(svg(Scene(1, 1, ()), "a\x1b<b\n", "en"))[0].text == "a<b"

    def test_has_no_pictures(self, oniroo, press):
        file = oniroo.cards[0].values["art"]
        scene = Scene(9, 9, (Picture(press.art.load(file.path, file), Box(0, 0, 9, 9)),))
        with pytest.raises(StonehandError, match=re.escape("can't be written as SVG")):
            svg(scene, "", "en")


class TestCommand:
    @pytest.fixture
    def stats(self, monkeypatch, capsys, tmp_path):
        def run(*arguments: str) -> tuple[int, str]:
            monkeypatch.chdir(tmp_path)
            monkeypatch.setattr(sys, "argv", ["stonehand", "stats", *arguments])
            code = cli._run()
            captured = capsys.readouterr()
            return code, captured.out + captured.err

        return run

    def test_prints_tables_and_the_file_of_the_plot(self, stats, tmp_path):
        code, out = stats("tweak", "number", "--by", "target", "--plot", "a/b.svg")
        assert code == 0
        assert out == (
            "number, by target\n"
            "  target  cards  copies  percent\n"
            "  7          14      14     25.9\n"
            "  8          14      14     25.9\n"
            "  9          13      13     24.1\n"
            "  10         13      13     24.1\n"
            "\na/b.svg\n"
        )
        assert (tmp_path / "a/b.svg").read_bytes().startswith(b"<?xml")

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--by", "a,b,c"], "count by one field or two"),
            (["--by", "value", "--texts"], "two different tables"),
            (["--plot", "x.pdf"], "a plot is an .svg or .png file"),
            (["--plot", "x.png"], "a plot is of a field or two (name them, such as --by group,"),
            (["--by", "valu"], "no kind has a field 'valu' (did you mean 'value'?)"),
            (["nubmer"], "no card, kind, deck or range 'nubmer' (did you mean 'number'?)"),
            (["tweak", "--by", "value"], "kind 'tweak' has no field 'value' (known: "),
            (["--players", "3"], "tweak does not say for how many players it is"),
            (["--lang", "xx", "--by", "value"], "tweak has no language 'xx'"),
        ],
    )
    def test_refuses_what_it_can_not_do(self, stats, tmp_path, arguments, said):
        code, out = stats("tweak", *arguments)
        assert code == 2
        assert said in out
        assert not list(tmp_path.iterdir())
