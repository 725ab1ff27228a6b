"""The commands, called as people call them: what they say, what they write, how they end.

Exit codes: 0 all is well, 1 faults in files, 2 a wrong command line, 130 Ctrl-C.
"""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest
from editors import as_editors_read
from PIL import Image

from stonehand import __version__
from stonehand.cli import COMMANDS, _run
from stonehand.project import shipped_content
from stonehand.scene import GlyphRun
from stonehand.schema import FILES
from stonehand.source.text import Text
from stonehand.typesetting.embed import EmbeddedFont, _ContourPen

ENTRY = "import sys; from stonehand.cli import main; sys.argv[0] = 'stonehand'; main()"


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """What builds of these tests remember: the same games are made again and again."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def stonehand(monkeypatch, capsys, tmp_path, kept):
    """Run the program in an empty folder (or another), in this process."""
    monkeypatch.setenv("STONEHAND_CACHE", str(kept))

    def run(*arguments: object, cwd: Path = tmp_path) -> Done:
        monkeypatch.chdir(cwd)
        monkeypatch.setattr(sys, "argv", ["stonehand", *map(str, arguments)])
        capsys.readouterr()
        code = _run()
        return Done(code, *capsys.readouterr())

    return run


def process(*arguments: object, cwd: Path, **options) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own."""
    env = {**os.environ, **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-c", ENTRY, *map(str, arguments)],
        cwd=cwd,
        env=env,
        check=False,
        stderr=subprocess.PIPE,
        **{"stdout": subprocess.PIPE, **options},
    )


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


@pytest.fixture
def mini(tmp_path) -> Path:
    """A project with one game of two cards, whose title is in Korean."""
    project = tmp_path / "project"
    game = project / "cards" / "mini"
    game.mkdir(parents=True)
    (project / "layouts" / "mini").mkdir(parents=True)
    (game / "game.yaml").write_text(
        "title: 작은 놀이\n"
        "languages: [ko]\n"
        "catalogues: [cards.yaml]\n"
        "kinds:\n"
        "  plain: {title: 카드, front: mini/front, fields: {name: text}}\n",
        encoding="utf-8",
    )
    (game / "cards.yaml").write_text(
        "kind: plain\ncards:\n  - {id: a, name: 하나}\n  - {id: b, name: 둘}\n", encoding="utf-8"
    )
    front = "elements:\n  - {draw: text, text: $name, left: 5mm, right: 5mm, top: 5mm}\n"
    (project / "layouts" / "mini" / "front.yaml").write_text(front)
    return project


class TestHelp:
    def test_of_the_program_names_every_command_and_shows_first_steps(self, stonehand):
        done = stonehand("--help")
        assert done.code == 0
        assert all(f"\n  {command} " in done.out for command in COMMANDS)
        assert "\n    stonehand build oniroo\n" in done.out

    @pytest.mark.parametrize("command", COMMANDS)
    def test_of_every_command_teaches_by_example_each_on_its_line(self, stonehand, command):
        done = stonehand(command, "--help")
        assert done.code == 0
        assert done.err == ""
        assert "\\b" not in done.out
        lines = done.out.splitlines()
        assert any(line.startswith("    stonehand ") for line in lines)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_explains_every_option(self, stonehand, command):
        import importlib

        made = importlib.import_module(f"stonehand.cli.{command}_command").command
        options = [parameter for parameter in made.params if parameter.param_type_name == "option"]
        assert all(option.help for option in options)
        assert stonehand(command, "-h").out == stonehand(command, "--help").out

    @pytest.mark.parametrize("command", ["build", "cards", "preview"])
    def test_examples_are_command_lines_that_work(self, stonehand, command, tmp_path):
        examples = [
            line.split()[1:]
            for line in stonehand(command, "--help").out.splitlines()
            if line.startswith("    stonehand ") and "path/to" not in line
        ]
        assert examples
        for words in examples:
            narrow = ["--dpi", "20"] if command == "preview" else []
            if command != "preview" and "--lang" not in words:
                narrow = ["--lang", "en"]
            assert stonehand(*words, *narrow).code == 0

    def test_is_shown_when_nothing_is_asked(self, stonehand):
        done = stonehand()
        assert done.code == 2
        assert "Usage: stonehand" in done.err

    def test_of_version_tells_it(self, stonehand):
        assert stonehand("--version").out == f"stonehand, version {__version__}\n"


