"""Bad input: each fault in a person's files is one line that says where, what and what to do.

A folder of `bad/` is a case: its files are laid over the project in `bad/base`, then the game is
built. Above each faulty line stands what is said of it, as a comment, several if need be:

    # error: 12 unknown field 'grup' (did you mean 'group'?)

with the column. What can't stand in the file stands in the case's `expected.txt`, as it is
printed. Everything is compared: all problems of the run in their order, and nothing else.
"""

import os
import re
import resource
import shutil
import socket
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import NamedTuple

import pytest

from stonehand import cli

BAD = Path(__file__).parent / "bad"
BASE = BAD / "base"
CASES = sorted(path.name for path in BAD.iterdir() if path.is_dir() and path != BASE)
FOLDERS = {  # where a file of a case lies in its project; catalogues lie beside game.yaml
    "papers.yaml": "layouts",
    "sizes.yaml": "layouts",
    "languages.yaml": "i18n",
    ".po": "i18n/tiny",
    ".svg": "cards/tiny/art",
    ".png": "cards/tiny/art",
    ".ttf": "fonts",
}
LAYOUT = re.compile(r"(front|back|part).*\.yaml")
EXPECTED = re.compile(r"\s*(?:#|<!--)\s*(error|warning): (\d+) (.*?)(?:\s*-->)?\s*")
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
    assert run == (0, "output/tiny/cards-en.pdf: 2 cards on 1 pages\n", [])
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
