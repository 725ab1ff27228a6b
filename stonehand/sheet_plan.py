"""How cards are laid on paper, with every choice made that game, deck and command line leave."""

from math import inf
from typing import Literal

import msgspec

from stonehand.cards.game import Sheet
from stonehand.project import Project
from stonehand.scene import Box
from stonehand.sheets import cutter as cutters
from stonehand.sheets.cutter import Cutter
from stonehand.sheets.forme import Flip
from stonehand.sheets.furniture import UNPRINTABLE, Marks
from stonehand.sheets.imposition import Order, Room
from stonehand.sheets.papers import find_paper, load_papers
from stonehand.sheets.printer import Printer, Side
from stonehand.source.bind import laid_over
from stonehand.source.problems import Location, Problems, fault
from stonehand.source.text import NOWHERE, Text

Backs = Literal["duplex", "fold", "separate", "none"]
MARGIN = 5.0  # mm


class SheetPlan(msgspec.Struct, frozen=True, kw_only=True):
    """How cards are laid on paper; lengths in mm. `gap` is None where it is to be found out."""

    paper: tuple[float, float]
    paper_name: str = ""
    margin: float = MARGIN
    gap: float | None = None
    bleed: float = inf
    back_bleed: float = inf
    marks: Marks = "lines"
    marks_on: Literal["front", "back", "both"] = "front"
    corners: Literal["square", "round"] | None = None
    backs: Backs = "duplex"
    flip: Flip = "long"
    order: Order = "reading"
    skip: frozenset[int] = frozenset()
    mixed: bool = False
    cutter: Cutter | None = None
    copies: int = 1
    at: Location = NOWHERE
    printer: Printer | None = None
    printer_name: str = ""

    @classmethod
    def of(
        cls,
        project: Project,
        problems: Problems,
        *sheets: Sheet | None,
        printer: tuple[Text, Printer] | None = None,
    ) -> "SheetPlan":
        """Return the plan that some specifications ask for; a later one overrules an earlier.

        A printer, with its name, brings its margins and flip where nothing else is said.
        """
        sheet = Sheet()
        for over in sheets:
            sheet = laid_over(sheet, over, Sheet.__struct_fields__)
        papers = load_papers(project.files("layouts/papers.yaml"), problems)
        name = sheet.paper or Text("a4")
        size = find_paper(name, papers)
        machine = None
        if sheet.cutter:
            known = cutters.load_cutters(project.files("layouts/cutters.yaml"), problems)
            machine = cutters.find_cutter(sheet.cutter, known)
        profile = printer[1] if printer else None
        if printer and profile and profile.paper and find_paper(profile.paper, papers) != size:
            said = f"printer '{printer[0]}' was calibrated with paper '{profile.paper}'"
            problems.finding(
                "printer-paper",
                printer[0].at,
                f"{said}, not '{name}'",
                "calibrate it with this paper",
            )
        unprintable = profile.unprintable if profile else 0.0
        margin = max(MARGIN, unprintable) if sheet.margin is None else sheet.margin.mm
        if margin < unprintable and printer:
            message = f"a margin of {margin:g} mm is less than printer '{printer[0]}' leaves blank"
            problems.finding(
                "printer-margin", printer[0].at, message, f"at least {unprintable:g}mm"
            )
        bleed = inf if sheet.bleed is None else sheet.bleed.mm
        plan = cls(
            paper=size,
            paper_name=str(name),
            margin=margin,
            gap=None if sheet.gap is None else sheet.gap.mm,
            bleed=bleed,
            back_bleed=bleed if sheet.back_bleed is None else sheet.back_bleed.mm,
            marks=sheet.marks or ("none" if machine and machine.marks != "none" else "lines"),
            marks_on=sheet.marks_on or "front",
            corners=sheet.corners,
            backs=sheet.backs or "duplex",
            flip=sheet.flip or (profile and profile.flip) or "long",
            order=sheet.order or "reading",
            skip=frozenset(sheet.skip or ()),
            mixed=bool(sheet.mixed),
            cutter=machine,
            copies=sheet.copies or 1,
            at=sheet.at,
            printer=profile,
            printer_name=str(printer[0]) if printer else "",
        )
        if plan.mixed and (machine or plan.skip or plan.order == "stack" or plan.backs == "fold"):
            message = "mixed sheets have no common slots"
            raise fault(sheet.at, message, "leave out 'mixed', or cutter, skip, stack and fold")
        return plan

    @property
    def unprintable(self) -> float:
        """How far the printer stays away from the paper's edge, in mm."""
        read = self.printer.unprintable if self.printer else 0.0
        return read or UNPRINTABLE

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides of cards that are printed."""
        return ("front",) if self.backs == "none" else ("front", "back")

    @property
    def duplex(self) -> Flip | None:
        """The edge over which the printer turns the paper, as the file tells it; else None."""
        return self.flip if self.backs == "duplex" else None

    @property
    def corner_room(self) -> float:
        """How far from the corners of the page, in mm, labels begin."""
        machine = self.cutter
        if machine is None or machine.marks == "none":
            return self.unprintable
        return machine.inset.mm + max(machine.arm.mm, machine.square.mm) + machine.clear.mm

    def room(self, gap: float) -> Room:
        """Return what cards are laid on, with a gap of so many mm between them."""
        return Room(self.paper, self.margin, gap, self.skip, self.reserved)

    def reserved(self, width: float, height: float) -> list[Box]:
        """Return the boxes of a page that the marks of the cutting machine take."""
        return cutters.reserved(self.cutter, width, height) if self.cutter else []


def paper_told(plan: SheetPlan) -> str:
    """Return the name and size of the paper, for the label."""
    size = f"{plan.paper[0]:g} × {plan.paper[1]:g} mm"
    name = plan.paper_name
    return size if not name or name[:1].isdecimal() else f"{name.capitalize()} ({size})"
