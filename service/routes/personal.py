"""All that is kept of a person, for themselves: lines, each of one thing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import msgspec
from litestar.types import ASGIApp
from msgspec import Struct

from domain.limits import PAGE_ITEMS
from domain.options import Form
from domain.ports import Principal
from domain.results import Figures
from domain.tallies import Rating
from service.call import Call, not_found
from service.identity import Kind
from service.ids import text_of
from service.operation import Needs, Operation, Shape, operation
from service.play.times import rfc3339
from service.reply import NDJSON, streamed
from service.tokens import lines as token_lines
from service.wire import Id, Moment


class Kept(Struct, frozen=True, gc=False, tag_field="type"):
    """One thing that is kept of a person."""


class KeptPerson(Kept, frozen=True, tag="person"):
    """Who one is; the app that created one, if one did."""

    player_id: Id
    name: str
    created_at: Moment
    app_id: Id | None


class KeptToken(Kept, frozen=True, tag="token"):
    """A token that is valid: only its hash is kept, never itself."""

    token_id: str
    created_at: Moment
    expires_at: Moment | None


class KeptSeat(Kept, frozen=True, tag="seat"):
    """A match, or a tournament, in which a place was taken or held for one.

    ``digest`` stands for one in its events, and ``salt`` opens it. ``created``, ``tags`` and the
    like are what is kept beside the events of a match that one has set up.
    """

    stream: Id
    salt: str
    digest: str
    created: bool
    tags: tuple[str, ...]


class KeptCreation(Kept, frozen=True, tag="creation"):
    """A match or a tournament that one has set up without a place in it."""

    stream: Id
    tags: tuple[str, ...]


class KeptTicket(Kept, frozen=True, tag="ticket"):
    """A ticket for a quick match; ``wish`` is for what, in the service's own form, in hex."""

    ticket: Id
    since: Moment
    until: Moment
    match_id: Id | None
    salt: str
    wish: str


class KeptRequest(Kept, frozen=True, tag="request"):
    """A request that may be sent again until then: its answer is kept, sealed."""

    operation: str
    idempotency_key: str
    until: Moment


class KeptTotals(Kept, frozen=True, tag="totals"):
    """What one did in all matches of a form that have ended."""

    form: Form
    with_bots: bool
    figures: Figures


class KeptRating(Kept, frozen=True, tag="rating"):
    """A match that was rated, and the ratings after it, over all and in its form, in millionths."""

    match_id: Id
    position: int
    ended_at: Moment
    form: Form
    place: int
    overall: Rating
    in_form: Rating


@operation(
    "GET",
    "/v1/players/me/export",
    tag="Players",
    needs=Needs.PLAYER,
    answers=(Shape(200, Kept, media=NDJSON, says="One thing that is kept on each line."),),
)
async def export_me(call: Call) -> ASGIApp:
    """Take away all that is kept of oneself.

    Each line has a `type`: `person`; `token`; `seat`, with what proves in the records of matches
    who one was; `creation`, what one has set up without a place in it; `ticket`; `request`;
    `totals` and `rating`, which are computed from the matches. What one did stands in the events
    of those matches, without a name. An app asks for its players with `Talon-Player`.
    `DELETE /v1/players/me` erases all of it.
    """
    person = (await call.services.registry.players((call.player,))).get(call.player)
    if person is None or person.name is None:
        raise not_found()
    app = None if person.app is None else text_of(person.app)
    who = KeptPerson(text_of(person.id), person.name, rfc3339(person.created_at), app)
    named = ("Content-Disposition", 'attachment; filename="talon-export.ndjson"')
    return streamed(call.scope, _lines(call, who), NDJSON, (named,))


async def _lines(call: Call, who: KeptPerson) -> AsyncIterator[bytes]:
    yield _line(who)
    for part in (_tokens, _seats, _creations, _tickets, _requests, _results):
        async for one in part(call):
            yield _line(one)


def _line(kept: Kept) -> bytes:
    return _encoder.encode(kept) + b"\n"


async def _tokens(call: Call) -> AsyncIterator[Kept]:
    for one in await token_lines(call, Principal(Kind.PLAYER, call.player)):
        yield KeptToken(one.token_id, one.created_at, one.expires_at)


async def _seats(call: Call) -> AsyncIterator[Kept]:
    registry, before = call.services.registry, None
    while ids := await registry.matches_of(call.player, before, PAGE_ITEMS):
        holders = await registry.seat_holders_of(ids)
        for id in ids:
            facts = await registry.match_facts(id)
            created = facts is not None and facts.created_by == call.player
            tags = facts.tags if facts is not None and created else ()
            for held in holders.get(id, ()):
                if held.player == call.player:
                    yield KeptSeat(text_of(id), held.salt.hex(), held.digest, created, tags)
        before = ids[-1]


async def _creations(call: Call) -> AsyncIterator[Kept]:
    persons, registry, before = call.services.persons, call.services.registry, None
    while made := await persons.creations(call.player, before, PAGE_ITEMS):
        holders = await registry.seat_holders_of([one.stream for one in made])
        for one in made:
            if all(held.player != call.player for held in holders.get(one.stream, ())):
                yield KeptCreation(text_of(one.stream), one.tags)
        before = made[-1].stream


async def _tickets(call: Call) -> AsyncIterator[Kept]:
    for one in await call.services.persons.tickets(call.player):
        match = None if one.match is None else text_of(one.match)
        until, since = rfc3339(one.until), rfc3339(one.since)
        yield KeptTicket(text_of(one.id), since, until, match, one.salt.hex(), one.wish.hex())


async def _requests(call: Call) -> AsyncIterator[Kept]:
    for one in await call.services.persons.requests(call.player):
        yield KeptRequest(one.route, one.key, rfc3339(one.until))


async def _results(call: Call) -> AsyncIterator[Kept]:
    tallies, before = call.services.tallies, None
    for totals in await tallies.statistics(call.player):
        yield KeptTotals(totals.form, totals.with_bots, totals.figures)
    while rated := await tallies.ratings(call.player, None, before, PAGE_ITEMS):
        for one in rated:
            yield KeptRating(
                text_of(one.match),
                one.position,
                rfc3339(one.ended_at),
                one.form,
                one.place,
                one.overall,
                one.in_form,
            )
        before = rated[-1].position


_encoder: Final = msgspec.json.Encoder()
OPERATIONS: Final[tuple[Operation, ...]] = (export_me,)
