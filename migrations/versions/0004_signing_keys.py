"""The public keys that the log was ever signed with: what was signed is checked for ever."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute(SIGNING_KEY)


SIGNING_KEY = """
CREATE TABLE signing_key (
    log_id      smallint NOT NULL,
    key_id      text     NOT NULL,
    public_key  bytea    NOT NULL CHECK (octet_length(public_key) = 32),
    since       timestamptz NOT NULL,
    PRIMARY KEY (log_id, key_id)
)
"""
