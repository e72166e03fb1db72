"""Every key in Redis, in one place. The part in braces decides the slot of a cluster.

A generation is a random name; what is read and what is being built beside it differ in it.
"""

from __future__ import annotations

from typing import Final

from domain.match import Status
from domain.rankings import Scope
from infra.memory_boards import SET_ASIDE

LISTS: Final = (*(str(status) for status in Status if status is not Status.NEW), SET_ASIDE)
"""The lists of matches, each ordered by the position of the first event."""
_BOARD_PARTS: Final = ("meta", "lines", *(f"list:{name}" for name in LISTS))
_FIRST_PART: Final = 3
"""``pointer`` and ``building`` come first; Lua counts from 1."""
INDEX: Final = {name: place for place, name in enumerate(_BOARD_PARTS, start=_FIRST_PART)}
"""Where the functions find a part among their keys."""


class Keys:
    """The keys and the channel under one prefix."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.pointer = f"{prefix}:{{board}}:pointer"
        self.building = f"{prefix}:{{board}}:building"
        self.rankings = f"{prefix}:{{rankings}}:pointer"
        self.hints = f"{prefix}:hints"

    def view(self, generation: str, match: bytes) -> str:
        """The key of a match's views."""
        return f"{self.prefix}:v:{generation}:{{{match.hex()}}}"

    def match_of(self, view_key: str) -> bytes:
        """The match whose views a key holds."""
        return bytes.fromhex(view_key[-33:-1])

    def bucket(self, name: str) -> str:
        """The key of a token bucket."""
        return f"{self.prefix}:t:{{{name}}}"

    def board(self, generation: str) -> list[str]:
        """The keys of a generation of the boards, in the order that the functions expect."""
        parts = [f"{self.prefix}:b:{generation}:{{board}}:{part}" for part in _BOARD_PARTS]
        return [self.pointer, self.building, *parts]

    def ranking_meta(self, generation: str) -> str:
        """The key of how far a generation of the leaderboards has come."""
        return f"{self.prefix}:r:{generation}:{{rankings}}:meta"

    def ranking(self, generation: str, board: str, scope: Scope) -> str:
        """The key of a leaderboard, in a generation of them."""
        app = None if scope.app is None else scope.app.hex()
        which = ":".join(part or "*" for part in (scope.season, scope.form, app))
        return f"{self.prefix}:r:{generation}:{{rankings}}:{board}:{which}"

    def pattern(self, kind: str, generation: str = "*") -> str:
        """What SCAN must match for keys of views (``v``), boards (``b``), leaderboards (``r``)."""
        literal = "".join(f"\\{char}" if char in "[]*?\\^" else char for char in self.prefix)
        return f"{literal}:{kind}:{generation}:*"

    def generation_of(self, key: str) -> str:
        """The generation in a key that ``pattern`` matched."""
        return key[len(self.prefix) :].split(":")[2]
