"""``talon demo --tournament``: an honest tournament passes, and a lie in any history is found."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from domain.tournaments.events import TableEnded
from service.cli.demo.cup import Cup, ScheduleSeen, StandingsSeen
from service.cli.demo.cup_command import add_cup, require_a_cup
from service.cli.demo.evidence import Record, Stored, record_of
from service.cli.demo.own_service import own_service
from service.cli.demo.verify_cup import decode, verify_cup
from service.cli.failure import Failure
from tests.service.support import key

pytestmark = [pytest.mark.servers]


class Evidence(NamedTuple):
    """What a tournament left behind."""

    record: Record
    matches: dict[str, bytes]
    schedule: ScheduleSeen
    standings: StandingsSeen
    commands: int


@pytest.fixture(scope="module")
def evidence(module_database: str, redis_url: str) -> Iterator[Evidence]:
    """A knockout of two people and two bots, played over HTTP."""
    settings = {
        "TALON_DATABASE_URL": module_database,
        "TALON_REDIS_URL": redis_url,
        "TALON_REDIS_PREFIX": f"talon-test-cup-{key()}",
        "TALON_BOT_MOVE_MS": "0",
        "TALON_BOT_CATCH_MS": "0",
    }
    with asyncio.Runner() as runner, ExitStack() as stack:
        service = own_service(settings)
        own = runner.run(service.__aenter__())
        stack.callback(lambda: runner.run(service.__aexit__(None, None, None)))
        yield runner.run(_held(own.url))


async def _held(url: str) -> Evidence:
    cup = Cup(url, Random(1), lambda _: None)
    await cup.set_up("knockout", entrants=4, people=2, target=50)
    schedule = await cup.play()
    record = record_of(cup.tournament_id, await cup.history())
    matches: dict[str, bytes] = {}
    for event in decode(record)[1]:
        if isinstance(event, TableEnded):
            id = event.match
            text = f"{id[:8]}-{id[8:12]}-{id[12:16]}-{id[16:20]}-{id[20:]}"
            matches[id] = await cup.record(text)
    standings = await cup.standings()
    cup.close()
    return Evidence(record, matches, schedule, standings, cup.commands)


def broken(evidence: Evidence) -> list[str]:
    """The names of the checks that fail."""
    report = verify_cup(evidence.record, evidence.matches, evidence.schedule, evidence.standings)
    return [check.name for check in report.checks if not check.agrees]


def test_an_honest_tournament_is_verified(evidence: Evidence) -> None:
    assert broken(evidence) == []
    assert (len(evidence.matches), len(evidence.schedule.rounds)) == (3, 2)
    assert evidence.commands > 0


def test_a_changed_event_breaks_the_chain(evidence: Evidence) -> None:
    events = list(evidence.record.events)
    at = next(n for n, one in enumerate(events) if one.type == "table_ended")
    events[at] = _with(events[at], b'"reason":"target"', b'"reason":"forfeit"')

    lie = evidence._replace(record=replace(evidence.record, events=tuple(events)))

    assert broken(lie) == ["hash chain"]


def test_a_match_that_ended_otherwise_is_found(evidence: Evidence) -> None:
    first, second, *_ = evidence.matches
    swapped = {**evidence.matches, first: evidence.matches[second]}

    assert broken(evidence._replace(matches=swapped)) == ["matches"]
    assert broken(evidence._replace(matches={})) == ["matches"]


def test_another_place_in_the_standings_is_found(evidence: Evidence) -> None:
    items = evidence.standings.items
    other = (replace(items[0], points=items[0].points + 1), *items[1:])

    lie = evidence._replace(standings=replace(evidence.standings, items=other))

    assert broken(lie) == ["standings"]


def test_a_format_of_a_fixed_number_takes_no_other() -> None:
    parser = argparse.ArgumentParser()
    add_cup(parser)

    with pytest.raises(Failure):
        require_a_cup(parser.parse_args(["--tournament", "pairs_8", "--entrants", "9"]))
    with pytest.raises(Failure):
        require_a_cup(parser.parse_args(["--tournament", "swiss", "--people", "9"]))


def _with(stored: Stored, old: bytes, new: bytes) -> Stored:
    assert old in stored.data
    return replace(stored, data=stored.data.replace(old, new))
