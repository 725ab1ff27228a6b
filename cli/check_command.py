"""`stonehand check`: what will print badly, and where it was written."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stonehand.cli import report

if TYPE_CHECKING:
    from stonehand.source.problems import Problem


@click.command("check")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@report.language_option
@click.option("--strict", is_flag=True, help="End with 1 also if there are only warnings.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    show_default=True,
    help="How findings are told: for people, for programs, or for editors and code hosts.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write the findings to. Default: they are printed.",
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write pictures to: each card with what a finding is about framed.",
)
@report.quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    games: tuple[str, ...],
    lang: tuple[str, ...],
    strict: bool,
    form: str,
    output: Path | None,
    pictures: Path | None,
    quiet: bool,
) -> None:
    """Look for what would print badly in games, in all their languages.

    All is laid out as 'build' does it, and nothing is written. Without GAME, all games of the
    project around the current folder are looked at. Each finding has a code, which docs/checks.md
    explains; where a finding is right but not wanted, write a comment at the end of its line, such
    as "# unchecked: small-text - a collector's number".

    The command ends with 1 if there are errors, and with --strict also if there are warnings.

    \b
    Examples:
      stonehand check oniroo
      stonehand check my-game --lang ko --pictures findings
      stonehand check --strict --format sarif -o findings.sarif
    """  # noqa: D301 -- click reads a backspace
    from stonehand.check.formats import as_json, as_sarif
    from stonehand.checking import check_game
    from stonehand.checking import pictures as pictures_of
    from stonehand.output.files import Staged
    from stonehand.press import Press
    from stonehand.source.problems import Problems
    from stonehand.source.silence import Silences

    problems = Problems(silences := Silences())
    drawn: list[tuple[str, bytes]] = []
    for folder in report.games_named(games):
        press = Press(folder.project, problems)
        press.preflight.thorough = True
        with problems.gather():
            game = press.load(folder)
            languages = press.languages_of(game, report.words(lang))
            total = len(languages) * sum(card.count for card in game.cards)
            with report.progress(total, folder.name, quiet) as step:
                check_game(press, game, languages, step)
            if pictures:
                drawn += pictures_of(press, problems.told)
    found = [(problem, silences.of(problem)) for problem in problems]
    told = [problem for problem, silence in found if not silence]
    with Staged() as staged:
        if form == "text":
            lines = [*map(str, told), _summary(told, len(found) - len(told))]
            text = "\n".join(lines[:-1] if quiet else lines)
        else:
            text = (as_json if form == "json" else as_sarif)(found)
        if output:
            staged.write(output, f"{text}\n".encode())
        elif text:
            click.echo(text)
        for name, data in drawn:
            staged.write((pictures or Path()) / f"{name}.png", data)
    grave = {"error", "warning"} if strict else {"error"}
    if any(problem.severity in grave for problem in told):
        ctx.exit(1)


def _summary(told: "list[Problem]", silenced: int) -> str:
    from stonehand.source.problems import counted

    counts = Counter(problem.severity for problem in told)
    parts = [counted(counts[s], s) for s in ("error", "warning", "note") if counts[s]]
    found = ", ".join(parts) or "nothing found"
    return f"{found}, {silenced} silenced" if silenced else found
