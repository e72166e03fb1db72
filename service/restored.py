"""After a restore: every match that was open is dealt anew, once, however often it is asked for.

Not here: which restore it is, and how the log is called since (``service.cli.fsck.after``).
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from typing import Final

from msgspec import Struct

from domain.commands import SERVICE, ActorKind, DealAnew
from domain.deal import SEED_BYTES
from domain.refusals import RuleViolation
from service.play.command_ids import command_id
from service.play.contract import Ask, NoMatch
from service.play.handle import Handler

_KEY: Final = "restore:{number}:{position}"


class Anew(Struct):
    """How many matches go on with another deal, how many tables with another commitment."""

    dealt: int = 0
    bound: int = 0
    over: int = 0
    """Those that had ended before they were come to."""


async def deal_all_anew(
    matches: AsyncIterator[bytes],
    handler: Handler,
    number: int,
    position: int,
    tell: Callable[[Anew], None] = lambda done: None,
) -> Anew:
    """Void the open rounds of these matches; raises Busy while the log is away."""
    done = Anew()
    key = _KEY.format(number=number, position=position)
    async for match in matches:
        ask = Ask(
            SERVICE,
            DealAnew(secrets.token_bytes(SEED_BYTES)),
            command_id(match, ActorKind.SERVICE, None, key),
        )
        try:
            answer = await handler.execute(match, ask)
        except (NoMatch, RuleViolation):
            done.over += 1
            continue
        kinds = {item.type for item in answer.events}
        if "round_started" in kinds:
            done.dealt += 1
        else:
            done.bound += 1
        tell(done)
    return done
