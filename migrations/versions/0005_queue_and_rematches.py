"""Those who wait for a quick match, and which match is the rematch of which."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    for statement in (*QUEUE, *REMATCHES):
        op.execute(statement)


QUEUE = (
    # A person who waits, or has been given a match. wish is what they wait for: tickets are
    # matched where these bytes are equal.
    """
    CREATE TABLE queue_ticket (
        ticket    uuid PRIMARY KEY,
        player_id uuid        NOT NULL,
        salt      bytea       NOT NULL,
        wish      bytea       NOT NULL,
        since     timestamptz NOT NULL,
        until     timestamptz NOT NULL,
        match_id  uuid
    )
    """,
    "CREATE UNIQUE INDEX queue_ticket_waits ON queue_ticket (player_id) WHERE match_id IS NULL",
    """
    CREATE INDEX queue_ticket_wish ON queue_ticket (wish, since, ticket) WHERE match_id IS NULL
    """,
    "CREATE INDEX queue_ticket_match ON queue_ticket (match_id) WHERE match_id IS NOT NULL",
    "CREATE INDEX queue_ticket_player ON queue_ticket (player_id)",
    "CREATE INDEX queue_ticket_until ON queue_ticket (until)",
)

REMATCHES = (
    # Each match has one rematch at most. rematch_of is also the reason why its seats are kept.
    """
    CREATE TABLE rematch (
        match_id   uuid PRIMARY KEY,
        rematch_id uuid NOT NULL
    )
    """,
    "ALTER TABLE match_facts ADD COLUMN rematch_of uuid",
)
