"""Plots of counts, as Scenes: bars for the values of one field, a grid for those of two.

Every number stands where it is meant, so there are no axes and no legends. One hue in steps of
lightness reads the same to eyes that see colours otherwise, and in grey. Lengths are in mm.
"""

from collections.abc import Sequence

from stonehand.scene import Box, GlyphRun, Mark, Path, Scene, Stroke, polygon, rectangle
from stonehand.typesetting.lettering import Lettering

EDGE = 7.0  # around the plot
TITLE, NOTE, TYPE = 5.2, 3.2, 3.2  # sizes of type
INK, QUIET = "#1f2430", "#5d6472"
BAR, PALE, DEEP = "#2f6db3", "#dce9f6", "#0b3a70"
NONE = "#f3f4f7"  # cells of nothing
ROW, THICK, LONG = 8.0, 5.2, 84.0  # height of a row, of its bar, length of the longest bar
LABELS = 46.0  # most room for labels beside rows; longer ones are set in two lines, then smaller
LEAST, MOST = 10.0, 28.0  # width of a cell of a grid
GAP = 0.6  # between cells
MEAN = Stroke(INK, 0.25, (1.2, 0.9))


def bars(
    lettering: Lettering, title: str, note: str, counts: Sequence[tuple[str, int]], mean: float
) -> Scene:
    """Return a bar for each label and count, with its share, and a line where the mean is.

    Counts stand in a column of their own, where the line can't cross them.
    """
    room = min(LABELS, max(_width(lettering, label) for label, _ in counts))
    figures = EDGE + room + 4
    left = figures + max(_width(lettering, str(n)) for _, n in counts) + 2
    width = left + LONG + 14 + EDGE
    total, most = sum(n for _, n in counts), max(1, *(n for _, n in counts))
    marks, top = _head(lettering, title, note, width)
    y = top
    for label, n in counts:
        marks += lettering.line(label, Box(EDGE, y, room, ROW), "right", TYPE, INK)
        number = Box(figures, y, left - 2 - figures, ROW)
        marks += lettering.line(str(n), number, "right", TYPE, INK)
        bar = Box(left, y + (ROW - THICK) / 2, n / most * LONG, THICK)
        if n:
            marks.append(Path(rectangle(bar), fill=BAR))
            share = Box(left + LONG, y, 14, ROW)
            marks += lettering.line(f"{100 * n / total:.0f}%", share, "right", TYPE, QUIET)
        y += ROW
    at = left + mean / most * LONG
    marks.append(Path(polygon([(at, top), (at, y + 1)], closed=False), stroke=MEAN))
    told = f"{lettering.word('mean')} {mean:.0f}"
    below = Box(at - 30, y + 1, 60, 5)
    marks += lettering.line(told, below, "center", NOTE, QUIET)
    return _scene(width, y + 6 + EDGE, marks)


def grid(
    lettering: Lettering,
    title: str,
    note: str,
    fields: tuple[str, str],
    rows: Sequence[str],
    columns: Sequence[str],
    counts: Sequence[Sequence[int]],
) -> Scene:
    """Return a cell for each row and column, the darker the larger its count, with the sums."""
    words = [word for label in columns for word in label.split()]
    cell = min(MOST, max(LEAST, *(_width(lettering, word) + 3 for word in words)))
    lines = max(-(-_width(lettering, label) // (cell - 2)) for label in columns)
    heads = min(4, lines) * TYPE * 1.25 + 1.5
    room = min(LABELS, max(_width(lettering, label) for label in (*rows, fields[0])))
    left = EDGE + room + 2.5
    right = left + len(columns) * cell
    width = max(right + LEAST + EDGE, EDGE * 2 + _width(lettering, title) * TITLE / TYPE)
    marks, top = _head(lettering, title, note, width)
    down, across = fields
    marks += lettering.line(across, Box(left, top, right - left, 5), size=NOTE, colour=QUIET)
    marks += lettering.line(down, Box(EDGE, top + 5, room, heads), "right", NOTE, QUIET, "bottom")
    for i, label in enumerate(columns):
        box = Box(left + i * cell + 1, top + 5, cell - 2, heads)
        marks += lettering.line(label, box, "center", TYPE, INK, "bottom")
    top += 5 + heads + 0.5
    most = max(1, *(n for row in counts for n in row))
    for j, (label, row) in enumerate(zip(rows, counts, strict=True)):
        y = top + j * ROW
        marks += lettering.line(label, Box(EDGE, y, room, ROW), "right", TYPE, INK)
        for i, n in enumerate(row):
            box = Box(left + i * cell, y, cell, ROW)
            colour = shade(n / most) if n else NONE
            marks.append(Path(rectangle(box.grown(-GAP / 2), 0.6), fill=colour))
            ink = readable_on(colour) if n else QUIET
            marks += lettering.line(str(n), box.grown(-1), "center", TYPE, ink)
        total = Box(right, y, LEAST, ROW)
        marks += lettering.line(str(sum(row)), total, "right", TYPE, QUIET)
    y = top + len(rows) * ROW
    for i, column in enumerate(zip(*counts, strict=True)):
        box = Box(left + i * cell, y, cell, ROW)
        marks += lettering.line(str(sum(column)), box.grown(-1), "center", TYPE, QUIET)
    whole = Box(right, y, LEAST, ROW)
    marks += lettering.line(str(sum(map(sum, counts))), whole, "right", TYPE, INK)
    return _scene(width, y + ROW + EDGE, marks)


def shade(share: float) -> str:
    """Return the colour of a share, from pale at 0 to deep at 1."""
    ends = (_parts(PALE), _parts(DEEP))
    mixed = (round(low + (high - low) * share) for low, high in zip(*ends, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def readable_on(colour: str) -> str:
    """Return black or white, whichever has more contrast with a colour (WCAG 2.2): 4.5 or more."""
    linear = (((p / 255 + 0.055) / 1.055) ** 2.4 for p in _parts(colour))
    weights = (0.2126, 0.7152, 0.0722)
    luminance = sum(weight * part for weight, part in zip(weights, linear, strict=True))
    return "#ffffff" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "#000000"


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def _head(lettering: Lettering, title: str, note: str, width: float) -> tuple[list[Mark], float]:
    """Return title and note, and where the plot below them begins."""
    room = width - 2 * EDGE
    marks = lettering.line(title, Box(EDGE, EDGE, room, TITLE), size=TITLE, colour=INK)
    below = Box(EDGE, EDGE + TITLE + 1.5, room, 5)
    marks += lettering.line(note, below, size=NOTE, colour=QUIET)
    return marks, below.bottom + 3


def _scene(width: float, height: float, marks: Sequence[Mark]) -> Scene:
    paper = Path(rectangle(Box(0, 0, width, height)), fill="#ffffff")
    return Scene(width, height, (paper, *marks))


def _width(lettering: Lettering, text: str) -> float:
    """Return how wide a text is in one line of labels."""
    marks = lettering.line(text, Box(0, 0, 1000, 10), size=TYPE)
    return sum(mark.width for mark in marks if isinstance(mark, GlyphRun))
