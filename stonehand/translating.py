"""What translators work with: the PO files of a game, brought up to date, counted and checked.

A game, its rules and its termbase come in, read by others; what is written goes through `Staged`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from stonehand.cards.deck import LoadedGame
from stonehand.language import checks, po
from stonehand.language.languages import Language
from stonehand.language.translation import read_translation, report_doubled
from stonehand.language.update import Wanted, is_translated, new_file, updated
from stonehand.output.files import Staged
from stonehand.rules import inline
from stonehand.rules.blocks import Rulebook
from stonehand.rules.terms import Term
from stonehand.source.files import TEXT_LIMIT, read_bytes, shown, there
from stonehand.source.problems import Location, Problems, counted, fault
from stonehand.source.text import Text
from stonehand.typesetting import markup

Terms = Mapping[str, Term]


def wanted(game: LoadedGame, rules: Rulebook | None) -> list[Wanted]:
    """Return every message of a game, those of its cards first, then those of its rules."""
    root = game.folder.root.resolve()

    @cache
    def told(file: str) -> str:
        path = Path(file).resolve()
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else file

    found = [Wanted(message, (), told(message.at.file)) for message in game.messages()]
    for message in rules.messages() if rules else ():
        notes = rules.notes.get((message.context, str(message)), ()) if rules else ()
        found.append(Wanted(message, notes, told(message.at.file), of_rules=True))
    return list({item.key: item for item in reversed(found)}.values())[::-1]


def translation_of(
    game: LoadedGame,
    language: str,
    read: Callable[[Path, str], po.PoFile | None] = read_translation,
) -> po.PoFile:
    """Return a game's PO file of a language, or one without entries; faults are raised together.

    `read` reads the file.
    """
    return read(game.folder.translation(language), language) or new_file(game.name, language)


# --- bring up to date


def update(
    game: LoadedGame,
    messages: Sequence[Wanted],
    terms: Terms,
    languages: Sequence[str],
    staged: Staged,
    problems: Problems,
) -> list[str]:
    """Write the PO files of some languages and the template; return what was done, a line each."""
    made = []
    for language in languages:
        with problems.gather():
            new = brought_up(game, messages, terms, language)
            path = game.folder.translation(language)
            done = write(path, new, staged)
            made.append(f"{shown(path)}: {_told(new) if done else 'up to date'}")
    path, template = template_of(game, messages)
    done = write(path, template, staged)
    made.append(f"{shown(path)}: {counted(len(messages), 'message') if done else 'up to date'}")
    return made


def brought_up(
    game: LoadedGame, messages: Sequence[Wanted], terms: Terms, language: str
) -> po.PoFile:
    """Return a game's PO file of a language with exactly its messages, as translators get them.

    What a table has a translation for is not asked for again.
    """
    old = translation_of(game, language)
    _check_own(old, messages)
    asked = [item for item in messages if language not in item.message.given]
    named = [_with_terms(item, terms, game.source_language, language) for item in asked]
    return updated(old, named)


def template_of(game: LoadedGame, messages: Sequence[Wanted]) -> tuple[Path, po.PoFile]:
    """Return the template for other languages, and where it belongs."""
    path = game.folder.translation(game.source_language).with_name(f"{game.name}.pot")
    return path, updated(new_file(game.name, ""), messages)


def _check_own(file: po.PoFile, messages: Sequence[Wanted]) -> None:
    """Raise the fault of a file of which nothing belongs to the game: all would become obsolete."""
    contexts = {item.message.context for item in messages}
    used = [e for e in file.entries if not e.obsolete and is_translated(e)]
    if used and not any(str(entry.context) in contexts for entry in used):
        at = Location(file.file, 1, 1)
        raise fault(at, "no entry belongs to this game", "is it the file of another one?")


def _with_terms(item: Wanted, terms: Terms, source: str, language: str) -> Wanted:
    """Return a message with a comment for each term that it refers to."""
    if not item.of_rules:
        return item
    comments = []
    for target, _ in _notation(item.message, rules=True).words:
        stems = terms[target].stems if target in terms else {}
        if source in stems and stems.get(language):
            comments.append(f"term: {stems[source][0]} = {stems[language][0]}")
    return item._replace(comments=(*item.comments, *dict.fromkeys(comments)))


def write(path: Path, file: po.PoFile, staged: Staged | None) -> bool:
    """Write a PO file if that changes it; tell whether it does. Without `staged`, only tell."""
    data = po.write(file).encode()
    if there(path) and read_bytes(path, TEXT_LIMIT) == data:
        return False
    if staged:
        staged.write(path, data)
    return True


def _told(file: po.PoFile) -> str:
    used = [entry for entry in file.entries if not entry.obsolete]
    fuzzy = sum(entry.fuzzy for entry in used)
    missing = sum(not is_translated(entry) for entry in used)
    gone = len(file.entries) - len(used)
    parts = [counted(len(used), "message"), f"{missing} missing", f"{fuzzy} fuzzy"]
    return ", ".join([*parts, f"{gone} obsolete"])


# --- count


class Status(msgspec.Struct, frozen=True):
    """How far a translation has come: numbers of messages."""

    total: int
    translated: int
    fuzzy: int

    @property
    def missing(self) -> int:
        """How many messages have no translation at all."""
        return self.total - self.translated - self.fuzzy

    @property
    def percent(self) -> float:
        """How much is translated, rounded down: 100 means all."""
        return 1000 * self.translated // self.total / 10 if self.total else 100.0


def status(file: po.PoFile, messages: Sequence[Wanted]) -> dict[str, Status]:
    """Count what a PO file, or a table, holds of the messages of `cards`, of `rules`, of `all`."""
    language = file.header.get("Language", "")
    given = [item for item in messages if language in item.message.given]
    asked = [item for item in messages if language not in item.message.given]
    fresh = updated(file, asked).entries[: len(asked)]
    counted: dict[str, Status] = {}
    for part, taken in (("cards", {False}), ("rules", {True}), ("all", {False, True})):
        of_part = [e for e, item in zip(fresh, asked, strict=True) if item.of_rules in taken]
        done = [entry for entry in of_part if is_translated(entry)]
        fuzzy = sum(entry.fuzzy for entry in done)
        beside = sum(item.of_rules in taken for item in given)
        counted[part] = Status(len(of_part) + beside, len(done) + beside - fuzzy, fuzzy)
    return counted


# --- check


def check(
    file: po.PoFile,
    messages: Sequence[Wanted],
    terms: Terms,
    language: Language,
    source: str,
    problems: Problems,
    *,
    unknown: bool = True,
) -> int:
    """Report what the checks find in a translation; return how many texts were looked at.

    What is fuzzy or missing is not: that is told by the status. `unknown` tells whether to report
    entries of no text, or of one that a table translates.
    """
    by_key = {item.key: item for item in messages}
    contexts = {context for context, _ in by_key}
    stems = {key: term.stems.get(str(language.code), ()) for key, term in terms.items()}
    house = checks.House(language, stems, source)
    pairs: list[checks.Pair] = []
    for entry in file.entries:
        if entry.obsolete or entry.fuzzy or not is_translated(entry):
            continue
        item = by_key.get((str(entry.context), str(entry.source)))
        if item is None:
            if unknown:
                _report_unknown(entry, contexts, problems)
        elif language.code in item.message.given:
            if unknown:
                report_doubled(entry, item.message.given[language.code], problems)
        else:
            with problems.gather():
                pairs += pairs_of(entry, item)
    for item in messages:
        if given := item.message.given.get(language.code):
            entry = po.Entry(
                source=item.message, context=Text(item.message.context), translation=given
            )
            with problems.gather():
                pairs += pairs_of(entry, item)
    for pair in pairs:
        for code, finding in checks.findings(pair, house):
            _report(problems, code, pair, finding)
    for pair, finding in checks.inconsistent(pairs):
        _report(problems, "consistency", pair, finding)
    for text, finding in checks.lacking_plurals(file):
        problems.finding("plurals", text.at, finding.message, finding.hint)
    return len(pairs)


def _report(problems: Problems, code: str, pair: checks.Pair, finding: checks.Finding) -> None:
    problems.finding(code, pair.text.at, f"'{pair.context}': {finding.message}", finding.hint)


def _report_unknown(entry: po.Entry, contexts: set[str], problems: Problems) -> None:
    if str(entry.context) in contexts:
        what = f"the source has no such text in '{entry.context}' any more"
        problems.finding(
            "unused-translation", entry.source.at, what, "run 'stonehand translate update'"
        )
    else:
        at = entry.context.at if entry.context else entry.source.at
        problems.finding("unused-translation", at, f"no text has the context '{entry.context}'")


def pairs_of(entry: po.Entry, item: Wanted) -> Iterator[checks.Pair]:
    """Yield what is to be checked of an entry: its translation, or each of its plural forms."""
    first = [entry.source] if len(entry.plurals) > 1 else []
    sources = [*first, *[entry.plural] * len(entry.plurals)] if entry.plural else [entry.source]
    context = str(entry.context)
    notes = [note.strip() for note in (*entry.flags, *entry.translator_comments)]
    kind = item.comments[0] if item.of_rules and item.comments else context.rpartition(".")[2]
    for source, text in zip(sources, entry.plurals or (entry.translation,), strict=False):
        if text and source is not None:
            yield checks.Pair(
                context=context,
                kind=kind,
                source=_notation(source, rules=item.of_rules),
                translation=_notation(text, rules=item.of_rules),
                source_text=str(source),
                text=text,
                words_for_figures="numbers-as-words" in notes,
            )


@lru_cache(maxsize=8192)  # source texts are taken apart once for all languages
def _notation(text: Text, *, rules: bool) -> checks.Notation:
    """Take a text apart: that of a card has emphasis and icons, that of rules references too."""
    parts: list[inline.Part] = inline.parse(text) if rules else [inline.Words(str(text))]
    references = [part for part in parts if isinstance(part, inline.Reference)]
    protected = inline.protected_parts(parts)
    outside = " ".join(part.text for part in parts if isinstance(part, inline.Words))
    printed = "".join(_shown(part) for part in parts)
    spans = markup.parse(printed)
    protected.update(f":{span.icon}:" for span in spans if span.icon)
    return checks.Notation(
        outside=outside,
        printed="".join(span.text for span in spans),
        protected=protected,
        words=tuple((reference.target, reference.words) for reference in references),
        voices=(
            sum(span.strong and not span.icon for span in spans),
            sum(span.emphasis and not span.icon for span in spans),
        ),
        loose=sum(span.text.count(mark) for span in spans for mark in "*_"),
    )


def _shown(part: inline.Part) -> str:
    """Return a part as letters that stand for what is printed."""
    if isinstance(part, inline.Words):
        return part.text
    if isinstance(part, inline.Reference):
        return part.words or part.target.replace("_", "")
    return "0"
