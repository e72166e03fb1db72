"""Joining an open match, of which some seats may be kept: in a rematch, for those who played.

A seat is taken by whoever asks first; that a kept one is left free is judged at a version of the
match, and the seat is taken at that version or judged anew.
"""

from __future__ import annotations

from msgspec.structs import replace

from domain.commands import JoinMatch
from domain.limits import APPEND_RETRIES
from service import access
from service.acting import ask_of, dry_run, execute
from service.call import Call
from service.play.contract import Ask, Busy, Done, StaleVersion
from service.problems import Code, fail
from service.seating import get_up_if_erased, new_holder, seat_held


async def sit_down(call: Call, match: bytes, looked: access.Seen) -> Done:
    """The caller takes the lowest free seat, or keeps the one they have."""
    digest = looked.digest
    if digest is None:
        await _require_no_tournament(call, match)
        mine = new_holder(match, call.player)
        await dry_run(call, match, _join(call, match, mine.digest, looked))
        await _version_to_join(call, match)
        digest = await seat_held(call.services, mine)
    done = await _joined(call, match, _join(call, match, digest, looked))
    await get_up_if_erased(call.services, match, call.player, digest)
    return done


async def _require_no_tournament(call: Call, match: bytes) -> None:
    """Raise ProblemError (409) for who has no seat at a tournament's table."""
    facts = (await call.services.rosters.of(match, call.now)).facts
    if facts is not None and facts.tournament is not None:
        raise fail(Code.SEAT_IS_KEPT, "The seats of this table are those of a tournament.")


async def members(call: Call, match: bytes) -> frozenset[bytes]:
    """The persons who have a seat in a match, without those who are erased."""
    seats = (await call.services.play.folded(match)).match.seats
    digests = [seat.player for seat in seats if seat.player is not None]
    persons = (await call.services.rosters.of(match, call.now, digests)).persons
    present = [persons[digest] for digest in digests if digest in persons]
    return frozenset(await call.services.rosters.names(present, call.now))


async def _joined(call: Call, match: bytes, ask: Ask) -> Done:
    for _ in range(1 + APPEND_RETRIES):
        version = await _version_to_join(call, match)
        if version is None or ask.if_match is not None:
            return await execute(call, match, ask)
        try:
            return await execute(call, match, replace(ask, if_match=version))
        except StaleVersion:
            continue
    raise Busy


async def _version_to_join(call: Call, match: bytes) -> int | None:
    """The version at which a stranger finds a seat that is kept for nobody; None for who need
    not care. Raises ProblemError (409) while all free seats are kept for others."""
    facts = (await call.services.rosters.of(match, call.now)).facts
    if facts is None or facts.rematch_of is None:
        return None
    kept = await members(call, facts.rematch_of)
    if call.player in kept:
        return None
    state = (await call.services.play.folded(match)).match
    present = await members(call, match)
    if call.player in present or state.seats_total - len(state.seats) > len(kept - present):
        return state.version
    raise fail(Code.SEAT_IS_KEPT, "The free seats are kept for those who played before.")


def _join(call: Call, match: bytes, digest: str, looked: access.Seen) -> Ask:
    """A person sits down; which version it is may not be theirs to find out."""
    ask = ask_of(call, match, JoinMatch(digest), digest)
    return replace(ask, if_match=None) if looked.delay else ask
