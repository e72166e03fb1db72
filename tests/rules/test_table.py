"""Before and around play: sitting down, leaving, starting, seeds, abandoning, voiding."""

from __future__ import annotations

import pytest

from domain.audit.commands import command_in
from domain.commands import (
    SERVICE,
    AbandonMatch,
    Actor,
    ActorKind,
    AddSeed,
    CallUno,
    Command,
    CreateMatch,
    DrawCard,
    JoinMatch,
    Leave,
    LeaveSeat,
    Return,
    SeatBot,
    StartMatch,
    VoidMatch,
)
from domain.deal import round_key
from domain.events import (
    AbandonReason,
    BotLevel,
    BotSeated,
    HostChanged,
    MatchAbandoned,
    MatchCreated,
    MatchVoided,
    PlayerJoined,
    PlayerLeft,
    RoundCommitted,
    RoundVoided,
    SeedAdded,
    SeedRevealed,
    Visibility,
    VoidReason,
)
from domain.limits import CLIENT_SEEDS_PER_ROUND
from domain.match import Occupant, Result, Status, new_match
from domain.options import Options
from domain.refusals import Refusal
from tests.spec import (
    ANN,
    BOB,
    CAT,
    Seat,
    created,
    deal,
    given,
    play,
    seated,
    started,
)

OPERATOR = Actor(ActorKind.OPERATOR)
APP = Actor(ActorKind.APP)


def create(player: str | None = "ANN", *bots: BotLevel) -> CreateMatch:
    return CreateMatch(Options(), 3, Visibility.PRIVATE, player, bots=bots)


# Sitting down.


def test_a_match_is_created_and_its_creator_sits_down() -> None:
    story = given(new_match(bytes(16))).when(SERVICE, create())
    kinds = [type(event) for event in story.events]
    assert kinds == [MatchCreated, PlayerJoined, RoundCommitted]
    story.then_match(status=Status.OPEN, seats_total=3, host=ANN, seats=(Occupant("ANN"),))
    assert len(story.match.commitments) == 1


def test_a_table_of_nobody_gets_its_host_with_the_first_person() -> None:
    story = given(new_match(bytes(16))).when(APP, create(None)).then_match(host=None, seats=())
    story.when(APP, SeatBot(BotLevel.RANDOM)).then_match(host=None)
    story.when(SERVICE, JoinMatch("BOB")).then_match(host=BOB)


def test_bots_sit_down_as_the_table_is_set_up() -> None:
    levels = BotLevel.STEADY, BotLevel.RANDOM
    story = given(new_match(bytes(16))).when(SERVICE, create("ANN", *levels))
    kinds = [type(event) for event in story.events]
    assert kinds == [MatchCreated, PlayerJoined, RoundCommitted, BotSeated, BotSeated]
    story.then_match(seats=(Occupant("ANN"), *(Occupant(bot=level) for level in levels)))


def test_no_more_bots_than_seats_sit_down() -> None:
    levels = (BotLevel.RANDOM,) * 3
    story = given(new_match(bytes(16)))
    story.when(SERVICE, create("ANN", *levels)).then_refused(Refusal.SEAT_MUST_BE_FREE)
    story.when(APP, create(None, *levels)).then_match(host=None, seats_total=3)


def test_a_tournaments_table_has_everybody_on_their_seat_from_the_beginning() -> None:
    seated = Occupant(bot=BotLevel.STEADY), Occupant("BOB"), Occupant("CAT")
    command = CreateMatch(Options(), 3, Visibility.PUBLIC, None, seated=seated)
    story = given(new_match(bytes(16))).when(SERVICE, command)
    kinds = [type(event) for event in story.events]
    assert kinds == [MatchCreated, BotSeated, PlayerJoined, PlayerJoined, RoundCommitted]
    story.then_match(status=Status.OPEN, host=BOB, seats=seated)
    assert command_in(new_match(bytes(16)), SERVICE, story.events) == command


def test_only_the_service_sets_a_tournaments_table() -> None:
    command = CreateMatch(Options(), 2, Visibility.PUBLIC, None, seated=(Occupant("BOB"),) * 2)
    given(new_match(bytes(16))).when(APP, command).then_refused(Refusal.OPERATOR_MUST_ASK)


def test_a_match_is_created_once() -> None:
    given(created(2)).when(SERVICE, create()).then_refused(Refusal.MATCH_MUST_BE_NEW)


