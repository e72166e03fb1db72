"""Those who wait for a quick match, in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec.structs import replace

from domain.ports import Player
from domain.waiting import Ticket


class Persons(Protocol):
    """The part of the registry that tells who is erased."""

    async def players(self, ids: Sequence[bytes]) -> Mapping[bytes, Player]:
        """The persons with these ids; the name of an erased one is None."""


class MemoryQueue:
    """Queue in memory."""

    def __init__(self, persons: Persons) -> None:
        self._persons = persons
        self._tickets: dict[bytes, Ticket] = {}
        self._gone: set[bytes] = set()

    async def enter(self, ticket: Ticket, now: int) -> Ticket | None:
        """Begin to wait; the ticket that counts, None for a person who is erased."""
        person = (await self._persons.players((ticket.player,))).get(ticket.player)
        if person is not None and person.name is None:
            return None
        if ticket.id in self._tickets:
            return self._tickets[ticket.id]
        if ticket.id in self._gone:
            return ticket
        for other in self._waiting(now):
            if other.player == ticket.player:
                return other
        self._tickets[ticket.id] = ticket
        return ticket

    async def ticket(self, id: bytes) -> Ticket | None:
        """A ticket as it stands."""
        return self._tickets.get(id)

    def tickets_of(self, player: bytes) -> tuple[Ticket, ...]:
        """A person's tickets, the oldest first."""
        mine = (one for one in self._tickets.values() if one.player == player)
        return tuple(sorted(mine, key=_longest_waiting))

    async def stay(self, id: bytes, until: int) -> None:
        """Let a ticket that waits run out later."""
        ticket = self._tickets.get(id)
        if ticket is not None and ticket.match is None:
            self._tickets[id] = replace(ticket, until=max(until, ticket.until))

    async def pair(self, wish: bytes, people: int, match: bytes, now: int) -> bool:
        """Give a match to those who have waited longest for this, if they are enough."""
        waiting = sorted(
            (one for one in self._waiting(now) if one.wish == wish), key=_longest_waiting
        )
        if len(waiting) < people:
            return False
        for one in waiting[:people]:
            self._tickets[one.id] = replace(one, match=match)
        return True

    async def party(self, match: bytes) -> tuple[Ticket, ...]:
        """The tickets of a match, who waited longest first."""
        party = (one for one in self._tickets.values() if one.match == match)
        return tuple(sorted(party, key=_longest_waiting))

    async def leave(self, id: bytes) -> bool:
        """Wait no longer; False if there is a match for this ticket already."""
        ticket = self._tickets.get(id)
        if ticket is not None and ticket.match is not None:
            return False
        if self._tickets.pop(id, None) is not None:
            self._gone.add(id)
        return True

    async def forget(self, player: bytes) -> None:
        """Forget the tickets of an erased person."""
        kept = {id: one for id, one in self._tickets.items() if one.player != player}
        self._tickets = kept

    def _waiting(self, now: int) -> list[Ticket]:
        return [one for one in self._tickets.values() if one.match is None and one.until > now]


def _longest_waiting(ticket: Ticket) -> tuple[int, bytes]:
    return ticket.since, ticket.id
