"""What is done once after a restore: each open match dealt anew, another name where it is due."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.audit.statements import PublicKey, origin_of
from domain.events import RoundVoided, VoidReason
from infra.memory_views import MemoryHints, MemoryViews
from infra.postgres.keys import PostgresKeys
from infra.postgres.log import PostgresLog
from infra.postgres.pool import connect
from infra.postgres.restores import PostgresRestores, Restore
from infra.postgres.trees import PostgresTrees
from infra.projections.postgres_leader import CHECKPOINT_LOCK, PostgresLeader
from infra.proofs.last_signed import LastSignedFile
from infra.sealing import Sealer
from service.app.keeping import name_in
from service.cli import preflight
from service.cli.failure import Failure
from service.cli.fsck.after import after_restore
from service.cli.fsck.work import Place, looked_through
from service.play.matches import Matches
from service.restored import deal_all_anew
from service.settings import Settings
from tests.infra.checkpoints import KEY, signer
from tests.infra.stored_matches import begun, store, whole
from tests.infra.test_fsck import PLACE_KEY, SEAL_KEY
from tests.laws.table import opened

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

OPEN = (begun(13, 40), begun(4, 60), begun(6, 30))
SETTINGS = Settings()


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    """Three matches that go on, a table that waits, and a match that is over."""
    log = await PostgresLog.open(database, Sealer(SEAL_KEY), pool_size=3)
    await PostgresKeys(log.pool).keep(PublicKey(KEY.key_id, KEY.public_key, 0))
    for table in (*OPEN, opened(2), whole(11)):
        await store(log, table)
    yield log
    await log.close()


@pytest.fixture
def place(database: str) -> Place:
    return Place(database, PLACE_KEY, None, "", None)


async def voided(log: PostgresLog) -> dict[bytes, int]:
    """How many rounds of each match are void by a restore."""
    found = {}
    for table in (*OPEN, opened(2), whole(11)):
        events = (await log.read(table.match.id)).events
        found[table.match.id] = sum(
            isinstance(one.event, RoundVoided) and one.event.reason is VoidReason.RESTORE
            for one in events
        )
    return found


async def broken(place: Place) -> list[str]:
    return [str(one) async for done in looked_through(place, 1) for one in done.broken]


async def test_every_open_match_is_dealt_anew_once(log: PostgresLog, place: Place) -> None:
    said = await after_restore(SETTINGS, place, went_back=False, again=False)
    assert said == (
        "3 matches go on with another deal, 1 tables that have not started are bound to another",
        "the log keeps its name",
    )
    wanted = {**dict.fromkeys((one.match.id for one in OPEN), 2), opened(2).match.id: 1}
    assert await voided(log) == {**wanted, whole(11).match.id: 0}
    assert await broken(place) == []

    end = await log.position()
    (said_again,) = await after_restore(SETTINGS, place, went_back=False, again=False)
    assert "nothing is to be done" in said_again and "--again" in said_again
    assert await log.position() == end


async def test_another_restore_is_seen_to_if_somebody_says_so(
    log: PostgresLog, place: Place
) -> None:
    for again in (False, True):
        await after_restore(SETTINGS, place, went_back=False, again=again)
    assert sorted((await voided(log)).values()) == [0, 2, 4, 4, 4]


async def test_what_was_broken_off_goes_on_where_it_was(log: PostgresLog, place: Place) -> None:
    """Matches that began since, and moves that were made since, are left alone."""

    class CrashError(Exception):
        pass

    async def first_two() -> AsyncIterator[bytes]:
        for match in sorted(one.match.id for one in OPEN)[:2]:
            yield match
        raise CrashError

    restore = Restore(1, await log.position(), None, None, 1)
    await PostgresRestores(log.pool).begin(restore)
    play = Matches(log, MemoryViews(MemoryHints()), MemoryHints(), SETTINGS)
    with pytest.raises(CrashError):
        await deal_all_anew(first_two(), play.handler, restore.number, restore.position)
    assert sorted((await voided(log)).values()) == [0, 0, 0, 2, 2]
    with pytest.raises(Failure, match="broken off"):
        await preflight._open_and_close(
            Settings(database_url=place.database_url, seal_key=PLACE_KEY)
        )
    later = begun(33, 40)
    await store(log, later)

    await after_restore(SETTINGS, place, went_back=False, again=False)

    assert sorted((await voided(log)).values()) == [0, 1, 2, 2, 2]
    events = (await log.read(later.match.id)).events
    assert not any(isinstance(one.event, RoundVoided) for one in events)
    assert await broken(place) == []
    await preflight._open_and_close(Settings(database_url=place.database_url, seal_key=PLACE_KEY))


async def test_a_log_that_went_back_takes_another_name_and_is_signed_on(
    log: PostgresLog, place: Place, tmp_path: Path
) -> None:
    keys, last = PostgresKeys(log.pool), LastSignedFile(tmp_path)
    old = await name_in(SETTINGS, keys)
    assert old == origin_of((await keys.kept())[0])
    signing = signer(PostgresTrees(log.pool), last)
    await signing.step()

    await after_restore(SETTINGS, place, went_back=True, again=False)

    new = await name_in(SETTINGS, keys)
    assert new is not None and new != old and new.startswith(f"{old}/")
    signing._origin = new
    while await signing.step():
        pass
    newest = await PostgresTrees(log.pool).newest()
    assert newest is not None and newest.note.startswith(f"{new}\n")
    assert newest.size == await log.position()
    assert await broken(place) == []
    # It has gone back again, and so there is another name again.
    await after_restore(SETTINGS, place, went_back=True, again=False)
    assert await name_in(SETTINGS, keys) not in (old, new)


async def test_a_name_that_is_set_is_not_taken_twice(log: PostgresLog, place: Place) -> None:
    settings, end = Settings(log_origin="log.example/talon"), await log.position()
    with pytest.raises(Failure, match="set another TALON_LOG_ORIGIN"):
        await after_restore(settings, place, went_back=True, again=False)
    assert await log.position() == end
    assert await PostgresRestores(log.pool).newest() is None


async def test_nothing_is_done_while_a_service_is_at_work(log: PostgresLog, place: Place) -> None:
    service = PostgresLeader(lambda: connect(place.database_url), CHECKPOINT_LOCK)
    assert await service.epoch() is not None
    end = await log.position()
    with pytest.raises(Failure, match="stop it first"):
        await after_restore(SETTINGS, place, went_back=False, again=False)
    await service.resign()
    assert await log.position() == end
