"""`stonehand check`: each fault is found at its place, once, and nothing else is.

The faulty game has one of each fault. Above each faulty line stands what is found there, as

    # warning: 7 field 'memo' of 'thing' is never printed (draw it, or remove it) [unused-field]

with the column; what can't stand in the file stands in `expected.txt`, as it is printed.
"""

import json
import re
from collections import Counter
from pathlib import Path

import pikepdf
import pytest
from faulty import FOLDER, lay_faulty
from hypothesis import given, strategies
from PIL import Image

from stonehand import scene
from stonehand.check.formats import as_sarif
from stonehand.check.ground import contrast, relation
from stonehand.scene import Box, flattened, rectangle
from stonehand.source.codes import CODES, SECTIONS
from stonehand.source.problems import Location, Problem

EXPECTED = re.compile(r"\s*# (error|warning|note): (\d+) (.*)")
ELSEWHERE = {  # what no game alone can have, with its test
    "unsettled-pages": "test_rules_pages",
    "creep": "test_booklet",
    "no-credits": "test_check",
    "printer-readings": "test_printers",
    "printer-paper": "test_printers",
    "printer-margin": "test_printers",
}


@pytest.fixture
def project(tmp_path, make_font, monkeypatch) -> Path:
    """The faulty game, as a project to stand in."""
    folder = tmp_path / "project"
    lay_faulty(folder, make_font)
    monkeypatch.chdir(folder)
    return folder


def expected() -> list[str]:
    """Return the findings that the files of the faulty game tell of."""
    found = (FOLDER / "expected.txt").read_text("utf-8").splitlines()
    for path in FOLDER.rglob("*.yaml"):
        waiting: list[tuple[str, ...]] = []
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if match := EXPECTED.fullmatch(line):
                waiting.append(match.groups())
                continue
            place = f"{path.relative_to(FOLDER).as_posix()}:{number}"
            found += [f"{place}:{column}: {severity}: {text}" for severity, column, text in waiting]
            waiting.clear()
    return found


def code_of(line: str) -> str:
    return re.search(r" \[([\w-]+)\]$", line)[1]


