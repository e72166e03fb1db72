"""Settings: read from the environment once, into one frozen struct.

Each setting NAME may also be given as NAME_FILE, the path of a file that holds its value.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

PREFIX: Final = "TALON_"
_SECRET: Final = frozenset(("database_url", "redis_url", "seal_key"))


class SettingsError(Exception):
    """A setting is missing or wrong; the message names its variable."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set, with its default."""

    database_url: str | None = None
    """Postgres 15 or newer; unset: the embedded one."""
    redis_url: str | None = None
    """Redis 7 or newer, or Valkey; unset: the embedded one."""
    redis_prefix: str = "talon"
    """Every key and channel begins with it."""
    seal_key: str | None = None
    """32 bytes of base64 that seal round seeds at rest; unset: kept in the data folder."""
    data: str = ".talon"
    """Where the embedded servers and the key live."""
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    open_registration: bool = True
    """Whether anybody may create a player, or only applications."""
    bot_move_ms: Annotated[int, Meta(ge=0, le=60_000)] = 250
    """How long a bot waits before it moves."""
    bot_catch_ms: Annotated[int, Meta(ge=0, le=60_000)] = 2_500
    """How long a bot waits before it catches a missed UNO: people must have time to say it."""
    heartbeat_seconds: Annotated[int, Meta(ge=1, le=300)] = 15
    """Silence on a stream is broken this often."""
    cors_origins: str = ""
    """Origins, separated by commas, whose pages may call the service; ``*`` for all."""
    log_level: str = "info"


def load(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings from ``TALON_…`` variables; raises SettingsError naming the variable."""
    found: dict[str, str] = {}
    for field in Settings.__struct_fields__:
        name = PREFIX + field.upper()
        if name in environ:
            found[field] = environ[name]
        elif name + "_FILE" in environ:
            try:
                found[field] = Path(environ[name + "_FILE"]).read_text().strip()
            except OSError as error:
                raise SettingsError(f"{name}_FILE: {error}") from error
    for field, value in found.items():
        try:
            msgspec.convert({field: value}, Settings, strict=False)
        except msgspec.ValidationError as error:
            raise SettingsError(f"{PREFIX}{field.upper()}={value!r}: {error}") from error
    return msgspec.convert(found, Settings, strict=False)


def redacted(settings: Settings) -> dict[str, object]:
    """The settings as they may be printed: secrets are named, not shown."""
    shown = msgspec.structs.asdict(settings)
    return {
        name: "***" if name in _SECRET and value is not None else value
        for name, value in shown.items()
    }
