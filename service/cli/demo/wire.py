"""What the demonstration reads of the service's answers, and the requests it makes of them.

Only what a client needs is decoded; unknown fields are ignored, as every client should.
"""

from __future__ import annotations

import uuid
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Raw, Struct

from service.cli.demo.client import Client, ConnectionLost, Response
from service.cli.failure import Failure

PAGE: Final = 200
"""The largest page of a history."""
_RETRIES: Final = 3


class DemoError(Failure):
    """The demonstration cannot go on; the message says why in a sentence."""


class Pending(Struct, frozen=True):
    """Whom the match waits for."""

    kind: str
    seat: int | None = None


class You(Struct, frozen=True):
    """What only the seat itself sees."""

    seat: int
    hand: tuple[str, ...]
    drawn: str | None = None


class Fairness(Struct, frozen=True):
    """The round whose deal can still be mixed into."""

    round: int


class Result(Struct, frozen=True):
    """How the match ended."""

    reason: str
    winners: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


class View(Struct, frozen=True):
    """A seat's view."""

    match_id: str
    version: int
    status: str
    round: int
    pending: Pending
    scores: tuple[int, ...]
    color: str | None = None
    top: str | None = None
    fairness: Fairness | None = None
    result: Result | None = None
    you: You | None = None
    legal: tuple[dict[str, Any], ...] = ()


class Mine(Struct, frozen=True):
    """What one seat alone saw of an event."""

    drawn: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()


class Item(Struct, frozen=True):
    """An event of a history; ``data`` are the stored bytes where they were asked for."""

    version: int
    position: int
    type: str
    schema: int
    occurred_at: str
    actor: str
    event: Raw
    hash: str
    command_id: str | None = None
    mine: Mine | None = None
    data: str | None = None


class Receipt(Struct, frozen=True):
    """Proof that a command was accepted."""

    match_id: str
    from_version: int
    version: int
    position: int
    hash: str
    previous_hash: str


class Answer(Struct, frozen=True):
    """The answer to a command."""

    version: int
    events: tuple[Item, ...]
    view: View
    receipt: Receipt


class NewPlayer(Struct, frozen=True):
    """A player and the token to play with."""

    player_id: str
    token: str


class NewMatch(Struct, frozen=True):
    """A match that was set up."""

    match_id: str
    version: int


class Page(Struct, frozen=True):
    """A page of a history."""

    items: tuple[Item, ...]
    next: str | None = None


class Problem(Struct, frozen=True):
    """A refusal (RFC 9457)."""

    status: int
    title: str = ""
    detail: str = ""
    code: str | None = None


T = TypeVar("T")


def read(response: Response, kind: type[T], doing: str) -> T:
    """The answer's body as ``kind``; raises DemoError with the service's own words."""
    if response.status >= 400:
        raise DemoError(f"{doing}: {words_of(response)}")
    try:
        return msgspec.json.decode(response.body, type=kind)
    except msgspec.DecodeError as error:
        raise DemoError(f"{doing}: the answer cannot be read: {error}") from error


def words_of(response: Response) -> str:
    """What a refusal says, on one line."""
    try:
        problem = msgspec.json.decode(response.body, type=Problem)
    except msgspec.DecodeError:
        return f"status {response.status} without a problem document"
    return f"{response.status} {problem.code or problem.title}: {problem.detail}"


async def post(
    client: Client, path: str, body: object, token: str | None = None, key: str | None = None
) -> Response:
    """POST with an idempotency key; a lost connection is retried with the same key."""
    headers = {"Idempotency-Key": key or str(uuid.uuid4())}
    content = msgspec.json.encode(body)
    for attempt in range(_RETRIES):
        try:
            return await client.request("POST", path, token=token, body=content, headers=headers)
        except ConnectionLost:
            if attempt == _RETRIES - 1:
                raise
    raise AssertionError("unreachable")


async def get(client: Client, path: str, token: str | None, kind: type[T], doing: str) -> T:
    """GET and decode; raises DemoError."""
    return read(await client.request("GET", path, token=token), kind, doing)
