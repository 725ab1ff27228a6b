"""Bad input: each fault in a person's files is one line that says where, what and what to do.

A folder of `bad/` is a case: its files are laid over the project in `bad/base`, then the game is
built. Above each faulty line stands what is said of it, as a comment, several if need be:

    # error: 12 unknown field 'grup' (did you mean 'group'?)

with the column. What can't stand in the file stands in the case's `expected.txt`, as it is
printed. Everything is compared: all problems of the run in their order, and nothing else.
"""

import ast
import os
import re
import resource
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pytest
import yaml as pyyaml
from hypothesis import HealthCheck, given, settings, strategies
from PIL import Image

from stonehand import cli
from stonehand.cards.reading import load_game
from stonehand.project import find_game, find_project
from stonehand.source.problems import Problems

ROOT = Path(__file__).parents[1]
BAD = ROOT / "tests/bad"
BASE = BAD / "base"
CASES = sorted(path.name for path in BAD.iterdir() if path.is_dir() and path != BASE)
FOLDERS = {  # where a file of a case lies in its project; catalogues lie beside game.yaml
    "papers.yaml": "layouts",
    "cutters.yaml": "layouts",
    "sizes.yaml": "layouts",
    "languages.yaml": "i18n",
    ".po": "i18n/tiny",
    ".svg": "cards/tiny/art",
    ".png": "cards/tiny/art",
    ".ttf": "fonts",
}
LAYOUT = re.compile(r"(front|back|part).*\.yaml")
EXPECTED = re.compile(r"\s*(?:#|<!--)\s*(error|warning|note): (\d+) (.*?)(?:\s*-->)?\s*")
EARLIER = b"what an earlier run has made"


def place(name: str) -> str:
    """Return where in a project a file of a case lies."""
    folder = FOLDERS.get(name) or FOLDERS.get(Path(name).suffix)
    if LAYOUT.fullmatch(name):
        folder = "layouts/tiny"
    return f"{folder or 'cards/tiny'}/{name}"


def lay(folder: Path, project: Path) -> None:
    """Copy the files of a case, or of the base, to their places in a project."""
    for source in sorted(folder.iterdir()):
        if source.name != "expected.txt":
            target = project / place(source.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())


def expected(folder: Path) -> list[str]:
    """Return the lines that a case says are printed, sorted as problems are."""
    found = []
    for path in folder.iterdir():
        if path.name == "expected.txt":
            for line in path.read_text("utf-8").splitlines():
                file, number, column, rest = re.fullmatch(
                    r"([^:]+)(?::(\d+))?(?::(\d+))?: (.*)", line
                ).groups()
                found.append((file, int(number or 0), int(column or 0), rest))
            continue
        waiting = []
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            if match := EXPECTED.fullmatch(line.decode("utf-8", "replace")):
                waiting.append(match.groups())
                continue
            for severity, column, rest in waiting:
                found.append((place(path.name), number, int(column), f"{severity}: {rest}"))
            waiting.clear()
        assert not waiting, f"{path} ends with a comment of a fault"
    return [
        ":".join(str(part) for part in (file, line, column) if part) + f": {rest}"
        for file, line, column, rest in sorted(found)
    ]


