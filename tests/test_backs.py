"""Backs: per card, kind and deck, each with a template and values of its own, made four ways."""

import sys
from pathlib import Path
from typing import NamedTuple

import pypdf
import pytest

from stonehand import cli

GAME = """\
title: Pond
languages: [en]
catalogues: [ducks.yaml, frogs.yaml]
kinds:
  duck:
    title: Duck
    front: front
    back: {template: back, values: {word: Duck, sort: $sort}}
    fields: {name: text, sort: {type: word, default: plain}}
  frog: {title: Frog, front: front, fields: {name: text}}
"""
DUCKS = """\
kind: duck
cards:
  - {id: d1, name: One, sort: wild}
  - {id: d2, name: Two, back: other}
  - {id: d3, name: Three, back: none}
  - {id: d4, name: Four, back: {template: back, values: {word: Own, sort: $name}}}
"""
FROGS = """\
kind: frog
defaults: {back: {template: back, values: {word: Frog, sort: green}}}
cards:
  - {id: f1, name: Five}
  - {id: f2, name: Six, count: 2, back: other}
"""
FRONT = "elements:\n  - {draw: text, text: $name, left: 5mm, right: 5mm, top: 5mm}\n"
BACK = "elements:\n  - {draw: text, text: $word $sort back, left: 5mm, right: 5mm, top: 5mm}\n"
OTHER = "elements:\n  - {draw: text, text: Other back, left: 5mm, right: 5mm, top: 5mm}\n"


class Run(NamedTuple):
    code: int
    out: list[str]
    err: list[str]


