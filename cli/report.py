"""What commands share: options, how problems are told, and progress."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from stonehand.project import GameFolder, Project, find_game, find_project
from stonehand.source.problems import COMMAND_LINE, Location, Problems, StonehandError
from stonehand.source.text import Text


def words(values: tuple[str, ...]) -> tuple[Text, ...]:
    """Return the words of an option that may be repeated and may hold commas."""
    at = Location(COMMAND_LINE)
    return tuple(Text(word, at) for value in values for word in value.split(",") if word)


def word(value: str | None) -> Text | None:
    """Return an option's value with its place."""
    return None if value is None else Text(value, Location(COMMAND_LINE))


def game_named(name: str) -> GameFolder:
    """Return a game of the project around the current folder, a shipped one, or that of a path."""
    try:
        return find_game(name, current_project())
    except StonehandError as error:
        at = Location(COMMAND_LINE)
        problems = [p._replace(location=at, message=f"{name}: {p.message}") for p in error.problems]
        raise StonehandError(problems) from None


def current_project() -> Project:
    """Return the project around the current folder."""
    return find_project(Path.cwd())


def language_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--lang`."""
    return click.option(
        "--lang",
        "-l",
        multiple=True,
        metavar="CODE",
        help="Language to make, such as hi; may be repeated. Default: all of the game's.",
    )(command)


def quiet_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--quiet`."""
    return click.option("--quiet", "-q", is_flag=True, help="Print nothing but problems.")(command)


@contextmanager
def problems_told() -> Iterator[Problems]:
    """Give a run its `Problems`; at the end raise if there are errors, else print the warnings."""
    problems = Problems()
    with problems.gather():
        yield problems
    problems.raise_errors()
    for problem in problems:
        click.echo(problem, err=True)


@contextmanager
def progress(length: int, label: str, quiet: bool) -> Iterator[Callable[[], None]]:
    """Show a progress bar on a terminal; give the function that moves it by one step."""
    hidden = quiet or not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, hidden=hidden, file=sys.stderr) as bar:
        yield lambda: bar.update(1)
