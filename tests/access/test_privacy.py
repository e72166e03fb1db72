"""What is not seen: hands without a seat, and that a private match exists at all."""

from __future__ import annotations

import re
from typing import Any

import pytest

from service.openapi_examples import REQUESTS
from tests.access.declared import DECLARED, PARAMETERS, ROLES, SENT
from tests.access.world import DOCUMENTED, world
from tests.service.support import House

pytestmark = pytest.mark.anyio

ON_A_MATCH = [
    line
    for line in DECLARED
    if re.search("{(match|tournament)_id}", DOCUMENTED[line.partition(" ")[0]][0])
]
STORED = ("match_facts", "seat_holders", "seat_holders_of", "matches_of", "players")
FOR_NO_PLAYER = ("voidMatch", "voidTable")
"""Refused to whoever has such a token, before any match is looked at."""
NONE = "01890a5d-ac96-774b-bcce-b302099a8057"


async def test_a_view_without_a_seat_has_no_hand() -> None:
    async with world("running") as fresh:
        for role in ROLES:
            answer = await fresh.ask("getMatchView", role)
            if answer.status_code == 200:
                seated = role in ("host", "seat", "partner")
                assert ("you" in answer.json()) == seated, role


async def test_partners_see_no_more_than_their_own_hand() -> None:
    async with world("running") as fresh:
        mine = (await fresh.ask("getMatchView", "seat")).json()
        theirs = (await fresh.ask("getMatchView", "partner")).json()

    for view in (mine, theirs):
        assert all("hand" not in seat for seat in view["seats"])
    assert mine["you"]["seat"] != theirs["you"]["seat"]


@pytest.mark.parametrize("line", ON_A_MATCH)
async def test_a_private_match_is_told_from_none_by_nothing(line: str) -> None:
    """The answers about a private match or tournament, and about none, are the same to the byte."""
    operation = line.partition(" ")[0]
    path, method = DOCUMENTED[operation]
    body = SENT.get(line, next(iter(REQUESTS.get(operation, {}).values()), None))
    async with world("running") as fresh:
        private, absent = [
            await fresh.callers["stranger"].call(method.upper(), at, body, X_Request_Id="the-same")
            for at in (
                path.format(
                    **PARAMETERS,
                    match_id=fresh.matches[True],
                    tournament_id=fresh.tournaments[True],
                ),
                path.format(**PARAMETERS, match_id=NONE, tournament_id=NONE),
            )
        ]

    not_theirs = 403 if line in FOR_NO_PLAYER else 404
    assert private.status_code == absent.status_code == not_theirs
    assert private.content == absent.content
    for answer in (private, absent):
        del answer.headers["ratelimit"]  # one more request has been made by then
    assert private.headers == absent.headers


class Watched:
    """What is asked of the registry and the log, in order."""

    def __init__(self, talon: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        registry: Any = talon.services.registry
        play: Any = talon.services.play
        for store, names in ((registry, STORED), (play.tables._log, ("read", "heads"))):
            for name in names:
                monkeypatch.setattr(store, name, self._noting(name, getattr(store, name)))

    def _noting(self, name: str, method: Any) -> Any:
        async def noted(*values: Any, **more: Any) -> Any:
            self.asked.append(name)
            return await method(*values, **more)

        return noted


@pytest.mark.parametrize("role", ["stranger", "outsider", "other_app"])
async def test_no_more_is_looked_up_for_a_private_match_than_for_none(
    role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever this process remembers of it: else the time of an answer would tell."""
    async with world("running") as fresh:
        watched = Watched(fresh.talon, monkeypatch)
        for line in ON_A_MATCH:
            operation = line.partition(" ")[0]
            path, method = DOCUMENTED[operation]
            body = SENT.get(line, next(iter(REQUESTS.get(operation, {}).values()), None))
            known = PARAMETERS | {"player_id": fresh.callers["seat"].id}
            lookups = []
            for match, tournament in (
                (NONE, NONE),
                (fresh.matches[True], fresh.tournaments[True]),
            ):
                watched.asked.clear()
                at = path.format(**known, match_id=match, tournament_id=tournament)
                await fresh.callers[role].call(method.upper(), at, body)
                lookups.append(list(watched.asked))
            assert lookups[0] == lookups[1], line
