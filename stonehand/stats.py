"""One run for statistics: how the fields of a game's cards are distributed, as tables and plots.

Cards are counted as they are printed for a number of players, or for any. Tables are data first:
the same ones are written as aligned text and as JSON.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from stonehand.cards.deck import Card, Choice, LoadedGame, named
from stonehand.cards.tally import (
    Share,
    cards_with,
    cross,
    field_of,
    fields_of,
    label,
    tally,
    value_of,
)
from stonehand.language.languages import Language
from stonehand.language.translation import Message, Translations
from stonehand.output.files import Staged
from stonehand.press import Press
from stonehand.scene import Scene
from stonehand.source.files import shown
from stonehand.source.problems import COMMAND_LINE, Location, fault
from stonehand.source.text import Text
from stonehand.tables import Cell, Table, as_json, as_text

FEW = 24  # values of a field that has a table of its own accord
MOST_BARS, MOST_COLUMNS = 60, 30  # in a plot
WIDEST = 100  # columns of a cross table
DPI = 200.0
COUNTED = ("word", "number", "flag", "list", None)  # types of fields; None: the value of a list


class StatsOptions(msgspec.Struct, frozen=True):
    """What is counted, and how it is shown; of `by` there are none, one or two fields."""

    cards: tuple[Text, ...] = ()
    by: tuple[Text, ...] = ()
    players: Text | None = None
    edition: Text | None = None
    texts: bool = False
    json: bool = False
    plot: Path | None = None


def make_stats(
    press: Press,
    game: LoadedGame,
    languages: Sequence[Language],
    staged: Staged,
    options: StatsOptions,
) -> str:
    """Return the statistics of a game as text or JSON, and write their plot if one is wanted.

    Texts are measured in all of the languages, plots made in the first.
    """
    game = game.for_players(options.players, options.edition)
    tables = list(_tables(press, game, languages, options))
    if options.plot:
        title, scene = plotted(press, game, languages[0], options)
        data = _picture(press, languages[0], title, scene, options.plot.suffix)
        staged.write(options.plot, data)
    if options.json:
        return as_json({"game": game.name, "title": str(game.title)}, tables)
    files = [shown(target) for target in staged.targets]
    return "\n\n".join((*map(as_text, tables), *files))


def _tables(
    press: Press, game: LoadedGame, languages: Sequence[Language], options: StatsOptions
) -> Iterator[Table]:
    if options.texts:
        cards = named(game, options.cards) if options.cards else game.cards
        translations = [_translations(press, game, language) for language in languages]
        yield from texts(game, cards, translations)
    elif len(options.by) == 2:
        yield crossed(game, cards_with(game, options.cards, options.by), *options.by)
    elif options.by:
        cards = cards_with(game, options.cards, options.by)
        yield by_value(game, cards, options.by[0], {"kind": ", ".join(_kinds(cards))})
    else:
        cards = named(game, options.cards) if options.cards else game.cards
        yield totals(game, cards, with_players=options.players is None)
        for kind in _kinds(cards):
            yield from _of_kind(game, kind, [card for card in cards if card.kind == kind])


def _kinds(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(card.kind for card in cards))


# --- tables --------------------------------------------------------------------------------------


def totals(game: LoadedGame, cards: Sequence[Card], *, with_players: bool) -> Table:
    """Return cards and copies of each kind, also for each number of players if that is asked."""
    players = game.spec.players if with_players else None
    numbers = range(players.first, players.last + 1) if players else range(0)
    rows: list[tuple[Cell, ...]] = []
    for kind in _kinds(cards):
        own = [card for card in cards if card.kind == kind]
        rows.append((kind, *_sums(own, numbers), str(game.titles[kind])))
    if len(rows) > 1:
        rows.append(("total", *_sums(cards, numbers), ""))
    columns = ("kind", "cards", "copies", *map(str, numbers), "title")
    title = f"{game.title}, by kind" + (" and number of players" if numbers else "")
    return Table({"table": "kinds"}, title, columns, tuple(rows))


def _sums(cards: Sequence[Card], numbers: Iterable[int]) -> tuple[int, ...]:
    there = sum(card.count > 0 for card in cards)
    copies = sum(card.count for card in cards)
    return there, copies, *(sum(c.counts.get(n, c.count) for c in cards) for n in numbers)


def _of_kind(game: LoadedGame, kind: str, cards: Sequence[Card]) -> Iterator[Table]:
    """Yield tables of the fields of a kind that say something: a few values, some of them again."""
    for name, field in fields_of(game, kind).items():
        if field.type not in COUNTED or name in ("id", "kind"):
            continue
        shares = [share for share in tally(game, cards, Text(name)) if share.value]
        used = [share for share in shares if share.copies]
        if len(used) > 1 and len(shares) <= FEW and any(share.copies > 1 for share in used):
            yield by_value(game, cards, Text(name), {"kind": kind})


def by_value(
    game: LoadedGame, cards: Sequence[Card], field: Text, about: Mapping[str, str]
) -> Table:
    """Return cards, copies and their share in percent for each value of a field."""
    copies = sum(card.count for card in cards)

    def row(share: Share) -> tuple[Cell, ...]:
        percent = round(100 * share.copies / copies, 1) if copies else 0.0
        return share.value or "-", share.cards, share.copies, percent

    rows = tuple(map(row, tally(game, cards, field)))
    title = f"{about['kind']}, by {field}"
    told = {"table": "field", **about, "field": str(field)}
    return Table(told, title, (str(field), "cards", "copies", "percent"), rows)


def crossed(game: LoadedGame, cards: Sequence[Card], row: Text, column: Text) -> Table:
    """Return copies for each value of one field with each value of another.

    Raises a fault if the second has too many.
    """
    _check_size(column, len(tally(game, cards, column)), WIDEST, "table")
    found = cross(game, cards, row, column)
    rows: list[tuple[Cell, ...]] = [
        (value or "-", *counts, sum(counts))
        for value, counts in zip(found.rows, found.copies, strict=True)
    ]
    sums = [sum(counts) for counts in zip(*found.copies, strict=True)]
    rows.append(("total", *sums, sum(sums)))
    kinds = ", ".join(_kinds(cards))
    about = {"table": "cross", "kind": kinds, "field": str(row), "by": str(column)}
    columns = (str(row), *(value or "-" for value in found.columns), "total")
    return Table(about, f"{kinds}, copies by {row} and {column}", columns, tuple(rows))


def texts(
    game: LoadedGame, cards: Sequence[Card], translations: Sequence[Translations]
) -> Iterator[Table]:
    """Yield for each text of a kind how long it is in each language, with the longest one."""
    for kind in _kinds(cards):
        own = [card for card in cards if card.kind == kind]
        for name, field in fields_of(game, kind).items():
            if field.type != "text":
                continue
            rows = tuple(_lengths(own, name, one) for one in translations)
            columns = ("language", "mean", "longest", "card", "text")
            about = {"table": "texts", "kind": kind, "field": name}
            yield Table(about, f"{kind}, letters of {name}", columns, rows)


def _lengths(cards: Sequence[Card], field: str, translations: Translations) -> tuple[Cell, ...]:
    written = [(card, value_of(card, field)) for card in cards]
    words = [(c, str(translations.text(v))) for c, v in written if isinstance(v, Message)]
    lengths = [letters(text) for _, text in words] or [0]
    card, text = max(words, key=lambda one: letters(one[1]), default=(None, ""))
    mean = round(sum(lengths) / len(lengths), 1)
    return translations.language, mean, max(lengths), str(card.id) if card else "", text


def letters(text: str) -> int:
    """Return how many letters a reader counts in a text: marks belong to the letter they are on."""
    return sum(unicodedata.category(c) not in ("Mn", "Mc", "Me", "Cf") for c in text)


# --- plots ---------------------------------------------------------------------------------------


def _translations(press: Press, game: LoadedGame, language: Language) -> Translations:
    if language.code == game.source_language:
        return Translations.source(language.code)
    path = game.folder.translation(language.code)
    messages = game.messages()
    return Translations.load(
        path, language.code, press.problems, messages=messages, read=press.translation
    )


def plotted(
    press: Press, game: LoadedGame, language: Language, options: StatsOptions
) -> tuple[str, Scene]:
    """Return the plot of one field or two in a language, with its title.

    Raises a fault if there is nothing to plot, or too much.
    """
    from stonehand import plots
    from stonehand.typesetting.lettering import Lettering

    at = Location(COMMAND_LINE)
    if not options.by:
        raise fault(at, "a plot is of a field or two", "name them, such as --by group,letter")
    cards = cards_with(game, options.cards, options.by)
    copies = sum(card.count for card in cards)
    if not copies:
        raise fault(at, "there is nothing to plot: none of these cards is printed")
    translations = _translations(press, game, language)
    names = [_names(game, cards, field, translations) for field in options.by]
    lettering = Lettering(press.fonts, language, press.languages, press.problems)
    title = f"{translations.text(game.title)}: {' × '.join(options.by)}"
    kinds = [str(translations.text(game.titles[kind])) for kind in _kinds(cards)]
    note = f"{', '.join(kinds)} · {copies}"
    if len(options.by) == 1:
        shares = tally(game, cards, options.by[0])
        _check_size(options.by[0], len(shares), MOST_BARS)
        counts = [(names[0].get(s.value, s.value) or "–", s.copies) for s in shares]
        valued = [share.copies for share in shares if share.value]
        mean = sum(valued) / len(valued) if valued else 0.0
        return title, plots.bars(lettering, title, note, counts, mean)
    found = cross(game, cards, *options.by)
    _check_size(options.by[0], len(found.rows), MOST_BARS)
    _check_size(options.by[1], len(found.columns), MOST_COLUMNS)
    rows = [names[0].get(value, value) or "–" for value in found.rows]
    columns = [names[1].get(value, value) or "–" for value in found.columns]
    fields = (str(options.by[0]), str(options.by[1]))
    return title, plots.grid(lettering, title, note, fields, rows, columns, found.copies)


def _picture(press: Press, language: Language, title: str, scene: Scene, suffix: str) -> bytes:
    """Return a plot as the content of a file of such a name."""
    if suffix.lower() == ".svg":
        from stonehand.output.svg import svg

        return svg(scene, title, language.code)
    from stonehand.output import png
    from stonehand.output.pdf import PdfWriter

    writer = PdfWriter(title, language.code, press.art)
    writer.add_page(scene)
    [image] = png.rasterise(writer.data(), [scene], DPI)
    return png.encoded(image, DPI)


def _check_size(field: Text, values: int, most: int, what: str = "plot") -> None:
    if values > most:
        message = f"{field} has {values} values, too many for a {what}"
        raise fault(field.at, message, f"at most {most}")


def _names(
    game: LoadedGame, cards: Sequence[Card], path: Text, translations: Translations
) -> dict[str, str]:
    """Return what readers call the values of a field, where that is not how they are written."""
    if path == "kind":
        return {kind: str(translations.text(title)) for kind, title in game.titles.items()}
    field = field_of(game, cards[0].kind, path)
    values = [value_of(card, path) for card in cards]
    values += game.lists[field.choice].values() if field.choice else ()
    names: dict[str, str] = {}
    for value in values:
        name = value.properties.get("name") if isinstance(value, Choice) else value
        if isinstance(name, Message):
            names[label(value)] = str(translations.text(name))
    return names