class Run(NamedTuple):
    code: int
    out: str
    problems: list[str]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The base project, as a place to stand in, with the output of an earlier run."""
    folder = tmp_path / "project"
    lay(BASE, folder)
    earlier = folder / "output/tiny/cards-en.pdf"
    earlier.parent.mkdir(parents=True)
    earlier.write_bytes(EARLIER)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def stonehand(monkeypatch, capsys):
    """Runs a command as `main` does, in this process."""

    def run(*words: str) -> Run:
        monkeypatch.setattr(sys, "argv", ["stonehand", *words])
        code = cli._run()
        out, err = capsys.readouterr()
        return Run(code, out, err.splitlines())

    return run


def files(project: Path) -> dict[str, bytes]:
    """Return all that lies in a project."""
    return {
        str(path.relative_to(project)): path.read_bytes()
        for path in sorted(project.rglob("*"))
        if path.is_file()
    }


def refused(stonehand, project: Path, *words: str) -> list[str]:
    """Run a build that must fail, and leave everything as it was; return what it says."""
    before = files(project)
    run = stonehand(*(words or ("build", "tiny")))
    assert run.out == ""
    assert run.code == 1
    assert files(project) == before
    return run.problems


def test_the_project_that_the_cases_are_laid_over_builds(stonehand, project):
    run = stonehand("build", "tiny")
    assert run == (
        0,
        "output/tiny/cards-en.pdf: 2 cards on 1 page, cuts shared\n",
        [],
    )
    assert (project / "output/tiny/cards-en.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("case", CASES)
def test_each_fault_is_told_at_its_place(stonehand, project, case):
    lay(BAD / case, project)
    wanted = expected(BAD / case)
    if any(": error: " in line for line in wanted):
        assert refused(stonehand, project) == wanted
    else:
        run = stonehand("build", "tiny")
        assert run.code == 0
        assert run.problems == wanted


# --- what no file in a repository can be ---


def card(art: str) -> str:
    return f"kind: thing\ncards:\n  - {{id: a1, name: Ant, art: {art}}}\n"


def test_a_picture_that_is_a_link_out_of_the_project_is_refused(stonehand, project, tmp_path):
    outside = tmp_path / "outside.svg"
    outside.write_bytes((BASE / "dot.svg").read_bytes())
    (project / "cards/tiny/art/link.svg").symlink_to(outside)
    for name in ("link", "link.svg"):
        (project / "cards/tiny/cards.yaml").write_text(card(name))
        assert refused(stonehand, project) == [
            f"cards/tiny/cards.yaml:3:30: error: '{name}' must lie in the project"
            " (it is a link that leads out of its folder)"
        ]


def test_a_link_within_its_folder_is_followed(stonehand, project):
    (project / "cards/tiny/art/link.svg").symlink_to("dot.svg")
    (project / "cards/tiny/cards.yaml").write_text(card("link"))
    assert stonehand("build", "tiny").code == 0


def test_links_in_a_circle_are_refused(stonehand, project):
    (project / "cards/tiny/art/link.svg").symlink_to("link.svg")
    (project / "cards/tiny/cards.yaml").write_text(card("link"))
    assert refused(stonehand, project) == [
        "cards/tiny/cards.yaml:3:30: error: 'link' must lie in the project"
        " (it is a link that leads out of its folder)"
    ]


@pytest.mark.parametrize(
    "name", ["cards/tiny/game.yaml", "cards/tiny/art", "layouts", "i18n", "i18n/languages.yaml"]
)
def test_no_file_or_folder_of_a_project_may_be_a_link_out_of_it(stonehand, project, tmp_path, name):
    (project / "i18n").mkdir()
    (project / "i18n/languages.yaml").write_text("{}\n")
    outside = tmp_path / "outside"
    (project / name).rename(outside)
    (project / name).symlink_to(outside)
    said = refused(stonehand, project)
    assert [re.sub("^i18n.*?:", "i18n:", line) for line in said] == [
        f"{'i18n' if 'i18n' in name else name}: error: must lie in the project"
        " (it is a link out of it)"
    ]


def test_a_translation_that_is_a_link_out_of_the_project_is_refused(stonehand, project, tmp_path):
    game = project / "cards/tiny/game.yaml"
    game.write_text(game.read_text().replace("[en]", "[en, el]"))
    (tmp_path / "el.po").write_text("secret")
    (project / "i18n/tiny").mkdir(parents=True)
    (project / "i18n/tiny/el.po").symlink_to(tmp_path / "el.po")
    assert refused(stonehand, project) == [
        "i18n/tiny/el.po: error: must lie in the project (it is a link out of it)"
    ]


def test_a_font_that_is_a_link_out_of_the_project_is_refused(stonehand, project):
    (project / "fonts").mkdir()
    (project / "fonts/link.ttf").symlink_to(ROOT / "fonts/noto-sans/NotoSans-Variable.ttf")
    assert refused(stonehand, project) == [
        "fonts/link.ttf: error: is a link that leads out of its folder (copy the font)"
    ]


def test_a_folder_or_a_pipe_is_no_file(stonehand, project):
    """Opening a pipe would wait for ever."""
    for make in (Path.mkdir, os.mkfifo):
        for name, said in {
            "cards/tiny/game.yaml": "cards/tiny/game.yaml: error: is not a regular file",
            "cards/tiny/cards.yaml": "cards/tiny/cards.yaml: error: is not a regular file",
            "layouts/tiny/front.yaml": "layouts/tiny/front.yaml: error: is not a regular file",
            "cards/tiny/art/dot.svg": "cards/tiny/cards.yaml:3:30: error: 'dot.svg' is not a"
            " regular file",
        }.items():
            path = project / name
            kept = path.read_bytes()
            path.unlink()
            make(path)
            assert refused(stonehand, project) == [said]
            path.rmdir() if path.is_dir() else path.unlink()
            path.write_bytes(kept)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_file_without_end_is_not_read(stonehand, project, device):
    for name, said in {
        "cards.yaml": "game.yaml:3:14: error: 'cards.yaml'",
        "art/dot.svg": "cards.yaml:3:30: error: 'dot'",
    }.items():
        path = project / "cards/tiny" / name
        kept = path.read_bytes()
        path.unlink()
        path.symlink_to(device)
        assert refused(stonehand, project) == [
            f"cards/tiny/{said} must lie in the project (it is a link that leads out of its folder)"
        ]
        path.unlink()
        path.write_bytes(kept)


@pytest.mark.parametrize(
    ("name", "size", "said"),
    [
        (
            "cards/tiny/cards.yaml",
            50_000_000,
            "cards/tiny/cards.yaml: error: has 50 MB; files of its kind may have 10 MB",
        ),
        (
            "cards/tiny/art/dot.svg",
            1_000_000_000,
            "cards/tiny/cards.yaml:3:30: error: 'dot.svg' has 1000 MB;"
            " files of its kind may have 100 MB",
        ),
    ],
)
def test_a_huge_file_is_refused_before_it_is_read(stonehand, project, name, size, said):
    with (project / name).open("wb") as file:
        file.truncate(size)  # takes no room on the disk
    began = time.process_time()
    run = stonehand("build", "tiny")
    assert (run.code, run.problems) == (1, [said])
    assert time.process_time() - began < 0.5


def test_names_that_no_file_can_have_are_refused(stonehand, project):
    for name in ("a" * 300, "a/" * 3000 + "a", "ä" * 150):
        (project / "cards/tiny/cards.yaml").write_text(card(name))
        (line,) = refused(stonehand, project)
        assert line.startswith("cards/tiny/cards.yaml:3:30: error: ")
        assert line.endswith("can't be the name of a file")
        assert len(line) < 500


def png(width: int, height: int) -> bytes:
    """Return a PNG file that says it is so large, and holds a handful of bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = zlib.crc32(data, zlib.crc32(kind))
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def test_a_picture_of_a_billion_pixels_is_refused_before_it_is_decoded(stonehand, project):
    (project / "cards/tiny/art/wide.png").write_bytes(png(60_000, 60_000))
    (project / "cards/tiny/cards.yaml").write_text(card("wide"))
    began = time.process_time()
    assert refused(stonehand, project) == [
        "cards/tiny/cards.yaml:3:30: error: picture 'wide' has more than 50 million pixels"
        " (60,000 x 60,000)"
    ]
    assert time.process_time() - began < 0.5


