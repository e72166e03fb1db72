"""The record of a tournament over HTTP: it holds, and so does each table against its match."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.audit.tournament_checks import check_tournament
from domain.audit.tournament_record import read_tournament
from infra.signing import is_signed
from service.cli.main import main
from service.identity import Kind
from tests.service.support import Client, House
from tests.service.tournaments import Held, four, set_up

pytestmark = pytest.mark.anyio


async def record_at(client: Client, path: str) -> bytes:
    """A record, as it is answered."""
    answer = await client.get(f"{path}/record")
    assert answer.status_code == 200, answer.text
    content: bytes = answer.content
    return content


async def taken_away(held: Held, folder: Path) -> int:
    """The tournament's record and those of its matches, in a folder: how many matches."""
    (folder / "tournament.ndjson").write_bytes(await record_at(held.organizer, held.path))
    rounds = (await held.look("/schedule"))["rounds"]
    matches = [table["match_id"] for round in rounds for table in round["tables"]]
    for match in matches:
        content = await record_at(held.organizer, f"/v1/matches/{match}")
        (folder / f"{match}.ndjson").write_bytes(content)
    return len(matches)


@pytest.mark.parametrize(
    ("format", "bots"), [("knockout", 5), ("swiss", 5), ("pairs_8", 8), ("rotating_partners_4", 4)]
)
async def test_a_tournament_and_all_its_matches_are_verified_offline(
    talon: House, format: str, bots: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = await talon.holder(Kind.APP)
    held = await set_up(app, format, seeding="lot", bots=["random"] * bots)
    await held.does("/start")
    await held.over()

    tables = await taken_away(held, tmp_path)

    assert main(["verify", "--jobs", "1", "--verbose", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert f"{tables} of {tables} tables held to their records" in said


async def test_people_are_named_in_it_while_it_goes_on_and_it_is_cached(talon: House) -> None:
    ann, bob, *_ = await four(talon)
    held = await set_up(ann)
    await held.enter(ann, bob)

    content = await record_at(bob, held.path)

    report, _ = check_tournament(content, is_signed)
    assert report.holds and report.status == "open"
    assert [line.entrant for line in read_tournament(content).entrants] == [0, 1]
    answer = await bob.get(f"{held.path}/record")
    tag = answer.headers["etag"]
    again = await bob.get(f"{held.path}/record", If_None_Match=tag)
    assert again.status_code == 304
