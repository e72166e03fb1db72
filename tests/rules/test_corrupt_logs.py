"""A log that contradicts itself, or the seed of a round, stops the fold."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.cards import Card, Color
from domain.commands import Context, DrawCard, Leave, StartMatch
from domain.decide import decide
from domain.events import (
    CardPlayed,
    DealerDrawn,
    Event,
    HandReturned,
    Pending,
    PileReshuffled,
    RoundCommitted,
    RoundStarted,
    SeedRevealed,
)
from domain.evolve import CorruptLog, evolve, fold
from domain.match import Match, new_match
from tests.spec import ANN, BOB, RED, Actor, Command, deal, person, seated, seed_of

OTHER = "0" * 64


def told(match: Match, who: Actor, command: Command) -> tuple[Event, ...]:
    """What a command would add to the log of a match."""
    return decide(match, who, command, Context(now=0, seed=seed_of("next")))


def with_another(events: tuple[Event, ...], kind: type[Event], **changed: object) -> list[Event]:
    """The same events, but one of them changed."""
    assert any(isinstance(event, kind) for event in events)
    return [replace(event, **changed) if isinstance(event, kind) else event for event in events]


def test_a_deal_that_does_not_follow_from_the_seed() -> None:
    match = seated(3)
    events = told(match, person(ANN), StartMatch())
    fold(events, match)
    with pytest.raises(CorruptLog, match="the deal does not follow"):
        fold(with_another(events, RoundStarted, digest=OTHER), match)
    with pytest.raises(CorruptLog, match="draw for the dealer"):
        fold(with_another(events, DealerDrawn, shuffles=9), match)


def test_a_deal_without_its_seed() -> None:
    match = replace(seated(3), secrets={})
    with pytest.raises(CorruptLog, match="round 1: its seed is not known"):
        fold(told(seated(3), person(ANN), StartMatch()), match)


def test_another_reshuffle() -> None:
    match = deal(ANN="Y1 Y2", BOB="B5", discard="R1 G2", top="B3", rest=False)
    events = told(match, person(ANN), DrawCard())
    fold(events, match)
    with pytest.raises(CorruptLog, match="shuffle 2 does not follow"):
        fold(with_another(events, PileReshuffled, digest=OTHER), match)


def test_another_order_of_a_leavers_hand() -> None:
    match = deal(ANN="Y1 Y2", BOB="B5 B6", CAT="G1")
    events = told(match, person(BOB), Leave())
    fold(events, match)
    with pytest.raises(CorruptLog, match="shuffle 2 does not follow"):
        fold(with_another(events, HandReturned, digest=OTHER), match)


def test_a_seed_that_was_not_committed() -> None:
    match = seated(2)
    with pytest.raises(CorruptLog, match="the revealed seed is not the committed one"):
        evolve(match, SeedRevealed(1, OTHER))
    with pytest.raises(CorruptLog, match="the sealed seed is not the committed one"):
        evolve(replace(match, secrets={2: bytes(32)}), RoundCommitted(2, OTHER))


def test_a_play_without_a_round_or_by_a_color_that_was_not_in_force() -> None:
    played = CardPlayed(
        ANN, Card.W4, RED, 1, BOB, Pending.PENALTY, penalty=4, judged_color=Color.BLUE
    )
    with pytest.raises(CorruptLog, match="no round is running"):
        evolve(new_match(bytes(16)), played)
    with pytest.raises(CorruptLog, match="by another color"):
        evolve(deal(ANN="W4 R1", BOB="B1"), played)


def test_seeds_that_the_log_reveals_need_not_be_known_before() -> None:
    """An auditor folds a finished match from its events alone."""
    match = seated(2)
    started = told(match, person(ANN), StartMatch())
    revealed = SeedRevealed(1, match.secrets[1].hex())
    folded = fold([*started, revealed], replace(match, secrets={}))
    assert folded.round is not None
    assert folded.revealed == {1}
