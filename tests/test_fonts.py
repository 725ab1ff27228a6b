"""Fonts: what is found in the folders, which face a text gets, and what becomes of broken files."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest

from stonehand.language.languages import Languages
from stonehand.output.pdf import PdfWriter
from stonehand.press import Press
from stonehand.project import Project, shipped_content
from stonehand.scene import GlyphRun, Scene
from stonehand.source.problems import Location, Problems, StonehandError
from stonehand.source.text import Text
from stonehand.typesetting.fonts import Face, FontLibrary
from stonehand.typesetting.shaping import itemise, shape

MakeFont = Callable[..., Path]

SANS = Text("sans")


def library(*folders: Path) -> FontLibrary:
    problems = Problems()
    made = FontLibrary(folders, problems)
    assert not list(problems)
    return made


def families(faces: tuple[Face, ...]) -> list[str]:
    return [face.file.family for face in faces]


class TestLibrary:
    def test_finds_the_shipped_families(self, fonts: FontLibrary) -> None:
        shipped = {"Noto Sans", "Noto Sans Devanagari", "Pretendard Variable"}
        assert shipped <= set(fonts.families)

    @pytest.mark.parametrize("family", ["Noto Sans", "Noto Sans Devanagari", "Pretendard Variable"])
    def test_knows_the_weights_of_variable_fonts(self, fonts: FontLibrary, family: str) -> None:
        for file in fonts.families[family]:
            lowest, highest = file.weights
            assert lowest <= 100
            assert highest >= 900

    def test_gives_any_weight_of_a_variable_font(self, fonts: FontLibrary) -> None:
        regular, bold = (fonts.face(Text("Noto Sans"), weight, False) for weight in (400, 650))
        assert (regular.weight, bold.weight) == (400, 650)
        assert shape("Owl", bold, "Latn", "en") != shape("Owl", regular, "Latn", "en")

    def test_gives_the_nearest_weight_there_is(self, fonts: FontLibrary) -> None:
        assert fonts.face(Text("Noto Sans"), 1000, False).weight == 900
        assert fonts.face(Text("Noto Sans"), 1, False).weight == 100

    def test_finds_italics(self, fonts: FontLibrary) -> None:
        assert fonts.face(Text("Noto Sans"), 400, True).file.italic
        assert not fonts.face(Text("Noto Sans"), 400, False).file.italic

    def test_gives_upright_letters_where_there_are_no_italics(self, fonts: FontLibrary) -> None:
        assert not fonts.face(Text("Noto Sans Devanagari"), 400, True).file.italic

    def test_takes_the_nearest_of_static_fonts(self, tmp_path: Path, make_font: MakeFont) -> None:
        for weight in (300, 400, 700):
            make_font(tmp_path / f"{weight}.ttf", weight=weight)
        found = library(tmp_path)
        wanted = {100: 300, 400: 400, 600: 700, 900: 700}
        assert {w: found.face(Text("Plain"), w, False).weight for w in wanted} == wanted

    def test_prefers_letters_of_normal_width(self, tmp_path: Path, make_font: MakeFont) -> None:
        make_font(tmp_path / "a-condensed-bold.ttf", weight=700, width=3)
        make_font(tmp_path / "b-regular.ttf", weight=400)
        assert library(tmp_path).face(Text("Plain"), 700, False).file.path.stem == "b-regular"

    def test_looks_in_folders_within_folders(self, tmp_path: Path, make_font: MakeFont) -> None:
        (tmp_path / "a" / "b").mkdir(parents=True)
        make_font(tmp_path / "a" / "b" / "Plain.TTF")
        assert set(library(tmp_path).families) == {"Plain"}

    def test_tells_what_is_near_to_an_unknown_family(self, fonts: FontLibrary) -> None:
        with pytest.raises(StonehandError) as caught:
            fonts.face(Text("Noto Sanz", Location("game.yaml", 3, 7)), 400, False)
        told = str(caught.value)
        assert told.startswith("game.yaml:3:7: error: no font of the family 'Noto Sanz'")
        assert "did you mean 'Noto Sans'?" in told


class TestFontsOfAProject:
    def test_are_added_to_the_shipped_ones(
        self, tmp_path: Path, make_font: MakeFont, shipped: Path
    ) -> None:
        make_font(tmp_path / "own.ttf", "Own Hand")
        assert {"Own Hand", "Noto Sans"} <= set(library(tmp_path, shipped / "fonts").families)

    def test_hide_a_shipped_family_of_the_same_name(
        self, tmp_path: Path, make_font: MakeFont, shipped: Path
    ) -> None:
        own = make_font(tmp_path / "own.ttf", "Noto Sans")
        found = library(tmp_path, shipped / "fonts")
        for italic in (False, True):
            assert found.face(Text("Noto Sans"), 400, italic).file.path == own

    def test_lie_in_its_folder_fonts(self, tmp_path: Path, make_font: MakeFont) -> None:
        (tmp_path / "fonts").mkdir()
        make_font(tmp_path / "fonts" / "own.otf", "Own Hand", cubic=True)
        press = Press(Project((tmp_path, shipped_content())), Problems())
        assert {"Own Hand", "Pretendard Variable"} <= set(press.fonts.families)


class TestChain:
    """The faces in which a character is looked for."""

    @pytest.mark.parametrize(
        ("code", "first"),
        [
            ("en", ["Noto Sans", "Pretendard Variable"]),
            ("hi", ["Noto Sans Devanagari", "Noto Sans", "Pretendard Variable"]),
            ("el", ["Noto Sans", "Pretendard Variable"]),
            ("ko", ["Pretendard Variable", "Noto Sans"]),
        ],
    )
    def test_begins_with_the_families_of_the_language(
        self, fonts: FontLibrary, languages: Languages, code: str, first: list[str]
    ) -> None:
        chain = fonts.chain(SANS, 400, False, languages[code], languages)
        assert families(chain)[: len(first)] == first

    def test_holds_the_families_of_all_other_languages_once(
        self, fonts: FontLibrary, languages: Languages
    ) -> None:
        for language in languages.values():
            names = families(fonts.chain(SANS, 400, False, language, languages))
            assert len(names) == len(set(names))
            assert set(names) == set(fonts.families)

    def test_begins_with_a_family_that_is_named(
        self, fonts: FontLibrary, languages: Languages
    ) -> None:
        chain = fonts.chain(Text("Pretendard Variable"), 400, False, languages["hi"], languages)
        assert families(chain)[:2] == ["Pretendard Variable", "Noto Sans Devanagari"]

    def test_is_of_one_weight(self, fonts: FontLibrary, languages: Languages) -> None:
        chain = fonts.chain(SANS, 700, False, languages["hi"], languages)
        assert {face.weight for face in chain} == {700}

    def test_of_an_unknown_role_is_a_fault_with_a_hint(
        self, fonts: FontLibrary, languages: Languages
    ) -> None:
        with pytest.raises(StonehandError, match=r"no font or role 'sanz' \(did you mean 'sans'"):
            fonts.chain(Text("sanz"), 400, False, languages["en"], languages)

    @pytest.mark.parametrize(
        ("code", "text", "family"),
        [
            ("ko", "Ελληνικά", "Pretendard Variable"),
            ("ko", "हिन्दी", "Noto Sans Devanagari"),
            ("el", "हिन्दी", "Noto Sans Devanagari"),
            ("el", "한국어", "Pretendard Variable"),
            ("hi", "한국어", "Pretendard Variable"),
            ("hi", "Ελληνικά", "Noto Sans"),
            ("hi", "English", "Noto Sans Devanagari"),
            ("en", "हिन्दी", "Noto Sans Devanagari"),
        ],
    )
    def test_sets_the_words_of_other_languages_too(
        self, fonts: FontLibrary, languages: Languages, code: str, text: str, family: str
    ) -> None:
        chain = fonts.chain(SANS, 400, False, languages[code], languages)
        missing: list[str] = []
        runs = list(itemise(text, chain, missing.append))
        assert [face.file.family for *_, face in runs] == [family]
        assert not missing


def ink(path: Path) -> int:
    """The dark pixels of a page."""
    with pypdfium2.PdfDocument(path) as document:
        image = document[0].render(scale=2, grayscale=True).to_pil()
        return sum(image.histogram()[:128])


class TestEveryKindOfFontFile:
    KINDS = ("static.ttf", "static.otf", "set.ttc", "set.otc", "variable.ttf")

    @pytest.fixture(params=KINDS)
    def face(self, request, tmp_path: Path, make_font: MakeFont, fonts: FontLibrary) -> Face:
        """The last font of a file of each kind."""
        if request.param == "variable.ttf":
            return fonts.face(Text("Noto Sans"), 555, False)
        path = make_font(tmp_path / request.param, cubic=request.param.endswith(".otf"))
        found = library(tmp_path)
        family = "Plain Two" if request.param.startswith("set") else "Plain"
        face = found.face(Text(family), 400, False)
        assert face.file.path == path
        assert face.file.index == (1 if request.param.startswith("set") else 0)
        return face

    def test_is_read_shaped_and_embedded(self, face: Face, tmp_path: Path, press: Press) -> None:
        clusters = shape("A Bo A", face, "Latn", "en")
        assert "".join(cluster.text for cluster in clusters) == "A Bo A"
        assert all(gid for cluster in clusters for gid, *_ in cluster.glyphs)
        run = GlyphRun(face, 10.0, 5.0, 20.0, clusters)
        writer = PdfWriter("Kinds", "en", press.art)
        writer.add_page(Scene(60, 30, (run,)))
        (tmp_path / "made.pdf").write_bytes(writer.data())
        with pypdfium2.PdfDocument(tmp_path / "made.pdf") as document:
            assert document[0].get_textpage().get_text_range() == "A Bo A"
        assert ink(tmp_path / "made.pdf") > 500

    def test_both_fonts_of_a_collection_are_found(
        self, tmp_path: Path, make_font: MakeFont
    ) -> None:
        make_font(tmp_path / "set.ttc")
        assert set(library(tmp_path).families) == {"Plain", "Plain Two"}


class TestBrokenFontFile:
    @pytest.fixture
    def good(self, tmp_path: Path, make_font: MakeFont) -> bytes:
        return make_font(tmp_path / "good.ttf").read_bytes()

    @pytest.mark.parametrize(
        "content",
        [b"", b"not a font at all", b"\0\1\0\0" + b"\xff" * 500, b"<html>404</html>", None],
        ids=["empty", "text", "garbage", "web page", "cut short"],
    )
    def test_is_a_problem_with_its_name(
        self, tmp_path: Path, good: bytes, content: bytes | None
    ) -> None:
        (tmp_path / "bad.otf").write_bytes(good[:100] if content is None else content)
        problems = Problems()
        found = FontLibrary([tmp_path], problems)
        (problem,) = problems
        assert problem.location.file.endswith("bad.otf")
        assert problem.severity == "error"
        assert "not a font, or damaged" in problem.message
        assert set(found.families) == {"Plain"}, "the good one beside it is found"

    def test_a_folder_of_such_a_name_is_a_problem_too(self, tmp_path: Path) -> None:
        (tmp_path / "folder.ttf").mkdir()
        problems = Problems()
        FontLibrary([tmp_path], problems)
        (problem,) = problems
        assert problem.location.file.endswith("folder.ttf")

    def test_a_file_of_another_kind_is_no_problem(self, tmp_path: Path) -> None:
        (tmp_path / "OFL.txt").write_text("licence")
        assert not library(tmp_path).families


class TestMissingGlyph:
    GAME = """\
