"""What a face looks like, as a name: faces of one name are one picture, in every run."""

import hashlib

from stonehand.scene import GlyphRun, Group, Mark, Path, Picture, Scene

LENGTH = 24  # letters; 96 bits


class Fingerprints:
    """Gives Scenes their names; marks that are shared by many are read once."""

    def __init__(self) -> None:
        self._shared: dict[int, tuple[tuple[Mark, ...], bytes]] = {}

    def of(self, scene: Scene) -> str:
        """Return the name of a Scene: a digest of its marks and measures, but not their origins."""
        size = (scene.width, scene.height, scene.bleed, scene.corner, scene.shape)
        made = hashlib.sha256(repr(size).encode())
        made.update(self._digest(scene.marks))
        return made.hexdigest()[:LENGTH]

    def _digest(self, marks: tuple[Mark, ...]) -> bytes:
        made = hashlib.sha256()
        for mark in marks:
            if isinstance(mark, Group):
                made.update(repr((mark.matrix, mark.clip)).encode())
                made.update(self._shared_digest(mark) if mark.shared else self._digest(mark.marks))
            else:
                made.update(repr(_seen(mark)).encode())
        return made.digest()

    def _shared_digest(self, group: Group) -> bytes:
        key = id(group.marks)
        if key not in self._shared:
            # the marks are kept so that no other object can take on their identity
            self._shared[key] = group.marks, self._digest(group.marks)
        return self._shared[key][1]


def _seen(mark: Mark) -> tuple[object, ...]:
    """Return what of a mark can be seen, in values whose `repr` is the same in every run."""
    if isinstance(mark, Path):
        return mark.outline, mark.fill, mark.stroke
    if isinstance(mark, Picture):
        return mark.art.key, mark.box, mark.tint
    if isinstance(mark, GlyphRun):
        place = (mark.size, mark.x, mark.y, mark.colour, mark.word_space)
        return mark.face.key, place, mark.clusters
    return ()
