"""The embedded pair, as the commands and the tests use it."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from infra.embedded.folder import DataFolder
from infra.embedded.postgres import EmbeddedPostgres
from infra.embedded.valkey import EmbeddedValkey


class EmbeddedServers:
    """A Postgres, a Valkey, or both, over one data folder that the caller has locked.

    Start them from the main thread: they end when the thread that started them does.
    """

    def __init__(
        self, folder: Path, *, postgres: bool = True, valkey: bool = True, durable: bool = True
    ) -> None:
        self._folder = DataFolder(folder)
        self._wants_postgres = postgres
        self._wants_valkey = valkey
        self._durable = durable
        self._postgres: EmbeddedPostgres | None = None
        self._valkey: EmbeddedValkey | None = None

    @property
    def database_url(self) -> str | None:
        """Where the embedded Postgres answers; None if there is none."""
        return self._postgres.url if self._postgres else None

    @property
    def redis_url(self) -> str | None:
        """Where the embedded Valkey answers; None if there is none."""
        return self._valkey.url if self._valkey else None

    def start(self) -> None:
        """Start what is wanted and wait until it answers; raises EmbeddedError."""
        if not (self._wants_postgres or self._wants_valkey):
            return
        self._folder.create()
        password = self._folder.secret("password")
        path = self._folder.path
        try:
            if self._wants_postgres:
                self._postgres = EmbeddedPostgres(path, password, self._durable)
                self._postgres.start()
            if self._wants_valkey:
                self._valkey = EmbeddedValkey(path, password)
                self._valkey.start()
                self._valkey.await_ready()
            if self._postgres:
                self._postgres.await_ready()
        except BaseException:
            self.stop()
            raise

    def revive(self) -> tuple[str, ...]:
        """Start again what died, on the same port; the names of what had."""
        died = []
        if self._postgres and self._postgres.revive():
            died.append("Postgres")
        if self._valkey and self._valkey.revive():
            died.append("Valkey")
        return tuple(died)

    def stop(self) -> None:
        """Stop what runs, Valkey first."""
        if self._valkey:
            self._valkey.stop()
        if self._postgres:
            self._postgres.stop()

    def __enter__(self) -> EmbeddedServers:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
