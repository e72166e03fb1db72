"""How often two persons sat at the same table: what an auditor asks about collusion."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from litestar.types import ASGIApp
from msgspec import Meta, Struct

from domain.limits import PAGE_ITEMS
from domain.match import Status
from domain.ports import MatchLine
from service.call import Call
from service.match_filters import Since, Until, microseconds
from service.operation import Needs, Operation, Shape, operation
from service.play.times import SECOND
from service.reply import as_json
from service.routes.audits import COST
from service.searching import id_of, sits_at
from service.wire import Id, Moment, Request


class TablesQuery(Request, frozen=True):
    """Of whom, and in which time."""

    player: Annotated[Id, Meta(description="One of the two.")]
    other: Annotated[Id, Meta(description="The other.")]
    since: Since | None = None
    until: Until | None = None
    by: Annotated[
        Literal["all", "month", "day"], Meta(description="A line for each of these, in UTC.")
    ] = "all"


class TableCount(Struct, frozen=True, gc=False):
    """Tables of a time that begins `since`: of the one, of the other, and of both."""

    since: Moment | None
    player: int
    other: int
    together: int


class TableCounts(Struct, frozen=True, gc=False):
    """Times with a table of one of the two, the earliest first."""

    items: tuple[TableCount, ...]


@operation(
    "GET",
    "/v1/audit/tables",
    tag="Audit",
    needs=Needs.AUDITOR,
    answers=(Shape(200, TableCounts),),
    cost=COST,
)
async def count_tables(call: Call, query: TablesQuery) -> ASGIApp:
    """Count how often two players sat at the same table.

    A table is a match that is no practice, whose seats were all taken and that is not open any
    more; it is of who has a seat there, also after leaving it, and of the time when it was
    created. `together` are those of both: `together / min(player, other)` is 1 where one never
    plays without the other.
    """
    ids = [id_of(query.player, "?player"), id_of(query.other, "?other")]
    times: list[Counter[str]] = [Counter(), Counter(), Counter()]
    tables: list[set[bytes]] = [set(), set()]
    for mine, id in enumerate(ids):
        assert id is not None
        async for line in _tables(call, query, id):
            begun = _begun(line.created_at, query.by)
            times[mine][begun] += 1
            tables[mine].add(line.match)
            if mine == 1 and line.match in tables[0]:
                times[2][begun] += 1
    items = tuple(
        TableCount(begun or None, *(counted[begun] for counted in times))
        for begun in sorted({*times[0], *times[1]})
    )
    return as_json(TableCounts(items))


async def _tables(call: Call, query: TablesQuery, player: bytes) -> AsyncIterator[MatchLine]:
    """The tables of a person in the time that is asked about, newest first."""
    before: bytes | None = None
    while ids := await call.services.registry.matches_of(player, before, PAGE_ITEMS):
        for line in (await call.services.boards.lines(ids)).values():
            if _is_table(line) and _is_in(line, query) and await sits_at(call, line, player):
                yield line
        before = ids[-1]


def _is_table(line: MatchLine) -> bool:
    return (
        line.status is not Status.OPEN and not line.practice and len(line.seats) == line.seats_total
    )


def _is_in(line: MatchLine, query: TablesQuery) -> bool:
    since, until = query.since, query.until
    return (since is None or line.created_at >= microseconds(since)) and (
        until is None or line.created_at < microseconds(until)
    )


def _begun(created_at: int, by: str) -> str:
    """The beginning of the month or day of a time, as text; nothing for all time."""
    if by == "all":
        return ""
    at = datetime.fromtimestamp(created_at // SECOND, UTC)
    return f"{at:%Y-%m}-01T00:00:00Z" if by == "month" else f"{at:%Y-%m-%d}T00:00:00Z"


OPERATIONS: Final[tuple[Operation, ...]] = (count_tables,)
