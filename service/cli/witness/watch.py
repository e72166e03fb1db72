"""One look at a log: whether it goes with what was seen before, and the witness's line if so.

What is cosigned, and when a log is convicted: docs/log-proofs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from domain.audit.merkle import EMPTY_ROOT, is_consistent
from domain.audit.notes import (
    ED25519,
    Checkpoint,
    Note,
    NoteError,
    NoteKey,
    checkpoint_in,
    cosigned,
    is_signed_by,
    opened,
)
from domain.audit.statements import Signer
from infra.signing import is_signed
from service.cli.failure import Failure
from service.cli.witness.state import Folder


class Contradiction(Exception):  # noqa: N818
    """The log has signed two checkpoints that cannot both be true; evidence is kept."""


class Log(Protocol):
    """What a log shows. Both methods may raise Failure."""

    async def checkpoint(self) -> str:
        """The newest checkpoint."""

    async def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        """The proof between two sizes."""


class Witness:
    """Cosigns what a log shows, if it only grew."""

    def __init__(
        self,
        folder: Folder,
        signer: Signer,
        name: str,
        keys: Sequence[bytes],
        seconds: Callable[[], int],
    ) -> None:
        self._folder = folder
        self._signer = signer
        self._name = name
        self._keys = keys
        self._seconds = seconds

    async def look(self, log: Log) -> str:
        """Look at the newest checkpoint and cosign it; in words, what came of it.

        Raises Contradiction, or Failure if nothing can be said or the log is not the known one.
        """
        if (evidence := self._folder.evidence()) is not None:
            raise Contradiction(f"it did so before, see {evidence}: nothing is cosigned")
        last = self._folder.last()
        text = await log.checkpoint()
        note, shown = self._read(text)
        known = Checkpoint(shown.origin, 0, EMPTY_ROOT) if last is None else self._read(last)[1]
        if shown.origin != known.origin:
            raise Failure(f"the log calls itself {shown.origin}, and was {known.origin}")
        await self._compare(log, known, shown, last or "", text)
        if shown.size < known.size:
            return f"{shown.origin}: an older checkpoint, of {shown.size} events"
        if shown.size == known.size and last is not None:
            return f"{shown.origin}: nothing new at {shown.size} events"
        line = cosigned(note.text, self._name, self._signer, self._seconds())
        path = self._folder.keep(str(Note(note.text, (*note.signatures, line))))
        return f"{shown.origin}: {known.size} to {shown.size} events, cosigned in {path}"

    async def _compare(
        self, log: Log, known: Checkpoint, shown: Checkpoint, last: str, text: str
    ) -> None:
        """Raise Contradiction unless the smaller tree is proved to begin the greater one."""
        old, new = sorted((known, shown), key=lambda one: one.size)
        proof = await _proof(log, old.size, new.size)
        if is_consistent(old.size, new.size, old.root, new.root, proof):
            return
        why = f"no proof leads from {old.size} to {new.size}"
        if old.size == new.size:
            why = f"two roots for the size {new.size}"
        shown_proof = "".join(f"\n{one.hex()}" for one in proof)
        path = self._folder.convict(last, text, f"{why}{shown_proof}")
        raise Contradiction(f"{why}; both checkpoints are in {path}")

    def _read(self, text: str) -> tuple[Note, Checkpoint]:
        """A checkpoint that a trusted key of the log has signed; raises Failure."""
        try:
            note = opened(text)
            said = checkpoint_in(note)
        except NoteError as error:
            raise Failure(f"what the service shows is no checkpoint: {error}") from error
        keys = (NoteKey(said.origin, ED25519, key) for key in self._keys)
        if not any(is_signed_by(note, key, is_signed) for key in keys):
            raise Failure("the checkpoint is signed by no key that is trusted: has it a new one?")
        return note, said


async def _proof(log: Log, old: int, new: int) -> tuple[bytes, ...]:
    if old in (0, new):
        return ()
    try:
        return await log.consistency(old, new)
    except Failure as error:
        raise Failure(f"nothing proves that {old} events grew to {new}: {error}") from error
