"""Operations of the interface: each a handler with all that clients are told about it.

``operation`` reads a handler's name, docstring and signature. A parameter ``body`` is the decoded
JSON body, ``query`` the query string; its struct says what is valid. From the same description
``routed`` makes a Litestar route and ``service.openapi`` the document, so they cannot differ.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, Final, Literal, get_type_hints

from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, HTTPScope, Receive
from msgspec import Struct

from service.bodies import Nothing, decode_body, decode_query, plain, read_body
from service.call import Call, header_values, services_of
from service.finish import LIMITS
from service.identity import ANONYMOUS, Caller, Kind, token_required
from service.limits import BAD_TOKEN_COST
from service.problems import Code, ProblemError, fail
from service.reply import JSON
from service.retirement import ANNOUNCED, Retirement
from service.services import Services

Handler = Callable[..., Awaitable[ASGIApp]]
Method = Literal["GET", "POST", "PATCH", "DELETE"]


class Needs(StrEnum):
    """Who may call an operation."""

    NOBODY = "nobody"
    TOKEN = "token"
    PLAYER = "player"
    AUDITOR = "auditor"
    OPERATOR = "operator"


class Shape(Struct, frozen=True):
    """An answer that is no problem: its status, what its body is, and its own headers."""

    status: int = 200
    body: Any = None
    media: str = JSON
    says: str = "Done."
    headers: tuple[str, ...] = ()


class Operation(Struct, frozen=True):
    """One operation; ``takes`` are request headers beside those that every operation takes.

    ``cost`` is how much of a caller's limit it takes; what others work with costs nothing.
    """

    id: str
    method: Method
    path: str
    tag: str
    summary: str
    description: str
    handler: Handler
    body: Any
    body_optional: bool
    query: Any
    answers: tuple[Shape, ...]
    needs: Needs
    problems: tuple[int, ...]
    takes: tuple[str, ...]
    cost: int
    retirement: Retirement | None = None


def operation(
    method: Method,
    path: str,
    *,
    tag: str,
    answers: tuple[Shape, ...],
    needs: Needs = Needs.NOBODY,
    problems: tuple[int, ...] = (),
    takes: tuple[str, ...] = (),
    cost: int = 1,
    retirement: Retirement | None = None,
) -> Callable[[Handler], Operation]:
    """Describe a handler. ``problems`` are statuses beyond those that follow from the rest."""

    def describe(handler: Handler) -> Operation:
        hints = get_type_hints(handler, include_extras=True)
        parameters = inspect.signature(handler).parameters
        summary, _, description = inspect.cleandoc(handler.__doc__ or "").partition("\n\n")
        words = handler.__name__.split("_")
        return Operation(
            id=words[0] + "".join(word.capitalize() for word in words[1:]),
            method=method,
            path=path,
            tag=tag,
            summary=summary.rstrip("."),
            description=" ".join(description.split()),
            handler=handler,
            body=hints.get("body"),
            body_optional="body" in parameters
            and parameters["body"].default is not inspect.Parameter.empty,
            query=hints.get("query"),
            answers=answers,
            needs=needs,
            problems=problems,
            cost=cost if path.startswith("/v1/") else 0,
            takes=(*takes, *(("Idempotency-Key",) if method == "POST" else ())),
            retirement=retirement,
        )

    return describe


def routed(described: Operation) -> HTTPRouteHandler:
    """The Litestar route of an operation; HEAD comes with GET."""

    async def endpoint(request: Request[Any, Any, Any]) -> ASGIApp:
        return await carry_out(described, request.scope, request.receive, services_of(request))

    return HTTPRouteHandler(
        described.path.replace("}", ":str}"),
        http_method=["GET", "HEAD"] if described.method == "GET" else [described.method],
        name=described.id,
        status_code=200,
    )(endpoint)


async def carry_out(
    described: Operation, scope: HTTPScope, body: Receive | bytes, services: Services
) -> ASGIApp:
    """What an operation answers to a request whose path parameters are known; ``body`` is the
    request's, or reads it.

    Raises ProblemError, and whatever ``service.errors`` makes a problem of.
    """
    scope["state"]["began"] = time.perf_counter_ns()
    if described.retirement is not None:
        scope["state"][ANNOUNCED] = described.retirement.headers()
    call = await _admitted(described, scope, services)
    headers = call.headers
    given: dict[str, Any] = {}
    if described.query is not None:
        given["query"] = decode_query(scope["query_string"], described.query)
    elif scope["query_string"]:
        decode_query(scope["query_string"], Nothing)
    if described.body is not None:
        if not isinstance(body, bytes):
            body = await read_body(body, headers)
        if body or not described.body_optional:
            call.plain = plain(body, headers.get(b"content-type"))
            given["body"] = decode_body(body, described.body, call.plain)
    return await described.handler(call, **given)


async def _admitted(described: Operation, scope: HTTPScope, services: Services) -> Call:
    """The request with who asks, if they may ask for this and have not asked for too much."""
    headers, now, limits = header_values(scope), services.now(), services.limits
    try:
        caller = await services.identity.caller(
            _text(headers.get(b"authorization")), _text(headers.get(b"talon-player")), now
        )
    except ProblemError as error:
        if error.problem.status == 401:
            address = Call(scope, headers, services, ANONYMOUS, now, described.id).address
            await limits.spend(limits.address, address, BAD_TOKEN_COST, now)
        raise
    call = Call(scope, headers, services, caller, now, described.id)
    if described.cost:
        scope["state"][LIMITS] = await limits.charge(caller, call.who, described.cost, now)
    require(described.needs, caller)
    return call


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")


def require(needs: Needs, caller: Caller) -> None:
    """Raise ProblemError (401, 403) unless the caller is one whom an operation needs."""
    if needs is Needs.NOBODY:
        return
    if caller.kind is Kind.ANONYMOUS:
        raise token_required()
    if needs is Needs.PLAYER and caller.player is None:
        raise player_required()
    allowed = _KINDS.get(needs)
    if allowed is not None and caller.kind not in allowed:
        raise fail(Code.NOT_ALLOWED, _NOT_THEIRS[needs])


def player_required() -> ProblemError:
    """The 403 for who is known and is no player."""
    return fail(Code.NOT_ALLOWED, _NO_PLAYER)


_NO_PLAYER: Final = "A player does this: use a player's token, or an app's with Talon-Player."
_KINDS: Final = {
    Needs.AUDITOR: frozenset((Kind.AUDITOR, Kind.OPERATOR)),
    Needs.OPERATOR: frozenset((Kind.OPERATOR,)),
}
_NOT_THEIRS: Final = {
    Needs.AUDITOR: "An auditor does this, or an operator.",
    Needs.OPERATOR: "An operator does this.",
}
