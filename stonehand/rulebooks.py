"""Rulebooks: a game's rules laid out in its languages, and written as PDF, booklet and HTML."""

import base64
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import msgspec
from msgspec.structs import replace

from stonehand.cards.deck import LoadedGame
from stonehand.cards.layout import Layouter
from stonehand.language.languages import Language
from stonehand.language.translation import Stale
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.rules.bilingual import lay_out_two
from stonehand.rules.blocks import Rulebook
from stonehand.rules.book import Book, Names, lay_out
from stonehand.rules.reading import read_rules
from stonehand.rules.setting import Setter
from stonehand.rules.style import BookStyle, load_books
from stonehand.rules.terms import Term, load_terms
from stonehand.sheets import booklet
from stonehand.sheets.forme import Flip
from stonehand.sheets.papers import find_paper, load_papers
from stonehand.sheets.printer import Printer, Side, adjusted
from stonehand.source.files import shown, there
from stonehand.source.problems import (
    COMMAND_LINE,
    Location,
    bytes_told,
    counted,
    did_you_mean,
    fault,
)
from stonehand.source.text import Text

if TYPE_CHECKING:
    from stonehand.rules.html import Shot, Wanted
    from stonehand.scene import Scene

Edition = Literal["book", "booklet", "html"]
EDITIONS: tuple[Edition, ...] = get_args(Edition)
FILES = {"book": "{}.pdf", "booklet": "{}-booklet.pdf", "html": "{}.html"}
SHARPNESS = 2  # pixels of a picture to a CSS px
A4 = Text("a4")
BOOK_FORMAT = A4
BOOKLET_FORMATS = ("a5", "half-letter")  # the first of which two pages fit the sheet


class Folding(msgspec.Struct, frozen=True):
    """How a booklet is printed: its paper's name and thickness in mm, and how sheets are turned."""

    paper: Text = A4
    thickness: float = booklet.PAPER
    turn: Flip = "short"
    printer: Printer | None = None  # what it does to pages is undone


def rules_of(game: LoadedGame, press: Press) -> Rulebook | None:
    """Return a game's rules, or None if it has none (or faulty ones, which are reported)."""
    if not has_rules(game):
        return None
    before = len(press.problems.errors)
    path = game.folder.rules
    rules: Rulebook | None = press.once(str(path), lambda problems: read_rules(path, problems))
    if rules is None:
        return None
    for given, is_ in ((rules.front.game, game.name), (rules.front.language, game.source_language)):
        if given and given != is_:
            press.problems.error(given.at, f"these are rules of '{given}', not of '{is_}'")
    if len(press.problems.errors) == before:
        return rules
    # what else is wrong is told in the same run
    with press.problems.gather():
        [language] = press.languages_of(game, [game.source_language])
        names = Names(rules, press.layouter(game, language), terms_of(game, press))
        names.check(rules)
    return None


def has_rules(game: LoadedGame) -> bool:
    """Tell whether a game has a rules text."""
    return there(game.folder.rules)


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
    editions: Sequence[Edition] = ("book",),
    book: Text | None = None,
    folding: Folding | None = None,
    stale: Stale = "source",
    progress: Callable[[], None] = lambda: None,
) -> list[str]:
    """Write the rules of a game in some languages and editions; return what was made, a line each.

    `book` names a page format, `folding` tells of a booklet's sheets; `progress` is called after
    each file.
    """
    rules = rules_of(game, press)
    if rules is None:
        return []
    files = [(language, edition) for language in languages for edition in editions]
    single = output.suffix.lower() in (".pdf", ".html")
    if single:
        _check_single(output, files)
    maker = _Maker(press, game, rules, book, folding or Folding(), linked=not single)
    made: list[str] = []
    for language, edition in files:
        with press.problems.gather():
            data, told = maker.make(edition, maker.layouter(language, stale))
            target = output if single else output / FILES[edition].format(f"rules-{language.code}")
            if not press.problems.errors:
                staged.write(target, data)
            made.append(f"{shown(target)}: {told}")
        progress()
    press.preflight.finish()
    return made


def check_rules(press: Press, game: LoadedGame, languages: Iterable[Language]) -> None:
    """Lay out the rules of a game as book and booklet, and write nothing.

    HTML breaks its lines where it is read.
    """
    rules = rules_of(game, press)
    if rules is None:
        return
    maker = _Maker(press, game, rules, None, Folding(), linked=False)
    press.read_pictures(game.cards)
    for language in languages:
        with press.problems.gather():
            layouter = maker.layouter(language, "source")
            maker.laid(layouter, *maker.format(BOOK_FORMAT))
            maker.folded_pages(layouter)
    press.preflight.finish()


