"""The start of a tournament and of its rounds: who is seeded where, who meets whom."""

from __future__ import annotations

import hmac

from domain.commands import Actor, Context
from domain.event import Event
from domain.limits import ENTRANTS_MIN
from domain.refusals import Refusal, require
from domain.tournaments import guards
from domain.tournaments.commands import PairRound, StartTournament
from domain.tournaments.draft import Draft
from domain.tournaments.events import DrawRevealed, RoundPaired, TournamentStarted
from domain.tournaments.evolve import LOT
from domain.tournaments.pairings import is_over_after_this, pairings, rounds_of
from domain.tournaments.settings import ENTRANTS
from domain.tournaments.tables import deadline
from domain.tournaments.terms import Entrant, Seeding
from domain.tournaments.tournament import Tournament, TournamentStatus

_LOT = b"talon-lot/1"


def start_tournament(
    tournament: Tournament, actor: Actor, command: StartTournament, context: Context
) -> tuple[Event, ...]:
    """Fix the entrants, seed them, pair the first round; a second start changes nothing."""
    guards.organizer(actor)
    if tournament.status is TournamentStatus.RUNNING:
        return ()
    guards.open_for_entry(tournament)
    count, fixed = len(tournament.present), ENTRANTS.get(tournament.settings.format)
    complete = count >= ENTRANTS_MIN if fixed is None else count == fixed
    require(complete, Refusal.ENTRANTS_MUST_BE_COMPLETE)
    draft = Draft(tournament)
    if tournament.settings.seeding is Seeding.LOT:
        draft.add(DrawRevealed(tournament.secrets[LOT].hex()))
    draft.add(TournamentStarted(seeded(draft.tournament), rounds_of(tournament.settings, count)))
    _pair(draft, context)
    return draft.events


def seeded(tournament: Tournament) -> tuple[Entrant, ...]:
    """Who takes part, the highest rating first, or as the lot has it.

    Without a rating one comes after those who have one; who entered earlier comes first.
    """
    if tournament.settings.seeding is Seeding.LOT:
        return tuple(sorted(tournament.present, key=lambda entrant: lot_of(tournament, entrant)))
    return tuple(sorted(tournament.present, key=lambda entrant: _strength(tournament, entrant)))


def _strength(tournament: Tournament, entrant: Entrant) -> tuple[bool, int]:
    rating = tournament.entries[entrant].rating
    return rating is None, -(rating or 0)


def lot_of(tournament: Tournament, entrant: Entrant) -> bytes:
    """What an entrant draws: HMAC-SHA256 under the seed of tag, tournament and number (u32)."""
    message = _LOT + tournament.id + entrant.to_bytes(4, "big")
    return hmac.digest(tournament.secrets[LOT], message, "sha256")


def pair_round(
    tournament: Tournament, actor: Actor, command: PairRound, context: Context
) -> tuple[Event, ...]:
    """Pair the next round; one that is paired already changes nothing."""
    guards.organizer(actor)
    guards.running(tournament)
    if command.round == len(tournament.rounds):
        return ()
    last = tournament.running_round
    require(last is None or last.is_over, Refusal.ROUND_MUST_BE_OVER)
    require(command.round == len(tournament.rounds) + 1, Refusal.ROUND_MUST_BE_THE_NEXT)
    draft = Draft(tournament)
    require(not is_over_after_this(tournament), Refusal.ROUND_MUST_REMAIN)
    _pair(draft, context)
    return draft.events


def _pair(draft: Draft, context: Context) -> None:
    plan = pairings(draft.tournament)
    assert plan is not None, "there is a round to play"
    until = deadline(draft.tournament, context)
    draft.add(RoundPaired(len(draft.tournament.rounds) + 1, plan.tables, plan.byes, until))