def test_a_box_whose_deck_can_not_be_made_is_no_fault_of_the_program(stonehand, project):
    game = project / "cards/tiny/game.yaml"
    text = game.read_text() + "decks: {all: {cards: [a1, a2, a9]}}\n"
    game.write_text(text + "boxes: {box: {deck: all, front: tiny/front}}\n")
    (line,) = refused(stonehand, project)
    assert line.startswith("cards/tiny/game.yaml:12:31: error: no card, kind or range 'a9'")


def test_a_game_that_lies_in_no_project_is_one_of_its_own(stonehand, project, tmp_path):
    alone = tmp_path / "alone"
    (project / "cards/tiny").rename(alone)
    (project / "layouts").rename(alone / "layouts")
    (alone / "layouts/tiny").rename(alone / "layouts/mine")
    game = alone / "game.yaml"
    game.write_text(game.read_text().replace("tiny/front", "mine/front"))
    assert stonehand("build", "../alone", "-o", "out").problems == []
    (alone / "art/dot.svg").unlink()
    assert stonehand("build", "../alone").problems == [
        f"{alone}/cards.yaml:3:30: error: picture 'dot' not found"
    ]


def test_texts_that_differ_are_translated_apart(project):
    """Defaults are translated once for a kind, but two catalogues may have different ones."""
    game = project / "cards/tiny/game.yaml"
    game.write_text(game.read_text().replace("[cards.yaml]", "[a.yaml, b.yaml, c.yaml]"))
    for name, text in {"a": "Ant", "b": "Bee", "c": "Ant"}.items():
        catalogue = f"kind: thing\ndefaults: {{name: {text}}}\ncards: [{{id: {name}1}}]\n"
        (project / f"cards/tiny/{name}.yaml").write_text(catalogue)
    problems = Problems()
    messages = load_game(find_game("tiny", find_project(project)), problems).messages()
    assert [(m.context, str(m)) for m in messages][2:] == [
        ("kind.thing.name", "Ant"),
        ("card.b1.name", "Bee"),
    ]


