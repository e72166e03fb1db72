"""The end of a match: by the count, at its limit of events, abandoned or void."""

from __future__ import annotations

from domain.commands import AbandonMatch, Actor, Context, VoidMatch
from domain.events import (
    EndReason,
    Event,
    MatchAbandoned,
    MatchEnded,
    MatchVoided,
    RoundVoided,
    Seat,
    SeedRevealed,
    VoidReason,
)
from domain.match import Match
from domain.moves import guards
from domain.moves.draft import Draft
from domain.scoring import counting_of


def end_match(draft: Draft, reason: EndReason) -> None:
    """Open what is still sealed; the best totals win, ties shared."""
    reveal_all(draft)
    scores = draft.match.scores
    places = counting_of(draft.match).places(draft.match)
    winners = tuple(Seat(seat) for seat, place in enumerate(places) if place == 1)
    draft.add(MatchEnded(reason=reason, winners=winners, scores=scores, places=places))


def abandon_match(
    match: Match, actor: Actor, command: AbandonMatch, context: Context
) -> tuple[Event, ...]:
    """End a match that nobody goes on with (AWAY-9)."""
    guards.operator(actor)
    guards.going_on(match)
    draft = Draft(match)
    abandon(draft, MatchAbandoned(command.reason))
    return draft.events


def abandon(draft: Draft, abandoned: MatchAbandoned) -> None:
    """No winner, no points; everything is opened."""
    void_round(draft, VoidReason.ABANDONED)
    reveal_all(draft)
    draft.add(abandoned)


def void_match(
    match: Match, actor: Actor, command: VoidMatch, context: Context
) -> tuple[Event, ...]:
    """Declare that a match counts for nothing, also one that is over; its history stays."""
    guards.operator(actor)
    guards.not_void(match)
    draft = Draft(match)
    void_round(draft, command.reason)
    reveal_all(draft)
    draft.add(MatchVoided(command.reason))
    return draft.events


def void_round(draft: Draft, reason: VoidReason) -> None:
    """The running round, if there is one, counts for nothing."""
    if draft.match.round is not None:
        draft.add(RoundVoided(round=draft.match.rounds, reason=reason))


def reveal(draft: Draft, round_number: int) -> None:
    """Open a round to everybody."""
    seed = draft.match.secrets[round_number]
    draft.add(SeedRevealed(round=round_number, seed=seed.hex()))


def reveal_all(draft: Draft) -> None:
    """Open every round that is still sealed, the one not yet dealt included."""
    for round_number in sealed_rounds(draft.match):
        reveal(draft, round_number)


def sealed_rounds(match: Match) -> tuple[int, ...]:
    """The rounds that are committed and not revealed, in order."""
    return tuple(number for number in match.commitments if number not in match.revealed)
