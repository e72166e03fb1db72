"""Tables to play at, people who play, and stores that fail on demand."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.codec import encode
from domain.commands import (
    Actor,
    ActorKind,
    AnyCommand,
    CreateMatch,
    JoinMatch,
    SeatBot,
    StartMatch,
)
from domain.events import BotLevel, Seat, Visibility
from domain.evolve import fold
from domain.legal import legal_commands
from domain.match import Match, new_match
from domain.options import Options
from domain.ports import (
    EventLog,
    Hints,
    OutcomeUnknown,
    Proposal,
    Recorded,
    Stream,
    Unavailable,
    ViewStore,
)
from domain.refusals import RuleViolation
from infra.memory import MemoryLog
from infra.memory_views import MemoryHints, MemoryViews
from service.play.contract import Ask, Done
from service.play.matches import Matches
from service.settings import Settings

PEOPLE: Final = tuple(f"{name}-digest" for name in ("ann", "bob", "cat", "dan"))
ANN, BOB, CAT, DAN = PEOPLE
PERSON: Final = Actor(ActorKind.SEAT)
QUICK: Final = Settings(bot_move_ms=0, bot_catch_ms=0)
STILL: Final = Settings(bot_move_ms=60_000, bot_catch_ms=60_000)
SHORT: Final = Options(target=50)


class Clock:
    """A clock that stands until it is moved, in microseconds."""

    def __init__(self, at: int = 1_700_000_000_000_000) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at


class World(Struct):
    """The stores that several processes share."""

    log: EventLog
    views: ViewStore
    hints: Hints
    clock: Clock
    seed: int

    def process(self, settings: Settings = STILL, log: EventLog | None = None) -> Matches:
        """A process of the service on these stores, with dice of its own."""
        self.seed += 1
        return Matches(
            log or self.log,
            self.views,
            self.hints,
            settings,
            now=self.clock,
            entropy=random.Random(self.seed).randbytes,
        )


def world(seed: int = 2) -> World:
    """Stores in memory."""
    hints, clock = MemoryHints(), Clock()
    return World(MemoryLog(clock), MemoryViews(hints), hints, clock, seed * 1_000)


@asynccontextmanager
async def running(*processes: Matches) -> AsyncIterator[None]:
    """Processes at work, stopped at the end."""
    for process in processes:
        await process.start()
    try:
        yield
    finally:
        for process in processes:
            await process.stop()


def match_id_of(number: int) -> bytes:
    """An id for the match of a test."""
    return UUID(int=(7 << 76) | (2 << 62) | number).bytes


def key(text: str) -> bytes:
    """A command id for a readable key."""
    return text.encode().rjust(16, b"-")[-16:]


def ask(player: str, command: AnyCommand, name: str, if_match: int | None = None) -> Ask:
    """A person's command, under a readable idempotency key."""
    return Ask(
        PERSON, command, key(name), fingerprint=encode_body(command), player=player,
        if_match=if_match,
    )  # fmt: skip


def encode_body(command: AnyCommand) -> bytes:
    """A fingerprint as the routes would make one."""
    return repr(command).encode()


async def table_of(
    play: Matches,
    people: Sequence[str] = (ANN, BOB),
    bots: int = 0,
    options: Options = SHORT,
    number: int = 1,
) -> bytes:
    """A match that has started, with these people and after them the bots."""
    match_id = match_id_of(number)
    seats = len(people) + bots
    create = CreateMatch(options, seats, Visibility.PUBLIC, people[0])
    await play.create(match_id, create, key("create"))
    for person in people[1:]:
        await play.execute(match_id, ask(person, JoinMatch(person), f"join-{person[:3]}"))
    for bot in range(bots):
        await play.execute(match_id, ask(people[0], SeatBot(BotLevel.STEADY), f"bot-{bot}"))
    await play.execute(match_id, ask(people[0], StartMatch(), "start"))
    return match_id


def choice(match: Match, dice: random.Random) -> tuple[str, AnyCommand] | None:
    """Somebody's legal command; None if no person may do anything."""
    running_round = match.round
    if running_round is None:
        return None
    options = [
        (occupant.player, command)
        for seat, occupant in enumerate(match.seats)
        if occupant.player is not None and seat not in match.away
        for command in legal_commands(match, Seat(seat))
    ]
    return dice.choice(options) if options else None


async def play_on(
    play: Matches, match_id: bytes, dice: random.Random, commands: int = 10_000
) -> list[Done]:
    """Legal commands at random, until the match is over or so many were carried out.

    A bot may be faster; what is refused then is chosen anew.
    """
    answers: list[Done] = []
    while len(answers) < commands:
        match = (await play.folded(match_id)).match
        chosen = choice(match, dice)
        if match.is_over:
            break
        if chosen is None:
            await asyncio.sleep(0.001)
            continue
        try:
            answers.append(await play.execute(match_id, ask(*chosen, f"{match.version}")))
        except RuleViolation:
            assert (await play.tables.current(match_id)).match.version > match.version
    return answers


