"""Tournaments as lists show them, and of which tournament a match is a table."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


STATEMENTS = (
    # What lists show of a tournament, as of a version of its stream: the log is the truth. A row
    # comes before the stream's first event, so that no tournament is ever overlooked.
    """
    CREATE TABLE tournament (
        tournament_id uuid PRIMARY KEY,
        version       integer     NOT NULL,
        created_at    timestamptz NOT NULL,
        status        text        NOT NULL,
        is_public     boolean     NOT NULL,
        line          bytea       NOT NULL
    )
    """,
    "CREATE INDEX tournament_listed ON tournament (status, tournament_id) WHERE is_public",
    """
    CREATE INDEX tournament_going_on ON tournament (tournament_id)
    WHERE status IN ('new', 'open', 'running')
    """,
    "ALTER TABLE match_facts ADD COLUMN tournament_id uuid",
)
