"""No answer depends on a card that its viewer has not been shown, over whole random matches.

``TALON_LAWS_MATCHES`` says how many: of classic matches as many (30 unless set, 300 at most), of
matches of any kind a tenth (1,000 at most). Viewers are seats, partners among them, spectators and
auditors; what the clock and bots do is part of the matches, and when bots act part of the sight.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import reduce

import pytest
from msgspec.structs import replace

from domain.cards import Color, points_of
from domain.commands import Actor, Command, Context, DrawCard, PassTurn
from domain.decide import decide
from domain.events import (
    CardsDrawn,
    DrawReason,
    Event,
    HandReturned,
    HandsShuffled,
    RoundBlocked,
    RoundCommitted,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    Seat,
)
from domain.evolve import evolve
from domain.match import Match, with_secret
from domain.matching import fitting, holds_color
from tests.laws.anything import whole
from tests.laws.kinds import kind_of
from tests.laws.places import twin
from tests.laws.table import Step, Table, played
from tests.laws.twins import Rules, Sight, Told, compare, differ, same, seen

MATCHES = min(300, int(os.environ.get("TALON_LAWS_MATCHES", "30")))
ANY_KIND = max(12, min(1_000, int(os.environ.get("TALON_LAWS_MATCHES", "0")) // 10))
SLICE = 1 if ANY_KIND < 100 else 10
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


def close_moments(table: Table, chance: random.Random) -> Iterator[list[Step]]:
    """Stretches in which hidden cards are moved about, one of each kind, from just before that."""
    found: dict[object, list[tuple[list[Step], int]]] = {}
    for steps in rounds(table):
        for at, step in enumerate(steps):
            kind = moved_about(step)
            if kind is not None and at > 1:
                found.setdefault(kind, []).append((steps, at))
    for places in found.values():
        steps, at = chance.choice(places)
        start = boundary(steps, max(1, at - chance.randrange(12)))
        if start <= at:
            yield steps[start : boundary(steps, min(at + AHEAD // 2, len(steps)))]


def moved_about(step: Step) -> object:
    """What an event does to cards that some do not see, if their order depends on them all."""
    event = step.event
    if isinstance(event, HandReturned | HandsShuffled):
        return type(event)
    draws_on = step.before.options.draw_until_playable and isinstance(event, CardsDrawn)
    return "drawn on" if draws_on and event.reason is DrawReason.TURN else None


def over_a_match(seed: int, *, sight: Sight = seen, rules: Rules = decide) -> Counter[str]:
    """Twins of a match at several moments, for every viewer: what was compared, how it ended."""
    *_, table = played(seed)
    return over_a_table(table, sight=sight, rules=rules)


def over_a_table(table: Table, *, sight: Sight = seen, rules: Rules = decide) -> Counter[str]:
    """The same over a match that was played."""
    chance, counted = random.Random(f"twins {table.seed}"), Counter[str]()
    stretches = [(False, steps) for steps in moments(table, chance)]
    stretches += [(True, steps) for steps in close_moments(table, chance)]
    for close, steps in stretches:
        match = steps[0].before
        for viewer in viewers(match, chance):
            by_worth = chance.random() < 0.5
            other = twin(match, steps, viewer, chance, by_worth=by_worth, close=close)
            if differ(match, other):
                same(sight(match, viewer), sight(other, viewer), viewer, "the deal")
                result = compare(match, other, steps, viewer, sight=sight, rules=rules)
                counted["answers"] += 1 + result.answers
                counted["refusals"] += result.refusals
                counted[result.ended] += 1
                counted.update(result.varied)
    return counted


def viewers(match: Match, chance: random.Random) -> tuple[Seat | None, ...]:
    """A spectator, and every seat; of a large table five of them."""
    seats = range(len(match.seats))
    return (None, *map(Seat, sorted(chance.sample(seats, min(5, len(seats))))))


@pytest.mark.parametrize("seed", range(MATCHES))
def test_no_viewer_can_tell_twins_apart(seed: int) -> None:
    assert over_a_match(seed)["answers"] > 0


@pytest.mark.parametrize("first", range(0, ANY_KIND, SLICE))
def test_no_viewer_can_tell_twins_apart_in_matches_of_any_kind(first: int) -> None:
    for number in range(first, min(first + SLICE, ANY_KIND)):
        try:
            over_a_table(whole(number))
        except Told as told:
            told.add_note(f"twins of match {number} of tests.laws.anything: {kind_of(number)!r}")
            raise


def test_the_comparisons_are_worth_something() -> None:
    counted = sum((over_a_match(seed) for seed in range(5)), Counter[str]())
    assert counted["answers"] > 2_000 and counted["refusals"] > 20_000
    assert counted["at the end"] > 15 and counted["with another outcome"] > 0


def test_in_matches_of_any_kind_they_differ_in_all_that_is_moved_about() -> None:
    counted = sum((over_a_table(whole(number)) for number in range(24)), Counter[str]())
    for what in ("returned", "shuffled", "swapped", "drawn", "drawn on"):
        assert counted[what] > 5, counted
    assert counted["at the end"] > 50, counted


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


def partners_points(match: Match, viewer: Seat | None) -> bytes:
    """A leak: what one's partner holds (TEAM-1)."""
    round = match.round
    if viewer is None or round is None or viewer not in round.order or len(round.order) < 4:
        return seen(match, viewer)
    partner = round.seat_after(viewer, 2, 1)
    return seen(match, viewer) + str(points_of(round.hands[partner])).encode()