class TestTheFaultyGame:
    def test_has_each_finding_at_its_place_and_no_other(self, stonehand, project):
        code, out, err = stonehand("check", "faulty", "--quiet")
        assert sorted(out.splitlines()) == sorted(expected())
        assert (code, err) == (1, "")

    def test_has_one_of_each_fault(self):
        of_files = {code.name for code in SECTIONS.get("PDF files", ())}
        assert {code_of(line) for line in expected()} == CODES.keys() - ELSEWHERE.keys() - of_files
        tests = Path(__file__).parent
        for name, file in ELSEWHERE.items():
            assert (tests / f"{file}.py").exists(), name

    def test_is_summed_up(self, stonehand, project):
        last = stonehand("check", "faulty")[1].splitlines()[-1]
        counts = Counter(re.search(r": (error|warning|note): ", line)[1] for line in expected())
        numbers = f"{counts['error']} errors, {counts['warning']} warnings, {counts['note']} notes"
        assert last == f"{numbers}, 2 silenced"

    def test_writes_nothing(self, stonehand, project):
        before = sorted(project.rglob("*"))
        stonehand("check", "faulty")
        assert sorted(project.rglob("*")) == before

    def test_as_json(self, stonehand, project):
        code, out, _ = stonehand("check", "faulty", "--format", "json")
        told = json.loads(out)
        lines = []
        for one in told["findings"]:
            if one["silenced"] is None:
                place = ":".join(str(one[k]) for k in ("file", "line", "column") if one[k])
                hint = f" ({one['hint']})" if one["hint"] else ""
                said = f"{one['message']}{hint} [{one['code']}]"
                lines.append(f"{place}: {one['severity']}: {said}")
        assert sorted(lines) == sorted(expected())
        assert told["counts"]["silenced"] == 2
        silenced = {one["silenced"]: one["code"] for one in told["findings"] if one["silenced"]}
        assert silenced == {"drawn in large pixels": "coarse-picture"}
        assert code == 1

    def test_as_sarif(self, stonehand, project):
        code, out, _ = stonehand("check", "faulty", "--format", "sarif", "-o", "found.sarif")
        assert (code, out) == (1, "")
        log = json.loads(Path("found.sarif").read_text("utf-8"))
        assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
        [run] = log["runs"]
        rules = run["tool"]["driver"]["rules"]
        results = run["results"]
        assert len(results) == len(expected()) + 2
        for result in results:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            [where] = result["locations"]
            assert not Path(where["physicalLocation"]["artifactLocation"]["uri"]).is_absolute()
            assert where["physicalLocation"].get("region", {"startLine": 1})["startLine"] >= 1
        prints = [result["partialFingerprints"]["stonehand/v1"] for result in results]
        places = [str(result["locations"]) for result in results]
        assert len(set(zip(prints, places, strict=True))) == len(results)
        suppressed = [r for r in results if "suppressions" in r]
        assert {r["ruleId"] for r in suppressed} == {"coarse-picture", "transparency"}
        pages = {rule["helpUri"].rpartition("/")[2] for rule in rules}
        assert pages == {
            "errors.md" if rule["id"] == "fault" else f"checks.md#{rule['id']}" for rule in rules
        }
        for rule in rules:
            assert rule["fullDescription"]["text"]
            assert rule["help"]["text"]

    def test_as_sarif_names_files_as_uris(self):
        odd = Problem(Location("cards/my game/é#1.yaml", 3, 4), "error", "wrong")
        far = Problem(Location("/else/where.yaml"), "warning", "pale", "", "low-contrast")
        [run] = json.loads(as_sarif([(odd, None), (far, None)]))["runs"]
        places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
        assert places == [
            {
                "artifactLocation": {"uri": "cards/my%20game/%C3%A9%231.yaml"},
                "region": {"startLine": 3, "startColumn": 4},
            },
            {"artifactLocation": {"uri": "file:///else/where.yaml"}},
        ]
        assert [result["ruleId"] for result in run["results"]] == ["fault", "low-contrast"]

    def test_in_pictures(self, stonehand, project):
        stonehand("check", "faulty", "--pictures", "seen", "--quiet")
        names = {path.stem for path in Path("seen").iterdir()}
        assert {
            "t01-en-small-text",
            "t01-en-text-near-cut",
            "t01-en-text-cut-off",
            "t01-en-low-contrast",
            "t01-en-thin-line",
            "t02-en-coarse-picture",
            "t08-back-telling-back",
            "c1-en-stretched-picture",
        } <= names
        # the frame is around the small text, at 5 mm from the left and some 20 mm from the top
        with Image.open("seen/t01-en-small-text.png") as image:
            assert image.size == (round(69 / 25.4 * 200), round(94 / 25.4 * 200))
            pink = [
                (x, y)
                for x in range(image.width)
                for y in range(image.height)
                if image.getpixel((x, y)) == (224, 0, 122)
            ]
        left, top = min(pink)[0] / 200 * 25.4 - 3, min(y for _, y in pink) / 200 * 25.4 - 3
        assert left == pytest.approx(5 - 0.8, abs=0.8)
        assert 19 < top < 22


GAME = """\
title: Probe
languages: [en]
catalogues: [cards.yaml]
kinds:
  thing: {title: Thing, front: face, fields: {text: word, art: {type: picture, optional: true}}}
"""
PLAIN = GAME.replace(", art: {type: picture, optional: true}", "")
FACE = """\
elements:
  - {draw: text, text: $text, top: 6mm, height: 20mm, left: 6mm, right: 6mm}
  - {draw: picture, picture: $art, when: $art, top: 30mm, height: 48mm, left: 6mm, width: 48mm}
"""


