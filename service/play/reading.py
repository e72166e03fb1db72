"""A match's view, from whichever of cache, view store and log is newest and near."""

from __future__ import annotations

from msgspec import DecodeError

from domain.match import Match
from domain.ports import Unavailable, ViewStore
from domain.sight import unpack, view_of
from domain.views import TableView
from service.play.contract import StaleVersion
from service.play.projector import Projector
from service.play.tables import Tables
from service.play.viewers import Viewer


class Reading:
    """Reads views; what the store lacks is read from the log and given to it again."""

    def __init__(self, tables: Tables, views: ViewStore, projector: Projector) -> None:
        self._tables = tables
        self._views = views
        self._projector = projector
        self.without_store = 0
        """How often the store was away: for a metric."""

    async def view(self, match_id: bytes, viewer: Viewer, min_version: int) -> TableView:
        """The newest view known, at least at ``min_version``.

        Raises NoMatch, Unavailable, and StaleVersion if the match has not come that far.
        """
        stored = await self._stored(match_id)
        known = self._tables.known(match_id)
        cached = 0 if known is None else known.match.version
        if stored is None or max(stored[0], cached) < min_version:
            return _of(await self._from_log(match_id, min_version), viewer)
        if known is not None and cached >= stored[0]:
            return _of(known.match, viewer)
        try:
            views = unpack(stored[1])
        except DecodeError:  # packed by another release
            return _of(await self._from_log(match_id, min_version), viewer)
        return views.of(viewer.seat_at(views.table))

    async def _stored(self, match_id: bytes) -> tuple[int, bytes] | None:
        """What the store has; None if nothing, or if it is away."""
        try:
            return await self._views.get(match_id)
        except Unavailable:
            self.without_store += 1
            return None

    async def _from_log(self, match_id: bytes, min_version: int) -> Match:
        """The match as the log has it now, for the viewer and for the store."""
        match = (await self._tables.current(match_id)).match
        self._projector.note(match)
        if match.version < min_version:
            raise StaleVersion(match.version)
        return match


def _of(match: Match, viewer: Viewer) -> TableView:
    """The viewer's view of a state."""
    return view_of(match, viewer.seat_in(match))
