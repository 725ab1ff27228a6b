"""Times Stonehand on decks of growing size and on single previews, as whole processes.

    python benchmarks/cards.py [--runs 5] [--large]

Prints a Markdown table: the median of several runs, peak memory, size of the file. Decks are
ONIROO itself and, for 1,000 and 10,000 cards, its symbol cards repeated under new numbers.
"""

import argparse
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUN = [sys.executable, "-c", "from stonehand.cli import main; main()"]


def machine() -> str:
    """Return the processor, its number of cores and the Python that runs."""
    cpu = Path("/proc/cpuinfo")
    name = platform.machine()
    if cpu.exists() and (found := re.search(r"model name\s*:\s*(.+)", cpu.read_text())):
        name = found[1]
    cores = subprocess.run(["nproc"], capture_output=True, text=True, check=False).stdout.strip()
    return f"{name}, {cores} cores, Python {platform.python_version()}"


def repeated(folder: Path, count: int) -> Path:
    """Make a project with `count` symbol cards and return it."""
    game = folder / "cards" / "oniroo"
    shutil.copytree(ROOT / "cards" / "oniroo", game)
    shutil.copytree(ROOT / "layouts" / "oniroo", folder / "layouts" / "oniroo")
    head, *lines = (game / "symbols.yaml").read_text().split("cards:\n")
    cards = [line for line in lines[0].splitlines() if "id:" in line]
    made = [re.sub(r"id: \d+", f"id: {n:05}", cards[n % len(cards)]) for n in range(count)]
    (game / "symbols.yaml").write_text(head + "cards:\n" + "\n".join(made) + "\n")
    text = (game / "game.yaml").read_text()
    text = re.sub(r"catalogues: .*", "catalogues: [symbols.yaml]", text)
    (game / "game.yaml").write_text(text.replace("languages: [en, hi, el, ko]", "languages: [en]"))
    return folder


def timed(arguments: list[str], where: Path, runs: int) -> tuple[float, float]:
    """Return the median seconds of some runs and the largest peak memory in MB."""
    seconds, peak = [], 0
    for _ in range(runs):
        start = time.perf_counter()
        process = subprocess.Popen([*RUN, *arguments], cwd=where, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds.append(time.perf_counter() - start)
        assert status == 0, arguments
        peak = max(peak, usage.ru_maxrss)
    return statistics.median(seconds), peak / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="also 10,000 cards")
    options = parser.parse_args()
    print(f"{machine()}; median of {options.runs} runs\n")
    print("| what | s | ms a card | peak MB | kB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for language in ("en", "hi", "el", "ko"):
            out = folder / f"{language}.pdf"
            run = ["cards", "oniroo", "--lang", language, "-q", "-o", str(out)]
            row(f"ONIROO, 173 cards, {language}", timed(run, ROOT, options.runs), out, 173)
        out = folder / "023.png"
        run = ["preview", "oniroo", "023", "--lang", "hi", "-q", "-o", str(out)]
        row("one preview", timed(run, ROOT, options.runs), out, 1)
        for count in (1000, 10000) if options.large else (1000,):
            project = repeated(folder / str(count), count)
            out = folder / f"{count}.pdf"
            run = ["cards", "oniroo", "-q", "-o", str(out)]
            row(f"{count:,} cards", timed(run, project, min(3, options.runs)), out, count)
        run = ["--help"]
        row("--help", timed(run, ROOT, options.runs), None, 1)


def row(what: str, figures: tuple[float, float], out: Path | None, cards: int) -> None:
    seconds, peak = figures
    size = f"{out.stat().st_size / 1000:.0f}" if out else ""
    each = f"{seconds / cards * 1000:.2f}"
    print(f"| {what} | {seconds:.2f} | {each} | {peak:.0f} | {size} |", flush=True)


if __name__ == "__main__":
    main()
