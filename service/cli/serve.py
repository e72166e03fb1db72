"""Run the service until Ctrl-C.

Without TALON_DATABASE_URL it starts a Postgres of its own, without TALON_REDIS_URL a Valkey; they
keep their data in the data folder. TALON_... variables set everything else: see `talon config`.
"""

from __future__ import annotations

import argparse
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from infra.embedded.folder import DataFolder, Running
from infra.embedded.servers import EmbeddedServers
from service import logs
from service.cli import preflight
from service.cli.banner import banner
from service.cli.crew import Crew
from service.cli.exposed import exposed
from service.cli.failure import Failure
from service.cli.flags import add_data, settings_of
from service.cli.migrate import bring_up_to_date
from service.cli.seal import seal_key, signing_key
from service.listener import address_of, listen
from service.settings import Settings, opens_the_sandbox, unknown

if TYPE_CHECKING:
    from service.metrics.exposition import Exposition

_WATCH_SECONDS: Final = 0.25
_REVIVE_SECONDS: Final = 1.0
"""An embedded server that died is started again, this often at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command; each stands for a setting and wins over its variable."""
    parser.add_argument("--host", help="address to listen on (TALON_HOST; 127.0.0.1)")
    parser.add_argument("--port", help="port to listen on, 0 for a free one (TALON_PORT; 8000)")
    add_data(parser)
    parser.add_argument("--workers", help="processes that serve requests (TALON_WORKERS; 1)")


def run(args: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM; 0 if it stopped because it was asked to."""
    settings = settings_of(args)
    logs.configure(settings.log_level)
    for name in unknown():
        print(f"talon: {name} is no setting; `talon config` lists them", file=sys.stderr)
    _on_signals(_interrupt)
    folder = DataFolder(Path(settings.data))
    if settings.database_url is None or settings.redis_url is None:
        folder.lock()
    try:
        with _listening(settings) as listener, exposed(settings) as exposition:
            _serve(settings, folder, listener, exposition)
    finally:
        folder.unlock()
    return 0


def _serve(
    settings: Settings,
    folder: DataFolder,
    listener: socket.socket,
    exposition: Exposition | None,
) -> None:
    servers = EmbeddedServers(
        folder.path, postgres=settings.database_url is None, valkey=settings.redis_url is None
    )
    crew = _crew(settings, listener, exposition)  # they import while the servers start
    try:
        servers.start()
        complete = _completed(settings, folder, servers)
        bring_up_to_date(str(complete.database_url))
        preflight.check(complete)
        crew.brief(complete)
        crew.await_ready()
        url = address_of(listener)
        if folder.is_locked:
            folder.announce(Running(url, complete.database_url, complete.redis_url))
        metrics = None if exposition is None else exposition.url
        print(banner(url, settings, folder.path, metrics), flush=True)
        _watch(crew, servers)
    finally:
        try:
            crew.stop()
        finally:
            servers.stop()


def _crew(settings: Settings, listener: socket.socket, exposition: Exposition | None) -> Crew:
    """The processes, measured if that is asked for."""
    if exposition is None:
        return Crew(settings.workers, listener)
    crew = Crew(settings.workers, listener, exposition.environment, exposition.died)
    exposition.watch(crew.processes)
    return crew


def _completed(settings: Settings, folder: DataFolder, servers: EmbeddedServers) -> Settings:
    """The settings with what this process provides: servers and the key."""
    return msgspec.structs.replace(
        settings,
        database_url=settings.database_url or servers.database_url,
        redis_url=settings.redis_url or servers.redis_url,
        seal_key=seal_key(settings, folder),
        sandbox=opens_the_sandbox(settings),
        signing_key=signing_key(settings, folder),
    )


def _watch(crew: Crew, servers: EmbeddedServers) -> None:
    """Replace what dies until a signal comes."""
    log = structlog.get_logger("talon.serve")
    stop = threading.Event()
    _on_signals(lambda number, frame: stop.set())
    look_at_servers = 0.0
    while not stop.wait(_WATCH_SECONDS):
        if replaced := crew.replace_dead():
            log.error("processes_replaced", count=replaced)
        if time.monotonic() >= look_at_servers:
            look_at_servers = time.monotonic() + _REVIVE_SECONDS
            if revived := servers.revive():
                log.error("servers_revived", servers=revived)


def _listening(settings: Settings) -> socket.socket:
    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        raise Failure(
            f"cannot listen on {settings.host} port {settings.port}: {error.strerror}."
            " Another --port? (0 takes a free one)"
        ) from error


def _on_signals(handler: Callable[[int, FrameType | None], None]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """While it starts, a signal breaks off whatever is being done."""
    raise KeyboardInterrupt
