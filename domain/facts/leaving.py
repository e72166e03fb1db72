"""Facts about people who leave, before the start or in a running match."""

from __future__ import annotations

from typing import Final, TypeVar

from msgspec.structs import replace

from domain.events import Pending, PlayerLeft, Seat
from domain.facts.table import Facts
from domain.match import Match, Round

T = TypeVar("T")


def player_left(match: Match, e: PlayerLeft) -> Match:
    """A person is gone; who was host is so no more."""
    return _seat_closed(match, e) if match.round is None else _out(match, match.round, e)


def _seat_closed(match: Match, e: PlayerLeft) -> Match:
    """Before the start the seats above move down, the host's with them."""
    host = match.host
    if host is not None and host >= e.seat:
        host = None if host == e.seat else Seat(host - 1)
    return replace(
        match,
        seats=_without(match.seats, e.seat),
        scores=_without(match.scores, e.seat),
        client_seeds=_without(match.client_seeds, e.seat),
        seeds_added=_without(match.seeds_added, e.seat),
        host=host,
    )


def _out(match: Match, round: Round, e: PlayerLeft) -> Match:
    """In a running match the seat stays and is passed over (AWAY-2, AWAY-7)."""
    assert e.turn is not None
    assert e.pending is not None
    had_the_turn = round.turn == e.seat
    after = replace(
        round,
        order=_without(round.order, round.order.index(e.seat)),
        turn=e.turn,
        pending=e.pending,
        has_drawn=round.has_drawn and not had_the_turn,
        drawn_card=None if had_the_turn else round.drawn_card,
        uno_owed=None if round.uno_owed == e.seat else round.uno_owed,
        uno_said=round.uno_said - {e.seat},
        penalty=round.penalty if e.pending is Pending.PENALTY else None,
    )
    return replace(
        match,
        left=(*match.left, e.seat),
        host=None if match.host == e.seat else match.host,
        round=after,
    )


def _without(row: tuple[T, ...], place: int) -> tuple[T, ...]:
    return row[:place] + row[place + 1 :]


FACTS: Final[Facts] = {PlayerLeft: player_left}
