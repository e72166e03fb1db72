"""The client reads HTTP/1.1 answers whole, however they arrive, and says when none comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from service.cli.demo import client as module
from service.cli.demo.client import Client, ConnectionLost, address_of, take_response
from service.cli.failure import Failure

pytestmark = pytest.mark.anyio

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Name: Value\r\n\r\nhi"


@asynccontextmanager
async def serving(serve: Serve) -> AsyncIterator[Client]:
    """A client of a server that answers as ``serve`` does."""

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    client = Client(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/base")
    try:
        yield client
    finally:
        client.close()
        server.close()
        await server.wait_closed()


def test_an_answer_is_taken_when_its_last_byte_is_there() -> None:
    assert all(take_response(OK[:length]) is None for length in range(len(OK)))
    taken = take_response(OK + b"HTTP/1.1 404")
    assert taken is not None
    assert (taken[0].status, taken[0].body, taken[1]) == (200, b"hi", b"HTTP/1.1 404")


def test_headers_are_found_whatever_their_case() -> None:
    taken = take_response(OK)
    assert taken is not None
    assert taken[0].header("x-name") == "Value"
    assert taken[0].header("etag") is None


def test_a_chunked_answer_is_put_together() -> None:
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    whole = head + b"2\r\nab\r\nB;x=y\r\n0123456789a\r\n0\r\n\r\n"
    assert all(take_response(whole[:length]) is None for length in range(len(whole)))
    taken = take_response(whole + b"rest")
    assert taken is not None
    assert (taken[0].body, taken[1]) == (b"ab0123456789a", b"rest")


@pytest.mark.parametrize("status", [204, 304])
def test_some_answers_have_no_body(status: int) -> None:
    taken = take_response(b"HTTP/1.1 %d X\r\nETag: 1\r\n\r\n" % status)
    assert taken is not None
    assert (taken[0].status, taken[0].body) == (status, b"")


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://host", "http://"])
def test_an_address_is_http(url: str) -> None:
    with pytest.raises(Failure, match="not an http"):
        address_of(url)


def test_an_address_has_its_port_and_base() -> None:
    assert address_of("https://host/talon/").port == 443
    assert address_of("https://host/talon/").base == "/talon"
    assert address_of("http://[::1]:80").host_header == "[::1]:80"


async def test_requests_go_over_one_connection() -> None:
    seen: list[bytes] = []
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = 3 if b"Content-Length: 3" in head else 0
            seen.append(head + await reader.readexactly(length))
            for byte in OK:
                writer.write(bytes((byte,)))
            if len(seen) == 2:
                return

    async with serving(serve) as client:
        first = await client.request("GET", "/a", token="secret")
        second = await client.request("POST", "/b", body=b"{ }", headers={"Idempotency-Key": "k"})

    assert (first.body, second.body, connections) == (b"hi", b"hi", 1)
    assert seen[0].startswith(b"GET /base/a HTTP/1.1\r\nHost: 127.0.0.1:")
    assert b"Authorization: Bearer secret\r\n" in seen[0]
    assert b"Idempotency-Key: k\r\n" in seen[1]
    assert seen[1].endswith(b"Content-Length: 3\r\n\r\n{ }")


async def test_a_connection_that_breaks_is_told_and_the_next_request_has_a_new_one() -> None:
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK[:-1] if connections == 1 else OK)
        await writer.drain()

    async with serving(serve) as client:
        with pytest.raises(ConnectionLost, match="closed during GET /a"):
            await client.request("GET", "/a")
        assert (await client.request("GET", "/a")).body == b"hi"


async def test_a_silent_service_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.05)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with serving(serve) as client:
        with pytest.raises(ConnectionLost, match="no answer"):
            await client.request("GET", "/a")


async def test_nobody_listening_is_told() -> None:
    async with serving(lambda reader, writer: asyncio.sleep(0)) as client:
        url = f"http://{client.address.host_header}"
    with pytest.raises(ConnectionLost):
        await Client(url).request("GET", "/")