def test_who_joins_takes_the_lowest_free_seat() -> None:
    story = given(created(3)).when(SERVICE, JoinMatch("BOB")).then(PlayerJoined(BOB, "BOB"))
    story.when(SERVICE, JoinMatch("CAT")).then(PlayerJoined(CAT, "CAT"))
    assert story.match.seat_of("CAT") == CAT


def test_joining_twice_changes_nothing() -> None:
    """Case 138: neither at the table nor after the start."""
    given(created(3)).when(SERVICE, JoinMatch("ANN")).then()
    given(started(3)).when(SERVICE, JoinMatch("ANN")).then()


def test_all_seats_taken() -> None:
    """SETUP-1, case 17."""
    story = given(seated(2))
    story.when(SERVICE, JoinMatch("CAT")).then_refused(Refusal.SEAT_MUST_BE_FREE)
    story.when(ANN, SeatBot(BotLevel.RANDOM)).then_refused(Refusal.SEAT_MUST_BE_FREE)


def test_seats_are_fixed_when_the_match_starts() -> None:
    """AWAY-6."""
    story = given(started(2))
    story.when(SERVICE, JoinMatch("CAT")).then_refused(Refusal.MATCH_MUST_BE_OPEN)
    story.when(ANN, SeatBot(BotLevel.RANDOM)).then_refused(Refusal.MATCH_MUST_BE_OPEN)
    story.when(ANN, LeaveSeat()).then_refused(Refusal.MATCH_MUST_BE_OPEN)


def test_nobody_comes_for_a_player_who_has_left() -> None:
    """AWAY-6: the seat stays empty."""
    story = given(started(3)).when(BOB, Leave())
    story.when(SERVICE, JoinMatch("DAN")).then_refused(Refusal.MATCH_MUST_BE_OPEN)
    story.when(ANN, SeatBot(BotLevel.RANDOM)).then_refused(Refusal.MATCH_MUST_BE_OPEN)


def test_the_host_seats_bots() -> None:
    story = given(created(3)).when(ANN, SeatBot(BotLevel.STEADY))
    story.then(BotSeated(BOB, BotLevel.STEADY)).when(SERVICE, JoinMatch("CAT"))
    story.when(CAT, SeatBot(BotLevel.STEADY)).then_refused(Refusal.HOST_MUST_ASK)


# Leaving before the start.


def test_seats_close_up_when_somebody_leaves() -> None:
    story = given(seated(3)).when(BOB, LeaveSeat()).then(PlayerLeft(BOB))
    assert story.match.seat_of("CAT") == BOB
    story.then_match(host=ANN).when(SERVICE, JoinMatch("DAN")).then(PlayerJoined(CAT, "DAN"))


def test_the_longest_present_becomes_host() -> None:
    """AWAY-7: the human on the lowest seat, bots aside."""
    story = given(created(4)).when(ANN, SeatBot(BotLevel.RANDOM)).when(SERVICE, JoinMatch("CAT"))
    story.when(ANN, LeaveSeat()).then(PlayerLeft(ANN), HostChanged(BOB))
    story.then_match(seats=(Occupant(bot=BotLevel.RANDOM), Occupant("CAT")), host=BOB)


def test_the_host_keeps_the_role_when_seats_close_up() -> None:
    """AWAY-7: the role goes with the person."""
    story = given(seated(3)).when(ANN, LeaveSeat()).then_match(host=ANN)
    assert story.match.seat_of("BOB") == ANN
    table = given(new_match(bytes(16))).when(APP, create(None)).when(APP, SeatBot(BotLevel.RANDOM))
    table.when(SERVICE, JoinMatch("BOB")).when(SERVICE, JoinMatch("CAT"))
    table.when(CAT, LeaveSeat()).then(PlayerLeft(CAT)).then_match(host=BOB)


def test_a_table_without_people_is_abandoned() -> None:
    """AWAY-3: bots alone do not start."""
    story = given(created(3)).when(ANN, SeatBot(BotLevel.RANDOM)).when(ANN, LeaveSeat())
    kinds = [type(event) for event in story.events]
    assert kinds == [PlayerLeft, SeedRevealed, MatchAbandoned]
    story.then_match(status=Status.ABANDONED)