@pytest.fixture
def probe(tmp_path, monkeypatch):
    """Returns a function that writes a game of these cards, and stands in its project."""

    def write(*cards: str, face: str = FACE, game: str = PLAIN) -> Path:
        project = tmp_path / "probe"
        for name, text in (
            ("cards/probe/game.yaml", game),
            ("cards/probe/cards.yaml", "\n".join(("kind: thing\ncards:", *cards))),
            ("layouts/face.yaml", face),
            ("CREDITS.md", "All in `cards/probe/art/` is our own.\n"),
        ):
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        (project / "cards/probe/art").mkdir(exist_ok=True)
        monkeypatch.chdir(project)
        return project / "cards/probe/art"

    return write


class TestTheFiveCards:
    """Pictures and texts that other programs print wrong without a word."""

    HINDI, KOREAN, GREEK = "चाँदनी रात में उल्लू", "달밤의 부엉이", "Κουκουβάγια το βράδυ"
    GERMAN = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft " * 4

    @pytest.fixture
    def art(self, probe) -> Path:
        texts = (self.HINDI, self.KOREAN, self.GREEK, "月夜的猫头鹰", self.GERMAN.strip())
        names = ("turned", "press", "deep", "palette", "glass")
        art = probe(
            *(
                f"  - {{id: p{n}, text: {text}, art: {name}}}"
                for n, (text, name) in enumerate(zip(texts, names, strict=True), 1)
            ),
            game=GAME,
        )
        size = (600, 600)
        upper = Image.new("RGB", size, "#0000ff")
        upper.paste("#ff0000", (0, 0, 600, 300))  # as stored: red above blue
        exif = Image.Exif()
        exif[0x0112] = 6  # to be turned clockwise: red comes to the right
        upper.save(art / "turned.jpg", exif=exif, quality=95, subsampling=0)
        Image.new("CMYK", size, (255, 0, 0, 0)).save(art / "press.jpg", quality=95)
        row = (60_000).to_bytes(2, "little") * 300 + (20_000).to_bytes(2, "little") * 300
        Image.frombytes("I;16", size, row * 600).save(art / "deep.png")
        two = Image.new("P", size, 0)
        two.putpalette([0, 128, 0, 255, 220, 0])
        two.paste(1, (300, 0, 600, 600))
        two.save(art / "palette.png")
        Image.new("LA", size, (0, 128)).save(art / "glass.png")
        return art

    def test_each_gives_the_right_picture_or_a_finding(self, art, stonehand):
        code, out, err = stonehand("check", "probe", "--quiet")
        told = {
            (int(re.search(r"yaml:(\d)", line)[1]) - 2, code_of(line)) for line in out.splitlines()
        }
        assert told == {
            (2, "colour-space"),
            (4, "missing-glyph"),
            (5, "text-overflow"),
            (5, "transparency"),
        }
        assert all(f"U+{ord(letter):04X}" in out for letter in "月夜的猫头鹰")
        assert (code, err) == (1, "")

    def test_those_that_are_not_faulty_print_as_they_are(self, art, stonehand):
        assert stonehand("preview", "probe", "p1", "p2", "p3", "--dpi", "72", "-q")[0] == 0

        def at(card: str, x: float, y: float) -> tuple[int, ...]:
            with Image.open(f"output/probe/{card}-en.png") as image:
                return image.convert("RGB").getpixel((round(x / 25.4 * 72), round(y / 25.4 * 72)))

        left, right, middle = 12.0, 48.0, 54.0
        assert at("p1", left, middle) == pytest.approx((0, 0, 255), abs=12)
        assert at("p1", right, middle) == pytest.approx((255, 0, 0), abs=12)
        red, green, blue = at("p2", left, middle)
        assert red < 80
        assert min(green, blue) > 120
        assert at("p3", left, middle) == pytest.approx((60_000 >> 8,) * 3, abs=2)
        assert at("p3", right, middle) == pytest.approx((20_000 >> 8,) * 3, abs=2)

    def test_their_texts_are_in_the_file_as_they_were_written(self, art, stonehand):
        import pypdf

        stonehand("cards", "probe", "--only", "p1,p2,p3", "-o", "three.pdf", "-q")
        page = pypdf.PdfReader("three.pdf").pages[0].extract_text()
        flat = "".join(page.split())
        for text in (self.HINDI, self.KOREAN, self.GREEK):
            assert "".join(text.split()) in flat


