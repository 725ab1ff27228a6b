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
@click.option("--watch", is_flag=True, help="Build again whenever a file changes, until Ctrl-C.")
@report.cache_options
@report.quiet_option
def command(
    games: tuple[str, ...],
    lang: tuple[str, ...],
    output: Path | None,
    printer: str | None,
    players: str | None,
    edition: str | None,
    strict: bool,
    watch: bool,
    cache: str | None,
    jobs: int,
    quiet: bool,
) -> None:
    """Make everything that games declare, in all their languages.

    Without GAME, all games of the project around the current folder are made. For each deck and
    language there is one PDF, such as output/oniroo/cards-hi.pdf; for a game with rules also
    rules-hi.pdf, a booklet to fold as rules-hi-booklet.pdf, and rules-hi.html. What would print
    badly is told, see 'stonehand check'. What has not changed since an earlier build is taken
    from there.

    \b
    Examples:
      stonehand build oniroo
      stonehand build oniroo --lang hi --lang ko
      stonehand build path/to/my-game -o to-print
      stonehand build my-game --watch
    """  # noqa: D301 -- click reads a backspace
    from functools import partial

    from stonehand.cache import Cache
    from stonehand.making import Build, Order
    from stonehand.output.files import Staged, default_output

    profiles = (printer, str(report.printers_folder())) if printer else None

    def orders() -> list[tuple[Order, Path]]:
        folders = report.games_named(games)
        asked = []
        for folder in folders:
            where = output or default_output(folder.name)
            where = where / folder.name if output and len(folders) > 1 else where
            roots = tuple(map(str, folder.project.roots))
            order = Order(
                folder.name, str(folder.folder), roots, lang, players, edition, profiles
            )
            asked.append((order, where))
        return asked

    def build() -> list[str]:
        made: list[str] = []
        remembered = Cache(report.cache_folder(cache))
        with report.problems_told(strict=strict) as problems, Staged() as staged:
            run = Build(remembered, problems, staged)
            for order, where in orders():
                with problems.gather():
                    made += run.run(order, where, partial(report.progress, quiet=quiet), maker)
            problems.raise_errors(strict=strict)
        remembered.close()
        return made

    maker = None
    made = build()
    if not quiet:
        click.echo("\n".join(made))
