"""What every answer carries and what none shows: ids, safety headers, CORS, failures, logs."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from domain.ports import OutcomeUnknown, Unavailable
from service.play.contract import Busy
from tests.service.support import QUICK, Client, House, house, on_turn

pytestmark = pytest.mark.anyio

MISTAKES = [
    ("GET", "/v1", 404, "not_found"),
    ("GET", "/v1/nothing", 404, "not_found"),
    ("GET", "/v1/matches/x/y/z", 404, "not_found"),
    ("PUT", "/v1/matches", 405, "method_not_allowed"),
    ("DELETE", "/v1/matches", 405, "method_not_allowed"),
    ("POST", "/v1/cards", 405, "method_not_allowed"),
    ("PATCH", "/health/live", 405, "method_not_allowed"),
]


@pytest.mark.parametrize(("method", "path", "status", "code"), MISTAKES)
async def test_a_wrong_address_is_a_problem(
    talon: House, method: str, path: str, status: int, code: str
) -> None:
    answer = await talon.stranger.call(method, path)

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert ("allow" in answer.headers) == (status == 405)


async def test_the_root_leads_browsers_to_the_page_and_tells_programs(talon: House) -> None:
    browser = await talon.stranger.get("/", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    program = await talon.stranger.get("/", Accept="*/*")

    assert (browser.status_code, browser.headers["location"]) == (302, "/docs")
    assert program.json()["openapi"] == "/openapi.json"
    for address in ("openapi", "docs", "health"):
        assert (await talon.stranger.get(program.json()[address])).status_code == 200


async def test_head_is_get_without_the_body(talon: House, ann: Client) -> None:
    match = await talon.table(ann)

    for path in ("/v1/cards", f"/v1/matches/{match}/view", "/v1/players/me", "/openapi.json"):
        head, get = await ann.call("HEAD", path), await ann.get(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == get.headers["content-length"]
    missing = await ann.call("HEAD", "/v1/matches/x")
    assert (missing.status_code, missing.content) == (404, b"")


async def test_every_answer_carries_an_id_and_safety_headers(talon: House) -> None:
    for path in ("/v1/cards", "/nothing", "/docs", "/health/live"):
        answer = await talon.stranger.get(path)
        assert len(answer.headers["x-request-id"]) == 16
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"]


async def test_a_plain_request_id_is_kept_and_another_is_not(talon: House) -> None:
    kept = await talon.stranger.get("/v1/cards", X_Request_Id="mobile-42.7_a")
    other = await talon.stranger.get("/v1/cards", X_Request_Id='{"a": 1}')

    assert kept.headers["x-request-id"] == "mobile-42.7_a"
    assert other.headers["x-request-id"] != '{"a": 1}'


async def test_a_failure_is_a_problem_without_details(talon: House, ann: Client) -> None:
    match = await talon.table(ann)

    async def broken(*given: Any, **named: Any) -> Any:
        raise ZeroDivisionError("secret of the house")

    talon.services.play.view = broken  # type: ignore[method-assign]
    with capture_logs() as logs:
        answer = await ann.get(f"/v1/matches/{match}/view")

    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret" not in answer.text and "Zero" not in answer.text
    (failed,) = (line for line in logs if line["event"] == "failed")
    assert failed["request_id"] == answer.headers["x-request-id"]


@pytest.mark.parametrize("error", [Unavailable(), OutcomeUnknown(), Busy(7)])
async def test_an_outage_says_when_to_come_back(
    talon: House, ann: Client, error: Exception
) -> None:
    async def away(*given: Any, **named: Any) -> Any:
        raise error

    match = await talon.table(ann)
    talon.services.play.execute = away  # type: ignore[method-assign]

    answer = await ann.command(match, {"type": "draw_card"})

    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer.headers["retry-after"]) == (7 if isinstance(error, Busy) else 1)


async def test_one_line_is_logged_for_a_request_and_no_secret(
    talon: House, ann: Client, bob: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "talon.http")
    match = await talon.running(ann, bob)
    player = on_turn(await ann.view(match), (ann, bob))

    with capture_logs() as logs:
        await player.command(match, {"type": "draw_card"}, Idempotency_Key="key-secret")
        await player.get(f"/v1/matches/{match}/view?min_version=1")
        await talon.stranger.post("/v1/players", {"name": "Hidden Name"})
        await talon.stranger.get("/nothing?token=talon_abc")
        await talon.stranger.get("/health/live")

    written = json.dumps(logs)
    assert [line["status"] for line in logs] == [200, 200, 201, 404]
    assert logs[0]["route"] == "/v1/matches/{match_id}/commands"
    assert logs[0]["match_id"] == match
    for secret in (player.token or "-", "key-secret", "Hidden Name", "talon_", "Bearer"):
        assert secret not in written


@pytest.mark.parametrize(
    ("setting", "origin", "allowed"),
    [
        ("", "https://a.example", None),
        ("https://a.example", "https://a.example", "https://a.example"),
        ("https://a.example, https://b.example", "https://b.example", "https://b.example"),
        ("https://a.example", "https://a.example.evil", None),
        ("*", "https://c.example", "*"),
    ],
)
async def test_pages_of_listed_origins_may_call(
    setting: str, origin: str, allowed: str | None
) -> None:
    async with house(msgspec.structs.replace(QUICK, cors_origins=setting)) as talon:
        ann = await talon.person()
        match = await talon.table(ann)
        answer = await ann.get(f"/v1/matches/{match}/view", Origin=origin)
        preflight = await talon.stranger.call(
            "OPTIONS",
            f"/v1/matches/{match}/commands",
            Origin=origin,
            Access_Control_Request_Method="POST",
            Access_Control_Request_Headers="authorization,idempotency-key",
        )
        missing = await ann.get("/nothing", Origin=origin)

    for one in (answer, preflight, missing):
        assert one.headers.get("access-control-allow-origin") == allowed
        assert "access-control-allow-credentials" not in one.headers
    assert "Authorization" in answer.headers["vary"]
    assert ("Origin" in answer.headers["vary"]) == (setting not in ("", "*"))
    assert preflight.status_code == 204
    if allowed:
        assert "Idempotency-Key" in preflight.headers["access-control-allow-headers"]
        assert "ETag" in answer.headers["access-control-expose-headers"]
