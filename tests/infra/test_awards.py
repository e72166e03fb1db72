"""What the end of a match gives to persons on the boards, by the form of play."""

from __future__ import annotations

import pytest

from domain.events import EndReason, MatchEnded, Seat
from domain.match import Occupant
from domain.options import Form, Options, Scoring
from domain.ports import Board, MatchLine, SeatHolder
from infra.projections.lines import awards_of

ANN, BOB = b"a" * 16, b"b" * 16
HOLDERS = tuple(SeatHolder(b"m", player, b"s", player.decode()) for player in (ANN, BOB))
SEATS = tuple(Occupant(player=player.decode()) for player in (ANN, BOB))


def given(options: Options, places: tuple[int, ...]) -> dict[tuple[Board, bytes], int]:
    """What a match with scores 300 and 120 gives."""
    line = MatchLine(b"m", 1, 0, options=options, seats_total=2, seats=SEATS)
    winners = tuple(Seat(seat) for seat, place in enumerate(places) if place == 1)
    ended = MatchEnded(EndReason.TARGET, winners, (300, 120), places)
    return {(one.board, one.player): one.points for one in awards_of(line, ended, HOLDERS)}


def test_points_and_a_match_won() -> None:
    assert given(Options(), (1, 2)) == {
        (Board.POINTS, ANN): 300,
        (Board.MATCHES_WON, ANN): 1,
        (Board.POINTS, BOB): 120,
        (Board.MATCHES_WON, BOB): 0,
    }


@pytest.mark.parametrize(
    "options", [Options(scoring=Scoring.LOWEST), Options(form=Form.ELIMINATION)]
)
def test_points_left_in_one_s_own_hand_are_none_to_be_proud_of(options: Options) -> None:
    found = given(options, (2, 1))
    assert found[Board.POINTS, ANN] == found[Board.POINTS, BOB] == 0
    assert (found[Board.MATCHES_WON, ANN], found[Board.MATCHES_WON, BOB]) == (0, 1)


def test_an_unranked_seat_is_given_nothing() -> None:
    found = given(Options(form=Form.ROTATING_PARTNERS), (0, 1))
    assert {player for _, player in found} == {BOB}
