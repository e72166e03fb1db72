"""Watching a match as it goes on: its items for one viewer, for as long as they may see it.

Who may see a match is asked again while one watches: a token may be revoked, a person erased, a
seat taken or given up. What is shown then is what the viewer may see now, or nothing more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from enum import StrEnum
from typing import Any, Final, cast

from domain.ports import Unavailable
from service import access
from service.call import Call
from service.identity import Caller, Kind
from service.play.contract import Busy, Item
from service.problems import ProblemError

REVIEW_SECONDS: Final = 10.0
"""How long somebody may go on watching without being known again. A token that is revoked is
honored by a process for five seconds more at most: fifteen in all, or until the next heartbeat."""
_SEATING: Final = frozenset(("player_joined", "player_left"))
"""After these somebody else may hold a seat, or none."""


class End(StrEnum):
    """Why nothing more comes. A client acts on it; people read ``detail``."""

    detail: str

    def __new__(cls, reason: str, detail: str) -> End:
        """Attach the sentence."""
        member = str.__new__(cls, reason)
        member._value_, member.detail = reason, detail
        return member

    MATCH_OVER = "match_over", "The match is over, and this was all of it."
    TOURNAMENT_OVER = "tournament_over", "The tournament is over, and this was all of it."
    SERVICE_STOPPING = "service_stopping", "The service restarts: come back with the last version."
    TOKEN_INVALID = "token_invalid", "The token is revoked or has run out, or its person is erased."
    NOT_YOURS = "not_yours", "The match is not yours to see any more."
    TOO_SLOW = "too_slow", "You read too slowly: come back with the last version you have."
    TRY_AGAIN = "try_again", "Something failed: come back with the last version you have."


News = Item | End | None
"""An item, the end and its reason, or None for a heartbeat."""
Who = Callable[[int], Awaitable[Caller]]
"""Finds out anew, at a time, who watches."""


class Watch:
    """One viewer's look at one match, from a version on."""

    def __init__(self, call: Call, match: bytes, looked: access.Seen, after: int, who: Who) -> None:
        self._call = call
        self._match = match
        self._looked = looked
        self._after = after
        self._who = who
        self._reviewed = _now()

    async def news(self) -> AsyncGenerator[News, None]:
        """Every item once and in order, None now and then in between, and why it ends."""
        while True:
            async with aclosing(source(self._call, self._match, self._looked, self._after)) as came:
                async for item in came:
                    before = self._looked
                    if (end := await self._review(item)) is not None:
                        yield end
                        return
                    if self._looked.digest != before.digest:
                        break  # read on as whoever this is by now
                    yield item
                    if item is not None:
                        self._after = item.version
                else:
                    stopping = self._call.services.stopping.is_set()
                    yield End.SERVICE_STOPPING if stopping else End.MATCH_OVER
                    return

    async def _review(self, item: Item | None) -> End | None:
        """Find out again who watches and whether they may, if there is reason to."""
        is_seating = item is not None and item.type in _SEATING
        if self._call.caller.kind is Kind.ANONYMOUS:
            return None
        if not is_seating and _now() - self._reviewed < REVIEW_SECONDS:
            return None
        call = self._call
        try:
            call.now = call.services.now()
            call.caller = await self._who(call.now)
            if is_seating:
                self._looked = await access.seen(call, self._match)
        except ProblemError as error:
            is_there = error.problem.status != 404
            return End.TOKEN_INVALID if is_there else End.NOT_YOURS
        except (Busy, Unavailable):  # asked again with the next item: none comes meanwhile
            return None
        self._reviewed = _now()
        return None


def source(
    call: Call, match: bytes, looked: access.Seen, after: int
) -> AsyncGenerator[Item | None, None]:
    """The items after a version as this viewer may see them, and None for each heartbeat."""
    play = call.services.play
    if looked.delay:
        stream = play.stream_later(match, after, looked.delay)
    else:
        stream = play.stream(match, None, after, player=looked.digest)
    return cast("AsyncGenerator[Item | None, None]", stream)


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait until they have ended, however they do."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _now() -> float:
    return asyncio.get_running_loop().time()
