"""A text in a box: shaped once, broken for a size, set at the largest size that fits.

Everything up to the lines is reckoned in em, so that trying another size costs no shaping. The
vertical extent of a text is that of its lines: first ascender to last descender.
"""

import unicodedata
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from stonehand.scene import SPACES, ArtLike, Box, Cluster, GlyphRun, Link, Mark, Picture
from stonehand.typesetting import breaking, markup, shaping
from stonehand.typesetting.breaking import SOFT_HYPHEN, Align, Segment
from stonehand.typesetting.fonts import Face

if TYPE_CHECKING:
    from stonehand.language.languages import Language

VAlign = Literal["top", "middle", "bottom"]
STEP = 0.05 * 25.4 / 72  # mm; sizes are tried in steps of a twentieth of a point
LOOK_ABOVE = 12  # steps above a size that fits in which justified text may fit again


class Voices(msgspec.Struct, frozen=True):
    """The faces for each voice of a text, best first: plain, strong, emphasised, both."""

    plain: tuple[Face, ...]
    strong: tuple[Face, ...]
    emphasis: tuple[Face, ...]
    both: tuple[Face, ...]

    def of(self, span: markup.Span) -> tuple[Face, ...]:
        """Return the faces for a span."""
        if span.strong:
            return self.both if span.emphasis else self.strong
        return self.emphasis if span.emphasis else self.plain


class _Atom(msgspec.Struct, frozen=True):
    """A cluster or an icon, with its width in em and the character it starts at."""

    width: float
    at: int
    face: Face | None
    cluster: Cluster
    icon: ArtLike | None = None
    link: str = ""
    colour: str = ""

    @property
    def space(self) -> bool:
        return self.cluster.text in SPACES

    @property
    def vanishes(self) -> bool:
        return self.cluster.text.isspace() and self.cluster.text != "\u00a0"


class Line(msgspec.Struct, frozen=True):
    """The atoms of one line, its natural width in em and whether it ends its paragraph."""

    atoms: tuple[_Atom, ...]
    width: float
    last: bool


class Setting(msgspec.Struct, frozen=True):
    """How a text comes to stand in its box; sizes in mm."""

    size: float
    smallest: float
    leading: float  # factor on the size
    colour: str
    align: Align
    valign: VAlign
    icons: str | None = None  # colour of icons; None leaves them theirs
    origin: object | None = None  # of the marks that are made


