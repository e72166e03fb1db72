"""What is kept of a person in memory, to be given to them."""

from __future__ import annotations

from domain.persons import Creation, KeptRequest
from domain.waiting import Ticket
from infra.memory import MemoryRegistry
from infra.memory_queue import MemoryQueue


class MemoryPersons:
    """Persons over the stores in memory."""

    def __init__(self, registry: MemoryRegistry, queue: MemoryQueue) -> None:
        self._registry = registry
        self._queue = queue

    async def requests(self, player: bytes) -> tuple[KeptRequest, ...]:
        """The requests of a person that are kept for retries."""
        return self._registry.requests_of(f"player:{player.hex()}")

    async def creations(
        self, player: bytes, before: bytes | None, limit: int
    ) -> tuple[Creation, ...]:
        """What a person has set up, newest first, with ids below ``before``."""
        facts = [
            one for one in self._registry.created_by(player) if not before or one.match < before
        ]
        facts.sort(key=lambda one: one.match, reverse=True)
        return tuple(Creation(one.match, one.tags) for one in facts[:limit])

    async def tickets(self, player: bytes) -> tuple[Ticket, ...]:
        """A person's tickets, the oldest first."""
        return self._queue.tickets_of(player)
