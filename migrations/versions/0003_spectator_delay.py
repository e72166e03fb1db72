"""How much later spectators of a match see what happens."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.execute(SPECTATOR_DELAY)


SPECTATOR_DELAY = """
ALTER TABLE match_facts ADD COLUMN spectator_delay integer NOT NULL DEFAULT 0
    CHECK (spectator_delay >= 0)
"""
