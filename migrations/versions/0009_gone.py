"""What was ended on request: a late retry of the request that made it does not bring it back."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    for statement in GONE:
        op.execute(statement)


GONE = (
    # Ids of tickets and webhooks; kept for longer than the plans of requests (request_key).
    """
    CREATE TABLE gone (
        id       uuid PRIMARY KEY,
        ended_at timestamptz NOT NULL
    )
    """,
    "CREATE INDEX gone_ended ON gone (ended_at)",
)
