"""`stonehand check`: each fault is found at its place, once, and nothing else is.

The faulty game has one of each fault. Above each faulty line stands what is found there, as

    # warning: 7 field 'memo' of 'thing' is never printed (draw it, or remove it) [unused-field]

with the column; what can't stand in the file stands in `expected.txt`, as it is printed.
"""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from faulty import FOLDER, lay_faulty
from PIL import Image

from stonehand import cli
from stonehand.source.codes import CODES, SECTIONS

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
def stonehand(monkeypatch, capsys):
    """Runs a command as `main` does, in this process; returns exit code, output and errors."""

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["stonehand", *words])
        code = cli._run()
        return (code, *capsys.readouterr())

    return run


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
        pages = {rule["helpUri"].partition("#")[2] for rule in rules if "helpUri" in rule}
        assert pages == {rule["id"] for rule in rules} - {"fault"}

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
FACE = """\
elements:
  - {draw: text, text: $text, top: 6mm, height: 20mm, left: 6mm, right: 6mm}
  - {draw: picture, picture: $art, when: $art, top: 30mm, height: 48mm, left: 6mm, width: 48mm}
"""


@pytest.fixture
def probe(tmp_path, monkeypatch):
    """Returns a function that writes a game of these cards, and stands in its project."""

    def write(*cards: str, face: str = FACE, game: str = GAME) -> Path:
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
            )
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
            (5, "text-cut-off"),
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
