r"""Translations as gettext PO files: a strict reader, and a writer that leaves nothing to taste.

A text goes in, a `PoFile` of frozen entries comes out, every text with its place; `write` turns it
back. The common readers are too kind for what is to be printed: polib reads an unclosed quote as an
empty translation and glues a stray line to the one above, babel drops previous texts and dates what
it writes. Here every fault of a file is an error at its line and column, and nothing that was read
is lost on writing; so a comment that belongs to no entry is a fault, too.

What is written has the form of `msgcat --no-wrap`: a text breaks after each `\n` and nowhere else.
The format: GNU gettext manual, "The Format of PO Files".
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from stonehand.source.files import read_text, shown
from stonehand.source.problems import Location, Problems, did_you_mean, fault
from stonehand.source.text import Text

_ESCAPES = dict(zip('abtnvfr"\\', '\a\b\t\n\v\f\r"\\', strict=True))
_ESCAPED = {ord(character): f"\\{letter}" for letter, character in _ESCAPES.items()}
_SPECIAL = re.compile(r'["\\\x00-\x1f\x7f-\x9f\ud800-\udfff]')
_UNWRITABLE = re.compile(r"[\x00-\x06\x0e-\x1f\x7f-\x9f\ud800-\udfff]")

# possessive, so that a hostile line costs no more than its length
_PLAIN = r'[^"\\\x00-\x1f\x7f-\x9f]*+'
_QUOTED = rf'{_PLAIN}(?:\\[abtnvfr"\\]{_PLAIN})*+'
_KEYWORD = r"msgctxt|msgid_plural|msgid|msgstr(?:\[[0-9]{1,3}\])?"
_MARK = r"(#~\||#~|#\||)[ \t]*+"
_LINE = re.compile(rf'{_MARK}({_KEYWORD}|)[ \t]*+"({_QUOTED})"[ \t]*+')
_LINE_HEAD = re.compile(rf'{_MARK}([^\s"]*)[ \t]*')
_ESCAPE = re.compile(r"\\(.)")

_USUAL = {("msgid", "msgstr"), ("msgctxt", "msgid", "msgstr")}
_NEXT = {"msgctxt": "msgid", "msgid": "msgstr", "msgid_plural": "msgstr[0]"}

# a file name with spaces stands between U+2068 and U+2069, as gettext writes it
_REFERENCE = re.compile(r"(?:\u2068[^\u2068\u2069]*+\u2069|\S)++")
_NPLURALS = re.compile(r"nplurals\s*=\s*([1-9])\b", re.ASCII)
_CHARSET = re.compile(r"charset\s*=\s*([^\s;]*)")

_NOTHING = Text("", empty=True)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One message: the text of the source in a context, and its translation.

    A text that was not written is `empty`: the context of an entry without one, the translation
    of one with plurals. Comments are lines without their marks. The previous texts are those for
    which a fuzzy translation was made.
    """

    source: Text
    context: Text = _NOTHING
    translation: Text = _NOTHING
    plural: Text | None = None
    plurals: tuple[Text, ...] = ()
    flags: tuple[str, ...] = ()
    translator_comments: tuple[str, ...] = ()
    extracted_comments: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    previous_context: Text | None = None
    previous_source: Text | None = None
    previous_plural: Text | None = None
    obsolete: bool = False

    @property
    def fuzzy(self) -> bool:
        """Whether the translation was made for another text and awaits a translator."""
        return "fuzzy" in self.flags


class PoFile(msgspec.Struct, frozen=True, kw_only=True):
    """A translation file: its name as people see it, the header's fields, the entries in order.

    `preamble` holds the comment lines above the header as they stand there, `#` included.
    """

    file: str
    header: Mapping[str, Text]
    entries: tuple[Entry, ...] = ()
    preamble: tuple[str, ...] = ()

    @property
    def plural_count(self) -> int | None:
        """How many plural forms the header gives the language; None if it does not say."""
        found = _NPLURALS.search(self.header.get("Plural-Forms", ""))
        return int(found[1]) if found else None


def read(path: Path) -> PoFile:
    """Return the content of a PO file; all its faults are raised together."""
    return parse(read_text(path), shown(path))


def parse(text: str, file: str) -> PoFile:
    """Return the content of a PO text; `file` is the name that its places carry."""
    problems = Problems()
    po = _Reader(file, problems).po_file(text.replace("\r\n", "\n").split("\n"))
    problems.raise_errors()
    return po


_Texts = dict[str, tuple[Location, list[str]]]  # by keyword: the place, the quoted parts


