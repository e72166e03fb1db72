"""Leaving all matches, before a person is erased."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

from domain.commands import Actor, ActorKind, LeaveSeat
from domain.limits import PAGE_ITEMS
from domain.match import Match, Status
from domain.ports import MatchLine, Unavailable
from domain.refusals import RuleViolation
from service.call import Call
from service.idempotency import random_key
from service.ids import text_of
from service.play.command_ids import command_id
from service.play.contract import Ask, NoMatch
from service.problems import Code, fail

_OVER: Final = frozenset((Status.FINISHED, Status.ABANDONED, Status.VOIDED))


async def leave_everything(call: Call) -> None:
    """Give up the seats in open matches; raises ProblemError (409) if a match is running."""
    seated = [found async for found in _seated(call)]
    for match, _ in seated:
        if match.status is Status.RUNNING:
            raise fail(Code.PLAYER_IN_RUNNING_MATCH, f"Match {text_of(match.id)} is still running.")
    for match, digest in seated:
        key = command_id(match.id, ActorKind.SEAT, digest, random_key())
        ask = Ask(Actor(ActorKind.SEAT), LeaveSeat(), key, player=digest)
        try:
            await call.services.play.execute(match.id, ask)
        except RuleViolation as violation:
            raise fail(
                Code.PLAYER_IN_RUNNING_MATCH,
                f"Match {text_of(match.id)} goes on: {violation.refusal.detail}",
            ) from None


async def _seated(call: Call) -> AsyncIterator[tuple[Match, str]]:
    """The matches that are not over and in which the person has a seat, with their digest."""
    before: bytes | None = None
    while ids := await call.services.registry.matches_of(call.player, before, PAGE_ITEMS):
        lines = await _lines(call, ids)
        for id in ids:
            if id in lines and lines[id].status in _OVER:
                continue
            digest = await call.services.rosters.digest_of(id, call.player, call.now)
            match = await _match(call, id)
            if match is not None and digest is not None and match.seat_of(digest) is not None:
                yield match, digest
        before = ids[-1]


async def _match(call: Call, id: bytes) -> Match | None:
    """A match that is not over; None also for one that was reserved and never set up."""
    try:
        match = (await call.services.play.folded(id)).match
    except NoMatch:
        return None
    return None if match.is_over else match


async def _lines(call: Call, ids: Sequence[bytes]) -> Mapping[bytes, MatchLine]:
    """What the lobby knows, which spares reading the matches that are over."""
    try:
        return await call.services.boards.lines(ids)
    except Unavailable:
        return {}
