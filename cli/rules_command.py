"""`stonehand rules`: rulebooks."""

from pathlib import Path

import click

from stonehand.cli import report


@click.command("rules")
@click.argument("game")
@report.language_option
@click.option("--paper", metavar="NAME", help="Page format: a4 (default), a5, letter, half-letter.")
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
    help="Folder, or one .pdf file, to write to. Default: output/GAME.",
)
@report.quiet_option
def command(
    game: str,
    lang: tuple[str, ...],
    paper: str | None,
    stale: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Make the rulebook of GAME from its rules.md, in all its languages.

    \b
    Examples:
      stonehand rules oniroo
      stonehand rules oniroo --lang hi --paper a5 -o rules.pdf
    """  # noqa: D301 -- click reads a backspace
    from stonehand.output.files import Staged
    from stonehand.press import Press
    from stonehand.rulebooks import build_rules
    from stonehand.source.files import shown
    from stonehand.source.problems import Location, fault

    folder = report.game_named(game)
    with report.problems_told() as problems, Staged() as staged:
        press = Press(folder.project, problems)
        loaded = press.load(folder)
        languages = press.languages_of(loaded, report.words(lang))
        made = build_rules(
            press,
            loaded,
            languages,
            output or Path("output") / folder.name,
            staged,
            book=report.word(paper),
            stale=stale,  # type: ignore[arg-type]
        )
        problems.raise_errors()
        if not made:
            at = Location(shown(folder.rules))
            raise fault(at, "not found: the game has no rules", "write them")
    if not quiet:
        click.echo("\n".join(made))
