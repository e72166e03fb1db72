"""Whole matches in a log, as a service would have stored them."""

from __future__ import annotations

from collections.abc import Sequence

from domain.chain import genesis
from domain.events import Event, RoundCommitted, SeedRevealed
from domain.ports import Cause, EventLog, Head, Proposal
from tests.audit.records import actor_of, command_id_of, commands_of, of_persons
from tests.laws.table import Table, played
from tests.spec import seed_of

BEGAN = 1_764_513_603_000_000
"""When the first match began, in microseconds since the epoch."""


def whole(seed: int) -> Table:
    """A match that was played to its end."""
    *_, table = played(seed)
    return table


def begun(seed: int, version: int) -> Table:
    """A match that goes on: its first events, up to a version at least."""
    return next(table for table in played(seed) if table.match.version >= version)


async def store(log: EventLog, table: Table, after: Head | None = None) -> Head:
    """Store a match, or what it has after a head, command by command; where it stands then."""
    head = after or Head(0, genesis(table.match.id))
    for steps in commands_of(table.steps[head.version :]):
        events = tuple(of_persons(step.event) for step in steps)
        after = steps[-1].after
        cause = Cause(
            actor_of(steps[0]),
            command_id_of(table, head.version),
            seed_of("fingerprint", head.version),
            BEGAN + 1_000 * head.version,
        )
        proposal = Proposal(
            table.match.id,
            head,
            events,
            cause,
            secrets=_secrets(table, events),
            revealed=tuple(one.round for one in events if isinstance(one, SeedRevealed)),
            is_open=not after.is_over,
        )
        last = (await log.append(proposal))[-1]
        head = Head(last.version, last.hash)
    return head


def _secrets(table: Table, events: Sequence[Event]) -> dict[int, bytes]:
    return {
        one.round: table.match.secrets[one.round]
        for one in events
        if isinstance(one, RoundCommitted)
    }