class TestList:
    def test_shows_each_kind_with_its_count_and_the_languages(self, stonehand):
        done = stonehand("list", "oniroo")
        assert done.code == 0
        assert done.out.startswith("oniroo: Oniroo, 173 cards, in en, hi, el, ko\n")
        assert "    130  symbol: Symbol card\n" in done.out
        assert "     21  magiccode: Magic Code card\n" in done.out

    def test_without_a_game_shows_those_of_the_project_and_the_shipped_ones(self, stonehand, mini):
        done = stonehand("list", cwd=mini)
        assert "mini: 작은 놀이, 2 cards, in ko" in done.out
        assert "oniroo: Oniroo, 173 cards" in done.out

    def test_anywhere_shows_the_shipped_ones(self, stonehand):
        assert "oniroo: " in stonehand("list").out


class TestBuild:
    def test_makes_cards_and_rules_for_each_language_named_by_it(self, stonehand, tmp_path):
        done = stonehand("build", "oniroo", "--lang", "hi,ko", "-o", "to-print")
        assert done.code == 0
        names = [
            f"to-print/{name}"
            for pattern in ("cards-{}.pdf", "rules-{}-booklet.pdf", "rules-{}.html", "rules-{}.pdf")
            for name in (pattern.format("hi"), pattern.format("ko"))
        ]
        assert files(tmp_path) == sorted(names)
        lines = done.out.splitlines()
        made = "173 cards on 40 pages, cuts shared"
        assert lines[:2] == [f"to-print/cards-{x}.pdf: {made}" for x in ("hi", "ko")]
        assert sorted(line.partition(":")[0] for line in lines) == sorted(names)
        assert done.err == ""

    def test_without_a_game_makes_those_of_the_project_alone(self, stonehand, mini):
        done = stonehand("build", cwd=mini)
        assert done.code == 0
        assert files(mini / "output") == ["mini/cards-ko.pdf"]

    def test_from_a_folder_deep_in_the_project_finds_it(self, stonehand, mini):
        done = stonehand("build", "mini", cwd=mini / "cards" / "mini")
        assert done.code == 0
        assert files(mini / "cards" / "mini" / "output") == ["mini/cards-ko.pdf"]

    def test_where_there_is_no_project_says_so(self, stonehand, tmp_path):
        done = stonehand("build")
        assert done.code == 2
        assert "there is no project here: name a game, or see 'stonehand list'" in done.err
        assert files(tmp_path) == []

    def test_of_two_games_into_one_folder_gives_each_its_own(self, stonehand, mini):
        done = stonehand("build", "mini", "tweak", "--lang", "ko", "-o", "out", cwd=mini)
        assert done.code == 0
        assert files(mini / "out") == [
            "mini/cards-ko.pdf",
            "tweak/cards-ko.pdf",
            "tweak/rules-ko-booklet.pdf",
            "tweak/rules-ko.html",
            "tweak/rules-ko.pdf",
        ]


