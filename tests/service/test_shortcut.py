"""Hot operations answer the same by the shortcut as by the framework's way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from service.cors import Cors
from service.finish import Finish
from service.routes import HOT
from service.shortcut import Shortcut
from tests.service.support import Client, House

pytestmark = pytest.mark.anyio

SEED = b'{"type":"add_seed","round":1,"client_seed":"bHVjaw"}'
KNOWN = {"X-Request-Id": "the-same", "Origin": "https://example.org"}


@contextmanager
def no_shortcut(talon: House) -> Iterator[None]:
    app: Any = talon.app
    kept = app.shortcut
    app.shortcut = Shortcut((), Finish(Cors("")))
    try:
        yield
    finally:
        app.shortcut = kept


def told(answer: httpx.Response) -> tuple[Any, ...]:
    """Everything a client sees, but for how much of the limit is left."""
    headers = [item for item in answer.headers.multi_items() if item[0] != "ratelimit"]
    return answer.status_code, sorted(headers), answer.content


async def both_ways(
    talon: House, who: Client, method: str, path: str, **sent: Any
) -> httpx.Response:
    """The one answer that a request gets either way; it must be safe to repeat."""
    headers = who.headers | KNOWN | sent.pop("headers", {})
    short = await talon.http.request(method, path, headers=headers, **sent)
    with no_shortcut(talon):
        usual = await talon.http.request(method, path, headers=headers, **sent)
    assert told(short) == told(usual)
    return short


@pytest.mark.parametrize(
    ("what", "headers", "status"),
    [
        ("view", {}, 200),
        ("view?min_version=1", {}, 200),
        ("view?min_version=999", {}, 412),
        ("view?colour=red", {}, 422),
        ("view", {"If-None-Match": "*"}, 304),
        ("view", {"Authorization": "Bearer nobody"}, 401),
        ("view", {"Talon-Player": "someone"}, 403),
        ("actions", {}, 200),
        ("actions", {"Authorization": "Basic eDp5"}, 401),
        ("view/", {}, 200),
        ("actions?", {}, 200),
    ],
)
async def test_reads_are_answered_alike(
    talon: House, ann: Client, bob: Client, what: str, headers: dict[str, str], status: int
) -> None:
    match = await talon.running(ann, bob)
    answer = await both_ways(talon, ann, "GET", f"/v1/matches/{match}/{what}", headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (SEED, {"Idempotency-Key": "k"}, 200),
        (b'{"type":"draw_card"}', {}, 409),
        (b'{"type":"draw_card","type":"draw_card"}', {}, 422),
        (b'{"type":"fly"}', {}, 422),
        (b"{", {}, 400),
        (b"", {}, 400),
        (b"{}" + b" " * 20_000, {}, 413),
        (b'{"type":"draw_card"}', {"Content-Type": "text/plain"}, 415),
        (SEED, {"If-Match": "yesterday"}, 400),
        (SEED, {"If-Match": '"999"'}, 412),
        (SEED, {"Authorization": "Bearer nobody"}, 401),
    ],
)
async def test_commands_are_answered_alike(
    talon: House, ann: Client, bob: Client, body: bytes, headers: dict[str, str], status: int
) -> None:
    path = f"/v1/matches/{await talon.table(ann, bob)}/commands"
    headers = {"Content-Type": "application/json"} | headers
    if status == 200:  # both ways are asked for the first answer
        await talon.http.post(path, content=body, headers=ann.headers | KNOWN | headers)
    answer = await both_ways(talon, ann, "POST", path, content=body, headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize("method", ["HEAD", "GET", "PUT", "OPTIONS"])
async def test_other_methods_are_left_to_the_framework(
    talon: House, ann: Client, method: str
) -> None:
    match = await talon.table(ann)
    await both_ways(talon, ann, method, f"/v1/matches/{match}/view")
    await both_ways(talon, ann, method, f"/v1/matches/{match}/commands")


async def test_no_such_match_and_no_such_id_are_answered_alike(talon: House, ann: Client) -> None:
    for name in ("0" * 36, "00000000-0000-7000-8000-000000000000", "nothing"):
        for what in ("view", "actions"):
            answer = await both_ways(talon, ann, "GET", f"/v1/matches/{name}/{what}")
            assert answer.status_code == 404


async def test_the_hot_operations_are_found(talon: House) -> None:
    shortcut: Shortcut = talon.app.shortcut  # type: ignore[attr-defined]
    for operation in HOT:
        path = operation.path.replace("{match_id}", "00000000-0000-7000-8000-000000000000")
        scope: Any = {"method": operation.method, "path": path}
        assert shortcut.find(scope) is operation
