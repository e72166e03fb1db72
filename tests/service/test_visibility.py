"""Who may see what: every operation of the document, by every kind of caller, on both matches."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from service.identity import Kind
from service.openapi import operations
from service.openapi_examples import REQUESTS
from tests.service.support import Client, House, house

pytestmark = pytest.mark.anyio

ROLES = ("stranger", "player", "invited", "seat", "app", "other_app", "auditor", "operator")

MATCH_READS = {
    "getMatch",
    "getMatchView",
    "getMatchHead",
    "listMatchEvents",
    "streamMatchEvents",
}
MATCH_ACTS = {
    "listLegalActions",
    "submitCommand",
    "joinMatch",
    "leaveMatch",
    "seatBot",
    "startMatch",
}
FOR_EVERYBODY = {
    "createPlayer",
    "getPlayer",
    "listPlayerMatches",
    "listMatches",
    "listLeaderboards",
    "getLeaderboard",
    "listRules",
    "getRule",
    "listRulings",
    "listCards",
    "listLimits",
    "getProblem",
    "checkLive",
    "checkReady",
}
FOR_PLAYERS = {"getMe", "renameMe", "eraseMe", "createToken", "listTokens", "revokeToken"}
FOR_PLAYERS_AND_APPS = {"createMatch"}
SEE_PRIVATE = {"invited", "seat", "app", "auditor", "operator"}

DOCUMENTED = {described["operationId"]: (path, method) for path, method, described in operations()}


class World:
    """A public and a private match over the same seats, and one caller of each kind."""

    def __init__(self, talon: House) -> None:
        self.talon = talon
        self.callers: dict[str, Client] = {}
        self.matches: dict[str, str] = {}
        self.player_id = ""


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with house() as talon:
        world = World(talon)
        seat, host = await talon.person("Seat"), await talon.holder(Kind.APP)
        acting = (await host.post("/v1/players", {"name": "Host"})).json()["player_id"]
        by_app = Client(talon.http, host.token, **{"Talon-Player": acting})
        world.player_id = seat.id
        for visibility in ("public", "private"):
            made = (await by_app.post("/v1/matches", {"seats": 2, "visibility": visibility})).json()
            match = made["match_id"]
            world.matches[visibility] = match
            await seat.post(f"/v1/matches/{match}/seats", {"invite": made.get("invite")})
            await by_app.post(f"/v1/matches/{match}/start")
            invite = made.get("invite", "none")
        world.callers = {
            "stranger": talon.stranger,
            "player": await talon.person("Other"),
            "invited": Client(talon.http, None, **{"Talon-Invite": invite}),
            "seat": seat,
            "app": host,
            "other_app": await talon.holder(Kind.APP),
            "auditor": await talon.holder(Kind.AUDITOR),
            "operator": await talon.holder(Kind.OPERATOR),
        }
        yield world


def test_every_operation_is_in_the_matrix() -> None:
    groups = (MATCH_READS, MATCH_ACTS, FOR_EVERYBODY, FOR_PLAYERS, FOR_PLAYERS_AND_APPS)

    assert sorted(DOCUMENTED) == sorted(name for group in groups for name in group)


async def ask(world: World, operation: str, role: str, visibility: str) -> Any:
    path, method = DOCUMENTED[operation]
    known = {
        "match_id": world.matches[visibility],
        "player_id": world.player_id,
        "board": "points",
        "rule_id": "TURN-1",
        "code": "not_found",
    }
    path = re.sub(r"{(\w+)}", lambda found: known[found[1]], path)
    body = next(iter(REQUESTS.get(operation, {}).values()), None)
    if operation == "streamMatchEvents":
        path += "?after=999999"  # past the end: nothing is sent
    return await world.callers[role].call(method.upper(), path, body)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("visibility", ["public", "private"])
async def test_a_match_is_seen_by_those_for_whom_it_exists(
    world: World, role: str, visibility: str
) -> None:
    exists = visibility == "public" or role in SEE_PRIVATE

    for operation in MATCH_READS - {"streamMatchEvents"}:
        answer = await ask(world, operation, role, visibility)
        assert answer.status_code == (200 if exists else 404), operation
        assert exists or answer.json()["code"] == "not_found"


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("visibility", ["public", "private"])
async def test_only_seats_act_and_a_private_match_is_not_betrayed(
    world: World, role: str, visibility: str
) -> None:
    for operation in MATCH_ACTS - {"seatBot", "startMatch"}:
        status = (await ask(world, operation, role, visibility)).status_code
        if role in ("stranger", "invited"):
            assert status == 401, operation
        elif role in ("app", "other_app", "auditor", "operator"):
            assert status == 403, operation
        elif role == "player":
            late = 409 if operation == "joinMatch" else 403
            assert status == (404 if visibility == "private" else late), operation
        else:
            assert status in (200, 409), operation


@pytest.mark.parametrize(
    ("role", "public", "private"),
    [
        ("stranger", 401, 401),
        ("invited", 401, 401),
        ("player", 403, 404),
        ("seat", 403, 403),
        ("app", 200, 200),
        ("other_app", 403, 404),
        ("auditor", 403, 403),
        ("operator", 403, 403),
    ],
)
async def test_only_the_host_and_its_app_run_a_match(
    world: World, role: str, public: int, private: int
) -> None:
    for visibility, expected in (("public", public), ("private", private)):
        started = await ask(world, "startMatch", role, visibility)
        seated = await ask(world, "seatBot", role, visibility)
        assert started.status_code == expected
        late = 409 if role in ("app", "seat") else expected
        assert seated.status_code == late


@pytest.mark.parametrize("role", ROLES)
async def test_everybody_may_look_things_up(world: World, role: str) -> None:
    for operation in FOR_EVERYBODY:
        answer = await ask(world, operation, role, "public")
        assert answer.status_code in (200, 201), operation


@pytest.mark.parametrize("role", ROLES)
async def test_players_alone_are_somebody(world: World, role: str) -> None:
    expected = {"stranger": 401, "invited": 401, "seat": 204, "player": 204}.get(role, 403)

    erased = await ask(world, "eraseMe", role, "public")

    assert erased.status_code == expected


@pytest.mark.parametrize("role", ROLES)
async def test_players_and_apps_set_up_matches(world: World, role: str) -> None:
    expected = {"stranger": 401, "invited": 401, "auditor": 403, "operator": 403}.get(role, 201)

    made = await ask(world, "createMatch", role, "public")

    assert made.status_code == expected


async def test_a_view_without_a_seat_has_no_hand(world: World) -> None:
    for role in ROLES:
        for visibility in ("public", "private"):
            answer = await ask(world, "getMatchView", role, visibility)
            if answer.status_code == 200:
                assert ("you" in answer.json()) == (role == "seat"), role


async def test_a_private_match_is_told_from_none_by_nothing(world: World) -> None:
    """The answers about a private match and about no match at all are the same to the byte."""
    other = world.callers["player"]
    none = "01890a5d-ac96-774b-bcce-b302099a8057"

    for operation in sorted(MATCH_READS | MATCH_ACTS):
        path, method = DOCUMENTED[operation]
        body = next(iter(REQUESTS.get(operation, {}).values()), None)
        private, absent = [
            await other.call(
                method.upper(), path.format(match_id=match), body, X_Request_Id="the-same"
            )
            for match in (world.matches["private"], none)
        ]
        assert private.status_code == absent.status_code == 404, operation
        assert private.content == absent.content
        assert private.headers == absent.headers
