"""A build as pieces of work, each of which can be taken from the cache, or be made by itself.

A piece is a deck in a language, the rules in a language, a box in a language, or what is checked of
the whole. It is made alone: it has problems of its own, takes what it shares with others as it is
read from files, and gives files and findings as data. So it does not matter in which process it is
made, or in which run.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec.structs import replace

from stonehand.cache import Cache, Entry, Found, Output, program
from stonehand.card_sheets import build_cards
from stonehand.cards.deck import decks_of
from stonehand.cards.seen import Seen, digest, inside, note_cards, outlines
from stonehand.checking import all_was_read, check_use, check_words
from stonehand.output.files import Staged
from stonehand.press import Press, Shared
from stonehand.project import GameFolder, Project
from stonehand.rulebooks import EDITIONS, Folding, build_rules, has_rules
from stonehand.sheets.printer import Printer, load_printer
from stonehand.source.files import content_of, shown
from stonehand.source.problems import COMMAND_LINE, Location, Problem, Problems
from stonehand.source.silence import Silences
from stonehand.source.text import Text
from stonehand.source.trace import Looker, Trace, fingerprint, note, note_again, traced
from stonehand.tuck_boxes import build_boxes

NOWHERE = Path()  # files of a piece are named below the output folder


@dataclass(frozen=True)
class Order:
    """What is to be made of a game; plain values, which another process can be told."""

    name: str
    folder: str
    roots: tuple[str, ...]
    languages: tuple[str, ...] = ()
    players: str | None = None
    edition: str | None = None
    printer: tuple[str, str] | None = None  # a name, and the folder of profiles

    @property
    def codes(self) -> list[Text]:
        """The languages that were asked for, with their place; none for all."""
        at = Location(COMMAND_LINE)
        return [Text(code, at) for given in self.languages for code in given.split(",") if code]

    @property
    def set(self) -> tuple[Text | None, Text | None]:
        """The number of players and the edition that were asked for, with their place."""
        return _word(self.players), _word(self.edition)

    @property
    def game(self) -> GameFolder:
        """The game's folder in its project."""
        return GameFolder(self.name, Path(self.folder), Project(tuple(map(Path, self.roots))))


class Piece(NamedTuple):
    """A piece of work; for a deck, whether it makes the cut files, the same in all languages."""

    kind: Literal["cards", "box", "rules", "words", "use"]
    name: str = ""
    language: str = ""
    cut_files: bool = False


class Made(NamedTuple):
    """What a piece came to: as it is remembered, and its files by their names."""

    entry: Entry
    files: dict[str, bytes]
    faulty: bool = False


class Used(NamedTuple):
    """Pictures that were used, and fonts, each with its licence bits."""

    art: frozenset[Path] = frozenset()
    fonts: tuple[tuple[Path, int], ...] = ()


