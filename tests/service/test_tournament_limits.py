"""What setting up and starting tournaments takes of a limit."""

from __future__ import annotations

import msgspec
import pytest

from tests.service.support import QUICK, house
from tests.service.tournaments import set_up

pytestmark = pytest.mark.anyio


async def test_a_start_takes_as_much_as_the_matches_that_follow_from_it() -> None:
    async with house(msgspec.structs.replace(QUICK, limit_player=300)) as talon:
        small = await set_up(await talon.person("Ann"), bots=["random"] * 4)
        large = await set_up(await talon.person("Bob"), bots=["random"] * 10)

        await small.does("/start")
        refused = await large.organizer.post(f"{large.path}/start")

        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
        assert int(refused.headers["retry-after"]) > 0
        seen = (await talon.stranger.get(large.path)).json()
        assert seen["status"] == "open"
