"""People who play match after match while things break, all of it watched; and what must hold."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from random import Random

from service.cli.demo.wire import NewPlayer
from tests.faults import audit
from tests.faults.caller import Caller
from tests.faults.tables import Table, person, play, table
from tests.faults.watching import Watch

SEATS = 3
SETTING_UP = 1 + (SEATS - 1) + 1
"""Commands of people before play: the creation, the others who join, the start."""
PAUSE_SECONDS = 0.02
"""Between moves at one table: a busy machine has other things to do."""
GOES_ON_SECONDS = 30


class Circle:
    """The same people at one match after another, over connections of their own."""

    def __init__(self, urls: Sequence[str], number: int) -> None:
        self._urls = urls
        self._dice = Random(number)
        self.caller = Caller(urls, self._dice)
        self.people: tuple[NewPlayer, ...] = ()
        self.tables: list[Table] = []
        self.watches: list[tuple[Table, str | None, Watch]] = []

    @property
    def acknowledged(self) -> int:
        """Commands answered so far."""
        return sum(at.acknowledged for at in self.tables)

    async def play(self, enough: asyncio.Event) -> None:
        """Play matches to their end until it is enough."""
        while not enough.is_set():
            at = await table(self.caller, self.people)
            self.tables.append(at)
            for token in (None, self.people[1].token):
                self.watches.append((at, token, Watch(self._urls, at.match_id, token, self._dice)))
                self.watches[-1][2].start()
            await play(at, self.caller, self._dice, pause=PAUSE_SECONDS)


class Evening:
    """Some circles at play at once."""

    def __init__(self, urls: Sequence[str], circles: int) -> None:
        self.circles = [Circle(urls, number) for number in range(circles)]
        self.onlooker = Caller(urls, Random(circles))
        """Somebody who does not play."""
        self._enough = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def callers(self) -> list[Caller]:
        """Everybody's connections."""
        return [self.onlooker, *(circle.caller for circle in self.circles)]

    @property
    def tables(self) -> list[Table]:
        """All matches so far."""
        return [at for circle in self.circles for at in circle.tables]

    @property
    def watches(self) -> list[tuple[Table, str | None, Watch]]:
        """All viewers so far: of which match, with which token."""
        return [watch for circle in self.circles for watch in circle.watches]

    async def begin(self) -> None:
        """Everybody comes, and play begins."""
        for circle in self.circles:
            people = [await person(circle.caller, f"Player {seat}") for seat in range(SEATS)]
            circle.people = tuple(people)
        self._tasks = [asyncio.create_task(one.play(self._enough)) for one in self.circles]

    async def goes_on(self, commands: int = 10) -> None:
        """Wait until so many more commands have been answered in every circle."""
        wanted = [circle.acknowledged + commands for circle in self.circles]

        def have_come() -> bool:
            pairs = zip(self.circles, wanted, strict=True)
            return all(circle.acknowledged >= many for circle, many in pairs)

        await self._until(have_come)

    async def ends_a_match(self) -> None:
        """Wait until some match has been played to its end."""
        await self._until(lambda: any(len(circle.tables) > 1 for circle in self.circles))

    async def end(self) -> None:
        """Play the running matches to their end, and let every stream come to it."""
        self._enough.set()
        await asyncio.gather(*self._tasks)
        for _, _, watch in self.watches:
            await watch.ended()

    async def break_off(self) -> None:
        """Everybody goes away at once."""
        while playing := [task for task in self._tasks if not task.done()]:
            for task in playing:
                task.cancel()  # more than once: before Python 3.12 an answer may swallow it
            await asyncio.wait(playing, timeout=0.1)
        for _, _, watch in self.watches:
            await watch.leave()
        for caller in self.callers:
            caller.close()

    async def _until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something that play brings about; raises what has gone wrong in play."""
        async with asyncio.timeout(GOES_ON_SECONDS):
            while not is_so():
                for task in self._tasks:
                    if task.done():
                        task.result()
                await asyncio.sleep(0.01)


@asynccontextmanager
async def evening(urls: Sequence[str], circles: int = 2) -> AsyncIterator[Evening]:
    """Circles at play, until the end of the block."""
    found = Evening(urls, circles)
    try:
        await found.begin()
        yield found
    finally:
        await found.break_off()


async def check_evening(played: Evening, settings: Mapping[str, str]) -> None:
    """After whatever happened: nothing lost, doubled or out of order, and all views are right.

    Every command that was answered stands in the log and no other; every viewer got every event
    once and in order; leaderboards and all of Redis come to be what the log makes of them.
    """
    database, caller = settings["TALON_DATABASE_URL"], played.callers[0]
    log = await audit.check_log(database)
    streams = {str(row["stream_id"]) for row in log}
    assert streams == {at.match_id for at in played.tables}
    counted = await audit.counts(database)
    assert counted["player"] == counted["token"] == SEATS * len(played.circles)
    for at in played.tables:
        await audit.check_told(caller, at)
        commands = audit.commands_of(log, at.match_id)
        assert commands == {"seat": at.acknowledged + SETTING_UP}
    for at, token, watch in played.watches:
        assert watch.items == await audit.history(caller, at, token)
    await audit.check_standings(caller, database)
    found = await audit.check_redis(settings)
    assert sum(":v:" in key for key in found) == len(streams)
