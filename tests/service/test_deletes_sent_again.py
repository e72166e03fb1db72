"""A DELETE whose answer was lost is sent again: the refusal tells that it was done."""

from __future__ import annotations

import pytest

from tests.service.support import Client, House
from tests.service.tournaments import set_up

pytestmark = pytest.mark.anyio


async def again(who: Client, path: str) -> tuple[int, str]:
    """What is answered to a DELETE that is sent once more."""
    first = await who.call("DELETE", path)
    assert first.status_code in (200, 204), first.text
    second = await who.call("DELETE", path)
    return second.status_code, second.json()["code"]


async def test_a_seat_that_was_given_up_is_not_ones_own(
    talon: House, ann: Client, bob: Client
) -> None:
    match: str = (await ann.post("/v1/matches", {"seats": 2})).json()["match_id"]
    await bob.post(f"/v1/matches/{match}/seats", {})

    assert await again(bob, f"/v1/matches/{match}/seats/me") == (403, "seat_must_be_yours")


async def test_a_ticket_that_was_given_back_is_not_there(talon: House, ann: Client) -> None:
    ticket = (await ann.post("/v1/queue", {"seats": 3})).json()["ticket"]

    assert await again(ann, f"/v1/queue/{ticket}") == (404, "not_found")


async def test_who_withdrew_from_a_tournament_does_not_take_part(
    talon: House, ann: Client, bob: Client
) -> None:
    cup = await set_up(ann)
    await cup.enter(bob)

    assert await again(bob, f"{cup.path}/entrants/me") == (409, "entrant_must_take_part")


@pytest.mark.parametrize("path", ["/v1/players/me/tokens/current", "/v1/players/me"])
async def test_a_token_that_ended_itself_is_not_valid(talon: House, ann: Client, path: str) -> None:
    assert await again(ann, path) == (401, "token_invalid")
