"""A thread that does one thing after another, the most urgent first.

What belongs to one run (fonts, art, PDF objects) is not made for use by several threads at once.
So it is made and used by one of them.
"""

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import PriorityQueue
from typing import Any, TypeVar

_T = TypeVar("_T")


class Worker:
    """A thread of its own and what it has still to do."""

    def __init__(self, name: str) -> None:
        self._waiting: PriorityQueue[tuple[int, int, Future[Any], Callable[[], Any]]]
        self._waiting = PriorityQueue()
        self._number = itertools.count()
        self._ended = threading.Event()
        self._idle = threading.Event()
        # a daemon: the program's end must not wait for what nobody will see
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    def do(self, work: Callable[[], _T], urgency: int = 0) -> "Future[_T]":
        """Have something done; less is more urgent. What it returns or raises, the future has."""
        future: Future[_T] = Future()
        self._idle.clear()
        self._waiting.put((urgency, next(self._number), future, work))
        return future

    @property
    def waited_for(self) -> bool:
        """Whether something else is to be done after what is being done."""
        return not self._waiting.empty()

    def wait_until_idle(self, seconds: float) -> None:
        """Let this worker finish what it has to do, for so long at most."""
        self._idle.wait(seconds)

    def end(self) -> None:
        """Begin nothing more."""
        self._ended.set()
        self.do(lambda: None, -1)

    def _run(self) -> None:
        while not self._ended.is_set():
            if self._waiting.empty():
                self._idle.set()
            _, _, future, work = self._waiting.get()
            if self._ended.is_set() or not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:  # it is the asker's
                future.set_exception(error)
