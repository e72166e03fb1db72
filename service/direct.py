"""Hot operations answered by the protocol itself, from a request's bytes to the answer's.

Between the parser and the shortcut stand an ASGI message for the head and one for each part of a
body, both ways, with their checks; for a request whose body is short and all there that is most
of what HTTP costs (``docs/decisions/016``). Whatever is the least unusual is left to uvicorn, and
what is found here is carried out, finished and logged by the same functions.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

from litestar.types import HTTPScope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from domain.limits import BODY_BYTES
from service.call import header_values
from service.operation import Operation
from service.patience import PatientProtocol
from service.reply import Reply
from service.shortcut import Application

_PLAIN: Final = re.compile(rb"/[A-Za-z0-9/_.~-]*(?:\?[!-\"$-~]*)?")
"""A target without escapes or fragment in its path."""
_UNSENDABLE: Final = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
"""What would end a header, or be none."""


class Exchange:
    """A request that is answered here, with what uvicorn asks of one that is in progress."""

    __slots__ = (
        "body",
        "disconnected",
        "keep_alive",
        "more_body",
        "operation",
        "response_complete",
        "scope",
    )

    def __init__(self, operation: Operation, scope: HTTPScope) -> None:
        self.operation = operation
        self.scope = scope
        self.body = b""
        self.more_body = True
        self.keep_alive = True
        self.disconnected = False
        self.response_complete = False

    @property
    def message_event(self) -> Exchange:
        """Whom uvicorn wakes when more of a body is there: nobody waits for that here."""
        return self

    def set(self) -> None:
        """Do nothing: the answer is begun when the body is whole."""


class DirectProtocol(PatientProtocol):
    """The protocol that answers the shortcut's operations itself."""

    def on_headers_complete(self) -> None:
        """The head is whole: take the request, or leave it to uvicorn."""
        operation = self._operation()
        if operation is None:
            super().on_headers_complete()
            return
        self.head_is_whole()
        self.cycle = cast(Any, Exchange(operation, cast(HTTPScope, self.scope)))

    def on_message_complete(self) -> None:
        """The body is whole as well: answer."""
        exchange: object = self.cycle
        if type(exchange) is not Exchange:
            super().on_message_complete()
            return
        exchange.more_body = False
        task = self.loop.create_task(self._answer(exchange))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _operation(self) -> Operation | None:
        """The hot operation that is asked for in the usual way; None for whatever else."""
        app, parser, cycle = self.app, self.parser, self.cycle
        if (
            type(app) is not Application
            or (cycle is not None and not cycle.response_complete)
            or self.expect_100_continue
            or self.flow.write_paused
            or not _PLAIN.fullmatch(self.url)
            or parser.should_upgrade()
            or not parser.should_keep_alive()
            or parser.get_http_version() != "1.1"
        ):
            return None
        scope: Any = self.scope
        target, _, scope["query_string"] = self.url.partition(b"?")
        scope["method"] = parser.get_method().decode("ascii")
        scope["path"] = target.decode("ascii")
        scope["raw_path"] = target
        return app.shortcut.find(scope) if _has_short_body(header_values(scope)) else None

    async def _answer(self, exchange: Exchange) -> None:
        """Carry the operation out and send the whole answer in one write."""
        scope, app = exchange.scope, cast(Application, self.app)
        shortcut = app.shortcut
        try:
            reply = await shortcut.answer(
                exchange.operation, scope, bytes(exchange.body), app.state.services
            )
            assert isinstance(reply, Reply)
            headers = shortcut.finish.begun(scope, reply.status, reply.head())
            if not exchange.keep_alive:
                headers.append((b"connection", b"close"))
            whole = _whole(reply, [*self.server_state.default_headers, *headers])
        except BaseException:
            self._gathered.close()
            raise
        shortcut.finish.ended(scope)
        exchange.response_complete = True
        if exchange.disconnected or self.transport.is_closing():
            return
        self._gathered.write_whole(whole)
        if exchange.keep_alive:
            self.answered()
        else:
            self._gathered.close()


def _has_short_body(headers: dict[bytes, bytes]) -> bool:
    """Whether a request has no body, or one that is announced and may be taken."""
    length = headers.get(b"content-length", b"0")
    return (
        b"transfer-encoding" not in headers
        and length.isdigit()
        and len(length) < 6
        and int(length) <= BODY_BYTES
    )


def _whole(reply: Reply, headers: list[tuple[bytes, bytes]]) -> bytes:
    """An answer as it is sent; raises ValueError rather than send a header that is two."""
    if _UNSENDABLE.search(b"".join([value for _, value in headers])):
        raise ValueError("a header of the answer has a control character")
    lines = [b"%b: %b\r\n" % header for header in headers]
    return b"".join((STATUS_LINE[reply.status], *lines, b"\r\n", reply.body))
