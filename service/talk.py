"""What is said on a socket: requests of the client, and what the service tells it, as JSON.

The items are those of a stream, and the commands those of a POST.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.commands import PlayerCommand
from domain.limits import IDEMPOTENCY_KEY_CHARACTERS
from service.bodies import writable
from service.play.contract import Item
from service.problems import Problem
from service.watching import End
from service.wire import CommandDone, Version, WouldBe

Key = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=IDEMPOTENCY_KEY_CHARACTERS,
        description="Chosen by the client: the idempotency key of the command.",
        examples=["8e03978e-40d5-43e8-bc93-6894a57f9324"],
    ),
]
_ANSWER: Final = {
    "oneOf": [{"$ref": f"#/components/schemas/{kind.__name__}"} for kind in (CommandDone, WouldBe)]
}


class _Said(Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """A request on a socket."""


class Order(_Said, frozen=True, gc=False, tag="command"):
    """A command. The same ``id`` again, here or as a POST's key, acts once and answers again."""

    id: Key
    command: PlayerCommand
    if_match: Version | None = None
    dry_run: bool = False


class Ping(_Said, frozen=True, gc=False, tag="ping"):
    """Asks for a pong, where a page cannot see the protocol's own."""

    id: Annotated[str, Meta(max_length=IDEMPOTENCY_KEY_CHARACTERS)] = ""


class _Told(Struct, frozen=True, gc=False, tag_field="type"):
    """What the service tells."""


class ItemTold(_Told, frozen=True, gc=False, tag="item"):
    """Something has happened: an item of the history."""

    item: Item


class AnswerTold(_Told, frozen=True, gc=False, tag="answer"):
    """The command with this ``id`` was accepted; ``replayed``: it had been before."""

    id: str
    status: int
    replayed: bool
    body: Annotated[msgspec.Raw, Meta(extra_json_schema=_ANSWER)]


class ProblemTold(_Told, frozen=True, gc=False, tag="problem"):
    """What was asked cannot be done. ``id`` is null if none could be read.

    ``retry_after``: seconds after which the same may be asked again.
    """

    id: str | None
    problem: Problem
    retry_after: int | UnsetType = UNSET


class Heartbeat(_Told, frozen=True, gc=False, tag="heartbeat"):
    """Nothing has happened for a while, and the service is there."""


class Pong(_Told, frozen=True, gc=False, tag="pong"):
    """The answer to a ping."""

    id: str


class EndTold(_Told, frozen=True, gc=False, tag="end"):
    """Nothing more comes; the socket is closed right after."""

    reason: End
    detail: str


SocketRequest = Order | Ping
SocketMessage = ItemTold | AnswerTold | ProblemTold | Heartbeat | Pong | EndTold

_encoder: Final = msgspec.json.Encoder()


def said(message: SocketMessage) -> str:
    """A message as it is sent."""
    return _encoder.encode(message).decode()


def id_of(plain: Any) -> str | None:
    """The id of a request that may be wrong otherwise."""
    given = plain.get("id") if isinstance(plain, dict) else None
    return writable(given) if isinstance(given, str) else None
