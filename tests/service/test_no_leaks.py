"""No answer of any route holds a card that its reader may not see: whole matches, every step."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

from domain.cards import Card
from service.identity import Kind
from tests.service.support import Client, House, choice

pytestmark = pytest.mark.anyio

_CARD = re.compile('"(' + "|".join(sorted(Card, key=len, reverse=True)) + ')"')


def cards_in(text: str) -> set[str]:
    """Every card code that stands anywhere in an answer."""
    return set(_CARD.findall(text))


def public_cards(history: list[dict[str, Any]]) -> set[str]:
    """The cards that everybody has seen: drawn for the deal, turned up, or played."""
    seen: set[str] = set()
    for item in history:
        seen |= cards_in(json.dumps(item["event"]))
    return seen


async def own_cards(who: Client, match: str) -> set[str]:
    """The cards that a seat has been shown: its hands, its draws, hands shown to it."""
    seen: set[str] = set()
    for item in await who.history(match):
        seen |= cards_in(json.dumps(item.get("mine", {})))
    return seen


READS = (
    "",
    "/view",
    "/head",
    "/actions",
    "/events",
    "/events?format=stored",
)


@pytest.mark.parametrize("seats", [2, 3, 5])
async def test_nobody_is_sent_a_card_that_is_not_theirs(talon: House, seats: int) -> None:
    persons = [await talon.person() for _ in range(seats)]
    match = await talon.running(*persons, rules={"target": 50})
    onlookers = [talon.stranger, await talon.person(), await talon.holder(Kind.AUDITOR)]

    for step in range(2_000):
        view = await persons[0].view(match)
        if view["status"] != "running":
            break
        player = persons[view["pending"]["seat"]]
        done = await player.command(match, choice(await player.view(match)))
        assert done.status_code == 200, done.text
        if step % 7 == 0:
            await look_everywhere(match, persons, onlookers)

    assert view["status"] == "finished"


async def look_everywhere(match: str, persons: list[Client], onlookers: list[Client]) -> None:
    public = public_cards(await onlookers[0].history(match))
    for who in (*persons, *onlookers):
        allowed = set(public)
        if who in persons:
            allowed |= await own_cards(who, match)
        for path in READS:
            answer = await who.get(f"/v1/matches/{match}{path}")
            assert cards_in(answer.text) <= allowed, (path, cards_in(answer.text) - allowed)


async def test_a_hand_is_its_seats_alone(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)

    for _ in range(40):
        views = [await who.view(match) for who in (ann, bob)]
        if views[0]["status"] != "running":
            break
        for view in views:
            public = {key: value for key, value in view.items() if key not in ("you", "legal")}
            assert cards_in(json.dumps(public)) == {view["top"]}
            assert (
                Counter(view["you"]["hand"]).total() == view["seats"][view["you"]["seat"]]["cards"]
            )
        player = (ann, bob)[views[0]["pending"]["seat"]]
        await player.command(match, choice(await player.view(match)))


async def test_a_refusal_and_a_dry_run_show_no_more(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    view = await ann.view(match)
    waiting = bob if view["pending"]["seat"] == 0 else ann
    hand = set((await waiting.view(match))["you"]["hand"])

    for card in Card:
        body = {"type": "play_card", "card": card} | ({"color": "red"} if card[0] == "W" else {})
        for query in ("", "?dry_run=true"):
            refused = await waiting.post(f"/v1/matches/{match}/commands{query}", body)
            assert refused.status_code == 409
            assert cards_in(refused.text) <= hand


async def test_seeds_stay_sealed_until_the_end(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)

    types = [item["type"] for item in await ann.history(match)]

    assert "seed_revealed" not in types
    over = await talon.finished(ann, bob)
    assert "seed_revealed" in [item["type"] for item in await ann.history(over)]
