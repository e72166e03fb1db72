"""Who waits for a quick match: tickets, and the queue as the service needs it.

Not here: what a wish says (``service.quick_match``); here it is bytes that are equal or not.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct


class Ticket(Struct, frozen=True, gc=False):
    """A person who waits, or who has been given a match. Times in microseconds.

    Tickets of the same ``wish`` may share a match. ``salt`` is that of the mapping to come;
    ``until`` is when a ticket without a match has run out.
    """

    id: bytes
    player: bytes
    salt: bytes
    wish: bytes
    since: int
    until: int
    match: bytes | None = None


class Queue(Protocol):
    """Those who wait, durable; outside the log, since it can be erased."""

    async def enter(self, ticket: Ticket, now: int) -> Ticket | None:
        """Begin to wait; the ticket that counts: a person's first one that still waits stays.

        A repetition gives the same ticket as it stands, also one that was given back: it does not
        wait again. None for a person who is erased.
        """

    async def ticket(self, id: bytes) -> Ticket | None:
        """A ticket as it stands, even if it has run out."""

    async def stay(self, id: bytes, until: int) -> None:
        """Let a ticket that waits run out later."""

    async def pair(self, wish: bytes, people: int, match: bytes, now: int) -> bool:
        """Give a match to those who have waited longest for this, if they are enough.

        Each ticket gets one match, however many processes do this at once.
        """

    async def party(self, match: bytes) -> tuple[Ticket, ...]:
        """The tickets of a match, who waited longest first."""

    async def leave(self, id: bytes) -> bool:
        """Wait no longer; False if there is a match for this ticket already."""

    async def forget(self, player: bytes) -> None:
        """Forget the tickets of an erased person."""
