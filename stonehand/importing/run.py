"""One run of an import of rules: a game and a file come in, files and a report go out."""

import re
from pathlib import Path

from stonehand.cards.deck import LoadedGame
from stonehand.importing import begin
from stonehand.importing.restore import Guide
from stonehand.importing.rules import Task, fill, labels, read
from stonehand.language.languages import Language
from stonehand.output.files import Staged, default_output
from stonehand.press import Press
from stonehand.rules.blocks import Heading, Rulebook
from stonehand.rules.book import Names
from stonehand.rules.terms import Term
from stonehand.source.files import shown
from stonehand.source.problems import Location, Problems, counted, fault
from stonehand.source.text import Text
from stonehand.translating import brought_up, template_of, wanted, write

STATES = ("certain", "fuzzy", "the same", "kept", "not in the text", "missing")


def start(
    press: Press,
    game: LoadedGame,
    path: Path,
    language: Language,
    staged: Staged | None,
    id_pattern: re.Pattern[str] | None,
) -> tuple[list[str], str]:
    """Begin the rules source of a game from a text; return lines that tell it, and a report.

    Without `staged`, nothing is written.
    """
    manuscript = read(path, id_pattern)
    names = labels([language, *press.languages.values()])
    made = begin.begun(manuscript, game.name, str(language.code), names)
    target = game.folder.rules
    rules = begin.checked(made.text, shown(target), press.problems)
    if staged:
        staged.write(target, made.text.encode())
    headings = [block for block in rules.blocks if isinstance(block, Heading)]
    numbered = sum(heading.rule for heading in headings)
    sections = counted(len(headings) - numbered, "section")
    line = f"{shown(target)}: {sections}, {counted(numbered, 'rule')}"
    return [line], made.outcome.report(f"{shown(path)} begins {shown(target)}")


def translate(
    press: Press,
    game: LoadedGame,
    rules: Rulebook,
    terms: dict[str, Term],
    path: Path,
    language: Language,
    staged: Staged | None,
    id_pattern: re.Pattern[str] | None,
    *,
    overwrite: bool,
) -> tuple[list[str], str]:
    """Fill a game's PO file from a text; return lines that tell what was done, and a report.

    Without `staged`, nothing is written.
    """
    messages = wanted(game, rules)
    manuscript = read(path, id_pattern)
    file = brought_up(game, messages, terms, str(language.code))
    [source] = press.languages_of(game, [game.source_language])
    task = Task(
        rules,
        messages,
        terms,
        language,
        game.source_language,
        theirs=guide(press, game, rules, terms, language),
        ours=guide(press, game, rules, terms, source),
    )
    names = labels([language, source])
    new, outcome = fill(task, manuscript, file, names, overwrite=overwrite)
    target = game.folder.translation(language.code)
    write(target, new, staged)
    write(*template_of(game, messages), staged)
    told = ", ".join(f"{outcome.counts[s]} {s}" for s in STATES if outcome.counts[s])
    lines = [f"{shown(target)}: {told or 'nothing of the text has a place'}"]
    lines += [f"{section}: {len(told)}" for section, told in outcome.told.items()]
    return lines, outcome.report(f"{shown(path)} in {shown(target)}")


def guide(
    press: Press,
    game: LoadedGame,
    rules: Rulebook,
    terms: dict[str, Term],
    language: Language,
) -> Guide:
    """Return what references and values of a game are printed as in a language.

    Cards whose names have no translation yet keep that of the source.
    """
    quiet = Press(press.project, Problems())  # what is lacking is what the import is for
    names = Names(rules, quiet.layouter(game, language), terms)
    headings = [block for block in rules.blocks if isinstance(block, Heading)]
    ids = [str(b.id) for b in headings if b.rule or names.letter(b.id)]
    return Guide(
        ids=frozenset([*ids, *rules.withdrawn]),
        stems={key: term.stems.get(str(language.code), ()) for key, term in terms.items()},
        count=names.count,
        card=lambda name: names.reference(f"card.{name}", Text(name))[0],
        titles={str(b.id): str(b.text) for b in headings if b.text},
    )


def report_path(game: LoadedGame, language: Language) -> Path:
    """Return where the report of an import is written."""
    return default_output(game.name) / f"import-{language.code}.txt"


def no_source(game: LoadedGame) -> Exception:
    """Return the fault of a translation without anything that it would be one of."""
    hint = f"import those in '{game.source_language}' first"
    return fault(Location(shown(game.folder.rules)), "not found: the game has no rules", hint)
