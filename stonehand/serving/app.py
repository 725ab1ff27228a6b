"""The pages and data of a game that lies open, as an ASGI application.

It answers only to names of the machine itself: another name that leads here is a page from
elsewhere which has had its name pointed at this machine (DNS rebinding). Nothing that is asked
for changes anything, and no name that is asked for becomes the path of a file.
"""

import asyncio
import hashlib
import json
import secrets
import traceback
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stonehand.project import GameFolder
from stonehand.serving import describe
from stonehand.serving.pictures import Pictures, Shot
from stonehand.serving.proofs import Findings, Outdated, Pages, Proofs, look_over
from stonehand.serving.state import Desk
from stonehand.serving.watch import changes
from stonehand.serving.worker import Worker
from stonehand.source.files import read_bytes

_T = TypeVar("_T")

PAGE = Path(__file__).with_name("page")
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
FILE_LIMIT = 1_000_000
NAMES = ("127.0.0.1", "localhost")
MANY = 200  # cards whose faces are asked for at once
HEARTBEAT = 15.0  # s after which a connection shows that it is alive
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """Lets requests pass that are for this machine, and puts what browsers must keep to on all."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        host = Request(scope).headers.get("host", "").rpartition(":")
        name = host[0] if host[1] and host[2].isdecimal() else "".join(host)
        if name not in NAMES:
            refused = PlainTextResponse("This address is only for this machine.\n", 421)
            await refused(scope, receive, guarded)
            return
        await self.app(scope, receive, guarded)


class Site:
    """A game that lies open, and who works on it."""

    def __init__(self, folder: GameFolder) -> None:
        """Read a game."""
        self.folder = folder
        self.run = secrets.token_hex(4)  # tells a page that the program was started again
        self.quick, self.slow, self.checks = map(Worker, ("faces", "pages", "checks"))
        self.faces, self.pages = Pictures(self.quick), Pictures(self.slow)
        self.desk = self.quick.do(lambda: Desk(folder)).result()
        self._proofs: Proofs | None = None
        self._found: dict[tuple[int, str], Findings] = {}  # by reading and language
        self._listeners: set[asyncio.Queue[int]] = set()
        self._files = _page_files()

    def end(self) -> None:
        """Begin nothing more."""
        for worker in (self.quick, self.slow, self.checks):
            worker.end()

    # --- changes

    async def refresh(self, changed: set[Path]) -> None:
        """Read the game again, and tell all pages."""
        await _done(self.quick, lambda: self._refresh(changed), urgency=-1)
        for listener in self._listeners:
            listener.put_nowait(self.desk.number)

    def _refresh(self, changed: set[Path]) -> None:
        self.desk.refresh(changed)
        self.faces.forget(self.desk.presses)

    async def follow(self) -> None:
        """Read the game again whenever its files change."""
        async for changed in changes(self.folder):
            try:
                await self.refresh(changed)
            except Exception:  # a fault of the program: told, and no reason to follow no longer
                traceback.print_exc()

    async def events(self, _: Request) -> Response:
        """Tell a page, as long as it is there, which reading of the game is the latest."""
        return StreamingResponse(self.told(), media_type="text/event-stream")

    async def told(self) -> AsyncIterator[str]:
        """Yield the events of a page: first what is, then what is new."""
        listener: asyncio.Queue[int] = asyncio.Queue()
        self._listeners.add(listener)
        number = self.desk.number
        try:
            while True:
                data = json.dumps({"run": self.run, "number": number})
                yield f"data: {data}\n\n"
                number = 0
                while not number:
                    try:
                        number = await asyncio.wait_for(listener.get(), HEARTBEAT)
                    except TimeoutError:
                        yield ":\n\n"
        finally:
            self._listeners.discard(listener)

    # --- the game and its faces

    async def game(self, request: Request) -> Response:
        """Return the game with its cards in a language."""
        return await self._answer(lambda: self._game(request.query_params.get("lang", "")))

    def _game(self, code: str) -> describe.Json:
        reading = self.desk.reading
        code = self._language(code) if code else next(iter(reading.languages), "")
        faces = self.desk.faces(code) if code else None
        told = describe.game(reading, faces)
        return {**told, "rules": self.folder.rules.exists(), "language": code, **self._state()}

    async def shown(self, request: Request) -> Response:
        """Return the faces of some cards."""
        asked = request.query_params
        ids = asked.get("ids", "").split(",")
        return await self._answer(lambda: self._shown(asked.get("lang", ""), ids[:MANY]))

    def _shown(self, code: str, ids: list[str]) -> describe.Json:
        faces = self.desk.faces(self._language(code))
        cards = [card for name in ids if (card := self.desk.reading.cards.get(name))]
        sides = {str(card.id): faces.sides(card) for card in cards}
        for found in sides.values():
            for shown in filter(None, found.values()):
                self.faces.offer(shown)
        return {"faces": describe.faces(sides), **self._state()}

    def _state(self) -> describe.Json:
        faults = describe.faults(self.desk.faults, self.desk.reading.lines)
        return {"run": self.run, "number": self.desk.number, "faults": faults}

    def _language(self, code: str) -> str:
        if code not in self.desk.reading.languages:
            raise KeyError(code)
        return code

    async def picture(self, request: Request) -> Response:
        """Return a picture; one of a name never changes, so that it is asked for but once."""
        shot = Shot.named(request.path_params["name"])
        data = await self._drawn(shot) if shot else None
        if data is None:
            return PlainTextResponse("There is no such picture.\n", 404)
        headers = {"Cache-Control": "private, max-age=31536000, immutable", "ETag": f'"{shot}"'}
        return Response(data, media_type="image/png", headers=headers)

    async def _drawn(self, shot: Shot) -> bytes | None:
        for pictures in (self.faces, self.pages):
            if data := pictures.made(shot) or await asyncio.wrap_future(pictures.png(shot)):
                return data
        return None

    # --- what takes longer

    async def sheets(self, request: Request) -> Response:
        """Return the sheets of the decks."""
        return await self._pages(request, Proofs.sheets)

    async def book(self, request: Request) -> Response:
        """Return the pages of the rulebook."""
        return await self._pages(request, Proofs.book)

    async def _pages(
        self, request: Request, make: Callable[[Proofs, str], list[Pages]]
    ) -> Response:
        code = request.query_params.get("lang", "")

        def made() -> describe.Json:
            proofs = self._proofs_now()
            parts: list[Pages] = []
            with proofs.problems.gather():
                parts = make(proofs, self._language(code))
            for part in parts:
                for _, shown in part.pages:
                    self.pages.offer(shown)
            faults = describe.faults(proofs.problems.errors, self.desk.reading.lines)
            return {"number": proofs.number, "parts": describe.pages(parts), "faults": faults}

        return await self._answer(made, self.slow)

    async def findings(self, request: Request) -> Response:
        """Return what the checks find; it takes seconds."""
        code = request.query_params.get("lang", "")

        def made() -> describe.Json:
            number, reading = self.desk.number, self.desk.reading
            self._language(code)
            if (number, code) not in self._found:
                self._found = {key: found for key, found in self._found.items() if key[0] == number}
                self._found[number, code] = look_over(self.folder, code, self._pause(number))
            found = self._found[number, code]
            return {"number": number, "findings": describe.findings(found, reading, code)}

        return await self._answer(made, self.checks)

    def _proofs_now(self) -> Proofs:
        number = self.desk.number
        if self._proofs is None or self._proofs.number != number:
            self._proofs = Proofs(self.folder, number, self._pause(number))
            self.pages.forget([])
        return self._proofs

    def _pause(self, number: int) -> Callable[[], None]:
        """Return what a slow thread calls between its steps: faces that are waited for go first."""

        def pause() -> None:
            self.quick.wait_until_idle(1.0)
            if self.desk.number != number:
                raise Outdated

        return pause

    async def _answer(
        self, make: Callable[[], describe.Json], worker: Worker | None = None
    ) -> Response:
        """Return what a worker makes as JSON."""
        try:
            told = await _done(worker or self.quick, make)
        except Outdated:
            told = {"outdated": True}
        except KeyError:
            return PlainTextResponse("The game has no such language.\n", 404)
        data = json.dumps(told, ensure_ascii=False)
        return Response(data, media_type="application/json", headers={"Cache-Control": "no-store"})

    # --- the page itself

    async def file(self, request: Request) -> Response:
        """Return a file of the page."""
        name = request.path_params.get("name", "index.html")
        if name not in self._files:
            return PlainTextResponse("There is no such page.\n", 404)
        data, kind, tag = self._files[name]
        headers = {"Cache-Control": "no-cache", "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=kind, headers=headers)


def _page_files() -> Mapping[str, tuple[bytes, str, str]]:
    """Return the files of the page by their names: content, type and tag."""
    files = {}
    for path in PAGE.iterdir():
        if kind := TYPES.get(path.suffix):
            data = read_bytes(path, FILE_LIMIT)
            files[path.name] = data, kind, f'"{hashlib.sha256(data).hexdigest()[:16]}"'
    return files


async def _done(worker: Worker, work: Callable[[], _T], urgency: int = 0) -> _T:
    return await asyncio.wrap_future(worker.do(work, urgency))


def application(site: Site, *, follow: bool = True) -> ASGIApp:
    """Return the application of a site, which follows changes of files while it runs."""

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        following = asyncio.create_task(site.follow()) if follow else None
        yield
        if following:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
        site.end()

    def get(path: str, answer: Callable[[Request], Any]) -> Route:
        return Route(path, answer, methods=["GET"])

    routes = [
        get("/", site.file),
        get("/page/{name}", site.file),
        get("/picture/{name}", site.picture),
        get("/data/game", site.game),
        get("/data/faces", site.shown),
        get("/data/sheets", site.sheets),
        get("/data/book", site.book),
        get("/data/findings", site.findings),
        get("/events", site.events),
    ]
    return Guard(Starlette(routes=routes, lifespan=running))
