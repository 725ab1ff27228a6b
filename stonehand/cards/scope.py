"""What `$name` stands for in a template: fields of the card, the game's lists and texts."""

import re
from collections.abc import Iterator, Mapping
from typing import TypeVar

from stonehand.cards.deck import MAX_TEXT, REFERENCE, Card, Choice, LoadedGame, Value
from stonehand.language.translation import Message, Translations
from stonehand.source.bind import Ref
from stonehand.source.problems import did_you_mean, fault
from stonehand.source.text import Text
from stonehand.source.units import Length

_T = TypeVar("_T")


class Scope:
    """The names that a template's values may use, for one card in one language."""

    def __init__(self, game: LoadedGame, card: Card, translations: Translations) -> None:
        self.game = game
        self.card = card
        self.translations = translations
        self.values: Mapping[str, Value] = {
            **card.values,
            "id": card.id,
            "kind": game.titles[card.kind],
            "game": game.title,
        }

    def extended(self, values: Mapping[str, Value]) -> "Scope":
        """Return the scope with further names, which hide those of the card."""
        inner = object.__new__(Scope)
        inner.game, inner.card, inner.translations = self.game, self.card, self.translations
        inner.values = {**self.values, **values}
        return inner

    def references(self, written: Mapping[Text, Text]) -> dict[str, Value]:
        """Return named values as they are written: a reference keeps its type, others are texts."""
        return {
            str(name): self.value(text) if self.is_reference(text) else self.text(text)
            for name, text in written.items()
        }

    def value(self, reference: Text) -> Value:
        """Return what a text that is one reference (`$art`) stands for, in its own type."""
        match = REFERENCE.fullmatch(reference)
        if match is None or match[0] == "$$":
            raise fault(reference.at, f"'{reference}' is not a reference", "write $name")
        return self._lookup(match[1] or match[2] or "", reference)

    def is_reference(self, text: Text) -> bool:
        """Tell whether a text is one reference and nothing else."""
        match = REFERENCE.fullmatch(text)
        return match is not None and match[0] != "$$"

    def text(self, text: Text) -> Text:
        """Return a text with its references replaced by what they stand for.

        The result stands where its first reference's value was written, so that a text which does
        not fit is reported where a person can shorten it.
        """
        if "$" not in text:
            return text
        at = text.at
        found = False
        inserted = 0

        def replaced(match: re.Match[str]) -> str:
            nonlocal at, found, inserted
            if match[0] == "$$":
                return "$"
            value = self._lookup(match[1] or match[2] or "", text)
            if not isinstance(value, Text):
                raise fault(text.at, f"'{match[0]}' is not a text")
            if not found and value:
                at, found = value.at, True
            inserted += len(value)
            if inserted > MAX_TEXT:  # a short template could make a text of any length
                raise fault(text.at, f"the text has more than {MAX_TEXT:,} characters")
            return value

        return Text(REFERENCE.sub(replaced, text), at)

    def length(self, value: Length | Ref, kind: type[Length] = Length) -> Length:
        """Return a length that may be a reference to a field, which must hold that kind of one."""
        if not isinstance(value, Ref):
            return value
        text = self.value(value)
        if not isinstance(text, Text):
            raise fault(value.at, f"'{value}' is not a length")
        try:
            return kind.parse(text)
        except ValueError as error:
            raise fault(text.at, *error.args) from None

    def many(self, reference: Text) -> Iterator[Value]:
        """Yield the values of a reference to a list."""
        value = self.value(reference)
        if not isinstance(value, tuple):
            raise fault(reference.at, f"'{reference}' is not a list")
        yield from value

    def _lookup(self, path: str, where: Text) -> Value:
        name, *rest = path.split(".")
        if name == "lists" and rest and "lists" not in self.values:
            return self._list(rest, where)
        if name == "text" and rest and "text" not in self.card.values:
            return self._shown(_named(self.game.texts, rest[0], where, "text"))
        value = _named(self.values, name, where, "field")
        for part in rest:
            if isinstance(value, Choice):
                value = _named(value.properties, part, where, "property")
            elif isinstance(value, str) and not value:
                return Text("", where.at)  # an optional choice that the card leaves out
            else:
                raise fault(where.at, f"'{name}' has no property '{part}'")
        return self._shown(value)

    def _list(self, rest: list[str], where: Text) -> Value:
        """Return all values of a list of the game, or one value of it by name."""
        values = _named(self.game.lists, rest[0], where, "list")
        if len(rest) == 1:
            return tuple(values.values())
        value: Value = _named(values, rest[1], where, rest[0])
        for part in rest[2:]:
            properties = value.properties if isinstance(value, Choice) else {}
            value = _named(properties, part, where, "property")
        return self._shown(value)

    def _shown(self, value: Value) -> Value:
        return self.translations.text(value) if isinstance(value, Message) else value


def _named(names: Mapping[str, _T], name: str, where: Text, what: str) -> _T:
    if name not in names:
        raise fault(where.at, f"unknown {what} '{name}'", did_you_mean(name, names))
    return names[name]
