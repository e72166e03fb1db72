"""What every test of faults starts from: settings of a service on servers that tests share."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

SETTINGS = {
    "TALON_SEAL_KEY": base64.b64encode(bytes(range(32))).decode(),
    "TALON_BOT_MOVE_MS": "20",
    "TALON_BOT_CATCH_MS": "60",
    "TALON_HEARTBEAT_SECONDS": "1",
}


@pytest.fixture
def settings(database: str, redis_url: str, redis_prefix: str, tmp_path: Path) -> dict[str, str]:
    return {
        **SETTINGS,
        "TALON_DATABASE_URL": database,
        "TALON_REDIS_URL": redis_url,
        "TALON_REDIS_PREFIX": redis_prefix,
        "TALON_DATA": str(tmp_path),
    }
