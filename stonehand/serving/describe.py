"""What the page is told of a game: plain values, as they go into JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

from stonehand.cards.deck import Card, PictureFile, Value
from stonehand.language.translation import Message
from stonehand.output.pdf import number
from stonehand.scene import Outline
from stonehand.serving import sources
from stonehand.serving.proofs import Findings, Pages
from stonehand.serving.sources import Lines
from stonehand.serving.state import Faces, Reading, Shown
from stonehand.source.codes import CODES
from stonehand.source.problems import Problem

Json = dict[str, Any]

FEW = 40  # values of a field that one can choose from


def game(reading: Reading, faces: Faces | None) -> Json:
    """Return a game with its cards, in the language of some faces; little, if it can't be read."""
    loaded = reading.game
    if loaded is None or faces is None:
        name = reading.press.project.roots[0].name
        return {"title": name, "languages": [], "kinds": [], "cards": [], "filters": []}
    text = faces.layouter.translations.text
    kinds = {name: text(title) for name, title in loaded.titles.items()}
    used = {card.kind for card in loaded.cards}
    return {
        "title": text(loaded.title),
        "languages": [{"code": c, "name": la.name} for c, la in reading.languages.items()],
        "kinds": [{"name": k, "title": title} for k, title in kinds.items() if k in used],
        "cards": [_card(card, faces, reading.lines[str(card.id)]) for card in loaded.cards],
        "filters": _filters(loaded.cards),
    }


def _card(card: Card, faces: Faces, lines: Lines) -> Json:
    return {
        "id": card.id,
        "kind": card.kind,
        "name": faces.layouter.called(card),
        "count": card.count,
        "fields": {name: _value(value, faces) for name, value in card.values.items()},
        "back": card.back is not None,
        "source": {"file": lines.file, "line": lines.first, "text": lines.text},
    }


def _value(value: Value, faces: Faces) -> str | bool | list[Any]:
    if isinstance(value, Message):
        return faces.layouter.translations.text(value)
    if isinstance(value, tuple):
        return [_value(one, faces) for one in value]
    return value if isinstance(value, bool) else str(value)


def _filters(cards: Iterable[Card]) -> list[Json]:
    """Return the fields with few values, and how many cards have each of these."""
    counts: dict[str, dict[str, int]] = {}
    for card in cards:
        for name, value in card.values.items():
            if isinstance(value, Message | PictureFile):
                continue
            for one in value if isinstance(value, tuple) else (value,):
                label = {True: "yes", False: "no"}.get(one, one) if isinstance(one, bool) else one
                if label:
                    found = counts.setdefault(name, {})
                    found[str(label)] = found.get(str(label), 0) + 1
    return [
        {"field": name, "values": [{"value": v, "cards": n} for v, n in found.items()]}
        for name, found in counts.items()
        if 1 < len(found) <= FEW
    ]


def faces(sides: Mapping[str, Mapping[str, Shown | None]]) -> Json:
    """Return the faces of cards by their ids and sides; one that can't be drawn is null."""
    return {
        card: {side: face(shown) if shown else None for side, shown in found.items()}
        for card, found in sides.items()
    }


def face(shown: Shown) -> Json:
    """Return a face: the name of its pictures, and its measures in mm."""
    scene = shown.scene
    return {
        "key": shown.key,
        "width": scene.width,
        "height": scene.height,
        "bleed": scene.bleed,
        "safe": shown.safe,
        "corner": scene.corner,
        "shape": _path(scene.shape) if scene.shape else None,
        "folds": scene.folds,
        "held": shown.held,
    }


def _path(outline: Outline) -> str:
    """Return an outline as the path data of an SVG."""
    return " ".join(f"{step}{' '.join(map(number, points))}" for step, points in outline)


def pages(made: Iterable[Pages]) -> list[Json]:
    """Return pages, in parts with a title."""
    return [
        {
            "title": part.title,
            "pages": [{"name": name, **face(shown)} for name, shown in part.pages],
            "more": part.more,
        }
        for part in made
    ]


def faults(problems: Iterable[Problem], lines: Mapping[str, Lines]) -> list[Json]:
    """Return problems, each with the card that was written at its place."""
    return [_problem(problem, sources.at(lines, problem.location)) for problem in problems]


def findings(found: Findings, reading: Reading, code: str) -> list[Json]:
    """Return findings, each with the card that it is of or was seen on, and where on its face."""
    seen_on: dict[str, tuple[str, str]] = {}
    for card in reading.cards:
        seen_on |= {f"{card}-{code}": (card, "front"), f"{card}-{code}-back": (card, "back")}
        seen_on[f"{card}-back"] = card, "back"
    told = []
    for problem in found.problems:
        sight = found.sights.get(problem)
        card, side = seen_on.get(sight.name, ("", "")) if sight else ("", "")
        made = _problem(problem, card or sources.at(reading.lines, problem.location))
        if sight and side:
            made |= {"side": side, "extent": sight.extent}
        told.append(made)
    return told


def _problem(problem: Problem, card: str) -> Json:
    file, line, column, _ = problem.location
    told = {
        "place": str(problem.location),
        "file": file,
        "line": line,
        "column": column,
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.hint,
        "code": problem.code,
        "card": card,
    }
    if code := CODES.get(problem.code):
        told |= {"title": code.title, "cause": code.cause, "cure": code.cure}
    return told
