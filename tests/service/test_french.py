"""Problems for readers of French: other words, and nothing else that is different."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from domain.refusals import Refusal
from service import french, problems
from service.errors import reply_to
from service.problems import Code
from tests.service.streaming import streamed
from tests.service.support import QUICK, Client, House, house
from tests.service.talking import talking

pytestmark = pytest.mark.anyio

WORDS = ("title", "detail", "errors")
"""What is for people; all else is for programs."""


def for_programs(problem: dict[str, Any]) -> dict[str, Any]:
    """A problem without its words; of the errors, where they are."""
    kept = {name: value for name, value in problem.items() if name not in WORDS}
    return kept | {"pointers": [one["pointer"] for one in problem.get("errors", ())]}


def is_french(answer: httpx.Response, detail: str) -> bool:
    """Whether an answer says this in French, and that it does."""
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["content-language"] == "fr", problem
    assert "Accept-Language" in answer.headers["vary"]
    assert problem["detail"] == detail
    known = problems.find(problem["code"])
    assert known is not None and problem["title"] == french.title(known)
    return True


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("fr", "fr"),
        ("fr-CA", "fr"),
        ("FR-ca;q=0.9, en;q=0.3", "fr"),
        ("de, fr;q=0.2", "fr"),
        ("en", "en"),
        ("fr;q=0.2, en;q=0.9", "en"),
        ("fr;q=0", "en"),
        ("de", "en"),
        ("*", "en"),
    ],
)
async def test_problems_are_in_the_language_that_is_preferred(
    talon: House, accept: str, language: str
) -> None:
    answer = await talon.stranger.get("/v1/rules/TURN-99", Accept_Language=accept)

    assert answer.headers["content-language"] == language
    assert "Accept-Language" in answer.headers["vary"]
    says = {"fr": "Il n’y a rien ici, ou ce n’est pas à vous.", "en": "There is nothing here"}
    assert answer.json()["detail"].startswith(says[language])


def test_what_a_problem_depends_on_otherwise_is_told_as_well() -> None:
    failed = problems.fail(Code.NOT_FOUND, "Nobody sat there.", headers={"Vary": "Accept"})
    scope: Any = {"state": {}, "headers": [(b"accept-language", b"fr")]}

    headers = list(reply_to(scope, failed).headers)

    assert dict(headers)["Vary"] == "Accept, Accept-Language" and len(headers) == 2


async def test_who_names_no_language_reads_english(talon: House) -> None:
    answer = await talon.stranger.get("/v1/nothing")

    assert answer.headers["content-language"] == "en"
    assert answer.json()["title"] == "There is nothing here, or it is not yours"


async def test_a_request_that_is_wrong_is_told_so_in_french(talon: House, ann: Client) -> None:
    match = await talon.table(ann)
    commands = f"/v1/matches/{match}/commands"
    asked: list[tuple[int, str, str, dict[str, Any]]] = [
        (404, "GET", "/v1/nothing", {}),
        (405, "PUT", "/v1/matches", {}),
        (415, "POST", commands, {"content": "draw"}),
        (400, "POST", commands, {"content": "{]", "headers": {"Content-Type": "application/json"}}),
        (400, "POST", commands, {"json": {"type": "draw_card"}, "headers": {"If-Match": "17,"}}),
        (401, "GET", "/v1/players/me", {"headers": {"Authorization": ""}}),
        (403, "POST", "/v1/keys", {"json": {"kind": "app", "name": "An app"}}),
        (412, "GET", f"/v1/matches/{match}/view?min_version=1000", {}),
        (413, "POST", commands, {"content": "x" * 20_000}),
        (422, "POST", commands, {"json": {"type": "catch_uno", "seat": 77}}),
        (422, "POST", commands, {"json": {"type": "cheat"}}),
        (422, "GET", "/v1/matches?page=2", {}),
    ]
    for status, method, path, sent in asked:
        head = ann.headers | sent.pop("headers", {})
        english = await talon.http.request(method, path, headers=head, **sent)
        head |= {"Accept-Language": "fr"}
        translated = await talon.http.request(method, path, headers=head, **sent)

        assert english.status_code == translated.status_code == status, english.text
        assert english.headers["content-language"] == "en"
        assert is_french(translated, french.detail(english.json()["detail"]))
        assert translated.json()["detail"] != english.json()["detail"]
        assert for_programs(translated.json()) == for_programs(english.json())


async def test_an_invalid_field_is_told_in_french_what_is_allowed(
    talon: House, ann: Client
) -> None:
    match = await talon.table(ann)

    answer = await ann.command(
        match, {"type": "play_card", "card": "W", "color": "pink"}, Accept_Language="fr"
    )

    assert answer.status_code == 422
    allowed = "Il faut ici l’un de `red`, `yellow`, `green`, `blue` ou null."
    assert is_french(answer, allowed)
    assert answer.json()["errors"] == [{"pointer": "#/color", "detail": allowed}]


async def test_a_refusal_by_the_rules_is_french_and_names_the_same_rule(talon: House) -> None:
    table = await talon.placed("G1 R2", "G3 R4", top="R7")
    french_player = table.persons[0]

    english = await table.send(0, "play_card", card="G1")
    french_player.headers["Accept-Language"] = "fr-CA, en;q=0.5"
    translated = await table.send(0, "play_card", card="G1")

    assert english.status_code == translated.status_code == 409
    assert is_french(translated, "La carte ne suit ni la couleur ni le symbole.")
    assert translated.json()["title"] == "La carte doit convenir"
    assert for_programs(translated.json()) == for_programs(english.json())
    assert translated.json()["rule"] == "TURN-1" and translated.json()["playable"] == ["R2"]


async def test_who_asks_for_too_much_is_told_in_french_when_to_come_back() -> None:
    async with house(replace(QUICK, limit_address=2)) as talon:
        answers = [await talon.stranger.get("/v1/matches", Accept_Language="fr") for _ in range(20)]
        refused = next(answer for answer in answers if answer.status_code == 429)
        seconds = refused.headers["retry-after"]
        again = f"il y aura de nouveau de la place dans {seconds} s."
        assert is_french(refused, f"La limite `address` est épuisée ; {again}")


async def test_a_socket_speaks_french_with_who_asked_for_it(
    talon: House, ann: Client, bob: Client
) -> None:
    match = await talon.finished(ann, bob)

    async with talking(talon, ann, match, "after=100000000", Accept_Language="fr") as socket:
        assert socket.refusal is not None
        assert socket.refusal["title"] == french.title(Code.VERSION_NOT_REACHED)
    open_match = await talon.running(ann, bob)
    async with talking(talon, ann, open_match, Accept_Language="fr") as socket:
        told = await socket.asks("1", {"type": "cheat"})
        assert told["problem"]["code"] == "invalid_field"
        assert told["problem"]["detail"].startswith("Il faut ici l’un de `play_card`")
    async with talking(talon, ann, match, Accept_Language="fr") as socket:
        assert await socket.closed() == 1000
        assert socket.told[-1]["detail"] == "La partie est finie, et c’était tout."


async def test_a_stream_says_in_french_why_it_ends(talon: House, ann: Client, bob: Client) -> None:
    path = f"/v1/matches/{await talon.finished(ann, bob)}/events/stream"

    async with streamed(talon, ann, path, Accept_Language="fr") as stream:
        assert await stream.ended() == "match_over"

    assert stream.end is not None
    assert stream.end["detail"] == "La partie est finie, et c’était tout."


async def test_what_every_problem_means_can_be_read_in_french(talon: House) -> None:
    for code in problems.ALL:
        answer = await talon.stranger.get(problems.type_of(code), Accept_Language="fr")
        meaning = answer.json()
        assert answer.headers["content-language"] == "fr"
        assert answer.headers["vary"] == "Accept-Language"
        assert (meaning["code"], meaning["title"]) == (code, french.title(code))
        if isinstance(code, Refusal):
            assert meaning["detail"] == french.detail(code.detail)


async def test_why_options_do_not_go_together_is_told_in_french(talon: House) -> None:
    english = (await talon.stranger.get("/v1/rules")).json()["refused"]
    translated = (await talon.stranger.get("/v1/rules", Accept_Language="fr")).json()["refused"]

    assert [one["code"] for one in translated] == [one["code"] for one in english]
    for one, other in zip(english, translated, strict=True):
        assert other["detail"] == french.detail(one["detail"]) != one["detail"]
