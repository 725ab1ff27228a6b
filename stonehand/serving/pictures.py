"""Pictures of faces and pages, drawn by one worker as they are asked for, and kept while few."""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from typing import NamedTuple

from msgspec.structs import replace

from stonehand.scene import Scene
from stonehand.serving.state import Shown
from stonehand.serving.worker import Worker

WIDTHS = (320, 640, 1280, 2560)  # px in which a face can be had
LIMIT = 64_000_000  # bytes of pictures that are kept
KNOWN = 4000  # faces that can be asked for
URGENCY = 1  # what is to be seen is asked for before how it looks
TOGETHER = 12  # are drawn from one PDF at most: more would keep the first waiting
_NAME = re.compile(r"([0-9a-f]{8,64})-(\d+)(b?)\.png")


class Shot(NamedTuple):
    """A picture that is asked for: of which face, how many px wide, and whether with its bleed."""

    key: str
    width: int
    bleed: bool

    @classmethod
    def named(cls, name: str) -> "Shot | None":
        """Return what the name of a file, such as `0123456789ab-320.png`, asks for."""
        match = _NAME.fullmatch(name)
        if match is None or int(match[2]) not in WIDTHS:
            return None
        return cls(match[1], int(match[2]), bool(match[3]))


class Pictures:
    """The pictures of Scenes that were offered."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self._known: OrderedDict[str, Shown] = OrderedDict()
        self._made: OrderedDict[Shot, bytes] = OrderedDict()
        self._size = 0
        self._wanted: dict[Shot, None] = {}
        self._lock = threading.Lock()  # of what is wanted and what is made: others ask for it

    def offer(self, shown: Shown) -> None:
        """Let a Scene be asked for by its key; in the worker's thread."""
        self._known[shown.key] = shown
        self._known.move_to_end(shown.key)
        while len(self._known) > KNOWN:
            self._known.popitem(last=False)

    def forget(self, used: Iterable[object]) -> None:
        """Let go of Scenes whose press is not in use any more; in the worker's thread."""
        presses = set(map(id, used))
        for key in [k for k, shown in self._known.items() if id(shown.press) not in presses]:
            del self._known[key]

    def made(self, shot: Shot) -> bytes | None:
        """Return a picture as a PNG file, if there is one; from any thread."""
        with self._lock:
            if shot in self._made:
                self._made.move_to_end(shot)
            return self._made.get(shot)

    def png(self, shot: Shot) -> "Future[bytes | None]":
        """Return a picture when it is drawn; none of a Scene that is not known."""
        if shot.key not in self._known:  # the worker may be busy for seconds
            nothing: Future[bytes | None] = Future()
            nothing.set_result(None)
            return nothing
        with self._lock:
            self._wanted[shot] = None
        return self.worker.do(lambda: self._png(shot), URGENCY)

    def _png(self, shot: Shot) -> bytes | None:
        if self.made(shot) is None and shot.key in self._known:
            self._draw(shot)
        with self._lock:
            self._wanted.pop(shot, None)
        return self.made(shot)

    def _draw(self, shot: Shot) -> None:
        """Draw a picture, and with it others that wait and can be drawn from the same PDF."""
        from stonehand.output import png

        shown = self._known[shot.key]
        dpi = _dpi(shown.scene, shot)
        together = [shot, *self._alike(shot, shown, dpi)][:TOGETHER]
        scenes = [_to_draw(self._known[one.key].scene, one) for one in together]
        for one, scene, image in zip(together, scenes, shown.press.drawn(scenes, dpi), strict=True):
            cut = scene.shape is not None and not one.bleed
            self._keep(one, png.encoded(png.cut_out(image, scene, dpi) if cut else image, dpi))

    def _alike(self, shot: Shot, shown: Shown, dpi: float) -> Iterator[Shot]:
        with self._lock:
            waiting = [one for one in self._wanted if one != shot and one not in self._made]
        for one in waiting:
            its = self._known.get(one.key)
            if its and its.press is shown.press and _dpi(its.scene, one) == dpi:
                yield one

    def _keep(self, shot: Shot, data: bytes) -> None:
        with self._lock:
            self._made[shot] = data
            self._size += len(data)
            while self._size > LIMIT and len(self._made) > 1:
                _, gone = self._made.popitem(last=False)
                self._size -= len(gone)


def _to_draw(scene: Scene, shot: Shot) -> Scene:
    return replace(scene, bleed=scene.bleed if shot.bleed else 0.0, shared=False)


def _dpi(scene: Scene, shot: Shot) -> float:
    return shot.width / _to_draw(scene, shot).trim.grown(scene.bleed * shot.bleed).width * 25.4
