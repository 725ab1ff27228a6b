"""Card sheets: a deck laid on paper in a language, and written as PDF."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from stonehand.cards.deck import Card, LoadedGame, decks_of, select
from stonehand.cards.game import Sheet
from stonehand.cards.layout import Layouter
from stonehand.language.languages import Language
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.project import Project
from stonehand.scene import Box, Group, Mark, Scene
from stonehand.sheets import furniture
from stonehand.sheets.imposition import Flip, Grid, batches, best_grid, side
from stonehand.sheets.papers import find_paper, load_papers
from stonehand.source.bind import laid_over
from stonehand.source.files import shown
from stonehand.source.problems import COMMAND_LINE, Location, Problems, fault
from stonehand.source.text import Text
from stonehand.source.units import Length
from stonehand.typesetting.paragraph import Setting
from stonehand.typesetting.style import StyleFields


@dataclass(frozen=True)
class SheetPlan:
    """How cards are laid on paper, with every choice made; lengths in mm."""

    paper: tuple[float, float]
    margin: float
    gap: float
    marks: furniture.Marks
    flip: Flip

    @classmethod
    def of(cls, project: Project, problems: Problems, *sheets: Sheet | None) -> "SheetPlan":
        """Return the plan that some specifications ask for; a later one overrules an earlier."""
        sheet = Sheet()
        for over in sheets:
            sheet = laid_over(sheet, over, Sheet.__struct_fields__)
        papers = load_papers(project.files("layouts/papers.yaml"), problems)
        return cls(
            find_paper(sheet.paper or Text("a4"), papers),
            (sheet.margin or Length(5.0)).mm,
            max(0.0, (sheet.gap or Length()).mm),
            sheet.marks or "lines",
            sheet.flip or "long",
        )


class SheetMaker:
    """Lays a deck on sheets in one language."""

    def __init__(self, layouter: Layouter, plan: SheetPlan) -> None:
        self.layouter = layouter
        self.plan = plan
        own = layouter.language.words
        self.words = _WORDS | {str(name): str(word) for name, word in own.items()}
        self._style = StyleFields(font=Text("sans"), hyphenate=False)
        self._fixed: dict[tuple[Grid, str], Mark] = {}

    def pages(self, cards: list[Card], progress: Callable[[], None]) -> Iterator[Scene]:
        """Yield the pages of a deck: the front of each sheet, then its back if it has one.

        Cards of one size lie together, in the order of the deck.
        """
        by_size: dict[tuple[float, float], list[Card]] = {}
        kinds = self.layouter.game.spec.kinds
        for card in cards:
            kind = kinds[Text(card.kind)]
            face = self.layouter.face(kind.front)
            if kind.back:
                self.layouter.face(kind.back)  # its faults are told also where the front has some
            if face:
                by_size.setdefault(face.size, []).extend([card] * card.count)
        grids = {size: self.grid(size) for size in by_size}
        # one card with a back gives every sheet a back page, else a printer that turns the paper
        # would print the next front there
        two_sided = self.plan.flip != "none" and any(kinds[Text(c.kind)].back for c in cards)
        total = sum(-(-len(found) // len(grids[s].slots)) for s, found in by_size.items())
        number = 0
        for size, found in by_size.items():
            for batch in batches(found, len(grids[size].slots)):
                number += 1
                yield from self.sheet(batch, grids[size], two_sided, number, total)
                for _ in batch:
                    progress()

    def grid(self, size: tuple[float, float]) -> Grid:
        """Return the slots for cards of a size."""
        plan = self.plan
        grid = best_grid(plan.paper, size, plan.margin, plan.gap)
        if grid is None:
            w, h = size
            paper = f"{plan.paper[0]:g} x {plan.paper[1]:g} mm"
            message = f"a card of {w:g} x {h:g} mm does not fit paper of {paper}"
            raise fault(self.layouter.game.spec.at, message, f"margins of {plan.margin:g} mm")
        return grid

    def sheet(
        self, cards: list[Card], grid: Grid, two_sided: bool, number: int, total: int
    ) -> Iterator[Scene]:
        """Yield the front and, if asked for, the back of a sheet."""
        fronts = side([self.layouter.front(card) for card in cards], grid)
        cuts = self.fixed(grid, "cuts", lambda: furniture.cut_marks(grid, self.plan.marks))
        yield self.page([*fronts, cuts], grid, number, total, "front")
        if two_sided:
            backs = side([self.layouter.back(card) for card in cards], grid, self.plan.flip)
            yield self.page(backs, grid, number, total, "back")

    def page(self, marks: list[Mark], grid: Grid, number: int, total: int, face: str) -> Scene:
        """Return a page with its label and ruler."""
        if where := furniture.strips(grid):
            title = self.layouter.translations.text(self.layouter.game.title)
            sheet = self.words["sheet"].replace("{page}", str(number))
            parts = [title, self.layouter.language.name, sheet.replace("{pages}", str(total))]
            parts.append(self.words[face])
            if self.plan.flip != "none":
                parts.append(self.words[f"flip_{self.plan.flip}"])
            label = furniture.label(" · ".join(parts), where[0], self.set_text)
            ruler = self.fixed(
                grid, "ruler", lambda: furniture.ruler(self.words["ruler"], where[1], self.set_text)
            )
            marks = [*marks, label, ruler]
        return Scene(grid.width, grid.height, tuple(marks))

    def fixed(self, grid: Grid, name: str, make: Callable[[], list[Mark]]) -> Mark:
        """Return what is the same on every page of a grid, made once and shared."""
        if (grid, name) not in self._fixed:
            self._fixed[grid, name] = Group(tuple(make()), shared=True)
        return self._fixed[grid, name]

    def set_text(self, text: str, box: Box, align: str) -> list[Mark]:
        """Return a line of small type, made smaller where it is too long for its box."""
        told = Text(text, self.layouter.language.at)
        paragraph = self.layouter.paragraph(told, self._style, "sheet label")
        setting = Setting(2.2, 1.0, 1.2, "#404040", align, "middle")  # type: ignore[arg-type]
        size, _ = paragraph.fit(box, setting)
        return paragraph.marks(box, setting, size)


_WORDS = {
    "front": "front",
    "back": "back",
    "sheet": "{page}/{pages}",
    "flip_long": "long edge",
    "flip_short": "short edge",
    "ruler": "50 mm, 2 in",
}
"""What is printed where a language's own table lacks a word."""


