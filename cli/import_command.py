"""`stonehand import`: projects made of what people have already."""

import click

from stonehand.cli.import_images import images


@click.group("import")
def command() -> None:
    """Make a project of what you have already.

    \b
    Examples:
      stonehand import images scans
    """  # noqa: D301 -- click reads a backspace


command.add_command(images)