def codes(out: str) -> list[str]:
    return [code_of(line) for line in out.splitlines()]


PALE = (
    "  - {draw: text, text: $text, colour: '#999999', top: 6mm, height: 9mm, left: 6mm, right: 6mm}"
)
WORD = "draw: text, text: $text, colour: '#ffffff', top: 9mm, height: 6mm, left: 6mm"
CARD = "  - {id: a1, text: Ant}"
NAME = f"elements:\n  - {{{WORD}}}\n".replace("#ffffff", "#000000")


class TestSilences:
    """A finding that is right but not wanted is silenced where it is."""

    @pytest.fixture
    def found(self, probe, stonehand):
        """Returns what is found in a card whose line is given, on a face of pale type."""

        def check(*cards: str, game: str = PLAIN) -> list[str]:
            probe(*cards, face=f"elements:\n{PALE}\n", game=game)
            return codes(stonehand("check", "probe", "--quiet")[1])

        return check

    def test_without_one_it_is_told(self, found):
        assert found(CARD) == ["low-contrast"]

    @pytest.mark.parametrize(
        "lines",
        [
            [f"{CARD}  # unchecked: low-contrast - a ghost"],
            [f"{CARD}  # unchecked: low-contrast — a ghost"],
            ["  # unchecked: low-contrast - a ghost", CARD],
            ["  # unchecked: low-contrast - a ghost", "  # and another comment", CARD],
        ],
    )
    def test_in_a_comment_of_its_line_or_of_the_line_before(self, found, lines):
        assert found(*lines) == []

    def test_not_two_lines_before(self, found):
        cards = ("  # unchecked: low-contrast - a ghost", "  - {id: a0, text: ''}", CARD)
        optional = PLAIN.replace("text: word", "text: {type: word, optional: true}")
        assert sorted(found(*cards, game=optional)) == ["low-contrast", "nothing-silenced"]

    def test_of_several_codes(self, found):
        line = f"{CARD}  # unchecked: low-contrast, small-text - a ghost"
        assert found(line) == ["nothing-silenced"]

    def test_needs_a_reason(self, found):
        assert found(f"{CARD}  # unchecked: low-contrast") == ["no-reason"]

    def test_names_a_code_that_there_is(self, found):
        line = f"{CARD}  # unchecked: low-contrats - a ghost"
        assert found(line) == ["low-contrast", "nothing-silenced"]

    @pytest.mark.parametrize(
        ("files", "told"),
        [
            ("cards/probe/*", []),
            ("cards/probe/cards.yaml", []),
            ("cards/other/*", ["nothing-silenced", "low-contrast"]),
        ],
    )
    def test_in_the_game_for_files(self, found, files, told):
        said = f"check: {{unchecked: [{{code: low-contrast, files: {files}, reason: ghosts}}]}}\n"
        assert sorted(found(CARD, game=PLAIN + said)) == sorted(told)

    def test_does_not_make_room_where_there_is_none(self, found):
        card = (
            f"  - {{id: a1, text: {'long ' * 60}}}  # unchecked: text-overflow, text-cut-off - so"
        )
        assert "text-overflow" in found(card)

    def test_holds_for_builds(self, probe, stonehand):
        probe(f"{CARD}  # unchecked: low-contrast - a ghost", face=f"elements:\n{PALE}\n")
        assert stonehand("build", "probe", "--strict", "--quiet") == (0, "", "")