def how_long_a_bot_thinks(match: Match, viewer: Seat | None) -> bytes:
    """A leak: a bot to move is sooner done if it holds nothing that fits."""
    round = match.round
    assert round is not None
    is_bot = match.seats[round.turn].bot is not None and round.color is not None
    fits = is_bot and not fitting(round).isdisjoint(round.hands[round.turn])
    return seen(match, viewer) + bytes((fits and round.turn != viewer,))


def whether_the_clock_could_have_played(match: Match, viewer: Seat | None) -> bytes:
    """A leak: whether the card that the clock drew fits (AWAY-1)."""
    round = match.round
    assert round is not None
    ran_out = match.silences.keys() - {viewer}
    last = [match.round.hands[seat][-1:] for seat in sorted(ran_out) if match.round]
    return seen(match, viewer) + b"".join(card.encode() for hand in last for card in hand)


@pytest.mark.parametrize("leak", [next_hand_has_red, next_card, bluff])
def test_a_view_that_leaks_is_found_out(leak: Sight) -> None:
    with pytest.raises(Told):
        for seed in range(20):
            over_a_match(seed, sight=leak)


@pytest.mark.parametrize(
    "leak", [partners_points, how_long_a_bot_thinks, whether_the_clock_could_have_played]
)
def test_a_view_that_leaks_in_other_forms_is_found_out(leak: Sight) -> None:
    with pytest.raises(Told):
        for number in range(40):
            over_a_table(whole(number), sight=leak)


def saying(kind: type[Event], what: Callable[[Match, Match], int]) -> Rules:
    """Rules whose events of a kind tell something in a number that is otherwise a count."""

    def rules(match: Match, actor: Actor, command: Command, context: Context) -> tuple[Event, ...]:
        events, before = [], match
        for event in decide(match, actor, command, context):
            if isinstance(event, RoundCommitted):
                before = with_secret(before, event.round, context.seed)
            after = evolve(before, event)
            told = replace(event, count=what(before, after)) if type(event) is kind else event
            events.append(told)
            before = after
        return tuple(events)

    return rules


def _bottom(before: Match, after: Match) -> int:
    assert after.round is not None
    return after.round.pile[-1].points


def _first_hand(before: Match, after: Match) -> int:
    assert after.round is not None
    return points_of(after.round.hands[after.round.order[0]])


@pytest.mark.parametrize(("kind", "what"), [(HandReturned, _bottom), (HandsShuffled, _first_hand)])
def test_an_event_that_tells_of_cards_moved_about_is_found_out(
    kind: type[Event], what: Callable[[Match, Match], int]
) -> None:
    with pytest.raises(Told):
        for number in range(200):
            over_a_table(whole(number), rules=saying(kind, what))


def naming_what_was_drawn_on(
    match: Match, actor: Actor, command: Command, context: Context
) -> tuple[Event, ...]:
    """A leak: the worth of the first card of those drawn until one fits (HOUSE-4)."""
    events = decide(match, actor, command, context)
    if isinstance(command, DrawCard) and isinstance(events[0], CardsDrawn) and match.round:
        first = match.round.pile[match.round.drawn :][:1]
        if match.options.draw_until_playable and events[0].drawn > 1 and len(events) == 1:
            return (replace(events[0], asked=100 + points_of(first)),)
    return events


def test_a_draw_that_tells_what_did_not_fit_is_found_out() -> None:
    with pytest.raises(Told):
        for number in range(200):
            over_a_table(whole(number), rules=naming_what_was_drawn_on)


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