class Paragraph:
    """A shaped text of one or more paragraphs (divided by line breaks)."""

    def __init__(
        self,
        spans: Sequence[markup.Span],
        voices: Voices,
        language: "Language",
        *,
        hyphenate: bool,
        icon: Callable[[str], ArtLike | None],
        indent: float = 0.0,
    ) -> None:
        """Shape some spans; `indent` moves the first line in, by so many em."""
        self.voices = voices
        self.language = language
        self.missing: list[str] = []  # characters that no face has
        self._hyphenate = hyphenate
        self._paragraphs: list[tuple[str, list[_Atom]]] = []  # the characters, and what they are
        self._divided: dict[int, list[tuple[int, Segment]]] = {}  # by paragraph, where it was asked
        self._lines: dict[tuple[float, Align], tuple[list[Line], float]] = {}
        for line in _hard_lines(spans):
            atoms = self._atoms(line, icon)
            if indent and not self._paragraphs:
                atoms.insert(0, _Atom(indent, -1, None, Cluster((), 0, "")))
            self._paragraphs.append(("".join(span.text for span in line), atoms))

    def _atoms(
        self,
        spans: list[markup.Span],
        icon: Callable[[str], ArtLike | None],
    ) -> list[_Atom]:
        atoms: list[_Atom] = []
        at = 0
        code = str(self.language.code)
        for span in spans:
            if span.icon:
                art = icon(span.icon)
                if art:
                    none = Cluster((), 0, "")
                    atoms.append(_Atom(art.aspect * ICON_HEIGHT, at, None, none, art))
                at += 1
                continue
            faces = self.voices.of(span)
            for start, end, script, face in shaping.itemise(span.text, faces, self.missing.append):
                for cluster in shaping.shape(span.text[start:end], face, script, code):
                    width = cluster.advance / face.upem
                    atoms.append(_Atom(width, at, face, cluster, None, span.link, span.colour))
                    at += len(cluster.text)
        return atoms

    def _segments(self, number: int) -> list[tuple[int, Segment]]:
        """Return the segments of a paragraph, each with the index of the atom after its last.

        A text that stands on one line is never divided, so nobody looks for them.
        """
        if number not in self._divided:
            self._divided[number] = self._divide(*self._paragraphs[number])
        return self._divided[number]

    def _divide(self, flat: str, atoms: list[_Atom]) -> list[tuple[int, Segment]]:
        index = {atom.at: i for i, atom in enumerate(atoms)}
        index[len(flat)] = len(atoms)
        segments: list[tuple[int, Segment]] = []
        first = 0
        for chance in breaking.opportunities(flat, self.language, self._hyphenate):
            if (end := index.get(chance.at)) is None or end == first:
                continue  # in the middle of a cluster: no line can end there
            ink = end
            while ink > first and atoms[ink - 1].vanishes:
                ink -= 1
            hyphen = self._hyphen(atoms[ink - 1]).width if chance.hyphen else 0.0
            width, inner_spaces = 0.0, 0
            for atom in atoms[first:ink]:
                width += atom.width
                inner_spaces += atom.space
            space = sum([atom.width for atom in atoms[ink:end]])
            segments.append((end, Segment(width, space, inner_spaces, chance.penalty, hyphen)))
            first = end
        return segments

    def _hyphen(self, after: _Atom) -> _Atom:
        """Return the hyphen that ends a line after an atom, in that atom's face."""
        faces = (after.face or self.voices.plain[0], *self.voices.plain)
        face = next((face for face in faces if face.has("-")), faces[0])
        cluster = shaping.shape("-", face, "", str(self.language.code))[0]
        # it stands for a soft hyphen in the text (PDF 32000-1, 14.8.2.2)
        drawn = Cluster(cluster.glyphs, cluster.advance, SOFT_HYPHEN)
        width = cluster.advance / face.upem
        return _Atom(width, after.at, face, drawn, None, after.link, after.colour)

    def lines(self, measure: float, align: Align) -> tuple[list[Line], float]:
        """Return the lines for a measure in em, and by how many em the widest is too wide."""
        key = (round(measure, 9), align)
        if key not in self._lines:
            self._lines[key] = self._break(measure, align)
        return self._lines[key]

    def _break(self, measure: float, align: Align) -> tuple[list[Line], float]:
        lines: list[Line] = []
        excess = 0.0
        for number, (_, atoms) in enumerate(self._paragraphs):
            stop = len(atoms)
            while stop and atoms[stop - 1].vanishes:
                stop -= 1
            natural = sum([atom.width for atom in atoms[:stop]])
            if natural <= measure or not stop:
                lines.append(Line(tuple(atoms[:stop]), natural, True))
                continue
            segments = self._segments(number)
            ends, over = breaking.choose_lines([s for _, s in segments], measure, align)
            excess = max(excess, over)
            first = 0
            for end in ends:
                until, segment = segments[end - 1]
                stop = until
                while stop > first and atoms[stop - 1].vanishes:
                    stop -= 1
                on_line = atoms[first:stop]
                last = end == len(segments)
                if segment.hyphen and not last:
                    hyphen = self._hyphen(on_line[-1])
                    if on_line[-1].cluster.text == SOFT_HYPHEN:
                        on_line.pop()  # the hyphen that is seen takes its place
                    on_line.append(hyphen)
                lines.append(Line(tuple(on_line), sum(a.width for a in on_line), last))
                first = until
        return lines, excess

    def extent(self, count: int, leading: float) -> float:
        """Return the height in em of so many lines: first ascender to last descender."""
        face = self.voices.plain[0]
        return (count - 1) * leading + (face.ascender - face.descender) / face.upem

    def overflow(self, box: Box, setting: Setting, size: float) -> tuple[float, float]:
        """Return by how many mm a text at a size is too wide and too high for a box."""
        lines, excess = self.lines(box.width / size, setting.align)
        height = self.extent(len(lines), setting.leading) * size - box.height
        return max(0.0, excess * size), max(0.0, height)

    def fit(self, box: Box, setting: Setting) -> tuple[float, tuple[float, float]]:
        """Return the largest size from the wanted to the smallest at which the text fits.

        With it comes what still is too much at that size: (0, 0) when it fits.
        """
        over = self.overflow(box, setting, setting.size)
        if not any(over) or setting.smallest >= setting.size:
            return setting.size, over
        over = self.overflow(box, setting, setting.smallest)
        if any(over):
            return setting.smallest, over

        def fits(step: int) -> bool:
            return not any(self.overflow(box, setting, setting.smallest + step * STEP))

        low, most = 0, int((setting.size - setting.smallest) / STEP) + 1
        high = most
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        if setting.align == "justify":
            # its lines are chosen to look well, so that a larger size may do with fewer
            above = range(min(low + LOOK_ABOVE, most - 1), low, -1)
            low = next((step for step in above if fits(step)), low)
        return setting.smallest + low * STEP, (0.0, 0.0)

    def marks(self, box: Box, setting: Setting, size: float) -> list[Mark]:
        """Return the marks of a text set in a box at a size."""
        lines, _ = self.lines(box.width / size, setting.align)
        face = self.voices.plain[0]
        step = setting.leading * size
        # What the eye takes for a text's height is capitals to baseline, also where the script
        # has none: the bodies of Devanagari and Hangul stand at about that height.
        cap = face.cap_height * size / face.upem
        ascent, descent = (face.ascender * size / face.upem, -face.descender * size / face.upem)
        ink = (len(lines) - 1) * step + cap
        if setting.valign == "top":
            y = box.y + ascent
        elif setting.valign == "bottom":
            y = box.bottom - descent - (len(lines) - 1) * step
        else:
            y = box.y + (box.height - ink) / 2 + cap
        marks: list[Mark] = []
        for line in lines:
            marks += set_line(line, box, y, size, setting, cap)
            y += step
        return marks


