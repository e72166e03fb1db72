"""A reader of streams that do not end: talks to the application itself, chunk by chunk."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.service.support import Client, House


class Stream:
    """An open answer; ``events`` are what it has sent so far."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = ""
        self.is_over = asyncio.Event()
        self._gone = asyncio.Event()
        self._began = asyncio.Event()
        self._asked = False
        self._reads = asyncio.Event()
        self._reads.set()

    @property
    def end(self) -> dict[str, Any] | None:
        """The last words of the service: why the stream ends; None if it has not said so."""
        _, said, words = self.text.partition("event: end\ndata: ")
        return json.loads(words) if said else None

    @property
    def events(self) -> list[dict[str, Any]]:
        """The messages with data, as a browser would give them to a page."""
        found = []
        for block in self.text.split("\n\n")[:-1]:
            lines = [line.partition(": ") for line in block.splitlines()]
            data = [value for name, _, value in lines if name == "data"]
            ids = [value for name, _, value in lines if name == "id"]
            if data and ids:
                found.append({"id": int(ids[0]), **json.loads("\n".join(data))})
        return found

    async def until(self, count: int) -> list[dict[str, Any]]:
        """The events, once there are so many."""
        async with asyncio.timeout(10):
            while len(self.events) < count:
                await asyncio.sleep(0.005)
        return self.events

    async def receive(self) -> Any:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {k.decode().lower(): v.decode() for k, v in message["headers"]}
            self._began.set()
        else:
            await self._reads.wait()
            self.text += message.get("body", b"").decode()
            if not message.get("more_body", False):
                self.is_over.set()

    async def began(self) -> None:
        async with asyncio.timeout(10):
            await self._began.wait()

    def stall(self) -> None:
        """Take nothing more for now, as a client does that is busy with something else."""
        self._reads.clear()

    def read_on(self) -> None:
        """Take what comes again."""
        self._reads.set()

    async def ended(self) -> str:
        """Why the stream ended, once it has."""
        async with asyncio.timeout(10):
            await self.is_over.wait()
        assert self.end is not None
        reason: str = self.end["reason"]
        return reason

    def leave(self) -> None:
        """Go away, as a client does that closes its connection."""
        self._gone.set()


@asynccontextmanager
async def streamed(talon: House, who: Client, path: str, **headers: str) -> AsyncIterator[Stream]:
    """An open stream; the client goes away at the end."""
    path, _, query = path.partition("?")
    sent = who.headers | {name.replace("_", "-"): value for name, value in headers.items()}
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(k.lower().encode(), v.encode()) for k, v in sent.items()],
        "client": ("127.0.0.1", 1),
        "server": ("talon", 80),
        "state": {},
    }
    stream = Stream()
    serving = asyncio.create_task(talon.app(scope, stream.receive, stream.send))
    try:
        await stream.began()
        yield stream
    finally:
        stream.leave()
        async with asyncio.timeout(10):
            await serving
