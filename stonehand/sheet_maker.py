"""A deck laid on sheets in one language: pages of faces, guides, labels and rulers."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from math import inf
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from stonehand.cards.deck import MAX_PRINTED, Card
from stonehand.cards.layout import Layouter
from stonehand.scene import Box, Mark, Outline, Scene
from stonehand.sheet_dress import SheetDress
from stonehand.sheet_plan import SheetPlan
from stonehand.sheets.edges import BEYOND, EdgeReader
from stonehand.sheets.forme import (
    Forme,
    Reach,
    Slot,
    neighbours,
    placed,
    reaches,
    shaped,
)
from stonehand.sheets.imposition import (
    Laid,
    Piece,
    best_fold,
    best_grid,
    best_nest,
    lay,
    nothing_reserved,
)
from stonehand.sheets.printer import Side
from stonehand.sheets.tiling import Tile, part_of, tiles
from stonehand.source.problems import fault
from stonehand.typesetting.lettering import Lettering

ENOUGH = 4.0  # mm; a gap in which each of two neighbours has bleed for a hand that strays
STEP = 0.5  # mm; in which gaps are tried
KEPT = 500  # cards; a larger deck is looked at sheet by sheet, and its faces are not kept


_FREE = Reach(inf, inf, inf, inf)


def _grown(face: Scene, slot: Slot) -> Outline | None:
    """Return how far a shape is printed that lies on a sheet alone: its bleed around it."""
    return shaped(slot, face.shape, face.bleed) if face.shape else None


class PrintedPage(NamedTuple):
    """A page, and which side of its sheet it is."""

    side: Side
    scene: Scene


class GapNeeded(Exception):
    """Neighbours of a large deck turned out to differ at their edges."""


class Spacing(msgspec.Struct, frozen=True):
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
        self.spacing: Spacing | None = None  # known once cards were laid
        self.formes: list[Forme] = []  # those that were used, each once
        self.dress = SheetDress(layouter, plan, lettering)
        self._faces: dict[tuple[int, Side], Scene | None] = {}
        self._boards: list[Card] = []  # those that are larger than the paper
        self._keep = True
        self._edges = EdgeReader()
        self._known: dict[int, Hashable] = {}  # edges by the identity of a face that is kept

    def pages(self, cards: list[Card], progress: Callable[[], None]) -> Iterator[PrintedPage]:
        """Yield the pages of a deck: the front of each sheet, then its back if it has one.

        Cards of one size lie together, in the order of the deck. A large deck is laid out sheet by
        sheet; where neighbours then turn out to need a gap, `GapNeeded` is raised, and what was
        yielded is void: asked again, the pages have that gap.
        """
        plan = self.plan
        sizes = self._by_size(cards)
        self._keep = len(cards) <= KEPT
        self.spacing = self._spaced(sizes)
        # one card with a back gives every sheet a back page, else a printer that turns the paper
        # would print the next front there
        backs = any(map(self.layouter.two_sided, cards))
        two_sided = backs and plan.backs in ("duplex", "separate")
        boards = [(card, tile) for card in self._boards for tile in self._tiles(card)]
        total = len(boards)
        for laid in self._laid(sizes, self.spacing.gap):
            total += 1
            if laid.forme not in self.formes:
                self.formes.append(laid.forme)
        for number, laid in enumerate(self._laid(sizes, self.spacing.gap), 1):
            if not self._keep:
                self._faces.clear()
                self._known.clear()
                if not self.spacing.gap and not self.spacing.unlike and self._differ(laid):
                    self.spacing = replace(self.spacing, unlike=True)
                    if self.spacing.chosen:
                        raise GapNeeded
            yield from self.sheet(laid, two_sided, number, total)
            for _ in filter(None, laid.items):
                progress()
        number = total - len(boards)
        for card, tile in boards:
            number += 1
            yield from self.board(card, tile, two_sided, number, total)
            progress()

    def _by_size(self, cards: list[Card]) -> dict[Piece, list[Card]]:
        """Return what is to be printed, each card as often as it is, by its size."""
        sizes: dict[Piece, list[Card]] = {}
        self._boards.clear()
        for card in cards:
            found = self.layouter.measure(card)
            if card.back and "back" in self.plan.sides:
                # its faults are told also where the front has some
                self.layouter.back_face(card.back)
            if found is None:
                continue
            self.dress.corners.setdefault((found.width, found.height), found.corner)
            piece = Piece(found.width, found.height, found.outline, found.nest, found.folds)
            if found.tiled and self.find_forme(piece, 0.0) is None:
                self._boards += [card] * card.count * self.plan.copies
                continue
            sizes.setdefault(piece, []).extend([card] * card.count)
        copies = self.plan.copies
        if (printed := copies * sum(map(len, sizes.values()))) > MAX_PRINTED:
            message = f"{copies} copies are {printed:,} cards"
            raise fault(self.plan.at, message, f"at most {MAX_PRINTED:,}")
        return {size: found * copies for size, found in sizes.items()}

    def _laid(self, sizes: dict[Piece, list[Card]], gap: float) -> Iterator[Laid[Card]]:
        plan = self.plan
        formes = {size: self.forme(size, gap) for size in sizes}
        most = max((len(forme.slots) for forme in formes.values()), default=0)
        if plan.skip and max(plan.skip) > most:
            raise fault(plan.at, f"there is no slot {max(plan.skip)} to skip", f"from 1 to {most}")
        mixed = plan.room(gap) if plan.mixed else None
        return lay(sizes, formes, plan.order, mixed)

    def find_forme(self, size: Piece, gap: float) -> Forme | None:
        """Return the slots for cards of a size with a gap of so many mm; None if none fits."""
        room, extent = self.plan.room(gap), (size.width, size.height)
        # what is folded has its back beside it already
        if self.plan.backs == "fold" and not size.creases:
            forme = best_fold(extent, room)
        else:
            forme = best_nest(size, room) if size.outline else best_grid(extent, room)
        return replace(forme, outline=size.outline, creases=size.creases) if forme else None

    def forme(self, size: Piece, gap: float) -> Forme:
        """Return the slots for cards of a size; a size that does not fit the paper is a fault."""
        plan = self.plan
        forme = self.find_forme(size, gap)
        if forme is None:
            w, h = size.width, size.height
            paper = f"{plan.paper[0]:g} x {plan.paper[1]:g} mm"
            message = f"a card of {w:g} x {h:g} mm does not fit paper of {paper}"
            if plan.backs == "fold":
                message = f"a card of {w:g} x {h:g} mm and its back do not fit paper of {paper}"
            hint = f"margins of {plan.margin:g} mm"
            if plan.skip or plan.cutter:
                hint += ", without the slots that are skipped or taken by marks"
            raise fault(self.layouter.game.spec.at, message, hint)
        return forme

    def _spaced(self, sizes: dict[Piece, list[Card]]) -> Spacing:
        """Return the gap: that of the plan, else 0 if all neighbours may share their cuts."""
        wanted = self.plan.gap
        unlike = bool(self.spacing and self.spacing.unlike)  # as far as is known of a large deck
        if self._keep and not wanted:
            unlike = any(map(self._differ, self._laid(sizes, 0.0)))
        bleed = max((self._bleed(card) for cards in sizes.values() for card in cards), default=0.0)
        if wanted is not None:
            return Spacing(wanted, False, unlike, bleed)
        gap = max((self._parted(size, bleed) for size in sizes), default=0.0) if unlike else 0.0
        return Spacing(gap, True, unlike, bleed)

    def _bleed(self, card: Card) -> float:
        """Return the larger bleed of the sides of a card that are printed, in mm."""
        front = self.layouter.measure(card)
        back = None
        if card.back and "back" in self.plan.sides:
            back = self.layouter.back_face(card.back)
        return max(face.bleed if face else 0.0 for face in (front, back))

    def _parted(self, size: Piece, bleed: float) -> float:
        """Return the gap for neighbours that must not share a cut: twice the bleed.

        Where that costs cards on the sheet, a smaller one, as long as it is enough.
        """
        whole = 2 * bleed
        tried = [whole - i * STEP for i in range(int(max(0.0, whole - ENOUGH) / STEP) + 1)]
        found = [(len(forme.free), gap) for gap in tried if (forme := self.find_forme(size, gap))]
        return max(found, default=(0, 0.0))[1]

    def _differ(self, laid: Laid[Card]) -> bool:
        """Tell whether any neighbours of a sheet differ along the cut that they share."""
        if laid.forme.outline:
            return True  # an outline is cut on its own
        fronts = self._edges_of(laid, "front")
        backs = self._edges_of(laid, "back") if "back" in self.plan.sides else []
        forme = laid.forme
        if forme.backs:  # backs lie beside fronts
            groups = [((*forme.slots, *forme.backs), fronts + backs)]
        else:
            groups = [(forme.slots, fronts), (forme.slots, backs)]
        return any(
            found[i] != found[j]
            for slots, found in groups
            if found
            for i, j in neighbours(slots)
            if found[i] and found[j]
        )

    def _edges_of(self, laid: Laid[Card], side: Side) -> list[Hashable]:
        faces = [self.face(card, side) if card else None for card in laid.items]
        return [self._edge(face) if face else None for face in faces]

    def _edge(self, face: Scene) -> Hashable:
        """Return what a face looks like at its edges, found but once for each."""
        if id(face) not in self._known:
            self._known[id(face)] = self._edges.edge(face)
        return self._known[id(face)]

    def face(self, card: Card, side: Side) -> Scene | None:
        """Return the front or back of a card, laid out but once for a small deck or a sheet."""
        key = (id(card), side)
        if key not in self._faces:
            self._faces[key] = self.layouter.printed(card, side)
        return self._faces[key]

    def sheet(
        self, laid: Laid[Card], two_sided: bool, number: int, total: int
    ) -> Iterator[PrintedPage]:
        """Yield the front and, if asked for, the back of a sheet."""
        plan, forme = self.plan, laid.forme
        if forme.outline or forme.creases:  # lines go nowhere but around what is there
            used = tuple(i for i, card in enumerate(laid.items) if card)
            forme = replace(forme, free=used)
        fronts = [self.face(card, "front") if card else None for card in laid.items]
        backs: list[Scene | None] = []
        if two_sided or forme.backs:
            backs = [self.face(card, "back") if card else None for card in laid.items]
        near = self._near((*forme.slots, *forme.backs), fronts + backs if forme.backs else fronts)
        marks = self._in_slots(fronts, forme, forme.slots, near, "front")
        if forme.backs:
            there = near[len(forme.slots) :]
            marks += self._in_slots(backs, forme, forme.backs, there, "back")
        marks += self.dress.guides_on(forme, "front")
        yield PrintedPage("front", self.dress.page(marks, forme, number, total, "front"))
        if two_sided:
            behind = forme.behind(plan.flip)
            marks = self._in_slots(backs, forme, behind, self._near(behind, backs), "back")
            marks += self.dress.guides_on(forme, "back")
            yield PrintedPage("back", self.dress.page(marks, forme, number, total, "back"))

    def _in_slots(
        self,
        faces: Sequence[Scene | None],
        forme: Forme,
        slots: Sequence[Slot],
        near: Sequence[Reach],
        side: Side,
    ) -> list[Mark]:
        """Return faces laid in slots; where there is none, the slot stays empty."""
        plan = self.plan
        outer = plan.bleed if side == "front" else plan.back_bleed
        half = self.spacing.gap / 2 if self.spacing else 0.0
        marks: list[Mark] = []
        for face, slot, reach in zip(faces, slots, near, strict=False):
            if face is None:
                continue
            clip = None
            if forme.outline:
                by = min(face.bleed, half, outer)
                clip = shaped(slot, forme.outline, by, behind=side == "back")
            marks.append(placed(face, slot, reach, outer, clip))
        return marks

    def _tiles(self, card: Card) -> list[Tile]:
        """Return the tiles of a board; margins that leave no room for one are a fault."""
        found = self.layouter.measure(card)
        assert found is not None
        made = tiles((found.width, found.height), self.plan.paper, self.plan.margin)
        if not made:
            message = f"paper '{self.plan.paper_name}' has no room for a tile of a board"
            raise fault(self.plan.at, message, f"margins of {self.plan.margin:g} mm")
        return made

    def board(
        self, card: Card, tile: Tile, two_sided: bool, number: int, total: int
    ) -> Iterator[PrintedPage]:
        """Yield the sheet of a tile of a board."""
        front = self.face(card, "front")
        if front is None:
            return
        back = self.face(card, "back") if two_sided else None
        parts = (part_of(front, tile), part_of(back, tile, behind=True) if back else None)
        yield from self.alone(*parts, two_sided, number, total, f"{card.id} {tile.name}")

    def alone(
        self,
        front: Scene,
        back: Scene | None,
        two_sided: bool,
        number: int,
        total: int,
        name: str,
    ) -> Iterator[PrintedPage]:
        """Yield the sheet of something that lies on it alone, in the middle; `name` is told."""
        plan = self.plan
        piece = Piece(front.width, front.height, front.shape, "", front.folds)
        room = replace(plan.room(0.0), skip=frozenset(), reserved=nothing_reserved)
        found = best_nest(piece, room) if piece.outline else best_grid(piece[:2], room)
        if found is None:
            size = f"{front.width:.0f} x {front.height:.0f} mm"
            raise fault(plan.at, f"{name}, {size}, does not fit the paper", "take larger paper")
        x, y = (found.width - front.width) / 2, (found.height - front.height) / 2
        slot = Slot(Box(x, y, front.width, front.height))
        forme = Forme(found.width, found.height, ((slot,),), outline=front.shape)
        forme = replace(forme, creases=front.folds)
        if forme not in self.formes:
            self.formes.append(forme)
        marks: list[Mark] = [placed(front, slot, _FREE, clip=_grown(front, slot))]
        marks += self.dress.guides_on(forme, "front")
        yield PrintedPage("front", self.dress.page(marks, forme, number, total, "front", name))
        if two_sided:
            [behind] = forme.behind(plan.flip)
            marks = [placed(back, behind, _FREE)] if back else []
            marks += self.dress.guides_on(forme, "back")
            yield PrintedPage("back", self.dress.page(marks, forme, number, total, "back", name))

    def _near(self, slots: tuple[Slot, ...], faces: Sequence[Scene | None]) -> list[Reach]:
        """Return how far faces print beyond their trims, towards each other.

        Where all of a side are of one colour along their shared cuts, they overlap by a little, so
        that no seam of paper shines through between two of them.
        """
        near = reaches(slots)
        if self.spacing and self.spacing.gap:
            return list(near)
        edges = {self._edge(face) for face in faces if face}
        if len(edges) != 1 or not isinstance(next(iter(edges)), str):
            return list(near)
        return [Reach(*(max(BEYOND, side) for side in reach)) for reach in near]
