"""The next round of a tournament, by its format. It follows from the history alone: no dice."""

from __future__ import annotations

from domain.tournaments.knockout import knockout
from domain.tournaments.pairs import ROUNDS as ROUNDS_OF_PAIRS
from domain.tournaments.pairs import pairs
from domain.tournaments.plan import Plan
from domain.tournaments.settings import Settings
from domain.tournaments.standings import points_by_entrant
from domain.tournaments.swiss import has_another_round, swiss
from domain.tournaments.terms import Format
from domain.tournaments.tournament import Tournament


def pairings(tournament: Tournament) -> Plan | None:
    """Who meets whom in the round after those played; None if there is none."""
    played = len(tournament.rounds)
    match tournament.settings.format:
        case Format.ROTATING_PARTNERS_4:
            return None if played else Plan((tournament.seeding,))
        case Format.PAIRS_8:
            return pairs(tournament.seeding, played)
        case Format.KNOCKOUT:
            return knockout(tournament)
        case Format.SWISS:
            return swiss(tournament, points_by_entrant(tournament))


def is_over_after_this(tournament: Tournament) -> bool:
    """Whether no round comes after those played: found without pairing a swiss, which is dear."""
    if tournament.settings.format is Format.SWISS:
        return not has_another_round(tournament)
    return pairings(tournament) is None


def rounds_of(settings: Settings, entrants: int) -> int | None:
    """How many rounds are played by so many; None where that depends on who loses."""
    match settings.format:
        case Format.ROTATING_PARTNERS_4:
            return 1
        case Format.PAIRS_8:
            return ROUNDS_OF_PAIRS
        case Format.KNOCKOUT:
            return None
        case Format.SWISS:
            return settings.rounds or (entrants - 1).bit_length()
