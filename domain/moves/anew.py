"""After a restore: rounds whose seeds may be known are void, and the match goes on under others.

Players may have seen how the lost events went on: the running round, and the coming one too if it
was dealt then. Not here: which matches that is about (``service.restored``).
"""

from __future__ import annotations

from domain.commands import Actor, Context, DealAnew
from domain.events import Event, RoundVoided, VoidReason
from domain.match import Match, Status
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.match_end import reveal, void_round
from domain.moves.round_end import dealer_after
from domain.moves.round_start import commit, start_round
from domain.options import Reveal
from domain.scoring import counting_of


def deal_anew(match: Match, actor: Actor, command: DealAnew, context: Context) -> tuple[Event, ...]:
    """Void the running and the coming round, commit to another, and deal it if play goes on."""
    guards.operator(actor)
    guards.going_on(match)
    draft, coming = Draft(match), match.rounds + 1
    voided = (coming,) if match.round is None else (match.rounds, coming)
    void_round(draft, VoidReason.RESTORE)
    draft.add(RoundVoided(round=coming, reason=VoidReason.RESTORE))
    if match.options.reveal is Reveal.ROUND:
        for number in voided:
            reveal(draft, number)
    commit(draft, coming + 1, command.seed)
    if match.status is Status.RUNNING:
        assert match.dealer is not None, "a match that runs has dealt a round"
        order = counting_of(match).order(draft.match)
        dealer = dealer_after(match.dealer, order)
        start_round(draft, context, dealer=dealer, order=order, shuffles=0)
    return draft.events
