"""A shorter way to the hottest operations, beside the framework's.

Finding a route, its layers and its wrappers cost as much as the operations themselves
(``docs/decisions/011``). What is found here is carried out by the same functions, with the same
problems, headers and log line; whatever is not found takes the usual way, with the same answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from litestar import Litestar
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Send

from service.errors import reply_to
from service.finish import Finish
from service.operation import Operation, carry_out
from service.services import Services
from service.sockets import Sockets

_ID: Final = r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"


class Shortcut:
    """Operations by their method, each with a path that has ids in the usual form."""

    def __init__(self, operations: Sequence[Operation], finish: Finish) -> None:
        self.finish = finish
        self._known: dict[str, list[tuple[re.Pattern[str], tuple[str, ...], Operation]]] = {}
        for one in operations:
            pattern = re.compile(re.sub(r"\{\w+\}", _ID, one.path))
            names = tuple(re.findall(r"\{(\w+)\}", one.path))
            self._known.setdefault(one.method, []).append((pattern, names, one))

    def find(self, scope: HTTPScope) -> Operation | None:
        """The operation of a request, its path's parameters put into the scope; perhaps none."""
        for pattern, names, operation in self._known.get(scope["method"], ()):
            if found := pattern.fullmatch(scope["path"]):
                scope["path_params"] = dict(zip(names, found.groups(), strict=True))
                scope["path_template"] = operation.path
                return operation
        return None

    async def answer(
        self, operation: Operation, scope: HTTPScope, body: Receive | bytes, services: Services
    ) -> ASGIApp:
        """What an operation answers, or the problem it ends with."""
        try:
            return await carry_out(operation, scope, body, services)
        except Exception as error:
            return reply_to(scope, error)

    async def serve(
        self,
        operation: Operation,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
        services: Services,
    ) -> None:
        """Carry an operation out and send what it answers."""

        async def send_finished(message: Message) -> None:
            self.finish.pass_on(message, scope)
            await send(message)

        scope.setdefault("state", {})
        answer = await self.answer(operation, scope, receive, services)
        await answer(scope, receive, send_finished)


class Application(Litestar):
    """Litestar with the shortcut in front of it and sockets beside it; set both once it is made."""

    shortcut: Shortcut
    sockets: Sockets

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection, or the start and the end of the application."""
        if scope["type"] == "websocket":
            await self.sockets.serve(scope, receive, send, self.state.services)
            return
        if scope["type"] == "http":
            found = self.shortcut.find(scope)
            if found is not None:
                services = self.state.services
                await self.shortcut.serve(found, scope, receive, send, services)
                return
        await super().__call__(scope, receive, send)
