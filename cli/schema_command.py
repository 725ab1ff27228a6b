"""`stonehand schema`: what editors need to help with the files."""

from pathlib import Path

import click

from stonehand.cli import report


@click.command("schema")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("schema"),
    show_default=True,
    help="Folder to write to.",
)
@report.quiet_option
def command(output: Path, quiet: bool) -> None:
    """Write JSON Schemas of all YAML files, for completion and checks in editors.

    \b
    Examples:
      stonehand schema
      stonehand schema -o .vscode/schema

    An editor with the YAML language server reads a line like this at the head of a file:

    \b
      # yaml-language-server: $schema=../../schema/catalogue.json
    """  # noqa: D301 -- click reads a backspace
    import json

    from stonehand.output.files import Staged
    from stonehand.schema import FILES, schema_of

    with report.problems_told(), Staged() as staged:
        for name in FILES:
            text = json.dumps(schema_of(name), indent=1) + "\n"
            staged.write(output / f"{name}.json", text.encode("ascii"))
    if not quiet:
        click.echo("\n".join(str(output / f"{name}.json") for name in FILES))
