"""The keys of a service: from the settings, or made once and kept in the data folder."""

from __future__ import annotations

from infra import signing
from infra.embedded.folder import DataFolder
from infra.sealing import SealKeyError, key_from
from service.cli.failure import Failure
from service.settings import Settings

FILE = "seal.key"
SIGNING_FILE = "signing.key"


def seal_key(settings: Settings, folder: DataFolder) -> str:
    """The seal key as text; raises Failure if it is malformed."""
    text, source = _kept(settings.seal_key, "TALON_SEAL_KEY", folder, FILE)
    try:
        key_from(text)
    except SealKeyError as error:
        raise Failure(f"{source}: {error}") from error
    return text


def signing_key(settings: Settings, folder: DataFolder) -> str:
    """The signing key as text; raises Failure if it is malformed."""
    text, source = _kept(settings.signing_key, "TALON_SIGNING_KEY", folder, SIGNING_FILE)
    try:
        signing.key_from(text)
    except signing.SigningKeyError as error:
        raise Failure(f"{source}: {error}") from error
    return text


def _kept(text: str | None, name: str, folder: DataFolder, file: str) -> tuple[str, str]:
    """A key and where it is from: what is set, or what the data folder keeps."""
    if text is not None:
        return text, name
    folder.create()
    return folder.secret(file), str(folder.path / file)
