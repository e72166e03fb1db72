"""A log as its service shows it over HTTP."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from service.cli.demo.client import Client, Response
from service.cli.failure import Failure


class RemoteLog:
    """``service.cli.witness.watch.Log`` over HTTP."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def checkpoint(self) -> str:
        """The newest checkpoint."""
        answer = await _get(self._client, "/v1/log/checkpoint")
        try:
            return answer.body.decode()
        except UnicodeDecodeError as error:
            raise Failure("the checkpoint is no text") from error

    async def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        """The proof between two sizes."""
        answer = await _get(self._client, f"/v1/log/consistency?from={old}&to={new}")
        try:
            decoded: Any = msgspec.json.decode(answer.body)
            return tuple(bytes.fromhex(one) for one in decoded["hashes"])
        except _NONSENSE as error:
            raise Failure("the service's proof cannot be read") from error


async def published_keys(client: Client) -> tuple[bytes, ...]:
    """The public keys that the service lists."""
    answer = await _get(client, "/v1/log/keys")
    try:
        decoded: Any = msgspec.json.decode(answer.body)
        keys = tuple(bytes.fromhex(line["public_key"]) for line in decoded["keys"])
    except _NONSENSE as error:
        raise Failure("the service's keys cannot be read") from error
    if not keys:
        raise Failure("the service lists no key")
    return keys


async def _get(client: Client, path: str) -> Response:
    answer = await client.request("GET", path)
    if answer.status != 200:
        raise Failure(f"{path} answered {answer.status}")
    return answer


_NONSENSE: Final = (msgspec.DecodeError, KeyError, TypeError, ValueError, RecursionError)
"""What reading an answer of a stranger may raise."""
