"""The load: many matches at once, each with one command in flight, from a process of its own.

Run as ``python -m service.cli.bench.load``: the first line of its input is a Plan, each further
line a Slice to run; it prints one line for each. The matches go on from slice to slice.
"""

from __future__ import annotations

import asyncio
import sys
import time
import uuid
from collections.abc import Coroutine
from typing import Final

import msgspec
import uvloop

from service.cli.bench.load_terms import Measured, Plan, Slice
from service.cli.bench.seats import DRAW, PASS, Knowledge
from service.cli.demo.client import Address, Connection, Response, address_of, connect, request_head

TARGET: Final = 500
"""Points of a match, as usual. Setting the next one up takes six requests, which are part of the
load and do not count; with shorter matches they would weigh more than they do in life."""
REFUSED_SHARE_MAX: Final = 0.01
"""More refusals than this are a fault of the load and not worth measuring."""


class LoadFailed(Exception):  # noqa: N818
    """The service did something that the load cannot go on with."""


class _Table:
    """One match after another, each seat on a connection of its own as in life."""

    def __init__(self, load: Load, number: int, connections: list[Connection]) -> None:
        self._load = load
        self._connections = connections
        self._number = number
        self._sent = 0
        self._sent_at = 0.0
        self._tokens: list[str] = []
        self._heads: list[bytes] = []
        self._next: tuple[int, bytes] | None = None
        self._knowledge = Knowledge(load.plan.seats)

    async def register(self) -> None:
        """Make the players."""
        for seat in range(self._load.plan.seats):
            body = b'{"name":"Load %d %d"}' % (self._number, seat)
            answer = await self._ask("POST", "/v1/players", None, body)
            self._tokens.append(msgspec.json.decode(answer.body)["token"])

    async def set_up(self) -> None:
        """Create, join and start a match, and let the host look at it."""
        seats, host = self._load.plan.seats, self._tokens[0]
        body = b'{"seats":%d,"rules":{"target":%d}}' % (seats, TARGET)
        created = await self._ask("POST", "/v1/matches", host, body)
        path = "/v1/matches/" + msgspec.json.decode(created.body)["match_id"]
        for token in self._tokens[1:]:
            await self._ask("POST", path + "/seats", token, b"{}")
        await self._ask("POST", path + "/start", host, b"{}")
        address = self._load.address
        headers = {"Content-Type": "application/json"}
        self._heads = [
            request_head(address, "POST", path + "/commands", token, headers)
            + b"\r\nIdempotency-Key: load-"
            for token in self._tokens
        ]
        self._path = path
        self._knowledge = Knowledge(seats)
        view = await self._ask("GET", path + "/view", host, None)
        self._next = self._knowledge.after_view(view.body)

    async def _ask(self, method: str, path: str, token: str | None, body: bytes | None) -> Response:
        """A request outside the measure; raises LoadFailed unless it is done."""
        headers = {} if method == "GET" else {"Idempotency-Key": str(uuid.uuid4())}
        head = request_head(self._load.address, method, path, token, headers)
        if body is not None:
            head += b"\r\nContent-Type: application/json\r\nContent-Length: %d" % len(body)
        future: asyncio.Future[Response | None] = asyncio.get_running_loop().create_future()
        self._connections[0].send(head + b"\r\n\r\n" + (body or b""), future.set_result)
        response = await future
        if response is None or response.status >= 300:
            said = "the connection closed" if response is None else response.body[:300]
            raise LoadFailed(f"{method} {path}: {said!r}")
        return response

    def send_next(self) -> None:
        """Send the command that is due."""
        if self._next is None:
            self._load.idle()
            return
        seat, body = self._next
        self._sent += 1
        head = self._heads[seat]
        request = b"%b%d\r\nContent-Length: %d\r\n\r\n%b" % (head, self._sent, len(body), body)
        self._sent_at = time.perf_counter()
        self._connections[seat].send(request, self._receive)

    def _receive(self, response: Response | None) -> None:
        load = self._load
        now = time.perf_counter()
        if response is None:
            load.fail("the service closed a connection")
        elif response.status == 200:
            load.count(now - self._sent_at, len(response.body))
            self._next = self._knowledge.after_answer(response.body)
            self._go_on(now)
        elif response.status == 409:
            load.refused += 1
            load.spawn(self._look_again())
        else:
            load.fail(f"status {response.status}: {response.body[:300]!r}")

    def _go_on(self, now: float) -> None:
        load = self._load
        if self._next is None:
            load.ended += 1
            load.spawn(self._begin_again())
        elif now >= load.deadline:
            load.idle()
        elif (due := self._sent_at + load.pause) > now:
            asyncio.get_running_loop().call_later(due - now, self.send_next)
        else:
            self.send_next()

    async def _begin_again(self) -> None:
        """Set the next match up and play it."""
        await self.set_up()
        self._go_on(time.perf_counter())

    async def _look_again(self) -> None:
        """A command was refused: read the view of the seat, and do what is always allowed."""
        assert self._next is not None
        seat, refused = self._next
        view = await self._ask("GET", self._path + "/view", self._tokens[seat], None)
        self._next = self._knowledge.after_view(view.body)
        if self._next is not None and self._next[1] == refused:
            self._next = (seat, PASS if refused == DRAW else DRAW)
        self._go_on(time.perf_counter())


