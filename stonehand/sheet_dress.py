"""What a page has beside its cards: guides, outlines, label and ruler, by plan and language."""

from collections.abc import Callable

from msgspec.structs import replace

from stonehand.cards.layout import Layouter
from stonehand.scene import Box, Group, Mark, Matrix, Outline, Scene, rectangle
from stonehand.sheet_plan import SheetPlan, paper_told
from stonehand.sheets import cutter, furniture
from stonehand.sheets.forme import Forme, shaped, turned_like_a_page
from stonehand.sheets.printer import Side, adjusted, told
from stonehand.typesetting.lettering import Lettering


class SheetDress:
    """Dresses pages: what is the same on all pages of a forme is made once."""

    def __init__(self, layouter: Layouter, plan: SheetPlan, lettering: Lettering) -> None:
        self.layouter = layouter
        self.plan = plan
        self.lettering = lettering
        self.corners: dict[tuple[float, float], float] = {}  # radius in mm by size of card
        self._fixed: dict[tuple[Forme, str], Group] = {}

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
            if plan.corners == "round" or (forme.outline and plan.marks != "none"):
                marks += furniture.trim_outlines(self.outlines(own, behind=side == "back"))
            if plan.marks != "none" and side == "front" and not forme.folds:
                # folded cards are cut out one by one, after they are glued
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
        return replace(forme, rows=rows)

    def outlines(self, forme: Forme, *, behind: bool = False) -> list[Outline]:
        """Return what is cut: the outlines of a forme, or its trims with their rounded corners."""
        if forme.outline:
            return [shaped(forme.slots[i], forme.outline, behind=behind) for i in forme.free]
        made = []
        for i in forme.free:
            box = forme.slots[i].box
            upright, turned = (box.width, box.height), (box.height, box.width)
            made.append(rectangle(box, self.corners.get(upright, self.corners.get(turned, 0.0))))
        return made

    def page(
        self,
        marks: list[Mark],
        forme: Forme,
        number: int,
        total: int,
        side: Side,
        name: str = "",
    ) -> Scene:
        """Return a page with its label and ruler, brought to where the printer would miss it."""
        plan = self.plan
        if where := furniture.strips(forme, plan.unprintable, plan.corner_room):
            sign = self._sign(forme, where[0][0])
            text = self.label(number, total, side, name)
            label = furniture.label(text, where[0], self.lettering.line, sign)
            note = self.lettering.word("ruler")
            ruler = self.fixed(
                forme, "ruler", lambda: furniture.ruler(note, where[1], self.lettering.line)
            )
            marks = [*marks, label, ruler]
        scene = Scene(forme.width, forme.height, tuple(marks))
        return adjusted(scene, side, plan.flip, plan.printer) if plan.printer else scene

    def label(self, number: int, total: int, side: Side, name: str = "") -> str:
        """Return what a sheet says of itself."""
        plan, word = self.plan, self.lettering.word
        sheet = word("sheet").replace("{page}", str(number)).replace("{pages}", str(total))
        title = self.layouter.translations.text(self.layouter.game.title)
        parts = [str(title), *([name] if name else []), str(self.layouter.language.name), sheet]
        if plan.backs != "fold":
            parts.append(word(side))
        parts.append(paper_told(plan))
        if plan.backs in ("fold", "separate"):
            parts.append(word(plan.backs))
        if plan.backs in ("duplex", "separate"):
            parts.append(word(f"flip_{plan.flip}"))
        if plan.order == "stack":
            parts.append(word("stack"))
        if plan.printer:
            printer = f"{plan.printer_name} ({told(plan.printer)})"
            parts.append(word("printer").replace("{printer}", printer))
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
