"""Writes docs/vectors from the implementations made from the pages.

Run as ``python -m tests.docs.make_vectors``.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from tests.docs import page_chain
from tests.docs import page_deal as page
from tests.docs.tree_vectors import tree

VECTORS = Path(__file__).parents[2] / "docs" / "vectors"
MATCH = bytes.fromhex("0190a5c4e7b17c2e9f3a5d6e7f801234")
REJECTING = 5_953_816
"""The number of a shuffle that throws a word away: about one in a million does."""


def made(text: str) -> bytes:
    """32 bytes from a text."""
    return hashlib.sha256(text.encode()).digest()


def shuffles() -> list[dict[str, Any]]:
    key = made("talon vector")
    deck = page.canonical_deck()
    cases = [(deck, 0), (deck, 1), (deck, REJECTING), (deck[:10], 2), (["R5"], 3), ([], 4)]
    return [
        {
            "key": key.hex(),
            "number": number,
            "words": page.words(key, number, 20 if number == REJECTING else 4),
            "cards": " ".join(cards),
            "shuffled": " ".join(page.shuffle(cards, key, number)),
        }
        for cards, number in cases
    ]


def a_round(
    number: int,
    seats: int,
    added: list[bytes],
    dealer: int | None,
    *,
    attempt: int = 0,
    left: tuple[int, ...] = (),
) -> dict[str, Any]:
    """A whole round's start; ``dealer`` is None where it is drawn for, ``left`` are gone."""
    seed = made(f"round {number} of {seats}, {attempt}")
    key = page.round_key(MATCH, number, seed, added)
    draws, before = None, 0
    if dealer is None:
        draws, dealer, before = page.draw_for_dealer(key, seats)
    order = [seat for seat in range(seats) if seat not in left]
    dealt = page.deal(key, seats, order, dealer, 7, before)
    return {
        "match": MATCH.hex(),
        "round": number,
        "seed": seed.hex(),
        "added": [one.hex() for one in added],
        "commitment": page.commitment(MATCH, number, seed),
        "key": key.hex(),
        "order": order,
        "hand_size": 7,
        "draws": draws and [[[seat, card] for seat, card in one] for one in draws],
        "dealer": dealer,
        "hands": [" ".join(hand) for hand in dealt.hands],
        "opening": dealt.opening,
        "put_back": dealt.put_back,
        "pile": " ".join(dealt.pile),
        "shuffles": dealt.shuffles,
        "digest": dealt.digest,
    }


def rounds() -> list[dict[str, Any]]:
    """First rounds of 2 to 10 seats and one with two ties; later ones with 0, 1, 2 put back."""
    found = [a_round(1, seats, [b""] * seats, None) for seats in range(2, 11)]
    tried = (
        a_round(1, 3, [b"ann", b"", made("bob")], None, attempt=attempt) for attempt in range(999)
    )
    found.append(next(one for one in tried if len(one["draws"]) == 3))
    found.append(a_round(3, 6, [b"", b"x", b"", b"", b"", b"y"], 4, left=(0, 3)))
    number, wanted = 2, [0, 1, 2]
    while wanted:
        one = a_round(number, 4, [b""] * 4, number % 4)
        if one["put_back"] == wanted[0]:
            found.append(one)
            wanted.pop(0)
        number += 1
    return found


def position(number: int, text: str) -> dict[str, Any]:
    """A placed round; its players' bytes are empty."""
    secret = made(f"position {number}") + text.encode()
    hands, pile = page.placed(secret)
    return {
        "match": MATCH.hex(),
        "round": number,
        "secret": secret.hex(),
        "hands": [" ".join(hand) for hand in hands],
        "pile": " ".join(pile),
        "commitment": page.commitment(MATCH, number, secret),
        "key": page.round_key(MATCH, number, secret, [b""] * len(hands)).hex(),
    }


def reshuffle() -> dict[str, Any]:
    key, discards = made("reshuffle"), ["R5", "RS", "W", "YS", "Y2", "G2", "W4", "B7"]
    pile = page.shuffle(discards[:-1], key, 3)
    return {
        "key": key.hex(),
        "number": 3,
        "discards": " ".join(discards),
        "pile": " ".join(pile),
        "digest": page.order_digest(key, 3, pile),
    }


def returned() -> dict[str, Any]:
    key, hand = made("returned"), ["W4", "R5", "W", "BD", "R5", "B0", "YS", "GR"]
    shuffled = page.shuffle(sorted(hand), key, 5)
    return {
        "key": key.hex(),
        "number": 5,
        "hand": " ".join(hand),
        "shuffled": " ".join(shuffled),
        "digest": page.order_digest(key, 5, shuffled),
    }


