"""The server: a game's page on an address that only this machine can reach."""

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import uvicorn

from stonehand.project import GameFolder
from stonehand.serving.app import Site, application
from stonehand.source.problems import COMMAND_LINE, Location, fault

HOST = "127.0.0.1"
GOODBYE = 1  # s for answers that are on their way when the program ends


def bound(port: int) -> socket.socket:
    """Return a socket that listens on a port of this machine, any free one for 0.

    A port that is taken is a fault of the command line.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
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
    """A server that takes leave of its pages before it ends."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self.site = site

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End, as a signal asks for it."""
        self.site.take_leave()
        super().handle_exit(sig, frame)


def serve(folder: GameFolder, port: int, ready: Callable[[str], None]) -> None:
    """Serve a game until the program is told to end; `ready` is given the address."""
    listening = bound(port)
    site = Site(folder)
    config = uvicorn.Config(
        application(site),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=GOODBYE,
    )
    ready(f"http://{HOST}:{listening.getsockname()[1]}/")
    with suppress(KeyboardInterrupt):  # the way to end it
        _Server(config, site).run(sockets=[listening])
    sys.stdout.flush()
    sys.stderr.flush()
    # a thread may be within a check of seconds: nothing that it makes is written anywhere
    os._exit(0)
