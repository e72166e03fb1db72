"""No answer depends on a card that its viewer has not been shown, over whole random matches.

``TALON_LAWS_MATCHES`` says how many matches (30 unless set; 300 at most are used here).
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from functools import reduce

import pytest

from domain.cards import Color
from domain.commands import Actor, Command, Context, DrawCard, PassTurn
from domain.decide import decide
from domain.events import (
    CardsDrawn,
    Event,
    RoundBlocked,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    Seat,
)
from domain.evolve import evolve
from domain.match import Match
from domain.matching import fitting, holds_color
from tests.laws.table import Step, Table, played
from tests.laws.twins import Rules, Sight, Told, compare, differ, same, seen, twin

MATCHES = min(300, int(os.environ.get("TALON_LAWS_MATCHES", "30")))
MOMENTS = 3
"""Moments of a match from which twins set out: the deal, and two later ones."""
AHEAD = 120
"""Events that twins live through at most: in a longer round no card would be left to change."""


def rounds(table: Table) -> Iterator[list[Step]]:
    """The steps of each round, from the deal to the command that ends it."""
    steps: list[Step] = []
    for step in table.steps:
        if isinstance(step.event, RoundStarted):
            steps = []
        elif isinstance(step.event, RoundEnded | RoundBlocked | RoundVoided):
            yield steps
        steps.append(step)


def boundary(steps: list[Step], at: int) -> int:
    """The first place at or after ``at`` where a command begins, or the end."""
    while 0 < at < len(steps) and steps[at].command is steps[at - 1].command:
        at += 1
    return at


def moments(table: Table, chance: random.Random) -> Iterator[list[Step]]:
    """Stretches of a match: from a moment of a round to its end, or as far as is looked ahead."""
    all_rounds = [steps for steps in rounds(table) if len(steps) > 8]
    for index in range(MOMENTS):
        if all_rounds:
            steps = chance.choice(all_rounds)
            start = boundary(steps, 1 if index == 0 else chance.randrange(1, len(steps) - 4))
            rest = steps[start : boundary(steps, min(start + AHEAD, len(steps)))]
            if len(rest) > 2:
                yield rest


def over_a_match(seed: int, *, sight: Sight = seen, rules: Rules = decide) -> Counter[str]:
    """Twins of a match at several moments, for every viewer: what was compared, how it ended."""
    *_, table = played(seed)
    return over_a_table(table, sight=sight, rules=rules)


def over_a_table(table: Table, *, sight: Sight = seen, rules: Rules = decide) -> Counter[str]:
    """The same over a match that was played."""
    chance, counted = random.Random(f"twins {table.seed}"), Counter[str]()
    for steps in moments(table, chance):
        match = steps[0].before
        for viewer in (None, *map(Seat, range(len(match.seats)))):
            other = twin(match, steps, viewer, chance, by_worth=chance.random() < 0.5)
            if differ(match, other):
                same(sight(match, viewer), sight(other, viewer), viewer, "the deal")
                result = compare(match, other, steps, viewer, sight=sight, rules=rules)
                counted["answers"] += 1 + result.answers
                counted["refusals"] += result.refusals
                counted[result.ended] += 1
    return counted


@pytest.mark.parametrize("seed", range(MATCHES))
def test_no_viewer_can_tell_twins_apart(seed: int) -> None:
    assert over_a_match(seed)["answers"] > 0


def test_the_comparisons_are_worth_something() -> None:
    counted = sum((over_a_match(seed) for seed in range(5)), Counter[str]())
    assert counted["answers"] > 2_000 and counted["refusals"] > 20_000
    assert counted["at the end"] > counted["with another outcome"] > 0


def next_hand_has_red(match: Match, viewer: Seat | None) -> bytes:
    """A leak: whether the next hand holds a red card."""
    assert match.round is not None
    turn = match.round.turn
    red = turn != viewer and any(card.color is Color.RED for card in match.round.hands[turn])
    return seen(match, viewer) + bytes((red,))


def next_card(match: Match, viewer: Seat | None) -> bytes:
    """A leak: the card to be drawn next."""
    assert match.round is not None
    return seen(match, viewer) + b"".join(
        card.encode() for card in match.round.pile[match.round.drawn :][:1]
    )


def bluff(match: Match, viewer: Seat | None) -> bytes:
    """A leak: whether a wild draw four that waits for its answer was a bluff."""
    penalty = match.round.penalty if match.round is not None else None
    guilty = penalty is not None and holds_color(penalty.hand, penalty.judged_color)
    return seen(match, viewer) + bytes((guilty and penalty is not None,))


@pytest.mark.parametrize("leak", [next_hand_has_red, next_card, bluff])
def test_a_view_that_leaks_is_found_out(leak: Sight) -> None:
    with pytest.raises(Told):
        for seed in range(20):
            over_a_match(seed, sight=leak)


def passing_automatically(
    match: Match, actor: Actor, command: Command, context: Context
) -> tuple[Event, ...]:
    """A leak: a drawn card that does not fit ends the turn, and so everybody knows it."""
    events = decide(match, actor, command, context)
    if isinstance(command, DrawCard) and isinstance(events[-1], CardsDrawn):
        after = reduce(evolve, events, match)
        assert after.round is not None and actor.seat is not None
        if after.round.drawn_card not in fitting(after.round):
            return (*events, *decide(after, actor, PassTurn(), context))
    return events


def test_an_event_that_leaks_is_found_out() -> None:
    with pytest.raises(Told):
        for seed in range(20):
            over_a_match(seed, rules=passing_automatically)
