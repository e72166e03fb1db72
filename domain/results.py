"""What an ended match says about those who sat at it: places, points and what they did.

Counted from its events and the states before them (``docs/api/statistics.md``).
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from domain.events import (
    CardPlayed,
    ChallengeResolved,
    Event,
    MatchEnded,
    RoundEnded,
    Seat,
    SeedRevealed,
    UnoCalled,
    UnoCaught,
)
from domain.evolve import evolve
from domain.match import Match, at, new_match, with_secret
from domain.options import Form, Options, Scoring
from domain.ports import Recorded


class Figures(Struct, frozen=True, gc=False):
    """What somebody did, as whole numbers that add up over matches."""

    matches: int = 0
    matches_won: int = 0
    points: int = 0
    rounds: int = 0
    rounds_won: int = 0
    challenges: int = 0
    challenges_won: int = 0
    unos_called: int = 0
    unos_missed: int = 0
    unos_caught: int = 0
    cards_left: int = 0


class SeatResult(Struct, frozen=True, gc=False):
    """How a person's seat came out of a match. ``player`` is the digest in the log.

    ``place`` is 0 for a seat that is unranked (ROT-1); seats of one ``side`` won or lost together.
    """

    seat: int
    player: str
    place: int
    side: int
    figures: Figures


class MatchResult(Struct, frozen=True, gc=False):
    """An ended match that is no practice: the position and the time of its end, and its seats.

    ``with_bots``: a bot of the service sat down before the start.
    """

    match: bytes
    position: int
    ended_at: int
    form: Form
    with_bots: bool
    seats: tuple[SeatResult, ...]

    @property
    def is_rated(self) -> bool:
        """Whether it is one of people against people that at least two sides were ranked in."""
        return not self.with_bots and len({s.side for s in self.seats if s.place > 0}) > 1


def result_of(match_id: bytes, recorded: Sequence[Recorded]) -> MatchResult | None:
    """The result of a match from all its events up to its end; None for practice.

    Raises whatever the fold raises for a history that cannot be understood.
    """
    match = new_match(match_id)
    for one in recorded:
        if isinstance(one.event, SeedRevealed):
            match = with_secret(match, one.event.round, bytes.fromhex(one.event.seed))
    counts: list[dict[str, int]] = []
    for one in recorded:
        event = one.event
        counts += [{} for _ in range(len(match.seats) - len(counts))]
        _count(counts, match, event)
        match = evolve(at(match, one.occurred_at), event)
        if isinstance(event, MatchEnded):
            return None if match.practice else _result(match, one, event, counts)
    raise ValueError("the match has no end")


def _count(counts: list[dict[str, int]], match: Match, event: Event) -> None:
    """Add what an event tells of seats; what a bot plays for who is away counts for nobody."""

    def add(seat: Seat, name: str, number: int = 1) -> None:
        if seat not in match.away:
            counts[seat][name] = counts[seat].get(name, 0) + number

    match event:
        case CardPlayed(uno=True):
            add(event.seat, "unos_called")
        case UnoCalled():
            add(event.seat, "unos_called")
        case UnoCaught():
            add(event.seat, "unos_missed")
            add(event.by, "unos_caught")
        case ChallengeResolved():
            add(event.seat, "challenges")
            add(event.seat, "challenges_won", int(event.guilty))
        case RoundEnded():
            assert match.round is not None
            add(event.winner, "rounds_won")
            for seat in {*match.round.order, event.winner}:
                add(seat, "rounds")
                add(seat, "cards_left", len(match.round.hands[seat]))


def _result(
    match: Match, last: Recorded, ended: MatchEnded, counts: Sequence[dict[str, int]]
) -> MatchResult:
    counts_up = _points_are_good(match.options)
    seats = []
    for seat, occupant in enumerate(match.seats):
        if occupant.player is None:
            continue
        place = ended.places[seat]
        figures = Figures(
            matches=1,
            matches_won=int(seat in ended.winners and place > 0),
            points=ended.scores[seat] if counts_up and place > 0 else 0,
            **counts[seat],
        )
        side = seat % 2 if match.options.form is Form.TEAMS else seat
        seats.append(SeatResult(seat, occupant.player, place, side, figures))
    return MatchResult(
        match.id,
        last.position,
        last.occurred_at,
        match.options.form,
        any(occupant.bot is not None for occupant in match.seats),
        tuple(seats),
    )


def _points_are_good(options: Options) -> bool:
    """Whether points are won, and not what was left in one's own hand (SCORE-2, ELIM-1)."""
    return options.scoring is Scoring.WINNER_TAKES and options.form is not Form.ELIMINATION
