"""A client of a socket that talks to the application itself, message by message."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.service.support import Client, House


class Socket:
    """One connection; ``told`` is what has been told so far."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.is_open = False
        self.refusal: dict[str, Any] | None = None
        self.status = 0
        self.code = 0
        self._changed = asyncio.Condition()
        self._reads = asyncio.Event()
        self._reads.set()
        self._sent: asyncio.Queue[Any] = asyncio.Queue()
        self._sent.put_nowait({"type": "websocket.connect"})

    @property
    def items(self) -> list[dict[str, Any]]:
        """The items of the history so far."""
        return [one["item"] for one in self.told if one["type"] == "item"]

    def say(self, message: Any) -> None:
        """Send something: a text as it is, anything else as JSON."""
        text = message if isinstance(message, str) else json.dumps(message)
        self._sent.put_nowait({"type": "websocket.receive", "text": text})

    def say_bytes(self, data: bytes) -> None:
        """Send what is no text."""
        self._sent.put_nowait({"type": "websocket.receive", "bytes": data})

    async def asks(self, id: str, command: Any, **more: Any) -> dict[str, Any]:
        """Send a command, and wait for the next answer or problem with its id."""
        before = len(self._answers(id))
        self.say({"type": "command", "id": id, "command": command} | more)
        await self.until(lambda: len(self._answers(id)) > before)
        return self._answers(id)[-1]

    async def until(self, is_so: Any) -> None:
        """Wait for something that is told to make this so."""
        async with asyncio.timeout(10), self._changed:
            await self._changed.wait_for(is_so)

    async def closed(self) -> int:
        """The close code, once there is one."""
        await self.until(lambda: self.code)
        return self.code

    def stall(self) -> None:
        """Take nothing more for now."""
        self._reads.clear()

    def read_on(self) -> None:
        """Take what comes again."""
        self._reads.set()

    def leave(self) -> None:
        """Close from this side."""
        self._sent.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def receive(self) -> Any:
        return await self._sent.get()

    async def send(self, event: Any) -> None:
        if self.is_open:
            await self._reads.wait()
        async with self._changed:
            match event["type"]:
                case "websocket.accept":
                    self.is_open = True
                case "websocket.send":
                    self.told.append(json.loads(event["text"]))
                case "websocket.close":
                    self.code = event["code"]
                case "websocket.http.response.start":
                    self.status = event["status"]
                case "websocket.http.response.body":
                    self.refusal = json.loads(event["body"])
            self._changed.notify_all()

    def _answers(self, id: str) -> list[dict[str, Any]]:
        return [one for one in self.told if one.get("id") == id]


@asynccontextmanager
async def talking(
    talon: House, who: Client, match: str, query: str = "", **headers: str
) -> AsyncIterator[Socket]:
    """A socket that was opened or refused; the client goes away at the end."""
    path = f"/v1/matches/{match}/socket"
    sent = who.headers | {name.replace("_", "-"): value for name, value in headers.items()}
    scope: Any = {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(k.lower().encode(), v.encode()) for k, v in sent.items()],
        "client": ("127.0.0.1", 1),
        "server": ("talon", 80),
        "subprotocols": [],
        "state": {},
        "extensions": {"websocket.http.response": {}},
    }
    socket = Socket()
    serving = asyncio.create_task(talon.app(scope, socket.receive, socket.send))
    try:
        await socket.until(lambda: socket.is_open or socket.refusal)
        yield socket
    finally:
        socket.leave()
        async with asyncio.timeout(10):
            await serving