class _Draft:
    """An entry while it is read."""

    __slots__ = ("faulty", "notes", "obsolete", "previous", "texts", "translated")

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.texts: _Texts = {}
        self.previous: _Texts = {}
        self.obsolete = False
        self.translated = False
        self.faulty = False  # a fault of its order is told, others would only follow from it


class _Reader:
    def __init__(self, file: str, problems: Problems) -> None:
        self.file = file
        self.problems = problems
        self.draft = _Draft()
        self.parts: list[str] | None = None  # of the text that the next line may continue
        self.po: PoFile | None = None  # its header is read
        self.plural_count: int | None = None  # what the header says, found once
        self.noted = 0  # the line of the last comment
        self.entries: list[Entry] = []
        self.first: dict[tuple[str, str], int] = {}

    def po_file(self, lines: list[str]) -> PoFile:
        for number, line in enumerate(lines, 1):
            if line.startswith("#") and line[1:2] not in ("~", "|"):
                self.end_text()
                self.draft.notes.append(line)
                self.noted = number
            elif not line or line.isspace() or line.rstrip() in ("#~", "#|", "#~|"):
                self.end_text()
            else:
                self.text_line(number, line)
        self.end_entry()
        po = self.po or self.headless(Location(self.file))
        return msgspec.structs.replace(po, entries=tuple(self.entries))

    def text_line(self, number: int, line: str) -> None:
        """Read a line with a quoted text: the first of a keyword, or one that continues it."""
        if match := _LINE.fullmatch(line):
            mark, word, raw = match.groups()
            at = Location(self.file, number, match.start(3))
        else:
            mark, word, raw, at = self.faulty_line(number, line)
        if word:
            self.parts = self.begin(word, at, obsolete="~" in mark, previous="|" in mark)
        elif self.parts is None:
            self.parts = []
            hint = "a text goes on right below, with nothing between"
            self.problems.error(at, "text without a keyword", hint)
        self.parts.append(raw)

    def faulty_line(self, number: int, line: str) -> tuple[str, str, str, Location]:
        """Tell what is wrong in a line, and return what can be made of it."""

        def error(index: int, message: str, hint: str) -> None:
            self.problems.error(Location(self.file, number, index + 1), message, hint)

        head = _LINE_HEAD.match(line)
        assert head  # it matches nothing, too
        mark, word = head.groups()
        quote = head.end()
        at = Location(self.file, number, quote + 1)
        if word and not re.fullmatch(_KEYWORD, word):
            word = word[:40]
            hint = did_you_mean(word, {*_NEXT, *_NEXT.values()})
            error(head.start(2), f"unknown keyword '{word}'", hint)
            return mark, "?", "", at
        if not line.startswith('"', quote):
            error(quote, f"'{word}' without a text in quotes", f'write {word} "…"')
            return mark, word, "", at
        end = quote + 1
        while end < len(line) and line[end] != '"':
            character, after = line[end], line[end + 1 : end + 2]
            if character == "\\":
                if after and after not in _ESCAPES:
                    error(end, f"unknown escape '\\{after}'", r"write a backslash as '\\'")
                end += 1
            elif character == "\t":
                error(end, "tab inside a text", r"write it as '\t'")
            elif character < " " or "\x7f" <= character <= "\x9f":
                error(end, f"control character U+{ord(character):04X} inside a text", "remove it")
            end += 1
        if end >= len(line):
            error(quote, "the quote is not closed", "end the line with '\"'")
        elif rest := line[end + 1 :].lstrip():
            hint = "write a quote inside a text as '\\\"'"
            error(len(line) - len(rest), "text after the closing quote", hint)
        return mark, word, line[quote + 1 : end], at

    def begin(self, word: str, at: Location, *, obsolete: bool, previous: bool) -> list[str]:
        """Return the list for a text's parts, in a new entry if the last can't have it."""
        draft = self.draft
        begun = bool(draft.texts or draft.previous)
        if (
            (begun and obsolete != draft.obsolete)
            or (draft.translated and (previous or word == "msgctxt"))
            or ("msgid" in draft.texts and not previous and word in ("msgctxt", "msgid"))
        ):
            self.end_entry()
            draft = self.draft
        draft.obsolete = obsolete
        if word == "?":
            draft.faulty = True
            return []
        if previous:
            self.noted = at.line
            if word.startswith("msgstr"):
                self.problems.error(at, f"'{word}' has no previous text", "remove the line")
        else:
            draft.translated |= word.startswith("msgstr")
        texts = draft.previous if previous else draft.texts
        if word in texts:
            hint = f"first at line {texts[word][0].line}"
            self.problems.error(at, f"second '{word}' in an entry", hint)
        texts[word] = (at, [])
        return texts[word][1]

    def end_text(self) -> None:
        """End the text at a comment or a blank line; the entry too if it has its last text."""
        self.parts = None
        if self.draft.translated or self.draft.faulty:
            self.end_entry()

    def end_entry(self) -> None:
        """Check what was read of an entry and keep it; the first entry is the header."""
        draft, self.draft, self.parts = self.draft, _Draft(), None
        if not draft.texts:
            if (draft.notes or draft.previous) and not draft.faulty:
                at = Location(self.file, self.noted, 1)
                self.problems.error(at, "comment without an entry", "it stands above its entry")
            return
        if not draft.faulty and (wrong := self.misplaced(draft)):
            draft.faulty = True
            self.problems.error(*wrong)
        source, context = _text(draft.texts, "msgid"), _text(draft.texts, "msgctxt")
        if self.po is None and not draft.obsolete:
            if not source and context is None and (draft.faulty or "msgstr" in draft.texts):
                self.po = self.header(draft)
                self.plural_count = self.po.plural_count
                return
            self.po = self.headless(next(iter(draft.texts.values()))[0])
        if draft.faulty or source is None:
            return
        if context == "":
            self.problems.error(context.at, "'msgctxt' is empty", "leave the line out")
        if not draft.obsolete:
            line = self.first.setdefault((context or "", source), source.at.line)
            if line != source.at.line:
                self.problems.error(source.at, "entry appears twice", f"first at line {line}")
        self.entries.append(_entry(draft, source, context))

    def misplaced(self, draft: _Draft) -> tuple[Location, str, str] | None:
        """Return the first fault in the order of an entry's texts: where, what, hint."""
        if tuple(draft.texts) in _USUAL:
            return None
        count = self.plural_count
        above: list[str] = []
        forms = 0
        for word, (at, _) in draft.texts.items():
            form = word[7:-1] if word.startswith("msgstr[") else ""
            if word not in ("msgctxt", "msgid") and "msgid" not in above:
                return at, f"'{word}' without 'msgid' above it", ""
            if word == "msgid_plural" and above[-1] != "msgid":
                return at, f"'msgid_plural' below '{above[-1]}'", "it stands below 'msgid'"
            if word == "msgid_plural" and self.po and count is None and not draft.obsolete:
                return at, "plurals need 'Plural-Forms' in the header", ""
            if form and "msgid_plural" not in above:
                return at, f"'{word}' without 'msgid_plural'", "write 'msgstr'"
            if form and int(form) != forms:
                return at, f"'{word}' out of order", f"'msgstr[{forms}]' comes next"
            if form and count and forms >= count and not draft.obsolete:
                return at, f"'{word}' is one too many", f"the header says nplurals={count}"
            if word == "msgstr" and "msgid_plural" in above:
                return at, "'msgstr' in an entry with plurals", "write 'msgstr[0]'"
            forms += bool(form)
            above.append(word)
        lacking = _NEXT.get(above[-1])
        return (at, f"'{above[-1]}' without '{lacking}'", "") if lacking else None

    def header(self, draft: _Draft) -> PoFile:
        """Return a file with its header read from `Name: value` lines, and no entries yet."""
        header: dict[str, Text] = {}
        po = PoFile(file=self.file, header=header, preamble=tuple(draft.notes))
        if draft.faulty:
            return po
        self.first["", ""] = draft.texts["msgid"][0].line
        at, raws = draft.texts["msgstr"]
        here = at
        rest: list[str] = []
        for number, raw in enumerate([*raws, r"\n"]):
            if number and not rest:
                here = Location(self.file, at.line + number, 1)
            *lines, last = _unescaped(raw).split("\n")
            if lines:
                lines[0] = "".join(rest) + lines[0]
                rest.clear()
            if last:
                rest.append(last)
            for line in filter(None, lines):
                name, colon, value = (word.strip() for word in line.partition(":"))
                if not colon:
                    self.problems.error(here, f"'{line[:40]}' in the header", "write 'Name: value'")
                elif name in header:
                    hint = f"first at line {header[name].at.line}"
                    self.problems.error(here, f"'{name}' appears twice in the header", hint)
                else:
                    header[name] = Text(value, here)
        language = header.get("Language", Text("", at))
        if not language:
            self.problems.error(language.at, "the header has no 'Language'", r"add 'Language: …\n'")
        content = header.get("Content-Type", Text("", at))
        charset = _CHARSET.search(content)
        if not charset:
            hint = r"add 'Content-Type: text/plain; charset=UTF-8\n'"
            self.problems.error(content.at, "the header has no charset", hint)
        elif charset[1].upper() not in ("UTF-8", "UTF8"):
            self.problems.error(content.at, f"charset is '{charset[1]}'", "only UTF-8 is read")
        return po

    def headless(self, at: Location) -> PoFile:
        """Return a file without a header, which is a fault."""
        hint = "the first entry is 'msgid \"\"' with 'Language: …' in its 'msgstr'"
        self.problems.error(at, "the header is missing", hint)
        return PoFile(file=self.file, header={})


