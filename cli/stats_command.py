"""`stonehand stats`: how the values of fields are distributed over the cards."""

from pathlib import Path

import click

from stonehand.cli import report


@click.command("stats")
@click.argument("game")
@click.argument("cards", nargs=-1, metavar="[CARDS]...")
@click.option(
    "--by",
    multiple=True,
    metavar="FIELD",
    help="Count by this field; by two, such as group,letter, in a cross table.",
)
@report.set_options
@click.option("--texts", is_flag=True, help="How long the texts are, in each language.")
@report.language_option
@click.option("--json", "as_json", is_flag=True, help="Tables as JSON.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also draw what is counted `--by` one field or two: an .svg or .png file.",
)
def command(
    game: str,
    cards: tuple[str, ...],
    by: tuple[str, ...],
    players: str | None,
    edition: str | None,
    texts: bool,
    lang: tuple[str, ...],
    as_json: bool,
    plot: Path | None,
) -> None:
    """Show how the fields of the cards of GAME are distributed.

    CARDS are kinds, decks, ids or ranges of ids. Without a field, all kinds are counted, then
    each field that has few values. Fields may reach into properties, such as group.name.

    \b
    Examples:
      stonehand stats oniroo
      stonehand stats oniroo symbol --by group
      stonehand stats oniroo --by group,letter --plot groups.svg
      stonehand stats witch --players 7
      stonehand stats oniroo badnight --texts
    """  # noqa: D301 -- click reads a backspace
    from stonehand.output.files import Staged
    from stonehand.press import Press
    from stonehand.stats import StatsOptions, make_stats

    fields = report.words(by)
    if len(fields) > 2:
        raise click.UsageError("count by one field or two")
    if fields and texts:
        raise click.UsageError("--by and --texts are two different tables")
    if plot and plot.suffix.lower() not in (".svg", ".png"):
        raise click.UsageError("a plot is an .svg or .png file")
    folder = report.game_named(game)
    number, named = report.word(players), report.word(edition)
    options = StatsOptions(report.words(cards), fields, number, named, texts, as_json, plot)
    with report.problems_told() as problems, Staged() as staged:
        press = Press(folder.project, problems)
        loaded = press.load(folder)
        problems.raise_errors()
        languages = press.languages_of(loaded, report.words(lang))
        problems.raise_errors()
        told = make_stats(press, loaded, languages, staged, options)
        problems.raise_errors()
    click.echo(told)
