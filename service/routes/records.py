"""What an auditor takes away: the record of a match, and the keys of its signatures."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from typing import Final

from litestar.types import ASGIApp

from domain.audit.record import Writer
from domain.audit.statements import Signer
from domain.audit.tournament_record import TournamentWriter
from domain.events import BotSeated, MatchStarted, PlayerJoined, PlayerLeft
from domain.moments import rfc3339
from domain.options import RULESET, RULESET_VERSION
from domain.ports import Recorded, SeatHolder
from service import access, versions
from service.call import Call
from service.operation import Operation, Shape, operation
from service.reply import NDJSON, Headers, Reply, as_json, streamed
from service.routes.views import UNCHANGED
from service.services import Services
from service.wire import KeyLine, NotOlder, SigningKeys

LINES_AT_ONCE: Final = 200
"""Between chunks of so many lines, others are served."""


@operation(
    "GET",
    "/v1/matches/{match_id}/record",
    tag="Audit",
    answers=(
        Shape(200, str, media=NDJSON, headers=("ETag",), says="The record, line by line."),
        UNCHANGED,
    ),
    problems=(404, 412),
    takes=("If-None-Match", "Talon-Invite"),
)
async def get_match_record(call: Call, query: NotOlder) -> ASGIApp:
    """Take the whole match away as one file that proves itself.

    Lines of JSON: who sat where, every event as stored, and the signed head over all of it;
    `docs/record-format.md` says how to read and check them, `talon verify` does so. Whoever sees
    the match may have its record. While the match goes on it holds nothing that is hidden.
    """
    match = call.id("match_id")
    looked = await access.seen(call, match, query.min_version)
    services, version = call.services, looked.view.version
    seats = await services.registry.seat_holders(match)
    headers, is_known = tagged(call, version, looked.viewer, seats)
    if is_known:
        return Reply(b"", 304, headers)
    events = (await services.log.read(match)).events[:version]
    lines = record_lines(services, match, events, seats)
    return as_file(call, call.path["match_id"], lines, headers)


@operation(
    "GET",
    "/v1/log/keys",
    tag="Audit",
    answers=(Shape(200, SigningKeys),),
)
async def list_signing_keys(call: Call) -> ASGIApp:
    """List the public keys that signatures are checked with, the newest first.

    Keep them: a key that was used once stays in this list, with the time when the next one took
    its place.
    """
    lines: list[KeyLine] = []
    until: str | None = None
    for key in reversed(await call.services.keys.kept()):
        since = rfc3339(key.since)
        lines.append(KeyLine(key.key_id, "ed25519", key.public_key.hex(), since, until))
        until = since
    return as_json(SigningKeys(call.services.signer.key_id, tuple(lines)))


def etag(
    services: Services, version: int, viewer: versions.Viewer, seats: Sequence[SeatHolder]
) -> str:
    """The tag of a record: who is erased, or a new key, makes another of the same version."""
    known = hashlib.sha256(services.signer.public_key)
    for holder in sorted(seats, key=lambda one: one.digest):
        known.update(holder.digest.encode())
    return f'"{version}.{viewer}.{known.hexdigest()[:16]}"'


def tagged(
    call: Call, version: int, viewer: versions.Viewer, seats: Sequence[SeatHolder]
) -> tuple[Headers, bool]:
    """The headers of a record, and whether the caller has it already (``If-None-Match``)."""
    tag = etag(call.services, version, viewer, seats)
    known = (one.strip() for one in (call.header(b"if-none-match") or "").split(","))
    return (("ETag", tag), *versions.headers(version, viewer)[1:]), tag in known


def as_file(call: Call, name: str, lines: AsyncIterator[bytes], headers: Headers) -> ASGIApp:
    """A record to be kept under a name."""
    named = ("Content-Disposition", f'attachment; filename="{name}.ndjson"')
    return streamed(call.scope, lines, NDJSON, (*headers, named))


async def chunks(
    writer: Writer | TournamentWriter, events: Sequence[Recorded], signer: Signer
) -> AsyncIterator[bytes]:
    """The events of a record and its last line; others are served in between."""
    for start in range(0, len(events), LINES_AT_ONCE):
        yield writer.events(events[start : start + LINES_AT_ONCE])
        await asyncio.sleep(0)
    yield writer.closing(events[-1], signer)


async def record_lines(
    services: Services, match: bytes, events: Sequence[Recorded], seats: Sequence[SeatHolder]
) -> AsyncIterator[bytes]:
    """The record in chunks."""
    writer, known = Writer(match), {holder.digest: holder for holder in seats}
    yield writer.opening(RULESET, RULESET_VERSION)
    for seat, digest in enumerate(seating(events)):
        if digest in known:
            yield writer.seat(seat, known[digest].player, known[digest].salt)
    async for chunk in chunks(writer, events, services.signer):
        yield chunk


def seating(events: Sequence[Recorded]) -> list[str | None]:
    """Whose digest is on each seat after these events; None for a bot. Fixed once play begins."""
    seats: list[str | None] = []
    for recorded in events:
        event = recorded.event
        if isinstance(event, PlayerJoined | BotSeated):
            seats.append(event.player if isinstance(event, PlayerJoined) else None)
        elif isinstance(event, PlayerLeft):
            del seats[event.seat]
        elif isinstance(event, MatchStarted):
            break
    return seats


OPERATIONS: Final[tuple[Operation, ...]] = (get_match_record, list_signing_keys)
