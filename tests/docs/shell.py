"""The programs on a page of the documentation, run against a service of their own."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from litestar import Litestar

from domain.ports import Principal
from service.app import build_in_memory
from service.identity import Kind, new_token, token_hash
from service.ids import new_id
from service.services import Services
from tests.service.serving import serving
from tests.service.support import QUICK

PAGES: Final = Path(__file__).parents[2] / "docs" / "api"
SECONDS: Final = 120
needs_curl: Final = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


def blocks(page: str, language: str) -> list[str]:
    """What stands on a page in one language."""
    text = (PAGES / page).read_text()
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return found


def printed(page: str, folder: Path, flags: str = "-euc") -> str:
    """What the shell blocks of a page print, run in one go; each command has to succeed."""
    script = "".join(blocks(page, "sh"))
    assert script
    app = build_in_memory(QUICK)
    with serving(app) as url:
        kinds = (Kind.APP, Kind.AUDITOR, Kind.OPERATOR)
        keys = {kind.upper(): asyncio.run(_key(app, kind)) for kind in kinds}
        done = subprocess.run(
            ["sh", flags, script],
            env={**os.environ, **keys, "TALON": url},
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


async def _key(app: Litestar, kind: Kind) -> str:
    """A new key of this kind, as ``./talon token`` makes one."""
    services: Services = app.state.services
    token, owner = new_token(), Principal(kind, new_id())
    if kind is Kind.APP:
        await services.registry.add_app(owner.id, "My game")
    await services.registry.add_token(token_hash(token), owner, services.now(), None)
    return token