def _text(texts: _Texts, keyword: str) -> Text | None:
    if keyword not in texts:
        return None
    at, parts = texts[keyword]
    return Text(_unescaped("".join(parts)), at)


def _unescaped(raw: str) -> str:
    if "\\" not in raw:
        return raw
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), raw)


def _entry(draft: _Draft, source: Text, context: Text | None) -> Entry:
    flags: list[str] = []
    translator: list[str] = []
    extracted: list[str] = []
    references: list[str] = []
    for note in draft.notes:
        kind, line = note[1:2], note[2:].removeprefix(" ").rstrip()
        if kind == ".":
            extracted.append(line)
        elif kind == ":":
            names = _REFERENCE.findall(line)
            references += [name.replace("\u2068", "").replace("\u2069", "") for name in names]
        elif kind == ",":
            flags += [flag for flag in map(str.strip, line.split(",")) if flag]
        else:
            translator.append(note[1:].removeprefix(" ").rstrip())
    texts, previous = draft.texts, draft.previous
    nothing = Text("", source.at, empty=True)
    translation = _text(texts, "msgstr")
    forms = [_text(texts, word) for word in texts if word.startswith("msgstr[")]
    return Entry(
        source=source,
        context=context or nothing,
        translation=nothing if translation is None else translation,
        plural=_text(texts, "msgid_plural"),
        plurals=tuple(form for form in forms if form is not None),
        flags=tuple(flags),
        translator_comments=tuple(translator),
        extracted_comments=tuple(extracted),
        references=tuple(references),
        previous_context=_text(previous, "msgctxt"),
        previous_source=_text(previous, "msgid"),
        previous_plural=_text(previous, "msgid_plural"),
        obsolete=draft.obsolete,
    )


