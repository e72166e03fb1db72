"""Chapter 11: players who leave a running match."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from domain.cards import Card, Color
from domain.commands import (
    SERVICE,
    AcceptPenalty,
    AddSeed,
    CallUno,
    CatchUno,
    Challenge,
    ChooseColor,
    Command,
    CreateMatch,
    DrawCard,
    JoinMatch,
    Leave,
    PassTurn,
    SeatBot,
    StartMatch,
)
from domain.deal import shuffled
from domain.events import (
    AbandonReason,
    BotLevel,
    ChallengeResolved,
    DrawReason,
    EndReason,
    HandReturned,
    HostChanged,
    MatchAbandoned,
    MatchEnded,
    Pending,
    PlayerLeft,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    SeedRevealed,
    UnoCaught,
    Visibility,
    VoidReason,
)
from domain.match import Match, Status, new_match
from domain.notation import cards
from domain.options import Options
from domain.refusals import Refusal
from domain.scoring import places_from_the_top
from tests.spec import (
    ANN,
    BOB,
    CAT,
    DAN,
    GREEN,
    Seat,
    Story,
    deal,
    drew,
    given,
    play,
    seated,
    started_where,
)


def four(**more: object) -> Match:
    hands = {"ANN": "R1 R2", "BOB": "B1 B2", "CAT": "G1 G2 G3", "DAN": "Y1 Y2 Y3"}
    return deal(**{**hands, **more})  # type: ignore[arg-type]


# The hand and the turn.


def test_the_hand_goes_under_the_draw_pile() -> None:
    """AWAY-2, DECK-3, case 122: in random order; the 108 cards stay 108."""
    match = four(DAN="Y1 Y2 Y3 Y4 Y5 Y6")
    assert match.round is not None
    under = shuffled(cards("Y1 Y2 Y3 Y4 Y5 Y6"), match.round.key, 2)
    story = given(match).when(DAN, Leave())
    left, returned = story.events
    assert left == PlayerLeft(DAN, turn=ANN, pending=Pending.TURN)
    assert isinstance(returned, HandReturned)
    assert (returned.seat, returned.number, returned.count) == (DAN, 2, 6)
    assert story.match.round is not None
    assert story.match.round.pile[-6:] == under
    story.then_table(DAN="", order=(ANN, BOB, CAT), shuffles=3)


def test_a_drawn_card_goes_too() -> None:
    """AWAY-2: and the next player starts with a turn of their own."""
    story = given(four(pile="G9")).when(ANN, DrawCard()).when(ANN, Leave())
    story.then_table(ANN="", turn=BOB, has_drawn=False, drawn_card=None)
    story.when(BOB, DrawCard()).when(BOB, PassTurn()).then_table(turn=CAT)


@pytest.mark.parametrize(("direction", "then"), [(1, CAT), (-1, ANN)])
def test_if_it_was_their_turn_the_next_one_moves(direction: int, then: Seat) -> None:
    """AWAY-2: in the present direction."""
    story = given(four(turn=BOB, direction=direction)).when(BOB, Leave())
    story.then_table(turn=then, pending=Pending.TURN, direction=direction)


@pytest.mark.parametrize("leaver", [ANN, BOB, DAN])
def test_if_it_was_not_the_turn_stays(leaver: Seat) -> None:
    """AWAY-2, case 123: and who is to move may have drawn."""
    story = given(four(turn=CAT)).when(CAT, DrawCard()).when(leaver, Leave())
    story.then_table(turn=CAT, has_drawn=True, direction=1)


def test_the_seat_is_passed_over() -> None:
    """AWAY-2, SKIP-1: a Skip now skips the next one who is still in."""
    story = given(four(ANN="RS R2 R3", top="R5")).when(BOB, Leave())
    story.when(ANN, play("RS")).then_table(turn=DAN)


def test_with_two_left_a_skip_lets_its_author_play_again() -> None:
    """AWAY-2, SKIP-2, REV-2: what counts are the players still in."""
    for card in ("RS", "RR"):
        story = given(deal(ANN=f"{card} R2 R3", BOB="B1", CAT="G1", top="R5")).when(BOB, Leave())
        story.when(ANN, play(card)).then_table(turn=ANN)


@pytest.mark.parametrize(
    "command", [DrawCard(), play("R1"), CallUno(), CatchUno(BOB), Leave(), AddSeed(2, "AQ")]
)
def test_who_has_left_does_nothing_more(command: Command) -> None:
    """AWAY-2, UNO-9, case 95: not even catch."""
    given(four()).when(ANN, Leave()).when(ANN, command).then_refused(Refusal.SEAT_MUST_BE_IN_PLAY)


def test_a_stranger_leaves_nothing() -> None:
    given(four()).when(Seat(7), Leave()).then_refused(Refusal.SEAT_MUST_BE_YOURS)


def test_leaving_names_who_left() -> None:
    """AWAY-2, case 131: and the match goes on with two or more."""
    story = given(four()).when(CAT, Leave())
    event = story.the(PlayerLeft)
    assert event == PlayerLeft(CAT, turn=ANN, pending=Pending.TURN)
    story.then_match(status=Status.RUNNING, left=(CAT,), still_in=(ANN, BOB, DAN))


def test_leaving_before_the_start_gives_up_the_seat() -> None:
    """AWAY-7: the same word, and seats close up."""
    given(seated(3)).when(ANN, Leave()).then(PlayerLeft(ANN), HostChanged(ANN))


def test_nobody_leaves_a_match_that_is_over() -> None:
    story = given(deal(ANN="R1", BOB="B1")).when(ANN, Leave())
    story.when(BOB, Leave()).then_refused(Refusal.MATCH_MUST_NOT_BE_OVER)


# Points and rounds.


def test_a_leavers_cards_score_for_nobody() -> None:
    """AWAY-2, case 122: and the total stays on the board."""
    match = four(ANN="R1", CAT="W W4 G3", top="R5", scores=(0, 0, 70, 0))
    story = given(match).when(CAT, Leave()).when(ANN, play("R1"))
    story.then_match(scores=(3 + 6, 0, 70, 0))


def test_a_leaver_is_dealt_no_more_cards() -> None:
    """AWAY-2: the next round is dealt to those still in."""
    story = given(four(ANN="R1", top="R5")).when(CAT, Leave()).when(ANN, play("R1"))
    dealt = story.the(RoundStarted)
    assert isinstance(dealt, RoundStarted)
    assert dealt.order == (ANN, BOB, DAN)
    assert story.match.round is not None
    assert story.match.round.hands[CAT] == ()
    assert {len(hand) for hand in story.match.round.hands} <= {0, 7, 9}


def test_a_leavers_total_wins_nothing() -> None:
    """AWAY-2, SCORE-1: at the limit of events it counts for nobody, however high."""
    match = replace(four(scores=(10, 20, 400, 30)), left=(CAT,))
    assert places_from_the_top(match) == (3, 2, 4, 1)


def test_leavers_rank_below_in_the_order_of_leaving() -> None:
    """AWAY-2: the later, the better."""
    match = replace(four(scores=(10, 20, 400, 30)), left=(CAT, DAN))
    assert places_from_the_top(match) == (2, 1, 4, 3)


def test_the_dealers_leaving_moves_the_deal_on() -> None:
    """AWAY-7, SETUP-4: DAN dealt; ANN would be next and has left: BOB deals."""
    story = given(four(BOB="R1", top="R5", turn=BOB)).when(DAN, Leave()).when(ANN, Leave())
    story.when(BOB, play("R1")).then_match(dealer=BOB)


def test_cards_that_can_be_drawn_start_the_row_of_passes_anew() -> None:
    """PILE-5: a leaver's."""
    match = deal(ANN="Y1 Y2", BOB="Y5", CAT="Y6", DAN="Y7", top="B3", rest=False)
    story = given(match).when(ANN, PassTurn()).when(BOB, PassTurn()).then_table(passes=2)
    story.when(DAN, Leave()).then_table(passes=0, drawable=1)
    story.when(CAT, DrawCard()).then_table(CAT="Y6 Y7")


