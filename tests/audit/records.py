"""Records of matches that were played in memory, as a service would have written them."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.audit.record import Writer
from domain.chain import genesis
from domain.commands import Actor, ActorKind, CreateMatch, JoinMatch, SeatBot
from domain.deal import player_digest
from domain.events import Event, PlayerJoined, Seat
from domain.ports import Cause, Head, Proposal, Recorded
from infra.encoding import recorded, rows_of
from infra.signing import SigningKey
from tests.laws.table import Step, Table
from tests.spec import seed_of

SIGNER: Final = SigningKey(seed_of("signing key"))


def events_of(table: Table) -> tuple[Recorded, ...]:
    """What a log would have stored of the match, each event by who would have caused it.

    Digests in memory are of nobody; here they are of the persons of ``person_of``.
    """
    stored: list[Recorded] = []
    head = Head(0, genesis(table.match.id))
    for steps in commands_of(table.steps):
        cause = Cause(actor_of(steps[0]), command_id_of(table, head.version), None, steps[0].now)
        proposal = Proposal(
            table.match.id, head, tuple(of_persons(step.event) for step in steps), cause
        )
        first = 3 * head.version + 1  # other matches' events stand between
        stored += recorded(proposal, rows_of(proposal), first)
        head = Head(stored[-1].version, stored[-1].hash)
    return tuple(stored)


def record_of(table: Table, signer: SigningKey = SIGNER) -> bytes:
    """The record of a match, signed."""
    seats = {
        seat: person_of(taken.player)
        for seat, taken in enumerate(table.match.seats)
        if taken.player is not None
    }
    return written(table.match.id, events_of(table), seats, signer)


def person_of(digest: str) -> tuple[bytes, bytes]:
    """The id of a person whom a digest in memory stands for, and the salt."""
    return seed_of("id", digest)[:16], seed_of("salt", digest)[:16]


def of_persons(event: Event) -> Event:
    """The event, with the digest of a person in place of one of nobody."""
    if not isinstance(event, PlayerJoined):
        return event
    player, salt = person_of(event.player)
    return replace(event, player=player_digest(salt, player))


def written(
    match: bytes,
    events: tuple[Recorded, ...],
    seats: dict[int, tuple[bytes, bytes]],
    signer: SigningKey = SIGNER,
) -> bytes:
    """The record of these events; ``seats`` are players and salts."""
    writer = Writer(match)
    lines = [writer.opening("talon-rules", 1)]
    lines += [writer.seat(seat, *known) for seat, known in sorted(seats.items())]
    lines += [writer.events(events), writer.closing(events[-1], signer)]
    return b"".join(lines)


def commands_of(steps: list[Step]) -> list[list[Step]]:
    """The steps, those of one command together: each of its events was decided on one match."""
    commands: list[list[Step]] = []
    for step in steps:
        last = commands[-1][0] if commands else None
        if last is not None and last.command is step.command and last.actor is step.actor:
            commands[-1].append(step)
        else:
            commands.append([step])
    return commands


def command_id_of(table: Table, version: int) -> bytes:
    return seed_of("command", table.seed, version)[:16]


def actor_of(step: Step) -> Actor:
    """Who would have sent the command to a service."""
    command, actor, before = step.command, step.actor, step.before
    if isinstance(command, CreateMatch | JoinMatch):
        return Actor(ActorKind.SEAT, Seat(len(before.seats)))
    if isinstance(command, SeatBot):
        return Actor(ActorKind.SEAT, before.host)
    seat = actor.seat
    if actor.kind is ActorKind.SEAT and seat is not None and before.seats[seat].bot is not None:
        is_away = seat in before.away
        return actor if is_away else Actor(ActorKind.BOT, seat)
    return actor