def test_who_has_no_seat_leaves_none() -> None:
    given(created(3)).when(BOB, LeaveSeat()).then_refused(Refusal.SEAT_MUST_BE_YOURS)


# Starting.


def test_all_seats_must_be_taken() -> None:
    """SETUP-1."""
    given(created(2)).when(ANN, StartMatch()).then_refused(Refusal.SEATS_MUST_BE_TAKEN)


def test_only_the_host_starts() -> None:
    given(seated(2)).when(BOB, StartMatch()).then_refused(Refusal.HOST_MUST_ASK)
    given(seated(2)).when(APP, StartMatch()).then_match(status=Status.RUNNING)


def test_starting_twice_deals_once() -> None:
    """Case 141."""
    given(started(2)).when(ANN, StartMatch()).then()


@pytest.mark.parametrize("command", [DrawCard(), AbandonMatch(AbandonReason.IDLE)])
def test_nothing_is_played_before_the_start(command: Command) -> None:
    story = given(seated(2)).when(ANN, command)
    is_move = isinstance(command, DrawCard)
    story.then_refused(Refusal.MATCH_MUST_BE_RUNNING if is_move else Refusal.OPERATOR_MUST_ASK)


# The players' seeds.


def test_a_seed_is_mixed_into_the_coming_deal() -> None:
    """``client_seed`` is base64url without padding; the event carries hex."""
    story = given(seated(2)).when(BOB, AddSeed(1, "_-8")).then(SeedAdded(BOB, 1, "ffef"))
    story.when(ANN, StartMatch())
    round, match = story.match.round, story.match
    assert round is not None
    assert round.key == round_key(match.id, 1, match.secrets[1], (b"", b"\xff\xef"))
    story.then_match(round_seeds=(b"", b"\xff\xef"), client_seeds=(b"", b""))


def test_the_last_seed_of_a_seat_holds() -> None:
    story = given(seated(2)).when(BOB, AddSeed(1, "AAAA")).when(BOB, AddSeed(1, "AQ"))
    story.then_match(client_seeds=(b"", b"\x01"))


def test_a_seat_changes_its_seed_only_so_often() -> None:
    """LIMIT-1: or it could end the match alone. Each round anew, each seat for itself."""
    story = given(started(2))
    for _ in range(CLIENT_SEEDS_PER_ROUND):
        story.when(ANN, AddSeed(2, "AQ")).then(SeedAdded(ANN, 2, "01"))
    story.when(ANN, AddSeed(2, "AQ")).then_refused(Refusal.SEED_CHANGES_MUST_BE_FEW)
    story.when(BOB, AddSeed(2, "AQ")).then(SeedAdded(BOB, 2, "01"))


def test_seeds_of_the_next_round_are_taken_during_this_one() -> None:
    story = given(started(2)).when(ANN, AddSeed(2, "AQ")).then(SeedAdded(ANN, 2, "01"))
    story.when(ANN, AddSeed(1, "AQ")).then_refused(Refusal.SEED_MUST_BE_FOR_THE_COMING_ROUND)
    story.when(ANN, AddSeed(3, "AQ")).then_refused(Refusal.SEED_MUST_BE_FOR_THE_COMING_ROUND)


def test_a_leavers_seed_leaves_too() -> None:
    story = given(seated(3)).when(BOB, AddSeed(1, "AQ")).when(CAT, AddSeed(1, "Ag"))
    story.when(BOB, LeaveSeat()).then_match(client_seeds=(b"", b"\x02"))


@pytest.mark.parametrize("text", ["A" * 43, "", "AQ"])
def test_seeds_up_to_32_bytes(text: str) -> None:
    assert len(given(seated(2)).when(ANN, AddSeed(1, text)).events) == 1


@pytest.mark.parametrize("text", ["A" * 44, "A" * 46])
def test_a_seed_must_be_short(text: str) -> None:
    given(seated(2)).when(ANN, AddSeed(1, text)).then_refused(Refusal.SEED_MUST_BE_SHORT)


@pytest.mark.parametrize("text", ["A", "A" * 41])
def test_a_seed_must_stand_for_bytes(text: str) -> None:
    given(seated(2)).when(ANN, AddSeed(1, text)).then_refused(Refusal.SEED_MUST_BE_BASE64URL)


def test_only_seats_add_seeds() -> None:
    given(seated(2)).when(CAT, AddSeed(1, "AQ")).then_refused(Refusal.SEAT_MUST_BE_YOURS)


