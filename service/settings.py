"""Settings: read from the environment once, into one frozen struct.

Each setting NAME may also be given as NAME_FILE, the path of a file that holds its value. An
empty value counts as none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit, urlunsplit

import msgspec
from msgspec import Meta, Struct

PREFIX: Final = "TALON_"
_SECRETS: Final = frozenset(("database_url", "redis_url", "seal_key", "signing_key"))
_ELSEWHERE: Final = ("TALON_TEST_",)
"""Beginnings of variables that are read by others: the tests."""


class SettingsError(Exception):
    """A setting is missing or wrong; the message names its variable."""


PostgresUrl = Annotated[str, Meta(pattern="^postgres(ql)?://")]
RedisUrl = Annotated[str, Meta(pattern="^(rediss?|unix)://")]
KeyPrefix = Annotated[str, Meta(pattern="^[A-Za-z0-9_.-]{1,64}$")]
Origin = Annotated[str, Meta(pattern="^(?!talon-)[A-Za-z0-9._:/-]{1,200}$")]
"""What else is signed begins with ``talon-``: a checkpoint must not pass for it."""
Port = Annotated[int, Meta(ge=0, le=65_535)]
Processes = Annotated[int, Meta(ge=1, le=64)]
Milliseconds = Annotated[int, Meta(ge=0, le=60_000)]
Seconds = Annotated[int, Meta(ge=1, le=300)]
Hops = Annotated[int, Meta(ge=0, le=8)]
Tokens = Annotated[int, Meta(ge=0, le=1_000_000)]
Matches = Annotated[int, Meta(ge=0, le=200)]
LogLevel = Literal["debug", "info", "warning", "error"]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set, with its default. What each is for: ``DESCRIPTIONS``."""

    database_url: PostgresUrl | None = None
    redis_url: RedisUrl | None = None
    redis_prefix: KeyPrefix = "talon"
    seal_key: str | None = None
    signing_key: str | None = None
    log_origin: Origin | None = None
    data: str = ".talon"
    host: str = "127.0.0.1"
    port: Port = 8000
    workers: Processes = 1
    open_registration: bool = True
    sandbox: bool | None = None
    bot_move_ms: Milliseconds = 250
    bot_catch_ms: Milliseconds = 2_500
    heartbeat_seconds: Seconds = 15
    cors_origins: str = ""
    trusted_proxies: Hops = 0
    limit_player: Tokens = 30_000
    limit_app: Tokens = 600_000
    limit_address: Tokens = 30_000
    limit_registration: Tokens = 2_000
    open_matches_max: Matches = 100
    streams_max: Tokens = 100
    webhooks_anywhere: bool = False
    metrics_host: str = "127.0.0.1"
    metrics_port: Port | None = None
    log_level: LogLevel = "warning"


def opens_the_sandbox(settings: Settings) -> bool:
    """Whether positions may be put on the table: unless set, where no database is named."""
    if settings.sandbox is None:
        return settings.database_url is None
    return settings.sandbox


DESCRIPTIONS: Final = {
    "database_url": "Postgres 15 or newer; none: the embedded one",
    "redis_url": "Redis 7 or newer, or Valkey; none: the embedded one",
    "redis_prefix": "every key and channel begins with it",
    "seal_key": "32 bytes of base64 that seal secrets at rest; none: made in the data folder",
    "signing_key": "32 bytes of base64 that sign what is told; none: made in the data folder",
    "log_origin": "the log's name in its checkpoints, like a URL's host and path; none: made up",
    "data": "folder of the embedded servers and the keys",
    "host": "address to listen on",
    "port": "port to listen on; 0 takes a free one",
    "workers": "processes that serve requests",
    "open_registration": "whether anybody may create a player, or only applications",
    "sandbox": "whether positions may be put on the table for tests; none: if Postgres is embedded",
    "bot_move_ms": "how long a bot waits before it moves",
    "bot_catch_ms": "how long a bot waits before it catches a missed UNO: people come first",
    "heartbeat_seconds": "silence on a stream is broken this often",
    "cors_origins": "origins, separated by commas, whose pages may call the service; * for all",
    "trusted_proxies": "proxies in front that write X-Forwarded-For; 0: clients connect themselves",
    "limit_player": "what a player may ask for in a minute, in requests; 0: no limit",
    "limit_app": "the same for an application, an auditor and an operator",
    "limit_address": "the same for an address, of all who come without a token",
    "limit_registration": "players that an address may create in ten minutes; 0: no limit",
    "open_matches_max": "unfinished matches that a player may take part in; 0: no limit",
    "streams_max": "streams a player may follow on a process, an address 20 times as many; 0: all",
    "webhooks_anywhere": "whether webhooks go over http and to private addresses too: for tests",
    "metrics_host": "address that metrics are served on",
    "metrics_port": "port for Prometheus, which nobody else should reach; none: nothing measured",
    "log_level": "the least important log lines to write: debug, info, warning or error",
}


def load(environ: Mapping[str, str] = os.environ, named: Mapping[str, str] = {}) -> Settings:
    """Read the settings from ``TALON_…`` variables; raises SettingsError naming the variable.

    ``named`` says what else a variable is called by whoever set it, such as ``--port``.
    """
    found: dict[str, str] = {}
    for field in Settings.__struct_fields__:
        value = _value(variable(field), environ)
        if value:
            found[field] = value
            _check(field, value, named.get(variable(field), variable(field)))
    return msgspec.convert(found, Settings, strict=False)


def variable(field: str) -> str:
    """The name of the variable that sets a field."""
    return PREFIX + field.upper()


def unknown(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Variables that look like settings and are none: perhaps misspelled."""
    known = {variable(field) + end for field in Settings.__struct_fields__ for end in ("", "_FILE")}
    return tuple(
        sorted(
            name
            for name in environ
            if name.startswith(PREFIX) and name not in known and not name.startswith(_ELSEWHERE)
        )
    )


def redacted(settings: Settings) -> dict[str, object]:
    """The settings as they may be printed: secrets are named, not shown."""
    return {
        field: _masked(value) if field in _SECRETS and value is not None else value
        for field, value in msgspec.structs.asdict(settings).items()
    }


def _value(name: str, environ: Mapping[str, str]) -> str:
    """What a variable, or the file that its twin names, says; empty if neither is there."""
    value, file = environ.get(name, ""), environ.get(f"{name}_FILE", "")
    if value and file:
        raise SettingsError(f"{name} and {name}_FILE are both set: keep one")
    if not file:
        return value
    try:
        return Path(file).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{name}_FILE: {error}") from error


def _check(field: str, value: str, name: str) -> None:
    given = {field: value}
    try:
        msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as error:
        from service.wording import value_must_be

        shown = "" if field in _SECRETS else f"={value!r}"
        told = value_must_be(Settings, (field,), given).removesuffix(".").replace(" or null", "")
        raise SettingsError(f"{name}{shown}: {told[0].lower()}{told[1:]}") from error


def _masked(value: object) -> str:
    """A URL without its password and its parameters; of any other secret, nothing."""
    url = urlsplit(str(value))
    if not url.scheme:
        return "***"
    host = url.netloc.rpartition("@")[2]
    user = f"{url.username or ''}:***@" if "@" in url.netloc else ""
    return urlunsplit((url.scheme, user + host, url.path, "***" if url.query else "", ""))
