"""The command line: each file here is one command, loaded only when it is called."""

import errno
import gc
import os
import sys
import traceback
from importlib import import_module
from typing import NoReturn

import click

from stonehand import __version__

COMMANDS = (
    "new",
    "import",
    "build",
    "check",
    "cards",
    "rules",
    "preview",
    "serve",
    "translate",
    "printer",
    "list",
    "stats",
    "diff",
    "inspect",
    "schema",
)


COLLECTED_AFTER = (200_000, 20, 20)
"""When garbage is collected: a run makes many objects and few cycles, so that this saves 8 %."""


LOST = 74  # EX_IOERR of sysexits.h


class _Commands(click.Group):
    """Finds a command in the file of its name, so that help and listings load nothing else."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"stonehand.cli.{cmd_name}_command")
        command: click.Command = module.command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="stonehand")
def stonehand() -> None:
    """Print-ready card sheets, in every language, from a folder of plain files.

    \b
    Make one of your own, or try the games that come with it:
      stonehand new pond
      stonehand list
      stonehand build oniroo
      stonehand preview oniroo 023 --lang ko

    A GAME is a name from `stonehand list`, or the path of a folder with a game.yaml.
    """  # noqa: D301 -- click reads a backspace


def main() -> None:
    """Run the program; exit with 0, 1 (faults in files), 2 (wrong command line) or 130 (Ctrl-C).

    70 is a fault of the program itself (EX_SOFTWARE of sysexits.h), 74 that what was told could
    not be written.
    """
    gc.set_threshold(*COLLECTED_AFTER)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    _leave(_run())


def _leave(code: int) -> NoReturn:
    """End the process at once: taking all apart that a run has made would be a tenth of it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            pass  # who reads it has seen enough
        except OSError:
            code = code or LOST
    os._exit(code)


def _run() -> int:
    from stonehand.source.problems import COMMAND_LINE, StonehandError

    try:
        code = stonehand.main(prog_name="stonehand", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except StonehandError as error:
        for problem in error.problems:
            click.echo(problem, err=True)
        usage = all(problem.location.file == COMMAND_LINE for problem in error.problems)
        return 2 if usage else 1
    except (click.Abort, KeyboardInterrupt):
        return 130
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO):
            click.echo(f"error: {error.strerror}", err=True)
            return LOST
        traceback.print_exc()
        click.echo("This is a fault of Stonehand, not of your files: please report it.", err=True)
        return 70
    return code if isinstance(code, int) else 0
