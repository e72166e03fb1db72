"""Alembic's environment: runs the steps on the connection that ``infra.postgres.migrate`` opened.

Not here: logging configuration (Alembic's would reset the service's), nor where the database is.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

connection: Connection | None = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("Run `talon migrate`: it opens the connection and takes the lock.")
context.configure(connection=connection, transaction_per_migration=True)
with context.begin_transaction():
    context.run_migrations()
