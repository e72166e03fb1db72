"""Logs are lines of JSON, and whoever reads them learns no token, seed, key or card."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.house.running import serving, talon
from tests.house.test_serve import within
from tests.webhooks.receiver import receiver

pytestmark = pytest.mark.servers

WRONG_TOKEN = "talon_" + "w" * 43
NAME = "Annabella"


def key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode().rstrip("=")


@pytest.fixture
def settings(database: str, redis_url: str, redis_prefix: str, tmp_path: Path) -> dict[str, str]:
    return {
        "TALON_DATABASE_URL": database,
        "TALON_REDIS_URL": redis_url,
        "TALON_REDIS_PREFIX": redis_prefix,
        "TALON_DATA": str(tmp_path / "data"),
        "TALON_SEAL_KEY": key(),
        "TALON_SIGNING_KEY": key(),
        "TALON_SANDBOX": "true",
        "TALON_WEBHOOKS_ANYWHERE": "true",
        "TALON_LOG_LEVEL": "debug",
    }


class Visit:
    """Whoever is told something that nobody else may know."""

    def __init__(self, http: httpx.Client, app_key: str) -> None:
        self.http = http
        self.told = {app_key}
        self.app = {"Authorization": f"Bearer {app_key}"}

    def post(self, path: str, body: Any, **headers: str) -> dict[str, Any]:
        answer = self.http.post(path, json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def keep(self, secret: str) -> str:
        self.told.add(secret)
        return secret

    def signed(self, token: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.keep(token)}"}

    def webhook(self, url: str) -> None:
        """An app that is told, with a secret by which letters are signed."""
        self.keep(self.post("/v1/webhooks", {"url": url}, **self.app)["secret"])

    def match(self) -> str:
        """A private match of two, watched with a ticket, which goes on and is given up."""
        ann = self.signed(self.post("/v1/players", {"name": NAME}, **self.app)["token"])
        bob = self.signed(self.post("/v1/players", {"name": "Bob"})["token"])
        made = self.post("/v1/matches", {"seats": 2, "visibility": "private"}, **ann)
        path = f"/v1/matches/{made['match_id']}"
        invite = self.keep(made["invite"])
        self.post(f"{path}/seats", {"invite": invite}, **bob)
        version = self.post(f"{path}/start", {}, **ann)["version"]
        ticket = {"match_id": made["match_id"], "purpose": "stream"}
        opened = self.keep(self.post("/v1/tickets", ticket, **ann)["ticket"])
        stream = f"{path}/events/stream?ticket={quote(opened)}"
        with self.http.stream("GET", stream) as answer:
            lines = answer.iter_lines()
            assert next(lines)
        for who in (ann, bob):
            view = self.http.get(f"{path}/view?min_version={version}", headers=who).json()
            for command in view["legal"][:1]:
                self.http.post(f"{path}/commands", json=command, headers=who)
        self.post(f"{path}/commands", {"type": "leave"}, **bob)
        return path

    def fail(self, path: str) -> None:
        """What is refused shows no more: wrong tokens, tickets, bodies."""
        wrong = {"Authorization": f"Bearer {self.keep(WRONG_TOKEN)}"}
        assert self.http.get(f"{path}/view", headers=wrong).status_code == 401
        self.http.get(f"{path}/events/stream?ticket={WRONG_TOKEN}")
        self.http.post("/v1/players", json={"name": "A", "token": WRONG_TOKEN})
        self.http.post("/v1/players", content=b'{"name": "%b' % WRONG_TOKEN.encode())
        self.http.get(f"/v1/players/{WRONG_TOKEN}")


def test_nothing_that_is_secret_is_ever_in_a_log_line(
    settings: dict[str, str], tmp_path: Path
) -> None:
    made = talon("token", "app", "--name", "My app", settings=settings)
    with (
        (tmp_path / "log").open("w+") as log,
        receiver() as received,
        serving("--workers", "2", settings=settings, logged=log) as service,
        httpx.Client(base_url=service.url, timeout=30) as http,
    ):
        visit = Visit(http, made.stdout.strip())
        visit.webhook(received.url)
        path = visit.match()
        visit.fail(path)
        told = visit.told | {settings["TALON_SEAL_KEY"], settings["TALON_SIGNING_KEY"], NAME}
        told |= set(_seeds(http, path, visit))
        assert within(30, lambda: len(received.letters) >= 2)
        told |= {letter.headers["webhook-signature"] for letter in received.letters}
    lines = (tmp_path / "log").read_text().splitlines()
    assert sum('"route": "/v1/matches/{match_id}/commands"' in line for line in lines) >= 2
    for line in lines:
        assert json.loads(line)["level"], line
        assert not [secret for secret in told if secret in line], line


def _seeds(http: httpx.Client, path: str, visit: Visit) -> Iterator[str]:
    """The seeds of the match, which it reveals at its end, as they might be written."""
    found = []
    for token in sorted(visit.told):
        answer = http.get(f"{path}/events", headers={"Authorization": f"Bearer {token}"})
        if answer.status_code == 200:
            items = answer.json()["items"]
            found = [one["event"] for one in items if one["type"] == "seed_revealed"]
    assert found
    for revealed in found:
        seed = bytes.fromhex(revealed["seed"])
        yield from (seed.hex(), base64.b64encode(seed).decode(), repr(seed))
