"""Leaving all matches, before a person is erased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.limits import PAGE_ITEMS
from domain.match import OVER
from domain.ports import MatchLine, Unavailable
from service.call import Call
from service.seating import get_up
from service.tournaments.leaving import withdraw


async def leave_everything(call: Call) -> None:
    """Give up the seats in open matches, and leave those that run (AWAY-2).

    Each match is asked anew: what this process knows of it may be a moment old.
    """
    before: bytes | None = None
    while ids := await call.services.registry.matches_of(call.player, before, PAGE_ITEMS):
        lines = await _lines(call, ids)
        tournaments = await call.services.tournaments.lines.of(ids)
        for id in ids:
            if id in tournaments:
                await _withdraw(call, id)
                continue
            if id in lines and lines[id].status in OVER:
                continue
            digest = await call.services.rosters.digest_of(id, call.player, call.now)
            if digest is not None:
                await get_up(call.services, id, digest)
        before = ids[-1]


async def _withdraw(call: Call, tournament: bytes) -> None:
    """Withdraw from a tournament, if one is in it."""
    digest = await call.services.rosters.digest_of(tournament, call.player, call.now)
    if digest is not None:
        await withdraw(call.services, tournament, digest)


async def _lines(call: Call, ids: Sequence[bytes]) -> Mapping[bytes, MatchLine]:
    """What the lobby knows, which spares reading the matches that are over."""
    try:
        return await call.services.boards.lines(ids)
    except Unavailable:
        return {}