class TestCards:
    @pytest.mark.parametrize(
        ("output", "wanted"),
        [
            ((), "output/oniroo/cards-hi.pdf"),
            (("-o", "sheets"), "sheets/cards-hi.pdf"),
            (("-o", "proof.pdf"), "proof.pdf"),
            (("-o", "a/b/proof.PDF"), "a/b/proof.PDF"),
        ],
    )
    def test_go_into_the_named_folder_or_file(self, stonehand, tmp_path, output, wanted):
        done = stonehand("cards", "oniroo", "--lang", "hi", "--only", "fairy", *output)
        assert done.code == 0
        assert files(tmp_path) == [wanted]
        assert done.out == f"{wanted}: 5 cards on 2 pages, cuts shared\n"

    def test_of_several_languages_do_not_go_into_one_file(self, stonehand, tmp_path):
        done = stonehand("cards", "oniroo", "-o", "all.pdf")
        assert done.code == 2
        assert "4 files do not go into one (name a folder, or a language)" in done.err
        assert files(tmp_path) == []

    @pytest.mark.parametrize(
        ("options", "pages"),
        [
            (["--only", "001-018"], 4),
            (["--only", "001-018", "--backs", "none"], 2),
            (["--only", "001-018", "--paper", "a3"], 2),
            (["--only", "001-018", "--gap", "4mm", "--margin", "8mm"], 6),
            (["--only", "001,002", "--only", "fairy"], 2),
        ],
    )
    def test_follow_the_options_of_the_moment(self, stonehand, options, pages):
        done = stonehand("cards", "oniroo", "-l", "en", "-o", "x.pdf", *options)
        assert done.code == 0
        assert f" on {pages} pages" in done.out

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--paper", "leter"], "command line: error: unknown paper 'leter' (did you mean"),
            (["--gap", "4"], "command line: error: '4' is not a length (a length has a unit"),
            (["--margin", "5%"], "command line: error: '5%'"),
            (["--deck", "x"], "command line: error: unknown deck 'x'"),
            (["--only", "999"], "command line: error: no card, kind or range '999'"),
            (["--lang", "xx"], "command line: error: oniroo has no language 'xx'"),
            (["--marks", "dots"], "'dots' is not one of 'lines', 'corners', 'ticks', 'none'"),
        ],
    )
    def test_that_are_wrongly_asked_for_end_with_2_and_write_nothing(
        self, stonehand, tmp_path, options, message
    ):
        done = stonehand("cards", "oniroo", *options)
        assert done.code == 2
        assert message in done.err
        assert done.out == ""
        assert files(tmp_path) == []


class TestPreview:
    @pytest.mark.parametrize(
        ("arguments", "wanted"),
        [
            (["023", "-l", "hi"], ["output/oniroo/023-hi.png"]),
            (["023", "067", "-l", "ko", "-o", "p"], ["p/023-ko.png", "p/067-ko.png"]),
            (["023", "-l", "ko", "--back", "-o", "p"], ["p/023-ko-back.png"]),
            (["023", "-l", "ko", "-o", "one.png"], ["one.png"]),
            (["fairy", "-l", "el", "--contact", "-o", "p"], ["p/contact-el.png"]),
            (["wake-up", "-o", "p"], [f"p/wake-up-{c}.png" for c in ("el", "en", "hi", "ko")]),
        ],
    )
    def test_names_pictures_by_card_and_language(self, stonehand, tmp_path, arguments, wanted):
        done = stonehand("preview", "oniroo", *arguments, "--dpi", "20")
        assert done.code == 0
        assert files(tmp_path) == wanted
        assert sorted(done.out.splitlines()) == wanted

    def test_of_all_cards_is_asked_for_by_name(self, stonehand, tmp_path):
        done = stonehand("preview", "oniroo")
        assert done.code == 2
        assert "name cards by their ids, or use --all" in done.err
        done = stonehand("preview", "oniroo", "--all", "-l", "en", "--dpi", "10")
        assert done.code == 0
        assert len(files(tmp_path)) == 173

    def test_of_an_unknown_card_names_the_nearest(self, stonehand):
        done = stonehand("preview", "oniroo", "wakes-up")
        assert done.code == 2
        assert "no card, kind or range 'wakes-up' (did you mean 'wake-up'?)" in done.err


