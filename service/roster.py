"""Which persons sit at a match: their digests in the log, and their names as of now.

What is stored of a match outside the log never changes but by erasure; names are looked up again
after NAME_SECONDS.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import UNSET, Struct

from domain.ports import MatchFacts, Registry, SeatHolder
from domain.views import SeatEntry, TableView
from service.ids import text_of
from service.recent import Recent

NAME_SECONDS: Final = 5
"""How long a person's old name may still be shown by a process."""
KEEP_SECONDS: Final = 3_600
CACHE_MATCHES: Final = 10_000
CACHE_NAMES: Final = 50_000
"""About 10 MB each at most: more than one process plays at a time."""


class Roster(Struct, frozen=True, gc=False):
    """The persons of one match, by digest and by id, and what is kept of the match.

    ``erased`` are digests in the log that stand for nobody any more: a mapping is stored before
    its digest is, so one that is missing will not come.
    """

    facts: MatchFacts | None
    persons: Mapping[str, bytes]
    digests: Mapping[bytes, str]
    erased: frozenset[str]

    def knows(self, digests: Collection[str]) -> bool:
        """Whether it is known whom each of these stands for, or that it is nobody."""
        for digest in digests:
            if digest not in self.persons and digest not in self.erased:
                return False
        return True


class Rosters:
    """Rosters and names, remembered."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._rosters: Recent[bytes, Roster] = Recent(KEEP_SECONDS, CACHE_MATCHES)
        self._names: Recent[bytes, str] = Recent(NAME_SECONDS, CACHE_NAMES)

    async def of(self, match: bytes, now: int, digests: Collection[str] = ()) -> Roster:
        """The roster of a match that accounts for all ``digests``."""
        roster = self._rosters.get(match, now)
        if roster is not None and roster.knows(digests):
            return roster
        return await self._load(match, now, digests)

    async def fresh(self, match: bytes, now: int) -> Roster:
        """The roster of a match as it is stored now, whatever is remembered."""
        return await self._load(match, now)

    def is_public(self, match: bytes, now: int) -> bool:
        """Whether it is remembered that anybody may know of a match: it has no invite."""
        roster = self._rosters.get(match, now)
        return roster is not None and roster.facts is not None and roster.facts.invite_hash is None

    def known_digest(self, match: bytes, player: bytes, now: int) -> str | None:
        """The same as ``digest_of``, if it is remembered."""
        roster = self._rosters.get(match, now)
        return None if roster is None else roster.digests.get(player)

    async def digest_of(self, match: bytes, player: bytes, now: int) -> str | None:
        """The digest of a person in a match; None if no seat there was ever held for them."""
        roster = self._rosters.get(match, now)
        if roster is None or player not in roster.digests:
            roster = await self._load(match, now)
        return roster.digests.get(player)

    async def names(self, players: Iterable[bytes], now: int) -> dict[bytes, str]:
        """The names of persons; who was erased is left out."""
        names: dict[bytes, str] = {}
        missing: list[bytes] = []
        for player in players:
            name = self._names.get(player, now)
            if name is None:
                missing.append(player)
            else:
                names[player] = name
        if missing:  # the others are about to be: asked together, they grow old together
            for player, person in (await self._registry.players((*names, *missing))).items():
                if person.name is not None:
                    names[player] = person.name
                    self._names.put(player, person.name, now)
        return names

    async def present(
        self, stream: bytes, digests: Collection[str | None], now: int
    ) -> dict[str, tuple[str, str]]:
        """The ids, as text, and names of those whom digests stand for; not of who is erased."""
        known = [digest for digest in digests if digest is not None]
        persons = (await self.of(stream, now, known)).persons
        here = {digest: persons[digest] for digest in known if digest in persons}
        names = await self.names(here.values(), now)
        return {
            digest: (_text_of(person), names[person])
            for digest, person in here.items()
            if person in names
        }

    async def named(self, match: bytes, view: TableView, now: int) -> TableView:
        """A view as it is answered: with players' ids and names in place of digests."""
        digests = [entry.player for entry in view.seats if isinstance(entry.player, str)]
        roster = await self.of(match, now, digests)
        persons = {digest: roster.persons[digest] for digest in digests if digest in roster.persons}
        names = await self.names(persons.values(), now)
        seats = []
        for entry in view.seats:
            person = persons.get(entry.player) if isinstance(entry.player, str) else None
            name = names.get(person) if person is not None else None
            seats.append(
                SeatEntry(  # written out: a third of what replacing three fields takes
                    entry.seat,
                    entry.bot,
                    entry.cards,
                    entry.score,
                    entry.uno,
                    entry.state,
                    UNSET,
                    _text_of(person) if person is not None and name is not None else None,
                    name,
                )
            )
        return msgspec.structs.replace(view, seats=tuple(seats))

    def forget(self, player: bytes) -> None:
        """Drop a name that has changed or is erased."""
        self._names.drop(player)

    async def _load(self, match: bytes, now: int, digests: Collection[str] = ()) -> Roster:
        facts = await self._registry.match_facts(match)
        holders: tuple[SeatHolder, ...] = await self._registry.seat_holders(match)
        persons = {holder.digest: holder.player for holder in holders}
        before = self._rosters.get(match, now)
        unknown = {*digests, *(before.erased if before is not None else ())}
        roster = Roster(
            facts,
            persons,
            {holder.player: holder.digest for holder in holders},
            frozenset(unknown - persons.keys()),
        )
        if facts is not None or holders:
            self._rosters.put(match, roster, now)
        return roster


_text_of: Final = lru_cache(4_096)(text_of)
"""Ids as text, of the persons who are shown again and again."""
