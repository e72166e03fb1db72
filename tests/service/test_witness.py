"""talon witness beside a service that runs: its exit codes, and what it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.app import build_in_memory
from service.cli import main as command_line
from tests.service.serving import serving
from tests.service.support import QUICK


def test_a_witness_cosigns_a_running_service_and_notices_when_it_is_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = str(tmp_path / "witness")
    with serving(build_in_memory(QUICK)) as url:
        words = ["witness", url, "--once", "--state", state, "--name", "w1"]
        assert command_line.main(words) == 0
        assert "0 to 0 events, cosigned" in capsys.readouterr().out
        assert command_line.main(words) == 0
        assert "nothing new" in capsys.readouterr().out
    with serving(build_in_memory(QUICK)) as url:  # with a key of its own
        assert command_line.main(["witness", url, "--once", "--state", state]) == 1
        assert "no key that is trusted" in capsys.readouterr().err
    assert command_line.main(["witness", url, "--once", "--state", state]) == 1


@pytest.mark.parametrize("words", [["--name", "two words"], ["--interval", "0"]])
def test_what_cannot_be_done_is_said(words: list[str], tmp_path: Path) -> None:
    given = ["witness", "http://127.0.0.1:1", "--state", str(tmp_path), "--once", *words]
    assert command_line.main(given) == 1