class TestLimits:
    def test_are_those_of_the_game(self, probe, stonehand):
        probe(CARD, face=f"elements:\n{PALE}\n", game=f"{PLAIN}check: {{contrast: 2.8}}\n")
        assert stonehand("check", "probe", "--quiet") == (0, "", "")

    def test_make_warnings_count_on_demand(self, probe, stonehand):
        probe(CARD, face=f"elements:\n{PALE}\n")
        assert stonehand("check", "probe", "--quiet")[0] == 0
        assert stonehand("check", "probe", "--quiet", "--strict")[0] == 1
        assert stonehand("build", "probe", "--quiet")[0] == 0
        built = Path("output/probe/cards-en.pdf")
        assert built.exists()
        built.unlink()
        code, _, err = stonehand("build", "probe", "--quiet", "--strict")
        assert (code, codes(err)) == (1, ["low-contrast"])
        assert not built.exists()

    def test_fail_only_above_them(self):
        assert contrast("#000000", "#ffffff") == pytest.approx(21)
        # the two grays at which WCAG's own tools turn over
        assert contrast("#767676", "#ffffff") >= 4.5 > contrast("#777777", "#ffffff")


class TestWhatLiesBehind:
    """The ground of a text is what is painted below it, wherever that comes from."""

    TEXT = "draw: text, text: $text, colour: '#ffffff', top: 20mm, left: 20mm, height: 8mm"

    @pytest.mark.parametrize(
        ("below", "told"),
        [
            ("rect, fill: '#202020', bleed: yes", []),
            ("rect, fill: '#eeeeee', bleed: yes", ["low-contrast"]),
            ("rect, fill: '#202020', radius: 4mm, top: 15mm, left: 9mm, height: 20mm", []),
            # beside it, or with its edge across
            ("rect, fill: '#202020', top: 60mm, height: 9mm", ["low-contrast"]),
            ("rect, fill: '#202020', right: 0, width: 41mm", ["low-contrast"]),
            ("ellipse, fill: '#202020', top: 10mm, height: 30mm, left: 9mm, right: 9mm", []),
            # the text stands in a corner of the box that the ellipse leaves free
            ("ellipse, fill: '#202020', top: 23mm, height: 40mm, left: 21mm", ["low-contrast"]),
            ("picture, picture: dark, fit: stretch, bleed: yes", []),
            ("picture, picture: light, fit: stretch, bleed: yes", ["low-contrast"]),
            ("picture, picture: dark, tint: '#dddddd', bleed: yes", ["low-contrast"]),
        ],
    )
    def test_tells_whether_it_can_be_read(self, probe, stonehand, below, told):
        art = probe(CARD, face=f"elements:\n  - {{draw: {below}}}\n  - {{{self.TEXT}}}\n")
        for name, colour in (("dark", "#102030"), ("light", "#d0e0f0")):
            svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 69 94">'
            (art / f"{name}.svg").write_text(
                f'{svg}<path fill="{colour}" d="M0 0H69V94H0Z"/></svg>'
            )
        out = stonehand("check", "probe", "--quiet")[1]
        assert [code for code in codes(out) if code == "low-contrast"] == told

    def test_is_told_for_large_type_more_kindly(self, probe, stonehand):
        for size, told in (("17pt", ["low-contrast"]), ("18pt", [])):
            face = PALE.replace("#999999", "#8c8c8c").replace("top", f"size: {size}, top")
            probe(CARD, face=f"elements:\n{face}\n")
            assert codes(stonehand("check", "probe", "--quiet")[1]) == told


boxes = strategies.tuples(*[strategies.floats(-20, 20)] * 2, *[strategies.floats(0.1, 30)] * 2)


