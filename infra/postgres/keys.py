"""The public keys that a log was ever signed with, on Postgres."""

from __future__ import annotations

from domain.audit.statements import PublicKey
from infra.postgres.pool import Pool, fetch


class PostgresKeys:
    """``domain.audit.statements.Keys`` on Postgres. Keys are added and never changed."""

    def __init__(self, pool: Pool, log_id: int = 0) -> None:
        self._pool = pool
        self._log_id = log_id

    async def keep(self, key: PublicKey) -> None:
        """Note a key that has come into use; one that is known keeps its time."""
        await fetch(
            self._pool, "keep_signing_key", self._log_id, key.key_id, key.public_key, key.since
        )

    async def renamed(self) -> str | None:
        """The name that the log took after a restore, if it ever did."""
        rows = await fetch(self._pool, "renamed", self._log_id)
        return str(rows[0]["origin"]) if rows else None

    async def kept(self) -> tuple[PublicKey, ...]:
        """All keys that ever were in use, the oldest first."""
        return tuple(
            PublicKey(*row) for row in await fetch(self._pool, "signing_keys", self._log_id)
        )
