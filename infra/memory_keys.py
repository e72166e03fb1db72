"""The public keys of a log in memory."""

from __future__ import annotations

from domain.audit.statements import PublicKey


class MemoryKeys:
    """``domain.audit.statements.Keys`` in a dict."""

    def __init__(self) -> None:
        self._kept: dict[str, PublicKey] = {}

    async def keep(self, key: PublicKey) -> None:
        """Note a key that has come into use; one that is known keeps its time."""
        self._kept.setdefault(key.key_id, key)

    async def renamed(self) -> str | None:
        """None: what is in memory is never restored."""
        return None

    async def kept(self) -> tuple[PublicKey, ...]:
        """All keys that ever were in use, the oldest first."""
        return tuple(sorted(self._kept.values(), key=lambda key: (key.since, key.key_id)))
