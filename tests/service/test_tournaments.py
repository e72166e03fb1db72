"""Tournaments over HTTP: set up, entered, played by bots and by people to the end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from domain.audit.stored import StoredEvent, StoredHead, StoredSecret, StoredStream, look
from domain.refusals import Refusal
from service.identity import Kind
from tests.service.support import Client, House, key, play_on
from tests.service.tournaments import four, running, set_up

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("format", "bots", "rounds"),
    [("knockout", 5, 3), ("swiss", 5, 3), ("pairs_8", 8, 7), ("rotating_partners_4", 4, 1)],
)
async def test_bots_play_a_tournament_to_its_end(
    talon: House, format: str, bots: int, rounds: int
) -> None:
    held = await set_up(await talon.holder(Kind.APP), format, bots=["random"] * bots)
    await held.does("/start")

    ended = await held.over()

    standings = await held.look("/standings")
    schedule = await held.look("/schedule")
    assert (ended["status"], ended["round"]) == ("finished", rounds)
    assert standings["items"][0]["place"] == 1
    assert len(standings["items"]) == bots
    tables = [table for round in schedule["rounds"] for table in round["tables"]]
    assert {table["status"] for table in tables} == {"over"}
    assert len({table["match_id"] for table in tables}) == len(tables)
    for table in tables:
        view = await talon.stranger.view(table["match_id"])
        assert (view["status"], view["scores"]) == ("finished", table["scores"])


async def test_people_play_at_their_tables_without_an_invite(talon: House) -> None:
    people = await four(talon)
    held = await set_up(people[0], visibility="private")
    await held.enter(*people)
    await held.does("/start")

    for number in (1, 2):
        for table in await held.tables(number):
            sitting = tuple(people[entrant] for entrant in table["seats"])
            view = await running(table["match_id"], sitting[0])
            assert view["you"]["seat"] == 0
            joined = await sitting[1].post(f"/v1/matches/{table['match_id']}/seats")
            assert joined.json()["seat"] == 1, joined.text
            await play_on(table["match_id"], sitting)
        if number == 1:
            await held.until(lambda seen: seen["round"] == 2)

    ended = await held.over()
    assert len(ended["result"]["winners"]) == 1
    assert ended["you"] == {"entrant": 0}
    names = [line["entrant"]["name"] for line in (await held.look("/standings"))["items"]]
    assert sorted(names) == ["Ann", "Bob", "Cat", "Dan"]


async def test_who_is_rated_higher_here_is_seeded_higher(
    talon: House, ann: Client, bob: Client
) -> None:
    """KO-1: who has no rating comes after all who have one."""
    match = await talon.finished(ann, bob)
    await talon.caught_up()
    winner = (await ann.history(match))[-1]["event"]["winners"][0]
    better, worse = (ann, bob) if winner == 0 else (bob, ann)
    held = await set_up(await talon.person())
    for person in (await talon.person(), worse, better):
        await held.enter(person)

    await held.does("/start")

    items = (await held.look("/events?limit=200"))["items"]
    started = next(one["event"] for one in items if one["type"] == "tournament_started")
    rated = [one["event"]["rating"] for one in items if one["type"] == "entrant_joined"]
    points = [
        (await talon.stranger.get(f"/v1/players/{person.id}/statistics")).json()["rating"]["points"]
        for person in (worse, better)
    ]
    assert rated == [None, *(max(0, own) for own in points)]
    assert started["seeding"] == [2, 1, 0]


async def test_a_tables_match_is_seen_by_who_entered_and_by_nobody_else(talon: House) -> None:
    ann, bob, cat, dan = await four(talon)
    held = await set_up(ann, visibility="private")
    await held.enter(ann, bob, cat)
    await held.does("/start")
    (table,) = await held.tables()
    sitting = {("Ann", "Bob", "Cat")[entrant] for entrant in table["seats"]}
    watching = next(
        who for who, name in ((ann, "Ann"), (bob, "Bob"), (cat, "Cat")) if name not in sitting
    )

    await running(table["match_id"], watching)
    path = f"/v1/matches/{table['match_id']}/view"

    assert (await watching.get(path)).status_code == 200
    assert (await dan.get(path)).status_code == 404
    assert (await dan.get(held.path)).status_code == 404


async def test_nobody_else_sits_down_at_a_tournaments_table(talon: House) -> None:
    ann, bob, cat, _ = await four(talon)
    held = await set_up(ann)
    await held.enter(ann, bob)
    await held.does("/start")
    (table,) = await held.tables()
    await running(table["match_id"], ann)

    answer = await cat.post(f"/v1/matches/{table['match_id']}/seats")

    assert (answer.status_code, answer.json()["code"]) == (409, "seat_is_kept")


async def test_a_retry_answers_the_same_and_acts_once(talon: House, ann: Client) -> None:
    once, body = key(), {"format": "swiss", "bots": ["random", "random"]}
    first = await ann.post("/v1/tournaments", body, Idempotency_Key=once)
    again = await ann.post("/v1/tournaments", body, Idempotency_Key=once)
    other = await ann.post("/v1/tournaments", body | {"bots": []}, Idempotency_Key=once)
    path = f"/v1/tournaments/{first.json()['tournament']['tournament_id']}"
    enter = key()

    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    entered = await ann.post(f"{path}/entrants", {}, Idempotency_Key=enter)
    assert entered.json()["tournament"]["you"] == {"entrant": 2}
    assert (await ann.post(f"{path}/start")).status_code == 200
    replayed = await ann.post(f"{path}/entrants", {}, Idempotency_Key=enter)
    assert replayed.json() == entered.json()


async def test_a_version_that_has_moved_on_is_not_met(talon: House, ann: Client) -> None:
    held = await set_up(ann)
    seen = await ann.get(held.path)

    entered = await ann.post(f"{held.path}/entrants", {}, If_Match=seen.headers["etag"])
    late = await ann.post(f"{held.path}/start", If_Match=seen.headers["etag"])
    known = await ann.get(held.path, If_None_Match=entered.headers["etag"])
    beyond = await ann.get(f"{held.path}?min_version=99")

    assert (entered.status_code, late.status_code) == (200, 412)
    assert (late.json()["code"], late.json()["version"]) == ("version_mismatch", 2)
    assert (known.status_code, beyond.status_code) == (304, 412)


async def test_who_withdraws_leaves_the_table_too(talon: House) -> None:
    ann, bob, *_ = await four(talon)
    held = await set_up(ann)
    await held.enter(ann, bob)
    await held.does("/start")
    (table,) = await held.tables()
    await running(table["match_id"], bob)

    left = await bob.call("DELETE", f"{held.path}/entrants/me")

    assert left.status_code == 200, left.text
    ended = await held.over()
    assert ended["result"]["winners"] == [0]
    assert ended["entrants"][1]["has_left"]


async def test_who_withdraws_before_the_table_is_set_is_seen_off(talon: House) -> None:
    ann, bob, *_ = await four(talon)
    held = await set_up(ann)
    await held.enter(ann, bob)
    started = await ann.post(f"{held.path}/start")
    left = await bob.call("DELETE", f"{held.path}/entrants/me")  # the table may be open by now

    ended = await held.over()

    assert (started.status_code, left.status_code) == (200, 200)
    assert ended["result"]["winners"] == [0]


async def test_who_is_erased_is_out_of_the_tournament(talon: House) -> None:
    ann, bob, cat, _ = await four(talon)
    held = await set_up(ann)
    await held.enter(ann, bob, cat)

    assert (await bob.call("DELETE", "/v1/players/me")).status_code == 204

    await held.holds()
    entrants = (await held.look())["entrants"]
    assert [(one["name"], one["has_left"]) for one in entrants] == [
        ("Ann", False),
        (None, True),
        ("Cat", False),
    ]


async def test_tables_wait_for_their_players_as_long_as_they_should(talon: House) -> None:
    ann, bob, *_ = await four(talon)
    held = await set_up(ann, arrival_seconds=600)
    await held.enter(ann, bob)
    await held.does("/start")
    (waiting,) = await held.tables()

    await held.does("/entrants/me/arrival", who=ann)
    (still,) = await held.tables()
    await held.does("/entrants/me/arrival", who=bob)

    assert (waiting["status"], waiting["waits_for"]) == ("waiting", [0, 1])
    await held.holds()
    assert (still["match_id"], still["waits_for"]) == (None, [1])
    (table,) = await held.tables()
    assert table["status"] in ("playing", "over")


async def test_a_substitute_plays_from_the_next_table_on(talon: House) -> None:
    app = await talon.holder(Kind.APP)
    ids = [(await app.post("/v1/players", {"name": name})).json()["player_id"] for name in "AB"]
    one, other = [Client(talon.http, app.token, **{"Talon-Player": id}) for id in ids]
    held = await set_up(app, "swiss", rounds=2, bots=["random"])
    await held.enter(one)
    await held.does("/start")
    (table,) = await held.tables()
    sitting = await running(table["match_id"], one)
    await held.does("/entrants/1/replacement", {"player_id": ids[1]})
    left = await one.command(table["match_id"], {"type": "leave"})
    assert left.status_code == 200, left.text

    (later,) = await held.tables(2)

    await held.holds()
    assert "you" in sitting
    assert "you" in await running(later["match_id"], other)


async def test_a_match_that_is_declared_void_is_played_again(talon: House) -> None:
    ann, bob, *_ = await four(talon)
    operator = await talon.holder(Kind.OPERATOR)
    held = await set_up(ann)
    await held.enter(ann, bob)
    await held.does("/start")
    (first,) = await held.tables()
    await running(first["match_id"], ann)
    voided = await operator.post(f"/v1/matches/{first['match_id']}/void", {})
    assert voided.status_code == 200, voided.text

    async with asyncio.timeout(30):
        while (second := (await held.tables())[0])["match_id"] == first["match_id"]:
            await asyncio.sleep(0.02)

    await held.holds()
    assert second["voided"] == [first["match_id"]]
    types = [one["type"] for one in (await held.look("/events"))["items"]]
    assert types.count("table_opened") == 2 and "table_voided" in types


async def test_an_operator_declares_a_table_void(talon: House) -> None:
    ann, bob, *_ = await four(talon)
    operator = await talon.holder(Kind.OPERATOR)
    held = await set_up(ann)
    await held.enter(ann, bob)
    await held.does("/start")
    await held.tables()

    answer = await operator.post(f"{held.path}/rounds/1/tables/0/void", {"reason": "unfair_play"})
    nothing = await operator.post(f"{held.path}/rounds/9/tables/0/void", {"reason": "fault"})

    await held.holds()
    assert answer.json()["events"][0]["event"]["reason"] == "unfair_play", answer.text
    assert (nothing.status_code, nothing.json()["code"]) == (409, Refusal.TABLE_MUST_BE_PAIRED)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"format": "pairs_8", "table_seats": 3}, 422, Refusal.TABLES_MUST_FIT_THE_FORMAT),
        ({"format": "pairs_8", "entrants_max": 9}, 422, Refusal.ENTRANTS_MUST_FIT_THE_FORMAT),
        ({"format": "knockout", "rounds": 3}, 422, Refusal.ROUNDS_MUST_FIT_THE_FORMAT),
        ({"format": "knockout", "entrants_max": 2, "bots": ["random"] * 3}, 422, "invalid_field"),
        ({"format": "pairs_8", "bots": ["random"] * 9}, 422, "invalid_field"),
        ({"format": "ladder"}, 422, "invalid_field"),
    ],
)
async def test_what_cannot_be_is_not_set_up(
    ann: Client, body: dict[str, Any], status: int, code: str
) -> None:
    answer = await ann.post("/v1/tournaments", body)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert (await ann.get("/v1/tournaments")).json()["items"] == []


async def test_nobody_cancels_a_tournament_in_the_name_of_another(talon: House) -> None:
    ann, bob, *_ = await four(talon)
    operator = await talon.holder(Kind.OPERATOR)
    mine, other = await set_up(ann), await set_up(bob)

    for reason in ("operator", "idle"):
        answer = await ann.post(f"{mine.path}/cancel", {"reason": reason})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_field")
    canceled = await mine.does("/cancel")
    ruled = await other.does("/cancel", who=operator)

    assert canceled["tournament"]["reason"] == "organizer"
    assert ruled["tournament"]["reason"] == "operator"


async def test_lists_show_public_tournaments_by_how_far_they_are(talon: House) -> None:
    ann, bob, *_ = await four(talon)
    first, second = await set_up(ann), await set_up(bob)
    private = await set_up(bob, visibility="private")
    await private.enter(ann)
    canceled = await second.does("/cancel", {"reason": "too_few"})

    opened = (await talon.stranger.get("/v1/tournaments")).json()
    page = (await talon.stranger.get("/v1/tournaments?status=canceled&limit=1")).json()

    own = (await ann.get("/v1/tournaments")).json()

    assert [one["tournament_id"] for one in opened["items"]] == [first.id]
    assert [one["tournament_id"] for one in own["items"]] == [private.id, first.id]
    assert [one["tournament_id"] for one in page["items"]] == [second.id]
    assert (canceled["tournament"]["status"], page["next"]) == ("canceled", None)


async def test_a_tournament_is_no_match_and_a_match_no_tournament(
    talon: House, ann: Client, bob: Client
) -> None:
    held, match = await set_up(ann), await talon.table(ann, bob)
    auditor = await talon.holder(Kind.AUDITOR)

    for who in (ann, auditor):
        for part in ("", "/view", "/events", "/record"):
            assert (await who.get(f"/v1/matches/{held.id}{part}")).status_code == 404
        for part in ("", "/standings", "/events"):
            assert (await who.get(f"/v1/tournaments/{match}{part}")).status_code == 404


async def test_a_tournament_is_looked_through_like_any_stream(talon: House) -> None:
    held = await set_up(await talon.holder(Kind.APP), seeding="lot", bots=["random"] * 3)
    await held.does("/start")
    await held.over()
    id = bytes.fromhex(held.id.replace("-", ""))
    recorded = (await talon.services.log.read(id)).events
    events = [
        StoredEvent(
            *(one.version, one.position, one.type, one.schema, one.occurred_at, one.actor),
            *(one.command_id, one.data, one.hash),
        )
        for one in recorded
    ]
    head = StoredHead(events[-1].version, events[-1].hash, is_open=False)

    assert look(StoredStream(id, events, head, ())).broken == ()
    (broken,) = look(StoredStream(id, events, head._replace(is_open=True), ())).broken
    assert broken.check == "heads"
    kept = StoredSecret(1, "seed", bytes(32))
    (broken,) = look(StoredStream(id, events, head, (kept,))).broken
    assert (broken.check, broken.version) == ("secrets", 6)
