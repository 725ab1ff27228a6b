"""Colours of a PDF: a colour space comes in, what it is made of and what its values print go out.

PDF 32000-1, 8.6. Ink is counted in percent, 100 for each ink at full strength, as print shops
state their limits. Only spaces of inks (grey, CMYK, spot colours) have any: what an RGB value
becomes on a press is for the press to say.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from pikepdf import Object

_DEPTH = 6  # an Indexed of a DeviceN of an ICCBased is three deep

Family = Literal["gray", "rgb", "cmyk", "lab", "spot", "pattern", "unknown"]


class Space(NamedTuple):
    """A colour space.

    `name` is as people say it. `base` is the space that a palette holds colours of, a pattern
    without colours is painted in, or a spot colour is shown by where its ink is not at hand.
    """

    name: str
    family: Family
    channels: int
    device: bool = False  # its colours depend on the printer
    base: "Space | None" = None
    palette: bytes = b""
    spots: tuple[str, ...] = ()

    def parts(self) -> "Iterator[Space]":
        """Yield the spaces that colours of this one may be printed in; a palette has none."""
        if not self.palette and self.family != "pattern":
            yield self
        if self.base:
            yield from self.base.parts()

    def ink(self, values: Sequence[float]) -> float | None:
        """Return how much ink a colour takes in percent, or None if that is not known."""
        if self.family == "gray":
            return 100 * (1 - values[0])
        if self.family in ("cmyk", "spot"):
            return 100 * sum(values)
        return None

    def inks(self, values: Sequence[float]) -> int:
        """Return how many inks a colour takes; 0 if that is not known."""
        if self.family == "gray":
            return 1
        return sum(value > 0 for value in values) if self.family in ("cmyk", "spot") else 0

    def first(self) -> tuple[float, ...]:
        """Return the values that the space begins with (8.6.5.2 and following): mostly black."""
        if self.family == "cmyk":
            return (0.0, 0.0, 0.0, 1.0)
        return (1.0 if self.family == "spot" else 0.0,) * self.channels


GRAY = Space("DeviceGray", "gray", 1, device=True)
RGB = Space("DeviceRGB", "rgb", 3, device=True)
CMYK = Space("DeviceCMYK", "cmyk", 4, device=True)
PATTERN = Space("Pattern", "pattern", 0)
UNKNOWN = Space("unknown", "unknown", 0)

_PLAIN = {
    "/DeviceGray": GRAY,
    "/DeviceRGB": RGB,
    "/DeviceCMYK": CMYK,
    "/G": GRAY,  # the short names of inline images, table 94
    "/RGB": RGB,
    "/CMYK": CMYK,
    "/CalGray": Space("CalGray", "gray", 1),
    "/CalRGB": Space("CalRGB", "rgb", 3),
    "/CalCMYK": CMYK,
    "/Lab": Space("Lab", "lab", 3),
    "/Pattern": PATTERN,
}
_DEFAULTS = {"DeviceGray": "/DefaultGray", "DeviceRGB": "/DefaultRGB", "DeviceCMYK": "/DefaultCMYK"}
_ICC: dict[int, tuple[str, Family]] = {1: ("gray", "gray"), 3: ("RGB", "rgb"), 4: ("CMYK", "cmyk")}


def space_of(said: "Object", named: "Object | None", depth: int = 0) -> Space:
    """Return the colour space that an object stands for.

    `named` are the colour spaces of the resources. A device space for which these have a default
    is that one (8.6.5.6).
    """
    from pikepdf import Array, Name, Stream

    if depth > _DEPTH:
        return UNKNOWN
    if isinstance(said, Name):
        plain = _PLAIN.get(str(said))
        if plain is None:
            own = named.get(str(said)) if named is not None else None
            return UNKNOWN if own is None else space_of(own, named, depth + 1)
        default = _DEFAULTS.get(plain.name)
        if default and named is not None and default in named:
            return space_of(named[default], None, depth + 1)
        return plain
    if not isinstance(said, Array) or not len(said):
        return UNKNOWN
    kind = str(said[0])
    if kind == "/ICCBased":
        channels = int(said[1].N)
        name, family = _ICC.get(channels, ("unknown", "unknown"))
        return Space(f"ICC {name}", family, channels)
    if kind in ("/Indexed", "/I"):
        base = space_of(said[1], named, depth + 1)
        table = said[3]
        palette = table.read_bytes() if isinstance(table, Stream) else bytes(table)
        return Space(f"palette of {base.name}", base.family, 1, base=base, palette=palette)
    if kind in ("/Separation", "/DeviceN"):
        spots = [said[1]] if kind == "/Separation" else list(said[1])
        names = tuple(str(spot).removeprefix("/") for spot in spots)
        base = space_of(said[2], named, depth + 1)
        return Space(f"spot {' + '.join(names)}", "spot", len(names), base=base, spots=names)
    if kind == "/Pattern" and len(said) > 1:
        return Space("Pattern", "pattern", 0, base=space_of(said[1], named, depth + 1))
    return space_of(said[0], named, depth + 1)
