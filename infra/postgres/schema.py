"""Which step of the schema this program needs, and whether a database has it.

Not here: the steps (``migrations``), nor taking them (``infra.postgres.migrate``), which imports a
great deal that a running service does not need.
"""

from __future__ import annotations

import asyncio
from importlib.resources import files

import asyncpg

from infra.postgres.roles import GRANTS, ROLE


def head() -> str:
    """The newest step of this program: a step's file begins with its number."""
    names = (file.name for file in files("migrations.versions").iterdir())
    return max(name.partition("_")[0] for name in names if name[0].isdigit())


def at_head(url: str) -> bool:
    """Whether the database has every step, and the service's role its rights.

    Starts a loop of its own: call it before the server's, or in a thread.
    """
    return asyncio.run(_at_head(url))


async def _at_head(url: str) -> bool:
    connection = await asyncpg.connect(url)
    try:
        found = await connection.fetchval("SELECT version_num FROM alembic_version")
        return found == head() and await connection.fetchval(_ROLE_IS_READY, list(GRANTS)) is True
    except asyncpg.UndefinedTableError:
        return False
    finally:
        await connection.close()


_ROLE_IS_READY = f"""
SELECT bool_and(coalesce(has_table_privilege(role.oid, to_regclass(name), 'SELECT'), false))
FROM unnest($1::text[]) AS name, pg_roles AS role
WHERE role.rolname = {ROLE}
"""
"""NULL where there is no such role."""
