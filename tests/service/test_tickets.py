"""Tickets: what a page shows in a URL in place of a token, and what it opens with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from service import tickets, watching
from service.identity import Kind
from service.play.times import SECOND, now_us
from tests.service.streaming import streamed
from tests.service.support import QUICK, Client, House, house
from tests.service.talking import talking

pytestmark = pytest.mark.anyio


class Clock:
    """The service's clock, which the test moves on."""

    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> int:
        return now_us() + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def talon(clock: Clock) -> AsyncIterator[House]:
    async with house(QUICK, now=clock) as opened:
        yield opened


async def ticket(who: Client, match: str, purpose: str = "stream", **headers: str) -> str:
    made = await who.post("/v1/tickets", {"match_id": match, "purpose": purpose}, **headers)
    assert made.status_code == 201, made.text
    found: str = made.json()["ticket"]
    return found


async def test_a_ticket_shows_what_its_holder_sees(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob, visibility="private")
    mine, shown = await ann.history(match), await ticket(ann, match)
    path = f"/v1/matches/{match}/events/stream?ticket={shown}"

    async with streamed(talon, talon.stranger, path) as stream:
        events = await stream.until(len(mine))
    async with streamed(talon, talon.stranger, path, Last_Event_ID="3") as again:
        assert (await again.until(1))[0]["id"] == 4

    assert [event | {"id": event["version"]} for event in mine] == events
    assert any("hand" in event.get("mine", {}) for event in events)


async def test_a_page_plays_by_a_ticket(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    shown = await ticket(ann, match, "socket")

    async with talking(talon, talon.stranger, match, f"ticket={shown}") as socket:
        answer = await socket.asks("1", {"type": "leave"})

    assert answer["status"] == 200
    assert (await bob.view(match))["status"] == "finished"


async def test_a_ticket_opens_one_match_for_one_purpose_and_a_minute(
    talon: House, clock: Clock, ann: Client, bob: Client
) -> None:
    match, other = await talon.running(ann, bob), await talon.running(ann, bob)
    shown = await ticket(ann, match)
    to_play = await ticket(ann, match, "socket")
    refused = {
        f"{other}/events/stream?ticket={shown}",
        f"{match}/events/stream?ticket={to_play}",
        f"{match}/socket?ticket={shown}",
        f"{match}/events/stream?ticket={shown[:-2]}",
        f"{match}/events/stream?ticket=A{shown[1:]}",
        f"{match}/events/stream?ticket=!",
        f"{match}/events/stream?ticket=",
    }
    for path in refused:
        answer = await talon.stranger.get(f"/v1/matches/{path}")
        assert (answer.status_code, answer.json()["code"]) == (401, "ticket_invalid"), path
    both = await ann.get(f"/v1/matches/{match}/events/stream?ticket={shown}")
    clock.ahead = tickets.TICKET_SECONDS * SECOND
    late = await talon.stranger.get(f"/v1/matches/{match}/events/stream?ticket={shown}")

    assert (both.status_code, both.json()["code"]) == (422, "invalid_field")
    assert (late.status_code, late.json()["code"]) == (401, "ticket_invalid")


async def test_what_a_ticket_opened_goes_on_until_the_token_ends(
    talon: House, clock: Clock, ann: Client, bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "REVIEW_SECONDS", 0.0)
    match = await talon.running(ann, bob)
    path = f"/v1/matches/{match}/events/stream?ticket={await ticket(ann, match)}"

    async with streamed(talon, talon.stranger, path) as stream:
        await stream.until(3)
        clock.ahead = 2 * tickets.TICKET_SECONDS * SECOND
        beats = stream.text.count(": still here")
        async with asyncio.timeout(10):
            while stream.text.count(": still here") == beats:
                await asyncio.sleep(0.05)
        assert not stream.is_over.is_set()
        assert (await ann.call("DELETE", "/v1/players/me/tokens/current")).status_code == 204
        assert await stream.ended() == "token_invalid"

    again = await talon.stranger.get(path)
    assert again.json()["code"] == "ticket_invalid"


async def test_a_ticket_of_a_revoked_token_opens_nothing(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    shown = await ticket(ann, match)
    await ann.call("DELETE", "/v1/players/me/tokens/current")

    answer = await talon.stranger.get(f"/v1/matches/{match}/events/stream?ticket={shown}")

    assert (answer.status_code, answer.json()["code"]) == (401, "token_invalid")


async def test_an_app_gets_tickets_for_its_players(talon: House, bob: Client) -> None:
    app = await talon.holder(Kind.APP)
    made = (await app.post("/v1/players", {"name": "Ann"})).json()
    ann = Client(talon.http, app.token, **{"Talon-Player": made["player_id"]})
    match = await talon.running(ann, bob)
    path = f"/v1/matches/{match}/events/stream?ticket={await ticket(ann, match)}"
    mine = await ann.history(match)

    async with streamed(talon, talon.stranger, path) as stream:
        assert any("mine" in event for event in await stream.until(len(mine)))


async def test_a_guest_of_a_private_match_brings_the_invite_to_the_ticket(
    talon: House, ann: Client, bob: Client
) -> None:
    made = (await ann.post("/v1/matches", {"seats": 2, "visibility": "private"})).json()
    match, invite = made["match_id"], made["invite"]

    missing = await bob.post("/v1/tickets", {"match_id": match})
    shown = await ticket(bob, match, Talon_Invite=invite)

    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    async with streamed(
        talon, talon.stranger, f"/v1/matches/{match}/events/stream?ticket={shown}"
    ) as stream:
        await stream.until(1)


async def test_a_repetition_gives_the_same_ticket(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    body: Any = {"match_id": match}

    first = await ann.post("/v1/tickets", body, Idempotency_Key="t")
    again = await ann.post("/v1/tickets", body, Idempotency_Key="t")
    other = await ann.post("/v1/tickets", body | {"purpose": "socket"}, Idempotency_Key="t")

    assert first.json() == again.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert other.json()["code"] == "key_reused"


async def test_a_ticket_needs_a_token_and_a_match(talon: House, ann: Client) -> None:
    match = await talon.table(ann)

    nobody = await talon.stranger.post("/v1/tickets", {"match_id": match})
    nowhere = await ann.post("/v1/tickets", {"match_id": "01890a5d-ac96-774b-bcce-b302099a8057"})
    nothing = await ann.post("/v1/tickets", {"match_id": "a match"})

    assert nobody.status_code == 401
    assert nowhere.status_code == nothing.status_code == 404