# The last one, the host, and bots.


def test_the_one_who_remains_wins_by_forfeit() -> None:
    """AWAY-3, case 104, case 126: without points for the hands."""
    story = given(deal(ANN="B6 B8 R7 RR W4 YS", BOB="B1 G8", scores=(40, 30)))
    story.when(ANN, Leave())
    left, voided, *seeds, ended = story.events
    assert left == PlayerLeft(ANN, turn=BOB, pending=Pending.TURN)
    assert voided == RoundVoided(1, VoidReason.FORFEIT)
    assert [type(event) for event in seeds] == [SeedRevealed, SeedRevealed]
    assert ended == MatchEnded(EndReason.FORFEIT, (BOB,), scores=(40, 30), places=(2, 1))


def test_down_to_one_in_two_steps() -> None:
    """AWAY-3, case 126: who left last is second."""
    story = given(deal(ANN="R1", BOB="B1", CAT="G1")).when(BOB, Leave()).when(CAT, Leave())
    ended = story.the(MatchEnded)
    assert isinstance(ended, MatchEnded)
    assert (ended.winners, ended.places) == ((ANN,), (1, 3, 2))


def with_bots() -> Story:
    """ANN and BOB with a bot."""
    story = given(new_match(bytes(16)))
    story.when(SERVICE, CreateMatch(Options(), 3, Visibility.PUBLIC, "ANN"))
    story.when(ANN, SeatBot(BotLevel.RANDOM)).when(SERVICE, JoinMatch("CAT"))
    return story.when(ANN, StartMatch())


