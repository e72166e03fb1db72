"""What of a match is told, and to whom: facts in, notices out."""

from __future__ import annotations

from domain.cards import Card, Color
from domain.codec import encode, type_of
from domain.events import (
    AbandonReason,
    BotLevel,
    BotSeated,
    CardPlayed,
    CardsDrawn,
    ChallengeResolved,
    DrawReason,
    EndReason,
    Event,
    LeaveReason,
    MatchAbandoned,
    MatchEnded,
    MatchStarted,
    Pending,
    PlayerJoined,
    PlayerLeft,
    PlayerReturned,
    RoundEnded,
    RoundStarted,
    Seat,
    TurnPassed,
    UnoCaught,
)
from domain.notices import Notice, Table, notices_of
from domain.ports import Recorded
from domain.tournaments.events import (
    BotEntered,
    EntrantJoined,
    EntrantLeft,
    EntrantReplaced,
    TableOpened,
    TournamentCanceled,
    TournamentFinished,
    TournamentStarted,
)
from domain.tournaments.terms import CancelReason, Entrant
from infra.encoding import restored

ANN, BOB, CAT = Seat(0), Seat(1), Seat(2)


class Story:
    """A match that goes on, command by command."""

    def __init__(self) -> None:
        self.table = Table()

    def does(self, *events: Event) -> list[tuple[str, list[int]]]:
        """Types of the notices of one command, and the seats they concern."""
        return [(one.type.value, [seat for seat, _ in one.persons]) for one in self.told(*events)]

    def told(self, *events: Event) -> tuple[Notice, ...]:
        version = self.table.version
        command = [recorded(event, version + step) for step, event in enumerate(events, 1)]
        self.table, notices = notices_of(self.table, command)
        return notices


def recorded(event: Event, version: int) -> Recorded:
    data = encode(event)
    row = (1_700_000_000_000_000, "system", None, None, data, b"")
    return restored(b"m" * 16, version, 100 + version, type_of(event), 1, *row)


def joined() -> Story:
    story = Story()
    assert story.does(PlayerJoined(ANN, "ann")) == []
    assert story.does(PlayerJoined(BOB, "bob"), BotSeated(CAT, BotLevel.STEADY)) == []
    return story


def dealt(turn: Seat, round: int = 1) -> RoundStarted:
    order = (ANN, BOB, CAT)
    faces = (Card.R5, 0, 87, Color.RED)
    return RoundStarted(round, ANN, order, 7, *faces, 1, turn, Pending.TURN, 1, "digest")


def played(seat: Seat, turn: Seat, pending: Pending = Pending.TURN) -> CardPlayed:
    return CardPlayed(seat, Card.R6, Color.RED, 1, turn, pending)


def begun(turn: Seat = ANN) -> Story:
    story = joined()
    story.does(MatchStarted(), dealt(turn))
    return story


def test_the_start_is_told_to_all_and_the_turn_to_whose_it_is() -> None:
    assert joined().does(MatchStarted(), dealt(BOB)) == [
        ("match_started", [0, 1]),
        ("your_turn", [1]),
    ]


def test_a_turn_is_told_when_it_comes_and_not_while_it_lasts() -> None:
    story = begun(ANN)

    assert story.does(played(ANN, BOB)) == [("your_turn", [1])]
    assert story.does(UnoCaught(ANN, BOB), drawn(ANN, BOB, DrawReason.UNO)) == []
    assert story.does(drawn(BOB, BOB)) == []
    assert story.does(TurnPassed(BOB, True, CAT)) == []
    assert story.does(played(CAT, ANN)) == [("your_turn", [0])]


def drawn(seat: Seat, turn: Seat, reason: DrawReason = DrawReason.TURN) -> CardsDrawn:
    return CardsDrawn(seat, reason, 1, 1, turn, Pending.TURN)


def test_a_turn_that_a_command_only_passes_through_is_not_told() -> None:
    """A draw two names its victim first, and then who comes after the draw."""
    story = begun(ANN)

    assert story.does(played(ANN, BOB), drawn(BOB, CAT), drawn(CAT, ANN)) == []


def test_the_notice_says_what_the_match_waits_for() -> None:
    (notice,) = begun(ANN).told(played(ANN, BOB, Pending.PENALTY))

    assert notice.event == b'{"type":"your_turn","seat":1,"pending":"penalty"}'
    assert notice.persons == ((1, "bob"),)


