"""Boards on Redis for tests, and servers of their own to ill-treat."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import redis

from domain.ports import BoardBatch
from infra.embedded.child import free_port
from infra.embedded.executables import valkey_server
from infra.redis.boards import RedisBoards
from infra.redis.generations import Generations
from infra.redis.server import Server
from infra.redis.views import RedisViews


class Stores(NamedTuple):
    """One process's way to a Redis."""

    server: Server
    generations: Generations
    views: RedisViews
    boards: RedisBoards


def stores(url: str, prefix: str) -> Stores:
    """What a process opens; nothing is stored by it."""
    server = Server(url, prefix)
    generations = Generations(server)
    views = RedisViews(server, generations)
    return Stores(server, generations, views, RedisBoards(server, generations))


async def make_boards(opened: Stores) -> None:
    """Give Redis empty boards, as a first filling from an empty log does."""
    build = await opened.generations.begin(boards=True, views=False)
    built = RedisBoards(opened.server, opened.generations, build.boards)
    assert await built.apply(BoardBatch(start=0, end=0, epoch=0))
    assert await opened.generations.finish(build)


def programs() -> list[Path]:
    """The servers that can be started here: Valkey from its wheel, and Redis where it is."""
    found = shutil.which("redis-server")
    return [valkey_server()] + ([Path(found)] if found else [])


class OwnServer:
    """A server that a test may kill, stop and wipe."""

    def __init__(self, program: Path, folder: Path) -> None:
        self._program = program
        self._folder = folder
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start on the same port as before, empty."""
        settings = ("--port", str(self._port), "--bind", "127.0.0.1", "--save", "")
        self._process = subprocess.Popen(
            [self._program, *settings, "--dir", self._folder],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with redis.Redis.from_url(self.url, retry=None) as client:
            for _ in range(500):
                with suppress(redis.ConnectionError):
                    client.ping()
                    return
                time.sleep(0.01)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """SIGKILL, if it runs: everything in it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """SIGSTOP: connections stay, nothing answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """SIGCONT."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def wipe(self, command: str = "FLUSHALL") -> None:
        """Remove all data, or with FUNCTION FLUSH all functions."""
        with redis.Redis.from_url(self.url) as client:
            client.execute_command(*command.split())

    def all_keys(self) -> list[bytes]:
        """All keys."""
        with redis.Redis.from_url(self.url) as client:
            return sorted(client.keys("*"))


@contextmanager
def own_server(program: Path, folder: Path) -> Iterator[OwnServer]:
    """A server of the test's own, running."""
    server = OwnServer(program, folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
