"""What the protocol answers itself is what a client gets if it is all left to uvicorn."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import httpx
import pytest
from litestar import Litestar
from msgspec import Struct

from domain.limits import BODY_BYTES
from service import patience
from service.app import build_in_memory
from service.cors import Cors
from service.direct import DirectProtocol, Exchange
from service.finish import Finish
from service.shortcut import Shortcut
from tests.service.serving import serving
from tests.service.support import QUICK

SEED = b'{"type":"add_seed","round":1,"client_seed":"bHVjaw"}'
Answer = tuple[bytes, list[bytes], bytes]
"""A status line, the headers in order of the alphabet but for those of the time, and the body."""


class Place(Struct, frozen=True):
    """A service with a match of one player: where it is, and what the player sends."""

    app: Any
    url: str
    match: str
    token: str

    def request(
        self, method: str, what: str, body: bytes = b"", *lines: str, version: str = "1.1"
    ) -> bytes:
        """A request about the match, as it is sent."""
        head = [
            f"{method} /v1/matches/{self.match}/{what} HTTP/{version}",
            "Host: talon",
            f"Authorization: Bearer {self.token}",
            "X-Request-Id: the-same",
            *(("Content-Type: application/json",) if body else ()),
            *((f"Content-Length: {len(body)}",) if body and "chunked" not in str(lines) else ()),
            *lines,
        ]
        return "\r\n".join((*head, "", "")).encode() + body

    def connected(self) -> socket.socket:
        address = urlsplit(self.url)
        return socket.create_connection((address.hostname, address.port), timeout=20)

    def answers(self, *parts: bytes, count: int = 1) -> list[Answer]:
        """What comes back for these bytes, each part sent after the one before has arrived."""
        with self.connected() as connection, connection.makefile("rb") as answers:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for part in parts:
                connection.sendall(part)
            return [_answer(answers) for _ in range(count)]

    def both_ways(self, *parts: bytes, count: int = 1) -> list[Answer]:
        """The answers that bytes get either way; they must be safe to repeat."""
        direct = self.answers(*parts, count=count)
        kept, self.app.shortcut = self.app.shortcut, Shortcut((), Finish(Cors("")))
        try:
            usual = self.answers(*parts, count=count)
        finally:
            self.app.shortcut = kept
        assert direct == usual
        return direct


def _answer(answers: BinaryIO) -> Answer:
    status, lines = answers.readline().strip(), []
    while line := answers.readline().strip():
        lines.append(line)
    length = next((int(one[15:]) for one in lines if one.startswith(b"content-length:")), 0)
    kept = [one for one in lines if not one.startswith((b"date:", b"ratelimit:"))]
    return status, sorted(kept), answers.read(length)


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    app: Litestar = build_in_memory(QUICK)
    with serving(app, DirectProtocol) as url, httpx.Client(base_url=url) as client:
        token = client.post("/v1/players", json={"name": "Ann"}).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        made = client.post("/v1/matches", json={"seats": 2}, headers=headers)
        yield Place(app, url, made.json()["match_id"], token)


@pytest.fixture
def directly(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The operations that the protocol answers itself."""
    seen: list[str] = []

    class Noted(Exchange):
        def __init__(self, operation: Any, scope: Any) -> None:
            super().__init__(operation, scope)
            seen.append(operation.id)

    monkeypatch.setattr("service.direct.Exchange", Noted)
    return seen