def test_ids_and_texts_stay_as_they_are_written(project):
    """YAML 1.1 would take these for numbers, times, dates, truth values and nothing."""
    words = ["001", "1", "no", "1e3", "0x1F", "012", "2024-13-45"]
    texts = [*words, "1:30", "~", "null", "=", "<<", "9" * 5000]
    cards = "".join(f"  - {{id: {word}, name: x}}\n" for word in words)
    cards += "".join(f"  - {{id: t{n}, name: {text}}}\n" for n, text in enumerate(texts))
    (project / "cards/tiny/cards.yaml").write_text(f"kind: thing\ncards:\n{cards}")
    problems = Problems()
    game = load_game(find_game("tiny", find_project(project)), problems)
    assert not list(problems)
    assert [str(card.id) for card in game.cards[: len(words)]] == words
    assert [str(card.values["name"]) for card in game.cards[len(words) :]] == texts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("e" + "\u0301" * 65, "20: error: U+0301 can't be printed (remove the character)"),
        ("a" + "\u200d" * 10_000, "20: error: U+200D can't be printed (remove the character)"),
        ('"\\ud800"', "23: error: not YAML: found invalid Unicode character escape code"),
        ("x" * 1_000_000, "20: error: the text has more than 20,000 characters"),
        ("x" * 2_000, "20: error: the text is "),
    ],
    ids=["marks", "joiners", "half a surrogate pair", "1 MB", "no space"],
)
def test_a_text_that_nobody_could_read_is_told_at_once(stonehand, project, text, said):
    (project / "cards/tiny/cards.yaml").write_text(
        f"kind: thing\ncards:\n  - {{id: a1, name: {text}}}\n", "utf-8"
    )
    began = time.process_time()
    [line] = [line for line in refused(stonehand, project) if "cards.yaml:" in line]
    assert line.startswith(f"cards/tiny/cards.yaml:3:{said}")
    assert time.process_time() - began < 1


# --- what would never end ---


def test_repetitions_are_bounded(stonehand, project):
    values = ", ".join(map(str, range(1001)))
    (project / "layouts/tiny/front.yaml").write_text(
        f"elements:\n  - {{draw: repeat, over: [{values}], element: {{draw: rect}}}}\n"
    )
    assert refused(stonehand, project) == [
        "layouts/tiny/front.yaml:2:5: error: more than 1000 repetitions"
    ]


def test_repetitions_within_repetitions_are_bounded(stonehand, project):
    values = ", ".join(map(str, range(500)))
    rect = "{draw: rect, when: $name}"
    inner = f"{{draw: repeat, over: [{values}], arrange: stack, element: {rect}}}"
    (project / "layouts/tiny/front.yaml").write_text(
        f"elements:\n  - {{draw: repeat, over: [{values}], arrange: stack, element: {inner}}}\n"
    )
    assert refused(stonehand, project) == [
        "layouts/tiny/front.yaml:1:1: error: the face has more than 20,000 elements"
    ]


def test_parts_that_use_parts_twice_each_are_bounded(stonehand, project):
    parts = "".join(
        f"  p{i}: [{{draw: use, part: p{i + 1}}}, {{draw: use, part: p{i + 1}}}]\n"
        for i in range(25)
    )
    (project / "layouts/tiny/front.yaml").write_text(
        "elements: [{draw: use, part: p0}]\n"
        f"parts:\n{parts}  p25: [{{draw: rect, when: $name}}]\n"
    )
    began = time.process_time()
    said = refused(stonehand, project)
    assert "layouts/tiny/front.yaml:1:1: error: the face has more than 20,000 elements" in said
    assert time.process_time() - began < 5


