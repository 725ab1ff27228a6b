"""Preflight: every face and page of a run is looked at once, when it is laid out.

What the marks tell is found at once. What only a picture tells (which colour lies behind a text
upon art, whether two backs look alike) waits until there is enough to draw together.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from stonehand.art.picture import Vector
from stonehand.cards.deck import Card, LoadedGame
from stonehand.cards.face import Face
from stonehand.cards.game import Limits
from stonehand.cards.layout import Layouter
from stonehand.check.drawings import Drawing, drawing_of
from stonehand.check.faces import Found, Unclear, faint, findings
from stonehand.extents import Extent
from stonehand.scene import Group, Mark, Matrix, Scene
from stonehand.source.codes import CODES
from stonehand.source.problems import Location, Problem, Problems
from stonehand.source.text import Text

if TYPE_CHECKING:
    from pikepdf import Page
    from PIL.Image import Image

Draw = Callable[[Sequence[Scene], float], "Iterator[Image]"]
"""Draws Scenes as pictures, at so many dots per inch."""

PageOf = Callable[[Vector], "Page"]
"""Gives a drawing as a page of PDF."""

DPI = 150.0  # at which is looked at what lies behind a text
BACK_DPI = 150.0  # at which backs are compared
MANY = 500  # patches that wait to be drawn together
BEHIND = 0.1  # of what lies behind a text may be too like it
ALIKE = 0.02  # of two backs may differ for them to look alike
PRINTABLE = 5.0  # mm; what most printers leave blank


class Sight(msgspec.Struct, frozen=True):
    """Where a finding can be seen."""

    name: str
    scene: Scene
    extent: Extent


class _Backs(msgspec.Struct):
    """The backs of the cards of a kind that should be the same."""

    kind: str
    told: bool  # by their template alone
    cards: dict[tuple[Mark, ...], list[Card]] = {}
    scenes: dict[tuple[Mark, ...], Scene] = {}


class Preflight:
    """Looks at the faces and pages of a run."""

    def __init__(self, problems: Problems, draw: Draw, page_of: PageOf) -> None:
        """Begin with nothing looked at; drawings are looked into as pages of PDF."""
        self.problems = problems
        self.draw = draw
        self.page_of = page_of
        self.clean: frozenset[str] = frozenset()  # cards of which is known that nothing is found
        self.compares = True  # whether backs are compared with each other
        self.thorough = False  # whether to look into drawings, and tell what matters to some only
        self._drawings: dict[str, Drawing] = {}
        self.sights: dict[Problem, Sight] = {}
        self.told: dict[Problem, str] = {}  # findings on faces, each without where it was seen
        self._told: set[tuple[str, Location, str]] = set()
        self._seen: set[tuple[str, str, str, str]] = set()
        self._shared: list[Scene] = []  # faces that are the same on many cards
        self._waiting: dict[Hashable, list[tuple[str, str, Scene, Unclear]]] = {}
        self._backs: dict[tuple[str, str, str, str], _Backs] = {}

    def face(self, face: Face, card: Card, side: str, scene: Scene) -> None:
        """Look at a side of a card, the first time that it is laid out in a language."""
        layouter = face.layouter
        game, code = layouter.game, str(layouter.language.code)
        key = (game.name, code, str(card.id), side)
        if key in self._seen:
            return
        self._seen.add(key)
        if side == "back" and self.compares:
            self._back(layouter, card, scene)
        if str(card.id) in self.clean:
            return
        if scene.shared:
            if any(scene is other for other in self._shared):
                return
            self._shared.append(scene)
        name = f"{card.id}-{code}{'' if side == 'front' else f'-{side}'}"
        self._look(scene, face.safe, game.spec.check, code, name)

    def pass_over(self, game: LoadedGame, code: str, cards: Iterable[Card]) -> None:
        """Take cards in a language for looked at: that is done elsewhere."""
        for card in cards:
            self._seen |= {(game.name, code, str(card.id), side) for side in ("front", "back")}

    def page(self, layouter: Layouter, name: str, number: int, scene: Scene) -> None:
        """Look at a page of a rulebook of some name."""
        code = str(layouter.language.code)
        name = f"{name}-{code}-{number}"
        self._look(scene, PRINTABLE, layouter.game.spec.check, code, name)

    def finish(self) -> None:
        """Look at all that was put off."""
        with self.problems.gather():
            self._look_behind()
            for backs in self._backs.values():
                self._compare(backs)
        self._backs.clear()

    def _look(self, scene: Scene, safe: float, limits: Limits, code: str, name: str) -> None:
        for found in findings(scene, safe, limits, self._drawing if self.thorough else None):
            if isinstance(found, Unclear):
                patch = (found.colour, found.needed, found.extent, found.behind)
                self._waiting.setdefault(patch, []).append((code, name, scene, found))
            else:
                self._tell(found, code, name, scene)
        if len(self._waiting) > MANY:
            self._look_behind()

    def _drawing(self, art: Vector) -> Drawing:
        if art.key not in self._drawings:
            self._drawings[art.key] = drawing_of(self.page_of(art))
        return self._drawings[art.key]

    def _tell(self, found: Found, code: str, name: str, scene: Scene) -> None:
        """Tell a finding, unless it was told of the same place, such as in another language."""
        key = (found.code, found.what.at, found.message)
        wanted = self.thorough or CODES[found.code].severity != "note"
        if wanted and key not in self._told:
            self._told.add(key)
            message = f"{found.message} ({code}, {found.what})"
            problem = self.problems.finding(found.code, found.what.at, message, found.hint)
            self.told[problem] = found.message
            self.sights[problem] = Sight(name, scene, found.extent)

    # --- what lies behind texts

    def _look_behind(self) -> None:
        """Draw what lies behind texts, each patch once, and look whether they stand out."""
        waiting, self._waiting = self._waiting, {}
        if not waiting:
            return
        patches = [_patch(texts[0][3]) for texts in waiting.values()]
        for texts, image in zip(waiting.values(), self.draw(patches, DPI), strict=True):
            for code, name, scene, text in texts:
                if message := _faint(text, image):
                    hint = f"{text.needed:g} to 1 is needed"
                    found = Found("low-contrast", text.what, text.extent, message, hint)
                    self._tell(found, code, name, scene)

    # --- backs

    def _back(self, layouter: Layouter, card: Card, scene: Scene) -> None:
        back = card.back
        assert back is not None
        given = " ".join(map(str, back.values.values()))
        folded = layouter.game.spec.kinds[Text(card.kind)].form != "flat"  # both sides are seen
        if back.differs or folded:
            return
        template = "" if scene.shared else f"{back.template} {given}"
        key = (layouter.game.name, str(layouter.language.code), card.kind, template)
        backs = self._backs.setdefault(key, _Backs(card.kind, bool(scene.shared)))
        backs.cards.setdefault(scene.marks, []).append(card)
        backs.scenes.setdefault(scene.marks, scene)

    def _compare(self, backs: _Backs) -> None:
        """Tell cards whose backs differ from those of most cards of the kind.

        Different templates are meant to differ; of these only those are told that look alike.
        """
        if len(backs.cards) < 2:
            return
        from PIL import ImageChops

        alike = sorted(backs.cards.items(), key=lambda item: -len(item[1]))
        scenes = [replace(backs.scenes[marks], bleed=0.0, shared=False) for marks, _ in alike]
        images = list(self.draw(scenes, BACK_DPI))
        usual, first = images[0], alike[0][1][0]
        for (marks, cards), image in zip(alike[1:], images[1:], strict=True):
            if image.size != usual.size:
                continue  # told as another size than the front's
            difference = ImageChops.difference(usual, image).convert("L").point(lambda v: v and 255)
            pixels = difference.histogram()[255]
            share = pixels / (image.width * image.height)
            extent = difference.getbbox()
            if extent is None or (backs.told and share > ALIKE):
                continue
            for card in cards:
                message = f"the back of '{card.id}' is not quite that of '{first.id}'"
                hint = "players who look closely know the card"
                problem = self.problems.finding("telling-back", card.id.at, message, hint)
                mm = tuple(pixel / BACK_DPI * 25.4 for pixel in extent)
                where: Extent = (mm[0], mm[1], mm[2], mm[3])
                self.sights.setdefault(
                    problem, Sight(f"{card.id}-back", backs.scenes[marks], where)
                )


def _patch(text: Unclear) -> Scene:
    """Return what lies behind a text, as a Scene of its size."""
    left, top, right, bottom = text.extent
    marks: list[Mark] = []
    for item in text.behind:
        drawn = Group((item.mark,), item.matrix)
        for clip in item.clips:
            drawn = Group((drawn,), clip=clip)
        marks.append(drawn)
    shifted = Group(tuple(marks), Matrix.shift(-left, -top))
    return Scene(right - left, bottom - top, (shifted,))


def _faint(text: Unclear, image: "Image") -> str:
    """Return how little a text stands out if too much of what lies behind it is too like it."""
    counted = image.getcolors(image.width * image.height) or []
    faults: list[tuple[int, str]] = []
    for count, (red, green, blue) in counted:  # type: ignore[misc]
        behind = f"#{red:02x}{green:02x}{blue:02x}"
        if message := faint(text.colour, behind, text.needed):
            faults.append((count, message))
    if sum(count for count, _ in faults) <= BEHIND * image.width * image.height:
        return ""
    return max(faults)[1]  # of the colour that there is most of
