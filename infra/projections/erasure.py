"""Erased persons who are still on a board, because Redis was away when they were erased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from domain.limits import PAGE_ITEMS
from domain.ports import Board, Boards, Player, Standing


class Persons(Protocol):
    """The part of the registry that tells who is erased."""

    async def players(self, ids: Sequence[bytes]) -> Mapping[bytes, Player]:
        """The persons with these ids; the name of an erased one is None."""


async def forget_erased(boards: Boards, persons: Persons) -> int:
    """Take erased persons off the boards; how many."""
    forgotten = 0
    for board in Board:
        last: Standing | None = None
        while page := await boards.standings(board, PAGE_ITEMS, last):
            last = page[-1]
            for player in await erased(page, persons):
                await boards.forget(player)
                forgotten += 1
    return forgotten


async def erased(page: Sequence[Standing], persons: Persons) -> list[bytes]:
    """The players of a page who are erased, or unknown."""
    ids = [standing.player for standing in page]
    known = await persons.players(ids) if ids else {}
    return [id for id in ids if id not in known or known[id].name is None]
