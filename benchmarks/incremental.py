"""Times builds of ONIROO that find more or less of an earlier one, as whole processes.

    python benchmarks/incremental.py

Prints a Markdown table of seconds on the clock and of processors; each row is built once, with a
cache of its own, and what it writes is compared with a build that remembers nothing.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from cards import RUN, machine

ROOT = Path(__file__).resolve().parent.parent
CARD = "name: Juggler,        art: juggler"  # of a card that the rules do not show
BUILD = ("build", "oniroo", "-q")
GREEK = 'msgstr "Ζογκλέρ"'


def timed(project: Path, *words: str) -> tuple[float, float]:
    """Build and return the seconds on the clock and those of processors."""
    environment = {**os.environ, "STONEHAND_CACHE": str(project / ".cache")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    nothing = subprocess.DEVNULL
    subprocess.run(
        [*RUN, *words], cwd=project, env=environment, check=True, stdout=nothing, stderr=nothing
    )
    took = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def watched(project: Path, catalogue: Path, names: list[str]) -> float:
    """Return the median seconds from a save to the told build, a program watching all the time."""
    environment = {**os.environ, "STONEHAND_CACHE": str(project / ".cache")}
    command = [*RUN, "build", "oniroo", "--watch"]
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    took = []
    with subprocess.Popen(command, cwd=project, env=environment, **told) as program:
        assert program.stdout
        program.stdout.readline()
        for before, after in pairwise(names):
            time.sleep(0.5)
            began = time.perf_counter()
            edit(catalogue, CARD.replace("Juggler", before), CARD.replace("Juggler", after))
            line = program.stdout.readline()
            if "cards-ko.pdf" not in line:
                program.kill()
                raise AssertionError(f"{after}: {line}")
            took.append(time.perf_counter() - began)
        program.terminate()
    return statistics.median(took[1:])  # the first loads what the others find


def files(project: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in sorted((project / "output").rglob("*")) if p.is_file()}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text, f"{path} has no {old}"
    path.write_text(text.replace(old, new), "utf-8")


def main() -> None:
    print(f"{machine()}\n\n| what | s | s of processors |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        project = Path(temporary)
        for part in ("cards", "layouts", "i18n"):
            shutil.copytree(ROOT / part / "oniroo", project / part / "oniroo")
        catalogue = project / "cards/oniroo/symbols.yaml"
        row("all, nothing remembered", timed(project, *BUILD))
        before = files(project)
        row("nothing changed", timed(project, *BUILD))
        edit(catalogue, CARD, CARD.replace("Juggler", "Tumbler"))
        row("one card's name changed", timed(project, *BUILD))
        check(project)
        edit(catalogue, CARD.replace("Juggler", "Tumbler"), CARD)
        row("changed back", timed(project, *BUILD))
        assert files(project) == before
        names = ["Juggler", "Acrobat", "Stuntman", "Clown", "Comedian"]
        row("one card's name changed, `--watch`", (watched(project, catalogue, names),))
        check(project)
        edit(catalogue, CARD.replace("Juggler", names[-1]), CARD)
        timed(project, *BUILD)
        assert files(project) == before
        edit(project / "i18n/oniroo/el.po", GREEK, GREEK.replace("λέρ", "λερ"))
        row("one translation changed", timed(project, *BUILD))
        check(project)
        edit(catalogue, "art: juggler", "art: whale")
        row("one card's picture changed, `--lang en`", timed(project, *BUILD, "--lang", "en"))
        row("all, nothing remembered, `--jobs 2`", timed(project, *BUILD, "--no-cache", "-j", "2"))
        row("`diff` with the shipped game", timed(project, "diff", str(ROOT), "--game", "oniroo"))


def check(project: Path) -> None:
    """Compare what is there with what a build makes that remembers nothing."""
    made = files(project)
    timed(project, *BUILD, "--no-cache")
    assert files(project) == made, "differs from a build that remembers nothing"


def row(what: str, took: tuple[float, ...]) -> None:
    print("| " + " | ".join([what, *(f"{seconds:.2f}" for seconds in took)]) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
