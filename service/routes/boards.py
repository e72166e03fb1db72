"""Leaderboards: ranks 1, 2, 2, 4 over matches among people (docs/api/leaderboards.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from litestar.types import ASGIApp
from msgspec import Meta, Struct

from domain.options import Form
from domain.rankings import Board, Place, Scope, Standing
from domain.tallies import Rating
from service.call import Call, not_found
from service.identity import token_required
from service.ids import id_in, text_of
from service.operation import Operation, Shape, operation
from service.paging import cursor_of, next_link, place_in
from service.problems import invalid
from service.reply import as_json
from service.wire import Cursor, Id, Limit, Page, Request

_TITLES: Final = {
    Board.POINTS: "Points scored in matches",
    Board.MATCHES_WON: "Matches won",
    Board.ROUNDS_WON: "Rounds won",
    Board.RATING: "Rating, less three times its uncertainty",
}


class BoardEntry(Struct, frozen=True):
    """A leaderboard; its id is its last path segment."""

    id: Board
    title: str


class BoardList(Struct, frozen=True):
    """All leaderboards."""

    items: tuple[BoardEntry, ...]


class StandingLine(Struct, frozen=True):
    """A player's line; equal points share a rank, and are `tied`.

    `provisional` tells whether the rating may still be far off; null on boards without ratings.
    """

    rank: int
    player_id: Id
    name: str
    points: int
    tied: bool
    provisional: bool | None


Season = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$(?!\n)",
        description="Only matches that ended in this calendar month (UTC).",
        examples=["2026-01"],
    ),
]


class StandingsQuery(Request, frozen=True):
    """Which matches count, and which part of the board to read."""

    season: Season | None = None
    form: Annotated[Form, Meta(description="Only matches of this form of play.")] | None = None
    app: Annotated[Id, Meta(description="Only matches that this app has made.")] | None = None
    player: Annotated[Id, Meta(description="Only this player's line, if there is one.")] | None = (
        None
    )
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
    """Read a leaderboard, best first.

    Over matches among people that have ended: those with bots, practice and void ones count for
    nothing. All filters must hold.
    """
    if call.path["board"] not in Board._value2member_map_:
        raise not_found()
    board, rankings = Board(call.path["board"]), call.services.rankings
    scope = Scope(query.season, query.form, _id(query.app, "?app"))
    if query.player is not None:
        player = _id(query.player, "?player")
        line = None if player is None else await rankings.standing(board, scope, player)
        found = () if line is None else (line,)
        return as_json(Page(await _named(call, board, scope, found), None))
    if query.around is not None:
        if call.caller.player is None:
            raise token_required()
        lines = await rankings.standings(board, scope, query.limit, around=call.caller.player)
        return as_json(Page(await _named(call, board, scope, lines), None))
    after = None if query.cursor is None else place_in(query.cursor, Place)
    lines = await rankings.standings(board, scope, query.limit + 1, after)
    page = lines[: query.limit]
    is_more = len(lines) > query.limit
    following = cursor_of(Place(page[-1].points, page[-1].player)) if is_more else None
    given = {"season": query.season, "form": query.form, "app": query.app, "limit": query.limit}
    link = next_link(call, following, **given)
    return as_json(Page(await _named(call, board, scope, page), following), 200, link)


def _id(text: str | None, pointer: str) -> bytes | None:
    """The id in a parameter; raises ProblemError (422) for what is none."""
    found = None if text is None else id_in(text)
    if text is not None and found is None:
        raise invalid(pointer, "Use an id.")
    return found


async def _named(
    call: Call, board: Board, scope: Scope, lines: tuple[Standing, ...]
) -> tuple[StandingLine, ...]:
    """The lines with names; who was erased a moment ago is left out."""
    players = [line.player for line in lines]
    names = await call.services.rosters.names(players, call.now)
    newest: Mapping[bytes, Rating] = {}
    if board is Board.RATING:
        newest = await call.services.tallies.newest(players, scope.form)
    return tuple(
        StandingLine(
            line.rank,
            text_of(line.player),
            names[line.player],
            line.points,
            line.is_tied,
            newest[line.player].is_provisional if line.player in newest else None,
        )
        for line in lines
        if line.player in names
    )


OPERATIONS: Final[tuple[Operation, ...]] = (list_leaderboards, get_leaderboard)
