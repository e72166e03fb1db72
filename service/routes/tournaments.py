"""Tournaments: setting one up, finding them, starting and canceling one's own."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from litestar.types import ASGIApp
from msgspec import UNSET, Meta, Struct
from msgspec.structs import asdict

from domain.combinations import require_no_contradiction
from domain.commands import Actor, ActorKind
from domain.events import Visibility
from domain.limits import PAGE_ITEMS
from domain.ports import MatchFacts
from domain.tournaments.commands import (
    CancelTournament,
    CreateTournament,
    EnterBot,
    StartTournament,
)
from domain.tournaments.lines import TournamentLine
from domain.tournaments.settings import Settings, completed
from domain.tournaments.terms import CancelReason, Format
from domain.tournaments.tournament import TournamentStatus
from service import versions
from service.call import Call
from service.idempotency import planned
from service.identity import Kind, new_secret, token_hash
from service.ids import new_id, text_of
from service.operation import Needs, Operation, Shape, operation
from service.paging import MatchId, cursor_of, next_link, place_in
from service.play.command_ids import command_id
from service.play.times import rfc3339
from service.problems import Code, fail, invalid
from service.reply import as_json
from service.routes.matches import INVITE_BYTES
from service.routes.views import UNCHANGED, unless_known
from service.tournament_access import (
    answer_of,
    ask_of,
    kind_of_organizer,
    organizing,
    seen,
    shown,
)
from service.tournament_forms import (
    Cancellation,
    NewTournament,
    TournamentAnswer,
    TournamentListing,
    TournamentView,
)
from service.tournaments.contract import TournamentAsk, TournamentDone
from service.wire import Cursor, Limit, NotOlder, Page, Request

ONE: Final = {"create": "\0create", "start": "\0start", "bot": "\0bot:"}
"""The keys of what is done once for each tournament. No client can send them: theirs are
printable."""
SET_UP_COST: Final = 100
"""Of a limit: each of its tables is a match, and the service plays those of its bots."""
ENTRANT_COST: Final = 20
"""Of a limit, for each entrant when it starts: about as many matches are set up, as expensive."""
_HEADERS: Final = ("ETag", "Idempotent-Replayed")
_DONE: Final = Shape(200, TournamentAnswer, headers=_HEADERS)


class TournamentPlan(Struct, frozen=True):
    """What is random about a new tournament: the same again for a retry."""

    tournament: bytes
    invite: str


class TournamentsQuery(Request, frozen=True):
    """Which public tournaments to list, newest first."""

    status: Annotated[
        Literal["open", "running", "finished", "canceled"],
        Meta(description="How far the tournaments are that are listed."),
    ] = "open"
    limit: Limit = 50
    cursor: Cursor | None = None


@operation(
    "POST",
    "/v1/tournaments",
    tag="Tournaments",
    needs=Needs.TOKEN,
    answers=(
        Shape(
            201,
            TournamentAnswer,
            says="The tournament is set up.",
            headers=("Location", *_HEADERS),
        ),
    ),
    problems=(409,),
    cost=SET_UP_COST,
)
async def create_tournament(call: Call, body: NewTournament) -> ASGIApp:
    """Set up a tournament.

    A player or an app does, and is its organizer; a player who wants to take part enters it like
    everybody else. `bots` enter at once. A private tournament answers its invite, once.
    """
    if call.caller.player is None and call.caller.kind is not Kind.APP:
        raise fail(Code.NOT_ALLOWED, "A player sets up a tournament, or an app.")
    settings = _settings_of(call, body)
    plan, is_again = await planned(call, TournamentPlan, _new_plan)
    id = plan.tournament
    tournaments = call.services.tournaments
    create = CreateTournament(settings, body.visibility)
    if not is_again:
        await tournaments.dry_run(id, _once(call, id, create, ONE["create"]))
    await _register(call, body, plan)
    done = await tournaments.execute(id, _once(call, id, create, ONE["create"]))
    for number, level in enumerate(body.bots):
        bot = _once(call, id, EnterBot(level), f"{ONE['bot']}{number}")
        done = await tournaments.execute(id, bot)
    answer, headers = await answer_of(call, id, done)
    made = TournamentAnswer(
        answer.version,
        answer.events,
        answer.tournament,
        answer.receipt,
        invite=plan.invite if body.visibility is Visibility.PRIVATE else UNSET,
    )
    location = ("Location", f"/v1/tournaments/{text_of(id)}")
    return as_json(made, 201, (location, *headers))


@operation(
    "GET",
    "/v1/tournaments",
    tag="Tournaments",
    answers=(Shape(200, Page[TournamentListing], headers=("Link",)),),
)
async def list_tournaments(call: Call, query: TournamentsQuery) -> ASGIApp:
    """List public tournaments and one's own, newest first.

    Of one's own private tournaments, those among the last 200 matches and tournaments entered.
    """
    before = None if query.cursor is None else place_in(query.cursor, MatchId)
    public = await call.services.tournaments.lines.listed(query.status, before, query.limit + 1)
    own = await _own_private(call, query.status, before)
    lines = sorted((*public, *own), key=lambda line: line.tournament, reverse=True)
    page = lines[: query.limit]
    following = cursor_of(page[-1].tournament) if len(lines) > query.limit else None
    link = next_link(call, following, status=query.status, limit=query.limit)
    return as_json(Page(tuple(map(_listing, page)), following), 200, link)


@operation(
    "GET",
    "/v1/tournaments/{tournament_id}",
    tag="Tournaments",
    answers=(
        Shape(200, TournamentView, headers=("ETag",)),
        UNCHANGED,
    ),
    problems=(404, 412),
    takes=("If-None-Match", "Talon-Invite"),
)
async def get_tournament(call: Call, query: NotOlder) -> ASGIApp:
    """Look at a tournament: how it is played, who takes part, how far it is."""
    looked = await seen(call, call.id("tournament_id"), query.min_version)
    followed = looked.followed
    if (unchanged := unless_known(call, followed.head.version, looked.viewer)) is not None:
        return unchanged
    view, viewer = await shown(call, followed.tournament, followed.created_at)
    return as_json(view, 200, versions.headers(view.version, viewer))


@operation(
    "POST",
    "/v1/tournaments/{tournament_id}/start",
    tag="Tournaments",
    needs=Needs.TOKEN,
    answers=(_DONE,),
    problems=(404, 409, 412),
    takes=("If-Match",),
    cost=SET_UP_COST,
)
async def start_tournament(call: Call) -> ASGIApp:
    """Start a tournament: its entrants are fixed, the first round is paired.

    Its organizer does. From then on it goes on by itself: tables open, their matches start, and
    when all of a round are over the next one is paired. A second start answers the same.
    """
    id = call.id("tournament_id")
    looked = await seen(call, id)
    kind = organizing(call, looked.facts)
    tournament = looked.followed.tournament
    if tournament.status is TournamentStatus.OPEN:
        cost = ENTRANT_COST * len(tournament.present)
        await call.services.limits.charge(call.caller, call.who, cost, call.now)
    ask = ask_of(call, id, StartTournament(), kind, key=ONE["start"])
    answer, headers = await answer_of(call, id, await _executed(call, id, ask))
    return as_json(answer, 200, headers)


@operation(
    "POST",
    "/v1/tournaments/{tournament_id}/cancel",
    tag="Tournaments",
    needs=Needs.TOKEN,
    answers=(_DONE,),
    problems=(404, 409, 412),
    takes=("If-Match",),
)
async def cancel_tournament(
    call: Call,
    body: Cancellation = Cancellation(),  # noqa: B008 - frozen
) -> ASGIApp:
    """Do not play a tournament on: it has no places then.

    Its organizer does, or an operator. Matches that run at its tables go on, and count as any
    other match.
    """
    id = call.id("tournament_id")
    looked = await seen(call, id)
    is_operator = call.caller.kind is Kind.OPERATOR
    kind = ActorKind.OPERATOR if is_operator else organizing(call, looked.facts)
    reason = CancelReason.OPERATOR if is_operator else CancelReason(body.reason)
    ask = ask_of(call, id, CancelTournament(reason), kind)
    answer, headers = await answer_of(call, id, await _executed(call, id, ask))
    return as_json(answer, 200, headers)


async def _executed(call: Call, id: bytes, ask: TournamentAsk) -> TournamentDone:
    return await call.services.tournaments.execute(id, ask)


def _once(call: Call, id: bytes, command: CreateTournament | EnterBot, key: str) -> TournamentAsk:
    kind = kind_of_organizer(call)
    return TournamentAsk(Actor(kind), command, command_id(id, kind, None, key))


def _settings_of(call: Call, body: NewTournament) -> Settings:
    """The settings in a request; raises ProblemError for rules that say two things."""
    require_no_contradiction(call.plain.get("rules", {}))
    given = asdict(body)
    settings = Settings(**{name: given[name] for name in Settings.__struct_fields__})
    if len(body.bots) > (completed(settings).entrants_max or 0):
        raise invalid("#/bots", "There are more bots than entrants may be.")
    return settings


async def _register(call: Call, body: NewTournament, plan: TournamentPlan) -> None:
    """Store what is kept outside the log, before the stream has an event: so none is overlooked."""
    services, player, app = call.services, call.caller.player, call.caller.app
    if player is not None:
        person = (await services.registry.players((player,))).get(player)
        app = None if person is None else person.app
    private = body.visibility is Visibility.PRIVATE
    await services.registry.add_match(
        MatchFacts(
            match=plan.tournament,
            created_by=player,
            app=app,
            invite_hash=token_hash(plan.invite) if private else None,
            tags=body.tags,
        )
    )
    await services.tournaments.lines.put(
        TournamentLine(
            plan.tournament, 0, call.now, TournamentStatus.NEW, body.visibility, body.format
        )
    )


async def _own_private(call: Call, status: str, before: bytes | None) -> list[TournamentLine]:
    """The private tournaments of a status that the caller has entered, before an id."""
    player = call.caller.player
    if player is None:
        return []
    ids = await call.services.registry.matches_of(player, before, PAGE_ITEMS)
    lines = (await call.services.tournaments.lines.of(ids)).values()
    is_private = Visibility.PRIVATE
    return [one for one in lines if one.visibility is is_private and one.status == status]


def _listing(line: TournamentLine) -> TournamentListing:
    return TournamentListing(
        tournament_id=text_of(line.tournament),
        status=TournamentStatus(line.status),
        visibility=line.visibility,
        format=Format(line.format),
        created_at=rfc3339(line.created_at),
        entrants=line.entrants,
        round=line.rounds,
    )


def _new_plan() -> TournamentPlan:
    return TournamentPlan(new_id(), new_secret(INVITE_BYTES))


OPERATIONS: Final[tuple[Operation, ...]] = (
    create_tournament,
    list_tournaments,
    get_tournament,
    start_tournament,
    cancel_tournament,
)
