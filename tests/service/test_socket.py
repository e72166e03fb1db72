"""The socket: the items of the stream, commands that act once, and closes that say why."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from service import socket as talk
from service import watching
from tests.service.support import QUICK, Client, House, choice, house, on_turn
from tests.service.talking import talking

pytestmark = pytest.mark.anyio
DRAW = {"type": "draw_card"}


async def test_a_socket_tells_the_past_and_goes_on(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    past = await ann.history(match)
    player = on_turn(await ann.view(match), (ann, bob))

    async with talking(talon, ann, match, "after=2") as socket:
        await socket.until(lambda: len(socket.items) == len(past) - 2)
        assert (await player.command(match, DRAW)).status_code == 200
        await socket.until(lambda: len(socket.items) == len(past) - 1)

    assert socket.items == (await ann.history(match))[2:]


async def test_a_whole_match_is_played_over_sockets(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.table(ann, bob, rules={"target": 50})
    await ann.post(f"/v1/matches/{match}/start")

    async with talking(talon, ann, match) as hers, talking(talon, bob, match) as his:
        view, number = await ann.view(match), 0
        while view["status"] == "running":
            seat = view["pending"]["seat"]
            mine = await (ann, bob)[seat].view(match, view["version"])
            answer = await (hers, his)[seat].asks(f"{number}", choice(mine))
            assert (answer["type"], answer["status"]) == ("answer", 200), answer
            view, number = answer["body"]["view"], number + 1
        assert (await hers.closed(), await his.closed()) == (1000, 1000)

    for who, socket in ((ann, hers), (bob, his)):
        assert socket.items == await who.history(match)
        assert socket.told[-1]["reason"] == "match_over"


async def test_a_command_under_the_same_id_acts_once_here_and_as_a_post(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    player = on_turn(await ann.view(match), (ann, bob))

    async with talking(talon, player, match) as socket:
        first = await socket.asks("my key", DRAW)
        again = await socket.asks("my key", DRAW)
        posted = await player.command(match, DRAW, Idempotency_Key="my key")
        other = await socket.asks("my key", {"type": "pass_turn"})

    assert (first["replayed"], again["replayed"]) == (False, True)
    assert first["body"] == again["body"] == posted.json()
    assert posted.headers["idempotent-replayed"] == "true"
    assert other["problem"]["code"] == "key_reused"


async def test_what_cannot_be_done_is_a_problem_with_the_id_of_its_request(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    view = await ann.view(match)
    player, other = (ann, bob) if view["pending"]["seat"] == 0 else (bob, ann)

    async with talking(talon, other, match) as socket:
        early = await socket.asks("1", DRAW)
        unknown = await socket.asks("2", {"type": "fly"})
        posted = await other.command(match, {"type": "fly"})
        wrong = ("{", "[]", '{"type": "command"}', '{"type": "fly"}', '{"id": 1, "id": 2}')
        for text in wrong:
            socket.say(text)
        await socket.until(lambda: len([one for one in socket.told if "id" in one]) == 7)
    async with talking(talon, player, match) as socket:
        stale = await socket.asks("3", DRAW, if_match=view["version"] - 1)
        dry = await socket.asks("4", DRAW, dry_run=True)
    async with talking(talon, talon.stranger, match) as socket:
        nobody = await socket.asks("00000000-0000-4000-8000-000000000000", DRAW)

    assert (early["problem"]["code"], early["problem"]["rule"]) == ("turn_must_be_yours", "TURN-2")
    assert unknown["problem"]["errors"][0]["pointer"] == "#/command/type"
    assert posted.json()["errors"][0]["pointer"] == "#/type"
    assert stale["problem"]["code"] == "version_mismatch"
    assert dry["body"] == {"would": "accepted", "version": view["version"]}
    assert nobody["problem"]["code"] == "token_required"


async def test_an_id_is_any_text_and_what_is_none_ends_nothing(
    talon: House, ann: Client, bob: Client
) -> None:
    """Half of a pair of surrogates is no character: JSON can name it, no answer can hold it."""
    match = await talon.running(ann, bob)
    view = await ann.view(match)
    player = (ann, bob)[view["pending"]["seat"]]
    halves = (r'{"type": "ping", "id": "\ud800"}', r'{"type": "command", "id": "\udc00"}')

    async with talking(talon, player, match) as socket:
        for text in halves:
            socket.say(text)
        await socket.until(lambda: len([one for one in socket.told if "id" in one]) == 2)
        drawn = await socket.asks("ход 1 é", DRAW)

    problems = [one for one in socket.told if one["type"] == "problem"]
    assert [one["id"] for one in problems] == ["?", "?"]
    assert drawn["status"] == 200
    again = await player.command(match, DRAW, Idempotency_Key="ход 1 é".encode())
    assert again.headers["idempotent-replayed"] == "true"


async def test_a_ping_of_a_page_is_answered_and_silence_broken(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)

    async with talking(talon, ann, match) as socket:
        socket.say({"type": "ping", "id": "7"})
        await socket.until(lambda: {"type": "pong", "id": "7"} in socket.told)
        await socket.until(lambda: {"type": "heartbeat"} in socket.told)


async def test_a_handshake_is_refused_as_a_request_is(
    talon: House, ann: Client, bob: Client
) -> None:
    private = await talon.table(ann, bob, visibility="private")
    cases = (
        (talon.stranger, private, "", {}, 404, "not_found"),
        (ann, private, "after=99", {}, 412, "version_not_reached"),
        (ann, private, "until=3", {}, 422, "invalid_field"),
        (ann, "nothing", "", {}, 404, "not_found"),
        (Client(talon.http, "talon_nobodys"), private, "", {}, 401, "token_invalid"),
        (ann, private, "", {"Origin": "https://a.example"}, 403, "not_allowed"),
        (ann, private, "", {"Origin": "http://[bad"}, 403, "not_allowed"),
    )
    for who, match, query, headers, status, code in cases:
        async with talking(talon, who, match, query, **headers) as socket:
            assert socket.refusal is not None
            assert (socket.status, socket.refusal["code"]) == (status, code)


async def test_pages_of_listed_origins_and_the_services_own_may_open_a_socket() -> None:
    settings = msgspec.structs.replace(QUICK, cors_origins="https://a.example")
    async with house(settings) as talon:
        match = await talon.table(await talon.person())
        for origin, host in (("https://a.example", "t"), ("http://talon:8000", "talon:8000")):
            async with talking(talon, talon.stranger, match, Origin=origin, Host=host) as socket:
                await socket.until(lambda: socket.items)


async def test_who_asks_without_an_upgrade_is_told_to(talon: House, ann: Client) -> None:
    match = await talon.table(ann)

    answer = await ann.get(f"/v1/matches/{match}/socket")

    assert (answer.status_code, answer.json()["code"]) == (426, "upgrade_required")
    assert answer.headers["upgrade"] == "websocket"


async def test_a_socket_is_closed_with_its_token(
    talon: House, ann: Client, bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "REVIEW_SECONDS", 0.0)
    match = await talon.running(ann, bob)

    async with talking(talon, ann, match) as socket:
        assert (await ann.call("DELETE", "/v1/players/me/tokens/current")).status_code == 204
        assert await socket.closed() == 4401
    assert socket.told[-1]["reason"] == "token_invalid"


async def test_no_command_is_carried_out_for_a_token_that_is_over(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)

    async with talking(talon, ann, match) as socket:
        assert (await ann.call("DELETE", "/v1/players/me/tokens/current")).status_code == 204
        answer = await socket.asks("1", {"type": "leave"})
        assert answer["problem"]["code"] == "token_invalid"
        assert await socket.closed() == 4401
    assert (await bob.view(match))["status"] == "running"


async def test_a_socket_is_closed_when_the_service_stops(talon: House, ann: Client) -> None:
    match = await talon.table(ann)

    async with talking(talon, ann, match) as socket:
        talon.app.state.stopping.set()
        assert await socket.closed() == 1012


async def test_who_gives_up_a_private_seat_is_shown_out(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.table(ann, bob, seats=3, visibility="private")

    async with talking(talon, bob, match) as socket:
        assert (await bob.call("DELETE", f"/v1/matches/{match}/seats/me")).status_code == 200
        assert await socket.closed() == 4404


async def test_a_client_that_is_far_too_slow_is_told_so(
    talon: House, ann: Client, bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "SLOW_SECONDS", 0.05)
    match = await talon.running(ann, bob)
    past = len(await ann.history(match))
    player = on_turn(await ann.view(match), (ann, bob))

    async with talking(talon, ann, match) as socket:
        await socket.until(lambda: len(socket.items) == past)
        socket.stall()
        assert (await player.command(match, DRAW)).status_code == 200
        await asyncio.sleep(0.2)
        socket.read_on()
        assert await socket.closed() == 4408


async def test_messages_that_are_no_text_or_too_large_end_the_socket(
    talon: House, ann: Client
) -> None:
    match = await talon.table(ann)

    async with talking(talon, ann, match) as socket:
        socket.say_bytes(b"{}")
        assert await socket.closed() == 1003
    async with talking(talon, ann, match) as socket:
        socket.say('"' + "x" * 16 * 1024 + '"')
        assert await socket.closed() == 1009


async def test_who_sends_faster_than_the_pace_waits_and_loses_nothing() -> None:
    pace = talk.Pace(per_second=100, at_once=10)
    loop = asyncio.get_running_loop()
    began = loop.time()
    for _ in range(40):
        await pace.wait()

    assert loop.time() - began >= 0.25  # thirty of them, a hundredth of a second each


async def test_who_leaves_leaves_nothing_behind(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)

    async with talking(talon, ann, match) as socket:
        await socket.until(lambda: socket.items)
    assert talon.services.play.hub._followers == {}  # type: ignore[attr-defined]
