"""The history of a match as a viewer may see it, by pages, and past views."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from domain.match import Match, new_match
from domain.ports import EventLog, Stream
from domain.sight import view_of
from domain.tournaments.streams import is_tournament
from domain.views import TableView
from service.play.answers import item, public_item
from service.play.contract import Item, NoMatch
from service.play.folding import all_secrets, knowing, replayed, states_recorded
from service.play.viewers import Viewer

STATES_MAX: Final = 256
"""Past states kept, so that the next page need not fold from the start; about 5 KB each."""


class History:
    """Reads from the log alone; what is past never changes, so states of it are kept."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._states: OrderedDict[tuple[bytes, int], Match] = OrderedDict()

    async def items(
        self, match_id: bytes, viewer: Viewer, after: int, limit: int, stored: bool = False
    ) -> tuple[Item, ...]:
        """Up to ``limit`` events after a version; none beyond the head. Raises NoMatch."""
        if viewer.seat is None and viewer.player is None:
            stream = await self._log.read(match_id, after)
            if not stream.events:
                await self._check_exists(match_id)
            return tuple(public_item(one, stored) for one in stream.events[:limit])
        match, stream = await self._from(match_id, after)
        page = Stream(stream.events[:limit], {})
        steps = replayed(match, page)
        if steps:
            self._keep(steps[-1].after)
        return tuple(item(step, viewer, stored) for step in steps)

    async def view_at(self, match_id: bytes, viewer: Viewer, version: int) -> TableView:
        """The view as of a version; raises NoMatch where there is none."""
        match = await self.state_at(match_id, version)
        return view_of(match, viewer.seat_in(match))

    async def state_at(self, match_id: bytes, version: int) -> Match:
        """The match as of a version; raises NoMatch where there is none."""
        match, _ = await self._from(match_id, version)
        if match.version != version or version < 1:
            raise NoMatch
        self._keep(match)
        return match

    async def _from(self, match_id: bytes, version: int) -> tuple[Match, Stream]:
        """The state at a version (or the last one before it), and what came after it."""
        base = self._states.get((match_id, version)) or new_match(match_id)
        stream = await self._log.read(match_id, base.version)
        if base.version == 0 and (not stream.events or is_tournament(stream.events)):
            raise NoMatch
        match = knowing(base, all_secrets(stream))
        skipped = version - match.version
        passed, rest = stream.events[:skipped], stream.events[skipped:]
        if passed:
            match = states_recorded(match, passed)[-1]
        return match, Stream(rest, {})

    async def _check_exists(self, match_id: bytes) -> None:
        if not await self._log.heads((match_id,)):
            raise NoMatch

    def _keep(self, match: Match) -> None:
        """Keep a past state; the one used last stays longest."""
        states, key = self._states, (match.id, match.version)
        states[key] = match
        states.move_to_end(key)
        if len(states) > STATES_MAX:
            states.popitem(last=False)
