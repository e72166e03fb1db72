"""The seal key: from the settings, or made once and kept in the data folder."""

from __future__ import annotations

from infra.embedded.folder import DataFolder
from infra.sealing import SealKeyError, key_from
from service.cli.failure import Failure
from service.settings import Settings

FILE = "seal.key"


def seal_key(settings: Settings, folder: DataFolder) -> str:
    """The key as text; raises Failure if it is malformed."""
    source = "TALON_SEAL_KEY"
    text = settings.seal_key
    if text is None:
        folder.create()
        text, source = folder.secret(FILE), str(folder.path / FILE)
    try:
        key_from(text)
    except SealKeyError as error:
        raise Failure(f"{source}: {error}") from error
    return text
