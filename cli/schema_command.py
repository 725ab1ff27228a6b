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
    In VS Code with the YAML extension, settings.json:
      "yaml.schemas": {"schema/game.json": "cards/*/game.yaml",
                       "schema/catalogue.json": "cards/*/*.yaml",
                       "schema/template.json": "layouts/**/*.yaml"}
    """  # noqa: D301 -- click reads a backspace
    import json

    from stonehand.output.files import Staged
    from stonehand.schema import FILES, schema_of

    with report.problems_told(), Staged() as staged:
        for name in FILES:
            with staged.writing(output / f"{name}.json") as path:
                path.write_text(json.dumps(schema_of(name), indent=1) + "\n", encoding="ascii")
    if not quiet:
        click.echo("\n".join(str(output / f"{name}.json") for name in FILES))
