"""What differs between two states of games, as lines, as JSON, and as one HTML file."""

import base64
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from stonehand.comparing import CardChange, Comparison, Look, State
from stonehand.tables import Table
from stonehand.tables import as_text as lines_of

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 110.0
MOST_PICTURES = 500  # sides; more would make a file that browsers are slow with
FAINT = 24  # of 255; smaller differences are those of smoothed edges
MARK = (224, 0, 122)  # what differs
PALE = 0.65  # how much paler all else is
STYLE = """
:root { color-scheme: light dark; --ink: #1c1b22; --paper: #fbfaf7; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6ee; --paper: #17161c; } }
body { color: var(--ink); background: var(--paper); font: 1rem/1.5 system-ui, sans-serif;
  margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: 0.2rem 0.8rem 0.2rem 0; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
del { color: #c0392b; } ins { color: #1e8449; text-decoration: none; }
@media (prefers-color-scheme: dark) { del { color: #ff8a7a; } ins { color: #7ddf9a; } }
.sides { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0.5rem 0; } figure img { height: 18rem; width: auto; max-width: 100%;
  background: #fff; border-radius: 4px; }
figcaption { font-size: 0.85rem; }
section { border-top: 1px solid var(--line); margin-top: 1.5rem; }
"""


def as_text(comparisons: Iterable[Comparison]) -> str:
    """Return what differs in lines, a table for cards and one for rules."""
    told = [table for one in comparisons for table in _tables(one)]
    return "\n\n".join(map(lines_of, told)) or "nothing differs"


def _tables(found: Comparison) -> Iterator[Table]:
    rows: list[tuple[str, ...]] = []
    for card in found.cards:
        own = [(card.id, card.what, *field) for field in card.fields]
        if card.what == "changed":
            own += [(card.id, card.what, _looking(look), "", "") for look in card.looks]
        rows += own or [(card.id, card.what, "", "", "")]
    if rows:
        columns = ("card", "", "field", "before", "after")
        yield Table({}, f"{found.game}: {_counted(found.cards)}", columns, tuple(rows))
    if found.rules:
        told = tuple((r.id, r.what, ", ".join(r.languages)) for r in found.rules)
        yield Table({}, f"{found.game}: rules", ("rule", "", "languages"), told)


def _looking(look: Look) -> str:
    return f"look of the {look.side} ({', '.join(look.languages)})"


def _counted(cards: Iterable[CardChange]) -> str:
    counts: dict[str, int] = {}
    for card in cards:
        counts[card.what] = counts.get(card.what, 0) + 1
    parts = [f"{counts[what]} {what}" for what in ("added", "removed", "changed") if what in counts]
    return f"cards, {', '.join(parts)}"


def as_data(comparisons: Iterable[Comparison]) -> str:
    """Return what differs as JSON."""
    made = [
        {
            "game": one.game,
            "cards": [
                {
                    "id": card.id,
                    "kind": card.kind,
                    "change": card.what,
                    "fields": [field._asdict() for field in card.fields],
                    "looks": [look._asdict() for look in card.looks],
                }
                for card in one.cards
            ],
            "rules": [
                {"id": rule.id, "change": rule.what, "languages": rule.languages}
                for rule in one.rules
            ],
        }
        for one in comparisons
    ]
    return msgspec.json.format(msgspec.json.encode({"games": made}), indent=2).decode()


class _Drawn(NamedTuple):
    """A side of a card, before and after, and with what differs marked."""

    caption: str
    pictures: tuple[tuple[str, str], ...]  # what a picture shows, and its data


def page(found: Iterable[tuple[Comparison, State, State]], old: str, new: str) -> str:
    """Return what differs as one HTML file that needs no other."""
    title = escape(f"{old} to {new}")
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>",
    ]
    for comparison, before, after in found:
        parts.append(f"<h2>{escape(comparison.game)}</h2>")
        if not comparison.cards and not comparison.rules:
            parts.append("<p>Nothing differs.</p>")
        if comparison.cards:
            parts.append(f"<p>{_counted(comparison.cards)}</p>")
        drawn = _drawn(comparison, before, after)
        for card in comparison.cards:
            parts += _section(card, drawn.get(card.id, []))
        if comparison.rules:
            rows = (
                f"<tr><td>{escape(r.id)}<td>{r.what}<td>{escape(', '.join(r.languages))}"
                for r in comparison.rules
            )
            head = "<tr><th>rule<th>change<th>languages"
            parts.append(f"<section><h3>Rules</h3><table>{head}{''.join(rows)}</table></section>")
    return "\n".join([*parts, "</body></html>", ""])


def _section(card: CardChange, drawn: Iterable[_Drawn]) -> Iterator[str]:
    yield f"<section><h3>{escape(card.id)} <small>{escape(card.kind)}, {card.what}</small></h3>"
    if card.fields:
        rows = (
            f"<tr><th>{escape(field.name)}<td><del>{escape(field.before)}</del>"
            f"<td><ins>{escape(field.after)}</ins>"
            for field in card.fields
        )
        yield f"<table>{''.join(rows)}</table>"
    for side in drawn:
        yield f'<p>{escape(side.caption)}</p><div class="sides">'
        for what, data in side.pictures:
            alt = escape(f"{card.id}, {side.caption}, {what}")
            yield f'<figure><img src="{data}" alt="{alt}"><figcaption>{what}</figcaption></figure>'
        yield "</div>"
    yield "</section>"


def _drawn(found: Comparison, old: State, new: State) -> dict[str, list[_Drawn]]:
    """Return pictures of all sides that look different, each in the first language it does in."""
    wanted = [(card.id, look) for card in found.cards for look in card.looks if look.languages]
    wanted = wanted[:MOST_PICTURES]
    before, after = _faces(old, wanted), _faces(new, wanted)
    drawn: dict[str, list[_Drawn]] = {}
    for number, (card_id, look) in enumerate(wanted):
        pictures = [("before", before.get(number)), ("after", after.get(number))]
        was, is_ = pictures[0][1], pictures[1][1]
        if was and is_ and was.size == is_.size:
            pictures.append(("difference", _marked(was, is_)))
        shown = tuple((what, _uri(image)) for what, image in pictures if image)
        if shown:
            caption = f"{look.side} ({', '.join(look.languages)})"
            drawn.setdefault(card_id, []).append(_Drawn(caption, shown))
    return drawn


def _faces(state: State, wanted: Iterable[tuple[str, Look]]) -> "dict[int, Image]":
    """Return pictures by their number; some have no such side in a state."""
    from msgspec.structs import replace

    scenes = {}
    for number, (card_id, look) in enumerate(wanted):
        scene = state.face(card_id, look.side, look.languages[0])
        if scene is not None:
            scenes[number] = replace(scene, bleed=0.0, shared=False)
    if not scenes:
        return {}
    images = state.press.drawn(list(scenes.values()), DPI)
    return dict(zip(scenes, images, strict=True))


def _marked(was: "Image", is_: "Image") -> "Image":
    """Return the later picture made pale, with what differs in one strong colour."""
    from PIL import Image, ImageChops, ImageFilter

    differs = ImageChops.difference(was, is_).convert("L")
    mask = differs.point(lambda v: 255 if v > FAINT else 0).filter(ImageFilter.MaxFilter(3))
    pale = Image.blend(is_.convert("L").convert("RGB"), Image.new("RGB", is_.size, "white"), PALE)
    pale.paste(MARK, (0, 0), mask)
    return pale


def _uri(image: "Image") -> str:
    from stonehand.output import png

    return f"data:image/png;base64,{base64.b64encode(png.encoded_small(image)).decode('ascii')}"
