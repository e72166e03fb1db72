"""Matches with rounds that are void after a restore, at any moment: all verifiers agree."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from domain.audit.checks import check
from domain.codec import encode
from domain.commands import SERVICE, DealAnew, StartMatch
from domain.events import Event, RoundCommitted, RoundStarted, RoundVoided, SeedRevealed, VoidReason
from domain.match import Status
from domain.options import Form, Options, Reveal
from infra.signing import is_signed
from tests.audit.records import SIGNER, record_of
from tests.audit.second import MISSING, NODE, checked
from tests.laws.audit import Auditor
from tests.laws.table import Table, opened, played, played_on
from tests.spec import person, seed_of

KEYS = {SIGNER.key_id: SIGNER.public_key}
EVERY = 25
"""About how many commands go between two restores."""
KINDS: tuple[tuple[Options | None, int | None], ...] = (
    (None, None),
    (Options(reveal=Reveal.ROUND, target=200), 3),
    (Options(form=Form.ROTATING_PARTNERS, rounds_per_pairing=2), 4),
    (Options(form=Form.ELIMINATION, target=100), 4),
    (Options(rounds=2), 3),
)


def deal_anew(table: Table) -> tuple[Event, ...]:
    """The service goes on after a restore."""
    return table.tell(SERVICE, DealAnew(seed_of("anew", table.seed, table.match.version)))


def interrupted(seed: int) -> Table:
    """A match that was restored now and then."""
    table = Table(seed)
    for table in played(seed, *KINDS[seed % len(KINDS)]):
        if table.match.is_over or table.match.version > 700:
            continue
        if table.random.randrange(EVERY) == 0:
            deal_anew(table)
    return table


def test_a_match_that_was_restored_now_and_then_is_valid_by_every_verifier(tmp_path: Path) -> None:
    counted: Counter[str] = Counter()
    requests = []
    for seed in range(20):
        table = interrupted(seed)
        voided = [e for e in table.events if isinstance(e, RoundVoided)]
        counted["restored"] += sum(e.reason is VoidReason.RESTORE for e in voided)
        counted["over"] += table.match.is_over
        checks = Auditor(table.match.id, [encode(event) for event in table.events]).audit()
        counted["rounds"] += checks["round_started"]
        content = record_of(table)
        report = check(content, is_signed, KEYS)
        assert report.faults == () and report.sealed_from is None, (seed, report.faults)
        path = tmp_path / f"{seed}.ndjson"
        path.write_bytes(content)
        requests.append((path, []))
    assert counted["restored"] > 60 and counted["over"] == 20 and counted["rounds"] > 60
    if NODE is None:
        pytest.skip(MISSING)
    for (path, _), (found,) in zip(requests, checked(requests), strict=True):
        assert found == [], (path.name, found)


def test_no_seed_that_may_be_known_is_dealt_from() -> None:
    """The running round and the coming one are void, and the next is bound before it is dealt."""
    table = next(table for table in played(2) if table.match.version > 60)
    number, known = table.match.rounds, set(table.match.commitments)
    events = deal_anew(table)
    assert [e.round for e in events if isinstance(e, RoundVoided)] == [number, number + 1]
    bound = [e.round for e in events if isinstance(e, RoundCommitted)]
    dealt = [e.round for e in events if isinstance(e, RoundStarted)]
    assert (bound, dealt) == ([number + 2, number + 3], [number + 2])
    assert known.isdisjoint(bound)
    assert table.match.secrets[number + 2] not in (
        table.match.secrets[one] for one in (*known, number + 3)
    )


@pytest.mark.parametrize("reveal", Reveal)
def test_what_is_void_is_revealed_as_the_match_wants_it(reveal: Reveal) -> None:
    chosen = Options(reveal=reveal)
    table = next(table for table in played(2, chosen) if table.match.version > 60)
    number = table.match.rounds
    shown = [e.round for e in deal_anew(table) if isinstance(e, SeedRevealed)]
    assert shown == ([number, number + 1] if reveal is Reveal.ROUND else [])


def test_a_table_that_has_not_started_is_bound_to_another_seed() -> None:
    table = opened(2)
    first = table.match.commitment
    deal_anew(table)
    assert table.match.status is Status.OPEN
    assert (table.match.rounds, table.match.commitment != first) == (1, True)
    assert set(table.match.client_seeds) == {b""}
    host = table.match.host
    assert host is not None
    table.tell(person(host), StartMatch())
    for _ in played_on(table):
        pass
    assert table.match.is_over
    checks = Auditor(table.match.id, [encode(event) for event in table.events]).audit()
    assert checks["dealer_drawn"] == 1
    assert check(record_of(table), is_signed, KEYS).faults == ()


def test_a_match_that_goes_on_is_checked_as_far_as_its_seeds_are_known() -> None:
    """What is committed to anew is believed until it is revealed, in a lobby and in play."""
    table = opened(4)
    deal_anew(table)
    report = check(record_of(table), is_signed, KEYS)
    assert (report.faults, report.sealed_from) == ((), None)
    running = next(table for table in played(4) if table.match.version > 60)
    deal_anew(running)
    report = check(record_of(running), is_signed, KEYS)
    assert report.faults == () and report.sealed_from is not None
