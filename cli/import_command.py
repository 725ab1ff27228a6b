"""`stonehand import`: what people have already, brought into a game."""

import click

from stonehand.cli.import_images import images
from stonehand.cli.import_rules import rules


@click.group("import", subcommand_metavar="COMMAND [ARGS]...")
def command() -> None:
    """Bring in what exists already: card images as a game, a rulebook into one.

    \b
    Examples:
      stonehand import images scans
      stonehand import rules rulebook.docx --game pond --lang en
    """  # noqa: D301 -- click reads a backspace


command.add_command(images)
command.add_command(rules)
