"""What is not seen: hands without a seat, and that a private match exists at all."""

from __future__ import annotations

import pytest

from service.openapi_examples import REQUESTS
from tests.access.declared import DECLARED, ROLES, SENT
from tests.access.world import DOCUMENTED, world

pytestmark = pytest.mark.anyio

ON_A_MATCH = [line for line in DECLARED if "{match_id}" in DOCUMENTED[line.partition(" ")[0]][0]]
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
    """The answers about a private match and about no match at all are the same to the byte."""
    operation = line.partition(" ")[0]
    path, method = DOCUMENTED[operation]
    body = SENT.get(line, next(iter(REQUESTS.get(operation, {}).values()), None))
    async with world("running") as fresh:
        private, absent = [
            await fresh.callers["stranger"].call(
                method.upper(), path.format(match_id=match), body, X_Request_Id="the-same"
            )
            for match in (fresh.matches[True], NONE)
        ]

    assert private.status_code == absent.status_code == 404
    assert private.content == absent.content
    assert private.headers == absent.headers
