"""`stonehand cards`: card sheets with the choices of the moment."""

from pathlib import Path
from typing import Any

import click

from stonehand.cli import report


@click.command("cards")
@click.argument("game")
@report.language_option
@click.option("--paper", metavar="NAME", help="a4, letter, a3, legal, ... or 210x297mm.")
@click.option("--margin", metavar="LENGTH", help="What the printer can't print, such as 5mm.")
@click.option(
    "--gap",
    metavar="LENGTH",
    help="Distance between cards, such as 4mm. Default: 0 if neighbours look alike at their edges, "
    "else twice the bleed.",
)
@click.option("--bleed", metavar="LENGTH", help="Most bleed around the block of cards.")
@click.option("--back-bleed", metavar="LENGTH", help="The same for backs.")
@click.option(
    "--marks",
    type=click.Choice(["lines", "corners", "ticks", "none"]),
    help="Cut marks: full lines, crosses at the corners, ticks at the edges, none.",
)
@click.option(
    "--marks-on", type=click.Choice(["front", "back", "both"]), help="Sides that have cut marks."
)
@click.option(
    "--corners",
    type=click.Choice(["square", "round"]),
    help="Draw the rounded outlines of cards, or cut them square.",
)
@click.option(
    "--backs",
    type=click.Choice(["duplex", "fold", "separate", "none"]),
    help="Backs on the other side, beside fronts across a fold, in their own file, or none.",
)
@click.option(
    "--flip",
    type=click.Choice(["long", "short"]),
    help="Edge of the paper over which it is turned for the backs.",
)
@click.option("--printer", metavar="NAME", help="Adjust for a printer; see 'stonehand printer'.")
@click.option(
    "--order",
    type=click.Choice(["reading", "stack"]),
    help="Sheet after sheet, or so that piles of a cut stack give the deck in order.",
)
@click.option(
    "--skip", multiple=True, metavar="SLOTS", help="Slots to leave empty, such as 1,9; from 1."
)
@click.option("--mixed", is_flag=True, help="Let card sizes share their last sheets.")
@click.option(
    "--cutter",
    metavar="NAME",
    help="A cutting machine, such as silhouette: its marks, and cut files as SVG and DXF.",
)
@click.option("--copies", metavar="NUMBER", help="How often the whole deck is printed.")
@click.option(
    "--deck",
    multiple=True,
    metavar="NAME",
    help="A deck that the game declares; may be repeated. Default: all.",
)
@click.option("--join", metavar="NAME", help="Lay the decks on shared sheets, as a deck NAME.")
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
@report.set_options
@report.quiet_option
def command(
    game: str,
    lang: tuple[str, ...],
    deck: tuple[str, ...],
    join: str | None,
    only: tuple[str, ...],
    printer: str | None,
    players: str | None,
    edition: str | None,
    output: Path | None,
    quiet: bool,
    **choices: Any,
) -> None:
    """Make card sheets of GAME, with other paper, marks or cards than it declares.

    \b
    Examples:
      stonehand cards oniroo --lang el --paper letter
      stonehand cards oniroo --only fairy --only 001-009 --backs none
      stonehand cards oniroo --gap 4mm --marks corners -o proof.pdf --lang en
      stonehand cards oniroo --order stack --copies 2 --lang hi
    """  # noqa: D301 -- click reads a backspace
    from stonehand.card_sheets import build_cards
    from stonehand.cards.game import Sheet
    from stonehand.output.files import Staged, default_output
    from stonehand.press import Press
    from stonehand.source.bind import bind

    folder = report.game_named(game)
    with report.problems_told() as problems, Staged() as staged:
        chosen = report.fields({**choices, "mixed": "yes" if choices["mixed"] else None})
        sheet = bind(chosen, Sheet, problems)
        problems.raise_errors()
        press = Press(folder.project, problems)
        loaded = press.load(folder).for_players(report.word(players), report.word(edition))
        languages = press.languages_of(loaded, report.words(lang))
        total = len(languages) * sum(card.count for card in loaded.cards)
        with report.progress(total, folder.name, quiet) as step:
            made = build_cards(
                press,
                loaded,
                languages,
                output or default_output(folder.name),
                staged,
                step,
                sheet=sheet,
                decks=report.words(deck),
                join=report.word(join),
                only=report.words(only),
                printer=report.printer_named(printer, problems),
            )
        problems.raise_errors()
    if not quiet:
        click.echo("\n".join(made))
