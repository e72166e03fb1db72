"""House rules, the modern deck and calls at the table, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from service.identity import Kind
from tests.service.support import Client, House, play_on

pytestmark = pytest.mark.anyio
MODERN = {"edition": "modern-112", "target": 50}


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({"force_play": True, "drawn_card": "may"}, "force_play_must_not_leave_a_choice"),
        ({"enforcement": "table"}, "table_must_have_grace"),
        (
            {"enforcement": "table", "uno_grace": 2, "jump_in": True},
            "table_must_be_played_plainly",
        ),
        ({"customizable": "play_again"}, "customizable_must_be_in_the_deck"),
        ({"form": "teams"}, "teams_must_have_four_seats"),
    ],
)
async def test_options_that_do_not_go_together_are_refused(
    talon: House, ann: Client, rules: dict[str, Any], code: str
) -> None:
    """HOUSE-5, TABLE-2, TABLE-6, CUST-1: at creation, with the reason; nothing is set up."""
    answer = await ann.post("/v1/matches", {"seats": 3, "rules": rules})
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    listed = (await talon.stranger.get("/v1/rules")).json()["refused"]
    assert code in {one["code"] for one in listed}
    assert (await ann.get(f"/v1/players/{ann.id}/matches")).json()["items"] == []


async def test_who_must_play_must_play_a_drawn_card(talon: House, ann: Client) -> None:
    """HOUSE-5: the match says so."""
    made = await ann.post("/v1/matches", {"seats": 2, "rules": {"force_play": True}})
    assert made.json()["view"]["options"]["drawn_card"] == "must"


@pytest.mark.parametrize(
    "rules",
    [
        {"stacking": "mixed", "seven_zero": True, "draw_until_playable": True},
        {"customizable": "swap_hands", "stacking": "same", "force_play": True, "jump_in": True},
        {"customizable": "next_draws_three", "wild_draw_four": "strict"},
    ],
)
async def test_a_match_is_played_to_its_end(
    talon: House, ann: Client, bob: Client, rules: dict[str, Any]
) -> None:
    """HOUSE-1 to HOUSE-5, DECK-2: what a view lists as legal can be sent as it stands."""
    match = await talon.running(ann, bob, rules=MODERN | rules)
    assert (await play_on(match, (ann, bob)))["status"] == "finished"
    kinds = {item["type"] for item in await ann.history(match)}
    assert "round_ended" in kinds


async def test_a_card_that_does_not_fit_is_called_out(
    talon: House, ann: Client, bob: Client
) -> None:
    """TABLE-2: who may call it out finds the call among the legal commands."""
    match = await talon.running(ann, bob, rules={"enforcement": "table", "uno_grace": 10})
    view = await ann.view(match)
    mover, other = (ann, bob) if view["turn"] == view["you"]["seat"] else (bob, ann)
    top, color = view["top"], view["color"][0].upper()
    hand = (await mover.view(match))["you"]["hand"]
    unfit = [card for card in hand if card[0] not in ("W", color) and card[1:] != top[1:]]
    if not unfit:
        drawn = await mover.command(match, {"type": "draw_card"})
        assert drawn.status_code == 200
        return
    laid = await mover.command(match, {"type": "play_card", "card": unfit[0]})
    assert laid.status_code == 200, laid.text
    seat = laid.json()["view"]["you"]["seat"]
    call = {"type": "call_out", "seat": seat}
    assert call in (await other.view(match, laid.json()["version"]))["legal"]
    called = await other.command(match, call)
    assert [item["type"] for item in called.json()["events"]] == ["play_called_out", "cards_drawn"]
    again = await other.command(match, call)
    assert (again.status_code, again.json()["rule"]) == (409, "TABLE-3")


ADVICE = {"type": "penalize_advice", "seat": 1, "reason": "named_a_color"}


async def test_the_host_rules_on_advice(talon: House, ann: Client, bob: Client) -> None:
    """TABLE-4."""
    match = await talon.running(ann, bob)
    refused = await bob.command(match, ADVICE)
    assert (refused.status_code, refused.json()["code"]) == (403, "host_must_ask")
    ruled = await ann.command(match, ADVICE)
    assert ruled.status_code == 200, ruled.text
    assert ruled.json()["events"][0]["event"]["reason"] == "named_a_color"
    invalid = await ann.command(match, ADVICE | {"reason": "because I say so"})
    assert invalid.status_code == 422


async def test_so_does_the_app_that_set_the_match_up(talon: House) -> None:
    """TABLE-4: without a player of its own; another app cannot."""
    app, other = await talon.holder(Kind.APP), await talon.holder(Kind.APP)
    players = [await talon.person(), await talon.person()]
    match = (await app.post("/v1/matches", {"seats": 2})).json()["match_id"]
    for player in players:
        assert (await player.post(f"/v1/matches/{match}/seats", {})).status_code == 200
    assert (await app.post(f"/v1/matches/{match}/start")).status_code == 200
    assert (await other.command(match, ADVICE)).status_code == 403
    ruled = await app.command(match, ADVICE)
    assert ruled.status_code == 200, ruled.text
    assert [item["type"] for item in ruled.json()["events"]] == ["advice_penalized", "cards_drawn"]
    assert (await app.command(match, {"type": "draw_card"})).status_code == 403
