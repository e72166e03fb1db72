"""Records of tournaments that were played in memory, as a service would have written them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from domain.audit.tournament_record import TournamentWriter
from domain.chain import genesis
from domain.commands import Actor
from domain.event import Event
from domain.ports import Cause, Head, Proposal, Recorded
from infra.encoding import recorded, rows_of
from infra.signing import SigningKey
from tests.audit.records import SIGNER
from tests.spec import seed_of
from tests.tournaments.spec import Evening

Group = tuple[Actor, int, tuple[Event, ...]]


def events_of(tournament: bytes, groups: Sequence[Group]) -> tuple[Recorded, ...]:
    """What a log would have stored of these commands."""
    stored: list[Recorded] = []
    head = Head(0, genesis(tournament))
    for number, (actor, now, events) in zip(count(), groups, strict=False):
        cause = Cause(actor, seed_of("tournament command", number)[:16], None, now)
        proposal = Proposal(tournament, head, events, cause)
        stored += recorded(proposal, rows_of(proposal), 2 * head.version + 1)
        head = Head(stored[-1].version, stored[-1].hash)
    return tuple(stored)


def record_of(
    evening: Evening,
    *,
    groups: Sequence[Group] | None = None,
    entrants: Mapping[int, tuple[bytes, bytes]] | None = None,
    signer: SigningKey = SIGNER,
) -> bytes:
    """The record of a tournament, signed; ``entrants`` are players and salts by number."""
    id = evening.tournament.id
    events = events_of(id, evening.groups if groups is None else groups)
    writer = TournamentWriter(id)
    lines = [writer.opening("talon-rules", 1)]
    lines += [writer.entrant(number, *known) for number, known in sorted((entrants or {}).items())]
    lines += [writer.events(events), writer.closing(events[-1], signer)]
    return b"".join(lines)
