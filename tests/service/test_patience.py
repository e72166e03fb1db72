"""A client that sends an endless head, or none at all, is cut off; the others notice nothing."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import msgspec
import pytest

from service import patience
from service.app import build_in_memory
from service.patience import HEAD_BYTES, PatientProtocol
from tests.service.serving import serving
from tests.service.support import QUICK


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A service that waits half a second for a head."""
    monkeypatch.setattr(patience, "HEAD_SECONDS", 0.5)
    with serving(build_in_memory(QUICK), PatientProtocol) as url:
        yield url


def connected(url: str) -> socket.socket:
    address = urlsplit(url)
    return socket.create_connection((address.hostname, address.port), timeout=10)


def is_cut_off(connection: socket.socket) -> bool:
    """Whether the other end closes without a word."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_a_header_without_end_is_cut_off(url: str) -> None:
    with connected(url) as client:
        client.sendall(b"GET /v1/limits HTTP/1.1\r\nHost: talon\r\nX: ")
        try:
            for _ in range(1 + 4 * HEAD_BYTES // 1024):
                client.sendall(b"x" * 1024)
        except (BrokenPipeError, ConnectionResetError):
            pass
        assert is_cut_off(client)
    assert httpx.get(f"{url}/v1/limits").status_code == 200


def test_who_asks_for_nothing_is_cut_off(url: str) -> None:
    with connected(url) as silent, connected(url) as half:
        half.sendall(b"GET /v1/limits HTTP/1.1\r\nHost: ta")
        assert is_cut_off(silent) and is_cut_off(half)


def test_who_has_asked_may_be_silent_and_ask_again(url: str) -> None:
    with httpx.Client(base_url=url) as client:
        assert client.get("/v1/limits").status_code == 200
        with connected(url) as silent:
            assert is_cut_off(silent)  # the patience has run out by now
        large = {"X-Large": "x" * (HEAD_BYTES // 2)}
        assert [client.get("/v1/limits", headers=large).status_code for _ in range(4)] == [200] * 4


@pytest.mark.parametrize("first", [1, 60, 10_000_000])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_large_body_right_behind_its_head_is_refused_as_too_large(
    url: str, chunked: bool, first: int
) -> None:
    body = b"x" * (2 * HEAD_BYTES)
    length = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: %d" % len(body)
    head = b"POST /v1/players HTTP/1.1\r\nHost: talon\r\n%b\r\nConnection: close\r\n\r\n" % length
    whole = head + (b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if chunked else body)
    with connected(url) as client:
        for part in (
            whole[:first],
            whole[first : len(head) - 2],
            whole[max(first, len(head) - 2) :],
        ):
            client.sendall(part)
        answer = client.recv(4_096)
    assert answer.startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    "nonsense",
    [
        b"hello\r\n\r\n",
        b"GET /v1/limits HTTP/1.1\r\nHost talon\r\n\r\n",
        b"GET /v1/limits HTTP/1.1\r\nHost: talon\r\nContent-Length: x\r\n\r\n",
    ],
)
def test_what_is_no_http_is_answered_by_a_problem(url: str, nonsense: bytes) -> None:
    with connected(url) as client:
        client.sendall(nonsense)
        answer = b"".join(iter(lambda: client.recv(4_096), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: application/problem+json" in head
    assert msgspec.json.decode(body)["code"] == "bad_request"