def test_elements_are_nested_to_a_bound(stonehand, project):
    chain = "".join(f"  p{i}: [{{draw: use, part: p{i + 1}}}]\n" for i in range(40))
    (project / "layouts/tiny/front.yaml").write_text(
        f"elements: [{{draw: use, part: p0}}]\nparts:\n{chain}  p40: []\n"
    )
    assert refused(stonehand, project) == [
        "layouts/tiny/front.yaml:34:9: error: elements are nested deeper than 32 levels"
    ]


def test_copies_are_bounded(stonehand, project):
    cards = "".join(f"  - {{id: a{i}, name: Ant, count: 1000}}\n" for i in range(101))
    (project / "cards/tiny/cards.yaml").write_text("kind: thing\ncards:\n" + cards)
    assert refused(stonehand, project) == [
        "cards/tiny/game.yaml:1:1: error: the game prints 101,000 cards (at most 100,000)"
    ]


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 10)
)
HOSTILE = {
    "aliases that expand to a billion values": (
        BOMB,
        "1:5: error: aliases expand to more than 100,000 values",
    ),
    "a hundred thousand brackets": (
        "title: " + "[" * 100_000,
        "1:1007: error: nested deeper than 64 levels",
    ),
    "a hundred thousand brackets, closed": (
        "title: " + "[" * 100_000 + "]" * 100_000,
        "1:1007: error: nested deeper than 64 levels",
    ),
    "a hundred thousand dashes": (
        "- " * 100_000,
        "1:1999: error: nested deeper than 64 levels",
    ),
    "a number of a hundred thousand digits": (
        "title: Tiny\nlanguages: [en]\ncatalogues: [cards.yaml]\nkinds: {}\n"
        f"styles: {{name: {{weight: {'9' * 100_000}}}}}\n",
        f"5:25: error: '{'9' * 299} … {'9' * 77}' is not a whole number",
    ),
}
LIMITED = """
import resource, sys, time
from stonehand import cli

memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.process_time()
code = cli._run()
assert time.process_time() - began < 1, time.process_time() - began
assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 100_000  # KB
sys.exit(code)
"""


