"""A tournament's command: found again, decided, appended, answered; as a match's, but rarer.

Not here: what a command does (``domain.tournaments.decide``), nor who may send it (the routes).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final
from weakref import WeakValueDictionary

from domain.commands import Actor, ActorKind, Context
from domain.deal import SEED_BYTES
from domain.event import Event
from domain.events import Seat
from domain.limits import APPEND_RETRIES, PAGE_ITEMS
from domain.ports import (
    Cause,
    DuplicateCommand,
    EventLog,
    OutcomeUnknown,
    Proposal,
    Stream,
    Unavailable,
    WrongVersion,
)
from domain.refusals import Refusal, RuleViolation
from domain.tournaments.commands import (
    AnyTournamentCommand,
    CreateTournament,
    Enter,
    PairRound,
    StartTournament,
)
from domain.tournaments.decide import decide, secrets_of
from domain.tournaments.lines import TournamentLine, TournamentLines
from domain.tournaments.standings import Line, standings
from domain.tournaments.streams import is_tournament
from domain.tournaments.tournament import Tournament
from service.play.background import BACKOFF_SECONDS, Background
from service.play.cache import Mailbox
from service.play.contract import Busy, KeyReused, StaleVersion
from service.play.times import now_us
from service.tournaments.contract import (
    Followed,
    NoTournament,
    TournamentAsk,
    TournamentDone,
    TournamentItem,
    item,
)
from service.tournaments.folding import (
    advanced,
    done,
    nothing_done,
    nothing_yet,
    revealed,
)

KEPT: Final = 200
EVENTS_KEPT: Final = 100_000
"""How many tournaments are remembered, with how many events in all: about a hundred megabytes. One
of 128 entrants and 16 rounds has more than two thousand."""
LATE_SECONDS: Final = 1.0
"""How late a stream may be about what another process did. Half of it passes between looks, and
a look that another stream had within the other half will do: many read the log as often as one."""

_PAIRS: Final = (StartTournament, PairRound)
"""What pairs a round: with 128 entrants it takes up to a second."""


class _Place:
    """What this process knows of one tournament; change it only while holding ``mailbox``."""

    __slots__ = ("__weakref__", "checked_at", "followed", "mailbox", "moved", "standings")

    def __init__(self) -> None:
        self.followed: Followed | None = None
        self.checked_at = float("-inf")
        self.mailbox = Mailbox()
        self.moved = asyncio.Event()
        self.standings: tuple[int, tuple[Line, ...]] = (0, ())
        """By the version of the tournament."""


class Tournaments:
    """The tournaments, each command carried out once. ``moved`` is told of each that moved."""

    def __init__(
        self,
        log: EventLog,
        lines: TournamentLines,
        *,
        heartbeat_seconds: float,
        stopping: asyncio.Event,
        clock: Callable[[], int] = now_us,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._log = log
        self.lines = lines
        self._heartbeat_seconds = heartbeat_seconds
        self.clock = clock
        self._entropy = entropy
        self._places: WeakValueDictionary[bytes, _Place] = WeakValueDictionary()
        self._recent: OrderedDict[bytes, _Place] = OrderedDict()
        self._running = Background()
        self._stopping = stopping
        self.moved: Callable[[Tournament], None] = lambda _: None

    async def execute(self, id: bytes, ask: TournamentAsk) -> TournamentDone:
        """Carry out a command once, to its end even if the caller goes away.

        Raises NoTournament, StaleVersion, KeyReused, Busy, and refusals as RuleViolation.
        """
        task = self._running.start(self._execute(id, ask))
        task.add_done_callback(_seen)
        return await asyncio.shield(task)

    async def dry_run(self, id: bytes, ask: TournamentAsk) -> None:
        """Raise what a command would be refused with, as things stand."""
        is_new = isinstance(ask.command, CreateTournament)
        followed = nothing_yet(id) if is_new else await self.current(id)
        decide(followed.tournament, _actor(ask, followed), ask.command, self._context(followed))

    async def current(self, id: bytes) -> Followed:
        """A tournament as the log has it now; raises NoTournament and Busy."""
        place = self._place(id)
        async with place.mailbox:
            return await self._refreshed(id, place)

    def standings(self, followed: Followed) -> tuple[Line, ...]:
        """Where everybody stands: counted once for each version, however many ask."""
        tournament = followed.tournament
        if not tournament.seeding:
            return ()
        place = self._place(tournament.id)
        if place.standings[0] != tournament.version:
            place.standings = tournament.version, standings(tournament)
        return place.standings[1]

    async def history(self, id: bytes, after: int, limit: int) -> tuple[TournamentItem, ...]:
        """Events after a version; raises NoTournament and Busy."""
        followed = await self.current(id)
        return tuple(item(one) for one in followed.recorded[after : after + limit])

    async def stream(self, id: bytes, after: int) -> AsyncIterator[TournamentItem | None]:
        """Events after a version as they come, and None for each heartbeat, until it is over."""
        place = self._place(id)
        loop = asyncio.get_running_loop()
        beat = loop.time() + self._heartbeat_seconds
        while not self._stopping.is_set():
            place.moved.clear()
            with suppress(Busy):
                followed = await self._seen_lately(id, place)
                for one in followed.recorded[after:][:PAGE_ITEMS]:
                    yield item(one)
                    after = one.version
                    beat = loop.time() + self._heartbeat_seconds
                if after < followed.head.version:
                    continue
                if followed.tournament.is_over:
                    return
            with suppress(TimeoutError):
                async with asyncio.timeout(LATE_SECONDS / 2):
                    await place.moved.wait()
            if loop.time() >= beat:
                beat = loop.time() + self._heartbeat_seconds
                yield None

    async def _seen_lately(self, id: bytes, place: _Place) -> Followed:
        """A tournament as the log had it a moment ago at most; raises as ``current``."""
        async with place.mailbox:
            known = place.followed
            if known is not None and _now() - place.checked_at < LATE_SECONDS / 2:
                return known
            return await self._refreshed(id, place)

    async def stop(self) -> None:
        """Wait for the commands under way."""
        await self._running.drain()

    async def tell_lists(self, followed: Followed) -> None:
        """Have lists show the tournament as it is; a sweep does it later if they are away."""
        with suppress(Unavailable):
            await self.lines.put(line_of(followed))

    def _place(self, id: bytes) -> _Place:
        place = self._places.get(id)
        if place is None:
            place = self._places[id] = _Place()
        self._recent[id] = place
        self._recent.move_to_end(id)
        while len(self._recent) > 1 and (len(self._recent) > KEPT or self._events() > EVENTS_KEPT):
            self._recent.popitem(last=False)
        return place

    def _events(self) -> int:
        """How many events are remembered in all."""
        known = (place.followed for place in self._recent.values())
        return sum(len(one.recorded) for one in known if one is not None)

    async def _execute(self, id: bytes, ask: TournamentAsk) -> TournamentDone:
        place = self._place(id)
        async with place.mailbox:
            try:
                answer = await self._settle(id, place, ask)
            except Unavailable:
                raise Busy from None
            followed = place.followed
        if followed is not None:
            await self.tell_lists(followed)
            self.moved(followed.tournament)
        return answer

    async def _settle(self, id: bytes, place: _Place, ask: TournamentAsk) -> TournamentDone:
        """Decide and append, on a newer state each time that another process was faster."""
        is_ours = False
        for _ in range(1 + APPEND_RETRIES):
            await self._look(id, place, ask)
            before = place.followed or nothing_yet(id)
            first = before.commands.get(ask.command_id)
            if first is not None:
                if first[0] != ask.fingerprint:
                    raise KeyReused
                return done(before, first[1], first[2], repeated=not is_ours)
            try:
                return await self._attempt(id, place, before, ask)
            except (WrongVersion, DuplicateCommand):
                continue
            except OutcomeUnknown:
                is_ours = True
                await self._await_log()
        raise Busy

    async def _attempt(
        self, id: bytes, place: _Place, before: Followed, ask: TournamentAsk
    ) -> TournamentDone:
        actor = _actor(ask, before)
        if ask.if_match is not None and ask.if_match != before.head.version:
            raise StaleVersion(before.head.version)
        context = self._context(before)
        events = await _decided(before.tournament, actor, ask.command, context)
        if not events:
            return nothing_done(before)
        kept = secrets_of(events, context)
        recorded = await self._log.append(
            Proposal(
                stream=id,
                head=before.head,
                events=events,
                cause=Cause(actor, ask.command_id, ask.fingerprint, context.now),
                secrets=kept,
                revealed=revealed(events),
                is_open=False,
            )
        )
        after = self._moved(place, before, Stream(recorded, kept))
        return done(after, before.head.version + 1, after.head.version, repeated=False)

    async def _look(self, id: bytes, place: _Place, ask: TournamentAsk) -> None:
        """Read what is new; a tournament that is to be set up need not be there."""
        try:
            await self._refreshed(id, place)
        except NoTournament:
            if not isinstance(ask.command, CreateTournament):
                raise

    async def _refreshed(self, id: bytes, place: _Place) -> Followed:
        known = place.followed
        before, asked_at = known or nothing_yet(id), _now()
        try:
            stream = await self._log.read(id, before.head.version)
        except Unavailable:
            raise Busy from None
        if not stream.events:
            if known is None:
                raise NoTournament
            place.checked_at = asked_at
            return known
        if known is None and not is_tournament(stream.events):
            raise NoTournament
        place.checked_at = asked_at
        return self._moved(place, before, stream)

    def _moved(self, place: _Place, before: Followed, stream: Stream) -> Followed:
        place.followed = advanced(before, stream)
        place.moved.set()
        return place.followed

    async def _await_log(self) -> None:
        """Wait until the log answers again, after an append whose outcome is not known."""
        for pause in BACKOFF_SECONDS:
            try:
                await self._log.position()
            except Unavailable:
                await asyncio.sleep(pause)
            else:
                return
        raise Unavailable

    def _context(self, followed: Followed) -> Context:
        """A time later than that of the last event, and fresh bytes."""
        now = max(self.clock(), followed.occurred_at + 1)
        return Context(now, self._entropy(SEED_BYTES))


def line_of(followed: Followed) -> TournamentLine:
    """A tournament as lists show it."""
    tournament = followed.tournament
    return TournamentLine(
        tournament=tournament.id,
        version=followed.head.version,
        created_at=followed.created_at,
        status=tournament.status,
        visibility=tournament.visibility,
        format=tournament.settings.format,
        entrants=len(tournament.present),
        rounds=len(tournament.rounds),
    )


async def _decided(
    tournament: Tournament, actor: Actor, command: AnyTournamentCommand, context: Context
) -> tuple[Event, ...]:
    """What a command leads to; where many are paired, in a thread, so that nobody else waits."""
    if isinstance(command, _PAIRS):
        return await asyncio.to_thread(decide, tournament, actor, command, context)
    return decide(tournament, actor, command, context)


def _actor(ask: TournamentAsk, followed: Followed) -> Actor:
    """Who acts: a person under the number they have in this very state, others as they say."""
    if ask.actor.kind is not ActorKind.ENTRANT:
        return ask.actor
    tournament = followed.tournament
    entrant = None if ask.player is None else tournament.entrant_of(ask.player)
    if entrant is None and isinstance(ask.command, Enter):
        return Actor(ActorKind.ENTRANT, Seat(len(tournament.entries)))
    if entrant is None:
        raise RuleViolation(Refusal.ENTRANT_MUST_TAKE_PART)
    return Actor(ActorKind.ENTRANT, Seat(entrant))


def _now() -> float:
    """The running loop's clock, in seconds."""
    return asyncio.get_running_loop().time()


def _seen(task: asyncio.Task[TournamentDone]) -> None:
    """Note how a command ended: who wanted to know may be gone."""
    if not task.cancelled():
        task.exception()
