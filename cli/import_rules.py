"""`stonehand import rules`: a rulebook that exists already, brought into a game."""

from pathlib import Path

import click

from stonehand.cli import report


@click.command("rules")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", required=True, metavar="GAME", help="Game that the rules belong to.")
@click.option("--lang", "-l", required=True, metavar="CODE", help="Language of the text.")
@click.option(
    "--id-pattern",
    metavar="REGEX",
    help="What the ids of headings look like, if they are unusual; a group in it is the id.",
)
@click.option("--overwrite", is_flag=True, help="Replace good translations that differ.")
@click.option("--dry-run", is_flag=True, help="Write nothing; print the whole report.")
@report.quiet_option
def rules(
    file: Path,
    game: str,
    lang: str,
    id_pattern: str | None,
    overwrite: bool,
    dry_run: bool,
    quiet: bool,
) -> None:
    """Bring a rulebook into a game: FILE is plain text, Markdown or DOCX.

    In the language of the source, it begins i18n/GAME/rules.md. In another, it is aligned with
    that source, rule by rule, and fills i18n/GAME/CODE.po. What is not certain is marked as fuzzy,
    with a comment that says why. What has no place is told in output/GAME/import-CODE.txt.

    \b
    Examples:
      stonehand import rules rulebook.docx --game pond --lang en
      stonehand import rules regeln.txt --game pond --lang de --dry-run
    """  # noqa: D301 -- click reads a backspace
    import re

    from stonehand.importing import run
    from stonehand.language.pseudo import CODE
    from stonehand.output.files import Staged
    from stonehand.press import Press
    from stonehand.rulebooks import has_rules, rules_of, terms_of
    from stonehand.source.files import shown
    from stonehand.source.problems import fault

    try:
        pattern = re.compile(id_pattern) if id_pattern else None
    except re.error as error:
        raise click.UsageError(f"--id-pattern: {error}") from None
    folder = report.game_named(game)
    report.check_own(folder)
    with report.problems_told() as problems, Staged() as staged:
        written = None if dry_run else staged
        press = Press(folder.project, problems)
        loaded = press.load(folder)
        if lang == CODE:
            raise fault(report.given(lang).at, f"'{lang}' is made by the program")
        languages = press.languages_of(loaded, [report.given(lang)])
        problems.raise_errors()
        [language] = languages
        if language.code == loaded.source_language:
            if has_rules(loaded):
                what = f"{game} has rules in '{language.code}' already"
                hint = "edit them, or import a translation"
                raise fault(report.given(lang).at, what, hint)
            lines, told = run.start(press, loaded, file, language, written, pattern)
        else:
            rules, terms = rules_of(loaded, press), terms_of(loaded, press)
            problems.raise_errors()
            if rules is None:
                raise run.no_source(loaded)
            lines, told = run.translate(
                press, loaded, rules, terms, file, language, written, pattern, overwrite=overwrite
            )
        problems.raise_errors()
        path = run.report_path(loaded, language)
        if written:
            written.write(path, told.encode())
    if not quiet:
        click.echo("\n".join(lines))
        click.echo(told if dry_run else f"{shown(path)}: the report", nl=not dry_run)
