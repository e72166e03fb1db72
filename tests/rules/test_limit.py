"""LIMIT-1: every match ends."""

from __future__ import annotations

from msgspec.structs import replace

from domain.commands import (
    SERVICE,
    AddSeed,
    DrawCard,
    JoinMatch,
    LeaveSeat,
    PassTurn,
)
from domain.events import (
    AbandonReason,
    CardsDrawn,
    EndReason,
    MatchAbandoned,
    MatchEnded,
    RoundVoided,
    SeedRevealed,
    VoidReason,
)
from domain.legal import legal_commands
from domain.limits import CLIENT_SEEDS_PER_ROUND, EVENTS_PER_MATCH, SEATINGS_PER_PLAYER
from domain.match import Status
from domain.refusals import Refusal
from tests.spec import ANN, BOB, CAT, Story, created, deal, given, play, seated


def test_at_the_limit_the_round_is_void_and_totals_decide() -> None:
    """LIMIT-1: ties are shared."""
    table = deal(ANN="R1 R2", BOB="B1", CAT="B2", scores=(30, 60, 60))
    story = given(replace(table, version=EVENTS_PER_MATCH - 68)).when(ANN, DrawCard())
    drawn, voided, *seeds, ended = story.events
    assert isinstance(drawn, CardsDrawn)
    assert voided == RoundVoided(1, VoidReason.EVENT_LIMIT)
    assert [type(event) for event in seeds] == [SeedRevealed, SeedRevealed]
    assert ended == MatchEnded(
        EndReason.EVENT_LIMIT, winners=(BOB, CAT), scores=(30, 60, 60), places=(3, 1, 1)
    )
    story.then_match(status=Status.FINISHED, round=None)


def test_as_long_as_there_is_room_play_goes_on() -> None:
    """LIMIT-1."""
    table = deal(ANN="R1 R2", BOB="B1", CAT="B2")
    story = given(replace(table, version=EVENTS_PER_MATCH - 69)).when(ANN, DrawCard())
    story.then_match(status=Status.RUNNING)


def test_a_round_that_ends_at_the_limit_counts() -> None:
    """LIMIT-1: only the one dealt after it is void; its seed and the coming one are opened."""
    table = deal(ANN="R1", BOB="B1", top="R5", scores=(30, 60))
    story = given(replace(table, version=EVENTS_PER_MATCH - 70)).when(ANN, play("R1"))
    story.then_match(scores=(31, 60), status=Status.FINISHED)
    assert RoundVoided(2, VoidReason.EVENT_LIMIT) in story.events
    assert [e.round for e in story.events if isinstance(e, SeedRevealed)] == [1, 2, 3]


def test_a_match_of_draws_and_passes_ends() -> None:
    """LIMIT-1: at no more than 5,000 events."""
    story: Story = given(deal(ANN="R1 R2", BOB="B1", CAT="B2", top="R5"))
    while not story.match.is_over:
        assert story.match.round is not None
        seat = story.match.round.turn
        legal = legal_commands(story.match, seat)
        quiet = [command for command in legal if isinstance(command, DrawCard | PassTurn)]
        story.when(seat, (quiet or legal)[0])
    assert EVENTS_PER_MATCH - 100 < story.match.version <= EVENTS_PER_MATCH


def test_who_comes_and_goes_cannot_use_up_an_open_table() -> None:
    """LIMIT-1: nobody sits down for ever."""
    story = given(created(3))
    for _ in range(SEATINGS_PER_PLAYER):
        story.when(SERVICE, JoinMatch("BOB")).when(BOB, LeaveSeat())
    story.when(SERVICE, JoinMatch("BOB")).then_refused(Refusal.SEATINGS_MUST_BE_FEW)
    story.when(SERVICE, JoinMatch("CAT")).then_match(status=Status.OPEN)


def test_who_comes_back_has_added_as_many_seeds_as_before() -> None:
    """LIMIT-1: getting up does not make room for more changes of the deal."""
    story = given(seated(2))
    for _ in range(CLIENT_SEEDS_PER_ROUND - 1):
        story.when(BOB, AddSeed(1, "AQ"))
    story.when(BOB, LeaveSeat()).when(SERVICE, JoinMatch("BOB"))
    story.when(BOB, AddSeed(1, "Ag"))
    story.when(BOB, AddSeed(1, "Aw")).then_refused(Refusal.SEED_CHANGES_MUST_BE_FEW)


def test_a_table_that_never_starts_ends_too() -> None:
    """LIMIT-1: it is abandoned, for there are no totals."""
    match = replace(created(3), version=EVENTS_PER_MATCH - 67)
    story = given(match).when(SERVICE, JoinMatch("BOB"))
    assert story.events[-1] == MatchAbandoned(AbandonReason.EVENT_LIMIT)
    story = given(replace(seated(3), version=EVENTS_PER_MATCH - 66)).when(BOB, LeaveSeat())
    story.then_match(status=Status.ABANDONED)