def test_bots_alone_do_not_go_on() -> None:
    """AWAY-3: the match is abandoned."""
    story = with_bots().when(ANN, Leave()).then_match(status=Status.RUNNING, host=CAT)
    story.when(CAT, Leave())
    assert story.events[1] == RoundVoided(1, VoidReason.ABANDONED)
    assert story.events[-1] == MatchAbandoned(AbandonReason.EMPTY)


def test_the_hosts_role_passes_to_the_human_longest_present() -> None:
    """AWAY-7: bots aside."""
    story = with_bots().when(ANN, Leave())
    assert story.events[-1] == HostChanged(CAT)
    given(four()).when(BOB, Leave()).then_match(host=ANN)


# What was due.


def test_a_first_player_who_must_name_the_color_leaves() -> None:
    """AWAY-5, FIRST-4, case 129: the next player is first and names it."""

    def opens_wild(match: Match) -> bool:
        return match.round is not None and match.round.pending is Pending.COLOR

    match = started_where(opens_wild, 3)
    assert match.round is not None
    first = match.round.turn
    second = Seat((first + 1) % 3)
    story = given(match).when(first, Leave())
    story.then_table(turn=second, pending=Pending.COLOR, color=None)
    story.when(second, ChooseColor(Color.BLUE)).then_table(turn=second, pending=Pending.TURN)


def facing(hand: str = "W4 B1 B2", **more: object) -> Story:
    """ANN has laid a wild draw four on red, naming green; BOB is to answer."""
    match = four(**{"ANN": hand, "top": "R7", **more})
    return given(match).when(ANN, play("W4", GREEN))


def test_the_target_leaves() -> None:
    """AWAY-4: penalty and challenge lapse, the next player plays."""
    story = facing().when(BOB, Leave())
    story.then_table(turn=CAT, pending=Pending.TURN, penalty=None, CAT="G1 G2 G3", color=GREEN)
    story.when(CAT, Challenge()).then_refused(Refusal.PENALTY_MUST_BE_PENDING)


def test_the_target_of_a_last_card_leaves() -> None:
    """AWAY-4, END-2: the round is scored at once, without the target's cards."""
    story = facing("W4").when(BOB, Leave())
    left = story.events[0]
    assert left == PlayerLeft(BOB, turn=CAT, pending=Pending.NONE)
    ended = story.the(RoundEnded)
    assert isinstance(ended, RoundEnded)
    assert (ended.winner, ended.gains) == (ANN, (12, 0, 0, 0))


