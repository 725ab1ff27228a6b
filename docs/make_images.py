"""Write the pictures of the documentation: `python docs/make_images.py`.

All of them are drawn by Stonehand itself, from the shipped games, the gallery and a small game made
for the purpose, as Scenes on a table: what is shown is what prints. Lengths are in mm.
"""

import tempfile
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from math import cos, pi, sin
from pathlib import Path as FilePath
from typing import NamedTuple

from msgspec.structs import replace
from PIL import Image

from stonehand.cards.deck import Card, LoadedGame, select
from stonehand.cards.forms import BoxSize
from stonehand.cards.game import Sheet
from stonehand.cards.layout import Layouter
from stonehand.language.languages import find_language
from stonehand.output import png
from stonehand.output.pdf import PdfWriter
from stonehand.press import Press
from stonehand.preview import TABLE, contact_sheet
from stonehand.project import find_game, find_project
from stonehand.scene import (
    Box,
    GlyphRun,
    Group,
    Mark,
    Matrix,
    Path,
    Scene,
    Stroke,
    polygon,
    rectangle,
)
from stonehand.sheet_maker import SheetMaker
from stonehand.sheet_plan import SheetPlan
from stonehand.sheets.calibration import calibration
from stonehand.sheets.printer import Printer
from stonehand.source import yaml
from stonehand.source.bind import bind
from stonehand.source.problems import Problems
from stonehand.source.text import Text
from stonehand.source.units import Length
from stonehand.stats import StatsOptions, plotted
from stonehand.typesetting.lettering import Lettering

IMAGES = FilePath(__file__).with_name("images")
DARK = "#3a3350"
LIGHT_THROUGH = "#d2261c"  # what lies on the back of the paper, seen against the light
RED_LINE = Stroke(LIGHT_THROUGH, 0.2)
CUT_FILE = Stroke(LIGHT_THROUGH, 0.6)
ARROW = Stroke(DARK, 1.6)
EDGE = 6.0  # of the table around what lies on it


class Game(NamedTuple):
    """A game in one language, ready to be laid out."""

    press: Press
    loaded: LoadedGame
    layouter: Layouter
    lettering: Lettering

    @classmethod
    def named(cls, name: str, language: str = "en") -> "Game":
        """Return a shipped game, or that of a folder."""
        problems = Problems()
        folder = find_game(name, find_project(FilePath(__file__).parent))
        press = Press(folder.project, problems)
        loaded = press.load(folder)
        press.read_pictures(loaded.cards)
        found = find_language(Text(language), press.languages)
        lettering = Lettering(press.fonts, found, press.languages, problems)
        return cls(press, loaded, press.layouter(loaded, found), lettering)

    def cards(self, *wanted: str) -> list[Card]:
        """Return the cards of these ids or kinds; all, if none are named."""
        return select(self.loaded.cards, tuple(map(Text, wanted))) if wanted else self.loaded.cards

    def faces(self, *wanted: str) -> list[Scene]:
        """Return the fronts of cards."""
        return [face for card in self.cards(*wanted) if (face := self.layouter.front(card))]

    def maker(self, how: str) -> SheetMaker:
        """Return what lays cards as the field `sheet` of a `game.yaml` says."""
        problems = self.press.problems
        sheet = bind(yaml.parse(how, "sheet"), Sheet, problems)
        plan = SheetPlan.of(self.press.project, problems, self.loaded.spec.sheet, sheet)
        problems.raise_errors()
        return SheetMaker(self.layouter, plan, self.lettering)

    def sheets(self, how: str, *wanted: str) -> list[Scene]:
        """Return the pages of cards, laid so."""
        pages = self.maker(how).pages(self.cards(*wanted), lambda: None)
        return [page.scene for page in pages]

    def caption(self, text: str, box: Box, size: float) -> list[Mark]:
        """Return words in the middle of a box."""
        return self.lettering.line(text, box, "center", size)


class Shown(NamedTuple):
    """What a picture shows, the game it is of, and in how many dots per inch and colours."""

    scene: Scene
    game: Game
    dpi: float
    colours: int = 64


