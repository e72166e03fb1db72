"""What any registry must do, in memory and on Postgres alike."""

from __future__ import annotations

import pytest

from domain.ports import MatchFacts, Player, Principal, Registry, SeatHolder, TokenFacts
from tests.contract.pen import Time, fresh_id

pytestmark = [pytest.mark.anyio, pytest.mark.servers]

NOW = 1_700_000_000_000_000
DAY = 86_400_000_000
ANN = Player(id=b"A" * 16, name="Ann", app=None, created_at=NOW)
BOB = Player(id=b"B" * 16, name="Bob", app=b"P" * 16, created_at=NOW + 1)


def holder(match: bytes, player: Player, salt: bytes = b"salt" * 4) -> SeatHolder:
    return SeatHolder(match, player.id, salt, salt.hex())


async def test_a_plan_is_kept_and_a_retry_gets_it_back(registry: Registry) -> None:
    asked = ("anonymous", "POST /players", "key")
    first = await registry.reserve(*asked, b"print", b"plan", NOW + DAY)
    retry = await registry.reserve(*asked, b"other", b"another plan", NOW + DAY)
    assert first == (b"print", b"plan", True)
    assert retry == (b"print", b"plan", False)


async def test_plans_differ_by_principal_route_and_key(registry: Registry) -> None:
    for principal, route, key in (
        ("a", "r", "k"),
        ("b", "r", "k"),
        ("a", "s", "k"),
        ("a", "r", "l"),
    ):
        plan = (principal + route + key).encode()
        kept = await registry.reserve(principal, route, key, b"f", plan, NOW + DAY)
        assert kept == (b"f", plan, True)


async def test_a_plan_that_has_run_out_makes_room(registry: Registry, time: Time) -> None:
    await registry.reserve("a", "r", "k", b"old", b"old plan", NOW + DAY)
    time.now = NOW + DAY
    kept = await registry.reserve("a", "r", "k", b"new", b"new plan", NOW + 2 * DAY)
    assert kept == (b"new", b"new plan", True)
    again = await registry.reserve("a", "r", "k", b"new", b"third", NOW + 3 * DAY)
    assert again == (b"new", b"new plan", False)


async def test_a_player_is_stored_once(registry: Registry) -> None:
    await registry.add_player(ANN, b"hash")
    await registry.add_player(Player(ANN.id, "Other", None, NOW + 5), b"other hash")
    await registry.add_player(BOB, None)
    assert await registry.players([ANN.id, BOB.id, fresh_id()]) == {ANN.id: ANN, BOB.id: BOB}
    assert await registry.principal(b"hash", NOW) == Principal("player", ANN.id)
    assert await registry.principal(b"other hash", NOW) is None


async def test_the_valid_tokens_of_somebody_are_listed_newest_first(registry: Registry) -> None:
    mine, other = Principal("player", fresh_id()), Principal("player", fresh_id())
    old, new, brief, theirs = (fresh_id() for _ in range(4))
    await registry.add_token(old, mine, NOW, None)
    await registry.add_token(new, mine, NOW + 2, NOW + DAY)
    await registry.add_token(brief, mine, NOW + 1, NOW + 3)
    await registry.add_token(theirs, other, NOW, None)

    listed = await registry.tokens_of(mine, NOW + 3, 10)

    assert listed == (TokenFacts(new, NOW + 2, NOW + DAY), TokenFacts(old, NOW, None))
    assert await registry.tokens_of(mine, NOW + 3, 1) == listed[:1]


async def test_a_revoked_token_is_over_and_no_retry_brings_it_back(registry: Registry) -> None:
    mine, other = Principal("player", fresh_id()), Principal("player", fresh_id())
    token, kept = fresh_id(), fresh_id()
    await registry.add_token(token, mine, NOW, None)
    await registry.add_token(kept, mine, NOW, None)

    await registry.revoke_token(token, other, NOW + 1)
    assert await registry.principal(token, NOW + 2) == mine

    for _ in range(2):
        await registry.revoke_token(token, mine, NOW + 2)
    await registry.add_token(token, mine, NOW, None)

    assert await registry.principal(token, NOW + 2) is None
    assert await registry.tokens_of(mine, NOW + 2, 10) == (TokenFacts(kept, NOW, None),)


async def test_a_token_stands_for_somebody_until_it_runs_out(registry: Registry) -> None:
    app = Principal("app", b"P" * 16)
    await registry.add_app(app.id, "A backend")
    await registry.add_app(app.id, "The same again")
    await registry.add_token(b"forever", app, NOW, None)
    await registry.add_token(b"brief", Principal("auditor", b"Q" * 16), NOW, NOW + DAY)
    await registry.add_token(b"brief", app, NOW, None)  # a repetition changes nothing
    assert await registry.principal(b"forever", NOW + 1000 * DAY) == app
    assert await registry.principal(b"brief", NOW + DAY - 1) == Principal("auditor", b"Q" * 16)
    assert await registry.principal(b"brief", NOW + DAY) is None
    assert await registry.principal(b"unknown", NOW) is None


async def test_a_player_may_be_renamed(registry: Registry) -> None:
    await registry.add_player(ANN, None)
    await registry.rename_player(ANN.id, "Änne 🂡")
    await registry.rename_player(BOB.id, "Nobody")
    found = await registry.players([ANN.id, BOB.id])
    assert {id: player.name for id, player in found.items()} == {ANN.id: "Änne 🂡"}