def build_cards(
    press: Press,
    game: LoadedGame,
    languages: Iterable[Language],
    output: Path,
    staged: Staged,
    progress: Callable[[], None],
    *,
    sheet: Sheet | None = None,
    deck: Text | None = None,
    only: tuple[Text, ...] = (),
) -> list[str]:
    """Write the sheets of a game's decks in some languages; return what was made, a line each.

    `sheet` overrules what the game and its decks say of paper and marks; `only` selects cards.
    """
    from stonehand.output.pdf import PdfWriter

    made: list[str] = []
    decks = decks_of(game, deck, press.problems)
    files = [(name, language) for name in decks for language in languages]
    single = output.suffix.lower() == ".pdf"
    if single and len(files) > 1:
        at = Location(COMMAND_LINE)
        raise fault(at, f"{len(files)} files do not go into one", "name a folder, or a language")
    for name, language in files:
        with press.problems.gather():
            spec, cards = decks[name]
            cards = select(cards, only) if only else cards
            press.read_pictures(cards)
            own = spec.sheet if spec else None
            plan = SheetPlan.of(press.project, press.problems, game.spec.sheet, own, sheet)
            layouter = press.layouter(game, language)
            title = f"{layouter.translations.text(game.title)} ({language.name})"
            writer = PdfWriter(title, language.code, press.art)
            pages = 0
            for page in SheetMaker(layouter, plan).pages(cards, progress):
                writer.add_page(page)
                pages += 1
            target = output if single else output / f"{name}-{language.code}.pdf"
            if not press.problems.errors:
                staged.write(target, writer.data())
            count = sum(card.count for card in cards)
            made.append(f"{shown(target)}: {count} cards on {pages} pages")
    return made