Made = dict[str, Shown]


# --- what lies on a table ------------------------------------------------------------------------


def paper(page: Scene, x: float, y: float) -> Group:
    """Return a page as it lies on the table."""
    trim = rectangle(page.trim)
    white = Path(trim, fill="#ffffff")
    return Group((white, Group(page.marks, clip=trim)), Matrix.shift(x, y))


def on_table(width: float, height: float, marks: Iterable[Mark], around: float = EDGE) -> Scene:
    """Return a table with marks on it; what is left and above of them is added."""
    whole = Box(0, 0, width + 2 * around, height + 2 * around)
    table = Path(rectangle(whole), fill=TABLE)
    return Scene(
        whole.width, whole.height, (table, Group(tuple(marks), Matrix.shift(around, around)))
    )


def in_a_row(pages: Sequence[Scene], apart: float = EDGE) -> Scene:
    """Return pages side by side."""
    marks: list[Mark] = []
    x = 0.0
    for page in pages:
        marks.append(paper(page, x, 0))
        x += page.width + apart
    return on_table(x - apart, max(page.height for page in pages), marks)


def arrow(x: float, y: float, across: float, down: float, start: float, end: float) -> list[Mark]:
    """Return an arrow along an arc of an ellipse about x, y; angles in radians, y down."""
    steps = 48
    angles = [start + (end - start) * i / steps for i in range(steps + 1)]
    points = [(x + across * cos(a), y + down * sin(a)) for a in angles]
    (tx, ty), (bx, by) = points[-1], points[-5]
    far = ((tx - bx) ** 2 + (ty - by) ** 2) ** 0.5
    dx, dy = (tx - bx) / far, (ty - by) / far
    head = [(tx + 3 * dx, ty + 3 * dy)]
    head += [(tx - 4 * dx + s * 3.2 * dy, ty - 4 * dy - s * 3.2 * dx) for s in (1, -1)]
    line = Path(polygon(points[:-2], closed=False), stroke=ARROW)
    return [line, Path(polygon(head), fill=DARK)]


def edge(x1: float, y1: float, x2: float, y2: float) -> Mark:
    """Return the edge over which a page is turned."""
    return Path(polygon([(x1, y1), (x2, y2)], closed=False), stroke=ARROW)


def part(scene: Scene, seen: Box, scale: float) -> Scene:
    """Return a part of a page, enlarged."""
    whole = Box(0, 0, seen.width * scale, seen.height * scale)
    matrix = Matrix(scale, 0, 0, scale, -seen.x * scale, -seen.y * scale)
    return Scene(
        whole.width, whole.height, (Group((Group(scene.marks, matrix),), clip=rectangle(whole)),)
    )


def recoloured(marks: Iterable[Mark], colour: str) -> tuple[Mark, ...]:
    """Return lines and letters in one colour."""
    made: list[Mark] = []
    for mark in marks:
        if isinstance(mark, Group):
            made.append(replace(mark, marks=recoloured(mark.marks, colour)))
        elif isinstance(mark, Path) and mark.stroke:
            made.append(replace(mark, stroke=replace(mark.stroke, colour=colour)))
        elif isinstance(mark, GlyphRun):
            made.append(replace(mark, colour=colour))
    return tuple(made)


# --- the pictures --------------------------------------------------------------------------------


def decks(made: Made) -> None:
    """Add the decks of the shipped games, and a sheet in Hindi."""
    oniroo, hindi = Game.named("oniroo"), Game.named("oniroo", "hi")
    made["oniroo-deck"] = Shown(contact_sheet(oniroo.faces()), oniroo, 75, 48)
    made["sheet"] = Shown(in_a_row(hindi.sheets("{}", "001-009")[:1]), hindi, 80)
    tweak = Game.named("tweak")
    colours = tweak.faces("01", "12", "23", "34", "44", "54")
    others = tweak.faces("thief", "joker", "switch", "bomb", "seven")
    turned = tweak.cards("19", "01", "03", "02", "thief", "seven")
    backs = [back for card in turned if (back := tweak.layouter.back(card))]
    made["tweak-deck"] = Shown(rows_of_cards([colours, others, backs]), tweak, 62, 128)

    witch = Game.named("witch")
    rows = [
        ("witch", "crow", "joker", "healer", "guard", "seer", "pickpocket"),
        ("orchard", "mill", "wood", "bees", "well", "tower"),
        ("start", "morning", "day", "evening", "night", "ritual", "vote"),
    ]
    made["witch-deck"] = Shown(rows_of_cards([witch.faces(*row) for row in rows]), witch, 54, 96)