@pytest.fixture
def project(tmp_path, monkeypatch):
    files = {
        "cards/pond/game.yaml": GAME,
        "cards/pond/ducks.yaml": DUCKS,
        "cards/pond/frogs.yaml": FROGS,
        "layouts/front.yaml": FRONT,
        "layouts/back.yaml": BACK,
        "layouts/other.yaml": OTHER,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def stonehand(monkeypatch, capsys):
    def run(*words: str) -> Run:
        monkeypatch.setattr(sys, "argv", ["stonehand", *words])
        code = cli._run()
        out, err = capsys.readouterr()
        return Run(code, out.splitlines(), err.splitlines())

    return run


def backs(path: Path) -> list[str]:
    """Return what the backs of a file say, page by page, in the order of drawing."""
    found = []
    for page in pypdf.PdfReader(path).pages:
        lines = [line.strip() for line in page.extract_text().splitlines()]
        found += [line.removesuffix(" back") for line in lines if line.endswith(" back")]
    return found


def names(path: Path) -> list[str]:
    words = ("One", "Two", "Three", "Four", "Five", "Six")
    pages = [page.extract_text().split() for page in pypdf.PdfReader(path).pages[::2]]
    return [word for page in pages for word in page if word in words]


def change(project: Path, name: str, old: str, new: str) -> None:
    path = project / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


class TestWhoseBack:
    def test_is_that_of_the_card_else_of_its_kind(self, stonehand, project):
        assert stonehand("build", "pond").code == 0
        assert backs(project / "output/pond/cards-en.pdf") == [
            "Duck wild", "Other", "Own Four", "Frog green", "Other", "Other",
        ]  # fmt: skip

    def test_is_that_of_the_deck_if_it_has_one(self, stonehand, project):
        decks = (
            "decks:\n"
            "  red: {cards: [duck], back: {template: back, values: {word: Red, sort: deck}}}\n"
            "  bare: {cards: [frog], back: none}\n"
            "  own: {cards: [f1]}\n"
        )
        change(project, "cards/pond/game.yaml", "kinds:\n", decks + "kinds:\n")
        done = stonehand("build", "pond")
        assert done.code == 0
        assert backs(project / "output/pond/red-en.pdf") == ["Red deck"] * 4
        assert backs(project / "output/pond/bare-en.pdf") == []
        assert backs(project / "output/pond/own-en.pdf") == ["Frog green"]
        assert "output/pond/bare-en.pdf: 3 cards on 1 page" in done.out[1]

    def test_shows_in_previews_and_is_missed_where_there_is_none(self, stonehand, project):
        assert stonehand("preview", "pond", "d4", "--back").code == 0
        done = stonehand("preview", "pond", "d3", "--back")
        assert done.code == 1
        assert "these cards have no such side" in done.err[0]

    @pytest.mark.parametrize(
        ("file", "old", "new", "said"),
        [
            ("ducks.yaml", "back: other", "back: othr", "unknown layout 'othr'"),
            ("ducks.yaml", "back: other", "back: [other]", "one value is expected here"),
            ("ducks.yaml", "back: other", "back: {values: {}}", "'template' is missing"),
            ("ducks.yaml", "sort: $name", "sort: $nme", "unknown field 'nme'"),
            ("game.yaml", "word: Duck, ", "", "unknown field 'word'"),
            ("game.yaml", "fields: {name: text}", "fields: {name: text, back: text}", "'back'"),
        ],
    )
    def test_that_is_wrong_is_told(self, stonehand, project, file, old, new, said):
        change(project, f"cards/pond/{file}", old, new)
        done = stonehand("build", "pond")
        assert done.code == 1
        assert said in "\n".join(done.err)
        assert not (project / "output").exists()

    def test_of_another_size_than_the_front_is_told_at_its_name(self, stonehand, project):
        change(project, "layouts/other.yaml", "elements:", "size: mini\nelements:")
        done = stonehand("build", "pond")
        assert done.code == 1
        assert done.err == [
            "cards/pond/ducks.yaml:4:31: error: front and back of 'duck' differ in size: "
            "63 x 88 mm and 44.45 x 63.5 mm (a card has one size) [unequal-sides]",
            "cards/pond/frogs.yaml:5:41: error: front and back of 'frog' differ in size: "
            "63 x 88 mm and 44.45 x 63.5 mm (a card has one size) [unequal-sides]",
        ]


class TestFourWays:
    def test_duplex_alternates_fronts_and_backs_and_tells_the_printer(self, stonehand, project):
        for flip, edge in (("long", "/DuplexFlipLongEdge"), ("short", "/DuplexFlipShortEdge")):
            stonehand("cards", "pond", "--flip", flip, "-o", "x.pdf")
            pdf = pypdf.PdfReader("x.pdf")
            assert len(pdf.pages) == 2
            hints = pdf.trailer["/Root"]["/ViewerPreferences"]
            assert hints["/Duplex"] == edge
            assert hints["/PrintScaling"] == "/None"
            assert hints["/PickTrayByPDFSize"]

    def test_separate_writes_backs_to_a_file_of_their_own(self, stonehand, project):
        done = stonehand("cards", "pond", "--backs", "separate")
        assert [line.partition(",")[0] for line in done.out] == [
            "output/pond/cards-en.pdf: 7 cards on 1 page",
            "output/pond/cards-en-backs.pdf: 7 backs on 1 page",
        ]
        front, back = (pypdf.PdfReader(f"output/pond/cards-en{x}.pdf") for x in ("", "-backs"))
        for pdf in (front, back):
            assert "/Duplex" not in pdf.trailer["/Root"]["/ViewerPreferences"]
        stonehand("cards", "pond", "-o", "x.pdf")
        both = pypdf.PdfReader("x.pdf")
        assert names(Path("x.pdf")) == names(Path("output/pond/cards-en.pdf"))
        assert "Duck wild back" in back.pages[0].extract_text()
        assert "Duck wild back" in both.pages[1].extract_text()

    def test_separate_does_not_go_into_one_file(self, stonehand, project):
        done = stonehand("cards", "pond", "--backs", "separate", "-o", "x.pdf")
        assert done.code == 2
        assert "2 files do not go into one" in done.err[0]
        assert not Path("x.pdf").exists()

    def test_fold_has_both_on_one_page(self, stonehand, project):
        done = stonehand("cards", "pond", "--backs", "fold", "-o", "x.pdf")
        assert done.code == 0
        pdf = pypdf.PdfReader("x.pdf")
        assert len(pdf.pages) == 2
        first = pdf.pages[0].extract_text()
        assert "One" in first
        assert "Duck wild back" in first
        assert "fold on the dashed line" in first
        assert "/Duplex" not in pdf.trailer["/Root"]["/ViewerPreferences"]

    def test_none_leaves_backs_out(self, stonehand, project):
        stonehand("cards", "pond", "--backs", "none", "-o", "x.pdf")
        assert len(pypdf.PdfReader("x.pdf").pages) == 1
        assert backs(Path("x.pdf")) == []


class TestDecksTogether:
    DECKS = "decks:\n  ducks: {cards: [duck]}\n  frogs: {cards: [frog], back: other}\n"

    def test_lie_on_shared_sheets_each_with_its_own_backs(self, stonehand, project):
        more = "  print: {decks: [ducks, frogs]}\n"
        change(project, "cards/pond/game.yaml", "kinds:\n", self.DECKS + more + "kinds:\n")
        done = stonehand("cards", "pond", "--deck", "print")
        assert done.out[0].startswith("output/pond/print-en.pdf: 7 cards on 2 pages")
        assert backs(project / "output/pond/print-en.pdf") == [
            "Duck wild", "Other", "Own Four", "Other", "Other", "Other",
        ]  # fmt: skip

    def test_are_joined_for_the_moment_by_an_option(self, stonehand, project):
        change(project, "cards/pond/game.yaml", "kinds:\n", self.DECKS + "kinds:\n")
        done = stonehand("cards", "pond", "--deck", "frogs,ducks", "--join", "both")
        assert done.out[0].startswith("output/pond/both-en.pdf: 7 cards on 2 pages")
        assert names(project / "output/pond/both-en.pdf") == [
            "Five", "Six", "Six", "One", "Two", "Three", "Four",
        ]  # fmt: skip

    def test_are_files_of_their_own_else(self, stonehand, project):
        change(project, "cards/pond/game.yaml", "kinds:\n", self.DECKS + "kinds:\n")
        done = stonehand("cards", "pond", "--deck", "ducks", "--deck", "frogs")
        assert [line.partition(":")[0] for line in done.out] == [
            "output/pond/ducks-en.pdf",
            "output/pond/frogs-en.pdf",
        ]

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            ("  a: {decks: [b]}\n  b: {decks: [a]}\n", "the deck holds itself: a -> b -> a"),
            ("  a: {decks: [duks]}\n", "unknown deck 'duks' (did you mean 'ducks'?)"),
        ],
    )
    def test_that_can_not_be_are_told(self, stonehand, project, more, said):
        change(project, "cards/pond/game.yaml", "kinds:\n", self.DECKS + more + "kinds:\n")
        done = stonehand("build", "pond")
        assert done.code == 1
        assert any(said in line for line in done.err)