@given(boxes, boxes, strategies.booleans())
def test_how_a_box_lies_to_an_extent(box, other, ellipse):
    """Against what points within the extent say, each asked for itself."""
    x, y, width, height = box
    left, top = other[0], other[1]
    extent = (left, top, left + other[2], top + other[3])
    area = Box(x, y, width, height)
    found = relation(flattened(scene.ellipse(area) if ellipse else rectangle(area)), extent)
    points = [
        (left + other[2] * i / 8, top + other[3] * j / 8) for i in range(1, 8) for j in range(1, 8)
    ]
    if ellipse:
        cx, cy = x + width / 2, y + height / 2
        inside = [
            ((px - cx) / (width / 2)) ** 2 + ((py - cy) / (height / 2)) ** 2 < 1
            for px, py in points
        ]
    else:
        inside = [x < px < x + width and y < py < y + height for px, py in points]
    if found == "around":
        assert all(inside) or ellipse  # the polygon lies a little within the curve
        assert sum(inside) >= len(inside) - 2
    elif found == "apart":
        assert not any(inside)


class TestBacks:
    BACK = "elements:\n  - {draw: rect, bleed: yes, fill: '#203040'}\n"

    @pytest.fixture
    def found(self, probe, stonehand):
        """Returns the findings of two cards with backs that a template draws."""

        def check(back: str, kind: str = "back: back", *, cards: tuple[str, str] = ("", "")):
            fields = "fields: {text: word, art: {type: picture, optional: true}}"
            game = GAME.replace(fields, f"{kind}, {fields}")
            lines = (f"  - {{id: a{n}, text: Ant {n}{more}}}" for n, more in enumerate(cards))
            art = probe(*lines, game=game)
            for name in ("plain", "dot"):
                image = Image.new("RGB", (744, 1039), "#203040")
                image.putpixel((300, 300), (255, 255, 255) if name == "dot" else (32, 48, 64))
                image.save(art / f"{name}.png")
            Path("layouts/back.yaml").write_text(back)
            dot = "  - {draw: rect, fill: '#ffffff', width: 2mm, height: 2mm}\n"
            Path("layouts/spot.yaml").write_text(self.BACK + dot)
            half = "  - {draw: rect, fill: '#ffffff', bottom: 50%}\n"
            Path("layouts/half.yaml").write_text(self.BACK + half)
            out = stonehand("check", "probe", "--quiet")[1]
            return [line for line in out.splitlines() if "telling-back" in line]

        return check

    def test_that_are_the_same_tell_nothing(self, found):
        assert found(self.BACK) == []

    def test_that_differ_by_a_word_do(self, found):
        back = f"{self.BACK}  - {{{WORD}}}\n"
        [line] = found(back)
        assert line.startswith("cards/probe/cards.yaml:4:10: ")
        assert "the back of 'a1' is not quite that of 'a0'" in line

    def test_that_differ_by_a_pixel_do(self, found):
        back = "elements:\n  - {draw: picture, picture: $art, fit: stretch}\n"
        assert found(back, cards=(", art: plain", ", art: plain")) == []
        assert len(found(back, cards=(", art: plain", ", art: dot"))) == 1

    def test_that_are_meant_to_differ_may(self, found):
        back = f"{self.BACK}  - {{{WORD}}}\n"
        assert found(back, "back: {template: back, differs: yes}") == []

    def test_of_other_templates_tell_only_if_they_look_alike(self, found):
        assert len(found(self.BACK, cards=("", ", back: spot"))) == 1
        assert found(self.BACK, cards=("", ", back: half")) == []


