"""`stonehand build`: everything a game declares."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stonehand.cli import report

if TYPE_CHECKING:
    from stonehand.processes import Makers


@contextmanager
def makers(jobs: int) -> "Iterator[Makers | None]":
    """Give what makes pieces in so many processes; None if one is to make all."""
    jobs = jobs or cores()
    if jobs == 1:
        yield None
        return
    from stonehand.processes import Makers

    made = Makers(jobs)
    try:
        yield made
    finally:
        made.close()


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
@click.option(
    "--only",
    type=click.Choice(["changed"]),
    help="Sheets of those cards alone that look different than at --since, to print them again.",
)
@click.option(
    "--since",
    metavar="STATE",
    default="HEAD",
    show_default=True,
    help="A folder or a git revision that cards are compared with.",
)
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
    only: str | None,
    since: str,
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
      stonehand build path/to/my-game --watch
      stonehand build path/to/my-game --only changed --since v1
    """  # noqa: D301 -- click reads a backspace
    from functools import partial
    from time import perf_counter

    from stonehand.building import Build
    from stonehand.cache import Cache
    from stonehand.making import Order
    from stonehand.output.files import Staged, default_output
    from stonehand.press import Shared
    from stonehand.source.problems import StonehandError
    from stonehand.watching import changes, folders_of

    profiles = (printer, str(report.printers_folder())) if printer else None
    shared: dict[str, Shared] = {}

    def orders() -> list[tuple[Order, Path]]:
        folders = report.games_named(games)
        asked = []
        for folder in folders:
            where = output or default_output(folder.name)
            where = where / folder.name if output and len(folders) > 1 else where
            roots = tuple(map(str, folder.project.roots))
            order = Order(folder.name, str(folder.folder), roots, lang, players, edition, profiles)
            asked.append((order, where))
        return asked

    def build(maker: "Makers | None") -> tuple[list[str], list[str]]:
        """Return what was made, a line each, and the names of files that were made anew."""
        made: list[str] = []
        if maker:
            maker.run += 1
        with (
            closing(Cache(report.cache_folder(cache))) as remembered,
            report.problems_told(strict=strict) as problems,
            Staged() as staged,
        ):
            run = Build(remembered, problems, staged, shared)
            for order, where in orders():
                with problems.gather():
                    made += run.run(order, where, partial(report.progress, quiet=quiet), maker)
            problems.raise_errors(strict=strict)
        return made, run.fresh

    if only:
        if watch:
            raise click.UsageError("--only goes not with --watch")
        from stonehand.reprinting import build_changed

        lines = []
        with report.problems_told(strict=strict) as problems, Staged() as staged:
            folders = report.games_named(games)
            adjusted = report.printer_named(printer, problems)
            for folder, (order, where) in zip(folders, orders(), strict=True):
                with problems.gather():
                    lines += build_changed(order, folder, where, since, staged, problems, adjusted)
            problems.raise_errors(strict=strict)
        if not quiet:
            click.echo("\n".join(lines) or f"no card looks different than at {since}")
        return
    with makers(jobs) as maker:
        if not watch:
            made, _ = build(maker)
            if not quiet:
                click.echo("\n".join(made))
            return
        folders = report.games_named(games)  # they may be away for a moment, and come back
        for _ in changes(lambda: folders_of(folders), output or Path("output")):
            began = perf_counter()
            try:
                _, fresh = build(maker)
                click.echo(told(fresh, perf_counter() - began))
            except StonehandError as error:
                for problem in error.problems:
                    click.echo(problem, err=True)
                click.echo("nothing written: what is mended is built again")


def told(fresh: list[str], seconds: float) -> str:
    """Return in a line what was made anew and how long it took."""
    few = ", ".join(fresh[:4]) or "nothing to make anew"
    more = f" and {len(fresh) - 4} more" if len(fresh) > 4 else ""
    return f"{few}{more} ({seconds:.1f} s)"
