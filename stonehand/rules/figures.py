"""Figures of a rulebook: live cards of the deck, in a row, with arrows, as a fan, or explained."""

from math import cos, radians, sin
from typing import TYPE_CHECKING

from stonehand.rules.blocks import Figure, Parts
from stonehand.rules.style import ACCENT, HAIRLINE
from stonehand.scene import Box as Area
from stonehand.scene import (
    Group,
    Mark,
    Matrix,
    Path,
    Scene,
    Stroke,
    Tag,
    ellipse,
    polygon,
)
from stonehand.source.text import Text
from stonehand.typesetting import markup

if TYPE_CHECKING:
    from stonehand.rules.setting import Piece, Setter

EDGE = Stroke(HAIRLINE, 0.18)
LARGEST = 27.0  # mm; width of a card in a row
GAP, ARROW_GAP = 2.0, 6.0  # mm
FAN_STEP = 9.0  # degrees between two cards of a hand
DOT, OUT = 4.2, 1.2  # mm; size of a call-out's number, and how far outside the card it is


def small_card(scene: Scene, width: float, x: float, y: float, turn: float = 0.0) -> Group:
    """Return a card made smaller, with its edge; turned about the middle of its foot."""
    scale = width / scene.width
    outline = scene.outline
    face = Group(scene.marks, clip=outline, face=True)
    marks: tuple[Mark, ...] = (Path(outline, fill="#ffffff"), face, Path(outline, stroke=EDGE))
    place = Matrix(scale, 0, 0, scale, x, y)
    if turn:
        pivot = (x + width / 2, y + scene.height * scale * 1.6)
        place = Matrix.turn(turn, *pivot).after(place)
    return Group(marks, place)


def figure(setter: "Setter", block: Figure, x: float, width: float) -> "Piece":
    """Return a figure with its caption as one piece."""
    from stonehand.rules.setting import SMALL, Piece

    setter.where = Text(block.caption.context, block.caption.at)
    sides = [side for name in block.cards if (side := setter.names.shown(name))]
    names = ", ".join(words for words, _ in sides)
    caption = "".join(span.text for span in setter.spans_of(setter.printed(block.caption)[0]))
    tag = Tag("Figure", setter.root, alt=f"{caption}: {names}" if names else caption)
    marks: list[Mark] = []
    height = 0.0
    if sides:
        arrange = {"row": _row, "arrows": _arrows, "fan": _fan}[block.arrange]
        marks, height = arrange([scene for _, scene in sides], x, width)
    top = setter.unit * 0.4
    drawn = Piece(height + top, (Group(tuple(marks), Matrix.shift(0, top), tag=tag),))
    lines = setter.text(block.caption, x, width, SMALL)
    return setter.stacked([drawn, Piece(top, ()), *lines, Piece(setter.unit * 0.3, ())])


