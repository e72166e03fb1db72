"""The only dice: commitments, keys and shuffles that depend on a round's seed and nothing else.

``docs/deal.md`` is normative and has test vectors; the scheme's name in the log is SCHEME.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from domain.cards import Card

SCHEME: Final = "talon-deal/1"
_COMMIT: Final = b"talon-commit/1"
_DEAL: Final = b"talon-deal/1"
_SHUFFLE: Final = b"talon-shuffle/1"
_ORDER: Final = b"talon-order/1"
SEED_BYTES: Final = 32


def commitment(match_id: bytes, round_number: int, seed: bytes) -> str:
    """Hex SHA-256 of tag, match (16 bytes), round (u32 big-endian) and seed (32 bytes)."""
    return hashlib.sha256(_COMMIT + match_id + round_number.to_bytes(4, "big") + seed).hexdigest()


def round_key(
    match_id: bytes, round_number: int, seed: bytes, client_seeds: Sequence[bytes]
) -> bytes:
    """HMAC-SHA256 under the seed of tag, match, round and the players' seeds.

    Each seat, from 0, adds one length byte and its bytes; a seat that gave none adds a zero byte.
    """
    message = _DEAL + match_id + round_number.to_bytes(4, "big")
    for client_seed in client_seeds:
        message += bytes((len(client_seed),)) + client_seed
    return hmac.digest(seed, message, "sha256")


@lru_cache(maxsize=256)
def shuffled(cards: tuple[Card, ...], key: bytes, number: int) -> tuple[Card, ...]:
    """``cards`` in the order of shuffle ``number``: Fisher-Yates from the last index down.

    Indexes come from SHAKE-256(tag, key, number as u32) read as u32 big-endian words; a word at
    or above the largest multiple of the range is thrown away.
    """
    deck = list(cards)
    words = _words(key, number, len(deck))
    for last in range(len(deck) - 1, 0, -1):
        reach = last + 1
        bound = (1 << 32) - (1 << 32) % reach
        word = next(words)
        while word >= bound:
            word = next(words)
        chosen = word % reach
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


def _words(key: bytes, number: int, expected: int) -> Iterator[int]:
    """The word stream of one shuffle; rejections are rare, so ``expected`` words mostly do."""
    shake = hashlib.shake_256(_SHUFFLE + key + number.to_bytes(4, "big"))
    start, count = 0, expected + 8
    while True:
        block = shake.digest(4 * count)
        for index in range(start, count):
            yield int.from_bytes(block[4 * index : 4 * index + 4], "big")
        start, count = count, count * 2


def order_digest(key: bytes, number: int, cards: Iterable[Card]) -> str:
    """Hex HMAC-SHA256 under the round's key of tag, number (u32) and the codes joined by spaces.

    A later change of the shuffle can then never change open hands in silence.
    """
    message = _ORDER + number.to_bytes(4, "big") + " ".join(cards).encode()
    return hmac.digest(key, message, "sha256").hex()


def player_digest(salt: bytes, player_id: bytes) -> str:
    """Hex SHA-256 of salt (16 bytes) and player id (16 bytes): who joined, erasable."""
    return hashlib.sha256(salt + player_id).hexdigest()