async def to_a_bots_turn(log: EventLog, play: Matches, match_id: bytes) -> Match:
    """The match, after its one person on seat 0 has moved until it is a bot's turn."""
    match = await refolded(log, match_id)
    while match.round is not None and match.round.turn == 0:
        await play_on(play, match_id, random.Random(1), 1)
        match = await refolded(log, match_id)
    return match


async def stored(log: EventLog, match_id: bytes) -> tuple[Recorded, ...]:
    """The stream as the log has it."""
    return (await log.read(match_id)).events


async def refolded(log: EventLog, match_id: bytes) -> Match:
    """The match, folded anew from the log."""
    stream = await log.read(match_id)
    events = [recorded.event for recorded in stream.events]
    return fold(events, new_match(match_id, stream.secrets))


async def assert_sound(log: EventLog, match_id: bytes, acknowledged: Sequence[Done]) -> None:
    """Nothing acknowledged is lost, changed or doubled; versions are dense."""
    events = await stored(log, match_id)
    assert [one.version for one in events] == list(range(1, len(events) + 1))
    commands = [one.command_id for one in events if one.command_id is not None]
    assert len(commands) == len(set(commands))
    by_version = {one.version: one for one in events}
    claimed: list[int] = []
    for done in acknowledged:
        for item in done.events:
            assert item.hash == by_version[item.version].hash.hex()
            assert (
                bytes(item.event)
                == by_version[item.version].data
                == encode(by_version[item.version].event)
            )
            claimed.append(item.version)
    assert len(claimed) == len(set(claimed)), "an event was acknowledged to two commands"


async def until(condition: object, seconds: float = 5.0) -> None:
    """Wait until a condition (a function without arguments) holds."""
    assert callable(condition)
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


class FaultyLog:
    """A log whose next appends fail as told.

    ``unavailable``: nothing was done; ``lost``: nothing was done but nobody can know; ``late``: it
    arrives after it was looked up; ``unanswered``: it was done. Other names are no faults.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.faults: list[str] = []
        self.is_away = False
        self.appends = 0
        self.reads = 0
        self.before_append: Callable[[], Awaitable[None]] | None = None
        self.after_read: Callable[[], Awaitable[None]] | None = None
        self.after_idle: Callable[[], Awaitable[None]] | None = None
        self._late: list[Proposal] = []

    async def append(self, proposal: Proposal) -> tuple[Recorded, ...]:
        """Append, or fail as the next fault says."""
        self._check()
        self.appends += 1
        await asyncio.sleep(0)
        fault = self.faults.pop(0) if self.faults else None
        if self.before_append is not None:
            await self.before_append()
        if fault == "unavailable":
            raise Unavailable
        if fault == "lost":
            raise OutcomeUnknown
        if fault == "late":
            self._late.append(proposal)
            raise OutcomeUnknown
        recorded = await self._log.append(proposal)
        self.is_away = fault == "unanswered, then away"
        if fault in ("unanswered", "unanswered, then away"):
            raise OutcomeUnknown
        return recorded

    async def read(self, stream: bytes, after: int = 0) -> Stream:
        """Read; what was on its way arrives right after."""
        self._check()
        self.reads += 1
        await asyncio.sleep(0)
        found = await self._log.read(stream, after)
        await asyncio.sleep(0)
        while self._late:
            await self._log.append(self._late.pop())
        if self.after_read is not None:
            await self.after_read()
        return found

    async def heads(self, streams: Sequence[bytes]) -> Mapping[bytes, int]:
        """The versions of streams."""
        self._check()
        return await self._log.heads(streams)

    async def follow(self, after: int, limit: int) -> tuple[Recorded, ...]:
        """Events of all streams."""
        self._check()
        return await self._log.follow(after, limit)

    async def position(self) -> int:
        """The last position."""
        self._check()
        return await self._log.position()

    async def due(self, before: int, limit: int) -> tuple[bytes, ...]:
        """Due streams."""
        self._check()
        return await self._log.due(before, limit)

    async def over(self, streams: Sequence[bytes]) -> frozenset[bytes]:
        """Streams in which nothing more happens."""
        self._check()
        return await self._log.over(streams)

    async def idle(self, before: int, limit: int) -> tuple[bytes, ...]:
        """Idle streams."""
        self._check()
        found = await self._log.idle(before, limit)
        if self.after_idle is not None:
            await self.after_idle()
        return found

    def _check(self) -> None:
        if self.is_away:
            raise Unavailable


class FaultyViews:
    """A view store that can be away, and counts what it is given."""

    def __init__(self, views: ViewStore) -> None:
        self.inner = views
        self.is_away = False
        self.put_versions: list[tuple[bytes, int]] = []

    async def put(self, packed: Mapping[bytes, tuple[int, bytes]]) -> None:
        """Store, unless away."""
        if self.is_away:
            raise Unavailable
        self.put_versions += [(match, version) for match, (version, _) in packed.items()]
        await self.inner.put(packed)

    async def get(self, match: bytes) -> tuple[int, bytes] | None:
        """Read, unless away."""
        if self.is_away:
            raise Unavailable
        return await self.inner.get(match)


class DeafHints:
    """Hints that never come: the store that sends them is away."""

    async def listen(self) -> AsyncIterator[tuple[bytes, int]]:
        """Nothing, for ever."""
        raise Unavailable
        yield (b"", 0)
