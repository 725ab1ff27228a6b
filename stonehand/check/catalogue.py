"""What can be told of the cards of a game without drawing them: twins, and colours that look alike.

How colours look without cones of one kind is simulated after Machado, Oliveira and Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency" (IEEE TVCG 15(6), 2009); how
unlike two colours are is their distance in CIELAB (CIE 15:2004).
"""

from collections.abc import Sequence
from itertools import combinations

from stonehand.cards.deck import Choice, LoadedGame, PictureFile, hex_colour, identity
from stonehand.check.ground import channels, linear
from stonehand.source.problems import Problems
from stonehand.source.text import Text

# applied to linear RGB; without cones for long (red) and for middle (green) waves
PROTANOPIA = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
UNLIKE = 20.0  # distance in CIELAB at which two colours are told apart at a glance
LIKE = 11.0  # at which they no longer are

Colour = tuple[float, float, float]


def check_catalogue(game: LoadedGame, problems: Problems) -> None:
    """Report cards that are the same, and values of lists that only their hue tells apart."""
    _twins(game, problems)
    for name, values in game.lists.items():
        _hues(name, list(values.values()), game, problems)


def _twins(game: LoadedGame, problems: Problems) -> None:
    first: dict[object, Text] = {}
    for card in game.cards:
        fields = tuple((name, identity(value)) for name, value in card.values.items())
        if not any(value for _, value in fields):
            continue  # a kind of which there is one card, such as a board
        back = (str(card.back.template), *map(str, card.back.values.items())) if card.back else ()
        key = card.kind, fields, back, card.editions
        twin = first.setdefault(key, card.id)
        if twin is not card.id:
            message = f"the card '{card.id}' is the same as '{twin}'"
            hint = f"write 'count' at '{twin}', at line {twin.at.line}"
            problems.finding("duplicate-cards", card.id.at, message, hint)


def _hues(name: str, values: Sequence[Choice], game: LoadedGame, problems: Problems) -> None:
    """Report pairs of a list's values whose colours can't be told apart by some eyes."""
    for one, other in combinations(values, 2):
        pairs = [
            (str(prop), _colour(value, game), _colour(other.properties.get(prop), game))
            for prop, value in one.properties.items()
        ]
        if any(
            isinstance(value, PictureFile) and identity(value) != identity(other.properties[prop])
            for prop, value in one.properties.items()
            if prop in other.properties
        ):
            continue  # their pictures differ
        for prop, a, b in pairs:
            if a and b and (eyes := _alike(a, b)):
                message = f"'{other}' and '{one}' of '{name}' differ in hue only: {b} and {a}"
                hint = f"with {eyes} they look alike; give each a picture, or other lightness"
                problems.finding("hue-only", other.at, f"{message} ({prop})", hint)


def _colour(value: object, game: LoadedGame) -> str:
    if not isinstance(value, str) or isinstance(value, PictureFile):
        return ""
    return hex_colour(value) or game.colours.get(value, "")


def _alike(one: str, other: str) -> str:
    """Return what vision takes two colours for one that others tell apart, "" if none does."""
    a, b = (tuple(linear(c) for c in channels(colour)) for colour in (one, other))
    if _distance(a, b) < UNLIKE:  # type: ignore[arg-type]
        return ""  # steps of one colour, told apart by nobody at a glance
    for name, matrix in (("deuteranopia", DEUTERANOPIA), ("protanopia", PROTANOPIA)):
        seen = [tuple(_seen(row, colour) for row in matrix) for colour in (a, b)]
        if _distance(seen[0], seen[1]) < LIKE:  # type: ignore[arg-type]
            return name
    return ""


def _seen(row: Colour, colour: tuple[float, ...]) -> float:
    return min(1.0, max(0.0, sum(m * c for m, c in zip(row, colour, strict=True))))


def _distance(one: Colour, other: Colour) -> float:
    """Return the distance of two colours of linear RGB in CIELAB (D65)."""
    pairs = zip(_lab(one), _lab(other), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def _lab(rgb: Colour) -> Colour:
    rows = (
        (0.4124564, 0.3575761, 0.1804375),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339, 0.1191920, 0.9503041),
    )
    white = (0.95047, 1.0, 1.08883)
    x, y, z = (
        _root(sum(m * c for m, c in zip(row, rgb, strict=True)) / w)
        for row, w in zip(rows, white, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(t: float) -> float:
    return t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29
