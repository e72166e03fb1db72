"""What is kept of a person outside the log that only they ask for: plans of requests, tickets.

Not here: names, tokens and seats (``domain.ports.Registry``), nor results (``domain.tallies``).
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from domain.waiting import Ticket


class KeptRequest(Struct, frozen=True, gc=False):
    """A request whose plan is kept for retries: its operation, its key, and until when."""

    route: str
    key: str
    until: int


class Creation(Struct, frozen=True, gc=False):
    """A match or a tournament that a person has set up, with its tags."""

    stream: bytes
    tags: tuple[str, ...]


class Persons(Protocol):
    """What is kept of a person, to be given to them. All methods may raise Unavailable."""

    async def requests(self, player: bytes) -> tuple[KeptRequest, ...]:
        """The requests of a person that are kept for retries, those kept longest first."""

    async def creations(
        self, player: bytes, before: bytes | None, limit: int
    ) -> tuple[Creation, ...]:
        """What a person has set up, newest first, with ids below ``before``."""

    async def tickets(self, player: bytes) -> tuple[Ticket, ...]:
        """A person's tickets for quick matches, the oldest first."""
