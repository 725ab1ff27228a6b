"""A rules source begun from a text: its sections, rules and blocks, written as `rules.md` has them.

Ids of the text are kept; where it has none they are made, in order. What can't be told from a text,
such as which of its numbers count cards, stays as it is written.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from stonehand.importing.outcome import LEFT_OUT, Outcome
from stonehand.importing.pieces import Manuscript, Piece, boxed, canonical, is_title, lettering
from stonehand.language.checks import folded
from stonehand.rules.blocks import Rulebook
from stonehand.rules.reading import parse_rules
from stonehand.source.problems import Location, Problems, fault

IDS = "Ids that were made"
REFERENCES = "Ids in the text that became references"
BOXES = ("example", "note", "tip", "optional")

_RULE_ID = re.compile(r"[A-Z]_\d\d")
_MENTION = re.compile(r"(?<![\w\[|])([^\W\d_])[_.\-\u2010-\u2013·]0*(\d{1,2})(?![\w|])")
_DOTTED = re.compile(r"(?<![\w.\[])(\d{1,2})\.0*(\d{1,2})(?![\w]|\.\d)")
_MARKS = re.compile(r"(?:[-+>|=~#]|:::|!\[\[)")  # what would begin another block
_NUMBER = re.compile(r"(\d{1,9})([.)])(?=\s|\Z)")


class Begun(NamedTuple):
    """The text of a rules source, and what there is to tell of it."""

    text: str
    outcome: Outcome


class _Head(NamedTuple):
    """A heading as the source has it: its level and id; no id is that of the title."""

    level: int
    id: str
    words: str


def begun(manuscript: Manuscript, game: str, language: str, names: Mapping[str, str]) -> Begun:
    """Return a rules source made from a text.

    `names` are the kinds of boxes by their names. Ids that are taken or out of order are faults at
    their place in the text.
    """
    outcome = Outcome()
    for at, what in manuscript.left_out:
        outcome.tell(LEFT_OUT, f"{at}: {what}")
    pieces = boxed(manuscript.pieces, dict(names))
    if not any(piece.text and piece.kind != "heading" for piece in pieces):
        raise fault(Location(manuscript.file), "there is no text in it")
    title = game
    for piece in pieces:
        if piece.kind == "caption":
            outcome.tell(LEFT_OUT, f"{piece.at}: the cards of a figure; its caption is a paragraph")
    headings = [piece for piece in pieces if piece.kind == "heading"]
    if headings and pieces[0] is headings[0] and is_title(headings[0], headings[1:]):
        title, pieces = pieces[0].text, pieces[1:]
    heads = _heads(pieces, outcome)
    _check_order(pieces, heads)
    known = {
        canonical(p.id, lettering(pieces)) if p.id else "": head.id
        for p, head in zip((p for p in pieces if p.kind == "heading"), heads, strict=True)
    }
    ids = frozenset(known.values())
    lines = [
        "---",
        f"game: {game}",
        f"language: {language}",
        "---",
        "",
        f"# {_plain(title) or game}",
    ]
    waiting = iter(heads)
    for heading, run in groupby(pieces, key=lambda piece: piece.kind == "heading"):
        if heading:
            lines += [line for _ in run for line in ("", _written(next(waiting)))]
            continue
        linked = [_linked(piece, ids, pieces, outcome) for piece in run]
        for box, inner in groupby(linked, key=lambda piece: piece.box):
            lines += _in_box(box, list(_blocks(list(inner))))
    return Begun("\n".join(lines) + "\n", outcome)


def checked(text: str, file: str, problems: Problems) -> Rulebook:
    """Return the rules of a text that was begun; what is wrong in it is reported."""
    rules = parse_rules(text, file, problems)
    problems.raise_errors()
    assert rules
    return rules


# --- headings


def _heads(pieces: Sequence[Piece], outcome: Outcome) -> list[_Head]:
    """Return the headings of a text with the levels and ids that they get."""
    headings = [piece for piece in pieces if piece.kind == "heading"]
    letters = lettering(headings)
    own = [canonical(piece.id, letters) for piece in headings]
    levels = _levels(headings, own)
    made: list[_Head] = []
    numbered = not any(_RULE_ID.fullmatch(name) or _is_letter(name) for name in own)
    used = {name for name in own if name} | {"title"}
    letter, count = "@" if numbered else "", 0  # the sign before A
    for i, (piece, level) in enumerate(zip(headings, levels, strict=True)):
        name = own[i]
        if not name and level < 4:
            if numbered and level == 2 and letter < "Z":
                letter, count = chr(ord(letter) + 1), 0
                name = letter
            elif numbered and level == 3 and letter >= "A" and count < 99:
                count += 1
                name = f"{letter}_{count:02}"
            else:
                by_rules = "" if numbered else _letter_of_rules(i, own, levels, used)
                name = by_rules or _slug(piece.text, used)
            used.add(name)
            outcome.tell(IDS, f"{piece.at}: {name} {piece.text}")
        made.append(_Head(level, name, piece.text))
    return made


def _levels(headings: Sequence[Piece], own: Sequence[str]) -> list[int]:
    """Return 2 for sections, 3 for rules and parts of sections, 4 for what is below those."""
    sections = [p.level for p, name in zip(headings, own, strict=True) if _is_letter(name)]
    told = [p.level for p in headings if p.level]
    top = max([level for level in sections if level], default=min(told, default=0))
    levels: list[int] = []
    for piece, name in zip(headings, own, strict=True):
        if _RULE_ID.fullmatch(name):
            levels.append(3)
        elif _is_letter(name):
            levels.append(2)
        elif not piece.level:
            levels.append(3 if 2 in levels else 2)
        else:
            levels.append(min(4, 2 + max(0, piece.level - top)))
    return levels


def _letter_of_rules(i: int, own: Sequence[str], levels: Sequence[int], used: set[str]) -> str:
    """Return the letter that the rules of a section have, if no section has it."""
    if levels[i] != 2:
        return ""
    for name, level in zip(own[i + 1 :], levels[i + 1 :], strict=True):
        if level == 2:
            return ""
        if _RULE_ID.fullmatch(name):
            return name[0] if name[0] not in used else ""
    return ""


def _is_letter(name: str) -> bool:
    return len(name) == 1 and "A" <= name <= "Z"


def _slug(words: str, used: set[str]) -> str:
    slug = re.sub(r"[\W_]+", "-", folded(words)).strip("-")[:40].strip("-") or "part"
    number = 1
    while (name := slug if number == 1 else f"{slug}-{number}") in used:
        number += 1
    return name


def _check_order(pieces: Sequence[Piece], heads: Sequence[_Head]) -> None:
    """Raise the faults of ids that are taken or out of order, at their places in the text."""
    problems = Problems()
    seen: dict[str, Piece] = {}
    section = rule = letter = ""
    for piece, head in zip((p for p in pieces if p.kind == "heading"), heads, strict=True):
        if head.level > 3:
            continue
        if head.id in seen:
            what = f"the id '{head.id}' is taken"
            problems.error(piece.at, what, f"first at {seen[head.id].at}")
            continue
        seen[head.id] = piece
        if head.level == 2:
            letter = head.id if _is_letter(head.id) else ""
        if _is_letter(head.id):
            if head.id < section:
                what = f"section '{head.id}' comes after section '{section}'"
                problems.error(piece.at, what, "put the sections in the order of their letters")
            section = max(section, head.id)
        elif _RULE_ID.fullmatch(head.id):
            if head.id < rule:
                what = f"rule '{head.id}' comes after rule '{rule}'"
                problems.error(piece.at, what, "put the rules in the order of their ids")
            if letter and head.id[0] != letter:
                problems.error(piece.at, f"rule '{head.id}' stands in section '{letter}'")
            rule = max(rule, head.id)
    problems.raise_errors()


def _written(head: _Head) -> str:
    words = _plain(head.words)
    if head.level > 3:
        return f"**{words}**" if words else ""
    if _RULE_ID.fullmatch(head.id):
        return f"### {head.id} {words}".rstrip()
    return f"{'#' * head.level} {words or head.id} {{#{head.id}}}"


def _plain(words: str) -> str:
    """Return the words of a heading, which has no references and no emphasis."""
    words = re.sub(r"\[\[[^\[\]|]*\|?([^\[\]]*)\]\]|\{[^{}]*\}", r"\1", words).strip()
    return words.replace("#", "\\#")  # at its ends it would be a mark of the heading


# --- blocks


def _linked(piece: Piece, ids: frozenset[str], pieces: Sequence[Piece], outcome: Outcome) -> Piece:
    """Return a piece with the ids of rules in its text as references."""
    letters = lettering(pieces)

    def reference(match: re.Match[str]) -> str:
        name = canonical(
            f"{match[1]}{'.' if match[1].isdigit() else '_'}{int(match[2]):02}", letters
        )
        if name not in ids:
            return match[0]
        outcome.tell(REFERENCES, f"{piece.at}: {match[0]} is [[{name}]]")
        return f"[[{name}]]"

    text = _MENTION.sub(reference, piece.text)
    if any(re.fullmatch(r"\d+\.\d+", other.id) for other in pieces):
        text = _DOTTED.sub(reference, text)
    return piece._replace(text=text.replace("]](", "]]\\("))  # which would be a link


def _in_box(box: str, lines: list[str]) -> list[str]:
    return ["", f"::: {box}", *lines[1:], ":::"] if box in BOXES else lines


def _blocks(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield the lines of paragraphs, lists and tables, an empty one before each."""
    for kind, run in groupby(pieces, key=lambda piece: piece.kind):
        if kind == "item":
            yield from _list(list(run))
        elif kind == "cell":
            yield from _table(list(run))
        else:
            for piece in run:
                yield from ("", _safe(piece.text))


