"""Card sheets: decks written as PDF in their languages, with files to cut them by."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from stonehand.cards.deck import Card, LoadedGame, decks_of, joined, select
from stonehand.cards.game import Sheet
from stonehand.language.languages import Language
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.scene import rectangle
from stonehand.sheet_maker import GapNeeded, SheetMaker, Spacing
from stonehand.sheet_plan import SheetPlan
from stonehand.sheets.furniture import creases
from stonehand.sheets.printer import Printer, Side
from stonehand.source.files import shown
from stonehand.source.problems import COMMAND_LINE, Location, StonehandError, counted, fault
from stonehand.source.text import Text
from stonehand.tuck_boxes import build_boxes
from stonehand.typesetting.lettering import Lettering


def build_cards(
    press: Press,
    game: LoadedGame,
    languages: Iterable[Language],
    output: Path,
    staged: Staged,
    progress: Callable[[], None],
    *,
    sheet: Sheet | None = None,
    decks: Sequence[Text] = (),
    join: Text | None = None,
    only: tuple[Text, ...] = (),
    printer: tuple[Text, Printer] | None = None,
    cut_files: bool = True,
) -> list[str]:
    """Write the sheets of a game's decks in some languages; return what was made, a line each.

    `sheet` overrules what the game and its decks say of paper and marks; `join` lays the decks on
    shared sheets as one of that name; `only` selects cards; `printer` is one with its name. A
    cutting machine gets its files unless `cut_files` says that they are made elsewhere.
    """
    found = decks_of(game, decks, press.problems)
    if join is not None:
        found = {str(join): (None, joined(cards for _, cards in found.values()))}
    single = output.suffix.lower() == ".pdf"
    files = [(name, language) for name in found for language in languages]
    if single and len(files) > 1:
        raise _not_one(len(files))
    made: list[str] = []
    for name, (spec, cards) in found.items():
        with press.problems.gather():
            chosen = select(cards, only) if only else cards
            press.read_pictures(chosen)
            own = spec.sheet if spec else None
            layers = (game.spec.sheet, own, sheet)
            plan = SheetPlan.of(press.project, press.problems, *layers, printer=printer)
            if single and plan.backs == "separate":
                raise _not_one(2)
            job = _Job(press, game, name, chosen, plan, output, staged)
            job.cut = not cut_files
            for language in languages:
                with press.problems.gather():
                    made += job.write(language, progress)
    if not single and not decks and join is None and not only:
        made += build_boxes(press, game, languages, output, staged, sheet, printer)
    press.preflight.finish()
    return made


def _not_one(count: int) -> StonehandError:
    hint = "name a folder, or a language"
    return fault(Location(COMMAND_LINE), f"{count} files do not go into one", hint)


class _Job:
    """The sheets of one deck: what they are made of, and where they are written."""

    def __init__(
        self,
        press: Press,
        game: LoadedGame,
        name: str,
        cards: list[Card],
        plan: SheetPlan,
        output: Path,
        staged: Staged,
    ) -> None:
        self.press = press
        self.game = game
        self.name = name
        self.cards = cards
        self.plan = plan
        self.output = output
        self.staged = staged
        self.cut = False  # cut files are the same in all languages

    def write(self, language: Language, progress: Callable[[], None]) -> list[str]:
        """Write the sheets in a language, and cut files the first time; return what was made."""
        from stonehand.output.pdf import PdfWriter

        press, plan = self.press, self.plan
        layouter = press.layouter(self.game, language)
        lettering = Lettering(press.fonts, language, press.languages, press.problems)
        maker = SheetMaker(layouter, plan, lettering)
        title = f"{layouter.translations.text(self.game.title)} ({language.name})"

        def written() -> dict[Side, PdfWriter]:
            files: dict[Side, PdfWriter] = {}
            for side, scene in maker.pages(self.cards, progress):
                if not self.staged.wanted:
                    continue  # laid out is all that is asked for
                file: Side = side if plan.backs == "separate" else "front"
                if file not in files:
                    files[file] = PdfWriter(title, language.code, press.art, plan.duplex)
                files[file].add_page(scene)
            return files

        try:
            writers = written()
        except GapNeeded:
            writers = written()
        self.report(maker)
        count = sum(card.count for card in self.cards) * plan.copies
        made = []
        for file, writer in writers.items():
            suffix = "-backs" if file == "back" else ""
            target = self.beside(f"{self.name}-{language.code}{suffix}.pdf")
            if not press.problems.errors:
                self.staged.write(target, writer.data())
            what = counted(count, "back" if file == "back" else "card")
            pages = counted(len(writer.pdf.pages), "page")
            what = f"{what} on {pages}{_spaced(maker.spacing)}"
            made.append(f"{shown(target)}: {what}")
        if plan.cutter and not self.cut:
            self.cut = True
            made += self.write_cut_files(maker)
        return made

    def beside(self, name: str) -> Path:
        """Return where a file of that name goes."""
        single = self.output.suffix.lower() == ".pdf"
        return self.output if single else self.output / name

    def report(self, maker: SheetMaker) -> None:
        """Tell what a chosen gap does to the bleed."""
        spacing = maker.spacing
        if spacing is None or spacing.chosen or not spacing.bleed:
            return
        at = self.plan.at
        if spacing.gap == 0 and spacing.unlike:
            message = "neighbouring cards that differ at their edges share cuts"
            hint = f"a gap of {2 * spacing.bleed:g}mm gives each its bleed"
            self.press.problems.finding("shared-cuts", at, message, hint)
        elif 0 < spacing.gap < 2 * spacing.bleed:
            half = f"{spacing.gap / 2:g} mm of the bleed of {spacing.bleed:g} mm"
            self.press.problems.finding("narrow-gap", at, f"between cards, {half} are printed")

    def write_cut_files(self, maker: SheetMaker) -> list[str]:
        """Write what a cutting machine follows, for every forme that was used."""
        from stonehand.output import cut_files

        made = []
        for number, forme in enumerate(maker.formes, 1):
            outlines = maker.dress.outlines(forme)
            if self.plan.corners == "square" and not forme.outline:
                outlines = [rectangle(forme.slots[i].box) for i in forme.free]
            more = f"-{number}" if len(maker.formes) > 1 else ""
            single = self.output.suffix.lower() == ".pdf"
            stem = self.output.with_suffix("") if single else self.output / self.name
            for kind, data in (
                ("svg", cut_files.svg(outlines, forme.width, forme.height, creases(forme))),
                ("dxf", cut_files.dxf(outlines, forme.height, creases(forme))),
            ):
                target = stem.with_name(f"{stem.name}-cut{more}.{kind}")
                if not self.press.problems.errors:
                    self.staged.write(target, data)
                made.append(f"{shown(target)}: {len(outlines)} outlines")
        return made


def _spaced(spacing: Spacing | None) -> str:
    """Return in words how cards are spaced, where that was decided for the maker."""
    if spacing is None or not spacing.chosen or not spacing.bleed:
        return ""
    return f", {spacing.gap:g} mm apart for their bleed" if spacing.gap else ", cuts shared"
