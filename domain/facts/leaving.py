"""Facts about people who leave, before the start or in a running match."""

from __future__ import annotations

from typing import Final, TypeVar

from msgspec.structs import replace

from domain.events import BotLevel, Pending, PlayerLeft, PlayerReturned, Seat
from domain.facts.table import Facts
from domain.match import Match, Occupant, Round, UnfitCard

T = TypeVar("T")


def player_left(match: Match, e: PlayerLeft) -> Match:
    """A person is gone; who was host is so no more."""
    if match.round is None:
        return _seat_closed(match, e)
    return _out(match, match.round, e) if e.bot is None else _kept(match, e.seat, e.bot)


def _seat_closed(match: Match, e: PlayerLeft) -> Match:
    """Before the start the seats above move down, the host's with them."""
    host, player = match.host, match.seats[e.seat].player
    got_up = dict(match.got_up)
    if player is not None:
        times, _ = got_up.get(player, (0, 0))
        got_up[player] = times + 1, match.seeds_added[e.seat]
    if host is not None and host >= e.seat:
        host = None if host == e.seat else Seat(host - 1)
    return replace(
        match,
        seats=_without(match.seats, e.seat),
        scores=_without(match.scores, e.seat),
        client_seeds=_without(match.client_seeds, e.seat),
        seeds_added=_without(match.seeds_added, e.seat),
        got_up=got_up,
        host=host,
    )


def _out(match: Match, round: Round, e: PlayerLeft) -> Match:
    """In a running match the seat stays and is passed over (AWAY-2, AWAY-7)."""
    assert e.turn is not None
    assert e.pending is not None
    had_the_turn = round.turn == e.seat
    ends_grace = round.not_before is not None and round.uno_owed == e.seat
    after = replace(
        round,
        order=_without(round.order, round.order.index(e.seat)),
        turn=e.turn,
        pending=e.pending,
        has_drawn=round.has_drawn and not had_the_turn,
        drawn_card=None if had_the_turn else round.drawn_card,
        uno_owed=None if round.uno_owed == e.seat else round.uno_owed,
        not_before=None if ends_grace else round.not_before,
        since=match.now if had_the_turn or ends_grace else round.since,
        uno_said=round.uno_said - {e.seat},
        penalty=round.penalty if e.pending is Pending.PENALTY else None,
        unfit=_without_victim(round.unfit, e.seat),
    )
    return replace(
        match,
        left=(*match.left, e.seat),
        host=None if match.host == e.seat else match.host,
        round=after,
    )


def _kept(match: Match, seat: Seat, bot: BotLevel) -> Match:
    """A bot plays on in the person's place; nothing moves (AWAY-2)."""
    return replace(
        match,
        seats=_with_occupant(match, seat, replace(match.seats[seat], bot=bot)),
        away=(*match.away, seat),
        host=None if match.host == seat else match.host,
        round=_anew(match, seat),
    )


def player_returned(match: Match, e: PlayerReturned) -> Match:
    """The person plays again, in place of the bot."""
    return replace(
        match,
        seats=_with_occupant(match, e.seat, replace(match.seats[e.seat], bot=None)),
        away=_without(match.away, match.away.index(e.seat)),
        silences={seat: row for seat, row in match.silences.items() if seat != e.seat},
        round=_anew(match, e.seat),
    )


def _anew(match: Match, seat: Seat) -> Round | None:
    """Who comes to a seat that is waited for has the whole time (AWAY-1)."""
    round = match.round
    if round is None or round.turn != seat:
        return round
    return replace(round, since=max(match.now, round.not_before or 0))


def _with_occupant(match: Match, seat: Seat, occupant: Occupant) -> tuple[Occupant, ...]:
    return (*match.seats[:seat], occupant, *match.seats[seat + 1 :])


def _without_victim(unfit: UnfitCard | None, leaver: Seat) -> UnfitCard | None:
    """Who has left draws nothing if the card stands (TABLE-5)."""
    if unfit is None or unfit.victim != leaver:
        return unfit
    return replace(unfit, victim=None)


def _without(row: tuple[T, ...], place: int) -> tuple[T, ...]:
    return row[:place] + row[place + 1 :]


FACTS: Final[Facts] = {PlayerLeft: player_left, PlayerReturned: player_returned}
