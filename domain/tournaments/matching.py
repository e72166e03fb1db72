"""The most pairs that can be made of people some of whom may not meet: Edmonds' blossoms.

People are numbered from 0; ``mate`` says with whom each is paired, ALONE where with nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

ALONE: Final = -1
Neighbors = Sequence[Sequence[int]]
"""By number: who may meet whom."""


def most_pairs(neighbors: Neighbors, mate: Sequence[int] | None = None) -> list[int]:
    """As many pairs as there can be, beginning with those of ``mate``."""
    pairs = [ALONE] * len(neighbors) if mate is None else list(mate)
    for root in range(len(neighbors)):
        if pairs[root] == ALONE:
            _Search(neighbors, pairs, root).improve()
    return pairs


class _Search:
    """A search, from one who is alone, for a path to another along which pairs can be swapped."""

    def __init__(self, neighbors: Neighbors, mate: list[int], root: int) -> None:
        count = len(neighbors)
        self.neighbors, self.mate, self.root = neighbors, mate, root
        self.parent = [ALONE] * count
        self.base = list(range(count))
        self.reached = [False] * count
        self.reached[root] = True
        self.queue = [root]

    def improve(self) -> None:
        """Pair one more, if a path is found."""
        end = self._end_of_a_path()
        while end != ALONE:
            before = self.parent[end]
            following = self.mate[before]
            self.mate[end], self.mate[before] = before, end
            end = following

    def _end_of_a_path(self) -> int:
        for one in self.queue:  # It grows on the way.
            for other in self.neighbors[one]:
                if self.base[one] == self.base[other] or self.mate[one] == other:
                    continue
                if other == self.root or self._is_outer(self.mate[other]):
                    self._contract(one, other)
                elif self.parent[other] == ALONE:
                    self.parent[other] = one
                    if self.mate[other] == ALONE:
                        return other
                    self._reach(self.mate[other])
        return ALONE

    def _is_outer(self, mate: int) -> bool:
        return mate != ALONE and self.parent[mate] != ALONE

    def _reach(self, one: int) -> None:
        self.reached[one] = True
        self.queue.append(one)

    def _contract(self, one: int, other: int) -> None:
        """An odd circle counts as one from now on."""
        meeting = self._meeting(one, other)
        circle: set[int] = set()
        self._mark(one, meeting, other, circle)
        self._mark(other, meeting, one, circle)
        for number, base in enumerate(self.base):
            if base in circle:
                self.base[number] = meeting
                if not self.reached[number]:
                    self._reach(number)

    def _meeting(self, one: int, other: int) -> int:
        """Where the ways back to the root come together."""
        passed = set()
        while True:
            one = self.base[one]
            passed.add(one)
            if self.mate[one] == ALONE:
                break
            one = self.parent[self.mate[one]]
        while (other := self.base[other]) not in passed:
            other = self.parent[self.mate[other]]
        return other

    def _mark(self, one: int, meeting: int, child: int, circle: set[int]) -> None:
        while self.base[one] != meeting:
            mate = self.mate[one]
            circle |= {self.base[one], self.base[mate]}
            self.parent[one] = child
            child, one = mate, self.parent[mate]
