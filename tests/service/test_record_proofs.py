"""Records with proofs that the log has their events, checked by the command offline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from domain.audit.checks import check
from domain.audit.included import Included, proof_faults
from domain.audit.record import read
from infra.signing import is_signed
from service.cli.main import main
from tests.audit.cheats import Lines, resealed
from tests.service.support import Client, House
from tests.service.test_proofs import covered

pytestmark = pytest.mark.anyio


class Taken:
    """The record of a match that is over, the proof of its last event, and the log's key."""

    def __init__(self, record: bytes, proof: bytes, signer: Any) -> None:
        self.record = record
        self.proof = proof
        self.signer = signer

    def forged(self) -> bytes:
        """A record that holds by itself, signed by the service; the log never had it."""

        def change(lines: Lines) -> None:
            *_, last = (line for line in lines if line.get("command_id"))
            last["command_id"] = "00" * 16

        return resealed(self.record, change, self.signer)

    def faults(self, record: bytes, **changed: Any) -> list[str]:
        """What the proof says of a record, by the log's key."""
        told = json.loads(self.proof) | changed
        proof = Included(
            told["position"], told["event_hash"], tuple(told["hashes"]), told["checkpoint"]
        )
        known = [self.signer.public_key]
        found = proof_faults(read(record), {proof.position: proof}, is_signed, known)
        return [fault.words for fault in found]


@pytest.fixture
async def taken(talon: House, ann: Client, bob: Client) -> Taken:
    match = await talon.finished(ann, bob)
    await talon.running(ann, bob)
    await covered(talon)
    head = (await ann.get(f"/v1/matches/{match}/head")).json()
    record = (await ann.get(f"/v1/matches/{match}/record")).content
    proof = (await ann.get(f"/v1/log/proofs/{head['position']}")).content
    return Taken(record, proof, talon.services.signer)


async def test_the_log_has_what_the_record_has(taken: Taken) -> None:
    assert taken.faults(taken.record) == []


async def test_a_record_that_the_log_never_had_is_found_though_it_holds(taken: Taken) -> None:
    assert check(taken.forged(), is_signed).holds
    assert taken.faults(taken.forged()) == ["the log has another event at this position"]


async def test_an_event_that_the_tree_lacks_is_found(taken: Taken) -> None:
    """Whoever writes the event's hash into the proof cannot lead it to the root."""
    forged = taken.forged()
    hash = read(forged).events[-1].hash

    assert taken.faults(forged, event_hash=hash) == ["the tree of the checkpoint does not have it"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"hashes": []}, "the tree of the checkpoint does not have it"),
        ({"hashes": ["00"]}, "the tree of the checkpoint does not have it"),
        ({"hashes": ["x"]}, "the proof cannot be read"),
        ({"checkpoint": "none"}, "the proof cannot be read"),
    ],
)
async def test_a_proof_that_is_none_is_a_fault(
    taken: Taken, changed: dict[str, Any], words: str
) -> None:
    (found,) = taken.faults(taken.record, **changed)
    assert found.startswith(words)


async def test_a_checkpoint_of_somebody_else_proves_nothing(taken: Taken) -> None:
    note = json.loads(taken.proof)["checkpoint"]
    size = note.split("\n")[1]

    (found,) = taken.faults(taken.record, checkpoint=note.replace(f"\n{size}\n", "\n9\n", 1))

    assert found == "the checkpoint is signed by no key that is known"


async def test_the_command_holds_records_against_proofs(
    taken: Taken, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, proof = (tmp_path / name for name in ("good.ndjson", "bad.ndjson", "proof.json"))
    good.write_bytes(taken.record)
    bad.write_bytes(taken.forged())
    proof.write_bytes(taken.proof)
    key = ("--key", taken.signer.public_key.hex())

    codes = [main(["verify", "--proof", str(proof), *key, str(one)]) for one in (good, bad)]

    told = capsys.readouterr().out
    assert codes == [0, 1]
    assert "of 1 proofs 1 were held against these records" in told
    assert "proof: version" in told and "another event at this position" in told


async def test_proofs_of_other_events_prove_nothing_and_say_so(
    taken: Taken, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, proof = tmp_path / "good.ndjson", tmp_path / "proof.json"
    record.write_bytes(taken.record)
    proof.write_text(json.dumps(json.loads(taken.proof) | {"position": 999_999}))

    code = main(["verify", "--json", "--proof", str(proof), str(record)])

    summary = json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]
    assert code == 1
    assert summary["proofs"] == {"read": 1, "held": 0, "of_other_matches": 1}
