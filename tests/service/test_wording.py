"""What is wrong with a request is told in the words of whoever sent it."""

from __future__ import annotations

from typing import Any

import pytest

from domain.commands import PLAYER_COMMANDS
from service.identity import Kind
from service.openapi_examples import REQUESTS
from service.operation import Needs
from service.routes import OPERATIONS
from tests.service.support import Client, House

pytestmark = pytest.mark.anyio

TYPES = ", ".join(f"`{kind.__struct_config__.tag}`" for kind in PLAYER_COMMANDS)
SAID: list[tuple[Any, str]] = [
    ({}, f"`type` is missing; it must be one of {TYPES}."),
    ({"type": "cheat"}, f"This must be one of {TYPES}."),
    ([], f"This must be an object whose `type` is one of {TYPES}."),
    ({"type": "play_card", "card": "W", "uno": 1}, "This must be true or false."),
    (
        {"type": "play_card", "card": "W", "color": "pink"},
        "This must be one of `red`, `yellow`, `green`, `blue` or null.",
    ),
    (
        {"type": "play_card"},
        "`card` is missing; it must be a card's code, such as `R5` or `W4`"
        " (GET /v1/cards lists them).",
    ),
    ({"type": "catch_uno", "seat": "1"}, "This must be an integer from 0 to 9."),
    ({"type": "catch_uno", "who": 1}, "There is no such field; there are `type`, `seat`."),
    (
        {"type": "add_seed", "round": 1, "client_seed": "+/"},
        "This must be base64url without padding: letters, digits, `-` and `_`, at most 43 of them.",
    ),
]


@pytest.mark.parametrize(("body", "detail"), SAID)
async def test_an_invalid_field_is_told_what_is_allowed(
    talon: House, ann: Client, bob: Client, body: Any, detail: str
) -> None:
    match = await talon.table(ann, bob)

    refused = await ann.command(match, body)

    assert refused.json()["errors"][0]["detail"] == refused.json()["detail"] == detail


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("status=over", "This must be one of `abandoned`, `finished`, `open`, `running`."),
        ("limit=many", "This must be an integer from 1 to 200."),
        ("limit=201", "This must be an integer from 1 to 200."),
        ("page=2", "There is no such parameter; there are `status`, `limit`, `cursor`."),
    ],
)
async def test_an_invalid_parameter_is_told_what_is_allowed(
    talon: House, query: str, detail: str
) -> None:
    refused = await talon.stranger.get(f"/v1/matches?{query}")

    assert (refused.status_code, refused.json()["detail"]) == (422, detail)


@pytest.mark.parametrize(
    ("path", "example"),
    [
        ("/v1/leaderboards/points?season=2026", "2026-01"),
        ("/v1/matches/{match}/view?as=2", "seat:2"),
        ("/v1/players/{player}/matches?rules=form=teams", "form:teams,target:200"),
    ],
)
async def test_a_text_of_a_form_of_its_own_is_shown_by_an_example(
    talon: House, ann: Client, path: str, example: str
) -> None:
    match = await talon.table(ann)

    refused = await talon.stranger.get(path.format(match=match, player=ann.id))

    assert refused.json()["detail"].startswith(f"This must be a text such as `{example}`: ")


async def test_no_operation_takes_a_parameter_that_it_does_not_know(
    talon: House, ann: Client
) -> None:
    match, operator = await talon.table(ann), await talon.holder(Kind.OPERATOR)
    named = {"match_id": match, "player_id": ann.id, "board": "points", "rule_id": "TURN-1"}

    for one in OPERATIONS:
        others = {"code": "not_found", "token_id": match, "ticket": match}
        others |= {"webhook_id": match, "delivery_id": match}
        others |= {"tournament_id": match, "entrant": "0", "round": "1", "table": "0"}
        others |= {"position": "1", "level": "0", "tile": "000", "part": "1", "thousand": "x000"}
        path = one.path.format_map(others | named)
        body = None if one.body is None else next(iter(REQUESTS[one.id].values()))
        who = operator if one.needs in (Needs.AUDITOR, Needs.OPERATOR) else ann
        refused = await who.call(one.method, f"{path}?colour=red", body)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_field"), one.id
        assert refused.json()["errors"][0]["pointer"] == "?colour"
