"""Chance for bots: a row of numbers that depends on the bytes given and on nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")
_TAG: Final = b"talon-bot/1"
_WORD: Final = 8


class Dice:
    """Numbers from SHAKE-256 over a tag and ``seed``, 64 bits each: biased by less than 2**-56."""

    def __init__(self, seed: bytes) -> None:
        self._shake = hashlib.shake_256(_TAG + seed)
        self._row = self._shake.digest(16 * _WORD)
        self._used = 0

    def below(self, reach: int) -> int:
        """A number from 0 to ``reach`` - 1."""
        start, end = self._used, self._used + _WORD
        if end > len(self._row):
            self._row = self._shake.digest(2 * len(self._row))
        self._used = end
        return int.from_bytes(self._row[start:end], "big") % reach

    def happens(self, times: int, of: int) -> bool:
        """True ``times`` times in ``of``."""
        return self.below(of) < times

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices, each as likely as the others."""
        return choices[self.below(len(choices))]
