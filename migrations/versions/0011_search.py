"""An index over the events that tell an auditor that something went amiss in a match."""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.execute(TELLING)


# A query that names exactly these types, or fewer, reads this index and no other event.
TELLING = """
CREATE INDEX event_telling ON event (log_id, type, stream_id) WHERE type IN (
    'clock_ran_out', 'match_abandoned', 'match_ended', 'match_voided', 'player_left'
)
"""