class TestOptions:
    def test_are_the_fields_of_a_sheet(self, stonehand, project):
        words = "--order stack --skip 1,2 --copies 2 --corners round --marks-on both"
        done = stonehand("cards", "pond", *words.split(), "--bleed", "1mm", "--back-bleed", "2mm")
        assert done.code == 0
        assert done.out[0].startswith("output/pond/cards-en.pdf: 14 cards on 4 pages")

    def test_that_contradict_each_other_are_told(self, stonehand, project):
        for words in (["--order", "stack"], ["--skip", "2"], ["--backs", "fold"]):
            done = stonehand("cards", "pond", "--mixed", *words)
            assert done.code == 2
            assert "mixed sheets have no common slots" in done.err[0]

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--skip", "0"], "0 is out of range"),
            (["--skip", "one"], "'one' is not a whole number"),
            (["--skip", "1,2,3,4,5,6,7,8,9"], "does not fit paper"),
            (["--skip", "99"], "there is no slot 99 to skip (from 1 to 9)"),
            (["--copies", "0"], "0 is out of range"),
            (["--copies", "101"], "101 is out of range"),
            (["--cutter", "cricut"], "unknown cutter 'cricut'"),
            (["--printer", "nobody"], "no printer 'nobody'"),
            (["--bleed", "-1mm"], "'-1mm' is negative"),
            (["--flip", "none"], "'none' is not one of 'long', 'short'"),
        ],
    )
    def test_that_are_wrong_are_told(self, stonehand, project, words, said):
        done = stonehand("cards", "pond", *words)
        assert done.code in (1, 2)
        assert any(said in line for line in done.err)
        assert not (project / "output").exists()

    def test_cut_files_lie_beside_the_sheets_once_for_all_languages(
        self, stonehand, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        done = stonehand("cards", "tweak", "--cutter", "silhouette", "-o", "out", "-l", "en,ko")
        assert done.code == 0
        assert sorted(path.name for path in Path("out").iterdir()) == [
            "cards-cut.dxf", "cards-cut.svg", "cards-en.pdf", "cards-ko.pdf",
        ]  # fmt: skip
        stonehand("cards", "tweak", "--cutter", "plain", "-o", "x.pdf", "-l", "en")
        assert Path("x-cut.svg").exists()
