"""Who takes part in a tournament: entering, leaving, bots, arriving, substitutes."""

from __future__ import annotations

from typing import Final

from litestar.types import ASGIApp

from domain.commands import ActorKind
from domain.limits import RATING_MAX
from domain.tournaments.commands import (
    Arrive,
    Enter,
    EnterBot,
    RemoveEntrant,
    ReplaceEntrant,
    Withdraw,
)
from domain.tournaments.terms import Entrant
from service.call import Call, not_found
from service.ids import id_in
from service.operation import Needs, Operation, Shape, operation
from service.problems import Code, fail, invalid
from service.reply import as_json
from service.seating import erased, new_holder, seat_held
from service.tournament_access import (
    SeenTournament,
    answer_of,
    ask_of,
    organizing,
    seen,
)
from service.tournament_forms import (
    Entering,
    NewBotEntrant,
    Substitute,
    TournamentAnswer,
)
from service.tournaments.contract import TournamentAsk, TournamentDone
from service.tournaments.leaving import leave_table, withdraw_if_erased

_HEADERS: Final = ("ETag", "Idempotent-Replayed")
_DONE: Final = Shape(200, TournamentAnswer, headers=_HEADERS)
_CONFLICTS: Final = (404, 409, 412)


@operation(
    "POST",
    "/v1/tournaments/{tournament_id}/entrants",
    tag="Tournaments",
    needs=Needs.PLAYER,
    answers=(_DONE,),
    problems=_CONFLICTS,
    takes=("If-Match", "Talon-Invite"),
)
async def enter_tournament(
    call: Call,
    body: Entering = Entering(),  # noqa: B008 - frozen
) -> ASGIApp:
    """Enter a tournament that has not started.

    Who has entered already stays as they are. A private tournament asks for its invite, in the
    body or in `Talon-Invite`. One is seeded by one's own `points` of the ratings, if one has
    played a rated match. The app that set a tournament up may give its players a `rating` of
    another list.
    """
    id = call.id("tournament_id")
    looked = await seen(call, id, invite=body.invite)
    if body.rating is not None and not _may_rate(call, looked):
        raise fail(Code.NOT_ALLOWED, "A rating is given by the app that set the tournament up.")
    rating = await _own_rating(call) if body.rating is None else body.rating
    digest = looked.digest
    if digest is None:
        mine = new_holder(id, call.player)
        tried = ask_of(call, id, Enter(mine.digest, rating), ActorKind.ENTRANT, mine.digest)
        await call.services.tournaments.dry_run(id, tried)
        digest = await seat_held(call.services, mine)
    ask = ask_of(call, id, Enter(digest, rating), ActorKind.ENTRANT, digest)
    done = await call.services.tournaments.execute(id, ask)
    await withdraw_if_erased(call.services, id, call.player, digest)
    answer, headers = await answer_of(call, id, done)
    return as_json(answer, 200, headers)


@operation(
    "DELETE",
    "/v1/tournaments/{tournament_id}/entrants/me",
    tag="Tournaments",
    needs=Needs.PLAYER,
    answers=(_DONE,),
    problems=_CONFLICTS,
    takes=("If-Match",),
)
async def withdraw_from_tournament(call: Call) -> ASGIApp:
    """Withdraw: before the start one may enter again, later one is out.

    A table at which one plays is left too (AWAY-2). What becomes of later tables is up to the
    format: `docs/tournaments.md`.
    """
    id = call.id("tournament_id")
    looked = await seen(call, id)
    ask = ask_of(call, id, Withdraw(), ActorKind.ENTRANT, _digest(looked))
    done = await call.services.tournaments.execute(id, ask)
    await leave_table(call.services, looked.followed.tournament, call.player, looked.entrant)
    answer, headers = await answer_of(call, id, done)
    return as_json(answer, 200, headers)


@operation(
    "DELETE",
    "/v1/tournaments/{tournament_id}/entrants/{entrant}",
    tag="Tournaments",
    needs=Needs.TOKEN,
    answers=(_DONE,),
    problems=_CONFLICTS,
    takes=("If-Match",),
)
async def remove_entrant(call: Call) -> ASGIApp:
    """Take an entrant out of a tournament: its organizer does."""
    id = call.id("tournament_id")
    kind = organizing(call, (await seen(call, id)).facts)
    ask = ask_of(call, id, RemoveEntrant(_entrant(call)), kind)
    answer, headers = await answer_of(call, id, await _do(call, id, ask))
    return as_json(answer, 200, headers)


