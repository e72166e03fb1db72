"""The matches a person has played, newest first, with filters."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Final, Literal

from litestar.types import ASGIApp
from msgspec import Meta

from domain.limits import PAGE_ITEMS
from domain.ports import MatchLine
from service import access
from service.call import Call, not_found
from service.ids import id_in
from service.match_filters import Rules, Since, Until, microseconds, plays_by
from service.operation import Operation, Shape, operation
from service.paging import MatchId, cursor_of, next_link, place_in
from service.problems import invalid
from service.reply import as_json
from service.routes.matches import listing_of
from service.wire import Cursor, Id, Limit, MatchListing, Page, Request, Tag

SCANNED_MAX: Final = 1_000
"""Matches looked through for one page; a rare filter then goes on with the next page."""


class PlayedQuery(Request, frozen=True):
    """Filters, all of which must hold."""

    opponent: Annotated[Id, Meta(description="A player who has a seat there too.")] | None = None
    status: (
        Annotated[
            Literal["open", "running", "finished", "abandoned", "voided"],
            Meta(description="How far the match is."),
        ]
        | None
    ) = None
    rules: Rules | None = None
    since: Since | None = None
    until: Until | None = None
    tag: Tag | None = None
    limit: Limit = 50
    cursor: Cursor | None = None


@operation(
    "GET",
    "/v1/players/{player_id}/matches",
    tag="Players",
    answers=(Shape(200, Page[MatchListing], headers=("Link",)),),
    problems=(404,),
)
async def list_player_matches(call: Call, query: PlayedQuery) -> ASGIApp:
    """List a player's matches, newest first.

    Private matches are listed to those for whom they exist. A page may hold fewer items than
    asked for and still have a `next`.
    """
    player = call.id("player_id")
    opponent = None if query.opponent is None else id_in(query.opponent)
    if query.opponent is not None and opponent is None:
        raise invalid("?opponent", "Use the id of a player.")
    asked = (player,) if opponent is None else (player, opponent)
    persons = await call.services.registry.players(asked)
    known = [id for id, person in persons.items() if person.name is not None]
    if player not in known:
        raise not_found()
    if opponent is not None and opponent not in known:  # erased: nothing leads to them any more
        return as_json(Page[MatchListing]((), None))
    before = None if query.cursor is None else place_in(query.cursor, MatchId)
    found: list[MatchListing] = []
    scanned, last = 0, before
    following: str | None = None
    async for match, line in _played(call, player, before):
        if scanned == SCANNED_MAX:
            following = cursor_of(last)
            break
        scanned += 1
        if line is None or not await _holds(call, query, line, player, opponent):
            last = match if len(found) < query.limit else last
            continue
        if len(found) == query.limit:  # only then: what is not listed must not show in `next`
            following = cursor_of(last)
            break
        found.append(await listing_of(call, line))
        last = match
    kept = ("opponent", "status", "rules", "tag", "limit")
    given = {name: getattr(query, name) for name in kept}
    given |= {"since": _text(query.since), "until": _text(query.until)}
    link = next_link(call, following, **given)
    return as_json(Page(tuple(found), following), 200, link)


async def _played(
    call: Call, player: bytes, before: bytes | None
) -> AsyncIterator[tuple[bytes, MatchLine | None]]:
    """The matches in which the person ever held a seat, as the lobby knows them."""
    while ids := await call.services.registry.matches_of(player, before, PAGE_ITEMS):
        lines = await call.services.boards.lines(ids)
        for id in ids:
            yield id, lines.get(id)
        before = ids[-1]


async def _holds(
    call: Call, query: PlayedQuery, line: MatchLine, player: bytes, opponent: bytes | None
) -> bool:
    """Whether a match is to be listed: all filters hold, and it exists for the caller."""
    roster = await call.services.rosters.of(line.match, call.now)
    taken = {seat.player for seat in line.seats if seat.player is not None}
    tags = () if roster.facts is None else roster.facts.tags
    return (
        roster.digests.get(player) in taken
        and (query.status is None or line.status == query.status)
        and (query.rules is None or plays_by(line.options, query.rules))
        and (opponent is None or (opponent != player and roster.digests.get(opponent) in taken))
        and (query.since is None or line.created_at >= microseconds(query.since))
        and (query.until is None or line.created_at < microseconds(query.until))
        and (query.tag is None or query.tag in tags)
        and access.is_listed(call, line, roster)
    )


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


OPERATIONS: Final[tuple[Operation, ...]] = (list_player_matches,)
