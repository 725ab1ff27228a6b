"""What is folded into shape: standees, tents and tuck boxes, as flat nets of their panels.

A net is one Scene: panels in their places, the outline that is cut and the lines that are folded.
Lengths are in mm. The glue flaps stay blank, since glue does not hold on ink.
"""

import msgspec

from stonehand.scene import Box, Group, Mark, Matrix, Outline, Scene, polygon, rectangle

Line = tuple[float, float, float, float]
FOOT = 10.0  # mm; depth of the flaps on which a standee stands
BASE = 0.6  # of a tent's height: the depth of its floor
FLAP = 8.0  # mm; a glue flap
PLAY = 1.0  # mm; what a box has more than what is in it, each way
TUCK = 14.0  # mm; depth of the flap that closes a box
SLANT = 2.0  # mm; by which flaps are narrower at their ends, to slide in


def standee_size(panel: tuple[float, float]) -> tuple[float, float]:
    """Return width and height of the net of a standee."""
    return panel[0], 2 * panel[1] + 2 * FOOT


def tent_size(panel: tuple[float, float]) -> tuple[float, float]:
    """Return width and height of the net of a tent."""
    return panel[0], (2 + BASE) * panel[1] + FLAP


def standee_folds(panel: tuple[float, float]) -> tuple[Line, ...]:
    """Return the folds of a standee: above one foot, between the panels, above the other."""
    w, h = panel
    return tuple((0.0, y, w, y) for y in (FOOT, FOOT + h, FOOT + 2 * h))


def tent_folds(panel: tuple[float, float]) -> tuple[Line, ...]:
    """Return the folds of a tent: at its ridge, before and behind its floor."""
    w, h = panel
    return tuple((0.0, y, w, y) for y in (h, 2 * h, (2 + BASE) * h))


def standee(front: Scene, back: Scene | None) -> Scene:
    """Return the net: foot, back on its head, front, foot. It is folded at the top of both."""
    width, height = standee_size((front.width, front.height))
    marks = _panel(front, 0.0, FOOT + front.height)
    if back:
        marks = [*_panel(back, 0.0, FOOT, turned=True), *marks]
    folds = standee_folds((front.width, front.height))
    return Scene(width, height, tuple(marks), front.bleed, folds=folds)


def tent(front: Scene, back: Scene | None) -> Scene:
    """Return the net: back on its head, front, floor, and a flap that is glued behind the back."""
    width, height = tent_size((front.width, front.height))
    marks = _panel(front, 0.0, front.height)
    if back:
        marks = [*_panel(back, 0.0, 0.0, turned=True), *marks]
    folds = tent_folds((front.width, front.height))
    return Scene(width, height, tuple(marks), front.bleed, folds=folds)


def _panel(face: Scene, x: float, y: float, *, turned: bool = False) -> list[Mark]:
    """Return a face as a panel of a net, cut off at its upper and lower edge."""
    matrix = Matrix.shift(x, y)
    if turned:
        matrix = matrix.after(Matrix.turn(180, face.width / 2, face.height / 2))
    seen = Box(x - face.bleed, y, face.width + 2 * face.bleed, face.height)
    return [Group((Group(face.marks, matrix),), clip=rectangle(seen))]


# --- tuck boxes -----------------------------------------------------------------------------------


