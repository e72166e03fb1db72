"""A match over one WebSocket: what happens in it, and commands with their answers.

It does what the stream and the POST of commands do, by the same functions. One command is carried
out after the other, and none is read before: who sends faster waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final

import msgspec
import structlog
from litestar.types import Receive, Send
from msgspec import UNSET

from domain.limits import BODY_BYTES
from service.bodies import decode_body, plain
from service.call import Call
from service.errors import language_of, problem_of, told
from service.idempotency import REPLAYED
from service.live import GIVE_UP_SECONDS, SLOW_SECONDS, why
from service.operation import require
from service.problems import Code
from service.reply import Reply
from service.routes.commands import CommandQuery, submit_command
from service.talk import (
    AnswerTold,
    EndTold,
    Heartbeat,
    ItemTold,
    Order,
    Ping,
    Pong,
    ProblemTold,
    SocketMessage,
    SocketRequest,
    id_of,
    said,
)
from service.watching import End, News, Who, ended

MESSAGES_PER_SECOND: Final = 50
MESSAGES_AT_ONCE: Final = 100
"""A quick bot in a few matches; what comes faster is read later, and the sender's own buffers
fill up."""
CLOSES: Final = {
    End.MATCH_OVER: 1000,
    End.SERVICE_STOPPING: 1012,
    End.TRY_AGAIN: 1011,
    End.TOKEN_INVALID: 4401,
    End.NOT_YOURS: 4404,
    End.TOO_SLOW: 4408,
}
"""Close codes, by the reason that is told before."""
NOT_TEXT: Final = 1003
TOO_LARGE: Final = 1009
GONE: Final = 1005
"""The client has closed, or is lost."""

_log = structlog.get_logger("talon.http")


class Conversation:
    """One client at one match, from the handshake to the end."""

    def __init__(
        self,
        call: Call,
        who: Who,
        news: AsyncGenerator[News, None],
        receive: Receive,
        send: Send,
    ) -> None:
        self._call = call
        self._language = language_of(call.headers)
        self._who = who
        self._news = news
        self._receive: Any = receive
        self._send: Any = send
        self._sending = asyncio.Lock()
        self._answering = asyncio.Lock()
        self._pace = Pace(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE)

    async def run(self) -> int:
        """Talk until there is a reason to stop; the code that the socket was closed with."""
        telling = asyncio.create_task(self._tell())
        hearing = asyncio.create_task(self._hear())
        try:
            await asyncio.wait((telling, hearing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await ended(telling, hearing)
        first = telling if not telling.cancelled() else hearing
        code = await self._code(first)
        if code != GONE:
            await self._write({"type": "websocket.close", "code": code, "reason": ""})
        return code

    async def _code(self, first: asyncio.Task[int]) -> int:
        """The close code, by what the task that ended first came to."""
        error = first.exception()
        if error is None:
            return first.result()
        if isinstance(error, OSError):  # it took nothing for too long, or has gone away
            return GONE
        _log.warning("socket_broke", exc_info=error)
        return await self._last(End.TRY_AGAIN)

    async def _tell(self) -> int:
        """Tell what happens in the match, for as long as the client takes it."""
        async with aclosing(self._news) as all_news:
            async for news in all_news:
                if isinstance(news, End):
                    async with self._answering:  # the command that ended the match
                        return await self._last(news)
                waited = await self._say(Heartbeat() if news is None else ItemTold(news))
                if waited > SLOW_SECONDS:
                    break
        return await self._last(End.TOO_SLOW)

    async def _hear(self) -> int:
        """Answer one request after the other."""
        while True:
            message = await self._receive()
            if message["type"] != "websocket.receive":
                return GONE
            text = message.get("text")
            if text is None:
                return NOT_TEXT
            if len(body := text.encode()) > BODY_BYTES:
                return TOO_LARGE
            await self._pace.wait()
            async with self._answering:
                answer = await self._answer(body)
                await self._say(answer)
            if isinstance(answer, ProblemTold) and answer.problem.code in _WHO_IS_NOBODY:
                return await self._last(End.TOKEN_INVALID)

    async def _answer(self, body: bytes) -> SocketMessage:
        """What a request comes to."""
        given: Any = None
        try:
            given = plain(body, _JSON)
            asked: Order | Ping = decode_body(body, SocketRequest, given)
            if isinstance(asked, Ping):
                return Pong(asked.id)
            return await self._carried_out(asked, given)
        except Exception as error:
            return self._problem(id_of(given), error)

    async def _carried_out(self, order: Order, given: Any) -> SocketMessage:
        """The answer to a command, carried out as if it had been posted."""
        call = self._call
        now = call.services.now()
        caller = await self._who(now)
        require(submit_command.needs, caller)
        headers = {b"idempotency-key": order.id.encode()}
        if order.if_match is not None:
            headers[b"if-match"] = b'"%d"' % order.if_match
        posted = Call(call.scope, headers, call.services, caller, now, submit_command.id)
        posted.plain = given["command"]
        await call.services.limits.charge(caller, posted.who, submit_command.cost, now)
        query = CommandQuery(dry_run=order.dry_run)
        reply = await submit_command.handler(posted, body=order.command, query=query)
        assert isinstance(reply, Reply)
        is_again = REPLAYED in reply.headers
        return AnswerTold(order.id, reply.status, is_again, msgspec.Raw(reply.body))

    def _problem(self, id: str | None, error: Exception) -> ProblemTold:
        failed = problem_of(error)
        if failed.problem.status == 500:
            _log.error("failed", exc_info=error)
        after = failed.headers.get("Retry-After")
        problem = told(failed.problem, self._language)
        return ProblemTold(id, problem, UNSET if after is None else int(after))

    async def _last(self, end: End) -> int:
        """Say why it ends, and by which code."""
        await self._say(EndTold(end, why(end, self._language)))
        return CLOSES[end]

    async def _say(self, message: SocketMessage) -> float:
        """Send a message; the seconds that the client made it wait."""
        return await self._write({"type": "websocket.send", "text": said(message)})

    async def _write(self, event: dict[str, Any]) -> float:
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with asyncio.timeout(GIVE_UP_SECONDS), self._sending:
            await self._send(event)
        return loop.time() - began


class Pace:
    """So many a second, and so many at once; who wants more waits."""

    def __init__(self, per_second: int, at_once: int) -> None:
        self._each = 1 / per_second
        self._ahead = self._each * at_once
        self._next = 0.0

    async def wait(self) -> None:
        """Wait for one's turn."""
        now = asyncio.get_running_loop().time()
        self._next = max(self._next, now - self._ahead) + self._each
        if self._next > now:
            await asyncio.sleep(self._next - now)


_JSON: Final = b"application/json"
_WHO_IS_NOBODY: Final = frozenset((Code.TOKEN_INVALID,))
"""Problems after which there is nobody to talk to."""
