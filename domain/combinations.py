"""Which options go together: every refused combination of a match, and its reason, in one table.

Not here: what a single option may be set to (``domain.options``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from domain.options import Options
from domain.refusals import Refusal, require

GoesTogether = Callable[[Options, int], bool]
"""Whether these options and this number of seats can be played; else the line's reason holds."""

COMBINATIONS: Final[tuple[tuple[Refusal, GoesTogether], ...]] = ()


def require_that_they_go_together(options: Options, seats: int) -> None:
    """Refuse a match whose options contradict each other, or its number of seats."""
    for refusal, go_together in COMBINATIONS:
        require(go_together(options, seats), refusal)
