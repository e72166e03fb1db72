"""The end of a round: the count, what is revealed, and what comes next."""

from __future__ import annotations

from domain.commands import Context
from domain.events import RoundBlocked, RoundEnded, Seat
from domain.moves.draft import Draft
from domain.moves.match_end import end_match, reveal
from domain.moves.round_start import start_round
from domain.options import Reveal
from domain.scoring import counting_of, ending_of


def end_round(draft: Draft, winner: Seat, context: Context) -> None:
    """Count the hands (END-5); who is out by that is named (ELIM-1)."""
    match = draft.match
    counting = counting_of(match)
    gains = counting.gains(draft.round, winner)
    scores = tuple(map(sum, zip(match.scores, gains, strict=True)))
    draft.add(RoundEnded(round=match.rounds, winner=winner, gains=gains, scores=scores))
    for eliminated in counting.out(draft.match):
        draft.add(eliminated)
    _go_on(draft, context)


def block_round(draft: Draft, context: Context) -> None:
    """Nobody can draw or play: no winner, no points (PILE-5)."""
    draft.add(RoundBlocked(round=draft.match.rounds))
    _go_on(draft, context)


def _go_on(draft: Draft, context: Context) -> None:
    """The next round starts, unless the match is decided."""
    reason = ending_of(draft.match)
    if reason is not None:
        end_match(draft, reason)
    else:
        next_round(draft, context)


def next_round(draft: Draft, context: Context) -> None:
    """Open the round that is over, if the match wants that now, and deal the next."""
    match = draft.match
    if match.options.reveal is Reveal.ROUND:
        reveal(draft, match.rounds)
    assert match.dealer is not None, "a round that is over had a dealer"
    order = counting_of(match).order(match)
    dealer = dealer_after(match.dealer, order)
    start_round(draft, context, dealer=dealer, order=order, shuffles=0)


def dealer_after(last: Seat, order: tuple[Seat, ...]) -> Seat:
    """The deal passes to the left in the coming order (SETUP-4, ROT-1)."""
    if last in order:
        return order[(order.index(last) + 1) % len(order)]
    return next((seat for seat in order if seat > last), order[0])
