"""Pieces of work made side by side, in processes of their own.

A process is told an order and pieces of it as plain values, reads the game by itself, and gives
back files as bytes and findings as data. What comes back is the same wherever it was made, and
comes in the order in which it was asked for.
"""

import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from stonehand.making import Known, Made, Order, Piece, Workshop
from stonehand.source.problems import Problems
from stonehand.source.silence import Silences

_workshops: dict[tuple[int, Order], Workshop] = {}  # of this process, if it makes pieces


class Makers:
    """Makes pieces in so many processes, which are kept until it is closed."""

    def __init__(self, jobs: int) -> None:
        # processes that begin anew are the same on all systems, and share nothing with this one
        context = multiprocessing.get_context("spawn")
        self.run = 0  # a process reads a game again for another run
        self._pool = ProcessPoolExecutor(jobs, context, initializer=_begin)

    def __call__(self, order: Order, pieces: list[tuple[Piece, Known]]) -> Iterator[Made]:
        """Yield what pieces came to, in their order."""
        return self._pool.map(_make, [(self.run, order, *piece) for piece in pieces])

    def close(self) -> None:
        """End all processes, whatever they do."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
            process.join()


def _begin() -> None:
    # Ctrl-C reaches all processes of a terminal; those that only work end without a word
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _make(asked: tuple[int, Order, Piece, Known]) -> Made:
    run, order, piece, known = asked
    if (run, order) not in _workshops:
        _workshops.clear()
        _workshops[run, order] = Workshop(order, Problems(Silences()))
    return _workshops[run, order].make(piece, known)
