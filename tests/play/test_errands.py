"""What bots have to do at a table that calls out cards (TABLE-2, UNO-7)."""

from __future__ import annotations

from msgspec.structs import replace

from domain.events import BotLevel
from domain.match import Match, Occupant
from domain.options import Enforcement, Options
from service.play.errands import Errand, Kind, errands
from service.settings import Settings
from tests.spec import ANN, BOB, CAT, deal, given, play

TABLE = Options(enforcement=Enforcement.TABLE, uno_grace=3)
SETTINGS = Settings(bot_move_ms=100, bot_catch_ms=900)


def bots_at_the_table(hand: str) -> Match:
    """ANN is a person and to move; BOB and CAT are bots."""
    match = deal(ANN=hand, BOB="B1 B2 B3", CAT="Y1 Y2 Y3", top="R5", options=TABLE)
    bot = Occupant(bot=BotLevel.STEADY)
    return replace(match, seats=(match.seats[ANN], bot, bot))


def test_bots_call_out_before_one_of_them_moves() -> None:
    """TABLE-2, UNO-7: nobody moves before the grace has passed."""
    match = given(bots_at_the_table("B9 G1 G2")).when(ANN, play("B9")).match
    assert errands(match, SETTINGS) == (
        Errand(BOB, Kind.CATCH, 900_000),
        Errand(CAT, Kind.CATCH, 900_000),
        Errand(BOB, Kind.MOVE, 3_000_000),
    )


def test_a_card_that_fits_keeps_no_bot_waiting() -> None:
    """TABLE-3."""
    match = given(bots_at_the_table("R9 G1 G2")).when(ANN, play("R9")).match
    assert errands(match, SETTINGS) == (Errand(BOB, Kind.MOVE, 100_000),)