def rows_of_cards(rows: Sequence[Sequence[Scene]]) -> Scene:
    """Return rows of cards, each row in the middle, the cards of one size."""
    one, apart = rows[0][0], 5.0
    whole = max(len(row) for row in rows) * (one.width + apart) - apart
    marks: list[Mark] = []
    for line, row in enumerate(rows):
        x = (whole - len(row) * (one.width + apart) + apart) / 2
        for face in row:
            outline = face.outline
            card = (Path(outline, fill="#ffffff"), Group(face.marks, clip=outline))
            marks.append(Group(card, Matrix.shift(x, line * (one.height + apart))))
            x += one.width + apart
    return on_table(whole, len(rows) * (one.height + apart) - apart, marks)


def both_sides(made: Made) -> None:
    """Add sheets with their backs, turned over either edge, and one to fold."""
    tweak = Game.named("tweak")
    four = ("01", "02", "03", "04")
    front, back = tweak.sheets("{paper: a5, flip: long}", *four)
    w, h, apart, room = front.width, front.height, 40.0, 22.0
    marks = [paper(front, 0, room), paper(back, w + apart, room), edge(w, room, w, room + h)]
    marks += arrow(w + apart / 2, room + 6, w / 2.6, 21, -pi + 0.35, -0.35)
    made["flip-long"] = Shown(on_table(2 * w + apart, h + room, marks), tweak, 70)
    front, back = tweak.sheets("{paper: a5, flip: short}", *four)
    marks = [paper(front, 0, 0), paper(back, 0, h + apart), edge(0, h, w, h)]
    marks += arrow(w - 3, h + apart / 2, 22, h / 3.2, -pi / 2 + 0.3, pi / 2 - 0.4)
    made["flip-short"] = Shown(on_table(w + room, 2 * h + apart, marks), tweak, 56)
    made["fold"] = Shown(in_a_row(tweak.sheets("{backs: fold}", "01-04")), tweak, 66)


def cutting(made: Made) -> None:
    """Add numbers of cuts, a stack, a sheet for a cutting machine and one of several sizes."""
    tweak = Game.named("tweak")
    sheet = tweak.sheets("{}", "01-09")[0]
    made["cut-numbers"] = Shown(in_a_row([part(sheet, Box(2, 5, 96, 44), 2.5)]), tweak, 96)
    machine = tweak.maker("{cutter: silhouette, marks: none, gap: 6mm}")
    page = next(machine.pages(tweak.cards("01-07"), lambda: None)).scene
    cuts = [Path(line, stroke=CUT_FILE) for line in machine.dress.outlines(machine.formes[0])]
    sides = in_a_row([page, Scene(page.width, page.height, tuple(cuts))])
    made["silhouette"] = Shown(sides, tweak, 62)
    with tempfile.TemporaryDirectory() as folder:
        tiles = small_game(FilePath(folder))
        stack = tiles.sheets("{order: stack}", "number")
        made["stack"] = Shown(in_a_row(stack), tiles, 42)
        mixed = tiles.sheets("{mixed: yes}", "tall", "small", "square")
        made["mixed"] = Shown(in_a_row(mixed), tiles, 60)
        bleeds(made, tiles)


