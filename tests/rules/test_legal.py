"""What is listed as legal is exactly what is accepted, for every seat and every command."""

from __future__ import annotations

import random

import pytest

from domain.commands import (
    Command,
    Context,
)
from domain.decide import decide
from domain.editions import Edition
from domain.events import Seat
from domain.legal import legal_commands
from domain.match import Match
from domain.options import Customizable, DrawnCard, Options, Stacking, WildDrawFour
from domain.refusals import RuleViolation
from tests.spec import EVERY_COMMAND, after, person, seed_of, started


def accepted(match: Match, seat: Seat, command: Command) -> bool:
    try:
        return bool(decide(match, person(seat), command, Context(now=0, seed=bytes(32))))
    except RuleViolation:
        return False


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize(
    "options",
    [
        Options(target=50),
        Options(target=50, wild_draw_four=WildDrawFour.STRICT, drawn_card=DrawnCard.MUST),
        Options(target=50, stacking=Stacking.MIXED, seven_zero=True, jump_in=True),
        Options(
            target=50,
            edition=Edition.MODERN_112,
            customizable=Customizable.SWAP_HANDS,
            draw_until_playable=True,
            force_play=True,
        ),
    ],
)
def test_legal_is_what_is_accepted(players: int, options: Options) -> None:
    """DECK-3, TURN-1, UNO-8: by brute force over all commands of all seats."""
    chance = random.Random(players)
    match = started(players, options=options, seed=(players, options.drawn_card))
    for step in range(60):
        for seat in map(Seat, range(players)):
            legal = legal_commands(match, seat)
            assert len(set(legal)) == len(legal)
            if step % 4 == 0:
                assert set(legal) == {c for c in EVERY_COMMAND if accepted(match, seat, c)}
        movers = [seat for seat in map(Seat, range(players)) if legal_commands(match, seat)]
        if not movers:
            break
        mover = chance.choice(movers)
        command = chance.choice(legal_commands(match, mover))
        match, _ = after(match, person(mover), command, seed_of(step))


def test_somebody_can_always_act_until_the_match_is_over() -> None:
    """PILE-4, LIMIT-1: no table ever stalls."""
    for seed in range(12):
        players = 2 + seed % 9
        match = started(players, options=Options(target=100), seed=("stall", seed))
        chance = random.Random(seed)
        while not match.is_over:
            assert match.round is not None
            legal = legal_commands(match, match.round.turn)
            assert legal
            match, _ = after(
                match, person(match.round.turn), chance.choice(legal), seed_of(seed, match.version)
            )
        assert match.result is not None


def test_a_seat_outside_the_match_may_do_nothing() -> None:
    assert legal_commands(started(2), Seat(5)) == ()
