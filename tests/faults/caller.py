"""A client that retries by the book: the same key again after a lost answer or a 503."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from service.cli.demo.client import Client, ConnectionLost, Response

PATIENCE_SECONDS = 60
LOST_SECONDS = 0.05
"""Before a new connection, after one has broken."""


class Caller:
    """A connection to each of some processes, one request at a time on each."""

    def __init__(self, urls: Sequence[str], dice: Random) -> None:
        self._clients = [Client(url) for url in urls]
        self._dice = dice
        self.lost = 0
        self.unavailable = 0
        self.slowest = 0.0
        """Seconds until the slowest answer, of any status."""

    async def post(
        self,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        key: str | None = None,
        place: int | None = None,
    ) -> Response:
        """POST with a key until there is an answer; at ``place``, or each time anywhere."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        content = None if body is None else msgspec.json.encode(body)
        return await self._until_answered("POST", path, token, content, headers, place)

    async def get(
        self, path: str, *, token: str | None = None, place: int | None = None
    ) -> Response:
        """GET until there is an answer, which must be 200."""
        response = await self._until_answered("GET", path, token, None, {}, place)
        assert response.status == 200, response.body
        return response

    async def delete(self, path: str, *, token: str) -> Response:
        """DELETE until there is an answer, at any process."""
        return await self._until_answered("DELETE", path, token, None, {}, None)

    async def get_json(self, path: str, *, token: str | None = None) -> Any:
        """The decoded body of the same."""
        return msgspec.json.decode((await self.get(path, token=token)).body)

    async def at_each(
        self, path: str, body: object, *, token: str | None, key: str
    ) -> list[Response]:
        """The same POST under one key at all processes at once."""
        places = range(len(self._clients))
        return await asyncio.gather(
            *(self.post(path, body, token=token, key=key, place=place) for place in places)
        )

    def close(self) -> None:
        """Close the connections."""
        for client in self._clients:
            client.close()

    async def _until_answered(
        self,
        method: str,
        path: str,
        token: str | None,
        content: bytes | None,
        headers: dict[str, str],
        place: int | None,
    ) -> Response:
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            at = self._dice.randrange(len(self._clients)) if place is None else place
            began = time.monotonic()
            try:
                response = await self._clients[at].request(
                    method, path, token=token, body=content, headers=headers
                )
            except ConnectionLost:
                self.lost += 1
                await asyncio.sleep(LOST_SECONDS)
                continue
            self.slowest = max(self.slowest, time.monotonic() - began)
            if response.status != 503:
                return response
            self.unavailable += 1
            await asyncio.sleep(_retry_after(response))
        raise AssertionError(f"no answer within {PATIENCE_SECONDS} s: {method} {path}")


def is_replay(response: Response) -> bool:
    """Whether an answer says that it was given before."""
    return response.header("Idempotent-Replayed") == "true"


def _retry_after(response: Response) -> float:
    """The seconds that a 503 asks for; it must ask for some."""
    after = response.header("Retry-After")
    assert after is not None and after.isdigit() and int(after) > 0, response
    assert response.header("Content-Type") == "application/problem+json"
    return float(after)
