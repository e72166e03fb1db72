"""A witness cosigns what only grows and convicts who shows two histories; cheats are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.audit.merkle import is_included, leaf_hash
from domain.audit.notes import COSIGNATURE, NoteKey, checkpoint_in, is_signed_by, opened
from domain.audit.proofs import Trees, consistency, inclusion
from infra.memory import MemoryLog
from infra.proofs.memory import MemoryLastSigned, MemoryTrees
from infra.signing import SigningKey, is_signed
from service.cli.failure import Failure
from service.cli.witness.state import Folder
from service.cli.witness.watch import Contradiction, Witness
from tests.contract.pen import STARTED, Pen, calls
from tests.infra.checkpoints import KEY, newest, signer

pytestmark = pytest.mark.anyio

NAME = "witness.example/w1"


class Shown:
    """A log as its operator shows it."""

    def __init__(self, trees: Trees) -> None:
        self.trees = trees

    async def checkpoint(self) -> str:
        found = await self.trees.newest()
        assert found is not None
        return found.note

    async def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        if new > (await newest(self.trees)).size:
            raise Failure("404")
        return await consistency(self.trees, old, new)


async def signed(trees: Trees) -> Shown:
    """The log, signed by an operator who has no regard for what was signed before."""
    await signer(trees, MemoryLastSigned()).step()
    return Shown(trees)


def witness(folder: Path, key: SigningKey = KEY) -> Witness:
    state = Folder(folder)
    folder.mkdir(exist_ok=True)
    return Witness(state, state.signer(), NAME, [key.public_key], lambda: 1_700_000_000)


async def a_log(events: int) -> MemoryLog:
    log = MemoryLog()
    await Pen(log).write(STARTED, *calls(*range(events - 1)))
    return log


async def test_growth_is_cosigned_step_by_step(tmp_path: Path) -> None:
    log = await a_log(5)
    trees = MemoryTrees(log)
    for said in ("0 to 5 events", "nothing new at 5"):
        assert said in await witness(tmp_path).look(await signed(trees))
    await Pen(log).write(STARTED, *calls(0))
    assert "5 to 7 events" in await witness(tmp_path).look(await signed(trees))

    note = opened((tmp_path / "checkpoint").read_text())
    key = NoteKey(NAME, COSIGNATURE, Folder(tmp_path).signer().public_key)
    assert is_signed_by(note, key, is_signed)
    assert checkpoint_in(note) == await newest(trees)


async def test_who_shows_another_history_of_the_same_length_is_convicted(tmp_path: Path) -> None:
    await witness(tmp_path).look(await signed(MemoryTrees(await a_log(9))))
    other = await signed(MemoryTrees(await a_log(9)))

    with pytest.raises(Contradiction, match="two roots for the size 9"):
        await witness(tmp_path).look(other)

    (evidence,) = tmp_path.glob("evidence-*")
    assert await other.checkpoint() in evidence.read_text()
    assert (tmp_path / "checkpoint").read_text() in evidence.read_text()


async def test_who_shows_a_longer_history_that_is_another_is_convicted(tmp_path: Path) -> None:
    await witness(tmp_path).look(await signed(MemoryTrees(await a_log(9))))
    with pytest.raises(Contradiction, match="no proof leads from 9 to 20"):
        await witness(tmp_path).look(await signed(MemoryTrees(await a_log(20))))


async def test_a_log_that_lost_its_last_events_is_not_cosigned(tmp_path: Path) -> None:
    await witness(tmp_path).look(await signed(MemoryTrees(await a_log(9))))
    cosigned = (tmp_path / "checkpoint").read_text()
    with pytest.raises(Failure, match="nothing proves that 4 events grew to 9"):
        await witness(tmp_path).look(await signed(MemoryTrees(await a_log(4))))
    assert (tmp_path / "checkpoint").read_text() == cosigned


async def test_nothing_is_cosigned_once_there_is_evidence(tmp_path: Path) -> None:
    honest = await signed(MemoryTrees(await a_log(9)))
    await witness(tmp_path).look(honest)
    cosigned = (tmp_path / "checkpoint").read_text()
    for shown in (await signed(MemoryTrees(await a_log(9))), honest):
        with pytest.raises(Contradiction):
            await witness(tmp_path).look(shown)
    assert (tmp_path / "checkpoint").read_text() == cosigned


async def test_an_operator_who_drops_the_last_events_is_convicted_by_a_receipt(
    tmp_path: Path,
) -> None:
    log = MemoryLog()
    kept = await Pen(log).write(STARTED, *calls(*range(5)))
    receipt = (await Pen(log).write(STARTED))[-1]
    await witness(tmp_path).look(await signed(MemoryTrees(log)))

    rewritten = MemoryLog()
    rewritten._log = list(kept)
    await Pen(rewritten).write(STARTED, *calls(*range(5)))
    trees = MemoryTrees(rewritten)
    shown = await signed(trees)

    said, index = await newest(trees), receipt.position - 1
    proof = await inclusion(trees, index, said.size)
    other = (await trees.hashes(index, 1))[0]
    assert is_included(leaf_hash(other), index, said.size, proof, said.root)
    assert not is_included(leaf_hash(receipt.hash), index, said.size, proof, said.root)
    with pytest.raises(Contradiction):
        await witness(tmp_path).look(shown)


async def test_an_older_checkpoint_of_the_same_log_is_no_crime(tmp_path: Path) -> None:
    log = await a_log(5)
    trees = MemoryTrees(log)
    old = await (await signed(trees)).checkpoint()
    await Pen(log).write(STARTED)
    shown = await signed(trees)
    await witness(tmp_path).look(shown)

    class Stale(Shown):
        async def checkpoint(self) -> str:
            return old

    assert "older" in await witness(tmp_path).look(Stale(trees))


async def test_a_checkpoint_under_a_strange_key_or_name_is_not_cosigned(tmp_path: Path) -> None:
    shown = await signed(MemoryTrees(await a_log(5)))
    with pytest.raises(Failure, match="no key that is trusted"):
        await witness(tmp_path, SigningKey(bytes(range(2, 34)))).look(shown)
    assert not (tmp_path / "checkpoint").exists()