class TestAGame:
    @pytest.mark.parametrize("name", ["cards/mini", "cards/mini/", "cards/mini/game.yaml"])
    def test_is_found_by_the_path_of_its_folder_or_file(self, stonehand, mini, name, tmp_path):
        done = stonehand("cards", mini / name, "-o", "x.pdf")
        assert done.code == 0
        assert files(tmp_path / "project" / "cards") == ["mini/cards.yaml", "mini/game.yaml"]
        assert (tmp_path / "x.pdf").is_file()

    def test_that_is_unknown_is_a_wrong_command_line_with_the_nearest_name(self, stonehand):
        done = stonehand("cards", "onirro")
        assert done.code == 2
        assert done.err == (
            "command line: error: onirro: no game of this name, and no folder "
            "(did you mean 'oniroo'?)\n"
        )

    def test_with_faults_ends_with_1_tells_all_of_them_and_writes_nothing(self, stonehand, mini):
        catalogue = mini / "cards" / "mini" / "cards.yaml"
        catalogue.write_text("kind: plain\ncards:\n  - {id: a, nme: x}\n  - {id: a, name: y}\n")
        done = stonehand("build", cwd=mini)
        assert done.code == 1
        assert done.out == ""
        assert done.err == (
            "cards/mini/cards.yaml:3:6: error: 'name' is missing\n"
            "cards/mini/cards.yaml:3:13: error: unknown field 'nme' (did you mean 'name'?)\n"
            "cards/mini/cards.yaml:4:10: error: the id 'a' is taken "
            "(first at cards/mini/cards.yaml:3:10)\n"
        )
        assert files(mini / "output") == []

    def test_with_warnings_alone_is_made_and_ends_with_0(self, stonehand, mini):
        game = mini / "cards" / "mini" / "game.yaml"
        game.write_text(game.read_text(encoding="utf-8").replace("[ko]", "[ko, el]"), "utf-8")
        done = stonehand("build", cwd=mini)
        assert done.code == 0
        assert "i18n/mini/el.po: warning: not found" in done.err
        assert files(mini / "output") == ["mini/cards-el.pdf", "mini/cards-ko.pdf"]


class TestAPicture:
    @pytest.mark.parametrize(
        ("pixels", "fit", "told"),
        [
            ((300, 400), "contain", "prints at 127 dpi: 300 x 400 pixels on 60.0 x 80.0 mm"),
            ((480, 640), "contain", ""),
            ((480, 320), "contain", ""),  # on 60 x 40 mm
            ((480, 320), "cover", "prints at 102 dpi: 480 x 320 pixels on 120.0 x 80.0 mm"),
            ((480, 320), "stretch", "prints at 102 dpi: 480 x 320 pixels on 60.0 x 80.0 mm"),
        ],
    )
    def test_whose_pixels_will_show_is_told_with_how_many_it_needs(
        self, stonehand, mini, pixels, fit, told
    ):
        (mini / "cards" / "mini" / "art").mkdir()
        Image.new("RGB", pixels, "#336699").save(mini / "cards" / "mini" / "art" / "sun.png")
        (mini / "layouts" / "mini" / "front.yaml").write_text(
            "elements:\n"
            f"  - {{draw: picture, picture: sun, fit: {fit}, width: 60mm, height: 80mm}}\n"
        )
        done = stonehand("cards", "mini", cwd=mini)
        assert done.code == 0, done.err
        warnings = [line for line in done.err.splitlines() if "[coarse-picture]" in line]
        assert len(warnings) == bool(told)
        if told:
            place, message = warnings[0].split(" warning: ")
            assert place.endswith("layouts/mini/front.yaml:2:30:")
            assert message.startswith(
                f"the picture {told} (ko, picture 'sun') (it looks coarse under 200 dpi; "
            )
            need = {"contain": "709 x 945", "cover": "1417 x 945", "stretch": "709 x 945"}[fit]
            assert message.endswith(f"; {need} pixels are sharp) [coarse-picture]")


class TestQuiet:
    @pytest.mark.parametrize(
        "arguments",
        [
            ["build", "tweak", "--lang", "en"],
            ["cards", "oniroo", "--lang", "en", "--only", "fairy"],
            ["preview", "oniroo", "023", "--lang", "en", "--dpi", "20"],
            ["schema"],
        ],
        ids=lambda arguments: arguments[0],
    )
    def test_prints_nothing_at_all(self, stonehand, arguments, tmp_path):
        for option in ("--quiet", "-q"):
            assert stonehand(*arguments, option) == Done(0, "", "")
        assert files(tmp_path)

    def test_still_tells_faults(self, stonehand):
        assert stonehand("cards", "nonesuch", "-q").err


