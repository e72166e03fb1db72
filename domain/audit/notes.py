"""Checkpoints of the log as C2SP signed notes, and the cosignatures of witnesses.

``docs/log-proofs.md`` says which parts of c2sp.org/signed-note, tlog-checkpoint and
tlog-cosignature are used. Not here: the keys (``infra.signing``).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from domain.audit.merkle import HASH_BYTES
from domain.audit.statements import Signer

ED25519: Final = 1
COSIGNATURE: Final = 4
"""The bytes that tell what kind of signature a key makes."""
SIGNATURES_MAX: Final = 64
"""A note with more signatures is not looked at: the format asks for 16 at least."""

_DASH: Final = "— "
_KEY_ID: Final = 4
_TIME: Final = 8

IsSigned = Callable[[bytes, bytes, bytes], bool]
"""Public key, message, signature: whether they belong together."""


class NoteError(Exception):
    """A text is no signed note, or no checkpoint."""


class NoteKey(Struct, frozen=True, gc=False):
    """A key that notes are checked with: its name, what kind of signature it makes, 32 bytes."""

    name: str
    kind: int
    public_key: bytes

    @property
    def id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        text = self.name.encode() + b"\n" + bytes((self.kind,)) + self.public_key
        return hashlib.sha256(text).digest()[:_KEY_ID]

    def __str__(self) -> str:
        """The key in one word, as tools of this family take it."""
        public = base64.b64encode(bytes((self.kind,)) + self.public_key).decode()
        return f"{self.name}+{self.id.hex()}+{public}"


class Signature(Struct, frozen=True, gc=False):
    """A line under a note: who signed, by name and key, and what."""

    name: str
    key_id: bytes
    value: bytes

    def line(self) -> str:
        """The line as it is written."""
        return f"{_DASH}{self.name} {base64.b64encode(self.key_id + self.value).decode()}\n"


class Note(Struct, frozen=True, gc=False):
    """A text and the signatures under it."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(one.line() for one in self.signatures)}"


class Checkpoint(Struct, frozen=True, gc=False):
    """What a log says of itself: its name, how many leaves it has, and the root over them."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def key_from(text: str) -> NoteKey:
    """The key in one word; raises NoteError."""
    name, _, rest = text.strip().partition("+")
    digits, _, encoded = rest.partition("+")
    public = _base64(encoded)
    if len(public) != 1 + HASH_BYTES or public[0] not in (ED25519, COSIGNATURE):
        raise NoteError("a key has a name, an id and 33 bytes of base64, with + between them")
    key = NoteKey(name, public[0], public[1:])
    if not _is_name(name) or key.id.hex() != digits:
        raise NoteError("the name of a key does not go with its id")
    return key


def signed(checkpoint: Checkpoint, signer: Signer) -> Note:
    """The checkpoint with the log's own signature."""
    text = checkpoint.text()
    key = NoteKey(checkpoint.origin, ED25519, signer.public_key)
    return Note(text, (Signature(key.name, key.id, signer.sign(text.encode())),))


def cosigned(text: str, name: str, signer: Signer, seconds: int) -> Signature:
    """A witness's line: at this time it has seen no greater tree that goes with all before."""
    key = NoteKey(name, COSIGNATURE, signer.public_key)
    value = seconds.to_bytes(_TIME, "big") + signer.sign(_cosigned_message(text, seconds))
    return Signature(name, key.id, value)


def opened(text: str) -> Note:
    """The parts of a signed note; nothing is checked yet. Raises NoteError."""
    body, blank, lines = text.rpartition("\n\n")
    if not blank or not body or not lines.endswith("\n"):
        raise NoteError("a note is a text, an empty line and signatures, each ending its line")
    if any(char < " " and char != "\n" for char in text):
        raise NoteError("a note has no control characters")
    found = lines[:-1].split("\n")
    if len(found) > SIGNATURES_MAX:
        raise NoteError(f"a note has {len(found)} signatures, more than {SIGNATURES_MAX}")
    return Note(f"{body}\n", tuple(_signature(line) for line in found))


def checkpoint_in(note: Note) -> Checkpoint:
    """What a note says, if it is a checkpoint; raises NoteError."""
    lines = note.text.split("\n")
    if len(lines) < 4 or not lines[0]:
        raise NoteError("a checkpoint has an origin, a size and a root")
    origin, size, encoded = lines[:3]
    root = _base64(encoded)
    if not (size.isascii() and size.isdigit()) or (size != "0" and size.startswith("0")):
        raise NoteError("the size of a checkpoint is a decimal number without leading zeros")
    if len(root) != HASH_BYTES:
        raise NoteError("the root of a checkpoint has 32 bytes")
    return Checkpoint(origin, int(size), root)


def is_signed_by(note: Note, key: NoteKey, is_signed: IsSigned) -> bool:
    """Whether a key has signed a note. A wrong signature in its name is as bad as none."""
    mine = [one for one in note.signatures if (one.name, one.key_id) == (key.name, key.id)]
    return bool(mine) and all(_holds(note.text, one, key, is_signed) for one in mine)


def _holds(text: str, signature: Signature, key: NoteKey, is_signed: IsSigned) -> bool:
    if key.kind == ED25519:
        return is_signed(key.public_key, text.encode(), signature.value)
    seconds, value = signature.value[:_TIME], signature.value[_TIME:]
    message = _cosigned_message(text, int.from_bytes(seconds, "big"))
    return is_signed(key.public_key, message, value)


def _cosigned_message(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    value = _base64(encoded)
    if not line.startswith(_DASH) or not _is_name(name) or len(value) <= _KEY_ID:
        raise NoteError("a signature is a dash, a name and base64")
    return Signature(name, value[:_KEY_ID], value[_KEY_ID:])


def _is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(char.isspace() for char in name)


def _base64(text: str) -> bytes:
    try:
        found = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise NoteError("what should be base64 is none") from error
    if base64.b64encode(found).decode() != text:
        raise NoteError("base64 is written in one way only")
    return found