def build_bilingual(
    press: Press,
    game: LoadedGame,
    languages: Sequence[Language],
    output: Path,
    staged: Staged,
    *,
    book: Text | None = None,
    stale: Stale = "source",
) -> list[str]:
    """Write the rulebook of a game in two languages side by side; return what was made."""
    rules = rules_of(game, press)
    if rules is None:
        return []
    if len(languages) != 2:
        message = f"a bilingual book has two languages, not {len(languages)}"
        raise fault(Location(COMMAND_LINE), message, "as in --lang hi,en")
    first, second = (press.layouter(game, language, stale=stale) for language in languages)
    maker = _Maker(press, game, rules, book, Folding(), linked=False)
    data, told = maker.bilingual(first, second)
    codes = f"{first.language.code}-{second.language.code}"
    single = output.suffix.lower() == ".pdf"
    target = output if single else output / FILES["book"].format(f"rules-{codes}")
    press.preflight.finish()
    if not press.problems.errors:
        staged.write(target, data)
    return [f"{shown(target)}: {told}"]


def book_pages(press: Press, game: LoadedGame, language: Language) -> tuple["Scene", ...]:
    """Return the pages of a game's rulebook in a language; none, if it has no rules."""
    rules = rules_of(game, press)
    if rules is None:
        return ()
    press.read_pictures(game.cards)
    maker = _Maker(press, game, rules, None, Folding(), linked=False)
    return tuple(maker.laid(press.layouter(game, language), *maker.format(BOOK_FORMAT)).pages)


def _check_single(output: Path, files: list[tuple[Language, Edition]]) -> None:
    """Raise unless what is made is one file of the kind that the output's name tells."""
    at = Location(COMMAND_LINE)
    if len(files) > 1:
        raise fault(at, f"{len(files)} files do not go into one", "name a folder, or a language")
    for _, edition in files:
        suffix = Path(FILES[edition]).suffix
        if output.suffix.lower() != suffix:
            raise fault(at, f"'{output.name}' is no name for this file", f"end it with {suffix}")


