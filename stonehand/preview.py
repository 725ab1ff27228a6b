"""Pictures of cards: laid out, written as a PDF with a card a page, and rasterised."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from stonehand.cards.deck import Card, LoadedGame, select
from stonehand.cards.layout import Layouter
from stonehand.language.languages import Language
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.scene import Box, Group, Mark, Matrix, Scene, Stroke, rectangle
from stonehand.scene import Path as PathMark
from stonehand.source.files import shown
from stonehand.source.problems import COMMAND_LINE, Location, fault
from stonehand.source.text import Text

CONTACT_SCALE = 0.35
TABLE = "#c9c4d6"  # what the cards of a contact sheet lie on
TRIM_LINE = Stroke("#ff0000", 0.15)
SAFE_LINE = Stroke("#00a000", 0.15, (1.0, 0.6))


class PreviewOptions(msgspec.Struct, frozen=True):
    """What is shown of a card, and at how many dots per inch."""

    back: bool = False
    bleed: bool = False
    proof: bool = False
    contact: bool = False
    dpi: float = 300.0


def build_previews(
    press: Press,
    game: LoadedGame,
    languages: Iterable[Language],
    wanted: tuple[Text, ...],
    output: Path,
    staged: Staged,
    options: PreviewOptions,
) -> list[str]:
    """Write pictures of the wanted cards (all, if none are named); return what was made."""
    cards = select(game.cards, wanted) if wanted else game.cards
    press.read_pictures(cards)
    scenes: list[tuple[str, Scene]] = []
    side = "-back" if options.back else ""
    by_language: dict[str, list[tuple[str, Scene]]] = {}
    for language in languages:
        layouter = press.layouter(game, language, proof=options.proof)
        scenes = _faces(layouter, cards, options)
        if options.contact:
            faces = [scene for _, scene in scenes]
            scenes = [("contact", contact_sheet(faces))] if faces else []
        by_language[language.code] = [(f"{i}-{language.code}{side}.png", s) for i, s in scenes]
    press.preflight.finish()
    press.problems.raise_errors()
    pictures = [(code, *picture) for code, named in by_language.items() for picture in named]
    if not pictures:
        raise fault(Location(shown(game.folder.file)), "these cards have no such side")
    if output.suffix.lower() == ".png" and len(pictures) > 1:
        at = Location(COMMAND_LINE)
        raise fault(at, f"{len(pictures)} pictures do not go into one file", "name a folder")
    for code, named in by_language.items():
        _write(press, game, code, named, output, staged, options)
    return [shown(target) for target in staged.targets]


def _faces(
    layouter: Layouter, cards: list[Card], options: PreviewOptions
) -> list[tuple[str, Scene]]:
    faces = []
    for card in cards:
        scene = layouter.back(card) if options.back else layouter.front(card)
        if scene is None:
            continue
        marks: tuple[Mark, ...] = scene.marks
        if options.proof:
            safe = rectangle(scene.trim.grown(-layouter.safe(card, back=options.back)))
            marks = (
                *marks,
                PathMark(scene.outline, stroke=TRIM_LINE),
                PathMark(safe, stroke=SAFE_LINE),
            )
        bleed = scene.bleed if options.bleed else 0.0
        faces.append((str(card.id), replace(scene, marks=marks, bleed=bleed, shared=False)))
    return faces


def _write(
    press: Press,
    game: LoadedGame,
    code: str,
    named: list[tuple[str, Scene]],
    output: Path,
    staged: Staged,
    options: PreviewOptions,
) -> None:
    from stonehand.output import png
    from stonehand.output.pdf import PdfWriter

    writer = PdfWriter(game.title, code, press.art)
    for _, scene in named:
        writer.add_page(scene)
    images = png.rasterise(writer.data(), [scene for _, scene in named], options.dpi)
    for (name, scene), image in zip(named, images, strict=True):
        target = output if output.suffix.lower() == ".png" else output / name
        cut = (scene.corner or scene.shape) and not options.bleed and not options.contact
        shape = png.cut_out(image, scene, options.dpi) if cut else image
        staged.write(target, png.encoded(shape, options.dpi))


def contact_sheet(faces: list[Scene]) -> Scene:
    """Return all faces, made smaller, in rows, in one picture about as wide as high."""
    gap = 2.0
    sizes = [(f.width * CONTACT_SCALE + gap, f.height * CONTACT_SCALE + gap) for f in faces]
    widest = max(width for width, _ in sizes)
    area = sum(width * height for width, height in sizes)
    most = max(1, round(area**0.5 * 1.25 / widest)) * widest
    x, y, row, right = 0.0, 0.0, 0.0, 0.0
    marks: list[Mark] = []
    for face, (width, height) in zip(faces, sizes, strict=True):
        if x + width > most + 0.01:
            x, y, row = 0.0, y + row, 0.0
        outline = face.outline
        paper = PathMark(outline, fill="#ffffff")
        cut = Group(face.marks, clip=outline)
        place = Matrix(CONTACT_SCALE, 0, 0, CONTACT_SCALE, gap + x, gap + y)
        marks.append(Group((paper, cut), place))
        x, row = x + width, max(row, height)
        right = max(right, x)
    whole = Box(0, 0, gap + right, gap + y + row)
    table = PathMark(rectangle(whole), fill=TABLE)
    return Scene(whole.width, whole.height, (table, *marks))