def test_who_challenges_and_goes_on_is_not_called_again() -> None:
    story = begun(ANN)
    assert story.does(played(ANN, BOB, Pending.PENALTY)) == [("your_turn", [1])]

    assert story.does(ChallengeResolved(BOB, ANN, True, BOB)) == []


def test_no_bot_is_called() -> None:
    story = begun(ANN)

    assert story.does(played(ANN, CAT)) == []
    assert story.does(PlayerLeft(BOB, LeaveReason.LEFT, CAT, Pending.TURN, BotLevel.STEADY)) == []
    assert story.does(played(CAT, BOB)) == []
    assert story.does(PlayerReturned(BOB)) == [("your_turn", [1])]


def test_a_new_round_calls_anew() -> None:
    story = begun(ANN)
    assert story.does(played(ANN, BOB)) == [("your_turn", [1])]

    ended = RoundEnded(1, BOB, (0, 9, 0), (0, 9, 0))
    assert story.does(played(BOB, CAT, Pending.NONE), ended, dealt(BOB, 2)) == [
        ("round_ended", [0, 1]),
        ("your_turn", [1]),
    ]


def test_the_end_is_told_and_nobody_is_called() -> None:
    ended = MatchEnded(EndReason.TARGET, (ANN,), (9, 0, 0), (1, 2, 2))

    assert begun(ANN).does(ended) == [("match_ended", [0, 1])]
    assert joined().does(MatchAbandoned(AbandonReason.IDLE)) == [("match_abandoned", [0, 1])]


def test_seats_move_down_before_the_start_and_stay_later() -> None:
    story = joined()
    story.does(PlayerLeft(ANN))
    story.does(PlayerJoined(CAT, "dan"))

    assert story.table.seats == ("bob", None, "dan")
    story.does(MatchStarted(), dealt(ANN))
    assert story.does(PlayerLeft(ANN, LeaveReason.LEFT, CAT, Pending.TURN)) == [("your_turn", [2])]
    assert story.table.seats == ("bob", None, "dan")


def test_what_is_told_is_the_stored_event() -> None:
    (notice, *_) = joined().told(MatchStarted(), dealt(BOB))

    assert (notice.event, notice.at.version) == (b'{"type":"match_started"}', 4)


def test_an_event_of_a_later_release_stops_nothing() -> None:
    story = begun(ANN)
    row = (0, "system", None, None, b'{"type":"comet_seen"}', b"")
    unknown = restored(b"m" * 16, 6, 106, "comet_seen", 1, *row)

    story.table, notices = notices_of(story.table, [unknown])

    assert (notices, story.table.version) == ((), 6)
    assert story.does(played(ANN, BOB)) == [("your_turn", [1])]


class Cup(Story):
    """A tournament that goes on, command by command."""


def entered(number: int, player: str) -> EntrantJoined:
    return EntrantJoined(Entrant(number), player)


def test_of_a_tournament_its_start_its_tables_and_its_end_are_told() -> None:
    cup = Cup()
    assert cup.does(entered(0, "a"), BotEntered(Entrant(1), BotLevel.STEADY)) == []
    assert cup.does(entered(2, "c"), entered(3, "d")) == []

    started = cup.does(TournamentStarted((Entrant(0), Entrant(1), Entrant(2), Entrant(3))))
    opened = cup.does(
        TableOpened(1, 0, "00" * 16, (Entrant(3), Entrant(1)), (None, BotLevel.STEADY))
    )
    ended = cup.does(TournamentFinished((Entrant(3),), (2, 3, 3, 1), (1, 0, 0, 2)))

    assert started == [("tournament_started", [0, 2, 3])]
    assert opened == [("table_opened", [3])]
    assert ended == [("tournament_finished", [0, 2, 3])]


def test_who_left_before_the_start_is_told_no_more_and_a_substitute_is() -> None:
    cup = Cup()
    cup.does(entered(0, "a"), entered(1, "b"), EntrantLeft(Entrant(1)), entered(2, "c"))
    assert cup.does(TournamentStarted((Entrant(0), Entrant(2)))) == [("tournament_started", [0, 2])]

    cup.does(EntrantReplaced(Entrant(2), bot=BotLevel.RANDOM))

    assert cup.does(TournamentCanceled(CancelReason.OPERATOR)) == [("tournament_canceled", [0])]
