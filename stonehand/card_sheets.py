"""Card sheets: a deck laid on paper in a language, and written as PDF, with files to cut it by."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from stonehand.cards.deck import Card, LoadedGame, decks_of, joined, select
from stonehand.cards.game import Sheet
from stonehand.cards.layout import Layouter
from stonehand.language.languages import Language
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.scene import Box, Group, Mark, Matrix, Outline, Scene, rectangle
from stonehand.sheet_plan import SheetPlan, paper_told
from stonehand.sheets import cutter, furniture
from stonehand.sheets.edges import EdgeReader
from stonehand.sheets.forme import (
    Forme,
    Reach,
    Slot,
    neighbours,
    placed,
    reaches,
    turned_like_a_page,
)
from stonehand.sheets.imposition import Laid, Size, best_fold, best_grid, lay
from stonehand.sheets.printer import Printer, Side, corrected
from stonehand.source.files import shown
from stonehand.source.problems import COMMAND_LINE, Location, StonehandError, fault
from stonehand.source.text import Text
from stonehand.typesetting.lettering import Lettering

ENOUGH = 4.0  # mm; a gap in which each of two neighbours has bleed for a hand that strays
STEP = 0.5  # mm; in which gaps are tried
KEPT = 500  # cards; the faces of a larger deck are laid out again rather than kept


class PrintedPage(NamedTuple):
    """A page, and which side of its sheet it is."""

    side: Side
    scene: Scene


@dataclass(frozen=True)
class Spacing:
    """The gap between cards in mm, whether it was chosen for the maker, and what that means."""

    gap: float
    chosen: bool
    unlike: bool  # some neighbours differ at their edges
    bleed: float  # mm; the most that a face draws


class SheetMaker:
    """Lays a deck on sheets in one language."""

    def __init__(self, layouter: Layouter, plan: SheetPlan, lettering: Lettering) -> None:
        self.layouter = layouter
        self.plan = plan
        self.lettering = lettering
        self.spacing: Spacing | None = None  # known once cards were laid
        self.formes: list[Forme] = []  # those that were used, each once
        self.corners: dict[Size, float] = {}  # radius in mm by size of card
        self._fixed: dict[tuple[Forme, str], Group] = {}
        self._faces: dict[tuple[int, Side], Scene | None] = {}
        self._edges = EdgeReader()

    def pages(self, cards: list[Card], progress: Callable[[], None]) -> Iterator[PrintedPage]:
        """Yield the pages of a deck: the front of each sheet, then its back if it has one.

        Cards of one size lie together, in the order of the deck.
        """
        plan = self.plan
        sizes = self._by_size(cards)
        keep = len(cards) <= KEPT
        self.spacing = self._spaced(sizes, keep=keep)
        # one card with a back gives every sheet a back page, else a printer that turns the paper
        # would print the next front there
        backs = any(card.back for card in cards)
        two_sided = backs and plan.backs in ("duplex", "separate")
        total = 0
        for laid in self._laid(sizes, self.spacing.gap):
            total += 1
            if laid.forme not in self.formes:
                self.formes.append(laid.forme)
        for number, laid in enumerate(self._laid(sizes, self.spacing.gap), 1):
            yield from self.sheet(laid, two_sided, number, total, keep=keep)
            for _ in filter(None, laid.items):
                progress()

    def _by_size(self, cards: list[Card]) -> dict[Size, list[Card]]:
        """Return what is to be printed, each card as often as it is, by its size."""
        sizes: dict[Size, list[Card]] = {}
        kinds = self.layouter.game.spec.kinds
        for card in cards:
            face = self.layouter.face(kinds[Text(card.kind)].front)
            if card.back and self.plan.backs != "none":
                self.layouter.back_face(
                    card.back
                )  # its faults are told also where the front has some
            if face:
                self.corners.setdefault(face.size, face.corner)
                sizes.setdefault(face.size, []).extend([card] * card.count)
        return {size: found * self.plan.copies for size, found in sizes.items()}

    def _laid(self, sizes: dict[Size, list[Card]], gap: float) -> Iterator[Laid[Card]]:
        plan = self.plan
        formes = {size: self.forme(size, gap) for size in sizes}
        mixed = plan.room(gap) if plan.mixed else None
        return lay(sizes, formes, plan.order, mixed)

    def find_forme(self, size: Size, gap: float) -> Forme | None:
        """Return the slots for cards of a size with a gap of so many mm; None if none fits."""
        find = best_fold if self.plan.backs == "fold" else best_grid
        return find(size, self.plan.room(gap))

    def forme(self, size: Size, gap: float) -> Forme:
        """Return the slots for cards of a size; a size that does not fit the paper is a fault."""
        plan = self.plan
        forme = self.find_forme(size, gap)
        if forme is None:
            w, h = size
            paper = f"{plan.paper[0]:g} x {plan.paper[1]:g} mm"
            message = f"a card of {w:g} x {h:g} mm does not fit paper of {paper}"
            if plan.backs == "fold":
                message = f"a card of {w:g} x {h:g} mm and its back do not fit paper of {paper}"
            hint = f"margins of {plan.margin:g} mm"
            if plan.skip or plan.cutter:
                hint += ", without the slots that are skipped or taken by marks"
            raise fault(self.layouter.game.spec.at, message, hint)
        return forme

    def _spaced(self, sizes: dict[Size, list[Card]], *, keep: bool) -> Spacing:
        """Return the gap: that of the plan, else 0 if all neighbours may share their cuts."""
        wanted = self.plan.gap
        unlike = not wanted and self._unlike(sizes, keep=keep)
        bleed = 0.0
        for card in {(c.kind, c.back): c for cards in sizes.values() for c in cards}.values():
            faces = [self.face(card, side, keep=keep) for side in self.plan.sides]
            bleed = max([bleed, *(face.bleed for face in faces if face)])
        if wanted is not None:
            return Spacing(wanted, False, unlike, bleed)
        gap = max((self._parted(size, bleed) for size in sizes), default=0.0) if unlike else 0.0
        return Spacing(gap, True, unlike, bleed)

    def _parted(self, size: Size, bleed: float) -> float:
        """Return the gap for neighbours that must not share a cut: twice the bleed.

        Where that would cost a card on the sheet, a smaller one that does not, if it is enough.
        """
        most = len(self.forme(size, 0.0).free)
        whole = 2 * bleed
        steps = int((whole - ENOUGH) / STEP) + 1
        for gap in [whole - i * STEP for i in range(steps)] if whole > ENOUGH else ():
            forme = self.find_forme(size, gap)
            if forme and len(forme.free) == most:
                return gap
        return whole if self.find_forme(size, whole) else 0.0

    def _unlike(self, sizes: dict[Size, list[Card]], *, keep: bool) -> bool:
        """Tell whether any neighbours would differ along the cut that they would share."""

        def edges(laid: Laid[Card], side: Side) -> list[Hashable]:
            faces = [self.face(card, side, keep=keep) if card else None for card in laid.items]
            return [self._edges.edge(face) if face else None for face in faces]

        for laid in self._laid(sizes, 0.0):
            fronts = edges(laid, "front")
            backs = edges(laid, "back") if "back" in self.plan.sides else []
            forme = laid.forme
            if forme.backs:  # backs lie beside fronts
                groups = [((*forme.slots, *forme.backs), fronts + backs)]
            else:
                groups = [(forme.slots, fronts), (forme.slots, backs)]
            for slots, found in groups:
                pairs = neighbours(slots) if found else ()
                if any(found[i] != found[j] for i, j in pairs if found[i] and found[j]):
                    return True
        return False

    def face(self, card: Card, side: Side, *, keep: bool) -> Scene | None:
        """Return the front or back of a card; those of a small deck are laid out but once."""
        key = (id(card), side)
        if key in self._faces:
            return self._faces[key]
        made = self.layouter.front(card) if side == "front" else self.layouter.back(card)
        if keep:
            self._faces[key] = made
        return made

    def sheet(
        self, laid: Laid[Card], two_sided: bool, number: int, total: int, *, keep: bool = False
    ) -> Iterator[PrintedPage]:
        """Yield the front and, if asked for, the back of a sheet."""
        plan, forme = self.plan, laid.forme
        fronts = [self.face(card, "front", keep=keep) if card else None for card in laid.items]
        backs: list[Scene | None] = []
        if two_sided or forme.backs:
            backs = [self.face(card, "back", keep=keep) if card else None for card in laid.items]
        near = reaches((*forme.slots, *forme.backs))
        marks = _in_slots(fronts, forme.slots, near, plan.bleed)
        if forme.backs:
            marks += _in_slots(backs, forme.backs, near[len(forme.slots) :], plan.back_bleed)
        marks += self.guides_on(forme, "front")
        yield PrintedPage("front", self.page(marks, forme, number, total, "front"))
        if two_sided:
            behind = forme.behind(plan.flip)
            marks = _in_slots(backs, behind, reaches(behind), plan.back_bleed)
            marks += self.guides_on(forme, "back")
            yield PrintedPage("back", self.page(marks, forme, number, total, "back"))

    def guides_on(self, forme: Forme, side: Side) -> list[Mark]:
        """Return the guides of a side as one shared mark, or nothing where there are none."""
        guides = self.fixed(forme, side, lambda: self.guides(forme, side))
        return [guides] if guides.marks else []

    def guides(self, forme: Forme, side: Side) -> list[Mark]:
        """Return cut and fold marks, and what a cutting machine needs, for a side of a sheet."""
        plan = self.plan
        marks: list[Mark] = []
        if plan.marks_on in (side, "both"):
            own = forme if side == "front" else self._turned(forme)
            marks += furniture.cut_marks(own, plan.marks, plan.unprintable)
            if plan.corners == "round":
                marks += furniture.trim_outlines(self.outlines(own))
            if plan.marks != "none" and side == "front":
                marks += furniture.cut_order(own, self.small_number, plan.unprintable)
        if side == "front":
            marks += furniture.fold_marks(forme)
            if plan.cutter:
                marks += cutter.registration(plan.cutter, forme.width, forme.height)
        return marks

    def _turned(self, forme: Forme) -> Forme:
        """Return a forme as it lies on the back of the paper."""
        slots = iter(forme.behind(self.plan.flip))
        rows = tuple(tuple(next(slots) for _ in row) for row in forme.rows)
        return Forme(forme.width, forme.height, rows, forme.free)

    def outlines(self, forme: Forme) -> list[Outline]:
        """Return the trim of every card of a forme, its corners rounded as its template says."""
        made = []
        for i in forme.free:
            box = forme.slots[i].box
            turned = (box.height, box.width)
            made.append(
                rectangle(
                    box, self.corners.get((box.width, box.height), self.corners.get(turned, 0.0))
                )
            )
        return made

    def page(self, marks: list[Mark], forme: Forme, number: int, total: int, side: Side) -> Scene:
        """Return a page with its label and ruler, brought to where the printer would miss it."""
        plan = self.plan
        if where := furniture.strips(forme, plan.unprintable, plan.corner_room):
            sign = self._sign(forme, where[0][0])
            text = self.label(number, total, side)
            label = furniture.label(text, where[0], self.lettering.line, sign)
            note = self.lettering.word("ruler")
            ruler = self.fixed(
                forme, "ruler", lambda: furniture.ruler(note, where[1], self.lettering.line)
            )
            marks = [*marks, label, ruler]
        scene = Scene(forme.width, forme.height, tuple(marks))
        return adjusted(scene, side, plan) if plan.printer else scene

    def label(self, number: int, total: int, side: Side) -> str:
        """Return what a sheet says of itself."""
        plan, word = self.plan, self.lettering.word
        sheet = word("sheet").replace("{page}", str(number)).replace("{pages}", str(total))
        title = self.layouter.translations.text(self.layouter.game.title)
        parts = [str(title), str(self.layouter.language.name), sheet]
        if plan.backs != "fold":
            parts.append(word(side))
        parts.append(paper_told(plan))
        if plan.backs in ("fold", "separate"):
            parts.append(word(plan.backs))
        if plan.backs in ("duplex", "separate"):
            parts.append(word(f"flip_{plan.flip}"))
        if plan.order == "stack":
            parts.append(word("stack"))
        if plan.printer_name:
            parts.append(word("printer").replace("{printer}", plan.printer_name))
        return " · ".join(parts)

    def _sign(self, forme: Forme, where: Matrix) -> Mark | None:
        """Return the sign that shows how the paper is turned, as one sees it reading the label."""
        if self.plan.backs not in ("duplex", "separate"):
            return None
        like_a_page = turned_like_a_page(forme.width, forme.height, self.plan.flip)
        if where.a:
            return furniture.turning_sign(forme.width, forme.height, like_a_page=like_a_page)
        return furniture.turning_sign(forme.height, forme.width, like_a_page=not like_a_page)

    def small_number(self, text: str, box: Box, align: furniture.Align) -> list[Mark]:
        """Return a number in the margin."""
        return self.lettering.line(text, box, align, 1.9)

    def fixed(self, forme: Forme, name: str, make: Callable[[], list[Mark]]) -> Group:
        """Return what is the same on every page of a forme, made once and shared."""
        if (forme, name) not in self._fixed:
            self._fixed[forme, name] = Group(tuple(make()), shared=True)
        return self._fixed[forme, name]


def _in_slots(
    faces: Sequence[Scene | None], slots: Sequence[Slot], near: Sequence[Reach], outer: float
) -> list[Mark]:
    """Return faces laid in slots; where there is none, the slot stays empty."""
    return [
        placed(face, slot, reach, outer)
        for face, slot, reach in zip(faces, slots, near, strict=False)
        if face
    ]


def adjusted(scene: Scene, side: Side, plan: SheetPlan) -> Scene:
    """Return a page moved against what its printer does to it, upright as paper goes in.

    A page on its side is turned by a quarter, clockwise on both of its sides, which is one and the
    same turn of the paper: whoever prints it, it enters the printer as the calibration sheet did.
    """
    printer = plan.printer
    assert printer is not None
    marks: Mark = Group(scene.marks)
    width, height = scene.width, scene.height
    if width > height:
        marks = Group((marks,), Matrix(0, 1, -1, 0, height, 0))
        width, height = height, width
    return Scene(
        width, height, (Group((marks,), corrected(printer, width, height, side, plan.flip)),)
    )


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
) -> list[str]:
    """Write the sheets of a game's decks in some languages; return what was made, a line each.

    `sheet` overrules what the game and its decks say of paper and marks; `join` lays the decks on
    shared sheets as one of that name; `only` selects cards; `printer` is one with its name.
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
            for language in languages:
                with press.problems.gather():
                    made += job.write(language, progress)
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
        self._cut = False  # cut files are the same in all languages

    def write(self, language: Language, progress: Callable[[], None]) -> list[str]:
        """Write the sheets in a language, and cut files the first time; return what was made."""
        from stonehand.output.pdf import PdfWriter

        press, plan = self.press, self.plan
        layouter = press.layouter(self.game, language)
        lettering = Lettering(press.fonts, language, press.languages, press.problems)
        maker = SheetMaker(layouter, plan, lettering)
        title = f"{layouter.translations.text(self.game.title)} ({language.name})"
        writers: dict[Side, PdfWriter] = {}
        pages: dict[Side, int] = {}
        for side, scene in maker.pages(self.cards, progress):
            file: Side = side if plan.backs == "separate" else "front"
            if file not in writers:
                writers[file] = PdfWriter(title, language.code, press.art, plan.duplex)
            writers[file].add_page(scene)
            pages[file] = pages.get(file, 0) + 1
        self.report(maker)
        count = sum(card.count for card in self.cards) * plan.copies
        made = []
        for file, writer in writers.items():
            suffix = "-backs" if file == "back" else ""
            target = self.beside(f"{self.name}-{language.code}{suffix}.pdf")
            if not press.problems.errors:
                self.staged.write(target, writer.data())
            what = f"{count} backs" if file == "back" else f"{count} cards"
            made.append(f"{shown(target)}: {what} on {pages[file]} pages{_spaced(maker.spacing)}")
        if plan.cutter and not self._cut:
            self._cut = True
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
            self.press.problems.note(at, message, hint)
        elif 0 < spacing.gap < 2 * spacing.bleed:
            half = f"{spacing.gap / 2:g} mm of the bleed of {spacing.bleed:g} mm"
            self.press.problems.note(at, f"between cards, {half} are printed")

    def write_cut_files(self, maker: SheetMaker) -> list[str]:
        """Write what a cutting machine follows, for every forme that was used."""
        from stonehand.output import cut_files

        made = []
        for number, forme in enumerate(maker.formes, 1):
            outlines = maker.outlines(forme)
            if self.plan.corners == "square":
                outlines = [rectangle(forme.slots[i].box) for i in forme.free]
            more = f"-{number}" if len(maker.formes) > 1 else ""
            single = self.output.suffix.lower() == ".pdf"
            stem = self.output.with_suffix("") if single else self.output / self.name
            for kind, data in (
                ("svg", cut_files.svg(outlines, forme.width, forme.height)),
                ("dxf", cut_files.dxf(outlines, forme.height)),
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
