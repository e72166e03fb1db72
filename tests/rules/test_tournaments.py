"""Tournaments: who enters, leaves and is replaced; what becomes of a table and of the whole.

TOUR-1, TOUR-2, TOUR-3, TOUR-4.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.limits import ENTRIES_PER_PLAYER, REPLACEMENTS_PER_ENTRANT, VOIDS_PER_TABLE
from domain.options import Form, Options
from domain.refusals import Refusal
from domain.terms import BotLevel
from domain.tournaments.commands import (
    Arrive,
    CancelTournament,
    CloseArrivals,
    CreateTournament,
    Enter,
    EnterBot,
    FinishTournament,
    OpenTable,
    PairRound,
    RemoveEntrant,
    ReplaceEntrant,
    StartTournament,
    VoidTable,
    Withdraw,
)
from domain.tournaments.due import due, next_deadline, openings
from domain.tournaments.events import (
    DrawCommitted,
    DrawRevealed,
    EntrantArrived,
    EntrantJoined,
    EntrantLeft,
    EntrantMissed,
    EntrantReplaced,
    RoundPaired,
    TableForfeited,
    TableOpened,
    TableVoided,
    TournamentCanceled,
    TournamentFinished,
    TournamentStarted,
)
from domain.tournaments.settings import Settings
from domain.tournaments.terms import (
    CancelReason,
    Entrant,
    ExitReason,
    Format,
    NoShow,
    Seeding,
    TableVoid,
)
from tests.tournaments.spec import MINUTE, OPERATOR, ORGANIZER, created, entered, entrant, started

SWISS = Settings(Format.SWISS)
KNOCKOUT = Settings(Format.KNOCKOUT)
PUNCTUAL = Settings(Format.SWISS, arrival_seconds=60)
NOBODY = Entrant(77)
ZERO, ONE, TWO, THREE = map(Entrant, range(4))

# Setting up and entering.


@pytest.mark.parametrize(
    ("settings", "refused"),
    [
        (Settings(Format.PAIRS_8, entrants_max=9), Refusal.ENTRANTS_MUST_FIT_THE_FORMAT),
        (Settings(Format.PAIRS_8, table_seats=5), Refusal.TABLES_MUST_FIT_THE_FORMAT),
        (Settings(Format.KNOCKOUT, rounds=3), Refusal.ROUNDS_MUST_FIT_THE_FORMAT),
        (
            Settings(Format.SWISS, rules=Options(form=Form.TEAMS), table_seats=4),
            Refusal.TABLES_MUST_FIT_THE_FORMAT,
        ),
    ],
)
def test_settings_have_to_fit_the_format(settings: Settings, refused: Refusal) -> None:
    assert created(SWISS).refused(CreateTournament(SWISS)) is Refusal.TOURNAMENT_MUST_BE_NEW
    evening = type(created(SWISS))(settings)
    assert evening.refused(CreateTournament(settings)) is refused


def test_partners_are_kept_by_bots_if_they_leave_and_are_bots_if_they_do_not_come() -> None:
    settings = created(Settings(Format.PAIRS_8)).tournament.settings
    assert (settings.table_seats, settings.entrants_max) == (4, 8)
    assert (settings.rules.form, settings.rules.on_leave) == (Form.TEAMS, "bot")
    assert settings.no_show is NoShow.BOT


def test_entrants_are_numbered_as_they_come_and_no_number_is_given_twice() -> None:
    evening = entered(SWISS, 2)
    assert evening.when(Enter("player 1")) == ()
    evening.when(Withdraw(), entrant(0))
    assert evening.when(Enter("new", rating=7)) == (EntrantJoined(TWO, "new", 7),)
    assert evening.when(Enter("player 0")) == (EntrantJoined(ZERO, "player 0"),)


def test_entering_ends_with_the_room_the_start_and_patience() -> None:
    evening = entered(replace(SWISS, entrants_max=2), 2)
    assert evening.refused(Enter("third")) is Refusal.ENTRANTS_MUST_HAVE_ROOM
    for _ in range(ENTRIES_PER_PLAYER - 1):
        evening.when(Withdraw(), entrant(0))
        evening.when(Enter("player 0"))
    evening.when(Withdraw(), entrant(0))
    assert evening.refused(Enter("player 0")) is Refusal.ENTRIES_MUST_BE_FEW
    assert evening.refused(Withdraw(), entrant(0)) is Refusal.ENTRANT_MUST_TAKE_PART
    assert evening.refused(EnterBot(BotLevel.SHARP), entrant(1)) is Refusal.ORGANIZER_MUST_ASK
    evening.when(EnterBot(BotLevel.SHARP), ORGANIZER)
    evening.when(StartTournament(), ORGANIZER)
    assert evening.refused(Enter("late")) is Refusal.TOURNAMENT_MUST_BE_OPEN


def test_the_start_needs_enough_entrants_and_happens_once() -> None:
    evening = entered(SWISS, 1)
    assert evening.refused(StartTournament()) is Refusal.ENTRANTS_MUST_BE_COMPLETE
    assert evening.refused(PairRound(1)) is Refusal.TOURNAMENT_MUST_BE_RUNNING
    evening.when(Enter("another"))
    begun = evening.when(StartTournament(), ORGANIZER)
    assert begun == (TournamentStarted((ZERO, ONE), 1), RoundPaired(1, ((ZERO, ONE),)))
    assert evening.when(StartTournament(), ORGANIZER) == ()


def test_the_higher_rating_is_seeded_first_and_who_has_none_last() -> None:
    evening = created(SWISS)
    for rating in (None, 0, 20, 20):
        evening.when(Enter(f"{len(evening.events)}", rating))
    evening.when(StartTournament())
    assert evening.tournament.seeding == (TWO, THREE, ONE, ZERO)


def test_a_lot_is_committed_to_before_anybody_enters_and_shown_when_it_is_drawn() -> None:
    evening = entered(replace(SWISS, seeding=Seeding.LOT), 6)
    assert isinstance(evening.events[1], DrawCommitted)
    revealed, begun, _ = evening.when(StartTournament())
    assert isinstance(revealed, DrawRevealed) and isinstance(begun, TournamentStarted)
    assert sorted(begun.seeding) == list(range(6)) and begun.seeding != tuple(range(6))


def test_a_lot_that_is_not_drawn_is_shown_all_the_same() -> None:
    evening = entered(replace(SWISS, seeding=Seeding.LOT), 1)
    shown, canceled = evening.when(CancelTournament(CancelReason.TOO_FEW), ORGANIZER)
    assert isinstance(shown, DrawRevealed)
    assert canceled == TournamentCanceled(CancelReason.TOO_FEW)
    assert evening.when(CancelTournament(CancelReason.IDLE)) == ()
    assert evening.refused(Enter("x")) is Refusal.TOURNAMENT_MUST_NOT_BE_OVER


# Coming to the table.


def test_a_table_opens_when_all_its_players_have_come() -> None:
    evening = started(PUNCTUAL, 2, bots=1)
    (pair,) = (table.entrants for table in evening.tournament.rounds[0].tables)
    assert pair == (ZERO, ONE) and evening.tournament.rounds[0].byes == (TWO,)
    assert openings(evening.tournament) == () and next_deadline(evening.tournament) == MINUTE
    assert evening.refused(OpenTable(1, 0, "aa")) is Refusal.TABLE_MUST_BE_COMPLETE
    assert evening.refused(Arrive(), entrant(2)) is Refusal.TABLE_MUST_BE_PAIRED
    assert evening.when(Arrive(), entrant(0)) == (EntrantArrived(1, 0, ZERO),)
    assert evening.when(Arrive(), entrant(0)) == ()
    evening.when(Arrive(), entrant(1))
    opened = evening.when(OpenTable(1, 0, "aa"))
    assert opened == (TableOpened(1, 0, "aa", (ZERO, ONE), (None, None)),)
    assert evening.when(OpenTable(1, 0, "aa")) == ()
    assert evening.refused(OpenTable(1, 0, "bb")) is Refusal.TABLE_MUST_BE_WAITING
    assert evening.refused(OpenTable(1, 5, "bb")) is Refusal.TABLE_MUST_BE_PAIRED
    assert evening.refused(OpenTable(1, 0, "bb"), ORGANIZER) is Refusal.OPERATOR_MUST_ASK


def test_who_does_not_come_in_time_forfeits_the_table() -> None:
    evening = started(PUNCTUAL, 2)
    evening.when(Arrive(), entrant(1))
    assert due(evening.tournament, MINUTE - 1) == ()
    assert evening.refused(CloseArrivals(1, 0)) is Refusal.ARRIVALS_MUST_BE_WAITED_FOR
    evening.now = MINUTE
    assert due(evening.tournament, MINUTE) == (CloseArrivals(1, 0),)
    missed = evening.when(CloseArrivals(1, 0))
    assert missed == (EntrantMissed(1, 0, ZERO), TableForfeited(1, 0, ONE))
    assert evening.when(CloseArrivals(1, 0)) == ()
    assert evening.refused(Arrive(), entrant(0)) is Refusal.ARRIVAL_MUST_BE_IN_TIME
    assert evening.places == [(1,), (0,)]


def test_or_a_bot_plays_for_them_there() -> None:
    evening = started(replace(PUNCTUAL, no_show=NoShow.BOT), 2)
    evening.when(Arrive(), entrant(1))
    evening.now = MINUTE
    assert evening.when(CloseArrivals(1, 0)) == (EntrantMissed(1, 0, ZERO, BotLevel.STEADY),)
    (opened,) = evening.when(OpenTable(1, 0, "aa"))
    assert opened == TableOpened(1, 0, "aa", (ZERO, ONE), (BotLevel.STEADY, None))


def test_a_larger_table_is_played_by_those_who_came() -> None:
    evening = started(replace(PUNCTUAL, table_seats=3), 3)
    for one in (0, 2):
        evening.when(Arrive(), entrant(one))
    evening.now = MINUTE
    evening.when(CloseArrivals(1, 0))
    evening.open_tables()
    evening.end_table(0, (10, 20))
    assert [(line.entrant, line.points) for line in evening.standings] == [(2, 4), (0, 2), (1, 0)]


# Leaving and substitutes.


def test_who_leaves_forfeits_the_table_that_has_not_opened_and_is_not_paired_again() -> None:
    evening = started(replace(SWISS, rounds=2), 4)
    left = evening.when(Withdraw(), entrant(2))
    assert left == (EntrantLeft(TWO), EntrantMissed(1, 0, TWO), TableForfeited(1, 0, ZERO))
    evening.play_round()
    assert 2 not in [one for table in evening.next_round() for one in table]
    evening.play_round()
    assert evening.places[-1] == (2,), "unranked"


def test_the_organizer_takes_somebody_out() -> None:
    evening = started(SWISS, 4)
    evening.open_tables()
    assert evening.refused(RemoveEntrant(ONE), entrant(0)) is Refusal.ORGANIZER_MUST_ASK
    assert evening.refused(RemoveEntrant(NOBODY)) is Refusal.ENTRANT_MUST_TAKE_PART
    assert evening.when(RemoveEntrant(ONE)) == (EntrantLeft(ONE, ExitReason.REMOVED),)


def test_a_substitute_plays_from_the_next_table_on_and_keeps_the_points() -> None:
    evening = started(replace(SWISS, rounds=2), 2)
    evening.open_tables()
    replaced = evening.when(ReplaceEntrant(ZERO, player="substitute"), ORGANIZER)
    assert replaced == (EntrantReplaced(ZERO, "substitute"),)
    evening.end_table(0, (30, 10))
    evening.next_round()
    (opening,) = openings(evening.tournament)
    assert [chair.player for chair in opening.chairs] == ["substitute", "player 1"]
    assert evening.standings[0].entrant == 0 and evening.standings[0].points == 2


def test_a_substitute_is_somebody_else_or_a_bot() -> None:
    evening = started(SWISS, 2)
    nobody, both = ReplaceEntrant(ZERO), ReplaceEntrant(ZERO, "x", BotLevel.SHARP)
    assert evening.refused(nobody) is Refusal.SUBSTITUTE_MUST_BE_NAMED
    assert evening.refused(both) is Refusal.SUBSTITUTE_MUST_BE_NAMED
    player = ReplaceEntrant(ZERO, "player 1")
    assert evening.refused(player) is Refusal.SUBSTITUTE_MUST_BE_SOMEBODY_ELSE
    assert evening.refused(ReplaceEntrant(NOBODY, "x")) is Refusal.ENTRANT_MUST_TAKE_PART
    for _ in range(REPLACEMENTS_PER_ENTRANT):
        evening.when(ReplaceEntrant(ZERO, bot=BotLevel.SHARP))
    again = ReplaceEntrant(ZERO, bot=BotLevel.SHARP)
    assert evening.refused(again) is Refusal.SUBSTITUTES_MUST_BE_FEW


def test_among_partners_a_bot_plays_for_who_left_to_the_end_unranked() -> None:
    """ROT-1."""
    evening = started(Settings(Format.ROTATING_PARTNERS_4), 4)
    left = evening.when(Withdraw(), entrant(3))
    assert left == (EntrantLeft(THREE, bot=BotLevel.STEADY),)
    evening.play_on(lambda table, seats: [10, 20, 30, 40])
    *_, finished = evening.events
    assert finished == TournamentFinished((TWO,), (3, 2, 1, 0), (10, 20, 30, 40))


# The end of a table, and a void one.


def test_a_result_belongs_to_the_match_that_was_named() -> None:
    evening = started(SWISS, 2)
    evening.open_tables()
    ending = evening.ending(0, (5, 3), (1, 2))
    other = replace(ending, match="ff")
    assert evening.refused(other) is Refusal.MATCH_MUST_BE_THE_TABLES
    short = replace(ending, places=(1,))
    assert evening.refused(short) is Refusal.RESULT_MUST_FIT_THE_TABLE
    assert len(evening.when(ending)) == 1 and evening.when(ending) == ()


def test_a_void_table_does_not_count_and_is_played_again_under_another_match() -> None:
    evening = started(SWISS, 4)
    nothing = VoidTable(1, 0, TableVoid.OPERATOR)
    assert evening.refused(nothing, OPERATOR) is Refusal.TABLE_MUST_HAVE_BEGUN
    first, _ = evening.open_tables()
    evening.end_table(0, (9, 0))
    assert evening.standings[0].points == 2
    other = VoidTable(1, 0, TableVoid.MATCH_VOIDED, match="ff")
    assert evening.refused(other) is Refusal.MATCH_MUST_BE_THE_TABLES
    voided = evening.when(VoidTable(1, 0, TableVoid.UNFAIR_PLAY), OPERATOR)
    assert voided == (TableVoided(1, 0, first, TableVoid.UNFAIR_PLAY, again=True),)
    assert {line.points for line in evening.standings} == {0}
    assert evening.refused(OpenTable(1, 0, first)) is Refusal.MATCH_MUST_BE_ANOTHER
    evening.play_round()
    assert len(evening.next_round()) == 2


def test_who_has_left_by_then_forfeits_what_is_played_again() -> None:
    evening = started(SWISS, 2)
    evening.open_tables()
    evening.when(Withdraw(), entrant(0))
    _, missed, forfeited = evening.when(VoidTable(1, 0, TableVoid.FAULT))
    assert (missed, forfeited) == (EntrantMissed(1, 0, ZERO), TableForfeited(1, 0, ONE))
    again = VoidTable(1, 0, TableVoid.FAULT)
    assert evening.refused(again) is Refusal.TABLE_MUST_HAVE_BEGUN, "nobody could come"


def test_a_table_of_an_earlier_round_is_not_played_again() -> None:
    evening = started(replace(SWISS, rounds=2), 4)
    evening.play_round()
    evening.next_round()
    (voided,) = evening.when(VoidTable(1, 0, TableVoid.OPERATOR))
    assert isinstance(voided, TableVoided) and not voided.again
    evening.play_on()
    assert sum(line.points for line in evening.standings) == 6


def test_in_a_knockout_who_went_on_has_gone_on() -> None:
    evening = started(KNOCKOUT, 4)
    evening.play_round()
    evening.next_round()
    void = VoidTable(1, 0, TableVoid.OPERATOR)
    assert evening.refused(void) is Refusal.TABLE_MUST_BE_OF_THE_ROUND


def test_a_table_is_void_only_so_often() -> None:
    evening = started(KNOCKOUT, 2)
    for _ in range(VOIDS_PER_TABLE):
        evening.open_tables()
        evening.when(VoidTable(1, 0, TableVoid.MATCH_VOIDED))
    evening.open_tables()
    void = VoidTable(1, 0, TableVoid.MATCH_VOIDED)
    assert evening.refused(void) is Refusal.VOIDS_MUST_BE_FEW


# Rounds and the end.


def test_a_round_is_paired_when_the_one_before_is_over_and_once() -> None:
    evening = started(SWISS, 4)
    assert evening.refused(PairRound(2)) is Refusal.ROUND_MUST_BE_OVER
    assert evening.refused(FinishTournament()) is Refusal.ROUND_MUST_BE_OVER
    evening.play_round()
    assert evening.refused(PairRound(3)) is Refusal.ROUND_MUST_BE_THE_NEXT
    assert evening.refused(FinishTournament()) is Refusal.ROUNDS_MUST_BE_PLAYED
    assert due(evening.tournament, 0) == (PairRound(2),)
    evening.when(PairRound(2))
    assert evening.when(PairRound(2)) == ()
    evening.play_round()
    assert evening.refused(PairRound(3)) is Refusal.ROUND_MUST_REMAIN
    (finished,) = evening.when(FinishTournament())
    assert finished == TournamentFinished((ZERO,), (1, 2, 2, 4), (4, 2, 2, 0))
    assert evening.when(FinishTournament()) == ()
    assert evening.refused(Withdraw(), entrant(0)) is Refusal.TOURNAMENT_MUST_NOT_BE_OVER


def test_a_table_that_is_played_waits_for_no_substitute() -> None:
    evening = started(PUNCTUAL, 0, bots=2)
    evening.open_tables()
    evening.when(ReplaceEntrant(ZERO, player="substitute"))
    evening.now = MINUTE
    assert due(evening.tournament, MINUTE) == () and next_deadline(evening.tournament) is None
    assert evening.when(CloseArrivals(1, 0)) == ()
