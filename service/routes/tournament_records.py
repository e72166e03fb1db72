"""What an auditor takes away of a tournament: its record, beside those of its matches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final

from litestar.types import ASGIApp

from domain.audit.tournament_record import TournamentWriter
from domain.ports import Recorded, SeatHolder
from domain.tournaments.tournament import Tournament
from service.call import Call
from service.operation import Operation, Shape, operation
from service.reply import NDJSON, Reply
from service.routes.records import as_file, chunks, tagged
from service.routes.views import UNCHANGED
from service.services import Services
from service.tournament_access import seen
from service.wire import NotOlder


@operation(
    "GET",
    "/v1/tournaments/{tournament_id}/record",
    tag="Audit",
    answers=(
        Shape(200, str, media=NDJSON, headers=("ETag",), says="The record, line by line."),
        UNCHANGED,
    ),
    problems=(404, 412),
    takes=("If-None-Match", "Talon-Invite"),
)
async def get_tournament_record(call: Call, query: NotOlder) -> ASGIApp:
    """Take the whole tournament away as one file that proves itself.

    Lines of JSON: who plays under which number, every event as stored, and the signed head over
    all of it; `docs/record-format.md` says how to check them. `talon verify` does so, and holds
    each table against the record of its match where that is given too.
    """
    id = call.id("tournament_id")
    looked = await seen(call, id, query.min_version)
    services, followed = call.services, looked.followed
    version = followed.head.version
    persons = await services.registry.seat_holders(id)
    headers, is_known = tagged(call, version, looked.viewer, persons)
    if is_known:
        return Reply(b"", 304, headers)
    lines = record_lines(services, followed.tournament, followed.recorded, persons)
    return as_file(call, call.path["tournament_id"], lines, headers)


async def record_lines(
    services: Services,
    tournament: Tournament,
    events: Sequence[Recorded],
    persons: Sequence[SeatHolder],
) -> AsyncIterator[bytes]:
    """The record in chunks."""
    writer, known = TournamentWriter(tournament.id), {one.digest: one for one in persons}
    yield writer.opening(tournament.ruleset, tournament.ruleset_version)
    for number, entry in enumerate(tournament.entries):
        holder = known.get(entry.player or "")
        if holder is not None:
            yield writer.entrant(number, holder.player, holder.salt)
    async for chunk in chunks(writer, events, services.signer):
        yield chunk


OPERATIONS: Final[tuple[Operation, ...]] = (get_tournament_record,)
