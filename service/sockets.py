"""Sockets of matches: the handshake, which is refused with the same problems as a request.

Not here: what is said once it is made (``service.socket``).
"""

from __future__ import annotations

import re
import time
from typing import Any, Final
from urllib.parse import urlsplit

import structlog
from litestar.types import Receive, Scope, Send

from service import access
from service.bodies import decode_query
from service.call import Call, header_values, not_found
from service.cors import Cors
from service.errors import reply_to
from service.finish import Measure, request_id
from service.identity import ANONYMOUS
from service.open_streams import Followed
from service.problems import Code, fail
from service.reply import Reply
from service.routes.sockets import SocketQuery, open_match_socket
from service.services import Services
from service.socket import Conversation
from service.tickets import Purpose, admitted
from service.watching import Watch, Who

SWITCHED: Final = 101
_PATH: Final = re.compile(r"/v1/matches/(?P<match_id>[^/]+)/socket")


class Sockets:
    """Takes connections that ask to be a WebSocket."""

    def __init__(self, cors: Cors, measure: Measure | None = None) -> None:
        self._cors = cors
        self._measure = measure
        self._log = structlog.get_logger("talon.http").bind()

    async def serve(self, scope: Any, receive: Receive, send: Send, services: Services) -> None:
        """One connection from its handshake to its end."""
        scope.setdefault("state", {})
        began, message = time.perf_counter(), await receive()
        if message["type"] != "websocket.connect":
            return
        try:
            call, who, looked, after = await self._admit(scope, services)
        except Exception as error:
            reply = reply_to(scope, error)
            self._note(scope, reply.status)
            await _refuse(scope, send, reply)
            return
        self._note(scope, SWITCHED)
        accept: Any = {"type": "websocket.accept", "headers": [_id(scope)]}
        await send(accept)
        watch = Watch(call, call.id("match_id"), looked, after, who)
        with services.streams.one_more(call.who, Followed.SOCKET):
            code = await Conversation(call, who, watch.news(), receive, send).run()
        self._log.info(
            "socket",
            request_id=scope["state"]["request_id"].decode(),
            match_id=call.path["match_id"],
            code=code,
            ms=round((time.perf_counter() - began) * 1e3, 2),
        )

    async def _admit(self, scope: Any, services: Services) -> tuple[Call, Who, access.Seen, int]:
        """Who asks, for which match, and from where on; raises what a request would."""
        found = _PATH.fullmatch(scope["path"])
        if found is None:
            raise not_found()
        scope["path_params"] = found.groupdict()
        scope["path_template"] = open_match_socket.path
        headers, now = header_values(scope), services.now()
        _require_origin(self._cors, headers)
        call = Call(scope, headers, services, ANONYMOUS, now, open_match_socket.id)
        query = decode_query(scope["query_string"], SocketQuery)
        who = await admitted(call, query.ticket, Purpose.SOCKET)
        call.caller = await who(now)
        await services.limits.charge(call.caller, call.who, 1, now)
        services.streams.require_room(call.who, is_person=call.caller.player is not None)
        looked = await access.seen(call, call.id("match_id"), query.after)
        return call, who, looked, query.after

    def _note(self, scope: Any, status: int) -> None:
        if self._measure is not None:
            self._measure(scope, status)


def _require_origin(cors: Cors, headers: dict[bytes, bytes]) -> None:
    """Raise ProblemError (403) for a page that may not call: browsers do not ask this for us."""
    origin = headers.get(b"origin")
    if origin is None or cors.allows(origin):
        return
    try:
        host = urlsplit(origin.decode("latin-1")).netloc
    except ValueError:  # no origin that a browser sends
        host = ""
    if not host or host != headers.get(b"host", b"").decode("latin-1"):
        raise fail(Code.NOT_ALLOWED, "Pages of this origin may not call: see cors_origins.")


async def _refuse(scope: Scope, send: Send, reply: Reply) -> None:
    """Answer the handshake with a problem, where the server can do so."""
    extensions: Any = scope.get("extensions") or {}
    if "websocket.http.response" not in extensions:
        await send({"type": "websocket.close", "code": 4000 + reply.status, "reason": ""})
        return
    headers = [(name.lower().encode(), value.encode()) for name, value in reply.headers]
    headers += [(b"content-type", reply.media.encode()), _id(scope)]
    start: Any = {
        "type": "websocket.http.response.start",
        "status": reply.status,
        "headers": headers,
    }
    body: Any = {"type": "websocket.http.response.body", "body": reply.body}
    await send(start)
    await send(body)


def _id(scope: Any) -> tuple[bytes, bytes]:
    return b"x-request-id", request_id(scope, header_values(scope))
