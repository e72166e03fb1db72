"""What clients look up: rules, rulings, cards, limits, problems, boards, health, the page."""

from __future__ import annotations

import pytest

from domain import limits, rulebook
from domain.cards import Card
from domain.refusals import Refusal
from service import problems
from service.problems import Code
from tests.service.support import Client, House

pytestmark = pytest.mark.anyio


async def test_every_rule_that_a_refusal_cites_can_be_read(talon: House) -> None:
    for rule in {refusal.rule for refusal in Refusal if refusal.rule}:
        answer = await talon.stranger.get(f"/v1/rules/{rule}")
        assert answer.json()["id"] == rule
        assert answer.json()["text"]
        assert answer.json()["sources"]


async def test_rules_are_read_in_english_or_french(talon: House) -> None:
    answers = {
        accept: await talon.stranger.get("/v1/rules/TURN-1", Accept_Language=accept)
        for accept in ("fr", "fr-CA,en;q=0.5", "en", "de", "fr;q=0.2, en;q=0.9", "*", "fr;q=x")
    }

    languages = {accept: answer.headers["content-language"] for accept, answer in answers.items()}
    assert languages == {
        "fr": "fr",
        "fr-CA,en;q=0.5": "fr",
        "en": "en",
        "de": "en",
        "fr;q=0.2, en;q=0.9": "en",
        "*": "en",
        "fr;q=x": "en",
    }
    assert answers["fr"].json()["text"] != answers["en"].json()["text"]
    assert answers["fr"].headers["vary"] == "Accept-Language"


async def test_all_rules_options_and_rulings_are_listed(talon: House) -> None:
    rules = (await talon.stranger.get("/v1/rules")).json()
    rulings = (await talon.stranger.get("/v1/rulings")).json()

    listed = [rule["id"] for chapter in rules["chapters"] for rule in chapter["rules"]]
    assert listed == [rule.id for rule in rulebook.rules()]
    assert {option["name"] for option in rules["options"]} == {
        option.name for option in rulebook.options()
    }
    assert len(rulings["items"]) == len(rulebook.rulings())


async def test_the_cards_are_listed_with_points_and_both_names(talon: House) -> None:
    items = (await talon.stranger.get("/v1/cards")).json()["items"]

    assert [item["code"] for item in items] and {item["code"] for item in items} == set(Card)
    (skip,) = (item for item in items if item["code"] == "RS")
    assert (skip["color"], skip["points"], skip["names"].keys()) == ("red", 20, {"en", "fr"})


async def test_the_limits_are_those_of_the_code(talon: House) -> None:
    items = (await talon.stranger.get("/v1/limits")).json()["items"]

    assert {item["name"]: item["value"] for item in items}["body_bytes"] == limits.BODY_BYTES


async def test_the_type_of_every_problem_answers_with_its_meaning(talon: House) -> None:
    for code in problems.ALL:
        answer = (await talon.stranger.get(problems.type_of(code))).json()
        assert (answer["code"], answer["status"]) == (code, problems.status_of(code))
        assert answer["title"] == problems.title_of(code)
    assert (await talon.stranger.get("/problems/unheard_of")).status_code == 404


def test_every_code_has_an_error_status_and_no_two_are_alike() -> None:
    codes = [str(code) for code in problems.ALL]

    assert len(set(codes)) == len(codes) == len(Code) + len(Refusal)
    assert all(400 <= problems.status_of(code) < 600 for code in problems.ALL)


async def test_who_wins_stands_on_the_boards(talon: House, ann: Client, bob: Client) -> None:
    match = await talon.finished(ann, bob)
    view = await ann.view(match)
    await talon.caught_up()

    boards = (await talon.stranger.get("/v1/leaderboards")).json()["items"]
    points = (await talon.stranger.get("/v1/leaderboards/points")).json()["items"]
    won = (await talon.stranger.get("/v1/leaderboards/matches_won")).json()["items"]
    mine = await ann.get("/v1/leaderboards/points?around=me")
    nobody = await talon.stranger.get("/v1/leaderboards/points?around=me")

    assert [board["id"] for board in boards] == ["points", "matches_won", "rounds_won", "rating"]
    by_player = {line["player_id"]: line["points"] for line in points}
    assert by_player == dict(zip((ann.id, bob.id), view["scores"], strict=True))
    winner = view["result"]["winners"][0]
    assert (won[0]["name"], won[0]["rank"]) == (("Ann", "Bob")[winner], 1)
    assert mine.status_code == 200
    assert nobody.status_code == 401
    assert (await talon.stranger.get("/v1/leaderboards/luck")).status_code == 404
    profile = (await talon.stranger.get(f"/v1/players/{(ann, bob)[winner].id}")).json()
    assert profile["statistics"]["matches_won"] == 1


async def test_a_board_comes_in_pages(talon: House) -> None:
    persons = [await talon.person(f"P{number}") for number in range(4)]
    for first, second in (persons[:2], persons[2:]):
        await talon.finished(first, second)
    await talon.caught_up()

    whole = (await talon.stranger.get("/v1/leaderboards/points")).json()["items"]
    lines, path = [], "/v1/leaderboards/points?limit=1"
    while path:
        page = await talon.stranger.get(path)
        lines += page.json()["items"]
        path = page.links["next"]["url"] if page.json()["next"] else ""

    assert lines == whole
    assert len(lines) >= 2


async def test_health_needs_no_token_and_is_not_kept(talon: House) -> None:
    live, ready = [await talon.stranger.get(f"/health/{name}") for name in ("live", "ready")]

    assert live.json() == {"status": "live"}
    assert ready.json()["status"] == "ready"
    assert ready.headers["cache-control"] == "no-store"


async def test_the_page_loads_nothing_from_elsewhere(talon: House) -> None:
    page = await talon.stranger.get("/docs")

    assert page.headers["content-type"].startswith("text/html")
    assert "connect-src 'self'" in page.headers["content-security-policy"]
    parts = [part.split('"')[0] for part in page.text.split('src="')[1:]]
    parts += [part.split('"')[0] for part in page.text.split('rel="stylesheet" href="')[1:]]
    for part in parts:
        assert part.startswith("/docs/")
        assert (await talon.stranger.get(part)).status_code == 200
    assert "validatorUrl: null" in (await talon.stranger.get("/docs/start.js")).text
    assert (await talon.stranger.get("/docs/..%2Fpages.py")).status_code == 404
