"""Sitting down: the mapping from a person to their digest comes before the seat.

A person may be erased at any moment, by another process too. Erasing forgets the name first, then
gets up from all matches; sitting down looks at the name last. So whichever of the two comes
second finds the seat.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Final

from domain.commands import Actor, ActorKind, Leave
from domain.deal import player_digest
from domain.ports import SeatHolder
from domain.refusals import RuleViolation
from service.idempotency import random_key
from service.play.command_ids import command_id
from service.play.contract import Ask, NoMatch
from service.problems import Code, ProblemError, fail
from service.services import Services

SALT_BYTES: Final = 16


def new_holder(match: bytes, player: bytes, salt: bytes | None = None) -> SeatHolder:
    """A mapping of a person to a match; ``salt`` where it was chosen before."""
    chosen = salt or secrets.token_bytes(SALT_BYTES)
    return SeatHolder(match, player, chosen, player_digest(chosen, player))


async def seat_held(services: Services, holder: SeatHolder) -> str:
    """Store a mapping; the digest of the one that was first. Raises ProblemError (403)."""
    first = await services.registry.hold_seat(holder)
    if first is None:
        raise erased()
    return first.digest


async def get_up_if_erased(services: Services, match: bytes, player: bytes, digest: str) -> None:
    """Leave again where a person was erased while they sat down; raises ProblemError (403)."""
    person = (await services.registry.players((player,))).get(player)
    if person is None or person.name is not None:
        return
    await get_up(services, match, digest)
    raise erased()


async def get_up(services: Services, match: bytes, digest: str) -> None:
    """Give up a seat in an open match, or leave one that runs (AWAY-2), if there is any."""
    id = command_id(match, ActorKind.SEAT, digest, random_key())
    with suppress(RuleViolation, NoMatch):  # over, left before, or never set up
        await services.play.execute(match, Ask(Actor(ActorKind.SEAT), Leave(), id, player=digest))


def erased() -> ProblemError:
    """The 403 of a person who is erased, where a token of theirs is still honored."""
    return fail(Code.NOT_ALLOWED, "This player is erased.")
