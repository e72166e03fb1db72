"""A command's way: found again, decided, appended, answered. One log round trip, no reads.

Not here: what a command does (``domain.decide``), nor who may send it (the routes).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from domain.chain import genesis
from domain.commands import (
    Actor,
    ActorKind,
    CallUno,
    CatchUno,
    Context,
    CreateMatch,
    JoinMatch,
    PlaceMatch,
)
from domain.committing import secrets_of
from domain.deal import SEED_BYTES
from domain.decide import decide
from domain.events import Event, Seat
from domain.limits import APPEND_RETRIES
from domain.match import Match, new_match
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
from domain.refusals import Refusal, RuleViolation, require
from service.play.answers import done, nothing_done
from service.play.background import BACKOFF_SECONDS, Background
from service.play.cache import Table
from service.play.contract import Ask, Busy, Done, Folded, KeyReused, NoMatch, StaleVersion
from service.play.folding import (
    all_secrets,
    knowing,
    nothing_yet,
    replayed,
    revealed_rounds,
    states_after,
    states_recorded,
    steps_of,
)
from service.play.tables import Tables, now
from service.play.times import now_us
from service.play.viewers import SPECTATOR, Viewer

_JUDGED_ON_ARRIVAL: Final = (CallUno, CatchUno)
"""UNO-10: ``If-Match`` is ignored on them."""
_BEFORE_SEATED: Final = (CreateMatch, JoinMatch)
_NEW: Final = (CreateMatch, PlaceMatch)
"""What begins a match: there is nothing to read before it."""


class Handler:
    """Carries out commands, each once. ``committed`` is told of every match that moved here."""

    def __init__(
        self,
        log: EventLog,
        tables: Tables,
        *,
        due_at: Callable[[Match, int], int | None],
        committed: Callable[[Match], None],
        clock: Callable[[], int] = now_us,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._log = log
        self._tables = tables
        self._due_at = due_at
        self._committed = committed
        self._clock = clock
        self._entropy = entropy
        self._running = Background()
        self.refused: Counter[Refusal] = Counter()
        """Commands refused since this was made, by why: for a metric."""

    async def execute(self, match_id: bytes, ask: Ask) -> Done:
        """Carry out a command once, to its end even if the caller goes away; see ``Play``."""
        try:
            return await self._execute(match_id, ask)
        except RuleViolation as violation:
            self.refused[violation.refusal] += 1
            raise
        except asyncio.CancelledError:
            self._running.start(self._finish(match_id, ask))
            raise

    async def dry_run(self, match_id: bytes, ask: Ask) -> int:
        """The version at which the command would be accepted; raises as ``execute``."""
        try:
            folded = await self._tables.current(match_id)
        except Unavailable:
            raise Busy from None
        actor = _actor(ask, folded.match)
        _check_version(ask, folded)
        decide(folded.match, actor, ask.command, self._context(folded))
        return folded.match.version

    async def drain(self) -> None:
        """Wait for the commands under way."""
        await self._running.drain()

    async def _finish(self, match_id: bytes, ask: Ask) -> None:
        """Carry a command on whose caller is gone: what was appended of it is found and told on.

        That costs a task for those who go away, and nothing for all others.
        """
        with suppress(Busy, KeyReused, NoMatch, RuleViolation, StaleVersion):
            await self._execute(match_id, ask, is_ours=True)

    async def _execute(self, match_id: bytes, ask: Ask, is_ours: bool = False) -> Done:
        table = self._tables.table(match_id)
        async with table.mailbox:
            try:
                return await self._settle(match_id, table, ask, is_ours)
            except Unavailable:
                raise Busy from None

    async def _settle(self, match_id: bytes, table: Table, ask: Ask, is_ours: bool) -> Done:
        """Decide and append, on a newer state each time that another process was faster.

        A refusal, or that there is nothing to do, holds only if the log has nothing newer than
        what it was decided on.
        """
        if table.folded is None and type(ask.command) not in _NEW:
            await self._tables.refresh(match_id, table)
        for _ in range(1 + APPEND_RETRIES):
            version = table.version
            try:
                done = await self._attempt(match_id, table, ask, is_ours)
                if done.events or not await self._has_moved(match_id, table, version):
                    return done
            except (RuleViolation, StaleVersion):
                if not await self._has_moved(match_id, table, version):
                    raise
            except (WrongVersion, DuplicateCommand):
                await self._tables.refresh(match_id, table)
            except OutcomeUnknown:
                is_ours = True
                await self._look_up(match_id, table, ask)
        raise Busy

    async def _has_moved(self, match_id: bytes, table: Table, version: int) -> bool:
        """Whether the log has something newer than this version."""
        await self._refresh(match_id, table)
        return table.version != version

    async def _refresh(self, match_id: bytes, table: Table) -> None:
        """Read what is new. A match that is to be created need not be there: then nothing is."""
        with suppress(NoMatch):
            await self._tables.refresh(match_id, table)

    async def _attempt(self, match_id: bytes, table: Table, ask: Ask, is_ours: bool) -> Done:
        """The first answer if the command was carried out before; else decide, append, answer."""
        folded = table.folded or nothing_yet(match_id)
        first = folded.commands.get(ask.command_id)
        if first is not None:
            if first[0] != ask.fingerprint:
                raise KeyReused
            if is_ours:
                self._committed(folded.match)
            return await self._answer_again(match_id, ask, first[1], first[2], not is_ours)
        actor = _actor(ask, folded.match)  # first: who has no seat is not told the version
        _check_version(ask, folded)
        context = self._context(folded)
        events = decide(folded.match, actor, ask.command, context)
        if not events:
            return nothing_done(folded, _viewer(ask).seat_in(folded.match))
        sealed = secrets_of(ask.command, events, context)
        match = knowing(folded.match, sealed)
        states = states_after(match, events, context.now)
        cause = Cause(actor, ask.command_id, ask.fingerprint, context.now)
        proposal = self._proposal(folded, events, states[-1], cause, sealed)
        asked_at = now()
        recorded = await self._log.append(proposal)
        steps = steps_of(match, recorded, states)
        self._tables.moved(match_id, table, folded, steps, asked_at)
        self._committed(states[-1])
        return done(folded.head.hash, steps, _viewer(ask), repeated=False)

    def _proposal(
        self,
        folded: Folded,
        events: tuple[Event, ...],
        after: Match,
        cause: Cause,
        sealed: Mapping[int, bytes],
    ) -> Proposal:
        """What the log is asked to append."""
        is_open = not after.is_over
        return Proposal(
            stream=after.id,
            head=folded.head,
            events=events,
            cause=cause,
            secrets=sealed,
            revealed=revealed_rounds(events),
            is_open=is_open,
            due_at=self._due_at(after, cause.occurred_at) if is_open else None,
        )

    def _context(self, folded: Folded) -> Context:
        """A time later than that of the last event, and fresh bytes."""
        return Context(max(self._clock(), folded.occurred_at + 1), self._entropy(SEED_BYTES))

    async def _look_up(self, match_id: bytes, table: Table, ask: Ask) -> None:
        """Read what became of an append whose answer was lost, before anybody is told anything.

        If it is not there it may still arrive: the next attempt at the same head settles that,
        since only one of the two can be appended.
        """
        for pause in BACKOFF_SECONDS:
            try:
                await self._refresh(match_id, table)
            except Unavailable:
                await asyncio.sleep(pause)
            else:
                return
        raise Unavailable

    async def _answer_again(
        self, match_id: bytes, ask: Ask, first: int, last: int, repeated: bool
    ) -> Done:
        """The answer that versions ``first`` to ``last`` made, with the view as of then."""
        stream = await self._log.read(match_id)
        before, own = stream.events[: first - 1], stream.events[first - 1 : last]
        match = knowing(new_match(match_id), all_secrets(stream))
        if before:
            match = states_recorded(match, before)[-1]
        previous = before[-1].hash if before else genesis(match_id)
        return done(previous, replayed(match, Stream(own, {})), _viewer(ask), repeated)


def _check_version(ask: Ask, folded: Folded) -> None:
    """Raise StaleVersion if ``If-Match`` names another version than the match's."""
    if ask.if_match is None or type(ask.command) in _JUDGED_ON_ARRIVAL:
        return
    if ask.if_match != folded.match.version:
        raise StaleVersion(folded.match.version)


def _actor(ask: Ask, match: Match) -> Actor:
    """Who acts: a person for the seat they hold in this very state, others as they say."""
    kind = ask.actor.kind
    if kind is not ActorKind.SEAT:
        return ask.actor
    if type(ask.command) in _BEFORE_SEATED:
        return Actor(kind, Seat(len(match.seats)))
    seat = None if ask.player is None else match.seat_of(ask.player)
    require(seat is not None, Refusal.SEAT_MUST_BE_YOURS)
    return Actor(kind, seat)


def _viewer(ask: Ask) -> Viewer:
    """Whose view answers the command."""
    if ask.player is not None:
        return Viewer(player=ask.player)
    return SPECTATOR if ask.actor.seat is None else Viewer(ask.actor.seat)
