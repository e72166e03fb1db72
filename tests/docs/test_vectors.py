"""The test vectors hold for the product, and for the implementations made from the pages alone."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain import chain, deal, dealing
from domain.cards import Card
from domain.commands import ActorKind
from domain.editions import DECKS, Edition
from domain.events import HandsShuffled, Seat
from domain.facts.hands import hands_shuffled
from domain.facts.rounds import shuffled_hand
from domain.placement import SALT_BYTES, Hidden, hidden_in, secret_of
from service.play.command_ids import command_id
from tests.docs import make_vectors
from tests.spec import started

VECTORS = Path(__file__).parents[2] / "docs" / "vectors"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text())


DEAL = vectors("deal.json")


def cards(codes: str) -> tuple[Card, ...]:
    return tuple(Card(code) for code in codes.split())


@pytest.mark.parametrize("name", ["page_deal.py", "page_chain.py", "page_tree.py"])
def test_the_second_implementations_import_the_standard_library_alone(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / name).read_text())
    imported = {
        alias.name if isinstance(node, ast.Import) else str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported and {module.split(".")[0] for module in imported} <= sys.stdlib_module_names


@pytest.mark.parametrize("name", make_vectors.FILES)
def test_the_files_hold_what_the_pages_say(name: str) -> None:
    made = make_vectors.written(make_vectors.FILES[name]())
    assert (VECTORS / name).read_text() == made


def test_scheme_and_deck() -> None:
    assert DEAL["scheme"] == deal.SCHEME
    assert {Edition(name): cards(codes) for name, codes in DEAL["decks"].items()} == DECKS


@pytest.mark.parametrize("one", DEAL["commitments"])
def test_commitments(one: dict[str, Any]) -> None:
    match, seed = bytes.fromhex(one["match"]), bytes.fromhex(one["seed"])
    assert deal.commitment(match, one["round"], seed) == one["commitment"]


@pytest.mark.parametrize("one", DEAL["keys"])
def test_keys(one: dict[str, Any]) -> None:
    match, seed = bytes.fromhex(one["match"]), bytes.fromhex(one["seed"])
    added = [bytes.fromhex(seed) for seed in one["added"]]
    assert deal.round_key(match, one["round"], seed, added).hex() == one["key"]


@pytest.mark.parametrize("one", DEAL["shuffles"])
def test_shuffles(one: dict[str, Any]) -> None:
    key = bytes.fromhex(one["key"])
    assert deal.shuffled(cards(one["cards"]), key, one["number"]) == cards(one["shuffled"])


def test_one_shuffle_throws_a_word_away() -> None:
    words, deck_size = DEAL["shuffles"][2]["words"], 108
    bounds = [2**32 - 2**32 % (deck_size - index) for index in range(len(words))]
    assert [index for index, word in enumerate(words) if word >= bounds[index]] == [18]


@pytest.mark.parametrize("one", DEAL["orders"])
def test_orders(one: dict[str, Any]) -> None:
    key = bytes.fromhex(one["key"])
    assert deal.order_digest(key, one["number"], cards(one["cards"])) == one["digest"]


@pytest.mark.parametrize("one", DEAL["rounds"])
def test_rounds(one: dict[str, Any]) -> None:
    deck, match, seed = DECKS[Edition.CLASSIC_108], bytes.fromhex(one["match"]), one["seed"]
    added = [bytes.fromhex(seed) for seed in one["added"]]
    assert deal.commitment(match, one["round"], bytes.fromhex(seed)) == one["commitment"]
    key = deal.round_key(match, one["round"], bytes.fromhex(seed), added)
    assert key.hex() == one["key"]
    shuffles, order = 0, tuple(map(Seat, one["order"]))
    if one["draws"] is not None:
        drawn = dealing.draw_for_dealer(deck, key, len(order))
        draws = [[[draw.seat, draw.card] for draw in draws] for draws in drawn.draws]
        assert (draws, drawn.dealer) == (one["draws"], one["dealer"])
        shuffles = drawn.shuffles
    dealt = dealing.deal(
        deck,
        key,
        number=shuffles,
        seats=len(one["hands"]),
        order=order,
        dealer=one["dealer"],
        hand_size=one["hand_size"],
    )
    assert dealt.hands == tuple(map(cards, one["hands"]))
    assert dealt.pile == cards(one["pile"])
    assert (dealt.opening, dealt.put_back, dealt.shuffles, dealt.digest) == (
        one["opening"],
        one["put_back"],
        one["shuffles"],
        one["digest"],
    )


@pytest.mark.parametrize("one", DEAL["positions"])
def test_positions(one: dict[str, Any]) -> None:
    match, secret = bytes.fromhex(one["match"]), bytes.fromhex(one["secret"])
    hidden = Hidden(tuple(map(cards, one["hands"])), cards(one["pile"]))
    assert hidden_in(secret) == hidden
    assert secret_of(secret[:SALT_BYTES], hidden) == secret
    assert deal.commitment(match, one["round"], secret) == one["commitment"]
    added = [b""] * len(hidden.hands)
    assert deal.round_key(match, one["round"], secret, added).hex() == one["key"]


@pytest.mark.parametrize("one", DEAL["reshuffles"])
def test_reshuffles(one: dict[str, Any]) -> None:
    key, under = bytes.fromhex(one["key"]), cards(one["discards"])[:-1]
    pile = deal.shuffled(under, key, one["number"])
    assert pile == cards(one["pile"])
    assert deal.order_digest(key, one["number"], pile) == one["digest"]


@pytest.mark.parametrize("one", DEAL["returned"])
def test_returned_hands(one: dict[str, Any]) -> None:
    round = started(2).round
    assert round is not None
    round = replace(round, key=bytes.fromhex(one["key"]), hands=(cards(one["hand"]), ()))
    shuffled = shuffled_hand(round, Seat(0), one["number"])
    assert shuffled == cards(one["shuffled"])
    assert deal.order_digest(round.key, one["number"], shuffled) == one["digest"]


@pytest.mark.parametrize("one", DEAL["hands"])
def test_shuffled_hands(one: dict[str, Any]) -> None:
    """SHUF-1."""
    match = started(5)
    assert match.round is not None
    order = tuple(map(Seat, one["order"]))
    hands = tuple(cards(one["hands"].get(str(seat), "")) for seat in range(5))
    key = bytes.fromhex(one["key"])
    round = replace(match.round, key=key, order=order, hands=hands)
    event = HandsShuffled(Seat(one["author"]), one["number"], 11, one["digest"])
    after = hands_shuffled(replace(match, round=round), event).round
    assert after is not None
    assert {str(seat): " ".join(after.hands[seat]) for seat in order} == one["dealt"]
    assert deal.order_digest(key, one["number"], cards(one["shuffled"])) == one["digest"]


@pytest.mark.parametrize("one", DEAL["players"])
def test_players(one: dict[str, Any]) -> None:
    salt, player = bytes.fromhex(one["salt"]), bytes.fromhex(one["player"])
    assert deal.player_digest(salt, player) == one["digest"]


@pytest.mark.parametrize("stream", vectors("chain.json")["streams"])
def test_chains(stream: dict[str, Any]) -> None:
    stream_id = bytes.fromhex(stream["stream"])
    previous = chain.genesis(stream_id)
    assert previous.hex() == stream["genesis"]
    for event in stream["events"]:
        command = event["command_id"] and bytes.fromhex(event["command_id"])
        previous = chain.event_hash(
            stream_id=stream_id,
            version=event["version"],
            type=event["type"],
            schema=event["schema"],
            occurred_at=event["occurred_at"],
            actor=event["actor"],
            command_id=command,
            previous=previous,
            data=event["data"].encode(),
        )
        assert previous.hex() == event["hash"]


@pytest.mark.parametrize("one", vectors("chain.json")["commands"])
def test_command_ids(one: dict[str, Any]) -> None:
    stream, kind = bytes.fromhex(one["stream"]), ActorKind(one["kind"])
    made = command_id(stream, kind, one["digest"] or None, one["key"])
    assert made.hex() == one["command_id"]
