"""How many unfinished matches a person may take part in at once."""

from __future__ import annotations

from typing import Final

from domain.limits import PAGE_ITEMS
from domain.match import Status
from domain.ports import Unavailable
from service.call import Call
from service.problems import Code, fail

SET_UP_COST: Final = 20
"""Of a limit: a match is kept for ever, and its events are on disk for all others to read."""
_GOING_ON: Final = frozenset((Status.OPEN, Status.RUNNING))


async def require_room_for_a_match(call: Call, match: bytes | None = None) -> None:
    """Raise ProblemError (409) if the person takes part in as many unfinished matches as they may.

    A match in which they had a place before is none more: retries and returns are never refused.
    """
    most, player = call.services.settings.open_matches_max, call.caller.player
    if not most or player is None:
        return
    ids = await call.services.registry.matches_of(player, None, PAGE_ITEMS)
    if len(ids) < most or match in ids:
        return
    try:
        lines = await call.services.boards.lines(ids)
    except Unavailable:
        return
    unfinished = 0
    for id in ids:
        line = lines.get(id)
        if line is not None and line.status in _GOING_ON:
            digest = await call.services.rosters.digest_of(id, player, call.now)
            unfinished += any(seat.player == digest for seat in line.seats)
    if unfinished >= most:
        raise fail(
            Code.TOO_MANY_MATCHES,
            f"You take part in {unfinished} matches that are not over; {most} is the most.",
        )
