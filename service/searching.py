"""An auditor's search over all matches: newest first, by filters that must all hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.limits import PAGE_ITEMS
from domain.ports import MatchLine
from domain.search import Anomaly
from service.call import Call
from service.idempotency import KEEP_SECONDS
from service.ids import id_in, made_at
from service.match_filters import Rules, Since, Until, microseconds, plays_by
from service.paging import MatchId, cursor_of, next_link, place_in
from service.problems import invalid
from service.reply import Headers
from service.wire import Cursor, Id, Limit, Request

SCANNED_MAX: Final = 2_000
"""Matches looked through for one page; a rare filter then goes on with the next page."""
_MILLISECONDS: Final = 1_000
_MADE_BEFORE: Final = (KEEP_SECONDS + 3_600) * _MILLISECONDS
"""An id is made at most so long before its match: a retry of its request may come a day later."""


class SearchQuery(Request, frozen=True):
    """Filters, all of which must hold."""

    player: Annotated[Id, Meta(description="A player who has a seat there.")] | None = None
    since: Since | None = None
    until: Until | None = None
    rules: Rules | None = None
    status: (
        Annotated[
            Literal["open", "running", "finished", "abandoned", "voided"],
            Meta(description="How far the match is."),
        ]
        | None
    ) = None
    anomaly: Annotated[Anomaly, Meta(description="What went amiss in it.")] | None = None
    limit: Limit = 50
    cursor: Cursor | None = None


class Found(Struct, frozen=True):
    """A page of what was found, with the place where the search goes on, if it does."""

    matches: Sequence[tuple[MatchLine, frozenset[Anomaly]]]
    following: str | None


async def search(call: Call, query: SearchQuery) -> Found:
    """The next matches that fit; perhaps fewer than asked for, though there are more."""
    player = id_of(query.player, "?player")
    before = None if query.cursor is None else place_in(query.cursor, MatchId)
    if before is None and query.until is not None:
        before = _first_id(query.until)
    found: list[tuple[MatchLine, frozenset[Anomaly]]] = []
    scanned = 0
    while ids := await _candidates(call, query, player, before):
        lines = await call.services.boards.lines(ids)
        anomalies = await call.services.search.anomalies(ids)
        for id in ids:
            if query.since is not None and _is_before(id, query.since):
                return Found(found, None)
            if len(found) == query.limit or scanned == SCANNED_MAX:
                return Found(found, cursor_of(before))
            before, line, told = id, lines.get(id), anomalies.get(id, frozenset())
            scanned += 1
            if line is not None and await _holds(call, query, line, told, player):
                found.append((line, told))
    return Found(found, None)


def page_link(call: Call, query: SearchQuery, following: str | None) -> Headers:
    """The ``Link`` to the next page of the same search, if there is one."""
    kept = ("player", "rules", "status", "anomaly", "limit")
    given = {name: getattr(query, name) for name in kept}
    given |= {"since": text_at(query.since), "until": text_at(query.until)}
    return next_link(call, following, **given)


def id_of(text: str | None, where: str) -> bytes | None:
    """An id among the filters; raises ProblemError (422) for what is none."""
    id = None if text is None else id_in(text)
    if text is not None and id is None:
        raise invalid(where, "Use an id.")
    return id


def text_at(moment: datetime | None) -> str | None:
    """A moment as it is asked for."""
    return None if moment is None else moment.isoformat()


async def _candidates(
    call: Call, query: SearchQuery, player: bytes | None, before: bytes | None
) -> tuple[bytes, ...]:
    """Matches among which all are that fit, before one, newest first."""
    if player is not None:
        return await call.services.registry.matches_of(player, before, PAGE_ITEMS)
    return await call.services.search.matches(before, PAGE_ITEMS, query.anomaly)


async def _holds(
    call: Call,
    query: SearchQuery,
    line: MatchLine,
    anomalies: frozenset[Anomaly],
    player: bytes | None,
) -> bool:
    return (
        (query.anomaly is None or query.anomaly in anomalies)
        and (query.status is None or line.status == query.status)
        and (query.rules is None or plays_by(line.options, query.rules))
        and (query.since is None or line.created_at >= microseconds(query.since))
        and (query.until is None or line.created_at < microseconds(query.until))
        and (player is None or await sits_at(call, line, player))
    )


async def sits_at(call: Call, line: MatchLine, player: bytes) -> bool:
    """Whether a person has one of the seats of a match."""
    digest = await call.services.rosters.digest_of(line.match, player, call.now)
    return digest is not None and any(seat.player == digest for seat in line.seats)


def _first_id(moment: datetime) -> bytes:
    """An id no smaller than those made before a moment."""
    made = max(0, microseconds(moment) // _MILLISECONDS + 1)
    return made.to_bytes(6, "big") + bytes(10)


def _is_before(id: bytes, moment: datetime) -> bool:
    """Whether a match of this id was created before, and all with smaller ids as well."""
    return made_at(id) + _MADE_BEFORE < microseconds(moment) // _MILLISECONDS
