"""`stonehand new`: starters build at once without a finding, and copies stand on their own."""

import json
import re
from pathlib import Path

import pytest
from editors import as_editors_read
from jsonschema import Draft202012Validator

from stonehand.cards.reading import load_game
from stonehand.language import po
from stonehand.output.files import Staged
from stonehand.project import Project
from stonehand.source import yaml
from stonehand.source.problems import Location, Problems, fault
from stonehand.source.text import Text
from stonehand.starting import begin, write_project

ROOT = Path(__file__).parent.parent
STARTERS = sorted(path.parent.name for path in (ROOT / "starters").glob("*/cards"))
GAMES = ["oniroo", "tweak", "witch"]


@pytest.fixture
def stonehand(stonehand, monkeypatch, tmp_path):
    """The same, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return stonehand


def test_comments_keep_their_columns_where_a_path_got_shorter(tmp_path):
    with Staged() as staged:
        write_project(begin(Text("pond"), None, (), tmp_path), Text("minimal"), tmp_path, staged)
    model = ROOT / "starters/minimal/cards/minimal/game.yaml"
    there = model.read_text("utf-8").splitlines()
    made = (tmp_path / "cards/pond/game.yaml").read_text("utf-8").splitlines()
    moved = [line for line in there if "minimal/" in line and "  #" in line]
    assert moved
    for old, new in zip(there, made, strict=True):
        if old in moved:
            assert "pond/" in new
            assert new.index("# ") == old.index("# ")


def files(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture(scope="module", params=STARTERS)
def project(request, tmp_path_factory) -> Path:
    """A project of each starter, called `my-game`."""
    folder = tmp_path_factory.mktemp(request.param)
    start = begin(Text("my-game"), None, (), folder)
    with Staged() as staged:
        write_project(start, Text(request.param), folder, staged)
    return folder


class TestStarters:
    def test_are_the_three_that_are_told(self):
        assert STARTERS == ["minimal", "poker", "tiles"]

    def test_check_without_a_finding(self, stonehand, monkeypatch, project):
        monkeypatch.chdir(project)
        assert stonehand("check", "--strict") == (0, "nothing found\n", "")

    def test_hold_what_a_project_needs_and_no_trace_of_the_model(self, project, request):
        like = request.node.callspec.params["project"]
        made = files(project)
        wanted = {".gitignore", ".vscode/settings.json", "README.md", "CREDITS.md"}
        assert wanted | {"cards/my-game/game.yaml", "schema/template.json"} <= made
        for name in made:
            assert f"/{like}/" not in name
            text = (project / name).read_text("utf-8")
            assert not re.search(rf"\b{like}/|\{{(name|title|catalogues)\}}", text), name

    def test_says_beside_its_commands_what_they_do_in_one_column(self, project):
        lines = (project / "README.md").read_text("utf-8").splitlines()
        told = [line for line in lines if line.startswith("stonehand ")]
        assert len(told) >= 5
        assert len({line.index("   # ") for line in told}) == 1

    def test_editors_find_no_fault_by_the_schemas_that_the_settings_name(self, project):
        settings = json.loads((project / ".vscode/settings.json").read_text("utf-8"))
        seen = set()
        for schema, patterns in settings["yaml.schemas"].items():
            validator = Draft202012Validator(json.loads((project / schema).read_text("utf-8")))
            for pattern in [patterns] if isinstance(patterns, str) else patterns:
                for path in project.glob(pattern):
                    for read in as_editors_read(path):
                        assert not list(validator.iter_errors(read)), path
                    seen.add(path)
        assert seen == set(project.rglob("*.yaml"))

    def test_commands_of_their_pages_are_understood(self, stonehand, project):
        page = (project / "README.md").read_text("utf-8")
        lines = re.findall(r"^stonehand (.*?)\s*#", page, re.MULTILINE)
        assert len(lines) == 5
        for line in lines:
            assert stonehand(*line.split(), "--help")[0] == 0

    def test_say_what_was_made_and_what_to_do_next(self, stonehand):
        _, said, _ = stonehand("new", "pond")
        assert said.splitlines()[1:] == [
            "next:",
            "  cd pond",
            "  stonehand preview pond --all --contact",
            "  stonehand check",
            "  stonehand build",
        ]

    def test_take_a_title_and_languages(self, stonehand, tmp_path):
        words = ("--title", 'A "wild" game: 2', "--lang", "en,ko,hi", "-o", "here")
        assert stonehand("new", "wild", "--like", "poker", *words)[0] == 0
        game = yaml.load(tmp_path / "here/cards/wild/game.yaml")
        assert game["title"] == 'A "wild" game: 2'
        assert game["languages"] == ["en", "ko", "hi"]
        translation = po.read(tmp_path / "here/i18n/wild/ko.po")
        titles = [e for e in translation.entries if e.context in ("title", "game.title")]
        texts = {str(text) for e in titles for text in (e.source, e.translation)}
        assert 'A "wild" game: 2' in texts
        assert "Poker" not in texts

    def test_leave_out_translations_of_languages_that_are_not_wanted(self, stonehand, tmp_path):
        assert stonehand("new", "one", "--like", "poker", "-l", "en")[0] == 0
        assert "i18n/one/ko.po" not in files(tmp_path / "one")

    def test_are_titled_by_their_names(self, stonehand, tmp_path):
        stonehand("new", "my-first_game")
        assert yaml.load(tmp_path / "my-first_game/cards/my-first_game/game.yaml")["title"] == (
            "My first game"
        )


class TestCopies:
    @pytest.mark.parametrize("like", GAMES)
    def test_hold_the_same_cards_and_nothing_of_the_shipped_game(self, stonehand, tmp_path, like):
        assert stonehand("new", "dreams", "--like", like, "-q") == (0, "", "")
        root = tmp_path / "dreams"
        problems = Problems()
        project = Project((root, ROOT))
        made = load_game(project.games()["dreams"], problems)
        model = load_game(project.games()[like], problems)
        assert not list(problems)
        cards = [[(c.id, c.kind, c.count, c.counts) for c in g.cards] for g in (made, model)]
        assert cards[0] == cards[1]
        assert {p.path.is_relative_to(root) for c in made.cards for p in _pictures(c)} <= {True}
        texts = [p for p in root.rglob("*") if p.suffix in {".yaml", ".po", ".pot", ".md"}]
        told = {p: p.read_text("utf-8") for p in texts if p.parent.name != "schema"}
        assert [p for p, text in told.items() if re.search(rf"(?<![\w-]){like}/", text)] == []
        named = {n for t in told.values() for n in re.findall(r"\bdreams/[\w-]+", t)}
        layouts = {f"dreams/{path.stem}" for path in (root / "layouts/dreams").iterdir()}
        assert layouts <= named
        assert_credits(root)

    def test_look_as_the_shipped_game_does(self, stonehand, monkeypatch, tmp_path):
        stonehand("new", "sums", "--like", "tweak", "--lang", "en,ko")
        monkeypatch.chdir(tmp_path / "sums")
        for game in ("sums", "tweak"):
            assert stonehand("preview", game, "54", "thief", "-l", "ko", "-o", game)[0] == 0
        for name in ("54-ko.png", "thief-ko.png"):
            assert Path("sums", name).read_bytes() == Path("tweak", name).read_bytes()

    def test_have_translations_that_are_up_to_date(self, stonehand, monkeypatch, tmp_path):
        stonehand("new", "sums", "--like", "tweak", "--title", 'Some "Sums"')
        monkeypatch.chdir(tmp_path / "sums")
        _, said, told = stonehand("translate", "update", "sums")
        files = ["hi.po", "el.po", "ko.po", "sums.pot"]
        assert (said.splitlines(), told) == (
            [f"i18n/sums/{name}: up to date" for name in files],
            "",
        )


def assert_credits(root: Path) -> None:
    """Pictures are named in the credits of a copy, and the licence of most stands there."""
    page = (root / "CREDITS.md").read_text("utf-8")
    named = set(re.findall(r"`([^`]+)`", page))
    art = root / "cards/dreams/art"
    pictures = {p.relative_to(art).with_suffix("").as_posix() for p in art.rglob("*.*")}
    assert pictures <= named
    assert "cards/dreams/art" in named
    assert page.count("Fluent Emoji](https") == 1
    assert 'THE SOFTWARE IS PROVIDED "AS IS"' in page
    assert "](#mit-license-of-fluent-emoji)" in page
    assert "\n## MIT License of Fluent Emoji\n" in page


def _pictures(card):
    return [value for value in card.values.values() if hasattr(value, "path")]


class TestFaults:
    @pytest.mark.parametrize("name", ["-x", "_x", "a b", "a/b", "..", "", "x" * 101, "a\n"])
    def test_names_that_no_game_can_have_are_refused(self, stonehand, tmp_path, name):
        code, _, told = stonehand("new", "--", name)
        assert code == 2
        assert "can't be the name of a game" in told
        assert not any(tmp_path.iterdir())

    def test_a_folder_with_files_in_it_is_left_as_it_is(self, stonehand, tmp_path):
        (tmp_path / "pond").mkdir()
        (tmp_path / "pond/mine.txt").write_text("mine")
        told = "pond: error: has files in it already (name a new or an empty folder with -o)\n"
        assert stonehand("new", "pond") == (1, "", told)
        assert files(tmp_path) == {"pond/mine.txt"}

    def test_nothing_is_left_where_writing_fails(self, stonehand, tmp_path, monkeypatch):
        def fail(self, target, data):
            if target.name == "README.md":
                raise fault(Location("disk"), "full")
            return write(self, target, data)

        write = Staged.write
        monkeypatch.setattr(Staged, "write", fail)
        assert stonehand("new", "pond") == (1, "", "disk: error: full\n")
        assert files(tmp_path) == set()
        monkeypatch.setattr(Staged, "write", write)
        assert stonehand("new", "pond")[0] == 0  # folders that stayed behind are no project

    def test_an_empty_folder_is_taken(self, stonehand, tmp_path):
        (tmp_path / "cards").mkdir()
        code, said, _ = stonehand("new", "pond", "-o", ".")
        assert code == 0
        assert "cd " not in said
        assert "cards/pond/game.yaml" in files(tmp_path)

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (["--like", "pocker"], "there is no 'pocker' to begin with (did you mean 'poker'?)"),
            (["--lang", "xx"], "unknown language 'xx'"),
            (
                ["--like", "tweak", "--lang", "ko,en"],
                "the texts of 'tweak' are in 'en' (name 'en' first)",
            ),
        ],
    )
    def test_what_is_not_there_is_told(self, stonehand, tmp_path, words, told):
        code, _, said = stonehand("new", "pond", *words)
        assert code == 2
        assert said.startswith(f"command line: error: {told}")
        assert not any(tmp_path.iterdir())

    def test_a_title_that_cant_be_printed_is_refused(self, stonehand, tmp_path):
        code, _, told = stonehand("new", "pond", "--title", "A\x07B")
        assert (code, told) == (
            2,
            "command line: error: U+0007 can't be printed (remove the character)\n",
        )
        assert not any(tmp_path.iterdir())


def test_a_name_is_that_of_a_place_in_a_text_only_where_it_is_a_path(stonehand, tmp_path):
    """`tweak` is also a kind of cards there, and a colour."""
    stonehand("new", "sums", "--like", "tweak")
    game = yaml.load(tmp_path / "sums/cards/sums/game.yaml")
    assert Text("tweak") in game["kinds"]
    assert game["kinds"]["tweak"]["front"] == "sums/t"
