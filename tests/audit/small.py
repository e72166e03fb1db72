"""Small whole matches of every kind: what the published vectors hold, and mutations start from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from domain.commands import Actor, ActorKind, VoidMatch
from domain.events import Event, VoidReason
from domain.options import Clock, Form, Options, Reveal, Scoring
from tests.audit.records import record_of
from tests.laws import test_house, test_placed
from tests.laws.placed import played_from
from tests.laws.table import Table, played

RECORDS = Path(__file__).parents[2] / "docs" / "vectors" / "records"
_SHORT: dict[str, tuple[Options, int]] = {
    "classic": (Options(target=50), 3),
    "two-players": (Options(target=50, reveal=Reveal.ROUND), 2),
    "lowest": (Options(scoring=Scoring.LOWEST, target=50), 3),
    "teams": (Options(form=Form.TEAMS, target=50), 4),
    "rotating": (Options(form=Form.ROTATING_PARTNERS, rounds_per_pairing=1, starting_hand=5), 4),
    "elimination": (Options(form=Form.ELIMINATION, target=50), 3),
    "clock": (Options(target=50, clock=Clock(turn=30, answer=10), uno_grace=3), 4),
}
"""Options and seats by name; those of other kinds are found by what happens in them."""
_HAPPENS: dict[str, str] = {
    "house-swaps": "hands_swapped",
    "house-shuffles": "hands_shuffled",
    "house-calls": "play_called_out",
}
SEEDS = 60


def table_of(name: str) -> Table:
    """The shortest match of a kind among the first SEEDS."""
    if name in _SHORT:
        options, seats = _SHORT[name]
        return min((_last(played(seed, options, seats)) for seed in range(SEEDS // 3)), key=_length)
    if name == "placed":
        found = (played_from(seed, *test_placed.rules(seed)) for seed in range(SEEDS))
        return min(map(_last, found), key=_length)
    if name == "leaving":
        options, seats = _SHORT["classic"]
        wanted, seeds = "hand_returned", range(3, 5 * SEEDS, 5)
        tables: Iterator[Table] = (_last(played(one, options, seats)) for one in seeds)
    elif name == "voided":
        return _voided(table_of("two-players"))
    else:
        wanted = _HAPPENS[name]
        tables = (_last(played(one, *test_house.rules(one))) for one in range(SEEDS))
    return min((one for one in tables if _has(one, wanted)), key=_length)


NAMES = (*_SHORT, "leaving", *_HAPPENS, "placed", "voided")


@cache
def content(name: str) -> bytes:
    """The record of this name: as it is published, or a new one."""
    published = RECORDS / f"{name}.ndjson"
    return published.read_bytes() if published.exists() else record_of(table_of(name))


def _last(tables: Iterator[Table]) -> Table:
    *_, table = tables
    return table


def _voided(table: Table) -> Table:
    """A match that was won, after the operator has declared it void."""
    table.tell(Actor(ActorKind.OPERATOR), VoidMatch(VoidReason.CHEATING))
    return table


def _length(table: Table) -> int:
    return len(table.events)


def _has(table: Table, type: str) -> bool:
    return any(_tag(event) == type for event in table.events)


def _tag(event: Event) -> Any:
    return type(event).__struct_config__.tag
