"""The embedded servers keep their data, keep to themselves, and leave nothing behind."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
import redis

from infra.embedded import identity
from infra.embedded.errors import AlreadyRunning, EmbeddedError
from infra.embedded.folder import DataFolder, Running
from infra.embedded.servers import EmbeddedServers

_CHECKOUT = Path(__file__).resolve().parents[2]
_HOLDER = """
import asyncio, sys, time
from pathlib import Path
import asyncpg
from infra.embedded.folder import DataFolder, Running
from infra.embedded.servers import EmbeddedServers

async def write(url):
    connection = await asyncpg.connect(url)
    await connection.execute("create table kept (n int); insert into kept values (7)")
    await connection.close()

folder = DataFolder(Path(sys.argv[1]))
folder.lock()
servers = EmbeddedServers(folder.path)
servers.start()
asyncio.run(write(servers.database_url))
folder.announce(Running("http://127.0.0.1:1", servers.database_url, servers.redis_url))
print("holding", flush=True)
time.sleep(60)
"""
"""A process that holds a data folder with running servers and one committed row."""


def fetch(url: str, query: str) -> object:
    async def run() -> object:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    return asyncio.run(run())


def servers_of(folder: Path) -> list[int]:
    """The processes that have the folder in their arguments or as their working files."""
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and int(entry.name) != os.getpid() and _belongs(entry, folder)
    ]


def _belongs(process: Path, folder: Path) -> bool:
    try:
        words = (process / "cmdline").read_bytes().decode(errors="replace")
        log = str((process / "fd" / "2").readlink())
    except OSError:  # it has just ended
        return False
    return f"{folder}/postgres" in words or log.startswith(f"{folder}/")


def wait_until_gone(folder: Path, seconds: float) -> None:
    until = time.monotonic() + seconds
    while servers_of(folder) and time.monotonic() < until:
        time.sleep(0.05)
    assert servers_of(folder) == []


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(tmp_path / "data")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=_CHECKOUT,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "holding\n"
        yield process
        process.kill()


def test_data_outlives_a_restart(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "data") as servers:
        fetch(str(servers.database_url), "create table kept (n int)")
        fetch(str(servers.database_url), "insert into kept values (7)")
    with EmbeddedServers(tmp_path / "data") as servers:
        assert fetch(str(servers.database_url), "select n from kept") == 7


def test_what_was_stopped_is_gone(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "data", durable=False):
        assert len(servers_of(tmp_path / "data")) >= 2
    assert servers_of(tmp_path / "data") == []


def test_what_is_not_wanted_leaves_no_trace(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "data", postgres=False, valkey=False) as servers:
        assert (servers.database_url, servers.redis_url) == (None, None)
    assert not (tmp_path / "data").exists()


def test_a_path_may_have_spaces(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "my data" / "of talon", durable=False) as servers:
        assert fetch(str(servers.database_url), "select 1") == 1


def test_commits_are_forced_to_disk(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "data", valkey=False) as servers:
        url = str(servers.database_url)
        durable = [fetch(url, f"show {name}") for name in ("fsync", "synchronous_commit")]
    assert durable == ["on", "on"]


def test_nobody_enters_without_the_password(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "data", durable=False) as servers:
        password = (tmp_path / "data" / "password").read_text()
        guess = str(servers.database_url).replace(password, "guess")
        with pytest.raises(asyncpg.InvalidPasswordError):
            fetch(guess, "select 1")
        client = redis.Redis.from_url(str(servers.redis_url).replace(password, "guess"))
        with client, pytest.raises(redis.AuthenticationError):
            client.ping()


def test_secrets_are_for_their_owner_only(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    folder.lock()
    folder.secret("password")
    folder.announce(Running("http://127.0.0.1:1", "postgresql://x", "redis://x"))
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.path.iterdir()}
    folder.unlock()
    assert modes == {"lock": 0o644, "password": 0o600, "running.json": 0o600}


def test_a_secret_is_made_once(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert folder.secret("seal.key") == folder.secret("seal.key")
    assert folder.secret("seal.key") != folder.secret("password")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["password", "seal.key"]


def test_a_folder_in_use_is_refused_with_the_address(
    holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    with pytest.raises(AlreadyRunning, match=r"already running at http://127\.0\.0\.1:1 "):
        DataFolder(tmp_path / "data").lock()


def test_a_command_beside_the_service_finds_its_servers(
    holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    running = DataFolder(tmp_path / "data").running()
    assert running is not None
    assert fetch(str(running.database_url), "select n from kept") == 7


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of a parent's death")
def test_killing_the_parent_leaves_no_orphan_and_no_damage(
    holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    assert len(servers_of(folder)) >= 2
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with EmbeddedServers(folder) as servers:  # at once, while the old ones are still stopping
        assert fetch(str(servers.database_url), "select n from kept") == 7
    wait_until_gone(folder, 10)


def test_servers_that_die_are_started_again_at_their_address(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "data") as servers:
        fetch(str(servers.database_url), "create table kept (n int)")
        for process in servers_of(tmp_path / "data"):
            os.kill(process, signal.SIGKILL)
        wait_until_gone(tmp_path / "data", 5)
        assert servers.revive() == ("Postgres", "Valkey")
        assert servers.revive() == ()
        until = time.monotonic() + 30
        while True:
            try:
                assert fetch(str(servers.database_url), "select count(*) from kept") == 0
                break
            except (OSError, asyncpg.CannotConnectNowError):
                assert time.monotonic() < until
                time.sleep(0.05)
        with redis.Redis.from_url(str(servers.redis_url)) as client:
            assert client.ping()


def test_a_start_that_was_cut_off_is_started_anew(tmp_path: Path) -> None:
    half_made = tmp_path / "data" / "postgres.new"
    half_made.mkdir(parents=True)
    (half_made / "PG_VERSION").write_text("18")
    with EmbeddedServers(tmp_path / "data", valkey=False, durable=False) as servers:
        assert fetch(str(servers.database_url), "select 1") == 1
    assert not half_made.exists()


def test_a_process_number_left_by_a_power_cut_is_not_taken_for_a_server(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "data", valkey=False, durable=False):
        lines = (tmp_path / "data" / "postgres" / "postmaster.pid").read_text().splitlines()
    lines[0] = str(os.getpid())  # by now somebody else's
    (tmp_path / "data" / "postgres" / "postmaster.pid").write_text("\n".join(lines))
    with EmbeddedServers(tmp_path / "data", valkey=False, durable=False) as servers:
        assert fetch(str(servers.database_url), "select 1") == 1


def test_files_of_another_major_version_are_refused_in_words(tmp_path: Path) -> None:
    with EmbeddedServers(tmp_path / "data", valkey=False, durable=False):
        pass
    (tmp_path / "data" / "postgres" / "PG_VERSION").write_text("12\n")
    with pytest.raises(EmbeddedError, match="made by Postgres 12"):
        EmbeddedServers(tmp_path / "data", valkey=False, durable=False).start()


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes another user")
def test_where_namespaces_are_forbidden_root_uses_another_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    everybody = identity._candidates
    monkeypatch.setattr(
        identity,
        "_candidates",
        lambda folder: (one for one in everybody(folder) if one.drop != "namespace"),
    )
    data = Path(tempfile.mkdtemp(prefix="talon-test-"))
    data.chmod(0o711)
    try:
        with EmbeddedServers(data) as servers:
            assert fetch(str(servers.database_url), "select 1") == 1
            assert (data / "postgres").stat().st_uid != 0
        monkeypatch.undo()
        with EmbeddedServers(data) as servers:  # and stays with that user
            assert fetch(str(servers.database_url), "select 1") == 1
            assert (data / "postgres").stat().st_uid != 0
    finally:
        shutil.rmtree(data)
