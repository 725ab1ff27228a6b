"""A deck of plain tiles, laid on sheets by the `SheetMaker` that prints, and read back from Scenes.

Each tile is in a colour of its own that tells which card it is and which side. Lengths are in mm.
"""

from types import SimpleNamespace

from stonehand.cards.deck import Card
from stonehand.cards.game import Back
from stonehand.cards.layout import Measure
from stonehand.scene import Box, Group, Matrix, Path, Scene, moved, rectangle
from stonehand.sheet_maker import SheetMaker
from stonehand.sheet_plan import SheetPlan
from stonehand.sheets import furniture
from stonehand.sheets.forme import Forme
from stonehand.sheets.imposition import Room, best_grid
from stonehand.source.problems import Location
from stonehand.source.text import Text

A4 = (210.0, 297.0)
POKER = (63.0, 88.0)
EXACT = 0.01  # mm
DUST = 1e-6


def colour(kind: int, number: int) -> str:
    return f"#{kind:02x}{number:04x}"


FRONT, BACK = 1, 2


def tile(kind: int, number: int, size: tuple[float, float], bleed: float = 3.0) -> Scene:
    """A face in one colour whose outline begins at its top left corner."""
    box = Box(0, 0, *size)
    return Scene(*size, (Path(rectangle(box), fill=colour(kind, number)),), bleed)


class Tiles:
    """What a `SheetMaker` asks of a layouter, for cards that are tiles of some sizes."""

    def __init__(self, sizes, backless=frozenset(), outline=None):
        self.sizes = sizes
        self.outline = outline
        self.cards = [
            Card(
                Text(str(i)),
                str(sizes.index(size)),
                1,
                {},
                None if i in backless else Back(template=Text(f"back{sizes.index(size)}")),
            )
            for i, size in enumerate(sizes)
        ]
        self.backless = backless
        kinds = {Text(c.kind): SimpleNamespace(front=f"front{c.kind}") for c in self.cards}
        spec = SimpleNamespace(kinds=kinds, at=Location("game.yaml", 1, 1))
        self.game = SimpleNamespace(spec=spec, title=Text("Tiles"))
        self.language = SimpleNamespace(words={}, name="English", at=Location("languages.yaml"))
        self.translations = SimpleNamespace(text=lambda text: text)

    def face(self, name):
        width, height = self.sizes[int(name.removeprefix("front").removeprefix("back"))]
        return SimpleNamespace(size=(width, height), corner=3.0, bleed=3.0, shape=None, nest="")

    def measure(self, card):
        face = self.face(f"front{card.kind}")
        return Measure(*face.size, face.corner, face.bleed, self.outline)

    def two_sided(self, card):
        return card.back is not None

    def printed(self, card, side):
        return self.front(card) if side == "front" else self.back(card)

    def back_face(self, back):
        return self.face(back.template)

    def front(self, card):
        return tile(FRONT, int(card.id), self.sizes[int(card.id)])

    def back(self, card):
        number = int(card.id)
        return None if card.back is None else tile(BACK, number, self.sizes[number])


class NoLetters:
    """Sets nothing."""

    def word(self, name):
        return name

    def line(self, *_):
        return []


def plan(paper=A4, margin=5.0, gap=0.0, marks="lines", flip="long", **more) -> SheetPlan:
    return SheetPlan(paper=paper, margin=margin, gap=gap, marks=marks, flip=flip, **more)


def grid_of(paper, card, margin, gap) -> Forme | None:
    return best_grid(card, Room(paper, margin, gap))


def pages_of(tiles: Tiles, made: SheetPlan) -> list[Scene]:
    pages = SheetMaker(tiles, made, NoLetters()).pages(tiles.cards, lambda: None)
    return [page.scene for page in pages]


def tiles_on(page: Scene, kind: int) -> dict[int, list[tuple[float, float]]]:
    """Return the corners of each tile on a page: top left, top right, bottom right, bottom left."""
    found = {}
    for mark, matrix in page.walk():
        if isinstance(mark, Path) and mark.fill and mark.fill.startswith(f"#{kind:02x}"):
            number = int(mark.fill[3:], 16)
            assert number not in found, f"tile {number} is twice on a page"
            found[number] = [matrix(*points) for _, points in mark.outline if points]
    return found


def windows_on(page: Scene, kind: int) -> dict[int, list[tuple[float, float]]]:
    """Return the points of the outline within which each tile on a page is seen."""
    found = {}

    def walk(marks, matrix, window):
        for mark in marks:
            if isinstance(mark, Group):
                seen = moved(mark.clip, matrix.after(mark.matrix)) if mark.clip else window
                walk(mark.marks, matrix.after(mark.matrix), seen)
            elif isinstance(mark, Path) and mark.fill and mark.fill.startswith(f"#{kind:02x}"):
                found[int(mark.fill[3:], 16)] = [points for _, points in window if points]

    walk(page.marks, Matrix(), None)
    return found


def box_of(corners) -> Box:
    xs, ys = zip(*corners, strict=True)
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def turned_over(x: float, y: float, page: Scene, flip: str) -> tuple[float, float]:
    """Return the point of the front under which a point of the back lies.

    A sheet that is turned like the page of a book, over its upright edge, brings left to right;
    one that is turned like a calendar, over its level edge, brings top to bottom.
    """
    long_edge_is_upright = page.height >= page.width
    like_a_book = long_edge_is_upright if flip == "long" else not long_edge_is_upright
    return (page.width - x, y) if like_a_book else (x, page.height - y)


def lines_on(page: Scene) -> list[tuple[float, float, float, float]]:
    """Return the cut marks of a page as x1, y1, x2, y2."""
    lines = []
    for mark, matrix in page.walk():
        if isinstance(mark, Path) and mark.stroke == furniture.CUT:
            [(_, first), (_, last)] = mark.outline
            lines.append((*matrix(*first), *matrix(*last)))
    return lines


def upright(lines) -> list[float]:
    return sorted(x for x, _, x2, _ in lines if x == x2)


def level(lines) -> list[float]:
    return sorted(y for _, y, _, y2 in lines if y == y2)
