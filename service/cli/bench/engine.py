"""How fast the rules run, alone: no log, no network, one core.

A step is what a bot's move costs: list what the seat to act may do, pick one, decide it, evolve
its events. Deals, counts and new matches are part of it.
"""

from __future__ import annotations

import hashlib
import random
from time import perf_counter
from typing import Final

from domain.commands import (
    SERVICE,
    Actor,
    ActorKind,
    Command,
    Context,
    CreateMatch,
    SeatBot,
    StartMatch,
)
from domain.decide import decide
from domain.events import BotLevel, RoundCommitted, Seat, Visibility
from domain.evolve import evolve
from domain.legal import legal_commands
from domain.match import Match, new_match, with_secret
from domain.options import Options

SEATS: Final = 4
_BOTS: Final = tuple(Actor(ActorKind.BOT, Seat(seat)) for seat in range(SEATS))
_STEPS_PER_LOOK: Final = 1_000
"""Steps between two looks at the clock."""


def engine_steps_per_s(seconds: float) -> float:
    """Steps per second over about so many seconds, with four seats that play at random."""
    chance = random.Random(1)
    match, matches, steps = _started(0), 1, 0
    start = perf_counter()
    while (spent := perf_counter() - start) < seconds:
        for _ in range(_STEPS_PER_LOOK):
            match = _step(match, chance)
            if match.round is None:
                match, matches = _started(matches), matches + 1
        steps += _STEPS_PER_LOOK
    return steps / spent


def _step(match: Match, chance: random.Random) -> Match:
    """The match after a random legal command of the seat to act."""
    assert match.round is not None
    seat = match.round.turn
    legal = legal_commands(match, seat)
    return _after(match, _BOTS[seat], legal[int(chance.random() * len(legal))])


def _after(match: Match, actor: Actor, command: Command) -> Match:
    seed = b"%32d" % match.version
    for event in decide(match, actor, command, Context(now=0, seed=seed)):
        if type(event) is RoundCommitted:
            match = with_secret(match, event.round, seed)
        match = evolve(match, event)
    return match


def _started(number: int) -> Match:
    """The ``number``-th match, four bots at the table, the first round dealt."""
    match = new_match(hashlib.sha256(b"%d" % number).digest()[:16])
    setup: tuple[Command, ...] = (
        CreateMatch(Options(), SEATS, Visibility.PRIVATE, player=None, practice=True),
        *[SeatBot(BotLevel.RANDOM)] * SEATS,
        StartMatch(),
    )
    for command in setup:
        match = _after(match, SERVICE, command)
    return match
