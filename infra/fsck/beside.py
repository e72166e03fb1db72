"""What is kept beside the log and speaks of it: who sits where, and what webhooks are told."""

from __future__ import annotations

from typing import Final

from domain.audit.record import id_text
from domain.audit.stored import Broken
from infra.fsck.reading import ROWS_SECONDS
from infra.postgres.pool import Connection

FEW: Final = 100
"""Of each kind of thing, so many are named."""

_SEATS: Final = """
SELECT match_id FROM match_seat
WHERE digest <> encode(sha256(salt || uuid_send(player_id)), 'hex')
ORDER BY match_id LIMIT $1
"""
_AHEAD: Final = """
SELECT told.position, counter.position AS last
FROM webhook_position AS told JOIN log_counter AS counter USING (log_id)
WHERE told.log_id = $1 AND told.position > counter.position
"""
_TALLIES_AHEAD: Final = """
SELECT tally.position, counter.position AS last
FROM tally CROSS JOIN log_counter AS counter
WHERE counter.log_id = $1 AND tally.position > counter.position
"""
_WEBHOOKS_AHEAD: Final = """
SELECT count(*) FROM webhook, log_counter AS counter
WHERE counter.log_id = $1 AND webhook.since > counter.position
"""


async def check_beside(connection: Connection, log_id: int = 0) -> list[Broken]:
    """What does not go with the log."""
    broken = []
    for row in await connection.fetch(_SEATS, FEW, timeout=ROWS_SECONDS):
        words = "a kept player and salt do not give the digest that is kept with them"
        broken.append(Broken("seats", words, id_text(row["match_id"])))
    for row in await connection.fetch(_AHEAD, log_id):
        words = f"webhooks were told up to {row['position']}, and the log ends at {row['last']}"
        broken.append(Broken("webhooks", words))
    for row in await connection.fetch(_TALLIES_AHEAD, log_id):
        words = f"matches are counted up to {row['position']}, and the log ends at {row['last']}"
        broken.append(Broken("tallies", words))
    ahead = await connection.fetchval(_WEBHOOKS_AHEAD, log_id)
    if ahead:
        words = f"{ahead} webhooks wait for what stands after the end of the log"
        broken.append(Broken("webhooks", words))
    return broken