class Load:
    """All matches, and the measure of the slice that runs."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.address: Address = address_of(plan.url)
        self.deadline = 0.0
        self.pause = 0.0
        self.refused = 0
        self.ended = 0
        self._bytes = 0
        self._latencies: list[int] = []
        self._tables: list[_Table] = []
        self._busy = 0
        self._done: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def prepare(self) -> None:
        """Open the connections and set every match up."""
        for number in range(self.plan.matches):
            connections = [await connect(self.address) for _ in range(self.plan.seats)]
            self._tables.append(_Table(self, number, connections))
        await asyncio.gather(*(table.register() for table in self._tables))
        await asyncio.gather(*(table.set_up() for table in self._tables))

    async def run(self, slice_: Slice) -> Measured:
        """Play for a while; raises LoadFailed."""
        self.refused = self.ended = self._bytes = 0
        self._latencies = []
        self._busy = len(self._tables)
        self._done = asyncio.get_running_loop().create_future()
        self.pause = len(self._tables) / slice_.rate if slice_.rate else 0.0
        cpu, began = time.process_time(), time.perf_counter()
        self.deadline = began + slice_.seconds
        for number, table in enumerate(self._tables):
            wait = self.pause * number / len(self._tables)
            asyncio.get_running_loop().call_later(wait, table.send_next)
        await self._done
        seconds = time.perf_counter() - began
        if self.refused > REFUSED_SHARE_MAX * (len(self._latencies) + 100):
            raise LoadFailed(f"{self.refused} commands refused of {len(self._latencies)}")
        return Measured(
            commands=len(self._latencies),
            refused=self.refused,
            matches_ended=self.ended,
            seconds=seconds,
            cpu_seconds=time.process_time() - cpu,
            answer_bytes=self._bytes,
            latencies=self._latencies,
        )

    def count(self, seconds: float, size: int) -> None:
        """A command was answered."""
        self._latencies.append(int(seconds * 1e6))
        self._bytes += size

    def idle(self) -> None:
        """A match has stopped for this slice."""
        self._busy -= 1
        if self._busy == 0 and self._done is not None and not self._done.done():
            self._done.set_result(None)

    def fail(self, words: str) -> None:
        """Nothing more can be measured."""
        if self._done is not None and not self._done.done():
            self._done.set_exception(LoadFailed(words))

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Do something besides the commands; a failure ends the slice."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._settle)

    def _settle(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(str(error))


async def _serve() -> None:
    """Obey the lines of the standard input until it ends."""
    loop = asyncio.get_running_loop()
    load = Load(msgspec.json.decode(sys.stdin.readline(), type=Plan))
    await load.prepare()
    print("{}", flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        measured = await load.run(msgspec.json.decode(line, type=Slice))
        print(msgspec.json.encode(measured).decode(), flush=True)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            runner.run(_serve())
        except LoadFailed as failure:
            sys.exit(f"load: {failure}")
