"""What commands share: options, how problems are told, and progress."""

import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stonehand.project import GameFolder, Project, find_game, find_project, shipped_content
from stonehand.source.problems import COMMAND_LINE, Location, Problems, StonehandError, fault
from stonehand.source.silence import Silences
from stonehand.source.text import Fields, Items, Text

if TYPE_CHECKING:
    from stonehand.sheets.printer import Printer


def words(values: tuple[str, ...]) -> tuple[Text, ...]:
    """Return the words of an option that may be repeated and may hold commas."""
    at = Location(COMMAND_LINE)
    return tuple(Text(word, at) for value in values for word in value.split(",") if word)


def given(value: str) -> Text:
    """Return a word of the command line with its place."""
    return Text(value, Location(COMMAND_LINE))


def word(value: str | None) -> Text | None:
    """Return an option's value with its place."""
    return None if value is None else given(value)


def fields(options: Mapping[str, Any]) -> Fields:
    """Return options as if they were the fields of a file, without those that were not given.

    One that may be repeated is a list.
    """
    made = Fields(Location(COMMAND_LINE))
    for name, value in options.items():
        if isinstance(value, tuple) and value:
            listed = made[Text(name)] = Items(made.at)
            listed.extend(words(value))
        elif isinstance(value, str):
            made[Text(name)] = Text(value, made.at)
    return made


class NumberRange(click.FloatRange):
    """A number from one to another; click lets `nan` pass, which is neither below nor above."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; a wrong one is a fault of the command line."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"'{value}' is not a number.", param, ctx)
        return number


def printers_folder() -> Path:
    """Return the folder of a person's printers, where the system keeps settings."""
    return Path(click.get_app_dir("stonehand")) / "printers"


def printer_named(name: str | None, problems: Problems) -> "tuple[Text, Printer] | None":
    """Return a printer's profile with its name."""
    if name is None:
        return None
    from stonehand.sheets.printer import load_printer

    return given(name), load_printer(printers_folder(), given(name), problems)


def game_named(name: str) -> GameFolder:
    """Return a game of the project around the current folder, a shipped one, or that of a path."""
    project = current_project()
    try:
        return find_game(name, project)
    except StonehandError as error:
        at = Location(COMMAND_LINE)
        problems = [p._replace(location=at, message=f"{name}: {p.message}") for p in error.problems]
        raise StonehandError(problems) from None


def check_own(folder: GameFolder) -> None:
    """Raise the fault of changing a game that comes with Stonehand from somewhere else."""
    root = folder.root.resolve()
    if root == shipped_content().resolve() and not Path.cwd().is_relative_to(root):
        hint = "copy its folders into your project"
        raise fault(Location(COMMAND_LINE), f"{folder.name} comes with Stonehand", hint)


def games_named(names: tuple[str, ...]) -> list[GameFolder]:
    """Return the games of these names, or all of the project around the current folder."""
    if names:
        return [game_named(name) for name in names]
    project = current_project()
    folders = list(project.own_games().values())
    if not folders or not Path.cwd().is_relative_to(project.roots[0]):
        raise click.UsageError("there is no project here: name a game, or see 'stonehand list'")
    return folders


def current_project() -> Project:
    """Return the project around the current folder."""
    try:
        here = Path.cwd()
    except FileNotFoundError:
        at = Location(COMMAND_LINE)
        raise fault(at, "the folder you stand in is gone", "change to another") from None
    return find_project(here)


def language_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--lang`."""
    return click.option(
        "--lang",
        "-l",
        multiple=True,
        metavar="CODE",
        help="Language to make, such as hi; may be repeated. Default: all of the game's.",
    )(command)


def set_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--players` and `--edition`."""
    command = click.option(
        "--edition", metavar="NAME", help="Print what belongs to an edition. Default: all."
    )(command)
    return click.option(
        "--players",
        metavar="NUMBER",
        help="Print what so many players need. Default: what any number of them needs.",
    )(command)


CACHE_VARIABLE = "STONEHAND_CACHE"


def cache_folder(chosen: str | None) -> Path | None:
    """Return the folder of what builds remember; None if nothing is to be.

    That is what was chosen, else what the environment says, else where the system keeps what can
    be made again.
    """
    chosen = chosen or os.environ.get(CACHE_VARIABLE)
    if chosen == "off":
        return None
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
        return base / "stonehand" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/stonehand"
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return (base if base.is_absolute() else Path.home() / ".cache") / "stonehand"


def cache_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--cache`, `--no-cache` and `--jobs`."""
    command = click.option(
        "--cache",
        metavar="FOLDER",
        help="Where what was made is remembered. Default: where the system keeps caches.",
    )(command)
    command = click.option(
        "--no-cache", "cache", flag_value="off", help="Make everything anew, and remember nothing."
    )(command)
    return click.option(
        "--jobs",
        "-j",
        type=click.IntRange(0, 64),
        default=1,
        show_default=True,
        envvar="STONEHAND_JOBS",
        help="Processes that make languages and decks side by side; 0: one for each core.",
    )(command)


def next_steps(name: str, folder: Path) -> str:
    """Return the commands that show, check and print a game whose project was just made."""
    quoted = f'"{folder}"' if " " in str(folder) else folder
    enter = f"cd {quoted}" if folder.resolve() != Path.cwd() else ""
    commands = (
        enter,
        f"stonehand preview {name} --all --contact",
        "stonehand check",
        "stonehand build",
    )
    return "\n".join(["next:", *(f"  {command}" for command in commands if command)])


def quiet_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--quiet`."""
    return click.option("--quiet", "-q", is_flag=True, help="Print nothing but problems.")(command)


@contextmanager
def problems_told(*, strict: bool = False) -> Iterator[Problems]:
    """Give a run its `Problems`; at the end raise if there are errors, else print the warnings.

    With `strict`, warnings are raised, too.
    """
    problems = Problems(Silences())
    with problems.gather():
        yield problems
    problems.raise_errors(strict=strict)
    for problem in problems.told:
        click.echo(problem, err=True)


@contextmanager
def progress(length: int, label: str, quiet: bool) -> Iterator[Callable[[], None]]:
    """Show a progress bar on a terminal; give the function that moves it by one step."""
    hidden = quiet or not sys.stderr.isatty()
    with click.progressbar(length=length, label=label, hidden=hidden, file=sys.stderr) as bar:
        yield lambda: bar.update(1)