def hands(author: int) -> dict[str, Any]:
    """Four of five seats, in an order that is not that of their numbers."""
    key, order = made("hands"), [0, 2, 1, 4]
    before = {0: ["W4", "R5", "WC"], 1: ["B0"], 2: ["YS", "R5", "W", "G1", "BD"], 4: ["G9", "G1"]}
    shuffled, dealt = page.shuffled_hands(key, before, order, author, 6)
    return {
        "key": key.hex(),
        "number": 6,
        "order": order,
        "author": author,
        "hands": {str(seat): " ".join(hand) for seat, hand in before.items()},
        "shuffled": " ".join(shuffled),
        "dealt": {str(seat): " ".join(hand) for seat, hand in dealt.items()},
        "digest": page.order_digest(key, 6, shuffled),
    }


def deal_vectors() -> dict[str, Any]:
    seed, key = made("seed"), made("key")
    added: list[list[bytes]] = [[b"", b""], [b"a", b"", b"\x00\xff"], [bytes(32)] * 10]
    hand = ["R0", "W", "W4", "BD"]
    salt, player = made("salt")[:16], made("player")[:16]
    return {
        "scheme": "talon-deal/1",
        "decks": {
            edition: " ".join(page.canonical_deck(edition))
            for edition in ("classic-108", "modern-112")
        },
        "commitments": [
            {
                "match": MATCH.hex(),
                "round": number,
                "seed": seed.hex(),
                "commitment": page.commitment(MATCH, number, seed),
            }
            for number in (1, 2, 70_000)
        ],
        "keys": [
            {
                "match": MATCH.hex(),
                "round": 2,
                "seed": seed.hex(),
                "added": [one.hex() for one in seeds],
                "key": page.round_key(MATCH, 2, seed, seeds).hex(),
            }
            for seeds in added
        ],
        "shuffles": shuffles(),
        "orders": [
            {
                "key": key.hex(),
                "number": number,
                "cards": " ".join(cards),
                "digest": page.order_digest(key, number, cards),
            }
            for number, cards in ((0, hand), (258, hand[:1]), (3, []))
        ],
        "positions": [
            position(1, "R7 G3/W/B1 B1 Y0"),
            position(2, "W4 WS/RS/WC WC/"),
            position(7, "R5//BD W/Y1"),
        ],
        "rounds": rounds(),
        "reshuffles": [reshuffle()],
        "returned": [returned()],
        "hands": [hands(author) for author in (0, 2, 4)],
        "players": [
            {
                "salt": salt.hex(),
                "player": player.hex(),
                "digest": page.player_digest(salt, player),
            }
        ],
    }


def event(version: int, actor: str, data: str, **other: Any) -> dict[str, Any]:
    """An event of a vector before it is hashed."""
    fields = {
        "version": version,
        "type": "player_joined",
        "schema": 1,
        "occurred_at": 1_764_513_600_123_456 + version,
        "actor": actor,
        "command_id": None,
        "data": data,
    }
    return fields | other


def chained(stream: bytes, events: list[dict[str, Any]]) -> dict[str, Any]:
    """A stream's vector: each event with its hash."""
    previous, hashed = page_chain.genesis(stream), []
    for one in events:
        previous = page_chain.event_hash(stream, one, previous)
        hashed.append(one | {"hash": previous.hex()})
    return {
        "stream": stream.hex(),
        "genesis": page_chain.genesis(stream).hex(),
        "events": hashed,
    }


def chain_vectors() -> dict[str, Any]:
    """Events that reach the edges of every field; their data are no events of the game."""
    command = made("command")[:16].hex()
    ordinary = [
        event(1, "service", '{"type":"player_joined","seat":0,"player":"00"}', command_id=command),
        event(2, "service", '{"type":"round_committed","round":1}', type="round_committed"),
        event(3, "seat:0", '{"type":"match_started"}', type="match_started", command_id="ff" * 16),
        event(4, "bot:9", '{"type":"uno_called","seat":9}', type="uno_called"),
        event(5, "app", "{}", schema=2),
        event(6, "operator", "{}", schema=65_535),
    ]
    edges = [
        event(1, "service", "", occurred_at=-1),
        event(2, "service", '{"text":"Zoë é 🂡"}', occurred_at=-(2**63)),
        event(3, "s" * 255, "{}", type="t" * 255, occurred_at=2**63 - 1),
    ]
    made_of = [
        ("seat", made("ann").hex(), "0190a5c4-e7b1-7c2e-9f3a-5d6e7f801234"),
        ("seat", made("ann").hex(), "ключ"),
        ("bot", "", "42:3"),
    ]
    return {
        "streams": [chained(MATCH, ordinary), chained(bytes(16), edges)],
        "commands": [
            {
                "stream": MATCH.hex(),
                "kind": kind,
                "digest": digest,
                "key": key,
                "command_id": page_chain.command_id(MATCH, kind, digest, key).hex(),
            }
            for kind, digest, key in made_of
        ],
    }


FILES = {"deal.json": deal_vectors, "chain.json": chain_vectors, "tree.json": tree}


def written(vectors: dict[str, Any]) -> str:
    """The file's text."""
    return json.dumps(vectors, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name, vectors in FILES.items():
        (VECTORS / name).write_text(written(vectors()))
