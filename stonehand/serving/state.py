"""A game as the page sees it: read again at each change, its faces laid out when looked at.

A `Reading` is the game as its files were at one moment, and is used by one thread. Where files
hold faults, what was good before stays: the whole game if it can't be read, else the faces of the
cards that have the faults.
"""

import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from stonehand.cards.deck import Card, LoadedGame
from stonehand.language.languages import Language
from stonehand.press import Press
from stonehand.project import GameFolder
from stonehand.scene import Scene
from stonehand.serving.fingerprint import Fingerprints
from stonehand.serving.sources import Lines, lines_of
from stonehand.source.problems import Problem, Problems
from stonehand.source.silence import Silences

if TYPE_CHECKING:
    from PIL.Image import Image

SIDES = ("front", "back")
MOST = 4000  # faces of a language that are kept
_PDFIUM = threading.Lock()  # it may be used by one thread at a time


class ServingPress(Press):
    """A press that shares the machine with another one."""

    def drawn(self, scenes: Sequence[Scene], dpi: float) -> "Iterator[Image]":
        """Draw Scenes as pictures, while no other press does."""
        with _PDFIUM:
            return iter(list(super().drawn(scenes, dpi)))


class Shown(msgspec.Struct, frozen=True):
    """A Scene to be shown: its name, and the press that can draw it; of a card, its safe margin.

    `held` tells that it is how the face was before its files had faults.
    """

    key: str
    scene: Scene
    press: ServingPress
    safe: float = 0.0
    held: bool = False


class Reading(msgspec.Struct, frozen=True, dict=True):
    """A game as it was read: the number of the reading, and what could not be read."""

    number: int
    press: ServingPress
    game: LoadedGame | None
    faults: tuple[Problem, ...]
    languages: Mapping[str, Language]  # by their codes
    faces: "dict[str, Faces]" = {}  # by language

    @cached_property
    def lines(self) -> Mapping[str, Lines]:
        """Where each card was written."""
        return lines_of(self.game.cards) if self.game else {}

    @cached_property
    def cards(self) -> Mapping[str, Card]:
        """The cards by their ids."""
        return {str(card.id): card for card in self.game.cards} if self.game else {}


def read(
    folder: GameFolder, number: int, changed: Collection[Path] = (), before: Reading | None = None
) -> Reading:
    """Read a game; of pictures, only those that have changed since a reading before."""
    problems = Problems(Silences())
    press = ServingPress(folder.project, problems)
    if before:
        press.art = before.press.art.without(changed, problems)
    game = None
    languages: dict[str, Language] = {}
    with problems.gather():
        game = press.load(folder)
        languages = {str(found.code): found for found in press.languages_of(game, ())}
    return Reading(number, press, game, tuple(problems.errors), languages)


class Faces:
    """The faces of a game in one language."""

    def __init__(self, reading: Reading, code: str, before: "Faces | None") -> None:
        """Lay out nothing yet; `before` are the faces of the reading before this one."""
        assert reading.game
        problems = reading.press.problems
        self.reading = reading
        found = len(problems.errors)
        self.layouter = reading.press.layouter(reading.game, reading.languages[code])
        self.layouter.watch = None  # checks look at all faces later, in their own time
        self.before = {k: shown for k, shown in before.shown.items() if shown} if before else {}
        self.shown: dict[tuple[str, str], Shown | None] = {}
        self._fingerprints = Fingerprints()
        # what is wrong with a template or a language is told once, but is so on all its cards
        self._all_faulty = len(problems.errors) > found
        self._faulty_kinds: set[str] = set()

    @property
    def used(self) -> Iterator[Shown]:
        """What is or may still be shown of them."""
        yield from self.before.values()
        yield from filter(None, self.shown.values())

    def sides(self, card: Card) -> dict[str, Shown | None]:
        """Return the faces of a card by their sides; None for one that can't be drawn."""
        return {side: self._of(card, side) for side in (SIDES if card.back else SIDES[:1])}

    def _of(self, card: Card, side: str) -> Shown | None:
        key = str(card.id), side
        if key not in self.shown:
            self.shown[key] = self._laid(card, side)
            if len(self.shown) > MOST:
                del self.shown[next(iter(self.shown))]
        return self.shown[key]

    def _laid(self, card: Card, side: str) -> Shown | None:
        everywhere = self.reading.press.problems
        here = self.layouter.problems = Problems(everywhere.silences)
        scene = None
        with here.gather():
            lay = self.layouter.front if side == "front" else self.layouter.back
            scene = lay(card)
        self.layouter.problems = everywhere
        everywhere.add(here)
        own = self.reading.lines[str(card.id)]
        faults = here.errors
        if any(not own.hold(problem.location) for problem in faults):
            self._faulty_kinds.add(card.kind)
        faulty = scene is None or faults or card.kind in self._faulty_kinds or self._all_faulty
        good = self.before.get((str(card.id), side))
        if faulty and good:
            return replace(good, held=True)
        if scene is None:
            return None
        safe = self.layouter.safe(card, back=side == "back")
        return Shown(self._fingerprints.of(scene), scene, self.reading.press, safe)


class Desk:
    """Where a game lies open: the latest reading of which there is something to see."""

    def __init__(self, folder: GameFolder) -> None:
        """Open a game."""
        self.folder = folder
        self.number = 1  # of the latest reading, of use or not
        self.reading = read(folder, 1)
        self.unread: tuple[Problem, ...] = ()  # why the latest one was of no use
        self._before: dict[str, Faces] = {}
        self._changed: set[Path] = set()  # since the reading that is shown

    def refresh(self, changed: Collection[Path] = ()) -> None:
        """Read the game again after files have changed.

        A game that can't be read does not take the place of one that could.
        """
        self.number += 1
        self._changed.update(changed)
        made = read(self.folder, self.number, self._changed, self.reading)
        self.unread = made.faults if made.faults and not self.reading.faults else ()
        if not self.unread:
            self._before, self.reading = self.reading.faces, made
            self._changed.clear()

    def faces(self, code: str) -> Faces:
        """Return the faces in a language that the game has."""
        faces = self.reading.faces
        if code not in faces:
            faces[code] = Faces(self.reading, code, self._before.pop(code, None))
        return faces[code]

    @property
    def presses(self) -> set[ServingPress]:
        """The presses of which something is or may still be shown."""
        made = (*self.reading.faces.values(), *self._before.values())
        return {self.reading.press, *(shown.press for faces in made for shown in faces.used)}

    @property
    def faults(self) -> Sequence[Problem]:
        """What is to be mended, as far as it is known."""
        return self.unread or self.reading.press.problems.errors