SIZES = {"tall": "poker", "small": "mini", "square": "{width: 50mm, height: 50mm}"}
COLOURS = {"tall": "#f2a65a", "small": "#8fd18a", "square": "#7fb7e0"}
COUNTS = {"tall": 2, "small": 4, "square": 6}
SCENERY = """\
<svg xmlns="http://www.w3.org/2000/svg" width="63mm" height="88mm" viewBox="0 0 63 88">
  <path d="M0 0H63V88H0Z" fill="#8fc7ea"/>
  <circle cx="12" cy="13" r="8" fill="#ffd23f"/>
  <path d="M0 30L10 22L20 32L34 18L63 40V88H0Z" fill="#5a86a8"/>
  <path d="M0 38Q8 34 16 37T34 34T63 46V88H0Z" fill="#3f9b46"/>
  <path d="M4 0V9M1 3L4 0L7 3" fill="none" stroke="#ffffff" stroke-width="1.6"/>
  <circle cx="3" cy="28" r="2.4" fill="#d2261c"/>
</svg>
"""


def small_game(folder: FilePath) -> Game:
    """Return a game of plain numbered cards in several sizes, made in a folder."""
    kinds = ["  number: {title: Number, front: number, fields: {number: word}}"]
    (folder / "layouts").mkdir()
    for name in ("number", *SIZES):
        size, colour = SIZES.get(name, "poker"), COLOURS.get(name, "#ffffff")
        text = "{draw: text, text: $number, size: 60pt, align: center, valign: middle}"
        fill = f'{{draw: rect, bleed: true, fill: "{colour}"}}'
        template = f"size: {size}\nelements:\n  - {fill}\n  - {text}\n"
        (folder / f"layouts/{name}.yaml").write_text(template, encoding="utf-8")
        if name in SIZES:
            kinds.append(f"  {name}: {{title: {name}, front: {name}, fields: {{number: word}}}}")
    for beyond in ("mirror", "stretch"):
        picture = f"{{draw: picture, picture: scenery, bleed: extend, beyond: {beyond}}}"
        template = f"size: poker\nelements:\n  - {picture}\n"
        (folder / f"layouts/{beyond}.yaml").write_text(template, encoding="utf-8")
        kinds.append(f"  {beyond}: {{title: {beyond}, front: {beyond}}}")
    where = folder / "cards/small"
    (where / "art").mkdir(parents=True)
    (where / "art/scenery.svg").write_text(SCENERY, encoding="utf-8")
    files = {"number": 27, **COUNTS}
    for name, count in files.items():
        cards = "".join(f'  - {{id: {name}-{i}, number: "{i}"}}\n' for i in range(1, count + 1))
        text = f"kind: {name}\ncards:\n{cards}"
        (where / f"{name}.yaml").write_text(text, encoding="utf-8")
    for name in ("mirror", "stretch"):
        text = f"kind: {name}\ncards: [{{id: {name}-1}}]\n"
        (where / f"{name}.yaml").write_text(text, encoding="utf-8")
    names = ", ".join(f"{name}.yaml" for name in (*files, "mirror", "stretch"))
    head = f"title: Cards\nlanguages: [en]\ncatalogues: [{names}]\nkinds:\n"
    (where / "game.yaml").write_text(head + "\n".join(kinds) + "\n", encoding="utf-8")
    return Game.named(str(where))


def bleeds(made: Made, game: Game) -> None:
    """Add a corner of a picture, as it is and continued in both ways."""
    mirror, stretch = game.faces("mirror", "stretch")
    whole, scale = Box(-2.95, -2.95, 26.95, 26.95), 3.0
    side = whole.width * scale
    trim = Path(polygon([(0, 24), (0, 0), (24, 0)], closed=False), stroke=RED_LINE)
    panels: list[Scene] = []
    for face, name in ((None, "ends at the cut"), (mirror, "mirror"), (stretch, "stretch")):
        cut = rectangle(mirror.trim) if face is None else None
        seen = Group((face or mirror).marks, clip=cut)
        panel = part(Scene(63, 88, (seen, trim)), whole, scale)
        words = game.caption(name, Box(0, side + 1, side, 8), 5)
        panels.append(Scene(side, side + 10, (*panel.marks, *words)))
    made["bleed"] = Shown(in_a_row(panels), game, 80)


