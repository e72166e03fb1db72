"""What a person has done in matches, and how their rating went (docs/api/statistics.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

from litestar.types import ASGIApp
from msgspec import Meta, Struct

from domain.options import Form
from domain.results import Figures
from domain.tallies import RatedMatch, Rating, Totals
from service import access
from service.call import Call, not_found
from service.ids import text_of
from service.operation import Operation, Shape, operation
from service.paging import Position, cursor_of, next_link, place_in
from service.play.times import rfc3339
from service.reply import as_json
from service.wire import Cursor, Id, Limit, Moment, Page, Request


class CardsLeft(Struct, frozen=True):
    """Cards held when rounds ended; ``average`` has two places, null without a round."""

    total: int
    rounds: int
    average: str | None


class Counts(Struct, frozen=True):
    """What a person did, over some matches."""

    matches: int
    matches_won: int
    points: int
    rounds: int
    rounds_won: int
    challenges: int
    challenges_won: int
    unos_called: int
    unos_missed: int
    unos_caught: int
    cards_left: CardsLeft


class FormCounts(Struct, frozen=True):
    """The same, over matches of one form."""

    form: Form
    counts: Counts


class RatingShown(Struct, frozen=True):
    """A rating: it begins at 1500, give or take 500; ``points`` is what counts on the board.

    ``points`` are the rating less three times the uncertainty. While it is ``provisional`` it may
    still be far off.
    """

    rating: int
    uncertainty: int
    points: int
    provisional: bool


class PlayerStatistics(Struct, frozen=True):
    """A person's figures: all matches among people, those by form, and those with bots apart.

    ``rating`` is null before the first rated match.
    """

    player_id: Id
    all: Counts
    forms: tuple[FormCounts, ...]
    with_bots: Counts
    rating: RatingShown | None


class RatingLine(Struct, frozen=True):
    """A rated match and the ratings after it: over all matches, and over those of its form.

    ``match_id`` is null for a private match that does not exist for the caller.
    """

    match_id: Id | None
    ended_at: Moment
    form: Form
    place: int
    overall: RatingShown
    in_form: RatingShown


class RatingsQuery(Request, frozen=True):
    """Which matches to list."""

    form: Annotated[Form, Meta(description="Only matches of this form.")] | None = None
    limit: Limit = 50
    cursor: Cursor | None = None


@operation(
    "GET",
    "/v1/players/{player_id}/statistics",
    tag="Players",
    answers=(Shape(200, PlayerStatistics),),
    problems=(404,),
)
async def get_player_statistics(call: Call) -> ASGIApp:
    """Read a player's statistics.

    Over matches that have ended and are no practice; abandoned and void ones count for nothing.
    """
    player, tallies = await _known(call), call.services.tallies
    totals = await tallies.statistics(player)
    newest = await tallies.ratings(player, None, None, 1)
    among_people = [one for one in totals if not one.with_bots]
    answer = PlayerStatistics(
        text_of(player),
        _counts(among_people),
        tuple(FormCounts(one.form, _counts((one,))) for one in among_people),
        _counts(one for one in totals if one.with_bots),
        shown(newest[0].overall) if newest else None,
    )
    return as_json(answer)


@operation(
    "GET",
    "/v1/players/{player_id}/ratings",
    tag="Players",
    answers=(Shape(200, Page[RatingLine], headers=("Link",)),),
    problems=(404,),
)
async def list_player_ratings(call: Call, query: RatingsQuery) -> ASGIApp:
    """List a player's rated matches, newest first, with the ratings after each."""
    player = await _known(call)
    before = None if query.cursor is None else place_in(query.cursor, Position)
    found = await call.services.tallies.ratings(player, query.form, before, query.limit + 1)
    page = found[: query.limit]
    following = cursor_of(page[-1].position) if len(found) > query.limit else None
    visible = await _visible(call, page)
    lines = tuple(
        RatingLine(
            text_of(one.match) if one.match in visible else None,
            rfc3339(one.ended_at),
            one.form,
            one.place,
            shown(one.overall),
            shown(one.in_form),
        )
        for one in page
    )
    link = next_link(call, following, form=query.form, limit=query.limit)
    return as_json(Page(lines, following), 200, link)


def shown(rating: Rating) -> RatingShown:
    """A rating as everybody sees it."""
    return RatingShown(rating.shown, rating.uncertainty, rating.points, rating.is_provisional)


async def _known(call: Call) -> bytes:
    """The player in the path; raises ProblemError (404) for who is unknown or erased."""
    player = call.id("player_id")
    person = (await call.services.registry.players((player,))).get(player)
    if person is None or person.name is None:
        raise not_found()
    return player


async def _visible(call: Call, page: Iterable[RatedMatch]) -> set[bytes]:
    """Those of these matches that exist for the caller."""
    lines = await call.services.boards.lines([one.match for one in page])
    return {
        match
        for match, line in lines.items()
        if access.is_listed(call, line, await call.services.rosters.of(match, call.now))
    }


def _counts(totals: Iterable[Totals]) -> Counts:
    names = Figures.__struct_fields__
    listed = list(totals)
    sums = {name: sum(getattr(one.figures, name) for one in listed) for name in names}
    left, rounds = sums.pop("cards_left"), sums["rounds"]
    hundredths = (200 * left + rounds) // (2 * rounds) if rounds else 0
    average = f"{hundredths // 100}.{hundredths % 100:02}" if rounds else None
    return Counts(**sums, cards_left=CardsLeft(left, rounds, average))


OPERATIONS: Final[tuple[Operation, ...]] = (get_player_statistics, list_player_ratings)
