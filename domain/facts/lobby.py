"""Facts about the table before the start, and about the match as a whole."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.deal import commitment
from domain.events import (
    BotSeated,
    HostChanged,
    MatchAbandoned,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    MatchVoided,
    PlayerJoined,
    RoundCommitted,
    SeedAdded,
    SeedRevealed,
)
from domain.facts.corrupt import check
from domain.facts.table import Facts
from domain.match import Match, Occupant, Result, Status


def match_created(match: Match, e: MatchCreated) -> Match:
    """A table stands, nobody at it."""
    return replace(
        match,
        status=Status.OPEN,
        ruleset=e.ruleset,
        ruleset_version=e.ruleset_version,
        options=e.options,
        visibility=e.visibility,
        practice=e.practice,
        seats_total=e.seats,
    )


def player_joined(match: Match, e: PlayerJoined) -> Match:
    """A person sits down; the first one at the table is its host.

    Who comes back has added to the coming round as often as before.
    """
    _, added = match.got_up.get(e.player, (0, 0))
    seated = _seat(match, Occupant(player=e.player), added)
    return seated if match.host is not None else replace(seated, host=e.seat)


def bot_seated(match: Match, e: BotSeated) -> Match:
    """A bot sits down."""
    return _seat(match, Occupant(bot=e.level))


def _seat(match: Match, occupant: Occupant, seeds_added: int = 0) -> Match:
    return replace(
        match,
        seats=(*match.seats, occupant),
        scores=(*match.scores, 0),
        client_seeds=(*match.client_seeds, b""),
        seeds_added=(*match.seeds_added, seeds_added),
    )


def host_changed(match: Match, e: HostChanged) -> Match:
    """Another person is host (AWAY-7)."""
    return replace(match, host=e.seat)


def round_committed(match: Match, e: RoundCommitted) -> Match:
    """The coming round's seed is fixed."""
    seed = match.secrets.get(e.round)
    check(
        seed is None or commitment(match.id, e.round, seed) == e.commitment,
        f"round {e.round}: the sealed seed is not the committed one",
    )
    commitments = {**match.commitments, e.round: e.commitment}
    return replace(match, commitment=e.commitment, commitments=commitments)


def seed_added(match: Match, e: SeedAdded) -> Match:
    """A player's bytes go into the coming deal, in place of that player's earlier ones."""
    seeds, added = list(match.client_seeds), list(match.seeds_added)
    seeds[e.seat] = bytes.fromhex(e.client_seed)
    added[e.seat] += 1
    return replace(match, client_seeds=tuple(seeds), seeds_added=tuple(added))


def seed_revealed(match: Match, e: SeedRevealed) -> Match:
    """A round is open to everybody."""
    seed = bytes.fromhex(e.seed)
    check(
        commitment(match.id, e.round, seed) == match.commitments[e.round],
        f"round {e.round}: the revealed seed is not the committed one",
    )
    return replace(
        match,
        secrets={**match.secrets, e.round: seed},
        revealed=match.revealed | {e.round},
    )


def match_started(match: Match, e: MatchStarted) -> Match:
    """Play begins; the seats are fixed."""
    return replace(match, status=Status.RUNNING)


def match_ended(match: Match, e: MatchEnded) -> Match:
    """The match is over and has places."""
    result = Result(reason=e.reason, winners=e.winners, places=e.places)
    return replace(match, status=Status.FINISHED, round=None, result=result)


def match_abandoned(match: Match, e: MatchAbandoned) -> Match:
    """Nobody goes on."""
    return replace(match, status=Status.ABANDONED, round=None, result=Result(reason=e.reason))


def match_voided(match: Match, e: MatchVoided) -> Match:
    """The match counts for nothing."""
    return replace(match, status=Status.VOIDED, round=None, result=Result(reason=e.reason))


FACTS: Final[Facts] = {
    MatchCreated: match_created,
    PlayerJoined: player_joined,
    BotSeated: bot_seated,
    HostChanged: host_changed,
    RoundCommitted: round_committed,
    SeedAdded: seed_added,
    SeedRevealed: seed_revealed,
    MatchStarted: match_started,
    MatchEnded: match_ended,
    MatchAbandoned: match_abandoned,
    MatchVoided: match_voided,
}
