"""A tournament's tables held against the records of their matches: that each result is that one's.

Not here: whether either record holds by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.audit.checks import Fault
from domain.audit.record import Record
from domain.audit.replay import Wrong, decoded
from domain.event import Event
from domain.events import BotSeated, MatchAbandoned, MatchCreated, MatchEnded
from domain.options import Options
from domain.terms import BotLevel
from domain.tournaments.events import TableEnded, TableOpened, TournamentCreated
from domain.tournaments.terms import TableEnd


class Played(Struct, frozen=True):
    """What a match's record says of how it was set up and ended; ``hash`` is that of its end."""

    options: Options
    bots: tuple[BotLevel | None, ...]
    ended_at: int
    hash: str
    reason: str
    scores: tuple[int, ...]
    places: tuple[int, ...]


class Claim(Struct, frozen=True):
    """What a tournament says of a match that was played at one of its tables."""

    version: int
    """Of the tournament's event that says so."""
    options: Options
    bots: tuple[BotLevel | None, ...]
    ended: TableEnded


def claims_of(events: Sequence[Event]) -> Mapping[str, Claim]:
    """By match (its id in hex): how it is said to have ended; also those declared void since."""
    options, bots = Options(), dict[str, tuple[BotLevel | None, ...]]()
    claims: dict[str, Claim] = {}
    for version, event in enumerate(events, 1):
        if isinstance(event, TournamentCreated):
            options = event.options
        elif isinstance(event, TableOpened):
            bots[event.match] = event.bots
        elif isinstance(event, TableEnded):
            claims[event.match] = Claim(version, options, bots.get(event.match, ()), event)
    return claims


def played_in(record: Record) -> Played | None:
    """What a match's record says; None if the match goes on, or cannot be read."""
    options, bots = Options(), dict[int, BotLevel]()
    seats = 0
    for line in record.events:
        if line.type not in _TELLING:
            continue
        try:
            event = decoded(line)
        except (Wrong, ValueError):
            return None
        if isinstance(event, MatchCreated):
            options, seats = event.options, event.seats
        elif isinstance(event, BotSeated):
            bots[event.seat] = event.level
        elif isinstance(event, MatchEnded | MatchAbandoned):
            return Played(
                options=options,
                bots=tuple(map(bots.get, range(seats))),
                ended_at=line.version,
                hash=line.hash,
                reason=event.reason.value if isinstance(event, MatchEnded) else _ABANDONED,
                scores=event.scores if isinstance(event, MatchEnded) else (),
                places=event.places if isinstance(event, MatchEnded) else (0,) * seats,
            )
    return None


_ABANDONED = TableEnd.ABANDONED.value
_TELLING = frozenset(("match_created", "bot_seated", "match_ended", "match_abandoned"))


def held(claim: Claim, played: Played) -> Iterator[Fault]:
    """What the tournament says otherwise than the match."""
    ended = claim.ended

    def fault(words: str) -> Fault:
        return Fault("tables", f"match {ended.match}: {words}", claim.version, "table_ended")

    if claim.options != played.options or claim.bots != played.bots:
        yield fault("it was not set up as the table says")
    if (ended.version, ended.hash) != (played.ended_at, played.hash):
        yield fault(f"it ended at version {played.ended_at}, with another hash")
    if (ended.reason, ended.places) != (played.reason, played.places):
        yield fault("its places are others")
    if ended.reason is not TableEnd.ABANDONED and ended.scores != played.scores:
        yield fault("its scores are others")
