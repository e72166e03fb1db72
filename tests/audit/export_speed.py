"""How fast the log leaves the service: ``python -m tests.audit.export_speed [EVENTS]``.

Over the whole application on the tests' Postgres; to the place where a server would write to the
network. Events a second of processor time of the service's process, which uses one core, and of
time on the clock, in which Postgres works as well.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import uvloop

from infra.postgres.migrate import upgrade
from service.app import build
from service.identity import Kind
from tests.audit.records import events_of
from tests.laws.anything import whole
from tests.servers import fresh_database, started
from tests.service.support import QUICK, House

RUNS = 5
COLUMNS = (
    *("log_id", "stream_id", "version", "position", "type", "schema", "occurred_at", "actor"),
    *("command_id", "data", "hash"),
)


async def main(url: str, redis_url: str, folder: str, events: int) -> None:
    """Fill a log and take it away a few times."""
    await fill(url, events)
    settings = msgspec.structs.replace(
        QUICK,
        database_url=url,
        redis_url=redis_url,
        redis_prefix=f"{secrets.token_hex(6)}:",
        data=folder,
        seal_key=base64.b64encode(bytes(range(32))).decode(),
        signing_key=base64.b64encode(bytes(range(32))).decode(),
    )
    app = build(settings, keeps=False)
    async with app.lifespan():
        auditor = await House(app, None).holder(Kind.AUDITOR)  # type: ignore[arg-type]
        taken = [await take(app, auditor.headers["Authorization"]) for _ in range(RUNS + 1)][1:]
    assert all(lines == events + 1 for _, lines, _, _ in taken), "every event, and the end"
    sizes = {size for size, _, _, _ in taken}
    busy, waited = ([one[at] for one in taken] for at in (2, 3))
    print(f"export: {events:,} events, {sizes.pop() / events:.0f} bytes each, {RUNS} runs, median")
    print(f"  {events / statistics.median(busy):,.0f} events/s of the service's processor time")
    print(f"  {events / statistics.median(waited):,.0f} events/s of time on the clock")


async def fill(url: str, events: int) -> None:
    """Put one whole match after another into the log, until there are so many events."""
    rows: list[tuple[Any, ...]] = []
    number = 0
    while len(rows) < events:
        for one in events_of(whole(number)):
            place = len(rows) + 1
            rows.append(
                (
                    *(0, one.stream, one.version, place, one.type, one.schema),
                    *(one.occurred_at, one.actor, one.command_id, one.data, one.hash),
                )
            )
        number += 1
    connection = await asyncpg.connect(url)
    try:
        await connection.set_type_codec(
            "uuid", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary"
        )
        await connection.set_type_codec(
            "timestamptz",
            schema="pg_catalog",
            encoder=lambda at: (at,),
            decoder=lambda parts: parts[0],
            format="tuple",
        )
        await connection.copy_records_to_table("event", records=rows[:events], columns=COLUMNS)
        await connection.execute("UPDATE log_counter SET position = $1", events)
        await connection.execute("ANALYZE event")
    finally:
        await connection.close()


async def take(app: Any, authorization: str) -> tuple[int, int, float, float]:
    """Export everything: bytes, lines, processor seconds of this process, seconds."""
    size = lines = 0
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/v1/audit/export",
        "raw_path": b"/v1/audit/export",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"authorization", authorization.encode())],
        "client": ("127.0.0.1", 1),
        "server": ("talon", 80),
        "state": {},
    }
    is_sent = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await is_sent.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        nonlocal size, lines
        assert message.get("status", 200) == 200, message
        size += len(message.get("body", b""))
        lines += message.get("body", b"").count(b"\n")
        if not message.get("more_body", message["type"] == "http.response.start"):
            is_sent.set()

    busy, began = time.process_time(), time.perf_counter()
    await app(scope, receive, send)
    return size, lines, time.process_time() - busy, time.perf_counter() - began


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory() as folder,
        started(Path(folder)) as servers,
        fresh_database(servers.database_url) as url,
    ):
        upgrade(url)
        count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
        uvloop.run(main(url, servers.redis_url, folder, count))
