"""`stonehand cards`: card sheets with the choices of the moment."""

from pathlib import Path

import click

from stonehand.cli import report


@click.command("cards")
@click.argument("game")
@report.language_option
@click.option("--paper", metavar="NAME", help="a4, letter, a3, legal, ... or 210x297mm.")
@click.option("--margin", metavar="LENGTH", help="What the printer can't print, such as 5mm.")
@click.option("--gap", metavar="LENGTH", help="Distance between cards, such as 4mm.")
@click.option(
    "--marks",
    type=click.Choice(["lines", "corners", "ticks", "none"]),
    help="Cut marks: full lines, crosses at the corners, ticks at the edges, none.",
)
@click.option(
    "--flip",
    type=click.Choice(["long", "short", "none"]),
    help="Edge over which the paper is turned for the backs; none leaves the backs out.",
)
@click.option("--deck", metavar="NAME", help="A deck that the game declares. Default: all.")
@click.option(
    "--only",
    multiple=True,
    metavar="CARDS",
    help="Kind, id or range of ids such as 001-040; may be repeated.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="Folder, or one .pdf file, to write to. Default: output/GAME.",
)
@report.quiet_option
def command(
    game: str,
    lang: tuple[str, ...],
    paper: str | None,
    margin: str | None,
    gap: str | None,
    marks: str | None,
    flip: str | None,
    deck: str | None,
    only: tuple[str, ...],
    output: Path | None,
    quiet: bool,
) -> None:
    """Make card sheets of GAME, with other paper, marks or cards than it declares.

    \b
    Examples:
      stonehand cards oniroo --lang el --paper letter
      stonehand cards oniroo --only fairy --only 001-009 --flip none
      stonehand cards oniroo --gap 4mm --marks corners -o proof.pdf --lang en
    """  # noqa: D301 -- click reads a backspace
    from stonehand.card_sheets import build_cards
    from stonehand.cards.game import Sheet
    from stonehand.output.files import Staged
    from stonehand.press import Press
    from stonehand.source.bind import bind
    from stonehand.source.problems import COMMAND_LINE, Location
    from stonehand.source.text import Fields, Text

    folder = report.game_named(game)
    with report.problems_told() as problems, Staged() as staged:
        chosen = Fields(Location(COMMAND_LINE))
        given = {"paper": paper, "margin": margin, "gap": gap, "marks": marks, "flip": flip}
        for name, value in given.items():
            if value is not None:
                chosen[Text(name)] = Text(value, chosen.at)
        sheet = bind(chosen, Sheet, problems)
        problems.raise_errors()
        press = Press(folder.project, problems)
        loaded = press.load(folder)
        languages = press.languages_of(loaded, report.words(lang))
        total = len(languages) * sum(card.count for card in loaded.cards)
        with report.progress(total, folder.name, quiet) as step:
            made = build_cards(
                press,
                loaded,
                languages,
                output or Path("output") / folder.name,
                staged,
                step,
                sheet=sheet,
                deck=report.word(deck),
                only=report.words(only),
            )
        problems.raise_errors()
    if not quiet:
        click.echo("\n".join(made))
