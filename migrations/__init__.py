"""The schema of the database, step by step (Alembic); run by ``infra.postgres.migrate``."""