def test_somebody_else_leaves_and_the_choice_stays() -> None:
    """AWAY-7, case 123: it is still the target's."""
    story = facing().when(CAT, Leave()).then_table(turn=BOB, pending=Pending.PENALTY)
    story.when(BOB, AcceptPenalty()).then_table(turn=DAN)


@pytest.mark.parametrize(("hand", "guilty"), [("W4 B1 B2", False), ("W4 R1 B2", True)])
def test_the_author_leaves_and_is_judged_all_the_same(hand: str, guilty: bool) -> None:
    """AWAY-4, case 128: on the stored hand; guilty, nobody draws and the target plays."""
    story = facing(hand).when(ANN, Leave()).then_table(turn=BOB, pending=Pending.PENALTY)
    story.when(BOB, Challenge())
    verdict = ChallengeResolved(BOB, author=ANN, guilty=guilty, turn=BOB if guilty else CAT)
    if guilty:
        story.then(verdict).then_table(turn=BOB, ANN="")
    else:
        story.then(verdict, drew(BOB, 6, DrawReason.CHALLENGE, turn=CAT))


def test_the_author_leaves_and_the_target_accepts() -> None:
    """AWAY-4."""
    story = facing().when(ANN, Leave()).when(BOB, AcceptPenalty())
    assert story.events[-1] == drew(BOB, 4, DrawReason.WILD_DRAW_FOUR, turn=CAT)


def test_the_author_of_a_last_card_leaves() -> None:
    """AWAY-4: the round is scored for the author, who cannot win: play goes on."""
    story = facing("W4", scores=(495, 0, 0, 0)).when(ANN, Leave())
    story.then_first(PlayerLeft(ANN, turn=BOB, pending=Pending.PENALTY), HostChanged(BOB))
    story.when(BOB, AcceptPenalty())
    ended = story.the(RoundEnded)
    assert isinstance(ended, RoundEnded)
    assert ended.winner == ANN
    assert ended.scores[ANN] > 500
    story.then_match(status=Status.RUNNING, rounds=2)
    story.then_table(order=(BOB, CAT, DAN))


def test_author_and_target_of_a_last_card_leave() -> None:
    """AWAY-4: scored at once, for the author."""
    story = facing("W4").when(ANN, Leave()).when(BOB, Leave())
    ended = story.the(RoundEnded)
    assert isinstance(ended, RoundEnded)
    assert (ended.winner, ended.gains) == (ANN, (12, 0, 0, 0))


# UNO.


def silent() -> Story:
    """ANN has laid her second-to-last card without a word; BOB is to move."""
    return given(four(ANN="R1 B9", top="R5")).when(ANN, play("R1")).then_table(uno_owed=ANN)


def test_an_uno_owed_by_the_leaver_lapses() -> None:
    """AWAY-7."""
    story = silent().when(ANN, Leave()).then_table(uno_owed=None)
    story.when(CAT, CatchUno(ANN)).then_refused(Refusal.CATCH_MUST_BE_IN_TIME)


def test_if_the_next_player_leaves_the_window_stays_open() -> None:
    """AWAY-7, UNO-4: leaving begins no turn."""
    story = silent().when(BOB, Leave()).then_table(uno_owed=ANN, turn=CAT)
    story.when(DAN, CatchUno(ANN)).then_first(UnoCaught(ANN, by=DAN))


def test_an_announcement_leaves_with_its_player() -> None:
    """AWAY-7."""
    story = given(four(ANN="R1", said=(ANN,))).when(ANN, Leave())
    story.then_table(uno_said=frozenset())


def test_one_after_the_other_leaves() -> None:
    """AWAY-2, AWAY-3, DECK-3: all their cards are in the pile, until one player remains."""
    story = given(four(top="R5")).when(CAT, Leave()).when(ANN, DrawCard()).when(ANN, Leave())
    assert story.match.round is not None
    left = Counter(story.match.round.pile[story.match.round.drawn :])
    assert left[Card.G1] == left[Card.R1] == 2
    story.when(DAN, Leave()).then_match(status=Status.FINISHED, left=(CAT, ANN, DAN))
