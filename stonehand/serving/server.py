"""The server: a game's page on an address that only this machine can reach."""

import os
import socket
import sys
from collections.abc import Callable
from types import FrameType

import uvicorn

from stonehand.project import GameFolder
from stonehand.serving.app import Site, application
from stonehand.source.problems import COMMAND_LINE, Location, fault

HOST = "127.0.0.1"
SWITCH = 0.0005  # s for which a thread may keep others waiting: reading files, one waits often


def bound(port: int) -> socket.socket:
    """Return a socket that listens on a port of this machine, any free one for 0.

    A port that is taken is a fault of the command line.
    """
    # of a socket that says it is TCP, asyncio sends small answers without the delay of 40 ms
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":  # elsewhere it would let two programs share the port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        message = f"port {port} can't be used: {(error.strerror or 'it is taken').lower()}"
        raise fault(Location(COMMAND_LINE), message, "name another with --port") from None
    return listening


class _Server(uvicorn.Server):
    """A server that ends when it is told to.

    There is nothing to be saved, and a check that runs, or a page that listens, would keep it.
    """

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the program, as a signal asks for it."""
        os._exit(0)


def serve(folder: GameFolder, port: int, ready: Callable[[str], None]) -> None:
    """Serve a game until the program is told to end; `ready` is given the address."""
    listening = bound(port)
    sys.setswitchinterval(SWITCH)
    site = Site(folder)
    config = uvicorn.Config(
        application(site),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
    )
    ready(f"http://{HOST}:{listening.getsockname()[1]}/")
    _Server(config).run(sockets=[listening])
