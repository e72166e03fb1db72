"""Laws of tournaments: they end, every table counts once, and the events alone tell it all."""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import suppress
from itertools import pairwise

import pytest

from domain.codec import decode_tournament, encode, is_of_a_tournament, type_of
from domain.commands import Context
from domain.refusals import RuleViolation
from domain.tournaments.commands import Arrive, EnterBot, ReplaceEntrant, Withdraw
from domain.tournaments.decide import decide
from domain.tournaments.due import due, openings
from domain.tournaments.events import (
    TOURNAMENT_EVENT_TYPES,
    TournamentCanceled,
    TournamentFinished,
)
from domain.tournaments.evolve import evolve, fold
from domain.tournaments.legal import legal_commands
from domain.tournaments.standings import points_by_entrant, standings
from domain.tournaments.terms import Entrant, Format
from domain.tournaments.tournament import Tournament, TournamentStatus, new_tournament
from tests.laws.reckoned_tournaments import Reckoned
from tests.laws.tournaments import Random, played
from tests.spec import seed_of
from tests.tournaments.spec import entrant

TOURNAMENTS = min(1_000, int(os.environ.get("TALON_LAWS_MATCHES", "60")))
_SAID_AGAIN = (EnterBot, ReplaceEntrant)
"""What may be said twice, and then is done twice."""


@pytest.mark.parametrize("seed", range(TOURNAMENTS))
def test_every_law_holds_in_every_tournament(seed: int) -> None:
    for evening in played(seed):
        everybody_is_paired_once(evening.tournament)
        every_table_counts_once(evening)
        an_entrant_may_do_what_is_listed(evening)
    the_log_alone_tells_it_all(evening)
    the_same_is_decided_again(evening)
    said_twice_it_happens_once(evening)
    the_places_are_those_of_the_points(evening)


def everybody_is_paired_once(tournament: Tournament) -> None:
    """Who is there is at one table or has the bye."""
    last = tournament.running_round
    if last is None:
        return
    paired = [one for table in last.tables for one in table.entrants] + list(last.byes)
    assert max(Counter(paired).values(), default=1) == 1
    assert set(paired) <= set(tournament.seeding)
    if tournament.settings.format in (Format.PAIRS_8, Format.ROTATING_PARTNERS_4):
        assert sorted(paired) == sorted(tournament.seeding)
    named = [match for round in tournament.rounds for t in round.tables for match in t.voided]
    named += [table.match for round in tournament.rounds for table in round.tables]
    assert max(Counter(filter(None, named)).values(), default=1) == 1


def every_table_counts_once(evening: Random) -> None:
    """The points are those of the events, reckoned apart."""
    stored = (json.loads(encode(event)) for event in evening.events)
    assert list(points_by_entrant(evening.tournament)) == Reckoned(stored).points()


def an_entrant_may_do_what_is_listed(evening: Random) -> None:
    """All that is listed is taken and changes something, and nothing else does."""
    context = Context(now=evening.now, seed=seed_of("lot"))
    for one in map(Entrant, range(len(evening.tournament.entries))):
        does = []
        for command in (Arrive(), Withdraw()):
            with suppress(RuleViolation):
                if decide(evening.tournament, entrant(one), command, context):
                    does.append(command)
        assert legal_commands(evening.tournament, one) == tuple(does)


def the_log_alone_tells_it_all(evening: Random) -> None:
    """What is stored folds to the state, also without the seed that was sealed."""
    events = []
    for event in evening.events:
        assert is_of_a_tournament(type_of(event))
        events.append(decode_tournament(type_of(event), 1, encode(event)))
    assert events == evening.events
    begun = new_tournament(evening.tournament.id)
    assert fold(events, begun) == evening.tournament
    assert evening.tournament.version == len(events)


def the_same_is_decided_again(evening: Random) -> None:
    """No decision depends on anything but the tournament, the command, who asks and the time."""
    context = Context(now=0, seed=seed_of("another"))
    for tournament, actor, command in evening.given:
        answers = []
        for _ in range(2):
            try:
                answers.append(decide(tournament, actor, command, context))
            except RuleViolation as refused:
                answers.append((refused.refusal,))  # type: ignore[arg-type]
        assert answers[0] == answers[1]


def said_twice_it_happens_once(evening: Random) -> None:
    """A repetition of what was just done changes nothing, or is refused."""
    context = Context(now=evening.now, seed=seed_of("lot"))
    for (before, actor, command), after in zip(evening.given, following(evening), strict=True):
        if isinstance(command, _SAID_AGAIN):
            continue
        try:
            again = decide(after, actor, command, context)
        except RuleViolation:
            continue
        assert again == () or after == before, command


def following(evening: Random) -> list[Tournament]:
    """By command that was taken: the tournament after it."""
    states = [tournament for tournament, _, _ in evening.given[1:]]
    return [*states, evening.tournament]


def the_places_are_those_of_the_points(evening: Random) -> None:
    """Whoever has more is not behind; and what the end says is what the standings said."""
    *_, finished = evening.events
    assert isinstance(finished, TournamentFinished)
    lines = standings(evening.tournament)
    assert {line.entrant for line in lines} == set(evening.tournament.seeding)
    ranked = [line for line in lines if line.place]
    for one, other in pairwise(ranked):
        assert (one.points, one.tie_breaks) >= (other.points, other.tie_breaks)
        assert (one.place == other.place) == (
            (one.points, one.tie_breaks) == (other.points, other.tie_breaks)
        )
    for line in lines:
        assert finished.places[line.entrant] == line.place
        assert finished.points[line.entrant] == line.points


def test_what_is_due_is_taken_and_nothing_is_due_at_the_end() -> None:
    for seed in range(12):
        for evening in played(seed):
            for command in due(evening.tournament, evening.now):
                context = Context(now=evening.now, seed=seed_of("lot"))
                actor = evening.given[0][1]
                assert decide(evening.tournament, actor, command, context)
        assert evening.tournament.status is TournamentStatus.FINISHED
        assert due(evening.tournament, evening.now) == openings(evening.tournament) == ()


def test_these_tournaments_have_everything_that_happens_in_tournaments() -> None:
    seen = {type(event) for seed in range(40) for event in last(seed).events}
    assert set(TOURNAMENT_EVENT_TYPES) - seen <= {TournamentCanceled}


def last(seed: int) -> Random:
    """A random tournament at its end."""
    *_, evening = played(seed)
    return evening


def test_an_event_changes_one_version_at_a_time() -> None:
    evening = last(3)
    tournament = new_tournament(evening.tournament.id)
    for version, event in enumerate(evening.events, 1):
        tournament = evolve(tournament, event)
        assert tournament.version == version
    assert tournament == evening.tournament
