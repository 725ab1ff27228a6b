"""`stonehand serve`: a game on a page of the browser, as it is being made."""

import os
import sys

import click

from stonehand.cli import report
from stonehand.project import GameFolder


@click.command("serve")
@click.argument("game", required=False)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8123,
    show_default=True,
    help="Port of this machine; 0 takes any that is free.",
)
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
def command(game: str | None, port: int, no_open: bool) -> None:
    """Show GAME live: a page in the browser that changes as its files are saved.

    All cards with search and filters, each with its back, its lines in the catalogue and what the
    checks find; the sheets as they will print, and the rulebook. Only this machine can reach the
    page. Without GAME, the game of the project around the current folder is shown.

    Ctrl-C ends it.

    \b
    Examples:
      stonehand serve oniroo
      stonehand serve my-game --port 9000 --no-open
    """  # noqa: D301 -- click reads a backspace
    from stonehand.source.problems import COMMAND_LINE, Location, fault

    folder = report.game_named(game) if game else _only_game()
    try:
        from stonehand.serving.server import serve
    except ModuleNotFoundError as error:
        message = f"'serve' needs the package '{error.name}'"
        hint = "pip install 'stonehand[serve]'"
        raise fault(Location(COMMAND_LINE), message, hint) from None

    def ready(address: str) -> None:
        click.echo(f"{folder.name} is shown at {address} (Ctrl-C ends it)")
        sys.stdout.flush()
        if not no_open and _has_screen():
            click.launch(address)

    serve(folder, port, ready)


def _only_game() -> GameFolder:
    folders = report.games_named(())
    if len(folders) > 1:
        names = ", ".join(folder.name for folder in folders)
        raise click.UsageError(f"name a game: {names}")
    return folders[0]


def _has_screen() -> bool:
    """Tell whether a browser would have a window; without one, some take over the terminal."""
    named = "DISPLAY", "WAYLAND_DISPLAY"
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, named))
