"""Scenes to SVG, for pictures in pages and slides.

Type is written as the outlines of its glyphs, each once, so that it looks the same everywhere; the
words stand beside them for readers that speak. Numbers are millimetres, as in the Scene. Fills are
nonzero and clips come before the map of a group, as in PDF.
"""

from html import escape

from stonehand.scene import (
    SPACES,
    FaceLike,
    GlyphRun,
    Group,
    Mark,
    Matrix,
    Outline,
    Path,
    Picture,
    Scene,
    Segment,
)
from stonehand.source.problems import COMMAND_LINE, Location, fault
from stonehand.typesetting.embed import undisturbed
from stonehand.typesetting.fonts import Face


def number(value: float) -> str:
    """Return a number to a ten-thousandth of a mm."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def path_data(outline: Outline) -> str:
    """Return an outline as SVG writes it in the attribute `d`."""
    return " ".join(step + " ".join(map(number, points)) for step, points in outline)


def svg(scene: Scene, title: str, language: str) -> bytes:
    """Return an SVG of a Scene with its bleed, in its size in mm; it must have no pictures."""
    drawing = _Drawing()
    body = "".join(map(drawing.mark, scene.marks))
    box = scene.trim.grown(scene.bleed)
    x, y, width, height = map(number, (box.x, box.y, box.width, box.height))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xml:lang="{_words(language)}" width="{width}mm" \
height="{height}mm" viewBox="{x} {y} {width} {height}">
<title>{_words(title)}</title>
<defs>
{"".join(drawing.definitions)}</defs>
{body}</svg>
""".encode()


class _Drawing:
    """Writes marks, and keeps what they refer to."""

    def __init__(self) -> None:
        self.definitions: list[str] = []
        self._glyphs: dict[tuple[str, int], str] = {}  # ids; empty for a glyph without ink
        self._clips = 0

    def mark(self, mark: Mark) -> str:
        """Return a mark as SVG; links and anchors show nothing."""
        if isinstance(mark, GlyphRun):
            return self._run(mark)
        if isinstance(mark, Path):
            return _path(mark)
        if isinstance(mark, Group):
            return self._group(mark)
        if isinstance(mark, Picture):
            at = Location(COMMAND_LINE)
            raise fault(at, "pictures can't be written as SVG", "write a .png file")
        return ""

    def _group(self, group: Group) -> str:
        inner = "".join(map(self.mark, group.marks))
        if group.matrix != Matrix():
            inner = f'<g transform="{_matrix(group.matrix)}">\n{inner}</g>\n'
        if group.clip is not None:
            self._clips += 1
            path = f'<path d="{path_data(group.clip)}"/>'
            self.definitions.append(f'<clipPath id="c{self._clips}">{path}</clipPath>\n')
            inner = f'<g clip-path="url(#c{self._clips})">\n{inner}</g>\n'
        return inner

    def _run(self, run: GlyphRun) -> str:
        scale, pen, used = run.size / run.face.upem, run.x, ""
        for cluster in run.clusters:
            for glyph, dx, dy, _ in cluster.glyphs:
                if name := self._glyph(run.face, glyph):
                    place = Matrix(scale, 0, 0, -scale, pen + dx * scale, run.y - dy * scale)
                    used += f'<use href="#{name}" transform="{_matrix(place)}"/>'
            pen += cluster.advance * scale
            pen += run.word_space if cluster.text in SPACES else 0.0
        words = _words(run.text.strip())
        return f'<g role="img" aria-label="{words}" fill="{run.colour}">{used}</g>\n'

    def _glyph(self, face: FaceLike, glyph: int) -> str:
        """Return the id of a glyph's outline, in font units, y up."""
        key = face.key, glyph
        if key not in self._glyphs:
            assert isinstance(face, Face)
            pen = _OutlinePen()
            with undisturbed():
                face.font.draw_glyph_with_pen(glyph, pen)
            name = f"g{len(self._glyphs) + 1}" if pen.steps else ""
            self._glyphs[key] = name
            if name:
                data = path_data(tuple(pen.steps))
                self.definitions.append(f'<path id="{name}" d="{data}"/>\n')
        return self._glyphs[key]


class _OutlinePen:
    """Takes what HarfBuzz draws; curves with one handle become such with two."""

    def __init__(self) -> None:
        self.steps: list[Segment] = []

    def moveTo(self, point: tuple[float, float]) -> None:
        self.steps.append(("M", point))

    def lineTo(self, point: tuple[float, float]) -> None:
        self.steps.append(("L", point))

    def qCurveTo(self, handle: tuple[float, float], end: tuple[float, float]) -> None:
        start = self.steps[-1][1][-2:]
        two_thirds = [
            tuple(round(p + 2 / 3 * (h - p), 1) for p, h in zip(point, handle, strict=True))
            for point in (start, end)
        ]
        self.steps.append(("C", (*two_thirds[0], *two_thirds[1], *end)))

    def curveTo(
        self, one: tuple[float, float], two: tuple[float, float], end: tuple[float, float]
    ) -> None:
        self.steps.append(("C", (*one, *two, *end)))

    def closePath(self) -> None:
        self.steps.append(("Z", ()))


def _words(text: str) -> str:
    """Return a text as XML may hold it (XML 1.0, 2.2): without control characters."""
    return escape("".join(c for c in text if c.isprintable() or c in "\u200c\u200d"))


def _path(path: Path) -> str:
    told = f' fill="{path.fill or "none"}"'
    if stroke := path.stroke:
        told += f' stroke="{stroke.colour}" stroke-width="{number(stroke.width)}"'
        if stroke.dash:
            told += f' stroke-dasharray="{" ".join(map(number, stroke.dash))}"'
        if stroke.round:
            told += ' stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{path_data(path.outline)}"{told}/>\n'


def _matrix(matrix: Matrix) -> str:
    """Return a map with its factors to seven digits, since they shrink glyphs a thousandfold."""
    factors = (f"{v:.7f}".rstrip("0").rstrip(".") for v in (matrix.a, matrix.b, matrix.c, matrix.d))
    return f"matrix({' '.join(factors)} {number(matrix.e)} {number(matrix.f)})"