class TestColours:
    @pytest.mark.parametrize(
        ("one", "other", "told"),
        [
            ("#5a7d2a", "#9c6a2f", ["hue-only"]),  # moss and rust
            ("#a03030", "#3f6f2f", ["hue-only"]),  # red and green of like lightness
            ("#1c53b4", "#ffd23f", []),  # blue and yellow
            ("#ff8080", "#400000", []),  # pale and dark
            ("#5a7d2a", "#5b7e2b", []),  # the same, to all eyes
        ],
    )
    def test_are_told_apart_by_more_than_their_hue(self, probe, stonehand, one, other, told):
        lists = f"lists: {{team: {{fields: {{ink: word}}, values: {{a: {{ink: '{one}'}}, b: {{ink: '{other}'}}}}}}}}\n"  # noqa: E501
        probe(CARD, face=NAME, game=PLAIN + lists)
        assert codes(stonehand("check", "probe", "--quiet")[1]) == told

    def test_may_look_alike_where_pictures_differ(self, probe, stonehand):
        lists = """\
lists:
  team:
    fields: {ink: word, sign: picture}
    values: {a: {ink: '#5a7d2a', sign: a}, b: {ink: '#9c6a2f', sign: b}}
"""
        art = probe(CARD, face=NAME, game=PLAIN + lists)
        for name in "ab":
            Image.new("RGB", (9, 9)).save(art / f"{name}.png")
        assert "hue-only" not in codes(stonehand("check", "probe", "--quiet")[1])


def test_credits_name_what_is_printed(probe, stonehand):
    face = FACE.replace("$art, when: $art", "dot")
    art = probe(CARD, face=face)
    Image.new("RGB", (600, 600)).save(art / "dot.png")
    for text, told in (
        (None, ["no-credits"]),
        ("Nothing.", ["uncredited"]),
        ("`cards/probe/art/dot.png`: ours", []),
        ("`cards/probe/art/dot`: ours", []),
        ("`cards/probe/art`: ours", []),
        ("`cards/probe/art/d*.png`: ours", []),
        ("cards/probe/art/: ours", ["uncredited"]),  # not in backticks
        ("`cards/other/art/`: ours", ["uncredited"]),
    ):
        Path("CREDITS.md").unlink(missing_ok=True)
        if text is not None:
            Path("CREDITS.md").write_text(text)
        assert codes(stonehand("check", "probe", "--quiet")[1]) == told, text


@pytest.mark.parametrize("game", ["oniroo", "tweak", "witch"])
def test_the_shipped_games_have_no_findings(stonehand, game):
    code, out, err = stonehand("check", game, "--strict", "--quiet")
    assert (code, err) == (0, "")
    assert all(": note: " in line for line in out.splitlines())


class TestDrawings:
    """What a drawing holds is seen, too."""

    CONTENT = {
        "plain": (b"1 0 0 rg 0 0 50 50 re f", []),
        "press": (b"0 1 1 0 k 0 0 50 50 re f", ["colour-space"]),
        "glass": (b"/G gs 1 0 0 rg 0 0 50 50 re f", ["transparency"]),
        # 0.3 pt, printed at 48 of 35.3 mm: 0.41 pt; a third of that is too thin
        "thin": (b"0.3 w 0 0 m 50 50 l S", []),
        "thinner": (b"0.1 w 0 0 m 50 50 l S", ["thin-drawing"]),
        "squeezed": (b"q 1 0 0 0.2 0 0 cm 0.3 w 0 0 m 50 50 l S Q", ["thin-drawing"]),
    }

    @pytest.mark.parametrize("name", CONTENT)
    def test_is_told(self, probe, stonehand, name):
        content, told = self.CONTENT[name]
        art = probe(f"  - {{id: a1, text: Ant, art: {name}.pdf}}", face=FACE, game=GAME)
        with pikepdf.new() as pdf:
            page = pdf.add_blank_page(page_size=(100, 100))
            page.Resources = pikepdf.Dictionary(
                ExtGState=pikepdf.Dictionary(G=pikepdf.Dictionary(ca=0.5))
            )
            page.Contents = pdf.make_stream(content)
            pdf.save(art / f"{name}.pdf")
        out = stonehand("check", "probe", "--quiet")[1]
        assert codes(out) == told
        assert out.startswith("cards/probe/cards.yaml:3:30: ") == bool(told)
