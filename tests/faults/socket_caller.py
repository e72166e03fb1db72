"""A client that plays over sockets, and comes back by the book wherever one breaks."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from service.cli.demo.client import Response
from tests.faults.caller import LOST_SECONDS, PATIENCE_SECONDS, Caller

Seat = tuple[str, str]
"""A match's path, and the token of who sits there."""


class SocketCaller(Caller):
    """Sends commands over a socket for each seat, everything else as requests."""

    def __init__(self, urls: Sequence[str], dice: Random) -> None:
        super().__init__(urls, dice)
        self._url = urls[0].replace("http", "ws", 1)
        self._sockets: dict[Seat, ClientConnection] = {}
        self.items: dict[Seat, list[dict[str, Any]]] = defaultdict(list)
        """As told to each seat, over all of its connections."""
        self.sockets_lost = 0

    async def post(
        self,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        key: str | None = None,
        place: int | None = None,
    ) -> Response:
        """A command under its key until there is an answer."""
        at, _, last = path.rpartition("/")
        if last != "commands" or token is None or key is None:
            return await super().post(path, body, token=token, key=key, place=place)
        order = msgspec.json.encode({"type": "command", "id": key, "command": body}).decode()
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            told = await self._ask((at, token), order, key)
            if told is None:
                continue
            if told["type"] == "answer":
                replayed = b"true" if told["replayed"] else b"false"
                head = b"HTTP/1.1 200 OK\r\nIdempotent-Replayed: " + replayed
                return Response(told["status"], head, msgspec.json.encode(told["body"]))
            problem = told["problem"]
            return Response(problem["status"], b"", msgspec.json.encode(problem))
        raise AssertionError(f"no answer within {PATIENCE_SECONDS} s: {path}")

    async def to_the_end(self, seat: Seat) -> list[dict[str, Any]]:
        """All items of a seat, once the service says that the match is over."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            told = await self._ask(seat, None, None)
            if told is not None and told["reason"] == "match_over":
                return self.items[seat]
        raise AssertionError("the match does not end")

    async def leave(self) -> None:
        """Close every socket."""
        await asyncio.gather(*(socket.close() for socket in self._sockets.values()))

    async def _ask(self, seat: Seat, order: str | None, key: str | None) -> dict[str, Any] | None:
        """What is told with this key, or at the end without one; None if the socket breaks."""
        try:
            socket = self._sockets.get(seat) or await self._open(seat)
            if order is not None:
                await socket.send(order)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while True:
                    told: dict[str, Any] = msgspec.json.decode(await socket.recv())
                    if told["type"] == "item":
                        self.items[seat].append(told["item"])
                    elif told.get("id") == key and (key or told["type"] == "end"):
                        return told
        except (OSError, EOFError, WebSocketException):
            self._sockets.pop(seat, None)
            self.sockets_lost += 1
            await asyncio.sleep(LOST_SECONDS)
            return None

    async def _open(self, seat: Seat) -> ClientConnection:
        path, token = seat
        known = self.items[seat][-1]["version"] if self.items[seat] else 0
        socket = await connect(
            f"{self._url}{path}/socket?after={known}",
            additional_headers={"Authorization": f"Bearer {token}"},
            ping_interval=None,
            compression=None,
        )
        self._sockets[seat] = socket
        return socket
