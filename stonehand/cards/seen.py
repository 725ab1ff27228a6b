"""What a piece of work sees of a game's cards, so that a change to others does not concern it.

Card sheets see all of their cards. A rulebook sees of all cards their outlines (ids, kinds, counts)
and of those that it shows or names what is in them: a `Seen` game notes which.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from stonehand.cards.deck import Card, LoadedGame, PictureFile, Value
from stonehand.language.translation import Message
from stonehand.source.trace import fingerprint, note


def digest(value: Any) -> str:
    """Return a fingerprint of cards and what they are made of, wherever it was written.

    Properties of a list's values are left out: they stand in `game.yaml`, not with the cards.
    """
    return fingerprint(msgspec.json.encode(_described(value)))


def _described(value: Any) -> Any:
    if isinstance(value, PictureFile):
        return ["picture", str(value), str(value.path), value.page]
    if isinstance(value, Message):
        return ["message", str(value), str(value.context)]
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return [[_described(key), _described(inner)] for key, inner in value.items()]
    if isinstance(value, msgspec.Struct):
        names = value.__struct_fields__
        return [type(value).__name__, *(_described(getattr(value, name)) for name in names)]
    if isinstance(value, tuple | list):
        return [_described(inner) for inner in value]
    raise TypeError(f"{type(value)} has no fingerprint")


def outlines(game: LoadedGame) -> str:
    """Return a fingerprint of all cards without what is in them, and of what texts there are."""
    contexts = [message.context for message in game.messages()]
    return digest([[replace(card, values={}) for card in game.cards], contexts])


def inside(game: LoadedGame, card_id: str) -> str:
    """Return a fingerprint of what is in a card; "" if there is no such card."""
    return next((digest(card.values) for card in game.cards if card.id == card_id), "")


class _Values(Mapping[str, Value]):
    """A card's values, which note that they were looked at."""

    def __init__(self, card: Card) -> None:
        self._card = card
        self._seen = False

    def __getitem__(self, name: str) -> Value:
        self._note()
        return self._card.values[name]

    def __iter__(self) -> Iterator[str]:
        self._note()
        return iter(self._card.values)

    def __len__(self) -> int:
        self._note()
        return len(self._card.values)

    def _note(self) -> None:
        if not self._seen:
            self._seen = True
            note("card", str(self._card.id), digest(self._card.values))


class Seen(LoadedGame):
    """A game that notes what is looked at in which cards."""

    whole: LoadedGame | None = None

    @classmethod
    def of(cls, game: LoadedGame) -> "Seen":
        """Return a game as it is looked at by one piece of work."""
        parts = {part.name: getattr(game, part.name) for part in msgspec.structs.fields(game)}
        parts["cards"] = [replace(card, values=_Values(card)) for card in game.cards]
        note("outlines", "", outlines(game))
        return cls(**parts, whole=game)

    def messages(self) -> Iterator[Message]:
        """Yield every text; what is asked of them, their contexts, is part of the outlines."""
        return self.whole.messages() if self.whole else iter(())
