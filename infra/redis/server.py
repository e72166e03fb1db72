"""One Redis or Valkey: calls of its functions that fail fast and heal by themselves.

Nothing here waits for a server that is away: after a failure callers are turned away at once
until a probe gets through.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as LostConnection
from redis.exceptions import RedisError, ResponseError

from domain.ports import Unavailable
from infra.redis.keys import Keys

CONNECTIONS_MAX: Final = 32
"""One process rarely has more than a flush, a few reads and a probe under way."""
POOL_SECONDS: Final = 0.25
CONNECT_SECONDS: Final = 0.5
ANSWER_SECONDS: Final = 0.5
"""A healthy server answers within milliseconds; what a slow one would have said is in the log."""
PAUSE_SECONDS: Final = 0.5
"""How long callers are turned away after a failure."""

_SOURCE: Final = "\n".join(
    Path(__file__).with_name(name).read_text() for name in ("functions.lua", "rankings.lua")
)
_VERSION: Final = hashlib.sha256(_SOURCE.encode()).hexdigest()[:8]
LIBRARY: Final = _SOURCE.replace("VERSION", _VERSION)
"""The server-side functions; their names carry a digest of their text."""

Call = tuple[str, Sequence[str], Sequence[Any]]
"""A function's name, its keys and its other arguments."""


class Server:
    """A pool of connections to one server, and the functions loaded into it."""

    def __init__(self, url: str, prefix: str) -> None:
        self.keys = Keys(prefix)
        self._url = url
        self._redis = Redis.from_pool(_pool(url, CONNECTIONS_MAX))
        self._probe_at = 0.0
        self.is_away = False
        """Whether the last call failed."""
        self.failures = 0
        """Calls that were tried and failed: for a metric."""

    async def call(self, call: Call, *, read_only: bool = False) -> Any:
        """Call one function; raises Unavailable."""
        command = "FCALL_RO" if read_only else "FCALL"
        return (await self.calls([call], command=command))[0]

    async def calls(
        self, calls: Sequence[Call], command: str = "FCALL", then: tuple[Any, ...] = ()
    ) -> list[Any]:
        """Call functions in one flush; loads them first where they are missing.

        ``then`` is a plain command that follows them; its answer is the last one.
        """
        commands: list[tuple[Any, ...]] = [
            (command, f"talon_{_VERSION}_{name}", len(keys), *keys, *args)
            for name, keys, args in calls
        ]
        if then:
            commands.append(then)
        answers = await self.flush(commands)
        if any(_is_missing(answer) for answer in answers):
            await self.command("FUNCTION", "LOAD", "REPLACE", LIBRARY)
            answers = await self.flush(commands)
        for answer in answers:
            if isinstance(answer, Exception):
                raise Unavailable(str(answer)) from answer
        return answers

    async def flush(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Send commands in one write and return their answers, errors of single ones among them.

        Raises Unavailable at once while the server is thought to be away.
        """
        if self.is_away:
            if time.monotonic() < self._probe_at:
                raise Unavailable("redis was away a moment ago")
            self._probe_at = time.monotonic() + PAUSE_SECONDS
        pipeline = self._redis.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        try:
            answers: list[Any] = await pipeline.execute(raise_on_error=False)
        except (RedisError, OSError) as error:
            self.is_away, self._probe_at = True, time.monotonic() + PAUSE_SECONDS
            self.failures += 1
            raise Unavailable(f"redis: {error}") from error
        self.is_away = False
        return answers

    async def command(self, *command: Any) -> Any:
        """One plain command; raises Unavailable, also where the server refuses it."""
        (answer,) = await self.flush([command])
        if isinstance(answer, Exception):
            raise Unavailable(f"redis: {answer}") from answer
        return answer

    def dedicated(self) -> Redis:
        """A client of its own for a subscription; whoever asks closes it."""
        return Redis.from_pool(_pool(self._url, 1))

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()


def _pool(url: str, connections_max: int) -> BlockingConnectionPool:
    # One retry, for a pooled connection that a restart of the server has cut. A time-out is not
    # retried: the caller has waited long enough.
    return BlockingConnectionPool.from_url(
        url,
        max_connections=connections_max,
        timeout=POOL_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        retry=Retry(NoBackoff(), 1, (LostConnection,)),
    )


def _is_missing(answer: object) -> bool:
    return isinstance(answer, ResponseError) and "Function not found" in str(answer)