@operation(
    "POST",
    "/v1/tournaments/{tournament_id}/bots",
    tag="Tournaments",
    needs=Needs.TOKEN,
    answers=(_DONE,),
    problems=_CONFLICTS,
    takes=("If-Match",),
)
async def enter_bot(call: Call, body: NewBotEntrant) -> ASGIApp:
    """Enter a bot of the service: the organizer does, before the start."""
    id = call.id("tournament_id")
    kind = organizing(call, (await seen(call, id)).facts)
    ask = ask_of(call, id, EnterBot(body.level, body.rating), kind)
    answer, headers = await answer_of(call, id, await _do(call, id, ask))
    return as_json(answer, 200, headers)


@operation(
    "POST",
    "/v1/tournaments/{tournament_id}/entrants/me/arrival",
    tag="Tournaments",
    needs=Needs.PLAYER,
    answers=(_DONE,),
    problems=_CONFLICTS,
    takes=("If-Match",),
)
async def arrive_at_table(call: Call) -> ASGIApp:
    """Say that one is at one's table, where the tournament has `arrival_seconds`.

    The table opens when all have; who has not by then forfeits it, or a bot plays for them.
    """
    id = call.id("tournament_id")
    looked = await seen(call, id)
    ask = ask_of(call, id, Arrive(), ActorKind.ENTRANT, _digest(looked))
    answer, headers = await answer_of(call, id, await _do(call, id, ask))
    return as_json(answer, 200, headers)


@operation(
    "POST",
    "/v1/tournaments/{tournament_id}/entrants/{entrant}/replacement",
    tag="Tournaments",
    needs=Needs.TOKEN,
    answers=(_DONE,),
    problems=_CONFLICTS,
    takes=("If-Match",),
)
async def replace_entrant(call: Call, body: Substitute) -> ASGIApp:
    """Let somebody else take an entrant's place, from the next table that opens on.

    The organizer does: a bot, or, where the organizer is an app, a player of its own.
    """
    id = call.id("tournament_id")
    looked = await seen(call, id)
    kind = organizing(call, looked.facts)
    digest, person = None, None
    if body.player_id is not None:
        person = await _own_player(call, body.player_id)
        digest = await call.services.rosters.digest_of(id, person, call.now)
        if digest is None:  # who is known may be so by the first of these very requests
            mine = new_holder(id, person)
            tried = ReplaceEntrant(_entrant(call), mine.digest, body.bot)
            await call.services.tournaments.dry_run(id, ask_of(call, id, tried, kind))
            digest = await seat_held(call.services, mine)
    replace = ReplaceEntrant(_entrant(call), digest, body.bot)
    done = await _do(call, id, ask_of(call, id, replace, kind))
    if person is not None and digest is not None:
        await withdraw_if_erased(call.services, id, person, digest)
    answer, headers = await answer_of(call, id, done)
    return as_json(answer, 200, headers)


async def _do(call: Call, id: bytes, ask: TournamentAsk) -> TournamentDone:
    return await call.services.tournaments.execute(id, ask)


async def _own_rating(call: Call) -> int | None:
    """The points of the caller's rating over all matches; None before the first rated one."""
    newest = (await call.services.tallies.newest((call.player,), None)).get(call.player)
    return None if newest is None else min(max(newest.points, 0), RATING_MAX)


def _may_rate(call: Call, looked: SeenTournament) -> bool:
    """Whether an app asks, by its own token, for a tournament that it set up."""
    app = call.caller.id if call.caller.kind is call.caller.kind.APP else None
    return app is not None and looked.facts.app == app and looked.facts.created_by is None


def _digest(looked: SeenTournament) -> str:
    """The digest of the person who asks; one that is none where they never entered."""
    return looked.digest or ""


def _entrant(call: Call) -> Entrant:
    """The number in the path; raises ProblemError (404) for what cannot be one."""
    text = call.path["entrant"]
    if not text.isdecimal() or len(text) > 6:
        raise not_found()
    return Entrant(int(text))


async def _own_player(call: Call, player_id: str) -> bytes:
    """A player of the app that asks; raises ProblemError (403, 422)."""
    person = id_in(player_id)
    if person is None:
        raise invalid("#/player_id", "Use the id of a player.")
    known = (await call.services.registry.players((person,))).get(person)
    if known is None or call.caller.app is None or known.app != call.caller.app:
        raise fail(Code.NOT_ALLOWED, "This player is not one of the app's.")
    if known.name is None:
        raise erased()
    return person


OPERATIONS: Final[tuple[Operation, ...]] = (
    enter_tournament,
    withdraw_from_tournament,
    remove_entrant,
    enter_bot,
    arrive_at_table,
    replace_entrant,
)
