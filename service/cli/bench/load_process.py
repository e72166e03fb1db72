"""The load's process, as the one that measures sees it."""

from __future__ import annotations

import asyncio
import sys
from typing import Final

import msgspec

from service.cli.bench.load_terms import Measured, Plan, Slice
from service.cli.failure import Failure

LINE_BYTES_MAX: Final = 64 * 1024 * 1024
"""Of one line of the load: the latencies of a slice."""


class MeasureFailed(Failure):
    """The run is worth nothing; the message says why."""


class LoadProcess:
    """The process and its two pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def started(cls, plan: Plan) -> LoadProcess:
        """The load with its matches set up."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "service.cli.bench.load"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE_BYTES_MAX,
        )
        load = cls(process)
        await load._ask(msgspec.json.encode(plan))
        return load

    async def run(self, slice_: Slice) -> Measured:
        """One slice of play."""
        return msgspec.json.decode(await self._ask(msgspec.json.encode(slice_)), type=Measured)

    async def _ask(self, line: bytes) -> bytes:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(line + b"\n")
        answer = await self._process.stdout.readline()
        if not answer:
            raise MeasureFailed("the load ended early; its last words are above")
        return answer

    async def stop(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 5)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
