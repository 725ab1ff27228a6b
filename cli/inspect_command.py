"""`stonehand inspect`: whether a PDF is fit to be printed."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stonehand.cli import report

if TYPE_CHECKING:
    from stonehand.inspection.home import Standard


@click.command("inspect")
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
@click.option(
    "--for",
    "standard",
    type=click.Choice(["home", "x-1a", "x-4"]),
    default="home",
    show_default=True,
    help="What the file is for: printers at home and in offices, or a press by PDF/X.",
)
@click.option(
    "--ink",
    type=click.FloatRange(100, 400),
    default=300,
    show_default=True,
    help="The most ink that a place may take, in percent.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for other programs.")
@click.option("--strict", is_flag=True, help="End with 1 also if there are only warnings.")
@report.quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[Path, ...],
    standard: "Standard",
    ink: float,
    as_json: bool,
    strict: bool,
    quiet: bool,
) -> None:
    """Tell what is in PDF FILEs, of Stonehand or not, and what will go wrong in print.

    Boxes, fonts, images, colours, inks, lines, transparency and metadata are told, then what is
    found. A file that says it is PDF/X-1a or PDF/X-4 is also checked against that. Ends with 1 if
    there are errors.

    \b
    Examples:
      stonehand inspect output/oniroo/cards-en.pdf
      stonehand inspect deck.pdf --for x-1a --ink 240
      stonehand inspect *.pdf --json
    """  # noqa: D301 -- click reads a backspace
    import json

    from stonehand.inspection.inspect import inspect
    from stonehand.inspection.summary import as_data, as_text
    from stonehand.source.files import shown
    from stonehand.source.problems import Problems

    told: list[dict[str, Any]] = []
    severities: set[str] = set()
    for number, file in enumerate(files):
        problems, facts = Problems(), None
        with problems.gather():
            facts = inspect(file, standard, ink, problems)
        severities |= {problem.severity for problem in problems}
        if as_json:
            findings = [problem._asdict() for problem in problems]
            for finding in findings:
                del finding["location"]  # it is the file
            data = facts and as_data(facts)
            told.append({"file": shown(file), "facts": data, "findings": findings})
            continue
        if facts and not quiet:
            click.echo(f"{chr(10) if number else ''}{as_text(facts)}")
        for problem in problems:
            click.echo(problem, err=facts is None)
    if as_json:
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
    if "error" in severities or (strict and "warning" in severities):
        ctx.exit(1)
