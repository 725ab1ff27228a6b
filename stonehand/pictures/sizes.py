"""Which card size a ready picture of a card has, and whether it has a bleed around it.

Pixels alone have no size. A picture is compared with every named size, upright and on its side,
with and without bleed: first at the resolution that its file tells, then at those that people use,
then by its shape alone. How it was found is told, so that a guess is known to be one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from stonehand.art.picture import Art, Raster, Vector
from stonehand.cards.template import CardSize

BLEEDS = (0.0, 3.0, 3.175, 2.0, 1.5875, 5.0)  # mm; those that print shops ask for, and none
RESOLUTIONS = (300.0, 600.0, 150.0, 200.0, 400.0, 800.0, 1200.0)  # dpi, in the order of trying
_UNTOLD = {72.0, 96.0}  # dpi that programs write where nobody said any
_CLOSE = 0.15  # mm; or a pixel, if that is more
_NEAR = 0.3  # mm; where the file tells its size
_ALIKE = 0.01  # by how much of itself a width over height may differ
_DOUBT = 0.004  # how much better the shape must fit to take a picture for one with bleed

How = Literal["told", "resolution", "shape", "none"]


class Look(NamedTuple):
    """What is kept of a picture: a key that is equal for equal content, and its size.

    `width` and `height` are px, or mm of a drawing; `dpi` is what the file tells, 0 if nothing.
    """

    key: str
    width: float
    height: float
    drawn: bool
    dpi: int = 0

    @classmethod
    def of(cls, art: Art) -> "Look":
        """Return the look of a picture that was read."""
        if not isinstance(art, Raster):
            assert isinstance(art, Vector)
            return cls(art.key, art.width, art.height, drawn=True)
        across, down = art.dpi or (0.0, 0.0)
        dpi = round(across) if abs(across - down) < 1 else 0
        return cls(art.key, art.width, art.height, drawn=False, dpi=0 if dpi in _UNTOLD else dpi)

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.width / self.height

    def in_mm(self, dpi: float) -> tuple[float, float]:
        """Return width and height in mm, those of pixels at a resolution."""
        mm = 1.0 if self.drawn else 25.4 / dpi
        return self.width * mm, self.height * mm


class Found(NamedTuple):
    """A card size in mm as it lies, its name ("" if none fits), the bleed, and how it was found."""

    name: str
    width: float
    height: float
    bleed: float
    how: How
    dpi: float = 0.0
    near: str = ""
    turned: bool = False

    @property
    def key(self) -> tuple[str, float, float, float]:
        """What is equal for pictures of the same size."""
        return self.name, self.width, self.height, self.bleed

    @property
    def words(self) -> str:
        """The size and bleed as people say them."""
        name = f"{self.name}{' on its side' if self.turned else ''}, " if self.name else ""
        bleed = f"with a bleed of {self.bleed:g} mm" if self.bleed else "without bleed"
        return f"{name}{self.width:g} x {self.height:g} mm, {bleed}"


class _Candidate(NamedTuple):
    name: str
    width: float
    height: float
    bleed: float
    turned: bool
    rank: int

    @property
    def whole(self) -> tuple[float, float]:
        return self.width + 2 * self.bleed, self.height + 2 * self.bleed

    def off(self, width: float, height: float) -> float:
        """Return by how many mm a picture of a size in mm differs."""
        return max(abs(width - self.whole[0]), abs(height - self.whole[1]))

    def unlike(self, aspect: float) -> float:
        """Return by how much of itself a picture's width over height differs."""
        return abs(aspect * self.whole[1] / self.whole[0] - 1)


def card_size(look: Look, sizes: Mapping[str, CardSize], bleeds: Sequence[float]) -> Found:
    """Return the size of a picture of a card; `bleeds`, in mm, are those that it may have."""
    candidates = list(_candidates(sizes, bleeds))
    told = look.drawn or look.dpi > 0
    if told and (best := _closest(candidates, *look.in_mm(look.dpi), _NEAR)):
        return _found(best, "told", look.dpi)
    for tried in () if look.drawn else RESOLUTIONS:
        close = max(_CLOSE, 25.4 / tried)
        if best := _closest(candidates, *look.in_mm(tried), close):
            return _found(best, "resolution", tried)
    if alike := sorted(_alike(candidates, look.aspect)):
        best = alike[0][1]
        other = next((c.name for _, c in alike if c.name != best.name), "")
        return _found(best, "shape", 0.0)._replace(near=other)
    dpi = 0.0 if look.drawn else look.dpi or RESOLUTIONS[0]
    bleed = bleeds[0]
    width, height = (max(1.0, round(side - 2 * bleed, 1)) for side in look.in_mm(dpi))
    return Found("", width, height, bleed, "none", dpi)


def bleed_of_back(look: Look, size: Found) -> float | None:
    """Return the bleed in mm of a picture that lies behind a card; None if its shape is another."""
    unlike = {
        bleed: abs(look.aspect * (size.height + 2 * bleed) / (size.width + 2 * bleed) - 1)
        for bleed in (0.0, *([size.bleed] if size.bleed else BLEEDS[1:3]))
    }
    best = min(unlike, key=unlike.__getitem__)
    return best if unlike[best] <= _ALIKE else None


def _candidates(sizes: Mapping[str, CardSize], bleeds: Sequence[float]) -> Iterator[_Candidate]:
    for rank, (name, size) in enumerate(sizes.items()):
        width, height = round(size.width.mm, 4), round(size.height.mm, 4)
        for bleed in bleeds:
            yield _Candidate(name, width, height, bleed, False, rank)
            if width != height:
                yield _Candidate(name, height, width, bleed, True, rank)


def _closest(
    candidates: Sequence[_Candidate], width: float, height: float, close: float
) -> _Candidate | None:
    """Return the candidate closest to a size in mm, of equally close ones the first."""
    off, best = min(((c.off(width, height), c) for c in candidates), key=lambda pair: pair[0])
    return best if off <= close else None


def _alike(candidates: Sequence[_Candidate], aspect: float) -> Iterator[tuple[float, _Candidate]]:
    """Yield the candidates of a shape, with how little they fit: those without bleed fit better."""
    for candidate in candidates:
        unlike = candidate.unlike(aspect)
        if unlike <= _ALIKE:
            doubt = _DOUBT if candidate.bleed and any(not c.bleed for c in candidates) else 0.0
            yield unlike + doubt + candidate.rank * 0.0002 + candidate.turned * 0.0001, candidate


def _found(best: _Candidate, how: How, dpi: float) -> Found:
    return Found(best.name, best.width, best.height, best.bleed, how, dpi, turned=best.turned)
