"""One run for an existing rulebook: aligned with the rules source, its words put into a PO file."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from stonehand.importing import align, text
from stonehand.importing.compare import Sides
from stonehand.importing.outcome import FUZZY, KEPT, LACKING, LEFT_OUT, MISSING, UNPLACED, Outcome
from stonehand.importing.pieces import Manuscript, Piece, boxed, lettering, parts_of
from stonehand.importing.restore import Guide, restored
from stonehand.importing.slots import SourcePart, source_parts
from stonehand.language import checks, po
from stonehand.language.languages import Language
from stonehand.language.update import Key, Wanted, is_translated
from stonehand.rules.blocks import Rulebook
from stonehand.source.codes import CODES
from stonehand.source.files import shown
from stonehand.source.problems import Location, StonehandError, fault
from stonehand.source.text import Text
from stonehand.translating import Terms, pairs_of

MARK = "import: "  # what the comments of an import begin with
BOXES = ("example", "note", "tip", "optional")
SUFFIXES = {".md": True, ".markdown": True, ".txt": False, ".text": False, "": False}


def read(path: Path, id_pattern: re.Pattern[str] | None = None) -> Manuscript:
    """Return the pieces of a text, Markdown or DOCX file, told apart by the suffix."""
    suffix = path.suffix.casefold()
    if suffix == ".docx":
        from stonehand.importing.docx import read_docx

        return read_docx(path, id_pattern)
    if suffix not in SUFFIXES:
        hint = "save it as .docx, .md or .txt"
        raise fault(Location(shown(path)), f"'{suffix}' files can't be imported", hint)
    return text.read_manuscript(path, markdown=SUFFIXES[suffix], id_pattern=id_pattern)


def labels(languages: Sequence[Language]) -> dict[str, str]:
    """Return the kinds of boxes by what they are called in some languages, in small letters."""
    return {
        str(language.words[Text(box)]).casefold(): box
        for language in languages
        for box in BOXES
        if Text(box) in language.words
    }


class Task(msgspec.Struct, frozen=True):
    """What a rulebook is aligned with: the source and what is known of both languages."""

    rules: Rulebook
    messages: Sequence[Wanted]
    terms: Terms
    language: Language
    source_language: str
    theirs: Guide
    ours: Guide


def fill(
    task: Task,
    manuscript: Manuscript,
    file: po.PoFile,
    names: Mapping[str, str],
    *,
    overwrite: bool = False,
) -> tuple[po.PoFile, Outcome]:
    """Return a PO file that is up to date with what a text brings, and what was done.

    `names` are the kinds of boxes by their names, see `labels`.
    """
    pieces = boxed(manuscript.pieces, dict(names))
    if not pieces:
        raise fault(Location(manuscript.file), "there is no text in it")
    outcome = Outcome()
    parts = source_parts(task.rules)
    letters = lettering(pieces)
    entries = {(str(e.context), str(e.source)): e for e in file.entries if not e.obsolete}
    known = [(part.id, said) for part in parts if (said := _heading(part, entries))]
    sides = Sides(task.ours, task.theirs.stems, letters)
    found = align.align(parts, parts_of(pieces), sides, known)
    headings = {id(part.heading) for part in parts}  # a cell may have the words of a heading
    titles = dict(known) | {
        pair.message.context: pair.pieces[0].text
        for pair in found.pairs
        if id(pair.message) in headings
    }
    theirs = msgspec.structs.replace(task.theirs, titles=titles, letters=letters)
    made = _entries(found.pairs, entries, task, theirs)
    filled = {key: _kept(entries[key], new, overwrite, outcome) for key, new in made.items()}
    for at, what in manuscript.left_out:
        outcome.tell(LEFT_OUT, f"{at}: {what}")
    for part in found.missing:
        words = part.heading or next((slot.message for slot in part.slots), "")
        outcome.tell(MISSING, f"{part.id}: {first_line(words)}" if words else part.id)
    for piece in found.unplaced:
        outcome.tell(UNPLACED, f"{piece.at}: {first_words(piece)}")
    gone = {part.id for part in found.missing}
    for item in task.messages:
        if item.of_rules and item.key not in filled:
            there = is_translated(entries[item.key])
            outcome.counts["not in the text" if there else "missing"] += 1
            if item.message.context not in gone:
                outcome.tell(LACKING, f"{item.message.context}: {first_line(item.message)}")
    new = tuple(
        e if e.obsolete else filled.get((str(e.context), str(e.source)), e) for e in file.entries
    )
    return replace(file, entries=new), outcome


def _entries(
    pairs: Sequence[align.Pair], entries: Mapping[Key, po.Entry], task: Task, theirs: Guide
) -> dict[Key, po.Entry]:
    """Return the entries of what is aligned, with their translations."""
    by_key = {item.key: item for item in task.messages}
    made: dict[Key, po.Entry] = {}
    for pair in pairs:
        key = (pair.message.context, str(pair.message))
        said = " ".join(piece.text for piece in pair.pieces if piece.text)
        if key not in entries or not said:  # a title without words, an empty cell
            continue
        if key in made:
            _again(made, key, said, task, theirs)
        else:
            made[key] = _entry(entries[key], by_key[key], pair, said, task, theirs)
    return made


def first_words(piece: Piece) -> str:
    """Return what a piece begins with, with its id."""
    text = f"{piece.id} {piece.text}".strip()
    return text if len(text) <= 60 else f"{text[:59].rstrip()}…"


def _heading(part: SourcePart, entries: Mapping[Key, po.Entry]) -> str:
    """Return the good translation of a heading that is there already."""
    if part.heading is None:
        return ""
    entry = entries.get((part.heading.context, str(part.heading)))
    return str(entry.translation) if entry and not entry.fuzzy else ""


def _entry(
    old: po.Entry, item: Wanted, pair: align.Pair, said: str, task: Task, theirs: Guide
) -> po.Entry:
    """Return the entry of a message with its translation, marked as fuzzy if in doubt."""
    doubts = list(pair.doubts)
    if lead := _led(pair.message, said):
        said = lead
        doubts.append("the first words were made strong, as in the source")
    try:
        words, more = restored(pair.message, said, theirs, task.ours)
        doubts += more
        new = _filled(old, words, [])
        # what could not be put back is lacking: to tell it twice would not help
        skipped = ("references", "figures") if more else ()
        doubts += _faults(new, item, task, skipped)
    except StonehandError as error:
        doubts += [problem.message for problem in error.problems]
        return _filled(old, said, doubts)
    return _filled(old, words, doubts)


_LEAD = re.compile(r"\*\*([^*]+[.:!?])\*\* ")
_FIRST = re.compile(r"[^.:!?।;。]{2,}[.:!?।;。](?= )")


def _led(source: str, said: str) -> str:
    """Return a text that lost its emphasis with strong first words, if those of the source are.

    Plain text has no emphasis, but keeps the mark that ends such words.
    """
    lead, first = _LEAD.match(source), _FIRST.match(said)
    if lead is None or first is None or "*" in said or len(first[0]) > 2 * len(lead[1]) + 10:
        return ""
    return f"**{first[0]}**{said[first.end() :]}"


def _filled(old: po.Entry, words: str, doubts: Sequence[str]) -> po.Entry:
    comments = [c for c in old.translator_comments if not c.startswith(MARK)]
    flags = [flag for flag in old.flags if flag != "fuzzy"]
    return replace(
        old,
        translation=Text(words),
        flags=(*(("fuzzy",) if doubts else ()), *flags),
        translator_comments=(*comments, *(f"{MARK}{doubt}" for doubt in doubts)),
        previous_source=None,
        previous_context=None,
        previous_plural=None,
    )


def _faults(entry: po.Entry, item: Wanted, task: Task, skipped: Sequence[str]) -> list[str]:
    """Return what the checks of translations find that a reader would be misled by."""
    language = task.language
    stems = {key: term.stems.get(str(language.code), ()) for key, term in task.terms.items()}
    house = checks.House(language, stems, task.source_language)
    return [
        finding.message
        for pair in pairs_of(entry, item)
        for code, finding in checks.findings(pair, house)
        if code not in skipped and (CODES[code].severity == "error" or code == "voices")
    ]


def _again(done: dict[Key, po.Entry], key: Key, said: str, task: Task, theirs: Guide) -> None:
    """Mark a message that stands twice in a rule if the text says it in two ways."""
    entry = done[key]
    other = restored(entry.source, said, theirs, task.ours).text
    if other != entry.translation:
        done[key] = replace(
            entry,
            flags=tuple(dict.fromkeys(("fuzzy", *entry.flags))),
            translator_comments=(*entry.translator_comments, f"{MARK}also said as: {other}"),
        )


def _kept(old: po.Entry, new: po.Entry, overwrite: bool, outcome: Outcome) -> po.Entry:
    """Return an entry as it was, if that is good, else as the text has it."""
    good = is_translated(old) and not old.fuzzy
    if good and old.translation == new.translation:
        outcome.counts["the same"] += 1
        return old
    if good and not overwrite:
        outcome.counts["kept"] += 1
        outcome.tell(KEPT, f"{old.context}: {old.translation} | {new.translation}")
        return old
    outcome.counts["fuzzy" if new.fuzzy else "certain"] += 1
    if new.fuzzy:
        why = "; ".join(c.removeprefix(MARK) for c in new.translator_comments if c.startswith(MARK))
        outcome.tell(FUZZY, f"{new.context}: {first_line(new.translation)} ({why})")
    return new


def first_line(text: str) -> str:
    """Return the beginning of a text, for a line of a report."""
    return text if len(text) <= 50 else f"{text[:49].rstrip()}…"