def in_a_process(*words: str, memory: int = 4_000_000_000) -> subprocess.CompletedProcess[str]:
    """Run the program on its own, with a limit on its memory in bytes."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return subprocess.run(
        words, capture_output=True, text=True, timeout=60, preexec_fn=limit, check=False
    )


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_costs_neither_time_nor_memory(project, what):
    text, said = HOSTILE[what]
    (project / "cards/tiny/game.yaml").write_text(text)
    run = in_a_process(sys.executable, "-c", LIMITED, "build", "tiny")
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == f"cards/tiny/game.yaml:{said}\n"


# --- the program as people run it ---

PROGRAM = (sys.executable, "-c", "from stonehand.cli import main; main()")


def test_faults_in_files_end_with_code_1_and_no_traceback(project):
    lay(BAD / "many-files", project)
    run = in_a_process(*PROGRAM, "build", "tiny")
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.splitlines() == expected(BAD / "many-files")


def test_warnings_alone_end_with_code_0(project):
    lay(BAD / "po-warnings", project)
    run = in_a_process(*PROGRAM, "build", "tiny", "--quiet")
    assert (run.returncode, run.stdout) == (0, "")
    assert run.stderr.splitlines() == expected(BAD / "po-warnings")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["build", "tinny"],
            "command line: error: tinny: no game of this name, and no folder"
            " (did you mean 'tiny'?)",
        ),
        (
            ["build", "layouts"],
            "command line: error: layouts: there is no game.yaml in this folder"
            " (known: oniroo, tiny",
        ),
        (["build", "a" * 300], f"command line: error: {'a' * 300}: no game of this name, and no"),
        (["list", "tinny"], "command line: error: tinny: no game of this name, and no folder"),
        (
            ["build", "tiny", "--lang", "xx"],
            "command line: error: tiny has no language 'xx' (known: en)",
        ),
        (
            ["cards", "tiny", "--deck", "card"],
            "command line: error: unknown deck 'card' (did you mean 'cards'?)",
        ),
        (
            ["cards", "tiny", "--paper", "a44"],
            "command line: error: unknown paper 'a44' (did you mean 'a4'?)",
        ),
        (
            ["cards", "tiny", "--paper", "210,5x297mm"],
            "command line: error: unknown paper '210,5x297mm' (a size is written 210x297mm)",
        ),
        (
            ["cards", "tiny", "--margin", "5"],
            "command line: error: '5' is not a length (a length has a unit: 5mm, 0.2in, 9pt or"
            " 50%)",
        ),
        (
            ["cards", "tiny", "--margin", "2,5mm"],
            "command line: error: '2,5mm' is not a length (use a point: 2.5mm)",
        ),
        (["cards", "tiny", "--gap=-1mm"], "command line: error: '-1mm' is negative (at least 0)"),
        (
            ["cards", "tiny", "--gap", "5%"],
            "command line: error: '5%' is a share, which has no meaning here (write 5mm)",
        ),
        (
            ["cards", "tiny", "--only", "a1,a9"],
            "command line: error: no card, kind or range 'a9' (known: a1, a2, thing)",
        ),
        (
            ["preview", "tiny", "a3"],
            "command line: error: no card, kind or range 'a3' (known: a1, a2, thing)",
        ),
        (["preview", "tiny", "a1", "--lang", "xx"], "command line: error: tiny has no language"),
        (["preview", "tiny"], "Error: name cards by their ids, or use --all"),
        (["preview", "tiny", "--all", "--dpi", "1"], "Error: Invalid value for '--dpi'"),
        (["preview", "tiny", "--all", "--dpi", "nan"], "Error: Invalid value for '--dpi': 'nan'"),
        (["cards", "tiny", "--marks", "dots"], "Error: Invalid value for '--marks'"),
        (["bild"], "Error: No such command 'bild'"),
        (["build", "--langs", "en"], "Error: No such option"),
    ],
)
def test_a_wrong_command_line_ends_with_code_2(stonehand, project, words, said):
    before = files(project)
    run = stonehand(*words)
    assert run.code == 2
    assert run.out == ""
    assert files(project) == before
    assert len(run.problems) == 1 or not said.startswith("command line")
    assert run.problems[-1].startswith(said)


def test_a_wrong_command_line_is_told_without_a_traceback(project):
    run = in_a_process(*PROGRAM, "build", "tinny")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1


# --- the doors: what may be done to the outside, and where alone ---

SOURCES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8"))
    for folder in ("stonehand", "cli")
    for path in sorted((ROOT / folder).rglob("*.py"))
}
MODULES = {  # a module, and the only files that may import it
    "yaml": {"stonehand/source/yaml.py"},
    "xml": {"stonehand/art/svg.py", "stonehand/source/opendocument.py"},
    "zipfile": {"stonehand/source/archive.py", "stonehand/importing/docx.py"},
    "openpyxl": {"stonehand/source/workbook.py"},
    "importlib": {"cli/__init__.py"},
    "docx": {"stonehand/importing/docx.py"},
    "tempfile": {"stonehand/revisions.py"},
    "multiprocessing": {"stonehand/processes.py"},
    "concurrent": {  # processes, and threads of the live page
        "stonehand/processes.py",
        "stonehand/serving/pictures.py",
        "stonehand/serving/worker.py",
    },
    "dulwich": {"stonehand/revisions.py"},
    # the page of a game is for this machine alone; that it calls nobody is seen in test_serving
    "asyncio": {"stonehand/serving/app.py"},
    "socket": {"stonehand/serving/server.py"},
    "starlette": {"stonehand/serving/app.py"},
    "uvicorn": {"stonehand/serving/server.py"},
    "watchfiles": {"stonehand/serving/watch.py", "stonehand/watching.py"},
}
NOWHERE = """
    aiohttp anyio code ctypes ftplib http httpx httpx2 lxml marshal pickle pty
    requests runpy shelve shutil smtplib socketserver ssl subprocess urllib webbrowser