def _safe(text: str) -> str:
    """Return a paragraph whose first letters begin no other block."""
    if _MARKS.match(text):
        return f"\\{text}"
    return _NUMBER.sub(r"\1\\\2", text, count=1) if _NUMBER.match(text) else text


def _list(items: Sequence[Piece]) -> Iterator[str]:
    stack: list[tuple[int, int, bool, int]] = []  # level, indent of its marks, numbered, count
    for item in items:
        while len(stack) > 1 and item.level < stack[-1][0]:
            stack.pop()
        if not stack:
            stack.append((item.level, 0, item.numbered, 0))
            yield ""
        elif item.level > stack[-1][0]:
            indent = stack[-1][1] + (3 if stack[-1][2] else 2)
            stack.append((item.level, indent, item.numbered, 0))
        elif item.numbered != stack[-1][2]:
            stack[-1] = (item.level, stack[-1][1], item.numbered, 0)
            yield ""
        level, indent, numbered, count = stack[-1]
        stack[-1] = (level, indent, numbered, count + 1)
        mark = f"{count + 1}." if numbered else "-"
        yield f"{' ' * indent}{mark} {_safe(item.text)}"


def _table(cells: Sequence[Piece]) -> Iterator[str]:
    rows: list[list[str]] = []
    for number, run in groupby(cells, key=lambda cell: cell.cell[0]):
        if number == 0 and rows:  # another table right below
            yield from _rows(rows)
            rows = []
        rows.append([cell.text.replace("|", "\\|") for cell in run])
    yield from _rows(rows)


def _rows(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    width = max(map(len, rows))
    yield ""
    for i, row in enumerate(rows):
        yield f"| {' | '.join([*row, *[''] * (width - len(row))])} |"
        if i == 0:
            yield f"|{'---|' * width}"
