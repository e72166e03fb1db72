"""A client that follows a match live, and comes back by Last-Event-ID wherever its stream ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

import msgspec

from service.cli.demo.client import address_of, request_head
from tests.faults.caller import LOST_SECONDS
from tests.faults.stopping_proxy import closed


class Watch:
    """One viewer's stream of one match, over as many connections as it takes."""

    def __init__(
        self, urls: Sequence[str], match_id: str, token: str | None, dice: Random | None = None
    ) -> None:
        self._urls = urls
        self._path = f"/v1/matches/{match_id}/events/stream"
        self._token = token
        self._dice = dice or Random(1)
        self._task: asyncio.Task[None] | None = None
        self.items: list[dict[str, Any]] = []
        """As received: the test says whether each came once and in order."""
        self.connections = 0
        self.lag = 0.0
        """The longest time in seconds from an event's recording to its arrival on a stream that
        was open then."""

    @property
    def version(self) -> int:
        """The last version received."""
        return self.items[-1]["version"] if self.items else 0

    def start(self) -> None:
        """Begin to follow."""
        self._task = asyncio.create_task(self._follow())

    async def ended(self, seconds: float = 30) -> list[dict[str, Any]]:
        """All items, once the service says that the match is over."""
        assert self._task is not None
        await asyncio.wait_for(self._task, seconds)
        return self.items

    async def reached(self, version: int, seconds: float = 30) -> None:
        """Wait until a version has come."""
        async with asyncio.timeout(seconds):
            while self.version < version:
                assert self._task is not None
                if self._task.done():
                    await self._task
                await asyncio.sleep(0.01)

    async def leave(self) -> None:
        """Go away."""
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        while True:
            try:
                if await self._connect(self._dice.choice(self._urls)):
                    return
            except (OSError, asyncio.IncompleteReadError):
                pass
            await asyncio.sleep(LOST_SECONDS)

    async def _connect(self, url: str) -> bool:
        """Follow one connection to its end; whether the service said that all is over."""
        address = address_of(url)
        reader, writer = await asyncio.open_connection(address.host, address.port)
        try:
            resume = {"Last-Event-ID": str(self.version)} if self.items else {}
            head = request_head(address, "GET", self._path, self._token, resume)
            writer.write(head + b"\r\n\r\n")
            answer = await reader.readuntil(b"\r\n\r\n")
            status = int(answer[9:12])
            if status == 204:
                return True
            if status == 503:
                return False
            assert status == 200, answer
            self.connections += 1
            opened = time.time()
            async for message in _messages(reader):
                self._take(message, opened)
            return False
        finally:
            await closed(writer)

    def _take(self, message: dict[str, str], opened: float) -> None:
        """Keep an item; its id must be its version."""
        item = msgspec.json.decode(message["data"])
        assert message["id"] == str(item["version"])
        recorded = datetime.fromisoformat(item["occurred_at"]).astimezone(UTC).timestamp()
        if recorded > opened:
            self.lag = max(self.lag, time.time() - recorded)
        self.items.append(item)


async def _messages(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, str]]:
    """The messages of a chunked stream that have data; a broken last one is not given."""
    text = ""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        text += (await reader.readexactly(size)).decode()
        await reader.readexactly(2)
        *blocks, text = text.split("\n\n")
        for block in blocks:
            fields = dict(line.partition(": ")[::2] for line in block.splitlines())
            if "id" in fields:
                yield fields
