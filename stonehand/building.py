"""One run over games: what is remembered of it is taken, the rest is made, and all is told.

The pieces of a game are placed in the order in which they are told, wherever they come from, so
that a run says and writes the same however much of it was remembered, and in however many processes
it was made.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec.structs import replace

from stonehand.cache import Cache, Entry, program
from stonehand.checking import all_was_read
from stonehand.making import Known, Made, Order, Piece, Workshop, listed_looks
from stonehand.output.files import Staged
from stonehand.press import Shared
from stonehand.source.files import content_of, shown
from stonehand.source.problems import COMMAND_LINE, Location, Problems
from stonehand.source.trace import Looker

Progress = Callable[[int, str], AbstractContextManager[Callable[[], None]]]
"""Shows how far a number of pieces of a name is, and gives what moves it by one."""

Maker = Callable[[Order, list[tuple[Piece, Known]]], Iterator[Made]]
"""Makes pieces of an order elsewhere, and gives them in their order."""


OF_CARDS = ("cards", "outlines")  # looks that see nothing but cards


class Build:
    """One run over games: what is remembered is taken, the rest is made, and all is told."""

    def __init__(
        self,
        cache: Cache,
        problems: Problems,
        staged: Staged,
        shared: dict[str, Shared] | None = None,
    ) -> None:
        """Begin a run; `shared` is what an earlier one of this process has read for games."""
        self.cache = cache
        self.problems = problems
        self.staged = staged
        self.fresh: list[str] = []  # files that were not taken from the cache
        self._told: set[tuple[str, Location, str]] = set()
        self._shared = {} if shared is None else shared
        self._program = program() if cache.folder else ""

    def run(
        self, order: Order, output: Path, progress: Progress, maker: "Maker | None" = None
    ) -> list[str]:
        """Make what an order asks for; return what was made, a line each."""
        shared = self._shared.setdefault(order.folder, Shared())
        shared.refresh(Looker(self.cache.known, content_of).same)
        workshop = Workshop(order, self.problems, shared)
        looker = workshop.looker(self.cache.known)
        pieces = [(piece, Known()) for piece in workshop.pieces()]
        with progress(len(pieces), order.name) as step:
            lines, done = self._all(workshop, looker, pieces, output, step, maker)
        if order.players is None and order.edition is None and all_was_read(self.problems):
            art = frozenset(Path(name) for entry in done for name in entry.art)
            fonts = {Path(name): bits for entry in done for name, bits in entry.fonts}
            known = Known(art, tuple(sorted(fonts.items())))
            checks = workshop.checks(known)
            self._all(workshop, looker, checks, output, lambda: None, maker)
        self.cache.known = looker.known
        return lines

    def _all(
        self,
        workshop: Workshop,
        looker: Looker,
        pieces: list[tuple[Piece, Known]],
        output: Path,
        progress: Callable[[], None],
        maker: Maker | None,
    ) -> tuple[list[str], list[Entry]]:
        """Take or make pieces, and put in place and tell what they came to, in their order."""
        names = [f"{self._program[:16]}{workshop.name(*piece)}"[:64] for piece in pieces]
        remembered = [self._remembered(name, looker) for name in names]
        pieces = [
            piece if made else (piece[0], self._with_clean(workshop, looker, name, *piece))
            for piece, name, made in zip(pieces, names, remembered, strict=True)
        ]
        missing = [p for p, made in zip(pieces, remembered, strict=True) if made is None]
        fresh = maker(workshop.order, missing) if maker and len(missing) > 1 else None
        lines: list[str] = []
        done: list[Entry] = []
        for piece, name, known in zip(pieces, names, remembered, strict=True):
            made = known
            if made is None:
                made = next(fresh) if fresh else workshop.make(*piece)
                self.fresh += made.files
                self._remember(name, made, looker)
            lines += self._place(made, output)
            done.append(made.entry)
            progress()
        return lines, done

    def _remembered(self, name: str, looker: Looker) -> Made | None:
        for entry in self.cache.entries(name):
            if looker.same(entry.trace) and (files := self.cache.data(entry)) is not None:
                return Made(entry, files)
        return None

    def _with_clean(
        self, workshop: Workshop, looker: Looker, name: str, piece: Piece, known: Known
    ) -> Known:
        """Return also which cards of a deck need not be looked at again.

        Those are the cards that are the same as in an earlier state in which no face had anything
        to tell, if nothing but cards has changed since.
        """
        if piece.kind != "cards":
            return known
        for entry in self.cache.entries(name):
            others = {look: s for look, s in entry.trace.items() if look[0] not in OF_CARDS}
            if looker.same(others) and not any(found.face for found in entry.found):
                now = workshop.cards_of(piece.name).items()
                return known._replace(clean=frozenset(dict(now & set(entry.cards))))
        return known

    def _remember(self, name: str, made: Made, looker: Looker) -> None:
        """Remember a piece, unless it has errors: those are to be mended."""
        entry = made.entry
        if self.cache.folder is None or made.faulty:
            return
        # a finding tells a line of a file, which another change of the file may move
        trace = entry.trace
        for file in {found.problem.location.file for found in entry.found} - {COMMAND_LINE}:
            look = ("content", str(Path(file).absolute()))
            trace.setdefault(look, looker.look(*look) or "")
        self.cache.keep(name, replace(entry, looks=listed_looks(trace)), made.files)

    def _place(self, made: Made, output: Path) -> list[str]:
        """Put the files of a piece in place, tell what was found, and return what was made."""
        for problem, face in ((found.problem, found.face) for found in made.entry.found):
            key = (problem.code, problem.location, face)
            if face and key in self._told:
                continue  # told of the same place in another language
            self._told.add(key)
            self.problems.add([problem])
        for file in made.entry.outputs:
            target = output / file.name
            if self.problems.errors:
                break  # no name of a file is to be trusted
            if content_of(target) != file.data:  # what has not changed keeps its time, too
                self.staged.write(target, made.files[file.name])
        return [f"{shown(output / name)}: {words}" for name, words in made.entry.lines]
