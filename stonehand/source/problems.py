"""Places and problems: what is wrong in someone's files, where, and what to do about it.

A `Problem` is data; printing is the command line's business. Functions that meet one fault and
can't go on raise `StonehandError`; functions that can go on add to a `Problems` and return what
they have, so that one run reports everything at once.
"""

import difflib
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from stonehand.source.codes import CODES, Severity

if TYPE_CHECKING:
    from stonehand.source.silence import Silences

COMMAND_LINE = "command line"
"""The "file" of what was asked for in the command itself."""


class Location(NamedTuple):
    """A place in a file a person wrote; line and column count from 1, 0 means the whole file.

    In a spreadsheet, line and column are those of a cell of a `sheet`.
    """

    file: str
    line: int = 0
    column: int = 0
    sheet: str = ""

    def __str__(self) -> str:
        if self.sheet:
            return f"{self.file}[{self.sheet}{f'!{self.cell}' if self.line else ''}]"
        return ":".join(str(part) for part in self[:3] if part)

    @property
    def cell(self) -> str:
        """The name of a cell of a spreadsheet, such as `C7`."""
        letters, left = "", self.column
        while left:
            left, letter = divmod(left - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return f"{letters}{self.line}"


class Problem(NamedTuple):
    """One fault: `location: severity: message (hint) [code]`, sorted in the order of its fields.

    `code` is that of a finding, see `codes`; what can't be read or made as it is asked has none.
    """

    location: Location
    severity: Severity
    message: str
    hint: str = ""
    code: str = ""

    def __str__(self) -> str:
        hint = f" ({_short(self.hint)})" if self.hint else ""
        code = f" [{self.code}]" if self.code else ""
        return plain(f"{self.location}: {self.severity}: {_short(self.message)}{hint}{code}")


LONGEST = 400  # characters of a message that are shown


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 100]} … {text[-100:]}"


def plain(text: str) -> str:
    """Return a text as one line that a terminal shows as it is: what it would obey is escaped."""
    if text.isprintable():
        return text
    return "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    obeyed = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    if not obeyed or character in "\u200c\u200d":  # joiners: words of Hindi and emoji need them
        return character
    return character.encode("unicode_escape").decode()


class StonehandError(Exception):
    """Someone's files hold faults; carries all `problems` found so far."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def fault(location: Location, message: str, hint: str = "") -> StonehandError:
    """Return the exception for a single error, to be raised by the caller."""
    return StonehandError([Problem(location, "error", message, hint)])


class TooManyError(StonehandError):
    """There are so many errors that looking for more helps nobody; nothing goes on after it."""


MOST_ERRORS = 1000


class Problems:
    """Collects what is found wrong during a run."""

    def __init__(self, silences: "Silences | None" = None) -> None:
        """Begin with nothing found; `silences` are for what is not to be told."""
        self.silences = silences
        self._errors = 0  # of what was found
        self._found: dict[Problem, None] = {}  # a set that keeps its order: each is said once

    def error(self, location: Location, message: str, hint: str = "") -> None:
        """Add something that must be mended before anything is written."""
        self._add(Problem(location, "error", message, hint))

    def finding(self, code: str, location: Location, message: str, hint: str = "") -> Problem:
        """Add what a check has found, and return it; how grave it is stands with its code."""
        problem = Problem(location, CODES[code].severity, message, hint, code)
        self._add(problem)
        return problem

    def _add(self, problem: Problem) -> None:
        if problem in self._found:
            return
        self._found[problem] = None
        if problem.severity == "error":
            self._errors += 1
            if self._errors > MOST_ERRORS:
                more = Problem(
                    problem.location, "error", f"more than {MOST_ERRORS} errors", "mend these first"
                )
                raise TooManyError([*sorted(self._found)[:MOST_ERRORS], more])

    def add(self, problems: Iterable[Problem]) -> None:
        """Add problems that were found elsewhere."""
        for problem in problems:
            self._add(problem)

    def gather(self) -> "Gathering":
        """Run a block that may raise `StonehandError`; keep its problems and go on after it."""
        return Gathering(self)

    @property
    def count(self) -> int:
        """How many different problems have been found so far."""
        return len(self._found)

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(self._found))

    @property
    def told(self) -> list[Problem]:
        """What has been found and not been silenced, sorted by place."""
        silences = self.silences
        return [problem for problem in self if not (silences and silences.of(problem))]

    @property
    def errors(self) -> list[Problem]:
        """The errors that are told, sorted by place."""
        found = [problem for problem in self if problem.severity == "error"]
        return [p for p in self.told if p.severity == "error"] if found else found

    def raise_errors(self, *, strict: bool = False) -> None:
        """Raise `StonehandError` with all that is told if an error is among it, or a warning."""
        if self.errors or (strict and any(found.severity == "warning" for found in self.told)):
            raise StonehandError(self.told)


MANY = 1000  # words; looking for near ones among more takes longer than it helps


class Gathering:
    """What `Problems.gather` gives: a class, as blocks of it stand around every element drawn."""

    __slots__ = ("problems",)

    def __init__(self, problems: Problems) -> None:
        self.problems = problems

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, kind: object, error: BaseException | None, where: object) -> bool:
        """Keep what a StonehandError tells; whatever else was raised goes on."""
        if isinstance(error, StonehandError) and not isinstance(error, TooManyError):
            self.problems.add(error.problems)
            return True
        return False


def counted(number: int, what: str) -> str:
    """Return a number of things in words, such as `1 card` and `2 cards`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def bytes_told(number: int) -> str:
    """Return the size of a file in words, such as `24 kB` and `1.5 MB`."""
    return f"{number / 1e6:.1f} MB" if number >= 1e6 else f"{max(number / 1e3, 1):.0f} kB"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the known word nearest to `word`, or lists the few there are."""
    words = sorted(set(known))
    near = [other for other in words if other.casefold() == word.casefold()]
    if not near and len(words) <= MANY:
        near = difflib.get_close_matches(word[:200], words, n=1, cutoff=0.6)
    if near:
        return f"did you mean '{near[0]}'?"
    if 0 < len(words) <= 8:
        return f"known: {', '.join(words)}"
    return ""
