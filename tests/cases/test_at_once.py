"""Cases of things that happen at the same moment, over HTTP: the log takes its time to append."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from domain.ports import EventLog, Proposal, Recorded
from tests.service.support import House, Placed, house, key

pytestmark = pytest.mark.anyio
A, B, C, D = range(4)


class SlowLog:
    """A log that lets everybody else go first, before an append and after it."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def append(self, proposal: Proposal) -> tuple[Recorded, ...]:
        await asyncio.sleep(0.01)
        recorded = await self._log.append(proposal)
        await asyncio.sleep(0.01)
        return recorded


@pytest.fixture
async def talon() -> AsyncIterator[House]:
    async with house() as opened:
        play: Any = opened.services.play
        play.handler._log = SlowLog(play.handler._log)
        yield opened


def codes(answers: list[httpx.Response]) -> list[str]:
    """What each was answered: ``done``, or why not; sorted."""
    return sorted("done" if one.status_code == 200 else str(one.json()["code"]) for one in answers)


async def new_events(table: Placed, version: int) -> list[dict[str, Any]]:
    """What has happened since."""
    return [one for one in await table.events() if one["version"] > version]


async def test_accepting_and_challenging_together_is_one_answer(talon: House) -> None:
    """Case 68: never four and six."""
    table = await talon.placed("W4 B1", "Y1", "Y2", top="R7")
    version = (await table.plays(A, "W4", color="green"))["version"]

    answers = await asyncio.gather(table.send(B, "accept_penalty"), table.send(B, "challenge"))

    assert codes(list(answers)) == ["done", "turn_must_be_yours"]
    drawn = [one for one in await new_events(table, version) if one["type"] == "cards_drawn"]
    assert [one["event"]["drawn"] for one in drawn] in ([4], [6])


async def test_two_catch_together_and_one_is_second(talon: House) -> None:
    """Case 86: no penalty for who came second, and two cards once."""
    table = await talon.placed("R5 G2", "B1", "B2", "B3", top="R1")
    await table.plays(A, "R5")

    answers = await asyncio.gather(
        table.send(C, "catch_uno", seat=A), table.send(D, "catch_uno", seat=A)
    )

    assert codes(list(answers)) == ["catch_must_be_in_time", "done"]
    assert await table.counts() == [3, 1, 1, 1]


@pytest.mark.parametrize("first", ["call", "catch"])
async def test_call_and_catch_race_and_no_version_voids_them(talon: House, first: str) -> None:
    """Case 87: the order of arrival decides, whatever version was seen and whatever lay between."""
    table = await talon.placed("R5 G2", "B1", "B2", top="R1")
    version = (await table.plays(A, "R5"))["version"]
    seed = {"type": "add_seed", "round": 2, "client_seed": "YQ"}
    assert (await table.persons[B].command(table.match, seed)).status_code == 200
    seen = f'"{version}"'  # the match has moved on since

    call = table.persons[A].command(table.match, {"type": "call_uno"}, If_Match=seen)
    catch = table.persons[C].command(table.match, {"type": "catch_uno", "seat": A}, If_Match=seen)
    in_order = (call, catch) if first == "call" else (catch, call)
    early, late = await asyncio.gather(*in_order)

    assert (early.status_code, late.status_code) == (200, 409)
    assert (await table.counts())[A] == (1 if first == "call" else 3)


async def test_uno_said_with_the_play_never_loses(talon: House) -> None:
    """Case 87: there is no moment in which a catch would hold."""
    table = await talon.placed("R5 G2", "B1", "B2", top="R1")

    play = table.send(A, "play_card", card="R5", uno=True)
    catches = [table.send(C, "catch_uno", seat=A) for _ in range(5)]
    laid, *caught = await asyncio.gather(play, *catches)

    assert laid.status_code == 200
    assert codes(caught) == ["catch_must_be_in_time"] * 5
    assert (await table.counts())[A] == 1


async def test_one_person_from_two_devices_sits_down_once(talon: House) -> None:
    """Case 138: at the same moment, and again after the start; seven cards once."""
    ann, bob = await talon.person(), await talon.person()
    match = await talon.table(ann, rules={}, seats=2)
    path = f"/v1/matches/{match}/seats"
    joined = await asyncio.gather(bob.post(path, {}), bob.post(path, {}))
    assert [one.json()["seat"] for one in joined] == [1, 1]

    await ann.post(f"/v1/matches/{match}/start")
    again = await bob.post(path, {})

    assert (again.status_code, again.json()["seat"]) == (200, 1)
    history = await bob.history(match)
    assert [one["type"] for one in history].count("player_joined") == 2
    hands = [one["mine"]["hand"] for one in history if "hand" in one.get("mine", {})]
    assert [len(hand) for hand in hands] == [7]


async def test_two_plays_at_once_are_one_play(talon: House) -> None:
    """Case 140: the second is out of turn; exactly one event."""
    table = await talon.placed("B1", "R5 R6 Y1", "B2", top="R9", turn=B)
    version = (await table.table())["version"]

    answers = await asyncio.gather(
        table.send(B, "play_card", card="R5"), table.send(B, "play_card", card="R6")
    )

    assert codes(list(answers)) == ["done", "turn_must_be_yours"]
    assert [one["type"] for one in await new_events(table, version)] == ["card_played"]
    assert (await table.counts())[B] == 2


async def test_two_starts_deal_once(talon: House) -> None:
    """Case 141: both are answered the same match."""
    persons = [await talon.person() for _ in range(4)]
    match = await talon.table(*persons)
    path = f"/v1/matches/{match}/start"

    started = await asyncio.gather(persons[0].post(path), persons[0].post(path))

    assert [one.status_code for one in started] == [200, 200]
    assert started[0].json()["version"] == started[1].json()["version"]
    types = [one["type"] for one in await persons[0].history(match)]
    assert (types.count("match_started"), types.count("round_started")) == (1, 1)


async def test_two_draws_with_one_key_are_one_and_with_two_keys_one_is_refused(
    talon: House,
) -> None:
    """Case 143: one card either way."""
    for once, other, expected in (
        ("the same", "the same", ["done", "done"]),
        (key(), key(), ["done", "draw_must_be_the_first"]),
    ):
        table = await talon.placed("B1", "Y1", "B2", top="R9", turn=B)
        draw = {"type": "draw_card"}
        answers = await asyncio.gather(
            table.persons[B].command(table.match, draw, Idempotency_Key=once),
            table.persons[B].command(table.match, draw, Idempotency_Key=other),
        )
        assert codes(list(answers)) == expected
        assert (await table.counts())[B] == 2
        if once == other:
            assert answers[0].json() == answers[1].json()


async def test_who_acts_is_whose_token_it_is(talon: House) -> None:
    """Case 144: seeds of all four at once, three times over; each under its own seat."""
    table = await talon.placed("R1 R2", "B1 B2", "G1 G2", "Y1 Y2", top="R9")
    version = (await table.table())["version"]
    said = {A: "YQ", B: "Yg", C: "Yw", D: "ZA"}

    answers = await asyncio.gather(
        *(
            table.send(seat, "add_seed", round=2, client_seed=text)
            for _ in range(3)
            for seat, text in said.items()
        )
    )

    assert {one.status_code for one in answers} == {200}
    events = await new_events(table, version)
    assert len(events) == 12
    for one in events:
        seat = one["event"]["seat"]
        assert bytes.fromhex(one["event"]["client_seed"]) == b"abcd"[seat : seat + 1]
        assert one["actor"] == f"seat:{seat}"
