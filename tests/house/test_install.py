"""``./talon`` installs what the lock says, once, and says what is missing."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECKOUT = Path(__file__).resolve().parents[2]
LOCKS = CHECKOUT / "requirements"


def pins(name: str) -> dict[str, str]:
    """The version of each package in a lock file."""
    found = re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)", (LOCKS / name).read_text(), re.M)
    return {canonicalize_name(package): version for package, version in found}


def wanted(*extras: str) -> list[Requirement]:
    """What pyproject.toml asks for."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    lines = project["dependencies"] + [
        line for extra in extras for line in project["optional-dependencies"][extra]
    ]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("image.txt", ()), ("run.txt", ("embedded",)), ("test.txt", ("embedded", "test"))],
)
def test_a_lock_holds_what_the_project_asks_for(lock: str, extras: tuple[str, ...]) -> None:
    locked = pins(lock)
    for requirement in wanted(*extras):
        version = locked.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement} is not in {lock}: run requirements/lock.sh"
        assert requirement.specifier.contains(version), f"{requirement} is locked at {version}"


def test_all_locks_agree() -> None:
    image, run, test = pins("image.txt"), pins("run.txt"), pins("test.txt")
    assert image.items() <= run.items() <= test.items()


@pytest.mark.parametrize("lock", ["image.txt", "run.txt", "test.txt"])
def test_a_lock_has_hashes_and_names_no_registry(lock: str) -> None:
    text = (LOCKS / lock).read_text()
    entries = [entry for entry in re.split(r"^(?=\w)", text, flags=re.M) if "==" in entry]
    assert len(entries) == len(pins(lock))
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text


@pytest.fixture
def installer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("install", LOCKS / "install.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _install_slowly(venv: Path, done: Path) -> None:
    spec = importlib.util.spec_from_file_location("install", LOCKS / "install.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def install(venv: Path, lock: Path) -> None:
        venv.mkdir()  # fails if the other is here too
        with done.open("a") as file:
            file.write(f"{os.getpid()}\n")

    module.install = install
    assert module.main(venv, "run", "checksum") == 0


def test_of_two_that_start_at_once_one_installs(tmp_path: Path) -> None:
    starter = multiprocessing.get_context("spawn")
    both = [
        starter.Process(target=_install_slowly, args=(tmp_path / "venv", tmp_path / "done"))
        for _ in range(2)
    ]
    for process in both:
        process.start()
    for process in both:
        process.join(30)
    assert [process.exitcode for process in both] == [0, 0]
    assert len((tmp_path / "done").read_text().splitlines()) == 1


def test_a_test_installation_serves_for_running_too(
    installer: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    monkeypatch.setattr(installer, "install", lambda venv, lock: made.append(lock.name))
    venv = tmp_path / "venv"
    venv.mkdir()
    for name in ("test", "run", "test"):
        assert installer.main(venv, name, "checksum") == 0
    assert made == ["test.txt"]
    assert installer.main(venv, "run", "another checksum") == 0
    assert made == ["test.txt", "run.txt"]


def test_a_failed_installation_is_tried_again(
    installer: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv = tmp_path / "venv"
    venv.mkdir()
    monkeypatch.setattr(installer, "install", lambda venv, lock: "no network")
    assert installer.main(venv, "run", "checksum") == 1
    assert list(venv.iterdir()) == []


def test_a_missing_venv_module_is_explained(
    installer: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\necho ensurepip is not available\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(installer.sys, "executable", str(python))
    problem = installer.make_with_venv(tmp_path / "venv")
    assert "ensurepip is not available" in problem
    assert "apt install python3-venv" in problem


def test_a_machine_without_python_is_told_so(tmp_path: Path) -> None:
    for program in ("dirname", "cat", "cksum"):
        (tmp_path / program).symlink_to(str(shutil.which(program)))
    shim = tmp_path / "python3"  # there, and of a version that is not installed
    shim.write_text("#!/bin/sh\necho not installed >&2\nexit 127\n")
    shim.chmod(0o755)
    checkout = tmp_path / "a checkout"
    (checkout / "requirements").mkdir(parents=True)
    (checkout / "requirements" / "run.txt").write_text("")
    (checkout / "pyproject.toml").write_text("")
    shutil.copy(CHECKOUT / "talon", checkout)
    done = subprocess.run(
        ["/bin/sh", checkout / "talon", "serve"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "talon: needs Python 3.11 or newer on PATH (or uv, and a Python that it knows)\n"
    )
