"""What was once stored stays readable: it decodes, encodes to the same bytes, folds and hashes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.chain import genesis
from domain.codec import (
    SCHEMA,
    UnknownEvent,
    decode,
    decode_tournament,
    encode,
    is_of_a_tournament,
    type_of,
)
from domain.events import EVENT_TYPES, CardPlayed, MatchCreated, PlayerLeft, Visibility
from domain.evolve import fold
from domain.match import new_match
from domain.tournaments import evolve as tournament_evolve
from domain.tournaments.events import TOURNAMENT_EVENT_TYPES
from domain.tournaments.tournament import new_tournament
from tests.golden.add import (
    CORPUS,
    EVENTS,
    STREAM,
    end_of,
    end_of_tournament,
    hashed,
    head,
    read,
)
from tests.laws.audit import Auditor

STORED = read(EVENTS)
MATCHES = sorted(CORPUS.glob("match-*.ndjson"))
TOURNAMENTS = sorted(CORPUS.glob("tournament-*.ndjson"))
HEADS = {
    "events.ndjson": (135, "d246eb1124f0f99a2b637203d42e03686bb15980ed2676251b453f81bee10411"),
    "match-224.ndjson": (114, "15d66e65b93337314a5da0ecf403551ac2a27281dc691ffb86506348ba4b01ee"),
    "match-98.ndjson": (460, "a8d86dea2a0f8dfc887d2a1645b56705a2430ea169d20c88e078acd0e05d0e2e"),
    "match-anew-14.ndjson": (
        175,
        "060a4ea446b02ca37162b1b4ba2e380e6b9611b99cfcdbf8983553d83ed67a4f",
    ),
    "match-anew-6.ndjson": (
        244,
        "fb640a31fc40146439c17c060b31d9f2ec198f36428435d950e087ce09e9bd27",
    ),
    "match-form-16.ndjson": (
        71,
        "4a40a498cccd1b3fd5a34ff07aa1c50ea128c90a925bfb02494b47331d44744e",
    ),
    "match-form-2.ndjson": (
        343,
        "51ba731529eb9c08066ff47f3bc65d496bdef26f1497b74e4e159ef0f22e8119",
    ),
    "match-form-43.ndjson": (
        209,
        "0ec1aff0c64cb390a01fbfebc62ea571da8885c6a1ff322effe6489147e511a5",
    ),
    "match-form-45.ndjson": (
        107,
        "21576473237ef70580e94eadb7a12c6c5c1548e5f2b8494d48a77ff7327bef1c",
    ),
    "match-house-37.ndjson": (
        155,
        "e791fd7c73e3effc88a4b0139b24a4bad2fbd63bc5d7b76ae7d8d812e2175d3a",
    ),
    "match-house-51.ndjson": (
        61,
        "30ee395f66fc7f0b94771f34eb453a35eac52e0826cccf0e6b0718d09e2e4d9d",
    ),
    "match-house-64.ndjson": (
        65,
        "bed67207297a5e8e6ae22cb4870fa55ed0f5bcd0aa7d9740097c8c2369727628",
    ),
    "match-placed-11.ndjson": (
        145,
        "f7f92eab277747854541e69ecab0c81c3755692da9c86e7240ddd09e7e888f31",
    ),
    "match-placed-8.ndjson": (
        218,
        "f4f51ece20164041055afae3c1b98dcc3fd3cdf7140e19014b01d64996c54d4b",
    ),
    "match-voided-53.ndjson": (
        106,
        "ecc3e1f990edd795b4648bcb1442685d0c1b7edfff6cd4bd365b52dda5ef3a92",
    ),
    "tournament-16.ndjson": (
        54,
        "f9e924355da9caa47c0eb25c9abafef067e7e52eac27fff023028110fecdf4bf",
    ),
    "tournament-22.ndjson": (
        15,
        "28f1d25ba625a4d045c19dd1bc25354a26c3b8d0aa2708e36c67780f5dae14da",
    ),
    "tournament-34.ndjson": (
        13,
        "fc14a366865ffb3ba214181f7d6940351cbf60fa1dfc6f26f27f7f8a187f4661",
    ),
    "tournament-5.ndjson": (
        216,
        "3986c1103d8018a7aeb8a2b8a4ef1ea80c77c9b5d577b35480c46be278c8d2fa",
    ),
}
"""How many lines each file had when it was last added to, and the hash of the last of them."""


def chained(stream: bytes, lines: list[dict[str, Any]]) -> list[str]:
    """The hashes of stored lines, made anew."""
    previous, hashes = genesis(stream), []
    for version, line in enumerate(lines, 1):
        data = line["data"].encode()
        previous = hashed(stream, version, line["type"], line["schema"], data, previous)
        hashes.append(previous.hex())
    return hashes


@pytest.mark.parametrize("line", STORED, ids=lambda line: line["type"])
def test_an_event_reads_and_writes_as_it_was_stored(line: dict[str, Any]) -> None:
    """Fields that were added since are written too, with their defaults; all else is the same."""
    read = decode_tournament if is_of_a_tournament(line["type"]) else decode
    event = read(line["type"], line["schema"], line["data"].encode())
    assert type_of(event) == line["type"]
    stored = json.loads(line["data"])
    again = without_additions(json.loads(encode(event)), stored)
    assert msgspec.json.encode(again) == line["data"].encode()


def without_additions(now: Any, stored: Any) -> Any:
    """What is written now, less the fields of objects that were not written then."""
    if not isinstance(now, dict):
        return now
    return {name: without_additions(now[name], stored[name]) for name in now if name in stored}


def test_every_event_of_today_is_in_the_corpus() -> None:
    stored = {(line["type"], line["schema"]) for line in STORED}
    kinds = (*EVENT_TYPES, *TOURNAMENT_EVENT_TYPES)
    assert stored >= {(str(kind.__struct_config__.tag), SCHEMA) for kind in kinds}


@pytest.mark.parametrize("path", [EVENTS, *MATCHES, *TOURNAMENTS], ids=lambda path: path.name)
def test_what_was_stored_has_not_been_rewritten(path: Path) -> None:
    lines = read(path)
    stream = STREAM if path == EVENTS else bytes.fromhex(lines.pop(0)["stream"])
    assert chained(stream, lines) == [line["hash"] for line in lines]
    assert head(path) == HEADS[path.name]


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.name)
def test_a_match_folds_to_what_it_was(path: Path) -> None:
    first, *lines = read(path)
    stream = bytes.fromhex(first["stream"])
    events = [decode(line["type"], line["schema"], line["data"].encode()) for line in lines]
    match = fold(events, new_match(stream))
    assert end_of(match) == first["end"]
    checks = Auditor(stream, [line["data"].encode() for line in lines]).audit()
    assert checks["round_started"] or checks["position_placed"]


@pytest.mark.parametrize("path", TOURNAMENTS, ids=lambda path: path.name)
def test_a_tournament_folds_to_what_it_was(path: Path) -> None:
    first, *lines = read(path)
    begun = new_tournament(bytes.fromhex(first["stream"]))
    stored = ((line["type"], line["schema"], line["data"].encode()) for line in lines)
    events = [decode_tournament(*one) for one in stored]
    assert end_of_tournament(tournament_evolve.fold(events, begun)) == first["end"]


def test_a_field_that_an_older_event_lacks_has_its_default() -> None:
    created = decode(
        "match_created",
        1,
        b'{"type":"match_created","ruleset":"talon-rules","ruleset_version":1,"options":{},"seats":2}',
    )
    assert isinstance(created, MatchCreated)
    assert (created.visibility, created.practice) == (Visibility.PUBLIC, False)
    assert isinstance(decode("player_left", 1, b'{"type":"player_left","seat":1}'), PlayerLeft)


def test_a_field_that_a_later_event_adds_is_passed_over() -> None:
    data = (
        b'{"type":"card_played","seat":0,"card":"R5","color":"red","direction":1,"turn":1,'
        b'"pending":"turn","added_later":7}'
    )
    assert isinstance(decode("card_played", 1, data), CardPlayed)


@pytest.mark.parametrize(("type", "schema"), [("no_such_event", 1), ("card_played", 2)])
def test_an_unknown_type_or_schema_is_said_to_be_unknown(type: str, schema: int) -> None:
    with pytest.raises(UnknownEvent):
        decode(type, schema, b"{}")


def test_a_body_that_does_not_fit_its_type_is_refused() -> None:
    for data in (
        b"",
        b"{}",
        b'{"type":"card_played","seat":"R5"}',
        b'{"type":"uno_called","seat":1}',
    ):
        with pytest.raises(msgspec.DecodeError):
            decode("card_played", 1, data)
