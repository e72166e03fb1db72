"""An index over the events that the lobby and the boards are made of: about one in sixty."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute(TABLE_EVENTS)


# A query that names exactly these types, or fewer, reads this index and no other event.
TABLE_EVENTS = """
CREATE INDEX event_of_table ON event (log_id, position) WHERE type IN (
    'bot_seated', 'match_abandoned', 'match_created', 'match_ended', 'match_started',
    'match_voided', 'player_joined', 'player_left'
)
"""
