"""The limit of a match (LIMIT-1): it ends while there is still room for its end."""

from __future__ import annotations

from collections.abc import Mapping

from domain.events import (
    AbandonReason,
    EndReason,
    Event,
    MatchAbandoned,
    RoundCommitted,
    VoidReason,
)
from domain.limits import EVENTS_PER_COMMAND, EVENTS_PER_MATCH
from domain.match import Match, Status, with_secret
from domain.moves.draft import Draft
from domain.moves.match_end import abandon, end_match, sealed_rounds, void_round


def is_near_the_limit(match: Match) -> bool:
    """Whether one more command might leave no room for another; cheap, for it is asked often."""
    sealed = len(match.commitments) - len(match.revealed)
    return match.version + 2 * EVENTS_PER_COMMAND + sealed + 3 > EVENTS_PER_MATCH


def within_the_limit(
    match: Match, events: tuple[Event, ...], secrets: Mapping[int, bytes]
) -> tuple[Event, ...]:
    """The events of a command, and the match's end if there is no room for one command more.

    ``secrets`` are those that the events commit to, by round.
    """
    draft = Draft(match)
    for event in events:
        if isinstance(event, RoundCommitted):
            draft.match = with_secret(draft.match, event.round, secrets[event.round])
        draft.add(event)
    after = draft.match
    if after.is_over or has_room(after):
        return events
    if after.status is Status.RUNNING:
        void_round(draft, VoidReason.EVENT_LIMIT)
        end_match(draft, EndReason.EVENT_LIMIT)
    else:
        abandon(draft, MatchAbandoned(AbandonReason.EVENT_LIMIT))
    return draft.events


def has_room(match: Match) -> bool:
    """Whether another command fits, and after it the end: every seed, and two events besides."""
    end = len(sealed_rounds(match)) + 2
    return match.version + EVENTS_PER_COMMAND + end <= EVENTS_PER_MATCH
