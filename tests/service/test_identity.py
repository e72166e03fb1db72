"""Who asks: tokens of each kind, and apps that act for their players."""

from __future__ import annotations

import pytest

from domain.ports import Principal
from service.identity import CACHE_SECONDS, Identity, Kind, new_token, token_hash
from service.problems import ProblemError
from tests.service.support import Client, House

pytestmark = pytest.mark.anyio


class CountingRegistry:
    """A registry that knows one token and counts the look-ups."""

    def __init__(self, token: str) -> None:
        self.known = {token_hash(token): Principal(Kind.PLAYER, bytes(16))}
        self.asked = 0

    async def principal(self, token_hash: bytes, now: int) -> Principal | None:
        self.asked += 1
        return self.known.get(token_hash)


@pytest.mark.parametrize(
    "authorization",
    ["Bearer", "Bearer ", "Basic YTpi", "talon_abc", "Bearer talon_unknown", "Bearer a b", "\x00"],
)
async def test_a_token_that_is_none_is_401_and_says_how(talon: House, authorization: str) -> None:
    answer = await talon.stranger.get("/v1/players/me", Authorization=authorization)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith('Bearer realm="talon"')
    assert answer.json()["code"] in ("token_required", "token_invalid")


async def test_a_wrong_token_is_refused_where_none_is_needed(talon: House) -> None:
    answer = await talon.stranger.get("/v1/matches", Authorization="Bearer talon_unknown")

    assert (answer.status_code, answer.json()["code"]) == (401, "token_invalid")


async def test_the_scheme_may_be_written_in_any_case(ann: Client) -> None:
    answer = await ann.http.get(
        "/v1/players/me", headers={"Authorization": f"bEaReR   {ann.token}"}
    )

    assert answer.status_code == 200


async def test_a_token_is_looked_up_once_in_a_while() -> None:
    token = new_token()
    registry = CountingRegistry(token)
    identity = Identity(registry)  # type: ignore[arg-type]
    later = CACHE_SECONDS * 1_000_000

    for now in (0, later - 1):
        await identity.caller(f"Bearer {token}", None, now)
    assert registry.asked == 1

    registry.known.clear()
    with pytest.raises(ProblemError):
        await identity.caller(f"Bearer {token}", None, later)


async def test_an_app_acts_for_its_own_players(talon: House, ann: Client) -> None:
    app = await talon.holder(Kind.APP)
    made = (await app.post("/v1/players", {"name": "Zoe"})).json()

    me = await app.get("/v1/players/me", Talon_Player=made["player_id"])
    match = await talon.table(ann, ann, seats=2)
    joined = await app.post(f"/v1/matches/{match}/seats", Talon_Player=made["player_id"])

    assert (me.json()["name"], me.json()["by_app"]) == ("Zoe", True)
    assert joined.json()["seat"] == 1


async def test_an_app_does_not_act_for_others(talon: House, ann: Client) -> None:
    app, other = await talon.holder(Kind.APP), await talon.holder(Kind.APP)
    zoe = (await other.post("/v1/players", {"name": "Zoe"})).json()["player_id"]

    for player in (ann.id, zoe, "01890a5d-ac96-774b-bcce-b302099a8057"):
        answer = await app.get("/v1/players/me", Talon_Player=player)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert (await app.get("/v1/players/me", Talon_Player="zoe")).status_code == 400


async def test_only_an_app_names_a_player(talon: House, ann: Client, bob: Client) -> None:
    assert (await ann.get("/v1/players/me", Talon_Player=bob.id)).status_code == 403
    assert (await talon.stranger.get("/v1/players/me", Talon_Player=bob.id)).status_code == 401


@pytest.mark.parametrize("kind", [Kind.APP, Kind.AUDITOR, Kind.OPERATOR])
async def test_who_is_no_player_has_no_seat(talon: House, ann: Client, kind: Kind) -> None:
    match = await talon.table(ann)
    holder = await talon.holder(kind)

    for method, path in (
        ("GET", "/v1/players/me"),
        ("POST", f"/v1/matches/{match}/seats"),
        ("POST", f"/v1/matches/{match}/start"),
        ("GET", f"/v1/matches/{match}/actions"),
    ):
        answer = await holder.call(method, path)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed"), path


async def test_an_app_sets_up_a_table_for_others_and_starts_it(
    talon: House, ann: Client, bob: Client
) -> None:
    app = await talon.holder(Kind.APP)
    made = await app.post("/v1/matches", {"seats": 3, "bots": ["random"]})
    match = made.json()["match_id"]

    for person in (ann, bob):
        await person.post(f"/v1/matches/{match}/seats")
    started = await app.post(f"/v1/matches/{match}/start")

    assert made.json()["seat"] is None
    assert started.json()["view"]["status"] == "running"
    assert "you" not in started.json()["view"]