def calibrations(made: Made) -> None:
    """Add the calibration sheet, and what is read on it against the light."""
    tweak = Game.named("tweak")
    size = (210.0, 297.0)
    front, back = calibration(size, tweak.lettering, "long", "office", Printer())
    made["calibration"] = Shown(in_a_row([front, back]), tweak, 62)

    def against_light(x: float, y: float) -> Scene:
        middle = Matrix.shift(size[0] / 2, size[1] / 2)
        landing = middle.after(Printer(x=Length(x), y=Length(y)).landing)
        landing = landing.after(Matrix.shift(-size[0] / 2, -size[1] / 2))
        seen = landing.after(Matrix(-1, 0, 0, 1, size[0], 0))  # from the front, through the paper
        through = Group(recoloured(back.marks, LIGHT_THROUGH), seen)
        return Scene(*size, (through, *front.marks))

    seen = Box(66, 14, 82, 46)
    made["calibration-coarse"] = Shown(
        in_a_row([part(against_light(2, -1), seen, 3)]), tweak, 82, 16
    )
    made["calibration-fine"] = Shown(
        in_a_row([part(against_light(0.4, -0.3), seen, 3)]), tweak, 82, 16
    )


def gallery(made: Made) -> None:
    """Add a sheet of every component of the gallery."""
    game = Game.named(str(FilePath(__file__).with_name("gallery") / "cards/gallery"))
    for name, kind, dpi in (
        ("tokens", "token", 44),
        ("tiles", "tile", 44),
        ("cats", "cat", 50),
        ("signs", "sign", 50),
        ("board", "board", 40),
        ("aid", "aid", 50),
        ("money", "note", 44),
        ("die", "die", 50),
        ("spinner", "spinner", 44),
    ):
        pages = game.sheets("{}", kind)
        made[f"gallery-{name}"] = Shown(in_a_row(pages[:3]), game, dpi)
    [(name, box)] = game.loaded.spec.boxes.items()
    cards = game.cards("card")
    size = BoxSize.of((63.0, 88.0), sum(card.count for card in cards), box.thickness.mm)
    net = game.layouter.box(name, box, size, cards[0])
    maker = game.maker("{backs: none}")
    [page] = maker.alone(net, None, False, 1, 1, str(name))
    made["gallery-box"] = Shown(in_a_row([page.scene]), game, 60)


def statistics(made: Made) -> None:
    """Add a plot of two fields."""
    oniroo = Game.named("oniroo")
    options = StatsOptions(cards=(Text("symbol"),), by=(Text("next"), Text("group")))
    _, scene = plotted(oniroo.press, oniroo.loaded, oniroo.layouter.language, options)
    made["balance"] = Shown(scene, oniroo, 110, 32)


STARTERS = {
    "minimal": (),
    "poker": (
        "spades-A",
        "hearts-3",
        "clubs-8",
        "diamonds-10",
        "hearts-J",
        "clubs-Q",
        "spades-K",
        "joker",
    ),
    "tiles": (),
}


def starters(made: Made) -> None:
    """Draw what projects begin as."""
    for name, wanted in STARTERS.items():
        folder = FilePath(__file__).parent.parent / "starters" / name
        game = Game.named(str(folder / "cards" / name))
        made[f"new-{name}"] = Shown(contact_sheet(game.faces(*wanted)), game, 110)


GROUPS: tuple[Callable[[Made], None], ...] = (
    decks,
    both_sides,
    cutting,
    calibrations,
    gallery,
    statistics,
    starters,
)


def drawn(shown: Shown) -> bytes:
    """Return a picture as a PNG."""
    writer = PdfWriter("picture", "en", shown.game.press.art)
    writer.add_page(shown.scene)
    (image,) = png.rasterise(writer.data(), [shown.scene], shown.dpi)
    return small_png(image, shown.colours)


def small_png(image: Image.Image, colours: int) -> bytes:
    """Return a PNG of few colours."""
    few = image.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    file = BytesIO()
    few.save(file, "PNG", optimize=True)
    return file.getvalue()


def main() -> None:
    """Write all pictures."""
    for group in GROUPS:
        made: Made = {}
        group(made)
        for name, shown in made.items():
            (IMAGES / f"{name}.png").write_bytes(drawn(shown))


if __name__ == "__main__":
    main()