@pytest.mark.parametrize(
    ("what", "lines", "status"),
    [
        ("view", (), b"200 OK"),
        ("view?min_version=1", (), b"200 OK"),
        ("view?colour=red", (), b"422 Unprocessable Entity"),
        ("view", ("If-None-Match: *",), b"304 Not Modified"),
        ("view", ("Origin: https://example.org",), b"200 OK"),
        ("actions", (), b"200 OK"),
    ],
)
def test_reads_are_answered_directly_and_alike(
    place: Place, directly: list[str], what: str, lines: tuple[str, ...], status: bytes
) -> None:
    (answer,) = place.both_ways(place.request("GET", what, b"", *lines))
    assert answer[0] == b"HTTP/1.1 " + status
    assert len(directly) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (SEED, b"200 OK"),
        (b'{"type":"draw_card"}', b"409 Conflict"),
        (b'{"type":"fly"}', b"422 Unprocessable Entity"),
        (b"{", b"400 Bad Request"),
        (b"", b"415 Unsupported Media Type"),
    ],
)
def test_commands_are_answered_directly_and_alike(
    place: Place, directly: list[str], body: bytes, status: bytes
) -> None:
    request = place.request("POST", "commands", body, f"Idempotency-Key: k{len(body)}")
    if body == SEED:
        place.answers(request)  # both ways are then asked for the first answer
        directly.clear()
    (answer,) = place.both_ways(request)
    assert answer[0] == b"HTTP/1.1 " + status
    assert directly == ["submitCommand"]


def test_a_request_in_pieces_is_put_together(place: Place, directly: list[str]) -> None:
    raw = place.request("POST", "commands", b'{"type":"draw_card"}')
    place.both_ways(raw[:30], raw[30:-25], raw[-25:-4], raw[-4:])
    assert directly == ["submitCommand"]


def test_requests_in_one_packet_are_answered_in_their_order(place: Place) -> None:
    view, limits = place.request("GET", "view"), b"GET /v1/limits HTTP/1.1\r\nHost: talon\r\n\r\n"
    request_id = b"x-request-id: the-same"
    answers = place.answers(
        view
        + limits.replace(b"\r\n\r\n", b"\r\n" + request_id + b"\r\n\r\n")
        + place.request("GET", "head")
        + view,
        count=4,
    )
    assert [answer[0] for answer in answers] == [b"HTTP/1.1 200 OK"] * 4
    assert answers[0] == answers[3] != answers[1]
    assert b"seats" in answers[1][2] and b"hash" in answers[2][2]


@pytest.mark.parametrize(
    "request_of",
    [
        lambda at: at.request("HEAD", "view"),
        lambda at: at.request("GET", "view", version="1.0"),
        lambda at: at.request("GET", "view", b"", "Connection: close"),
        lambda at: at.request("GET", "view", b"", "Expect: 100-continue"),
        lambda at: at.request("GET", "%76iew"),
        lambda at: at.request("POST", "commands", b" " * (BODY_BYTES + 1)),
        lambda at: at.request(
            "POST", "commands", b"2\r\n{}\r\n0\r\n\r\n", "Transfer-Encoding: chunked"
        ),
    ],
)
def test_whatever_is_unusual_is_left_to_uvicorn(
    place: Place, directly: list[str], request_of: Any
) -> None:
    with place.connected() as connection, connection.makefile("rb") as answers:
        connection.sendall(request_of(place))
        assert answers.readline().startswith(b"HTTP/1.")
    assert directly == []


def test_who_goes_away_before_the_answer_has_acted_all_the_same(place: Place) -> None:
    body = SEED.replace(b"bHVjaw", b"Z29uZQ")
    with place.connected() as connection:
        connection.sendall(place.request("POST", "commands", body, "Idempotency-Key: gone"))
    for _ in range(200):
        (answer,) = place.answers(place.request("GET", "view"))
        if b"676f6e65" in answer[2]:
            break
    else:
        pytest.fail("the seed was not added")


def test_a_connection_that_is_idle_for_long_is_closed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = patience.PatientProtocol.connection_made

    def impatient(self: Any, transport: Any) -> None:
        made(self, transport)
        self.timeout_keep_alive = 0.3

    monkeypatch.setattr(patience.PatientProtocol, "connection_made", impatient)
    with place.connected() as connection, connection.makefile("rb") as answers:
        for _ in range(3):
            connection.sendall(place.request("GET", "view"))
            assert _answer(answers)[0] == b"HTTP/1.1 200 OK"
        assert answers.read() == b""
