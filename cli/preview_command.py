"""`stonehand preview`: single cards as pictures."""

from pathlib import Path

import click

from stonehand.cli import report


@click.command("preview")
@click.argument("game")
@click.argument("cards", nargs=-1, metavar="[ID]...")
@report.language_option
@click.option("--all", "every", is_flag=True, help="All cards of the game.")
@click.option("--back", is_flag=True, help="The backs instead of the fronts.")
@click.option("--bleed", is_flag=True, help="With the bleed around the card, corners square.")
@click.option("--proof", is_flag=True, help="With trim, safe area and all boxes drawn over.")
@click.option("--contact", is_flag=True, help="One picture with all the cards, small.")
@click.option(
    "--dpi",
    type=report.NumberRange(10, 2400),
    help="Pixels per inch. Default: 300, on contact sheets 150.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="Folder, or one .png file, to write to. Default: output/GAME.",
)
@report.quiet_option
def command(
    game: str,
    cards: tuple[str, ...],
    lang: tuple[str, ...],
    every: bool,
    back: bool,
    bleed: bool,
    proof: bool,
    contact: bool,
    dpi: float | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """Show cards of GAME as PNG, drawn from the PDF that prints.

    ID is a card's id, a kind, or a range of ids. A card is as large as it is in print: 63 mm at
    300 dpi are 744 pixels. Corners are cut as they will be, and transparent.

    \b
    Examples:
      stonehand preview oniroo 023
      stonehand preview oniroo 023 067 058 --lang ko -o pictures
      stonehand preview oniroo --all --contact --lang hi -o deck.png
      stonehand preview oniroo wake-up --proof --bleed
    """  # noqa: D301 -- click reads a backspace
    from stonehand.output.files import Staged, default_output
    from stonehand.press import Press
    from stonehand.preview import PreviewOptions, build_previews

    if not cards and not every:
        raise click.UsageError("name cards by their ids, or use --all")
    folder = report.game_named(game)
    options = PreviewOptions(back, bleed, proof, contact, dpi or (150 if contact else 300))
    with report.problems_told() as problems, Staged() as staged:
        press = Press(folder.project, problems)
        loaded = press.load(folder)
        languages = press.languages_of(loaded, report.words(lang))
        made = build_previews(
            press,
            loaded,
            languages,
            report.words(() if every else cards),
            output or default_output(folder.name),
            staged,
            options,
        )
        problems.raise_errors()
    if not quiet:
        click.echo("\n".join(made))
