"""Findings that are right but not wanted: silenced where they are, with a reason.

A comment silences findings of its line, or alone on a line those of the next, in a PO file those
of its entry:

    - {id: a1, name: Ant, art: ant}     # unchecked: coarse-picture - drawn in pixels on purpose

In Markdown it is written `<!-- unchecked: CODE - REASON -->`. What can't have a comment is told in
`game.yaml`. What can't be read or printed at all can't be silenced.
"""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from stonehand.source.codes import CODES, STOPPING
from stonehand.source.files import TEXT_LIMIT, read_bytes
from stonehand.source.problems import Location, Problem, Problems, StonehandError

_COMMENT = re.compile(
    r"(?P<before>.*?)(?:#|<!--)\s*unchecked:\s*(?P<codes>[\w-]+(?:\s*,\s*[\w-]+)*)"
    r"(?:\s+[-\u2013\u2014]\s+(?P<reason>.*?))?\s*(?:-->)?\s*"
)
_TEXTS = (".yaml", ".po", ".md", ".svg")


class Silence(NamedTuple):
    """What silences findings of a code, in files of a pattern or at lines of one; and why."""

    code: str
    reason: str
    at: Location
    files: str = "*"
    lines: range | None = None

    def covers(self, problem: Problem) -> bool:
        """Tell whether a finding is silenced by it."""
        file, line, *_ = problem.location
        if problem.code != self.code or (self.lines is not None and line not in self.lines):
            return False
        return fnmatchcase(file, self.files) or fnmatchcase(file, f"*/{self.files}")


class Silences:
    """All silences of a run: those that games declare, and the comments of files with findings."""

    def __init__(self) -> None:
        self.declared: list[Silence] = []
        self.used: set[Silence] = set()
        self._files: dict[str, list[Silence]] = {}

    def of(self, problem: Problem) -> Silence | None:
        """Return what silences a problem, if something does."""
        if not problem.code or problem.code in STOPPING:
            return None
        for silence in (*self.comments(problem.location.file), *self.declared):
            if silence.covers(problem):
                self.used.add(silence)
                return silence
        return None

    def comments(self, file: str) -> list[Silence]:
        """Return the silences of a file, by the name that problems have for it."""
        if file not in self._files:
            self._files[file] = list(_comments(file)) if file.endswith(_TEXTS) else []
        return self._files[file]

    def check(self, files: Iterable[str], problems: Problems) -> None:
        """Report silences in these files, and declared ones, that have no reason or no effect."""
        found = [silence for file in files for silence in self.comments(file)]
        for silence in dict.fromkeys((*found, *self.declared)):
            if silence.code not in CODES:
                what = f"there is no code '{silence.code}'"
                problems.finding("nothing-silenced", silence.at, what)
            elif silence not in self.used:
                what = f"nothing here is silenced by '{silence.code}'"
                problems.finding("nothing-silenced", silence.at, what, "remove it")
            elif not silence.reason:
                hint = f"write 'unchecked: {silence.code} - why'"
                problems.finding("no-reason", silence.at, "silenced without a reason", hint)


def _comments(file: str) -> Iterator[Silence]:
    try:
        lines = read_bytes(Path(file), TEXT_LIMIT).decode("utf-8", "replace").splitlines()
    except StonehandError:
        return
    for number, line in enumerate(lines, 1):
        if "unchecked:" not in line or not (match := _COMMENT.fullmatch(line)):
            continue
        end = number + 1
        if not match["before"].strip():
            # of the next line that is no comment; in a PO file, of the entry
            for following in lines[number:]:
                end += 1
                comment = following.lstrip().startswith(("#", "<!--"))
                if not following.strip() or not (comment or file.endswith(".po")):
                    break
        at = Location(file, number, match.start("codes") + 1)
        for code in re.split(r"\s*,\s*", match["codes"]):
            yield Silence(code, match["reason"] or "", at, file, range(number, end))
