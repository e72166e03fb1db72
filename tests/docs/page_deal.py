"""docs/deal.md written down a second time, from the page alone, without the product."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass


def canonical_deck(edition: str = "classic-108") -> list[str]:
    deck = []
    for color in "RYGB":
        deck.append(color + "0")
        for face in "123456789SRD":
            deck += [color + face, color + face]
    deck += ["W"] * 4 + ["W4"] * 4
    return deck + ["WS"] + ["WC"] * 3 if edition == "modern-112" else deck


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def commitment(match: bytes, round_number: int, seed: bytes) -> str:
    return hashlib.sha256(b"talon-commit/1" + match + u32(round_number) + seed).hexdigest()


def round_key(match: bytes, round_number: int, seed: bytes, added: list[bytes]) -> bytes:
    message = b"talon-deal/1" + match + u32(round_number)
    for one in added:
        message += bytes([len(one)]) + one
    return hmac.new(seed, message, hashlib.sha256).digest()


def words(key: bytes, number: int, count: int) -> list[int]:
    row = hashlib.shake_256(b"talon-shuffle/1" + key + u32(number)).digest(4 * count)
    return [int.from_bytes(row[i : i + 4], "big") for i in range(0, 4 * count, 4)]


def shuffle(cards: list[str], key: bytes, number: int) -> list[str]:
    cards = list(cards)
    row = words(key, number, 2 * len(cards) + 16)
    for last in reversed(range(1, len(cards))):
        reach = last + 1
        bound = 2**32 - 2**32 % reach
        while row[0] >= bound:
            row.pop(0)
        chosen = row.pop(0) % reach
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def order_digest(key: bytes, number: int, cards: list[str]) -> str:
    message = b"talon-order/1" + u32(number) + " ".join(cards).encode()
    return hmac.new(key, message, hashlib.sha256).hexdigest()


def player_digest(salt: bytes, player: bytes) -> str:
    return hashlib.sha256(salt + player).hexdigest()


def number_of(card: str) -> int:
    """What a card counts in the draw for the dealer."""
    return int(card[1]) if card[0] in "RYGB" and card[1].isdigit() else 0


def draw_for_dealer(
    key: bytes, seats: int, edition: str = "classic-108"
) -> tuple[list[list[tuple[int, str]]], int, int]:
    """The lists of draws, the dealer, and how many shuffles it took."""
    deck = canonical_deck(edition)
    order, next_index, shuffles = shuffle(deck, key, 0), 0, 1
    drawing, draws = list(range(seats)), []
    while len(drawing) > 1:
        if len(order) - next_index < len(drawing):
            order, next_index = shuffle(deck, key, shuffles), 0
            shuffles += 1
        one = list(zip(drawing, order[next_index:], strict=False))
        next_index += len(drawing)
        draws.append(one)
        highest = max(number_of(card) for _, card in one)
        drawing = [seat for seat, card in one if number_of(card) == highest]
    return draws, drawing[0], shuffles


@dataclass
class Deal:
    hands: list[list[str]]
    opening: str
    pile: list[str]
    put_back: int
    shuffles: int
    digest: str


def deal(
    key: bytes,
    seats: int,
    order: list[int],
    dealer: int,
    hand_size: int,
    shuffles: int,
    edition: str = "classic-108",
) -> Deal:
    """The deal of a round that has had ``shuffles`` shuffles before, for the seats in ``order``."""
    number, deck = shuffles, shuffle(canonical_deck(edition), key, shuffles)
    first = order.index(dealer) + 1
    hands: list[list[str]] = [[] for _ in range(seats)]
    for index in range(hand_size * len(order)):
        hands[order[(first + index) % len(order)]].append(deck.pop(0))
    opening, put_back = deck.pop(0), 0
    while opening == "W4":
        number, put_back = number + 1, put_back + 1
        deck = shuffle([*deck, "W4"], key, number)
        opening = deck.pop(0)
    codes = [card for hand in hands for card in hand] + [opening, *deck]
    return Deal(hands, opening, deck, put_back, number + 1, order_digest(key, number, codes))


def placed(secret: bytes) -> tuple[list[list[str]], list[str]]:
    """The hands by seat, and the draw pile, of a position."""
    assert len(secret) > 32
    *hands, pile = (part.split() for part in secret[32:].decode("ascii").split("/"))
    return hands, pile


def shuffled_hands(
    key: bytes, hands: dict[int, list[str]], order: list[int], author: int, number: int
) -> tuple[list[str], dict[int, list[str]]]:
    """All hands in their shuffled order, and as they are dealt again; ``order`` without leavers."""
    gathered = [card for seat in sorted(order) for card in sorted(hands[seat])]
    cards = shuffle(gathered, key, number)
    first = order.index(author) + 1
    dealt: dict[int, list[str]] = {seat: [] for seat in order}
    for index, card in enumerate(cards):
        dealt[order[(first + index) % len(order)]].append(card)
    return cards, dealt
