"""`stonehand new`: a project to begin with."""

from pathlib import Path

import click

from stonehand.cli import report


@click.command("new")
@click.argument("name")
@click.option(
    "--like",
    default="minimal",
    show_default=True,
    metavar="MODEL",
    help="What it begins as: minimal, poker, tiles, or a game that comes with Stonehand.",
)
@click.option("--title", help="Title of the game. Default: made from NAME.")
@click.option(
    "--lang",
    "-l",
    multiple=True,
    metavar="CODE",
    help="Language, the one you write in first, such as en,hi. Default: those of the model.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the project, new or empty. Default: NAME.",
)
@report.quiet_option
def command(
    name: str, like: str, title: str | None, lang: tuple[str, ...], output: Path | None, quiet: bool
) -> None:
    """Make a project with a game called NAME, which builds at once, to change into your own.

    'minimal' is three cards with one template; 'poker' a deck of 54 with suits, a back, rules and a
    translation; 'tiles' are hexagons, tokens and a board. A shipped game, such as oniroo, is copied
    with all that belongs to it.

    \b
    Examples:
      stonehand new pond
      stonehand new my-game --like poker --title "My Game"
      stonehand new dreams --like oniroo --lang en,ko
    """  # noqa: D301 -- click reads a backspace
    from stonehand.output.files import Staged
    from stonehand.source.problems import counted
    from stonehand.starting import begin, write_project

    folder = output or Path(name)
    with report.problems_told(), Staged() as staged:
        start = begin(report.given(name), report.word(title), report.words(lang), folder)
        cards = write_project(start, report.given(like), folder, staged)
    if not quiet:
        told = counted(cards, "card")
        click.echo(f"{folder.as_posix()}/: a game of {told}, like '{like}'")
        click.echo(report.next_steps(name, folder))
