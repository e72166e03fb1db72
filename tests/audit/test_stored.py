"""A stream as it is stored, by somebody who made every hash fit: what is still found in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from domain.audit.stored import StoredEvent, StoredHead, StoredSecret, StoredStream, look
from domain.chain import event_hash, genesis
from tests.audit.records import events_of
from tests.infra.stored_matches import begun, whole
from tests.laws.table import Table

Change = Callable[[StoredEvent], StoredEvent]


def stored(table: Table, change: Change = lambda row: row) -> StoredStream:
    """A match as it would be stored, each event perhaps changed, with all hashes made to fit."""
    rows = list(_chained(table, change))
    shown = table.match.revealed
    secrets = [
        StoredSecret(number, "seed", table.match.secrets[number])
        for number in table.match.commitments
        if number not in shown
    ]
    head = StoredHead(rows[-1].version, rows[-1].hash, not table.match.is_over)
    return StoredStream(table.match.id, rows, head, secrets)


def _chained(table: Table, change: Change) -> Iterator[StoredEvent]:
    previous = genesis(table.match.id)
    for one in events_of(table):
        row = change(
            StoredEvent(
                *(one.version, one.position, one.type, one.schema, one.occurred_at, one.actor),
                *(one.command_id, one.data, one.hash),
            )
        )
        previous = event_hash(
            stream_id=table.match.id,
            version=row.version,
            type=row.type,
            schema=row.schema,
            occurred_at=row.occurred_at,
            actor=row.actor,
            command_id=row.command_id,
            previous=previous,
            data=row.data,
        )
        yield row._replace(hash=previous)


def only(version: int, **columns: object) -> Change:
    """Other columns for one event."""
    return lambda row: row._replace(**columns) if row.version == version else row  # type: ignore[arg-type]


@pytest.mark.parametrize("table", [whole(11), begun(12, 20)], ids=["over", "going on"])
def test_what_was_written_is_whole(table: Table) -> None:
    looked = look(stored(table))
    assert looked.broken == ()
    assert looked.match == replace(table.match, seats=looked.match.seats)  # type: ignore[union-attr]


def test_an_event_of_a_release_to_come_is_named() -> None:
    """The chain holds; this program cannot say what it does."""
    table = whole(11)
    last = len(table.events)
    change = only(last, type="comet_seen", data=b'{"type":"comet_seen"}')
    (broken,) = look(stored(table, change)).broken
    assert (broken.check, broken.version) == ("events", last)
    assert "this program knows no event comet_seen/1" in broken.words


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"round":1}', "its data is no round_committed"),
        (b'{"type":"seed_revealed","round":1,"seed":"00"}', "its data is no round_committed"),
        (
            b'{ "type":"round_committed","round":1,"commitment":"00"}',
            "does not begin with the type",
        ),
        (b"\xff", "its data is no round_committed"),
    ],
)
def test_data_that_is_not_of_its_type_is_named(data: bytes, words: str) -> None:
    table = whole(11)
    at = next(n for n, e in enumerate(events_of(table), 1) if e.type == "round_committed")
    (broken,) = look(stored(table, only(at, data=data))).broken
    assert (broken.check, broken.version) == ("events", at)
    assert words in broken.words


def test_an_order_that_does_not_follow_from_the_seed_is_named() -> None:
    table = whole(11)
    started = next(e for e in events_of(table) if e.type == "round_started")
    digest = started.data.replace(b'"digest":"', b'"digest":"00')
    (broken,) = look(stored(table, only(started.version, data=digest))).broken
    assert (broken.check, broken.version) == ("fold", started.version)
    assert "the deal does not follow from the seed" in broken.words


def test_a_seed_that_is_none_is_named() -> None:
    table = whole(11)
    shown = next(e for e in events_of(table) if e.type == "seed_revealed")
    data = b'{"type":"seed_revealed","round":1,"seed":"none"}'
    (broken,) = look(stored(table, only(shown.version, data=data))).broken
    assert broken.check == "fold"


def test_a_secret_that_was_not_committed_to_is_named_by_its_commitment() -> None:
    stream = stored(begun(12, 20))
    other = [one._replace(plain=bytes(32)) for one in stream.secrets]
    (broken,) = look(replace(stream, secrets=other)).broken
    assert broken.check == "fold"
    assert "the sealed seed is not the committed one" in broken.words


def test_a_head_without_events_is_named() -> None:
    stream = stored(whole(11))
    (broken,) = look(replace(stream, events=[])).broken
    assert (broken.check, broken.words) == ("heads", "there is a head, and no event")
