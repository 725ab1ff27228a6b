"""`stonehand printer`: what is known of one's printers, so that backs land on their fronts."""

from pathlib import Path

import click

from stonehand.cli import report


@click.group("printer")
def command() -> None:
    """Make backs land on their fronts: calibrate a printer, and keep what was read.

    \b
    Examples:
      stonehand printer calibrate office
      stonehand printer set office --read A2,B-1,C2,D-1,E2,F-1,G2,H-1
      stonehand cards oniroo --printer office
    """  # noqa: D301 -- click reads a backspace


@command.command("calibrate")
@click.argument("name")
@click.option("--paper", metavar="NAME", help="Paper of the printer. Default: as before, else a4.")
@click.option(
    "--flip", type=click.Choice(["long", "short"]), help="Edge over which the paper is turned."
)
@click.option("--lang", "-l", default="en", show_default=True, metavar="CODE", help="Language.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write. Default: output/calibration-NAME.pdf.",
)
@report.quiet_option
def calibrate(
    name: str, paper: str | None, flip: str | None, lang: str, output: Path | None, quiet: bool
) -> None:
    """Make the calibration sheet of printer NAME, adjusted by what is known of it so far.

    Print its two pages on both sides of one sheet, hold it against the light, and tell 'stonehand
    printer set' what you read. It takes little ink.
    """
    from stonehand.output.files import Staged, default_output
    from stonehand.printers import build_calibration

    with report.problems_told() as problems, Staged() as staged:
        target = output or default_output(f"calibration-{name}.pdf")
        made = build_calibration(
            report.current_project(),
            report.printers_folder(),
            report.given(name),
            problems,
            staged,
            target,
            paper=report.word(paper),
            flip=flip,  # type: ignore[arg-type]
            language=report.given(lang),
        )
        problems.raise_errors()
    if not quiet:
        click.echo(made)


@command.command("set")
@click.argument("name")
@click.option(
    "--read",
    multiple=True,
    metavar="READINGS",
    help="What the scales show in mm, such as A2,B-1 or A0.3,B-0.1.",
)
@click.option("--rules", metavar="WIDTHxHEIGHT", help="Measured lengths of the long rules in mm.")
@click.option(
    "--margins",
    multiple=True,
    metavar="LENGTHS",
    help="Smallest whole steps at the top, right, bottom and left edge, such as 4mm,4mm,5mm,4mm.",
)
@click.option("--paper", metavar="NAME", help="Paper of the sheet. Default: as before, else a4.")
@click.option(
    "--flip", type=click.Choice(["long", "short"]), help="Edge over which the printer turns paper."
)
@click.option("--note", metavar="TEXT", help="Which tray, paper or settings it is for.")
@click.option("--fresh", is_flag=True, help="Forget what is known; the sheet was not adjusted.")
@report.quiet_option
def set_profile(
    name: str,
    read: tuple[str, ...],
    rules: str | None,
    margins: tuple[str, ...],
    paper: str | None,
    flip: str | None,
    note: str | None,
    fresh: bool,
    quiet: bool,
) -> None:
    """Keep what was read from the calibration sheet of printer NAME.

    The sheet was adjusted by what was known, so what is read now is added to that.

    \b
    Examples:
      stonehand printer set office --read A2,B-1
      stonehand printer set office --read A0.3,B-0.1,E0.1 --rules 169.5x256.2
      stonehand printer set office --margins 4mm,4mm,5mm,4mm --note "tray 2, 300 g"
    """  # noqa: D301 -- click reads a backspace
    from stonehand.output.files import Staged
    from stonehand.printers import set_printer

    with report.problems_told() as problems, Staged() as staged:
        fields = report.fields({"margins": margins, "paper": paper, "flip": flip, "note": note})
        told = set_printer(
            report.current_project(),
            report.printers_folder(),
            report.given(name),
            problems,
            staged,
            readings=report.words(read),
            rules=report.word(rules),
            fields=fields,
            fresh=fresh,
        )
        problems.raise_errors()
    if not quiet:
        click.echo(told)


@command.command("list")
def list_profiles() -> None:
    """Show the printers that are known, and where each puts its backs."""
    from stonehand.sheets.printer import load_printer, profiles, told

    folder = report.printers_folder()
    with report.problems_told() as problems:
        for name in profiles(folder):
            with problems.gather():
                printer = load_printer(folder, report.given(name), problems)
                note = f" ({printer.note})" if printer.note else ""
                click.echo(f"{name}: {told(printer)}{note}")


@command.command("remove")
@click.argument("name")
def remove(name: str) -> None:
    """Forget printer NAME."""
    from stonehand.printers import remove_printer

    with report.problems_told() as problems:
        remove_printer(report.printers_folder(), report.given(name), problems)
