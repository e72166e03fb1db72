"""Chapters 8, 9 and 12: counting by the lowest, partners, elimination, starting hands."""

from __future__ import annotations

import pytest
from msgspec import ValidationError, convert
from msgspec.structs import replace

from domain.commands import AcceptPenalty, AddSeed, Challenge, DrawCard, Leave, PassTurn
from domain.elimination import places_by_elimination
from domain.events import (
    EndReason,
    MatchEnded,
    PlayerEliminated,
    RoundBlocked,
    RoundEnded,
    RoundStarted,
    Seat,
)
from domain.match import Match
from domain.options import Form, Options, Scoring
from domain.partners import order_of_pairings
from domain.refusals import Refusal
from tests.spec import (
    ANN,
    BOB,
    CAT,
    DAN,
    GREEN,
    Story,
    deal,
    given,
    play,
    started,
    started_where,
)

LOWEST = Options(scoring=Scoring.LOWEST)
TEAMS = Options(form=Form.TEAMS)
ROTATING = Options(form=Form.ROTATING_PARTNERS, rounds_per_pairing=1)
ELIMINATION = Options(form=Form.ELIMINATION)


def ann_goes_out(options: Options, scores: tuple[int, ...], **hands: str) -> Story:
    """ANN lays her last card; the others hold these hands, totals stood at ``scores``."""
    table = deal(top="R1", ANN="R5", scores=scores, options=options, said=(ANN,), **hands)
    return given(table).when(ANN, play("R5"))


def ended(story: Story) -> MatchEnded:
    end = story.the(MatchEnded)
    assert isinstance(end, MatchEnded)
    return end


def counted(story: Story) -> RoundEnded:
    end = story.the(RoundEnded)
    assert isinstance(end, RoundEnded)
    return end


def next_round(story: Story) -> RoundStarted:
    start = story.the(RoundStarted)
    assert isinstance(start, RoundStarted)
    return start


# Lowest.


def test_lowest_everybody_adds_the_own_hand() -> None:
    """SCORE-2."""
    story = ann_goes_out(LOWEST, (10, 20, 30), BOB="R7 W", CAT="G3 BS")
    assert counted(story) == RoundEnded(1, ANN, gains=(0, 57, 23), scores=(10, 77, 53))
    assert next_round(story).round == 2


def test_case_111_lowest_two_pass_the_target_and_the_lowest_wins() -> None:
    story = ann_goes_out(LOWEST, (400, 490, 495), BOB="BS R8 B2", CAT="W R9 R1")
    end = ended(story)
    assert (end.scores, end.winners, end.places) == ((400, 520, 555), (ANN,), (1, 2, 3))


def test_case_110_lowest_a_tie_for_lowest_plays_on() -> None:
    """SCORE-3."""
    story = ann_goes_out(LOWEST, (320, 480, 300), BOB="YS GS", CAT="GR")
    assert counted(story).scores == (320, 520, 320)
    assert next_round(story).order == (ANN, BOB, CAT)


def test_lowest_exactly_the_target_ends_it() -> None:
    assert ended(ann_goes_out(LOWEST, (0, 480), BOB="YS")).winners == (ANN,)


def test_lowest_a_leavers_total_neither_ends_wins_nor_ties() -> None:
    """SCORE-2, AWAY-2."""
    table = deal(
        top="R1", ANN="R5", BOB="W", CAT="R9", DAN="G1", scores=(100, 470, 499, 100),
        said=(ANN,), options=LOWEST,
    )  # fmt: skip
    story = given(table).when(DAN, Leave()).when(CAT, Leave()).when(ANN, play("R5"))
    end = ended(story)
    assert (end.scores, end.winners) == ((100, 520, 499, 100), (ANN,))
    assert end.places == (1, 2, 3, 4)


# Teams.


def test_case_117_teams_the_partners_hand_does_not_count() -> None:
    """TEAM-1."""
    story = ann_goes_out(TEAMS, (10, 20, 10, 20), BOB="R7 GS", CAT="B9 YD", DAN="W")
    assert counted(story).gains == (77, 0, 77, 0)
    assert counted(story).scores == (87, 20, 87, 20)


