"""The sandbox: a position put on the table, for tests of clients and of rules."""

from __future__ import annotations

import secrets
from typing import Final

from litestar.types import ASGIApp
from msgspec import Struct

from domain.commands import ActorKind, PlaceMatch
from domain.events import Seat
from domain.placement import SALT_BYTES as POSITION_SALT_BYTES
from domain.placement import Placement
from domain.placing import Fault, faults
from domain.ports import MatchFacts, Player
from service.call import Call
from service.idempotency import planned, replayed
from service.identity import new_token, token_hash
from service.ids import new_id, text_of
from service.operation import Operation, Shape, operation
from service.play.command_ids import command_id
from service.problems import Code, FieldError, fail
from service.quota import SET_UP_COST
from service.reply import as_json
from service.routes.matches import ONE_CREATION, location_of, require_sound_rules
from service.routes.players import admitted_to_register
from service.seating import SALT_BYTES, new_holder
from service.settings import opens_the_sandbox
from service.wire import NewPosition, PositionMade


class SeatPlan(Struct, frozen=True):
    """A person to create, with what hides them in the log."""

    player: bytes
    token: str
    salt: bytes


class PositionPlan(Struct, frozen=True):
    """What is random about a placed match: the same again for a retry."""

    match: bytes
    salt: bytes
    seats: tuple[SeatPlan, ...]


@operation(
    "POST",
    "/v1/sandbox/matches",
    tag="Sandbox",
    answers=(
        Shape(
            201,
            PositionMade,
            says="The position is on the table; the tokens are shown this once.",
            headers=("Location", "Idempotent-Replayed"),
        ),
    ),
    problems=(403,),
    cost=SET_UP_COST,
)
async def place_position(call: Call, body: NewPosition) -> ASGIApp:
    """Put a position on the table.

    For tests of clients and of rules: a match that runs, with new players on its seats and these
    cards in their hands. It is marked `practice` and counts in no ranking. Its hands and pile are
    committed to like a deal, and revealed when it is over. A service on servers of its own has
    the sandbox open; on named ones the setting `sandbox` opens it.
    """
    if not opens_the_sandbox(call.services.settings):
        raise fail(
            Code.SANDBOX_CLOSED,
            "The sandbox is closed here: who runs the service opens it with TALON_SANDBOX=true.",
        )
    app = await admitted_to_register(call, len(body.seats))
    require_sound_rules(call, body.rules, len(body.seats))
    placement = _placement(body)
    if wrong := faults(placement, body.rules):
        errors = tuple(FieldError(_pointer(fault), fault.says) for fault in wrong)
        raise fail(Code.INVALID_FIELD, wrong[0].says, errors=errors)
    plan, is_again = await planned(call, PositionPlan, lambda: _new_plan(len(body.seats)))
    digests = await _register(call, body, plan, app)
    done = await call.services.play.place(
        plan.match,
        PlaceMatch(body.rules, digests, placement, plan.salt),
        command_id(plan.match, ActorKind.SERVICE, None, ONE_CREATION),
    )
    made = PositionMade(text_of(plan.match), done.version, tuple(seat.token for seat in plan.seats))
    return as_json(made, 201, (*location_of(plan.match), *replayed(is_again)))


def _placement(body: NewPosition) -> Placement:
    """The position in the words of the domain."""
    return Placement(
        hands=tuple(seat.hand for seat in body.seats),
        top=body.top,
        turn=body.turn,
        color=body.color,
        discard=body.discard,
        pile=body.draw_pile,
        exact=body.exact_pile,
        dealer=body.dealer,
        direction=body.direction,
        scores=tuple(seat.score for seat in body.seats),
        said_uno=frozenset(Seat(place) for place, seat in enumerate(body.seats) if seat.said_uno),
    )


_OF_SEATS: Final = {"hands": "hand", "scores": "score", "said_uno": "said_uno"}
"""Fields of a placement by seat, as they are called within a seat of the request."""
_NAMES: Final = {"pile": "draw_pile"}


def _pointer(fault: Fault) -> str:
    """Where in the request the fault is."""
    field, *rest = fault.place
    if field in _OF_SEATS:
        seat, *rest = rest
        way = ("seats", seat, _OF_SEATS[str(field)], *rest)
    else:
        way = (_NAMES.get(str(field), field), *rest)
    return "#/" + "/".join(map(str, way))


def _new_plan(seats: int) -> PositionPlan:
    return PositionPlan(
        new_id(),
        secrets.token_bytes(POSITION_SALT_BYTES),
        tuple(
            SeatPlan(new_id(), new_token(), secrets.token_bytes(SALT_BYTES)) for _ in range(seats)
        ),
    )


async def _register(
    call: Call, body: NewPosition, plan: PositionPlan, app: bytes | None
) -> tuple[str, ...]:
    """Store what is kept outside the log, persons and whose seats are theirs; their digests."""
    registry, digests = call.services.registry, []
    await registry.add_match(MatchFacts(plan.match, None, app, None, ()))
    for seat, wanted in zip(plan.seats, body.seats, strict=True):
        holder = new_holder(plan.match, seat.player, seat.salt)
        person = Player(seat.player, wanted.name, app, call.now)
        await registry.add_player(person, token_hash(seat.token))
        await registry.hold_seat(holder)
        digests.append(holder.digest)
    return tuple(digests)


OPERATIONS: Final[tuple[Operation, ...]] = (place_position,)
