"""Statistics and ratings counted anew from the log, beside those that are read, then read instead.

The live consumer goes on meanwhile, and from the switch on where the new ones stand.
"""

from __future__ import annotations

from domain.ports import EventLog
from infra.postgres.tallies import PostgresTallies
from infra.projections.scan import LogScan
from infra.projections.tally_consumer import MatchKeeping, TallyConsumer


async def rebuild_tallies(
    log: EventLog, scan: LogScan, registry: MatchKeeping, live: PostgresTallies
) -> int:
    """Count everything again; the position of the log that the new tallies have come to.

    Raises PoisonEvent at a match that cannot be understood: then nothing changes.
    """
    anew = await live.begin()
    try:
        consumer = TallyConsumer(log, scan, registry, anew, strict=True)
        while True:
            while await consumer.step(0):
                pass
            if await anew.switch():
                return consumer.position
    finally:
        await live.sweep()