class BoxSize(msgspec.Struct, frozen=True):
    """The inside of a tuck box: as wide and high as a card and as deep as the deck, with play."""

    width: float
    height: float
    depth: float

    @classmethod
    def of(cls, card: tuple[float, float], count: int, thickness: float) -> "BoxSize":
        """Return the box of so many cards, each of a thickness in mm."""
        return cls(card[0] + PLAY, card[1] + PLAY, count * thickness + PLAY)

    @property
    def net(self) -> tuple[float, float]:
        """Width and height of the net."""
        return FLAP + 2 * self.width + 2 * self.depth, self.height + 2 * (self.depth + TUCK)

    def panels(self) -> dict[str, Box]:
        """Return where the panels and flaps lie on the net.

        From the left: glue flap, back, left side, front, right side. The lid with its tuck hangs on
        the back, the floor with its tuck on the front; sides have dust flaps at both ends.
        """
        w, h, d = self.width, self.height, self.depth
        top = d + TUCK
        x_back, x_left = FLAP, FLAP + w
        x_front, x_right = x_left + d, x_left + d + w
        bottom = top + h
        dust = min(d, w / 2)
        return {
            "glue": Box(0.0, top, FLAP, h),
            "back": Box(x_back, top, w, h),
            "left": Box(x_left, top, d, h),
            "front": Box(x_front, top, w, h),
            "right": Box(x_right, top, d, h),
            "lid": Box(x_back, top - d, w, d),
            "tuck": Box(x_back, 0.0, w, TUCK),
            "floor": Box(x_front, bottom, w, d),
            "floor tuck": Box(x_front, bottom + d, w, TUCK),
            "dust left top": Box(x_left, top - dust, d, dust),
            "dust right top": Box(x_right, top - dust, d, dust),
            "dust left floor": Box(x_left, bottom, d, dust),
            "dust right floor": Box(x_right, bottom, d, dust),
        }

    def outline(self) -> Outline:
        """Return what is cut."""
        p = self.panels()
        back, front, left, right = p["back"], p["front"], p["left"], p["right"]
        lid, tuck, floor, under = p["lid"], p["tuck"], p["floor"], p["floor tuck"]
        s = min(SLANT, self.depth / 3)
        dust = p["dust left top"].height
        top, bottom = back.y, back.bottom
        points = [
            (0.0, top + 2 * s), (FLAP, top), (lid.x, lid.y),
            # the tuck, its ends narrower
            (tuck.x + s, tuck.y), (tuck.right - s, tuck.y), (lid.right, lid.y), (back.right, top),
            (left.x + s, top - dust), (left.right - s, top - dust), (left.right, top),
            (front.right, top),
            (right.x + s, top - dust), (right.right - s, top - dust), (right.right, top),
            (right.right, bottom),
            (right.right - s, bottom + dust), (right.x + s, bottom + dust), (right.x, bottom),
            (floor.right, floor.bottom), (under.right - s, under.bottom),
            (under.x + s, under.bottom), (floor.x, floor.bottom), (front.x, bottom),
            (left.right - s, bottom + dust), (left.x + s, bottom + dust), (left.x, bottom),
            (back.x, bottom), (0.0, bottom - 2 * s),
        ]  # fmt: skip
        return polygon(points)

    def folds(self) -> tuple[Line, ...]:
        """Return the lines that are folded."""
        p = self.panels()
        back, front, lid, floor = p["back"], p["front"], p["lid"], p["floor"]
        top, bottom = back.y, back.bottom
        upright = [back.x, back.right, front.x, front.right]
        lines = [(x, top, x, bottom) for x in upright]
        lines += [(back.x, top, back.right, top), (lid.x, lid.y, lid.right, lid.y)]
        lines += [
            (front.x, bottom, front.right, bottom),
            (floor.x, floor.bottom, floor.right, floor.bottom),
        ]
        for side in (p["left"], p["right"]):
            lines += [(side.x, y, side.right, y) for y in (top, bottom)]
        return tuple(lines)


def tuck_box(size: BoxSize, faces: dict[str, Scene], bleed: float) -> Scene:
    """Return the net of a box; `faces` are the pictures of its panels by name."""
    marks: list[Mark] = []
    for name, box in size.panels().items():
        if face := faces.get(name):
            shown = Group((Group(face.marks, Matrix.shift(box.x, box.y)),), clip=rectangle(box))
            marks.append(shown)
    return Scene(*size.net, tuple(marks), bleed, shape=size.outline(), folds=size.folds())
