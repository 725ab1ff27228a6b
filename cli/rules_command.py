"""`stonehand rules`: rulebooks."""

from pathlib import Path
from typing import cast

import click

from stonehand.cli import report


@click.command("rules")
@click.argument("game")
@report.language_option
@click.option(
    "--paper",
    metavar="NAME",
    help="Page format: a4 (default), a5, letter, half-letter. In a booklet: a5 or half-letter.",
)
@click.option("--booklet", is_flag=True, help="Make a booklet to fold and staple.")
@click.option("--html", is_flag=True, help="Make an HTML file.")
@click.option("--bilingual", is_flag=True, help="Set two languages side by side, as --lang hi,en.")
@click.option(
    "--sheet-paper",
    metavar="NAME",
    default="a4",
    show_default=True,
    help="Paper that the booklet is printed on, two pages side by side.",
)
@click.option(
    "--thickness",
    metavar="LENGTH",
    default="0.1mm",
    show_default=True,
    help="Thickness of that paper: inner pages are printed so much nearer to the spine.",
)
@click.option(
    "--flip",
    type=click.Choice(["short", "long"]),
    default="short",
    show_default=True,
    help="Edge over which the booklet's sheets are turned.",
)
@click.option(
    "--printer", metavar="NAME", help="Adjust the booklet for a printer; see 'stonehand printer'."
)
@click.option(
    "--stale",
    type=click.Choice(["source", "keep", "fail"]),
    default="source",
    show_default=True,
    help="What is printed where a translation is fuzzy or older than the text: the source text, "
    "that translation, or nothing, as an error.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="Folder, or one .pdf or .html file, to write to. Default: output/GAME.",
)
@report.quiet_option
def command(
    game: str,
    lang: tuple[str, ...],
    paper: str | None,
    booklet: bool,
    html: bool,
    bilingual: bool,
    sheet_paper: str,
    thickness: str,
    flip: str,
    printer: str | None,
    stale: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Make the rulebook of GAME from its rules.md, in all its languages.

    Without --booklet and --html, it is a PDF to read, and to print page by page.

    \b
    Examples:
      stonehand rules oniroo
      stonehand rules oniroo --lang hi --paper a5 -o rules.pdf
      stonehand rules oniroo --booklet --html
      stonehand rules oniroo --bilingual --lang hi,en
      stonehand rules oniroo --booklet --sheet-paper letter --thickness 0.12mm --lang en
    """  # noqa: D301 -- click reads a backspace
    from stonehand.language.translation import Stale
    from stonehand.output.files import Staged, default_output
    from stonehand.press import Press
    from stonehand.rulebooks import Edition, Folding, build_bilingual, build_rules
    from stonehand.sheets.forme import Flip
    from stonehand.source.files import shown
    from stonehand.source.problems import COMMAND_LINE, Location, fault
    from stonehand.source.text import Text
    from stonehand.source.units import FixedGap

    if bilingual and (booklet or html):
        raise click.UsageError("--bilingual goes with neither --booklet nor --html")
    folder = report.game_named(game)
    editions: list[Edition] = ["booklet"] if booklet else []
    if html:
        editions.append("html")
    with report.problems_told() as problems, Staged() as staged:
        at = Location(COMMAND_LINE)
        try:
            thick = FixedGap.parse(Text(thickness)).mm
        except ValueError as error:
            raise fault(at, *error.args) from None
        adjusted = report.printer_named(printer, problems)
        profile = adjusted[1] if adjusted else None
        folding = Folding(Text(sheet_paper, at), thick, cast(Flip, flip), profile)
        press = Press(folder.project, problems)
        loaded = press.load(folder)
        languages = press.languages_of(loaded, report.words(lang))
        where = output or default_output(folder.name)
        name, policy = report.word(paper), cast(Stale, stale)
        if bilingual:
            made = build_bilingual(press, loaded, languages, where, staged, book=name, stale=policy)
        else:
            made = build_rules(
                press,
                loaded,
                languages,
                where,
                staged,
                editions=editions or ["book"],
                book=name,
                folding=folding,
                stale=policy,
            )
        problems.raise_errors()
        if not made:
            at = Location(shown(folder.rules))
            raise fault(at, "not found: the game has no rules", "write them")
    if not quiet:
        click.echo("\n".join(made))
