"""`stonehand import images`: a deck of ready pictures."""

from pathlib import Path

import click

from stonehand.cli import report


@click.command("images")
@click.argument("source", metavar="DIR", type=click.Path(path_type=Path, exists=True))
@click.option("--name", help="Name of the game. Default: that of DIR.")
@click.option("--title", help="Title of the game. Default: made from its name.")
@click.option(
    "--bleed",
    default="auto",
    show_default=True,
    metavar="LENGTH",
    help="What they have around the card: none, or such as 3mm. auto: found from their size.",
)
@click.option(
    "--back",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Picture of the back of all cards. Default: back.png, cardback.png or the like in DIR.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="PROJECT",
    help="Folder of the project, new or empty. Default: the name of the game.",
)
@report.quiet_option
def images(
    source: Path,
    name: str | None,
    title: str | None,
    bleed: str,
    back: Path | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """Make a deck of the card pictures in DIR: a folder, or a PDF file with a card on each page.

    Names of files tell which back belongs to which front (goblin.png, goblin-back.png; or folders
    fronts and backs) and how often a card is there (goblin-3x.png). The size of the cards is found
    from the pictures. They are copied; DIR is not changed.

    \b
    Examples:
      stonehand import images scans --name dragons
      stonehand import images deck.pdf --bleed 3mm
      stonehand import images scans --back backs/blue.png -o dragons
    """  # noqa: D301 -- click reads a backspace
    from stonehand.importing_images import import_images
    from stonehand.output.files import Staged
    from stonehand.pictures.names import Ids
    from stonehand.pictures.sizes import BLEEDS
    from stonehand.source.problems import plain
    from stonehand.source.units import FixedGap
    from stonehand.starting import begin

    bleeds = {"auto": BLEEDS, "none": (0.0,)}.get(bleed)
    if bleeds is None:
        try:
            bleeds = (FixedGap.parse(report.given(bleed)).mm,)
        except ValueError as error:
            raise click.UsageError(f"--bleed: {error.args[0]} ({error.args[1]})") from None
    game = name or Ids().of(source.resolve().stem)
    folder = output or Path(game)
    with report.problems_told() as problems, Staged() as staged:
        start = begin(report.given(game), report.word(title), (), folder)
        lines = import_images(source, start, bleeds, back, folder, staged, problems)
        problems.raise_errors()
    if not quiet:
        click.echo("\n".join([*map(plain, lines), report.next_steps(game, folder)]))
