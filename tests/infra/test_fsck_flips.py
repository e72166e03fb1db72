"""Every field of a database with a bit flipped: looking through it names each.

``TALON_TEST_FLIPS=each`` flips every bit of every field; else one of each field, and every bit of
one event.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from domain.audit.record import id_text
from domain.audit.statements import PublicKey
from domain.audit.stored import Broken
from infra.postgres.keys import PostgresKeys
from infra.postgres.log import PostgresLog
from infra.postgres.trees import PostgresTrees
from infra.proofs.memory import MemoryLastSigned
from infra.sealing import Sealer
from tests.infra.checkpoints import KEY, ORIGIN, signer
from tests.infra.flips import COLUMNS, Flip, Hand, flips, hand_on
from tests.infra.stored_matches import begun, store, whole

EACH = os.environ.get("TALON_TEST_FLIPS") == "each"
SEALER = Sealer(bytes(range(32)))
NAMED = ("type", "schema", "occurred_at", "actor", "command_id", "data", "hash")
"""Fields of an event by which the event itself is named."""

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


@pytest.fixture
async def hand(database: str) -> AsyncIterator[Hand]:
    """On a match that is over and one that goes on, signed in between and at the end."""
    log = await PostgresLog.open(database, SEALER, pool_size=2)
    last = MemoryLastSigned()
    await PostgresKeys(log.pool).keep(PublicKey(KEY.key_id, KEY.public_key, 0))
    signing = signer(PostgresTrees(log.pool), last)
    for table in (whole(SHORT), begun(SHORT + 1, 10)):
        await store(log, table)
        await signing.step()
    told = await last.load(ORIGIN)
    await log.close()
    async with hand_on(database, SEALER, told) as hand:
        assert await hand.look() == []
        yield hand


@pytest.mark.parametrize("table", COLUMNS)
async def test_one_bit_of_each_field_is_named(hand: Hand, table: str) -> None:
    rows, types = await hand.rows(table), await hand.types(table)
    outcomes: Counter[str] = Counter()
    for row in rows:
        for column in COLUMNS[table]:
            for flip in flips(table, column, types[column], row, each=EACH):
                outcomes[await outcome(hand, flip)] += 1
    assert rows and outcomes["named"] > outcomes["refused"]
    assert await hand.look() == []


async def test_every_bit_of_an_event_is_named(hand: Hand) -> None:
    rows, types = await hand.rows("event"), await hand.types("event")
    row = min(rows[len(rows) // 3 :], key=lambda row: len(row["data"]))
    for column in NAMED:
        for flip in flips("event", column, types[column], row, each=True):
            assert await outcome(hand, flip) in ("named", "refused"), flip


async def outcome(hand: Hand, flip: Flip) -> str:
    """``named``, or ``refused`` by the database; fails where nothing is noticed."""
    broken = await hand.look_after(flip)
    if broken is None:
        return "refused"
    assert broken, flip
    if flip.table == "event" and flip.column in NAMED:
        stream, version = id_text(flip.row["stream_id"]), flip.row["version"]
        assert any(_names(one, stream, version) for one in broken), (flip, broken)
    if flip.table in ("stream_head", "round_secret"):
        assert any(one.stream == id_text(flip.row["stream_id"]) for one in broken), (flip, broken)
    return "named"


def _names(broken: Broken, stream: str, version: int) -> bool:
    return (broken.stream, broken.version) == (stream, version)


SHORT = 11
"""The number of a short match."""