def _row(scenes: list[Scene], x: float, width: float, gap: float = GAP) -> tuple[list[Mark], float]:
    count = len(scenes)
    # more than six in a row would be too small to read
    columns = count if count <= 6 else -(-count // 2)
    card = min(LARGEST, (width - gap * (columns - 1)) / columns)
    marks: list[Mark] = []
    height, y = 0.0, 0.0
    for start in range(0, count, columns):
        line = scenes[start : start + columns]
        tall = max(card * s.height / s.width for s in line)
        for i, scene in enumerate(line):
            marks.append(small_card(scene, card, x + i * (card + gap), y))
        height = y + tall
        y = height + gap
    return marks, height


def _arrows(scenes: list[Scene], x: float, width: float) -> tuple[list[Mark], float]:
    marks, height = _row(scenes, x, width, ARROW_GAP)
    card = min(LARGEST, (width - ARROW_GAP * (len(scenes) - 1)) / len(scenes))
    for i in range(len(scenes) - 1):
        middle = x + (i + 1) * card + (i + 0.5) * ARROW_GAP
        y = height / 2
        points = [(middle - 1.2, y - 1.8), (middle + 1.2, y), (middle - 1.2, y + 1.8)]
        stroke = Stroke(ACCENT, 0.7, round=True)
        marks.append(Path(polygon(points, closed=False), stroke=stroke))
    return marks, height


def _fan(scenes: list[Scene], x: float, width: float) -> tuple[list[Mark], float]:
    card = min(LARGEST, width / 3)
    tall = card * scenes[0].height / scenes[0].width
    middle = x + width / 2 - card / 2
    half = (len(scenes) - 1) / 2
    marks: list[Mark] = []
    angle = radians(FAN_STEP * half)
    rise = tall * 1.6 * (1 - cos(angle)) + card / 2 * sin(angle)
    for i, scene in enumerate(scenes):
        marks.append(small_card(scene, card, middle, card * 0.03, FAN_STEP * (i - half)))
    return marks, tall + rise * 0.6


def parts(setter: "Setter", block: Parts, x: float, width: float) -> "Piece":
    """Return a card with numbered call-outs, and what the numbers mean, as one piece."""
    from stonehand.rules.setting import Look, Piece

    setter.where = Text(block.labels[0][1].context, block.at)
    card = setter.names.card(block.card)
    scene = setter.layouter.front(card) if card else None
    if card is None or scene is None:
        return Piece(0.0, ())
    across = min(40.0, width * 0.52)
    scale = across / scene.width
    left = x + DOT / 2 + OUT
    anchors = setter.layouter.anchors(card)
    marks: list[Mark] = [small_card(scene, across, left, 0)]
    placed: dict[bool, float] = {}
    number_look = Look(size=0.8, lines=0.8, weight=700, colour="#ffffff", align="center")
    found = []
    for number, (anchor, _) in enumerate(block.labels, 1):
        if anchor in anchors:
            found.append((anchors[anchor], number))
        else:
            setter.names.unknown_anchor(anchor, anchors)
    foot = across * scene.height / scene.width + OUT
    for box, number in sorted(found, key=lambda f: (f[0].y, f[0].x)):
        x_middle, y_middle = box.x + box.width / 2, box.y + box.height / 2
        far = min(box.x, scene.width - box.right)  # from the nearer side
        below = scene.height - box.bottom < far / 2
        right = x_middle > scene.width / 2 and box.x > scene.width * 0.12
        if below:
            dot_x, y = left + x_middle * scale, foot
            end = (dot_x, box.bottom * scale)
        else:
            y = max(y_middle * scale, placed.get(right, -DOT) + DOT + 0.3)
            placed[right] = y
            dot_x = left + across + OUT if right else left - OUT
            end = (left + (box.right if right else box.x) * scale, y_middle * scale)
        start = (dot_x, y)
        stroke = Stroke(ACCENT, 0.3)
        marks.append(Path(polygon([start, end], closed=False), stroke=stroke))
        marks.append(Path(ellipse(Area(dot_x - DOT / 2, y - DOT / 2, DOT, DOT)), fill=ACCENT))
        label = setter.lines([markup.Span(str(number))], dot_x - DOT / 2, DOT, number_look, None)[0]
        marks.append(label.shifted(0, y - label.height / 2))
    name = setter.names.card_name(card)
    tag = Tag("Figure", setter.root, alt=name)
    height = foot + DOT / 2
    top = setter.unit * 0.4
    drawn = Group(tuple(marks), Matrix.shift(0, top), tag=tag)
    legend_x = left + across + OUT + DOT
    rows: list[Piece] = []
    look = Look(size=0.86, lines=0.9, align="left", role="LBody")
    list_tag = Tag("L", setter.root)
    for number, (_, message) in enumerate(block.labels, 1):
        item = Tag("LI", list_tag)
        digit = Look(size=0.86, lines=0.9, weight=700, colour=ACCENT, align="left")
        label = setter.lines([markup.Span(str(number))], legend_x, 4, digit, Tag("Lbl", item))[0]
        words = setter.text(message, legend_x + 4, x + width - legend_x - 4, look, item)
        words[0] = Piece(words[0].height, (*label.marks, *words[0].marks))
        rows += words
    legend = setter.stacked(rows)
    marks_all: tuple[Mark, ...] = (drawn, Group(legend.marks, Matrix.shift(0, top)))
    whole = max(height + 2 * top, legend.height + top)
    return setter.stacked([Piece(whole, marks_all)])