ICON_HEIGHT = 1.0  # em; icons stand centred on the height of capitals


def set_line(
    line: Line, box: Box, y: float, size: float, setting: Setting, cap: float
) -> list[Mark]:
    """Return the marks of a line across a box, on the baseline y; `cap` is the height of capitals.

    The areas of links come after what they cover.
    """
    slack = box.width - line.width * size
    spaces = sum(atom.space for atom in line.atoms)
    word_space = 0.0
    if setting.align == "justify" and spaces and (not line.last or slack < 0):
        word_space = slack / spaces
    x = box.x + {"right": slack, "center": slack / 2}.get(setting.align, 0.0)
    marks: list[Mark] = []
    run: list[Cluster] = []
    links: list[Mark] = []
    face, colour, start = None, "", x

    def flush() -> None:
        if run and face:
            shown = colour or setting.colour
            clusters = tuple(run)
            marks.append(
                GlyphRun(face, size, start, y, clusters, shown, word_space, setting.origin)
            )
            run.clear()

    at = x
    linking = line.atoms if any(atom.link for atom in line.atoms) else ()
    for link, group in groupby(linking, key=lambda atom: atom.link):
        linked = list(group)
        width = sum(a.width * size + (word_space if a.space else 0.0) for a in linked)
        if link:
            words = "".join(atom.cluster.text for atom in linked).strip()
            links.append(Link(Box(at, y - size, width, 1.3 * size), link, words))
        at += width
    for atom in line.atoms:
        if atom.face is not face or atom.colour != colour or atom.icon:
            flush()
            face, colour, start = atom.face, atom.colour, x
        if atom.icon:
            height = ICON_HEIGHT * size
            top = y - cap / 2 - height / 2
            where = Box(x, top, atom.width * size, height)
            marks.append(Picture(atom.icon, where, setting.icons, setting.origin))
        elif run and _unseen(atom.cluster) and not run[-1].text.isspace():
            # readers stumble over glyphs without width: the text goes with the cluster before
            last = run[-1]
            run[-1] = Cluster(last.glyphs, last.advance, last.text + atom.cluster.text)
        elif atom.face:  # an indent has none, and nothing to show
            run.append(atom.cluster)
        x += atom.width * size + (word_space if atom.space else 0.0)
    flush()
    return [*marks, *links]


def _unseen(cluster: Cluster) -> bool:
    """Tell whether a cluster is a joiner, a soft hyphen or the like, set with no width."""
    return cluster.advance == 0 and all(map(shaping.invisible, cluster.text))


def _hard_lines(spans: Sequence[markup.Span]) -> list[list[markup.Span]]:
    lines: list[list[markup.Span]] = [[]]
    for span in spans:
        first, *rest = span.text.split("\n")
        pieces = [first, *rest]
        for i, piece in enumerate(pieces):
            if i:
                lines.append([])
            if piece:
                lines[-1].append(replace(span, text=piece))
    while len(lines) > 1 and not lines[-1]:  # a text of several lines often ends in a line break
        lines.pop()
    return lines


def unprintable(text: str) -> str:
    """Return the first character of a text that must not be in one, or an empty text.

    Control characters, direction overrides (which make print differ from what was proof-read),
    lone surrogates, and the mark that goes beyond 64 on one letter.
    """
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if category == "Cs" or (category == "Cc" and character != "\n"):
            return character
        if character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
            return character
        marks = marks + 1 if category in ("Mn", "Me", "Cf") else 0
        if marks > 64:
            return character
    return ""
