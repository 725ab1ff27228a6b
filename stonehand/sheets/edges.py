"""What faces look like at their edges: whether neighbours may share a cut.

A knife that strays from a shared cut leaves a sliver of the neighbour. It is not seen where both
cards are of one colour along the cut, or bear the same design. What is looked at is the outermost
millimetre inside the trim, which is as far as a steady hand strays.
"""

from collections.abc import Hashable

from stonehand.extents import Extent, around, grown, mapped, union, within
from stonehand.scene import Anchor, Box, GlyphRun, Group, Link, Mark, Matrix, Path, Picture, Scene

RIM = 1.0  # mm
BEYOND = 0.25  # mm; as far as cards of one colour overlap
PAPER = "#ffffff"
_DUST = 0.01  # mm


class EdgeReader:
    """Tells what faces look like at their edges; marks that many faces share are measured once."""

    def __init__(self) -> None:
        self._extents: dict[int, tuple[tuple[Mark, ...], Extent | None]] = {}

    def edge(self, face: Scene) -> Hashable:
        """Return what is the same for faces that may share cuts: a colour, or the design itself."""
        rim = _Rim(face.trim)
        colour = self._over(face.marks, Matrix(), None, PAPER, rim)
        return colour or id(face.marks)

    def _over(
        self,
        marks: tuple[Mark, ...],
        matrix: Matrix,
        clip: Extent | None,
        colour: str | None,
        rim: "_Rim",
    ) -> str | None:
        """Return the colour of the rim after some marks: None where it is not of one."""
        for mark in marks:
            extent = self._extent(mark)
            if extent is None or not rim.touched(within(mapped(extent, matrix), clip)):
                continue
            if isinstance(mark, GlyphRun):  # its extent was that of any letters
                extent = mark.ink
                if not rim.touched(within(mapped(extent, matrix), clip)):
                    continue
            if isinstance(mark, Group):
                inner = clip
                if mark.clip is not None:
                    inner = within(mapped(around(mark.clip), matrix), clip)
                colour = self._over(mark.marks, matrix.after(mark.matrix), inner, colour, rim)
            elif not isinstance(mark, Path) or mark.fill is None or mark.stroke is not None:
                colour = None
            elif mark.fill != colour:
                whole = _is_box(mark) and rim.covered(within(mapped(extent, matrix), clip))
                colour = mark.fill if whole else None
        return colour

    def _extent(self, mark: Mark) -> Extent | None:
        """Return the box around a mark in the coordinates it is drawn in; None if it has no ink."""
        if isinstance(mark, Path):
            return grown(around(mark.outline), mark.stroke.width / 2 if mark.stroke else 0.0)
        if isinstance(mark, Picture):
            box = mark.box
            return box.x, box.y, box.right, box.bottom
        if isinstance(mark, GlyphRun):
            # as far as any letter of any script goes beyond its line
            return mark.x, mark.y - 1.3 * mark.size, mark.x + mark.width, mark.y + 0.6 * mark.size
        if isinstance(mark, Link | Anchor):
            return None
        known = self._extents.get(id(mark.marks))
        if known is None:
            known = mark.marks, union([e for m in mark.marks if (e := self._extent(m))])
            if mark.shared:
                # the marks are kept so that no other object can take on their identity
                self._extents[id(mark.marks)] = known
        extent = known[1] and mapped(known[1], mark.matrix)
        return within(extent, around(mark.clip)) if extent and mark.clip is not None else extent


class _Rim:
    """The outermost millimetre of a face, and a little of what it prints beyond."""

    def __init__(self, trim: Box) -> None:
        self.outside = trim.grown(BEYOND)
        self.inside = trim.grown(-RIM)
        self.trim = trim

    def touched(self, extent: Extent) -> bool:
        """Tell whether something of this extent lies on the rim."""
        left, top, right, bottom = extent
        out, inner = self.outside, self.inside
        if right <= left or bottom <= top:
            return False
        if right <= out.x or left >= out.right or bottom <= out.y or top >= out.bottom:
            return False
        return (
            left < inner.x - _DUST
            or top < inner.y - _DUST
            or right > inner.right + _DUST
            or bottom > inner.bottom + _DUST
        )

    def covered(self, extent: Extent) -> bool:
        """Tell whether a box of this extent covers the face."""
        left, top, right, bottom = extent
        out = self.trim
        return (
            left <= out.x + _DUST
            and top <= out.y + _DUST
            and right >= out.right - _DUST
            and bottom >= out.bottom - _DUST
        )


def _is_box(path: Path) -> bool:
    """Tell whether a path is an upright rectangle."""
    points = [p for _, p in path.outline if p]
    xs, ys = {x for x, *_ in points}, {p[1] for p in points}
    steps = "".join(step for step, _ in path.outline)
    return steps in ("MLLLZ", "MLLL") and len(xs) == 2 and len(ys) == 2
