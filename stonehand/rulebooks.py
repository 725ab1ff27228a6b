"""Rulebooks: a game's rules laid out in its languages, and written as PDF."""

from collections.abc import Iterable
from pathlib import Path

from stonehand.cards.deck import LoadedGame
from stonehand.language.languages import Language
from stonehand.language.translation import Stale
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.rules.blocks import Rulebook
from stonehand.rules.book import lay_out
from stonehand.rules.reading import read_rules
from stonehand.rules.style import load_books
from stonehand.rules.terms import Term, load_terms
from stonehand.sheets.papers import find_paper, load_papers
from stonehand.source.files import shown, there
from stonehand.source.problems import COMMAND_LINE, Location, did_you_mean, fault
from stonehand.source.text import Text


def rules_of(game: LoadedGame, press: Press) -> Rulebook | None:
    """Return a game's rules, or None if it has none (or faulty ones, which are reported)."""
    path = game.folder.rules
    return read_rules(path, press.problems) if there(path) else None


def terms_of(game: LoadedGame, press: Press) -> dict[str, Term]:
    """Return a game's termbase; empty if it has none."""
    path = game.folder.terms
    return load_terms(path, press.problems) if there(path) else {}


def build_rules(
    press: Press,
    game: LoadedGame,
    languages: Iterable[Language],
    output: Path,
    staged: Staged,
    *,
    book: Text | None = None,
    stale: Stale = "source",
) -> list[str]:
    """Write the rulebooks of a game in some languages; return what was made, a line each."""
    from stonehand.output.pdf import PdfWriter

    rules = rules_of(game, press)
    if rules is None:
        return []
    languages = list(languages)
    single = output.suffix.lower() == ".pdf"
    if single and len(languages) > 1:
        at = Location(COMMAND_LINE)
        raise fault(at, f"{len(languages)} files do not go into one", "name a language")
    books = load_books(press.project.files("layouts/books.yaml"), press.problems)
    name = book or Text("a4")
    if name not in books:
        raise fault(name.at, f"unknown page format '{name}'", did_you_mean(name, books))
    style = books[name]
    papers = load_papers(press.project.files("layouts/papers.yaml"), press.problems)
    paper = find_paper(style.paper, papers)
    terms = terms_of(game, press)
    press.read_pictures(game.cards)
    made: list[str] = []
    for language in languages:
        with press.problems.gather():
            layouter = press.layouter(game, language, stale=stale)
            contexts = (message.context for message in rules.messages())
            layouter.translations.report_unknown(contexts, cards=False)
            laid = lay_out(rules, layouter, terms, style, paper)
            title = f"{laid.title}: {language.words.get(Text('rules'), 'rules')}"
            writer = PdfWriter(title, language.code, press.art)
            writer.outline = list(laid.outline)
            for page in laid.pages:
                writer.add_page(page)
            target = output if single else output / f"rules-{language.code}.pdf"
            if not press.problems.errors:
                staged.write(target, writer.data())
            made.append(f"{shown(target)}: {len(laid.pages)} pages")
    return made