async def test_of_an_erased_player_nothing_leads_to_the_log(registry: Registry) -> None:
    match, other = fresh_id(), fresh_id()
    await registry.add_player(ANN, b"first")
    await registry.add_player(BOB, b"bob")
    await registry.add_token(b"second", Principal("player", ANN.id), NOW, None)
    await registry.add_match(MatchFacts(match, ANN.id, None, None, ()))
    await registry.add_match(MatchFacts(other, BOB.id, None, None, ()))
    await registry.hold_seat(holder(match, ANN))
    await registry.hold_seat(holder(match, BOB))
    who = f"player:{ANN.id.hex()}"
    await registry.reserve(who, "r", "k", b"f", b"a plan with a salt", NOW + DAY)

    await registry.erase_player(ANN.id)

    assert (await registry.players([ANN.id]))[ANN.id].name is None
    assert await registry.principal(b"first", NOW) is None
    assert await registry.principal(b"second", NOW) is None
    assert await registry.seat_holders(match) == (holder(match, BOB),)
    assert await registry.matches_of(ANN.id, None, 10) == ()
    assert await registry.match_facts(match) == MatchFacts(match, None, None, None, ())
    assert (await registry.reserve(who, "r", "k", b"g", b"h", NOW + DAY))[2] is True
    assert await registry.principal(b"bob", NOW) == Principal("player", BOB.id)
    facts = await registry.match_facts(other)
    assert facts is not None and facts.created_by == BOB.id


async def test_no_retry_brings_an_erased_player_back(registry: Registry) -> None:
    await registry.add_player(ANN, b"first")
    await registry.erase_player(ANN.id)
    await registry.add_player(ANN, b"first")
    await registry.add_token(b"second", Principal("player", ANN.id), NOW, None)
    await registry.rename_player(ANN.id, "Ann")
    assert (await registry.players([ANN.id]))[ANN.id].name is None
    assert await registry.principal(b"first", NOW) is None
    assert await registry.principal(b"second", NOW) is None


async def test_erasing_twice_or_a_stranger_changes_nothing(registry: Registry) -> None:
    await registry.add_player(BOB, b"bob")
    await registry.erase_player(ANN.id)
    await registry.erase_player(ANN.id)
    assert await registry.players([ANN.id, BOB.id]) == {BOB.id: BOB}


async def test_facts_of_a_match_are_stored_once(registry: Registry) -> None:
    match = fresh_id()
    facts = MatchFacts(match, ANN.id, BOB.app, b"invite", ("ladder", "été"), 60)
    await registry.add_match(facts)
    await registry.add_match(MatchFacts(match, BOB.id, None, None, ()))
    assert await registry.match_facts(match) == facts
    assert await registry.match_facts(fresh_id()) is None


async def test_the_first_mapping_of_a_person_to_a_match_stands(registry: Registry) -> None:
    match = fresh_id()
    first = await registry.hold_seat(holder(match, ANN, b"1" * 16))
    again = await registry.hold_seat(holder(match, ANN, b"2" * 16))
    assert first == again == holder(match, ANN, b"1" * 16)
    assert await registry.seat_holders(match) == (first,)
    assert await registry.seat_holders(fresh_id()) == ()
    assert await registry.seat_holders_of([match, fresh_id()]) == {match: (first,)}


async def test_matches_of_a_person_come_newest_first_page_by_page(registry: Registry) -> None:
    matches = [bytes([number]) * 16 for number in range(1, 6)]
    for match in (matches[2], matches[0], matches[4], matches[1], matches[3]):
        await registry.hold_seat(holder(match, ANN))
    await registry.hold_seat(holder(matches[0], BOB))
    page = await registry.matches_of(ANN.id, None, 2)
    assert page == (matches[4], matches[3])
    assert await registry.matches_of(ANN.id, page[-1], 10) == tuple(matches[2::-1])
    assert await registry.matches_of(BOB.id, None, 10) == (matches[0],)


async def test_nothing_is_stored_for_who_is_being_erased(registry: Registry) -> None:
    match, other = fresh_id(), fresh_id()
    await registry.add_player(ANN, b"first")
    await registry.hold_seat(holder(match, ANN))

    await registry.begin_erasure(ANN.id)

    assert await registry.hold_seat(holder(other, ANN)) is None
    assert await registry.hold_seat(holder(match, ANN)) is None
    await registry.add_token(b"second", Principal("player", ANN.id), NOW, None)
    assert await registry.principal(b"second", NOW) is None
    await registry.add_match(MatchFacts(other, ANN.id, None, None, ()))
    assert await registry.match_facts(other) == MatchFacts(other, None, None, None, ())
    assert (await registry.players([ANN.id]))[ANN.id].name is None
    assert await registry.matches_of(ANN.id, None, 10) == (match,)  # to be left, then forgotten
    assert await registry.principal(b"first", NOW) == Principal("player", ANN.id)  # to ask again


async def test_a_token_is_known_by_its_hash_while_it_is_valid(registry: Registry) -> None:
    mine, token = Principal("player", fresh_id()), fresh_id()
    await registry.add_token(token, mine, NOW, NOW + DAY)

    assert await registry.token(token, NOW) == TokenFacts(token, NOW, NOW + DAY)
    assert await registry.token(token, NOW + DAY) is None
    assert await registry.token(fresh_id(), NOW) is None


async def test_a_match_has_one_rematch(registry: Registry) -> None:
    match, first = fresh_id(), fresh_id()

    assert await registry.rematch(match, first) == first
    assert await registry.rematch(match, fresh_id()) == first
    assert await registry.rematch(fresh_id(), match) == match
