"""A match with an event of a release that is to come: it stops, says why, and nothing else does."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from domain.evolve import CorruptLog
from infra.encoding import restored
from infra.memory import MemoryLog
from service.services import Services
from tests.service.support import Client, House

pytestmark = pytest.mark.anyio


def add_unknown(services: Services, match: str) -> int:
    """Append an event that no decoder of today knows, as a newer process would; its version."""
    log = services.log
    assert isinstance(log, MemoryLog)
    state = log._streams[bytes.fromhex(match.replace("-", ""))]
    last = state.events[-1]
    data = b'{"type":"comet_seen","seat":0}'
    unknown = restored(
        *(last.stream, last.version + 1, len(log._log) + 1, "comet_seen", 1),
        *(last.occurred_at + 1, "service", bytes(15) + b"1", None, data, bytes(32)),
    )
    log._log.append(unknown)
    state.events.append(unknown)
    return unknown.version


@pytest.mark.parametrize("seen_before", [True, False])
async def test_who_asks_for_it_is_told_which_event_and_what_that_means(
    talon: House, ann: Client, seen_before: bool
) -> None:
    match = await talon.table(ann)
    if not seen_before:
        talon.services.play.tables._cache.forget(bytes.fromhex(match.replace("-", "")))  # type: ignore[attr-defined]
    version = add_unknown(talon.services, match)
    with capture_logs() as logs:
        answers = [
            await ann.get(f"/v1/matches/{match}/view?min_version={version}"),
            await ann.command(match, {"type": "draw_card"}),
        ]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (500, "match_unreadable")
        assert "comet_seen/1" in answer.json()["detail"]
    assert [line["event"] for line in logs if line["event"] == "failed"]


async def test_other_matches_and_what_is_made_of_the_log_go_on(talon: House, ann: Client) -> None:
    """Projections skip it: the lobby and the boards come to what happened after it."""
    stopped = await talon.table(ann)
    add_unknown(talon.services, stopped)
    other = await talon.table(ann)
    await ann.view(other)
    async with asyncio.timeout(30):
        while other not in await listed(ann):
            await asyncio.sleep(0.05)


async def test_a_match_whose_log_contradicts_itself_says_so_and_no_more(
    talon: House, ann: Client
) -> None:
    match = await talon.table(ann)

    async def corrupt(*given: Any, **named: Any) -> Any:
        raise CorruptLog("round 1: the deal does not follow from the seed")

    talon.services.play.view = corrupt  # type: ignore[method-assign]
    answer = await ann.get(f"/v1/matches/{match}/view")
    assert (answer.status_code, answer.json()["code"]) == (500, "match_unreadable")
    assert "seed" not in answer.text


async def listed(client: Client) -> list[str]:
    """The matches of the lobby."""
    answer = await client.get("/v1/matches?limit=200")
    return [one["match_id"] for one in answer.json()["items"]]
