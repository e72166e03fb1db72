"""Leaving tournaments: their open tables with them, and all of them before a person is erased."""

from __future__ import annotations

from contextlib import suppress

from domain.commands import Actor, ActorKind
from domain.refusals import RuleViolation
from domain.tournaments.commands import Withdraw
from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import Tournament
from service.idempotency import random_key
from service.play.command_ids import command_id
from service.seating import erased, get_up
from service.services import Services
from service.tournaments.contract import NoTournament, TournamentAsk


async def leave_table(
    services: Services, tournament: Tournament, player: bytes, entrant: Entrant | None
) -> None:
    """Leave the match in which an entrant plays now, if there is one (AWAY-2)."""
    round = tournament.running_round
    number = None if round is None or entrant is None else round.table_of(entrant)
    if round is None or number is None or round.tables[number].is_over:
        return
    match = round.tables[number].match
    if match is None:
        return
    id = bytes.fromhex(match)
    digest = await services.rosters.digest_of(id, player, services.now())
    if digest is not None:
        await get_up(services, id, digest)


async def withdraw(services: Services, id: bytes, digest: str) -> None:
    """Take a person out of a tournament, if they are in it."""
    key = command_id(id, ActorKind.ENTRANT, digest, random_key())
    ask = TournamentAsk(Actor(ActorKind.ENTRANT), Withdraw(), key, player=digest)
    with suppress(RuleViolation, NoTournament):  # over, or left before
        await services.tournaments.execute(id, ask)


async def withdraw_if_erased(services: Services, id: bytes, player: bytes, digest: str) -> None:
    """Withdraw again where a person was erased while they entered; raises ProblemError (403)."""
    person = (await services.registry.players((player,))).get(player)
    if person is None or person.name is not None:
        return
    await withdraw(services, id, digest)
    raise erased()
