"""What an operator rules of a match: that it counts for nothing."""

from __future__ import annotations

from typing import Final, Literal

from litestar.types import ASGIApp

from domain.commands import Actor, ActorKind, VoidMatch
from domain.events import VoidReason
from service import versions
from service.acting import answer_of, execute
from service.call import Call
from service.operation import Needs, Operation, Shape, operation
from service.play.command_ids import command_id
from service.play.contract import Ask
from service.reply import as_json
from service.wire import CommandDone, Request

_HEADERS: Final = ("ETag", "Idempotent-Replayed")
_ONCE: Final = "\0void"
"""The key of every voiding: a second one is a repetition of the first, whatever its own key. No
client can send it: their keys are printable."""


class Voiding(Request, frozen=True):
    """Why a match is to count for nothing."""

    reason: Literal["operator", "cheating", "fault", "restore"] = "operator"


@operation(
    "POST",
    "/v1/matches/{match_id}/void",
    tag="Matches",
    needs=Needs.OPERATOR,
    answers=(Shape(200, CommandDone, headers=_HEADERS),),
    problems=(404, 409, 412),
    takes=("If-Match",),
)
async def void_match(call: Call, body: Voiding = Voiding()) -> ASGIApp:  # noqa: B008 - frozen
    """Declare that a match counts for nothing.

    An operator does this, to a match that is open, runs or is over. What happened stays in its
    history, `match_voided` follows it: a running round is voided, and every seed that is still
    sealed is revealed. A second voiding answers the same as the first, whatever its reason.
    """
    match = call.id("match_id")
    actor = Actor(ActorKind.OPERATOR)
    ask = Ask(
        actor=actor,
        command=VoidMatch(VoidReason(body.reason)),
        command_id=command_id(match, actor.kind, None, _ONCE),
        if_match=versions.expected(call.header(b"if-match")),
    )
    answer, headers = await answer_of(call, match, await execute(call, match, ask))
    return as_json(answer, 200, headers)


OPERATIONS: Final[tuple[Operation, ...]] = (void_match,)