def test_teams_a_team_that_reaches_the_target_wins_and_shares_its_place() -> None:
    end = ended(ann_goes_out(TEAMS, (430, 0, 430, 0), BOB="R7 GS", CAT="B9 YD", DAN="W"))
    assert (end.winners, end.places) == ((ANN, CAT), (1, 3, 1, 3))


@pytest.mark.parametrize(("leaver", "winners"), [(ANN, (BOB, DAN)), (DAN, (ANN, CAT))])
def test_teams_a_leaver_forfeits_for_the_team(leaver: Seat, winners: tuple[Seat, ...]) -> None:
    table = deal(ANN="R5", BOB="W", CAT="R9", DAN="G1", scores=(90, 10, 90, 10), options=TEAMS)
    end = ended(given(table).when(leaver, Leave()))
    assert (end.reason, end.winners) == (EndReason.FORFEIT, winners)


def test_teams_the_last_card_of_either_partner_ends_the_round() -> None:
    table = deal(
        top="R1", turn=CAT, ANN="Y9", BOB="R7", CAT="R3", DAN="B2", options=TEAMS, said=(CAT,)
    )
    assert counted(given(table).when(CAT, play("R3"))).gains == (9, 0, 9, 0)


# Rotating partners.


def rounds(options: Options) -> list[tuple[Seat, ...]]:
    """The orders of all the rounds of a match."""
    match = started(4, options=options)
    count = 3 * options.rounds_per_pairing * options.cycles
    return [order_of_pairings(replace(match, rounds=number)) for number in range(count)]


def test_rotating_each_pairing_plays_its_rounds_in_turn() -> None:
    """ROT-1: partners sit opposite."""
    options = replace(ROTATING, rounds_per_pairing=2, cycles=2)
    one, two, three = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
    assert rounds(options) == [one, one, two, two, three, three] * 2
    partners = {frozenset((order[0], order[2])) for order in (one, two, three)}
    assert partners == {frozenset((0, other)) for other in (1, 2, 3)}


def test_rotating_left_means_the_order_and_the_deal_goes_on_from_the_last_dealer() -> None:
    table = deal(ANN="R4", BOB="R7", CAT="B9", DAN="W", options=ROTATING, said=(ANN,))
    start = next_round(given(table).when(ANN, play("R4")))  # DAN, seat 3, has dealt.
    assert (start.order, start.dealer) == ((ANN, CAT, BOB, DAN), ANN)
    start = next_round(given(replace(table, dealer=ANN)).when(ANN, play("R4")))
    assert start.dealer == CAT


def test_rotating_each_scores_what_the_team_of_the_moment_scores() -> None:
    table = deal(ANN="R4", BOB="R7", CAT="B9", DAN="W", options=ROTATING, said=(ANN,))
    assert table.round is not None
    second = replace(table, round=replace(table.round, order=(ANN, CAT, BOB, DAN)))
    story = given(second).when(ANN, play("R4"))
    assert counted(story).gains == (59, 59, 0, 0)


def last_round(scores: tuple[int, ...] = (10, 200, 60, 0)) -> Match:
    table = deal(
        ANN="R4", BOB="R7", CAT="B9", DAN="W", options=ROTATING, scores=scores, said=(ANN,)
    )
    assert table.round is not None
    return replace(table, rounds=3, round=replace(table.round, number=3))


def test_rotating_the_highest_total_wins_after_the_last_round_whatever_the_target() -> None:
    end = ended(given(last_round()).when(ANN, play("R4")))
    assert (end.reason, end.scores) == (EndReason.ROUNDS, (67, 200, 117, 0))
    assert (end.winners, end.places) == ((BOB,), (3, 1, 2, 4))


def test_rotating_ties_for_highest_share() -> None:
    end = ended(given(last_round((10, 67, 0, 0))).when(ANN, play("R4")))
    assert (end.winners, end.places) == ((ANN, BOB), (1, 1, 3, 4))


def test_rotating_a_blocked_round_counts_as_one_of_the_number() -> None:
    table = deal(top="R1", rest=False, options=ROTATING, ANN="B2", BOB="B3", CAT="B4", DAN="B5")
    story = given(replace(table, rounds=3))
    for seat in (ANN, BOB, CAT, DAN):
        story.when(seat, PassTurn())
    assert story.the(RoundBlocked)
    assert ended(story).winners == (ANN, BOB, CAT, DAN)


