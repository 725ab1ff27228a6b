"""Sheets of those cards alone that look different than they did, to print them again."""

from pathlib import Path

from stonehand.card_sheets import build_cards
from stonehand.cards.deck import decks_of
from stonehand.comparing import State, changed_cards
from stonehand.making import Order
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.project import GameFolder
from stonehand.revisions import games_at
from stonehand.sheets.printer import Printer
from stonehand.source.problems import Problems
from stonehand.source.text import Text

FOLDER = "changed"  # below the output folder, so that whole decks stay as they are


def build_changed(
    order: Order,
    folder: GameFolder,
    output: Path,
    since: str,
    staged: Staged,
    problems: Problems,
    printer: tuple[Text, Printer] | None,
) -> list[str]:
    """Write sheets of the cards whose faces differ from those of an earlier state.

    A game that was not there then is printed whole. Returns what was made, a line each.
    """
    press = Press(folder.project, problems)
    game = press.load(folder).for_players(*order.set)
    languages = press.languages_of(game, order.codes)
    new = State(folder, "now", order.codes)
    made: list[str] = []
    with games_at(since, folder.project) as earlier:
        old = State(earlier[game.name], since) if game.name in earlier else None
        changed = {
            str(one.code): set(changed_cards(old, new, one) if old else new.cards)
            for one in languages
        }
    for language in languages:
        differ = changed[str(language.code)]
        for name, (_, cards) in decks_of(game, (), press.problems).items():
            printed = [card for card in cards if card.count]
            ids = tuple(card.id for card in printed if str(card.id) in differ)
            if ids:
                made += build_cards(
                    press,
                    game,
                    [language],
                    output / FOLDER,
                    staged,
                    lambda: None,
                    decks=[Text(name)],
                    only=ids,
                    printer=printer,
                )
    return made
