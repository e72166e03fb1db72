"""Turns the log into deliveries, batch by batch: each is written with the position it came to.

Whatever is computed twice, by whomever, is written once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from msgspec import Struct
from uuid_utils import uuid7

from domain.notices import Notice, Table, notices_of, table_after
from domain.ports import EventLog, MatchFacts, Player, Recorded, SeatHolder
from domain.webhooks import Delivery, NoticeType, Outbox, Told, Webhook
from infra.clock import Clock, now_us
from infra.projections.scan import LogGap

BATCH_EVENTS: Final = 500
"""More than one command has; and at most some thousands of deliveries are written at once."""
TABLES: Final = 10_000
"""Matches that are remembered, about 10 MB: one that is not is read again from its start."""


class People(Protocol):
    """The part of the registry that tells whose matches and players they are."""

    async def match_facts(self, match: bytes) -> MatchFacts | None:
        """What is kept of a match outside the log."""

    async def seat_holders_of(
        self, matches: Sequence[bytes]
    ) -> Mapping[bytes, tuple[SeatHolder, ...]]:
        """All mappings of these matches that still exist."""

    async def players(self, ids: Sequence[bytes]) -> Mapping[bytes, Player]:
        """The persons with these ids."""


class _Known(Struct):
    """What is remembered of a match: its table, its own app, and apps of players by digest."""

    table: Table = Table()
    app: bytes | None = None
    apps: dict[str, bytes | None] = {}


class NoticeConsumer:
    """Reads the log on from where deliveries have been written to."""

    def __init__(self, log: EventLog, people: People, outbox: Outbox, now: Clock = now_us) -> None:
        self._log = log
        self._people = people
        self._outbox = outbox
        self._now = now
        self._known: OrderedDict[bytes, _Known] = OrderedDict()
        self.position = 0
        """Where the deliveries were last known to stand."""
        self.written = 0
        """Deliveries written by this consumer, since it was made."""

    async def step(self, epoch: int) -> bool:
        """Write the next deliveries; whether there may be more.

        Raises StaleLeader or Unavailable. While no webhook is enabled nothing is read at all.
        """
        enabled = await self._outbox.enabled()
        if not enabled:
            return False
        stored = await self._outbox.position()
        start = max(stored, min(webhook.since for webhook in enabled))
        events = await self._log.follow(start, BATCH_EVENTS)
        if events and events[-1].position != start + len(events):
            raise LogGap(f"positions are missing between {start} and {events[-1].position}")
        commands = _commands(events, is_last=len(events) < BATCH_EVENTS)
        if not commands:
            return False
        # Asked after the events: one that was enabled before they happened is among these.
        enabled = await self._outbox.enabled()
        deliveries = await self._deliveries(commands, enabled)
        end = commands[-1][-1].position
        if await self._outbox.write(stored, end, epoch, deliveries):
            self.position = end
            self.written += len(deliveries)
            return len(events) == BATCH_EVENTS
        self._known.clear()  # somebody else was first
        return True

    async def _deliveries(
        self, commands: Sequence[Sequence[Recorded]], enabled: Sequence[Webhook]
    ) -> list[Delivery]:
        await self._recall({command[0].stream: command for command in reversed(commands)})
        told: list[tuple[bytes, Notice]] = []
        for command in commands:
            match = command[0].stream
            known = self._known[match]
            known.table, notices = notices_of(known.table, command)
            told += [(match, notice) for notice in notices]
        await self._find_apps(told)
        now = self._now()
        deliveries = [
            _delivery(webhook, notice, self._known[match], now)
            for match, notice in told
            for webhook in enabled
        ]
        while len(self._known) > TABLES:
            self._known.popitem(last=False)
        return [delivery for delivery in deliveries if delivery is not None]

    async def _recall(self, first: Mapping[bytes, Sequence[Recorded]]) -> None:
        """Have each match's table as it was before its first command of these."""
        for match, command in first.items():
            known, before = self._known.get(match), command[0].version - 1
            if known is None or known.table.version != before:
                facts = await self._people.match_facts(match)
                known = _Known(app=None if facts is None else facts.app, apps={})
                if before > 0:
                    for recorded in (await self._log.read(match)).events[:before]:
                        known.table = table_after(known.table, recorded)
                self._known[match] = known
            self._known.move_to_end(match)

    async def _find_apps(self, told: Iterable[tuple[bytes, Notice]]) -> None:
        """Learn of the persons concerned whose players they are: that never changes."""
        unknown: dict[bytes, set[str]] = {}
        for match, notice in told:
            missing = {who for _, who in notice.persons} - self._known[match].apps.keys()
            unknown.setdefault(match, set()).update(missing)
        matches = [match for match, digests in unknown.items() if digests]
        if not matches:
            return
        holders = await self._people.seat_holders_of(matches)
        ids = {holder.player for held in holders.values() for holder in held}
        players = await self._people.players(list(ids))
        for match in matches:
            apps = self._known[match].apps
            apps.update(dict.fromkeys(unknown[match]))
            for holder in holders.get(match, ()):
                player = players.get(holder.player)
                apps[holder.digest] = None if player is None else player.app


def _commands(events: Sequence[Recorded], *, is_last: bool) -> list[list[Recorded]]:
    """The events by command; the last of a full page may go on after it, and is left out."""
    commands: list[list[Recorded]] = []
    for recorded in events:
        if recorded.command_id is not None or not commands:
            commands.append([])
        commands[-1].append(recorded)
    return commands if is_last or len(commands) < 2 else commands[:-1]


def _delivery(webhook: Webhook, notice: Notice, known: _Known, now: int) -> Delivery | None:
    """What a webhook is told of a notice; None if it is none of its business."""
    at = notice.at
    if at.position <= webhook.since or not webhook.wants(notice.type):
        return None
    mine = tuple(one for one in notice.persons if known.apps.get(one[1]) == webhook.app)
    is_own = known.app == webhook.app and notice.type is not NoticeType.YOUR_TURN
    if not mine and not is_own:
        return None
    told = Told(at.occurred_at, at.version, at.position, notice.event, mine)
    return Delivery(uuid7().bytes, webhook.id, notice.type, at.stream, told, now, due_at=now)
