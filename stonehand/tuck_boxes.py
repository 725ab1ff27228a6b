"""Tuck boxes: each sized for the deck it holds, laid on a sheet of its own and written as PDF."""

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from stonehand.cards.deck import LoadedGame, decks_of, joined
from stonehand.cards.forms import BoxSize
from stonehand.cards.game import Sheet
from stonehand.language.languages import Language
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.sheet_maker import SheetMaker
from stonehand.sheet_plan import SheetPlan
from stonehand.sheets.printer import Printer
from stonehand.source.files import shown
from stonehand.source.problems import counted
from stonehand.source.text import Text
from stonehand.typesetting.lettering import Lettering


def build_boxes(
    press: Press,
    game: LoadedGame,
    languages: Iterable[Language],
    output: Path,
    staged: Staged,
    sheet: Sheet | None,
    printer: tuple[Text, Printer] | None,
    only: Text | None = None,
) -> list[str]:
    """Write the tuck boxes of a game; return what was made, a line each.

    A box is as large as the largest card of its deck and as deep as the cards are thick together;
    `only` names one.
    """
    from stonehand.output.pdf import PdfWriter

    made: list[str] = []
    for name, box in game.spec.boxes.items():
        if only is not None and name != only:
            continue
        with press.problems.gather():
            decks = decks_of(game, [box.deck] if box.deck else [], press.problems)
            cards = joined(cards for _, cards in decks.values())
            layers = (game.spec.sheet, sheet)
            plan = SheetPlan.of(press.project, press.problems, *layers, printer=printer)
            plan = replace(plan, backs="none")
            for language in languages:
                layouter = press.layouter(game, language)
                sizes = [(found, c.count) for c in cards if (found := layouter.measure(c))]
                count = sum(many for _, many in sizes)
                if not count:
                    continue
                card = max(found.width for found, _ in sizes), max(f.height for f, _ in sizes)
                size = BoxSize.of(card, count, box.thickness.mm)
                net = layouter.box(name, box, size, cards[0])
                lettering = Lettering(press.fonts, language, press.languages, press.problems)
                writer = PdfWriter(f"{name} ({language.name})", language.code, press.art)
                maker = SheetMaker(layouter, plan, lettering)
                for page in maker.alone(net, None, False, 1, 1, str(name)):
                    writer.add_page(page.scene)
                target = output / f"{name}-{language.code}.pdf"
                if not press.problems.errors:
                    staged.write(target, writer.data())
                inside = " x ".join(f"{mm:.1f}" for mm in (size.width, size.height, size.depth))
                made.append(f"{shown(target)}: a box of {inside} mm for {counted(count, 'card')}")
    return made
