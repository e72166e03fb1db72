"""A log and a registry in which people play matches whose outcomes a test chooses."""

from __future__ import annotations

import hashlib
import random
from typing import Any, Final

from domain.commands import SERVICE
from domain.events import (
    AbandonReason,
    BotLevel,
    BotSeated,
    EndReason,
    Event,
    MatchAbandoned,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    PlayerJoined,
    PlayerLeft,
    RoundCommitted,
    Seat,
    SeedRevealed,
    UnoCalled,
    Visibility,
)
from domain.match import Status
from domain.options import RULESET, RULESET_VERSION, Options
from domain.ports import Boards, EventLog, Player, Registry, SeatHolder
from infra.memory import MemoryLog, MemoryRegistry
from tests.contract.pen import Pen, fresh_id
from tests.laws.table import Table

CHATTER: Final = UnoCalled(Seat(0))
"""An event that no board counts."""


def id_of(name: str) -> bytes:
    """The id of the person with this name."""
    return hashlib.sha256(name.encode()).digest()[:16]


def digest_of(match: bytes, name: str) -> str:
    """What stands for the person in the log of a match."""
    return hashlib.sha256(match + name.encode()).hexdigest()


class Club:
    """People, tables, outcomes."""

    def __init__(self, log: EventLog | None = None, registry: Registry | None = None) -> None:
        self.log = log or MemoryLog()
        self.registry = registry or MemoryRegistry()

    async def table(
        self, *names: str, bots: int = 0, match: bytes | None = None, **kind: Any
    ) -> Pen:
        """A table with these people and so many bots, all seats taken."""
        pen = Pen(self.log, match or fresh_id())
        await pen.write(created(len(names) + bots, **kind))
        for name in names:
            await self.join(pen, name)
        for _ in range(bots):
            await pen.write(BotSeated(Seat(0), BotLevel.STEADY))
        return pen

    async def join(self, pen: Pen, name: str) -> None:
        """A person takes a seat; the registry knows whose digest it is."""
        person, digest = id_of(name), digest_of(pen.stream, name)
        await self.registry.add_player(Player(person, name, None, 0), None)
        await self.registry.hold_seat(SeatHolder(pen.stream, person, b"salt", digest))
        await pen.write(PlayerJoined(Seat(0), digest))

    async def leave(self, pen: Pen, seat: int) -> None:
        """A seat is given up before the start."""
        await pen.write(PlayerLeft(Seat(seat)))

    async def play(self, *names: str, scores: tuple[int, ...], bots: int = 0, **kind: Any) -> Pen:
        """A whole match that ends with these scores."""
        pen = await self.table(*names, bots=bots, **kind)
        await pen.write(MatchStarted(), CHATTER)
        await self.end(pen, *scores)
        return pen

    async def end(self, pen: Pen, *scores: int) -> None:
        """The match ends; who has most has won."""
        winners = tuple(Seat(s) for s, score in enumerate(scores) if score == max(scores))
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        await pen.write(MatchEnded(EndReason.TARGET, winners, scores, places), is_open=False)

    async def abandon(self, pen: Pen) -> None:
        """Nobody goes on with the match."""
        await pen.write(MatchAbandoned(AbandonReason.IDLE), is_open=False)

    async def evening(self, seed: int, matches: int = 30) -> None:
        """Many matches at random, in every state."""
        dice = random.Random(seed)
        everybody = [f"person {number}" for number in range(12)]
        for number in range(matches):
            names = dice.sample(everybody, dice.randint(1, 4))
            kind = {"practice": dice.random() < 0.2, "visibility": dice.choice(list(Visibility))}
            match = hashlib.sha256(b"%d %d" % (seed, number)).digest()[:16]
            pen = await self.table(*names, bots=dice.randint(0, 2), match=match, **kind)
            seats = pen.head.version - 1
            if dice.random() < 0.8:
                await pen.write(MatchStarted(), *[CHATTER] * dice.randint(1, 20))
            if dice.random() < 0.6:
                await self.end(pen, *(dice.randrange(500) for _ in range(seats)))
            elif dice.random() < 0.2:
                await self.abandon(pen)


def created(seats: int, **kind: Any) -> MatchCreated:
    """A table of so many seats."""
    return MatchCreated(RULESET, RULESET_VERSION, Options(), seats, **kind)


async def record(log: EventLog, table: Table) -> bytes:
    """Write a match that was played in memory into a log, seeds and all; its id."""
    pen = Pen(log, table.match.id)
    for step in table.steps:
        event: Event = step.event
        secrets, revealed = {}, ()
        if isinstance(event, RoundCommitted):
            secrets = {event.round: step.after.secrets[event.round]}
        elif isinstance(event, SeedRevealed):
            revealed = (event.round,)
        await pen.write(
            event,
            actor=SERVICE,
            secrets=secrets,
            revealed=revealed,
            is_open=not step.after.is_over,
        )
    return table.match.id


async def finished(boards: Boards) -> list[bytes]:
    """The public matches that have ended, newest first."""
    return [line.match for line in await boards.lobby(Status.FINISHED, 200)]