def write(po: PoFile) -> str:
    """Return the text of a PO file, its entries in their order; newlines are line feeds.

    Raises `StonehandError` at the place of a text that holds a control character.
    """
    header = Text("".join(f"{name}: {value}\n" for name, value in po.header.items()))
    blocks = [[*po.preamble, *_strings("msgid", Text("")), *_strings("msgstr", header)]]
    blocks.extend(list(_lines(entry)) for entry in po.entries)
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _lines(entry: Entry) -> Iterator[str]:
    for line in entry.translator_comments:
        yield f"# {line}" if line else "#"
    for line in entry.extracted_comments:
        yield f"#. {line}" if line else "#."
    if entry.references:
        names = (f"\u2068{name}\u2069" if name.split()[1:] else name for name in entry.references)
        yield f"#: {' '.join(names)}"
    if entry.flags:
        yield f"#, {', '.join(entry.flags)}"
    mark = "#~| " if entry.obsolete else "#| "
    yield from _strings("msgctxt", entry.previous_context, mark)
    yield from _strings("msgid", entry.previous_source, mark)
    yield from _strings("msgid_plural", entry.previous_plural, mark)
    mark = "#~ " if entry.obsolete else ""
    yield from _strings("msgctxt", entry.context or None, mark)
    yield from _strings("msgid", entry.source, mark)
    yield from _strings("msgid_plural", entry.plural, mark)
    if entry.plural is None:
        yield from _strings("msgstr", entry.translation, mark)
    for index, form in enumerate(entry.plurals):
        yield from _strings(f"msgstr[{index}]", form, mark)


def _strings(keyword: str, text: Text | None, mark: str = "") -> list[str]:
    if text is None:
        return []
    if not _SPECIAL.search(text):
        return [f'{mark}{keyword} "{text}"']
    if bad := _UNWRITABLE.search(text):
        raise fault(text.at, f"control character U+{ord(bad[0]):04X} in a text to translate")
    *lines, last = text.split("\n")
    parts = [f'"{line.translate(_ESCAPED)}\\n"' for line in lines]
    if last or not parts:
        parts.append(f'"{last.translate(_ESCAPED)}"')
    if len(parts) > 1:
        parts.insert(0, '""')
    parts[0] = f"{keyword} {parts[0]}"
    return [mark + part for part in parts]