title: Mini
languages: [ko]
catalogues: [all.yaml]
kinds:
  plain: {title: Card, front: face, fields: {name: text, note: text}}
"""
    CARDS = """\
kind: plain
cards:
  - {id: a1, name: 올빼미, note: fine}
  - {id: a2, name: 부엉이, note: "flies \U0001f989 and \U0001f989"}
"""
    FACE = """\
size: poker
elements:
  - {draw: text, text: $name, height: 10mm}
  - {draw: text, text: $note, top: 20mm, height: 10mm}
"""

    def test_is_an_error_that_names_code_point_card_and_field(self, tmp_path: Path) -> None:
        files = {"cards/mini/game.yaml": self.GAME, "cards/mini/all.yaml": self.CARDS}
        for name, text in (files | {"layouts/face.yaml": self.FACE}).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        problems = Problems()
        press = Press(Project((tmp_path, shipped_content())), problems)
        game = press.load(press.project.games()["mini"])
        (language,) = press.languages_of(game, ())
        layouter = press.layouter(game, language)
        for card in game.cards:
            layouter.front(card)
        [problem] = [found for found in problems if found.code != "text-near-cut"]
        assert problem.severity == "error"
        assert problem.location.file.endswith("all.yaml")
        assert problem.location.line == 4
        for part in ("U+1F989", "'ko'", "card a2", "$note"):
            assert part in problem.message
