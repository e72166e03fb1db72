"""What was done after the database was restored, and the name that the log has had since."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.execute(LOG_RESTORE)


# Begun when the log ended at position; done once every match that was open then is dealt anew.
# origin is the log's name from then on, where it went back behind the checkpoint in lost.
LOG_RESTORE = """
CREATE TABLE log_restore (
    log_id    smallint NOT NULL,
    number    integer  NOT NULL CHECK (number > 0),
    position  bigint   NOT NULL CHECK (position >= 0),
    origin    text,
    lost      text,
    begun_at  timestamptz NOT NULL,
    done_at   timestamptz,
    PRIMARY KEY (log_id, number)
)
"""
