"""Who signs the log's tree: never against what was signed, whatever became of the log since."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from domain.audit.merkle import is_consistent, is_included, leaf_hash
from domain.audit.notes import ED25519, NoteKey, checkpoint_in, is_signed_by, opened
from domain.audit.proofs import TreeContradiction, consistency, inclusion
from infra.memory import MemoryLog
from infra.projections.leader import MemoryLead, MemoryLeader
from infra.proofs import checkpointer
from infra.proofs.last_signed import LastSignedFile
from infra.proofs.memory import MemoryLastSigned, MemoryTrees
from infra.signing import is_signed
from tests.contract.pen import STARTED, Pen, calls
from tests.infra.checkpoints import KEY, ORIGIN, newest, signer

pytestmark = pytest.mark.anyio


async def test_what_was_added_is_signed_and_every_event_proved() -> None:
    log = MemoryLog()
    trees = MemoryTrees(log)
    signing = signer(trees, MemoryLastSigned())
    written = await Pen(log).write(STARTED, *calls(*range(5)))

    assert not await signing.step()

    said = await newest(trees)
    note = opened((await trees.newest()).note)  # type: ignore[union-attr]
    assert is_signed_by(note, NoteKey(ORIGIN, ED25519, KEY.public_key), is_signed)
    assert said.size == len(written)
    for event in written:
        proof = await inclusion(trees, event.position - 1, said.size)
        leaf = leaf_hash(event.hash)
        assert is_included(leaf, event.position - 1, said.size, proof, said.root)


async def test_each_checkpoint_goes_with_those_before_however_many_events_come_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checkpointer, "BATCH", 7)
    log = MemoryLog()
    trees = MemoryTrees(log)
    signing, pen, said = signer(trees, MemoryLastSigned()), Pen(log), []
    for count in (3, 20, 1, 14):
        await pen.write(STARTED, *calls(*range(count)))
        while True:
            is_behind = await signing.step()
            said.append(await newest(trees))
            if not is_behind:
                break
    assert said[-1].size == await log.position()
    for old in said:
        proof = await consistency(trees, old.size, said[-1].size)
        assert is_consistent(old.size, said[-1].size, old.root, said[-1].root, proof)


async def test_nothing_is_signed_while_nothing_is_added() -> None:
    log = MemoryLog()
    trees = MemoryTrees(log)
    signing = signer(trees, MemoryLastSigned())
    await signing.step()
    assert await trees.newest() is None
    await Pen(log).write(STARTED)
    await signing.step()
    first = await trees.newest()
    await signing.step()
    assert await trees.newest() == first


async def test_only_one_of_several_processes_signs_and_the_next_goes_on() -> None:
    log, lead, last = MemoryLog(), MemoryLead(), MemoryLastSigned()
    trees = MemoryTrees(log)
    leaders = [MemoryLeader(lead), MemoryLeader(lead)]
    one, two = (signer(trees, last, leader) for leader in leaders)
    await Pen(log).write(STARTED)
    await one.step()
    await Pen(log).write(STARTED)
    await two.step()
    assert (await newest(trees)).size < await log.position()
    await leaders[0].resign()
    await two.step()
    assert (await newest(trees)).size == await log.position()


async def test_of_two_that_believe_they_lead_one_signs_and_the_other_begins_again() -> None:
    log, last = MemoryLog(), MemoryLastSigned()
    trees = MemoryTrees(log)
    one, two = signer(trees, last), signer(trees, last)
    await Pen(log).write(STARTED)
    await one.step()
    await two.step()
    await Pen(log).write(STARTED)
    await one.step()
    first = await newest(trees)
    await two.step()  # follows on a size that one has followed on
    assert await newest(trees) == first
    await Pen(log).write(STARTED)
    await two.step()
    assert (await newest(trees)).size == await log.position()


async def test_a_log_that_went_back_behind_what_was_signed_is_not_signed(tmp_path: Path) -> None:
    """The cheat: the last events are dropped, in the database and all that is kept in it."""
    log, last = MemoryLog(), LastSignedFile(tmp_path)
    pen = Pen(log)
    await pen.write(STARTED, *calls(*range(5)))
    await signer(MemoryTrees(log), last).step()
    restored = await without_the_last(log, 2)

    signing = signer(MemoryTrees(restored), last)

    with pytest.raises(TreeContradiction, match="went back"):
        await signing.step()
    assert await MemoryTrees(restored).newest() is None


async def test_a_log_with_another_past_is_not_signed_even_when_it_is_longer(tmp_path: Path) -> None:
    """The cheat: what was signed is left out, and others are put in its place."""
    log, last = MemoryLog(), LastSignedFile(tmp_path)
    await Pen(log).write(STARTED, *calls(*range(3)))
    await signer(MemoryTrees(log), last).step()
    other = MemoryLog()
    await Pen(other).write(STARTED, *calls(*range(9)))

    with pytest.raises(TreeContradiction, match="not those that were signed"):
        await signer(MemoryTrees(other), last).step()


async def test_the_loop_ends_and_says_why_when_the_log_contradicts_what_was_signed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log, last = MemoryLog(), MemoryLastSigned()
    await Pen(log).write(STARTED, *calls(*range(3)))
    await signer(MemoryTrees(log), last).step()
    signing = signer(MemoryTrees(MemoryLog()), last)
    await asyncio.wait_for(signing.run(asyncio.Event()), 30)
    assert "it went back" in (signing.failure or "")
    assert "no checkpoint is signed any more" in caplog.text


async def test_after_a_crash_between_file_and_database_the_same_is_signed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpointer, "BATCH", 3)
    log, last = MemoryLog(), LastSignedFile(tmp_path)
    pen = Pen(log)
    await pen.write(STARTED, *calls(*range(7)))
    lost = MemoryTrees(log)
    while await signer(lost, last).step():
        pass
    told = checkpoint_in(opened(await last.load(ORIGIN) or ""))

    trees = MemoryTrees(log)  # the database has nothing of it
    await signer(trees, last).step()

    assert await newest(trees) == told


async def test_tiles_that_do_not_lead_to_the_signed_root_are_noticed() -> None:
    log, last = MemoryLog(), MemoryLastSigned()
    trees = MemoryTrees(log)
    await Pen(log).write(STARTED, *calls(*range(3)))
    await signer(trees, last).step()
    trees._tiles[0, 0] = bytes(32) + trees._tiles[0, 0][32:]
    with pytest.raises(TreeContradiction, match="do not lead to the root"):
        await signer(trees, last).step()


async def without_the_last(log: MemoryLog, count: int) -> MemoryLog:
    """The log as a backup has it that was made before its last events."""
    kept = (await log.follow(0, 1_000))[:-count]
    restored = MemoryLog()
    restored._log = list(kept)
    return restored
