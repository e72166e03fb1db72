"""Webhooks over HTTP: an app is told of its matches and players, signed, and of nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import msgspec
import pytest
from jsonschema import validate
from standardwebhooks.webhooks import WebhookVerificationError

from service import openapi
from service.identity import Kind
from tests.service.support import QUICK, Client, House, house, key
from tests.webhooks.receiver import Receiver, receiver

pytestmark = pytest.mark.anyio

ANYWHERE = msgspec.structs.replace(QUICK, webhooks_anywhere=True)
LONG = 30.0


@pytest.fixture
async def talon() -> AsyncIterator[House]:
    async with house(ANYWHERE) as opened:
        yield opened


@pytest.fixture
def inbox() -> Iterator[Receiver]:
    with receiver() as held:
        yield held


@pytest.fixture
async def app(talon: House) -> Client:
    return await talon.holder(Kind.APP)


async def until(holds: Callable[[], Any]) -> None:
    """Wait until it is so."""
    async with asyncio.timeout(LONG):
        while not holds():
            await asyncio.sleep(0.02)


async def webhook(app: Client, inbox: Receiver, *types: str) -> dict[str, Any]:
    made = await app.post("/v1/webhooks", {"url": f"{inbox.url}/talon", "types": types})
    assert made.status_code == 201, made.text
    answer: dict[str, Any] = made.json()
    return answer


def path_of(made: dict[str, Any], *more: str) -> str:
    return "/".join(("/v1/webhooks", made["webhook"]["webhook_id"], *more))


async def player_of(app: Client, name: str) -> Client:
    """A player of the app, for whom its key acts."""
    made = (await app.post("/v1/players", {"name": name})).json()
    person = Client(app.http, app.token, **{"Talon-Player": made["player_id"]})
    person.id = made["player_id"]
    return person


async def test_an_app_is_told_how_a_match_of_its_players_goes(
    talon: House, app: Client, inbox: Receiver
) -> None:
    made = await webhook(app, inbox)
    ann, bob = await player_of(app, "Ann"), await player_of(app, "Bob")

    match = await talon.finished(ann, bob)
    history = await ann.history(match)
    await until(lambda: inbox.told("match_ended"))

    assert [one["data"]["match_id"] for one in inbox.told()] == [match] * len(inbox.letters)
    for letter in inbox.letters:
        assert letter.verified(made["secret"]) == letter.told
    (ended,) = inbox.told("match_ended")
    (item,) = (item for item in history if item["type"] == "match_ended")
    assert ended["data"]["event"] == item["event"]
    assert (ended["data"]["version"], ended["timestamp"]) == (item["version"], item["occurred_at"])
    assert ended["data"]["players"] == [
        {"seat": 0, "player_id": ann.id},
        {"seat": 1, "player_id": bob.id},
    ]


async def test_a_turn_is_told_once_and_only_of_the_apps_own_players(
    talon: House, app: Client, inbox: Receiver
) -> None:
    await webhook(app, inbox, "your_turn")
    ann, eve = await player_of(app, "Ann"), await talon.person("Eve")
    match = await talon.finished(ann, eve)
    await webhook(app, inbox, "match_ended")
    last = await talon.finished(ann, eve)
    await until(lambda: inbox.told("match_ended"))
    await until(lambda: [one for one in inbox.told() if one["data"]["match_id"] == last])

    turns = [one["data"] for one in inbox.told("your_turn") if one["data"]["match_id"] == match]
    assert turns
    assert all(one["event"]["seat"] == 0 for one in turns)
    assert all(one["players"] == [{"seat": 0, "player_id": ann.id}] for one in turns)
    versions = [one["version"] for one in turns]
    assert len(set(versions)) == len(versions)


async def test_nobody_is_told_of_matches_that_are_not_theirs(
    talon: House, app: Client, inbox: Receiver
) -> None:
    other = await talon.holder(Kind.APP)
    await webhook(other, inbox)
    with receiver() as mine:
        await webhook(app, mine, "match_ended")
        ann, eve = await player_of(app, "Ann"), await talon.person("Eve")
        await talon.finished(ann, eve)
        await until(lambda: mine.letters)

    assert not inbox.letters


async def test_an_app_is_told_of_a_table_that_it_set_up_for_others(
    talon: House, app: Client, inbox: Receiver
) -> None:
    await webhook(app, inbox)
    eve = await talon.person("Eve")
    match = (await app.post("/v1/matches", {"seats": 2, "bots": ["random"]})).json()["match_id"]
    assert (await eve.post(f"/v1/matches/{match}/seats", {})).status_code == 200
    assert (await app.post(f"/v1/matches/{match}/start")).status_code == 200
    await until(lambda: inbox.told("match_started"))

    (started,) = inbox.told("match_started")
    assert started["data"]["players"] == []
    assert not inbox.told("your_turn")


async def test_a_delivery_holds_only_what_a_spectator_sees(
    talon: House, app: Client, inbox: Receiver
) -> None:
    """Beside the turn, whatever is told stands in the history that a stranger reads."""
    await webhook(app, inbox)
    ann, bob = await player_of(app, "Ann"), await player_of(app, "Bob")
    match = await talon.finished(ann, bob)
    seen = {item["version"]: item for item in await talon.stranger.history(match)}
    await until(lambda: inbox.told("match_ended"))

    for told in inbox.told():
        data = told["data"]
        validate(told, documented(told["type"]))
        assert data.keys() == {
            *("webhook_id", "match_id", "version", "position", "event", "players")
        }
        if told["type"] == "your_turn":
            assert data["event"].keys() == {"type", "seat", "pending"}
        else:
            assert data["event"] == seen[data["version"]]["event"]


async def test_who_is_erased_is_named_in_no_delivery(
    talon: House, app: Client, inbox: Receiver
) -> None:
    inbox.status = 500
    made = await webhook(app, inbox, "match_ended")
    ann, bob = await player_of(app, "Ann"), await player_of(app, "Bob")
    await talon.finished(ann, bob)
    await until(lambda: inbox.letters)
    await ann.call("DELETE", "/v1/players/me")
    inbox.status = 204
    first = inbox.letters[0]

    async with asyncio.timeout(LONG):
        retried = path_of(made, "deliveries", first.id, "retry")
        while len(inbox.letters) < 2:
            assert (await app.post(retried)).status_code == 202
            await asyncio.sleep(0.1)

    assert first.told["data"]["players"][0]["player_id"] == ann.id
    assert inbox.letters[1].id == first.id
    assert inbox.letters[1].told["data"]["players"] == [{"seat": 1, "player_id": bob.id}]


async def test_a_ping_tries_a_webhook_out_and_stands_in_its_log(
    app: Client, inbox: Receiver
) -> None:
    made = await webhook(app, inbox, "match_ended")
    sent = await app.post(path_of(made, "test"))
    await until(lambda: inbox.letters)

    assert sent.status_code == 202 and sent.json()["type"] == "ping"
    assert inbox.letters[0].id == sent.json()["delivery_id"]
    assert inbox.letters[0].verified(made["secret"])["data"] == {
        "webhook_id": made["webhook"]["webhook_id"]
    }
    async with asyncio.timeout(LONG):
        while (line := (await deliveries(app, made))[0])["status"] == "pending":
            await asyncio.sleep(0.02)
    assert (line["status"], line["attempts"], line["answered"]) == ("delivered", 1, 204)


async def test_a_ping_that_is_asked_for_again_is_sent_once(app: Client, inbox: Receiver) -> None:
    made, once = await webhook(app, inbox), key()
    first = await app.post(path_of(made, "test"), Idempotency_Key=once)
    again = await app.post(path_of(made, "test"), Idempotency_Key=once)

    assert first.json()["delivery_id"] == again.json()["delivery_id"]
    assert len(await deliveries(app, made)) == 1


async def test_the_log_is_told_by_status_and_page(app: Client, inbox: Receiver) -> None:
    made = await webhook(app, inbox)
    sent = [(await app.post(path_of(made, "test"))).json()["delivery_id"] for _ in range(3)]

    first = (await app.get(path_of(made, "deliveries?limit=2"))).json()
    rest = (await app.get(path_of(made, f"deliveries?limit=2&cursor={first['next']}"))).json()
    failed = (await app.get(path_of(made, "deliveries?status=failed"))).json()

    listed = [line["delivery_id"] for line in (*first["items"], *rest["items"])]
    assert (listed, rest["next"]) == (sent[::-1], None)
    assert failed["items"] == []


async def test_a_failure_is_told_and_tried_again(app: Client, inbox: Receiver) -> None:
    inbox.status = 503
    made = await webhook(app, inbox)
    await app.post(path_of(made, "test"))
    async with asyncio.timeout(LONG):
        while not (line := (await deliveries(app, made))[0])["answered"]:
            await asyncio.sleep(0.02)

    assert (line["status"], line["answered"], line["failure"]) == ("pending", 503, "answer")
    assert line["next_attempt_at"] > line["last_attempt_at"]
    state = (await app.get(path_of(made))).json()
    assert state["enabled"] and state["failing_since"]


async def test_a_receiver_that_says_gone_is_disabled_with_the_reason(
    app: Client, inbox: Receiver
) -> None:
    inbox.status = 410
    made = await webhook(app, inbox)
    await app.post(path_of(made, "test"))
    async with asyncio.timeout(LONG):
        while (state := (await app.get(path_of(made))).json())["enabled"]:
            await asyncio.sleep(0.02)

    assert state["disabled_by"] == "gone"
    refused = await app.post(path_of(made, "test"))
    assert (refused.status_code, refused.json()["code"]) == (409, "webhook_disabled")
    assert "410" in refused.json()["detail"]
    inbox.status = 204
    resumed = (await app.call("PATCH", path_of(made), {"enabled": True})).json()
    assert resumed["enabled"] and resumed["disabled_by"] is None
    assert (await app.post(path_of(made, "test"))).status_code == 202


async def test_what_happens_while_it_is_disabled_is_not_told(
    talon: House, app: Client, inbox: Receiver
) -> None:
    made = await webhook(app, inbox, "match_ended")
    ann, bob = await player_of(app, "Ann"), await player_of(app, "Bob")
    await app.call("PATCH", path_of(made), {"enabled": False})
    await talon.finished(ann, bob)
    await app.call("PATCH", path_of(made), {"enabled": True})
    later = await talon.finished(ann, bob)
    await until(lambda: inbox.letters)

    assert [one["data"]["match_id"] for one in inbox.told()] == [later]


async def test_after_a_rotation_both_secrets_sign(app: Client, inbox: Receiver) -> None:
    made, once = await webhook(app, inbox), key()
    rotated = await app.post(path_of(made, "secret"), Idempotency_Key=once)
    again = await app.post(path_of(made, "secret"), Idempotency_Key=once)
    await app.post(path_of(made, "test"))
    await until(lambda: inbox.letters)

    assert rotated.status_code == 201 and again.json() == rotated.json()
    assert rotated.json()["secret"] != made["secret"]
    for secret in (made["secret"], rotated.json()["secret"]):
        inbox.letters[0].verified(secret)


async def test_a_webhook_made_again_with_the_same_key_is_the_same(
    app: Client, inbox: Receiver
) -> None:
    body, once = {"url": inbox.url + "/x"}, key()
    first = await app.post("/v1/webhooks", body, Idempotency_Key=once)
    again = await app.post("/v1/webhooks", body, Idempotency_Key=once)

    assert again.json()["secret"] == first.json()["secret"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len((await app.get("/v1/webhooks")).json()["items"]) == 1
    assert "secret" not in (await app.get("/v1/webhooks")).text


async def test_an_app_has_so_many_webhooks_and_no_more(app: Client, inbox: Receiver) -> None:
    made = [await webhook(app, inbox) for _ in range(10)]
    refused = await app.post("/v1/webhooks", {"url": inbox.url})

    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_webhooks")
    assert (await app.call("DELETE", path_of(made[0]))).status_code == 204
    assert (await app.post("/v1/webhooks", {"url": inbox.url})).status_code == 201


async def test_another_apps_webhook_is_not_there(
    talon: House, app: Client, inbox: Receiver
) -> None:
    made, other = await webhook(app, inbox), await talon.holder(Kind.APP)
    for method, *more in (("GET",), ("DELETE",), ("POST", "test"), ("GET", "deliveries")):
        answer = await other.call(method, path_of(made, *more))
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_an_app_that_acts_for_a_player_has_no_webhooks(app: Client) -> None:
    answer = await (await player_of(app, "Ann")).get("/v1/webhooks")

    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.com/", "https://localhost/", "https://10.0.0.1/", "https://[::1]/"),
        *("https://127.0.0.1:8443/x", "https://metadata.internal/", "https://example.com:99999/"),
        *("ftp://example.com/", "https://ann@example.com/", "https://169.254.169.254/latest"),
    ],
)
async def test_only_https_and_public_addresses_are_taken(url: str) -> None:
    async with house() as talon:
        app = await talon.holder(Kind.APP)
        refused = await app.post("/v1/webhooks", {"url": url})

    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "#/url")


async def test_a_refused_address_names_the_setting_for_tests() -> None:
    async with house() as talon:
        app = await talon.holder(Kind.APP)
        plain = await app.post("/v1/webhooks", {"url": "http://example.com/"})
        private = await app.post("/v1/webhooks", {"url": "https://localhost/"})

    for refused in (plain, private):
        assert "TALON_WEBHOOKS_ANYWHERE=true" in refused.json()["errors"][0]["detail"]


def documented(type: str) -> dict[str, Any]:
    """The schema of a body of this type in the OpenAPI document."""
    request = openapi.document()["webhooks"][type]["post"]["requestBody"]
    schema: dict[str, Any] = request["content"]["application/json"]["schema"]
    components = {"components": openapi.document()["components"]}
    return schema | components


async def deliveries(app: Client, made: dict[str, Any]) -> list[dict[str, Any]]:
    page = await app.get(path_of(made, "deliveries"))
    assert page.status_code == 200, page.text
    items: list[dict[str, Any]] = page.json()["items"]
    return items


async def test_a_retry_after_a_webhook_is_gone_answers_the_same_and_makes_none(
    app: Client, inbox: Receiver
) -> None:
    once, body = key(), {"url": f"{inbox.url}/talon"}
    first = await app.post("/v1/webhooks", body, Idempotency_Key=once)
    assert (await app.call("DELETE", path_of(first.json()))).status_code == 204

    again = await app.post("/v1/webhooks", body, Idempotency_Key=once)

    assert (again.status_code, again.json()) == (201, first.json())
    assert (await app.get("/v1/webhooks")).json()["items"] == []


async def test_a_late_retry_of_a_rotation_does_not_take_the_older_secret_back(
    app: Client, inbox: Receiver
) -> None:
    made, once = await webhook(app, inbox), key()
    older = await app.post(path_of(made, "secret"), Idempotency_Key=once)
    newer = await app.post(path_of(made, "secret"))
    await app.post(path_of(made, "secret"))

    late = await app.post(path_of(made, "secret"), Idempotency_Key=once)
    await app.post(path_of(made, "test"))
    await until(lambda: inbox.letters)

    assert late.json() == older.json()
    inbox.letters[0].verified(newer.json()["secret"])
    with pytest.raises(WebhookVerificationError):
        inbox.letters[0].verified(older.json()["secret"])
