"""Safe retries: keys, fingerprints, and plans that are carried out once.

Commands find their retries in the match itself, by a command id made of the key. Other POSTs
choose everything that is random first, as a plan, and store it under the key; whoever retries
carries out the same plan again, which changes nothing.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from domain.limits import IDEMPOTENCY_KEY_CHARACTERS
from service.call import Call
from service.identity import Kind
from service.ids import id_in
from service.problems import Code, fail
from service.reply import Headers

KEEP_SECONDS: Final = 24 * 3_600
"""How long a plan, and with it a secret in its answer, is kept for retries."""
REPLAYED: Final = ("Idempotent-Replayed", "true")

P = TypeVar("P", bound=msgspec.Struct)


def key_of(call: Call) -> str | None:
    """The request's idempotency key, bare or quoted; raises ProblemError (400)."""
    given = call.header(b"idempotency-key")
    if given is None:
        return None
    key = _text(given.strip())
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not 0 < len(key) <= IDEMPOTENCY_KEY_CHARACTERS or not key.isprintable():
        raise fail(
            Code.INVALID_HEADER,
            f"Idempotency-Key has 1 to {IDEMPOTENCY_KEY_CHARACTERS} printable characters.",
        )
    if call.caller.kind is Kind.ANONYMOUS and id_in(key) is None:
        raise fail(Code.INVALID_HEADER, "Without a token, Idempotency-Key must be a UUID.")
    return key


def _text(key: str) -> str:
    """A header's text, which HTTP reads byte by byte: as UTF-8 where it is that, as on a socket."""
    try:
        return key.encode("latin-1").decode()
    except UnicodeDecodeError:
        return key


def random_key() -> str:
    """A key for a request that gave none: no retry will find it."""
    return secrets.token_hex(16)


def fingerprint(call: Call) -> bytes:
    """What two requests with the same key must agree on: route, path, player and body.

    A keyed digest of the body as plain JSON with sorted keys, so that spacing does not matter.
    """
    acting = call.caller.player or b""
    told = _sorted.encode([call.route, call.path, acting.hex(), call.plain])
    return hmac.digest(call.services.fingerprint_key, told, "sha256")


async def planned(call: Call, kind: type[P], make: Callable[[], P]) -> tuple[P, bool]:
    """The plan of this request, and whether it was made before.

    Without a key the plan is new. Raises ProblemError (422) if the key came with another body.
    """
    key = key_of(call)
    if key is None:
        return make(), False
    mine = fingerprint(call)
    first, plan, is_new = await call.services.registry.reserve(
        call.caller.principal,
        call.route,
        key,
        mine,
        _encoder.encode(make()),
        call.now + KEEP_SECONDS * 1_000_000,
    )
    if first != mine:
        raise fail(Code.KEY_REUSED, "Use a new Idempotency-Key for another request.")
    return _decoder(kind).decode(plan), not is_new


def replayed(is_again: bool) -> Headers:
    """The header that tells that this is the first answer again."""
    return (REPLAYED,) if is_again else ()


_encoder: Final = msgspec.msgpack.Encoder()
_sorted: Final = msgspec.json.Encoder(order="sorted")


def _decoder(kind: type[P]) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind)
