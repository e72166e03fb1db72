"""Matches: setting one up, and finding those that are open, running or over."""

from __future__ import annotations

import secrets
from typing import Annotated, Final, Literal

from litestar.types import ASGIApp
from msgspec import UNSET, Meta, Struct

from domain.combinations import require_no_contradiction, require_that_they_go_together
from domain.commands import ActorKind, CreateMatch
from domain.events import Seat, Visibility
from domain.limits import PAGE_ITEMS
from domain.match import Status
from domain.options import Options
from domain.ports import MatchFacts, MatchLine
from service.access import is_listed
from service.acting import answer_of
from service.call import Call
from service.idempotency import planned
from service.identity import Kind, new_secret, token_hash
from service.ids import new_id, text_of
from service.operation import Needs, Operation, Shape, operation
from service.paging import Position, cursor_of, next_link, place_in
from service.play.command_ids import command_id
from service.play.contract import Done
from service.play.times import rfc3339
from service.problems import Code, fail, invalid
from service.quota import SET_UP_COST, require_room_for_a_match
from service.reply import Headers, as_json
from service.seating import SALT_BYTES, get_up_if_erased, new_holder, seat_held
from service.wire import (
    Cursor,
    Limit,
    MatchListing,
    MatchMade,
    NewMatch,
    Page,
    Request,
    SeatLine,
)

ONE_CREATION: Final = "\0create"
"""The key of every creation; no client can send it: their keys are printable."""
INVITE_BYTES: Final = 16


class MatchPlan(Struct, frozen=True):
    """What is random about a new match: the same again for a retry."""

    match: bytes
    salt: bytes
    invite: str


class LobbyQuery(Request, frozen=True):
    """Which public matches to list, newest first."""

    status: Annotated[
        Literal["open", "running", "finished", "abandoned"],
        Meta(description="How far the matches are that are listed."),
    ] = "open"
    limit: Limit = 50
    cursor: Cursor | None = None


@operation(
    "POST",
    "/v1/matches",
    tag="Matches",
    needs=Needs.TOKEN,
    answers=(
        Shape(
            201,
            MatchMade,
            says="The match is set up.",
            headers=("Location", "ETag", "Idempotent-Replayed"),
        ),
    ),
    problems=(409,),
    cost=SET_UP_COST,
)
async def create_match(call: Call, body: NewMatch) -> ASGIApp:
    """Set up a match.

    A player takes seat 0 and is the host; an app without `Talon-Player` sets up a table for
    others. `bots` are seated at once. A private match answers its invite, once.
    """
    player = call.caller.player
    if player is None and call.caller.kind is not Kind.APP:
        raise fail(Code.NOT_ALLOWED, "A player sets up a match, or an app.")
    if len(body.bots) > body.seats - (player is not None):
        raise invalid("#/bots", "There are more bots than free seats.")
    require_sound_rules(call, body.rules, body.seats)
    plan, _ = await planned(call, MatchPlan, _new_plan)
    await require_room_for_a_match(call, plan.match)
    digest = await _register(call, body, plan)
    done = await _set_up(call, body, plan.match, digest)
    if player is not None and digest is not None:
        await get_up_if_erased(call.services, plan.match, player, digest)
    answer, headers = await answer_of(call, plan.match, done)
    made = MatchMade(
        match_id=text_of(plan.match),
        version=answer.version,
        seat=None if digest is None else Seat(0),
        events=answer.events,
        view=answer.view,
        receipt=answer.receipt,
        invite=plan.invite if body.visibility is Visibility.PRIVATE else UNSET,
    )
    return as_json(made, 201, (*location_of(plan.match), *headers))


@operation(
    "GET",
    "/v1/matches",
    tag="Matches",
    answers=(Shape(200, Page[MatchListing], headers=("Link",)),),
)
async def list_matches(call: Call, query: LobbyQuery) -> ASGIApp:
    """List public matches and one's own, newest first: the lobby.

    Of one's own private matches, those among the last 200 one has joined.
    """
    before = None if query.cursor is None else place_in(query.cursor, Position)
    status = Status(query.status)
    public = await call.services.boards.lobby(status, query.limit + 1, before)
    lines = sorted((*public, *await _own_private(call, status, before)), key=_newest)
    page = lines[: query.limit]
    following = cursor_of(page[-1].position) if len(lines) > query.limit else None
    items = tuple([await listing_of(call, line) for line in page])
    link = next_link(call, following, status=query.status, limit=query.limit)
    return as_json(Page(items, following), 200, link)


async def _own_private(call: Call, status: Status, before: int | None) -> list[MatchLine]:
    """The private matches of a status in which the caller sits."""
    player = call.caller.player
    if player is None:
        return []
    ids = await call.services.registry.matches_of(player, None, PAGE_ITEMS)
    found = []
    for line in (await call.services.boards.lines(ids)).values():
        if line.visibility is Visibility.PRIVATE and line.status is status:
            roster = await call.services.rosters.of(line.match, call.now)
            if (before is None or line.position < before) and is_listed(call, line, roster):
                found.append(line)
    return found


def _newest(line: MatchLine) -> int:
    return -line.position


async def listing_of(call: Call, line: MatchLine) -> MatchListing:
    """A match as a list shows it, with its players' names as of now."""
    digests = [seat.player for seat in line.seats]
    present = await call.services.rosters.present(line.match, digests, call.now)
    seats = []
    for seat, occupant in enumerate(line.seats):
        player_id, name = present.get(occupant.player or "", (None, None))
        seats.append(SeatLine(Seat(seat), player_id, name, occupant.bot))
    return MatchListing(
        match_id=text_of(line.match),
        status=line.status,
        visibility=line.visibility,
        practice=line.practice,
        created_at=rfc3339(line.created_at),
        options=line.options,
        seats_total=line.seats_total,
        seats=tuple(seats),
    )


def require_sound_rules(call: Call, rules: Options, seats: int) -> None:
    """Refuse options that do not go together before anything is stored."""
    require_that_they_go_together(rules, seats)
    require_no_contradiction(call.plain.get("rules", {}))


def _new_plan() -> MatchPlan:
    return MatchPlan(new_id(), secrets.token_bytes(SALT_BYTES), new_secret(INVITE_BYTES))


async def _register(call: Call, body: NewMatch, plan: MatchPlan) -> str | None:
    """Store what is kept outside the log; the creator's digest, None for an app's own table."""
    registry, player = call.services.registry, call.caller.player
    app = call.caller.app
    if player is not None:
        person = (await registry.players((player,))).get(player)
        app = None if person is None else person.app
    private = body.visibility is Visibility.PRIVATE
    await registry.add_match(
        MatchFacts(
            match=plan.match,
            created_by=player,
            app=app,
            invite_hash=token_hash(plan.invite) if private else None,
            tags=body.tags,
            spectator_delay=body.spectator_delay,
        )
    )
    if player is None:
        return None
    return await seat_held(call.services, new_holder(plan.match, player, plan.salt))


async def _set_up(call: Call, body: NewMatch, match: bytes, digest: str | None) -> Done:
    """Create the match with its bots; a repetition finds it done."""
    kind = ActorKind.SEAT if digest is not None else ActorKind.APP
    create = CreateMatch(body.rules, body.seats, body.visibility, digest, bots=body.bots)
    return await call.services.play.create(
        match, create, command_id(match, kind, digest, ONE_CREATION)
    )


def location_of(match: bytes) -> Headers:
    """Where a new match is read."""
    return (("Location", f"/v1/matches/{text_of(match)}"),)


OPERATIONS: Final[tuple[Operation, ...]] = (create_match, list_matches)
