"""Print the settings in force, without secrets.

Each is set by the environment variable of its name, or by the file that NAME_FILE names.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from infra.embedded.folder import DataFolder
from infra.signing import SigningKey, key_from
from service.cli.flags import add_data, settings_of
from service.cli.seal import SIGNING_FILE, signing_key
from service.settings import DESCRIPTIONS, Settings, redacted, unknown, variable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none but the data folder: the environment says the rest."""
    add_data(parser)


def run(args: argparse.Namespace) -> int:
    """One variable a line, under a comment that says what it is for."""
    settings = settings_of(args)
    for field, value in redacted(settings).items():
        print(f"# {DESCRIPTIONS[field]}\n{variable(field)}={_shown(value)}")
        if field == "signing_key" and (known := _signing_key(settings)) is not None:
            print(f"# its public part: {known.public_key.hex()}, id {known.key_id}")
    for name in unknown():
        print(f"talon: {name} is no setting", file=sys.stderr)
    return 0


def _signing_key(settings: Settings) -> SigningKey | None:
    """The key that a service with these settings signs with; None if none was made yet."""
    folder = Path(settings.data)
    if settings.signing_key is None and not (folder / SIGNING_FILE).exists():
        return None
    return SigningKey(key_from(signing_key(settings, DataFolder(folder))))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
