"""A running service, scraped while a match is played: its processes add up, and tell of nobody."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.refusals import Refusal
from service.routes import OPERATIONS
from tests.house.running import Service, serving
from tests.house.test_serve import within
from tests.metrics.scraped import scraped, value

pytestmark = pytest.mark.servers
TURNS = 8
DULL = ("accept_penalty", "pass_turn", "draw_card", "choose_color")
HTTP_TOTAL = "talon_http_requests_total"
WORD = re.compile(r"[a-z][a-z_]{0,40}|worker-\d+")
SECRET = re.compile(r"[0-9a-f]{8}-|[0-9a-f]{16}|talon_[A-Za-z0-9_-]{20}|Ann|127\.0\.0\.1")


@pytest.fixture
def service(database: str, redis_url: str, redis_prefix: str, tmp_path: Path) -> Iterator[Service]:
    settings = {
        "TALON_DATABASE_URL": database,
        "TALON_REDIS_URL": redis_url,
        "TALON_REDIS_PREFIX": redis_prefix,
        "TALON_DATA": str(tmp_path / "data"),
        "TALON_METRICS_PORT": "0",
        "TALON_BOT_MOVE_MS": "0",
        "TALON_BOT_CATCH_MS": "0",
    }
    with serving("--workers", "2", settings=settings) as running:
        yield running


class Evening:
    """Somebody who plays some turns against a bot, and remembers what was asked."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        token = self.post("/v1/players", {"name": "Ann"}).json()["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        made = self.post("/v1/matches", {"seats": 2, "bots": ["steady"]})
        self.match = f"/v1/matches/{made.json()['match_id']}"
        self.post(f"{self.match}/start", None)
        self.done = self.refused = 0

    def post(self, path: str, body: Any) -> httpx.Response:
        return self.http.post(path, json=body) if body is not None else self.http.post(path)

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get(f"{self.match}/view").json()
        return found

    def turn(self) -> None:
        """Do what the turn asks for, and play no card: that might end the round."""
        assert within(30, lambda: bool(self.view().get("legal")))
        offered = {command["type"]: command for command in self.view()["legal"]}
        self.send(next(offered[kind] for kind in DULL if kind in offered))

    def foul(self) -> str:
        """Play a card that is not held, and be told the code of the refusal."""
        held = self.view()["you"]["hand"]
        faces = (f"{color}{number}" for color in "RGBY" for number in range(10))
        card = next(face for face in faces if face not in held)
        return str(self.send({"type": "play_card", "card": card})["code"])

    def send(self, command: Any) -> Any:
        answer = self.post(f"{self.match}/commands", command)
        assert answer.status_code in (200, 409), answer.text
        self.done += answer.status_code == 200
        self.refused += answer.status_code == 409
        return answer.json()


@pytest.fixture
def evening(service: Service) -> Iterator[Evening]:
    with httpx.Client(base_url=service.url, timeout=30) as http:
        yield Evening(http)


def test_what_was_played_is_counted_by_all_processes_together(
    service: Service, evening: Evening
) -> None:
    metrics = service.metrics()
    for _ in range(TURNS):
        evening.turn()
    code = evening.foul()

    def counted() -> bool:
        found, version = scraped(metrics), evening.view()["version"]
        sent = {"operation": "submitCommand"}
        return (
            value(found, HTTP_TOTAL, **sent, status="200") == evening.done
            and value(found, HTTP_TOTAL, **sent, status="409") == evening.refused
            and value(found, HTTP_TOTAL, operation="createPlayer", status="201") == 1
            and value(found, "talon_http_request_seconds_count", **sent)
            == evening.done + evening.refused
            and value(found, "talon_commands_refused_total") == evening.refused
            and value(found, "talon_commands_refused_total", code=code) >= 1
            and value(found, "talon_events_written_total") == version
            and value(found, "talon_append_commands_sum")
            == value(found, "talon_append_commands_count")
            and value(found, "talon_bot_commands_total") >= 1
            and value(found, "talon_log_position") == version
            and value(found, "talon_projection_position", projection="boards") == version
            and value(found, "talon_projection_lag_events", projection="boards") == 0
            and value(found, "talon_projection_lag_seconds_count", projection="boards") > 0
            and value(found, "talon_projection_lag_seconds_count", projection="views") > 0
            and value(found, "talon_checkpoint_events") == version
            and value(found, "talon_leading") == 4
            and value(found, "talon_keeper_failing") == 0
            and value(found, "talon_redis_up") == 1
            and 1 <= value(found, "talon_matches_in_memory") <= 2
        )

    assert within(60, counted), "\n".join(str(metric) for metric in scraped(metrics))


def test_no_label_tells_of_anybody(service: Service, evening: Evening) -> None:
    metrics = service.metrics()
    evening.turn()
    evening.http.get("/v1/players/00000000-0000-7000-8000-000000000000")
    evening.http.get("/no/such/talon_path/with/Ann")
    with evening.http.stream("GET", f"{evening.match}/events/stream") as stream:
        lines = stream.iter_lines()  # held: dropped, it would close the stream
        assert next(lines)
        assert within(20, lambda: value(scraped(metrics), "talon_streams_open", kind="stream") == 1)
        found = scraped(metrics)
    known = {one.id for one in OPERATIONS} | {str(one) for one in Refusal} | {"none"}
    for metric in found:
        for sample in metric.samples:
            for name, word in sample.labels.items():
                assert not SECRET.search(word), (metric.name, name, word)
                if name not in ("le", "status", "version"):
                    assert word in known or WORD.fullmatch(word), (metric.name, name, word)
    assert value(found, HTTP_TOTAL, operation="none", status="404") == 1
    assert value(found, HTTP_TOTAL, operation="getPlayer", status="404") == 1


def test_a_worker_that_dies_leaves_its_counts_and_takes_what_it_had_open(
    service: Service, evening: Evening
) -> None:
    metrics = service.metrics()
    evening.turn()
    made = {"operation": "createPlayer", "status": "201"}
    assert within(20, lambda: value(scraped(metrics), HTTP_TOTAL, **made) == 1)
    assert within(20, lambda: value(scraped(metrics), "talon_matches_in_memory") >= 1)
    for worker in service.workers():
        os.kill(worker, signal.SIGKILL)
    assert within(30, lambda: value(scraped(metrics), "talon_processes_replaced_total") == 2)
    assert within(30, lambda: len(service.workers()) == 2)
    after = scraped(metrics)
    assert value(after, HTTP_TOTAL, **made) == 1
    shown = {
        sample.labels["process"]
        for one in after
        if one.name == "process_open_fds"
        for sample in one.samples
    }
    assert shown == {"serve", "worker-1", "worker-2", "keeper"}


def test_metrics_are_never_on_the_public_port(service: Service) -> None:
    assert httpx.get(service.metrics()).status_code == 200
    assert httpx.get(f"{service.url}/metrics").status_code == 404
    assert httpx.get(f"{service.url}/v1/metrics").status_code == 404
