"""Cases of what others are shown, over HTTP. Every card of these positions is told apart by all."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from domain.cards import Card
from tests.service.streaming import streamed
from tests.service.support import Client, House, Placed

pytestmark = pytest.mark.anyio
A, B, C = range(3)
HANDS = ("R1 R2 R3", "B1 B2 B3", "G1 G2 G3")
PILE = "Y1 Y2 Y3 Y4 Y5 Y6"
_CARD = re.compile('"(' + "|".join(sorted(Card, key=len, reverse=True)) + ')"')


def cards_in(*texts: str) -> set[str]:
    """Every card that these answers name."""
    return {card for text in texts for card in _CARD.findall(text)}


async def table_of_three(talon: House) -> Placed:
    return await talon.placed(*HANDS, top="R9", draw_pile=PILE, exact_pile=True)


async def test_no_answer_names_a_card_of_another(talon: House) -> None:
    """Case 149: view, play, draw, error, stream and lobby, for A, B and nobody."""
    table = await table_of_three(talon)
    path = f"/v1/matches/{table.match}"
    played = await table.send(A, "play_card", card="R1")
    error = await table.send(A, "play_card", card="R2")
    drawn = await table.send(B, "draw_card")
    assert (played.status_code, error.status_code, drawn.status_code) == (200, 409, 200)
    assert cards_in(played.text) <= {"R9", *["R1", "R2", "R3"]}
    assert cards_in(error.text) <= {*["R2", "R3"]}
    assert cards_in(drawn.text) <= {"R1", *["B1", "B2", "B3", "Y1"]}

    past = len(await table.events())
    everybody = {"R9", "R1"}
    mine: list[tuple[Client, set[str]]] = [
        (table.persons[A], {"R1", "R2", "R3"}),
        (table.persons[B], {"B1", "B2", "B3", "Y1"}),
        (talon.stranger, set()),
    ]
    for who, own in mine:
        async with streamed(talon, who, f"{path}/events/stream") as stream:
            await stream.until(past)
        reads = ("", "/view", "/events", "/events?format=stored")
        answers = [(await who.get(path + read)).text for read in reads]
        answers.append((await who.get("/v1/matches?status=running")).text)
        assert cards_in(stream.text, *answers) <= everybody | own
        if own:
            assert own <= cards_in(*answers) | everybody


async def test_a_spectator_sees_no_faces_in_any_round(talon: House) -> None:
    """Case 150: not over a change of rounds either."""
    table = await talon.placed("R1", "B1", "G1", top="R9", said_uno=(A,))
    spectator = await talon.person("Spectator")
    for _ in range(2):
        view = await spectator.view(table.match)
        assert "you" not in view and "legal" not in view
        assert cards_in(json.dumps(view)) == {view["top"]}
        if view["round"] == 1:
            await table.plays(A, "R1")
    assert view["round"] == 2
    last = (await spectator.history(table.match))[-1]
    assert not any("mine" in one for one in await spectator.history(table.match))
    assert last["version"] == view["version"]


async def test_history_and_older_states_are_each_viewers_own(talon: House) -> None:
    """Case 152: in mid-round C asks for everything from the first event on, and for the past."""
    table = await table_of_three(talon)
    await table.plays(A, "R1")
    await table.does(B, "draw_card")
    version = (await table.does(B, "pass_turn"))["version"]
    allowed = {"R9", "R1", "G1", "G2", "G3"}

    history = await table.events(C)
    past = []
    for at in range(1, version + 1):
        answer = await table.persons[C].get(f"/v1/matches/{table.match}/view?at={at}")
        assert answer.status_code == 200
        past.append(answer.text)

    assert [one["version"] for one in history] == list(range(1, version + 1))
    assert cards_in(json.dumps(history), *past) == allowed
    assert "seed_revealed" not in [one["type"] for one in history]


async def test_others_learn_how_many_were_drawn_and_not_which(talon: House) -> None:
    """Case 153: B draws and keeps a card; C's stream tells the number."""
    table = await table_of_three(talon)
    await table.plays(A, "R1")
    past = len(await table.events())
    path = f"/v1/matches/{table.match}/events/stream?after={past}"
    async with streamed(talon, table.persons[C], path) as stream:
        await table.does(B, "draw_card")
        await table.does(B, "pass_turn")
        drawn, passed = await stream.until(2)

    assert (drawn["event"]["drawn"], passed["event"]["drew"]) == (1, True)
    assert cards_in(stream.text) == set()


async def test_the_next_person_at_a_browser_sees_their_own_hand(talon: House) -> None:
    """Case 155: no cache may hand one's answer to another."""
    table = await table_of_three(talon)
    path = f"/v1/matches/{table.match}/view"
    first = await table.persons[A].get(path)
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert first.headers["Vary"].startswith("Authorization")

    second = await table.persons[B].get(path, If_None_Match=first.headers["ETag"])

    assert second.status_code == 200 and second.json()["you"]["hand"] == ["B1", "B2", "B3"]
    assert first.headers["ETag"] != second.headers["ETag"]
    again = await table.persons[A].get(path, If_None_Match=first.headers["ETag"])
    assert again.status_code == 304


async def test_nothing_about_hidden_cards_differs_from_game_to_game(talon: House) -> None:
    """Case 156: of a hundred games a spectator is sent the same but for what lies open."""
    seen = set()
    for number in range(100):
        hidden = Random(number).sample([card for card in Card if card not in ("R9", "WS", "WC")], 6)
        hands = (" ".join(hidden[:3]), " ".join(hidden[3:]))
        table = await talon.placed(*hands, top="R9", turn=number % 2)
        view = await table.table()
        placed = next(one for one in await table.events() if one["type"] == "position_placed")
        seen.add(json.dumps([_without_names(view), _without_names(placed["event"])]))
        assert cards_in(json.dumps([view, await table.events()])) == {"R9"}
    assert len(seen) == 2  # one for each whose turn it is


def _without_names(told: dict[str, Any]) -> dict[str, Any]:
    """Less what is each match's own: its id, its persons, its seal."""
    kept = {name: value for name, value in told.items() if name not in ("match_id", "fairness")}
    if "seats" in kept:
        kept["seats"] = [
            {name: value for name, value in seat.items() if name != "player_id"}
            for seat in kept["seats"]
        ]
    return kept
