"""Who may see a match, and as whom: one's seat, a spectator, or nobody at all."""

from __future__ import annotations

import hmac
from contextlib import suppress
from typing import Final

from msgspec import UNSET, Struct

from domain.events import Seat, Visibility
from domain.ports import MatchFacts, MatchLine
from domain.views import TableView
from service import versions
from service.call import Call, not_found
from service.identity import Kind, token_hash
from service.play.contract import Play, StaleVersion
from service.roster import Roster

_SEE_ALL: Final = frozenset((Kind.AUDITOR, Kind.OPERATOR))


class Seen(Struct, frozen=True, gc=False):
    """A match as the caller sees it: the view, the person's digest and the seat, if any.

    With a ``delay`` the view is what the match was so many seconds ago, and nothing newer exists
    for the caller.
    """

    view: TableView
    digest: str | None
    seat: Seat | None
    viewer: versions.Viewer
    delay: int = 0


async def seen(
    call: Call, match: bytes, min_version: int = 0, *, invite: str | None = None
) -> Seen:
    """The match for this caller; raises ProblemError: 404 if it does not exist for them, 412
    if it has not come to ``min_version`` yet.

    ``invite`` is one that came in the body, ``Talon-Invite`` brings it for a read.
    """
    play, rosters, player = call.services.play, call.services.rosters, call.caller.player
    digest = None if player is None else rosters.known_digest(match, player, call.now)
    if digest is None and call.caller.kind not in _SEE_ALL:
        await _require_knowledge(call, match, invite)
    try:
        view = await play.view(match, None, min_version, player=digest)
    except StaleVersion:  # said below, to those for whom the match exists
        view = await play.view(match, None, player=digest)
    if player is not None and digest is None:
        digest = await rosters.digest_of(match, player, call.now)
    if digest is not None and view.you is UNSET:
        view = await _seated(play, match, view.version, digest)
    seat, delay = None if view.you is UNSET else view.you.seat, 0
    if seat is None and call.caller.kind not in _SEE_ALL:
        facts = (await rosters.of(match, call.now)).facts
        if view.visibility is Visibility.PRIVATE:
            await _require_guest(call, facts, invite)
        delay = _delay_of(call, facts)
        if delay:
            view = await play.view_at(match, None, await play.version_seen(match, delay))
    if view.version < min_version:
        raise versions.not_reached(view.version, min_version)
    return Seen(view, digest, seat, _viewer(call, seat), delay)


async def _require_knowledge(call: Call, match: bytes, invite: str | None) -> None:
    """Raise ProblemError (404) unless the match exists for somebody without a known seat.

    Before anything else is looked at, and by the same look-ups whether it is private or not
    there: so not even the time that the answer takes tells them apart.
    """
    rosters = call.services.rosters
    if rosters.is_public(match, call.now):
        return
    roster = await rosters.fresh(match, call.now)
    facts = roster.facts
    if facts is not None and (facts.invite_hash is None or call.caller.player in roster.digests):
        return
    await _require_guest(call, facts, invite)


async def _seated(play: Play, match: bytes, version: int, digest: str) -> TableView:
    """The view of a person who holds a place: one who sat down on another process just now has
    no seat yet in what this one knows, so the log is asked."""
    view = await play.view(match, None, version, player=digest)
    if view.you is UNSET:
        with suppress(StaleVersion):
            view = await play.view(match, None, view.version + 1, player=digest)
    return view


async def _require_guest(call: Call, facts: MatchFacts | None, invite: str | None) -> None:
    """Raise ProblemError (404) unless a private match exists for somebody without a seat."""
    if facts is None:
        raise not_found()
    if call.is_guest or _is_its_app(call, facts) or await _has_played_before(call, facts):
        return
    if await _is_of_its_tournament(call, facts):
        return
    if not is_invite(facts, invite or call.header(b"talon-invite")):
        raise not_found()


async def _has_played_before(call: Call, facts: MatchFacts) -> bool:
    """Whether this is the rematch of a match in which the caller had a seat."""
    player = call.caller.player
    if player is None or facts.rematch_of is None:
        return False
    return await call.services.rosters.digest_of(facts.rematch_of, player, call.now) is not None


async def _is_of_its_tournament(call: Call, facts: MatchFacts) -> bool:
    """Whether this is a table of a tournament that the caller has entered."""
    player = call.caller.player
    if player is None or facts.tournament is None:
        return False
    return await call.services.rosters.digest_of(facts.tournament, player, call.now) is not None


def _delay_of(call: Call, facts: MatchFacts | None) -> int:
    """Seconds that the caller, who has no seat, sees everything later."""
    return 0 if facts is None or _is_its_app(call, facts) else facts.spectator_delay


def _is_its_app(call: Call, facts: MatchFacts) -> bool:
    return call.caller.app is not None and facts.app == call.caller.app


def is_listed(call: Call, line: MatchLine, roster: Roster) -> bool:
    """Whether a match exists for the caller, as far as a list can tell: no invite counts here."""
    caller = call.caller
    if line.visibility is Visibility.PUBLIC or caller.kind in _SEE_ALL:
        return True
    if caller.player is not None:
        mine = roster.digests.get(caller.player)
        return mine is not None and any(seat.player == mine for seat in line.seats)
    return caller.app is not None and roster.facts is not None and roster.facts.app == caller.app


def is_invite(facts: MatchFacts, invite: str | None) -> bool:
    """Whether this is the match's invite."""
    return (
        invite is not None
        and facts.invite_hash is not None
        and hmac.compare_digest(token_hash(invite), facts.invite_hash)
    )


def _viewer(call: Call, seat: Seat | None) -> versions.Viewer:
    if seat is not None:
        return seat
    return versions.AUDITOR if call.caller.kind is Kind.AUDITOR else versions.SPECTATOR
