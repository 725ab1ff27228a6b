"""The cards that the catalogues of a game list, as lines of YAML or rows of tables."""

from pathlib import Path

from stonehand.cards.game import Catalogue, Game
from stonehand.cards.rows import Listed, rows_of, table_of
from stonehand.source import yaml
from stonehand.source.bind import bind
from stonehand.source.files import exact, inside, shown
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.text import Text

MAX_CARDS = 20_000


def listed(folder: Path, game: Game, problems: Problems) -> list[Listed]:
    """Return the cards of all catalogues in their order; what can't be read is reported."""
    cards: list[Listed] = []
    first: dict[tuple[str, str], Location] = {}
    for named in game.catalogues:
        with problems.gather():
            table = table_of(named)
            file = table.file if table else Text(str(named), named.at)
            name = (str(file), str((table and table.sheet) or ""))
            if first.setdefault(name, named.at) != named.at:
                hint = f"first at line {first[name].line}"
                raise fault(
                    named.at, f"the catalogue '{'#'.join(filter(None, name))}' is named twice", hint
                )
            path = exact(folder, inside(folder, file), file)
            found = rows_of(table, path, game, problems) if table else _lines(path, game, problems)
            if len(cards) + len(found) > MAX_CARDS:
                raise fault(Location(shown(path)), f"more than {MAX_CARDS:,} cards")
            cards += found
    return cards


def _lines(path: Path, game: Game, problems: Problems) -> list[Listed]:
    """Return the cards of a YAML catalogue."""
    catalogue = bind(yaml.load(path), Catalogue, problems)
    if catalogue is None:
        return []
    kind = catalogue.kind
    if kind not in game.kinds:
        raise fault(kind.at, f"unknown kind '{kind}'", did_you_mean(kind, game.kinds))
    if not catalogue.cards:
        raise fault(catalogue.at, "the catalogue has no cards")
    return [
        Listed(kind, card, catalogue.defaults, next(iter(card)).at if card else catalogue.at)
        for card in catalogue.cards
    ]