"""
MODULES |= {module: set() for module in NOWHERE.split()}
CALLS = {  # a function, with the name before its dot if that tells, and the files that may call it
    "Image.open": {"stonehand/art/raster.py"},
    "beside.open": {"stonehand/output/files.py"},
    "pikepdf.open": {
        "stonehand/art/pdf.py",
        "stonehand/art/draw.py",
        "stonehand/inspection/facts.py",
    },
    "os.open": {"cli/__init__.py", "stonehand/output/files.py"},  # null device; folders to lock
    "path.read_bytes": {"stonehand/source/files.py"},
    "part.read_bytes": {"stonehand/art/pdf.py"},  # of a stream in memory, as those that follow
    "table.read_bytes": {"stonehand/inspection/colours.py"},
    "stream.read_bytes": {"stonehand/inspection/content.py"},
    "profile.read_bytes": {"stonehand/inspection/document.py"},
    "packet.read_bytes": {"stonehand/inspection/document.py"},
    "image.read_bytes": {"stonehand/inspection/images.py"},
    "from_file_path": {"stonehand/typesetting/fonts.py"},
    "path.write_text": {"cli/schema_command.py"},  # to a place that output.files gave
    "mkdir": {"stonehand/output/files.py"},
    "unlink": {"stonehand/output/files.py"},
    "beside.replace": {"stonehand/output/files.py"},
}
FORBIDDEN = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "mkdir", "unlink"}
FORBIDDEN |= {"rename", "rmdir", "rmtree", "symlink_to", "hardlink_to", "touch", "chmod", "remove"}
FORBIDDEN |= {
    "from_file_path",
    "eval",
    "exec",
    "compile",
    "__import__",
    "system",
    "popen",
    "fork",
    "execv",
    "load_module",
}
HARMLESS = {"re.compile", "typst.compile"}
HARMLESS |= {"read_text", "read_bytes"}  # those of source.files, which are the door


def imported(tree: ast.Module) -> set[str]:
    """Return the top-level modules that a file imports."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return names


def called(tree: ast.Module) -> set[tuple[str, str]]:
    """Return the functions that a file calls: their names, and those with the name before."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            first, _, last = ast.unparse(node.func).rpartition(".")
            names.add((last, f"{first.rpartition('.')[2]}.{last}" if first else last))
    return names


@pytest.mark.parametrize("module", MODULES)
def test_a_module_that_reaches_outside_is_imported_at_its_door_alone(module):
    users = {file for file, tree in SOURCES.items() if module in imported(tree)}
    assert users <= MODULES[module]


def test_files_are_opened_and_code_is_run_at_the_doors_alone():
    found = []
    for file, tree in SOURCES.items():
        for last, dotted in called(tree):
            door = CALLS.get(dotted, CALLS.get(last, set()))
            if last in FORBIDDEN and dotted not in HARMLESS and file not in door:
                found.append(f"{file}: {dotted}")
    assert found == []


AUDITED = """
import sys, os
events = []

def hook(event, arguments):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.spawn",
                         "os.posix_spawn", "urllib.", "ftplib.", "http.", "os.putenv")):
        events.append((event, repr(arguments)))
    elif event == "open" and isinstance(arguments[0], (str, bytes)):
        path, mode, flags = arguments
        how = "write" if flags & (os.O_WRONLY | os.O_RDWR) else "read"
        events.append((how, os.path.abspath(os.fsdecode(path))))

sys.addaudithook(hook)
from stonehand import cli
code = cli._run()
for event, what in events:
    print(event, what, file=sys.stderr)
sys.exit(code)
"""


def audited(place: Path, *words: str) -> dict[str, set[Path]]:
    """Run a command and return what it has read and written; it must do nothing else.

    A home and a folder for temporary files lie beside `place`, and are not to be touched.
    """
    home = place.parent / "home"
    home.mkdir()
    run = subprocess.run(
        [sys.executable, "-c", AUDITED, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=place,
        env={**os.environ, "HOME": str(home), "TMPDIR": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert run.returncode == 0, run.stderr
    events: dict[str, set[Path]] = {}
    for line in run.stderr.splitlines():
        event, _, what = line.partition(" ")
        if not event.endswith(":"):  # a warning
            events.setdefault(event, set()).add(Path(what))
    assert events.keys() == {"read", "write"}
    python = {Path(folder) for folder in (sys.prefix, sys.base_prefix, *sys.path) if folder}
    may_be_read = {ROOT, place, *python}
    for event, paths in events.items():
        for path in paths:
            folders = {place} if event == "write" else may_be_read
            assert any(path.is_relative_to(folder) for folder in folders), (event, path)
    return events


def test_nothing_outside_is_opened_and_nothing_is_called(tmp_path):
    """The promise of the README, as Python's own audit sees it."""
    (tmp_path / "place").mkdir()
    audited(tmp_path / "place", "preview", "oniroo", "001", "wake-up", "--lang", "ko")


