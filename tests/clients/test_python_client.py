"""The Python client: a match over connections that break, retries, streams, what is new to it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from threading import Thread
from typing import Any

import httpx
import pytest

from tests.clients.conftest import CLIENT


class Lossy(httpx.BaseTransport):
    """Delivers every request; loses the first answer to each POST, and streams after some lines."""

    def __init__(self, lines: int = 10) -> None:
        self.inner = httpx.HTTPTransport()
        self.lines = lines
        self.sent: Counter[str] = Counter()
        self.streams = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self.inner.handle_request(request)
        key = request.headers.get("Idempotency-Key")
        if key is not None:
            self.sent[key] += 1
            if self.sent[key] == 1:
                answer.close()
                raise httpx.ReadError("the connection was lost")
        if request.url.path.endswith("/stream"):
            self.streams += 1
            stream: Any = answer.stream
            answer.stream = Broken(stream, self.lines)
        return answer

    def close(self) -> None:
        self.inner.close()


class Broken(httpx.SyncByteStream):
    """A stream that breaks off in the middle of a line."""

    def __init__(self, whole: Any, lines: int) -> None:
        self.whole = whole
        self.lines = lines

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.whole:
            for line in chunk.splitlines(keepends=True):
                if not self.lines:
                    yield line[:5]
                    raise httpx.ReadError("the connection was lost")
                self.lines -= line != b"\n"
                yield line

    def close(self) -> None:
        self.whole.close()


def begun(client: Any, somebody: Any) -> Any:
    """A match of somebody against a bot, to 50 points, that runs."""
    from talon_client.core.models import BotLevel, NewMatch, Options

    wish = NewMatch(seats=2, bots=[BotLevel.RANDOM], rules=Options(target=50))
    match = somebody.create_match(wish).match_id
    somebody.start(match)
    return match


def choose(view: Any) -> Any:
    """The first thing that may be done but to challenge; a wild names red."""
    from talon_client.core.models import Color, PlayCard

    first = next(each for each in view.legal if each.type_ != "challenge")
    if isinstance(first, PlayCard) and first.card.startswith("W"):
        first.color = Color.RED
    return first


def play(client: Any, somebody: Any, match: Any) -> list[int]:
    """Play a match to its end; the versions that one's commands made."""
    made = []
    for view in somebody.views(match):
        if view.status == "running" and view.legal:
            try:
                made.append(somebody.act(match, choose(view)).version)
            except client.Refused as refused:
                assert refused.status == 409, refused  # a bot was quicker
    return made


def test_a_whole_match_over_connections_that_break_is_played_once(client: Any, url: str) -> None:
    transport = Lossy()
    with client.Talon.register(url, "Ann", transport=transport) as ann:
        match = begun(client, ann)
        items: list[Any] = []
        with client.Talon(url, ann.core.token, transport=Lossy()) as other:
            reader = Thread(target=lambda: items.extend(other.items(match)))
            reader.start()
            made = play(client, ann, match)
            reader.join(60)
            assert not reader.is_alive()
        view = next(ann.views(match))

    assert view.status == "finished"
    assert [item.version for item in items] == list(range(1, view.version + 1))
    start = next(place for place, item in enumerate(items) if item.type_ == "match_started")
    setup = {item.command_id for item in items[: start + 1]}
    mine = {item.command_id for item in items if item.actor == "seat:0"} - setup
    assert len(mine) == len(made) == len(set(made)) > 0
    assert min(transport.sent.values()) == 2


def test_a_stream_that_breaks_goes_on_without_gap_or_double(client: Any, url: str) -> None:
    with client.Talon.register(url, "Ann") as ann:
        match = begun(client, ann)
        play(client, ann, match)
        transport = Lossy(lines=7)
        with client.Talon(url, transport=transport) as spectator:
            items = list(spectator.items(match))
            later = list(spectator.items(match, after=items[-1].version))

    assert [item.version for item in items] == list(range(1, len(items) + 1))
    assert transport.streams > len(items) // 7
    assert items[-1].type_ == "match_ended" or items[-1].type_ == "seed_revealed"
    assert later == []


def test_a_refusal_is_an_exception_with_its_code(client: Any, url: str) -> None:
    from talon_client.core.models import Leave

    with client.Talon.register(url, "Ann") as ann, client.Talon.register(url, "Bob") as bob:
        match = begun(client, ann)
        with pytest.raises(client.Refused) as refused:
            bob.act(match, Leave(type_="leave"))
        with pytest.raises(client.Refused) as again:
            bob.start(match)

    assert (refused.value.status, refused.value.code) == (403, "seat_must_be_yours")
    assert again.value.status == 403


def test_who_keeps_the_token_is_the_same_player_next_time(client: Any, url: str) -> None:
    from talon_client.core.api.players import get_me

    with client.Talon.register(url, "Ann") as ann, client.Talon(url, ann.token) as again:
        me = client.ok(get_me.sync(client=again.core))

    assert me.player_id == ann.player_id


def test_an_invite_shows_a_private_match_to_a_spectator(client: Any, url: str) -> None:
    from talon_client.core.models import NewMatch, Visibility

    with client.Talon.register(url, "Ann") as ann:
        made = ann.create_match(NewMatch(seats=2, visibility=Visibility.PRIVATE))
    with client.Talon(url) as stranger, pytest.raises(client.Refused) as refused:
        next(stranger.views(made.match_id))
    with client.Talon(url, invite=made.invite) as guest:
        view = next(guest.views(made.match_id))

    assert refused.value.status == 404
    assert view.status == "open"


def test_a_service_that_is_away_is_asked_again_when_it_wants_to_be(client: Any) -> None:
    answers = iter((503, 429, 200))
    seen: list[httpx.Request] = []
    slept: list[float] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(next(answers), headers={"Retry-After": "3"})

    transport = client.Retrying(httpx.MockTransport(handle), sleep=slept.append)
    with httpx.Client(transport=transport) as http:
        assert http.post("http://talon/v1/players", json={"name": "Ann"}).status_code == 200

    assert len({request.headers["Idempotency-Key"] for request in seen}) == 1
    assert len(slept) == 2 and all(3 <= pause <= 3.75 for pause in slept)


def test_patience_ends(client: Any) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("nobody is there")

    times = iter(range(100))
    transport = client.Retrying(
        httpx.MockTransport(handle),
        patience=5,
        clock=lambda: next(times),
        sleep=lambda _: None,
    )
    with httpx.Client(transport=transport) as http, pytest.raises(httpx.ConnectError):
        http.get("http://talon/v1/limits")
    assert next(times) < 10


def test_an_event_that_is_not_known_yet_is_told_as_it_comes(client: Any) -> None:
    from talon_client.core.models import Item, UnknownEvent

    item = Item.from_dict(
        {
            "version": 1,
            "position": 1,
            "type": "card_eaten",
            "schema": 1,
            "occurred_at": "2026-12-01T00:00:00Z",
            "actor": "seat:0",
            "event": {"type": "card_eaten", "card": "R5"},
            "hash": "0" * 64,
        }
    )

    assert isinstance(item.event, UnknownEvent)
    assert item.event.additional_properties == {"card": "R5"}
    assert json.dumps(item.event.to_dict()) == '{"card": "R5", "type": "card_eaten"}'


def test_the_program_in_the_readme_runs(client: Any, url: str) -> None:
    page = (CLIENT / "README.md").read_text()
    (shown,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)

    exec(compile(shown.replace("http://127.0.0.1:8000", url), "README.md", "exec"), {})
