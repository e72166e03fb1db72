"""Tokens and keys, as requests and answers speak of them."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from service.wire import Id, Moment, Name, Request


class NewToken(Request, frozen=True):
    """A token to make; ``expires_in`` in seconds, without it the token lasts."""

    expires_in: Annotated[int, Meta(ge=60, le=365 * 86_400)] | None = None


class NewKey(Request, frozen=True):
    """A key to make: without `kind` another one of one's own.

    A new app has a `name`; `app_id` is that of one that has no key any more.
    """

    kind: Annotated[str, Meta(pattern=r"^(app|auditor|operator)$(?!\n)")] | None = None
    name: Name | None = None
    app_id: Id | None = None
    expires_in: Annotated[int, Meta(ge=60, le=365 * 86_400)] | None = None


class KeyMade(Struct, frozen=True):
    """The only copy of a key. ``app_id`` is that of the app it is for."""

    kind: str
    token: str
    expires_at: Moment | None
    token_id: str
    app_id: Id | UnsetType = UNSET


class TokenMade(Struct, frozen=True):
    """The only copy of a token."""

    token: str
    expires_at: Moment | None
    token_id: str


class TokenLine(Struct, frozen=True):
    """A token that is valid, without the token itself. ``current``: this request came with it."""

    token_id: str
    created_at: Moment
    expires_at: Moment | None
    current: bool
