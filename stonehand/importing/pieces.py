"""What a rules text is read as, whatever file it comes from: pieces in the order of the text.

A piece is a heading, a paragraph, an item of a list, a cell of a table or the caption of a figure,
its words in the inline notation of rules. Nothing is known of a game here.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from stonehand.source.problems import Location
from stonehand.typesetting import markup

Kind = Literal["heading", "paragraph", "item", "cell", "caption"]
_SPACE = re.compile(r"[ \t\r\n\x0b\x0c]+")  # but not those that keep words together


class Piece(NamedTuple):
    """A piece of a rules text.

    `level` is that of a heading (1 the title, 0 not told) or the depth of an item, from 0; `id`
    that of a heading as it is written, without its separators, such as `A_01`, `A`, `1.2` or `3`;
    `cell` are row and column, from 0. `box` is the kind of box that the piece stands in.
    """

    kind: Kind
    text: str
    at: Location
    level: int = 0
    id: str = ""
    numbered: bool = False
    cell: tuple[int, int] = (0, 0)
    box: str = ""


class Manuscript(msgspec.Struct, frozen=True):
    """A rules text that was read: its file, its pieces, and what was left out, with places."""

    file: str
    pieces: tuple[Piece, ...]
    left_out: tuple[tuple[Location, str], ...] = ()


class Part(msgspec.Struct):
    """A heading, if there is one, and the pieces below it up to the next."""

    heading: Piece | None
    pieces: list[Piece] = []


def parts_of(pieces: Iterable[Piece]) -> list[Part]:
    """Return the parts of a text, the first of them without a heading if the text begins so."""
    parts: list[Part] = []
    for piece in pieces:
        if piece.kind == "heading":
            parts.append(Part(piece))
        else:
            if not parts:
                parts.append(Part(None))
            parts[-1].pieces.append(piece)
    return parts


def is_title(first: Piece, others: Iterable[Piece]) -> bool:
    """Tell whether the first heading of a text is the title of the book, by those that follow."""
    levels = {piece.level for piece in others if not piece.id}
    return bool(first.text and not first.id) and (first.level == 0 or first.level not in levels)


# --- ids

_SEPARATOR = r"[_.\-\u2010-\u2013·]"
_AFTER = r"(?:[.):]*(?:\s*[\u2013\u2014:-])?\s+|[.):]*\Z)"
_IDS = (
    rf"(?P<letter>[^\W\d_])(?:{_SEPARATOR})?0*(?P<number>\d{{1,2}}){_AFTER}",
    rf"§?\s*(?P<section>\d{{1,2}})\.0*(?P<number>\d{{1,2}}){_AFTER}",
    rf"§\s*(?P<section>\d{{1,2}}){_AFTER}",
    rf"(?P<letter>[^\W\d_])(?:[.):]|\s[\u2013\u2014-](?=\s)|(?=\Z)){_AFTER}",
    rf"(?P<section>\d{{1,2}})(?:[.):]|\s[\u2013\u2014-](?=\s)){_AFTER}",
)
_FOUND = [re.compile(pattern) for pattern in _IDS]
_ATTRIBUTES = re.compile(r"\s*\{#([\w-]+)(?:\s+optional)?\}\s*\Z")
LIKE_LATIN = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХ", "ABEZHIKMNOPTYXABEKMHOPCTX")
ALPHABETS = ("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩ")


def split_id(words: str, pattern: re.Pattern[str] | None = None) -> tuple[str, str]:
    """Return the id that a heading begins with, or `""`, and the words after it.

    `pattern` is one of the user's own, looked for first: its first group, or all of it, is the id.
    """
    if own := _ATTRIBUTES.search(words):
        name, rest = own[1], words[: own.start()]
        again, without = split_id(rest, pattern)
        return name, without if again and canonical(again) == canonical(name) else rest
    if pattern and (match := pattern.match(words)) and match[0]:
        name = next(filter(None, match.groups()), match[0])
        inner, _ = split_id(name) if name else ("", "")
        return inner or name.strip(), words[match.end() :].lstrip(" .):–—-")
    for known in _FOUND:
        if match := known.match(words):
            groups = match.groupdict()
            letter, section = groups.get("letter"), groups.get("section")
            number = groups.get("number")
            if letter and not letter.isupper():
                continue
            if letter:
                name = f"{letter}_{int(number):02}" if number else letter
            else:
                name = f"{int(section or 0)}.{int(number)}" if number else str(int(section or 0))
            return name, words[match.end() :].strip()
    return "", words


def canonical(name: str, letters: Callable[[str], str] | None = None) -> str:
    """Return an id with a Latin letter for its section: `1.2` is `A_02`, `3` is `C`."""
    if match := re.fullmatch(r"(\d{1,2})(?:\.(\d{1,2}))?", name):
        section = int(match[1])
        if not 1 <= section <= 26:
            return name
        letter = chr(ord("A") + section - 1)
        return f"{letter}_{int(match[2]):02}" if match[2] else letter
    if re.fullmatch(r"[^\W\d_](_\d\d)?", name):
        letter = letters(name[0]) if letters else name[0].translate(LIKE_LATIN)
        return f"{letter}{name[1:]}"
    return name


def lettering(pieces: Sequence[Piece]) -> Callable[[str], str]:
    """Return what makes Latin letters of those that sections have in a text.

    Letters that only look Latin are taken for these, unless the text has others of their alphabet:
    then Γ is the third section.
    """
    used = {piece.id[0] for piece in pieces if re.fullmatch(r"[^\W\d_](_\d\d)?", piece.id)}
    for alphabet in ALPHABETS:
        if any(c in alphabet and c == c.translate(LIKE_LATIN) for c in used):
            return lambda c: chr(ord("A") + alphabet.index(c)) if c in alphabet else c
    return lambda c: c.translate(LIKE_LATIN)


# --- words in the notation of rules

_KEEP = re.compile(
    r"(\[\[[\w.-]+(?:\|[^\[\]|]*[^\s\[\]|][^\[\]|]*)?\]\]|\{count(?: kind=[\w-]+)?\})"
)
_ESCAPE = re.compile(
    r"""\\(?=[!-/:-@\[-`{-~]|\Z) | [*`] | (?<![^\W_])_ | _(?![^\W_]) | <(?=[a-zA-Z/!?])
    | \[(?=\[) | (?<=\[)\[ | \](?=[(\]]) | (?<=\])\] | &(?=\#?\w{1,31};)
    | (?<!\\):(?=[a-z][a-z0-9_-]*:)
    """,
    re.VERBOSE,
)
_DROPPED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060\ufeff\ue000-\uf8ff]")
_BRACES = str.maketrans("{}", "()")


def cleaned(text: str) -> str:
    """Return a text without what can't be printed or is not seen: controls, soft hyphens."""
    return _DROPPED.sub("", text)


def spaced(text: str) -> str:
    """Return a text with one space where white space was, and none at its ends."""
    return _SPACE.sub(" ", text).strip(" ")


def escaped(text: str) -> str:
    """Return plain words as the notation writes them; references and values in it stay.

    Braces become parentheses, since the notation has no way to print them.
    """
    pieces = _KEEP.split(text)
    for i in range(0, len(pieces), 2):
        pieces[i] = _ESCAPE.sub(r"\\\g<0>", pieces[i].translate(_BRACES))
    return "".join(pieces)


def notation(spans: Iterable[tuple[str, bool, bool]]) -> str:
    """Return words with their voices (text, strong, emphasised) in the notation of rules.

    White space goes out of the marks, which must touch letters. Marks that would not be read as
    such, as behind a bracket within a word, are left away.
    """
    joined: list[tuple[str, bool, bool]] = []
    for text, strong, emphasis in spans:
        voice = (strong, emphasis)
        if joined and (joined[-1][1:] == voice or not text.strip()):
            joined[-1] = (joined[-1][0] + text, *joined[-1][1:])
        elif text:
            joined.append((text, *voice))
    made = plain = ""
    voices = 0
    for text, strong, emphasis in joined:
        words = text.strip()
        mark = ("**" if strong else "") + ("*" if emphasis else "")
        before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        inner = escaped(words)
        plain += before + inner + after if words else text
        made += f"{before}{mark}{inner}{mark[::-1]}{after}" if words else text
        voices += bool(mark and words)
    made, plain = spaced(made), spaced(plain)
    read = [s for s in markup.parse(made) if s.strong or s.emphasis]
    whole = all(mark not in "".join(s.text for s in markup.parse(made)) for mark in ("**",))
    return made if len(read) == voices and whole else plain


# --- boxes that a word begins

_LABEL = re.compile(r"(\*{0,3})([^\W\d][^.:*]{0,30}?)\s?(\d{0,2})([.:]?)(\*{0,3})([.:]?)(?:\s+|\Z)")


def boxed(pieces: Sequence[Piece], labels: dict[str, str]) -> list[Piece]:
    """Return pieces with what begins with the name of a box, such as `Example:`, set in one.

    `labels` has the kinds of boxes by name in small letters. The name is not part of the text.
    """
    made: list[Piece] = []
    waiting = ""
    for piece in pieces:
        match = _LABEL.match(piece.text) if piece.kind in ("paragraph", "heading") else None
        box = labels.get(match[2].casefold(), "") if match and not piece.id else ""
        rest = piece.text[match.end() :] if match else ""
        if match and box and not rest:
            waiting = box
        elif match and box and (match[4] or match[6]) and match[1] == match[5][::-1]:
            made.append(piece._replace(kind="paragraph", text=rest, box=piece.box or box))
            waiting = ""
        else:
            in_box = waiting if piece.kind != "heading" else ""
            made.append(piece._replace(box=piece.box or in_box))
            waiting = in_box if piece.kind == "item" else ""
    return made
