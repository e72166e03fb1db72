"""Who asks: from a bearer token to a caller. What a caller may see of a match is elsewhere."""

from __future__ import annotations

import base64
import hashlib
import secrets
from enum import StrEnum
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.ports import Principal, Registry
from service.problems import Code, ProblemError, fail
from service.recent import Recent

TOKEN_PREFIX: Final = "talon_"
"""Lets secret scanners find a token that leaked."""
CACHE_SECONDS: Final = 5
"""How long a revoked token may still be honored by a process."""
CACHE_CALLERS: Final = 10_000
"""About 5 MB; more callers than one process serves in CACHE_SECONDS."""


class Kind(StrEnum):
    """What a token's owner is."""

    ANONYMOUS = "anonymous"
    PLAYER = "player"
    APP = "app"
    AUDITOR = "auditor"
    OPERATOR = "operator"


_KINDS: Final = {str(kind): kind for kind in Kind}


class Caller(Struct, frozen=True, gc=False):
    """Who asks. ``player`` is the person who acts: oneself, or the one an app acts for."""

    kind: Kind
    id: bytes = b""
    player: bytes | None = None

    @property
    def principal(self) -> str:
        """The owner of idempotency keys: the token's owner, not the player it acts for."""
        return f"{self.kind}:{self.id.hex()}" if self.id else str(self.kind)

    @property
    def app(self) -> bytes | None:
        """The application that asks for itself; acting for a player it has that player's rights."""
        return self.id if self.kind is Kind.APP and self.player is None else None


ANONYMOUS: Final = Caller(Kind.ANONYMOUS)


def new_token() -> str:
    """A token of 256 random bits."""
    return TOKEN_PREFIX + new_secret(32)


def new_secret(size: int) -> str:
    """Random bytes in unpadded base64url."""
    return base64.urlsafe_b64encode(secrets.token_bytes(size)).rstrip(b"=").decode()


def token_hash(token: str) -> bytes:
    """What is stored of a token: nothing slower is needed for 256 random bits."""
    return hashlib.sha256(token.encode()).digest()


def token_in(authorization: str) -> str:
    """The token of an ``Authorization`` header; raises ProblemError (401)."""
    scheme, _, token = authorization.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise token_required()
    return token


class Identity:
    """Finds out who asks; remembers a token's owner for CACHE_SECONDS."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._principals: Recent[bytes, Principal] = Recent(CACHE_SECONDS, CACHE_CALLERS)
        self._owners: Recent[bytes, bytes] = Recent(CACHE_SECONDS, CACHE_CALLERS)

    async def caller(self, authorization: str | None, player: str | None, now: int) -> Caller:
        """The caller of a request from its two headers; ``now`` in microseconds.

        Raises ProblemError: 401 for a token that is not valid, 403 for another app's player.
        """
        if authorization is None:
            if player is not None:
                raise token_required()
            return ANONYMOUS
        return await self.holder(token_hash(token_in(authorization)), player, now)

    async def holder(self, digest: bytes, player: str | None, now: int) -> Caller:
        """The caller who has the token of this hash; raises ProblemError as ``caller``."""
        principal = await self._principal(digest, now)
        kind = _KINDS[principal.kind]
        if player is None:
            return Caller(kind, principal.id, principal.id if kind is Kind.PLAYER else None)
        if kind is not Kind.APP:
            raise fail(Code.NOT_ALLOWED, "Only an app's token goes with Talon-Player.")
        return Caller(kind, principal.id, await self._player_of(principal.id, player, now))

    def forget_token(self, digest: bytes) -> None:
        """Drop what is remembered of a token that is revoked; other processes do in a moment."""
        self._principals.drop(digest)

    def forget(self, player: bytes) -> None:
        """Drop what is remembered of a person who is erased."""
        self._principals.drop_where(Principal(Kind.PLAYER, player))
        self._owners.drop(player)

    async def _principal(self, digest: bytes, now: int) -> Principal:
        found = self._principals.get(digest, now)
        if found is None:
            found = await self._registry.principal(digest, now)
            if found is None:
                raise token_invalid()
            self._principals.put(digest, found, now)
        return found

    async def _player_of(self, app: bytes, player: str, now: int) -> bytes:
        try:
            player_id = UUID(player).bytes
        except ValueError:
            raise fail(Code.INVALID_HEADER, "Talon-Player must be a player's id.") from None
        owner = self._owners.get(player_id, now)
        if owner is None:
            person = (await self._registry.players((player_id,))).get(player_id)
            owner = None if person is None else person.app
            if owner is not None:
                self._owners.put(player_id, owner, now)
        if owner != app:
            raise fail(Code.NOT_ALLOWED, "This player is not one of the app's.")
        return player_id


def token_required() -> ProblemError:
    """The 401 of a request without a token."""
    return fail(
        Code.TOKEN_REQUIRED,
        "Use Authorization: Bearer <token>.",
        headers={"WWW-Authenticate": 'Bearer realm="talon"'},
    )


def token_invalid() -> ProblemError:
    """The 401 of a token that is not valid, or no longer."""
    return fail(
        Code.TOKEN_INVALID,
        "The token is unknown, revoked or has run out.",
        headers={"WWW-Authenticate": 'Bearer realm="talon", error="invalid_token"'},
    )
