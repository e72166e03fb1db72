"""What auditors find and take away: searches, tables of two, all events, records in bulk."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from domain.audit.checks import check
from domain.audit.record import split
from domain.chain import event_hash, genesis
from infra.signing import is_signed
from service.identity import Kind
from tests.service.support import Client, House

pytestmark = pytest.mark.anyio


async def ask(auditor: Client, what: str, **asked: Any) -> httpx.Response:
    """A question of an auditor, with its filters."""
    answer = await auditor.get(f"/v1/audit/{what}?{urlencode(asked)}")
    assert answer.status_code == 200, answer.text
    return answer


async def found(auditor: Client, **asked: Any) -> list[str]:
    """The ids of the matches that a search finds, on all its pages."""
    ids: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = (await ask(auditor, "matches", **asked, **cursor)).json()
        ids += [item["match"]["match_id"] for item in page["items"]]
        if page["next"] is None:
            return ids
        cursor = {"cursor": page["next"]}


async def test_all_matches_are_found_newest_first_private_ones_too(talon: House) -> None:
    ann, auditor = await talon.person(), await talon.holder(Kind.AUDITOR)
    made = [await talon.table(ann, visibility=kind) for kind in ("public", "private", "public")]
    await talon.caught_up()

    assert await found(auditor) == made[::-1]
    assert await found(auditor, limit=1) == made[::-1]


async def test_matches_are_found_by_player_rules_and_status(talon: House) -> None:
    ann, bob, cat = [await talon.person() for _ in range(3)]
    auditor = await talon.holder(Kind.AUDITOR)
    one = await talon.running(ann, bob)
    two = await talon.running(ann, cat, rules={"stacking": "same"})
    three = await talon.table(cat, bob)
    await talon.caught_up()

    assert await found(auditor, player=ann.id) == [two, one]
    assert await found(auditor, player=bob.id, status="running") == [one]
    assert await found(auditor, rules="stacking:same") == [two]
    assert await found(auditor, status="open") == [three]


async def test_matches_are_found_by_when_they_were_created(talon: House) -> None:
    auditor = await talon.holder(Kind.AUDITOR)
    match = await talon.table(await talon.person())
    await talon.caught_up()
    now = datetime.now(UTC)
    before, after = (now + timedelta(days=days) for days in (-3, 3))

    assert await found(auditor, since=before.isoformat(), until=after.isoformat()) == [match]
    assert await found(auditor, until=before.isoformat()) == []
    assert await found(auditor, since=after.isoformat()) == []


async def test_matches_are_found_by_what_went_amiss(talon: House) -> None:
    ann, bob, auditor = await talon.person(), await talon.person(), await talon.holder(Kind.AUDITOR)
    operator = await talon.holder(Kind.OPERATOR)
    left, void, good = [await talon.running(ann, bob) for _ in range(3)]
    assert (await ann.command(left, {"type": "leave"})).status_code == 200
    assert (await operator.post(f"/v1/matches/{void}/void")).status_code == 200
    await talon.caught_up()

    assert await found(auditor, anomaly="forfeit") == [left]
    assert await found(auditor, anomaly="left", player=bob.id) == [left]
    assert await found(auditor, anomaly="voided") == [void]
    assert await found(auditor, anomaly="missed_clock") == []
    page = (await ask(auditor, "matches")).json()["items"]
    told = {item["match"]["match_id"]: item["anomalies"] for item in page}
    assert told == {good: [], void: ["voided"], left: ["forfeit", "left"]}


async def test_a_page_leads_to_the_next_one_of_the_same_search(talon: House) -> None:
    ann, auditor = await talon.person(), await talon.holder(Kind.AUDITOR)
    first, *_ = [await talon.table(ann) for _ in range(3)]
    await talon.caught_up()

    page = await ask(auditor, "matches", limit=2, status="open", player=ann.id)
    path = page.headers["Link"].partition(">")[0].removeprefix("<")
    last = (await auditor.get(path)).json()

    assert [item["match"]["match_id"] for item in last["items"]] == [first]
    assert last["next"] is None


async def test_an_export_has_every_event_with_the_hash_it_proves(talon: House) -> None:
    ann, bob, auditor = await talon.person(), await talon.person(), await talon.holder(Kind.AUDITOR)
    match = await talon.finished(ann, bob, visibility="private", spectator_delay=60)
    await talon.table(ann)

    *lines, end = (await ask(auditor, "export")).text.splitlines()

    events = [json.loads(line) for line in lines]
    assert [one["position"] for one in events] == list(range(1, len(events) + 1))
    assert json.loads(end) == {"next": await talon.position()} == {"next": len(events)}
    id = bytes.fromhex(match.replace("-", ""))
    previous = genesis(id)
    for one in (one for one in events if one["stream"] == match):
        previous = event_hash(
            stream_id=id,
            previous=previous,
            command_id=None if one["command_id"] is None else bytes.fromhex(one["command_id"]),
            data=one["data"].encode(),
            **{name: one[name] for name in ("version", "type", "schema", "occurred_at", "actor")},
        )
        assert previous.hex() == one["hash"]


async def test_an_export_goes_on_where_the_one_before_ended(talon: House) -> None:
    ann, bob, auditor = await talon.person(), await talon.person(), await talon.holder(Kind.AUDITOR)
    await talon.running(ann, bob)
    whole = (await ask(auditor, "export")).text.splitlines()

    first = (await ask(auditor, "export", limit=3)).text.splitlines()
    rest = (await ask(auditor, "export", after=json.loads(first[-1])["next"])).text.splitlines()
    nothing = (await ask(auditor, "export", after=json.loads(rest[-1])["next"])).text.splitlines()

    assert first[:-1] + rest == whole
    assert nothing == whole[-1:]


async def test_an_export_holds_no_seed_that_is_sealed(talon: House) -> None:
    ann, bob, auditor = await talon.person(), await talon.person(), await talon.holder(Kind.AUDITOR)
    match = await talon.running(ann, bob)
    play: Any = talon.services.play
    secrets = (await play.tables._log.read(bytes.fromhex(match.replace("-", "")))).secrets

    text = (await ask(auditor, "export")).text

    assert len(secrets) > 0
    assert not any(secret.hex() in text for secret in secrets.values())


async def test_records_of_what_is_over_are_taken_away_together(talon: House) -> None:
    ann, bob, auditor = await talon.person(), await talon.person(), await talon.holder(Kind.AUDITOR)
    over = [await talon.finished(ann, bob) for _ in range(2)]
    await talon.running(ann, bob)
    await talon.caught_up()

    content = (await ask(auditor, "records", player=ann.id)).content

    reports = [check(one, is_signed) for one in split(content)]
    assert [report.match for report in reports] == over[::-1]
    assert all(report.holds for report in reports)


async def test_tables_of_two_are_counted(talon: House) -> None:
    ann, bob, cat = [await talon.person() for _ in range(3)]
    auditor = await talon.holder(Kind.AUDITOR)
    for persons in ((ann, bob), (bob, ann), (ann, bob, cat), (ann, cat)):
        await talon.running(*persons)
    await talon.table(ann, bob)
    await talon.caught_up()
    today = datetime.now(UTC).strftime("%Y-%m-%dT00:00:00Z")

    counted = (await ask(auditor, "tables", player=ann.id, other=bob.id)).json()["items"]
    by_day = (await ask(auditor, "tables", player=cat.id, other=bob.id, by="day")).json()["items"]

    assert counted == [{"since": None, "player": 4, "other": 3, "together": 3}]
    assert [one["together"] for one in by_day] == [1]
    assert by_day[0]["since"] <= today


async def test_tables_outside_of_the_time_are_not_counted(talon: House) -> None:
    ann, bob, auditor = await talon.person(), await talon.person(), await talon.holder(Kind.AUDITOR)
    await talon.running(ann, bob)
    await talon.caught_up()
    soon = (datetime.now(UTC) + timedelta(days=1)).isoformat()

    later = await ask(auditor, "tables", player=ann.id, other=bob.id, since=soon)

    assert later.json() == {"items": []}


@pytest.mark.parametrize(
    "asked", ["matches?player=Ann", "tables?player=Ann&other=Bob", "export?after=-1"]
)
async def test_what_cannot_be_asked_is_refused(talon: House, asked: str) -> None:
    auditor = await talon.holder(Kind.AUDITOR)

    assert (await auditor.get(f"/v1/audit/{asked}")).status_code == 422
