"""A player's own bytes in the coming deal."""

from __future__ import annotations

import base64
import binascii

from domain.commands import Actor, AddSeed, Context
from domain.events import Event, SeedAdded
from domain.limits import CLIENT_SEED_BYTES, CLIENT_SEEDS_PER_ROUND
from domain.match import Match
from domain.moves import guards
from domain.refusals import Refusal, RuleViolation, require


def add_seed(match: Match, actor: Actor, command: AddSeed, context: Context) -> tuple[Event, ...]:
    """Mix bytes into the round that is committed and not yet dealt, in place of earlier ones."""
    guards.going_on(match)
    seat = guards.own_seat(match, actor)
    require(seat in match.still_in, Refusal.SEAT_MUST_BE_IN_PLAY)
    require(seat not in match.away, Refusal.SEAT_MUST_BE_TAKEN_BACK)
    require(command.round == match.rounds + 1, Refusal.SEED_MUST_BE_FOR_THE_COMING_ROUND)
    has_changes_left = match.seeds_added[seat] < CLIENT_SEEDS_PER_ROUND
    require(has_changes_left, Refusal.SEED_CHANGES_MUST_BE_FEW)
    seed = _decoded(command.client_seed)
    require(len(seed) <= CLIENT_SEED_BYTES, Refusal.SEED_MUST_BE_SHORT)
    return (SeedAdded(seat=seat, round=command.round, client_seed=seed.hex()),)


def _decoded(text: str) -> bytes:
    """Unpadded base64url as bytes."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise RuleViolation(Refusal.SEED_MUST_BE_BASE64URL) from None
