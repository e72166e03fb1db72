"""Looking through a database: whole where nothing was touched, else what is broken is named."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import NamedTuple

import pytest
import redis
from msgspec.structs import replace

from domain.audit.record import id_text
from domain.audit.statements import PublicKey
from domain.audit.stored import Broken
from domain.ports import Head
from infra.postgres.keys import PostgresKeys
from infra.postgres.log import PostgresLog
from infra.postgres.rankings import PostgresRankings
from infra.postgres.tallies import PostgresTallies
from infra.postgres.trees import PostgresTrees
from infra.projections.ranking_copy import RankingCopy
from infra.projections.rebuild import Rebuilder
from infra.projections.tally_rebuild import rebuild_tallies
from infra.proofs.last_signed import LastSignedFile
from infra.redis.rankings import RedisRankings
from infra.sealing import Sealer
from service.app.stores import open_stores, packed_views
from service.cli.fsck import work
from service.cli.fsck.work import Done, Place, looked_through
from service.settings import Settings
from tests.infra.checkpoints import KEY, ORIGIN, signer
from tests.infra.stored_matches import begun, store, whole
from tests.infra.test_checkpoints_postgres import by_the_owner

SEAL_KEY = bytes(range(32))
PLACE_KEY = base64.urlsafe_b64encode(SEAL_KEY).decode()

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


class Kept(NamedTuple):
    """A database with some matches, signed, and all of it in Redis."""

    place: Place
    heads: dict[bytes, Head]

    async def look(self, jobs: int = 1) -> list[Done]:
        """Everything that looking through says."""
        return [done async for done in looked_through(self.place, jobs)]

    async def broken(self) -> list[Broken]:
        """Everything that is broken."""
        return [one for done in await self.look() for one in done.broken]


@pytest.fixture
async def kept(database: str, tmp_path: Path) -> Kept:
    log = await PostgresLog.open(database, Sealer(SEAL_KEY), pool_size=3)
    await PostgresKeys(log.pool).keep(PublicKey(KEY.key_id, KEY.public_key, 0))
    last = LastSignedFile(tmp_path)
    signing = signer(PostgresTrees(log.pool), last)
    heads = {}
    for table in (whole(3), begun(13, 40), whole(2), begun(4, 60)):
        heads[table.match.id] = await store(log, table)
        await signing.step()
    assert await log.position() > 512  # tiles that are full
    await log.close()
    told = await last.load(ORIGIN)
    return Kept(Place(database, PLACE_KEY, None, "", told), heads)


@pytest.fixture
async def shown(kept: Kept, redis_url: str, redis_prefix: str) -> Kept:
    """The same with everything in Redis."""
    place = replace(kept.place, redis_url=redis_url, redis_prefix=redis_prefix)
    settings = Settings(
        database_url=place.database_url,
        redis_url=redis_url,
        redis_prefix=redis_prefix,
        seal_key=PLACE_KEY,
    )
    async with open_stores(settings) as stores:
        rebuilder = Rebuilder(
            *(stores.log, stores.scan, stores.server, stores.generations),
            packed_views,
            settle_seconds=0,
        )
        await rebuilder.run()
        tallies = PostgresTallies(stores.log.pool)
        await rebuild_tallies(stores.log, stores.scan, stores.registry, tallies)
        copy = RankingCopy(PostgresRankings(stores.log.pool), RedisRankings(stores.server))
        assert await copy.fill(1)
    return Kept(place, kept.heads)


async def test_a_database_that_nobody_touched_is_whole(shown: Kept) -> None:
    found, kept = await shown.look(), shown
    assert [one for done in found for one in done.broken] == []
    assert sum(done.streams for done in found) == sum(done.views for done in found) == 4
    assert sum(done.events for done in found) == sum(head.version for head in kept.heads.values())
    assert sum(done.checkpoints or 0 for done in found) == 4


async def test_several_processes_find_the_same_as_one(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = min(kept.heads)
    await tamper(kept, f"UPDATE event SET actor = 'operator' WHERE {is_at(match, 20)}")
    alone = await kept.look()
    monkeypatch.setattr(work, "PART_EVENTS", 50)
    together = await kept.look(jobs=2)
    assert len(together) > len(alone)
    for one in (alone, together):
        assert sum(done.events for done in one) == sum(h.version for h in kept.heads.values())
    assert {str(one) for done in together for one in done.broken} == {
        str(one) for done in alone for one in done.broken
    }


async def test_the_first_broken_event_of_each_match_is_named_and_no_other(kept: Kept) -> None:
    one, other, *_ = sorted(kept.heads)
    places = f"{is_at(one, 20)} OR {is_at(one, 30)} OR {is_at(other, 7)}"
    await tamper(kept, f"UPDATE event SET schema = 2 WHERE {places}")
    chains = [broken for broken in await kept.broken() if broken.check == "chain"]
    assert [(broken.stream, broken.version) for broken in chains] == [
        (id_text(one), 20),
        (id_text(other), 7),
    ]


async def test_an_event_that_was_made_to_fit_its_chain_is_named_by_the_tree(kept: Kept) -> None:
    """The cheat: the last event of a match and its head are replaced, hash and all."""
    match = max(kept.heads)
    version = kept.heads[match].version
    await tamper(
        kept,
        f"UPDATE event SET hash = sha256(hash) WHERE {is_at(match, version)}",
        f"UPDATE stream_head SET head_hash = sha256(head_hash) WHERE {is_of(match)}",
    )
    found = await kept.broken()
    trees = [broken for broken in found if broken.check == "tree"]
    assert [(broken.stream, broken.version) for broken in trees[:1]] == [(id_text(match), version)]
    assert any("do not lead to its root" in broken.words for broken in found)
    assert any(broken.check == "last signed" for broken in found)


@pytest.mark.parametrize(
    ("statement", "check", "words"),
    [
        ("UPDATE log_counter SET position = position + 1", "counter", "it stands at"),
        ("DELETE FROM log_tile WHERE level = 0 AND number = 1", "tree", "0/1 is missing"),
        ("DELETE FROM log_checkpoint WHERE size = (SELECT min(size) FROM log_checkpoint)",
         "checkpoints", "it follows on"),
        ("DELETE FROM round_secret", "secrets", "is gone"),
        ("DELETE FROM stream_head WHERE version > 100", "heads", "and no head"),
        ("UPDATE stream_head SET is_open = NOT is_open", "heads", "its head says otherwise"),
        ("DELETE FROM event WHERE position = 300", "positions", "position 300 is missing"),
        ("UPDATE event SET position = 1000000 - position WHERE position IN (499999, 1)",
         "positions", "is missing"),
        ("UPDATE tally SET position = 100000", "tallies", "are counted up to 100000"),
        ("UPDATE webhook_position SET position = 100000", "webhooks", "were told up to 100000"),
        ("INSERT INTO round_secret SELECT 0, stream_id, 99, kind, sealed FROM round_secret LIMIT 1",
         "secrets", "of round 99 is kept"),
    ],
)  # fmt: skip
async def test_what_else_may_be_broken_is_named(
    kept: Kept, statement: str, check: str, words: str
) -> None:
    await tamper(kept, statement)
    assert [one for one in await kept.broken() if one.check == check and words in one.words]


async def test_two_events_that_changed_places_are_named(kept: Kept) -> None:
    """Each chain holds; only the tree knows which event stood where."""
    match = whole(3).match.id
    await tamper(
        kept,
        "ALTER TABLE event DROP CONSTRAINT event_position",
        f"UPDATE event SET position = position + 1 WHERE {is_of(match)}",
        f"UPDATE event SET position = 1 WHERE {is_of(begun(13, 40).match.id)} AND version = 1",
    )
    assert any(one.check == "tree" and one.position == 1 for one in await kept.broken())


async def test_a_log_that_went_back_behind_what_was_signed_is_told_so(kept: Kept) -> None:
    await tamper(
        kept,
        "DELETE FROM event WHERE position > 300",
        "DELETE FROM log_checkpoint WHERE size > 300",
        "UPDATE log_counter SET position = 300",
    )
    found = await kept.look()
    assert any(done.went_back for done in found)
    words = [one.words for done in found for one in done.broken if one.check == "last signed"]
    assert len(words) == 1 and "went back" in words[0]


async def test_views_are_held_against_the_log(shown: Kept) -> None:
    match, other, *_ = shown.heads
    prefix = f"{shown.place.redis_prefix}:v:*"
    with redis.Redis.from_url(str(shown.place.redis_url)) as server:
        (view,) = server.scan_iter(f"{prefix}{match.hex()}*", 1_000)
        stored = server.get(view)
        server.set(view, stored[:-1] + bytes((stored[-1] ^ 1,)))
        (view,) = server.scan_iter(f"{prefix}{other.hex()}*", 1_000)
        server.set(view, (9_999).to_bytes(4, "big") + server.get(view)[4:])
    found = {(one.stream, one.words) for one in await shown.broken()}
    assert (id_text(match), "the view in Redis is not the one that the events make") in found
    assert any(stream == id_text(other) and "ahead of the log" in words for stream, words in found)


async def test_a_view_that_is_behind_is_none_that_is_broken(shown: Kept) -> None:
    match = begun(4, 60)
    log = await PostgresLog.open(shown.place.database_url, Sealer(SEAL_KEY), pool_size=1)
    await store(log, begun(4, 90), after=shown.heads[match.match.id])
    await log.close()
    found = await shown.look()
    assert [one for done in found for one in done.broken] == []
    assert sum(done.behind for done in found) == 1


async def test_boards_are_held_against_the_log(shown: Kept) -> None:
    with redis.Redis.from_url(str(shown.place.redis_url)) as server:
        (lines,) = [
            key
            for key in server.scan_iter(f"{shown.place.redis_prefix}:b:*", 1_000)
            if server.type(key) == b"hash" and server.hlen(key) == len(shown.heads)
        ]
        one, other, *_ = server.hkeys(lines)
        server.hset(lines, one, server.hget(lines, other))
    assert any(one.check == "boards" for one in await shown.broken())


async def test_a_redis_that_is_away_is_remarked_and_no_fault(kept: Kept) -> None:
    away = Kept(replace(kept.place, redis_url="redis://127.0.0.1:1/0"), kept.heads)
    found = await away.look()
    assert [one for done in found for one in done.broken] == []
    assert any(done.remark and "does not answer" in done.remark for done in found)


def is_at(match: bytes, version: int) -> str:
    """The condition of an event."""
    return f"(stream_id = '{match.hex()}' AND version = {version})"


def is_of(match: bytes) -> str:
    """The condition of a match."""
    return f"stream_id = '{match.hex()}'"


async def tamper(kept: Kept, *statements: str) -> None:
    """What the owner does, having taken the triggers away."""
    tables = ("event", "log_tile", "log_checkpoint")
    off = (f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in tables)
    await by_the_owner(kept.place.database_url, *off, *statements)