class _Maker:
    """Makes the editions of one game's rules, each from a layouter of its language."""

    def __init__(
        self,
        press: Press,
        game: LoadedGame,
        rules: Rulebook,
        book: Text | None,
        folding: Folding,
        *,
        linked: bool,
    ) -> None:
        self.press = press
        self.game = game
        self.rules = rules
        self.terms = terms_of(game, press)
        self.chosen = book
        self.folding = folding
        self.linked = linked  # whether files of other languages lie beside
        self.books = load_books(press.project.files("layouts/books.yaml"), press.problems)
        self.papers = load_papers(press.project.files("layouts/papers.yaml"), press.problems)

    def format(self, name: Text) -> tuple[BookStyle, tuple[float, float]]:
        """Return a page format and its size in mm."""
        if name not in self.books:
            hint = did_you_mean(name, self.books)
            raise fault(name.at, f"unknown page format '{name}'", hint)
        style = self.books[name]
        return style, find_paper(style.paper, self.papers)

    def layouter(self, language: Language, stale: Stale) -> Layouter:
        """Return what lays out in a language; translations of no rule are reported."""
        layouter = self.press.layouter(self.game, language, stale=stale)
        contexts = (message.context for message in self.rules.messages())
        layouter.translations.report_unknown(contexts, cards=False)
        return layouter

    def make(self, edition: Edition, layouter: Layouter) -> tuple[bytes | memoryview, str]:
        """Return the file of an edition, and what it is in words."""
        if edition == "html":
            return self.html(layouter)
        return self.book(layouter) if edition == "book" else self.booklet(layouter)

    def book(self, layouter: Layouter) -> tuple[memoryview, str]:
        """Return the rulebook as PDF, and what it is in words."""
        laid = self.laid(layouter, *self.format(self.chosen or BOOK_FORMAT))
        return self.written(laid, layouter)

    def bilingual(self, first: Layouter, second: Layouter) -> tuple[memoryview, str]:
        """Return the rulebook in two languages as PDF, and what it is in words."""
        style, paper = self.format(self.chosen or BOOK_FORMAT)
        laid = lay_out_two(self.rules, (first, second), self.terms, style, paper)
        for number, page in enumerate(laid.pages, 1):
            self.press.preflight.page(first, "rules", number, page)
        return self.written(laid, first)

    def written(self, laid: Book, layouter: Layouter) -> tuple[memoryview, str]:
        """Return a laid-out book as PDF, and what it is in words."""
        from stonehand.output.pdf import PdfWriter

        writer = PdfWriter(self.title(layouter), layouter.language.code, self.press.art)
        writer.outline = list(laid.outline)
        for page in laid.pages:
            writer.add_page(page)
        return writer.data(), counted(len(laid.pages), "page")

    def laid(self, layouter: Layouter, style: BookStyle, paper: tuple[float, float]) -> Book:
        """Return the book laid out in a page format."""
        book = lay_out(self.rules, layouter, self.terms, style, paper)
        for number, page in enumerate(book.pages, 1):
            self.press.preflight.page(layouter, "rules", number, page)
        return book

    def title(self, layouter: Layouter) -> str:
        """Return the title of the files."""
        title = layouter.translations.text(self.rules.title)
        return f"{title}: {layouter.language.words.get(Text('rules'), 'rules')}"

    @cached_property
    def folded(self) -> tuple[BookStyle, tuple[float, float], booklet.Spread]:
        """The booklet's page format, the size of its pages, and how they lie on the sheet."""
        paper = find_paper(self.folding.paper, self.papers)
        names = [self.chosen] if self.chosen else [Text(n) for n in BOOKLET_FORMATS]
        for name in names:
            style, size = self.format(name)
            if sheet := booklet.spread(paper, size):
                return style, size, sheet
        tried = " or ".join(f"'{name}'" for name in names)
        message = f"two pages of {tried} do not fit side by side on paper '{self.folding.paper}'"
        raise fault(self.folding.paper.at, message, "half-letter pages fit letter, a5 pages fit a4")

    def booklet(self, layouter: Layouter) -> tuple[memoryview, str]:
        """Return the rulebook imposed on sheets to fold, as PDF, and what it is in words."""
        from stonehand.output.pdf import PdfWriter

        laid, sheets = self.folded_pages(layouter)
        _, _, sheet = self.folded
        folding = self.folding
        code = layouter.language.code
        writer = PdfWriter(self.title(layouter), code, self.press.art, folding.turn)
        imposed = booklet.impose(laid.pages, sheet, folding.thickness, folding.turn)
        sides: Iterable[Side] = cycle(("front", "back"))
        for side, page in zip(sides, imposed, strict=False):
            printer = folding.printer
            writer.add_page(adjusted(page, side, folding.turn, printer) if printer else page)
        pages = counted(len(laid.pages), "page")
        return writer.data(), f"{pages} on {counted(sheets, 'sheet')}"

    def folded_pages(self, layouter: Layouter) -> tuple[Book, int]:
        """Return the book laid out for a booklet, and how many sheets that takes."""
        style, size, _ = self.folded
        laid = self.laid(layouter, style, size)
        sheets = len(booklet.padded(len(laid.pages))) // 4
        self.check_creep(booklet.creep(sheets - 1, self.folding.thickness), style)
        return laid, sheets

    def check_creep(self, creep: float, style: BookStyle) -> None:
        """Report pages that move far, or so far that the fold would cut into their text."""
        at = Location(COMMAND_LINE)
        moved = f"the innermost pages are moved {creep:.1f} mm to the spine"
        if creep > style.inner.mm:
            message = f"{moved}, which is more than their margin of {style.inner.mm:g} mm"
            self.press.problems.error(at, message, "use thinner paper")
        elif creep > booklet.MUCH_CREEP:
            self.press.problems.finding("creep", at, moved, "thinner paper makes a better booklet")

    def html(self, layouter: Layouter) -> tuple[bytes, str]:
        """Return the rules as one HTML file, and what it is in words."""
        from stonehand.rules import html

        names = Names(self.rules, layouter, self.terms)
        names.check(self.rules)
        style, _ = self.format(BOOK_FORMAT)  # words and references are those of the page
        setter = Setter(layouter, style, 0.0, names, style.leading.mm)
        languages = self.press.languages_of(self.game, ()) if self.linked else []
        shots = self.shots(names, html.wanted(self.rules.blocks))
        text = html.edition(self.rules, setter, self.title(layouter), languages, shots)
        data = text.encode("utf-8")
        return data, bytes_told(len(data))

    def shots(self, names: Names, wanted: Iterable["Wanted"]) -> dict["Wanted", "Shot"]:
        """Return pictures of cards, each taken once, from the PDF that would print."""
        from stonehand.output import png
        from stonehand.output.pdf import PdfWriter
        from stonehand.rules.html import Shot

        by_width: dict[int, dict[Wanted, Scene]] = {}
        for want in wanted:
            if shown := names.shown(want.card):
                trim = replace(shown[1], bleed=0.0, shared=False)
                by_width.setdefault(want.width, {}).setdefault(want, trim)
        made: dict[Wanted, Shot] = {}
        for width, scenes in by_width.items():
            writer = PdfWriter("", names.layouter.language.code, self.press.art)
            for scene in scenes.values():
                writer.add_page(scene)
            dpi = SHARPNESS * width / max(scene.width for scene in scenes.values()) * 25.4
            images = png.rasterise(writer.data(), list(scenes.values()), dpi)
            for (want, scene), image in zip(scenes.items(), images, strict=True):
                data = base64.b64encode(png.encoded_small(image)).decode("ascii")
                uri = f"data:image/png;base64,{data}"
                made[want] = Shot(uri, scene.width, scene.height, scene.corner)
        return made
