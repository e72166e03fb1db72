"""A page on another origin watches and plays, over real connections and by a browser's rules.

A browser sends its origin with everything, asks first whether it may send what is not simple, puts
no header of its own on an EventSource or a WebSocket, and comes back with the last event's id.
"""

from __future__ import annotations

import json
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from service.app import build_in_memory
from service.direct import DirectProtocol
from tests.service.serving import serving
from tests.service.support import QUICK, choice

ORIGIN = "https://game.example"
SIMPLE = {"accept", "accept-language", "last-event-id"}
"""Headers that a page may send without asking; JSON is none of the simple bodies."""


class Page:
    """A page of ORIGIN in a browser: it keeps to what the service lets pages do."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url, headers={"Origin": ORIGIN}, timeout=30)

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def fetch(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """``fetch``: asks first, and reads the answer only if it may."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/json"
        if asked := sorted(name.lower() for name in sent if name.lower() not in SIMPLE):
            self._preflight(method, path, asked)
        answer = self._http.request(method, path, json=body, headers=sent)
        assert answer.headers["access-control-allow-origin"] == ORIGIN
        return answer

    def events(self, path: str, count: int, last: str | None = None) -> list[dict[str, Any]]:
        """``new EventSource``: the next messages, each with its id as lastEventId."""
        headers = {"Accept": "text/event-stream"}
        if last is not None:
            headers["Last-Event-ID"] = last
        found: list[dict[str, Any]] = []
        with self._http.stream("GET", path, headers=headers) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["access-control-allow-origin"] == ORIGIN
            assert answer.headers["content-type"].startswith("text/event-stream")
            fields: dict[str, str] = {}
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                if line and name:
                    fields[name] = value
                elif not line and "data" in fields and "event" not in fields:
                    found.append({"lastEventId": fields["id"], "data": json.loads(fields["data"])})
                if not line:
                    fields = {}
                if len(found) == count:
                    break
        return found

    def _preflight(self, method: str, path: str, headers: list[str]) -> None:
        asked = {
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": ",".join(headers),
        }
        answer = self._http.options(path, headers=asked)
        assert answer.is_success
        assert answer.headers["access-control-allow-origin"] == ORIGIN
        assert method in answer.headers["access-control-allow-methods"].split(", ")
        allowed = answer.headers["access-control-allow-headers"].lower().split(", ")
        assert set(headers) <= set(allowed)


def open_socket(url: str, path: str, origin: str = ORIGIN) -> ClientConnection:
    """``new WebSocket``."""
    return connect(url.replace("http", "ws", 1) + path, origin=origin)  # type: ignore[arg-type]


def told(socket: ClientConnection, **wanted: Any) -> dict[str, Any]:
    """The next message of this kind."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=30))
        if wanted.items() <= message.items():
            return message


def test_a_page_on_another_origin_watches_and_plays() -> None:
    app = build_in_memory(msgspec.structs.replace(QUICK, cors_origins=ORIGIN))
    with serving(app, DirectProtocol) as url, Page(url) as page:
        token = page.fetch("POST", "/v1/players", {"name": "Ann"}).json()["token"]
        mine = {"Authorization": f"Bearer {token}"}
        body = {"seats": 2, "bots": ["random"], "rules": {"target": 50}, "visibility": "private"}
        match = page.fetch("POST", "/v1/matches", body, Idempotency_Key="1", **mine).json()
        at = f"/v1/matches/{match['match_id']}"
        page.fetch("POST", f"{at}/start", **mine)
        shown = {}
        for purpose in ("stream", "socket"):
            asked = {"match_id": match["match_id"], "purpose": purpose}
            shown[purpose] = page.fetch("POST", "/v1/tickets", asked, **mine).json()["ticket"]

        played = play(page, url, at, shown["socket"], mine)
        stream = f"{at}/events/stream?ticket={shown['stream']}"
        first = page.events(stream, 5)
        rest = page.events(stream, len(played) - 5, last=first[-1]["lastEventId"])
        over = page.fetch("GET", stream, Last_Event_ID=str(len(played)))

        assert [message["data"] for message in (*first, *rest)] == played
        assert [message["lastEventId"] for message in first] == ["1", "2", "3", "4", "5"]
        assert any("hand" in item.get("mine", {}) for item in played)
        assert over.status_code == 204  # at which a browser does not come back


def play(page: Page, url: str, at: str, ticket: str, mine: dict[str, str]) -> list[dict[str, Any]]:
    """Play to the end over a socket against a bot; the items that were told."""
    items: list[dict[str, Any]] = []
    with open_socket(url, f"{at}/socket?ticket={ticket}") as socket:
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                view = page.fetch("GET", f"{at}/view", **mine).json()
                if view.get("legal"):
                    key = str(view["version"])
                    command = choice(view)
                    socket.send(json.dumps({"type": "command", "id": key, "command": command}))
                message = json.loads(socket.recv(timeout=30))
                if message["type"] == "item":
                    items.append(message["item"])
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1000
    return items


def test_a_page_of_an_origin_that_is_not_listed_gets_no_socket() -> None:
    app = build_in_memory(msgspec.structs.replace(QUICK, cors_origins=ORIGIN))
    with serving(app, DirectProtocol) as url, Page(url) as page:
        token = page.fetch("POST", "/v1/players", {"name": "Ann"}).json()["token"]
        body, mine = {"seats": 2}, {"Authorization": f"Bearer {token}"}
        match = page.fetch("POST", "/v1/matches", body, **mine).json()["match_id"]

        with pytest.raises(InvalidStatus) as refused:
            open_socket(url, f"/v1/matches/{match}/socket", "https://other.example")
        with open_socket(url, f"/v1/matches/{match}/socket") as socket:
            socket.send('{"type": "ping", "id": "1"}')
            assert told(socket, type="pong")["id"] == "1"
            assert socket.ping().wait(30)

    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body or b"")["code"] == "not_allowed"
