"""A small cache of what was true a moment ago: bounded in number and in age."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by key, kept for ``seconds`` and at most ``size`` of them, oldest out first."""

    def __init__(self, seconds: float, size: int) -> None:
        self._keep = int(seconds * 1_000_000)
        self._size = size
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K, now: int) -> V | None:
        """The value, unless it is too old at ``now`` (microseconds)."""
        entry = self._values.get(key)
        return entry[0] if entry is not None and entry[1] > now else None

    def has(self, key: K, now: int) -> bool:
        """Whether there is a value that is not too old."""
        entry = self._values.get(key)
        return entry is not None and entry[1] > now

    def put(self, key: K, value: V, now: int) -> None:
        """Remember a value from ``now`` on."""
        self._values[key] = (value, now + self._keep)
        self._values.move_to_end(key)
        if len(self._values) > self._size:
            self._values.popitem(last=False)

    def drop(self, key: K) -> None:
        """Forget a key."""
        self._values.pop(key, None)

    def drop_where(self, value: V) -> None:
        """Forget every key with this value."""
        for key in [key for key, entry in self._values.items() if entry[0] == value]:
            del self._values[key]
