"""Leaderboards: ranks 1, 2, 2, 4 over finished matches that are no practice."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from litestar.types import ASGIApp
from msgspec import Meta, Struct

from domain.ports import Board, Standing
from service.call import Call, not_found
from service.identity import token_required
from service.ids import text_of
from service.operation import Operation, Shape, operation
from service.paging import cursor_of, next_link, place_in
from service.reply import as_json
from service.wire import Cursor, Id, Limit, Page, Request

_TITLES: Final = {
    Board.POINTS: "Points scored in matches",
    Board.MATCHES_WON: "Matches won",
}


class BoardEntry(Struct, frozen=True):
    """A leaderboard; its id is its last path segment."""

    id: Board
    title: str


class BoardList(Struct, frozen=True):
    """All leaderboards."""

    items: tuple[BoardEntry, ...]


class StandingLine(Struct, frozen=True):
    """A player's line; equal points share a rank."""

    rank: int
    player_id: Id
    name: str
    points: int


class StandingsQuery(Request, frozen=True):
    """Which part of a board to read."""

    limit: Limit = 50
    cursor: Cursor | None = None
    around: (
        Annotated[
            Literal["me"],
            Meta(description="`me`: the lines above and below one's own instead of a page."),
        ]
        | None
    ) = None


@operation("GET", "/v1/leaderboards", tag="Leaderboards", answers=(Shape(200, BoardList),))
async def list_leaderboards(call: Call) -> ASGIApp:
    """List the leaderboards."""
    return as_json(BoardList(tuple(BoardEntry(board, _TITLES[board]) for board in Board)))


@operation(
    "GET",
    "/v1/leaderboards/{board}",
    tag="Leaderboards",
    answers=(Shape(200, Page[StandingLine], headers=("Link",)),),
    problems=(404,),
)
async def get_leaderboard(call: Call, query: StandingsQuery) -> ASGIApp:
    """Read a leaderboard, best first."""
    if call.path["board"] not in Board._value2member_map_:
        raise not_found()
    board, boards = Board(call.path["board"]), call.services.boards
    if query.around is not None:
        if call.caller.player is None:
            raise token_required()
        lines = await boards.standings(board, query.limit, around=call.caller.player)
        return as_json(Page(await _named(call, lines), None))
    after = None if query.cursor is None else place_in(query.cursor, Standing)
    lines = await boards.standings(board, query.limit + 1, after)
    page = lines[: query.limit]
    following = cursor_of(page[-1]) if len(lines) > query.limit else None
    link = next_link(call, following, limit=query.limit)
    return as_json(Page(await _named(call, page), following), 200, link)


async def _named(call: Call, lines: tuple[Standing, ...]) -> tuple[StandingLine, ...]:
    """The lines with names; who was erased a moment ago is left out."""
    names = await call.services.rosters.names([line.player for line in lines], call.now)
    return tuple(
        StandingLine(line.rank, text_of(line.player), names[line.player], line.points)
        for line in lines
        if line.player in names
    )


OPERATIONS: Final[tuple[Operation, ...]] = (list_leaderboards, get_leaderboard)