def test_rotating_a_leavers_seat_is_played_by_a_bot_and_unranked() -> None:
    story = (
        given(last_round())
        .when(BOB, Leave())
        .then_match(left=(), away=(BOB,))
        .when(ANN, play("R4"))
    )
    end = ended(story)
    assert (end.winners, end.places) == ((CAT,), (2, 0, 1, 3))


# A number of rounds.


def last_of_two(form: Form, scores: tuple[int, ...]) -> Match:
    options = Options(form=form, rounds=2)
    table = deal(ANN="R4", BOB="R7", CAT="B9", DAN="W", options=options, scores=scores, said=(ANN,))
    assert table.round is not None
    return replace(table, rounds=2, round=replace(table.round, number=2))


def test_after_the_number_of_rounds_the_highest_total_wins_whatever_the_target() -> None:
    """SCORE-5."""
    end = ended(given(last_of_two(Form.FREE_FOR_ALL, (10, 76, 60, 0))).when(ANN, play("R4")))
    assert (end.reason, end.scores) == (EndReason.ROUNDS, (76, 76, 60, 0))
    assert (end.winners, end.places) == ((ANN, BOB), (1, 1, 3, 4))


def test_so_it_is_with_teams() -> None:
    """SCORE-5."""
    end = ended(given(last_of_two(Form.TEAMS, (0, 60, 0, 60))).when(ANN, play("R4")))
    assert (end.reason, end.winners, end.scores) == (EndReason.ROUNDS, (BOB, DAN), (57, 60, 57, 60))


def test_before_that_no_total_ends_the_match() -> None:
    """SCORE-5."""
    first = replace(last_of_two(Form.FREE_FOR_ALL, (900, 0, 0, 0)), rounds=1)
    assert next_round(given(first).when(ANN, play("R4"))).round == 2


# Elimination.


def test_elimination_who_reaches_the_target_is_out_and_the_seats_close_up() -> None:
    """ELIM-1."""
    story = ann_goes_out(ELIMINATION, (0, 470, 0, 0), BOB="W", CAT="R7", DAN="G2")
    assert counted(story).gains == (0, 50, 7, 2)
    assert story.the(PlayerEliminated) == PlayerEliminated(BOB, place=4)
    assert (next_round(story).order, next_round(story).dealer) == ((ANN, CAT, DAN), ANN)
    story.then_match(eliminated={BOB: 4}, still_in=(ANN, CAT, DAN))
    for command in (Leave(), AddSeed(story.match.rounds + 1, "AA")):
        story.when(BOB, command).then_refused(Refusal.SEAT_MUST_BE_IN_PLAY)


def test_elimination_exactly_the_target_is_out() -> None:
    """ELIM-1."""
    story = ann_goes_out(ELIMINATION, (0, 450, 449, 0), BOB="W", CAT="W", DAN="G2")
    story.then_match(eliminated={BOB: 4}, still_in=(ANN, CAT, DAN))


def test_elimination_the_last_two_play_on_until_one_has_the_target() -> None:
    """ELIM-2: and the other has won."""
    story = ann_goes_out(ELIMINATION, (480, 490, 0), BOB="W", CAT="R7")
    assert next_round(story).order == (ANN, CAT)
    story.then_match(scores=(480, 540, 7), is_over=False)


def test_elimination_with_two_left_they_play_by_the_two_player_rules() -> None:
    """ELIM-2: a Skip lets its author play again, the totals are carried on."""
    table = deal(top="R1", ANN="RS R2 R3", BOB="G1", CAT="B2 B3", options=ELIMINATION)
    assert table.round is not None
    hands = table.round.hands[0], (), table.round.hands[2]
    round = replace(table.round, order=(ANN, CAT), hands=hands)
    duel = replace(table, scores=(480, 510, 497), eliminated={BOB: 3}, round=round)
    story = given(duel).when(ANN, play("RS")).then_table(turn=ANN)
    story.when(ANN, play("R2", uno=True)).when(CAT, DrawCard()).when(CAT, PassTurn())
    end = ended(story.when(ANN, play("R3")))
    assert (end.winners, end.places, end.scores[BOB]) == ((ANN,), (1, 3, 2), 510)


