"""The role under which the service works: it may add events and never change or remove them.

Role names belong to the whole server, so each database has a role of its own name. One login is
enough: the service connects with it and sets the role on every connection.
"""

from __future__ import annotations

import hashlib
from typing import Final

ROLE: Final = (
    "'talon_app_' || left(encode(sha256(convert_to(current_database(), 'UTF8')), 'hex'), 16)"
)
"""The role's name as an SQL expression; ``role_name`` says the same."""

GRANTS: Final = {
    "log_counter": "SELECT, UPDATE",
    "stream_head": "SELECT, INSERT, UPDATE",
    "event": "SELECT, INSERT",
    "round_secret": "SELECT, INSERT, DELETE",
    "seal_key": "SELECT, INSERT",
    "signing_key": "SELECT, INSERT",
    "log_checkpoint": "SELECT, INSERT",
    "log_tile": "SELECT, INSERT, UPDATE",
    "log_restore": "SELECT, INSERT, UPDATE",
    "player": "SELECT, INSERT, UPDATE",
    "app": "SELECT, INSERT",
    "token": "SELECT, INSERT, DELETE",
    "match_facts": "SELECT, INSERT, UPDATE",
    "match_seat": "SELECT, INSERT, UPDATE, DELETE",
    "request_key": "SELECT, INSERT, UPDATE, DELETE",
    "queue_ticket": "SELECT, INSERT, UPDATE, DELETE",
    "rematch": "SELECT, INSERT, UPDATE",
    "gone": "SELECT, INSERT, UPDATE, DELETE",
    "tournament": "SELECT, INSERT, UPDATE",
    "webhook": "SELECT, INSERT, UPDATE, DELETE",
    "webhook_delivery": "SELECT, INSERT, UPDATE, DELETE",
    "webhook_position": "SELECT, INSERT, UPDATE",
    "tally": "SELECT, INSERT, UPDATE, DELETE",
    "seat_result": "SELECT, INSERT, UPDATE, DELETE",
    "alembic_version": "SELECT",
}
"""What the role may do, by table; given anew after every migration."""


def role_name(database: str) -> str:
    """The name of the service's role in the database of this name."""
    return f"talon_app_{hashlib.sha256(database.encode()).hexdigest()[:16]}"


def ensure_role() -> str:
    """A statement that creates the role if need be, and gives it exactly GRANTS.

    Fails with insufficient_privilege where the login may not create roles: then somebody who may
    creates it once and grants it to the login.
    """
    grants = "\n".join(
        f"    EXECUTE format('REVOKE ALL ON {table} FROM %I', role);\n"
        f"    EXECUTE format('GRANT {rights} ON {table} TO %I', role);"
        for table, rights in GRANTS.items()
    )
    return _ENSURE.format(role=ROLE, grants=grants)


_ENSURE: Final = """
DO $$
DECLARE
    role text := {role};
    may  text := 'MEMBER';
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN', role);
    END IF;
    -- Since Postgres 16 whoever creates a role is its member, but may not yet take it on.
    IF current_setting('server_version_num')::int >= 160000 THEN
        may := 'SET';
    END IF;
    IF NOT pg_has_role(current_user, role, may) THEN
        EXECUTE format('GRANT %I TO CURRENT_USER', role);
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', role);
{grants}
END
$$
"""