def test_of_a_project_with_every_kind_of_file_nothing_else_is_opened(project, make_font):
    lay(BAD / "everything", project)
    cards = project / "cards/tiny/cards.yaml"
    cards.write_text(
        cards.read_text().replace("art: dot", "art: page.pdf").replace("Bee,", "Bee, art: dots,")
    )
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(48, 32))
    pdf.save(project / "cards/tiny/art/page.pdf")
    Image.new("RGBA", (8, 8)).save(project / "cards/tiny/art/dots.png")
    (project / "fonts").mkdir()
    make_font(project / "fonts/plain.ttf")
    (project / "i18n/tiny/rules.md").write_text("# Tiny\n\n## One {#one}\n\nAn [[ant]].\n")
    (project / "i18n/tiny/terms.csv").write_text("key,en,el\nant,ant,μυρμήγκι\n", "utf-8")
    events = audited(project, "build", "tiny", "--lang", "el")
    everything = {path for path in project.rglob("*") if path.is_file()}
    everything.remove(project / "fonts/plain.ttf")  # HarfBuzz opens it, which Python does not see
    made = {path for path in everything if path.is_relative_to(project / "output")}
    assert {path.suffix for path in made} == {".pdf", ".html", ".svg", ".dxf"}
    assert events["read"] >= everything - made
    assert all(path.is_relative_to(project / "output/tiny") for path in events["write"])


# --- any value in any place ---

ODD = [
    *("", "a", "0", "-1", "1", "5mm", "-5mm", "50%", "-50%", "1e9", "9" * 30, "nan", "2000mm"),
    *("$", "$$", "${}", "$name", "$group", "$words", "$wild", "$lists", "$lists.", "$text", "$id"),
    *("..", "/", ".", "~", "a/b", "#", "#fff", "é", "ॐ", "한", "🐜", "\u0301" * 70, "\u202e", "\a"),
    *("\n", "a\nb", "x" * 5000, "x " * 3000, "yes", "no", "A", "red", "thing", "dot", "tiny/front"),
    *("tiny/part", "star", "a4", "poker", ":dot:", "**a", "*", "&amp;", "\\", "{", "{page}", "xx"),
    *("el", "en_GB", "M0 0", "none", "cards.yaml", "a1", "a1-a2", "-", "'", '"', "0.01mm"),
]
VALUES = strategies.sampled_from(ODD) | strategies.recursive(
    strategies.sampled_from(ODD),
    lambda inner: (
        strategies.lists(inner, max_size=3)
        | strategies.dictionaries(strategies.sampled_from(ODD), inner, max_size=3)
    ),
    max_leaves=4,
)
EVERYTHING = {
    path.name: pyyaml.load(path.read_text("utf-8"), pyyaml.BaseLoader)
    for path in sorted((BAD / "everything").glob("*.yaml"))
}


def places(tree, path=()):
    """Yield the way to every value of a tree, by keys and indices."""
    yield path
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))
        else:
            yield (*path, key)


def replaced(tree, path, value):
    """Return a tree with another value in one place."""
    if not path:
        return value
    first, *rest = path
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    made = {k: replaced(v, rest, value) if k == first else v for k, v in items}
    return made if isinstance(tree, dict) else list(made.values())


WAYS = [(name, path) for name, tree in EVERYTHING.items() for path in places(tree)]


@settings(
    max_examples=75,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(strategies.sampled_from(WAYS), VALUES, strategies.sampled_from(["build", "preview"]))
def test_any_value_in_any_place_is_printed_or_told(stonehand, project, way, value, command):
    lay(BAD / "everything", project)
    name, path = way
    text = pyyaml.safe_dump(replaced(EVERYTHING[name], path, value), allow_unicode=True)
    (project / place(name)).write_text(text)
    words = ["build", "tiny"] if command == "build" else ["preview", "tiny", "--all", "--dpi=20"]
    run = stonehand(*words)
    assert run.code in (0, 1)
    assert run.code == any(": error: " in line for line in run.problems)
    for line in run.problems:
        assert re.match(r"[\w/.-]+(:\d+(:\d+)?)?: (error|warning|note): ", line)
