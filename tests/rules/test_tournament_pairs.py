"""Tournaments of partners: eight in pairs, by a whist design, and four who rotate."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from domain.options import Form, Options
from domain.refusals import Refusal
from domain.tournaments.commands import CreateTournament, PairRound, StartTournament, Withdraw
from domain.tournaments.events import TournamentFinished
from domain.tournaments.settings import Settings
from domain.tournaments.terms import Entrant, Format
from tests.tournaments.spec import Evening, entered, entrant, started

PAIRS = Settings(Format.PAIRS_8)
TABLES = tuple[tuple[Entrant, ...], ...]


def schedule() -> list[TABLES]:
    """The tables of all rounds."""
    evening = started(PAIRS, 8)
    evening.play_on()
    return [tuple(table.entrants for table in round.tables) for round in evening.tournament.rounds]


def partners(table: tuple[Entrant, ...]) -> list[tuple[Entrant, ...]]:
    """Who sits opposite."""
    return [tuple(sorted(table[0::2])), tuple(sorted(table[1::2]))]


def opponents(table: tuple[Entrant, ...]) -> list[tuple[Entrant, ...]]:
    """Who plays against whom."""
    return [tuple(sorted((one, other))) for one in table[0::2] for other in table[1::2]]


def test_every_pair_partners_once_and_meets_as_opponents_twice() -> None:
    """T8-1, case 120: 28 rounds for each, 56 in all, two tables at a time."""
    everybody = set(combinations(range(8), 2))
    tables = [table for round in schedule() for table in round]
    assert Counter(pair for table in tables for pair in partners(table)) == dict.fromkeys(
        everybody, 1
    )
    assert Counter(pair for table in tables for pair in opponents(table)) == dict.fromkeys(
        everybody, 2
    )
    rounds = started(PAIRS, 8).tournament.settings.rules.rounds
    played = Counter(one for table in tables for one in table)
    assert {rounds * times for times in played.values()} == {28} and rounds * len(tables) == 56


def test_in_every_round_everybody_plays_at_one_of_two_tables() -> None:
    """T8-1."""
    for round in schedule():
        assert [len(table) for table in round] == [4, 4]
        assert sorted(one for table in round for one in table) == list(range(8))


def test_each_scores_what_the_team_of_the_moment_scores_and_ties_share() -> None:
    """T8-1: the team of the lowest number makes ten points a match."""
    evening = started(PAIRS, 8)
    evening.play_on(
        lambda table, seats: [10 if min(seats) in seats[at % 2 :: 2] else 0 for at in range(4)]
    )
    points = {line.entrant: line.points for line in evening.standings}
    assert points[Entrant(0)] == 70 and sum(points.values()) == 2 * 10 * 14
    for one in evening.standings:
        assert one.place == 1 + sum(other > one.points for other in points.values())
    *_, finished = evening.events
    assert isinstance(finished, TournamentFinished) and finished.winners == (0,)


def test_all_may_share_the_first_place() -> None:
    """T8-1, case 120: a tie."""
    evening = started(PAIRS, 8)
    evening.play_on(lambda table, seats: [5] * 4)
    assert evening.places == [tuple(range(8))]


def test_a_bot_plays_to_the_end_for_who_leaves_unranked() -> None:
    """T8-1."""
    evening = started(PAIRS, 8)
    evening.when(Withdraw(), entrant(0))
    evening.play_on()
    assert len(evening.tournament.rounds) == 7 and evening.places[-1] == (0,)


def test_eight_play_and_no_other_number() -> None:
    """T8-1."""
    for count in (7, 9):
        settings = Settings(Format.PAIRS_8, entrants_max=count)
        refused = Evening(settings).refused(CreateTournament(settings))
        assert refused is Refusal.ENTRANTS_MUST_FIT_THE_FORMAT
    evening = entered(PAIRS, 7)
    assert evening.refused(StartTournament()) is Refusal.ENTRANTS_MUST_BE_COMPLETE


def test_partners_play_four_rounds_together_whatever_the_target() -> None:
    """T8-1, SCORE-5."""
    rules = started(PAIRS, 8).tournament.settings.rules
    assert (rules.form, rules.rounds) == (Form.TEAMS, 4)
    other = Settings(Format.PAIRS_8, rules=Options(rounds=5))
    refused = Evening(other).refused(CreateTournament(other))
    assert refused is Refusal.TABLES_MUST_FIT_THE_FORMAT


def test_four_who_rotate_play_one_match() -> None:
    """ROT-1."""
    evening = started(Settings(Format.ROTATING_PARTNERS_4), 4)
    assert evening.tournament.settings.rules.form is Form.ROTATING_PARTNERS
    evening.play_round(lambda table, seats: [70, 0, 35, 70])
    assert evening.refused(PairRound(2)) is Refusal.ROUND_MUST_REMAIN
    assert evening.places == [(0, 3), (2,), (1,)]
