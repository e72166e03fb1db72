"""Commands: what a player does in a match."""

from __future__ import annotations

from typing import Annotated, Final

from litestar.types import ASGIApp
from msgspec import Meta

from domain.commands import PenalizeAdvice, PlayerCommand
from service.acting import (
    answer_of,
    ask_of,
    digest_of_host,
    digest_of_player,
    dry_run,
    execute,
)
from service.call import Call
from service.operation import Needs, Operation, Shape, operation, player_required
from service.play.contract import Ask
from service.reply import as_json
from service.signed import carried_out
from service.wire import CommandDone, Request, WouldBe


class CommandQuery(Request, frozen=True):
    """Whether to act."""

    dry_run: Annotated[
        bool, Meta(description="`true`: ask whether the command would be accepted; do nothing.")
    ] = False
    signed: Annotated[
        bool, Meta(description="`true`: sign the receipt, also of a refusal by the rules.")
    ] = False


@operation(
    "POST",
    "/v1/matches/{match_id}/commands",
    tag="Play",
    needs=Needs.TOKEN,
    answers=(
        Shape(
            200,
            (CommandDone, WouldBe),
            says="Accepted, and on disk. With `dry_run`: it would be accepted.",
            headers=("ETag", "Idempotent-Replayed"),
        ),
    ),
    problems=(404, 409, 412),
    takes=("If-Match",),
)
async def submit_command(call: Call, body: PlayerCommand, query: CommandQuery) -> ASGIApp:
    """Do something in a match.

    The seat is that of the token's player. A refusal by the rules (409) names the rule and, to
    the seat itself, the cards that may be played. `If-Match` makes the command depend on the
    version seen; `call_uno` and `catch_uno` are judged as they arrive. `penalize_advice` is for
    the host, or for the app that set the match up, without `Talon-Player`.
    """
    match = call.id("match_id")
    if query.signed and not query.dry_run:
        return await carried_out(call, match, _ask(call, match, body))
    ask = await _ask(call, match, body)
    if query.dry_run:
        return as_json(WouldBe("accepted", await dry_run(call, match, ask)))
    answer, headers = await answer_of(call, match, await execute(call, match, ask))
    return as_json(answer, 200, headers)


async def _ask(call: Call, match: bytes, command: PlayerCommand) -> Ask:
    return ask_of(call, match, command, await _digest_of(call, match, command))


async def _digest_of(call: Call, match: bytes, command: PlayerCommand) -> str | None:
    """The digest of the person who acts; None for an app that rules on advice (TABLE-4)."""
    if isinstance(command, PenalizeAdvice):
        return await digest_of_host(call, match)
    if call.caller.player is None:
        raise player_required()
    return await digest_of_player(call, match)


OPERATIONS: Final[tuple[Operation, ...]] = (submit_command,)