class TestProgress:
    ARGUMENTS = ("cards", "oniroo", "--lang", "en", "--only", "001-018", "-o", "x.pdf")

    def test_is_not_shown_in_a_pipe(self, tmp_path):
        done = process(*self.ARGUMENTS, cwd=tmp_path)
        assert done.returncode == 0
        assert done.stderr == b""
        assert done.stdout == b"x.pdf: 18 cards on 4 pages, cuts shared\n"

    @pytest.mark.parametrize(("more", "shown"), [((), True), (("--quiet",), False)])
    def test_is_shown_on_a_terminal_unless_quiet(self, tmp_path, more, shown):
        terminal, stderr = pytest.importorskip("pty").openpty()
        try:
            done = subprocess.run(
                [sys.executable, "-c", ENTRY, *self.ARGUMENTS, *more],
                cwd=tmp_path,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env={**os.environ, "TERM": "xterm"},
                check=False,
            )
            os.write(stderr, b"end")  # so that reading never waits
            seen = os.read(terminal, 100_000)
        finally:
            os.close(stderr)
            os.close(terminal)
        assert done.returncode == 0
        assert (b"oniroo" in seen) == shown


class TestRoughTreatment:
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
    @pytest.mark.parametrize("words", [["list"], ["--help"], ["preview", "--help"]], ids=" ".join)
    def test_an_output_that_takes_nothing_is_told(self, words):
        with Path("/dev/full").open("w") as full:
            done = process(*words, cwd=ROOT, stdout=full)
        assert done.returncode == 74
        assert done.stderr.decode() == f"error: {os.strerror(errno.ENOSPC)}\n"

    def test_a_reader_that_has_gone_is_no_traceback(self, tmp_path):
        for arguments in (["list"], ["cards", "oniroo", "-l", "en", "--only", "fairy"]):
            reading, writing = os.pipe()
            os.close(reading)
            try:
                done = process(*arguments, cwd=tmp_path, stdout=writing)
            finally:
                os.close(writing)
            assert done.returncode in (0, 1)
            assert done.stderr == b""

    @pytest.mark.parametrize(
        "env",
        [
            {"LC_ALL": "C", "LANG": "C"},
            {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
            {"PYTHONIOENCODING": "ascii"},
            {"PYTHONIOENCODING": "cp1252"},
        ],
        ids=",".join,
    )
    def test_a_terminal_that_knows_no_korean_shows_escapes_not_a_traceback(self, mini, env):
        done = process("list", "mini", cwd=mini, env=env)
        assert done.returncode == 0, done.stderr
        assert done.stderr == b""
        assert b"mini: " in done.stdout

    def test_a_locale_without_korean_still_builds_and_writes_schemas(self, mini):
        env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        done = process("build", "-o", "한국", cwd=mini, env=env)
        assert done.returncode == 0, done.stderr
        assert (mini / "한국" / "cards-ko.pdf").is_file()
        assert process("schema", cwd=mini, env=env).returncode == 0

    def test_settings_of_the_system_that_are_odd_or_missing_make_no_difference(
        self, stonehand, mini
    ):
        """No home, no folder for temporary files, and a date that is none."""
        assert stonehand("build", "-o", "plain", cwd=mini).code == 0
        env = {name: value for name, value in os.environ.items() if name != "HOME"}
        odd = {"SOURCE_DATE_EPOCH": "abc", "TMPDIR": "/no/such/folder", "XDG_CONFIG_HOME": "/no"}
        done = subprocess.run(
            [sys.executable, "-c", ENTRY, "build", "-o", "odd", "--quiet"],
            cwd=mini,
            env=env | odd,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        made = files(mini / "plain")
        assert made == files(mini / "odd")
        for name in made:
            assert (mini / "plain" / name).read_bytes() == (mini / "odd" / name).read_bytes()

    @pytest.mark.parametrize(
        "arguments", [["build"], ["cards", "oniroo"], ["list"], ["translate", "check", "oniroo"]]
    )
    def test_a_folder_that_is_gone_is_told_in_a_line(
        self, stonehand, tmp_path, monkeypatch, arguments
    ):
        (tmp_path / "gone").mkdir()

        def stand_nowhere():
            raise FileNotFoundError

        monkeypatch.setattr(Path, "cwd", stand_nowhere)  # a test can't remove where it stands
        assert stonehand(*arguments) == Done(
            2, "", "command line: error: the folder you stand in is gone (change to another)\n"
        )

    @pytest.mark.parametrize(
        ("arguments", "code", "told"),
        [
            (["list"], 2, rb"\udcff\udcfe: no game of this name"),
            (["cards", "oniroo", "-l", "en", "--only", "001", "-o"], 0, rb"\udcff\udcfe/cards"),
        ],
        ids=["of a game", "of a folder"],
    )
    def test_words_that_are_not_utf_8_are_shown_as_escapes(self, tmp_path, arguments, code, told):
        done = subprocess.run(
            [sys.executable, "-c", ENTRY, *arguments, b"\xff\xfe"],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert told in done.stdout + done.stderr
        assert b"Traceback" not in done.stderr

    def test_ctrl_c_while_a_file_is_written_ends_with_130(self, stonehand, tmp_path, monkeypatch):
        def interrupted(descriptor):
            raise KeyboardInterrupt

        monkeypatch.setattr("stonehand.output.files.os.fsync", interrupted)
        done = stonehand("cards", "oniroo", "--lang", "en", "--only", "fairy", "-o", "out")
        assert done.code == 130
        assert "Traceback" not in done.err
        assert files(tmp_path) == []

    def test_ctrl_c_between_two_files_ends_with_130_and_leaves_neither(self, tmp_path):
        out = tmp_path / "out"
        run = subprocess.Popen(
            [sys.executable, "-c", ENTRY, "build", "oniroo", "-o", str(out)],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        until = time.monotonic() + 30
        while run.poll() is None and time.monotonic() < until:
            if out.is_dir() and any(path.stat().st_size for path in out.iterdir()):
                break
            time.sleep(0.002)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=5)  # it is not finished first
        assert run.returncode == 130, err
        assert b"Traceback" not in err
        assert files(out) == []

    def test_ctrl_c_while_harfbuzz_draws_a_glyph_is_not_lost(self, oniroo, press, monkeypatch):
        """HarfBuzz swallows what its callbacks raise, and the glyph would lack a curve."""
        [language] = press.languages_of(oniroo, [Text("en")])
        runs = press.layouter(oniroo, language).front(oniroo.cards[0]).walk()
        run = next(mark for mark, _ in runs if isinstance(mark, GlyphRun))
        font = EmbeddedFont(run.face)
        font.show(run.clusters[0])
        plain = _ContourPen.moveTo

        def struck(self, point):
            plain(self, point)
            signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(_ContourPen, "moveTo", struck)
        with pytest.raises(KeyboardInterrupt):
            font.program()


# --- schemas -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schemas(tmp_path_factory) -> dict[str, dict]:
    folder = tmp_path_factory.mktemp("schema")
    done = process("schema", cwd=folder)
    assert done.returncode == 0, done.stderr
    return {path.stem: json.loads(path.read_text()) for path in (folder / "schema").iterdir()}


ROOT = shipped_content()
SHIPPED = [
    *(("game", path) for path in sorted(ROOT.glob("cards/*/game.yaml"))),
    *(
        ("catalogue", path)
        for path in sorted(ROOT.glob("cards/*/*.yaml"))
        if path.name != "game.yaml"
    ),
    *(
        ("template" if "\nsize:" in f"\n{path.read_text('utf-8')}" else "part", path)
        for path in sorted(ROOT.glob("layouts/*/*.yaml"))
    ),
    ("sizes", ROOT / "layouts" / "sizes.yaml"),
    ("papers", ROOT / "layouts" / "papers.yaml"),
    ("cutters", ROOT / "layouts" / "cutters.yaml"),
    ("books", ROOT / "layouts" / "books.yaml"),
    ("languages", ROOT / "i18n" / "languages.yaml"),
]

WRITERS = [
    ["build", "mini"],
    ["cards", "mini", "--lang", "ko"],
    ["preview", "mini", "--all"],
    ["rules", "oniroo", "--lang", "en"],
    ["printer", "calibrate", "desk"],
]


class TestALinkOutOfTheFolder:
    @pytest.mark.parametrize("arguments", WRITERS, ids=lambda arguments: arguments[0])
    def test_is_not_followed_unless_named(self, stonehand, mini, tmp_path, arguments):
        outside = tmp_path / "outside"
        outside.mkdir()
        (mini / "output").symlink_to(outside)
        done = stonehand(*arguments, cwd=mini)
        assert done.code == 1, done.out
        assert "error: is a link out of this folder (name a folder with -o)" in done.err
        assert files(outside) == []

    def test_is_followed_where_named(self, stonehand, mini, tmp_path):
        outside = tmp_path / "outside"
        outside.mkdir()
        (mini / "output").symlink_to(outside)
        done = stonehand("preview", "mini", "--all", "-o", "output", cwd=mini)
        assert done.code == 0, done.err
        assert files(outside) == ["a-ko.png", "b-ko.png"]


class TestSchemas:
    def test_are_written_one_for_each_kind_of_file(self, schemas):
        assert set(schemas) == set(FILES)

    def test_are_valid_json_schemas(self, schemas):
        for schema in schemas.values():
            assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
            jsonschema.Draft202012Validator.check_schema(schema)

    @pytest.mark.parametrize(
        ("name", "path"), SHIPPED, ids=lambda value: getattr(value, "stem", value)
    )
    def test_accept_what_is_shipped(self, schemas, name, path):
        for read in as_editors_read(path):
            errors = jsonschema.Draft202012Validator(schemas[name]).iter_errors(read)
            assert [f"{error.json_path}: {error.message}" for error in errors] == []

    @pytest.mark.parametrize(
        ("name", "path", "old", "new"),
        [
            ("game", "cards/oniroo/game.yaml", "languages:", "langauges:"),
            ("game", "cards/oniroo/game.yaml", "type: word", "type: wrd"),
            ("catalogue", "cards/oniroo/free.yaml", "cards:", "crads:"),
            ("template", "layouts/oniroo/symbol.yaml", "draw: rect", "draw: rectangle"),
            ("template", "layouts/oniroo/symbol.yaml", "width: 9.6mm", "width: 9.6mn"),
            ("template", "layouts/oniroo/symbol.yaml", "radius:", "radios:"),
            ("sizes", "layouts/sizes.yaml", "width: 63mm", "width: 63"),
            ("papers", "layouts/papers.yaml", "height: 420mm", "heigth: 420mm"),
            ("languages", "i18n/languages.yaml", "script: Latn", "scirpt: Latn"),
        ],
    )
    def test_show_an_editor_what_is_misspelt(self, schemas, tmp_path, name, path, old, new):
        text = (ROOT / path).read_text(encoding="utf-8")
        assert old in text
        wrong = tmp_path / "wrong.yaml"
        wrong.write_text(text.replace(old, new, 1), encoding="utf-8")
        for read in as_editors_read(wrong):
            assert not jsonschema.Draft202012Validator(schemas[name]).is_valid(read)

    def test_describe_fields_for_the_editor_to_show(self, schemas):
        described = [
            field.get("description")
            for schema in schemas.values()
            for part in schema["$defs"].values()
            for name, field in part.get("properties", {}).items()
            if name != "draw"
        ]
        assert described
        assert all(described)
