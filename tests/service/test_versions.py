"""Versions: entity tags by viewer, conditional reads, commands meant for a version, past views."""

from __future__ import annotations

import asyncio

import pytest

from service.identity import Kind
from tests.service.support import Client, House, on_turn

pytestmark = pytest.mark.anyio


async def test_the_tag_tells_who_looks(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    auditor = await talon.holder(Kind.AUDITOR)
    version = (await ann.view(match))["version"]

    tags = [
        (await who.get(f"/v1/matches/{match}/view")).headers["etag"]
        for who in (ann, bob, talon.stranger, auditor)
    ]

    assert tags == [f'"{version}.{viewer}"' for viewer in ("0", "1", "s", "a")]


async def test_what_has_not_changed_is_not_sent_again(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    view = f"/v1/matches/{match}/view"
    tag = (await ann.get(view)).headers["etag"]

    same = await ann.get(view, If_None_Match=tag)
    among = await ann.get(view, If_None_Match=f'"1.s", W/{tag}')
    others = await bob.get(view, If_None_Match=tag)
    await on_turn(await ann.view(match), (ann, bob)).command(match, {"type": "draw_card"})
    later = await ann.get(view, If_None_Match=tag)

    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    assert (among.status_code, others.status_code, later.status_code) == (304, 200, 200)


async def test_a_command_meant_for_another_version_is_refused(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    view = await ann.view(match)
    player, version = on_turn(view, (ann, bob)), view["version"]

    stale = await player.command(match, {"type": "draw_card"}, If_Match=f'"{version - 1}"')
    malformed = await player.command(match, {"type": "draw_card"}, If_Match="17")
    unchanged = await player.view(match)
    done = await player.command(match, {"type": "draw_card"}, If_Match=f'"{version}.0"')

    assert (stale.status_code, stale.json()["code"]) == (412, "version_mismatch")
    assert stale.json()["version"] == unchanged["version"] == version
    assert malformed.status_code == 400
    assert done.status_code == 200


async def test_calls_and_catches_are_judged_as_they_arrive(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)

    call = await ann.command(match, {"type": "call_uno"}, If_Match='"1"')
    catch = await ann.command(match, {"type": "catch_uno", "seat": 1}, If_Match='"1"')

    assert call.json()["code"] == "uno_must_be_owed"
    assert catch.json()["code"] == "catch_must_be_in_time"


async def test_a_read_does_not_go_back_in_time(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    version = (await ann.view(match))["version"]

    reached = await ann.get(f"/v1/matches/{match}/view?min_version={version}")
    not_yet = await ann.get(f"/v1/matches/{match}/view?min_version={version + 1}")

    assert reached.json()["version"] == version
    assert (not_yet.status_code, not_yet.json()["version"]) == (412, version)


READS = ("", "/view", "/actions", "/head", "/events")
"""What is read of one match, each with a tag."""


@pytest.mark.parametrize("read", READS)
async def test_every_read_of_a_match_is_conditional_and_knows_how_new_it_has_to_be(
    talon: House, ann: Client, bob: Client, read: str
) -> None:
    match = await talon.running(ann, bob)
    path, version = f"/v1/matches/{match}{read}", (await ann.view(match))["version"]

    first = await ann.get(path)
    again = await ann.get(path, If_None_Match=first.headers["etag"])
    reached = await ann.get(f"{path}?min_version={version}")
    not_yet = await ann.get(f"{path}?min_version={version + 1}")
    await on_turn(await ann.view(match), (ann, bob)).command(match, {"type": "draw_card"})
    moved = await ann.get(path, If_None_Match=first.headers["etag"])

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert first.headers["vary"] == "Authorization, Talon-Player, Talon-Invite"
    assert reached.json() == first.json()
    assert (not_yet.status_code, not_yet.json()["code"]) == (412, "version_not_reached")
    assert not_yet.json()["version"] == version
    assert not_yet.json()["detail"].endswith(f"version {version + 1} is not there yet.")
    assert moved.status_code == 200


@pytest.mark.parametrize("read", ("", "/view", "/head", "/events", "/events/stream"))
async def test_how_new_a_private_match_is_is_told_to_nobody_else(
    talon: House, ann: Client, bob: Client, read: str
) -> None:
    match = await talon.running(ann, bob, visibility="private")
    asked = "after" if read.endswith("stream") else "min_version"

    answer = await talon.stranger.get(f"/v1/matches/{match}{read}?{asked}=1000")

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_a_view_is_given_as_it_was(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    before = await ann.get(f"/v1/matches/{match}/view")
    await on_turn(before.json(), (ann, bob)).command(match, {"type": "draw_card"})

    version = before.json()["version"]
    then = await ann.get(f"/v1/matches/{match}/view?at={version}")
    never = await ann.get(f"/v1/matches/{match}/view?at={version + 100}")

    assert then.json() == before.json()
    assert then.headers["etag"] == before.headers["etag"]
    assert (never.status_code, never.json()["code"]) == (404, "no_such_version")
    assert never.json()["detail"] == f"The match has versions 1 to {version + 1} so far."


async def test_a_long_poll_waits_for_something_newer(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)
    before = await ann.get(f"/v1/matches/{match}/view")
    tag, player = before.headers["etag"], on_turn(before.json(), (ann, bob))

    waiting = asyncio.create_task(ann.get(f"/v1/matches/{match}/view?wait=10", If_None_Match=tag))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await player.command(match, {"type": "draw_card"})

    assert (await waiting).json()["version"] == before.json()["version"] + 1


async def test_a_long_poll_gives_up(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.running(ann, bob)
    tag = (await ann.get(f"/v1/matches/{match}/view")).headers["etag"]

    answer = await ann.get(f"/v1/matches/{match}/view?wait=1", If_None_Match=tag)

    assert answer.status_code == 304


async def test_the_head_is_the_version_and_hash_of_the_last_event(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.running(ann, bob)

    head = await talon.stranger.get(f"/v1/matches/{match}/head")

    last = (await ann.history(match))[-1]
    told = {key: head.json()[key] for key in ("match_id", "version", "hash")}
    assert told == {"match_id": match, "version": last["version"], "hash": last["hash"]}
    assert head.headers["etag"] == f'"{last["version"]}.s"'


async def test_an_auditor_sees_what_a_seat_saw_once_it_is_revealed(
    talon: House, ann: Client, bob: Client
) -> None:
    match, auditor = await talon.running(ann, bob), await talon.holder(Kind.AUDITOR)
    then = await bob.get(f"/v1/matches/{match}/view")
    path = f"/v1/matches/{match}/view?at={then.json()['version']}&as=seat:1"

    secret = await auditor.get(path)
    assert (await ann.command(match, {"type": "leave"})).status_code == 200
    revealed = await auditor.get(path)
    known = await auditor.get(path, If_None_Match=revealed.headers["etag"])

    assert (secret.status_code, secret.json()["code"]) == (409, "not_revealed")
    assert revealed.json() == then.json() and "hand" in revealed.json()["you"]
    assert known.status_code == 304


async def test_only_an_auditor_sees_as_a_seat_did(talon: House, ann: Client, bob: Client) -> None:
    match, auditor = await talon.finished(ann, bob), await talon.holder(Kind.AUDITOR)
    view = f"/v1/matches/{match}/view"

    for who in (ann, talon.stranger, await talon.holder(Kind.OPERATOR)):
        assert (await who.get(f"{view}?as=seat:1")).status_code == 403
    last = await auditor.get(f"{view}?as=seat:1")
    beyond = await auditor.get(f"{view}?as=seat:2")
    never = await auditor.get(f"{view}?as=seat:1&at=9999")
    wrong = await auditor.get(f"{view}?as=1")

    assert last.json() == await bob.view(match)
    assert [refused.status_code for refused in (beyond, never, wrong)] == [422, 404, 422]
    assert beyond.json()["errors"][0]["pointer"] == wrong.json()["errors"][0]["pointer"] == "?as"


async def test_rounds_are_revealed_one_by_one_where_the_match_is_so(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.finished(ann, bob, rules={"target": 50, "reveal": "round"})
    auditor = await talon.holder(Kind.AUDITOR)

    for version in range(2, (await ann.view(match))["version"] + 1, 7):
        mine = await ann.get(f"/v1/matches/{match}/view?at={version}")
        same = await auditor.get(f"/v1/matches/{match}/view?at={version}&as=seat:0")
        assert same.json() == mine.json()
