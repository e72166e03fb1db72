"""The clients as they are built: the Python one's core is generated for the run."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.app import build_in_memory
from tests.service.serving import serving
from tests.service.support import QUICK

CLIENT = Path(__file__).parents[2] / "clients" / "python"


@pytest.fixture(scope="session")
def client_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the Python client; any warning of the generator is a failure."""
    folder = tmp_path_factory.mktemp("client")
    package = folder / "talon_client"
    shutil.copytree(CLIENT / "talon_client", package, ignore=lambda *_: {"core", "__pycache__"})
    sys.path[:0] = [str(folder), str(CLIENT)]
    importlib.import_module("generate").generate(package / "core")
    yield folder
    sys.path[:] = [path for path in sys.path if path not in (str(folder), str(CLIENT))]


@pytest.fixture(scope="session")
def client(client_folder: Path) -> Any:
    """The package ``talon_client``."""
    return importlib.import_module("talon_client")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where a service answers."""
    with serving(build_in_memory(QUICK)) as address:
        yield address
