"""Print the settings in force, without secrets.

Each is set by the environment variable of its name, or by the file that NAME_FILE names.
"""

from __future__ import annotations

import argparse
import sys

from service.cli.flags import add_data, settings_of
from service.settings import DESCRIPTIONS, redacted, unknown, variable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none but the data folder: the environment says the rest."""
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """One variable a line, under a comment that says what it is for."""
    for field, value in redacted(settings_of(args)).items():
        print(f"# {DESCRIPTIONS[field]}\n{variable(field)}={_shown(value)}")
    for name in unknown():
        print(f"talon: {name} is no setting", file=sys.stderr)
    return 0


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
