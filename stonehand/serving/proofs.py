"""What takes seconds: sheets as they will print, the rulebook, and all that the checks find.

Each is made by a thread of its own, with a press of its own, while no face is waited for.
"""

from collections.abc import Callable, Iterator
from itertools import islice

import msgspec

from stonehand.cards.deck import LoadedGame, decks_of
from stonehand.check.preflight import Sight
from stonehand.checking import check_game
from stonehand.project import GameFolder
from stonehand.rulebooks import book_pages
from stonehand.scene import Scene
from stonehand.serving.fingerprint import Fingerprints
from stonehand.serving.state import ServingPress, Shown
from stonehand.sheet_maker import GapNeeded, SheetMaker
from stonehand.sheet_plan import SheetPlan
from stonehand.source.problems import Problem, Problems
from stonehand.source.silence import Silences
from stonehand.source.text import Text
from stonehand.typesetting.lettering import Lettering

MOST = 80  # pages of a deck that are shown


class Outdated(Exception):
    """The game has changed while this was made."""


class Pages(msgspec.Struct, frozen=True):
    """Pages under a title, each with a name; `more` tells that there are others after them."""

    title: str
    pages: tuple[tuple[str, Shown], ...]
    more: bool = False


class Findings(msgspec.Struct, frozen=True):
    """What the checks have found, and where those that can be seen are seen."""

    problems: tuple[Problem, ...]
    sights: dict[Problem, Sight]


class Proofs:
    """The pages of one reading of a game, each made once in a language."""

    def __init__(self, folder: GameFolder, number: int, pause: Callable[[], None]) -> None:
        """Begin; `pause` is called often, and may wait, or raise `Outdated` to end the work."""
        self.number = number
        self.folder = folder
        self.pause = pause
        self._fingerprints = Fingerprints()
        self.problems = Problems(Silences())
        self.press = ServingPress(folder.project, self.problems)
        self._loaded: LoadedGame | None = None
        self._sheets: dict[str, list[Pages]] = {}
        self._books: dict[str, list[Pages]] = {}

    @property
    def game(self) -> LoadedGame:
        """The game; raises the faults of one that can't be read."""
        if self._loaded is None:
            self._loaded = self.press.load(self.folder)
        return self._loaded

    def sheets(self, code: str) -> list[Pages]:
        """Return the sheets of every deck."""
        if code not in self._sheets:
            self._sheets[code] = list(self._lay_sheets(code))
        return self._sheets[code]

    def _lay_sheets(self, code: str) -> Iterator[Pages]:
        press, game = self.press, self.game
        [language] = press.languages_of(game, [Text(code)])
        layouter = press.layouter(game, language)
        layouter.watch = None
        lettering = Lettering(press.fonts, language, press.languages, press.problems)
        for name, (spec, cards) in decks_of(game, (), press.problems).items():
            press.read_pictures(cards)
            layers = (game.spec.sheet, spec.sheet if spec else None, None)
            plan = SheetPlan.of(press.project, press.problems, *layers)
            maker = SheetMaker(layouter, plan, lettering)
            try:
                made = self._laid(maker.pages(cards, self.pause))
            except GapNeeded:
                made = self._laid(maker.pages(cards, self.pause))
            yield Pages(name, *made)

    def _laid(
        self, pages: Iterator[tuple[str, Scene]]
    ) -> tuple[tuple[tuple[str, Shown], ...], bool]:
        shown = tuple((side, self._shown(scene)) for side, scene in islice(pages, MOST))
        return shown, next(pages, None) is not None

    def _shown(self, scene: Scene) -> Shown:
        return Shown(self._fingerprints.of(scene), scene, self.press)

    def book(self, code: str) -> list[Pages]:
        """Return the pages of the rulebook; nothing, if the game has none."""
        if code not in self._books:
            press, game = self.press, self.game
            [language] = press.languages_of(game, [Text(code)])
            scenes = book_pages(press, game, language)
            pages = tuple((str(n), self._shown(scene)) for n, scene in enumerate(scenes, 1))
            self._books[code] = [Pages("", pages)] if pages else []
        return self._books[code]


def look_over(folder: GameFolder, code: str, pause: Callable[[], None]) -> Findings:
    """Return what `stonehand check` finds in a game in one language."""
    problems = Problems(Silences())
    press = ServingPress(folder.project, problems)
    press.preflight.thorough = True
    with problems.gather():
        game = press.load(folder)
        check_game(press, game, press.languages_of(game, [Text(code)]), pause)
    return Findings(tuple(problems.told), press.preflight.sights)