class _Collected(Staged):
    """Takes the files of a piece and writes none."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {}

    def write(self, target: Path, data: bytes | memoryview) -> None:
        """Take a file; one that is made twice is told where all files are put in place."""
        self.files[target.as_posix()] = bytes(data)


class Workshop:
    """Where the pieces of one game are made; what they share is read but once."""

    def __init__(self, order: Order, shared: Shared | None = None) -> None:
        """Read the game; what was found by that is in `problems`, faults are raised."""
        self.order = order
        self.problems = Problems(Silences())
        self._shared = shared or Shared()
        self._read_ahead = False
        folder = order.game
        press = Press(folder.project, self.problems, self._shared)
        with traced() as self._trace:
            game = press.load(folder)
        self.game = game.for_players(*order.set)
        self.languages = press.languages_of(self.game, order.codes)

    def pieces(self) -> list[Piece]:
        """Return what is to be made, in the order in which it is told."""
        game, codes = self.game, [str(language.code) for language in self.languages]
        decks = decks_of(game, (), self.problems)
        made = [
            Piece("cards", deck, code, cut_files=code == codes[0])
            for deck in decks
            for code in codes
        ]
        made += [Piece("box", str(box), code) for box in game.spec.boxes for code in codes]
        if has_rules(game):
            made += [Piece("rules", "", code) for code in codes]
        return made

    def name(self, piece: Piece, used: Used) -> str:
        """Return the name by which a piece is remembered: all that it is asked for."""
        order, printer = self.order, self._printer(Problems())
        fonts = [(str(path), bits) for path, bits in used.fonts]
        asked = [Path.cwd(), order.folder, *order.roots, "", *piece, order.players, order.edition]
        told = [str(part) for part in asked]
        told += [digest(printer), digest([sorted(map(str, used.art)), fonts])]
        return fingerprint("\n".join(told).encode("utf-8", "surrogateescape"))

    def looker(self, known: dict[str, tuple[str, str]]) -> Looker:
        """Return what looks whether anything has changed, in files and in cards."""
        looker = Looker(known, content_of)
        decks = decks_of(self.game, (), Problems())
        looker.looks |= {
            "outlines": lambda _: outlines(self.game),
            "card": lambda card_id: inside(self.game, card_id),
            "cards": lambda deck: digest(decks[deck][1] if deck else self.game.cards),
        }
        return looker

    def make(self, piece: Piece, used: Used = Used()) -> Made:  # noqa: B008 -- it is immutable
        """Make a piece; its problems, errors too, are part of what it came to."""
        self._ahead()
        problems, staged = Problems(self._silences()), _Collected()
        press = Press(self.order.game.project, problems, self._shared)
        lines: list[str] = []
        with traced() as trace:
            file = self.game.folder.file
            note_again({look: seen for look, seen in self._trace.items() if _is_of(look, file)})
            with problems.gather():
                lines = self._made(piece, press, staged, used)
            faulty = bool(problems.errors)
        return _made(press, staged.files, lines, trace, faulty)

    def _silences(self) -> Silences:
        silences = Silences()
        if self.problems.silences:
            silences.declared += self.problems.silences.declared
        return silences

    def _ahead(self) -> None:
        """Read all pictures of cards at once, so that all drawings are converted in one go."""
        if not self._read_ahead:
            self._read_ahead = True
            Press(self.order.game.project, Problems(), self._shared).read_pictures(self.game.cards)

    def _made(self, piece: Piece, press: Press, staged: _Collected, used: Used) -> list[str]:
        game = self.game
        languages = [one for one in self.languages if one.code == piece.language]
        printer = self._printer(press.problems)
        name = Text(piece.name)
        match piece.kind:
            case "cards":
                self._note_deck(piece.name)
                return build_cards(
                    press,
                    game,
                    languages,
                    NOWHERE,
                    staged,
                    _nothing,
                    decks=[name],
                    printer=printer,
                    cut_files=piece.cut_files,
                )
            case "box":
                note_cards("", game.cards)
                made = build_boxes(press, game, languages, NOWHERE, staged, None, printer, name)
                press.preflight.finish()
                return made
            case "rules":
                folding = Folding(printer=printer[1] if printer else None)
                seen = Seen.of(game)
                return build_rules(
                    press, seen, languages, NOWHERE, staged, editions=EDITIONS, folding=folding
                )
            case "words":
                note_cards("", game.cards)
                check_words(press, game, languages)
            case "use":
                note_cards("", game.cards)
                check_use(press, game, used.art, dict(used.fonts))
        return []

    def _note_deck(self, name: str) -> None:
        note("outlines", "", outlines(self.game))  # texts that a translation may have
        note_cards(name, decks_of(self.game, (), Problems())[name][1])

    def _printer(self, problems: Problems) -> tuple[Text, Printer] | None:
        if self.order.printer is None:
            return None
        name = Text(self.order.printer[0], Location(COMMAND_LINE))
        return name, load_printer(Path(self.order.printer[1]), name, problems)


def _nothing() -> None:
    pass


def _word(value: str | None) -> Text | None:
    return None if value is None else Text(value, Location(COMMAND_LINE))


def _is_of(look: tuple[str, str], file: Path) -> bool:
    return look[0] == "content" and Path(look[1]) == file.absolute()


def _made(
    press: Press, files: dict[str, bytes], lines: Iterable[str], trace: Trace, faulty: bool
) -> Made:
    found = tuple(
        Found(_plain(problem), str(press.preflight.told.get(problem, "")))
        for problem in press.problems
    )
    outputs = tuple(Output(name, fingerprint(data)) for name, data in files.items())
    told = [line.partition(": ") for line in lines]
    entry = Entry(
        outputs,
        tuple((name, words) for name, _, words in told),
        found,
        tuple(sorted(map(str, press.art.files))),
        tuple(sorted((str(path), bits) for path, bits in press.fonts.licences.items())),
        listed_looks(trace),
    )
    return Made(entry, files, faulty)


def _plain(problem: Problem) -> Problem:
    """Return a problem of plain strings, without the places that texts of files carry."""
    (file, line, column), severity, message, hint, code = problem
    place = Location(str(file), line, column)
    return Problem(place, severity, str(message), str(hint), str(code))


def listed_looks(trace: Trace) -> tuple[tuple[str, str, str], ...]:
    """Return a trace as it is remembered."""
    return tuple(sorted((kind, what, seen) for (kind, what), seen in trace.items()))


Progress = Callable[[int, str], AbstractContextManager[Callable[[], None]]]
"""Shows how far a number of pieces of a name is, and gives what moves it by one."""

Maker = Callable[[Order, list[tuple[Piece, Used]]], Iterator[Made]]
"""Makes pieces of an order elsewhere, and gives them in their order."""


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
        workshop = Workshop(order, shared)
        self.problems.add(workshop.problems)
        if self.problems.silences and workshop.problems.silences:
            self.problems.silences.declared += workshop.problems.silences.declared
        looker = workshop.looker(self.cache.known)
        pieces = [(piece, Used()) for piece in workshop.pieces()]
        with progress(len(pieces), order.name) as step:
            lines, done = self._all(workshop, looker, pieces, output, step, maker)
        if order.players is None and order.edition is None and all_was_read(self.problems):
            art = frozenset(Path(name) for entry in done for name in entry.art)
            fonts = {Path(name): bits for entry in done for name, bits in entry.fonts}
            used = Used(art, tuple(sorted(fonts.items())))
            pieces = [(Piece("use"), used)]
            pieces += [(Piece("words", "", str(one.code)), Used()) for one in workshop.languages]
            self._all(workshop, looker, pieces, output, _nothing, None)
        self.cache.known = looker.known
        return lines

    def _all(
        self,
        workshop: Workshop,
        looker: Looker,
        pieces: list[tuple[Piece, Used]],
        output: Path,
        progress: Callable[[], None],
        maker: Maker | None,
    ) -> tuple[list[str], list[Entry]]:
        """Take or make pieces, and put in place and tell what they came to, in their order."""
        names = [f"{self._program[:16]}{workshop.name(*piece)}"[:64] for piece in pieces]
        remembered = [self._remembered(name, looker) for name in names]
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
            if content_of(target) != file.data:  # what has not changed keeps its time, too
                self.staged.write(target, made.files[file.name])
        return [f"{shown(output / name)}: {words}" for name, words in made.entry.lines]
