"""A build as pieces of work, each of which can be made by itself.

A piece is a deck, a box or the rules, each in a language, or what is checked of the whole. It is
made alone: it has problems of its own, takes what it shares with others as it is read from files,
and gives files and findings as data. So it does not matter in which process it is made, or in
which run.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from stonehand.cache import Entry, Found, Output
from stonehand.card_sheets import build_cards
from stonehand.cards.deck import decks_of
from stonehand.cards.seen import Seen, digest, inside, outlines
from stonehand.checking import PARTS, check_use, check_words
from stonehand.language.languages import Language
from stonehand.output.files import Staged
from stonehand.press import Press, Shared
from stonehand.project import GameFolder, Project
from stonehand.rulebooks import EDITIONS, Folding, build_rules, has_rules
from stonehand.sheets.printer import Printer, load_printer
from stonehand.source.files import content_of
from stonehand.source.problems import COMMAND_LINE, Location, Problem, Problems
from stonehand.source.silence import Silences
from stonehand.source.text import Text
from stonehand.source.trace import Looker, Trace, fingerprint, note, note_again, traced
from stonehand.tuck_boxes import build_boxes

NOWHERE = Path()  # files of a piece are named below the output folder


class Order(msgspec.Struct, frozen=True):
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
    """A piece of work, of a deck, a box, or words `cards` or `rules`.

    For a deck it says whether it makes the cut files, which are the same in all languages.
    """

    kind: Literal["cards", "box", "backs", "rules", "words", "use"]
    name: str = ""
    language: str = ""
    cut_files: bool = False


class Made(NamedTuple):
    """What a piece came to: as it is remembered, and its files by their names."""

    entry: Entry
    files: dict[str, bytes]
    faulty: bool = False


class Known(NamedTuple):
    """What is known from elsewhere when a piece is made.

    Pictures that were used, and fonts, each with its licence bits; and cards that were looked at
    in an earlier run, with nothing found.
    """

    art: frozenset[Path] = frozenset()
    fonts: tuple[tuple[Path, int], ...] = ()
    clean: frozenset[str] = frozenset()


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

    def __init__(self, order: Order, problems: Problems, shared: Shared | None = None) -> None:
        """Read the game; what is found by that is told to `problems`, faults are raised."""
        self.order = order
        self.problems = problems
        self._shared = shared or Shared()
        self._read_ahead = False
        self._cards: dict[str, dict[str, str]] = {}  # fingerprints by deck and id
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
        if len(decks) > 1:
            made += [Piece("backs", "", code) for code in codes]
        if codes and has_rules(game):
            made += [Piece("rules", "", code) for code in codes]
        return made

    def checks(self, known: Known) -> list[tuple[Piece, Known]]:
        """Return what is to be checked of the whole, of which some is `known` then."""
        source = self.game.source_language
        codes = [str(language.code) for language in self.languages if language.code != source]
        parts = PARTS if has_rules(self.game) else PARTS[:1]
        words = [Piece("words", part, code) for part in parts for code in codes]
        return [(Piece("use"), known), *((piece, Known()) for piece in words)]

    def name(self, piece: Piece, known: Known) -> str:
        """Return the name by which a piece is remembered: all that it is asked for."""
        order, printer = self.order, self._printer(Problems())
        fonts = [(str(path), bits) for path, bits in known.fonts]
        asked = [Path.cwd(), order.folder, *order.roots, "", *piece, order.players, order.edition]
        told = [str(part) for part in asked]
        told += [digest(printer), digest([sorted(map(str, known.art)), fonts])]
        return fingerprint("\n".join(told).encode("utf-8", "surrogateescape"))

    def cards_of(self, deck: str) -> dict[str, str]:
        """Return fingerprints of the cards of a deck, by their ids; of all with no name."""
        if deck not in self._cards:
            cards = decks_of(self.game, (), Problems())[deck][1] if deck else self.game.cards
            self._cards[deck] = {str(card.id): digest(card) for card in cards}
        return self._cards[deck]

    def _cards_seen(self, deck: str) -> str:
        return digest(self.cards_of(deck))

    def looker(self, known: dict[str, tuple[str, str]]) -> Looker:
        """Return what looks whether anything has changed, in files and in cards."""
        looker = Looker(known, content_of)
        looker.looks |= {
            "outlines": lambda _: outlines(self.game),
            "card": lambda card_id: inside(self.game, card_id),
            "cards": self._cards_seen,
        }
        return looker

    def make(self, piece: Piece, known: Known = Known()) -> Made:  # noqa: B008 -- it is immutable
        """Make a piece; its problems, errors too, are part of what it came to."""
        self._ahead()
        problems, staged = Problems(self._silences()), _Collected()
        press = Press(self.order.game.project, problems, self._shared)
        lines: list[str] = []
        seen: tuple[tuple[str, str], ...] = ()
        if piece.kind == "cards":
            seen = tuple(self.cards_of(piece.name).items())
        with traced() as trace:
            file = self.game.folder.file
            note_again({look: seen for look, seen in self._trace.items() if _is_of(look, file)})
            with problems.gather():
                lines = self._made(piece, press, staged, known)
            faulty = bool(problems.errors)
        return _made(press, staged.files, lines, trace, faulty, seen)

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

    def _made(self, piece: Piece, press: Press, staged: _Collected, known: Known) -> list[str]:
        game = self.game
        languages = [one for one in self.languages if one.code == piece.language]
        printer = self._printer(press.problems)
        name = Text(piece.name)
        match piece.kind:
            case "cards":
                self._look_only_at(piece, press)
                press.preflight.clean = known.clean
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
                self._note_cards()
                made = build_boxes(press, game, languages, NOWHERE, staged, None, printer, name)
                press.preflight.finish()
                return made
            case "backs":
                self._compare_backs(press, languages[0])
            case "rules":
                decks = decks_of(game, (), Problems()).values()
                laid = [card for _, cards in decks for card in cards if card.count]
                press.preflight.pass_over(game, piece.language, laid)
                folding = Folding(printer=printer[1] if printer else None)
                seen = Seen.of(game)
                return build_rules(
                    press, seen, languages, NOWHERE, staged, editions=EDITIONS, folding=folding
                )
            case "words":
                if piece.name == "cards":
                    self._note_cards()
                check_words(press, game, languages, [part for part in PARTS if part == piece.name])
            case "use":
                self._note_cards()
                check_use(press, game, known.art, dict(known.fonts))
        return []

    def _note_cards(self, deck: str = "") -> None:
        note("cards", deck, self._cards_seen(deck))

    def _look_only_at(self, piece: Piece, press: Press) -> None:
        """Leave cards that are in an earlier deck, too, to the checks of that one."""
        note("outlines", "", outlines(self.game))  # decks, and texts that a translation may have
        decks = decks_of(self.game, (), Problems())
        self._note_cards(piece.name)
        press.preflight.compares = len(decks) == 1
        for name, (_, cards) in decks.items():
            if name == piece.name:
                break
            press.preflight.pass_over(self.game, piece.language, cards)

    def _compare_backs(self, press: Press, language: Language) -> None:
        """Compare the backs of all decks: cards of a kind may be in several."""
        self._note_cards()
        layouter = press.layouter(self.game, language)
        for _, cards in decks_of(self.game, (), Problems()).values():
            for card in cards:
                if card.count:
                    with press.problems.gather():
                        layouter.back(card)
        press.preflight.finish()

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
    press: Press,
    files: dict[str, bytes],
    lines: Iterable[str],
    trace: Trace,
    faulty: bool,
    cards: tuple[tuple[str, str], ...],
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
        cards,
    )
    return Made(entry, files, faulty)


def _plain(problem: Problem) -> Problem:
    """Return a problem of plain strings, without the places that texts of files carry."""
    (file, line, column, sheet), severity, message, hint, code = problem
    place = Location(str(file), line, column, str(sheet))
    return Problem(place, severity, str(message), str(hint), str(code))


def listed_looks(trace: Trace) -> tuple[tuple[str, str, str], ...]:
    """Return a trace as it is remembered."""
    return tuple(sorted((kind, what, seen) for (kind, what), seen in trace.items()))
