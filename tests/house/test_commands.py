"""The command line says what it can do and refuses the rest in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.cli import main as command_line
from service.cli.banner import banner
from service.settings import Settings
from tests.house.running import talon

COMMANDS = sorted(command_line._COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        command_line.main([name, "--help"])
    assert done.value.code == 0
    assert f"usage: talon {name}" in capsys.readouterr().out


def test_without_a_command_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main([]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in COMMANDS)


def test_an_unknown_command_is_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["sevre"]) == 2
    assert "no command 'sevre'" in capsys.readouterr().err


def test_the_settings_are_printed_as_variables_without_secrets() -> None:
    shown = talon(
        "config",
        settings={"TALON_REDIS_URL": "redis://:hunter2@keys/0", "TALON_PROT": "1"},
    )
    assert "TALON_REDIS_URL=redis://:***@keys/0\n" in shown.stdout
    assert "TALON_PORT=8000\n" in shown.stdout
    assert "TALON_PROT is no setting" in shown.stderr
    assert "hunter2" not in shown.stdout + shown.stderr


@pytest.mark.parametrize("words", [("app",), ("auditor", "--name", "x")])
def test_only_an_application_has_a_name(words: tuple[str, ...]) -> None:
    refused = talon("token", *words, settings={})
    assert refused.returncode == 1
    assert "--name" in refused.stderr


def test_an_application_that_has_lost_its_key_is_given_another(database: str) -> None:
    settings = {"TALON_DATABASE_URL": database}
    first = talon("token", "app", "--name", "My game", settings=settings)
    app = first.stderr.split()[1].rstrip(",")

    again = talon("token", "app", "--app", app, settings=settings)
    nobody = talon("token", "app", "--app", "mine", settings=settings)

    assert again.stdout.startswith("talon_") and app in again.stderr
    assert again.stdout != first.stdout
    assert nobody.returncode == 1 and "there is no application mine" in nobody.stderr


@pytest.mark.parametrize("name", ["serve", "token", "migrate", "rebuild", "config"])
def test_every_command_that_works_with_a_data_folder_can_be_told_which(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command_line.main([name, "--help"])
    assert "--data DATA" in capsys.readouterr().out


def test_the_data_folder_of_the_command_line_wins_over_the_variable() -> None:
    shown = talon("config", "--data", "/here", settings={"TALON_DATA": "/there"})
    assert "TALON_DATA=/here\n" in shown.stdout


def test_a_token_is_told_where_it_is_kept(database: str) -> None:
    made = talon("token", "auditor", settings={"TALON_DATABASE_URL": database})
    assert made.stdout.startswith("talon_")
    name = database.rpartition("/")[2]
    assert "kept in the database postgresql://" in made.stderr
    assert f"/{name};" in made.stderr


def test_a_wrong_option_is_refused_by_the_name_that_was_typed() -> None:
    refused = talon("serve", "--port", "http", settings={})
    assert refused.returncode == 1
    assert refused.stderr == ("talon: --port='http': this must be an integer from 0 to 65535\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_plain_text(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command_line.main([name, "--help"])
    assert "``" not in capsys.readouterr().out


def test_the_committed_interface_is_the_one_of_the_code() -> None:
    assert command_line.main(["openapi", "--check"]) == 0


def test_a_stale_interface_file_fails_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from service import openapi

    stale = tmp_path / "openapi.json"
    stale.write_bytes(openapi.text().replace(b"Talon", b"Falcon"))
    monkeypatch.setattr(openapi, "COMMITTED", stale)
    assert command_line.main(["openapi", "--check"]) == 1
    assert "out of date" in capsys.readouterr().err


def test_the_first_call_fits_who_may_create_players() -> None:
    url, data = "http://127.0.0.1:8000", Path("/data")
    assert f"curl -s {url}/v1/players" in banner(url, Settings(), data)
    closed = banner(url, Settings(open_registration=False), data)
    assert "curl" not in closed
    assert "talon token app" in closed
