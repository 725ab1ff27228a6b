"""`stonehand diff`: what changed between two states of a project."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stonehand.cli import report

if TYPE_CHECKING:
    from stonehand.project import GameFolder


@click.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", required=False, metavar="[NEW]")
@click.option(
    "--game", multiple=True, metavar="NAME", help="Game to compare. Default: all of the project."
)
@report.language_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="HTML file to write, with pictures of what looks different side by side.",
)
def command(
    old: str,
    new: str | None,
    game: tuple[str, ...],
    lang: tuple[str, ...],
    as_json: bool,
    output: Path | None,
) -> None:
    """Tell what changed between two states of a project.

    OLD and NEW are folders, or revisions of the project's git repository, such as HEAD~3 or v1;
    OLD..NEW is both in one. Without NEW, the project is compared as it is now. Told are cards that
    were added, removed or changed, field by field; sides of cards that look different, be it by
    their template or a picture; and rules whose words have changed.

    \b
    Examples:
      stonehand diff HEAD
      stonehand diff v1..v2 --game oniroo -o changes.html
      stonehand diff ../last-playtest . --json
    """  # noqa: D301 -- click reads a backspace
    from stonehand.comparing import Comparison, State, compare
    from stonehand.comparison_page import as_data, as_text, page
    from stonehand.output.files import Staged
    from stonehand.source.problems import COMMAND_LINE, Location, did_you_mean, fault

    if new is None and ".." in old and not Path(old).exists():
        old, _, new = old.partition("..")
    found: list[tuple[Comparison, State, State]] = []
    with state(old) as before, state(new) as after:
        known = {**after, **before}
        for name in game:
            if name not in known:
                hint = did_you_mean(name, known)
                raise fault(Location(COMMAND_LINE), f"no game '{name}' in either state", hint)
        for name in game or known:
            if name not in before or name not in after:
                where = "old" if name not in after else "new"
                click.echo(f"the game '{name}' is only in the {where} state", err=True)
                continue
            codes = [str(word) for word in report.words(lang)]
            was, now = State(before[name], old, codes), State(after[name], new or "now", codes)
            found.append((compare(was, now), was, now))
        click.echo((as_data if as_json else as_text)([one for one, _, _ in found]))
        if output:
            with Staged() as staged:
                staged.write(output, page(found, old, new or "now").encode())


@contextmanager
def state(name: str | None) -> "Iterator[dict[str, GameFolder]]":
    """Give the games of a state: of a folder, of a revision, or of the project as it is now."""
    from stonehand.revisions import games_at

    here = report.current_project()
    if name is None:
        yield here.own_games()
        return
    with games_at(name, here) as games:
        yield games
