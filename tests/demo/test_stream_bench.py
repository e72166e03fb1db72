"""Many streams at once: each gets every event once and in order, and the measure would notice."""

from __future__ import annotations

import os

import msgspec
import pytest

from service.app import build_in_memory
from service.cli.bench import processes
from service.cli.bench.stream_reader import StreamReader, StreamReaders
from service.cli.demo.client import Client
from service.direct import DirectProtocol
from tests.service.serving import serving
from tests.service.support import QUICK

pytestmark = pytest.mark.anyio
MATCHES, STREAMS = 6, 90
SLOW_BOTS = msgspec.structs.replace(QUICK, bot_move_ms=20)
"""So that most streams are open while the matches go on."""


async def test_many_streams_on_matches_in_play_get_every_event_once_and_in_order() -> None:
    with serving(build_in_memory(SLOW_BOTS), DirectProtocol) as url:
        client = Client(url)
        matches = [await match_of_bots(client) for _ in range(MATCHES)]
        readers = StreamReaders(url, matches)
        await readers.open(STREAMS)
        readers.begin_timing()
        assert await readers.until(lambda reader: reader.is_over, 120)
        heads = {}
        for match in matches:
            head = await client.request("GET", f"/v1/matches/{match}/head")
            heads[match] = msgspec.json.decode(head.body)["version"]
        client.close()

    for reader in readers.all:
        assert (reader.version, reader.out_of_order) == (heads[reader.match_id], 0)
        assert not reader.is_lost
    assert readers.delays


async def match_of_bots(client: Client) -> str:
    """A match that bots play on after its host has left."""

    async def post(path: str, body: object, token: str | None = None) -> dict[str, str]:
        encoded = msgspec.json.encode(body)
        answer = await client.request("POST", path, token=token, body=encoded)
        assert answer.status < 300, answer.body
        return msgspec.json.decode(answer.body)  # type: ignore[no-any-return]

    token = (await post("/v1/players", {"name": "Ann"}))["token"]
    table = {"seats": 4, "bots": ["steady"] * 3, "rules": {"target": 50}}
    match = (await post("/v1/matches", table, token))["match_id"]
    await post(f"/v1/matches/{match}/start", {}, token)
    await post(f"/v1/matches/{match}/commands", {"type": "leave"}, token)
    return match


def test_a_gap_a_double_and_a_stream_that_breaks_off_are_noticed() -> None:
    def event(version: int) -> bytes:
        data = b'{"version":%d,"occurred_at":"2026-01-31T12:00:00.000001Z"}' % version
        text = b"id: %d\ndata: %b\n\n" % (version, data)
        return b"%x\r\n%b\r\n" % (len(text), text)

    reader = StreamReader("a match", b"", [])
    reader.is_timed = True
    whole = b"HTTP/1.1 200 OK\r\n\r\n" + b"".join(map(event, (1, 2, 2, 4)))
    for start in range(0, len(whole), 7):  # broken up anywhere
        reader.data_received(whole[start : start + 7])
    reader.connection_lost(None)

    assert (reader.version, reader.out_of_order, reader.is_lost) == (4, 2, True)


def test_memory_is_counted() -> None:
    assert 1_000 < processes.memory_kib(os.getpid()) < 10_000_000
