"""Leaving all matches, before a person is erased."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from domain.commands import Actor, ActorKind, Leave
from domain.limits import PAGE_ITEMS
from domain.match import Match, Status
from domain.ports import MatchLine, Unavailable
from domain.refusals import RuleViolation
from service.call import Call
from service.idempotency import random_key
from service.play.command_ids import command_id
from service.play.contract import Ask, NoMatch

_OVER: Final = frozenset((Status.FINISHED, Status.ABANDONED, Status.VOIDED))


async def leave_everything(call: Call) -> None:
    """Give up the seats in open matches, and leave those that run (AWAY-2)."""
    seated = [found async for found in _seated(call)]
    for match, digest in seated:
        id = command_id(match.id, ActorKind.SEAT, digest, random_key())
        ask = Ask(Actor(ActorKind.SEAT), Leave(), id, player=digest)
        with suppress(RuleViolation):  # it has ended meanwhile
            await call.services.play.execute(match.id, ask)


async def _seated(call: Call) -> AsyncIterator[tuple[Match, str]]:
    """The matches that are not over and in which the person takes part, with their digest."""
    before: bytes | None = None
    while ids := await call.services.registry.matches_of(call.player, before, PAGE_ITEMS):
        lines = await _lines(call, ids)
        for id in ids:
            if id in lines and lines[id].status in _OVER:
                continue
            digest = await call.services.rosters.digest_of(id, call.player, call.now)
            match = await _match(call, id)
            if match is not None and digest is not None and _takes_part(match, digest):
                yield match, digest
        before = ids[-1]


async def _match(call: Call, id: bytes) -> Match | None:
    """A match that is not over; None also for one that was planned and never set up."""
    try:
        match = (await call.services.play.folded(id)).match
    except NoMatch:
        return None
    return None if match.is_over else match


def _takes_part(match: Match, digest: str) -> bool:
    seat = match.seat_of(digest)
    return seat is not None and seat in match.still_in and seat not in match.away


async def _lines(call: Call, ids: Sequence[bytes]) -> Mapping[bytes, MatchLine]:
    """What the lobby knows, which spares reading the matches that are over."""
    try:
        return await call.services.boards.lines(ids)
    except Unavailable:
        return {}
