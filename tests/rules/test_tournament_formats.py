"""Knockout and swiss: who meets whom, who has a bye, what a table is worth, who stands where."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from domain.tournaments.commands import Withdraw
from domain.tournaments.due import due
from domain.tournaments.matching import most_pairs
from domain.tournaments.plan import meetings
from domain.tournaments.settings import Settings
from domain.tournaments.standings import at_table
from domain.tournaments.terms import Entrant, Format
from domain.tournaments.tournament import Outcome, Table
from tests.tournaments.spec import entrant, started

KNOCKOUT = Settings(Format.KNOCKOUT)
SWISS = Settings(Format.SWISS)


def table_of(*entrants: int) -> tuple[int, ...]:
    return entrants


# Knockout.


def test_the_best_meets_the_last_and_who_wins_goes_on() -> None:
    """KO-1."""
    evening = started(KNOCKOUT, 8)
    assert evening.tournament.rounds[0].tables[0].entrants == table_of(0, 7)
    evening.play_round()
    assert evening.next_round() == (table_of(0, 3), table_of(1, 2))
    evening.play_round()
    assert evening.next_round() == (table_of(0, 1),)
    evening.play_on()
    assert evening.places == [(0,), (1,), (2, 3), (4, 5, 6, 7)]


@pytest.mark.parametrize(("count", "byes"), [(2, 0), (3, 1), (5, 3), (6, 2), (8, 0), (11, 5)])
def test_the_best_have_byes_so_that_a_power_of_two_is_left(count: int, byes: int) -> None:
    """KO-1."""
    evening = started(KNOCKOUT, count)
    assert evening.tournament.rounds[0].byes == tuple(range(byes))
    evening.play_round()
    if evening.tournament.rounds[0].byes:
        evening.next_round()
        assert evening.tournament.rounds[1].byes == ()
    evening.play_on()
    assert evening.places[0] == (0,)


def test_larger_tables_are_as_even_as_can_be_and_need_no_byes() -> None:
    """KO-1."""
    evening = started(Settings(Format.KNOCKOUT, table_seats=4), 9)
    tables = [table.entrants for table in evening.tournament.rounds[0].tables]
    assert tables == [table_of(0, 5, 6), table_of(1, 4, 7), table_of(2, 3, 8)]
    evening.play_on()
    assert evening.places == [(0,), (1,), (2,), (3, 4, 5), (6, 7, 8)]


def test_of_those_who_share_the_first_place_the_higher_seed_goes_on() -> None:
    """KO-1."""
    evening = started(KNOCKOUT, 4)
    evening.play_round(lambda table, seats: [30, 30])
    assert evening.next_round() == (table_of(0, 1),)


def test_who_leaves_a_knockout_keeps_the_place_they_had_reached() -> None:
    """KO-1."""
    evening = started(KNOCKOUT, 4)
    evening.play_round()
    evening.when(Withdraw(), entrant(0))
    evening.play_on()
    assert evening.places == [(0, 1), (2, 3)]


def test_where_nobody_is_placed_nobody_goes_on() -> None:
    """KO-1."""
    evening = started(KNOCKOUT, 4)
    evening.open_tables()
    evening.when(evening.ending(0, (0, 0), (0, 0)))
    evening.end_table(1, (5, 0))
    evening.play_on()
    assert evening.places == [(1,), (2,), (0, 3)]


# Swiss.


def test_the_upper_half_meets_the_lower_half_of_those_who_stand_as_well() -> None:
    """SWISS-1."""
    evening = started(SWISS, 8)
    halves = [table_of(0, 4), table_of(1, 5), table_of(2, 6), table_of(3, 7)]
    assert [table.entrants for table in evening.tournament.rounds[0].tables] == halves
    evening.play_round()
    assert evening.next_round() == (
        table_of(0, 2),
        table_of(1, 3),
        table_of(4, 6),
        table_of(5, 7),
    )


@pytest.mark.parametrize("count", [4, 6, 8, 10, 16])
def test_all_meet_all_before_any_two_meet_again(count: int) -> None:
    """SWISS-1: with two rounds to spare for the pairing."""
    evening = started(Settings(Format.SWISS, rounds=count // 2), count)
    evening.play_on()
    assert set(meetings(evening.tournament).values()) == {1}


def test_when_all_have_met_all_some_meet_again() -> None:
    """SWISS-1."""
    evening = started(Settings(Format.SWISS, rounds=4), 4)
    evening.play_on()
    met = meetings(evening.tournament)
    assert sum(met.values()) == 8 and set(met.values()) == {1, 2} and len(met) == 6


def test_nobody_has_a_second_bye_before_all_had_one_and_the_last_has_the_first() -> None:
    """SWISS-1."""
    evening = started(Settings(Format.SWISS, rounds=5), 5)
    assert evening.tournament.rounds[0].byes == table_of(4)
    evening.play_on()
    assert sorted(round.byes[0] for round in evening.tournament.rounds) == list(range(5))


def test_who_can_sit_out_is_searched_for_no_longer_than_needed() -> None:
    """SWISS-1: a large tournament is paired by few searches; whether it goes on takes none."""
    evening = started(Settings(Format.SWISS, rounds=4), 65)
    evening.play_round()

    with searches() as paired:
        evening.next_round()
    evening.play_round()
    with searches() as asked:
        due(evening.tournament, evening.now)

    assert len(paired) < 65
    assert not asked


@contextmanager
def searches() -> Iterator[list[object]]:
    """What is noted while this is open: each search for the most pairs."""
    noted: list[object] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is most_pairs.__code__:
            noted.append(frame.f_lineno)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield noted
    finally:
        sys.setprofile(before)


def test_larger_tables_are_of_those_who_have_not_met() -> None:
    """SWISS-1."""
    evening = started(Settings(Format.SWISS, table_seats=3, rounds=3), 9)
    evening.play_on()
    assert set(meetings(evening.tournament).values()) == {1}


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2, 3, 4), (6, 4, 2, 0)),
        ((1, 1, 3, 4), (5, 5, 2, 0)),
        ((1, 1, 1, 1), (3, 3, 3, 3)),
        ((1, 2, 0, 0), (6, 4, 0, 0)),
        ((1, 2, 3), (6, 4, 2)),
    ],
)
def test_a_table_gives_two_points_for_each_who_is_behind_or_missing(
    places: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """SWISS-2."""
    entrants = tuple(map(Entrant, range(len(places))))
    table = Table(entrants=entrants, outcome=Outcome(scores=(0,) * len(places), places=places))
    assert tuple(at_table(table, one, 3) for one in entrants) == points


def test_a_bye_is_worth_a_table_and_ties_go_by_the_opponents() -> None:
    """SWISS-2."""
    evening = started(Settings(Format.SWISS, rounds=2), 5)
    evening.play_round()
    evening.next_round()
    evening.play_round()
    tables = [table.entrants for round in evening.tournament.rounds for table in round.tables]
    assert tables == [table_of(0, 2), table_of(1, 3), table_of(0, 1), table_of(4, 2)]
    assert [round.byes for round in evening.tournament.rounds] == [table_of(4), table_of(3)]
    lines = [(line.entrant, line.place, line.points) for line in evening.standings]
    assert lines == [(0, 1, 4), (1, 2, 2), (2, 2, 2), (3, 4, 2), (4, 4, 2)]
    assert [line.tie_breaks for line in evening.standings[:2]] == [(4, 2), (6, 1)]
    assert [line.tie_breaks for line in evening.standings[3:]] == [(2, 0), (2, 0)]


def test_who_left_is_unranked() -> None:
    """SWISS-2."""
    evening = started(SWISS, 4)
    evening.play_round()
    evening.when(Withdraw(), entrant(0))
    evening.play_on()
    assert evening.places[-1] == (0,) and evening.standings[0].place == 1
