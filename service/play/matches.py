"""The matches: the whole of play behind one object. It wires its parts and holds no logic."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

from domain.commands import SERVICE, Actor, ActorKind, CreateMatch, PlaceMatch
from domain.events import Seat
from domain.match import Match
from domain.ports import EventLog, Hints, Unavailable, ViewStore
from domain.views import TableView
from service.play.bots import Bots
from service.play.cache import MATCHES_MAX, Cache
from service.play.contract import Ask, Busy, Done, Folded, Item
from service.play.delays import Delays
from service.play.errands import due_at
from service.play.handle import Handler
from service.play.history import History
from service.play.hub import Hub
from service.play.projector import Projector
from service.play.reading import Reading
from service.play.recollections import Recollections
from service.play.sweep import Sweep
from service.play.tables import Tables
from service.play.times import now_us
from service.play.viewers import Viewer
from service.settings import Settings


class Matches:
    """``Play`` over a log, a view store and hints. ``start`` and ``stop`` it once."""

    def __init__(
        self,
        log: EventLog,
        views: ViewStore,
        hints: Hints,
        settings: Settings,
        *,
        now: Callable[[], int] = now_us,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        matches_max: int = MATCHES_MAX,
    ) -> None:
        self.tables = Tables(log, Cache(matches_max))
        self.projector = Projector(views)
        self.history_of = History(log)
        self.hub = Hub(log, self.tables, self.history_of, hints, settings.heartbeat_seconds)
        self.delays = Delays(log, self.tables, self.history_of, now, settings.heartbeat_seconds)
        self.reading = Reading(self.tables, views, self.projector)
        self.handler = Handler(
            log,
            self.tables,
            due_at=lambda match, at: due_at(match, at, settings),
            committed=self._committed,
            clock=now,
            entropy=entropy,
        )
        self.bots = Bots(self.tables, self.handler, Recollections(log), settings, entropy)
        self.told: list[Callable[[Match], None]] = []
        """Who else is told of every match that moved here."""
        self.sweep = Sweep(log, self.tables, self.handler, self.bots, now)

    async def start(self) -> None:
        """Begin the work beside the requests."""
        self.projector.start()
        self.hub.start()
        self.sweep.start()

    async def stop(self) -> None:
        """End streams and bots, finish the commands under way, write the last views."""
        await self.end_streams()
        await self.sweep.stop()
        await self.bots.stop()
        await self.handler.drain()
        await self.tables.stop()
        await self.projector.stop()

    async def end_streams(self) -> None:
        """End every stream, after what it has been given."""
        self.delays.stop()
        await self.hub.stop()

    async def create(self, match_id: bytes, command: CreateMatch, ask_id: bytes) -> Done:
        """Create a match under an id reserved before; a repetition gives the first answer."""
        actor = Actor(ActorKind.APP if command.player is None else ActorKind.SEAT)
        return await self.execute(match_id, Ask(actor, command, ask_id, player=command.player))

    async def place(self, match_id: bytes, command: PlaceMatch, ask_id: bytes) -> Done:
        """Create a match that begins in a position; a repetition gives the first answer."""
        return await self.execute(match_id, Ask(SERVICE, command, ask_id))

    async def execute(self, match_id: bytes, ask: Ask) -> Done:
        """Carry out a command once; raises NoMatch, StaleVersion, KeyReused, Busy."""
        return await self.handler.execute(match_id, ask)

    async def dry_run(self, match_id: bytes, ask: Ask) -> int:
        """The current version if the command would be accepted; raises as ``execute``."""
        return await self.handler.dry_run(match_id, ask)

    async def folded(self, match_id: bytes, min_version: int = 0) -> Folded:
        """The match as the log had it within the last second, at least at ``min_version``."""
        with _busy_while_away():
            return await self.tables.folded(match_id, min_version)

    async def view(
        self,
        match_id: bytes,
        seat: Seat | None,
        min_version: int = 0,
        *,
        player: str | None = None,
    ) -> TableView:
        """A view, from the cache, the view store or the log; see ``Play``."""
        with _busy_while_away():
            return await self.reading.view(match_id, Viewer(seat, player), min_version)

    async def state_at(self, match_id: bytes, version: int) -> Match:
        """The match as of a past version; see ``Play``."""
        with _busy_while_away():
            return await self.history_of.state_at(match_id, version)

    async def view_at(
        self, match_id: bytes, seat: Seat | None, version: int, *, player: str | None = None
    ) -> TableView:
        """The view as of a past version; see ``Play``."""
        with _busy_while_away():
            return await self.history_of.view_at(match_id, Viewer(seat, player), version)

    async def history(
        self,
        match_id: bytes,
        seat: Seat | None,
        after: int,
        limit: int,
        stored: bool = False,
        *,
        player: str | None = None,
    ) -> tuple[Item, ...]:
        """Events after a version as a viewer may see them; see ``Play``."""
        viewer = Viewer(seat, player)
        with _busy_while_away():
            return await self.history_of.items(match_id, viewer, after, limit, stored)

    def stream(
        self, match_id: bytes, seat: Seat | None, after: int, *, player: str | None = None
    ) -> AsyncIterator[Item | None]:
        """Events after a version, live; see ``Play``."""
        return self.hub.stream(match_id, Viewer(seat, player), after)

    async def version_seen(self, match_id: bytes, delay: int) -> int:
        """How far a match has come for who sees it so many seconds later; see ``Play``."""
        with _busy_while_away():
            return await self.delays.version(match_id, delay)

    def stream_later(self, match_id: bytes, after: int, delay: int) -> AsyncIterator[Item | None]:
        """Public events after a version, each so many seconds later; see ``Play``."""
        return self.delays.stream(match_id, after, delay)

    def _committed(self, match: Match) -> None:
        """What follows from a command that was carried out here."""
        self.projector.note(match)
        self.bots.committed(match)
        for tell in self.told:
            tell(match)


@contextmanager
def _busy_while_away() -> Iterator[None]:
    """Tell callers to come back while the store is away."""
    try:
        yield
    except Unavailable:
        raise Busy from None
