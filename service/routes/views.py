"""What the caller sees of a match: the view, and what may be done in it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Annotated, Final

import msgspec
from litestar.types import ASGIApp
from msgspec import UNSET, Meta, field

from domain.events import Seat, SeedRevealed
from domain.limits import EVENTS_PER_MATCH
from domain.refusals import Refusal
from domain.sight import explain, view_of
from domain.views import TableView
from service import access, versions
from service.call import Call
from service.errors import refused, sources_of
from service.identity import Kind
from service.operation import Needs, Operation, Shape, operation
from service.play.contract import NoMatch
from service.problems import Code, ProblemError, fail, invalid
from service.reply import Reply, as_json
from service.signed import signed_head
from service.watching import source
from service.wire import Actions, Forbidden, MatchHead, NotOlder, Version

WAIT_SECONDS: Final = 30
"""The longest long poll: proxies give up on silence after a minute."""


class ViewQuery(NotOlder, frozen=True):
    """Which state of the match to show, and how long to wait for it."""

    at: Annotated[Version, Meta(description="The view as it was at this version.")] | None = None
    wait: Annotated[
        int,
        Meta(
            ge=0,
            le=WAIT_SECONDS,
            description="With `If-None-Match`: wait up to so many seconds for something newer.",
        ),
    ] = 0
    as_: (
        Annotated[
            str,
            Meta(
                pattern=r"^seat:[0-9]$(?!\n)",
                description="For auditors: as a seat saw it, in a round whose seed is revealed.",
                examples=["seat:2"],
            ),
        ]
        | None
    ) = field(name="as", default=None)


_rounds: Final = msgspec.json.Decoder(SeedRevealed)
_VIEW: Final = Shape(200, TableView, headers=("ETag",))
UNCHANGED: Final = Shape(304, says="Nothing has changed since the version in `If-None-Match`.")


@operation(
    "GET",
    "/v1/matches/{match_id}/view",
    tag="Play",
    answers=(_VIEW, UNCHANGED),
    problems=(404, 409, 412),
    takes=("If-None-Match", "Talon-Invite"),
)
async def get_match_view(call: Call, query: ViewQuery) -> ASGIApp:
    """See a match from one's seat, or as a spectator without one.

    The seat's view has `you` and `legal`: commands that are ready to send. `at` shows it as it
    was; with `as`, an auditor sees what a seat saw, once the round's seed is revealed (409 until
    then).
    """
    match = call.id("match_id")
    looked = await access.seen(call, match, query.min_version)
    if query.as_ is not None:
        at = looked.view.version if query.at is None else query.at
        return await _as_a_seat_saw_it(call, match, looked, at, query.as_)
    if query.at is not None:
        return await _as_it_was(call, match, looked, query.at)
    known = call.header(b"if-none-match")
    if query.wait and versions.is_current(known, looked.view.version, looked.viewer):
        await _something_newer(call, match, looked, query.wait)
        looked = await access.seen(call, match)
    return await _answer(call, match, looked.view, looked.viewer)


@operation(
    "GET",
    "/v1/matches/{match_id}",
    tag="Matches",
    answers=(_VIEW, UNCHANGED),
    problems=(404, 412),
    takes=("If-None-Match", "Talon-Invite"),
)
async def get_match(call: Call, query: NotOlder) -> ASGIApp:
    """See a match as everybody does, whoever asks."""
    match = call.id("match_id")
    looked = await access.seen(call, match, query.min_version)
    view = looked.view
    if looked.seat is not None:
        view = await call.services.play.view(match, None, view.version)
    return await _answer(call, match, view, versions.SPECTATOR)


@operation(
    "GET",
    "/v1/matches/{match_id}/head",
    tag="Audit",
    answers=(Shape(200, MatchHead, headers=("ETag",)), UNCHANGED),
    problems=(404, 412),
    takes=("If-None-Match", "Talon-Invite"),
)
async def get_match_head(call: Call, query: NotOlder) -> ASGIApp:
    """Read the version of a match and the hash of its last event, signed."""
    match = call.id("match_id")
    looked = await access.seen(call, match, query.min_version)
    version = looked.view.version
    (last,) = await call.services.play.history(match, None, version - 1, 1)
    return unless_known(call, version, looked.viewer) or as_json(
        signed_head(call.services, match, last), 200, versions.headers(version, looked.viewer)
    )


@operation(
    "GET",
    "/v1/matches/{match_id}/actions",
    tag="Play",
    needs=Needs.PLAYER,
    answers=(Shape(200, Actions, headers=("ETag",)), UNCHANGED),
    problems=(404, 412),
    takes=("If-None-Match",),
)
async def list_legal_actions(call: Call, query: NotOlder) -> ASGIApp:
    """List what one may do now, and for each other card of one's hand the rule that forbids it.

    `legal` holds commands that are ready to send; a wild stands once, without its color.
    """
    match = call.id("match_id")
    looked = await access.seen(call, match, query.min_version)
    state = (await call.services.play.folded(match, looked.view.version)).match
    seat = None if looked.digest is None else state.seat_of(looked.digest)
    if seat is None:
        raise refused(Refusal.SEAT_MUST_BE_YOURS)
    if (unchanged := unless_known(call, state.version, seat)) is not None:
        return unchanged
    legal = view_of(state, seat).legal
    forbidden = tuple(
        Forbidden(card, why, why.detail, why.rule, sources_of(why))
        for card, why in explain(state, seat).items()
    )
    answer = Actions(
        looked.view.match_id, state.version, () if legal is UNSET else legal, forbidden
    )
    return as_json(answer, 200, versions.headers(state.version, seat))


def unless_known(call: Call, version: int, viewer: versions.Viewer) -> Reply | None:
    """The 304 for a client that has this answer already (``If-None-Match``)."""
    if not versions.is_current(call.header(b"if-none-match"), version, viewer):
        return None
    return Reply(b"", 304, versions.headers(version, viewer))


async def _answer(call: Call, match: bytes, view: TableView, viewer: versions.Viewer) -> ASGIApp:
    unchanged = unless_known(call, view.version, viewer)
    if unchanged is not None:
        return unchanged
    named = await call.services.rosters.named(match, view, call.now)
    return as_json(named, 200, versions.headers(view.version, viewer))


async def _as_it_was(call: Call, match: bytes, looked: access.Seen, version: int) -> ASGIApp:
    play = call.services.play
    try:
        if looked.delay and version > looked.view.version:
            raise NoMatch
        view = await play.view_at(match, None, version, player=looked.digest)
    except NoMatch:
        raise _no_such_version(looked.view.version) from None
    viewer = looked.viewer if view.you is UNSET else view.you.seat
    return await _answer(call, match, view, viewer)


def _no_such_version(last: int) -> ProblemError:
    detail = f"The match has versions 1 to {last} so far."
    return fail(Code.NO_SUCH_VERSION, detail, version=last)


async def _as_a_seat_saw_it(
    call: Call, match: bytes, looked: access.Seen, version: int, whose: str
) -> ASGIApp:
    """The view of a seat, for an auditor; raises ProblemError while it is secret."""
    if call.caller.kind is not Kind.AUDITOR:
        raise fail(Code.NOT_ALLOWED, "Only an auditor sees as a seat did.")
    seat = Seat(int(whose.removeprefix("seat:")))
    play = call.services.play
    try:
        public = await play.view_at(match, None, version)
        if seat >= len(public.seats):
            raise invalid("?as", "Nobody sat there.")
        if public.round and public.round not in await _revealed_rounds(call, match):
            raise fail(Code.NOT_REVEALED, f"Round {public.round} is not revealed yet.")
        view = await play.view_at(match, seat, version)
    except NoMatch:
        raise _no_such_version(looked.view.version) from None
    return await _answer(call, match, view, seat)


async def _revealed_rounds(call: Call, match: bytes) -> set[int]:
    """The rounds of a match whose seeds everybody knows by now."""
    items = await call.services.play.history(match, None, 0, EVENTS_PER_MATCH)
    return {_rounds.decode(item.event).round for item in items if item.type == "seed_revealed"}


async def _something_newer(call: Call, match: bytes, looked: access.Seen, seconds: int) -> None:
    """Wait for an event after the one seen, the end of the match, or the time to be over."""
    stream = source(call, match, looked, looked.view.version)
    try:
        async with asyncio.timeout(seconds), aclosing(stream) as items:
            async for item in items:
                if item is not None:
                    return
    except TimeoutError:
        return


OPERATIONS: Final[tuple[Operation, ...]] = (
    get_match,
    get_match_view,
    list_legal_actions,
    get_match_head,
)
