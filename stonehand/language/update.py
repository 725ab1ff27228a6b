"""A PO file brought up to date with its source: what is new, what changed, what is gone.

A message keeps its translation if context and text are the same. Else the closest text of the same
context that lost its message is taken over, marked as fuzzy, with the text it was made for beside
it; gettext's own guessing over the whole file is often wrong. What is left over becomes obsolete,
and comes back when its message does. No clock and no line numbers go into the file, so that its
history shows only what people did.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from stonehand.language.po import Entry, PoFile
from stonehand.language.translation import CLOSE, Message, alike
from stonehand.source.text import Text


class Wanted(NamedTuple):
    """A message of the source, what translators should know of it, and the file it stands in."""

    message: Message
    comments: tuple[str, ...]
    file: str
    of_rules: bool = False

    @property
    def key(self) -> "Key":
        """What the message is found by: context and text."""
        return self.message.context, str(self.message)


Key = tuple[str, str]

_FORMS = {
    "ja ko th vi zh id": "nplurals=1; plural=0;",
    "bg ca da de el en es et eu fi gl hu it mr nb nl nn no pt sv ta te tr ur": (
        "nplurals=2; plural=(n != 1);"
    ),
    "fr pt-BR": "nplurals=2; plural=(n > 1);",
    "bn gu hi kn": "nplurals=2; plural=(n==0 || n==1);",
    "be bs hr ru sr uk": (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : "
        "n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
    ),
    "cs sk": "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);",
    "pl": ("nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"),
    "ro": "nplurals=3; plural=(n==1 ? 0 : n==0 || (n%100>0 && n%100<20) ? 1 : 2);",
    "lt": (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>19) ? 1 : 2);"
    ),
    "sl": "nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);",
}
PLURAL_FORMS = {code: forms for codes, forms in _FORMS.items() for code in codes.split()}
"""How many plural forms a language has, and when each is used, as gettext writes it."""


def new_file(game: str, language: str) -> PoFile:
    """Return a PO file without entries; that of no language (`""`) is the template, the .pot."""
    header = {
        "Project-Id-Version": game,
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    forms = PLURAL_FORMS.get(language) or PLURAL_FORMS.get(language.partition("-")[0])
    if forms:
        header["Plural-Forms"] = forms
    return PoFile(file="", header={name: Text(value) for name, value in header.items()})


def updated(old: PoFile, wanted: Iterable[Wanted]) -> PoFile:
    """Return a PO file with exactly the wanted messages, in their order, then the obsolete ones."""
    wanted = list(wanted)
    left: dict[Key, Entry] = {}
    for entry in sorted(old.entries, key=lambda entry: entry.obsolete):
        left.setdefault((str(entry.context), str(entry.source)), entry)
    taken = {item.key: left.pop(item.key) for item in wanted if item.key in left}
    new = [item for item in wanted if item.key not in taken]
    taken |= _closest(new, {key: entry for key, entry in left.items() if is_translated(entry)})
    for entry in taken.values():
        left.pop((str(entry.context), str(entry.source)), None)
    return PoFile(
        file=old.file,
        header=old.header,
        entries=(
            *(_fresh(item, taken.get(item.key)) for item in wanted),
            *(
                replace(entry, obsolete=True, extracted_comments=(), references=())
                for entry in left.values()
                if is_translated(entry)
            ),
        ),
        preamble=old.preamble,
    )


def is_translated(entry: Entry) -> bool:
    """Tell whether an entry has a translation, be it a fuzzy one."""
    return bool(entry.translation) or any(entry.plurals)


def _fresh(item: Wanted, entry: Entry | None) -> Entry:
    """Return the entry of a message, with what an older one has of it."""
    entry = entry or Entry(source=item.message)
    made = replace(
        entry,
        source=Text(item.message),
        context=Text(item.message.context),
        translation=_composed(entry.translation),
        plurals=tuple(map(_composed, entry.plurals)),
        extracted_comments=item.comments,
        references=(item.file,),
        obsolete=False,
    )
    if entry.source == item.message:
        return made
    # the text that the translation was made for may be older than the last one
    previous = entry.previous_source if entry.fuzzy and entry.previous_source else entry.source
    return replace(
        made,
        flags=tuple(dict.fromkeys(("fuzzy", *entry.flags))),
        previous_source=None if previous == item.message else previous,
    )


def _composed(text: Text) -> Text:
    """Return a text in Unicode's form NFC, so that what looks the same is the same."""
    composed = unicodedata.normalize("NFC", text)
    return text if composed == text else Text(composed, text.at)


def _closest(new: list[Wanted], left: Mapping[Key, Entry]) -> dict[Key, Entry]:
    """Return, for messages without an entry, the most alike of those that lost their message.

    Both are of one context, and no entry is given to two messages. A text of a card is the only
    one of its context; so what is left of it there was it, however little is alike.
    """
    by_context: dict[str, list[Entry]] = {}
    for (context, _), entry in left.items():
        by_context.setdefault(context, []).append(entry)
    pairs: list[tuple[float, int, int, Wanted, Entry]] = []
    for i, item in enumerate(new):
        for j, entry in enumerate(by_context.get(item.message.context, ())):
            cutoff = CLOSE if item.of_rules else 0.0
            likeness = alike(str(item.message), str(entry.source), cutoff)
            if likeness >= cutoff:
                pairs.append((-likeness, i, j, item, entry))
    found: dict[Key, Entry] = {}
    used: set[int] = set()
    for *_, item, entry in sorted(pairs, key=lambda pair: pair[:3]):
        if item.key not in found and id(entry) not in used:
            found[item.key] = entry
            used.add(id(entry))
    return found
