"""``talon serve``: it starts, answers, survives its workers, and stops in order."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.house.running import Service, is_alive, serving, talon
from tests.servers import database_name, execute, role_name

pytestmark = pytest.mark.servers


@pytest.fixture
def settings(database: str, redis_url: str, redis_prefix: str, tmp_path: Path) -> dict[str, str]:
    """A service over the servers of the tests, with a database of its own."""
    return {
        "TALON_DATABASE_URL": database,
        "TALON_REDIS_URL": redis_url,
        "TALON_REDIS_PREFIX": redis_prefix,
        "TALON_DATA": str(tmp_path / "data"),
    }


@pytest.fixture
def service(settings: dict[str, str]) -> Iterator[Service]:
    with serving(settings=settings) as running:
        yield running


def create_player(url: str) -> str:
    answer = httpx.post(f"{url}/v1/players", json={"name": "Ann"})
    assert answer.status_code == 201, answer.text
    token: str = answer.json()["token"]
    return token


def place(url: str) -> httpx.Response:
    """A position for the sandbox."""
    seats = [{"name": "Ann", "hand": ["R1"]}, {"name": "Bob", "hand": ["B1"]}]
    body = {"seats": seats, "top": "R7", "turn": 0}
    return httpx.post(f"{url}/v1/sandbox/matches", json=body)


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_it_stops_in_about_a_second_with_a_stream_open(service: Service) -> None:
    signed = {"Authorization": f"Bearer {create_player(service.url)}"}
    match = httpx.post(f"{service.url}/v1/matches", json={"seats": 2}, headers=signed).json()
    stream = f"{service.url}/v1/matches/{match['match_id']}/events/stream"
    with httpx.stream("GET", stream, headers=signed, timeout=30) as answer:
        lines = answer.iter_lines()
        assert next(lines)
        asked = time.monotonic()
        service.process.send_signal(signal.SIGINT)
        rest = list(lines)  # ends without an error: the body was closed in order
        assert service.process.wait(10) == 0
        seconds = time.monotonic() - asked
    assert seconds < 4, "a busy machine gets some time; an open stream would hold it for ever"
    assert all(line == "" or ":" in line for line in rest)


def test_two_workers_share_the_address_and_a_dead_one_is_replaced(
    settings: dict[str, str],
) -> None:
    with serving("--workers", "2", settings=settings) as service:
        before = service.workers()
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        assert within(20, lambda: before[0] not in service.workers())
        assert within(20, lambda: len(service.workers()) == 2)
        for _ in range(8):
            create_player(service.url)
        after = service.workers()
    assert not any(is_alive(worker) for worker in {*before, *after})


def test_a_dead_keeper_is_replaced_and_the_log_is_signed_on(settings: dict[str, str]) -> None:
    with serving(settings=settings) as service:
        (before,) = service.keepers()
        os.kill(before, signal.SIGKILL)
        assert within(20, lambda: len(set(service.keepers()) - {before}) == 1)
        signed = {"Authorization": f"Bearer {create_player(service.url)}"}
        answer = httpx.post(f"{service.url}/v1/matches", json={"seats": 2}, headers=signed)
        assert answer.status_code == 201
        assert within(20, lambda: _signed_size(service.url) >= answer.json()["version"])


def _signed_size(url: str) -> int:
    """How many events the newest checkpoint is about; 0 while there is none."""
    answer = httpx.get(f"{url}/v1/log/checkpoint")
    return int(answer.text.splitlines()[1]) if answer.status_code == 200 else 0


def test_processes_do_not_outlive_a_parent_that_is_killed(settings: dict[str, str]) -> None:
    with serving("--workers", "2", settings=settings) as service:
        started = service.workers() + service.keepers()
        assert len(started) == 3
        service.process.kill()
        assert within(10, lambda: not any(is_alive(process) for process in started))


def test_what_was_answered_outlives_kill_and_the_folder_serves_again(tmp_path: Path) -> None:
    settings = {"TALON_DATA": str(tmp_path / "data")}
    with serving(settings=settings) as service:
        token = create_player(service.url)
        placed = place(service.url).json()
        service.process.kill()
    with serving(settings=settings) as service:
        mine = httpx.get(
            f"{service.url}/v1/players/me", headers={"Authorization": f"Bearer {token}"}
        )
        assert mine.json()["name"] == "Ann"
        view = httpx.get(
            f"{service.url}/v1/matches/{placed['match_id']}/view",
            headers={"Authorization": f"Bearer {placed['tokens'][1]}"},
        )
        assert view.json()["you"]["hand"] == ["B1"]
        second = talon("serve", "--port", "0", settings=settings)
        assert second.returncode == 1
        assert f"already running at {service.url} " in second.stderr
        beside = talon("token", "auditor", settings=settings)
        assert (beside.returncode, beside.stdout[:6]) == (0, "talon_")


def test_a_closed_service_takes_players_from_applications_only(settings: dict[str, str]) -> None:
    made = talon("token", "app", "--name", "My app", settings=settings)
    assert made.returncode == 0, made.stderr
    settings["TALON_OPEN_REGISTRATION"] = "false"
    with serving(settings=settings) as service:
        players, body = f"{service.url}/v1/players", {"name": "Ann"}
        signed = {"Authorization": f"Bearer {made.stdout.strip()}"}
        assert httpx.post(players, json=body).status_code in (401, 403)
        assert httpx.post(players, json=body, headers=signed).status_code == 201


def test_the_sandbox_is_closed_on_named_servers_unless_it_is_opened(
    settings: dict[str, str],
) -> None:
    with serving(settings=settings) as service:
        closed = place(service.url)
        assert (closed.status_code, closed.json()["code"]) == (403, "sandbox_closed")
    with serving(settings=settings | {"TALON_SANDBOX": "true"}) as service:
        assert place(service.url).status_code == 201


def test_everything_in_redis_can_be_computed_again(
    service: Service, settings: dict[str, str]
) -> None:
    create_player(service.url)
    rebuilt = talon("rebuild", settings=settings)
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert rebuilt.stdout.startswith("rebuilt the views of 0 matches")
    assert "leaderboards up to position 0 " in rebuilt.stdout


def test_a_port_in_use_is_refused_in_words(settings: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = talon("serve", "--port", port, settings=settings)
    assert refused.returncode == 1
    assert f"cannot listen on 127.0.0.1 port {port}" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TALON_PORT", "http", "TALON_PORT='http'"),
        ("TALON_SEAL_KEY", "c2hvcnQ=", "TALON_SEAL_KEY: the seal key has 5 bytes"),
        ("TALON_DATABASE_URL", "postgresql://127.0.0.1:1/none", "the database cannot be used"),
    ],
)
def test_a_setting_that_does_not_work_is_named(
    settings: dict[str, str], name: str, value: str, said: str
) -> None:
    refused = talon("serve", settings={**settings, "TALON_PORT": "0", name: value})
    assert refused.returncode == 1
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_database_sealed_with_another_key_is_refused(settings: dict[str, str]) -> None:
    with serving(settings={**settings, "TALON_SEAL_KEY": "A" * 43}):
        pass
    refused = talon(
        "serve", settings={**settings, "TALON_PORT": "0", "TALON_SEAL_KEY": "B" * 42 + "A"}
    )
    assert refused.returncode == 1
    assert "the database was sealed with key" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_older_release_does_not_start_on_a_newer_schema(
    settings: dict[str, str], database: str
) -> None:
    execute(database, "update alembic_version set version_num = '9999'")
    refused = talon("serve", settings={**settings, "TALON_PORT": "0"})
    assert refused.returncode == 1
    assert "the database cannot be migrated" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_port_for_metrics_is_refused_in_words_if_it_is_in_use(
    settings: dict[str, str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = talon(
            "serve", settings={**settings, "TALON_PORT": "0", "TALON_METRICS_PORT": port}
        )
    assert refused.returncode == 1
    assert f"cannot serve metrics on 127.0.0.1 port {port}" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_login_that_may_not_migrate_serves_a_migrated_database(
    settings: dict[str, str], database: str
) -> None:
    login = f"talon_test_{secrets.token_hex(6)}"
    execute(database, f"create role {login} login password 'limited'")
    try:
        execute(database, f"grant {role_name(database_name(database))} to {login}")
        place = database.rpartition("@")[2]
        settings["TALON_DATABASE_URL"] = f"postgresql://{login}:limited@{place}"
        with serving(settings=settings) as service:
            create_player(service.url)
    finally:
        execute(database, f"drop role {login}")
