"""The tree in Postgres: what was signed stays, and a restored database is not signed on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from domain.audit.merkle import is_consistent, is_included, leaf_hash
from domain.audit.proofs import TreeContradiction, consistency, inclusion
from infra.postgres.log import PostgresLog
from infra.postgres.pool import connect
from infra.postgres.trees import PostgresTrees
from infra.projections.postgres_leader import CHECKPOINT_LOCK, PostgresLeader
from infra.proofs import checkpointer
from infra.proofs.last_signed import LastSignedFile
from infra.proofs.memory import MemoryLastSigned
from infra.sealing import Sealer
from tests.contract.pen import STARTED, Pen, calls
from tests.infra.checkpoints import newest, signer

TREE = ("log_checkpoint", "log_tile")

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    log = await PostgresLog.open(database, Sealer(bytes(range(32))), pool_size=3)
    yield log
    await log.close()


async def test_the_tree_in_the_database_grows_over_full_tiles_and_proves_every_event(
    log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpointer, "BATCH", 211)
    trees = PostgresTrees(log.pool)
    signing = signer(trees, MemoryLastSigned())
    written = [*await Pen(log).write(STARTED), *await Pen(log).write(*calls(*range(600)))]
    said = []
    while await signing.step():
        said.append(await newest(trees))
    said.append(await newest(trees))

    assert [one.size for one in said] == [211, 422, 601]
    for event in written[::97]:
        proof = await inclusion(trees, event.position - 1, 601)
        assert is_included(leaf_hash(event.hash), event.position - 1, 601, proof, said[-1].root)
    for old in said:
        steps = await consistency(trees, old.size, 601)
        assert is_consistent(old.size, 601, old.root, said[-1].root, steps)
        assert (await trees.at(old.size)).root == old.root  # type: ignore[union-attr]
    assert await trees.at(600) is None


async def test_two_processes_take_turns_by_a_lock(database: str, log: PostgresLog) -> None:
    trees, last = PostgresTrees(log.pool), MemoryLastSigned()
    leaders = [PostgresLeader(lambda: connect(database), CHECKPOINT_LOCK) for _ in range(2)]
    one, two = (signer(trees, last, leader) for leader in leaders)
    await Pen(log).write(STARTED)
    await one.step()
    await Pen(log).write(STARTED)
    await two.step()
    assert (await newest(trees)).size == 1
    await leaders[0].resign()
    await two.step()
    assert (await newest(trees)).size == 2
    await leaders[1].resign()


async def test_no_size_is_signed_twice_and_no_tile_is_written_over(log: PostgresLog) -> None:
    trees = PostgresTrees(log.pool)
    await Pen(log).write(STARTED, *calls(*range(9)))
    await signer(trees, MemoryLastSigned()).step()
    first = await trees.newest()
    assert first is not None
    assert not await trees.grow(first, {(0, 0): bytes(320)})
    tiles = await trees.tiles([(0, 0)])
    with pytest.raises(asyncpg.RestrictViolationError, match="only added to"):
        async with log.pool.acquire() as connection:
            await connection.execute("UPDATE log_tile SET hashes = $1", bytes(320))
    assert await trees.tiles([(0, 0)]) == tiles


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE log_checkpoint SET root = root",
        "DELETE FROM log_checkpoint",
        "TRUNCATE log_checkpoint",
        "DELETE FROM log_tile",
        "TRUNCATE log_tile",
        "UPDATE log_tile SET hashes = substr(hashes, 1, 32)",
        "UPDATE log_tile SET number = number + 1",
    ],
)
async def test_the_database_refuses_to_change_what_was_signed(
    database: str, log: PostgresLog, change: str
) -> None:
    trees = PostgresTrees(log.pool)
    await Pen(log).write(STARTED, *calls(*range(9)))
    await signer(trees, MemoryLastSigned()).step()
    with pytest.raises(asyncpg.RestrictViolationError):
        await by_the_owner(database, change)


async def test_a_restored_database_that_lost_its_last_events_is_not_signed_on(
    database: str, log: PostgresLog, tmp_path: Path
) -> None:
    """The cheat: the owner takes the triggers away and drops the last events, and the tree."""
    trees, last = PostgresTrees(log.pool), LastSignedFile(tmp_path)
    await Pen(log).write(STARTED, *calls(*range(9)))
    await signer(trees, last).step()
    await by_the_owner(
        database,
        *(f"ALTER TABLE {one} DISABLE TRIGGER USER" for one in ("event", *TREE)),
        "DELETE FROM event WHERE position > 6",
        *(f"DELETE FROM {one}" for one in TREE),
    )

    with pytest.raises(TreeContradiction, match="went back"):
        await signer(trees, last).step()


async def test_a_missing_event_is_noticed_before_anything_over_it_is_signed(
    database: str, log: PostgresLog
) -> None:
    trees = PostgresTrees(log.pool)
    await Pen(log).write(STARTED, *calls(*range(9)))
    await by_the_owner(
        database,
        "ALTER TABLE event DISABLE TRIGGER USER",
        "DELETE FROM event WHERE position = 4",
    )

    with pytest.raises(TreeContradiction, match="position 4 is missing"):
        await signer(trees, MemoryLastSigned()).step()


async def by_the_owner(database: str, *statements: str) -> None:
    """What the owner of the database may do, and the service may not."""
    owner = await asyncpg.connect(database)
    try:
        for statement in statements:
            await owner.execute(statement)
    finally:
        await owner.close()
