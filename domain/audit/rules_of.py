"""Which rule an event stands under: what a check names when the event is not what it must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain import events
from domain.events import DrawReason, Event
from domain.match import Match
from domain.options import Form, Scoring


def rule_of(match: Match, event: Event) -> str:
    """The rule that says most about an event: its id in the rule book."""
    if isinstance(event, events.CardsDrawn):
        return _DRAWS[event.reason]
    if isinstance(event, events.RoundEnded | events.MatchEnded):
        return _COUNTS[match.options.form, match.options.scoring]
    return _RULES[type(event)]


_DRAWS: Final[Mapping[DrawReason, str]] = {
    DrawReason.TURN: "DRAW-1",
    DrawReason.OPENING: "FIRST-1",
    DrawReason.DRAW_TWO: "D2-1",
    DrawReason.WILD_DRAW_FOUR: "WD4-3",
    DrawReason.CHALLENGE: "WD4-6",
    DrawReason.UNO: "UNO-2",
    DrawReason.CLOCK: "AWAY-1",
    DrawReason.CUSTOMIZABLE: "CUST-1",
    DrawReason.CALLED_OUT: "TABLE-2",
    DrawReason.ADVICE: "TABLE-4",
}
_COUNTS: Final[Mapping[tuple[Form, Scoring], str]] = {
    (Form.FREE_FOR_ALL, Scoring.WINNER_TAKES): "SCORE-1",
    (Form.FREE_FOR_ALL, Scoring.LOWEST): "SCORE-2",
    (Form.TEAMS, Scoring.WINNER_TAKES): "TEAM-1",
    (Form.ROTATING_PARTNERS, Scoring.WINNER_TAKES): "ROT-1",
    (Form.ELIMINATION, Scoring.WINNER_TAKES): "ELIM-1",
}
_RULES: Final[Mapping[type[Event], str]] = {
    events.MatchCreated: "SETUP-1",
    events.PlayerJoined: "AWAY-6",
    events.BotSeated: "AWAY-6",
    events.PlayerLeft: "AWAY-2",
    events.PlayerReturned: "AWAY-2",
    events.HostChanged: "AWAY-7",
    events.RoundCommitted: "SETUP-5",
    events.SeedAdded: "SETUP-5",
    events.MatchStarted: "SETUP-1",
    events.DealerDrawn: "SETUP-2",
    events.RoundStarted: "SETUP-5",
    events.PositionPlaced: "DECK-3",
    events.HandReturned: "AWAY-2",
    events.ColorChosen: "FIRST-4",
    events.CardPlayed: "TURN-1",
    events.TurnPassed: "DRAW-1",
    events.PileReshuffled: "PILE-1",
    events.UnoCalled: "UNO-1",
    events.UnoCaught: "UNO-2",
    events.PenaltyAccepted: "WD4-3",
    events.ClockRanOut: "AWAY-1",
    events.ChallengeResolved: "WD4-5",
    events.PlayCalledOut: "TABLE-2",
    events.AdvicePenalized: "TABLE-4",
    events.HandsSwapped: "HOUSE-2",
    events.HandsShuffled: "SHUF-1",
    events.PlayerEliminated: "ELIM-1",
    events.RoundBlocked: "PILE-5",
    events.RoundVoided: "LIMIT-1",
    events.SeedRevealed: "SETUP-5",
    events.MatchAbandoned: "AWAY-9",
    events.MatchVoided: "LIMIT-1",
}
assert _RULES.keys() | {events.CardsDrawn, events.RoundEnded, events.MatchEnded} == set(
    events.EVENT_TYPES
), "every event stands under a rule"
