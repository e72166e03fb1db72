"""Options of the command line that stand for settings, and win over their variables."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from service.settings import Settings, load, redacted, variable


def add_data(parser: argparse.ArgumentParser) -> None:
    """The option that names the data folder, for every command that works with one."""
    parser.add_argument("--data", help="data folder (TALON_DATA; .talon in the checkout)")


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of the environment under those of the command line; raises SettingsError."""
    given = {
        name: value
        for name, value in vars(args).items()
        if name in Settings.__struct_fields__ and value is not None
    }
    flags = {variable(name): value for name, value in given.items()}
    environ = {
        name: value for name, value in os.environ.items() if name.removesuffix("_FILE") not in flags
    }
    return load(environ | flags, {variable(name): f"--{name}" for name in given})


def database_of(settings: Settings) -> str:
    """Which database a command works on, in words and without secrets."""
    if settings.database_url is None:
        return f"the data folder {Path(settings.data).absolute()}"
    return f"the database {redacted(settings)['database_url']}"
