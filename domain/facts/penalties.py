"""Facts about penalties at the table: a card called out, advice that was penalized."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.events import AdvicePenalized, PlayCalledOut
from domain.facts.table import Facts
from domain.facts.turns import running, with_hand
from domain.match import Match


def play_called_out(match: Match, e: PlayCalledOut) -> Match:
    """The card is in its author's hand again, as if it had not been laid (TABLE-2, TABLE-5)."""
    round, seat = running(match), e.seat
    after = replace(
        round,
        hands=with_hand(round, seat, (*round.hands[seat], e.card)),
        discard=round.discard[:-1],
        color=e.color,
        direction=e.direction,
        turn=e.turn,
        uno_owed=None if round.uno_owed == seat else round.uno_owed,
        uno_said=round.uno_said - {seat},
        not_before=None,
        since=match.now,
        laid_by=None,
        unfit=None,
    )
    return replace(match, round=after)


def advice_penalized(match: Match, e: AdvicePenalized) -> Match:
    """A ruling is on record; the draw that follows spends an announcement (TABLE-4)."""
    round = running(match)
    return replace(match, round=replace(round, advice_rulings=round.advice_rulings + 1))


FACTS: Final[Facts] = {PlayCalledOut: play_called_out, AdvicePenalized: advice_penalized}
