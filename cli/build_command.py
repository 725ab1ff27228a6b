"""`stonehand build`: everything a game declares."""

from pathlib import Path

import click

from stonehand.cli import report


@click.command("build")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@report.language_option
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write to. Default: output/GAME.",
)
@click.option(
    "--printer", metavar="NAME", help="Adjust sheets for a printer; see 'stonehand printer'."
)
@report.set_options
@click.option("--strict", is_flag=True, help="Write nothing if there are warnings.")
@report.quiet_option
def command(
    games: tuple[str, ...],
    lang: tuple[str, ...],
    output: Path | None,
    printer: str | None,
    players: str | None,
    edition: str | None,
    strict: bool,
    quiet: bool,
) -> None:
    """Make everything that games declare, in all their languages.

    Without GAME, all games of the project around the current folder are made. For each deck and
    language there is one PDF, such as output/oniroo/cards-hi.pdf; for a game with rules also
    rules-hi.pdf, a booklet to fold as rules-hi-booklet.pdf, and rules-hi.html. What would print
    badly is told, see 'stonehand check'.

    \b
    Examples:
      stonehand build oniroo
      stonehand build oniroo --lang hi --lang ko
      stonehand build path/to/my-game -o to-print
    """  # noqa: D301 -- click reads a backspace
    from stonehand.card_sheets import build_cards
    from stonehand.checking import check_whole
    from stonehand.output.files import Staged, default_output
    from stonehand.press import Press
    from stonehand.rulebooks import EDITIONS, Folding, build_rules, has_rules

    folders = report.games_named(games)
    made: list[str] = []
    with report.problems_told(strict=strict) as problems, Staged() as staged:
        adjusted = report.printer_named(printer, problems)
        for folder in folders:
            where = output or default_output(folder.name)
            where = where / folder.name if output and len(folders) > 1 else where
            press = Press(folder.project, problems)
            with problems.gather():
                game = press.load(folder).for_players(report.word(players), report.word(edition))
                languages = press.languages_of(game, report.words(lang))
                total = len(languages) * sum(card.count for card in game.cards)
                with report.progress(total, folder.name, quiet) as step:
                    made += build_cards(
                        press, game, languages, where, staged, step, printer=adjusted
                    )
                if languages and has_rules(game):
                    total = len(languages) * len(EDITIONS)
                    with report.progress(total, f"{folder.name}, rules", quiet) as step:
                        made += build_rules(
                            press,
                            game,
                            languages,
                            where,
                            staged,
                            editions=EDITIONS,
                            folding=Folding(printer=adjusted[1] if adjusted else None),
                            progress=step,
                        )
                if players is None and edition is None:
                    check_whole(press, game, languages)
        problems.raise_errors(strict=strict)
    if not quiet:
        click.echo("\n".join(made))
