"""The examples of the document, sent as they stand: each is taken, or refused by the game alone."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from domain.refusals import Refusal
from service.app import build_in_memory
from service.openapi import operations
from service.openapi_examples import REQUESTS
from tests.openapi.served import Served
from tests.service.serving import serving
from tests.service.support import QUICK

UP_TO_THE_CALLER = {
    "createKey": {403},  # only an operator makes the key of an app
    "createWebhook": {403},  # only an app has webhooks
    "changeWebhook": {403},
    "joinMatch": {409},  # who set the match up sits there, and it runs
    "seatBot": {409},  # it runs
    "submitCommand": {409, 422},  # most commands are for other moments
    "forkMatch": {404, 409},  # it is not over, and has no such version yet
    "voidMatch": {403},  # only an operator does
    "voidTable": {403},
    "replaceEntrant": {403, 409},  # it has not started; only an app has players
    "createTicket": {404},  # a match of somebody's own
}
"""What an example of a moment is answered in the match that happens to be there."""
EXAMPLES = [
    (method, path, described, name, shown["value"])
    for path, method, described in operations()
    if "requestBody" in described
    for name, shown in described["requestBody"]["content"]["application/json"]["examples"].items()
]


@pytest.fixture(scope="module")
def served() -> Any:
    with serving(build_in_memory(QUICK)) as url:
        yield Served(url)


def test_every_example_is_in_the_document() -> None:
    shown = [(described["operationId"], name) for _, _, described, name, _ in EXAMPLES]

    assert sorted(shown) == sorted((id, name) for id, named in REQUESTS.items() for name in named)


@pytest.mark.parametrize(
    ("method", "path", "described", "name", "body"),
    EXAMPLES,
    ids=[f"{described['operationId']}: {name}" for _, _, described, name, _ in EXAMPLES],
)
def test_every_example_can_be_sent(
    served: Served, method: str, path: str, described: Any, name: str, body: Any
) -> None:
    served.begin()
    path = path.replace("{match_id}", served.match_id).replace("{entrant}", "0")
    url = served.url + path.replace("{tournament_id}", served.tournament_id)

    answer = httpx.request(method, url, json=body, headers=served.headers, timeout=60)

    accepted = {int(status) for status in described["responses"] if status.startswith("2")}
    refusals = UP_TO_THE_CALLER.get(described["operationId"], set())
    assert answer.status_code in accepted | refusals, answer.text
    if answer.status_code in (409, 422):
        assert answer.json()["code"] in {*Refusal, "match_not_over"}, answer.text
