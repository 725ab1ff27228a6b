"""What differs between two states of a game: cards, how they look, and rules.

Faces are compared by their Scenes, so that a change of a template or a picture shows on every card
that it changes, and on no other.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from stonehand.cards.deck import Card, LoadedGame, Value
from stonehand.cards.layout import Layouter
from stonehand.language.languages import Language
from stonehand.language.translation import Message
from stonehand.press import Press
from stonehand.project import GameFolder
from stonehand.rulebooks import rules_of
from stonehand.scene import Scene
from stonehand.source.files import content_of
from stonehand.source.problems import Problem, Problems, StonehandError
from stonehand.typesetting.fonts import Face

What = Literal["added", "removed", "changed"]
Side = Literal["front", "back"]
SIDES: tuple[Side, ...] = ("front", "back")


class State:
    """A game as it was at some time."""

    def __init__(self, folder: GameFolder, name: str, wanted: Sequence[str] = ()) -> None:
        """Read a game; `name` is what the state is called. Faults are raised with their files."""
        self.name = name
        self.press = Press(folder.project, Problems())
        with self.faults_told(folder):
            self.game: LoadedGame = self.press.load(folder)
        codes = [code for code in self.game.spec.languages if not wanted or code in wanted]
        self.languages = self.press.languages_of(self.game, codes) if codes else []
        self.cards = {str(card.id): card for card in self.game.cards}
        self._layouters: dict[str, Layouter] = {}
        self._plain: dict[int, tuple[Any, Any]] = {}
        self._fonts: dict[Path, str] = {}

    @contextmanager
    def faults_told(self, folder: GameFolder) -> Iterator[None]:
        """Run a block and raise the faults that it finds, as those of files of this state."""
        problems = self.press.problems
        with problems.gather():
            yield
        if problems.errors:
            raise StonehandError(_of_state(problems.errors, folder.root, self.name))

    @property
    def codes(self) -> list[str]:
        """The codes of its languages."""
        return [str(language.code) for language in self.languages]

    def layouter(self, code: str) -> Layouter:
        """Return what lays out its cards in a language."""
        if code not in self._layouters:
            language = next(one for one in self.languages if one.code == code)
            made = self.press.layouter(self.game, language)
            made.watch = None  # what would print badly is not asked here
            self._layouters[code] = made
        return self._layouters[code]

    def face(self, card_id: str, side: Side, code: str) -> Scene | None:
        """Return a side of a card in a language; None if it has none, or faults."""
        card = self.cards.get(card_id)
        if card is None:
            return None
        with self.press.problems.gather():
            return self.layouter(code).printed(card, side)
        return None

    def look(self, card_id: str, side: Side, code: str) -> Any:
        """Return what a side looks like, as plain values that can be compared with others."""
        scene = self.face(card_id, side, code)
        return None if scene is None else self.plain(scene)

    def plain(self, value: Any) -> Any:
        """Return marks as plain values; fonts and pictures are told by what is in them."""
        if isinstance(value, Face):
            path = value.file.path
            if path not in self._fonts:
                self._fonts[path] = content_of(path)
            return value.key, self._fonts[path]
        if hasattr(value, "aspect"):
            return value.key
        if isinstance(value, msgspec.Struct):
            known = self._plain.get(id(value))
            if known is None:
                fields = value.__struct_fields__
                names = [name for name in fields if name not in ("origin", "shared")]
                made = tuple(self.plain(getattr(value, name)) for name in names)
                known = self._plain[id(value)] = (value, (type(value).__name__, *made))
            return known[1]  # the value is kept, too, so that no other takes its identity
        if isinstance(value, tuple):
            return tuple(map(self.plain, value))
        return value

    def words(self, card: Card, code: str) -> dict[str, str]:
        """Return the texts of a card in a language, by field."""
        text = self.layouter(code).translations.text
        return {n: str(text(v)) for n, v in card.values.items() if isinstance(v, Message)}

    def rules(self, code: str) -> dict[str, list[str]]:
        """Return the texts of the rules in a language, by the id of their rule."""
        rules = rules_of(self.game, self.press)
        found: dict[str, list[str]] = {}
        if rules is not None:
            text = self.layouter(code).translations.text
            for message in rules.texts():
                found.setdefault(str(message.context), []).append(str(text(message)))
        return found


def _of_state(problems: Iterable[Problem], root: Path, name: str) -> list[Problem]:
    """Return problems placed in the files of a state, wherever these lie for now."""
    made = []
    for problem in problems:
        file = Path(problem.location.file)
        if file.is_absolute() and file.is_relative_to(root):
            told = f"{name}:{file.relative_to(root).as_posix()}"
            problem = problem._replace(location=problem.location._replace(file=told))  # noqa: PLW2901
        made.append(problem)
    return made


class Field(NamedTuple):
    """A field of a card, before and after; "" where it was or is not there."""

    name: str
    before: str
    after: str


class Look(NamedTuple):
    """A side of a card that looks different, and the languages in which it does."""

    side: Side
    languages: tuple[str, ...]


class CardChange(msgspec.Struct, frozen=True):
    """What has changed in a card."""

    id: str
    kind: str
    what: What
    fields: tuple[Field, ...]
    looks: tuple[Look, ...]


class RuleChange(NamedTuple):
    """A rule whose words have changed, in these languages."""

    id: str
    what: What
    languages: tuple[str, ...]


class Comparison(msgspec.Struct, frozen=True):
    """All that differs between two states of a game."""

    game: str
    cards: tuple[CardChange, ...]
    rules: tuple[RuleChange, ...]


def compare(old: State, new: State) -> Comparison:
    """Return what differs between two states of a game."""
    codes = [code for code in new.codes if code in old.codes]
    with old.faults_told(old.game.folder), new.faults_told(new.game.folder):
        for state in (old, new):
            state.press.read_pictures(state.game.cards)
        changes = [_of_card(old, new, card_id, codes) for card_id in {**new.cards, **old.cards}]
        rules = _of_rules(old, new, codes)
    return Comparison(new.game.name, tuple(filter(None, changes)), tuple(rules))


def changed_cards(old: State, new: State, language: Language) -> list[str]:
    """Return the ids of cards that are to be printed again in a language."""
    code = str(language.code)
    if code not in old.codes:
        return list(new.cards)
    with old.faults_told(old.game.folder), new.faults_told(new.game.folder):
        found = [card_id for card_id in new.cards if any(_looks(old, new, card_id, [code]))]
    return found


def _of_card(old: State, new: State, card_id: str, codes: Sequence[str]) -> CardChange | None:
    before, after = old.cards.get(card_id), new.cards.get(card_id)
    card = after or before
    assert card is not None
    if before is None or after is None:
        what: What = "added" if before is None else "removed"
        return CardChange(card_id, card.kind, what, (), tuple(Look(s, tuple(codes)) for s in SIDES))
    found = list(_fields(_told(before), _told(after)))
    for code in codes:
        if code not in (old.game.source_language, new.game.source_language):
            words = _fields(old.words(before, code), new.words(after, code))
            found += [field._replace(name=f"{field.name} ({code})") for field in words]
    looks = tuple(_looks(old, new, card_id, codes))
    return (
        CardChange(card_id, card.kind, "changed", tuple(found), looks) if found or looks else None
    )


def _looks(old: State, new: State, card_id: str, codes: Iterable[str]) -> Iterable[Look]:
    for side in SIDES:
        differ = [c for c in codes if old.look(card_id, side, c) != new.look(card_id, side, c)]
        if differ:
            yield Look(side, tuple(differ))


def _fields(before: dict[str, str], after: dict[str, str]) -> Iterable[Field]:
    for name in {**before, **after}:
        was, is_ = before.get(name, ""), after.get(name, "")
        if was != is_:
            yield Field(name, was, is_)


def _told(card: Card) -> dict[str, str]:
    """Return all that was written of a card, by field."""
    back = card.back
    given = ", ".join(f"{k}: {v}" for k, v in back.values.items()) if back else ""
    told = {"kind": card.kind, "count": str(card.count), "edition": ", ".join(card.editions)}
    told["counts"] = ", ".join(f"{players}: {n}" for players, n in card.counts.items())
    told["back"] = f"{back.template} {given}".strip() if back else "none"
    return told | {name: _written(value) for name, value in card.values.items()}


def _written(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_written, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _of_rules(old: State, new: State, codes: Iterable[str]) -> list[RuleChange]:
    found: dict[str, tuple[What, list[str]]] = {}
    for code in codes:
        before, after = old.rules(code), new.rules(code)
        for rule in {**after, **before}:
            if before.get(rule) != after.get(rule):
                what: What = "changed"
                if rule not in before or rule not in after:
                    what = "added" if rule not in before else "removed"
                found.setdefault(rule, (what, []))[1].append(code)
    return [RuleChange(rule, what, tuple(where)) for rule, (what, where) in found.items()]
