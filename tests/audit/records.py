"""Records of matches that were played in memory, as a service would have written them."""

from __future__ import annotations

from typing import Final

from domain.audit.record import Writer
from domain.chain import genesis
from domain.commands import Actor, ActorKind, CreateMatch, JoinMatch, SeatBot
from domain.events import Seat
from domain.ports import Cause, Head, Proposal, Recorded
from infra.encoding import recorded, rows_of
from infra.signing import SigningKey
from tests.laws.table import Step, Table
from tests.spec import seed_of

SIGNER: Final = SigningKey(seed_of("signing key"))


def events_of(table: Table) -> tuple[Recorded, ...]:
    """What a log would have stored of the match, each event by who would have caused it."""
    stored: list[Recorded] = []
    head = Head(0, genesis(table.match.id))
    for steps in _commands(table.steps):
        cause = Cause(_actor(steps[0]), _command_id(table, head.version), None, steps[0].now)
        proposal = Proposal(table.match.id, head, tuple(step.event for step in steps), cause)
        first = 3 * head.version + 1  # other matches' events stand between
        stored += recorded(proposal, rows_of(proposal), first)
        head = Head(stored[-1].version, stored[-1].hash)
    return tuple(stored)


def record_of(table: Table, signer: SigningKey = SIGNER) -> bytes:
    """The record of a match, signed."""
    return written(table.match.id, events_of(table), {}, signer)


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


def _commands(steps: list[Step]) -> list[list[Step]]:
    """The steps, those of one command together: each of its events was decided on one match."""
    commands: list[list[Step]] = []
    for step in steps:
        last = commands[-1][0] if commands else None
        if last is not None and last.command is step.command and last.actor is step.actor:
            commands[-1].append(step)
        else:
            commands.append([step])
    return commands


def _command_id(table: Table, version: int) -> bytes:
    return seed_of("command", table.seed, version)[:16]


def _actor(step: Step) -> Actor:
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
