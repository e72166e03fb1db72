"""Settings come from the environment, and a wrong one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.settings import (
    DESCRIPTIONS,
    Settings,
    SettingsError,
    load,
    opens_the_sandbox,
    redacted,
    unknown,
)


def test_without_variables_every_setting_has_its_default() -> None:
    assert load({}) == Settings()


@pytest.mark.parametrize(
    ("given", "opens"),
    [
        ({}, True),
        ({"TALON_SANDBOX": "false"}, False),
        ({"TALON_DATABASE_URL": "postgresql://db/talon"}, False),
        ({"TALON_DATABASE_URL": "postgresql://db/talon", "TALON_SANDBOX": "true"}, True),
    ],
)
def test_the_sandbox_is_open_where_no_database_is_named(given: dict[str, str], opens: bool) -> None:
    assert opens_the_sandbox(load(given)) is opens


def test_variables_set_what_they_name() -> None:
    settings = load({"TALON_PORT": "9000", "TALON_OPEN_REGISTRATION": "false"})
    assert (settings.port, settings.open_registration) == (9000, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TALON_PORT", "80000"),
        ("TALON_PORT", "http"),
        ("TALON_WORKERS", "0"),
        ("TALON_OPEN_REGISTRATION", "perhaps"),
        ("TALON_LOG_LEVEL", "loud"),
        ("TALON_DATABASE_URL", "mysql://somewhere"),
        ("TALON_REDIS_PREFIX", "a b"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        load({name: value})


def test_a_refused_secret_is_not_shown() -> None:
    with pytest.raises(SettingsError) as refused:
        load({"TALON_DATABASE_URL": "mysql://root:hunter2@somewhere"})
    assert "hunter2" not in str(refused.value)


def test_a_value_may_be_kept_in_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "url"
    secret.write_text("postgresql://talon:hunter2@db/talon\n")
    settings = load({"TALON_DATABASE_URL_FILE": str(secret)})
    assert settings.database_url == "postgresql://talon:hunter2@db/talon"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"TALON_SEAL_KEY_FILE.*absent"):
        load({"TALON_SEAL_KEY_FILE": str(tmp_path / "absent")})


def test_a_setting_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="TALON_PORT and TALON_PORT_FILE"):
        load({"TALON_PORT": "1", "TALON_PORT_FILE": str(tmp_path)})


def test_an_empty_value_counts_as_none() -> None:
    assert load({"TALON_DATABASE_URL": "", "TALON_PORT_FILE": ""}) == Settings()


def test_what_is_printed_shows_where_and_not_how() -> None:
    shown = redacted(
        Settings(
            database_url="postgresql://talon:hunter2@db:5432/talon?password=hunter2",
            redis_url="redis://:hunter2@keys/0",
            seal_key="aHVudGVyMg==",
        )
    )
    assert shown["database_url"] == "postgresql://talon:***@db:5432/talon?***"
    assert shown["redis_url"] == "redis://:***@keys/0"
    assert shown["seal_key"] == "***"
    assert shown["port"] == 8000


def test_misspelled_variables_are_noticed_and_those_of_others_are_not() -> None:
    environ = {
        "TALON_DATABSE_URL": "x",
        "TALON_PORT": "1",
        "TALON_TEST_REDIS_URL": "x",
        "HOME": "/",
    }
    assert unknown(environ) == ("TALON_DATABSE_URL",)


def test_every_setting_is_described() -> None:
    assert DESCRIPTIONS.keys() == set(Settings.__struct_fields__)
    assert all(DESCRIPTIONS.values())
