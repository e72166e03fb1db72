"""Apps are told of their tournaments, and of those that their players have entered."""

from __future__ import annotations

import pytest
from jsonschema import validate

from service import openapi
from tests.service.support import Client, House
from tests.service.test_webhooks import app, inbox, path_of, player_of, talon, until, webhook
from tests.service.tournaments import set_up
from tests.webhooks.receiver import Receiver

__all__ = ["app", "inbox", "talon"]
pytestmark = pytest.mark.anyio

TYPES = ("tournament_started", "table_opened", "tournament_finished")


async def test_an_app_is_told_how_a_tournament_of_its_player_goes(
    talon: House, app: Client, inbox: Receiver
) -> None:
    made = await webhook(app, inbox, *TYPES)
    stranger, ann = await talon.person("Stranger"), await player_of(app, "Ann")
    held = await set_up(stranger, bots=["random"])
    await held.enter(ann)
    await held.does("/start")
    (table,) = await held.tables()
    await ann.call("DELETE", f"{held.path}/entrants/me")
    await held.over()

    await until(lambda: inbox.told("tournament_finished"))

    document = openapi.document()
    for type in TYPES:
        (letter,) = inbox.told(type)
        assert letter["data"]["tournament_id"] == held.id
        assert letter["data"]["players"] == [{"entrant": 1, "player_id": ann.id}]
        body = document["webhooks"][type]["post"]["requestBody"]["content"]["application/json"]
        validate(letter, {**body["schema"], "components": document["components"]})
    (opened,) = inbox.told("table_opened")
    assert opened["data"]["event"]["match"] == table["match_id"].replace("-", "")
    deliveries = (await app.get(path_of(made, "deliveries"))).json()["items"]
    assert {one["tournament_id"] for one in deliveries} == {held.id}
    assert {one["match_id"] for one in deliveries} == {None}


async def test_an_app_is_told_nothing_of_tournaments_of_others(
    talon: House, app: Client, inbox: Receiver
) -> None:
    await webhook(app, inbox)
    held = await set_up(await talon.person("Stranger"), bots=["random", "random"])
    await held.does("/start")
    await held.over()
    mine = await set_up(app, bots=["random", "random"])
    await mine.does("/start")

    await until(lambda: inbox.told("tournament_finished"))

    about = {one["data"].get("tournament_id") for one in inbox.told()}
    assert about <= {mine.id, None}
