"""`stonehand translate`: the files that translators work with."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import click

from stonehand.cli import report

if TYPE_CHECKING:
    from stonehand.cards.deck import LoadedGame
    from stonehand.language.languages import Language
    from stonehand.language.update import Wanted
    from stonehand.rules.terms import Term
    from stonehand.source.problems import Problems


@click.group("translate", subcommand_metavar="COMMAND [ARGS]...")
def command() -> None:
    """Bring translations of GAME up to date, count and check them.

    Translations are PO files, i18n/GAME/CODE.po, for the cards and the rules together.

    \b
    Examples:
      stonehand translate update my-game
      stonehand translate status oniroo
      stonehand translate check oniroo --lang hi
    """  # noqa: D301 -- click reads a backspace


@command.command("update")
@click.argument("game")
@report.language_option
@report.quiet_option
def update_command(game: str, lang: tuple[str, ...], quiet: bool) -> None:
    """Write what is new in GAME into its PO files, and begin those that are not there.

    Translations whose source text has changed are kept and marked as fuzzy, with the old text
    beside them; those whose text is gone stay at the end of the file. If nothing has changed,
    nothing is written. The template for other languages is i18n/GAME/GAME.pot.

    \b
    Examples:
      stonehand translate update my-game
      stonehand translate update my-game --lang fr
    """  # noqa: D301 -- click reads a backspace
    from stonehand.output.files import Staged
    from stonehand.translating import update

    with _loaded(game, lang) as work, Staged() as staged:
        report.check_own(work.game.folder)
        codes = [str(language.code) for language in work.languages]
        made = update(work.game, work.messages, work.terms, codes, staged, work.problems)
        work.problems.raise_errors()
    if not quiet:
        click.echo("\n".join(made))


@command.command("status")
@click.argument("game")
@report.language_option
@click.option(
    "--minimum",
    type=report.NumberRange(0, 100),
    help="End with 1 if less than so many percent of a language are translated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for other programs.")
@click.pass_context
def status_command(
    ctx: click.Context, game: str, lang: tuple[str, ...], minimum: float | None, as_json: bool
) -> None:
    """Show how many texts of GAME are translated, fuzzy and missing, in each language.

    Fuzzy are translations of an older text, and those that a translator marked so. Percents are
    rounded down.

    \b
    Examples:
      stonehand translate status oniroo
      stonehand translate status oniroo --lang ko --minimum 100
      stonehand translate status oniroo --json
    """  # noqa: D301 -- click reads a backspace
    import json

    from stonehand.translating import status, translation_of

    counted = {}
    with _loaded(game, lang) as work:
        for language in work.languages:
            with work.problems.gather():
                file = translation_of(work.game, language.code)
                counted[str(language.code)] = status(file, work.messages)
    fields = ("total", "translated", "fuzzy", "missing", "percent")
    if as_json:
        data = {
            code: {part: {f: getattr(s, f) for f in fields} for part, s in parts.items()}
            for code, parts in counted.items()
        }
        click.echo(json.dumps(data, indent=1))
    else:
        width = max((len(code) for code in counted), default=0)
        click.echo(f"{'':{width}}  {'':5}{'':3}{''.join(f'{f:>12}' for f in fields[:-1])}")
        for code, parts in counted.items():
            for part, one in parts.items():
                numbers = "".join(f"{getattr(one, f):12}" for f in fields[:-1])
                name = code if part == "cards" else ""
                click.echo(f"{name:{width}}  {part:5}   {numbers}{one.percent:8.1f} %")
    if minimum is not None:
        low = [code for code, parts in counted.items() if parts["all"].percent < minimum]
        if low:
            click.echo(f"less than {minimum:g} % are translated: {', '.join(low)}", err=True)
            ctx.exit(1)


@command.command("check")
@click.argument("game")
@report.language_option
@click.option("--strict", is_flag=True, help="End with 1 also if there are only warnings.")
@report.quiet_option
@click.pass_context
def check_command(
    ctx: click.Context, game: str, lang: tuple[str, ...], strict: bool, quiet: bool
) -> None:
    """Look for mistakes in the translations of GAME.

    Errors are lost references and values, other figures than in the source, and broken emphasis.
    Warnings are about punctuation, quotation marks, spaces, terms and texts translated in two ways.
    Where a translation is right and a check is not, write a comment above the entry, such as
    "# unchecked: quotes - the name of a shop".

    \b
    Examples:
      stonehand translate check oniroo
      stonehand translate check oniroo --lang el --strict
    """  # noqa: D301 -- click reads a backspace
    from stonehand.source.problems import counted
    from stonehand.translating import check, translation_of

    with _loaded(game, lang) as work:
        for language in work.languages:
            before = len(work.problems.told)
            with work.problems.gather():
                file = translation_of(work.game, language.code)
                source = work.game.source_language
                looked = check(file, work.messages, work.terms, language, source, work.problems)
                found = len(work.problems.told) - before
                if not quiet:
                    told = "1 problem" if found == 1 else f"{found or 'no'} problems"
                    texts = counted(looked, "text")
                    click.echo(f"{language.code}: {texts} checked, {told}")
    if strict and work.problems.told:
        ctx.exit(1)


class _Work(NamedTuple):
    """What the commands are about: a game, its texts and terms, the languages it is put into."""

    game: "LoadedGame"
    messages: "list[Wanted]"
    terms: "dict[str, Term]"
    languages: "list[Language]"
    problems: "Problems"


@contextmanager
def _loaded(name: str, lang: tuple[str, ...]) -> Iterator[_Work]:
    """Read a game; at the end, tell the problems."""
    from stonehand.language.pseudo import CODE
    from stonehand.press import Press
    from stonehand.rulebooks import rules_of, terms_of
    from stonehand.source.problems import fault
    from stonehand.translating import wanted

    folder = report.game_named(name)
    with report.problems_told() as problems:
        press = Press(folder.project, problems)
        game = press.load(folder)
        rules, terms = rules_of(game, press), terms_of(game, press)
        source = game.source_language
        asked = report.words(lang)
        for code in asked:
            if code in (source, CODE):
                what = "the language of the source" if code == source else "made by the program"
                raise fault(code.at, f"there are no translations for '{code}'", f"it is {what}")
        languages = press.languages_of(game, asked)
        problems.raise_errors()
        others = [language for language in languages if language.code != source]
        yield _Work(game, wanted(game, rules), terms, others, problems)
