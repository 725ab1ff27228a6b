"""Times rulebooks as whole processes, beside other typesetters given the same text.

    python benchmarks/rules.py [--runs 5]

Stonehand sets the ONIROO rules with figures, links and structure. Typst (a dependency) and
WeasyPrint (if it is installed) get the words alone, as headings and paragraphs in the same fonts
and columns.
"""

import argparse
import html
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cards import RUN, machine

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("en", "hi", "el", "ko")
FONTS = {"en": "Noto Sans", "hi": "Noto Sans Devanagari", "el": "Noto Sans", "ko": "Pretendard"}


def texts(language: str) -> list[tuple[bool, str]]:
    """Return the words of the rules, block by block; True for headings."""
    from stonehand.press import Press
    from stonehand.project import find_game, find_project
    from stonehand.rulebooks import rules_of
    from stonehand.rules import inline
    from stonehand.source.problems import Problems

    press = Press(find_project(ROOT), Problems())
    game = press.load(find_game("oniroo", press.project))
    rules = rules_of(game, press)
    translations = press.layouter(game, press.languages[language]).translations
    found = []
    for message in rules.messages():
        kind = rules.notes.get((message.context, str(message)), ("",))[0]
        words = "".join(
            part.text if isinstance(part, inline.Words) else getattr(part, "words", "") or "1"
            for part in inline.parse(translations.text(message))
        )
        found.append(("head" in kind or "title" in kind, words.replace("*", "")))
    return found


def typst_source(language: str) -> str:
    font = FONTS[language]
    lines = [
        f'#set text(font: "{font}", size: 9pt, lang: "{language}")',
        '#set page(paper: "a4", columns: 2)\n#set par(justify: true)',
    ]
    for heading, words in texts(language):
        escaped = words.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'#heading(text("{escaped}"))' if heading else f'#par(text("{escaped}"))')
    return "\n".join(lines)


def web_page(language: str) -> str:
    face = FONTS[language]
    folder = ROOT / "fonts" / face.lower().replace(" ", "-")
    font = max(folder.glob("*.ttf")).as_uri()  # "Variable" sorts after "Italic-Variable"
    style = (
        f"@font-face{{font-family:'{face}';src:url({font})}} @page{{size:A4}} "
        f"body{{columns:2;font:9pt '{face}';text-align:justify}}"
    )
    parts = [f"<html lang={language}><style>{style}</style>"]
    for heading, words in texts(language):
        tag = "h2" if heading else "p"
        parts.append(f"<{tag}>{html.escape(words)}</{tag}>")
    return "".join(parts)


TYPST = (
    "import sys, typst; typst.compile(sys.argv[1], output=sys.argv[2], font_paths=[sys.argv[3]])"
)
WEASY = "import sys, weasyprint; weasyprint.HTML(sys.argv[1]).write_pdf(sys.argv[2])"


def timed(command: list[str], runs: int) -> float:
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print(f"{machine()}; median of {runs} runs\n")
    print("| what | s | kB |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        out = Path(temporary)
        all_four = timed([*RUN, "rules", "oniroo", "-q", "-o", str(out)], runs)
        print(f"| Stonehand, all four with figures | {all_four:.2f} | |", flush=True)
        peers = {"Typst": (TYPST, "typ", typst_source), "WeasyPrint": (WEASY, "html", web_page)}
        for language in LANGUAGES:
            one = [*RUN, "rules", "oniroo", "-l", language, "-q", "-o", str(out)]
            row(
                f"Stonehand, {language}, with figures",
                timed(one, runs),
                out / f"rules-{language}.pdf",
            )
            for name, (script, suffix, source) in peers.items():
                text, pdf = out / f"text.{suffix}", out / f"{name}.pdf"
                text.write_text(source(language), encoding="utf-8")
                command = [sys.executable, "-c", script, str(text), str(pdf), str(ROOT / "fonts")]
                try:
                    row(f"{name}, {language}, words alone", timed(command, runs), pdf)
                except subprocess.CalledProcessError:
                    print(f"| {name}, {language} | not installed | |")


def row(what: str, seconds: float, pdf: Path) -> None:
    print(f"| {what} | {seconds:.2f} | {pdf.stat().st_size / 1000:.0f} |", flush=True)


if __name__ == "__main__":
    main()