def test_case_113_elimination_one_round_leaves_a_single_player() -> None:
    """ELIM-3: DAN has won without a duel; equal totals share the third place."""
    table = deal(
        top="R1", turn=DAN, ANN="YS Y5", BOB="YR GR", CAT="W R9 R1", DAN="R5", said=(DAN,),
        scores=(480, 470, 450, 100), options=ELIMINATION,
    )  # fmt: skip
    end = ended(given(table).when(DAN, play("R5")))
    assert end.scores == (505, 510, 510, 100)
    assert (end.winners, end.places) == ((DAN,), (2, 3, 3, 1))


def test_case_114_elimination_a_blocked_round_adds_nothing_so_somebody_remains() -> None:
    table = deal(
        top="R1", rest=False, options=ELIMINATION, scores=(490, 495, 499),
        ANN="BS B8 B2", BOB="BR B9", CAT="YS YD",
    )  # fmt: skip
    story = given(table)
    for seat in (ANN, BOB, CAT):
        story.when(seat, PassTurn())
    assert story.the(RoundBlocked)
    story.then_match(scores=(490, 495, 499), eliminated={})


def test_elimination_leavers_rank_below_those_still_in_then() -> None:
    """ELIM-3: DAN leaves with three others in, BOB is eliminated later."""
    table = deal(
        top="R1", ANN="R5", BOB="W", CAT="R7", DAN="G2", said=(ANN,), scores=(0, 490, 0, 0),
        options=ELIMINATION,
    )  # fmt: skip
    story = given(table).when(DAN, Leave()).when(ANN, play("R5"))
    assert story.the(PlayerEliminated) == PlayerEliminated(BOB, place=3)
    end = ended(story.when(CAT, Leave()))
    assert (end.reason, end.winners, end.places) == (EndReason.FORFEIT, (ANN,), (1, 3, 2, 4))


def test_elimination_places_are_shared_by_equal_totals_and_leavers_fill_the_rest() -> None:
    match = replace(
        started(5, options=ELIMINATION),
        scores=(510, 510, 90, 20, 0), eliminated={ANN: 4, BOB: 4}, left=(Seat(4),),
    )  # fmt: skip
    assert places_by_elimination(match) == (4, 4, 2, 1, 3)


def test_elimination_if_the_winner_of_the_last_round_had_left_the_best_total_wins() -> None:
    """AWAY-4: everybody else may reach the target at once; the lower total is better (ELIM-3)."""
    table = deal(
        top="R1", ANN="W4", BOB="W BS", CAT="GS", said=(ANN,), scores=(0, 490, 490),
        options=ELIMINATION,
    )  # fmt: skip
    story = given(table).when(ANN, play("W4", GREEN)).when(ANN, Leave()).when(BOB, AcceptPenalty())
    end = ended(story)
    assert (end.winners, end.places) == ((CAT,), (3, 2, 1))


def test_elimination_the_last_card_is_settled_before_the_count() -> None:
    """END-2: the cards of a wrong challenge count."""
    table = deal(
        top="R1", pile="B1 B2 B3 B4 B5 B6", ANN="W4", BOB="R7", CAT="GS", said=(ANN,),
        options=ELIMINATION,
    )  # fmt: skip
    story = given(table).when(ANN, play("W4", GREEN)).when(BOB, Challenge())
    assert counted(story).gains == (0, 28, 20)


# Starting hands.


@pytest.mark.parametrize("size", [5, 6, 8, 10])
def test_five_to_ten_cards_may_start(size: int) -> None:
    """HOUSE-6."""
    assert convert({"starting_hand": size}, Options).starting_hand == size


@pytest.mark.parametrize("size", [4, 11])
def test_fewer_than_five_or_more_than_ten_cards_may_not(size: int) -> None:
    """HOUSE-6."""
    with pytest.raises(ValidationError):
        convert({"starting_hand": size}, Options)


@pytest.mark.parametrize("size", [5, 10])
def test_starting_hand_deals_so_many(size: int) -> None:
    """HOUSE-6."""
    match = started_where(
        lambda match: match.round is not None and match.round.discard[0].face.isdigit(),
        10, options=Options(starting_hand=size),
    )  # fmt: skip
    assert match.round is not None
    assert [len(hand) for hand in match.round.hands] == [size] * 10
    assert match.round.draw_pile_count == 108 - 10 * size - 1
