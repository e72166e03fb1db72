"""The demonstration against a real service: it passes an honest one and finds a lying one out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.cli.demo import play_and_verify
from service.cli.demo.client import Client, Response
from service.cli.demo.own_service import own_service
from service.cli.demo.wire import DemoError
from service.cli.main import main

pytestmark = [pytest.mark.anyio, pytest.mark.servers]


@pytest.fixture(scope="module")
def url(module_database: str, redis_url: str) -> Iterator[str]:
    """The address of a service of this module's own."""
    settings = {
        "TALON_DATABASE_URL": module_database,
        "TALON_REDIS_URL": redis_url,
        "TALON_REDIS_PREFIX": "talon-test-demo",
    }
    with asyncio.Runner() as runner, ExitStack() as stack:
        service = own_service(settings)
        own = runner.run(service.__aenter__())
        stack.callback(lambda: runner.run(service.__aexit__(None, None, None)))
        yield own.url


@pytest.fixture
async def client(url: str) -> AsyncIterator[Client]:
    client = Client(url)
    yield client
    client.close()


class LyingClient(Client):
    """A client of a service that shows another card in one of the histories it hands out."""

    async def request(self, method: str, path: str, **given: Any) -> Response:
        response = await super().request(method, path, **given)
        if "format=stored" not in path:
            return response
        page = msgspec.json.decode(response.body)
        for item in page["items"]:
            if item["type"] == "card_played":
                item["event"]["card"] = "R0" if item["event"]["card"] != "R0" else "R1"
                item["data"] = msgspec.json.encode(item["event"]).decode()
                break
        return replace(response, body=msgspec.json.encode(page))


class ForgetfulClient(Client):
    """A client of a service that carries a command out again under the same key."""

    async def request(self, method: str, path: str, **given: Any) -> Response:
        response = await super().request(method, path, **given)
        if response.header("Idempotent-Replayed") is None:
            return response
        return replace(response, body=response.body + b" ")


async def test_a_match_of_two_is_played_and_verified(client: Client) -> None:
    lines: list[str] = []

    outcome, report = await play_and_verify(client, 2, 60, Random(5), lines.append)

    assert outcome.verified, report.text()
    assert max(outcome.scores) >= 60
    assert outcome.winner == outcome.scores.index(max(outcome.scores))
    assert len([line for line in lines if line.startswith("round ")]) == outcome.rounds
    assert outcome.events > outcome.commands >= 7, "whoever goes out has laid seven cards"


async def test_a_history_with_another_card_is_not_verified(url: str) -> None:
    client = LyingClient(url)

    outcome, report = await play_and_verify(client, 2, 50, Random(6), lambda line: None)

    client.close()
    assert not outcome.verified
    assert "BAD hash chain" in report.text()


async def test_a_retry_that_is_answered_otherwise_is_an_error(url: str) -> None:
    client = ForgetfulClient(url)

    with pytest.raises(DemoError, match="sent again under its key, the answer differs"):
        await play_and_verify(client, 4, 500, Random(7), lambda line: None)
    client.close()


async def test_a_refusal_is_told_in_the_words_of_the_service(client: Client) -> None:
    with pytest.raises(DemoError, match=r"setting up the match: 422 .+"):
        await play_and_verify(client, 11, 60, Random(8), lambda line: None)


def test_the_command_prints_one_line_of_json(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["demo", "--url", url, "--seats", "3", "--target", "50", "--seed", "9", "--json"])

    out, err = capsys.readouterr()
    assert code == 0, err
    assert out.count("\n") == 1
    printed = msgspec.json.decode(out)
    assert list(printed) == [
        "match_id",
        "rounds",
        "winner",
        "scores",
        "events",
        "commands",
        "seconds",
        "verified",
    ]
    assert printed["verified"] is True
    assert "ok  hash chain" in err


def test_nobody_there_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["demo", "--url", "http://127.0.0.1:1", "--json"])

    out, err = capsys.readouterr()
    assert (code, out) == (1, "")
    assert err.startswith("talon: 127.0.0.1:1: ") and err.count("\n") == 1


@pytest.mark.parametrize("words", [["--seats", "1"], ["--seats", "11"], ["--target", "many"]])
def test_wrong_numbers_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(["demo", *words])

    assert exit.value.code == 2
    assert "is not a number from" in capsys.readouterr().err