# Abandoned and void.


def test_an_idle_match_is_abandoned() -> None:
    """AWAY-9: the running round is void and everything is opened; no winner, no points."""
    story = given(started(2)).when(SERVICE, AbandonMatch(AbandonReason.IDLE))
    first, *seeds, last = story.events
    assert first == RoundVoided(1, VoidReason.ABANDONED)
    assert [type(event) for event in seeds] == [SeedRevealed, SeedRevealed]
    assert last == MatchAbandoned(AbandonReason.IDLE)
    story.then_match(status=Status.ABANDONED, scores=(0, 0), round=None)


def test_an_open_match_is_abandoned() -> None:
    """AWAY-9: there is no round to void."""
    story = given(seated(2)).when(SERVICE, AbandonMatch(AbandonReason.IDLE))
    assert [type(event) for event in story.events] == [SeedRevealed, MatchAbandoned]


def test_the_operator_voids_a_match() -> None:
    story = given(started(2)).when(OPERATOR, VoidMatch(VoidReason.OPERATOR))
    first, *seeds, last = story.events
    assert first == RoundVoided(1, VoidReason.OPERATOR)
    assert [type(event) for event in seeds] == [SeedRevealed, SeedRevealed]
    assert last == MatchVoided(VoidReason.OPERATOR)
    story.then_match(status=Status.VOIDED)


def test_the_operator_voids_an_open_match() -> None:
    story = given(seated(2)).when(OPERATOR, VoidMatch(VoidReason.FAULT))
    assert [type(event) for event in story.events] == [SeedRevealed, MatchVoided]
    story.then_match(status=Status.VOIDED)


def test_the_operator_voids_a_match_that_was_won() -> None:
    """What happened stays: only a fact follows it, and nobody is a winner any more."""
    story = given(deal(ANN="R1", BOB="B1", scores=(499, 0))).when(ANN, play("R1"))
    assert story.match.status is Status.FINISHED
    story = given(story.match).when(OPERATOR, VoidMatch(VoidReason.CHEATING))
    story.then(MatchVoided(VoidReason.CHEATING))
    story.then_match(status=Status.VOIDED, result=Result(reason=VoidReason.CHEATING))


def test_the_operator_voids_an_abandoned_match() -> None:
    story = given(started(2)).when(SERVICE, AbandonMatch(AbandonReason.IDLE))
    given(story.match).when(OPERATOR, VoidMatch(VoidReason.RESTORE)).then(
        MatchVoided(VoidReason.RESTORE)
    )


@pytest.mark.parametrize("command", [VoidMatch(VoidReason.OPERATOR), AbandonMatch("idle")])
def test_only_the_operator_ends_a_match(command: Command) -> None:
    given(started(2)).when(ANN, command).then_refused(Refusal.OPERATOR_MUST_ASK)


@pytest.mark.parametrize(
    ("who", "command", "refused"),
    [
        (ANN, DrawCard(), Refusal.MATCH_MUST_NOT_BE_OVER),
        (ANN, CallUno(), Refusal.MATCH_MUST_NOT_BE_OVER),
        (ANN, Leave(), Refusal.MATCH_MUST_NOT_BE_OVER),
        (ANN, Return(), Refusal.MATCH_MUST_NOT_BE_OVER),
        (ANN, LeaveSeat(), Refusal.MATCH_MUST_NOT_BE_OVER),
        (ANN, AddSeed(2, "AQ"), Refusal.MATCH_MUST_NOT_BE_OVER),
        (SERVICE, JoinMatch("EVE"), Refusal.MATCH_MUST_NOT_BE_OVER),
        (ANN, StartMatch(), Refusal.MATCH_MUST_NOT_BE_OVER),
        (SERVICE, AbandonMatch(AbandonReason.IDLE), Refusal.MATCH_MUST_NOT_BE_OVER),
        (OPERATOR, VoidMatch(VoidReason.OPERATOR), Refusal.MATCH_MUST_NOT_BE_OVER),
    ],
)
def test_nothing_happens_after_the_end(
    who: Seat | Actor, command: Command, refused: Refusal
) -> None:
    story = given(deal(ANN="R1", BOB="B1")).when(OPERATOR, VoidMatch(VoidReason.OPERATOR))
    story.when(who, command).then_refused(refused)
