"""Records of matches of special kinds: placed in a sandbox, forked, seen later by spectators."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.audit.checks import check
from domain.audit.record import read
from infra.signing import is_signed
from tests.audit.second import NODE, checked
from tests.service.support import QUICK, Client, House, house
from tests.service.test_forks import fork, over
from tests.service.test_spectator_delay import Clock, delayed

pytestmark = pytest.mark.anyio


async def record(who: Client, match: str) -> bytes:
    answer = await who.get(f"/v1/matches/{match}/record")
    assert answer.status_code == 200, answer.text
    return answer.content


def holds(content: bytes, folder: Path) -> bool:
    """Whether a record holds for both verifiers, where both can run."""
    file = folder / "record.ndjson"
    file.write_bytes(content)
    return check(content, is_signed).holds and (NODE is None or checked([(file, [])]) == [[[]]])


async def test_the_record_of_a_placed_match_and_of_its_fork_hold(
    talon: House, tmp_path: Path
) -> None:
    placed, version = await over(talon)
    ann = placed.persons[0]
    made = (await fork(ann, placed.match, version)).json()
    running = await record(ann, made["match_id"])
    assert (await ann.command(made["match_id"], {"type": "leave"})).status_code == 200

    ended = await record(ann, made["match_id"])

    assert holds(await record(ann, placed.match), tmp_path)
    assert holds(running, tmp_path) and b"seed_revealed" not in running
    assert holds(ended, tmp_path) and b"seed_revealed" in ended
    assert [line.seat for line in read(ended).seats] == [0]


async def test_a_spectators_record_is_as_old_as_what_they_see(tmp_path: Path) -> None:
    clock = Clock()
    async with house(QUICK, now=clock) as talon:
        ann, bob = await talon.person(), await talon.person()
        match, seen = await delayed(talon, clock, ann, bob)
        cat = await talon.person()

        early, now = await record(cat, match), await record(ann, match)
        path = f"/v1/matches/{match}/commands?signed=true"
        refused = (await cat.post(path, {"type": "draw_card"})).json()

    assert len(read(early).events) == seen < len(read(now).events)
    assert holds(early, tmp_path) and holds(now, tmp_path)
    assert (refused["receipt"]["version"], refused["receipt"]["actor"]) == (seen, "seat")
