"""Who may see a tournament, who organizes it, and how it is shown to whom."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET, Struct

from domain.commands import Actor, ActorKind
from domain.ports import MatchFacts
from domain.tournaments.commands import AnyTournamentCommand
from domain.tournaments.terms import Entrant
from domain.tournaments.tournament import Tournament
from service import versions
from service.access import is_invite
from service.call import Call, not_found
from service.idempotency import REPLAYED, fingerprint, key_of, random_key
from service.identity import Kind
from service.ids import text_of
from service.play.command_ids import command_id
from service.play.times import rfc3339
from service.problems import Code, fail
from service.reply import Headers
from service.tournament_forms import (
    EntrantLine,
    OwnEntry,
    TournamentAnswer,
    TournamentResult,
    TournamentView,
)
from service.tournaments.contract import Followed, TournamentAsk, TournamentDone

_SEE_ALL: Final = frozenset((Kind.AUDITOR, Kind.OPERATOR))


class SeenTournament(Struct, frozen=True, gc=False):
    """A tournament as the caller sees it, with their digest and number in it, if they have any."""

    followed: Followed
    facts: MatchFacts
    digest: str | None
    entrant: Entrant | None
    viewer: versions.Viewer


async def seen(
    call: Call, id: bytes, min_version: int = 0, *, invite: str | None = None
) -> SeenTournament:
    """The tournament for this caller; raises ProblemError: 404 if it does not exist for them, 412
    if it has not come to ``min_version`` yet."""
    services, rosters, player = call.services, call.services.rosters, call.caller.player
    digest = None if player is None else rosters.known_digest(id, player, call.now)
    if digest is None and call.caller.kind not in _SEE_ALL:
        await _require_knowledge(call, id, invite)
    followed = await services.tournaments.current(id)
    if player is not None and digest is None:
        digest = await rosters.digest_of(id, player, call.now)
    facts = (await rosters.of(id, call.now)).facts
    if facts is None:
        raise not_found()
    entrant = None if digest is None else followed.tournament.entrant_of(digest)
    if followed.head.version < min_version:
        raise versions.not_reached(followed.head.version, min_version)
    return SeenTournament(followed, facts, digest, entrant, _viewer(call, entrant))


async def _require_knowledge(call: Call, id: bytes, invite: str | None) -> None:
    """Raise ProblemError (404) unless the tournament exists for somebody who is not known in it.

    By the same look-ups whether it is private or not there, as with matches.
    """
    rosters = call.services.rosters
    if rosters.is_public(id, call.now):
        return
    roster = await rosters.fresh(id, call.now)
    facts = roster.facts
    if facts is None:
        raise not_found()
    if facts.invite_hash is None or call.caller.player in roster.digests:
        return
    if is_organizer(call, facts) or is_invite(facts, invite or call.header(b"talon-invite")):
        return
    raise not_found()


def is_organizer(call: Call, facts: MatchFacts) -> bool:
    """Whether the caller set the tournament up: the person, or the app for itself."""
    caller = call.caller
    if caller.player is not None:
        return facts.created_by == caller.player
    return caller.app is not None and facts.app == caller.app


def organizing(call: Call, facts: MatchFacts) -> ActorKind:
    """As whom the tournament's organizer acts; raises ProblemError (403) for anybody else."""
    if not is_organizer(call, facts):
        raise fail(Code.NOT_ALLOWED, "The tournament's organizer does this: who set it up.")
    return kind_of_organizer(call)


def kind_of_organizer(call: Call) -> ActorKind:
    """As whom the caller organizes: an app for itself, or a player."""
    return ActorKind.ORGANIZER if call.caller.app is None else ActorKind.APP


def ask_of(
    call: Call,
    id: bytes,
    command: AnyTournamentCommand,
    kind: ActorKind,
    digest: str | None = None,
    *,
    key: str | None = None,
) -> TournamentAsk:
    """A command as tournaments take it; ``key`` stands in where the act itself is its own."""
    given = key_of(call)
    return TournamentAsk(
        actor=Actor(kind),
        command=command,
        command_id=command_id(id, kind, digest, key or given or random_key()),
        fingerprint=fingerprint(call) if given is not None and key is None else None,
        player=digest,
        if_match=versions.expected(call.header(b"if-match")),
    )


async def answer_of(
    call: Call, id: bytes, done: TournamentDone
) -> tuple[TournamentAnswer, Headers]:
    """What an accepted command answers, and the headers that go with it."""
    followed = await call.services.tournaments.current(id)
    view, viewer = await shown(call, done.tournament, followed.created_at)
    headers: Headers = versions.headers(done.version, viewer)
    if done.replayed:
        headers = (*headers, REPLAYED)
    return TournamentAnswer(done.version, done.events, view, done.receipt), headers


async def shown(
    call: Call, tournament: Tournament, created_at: int
) -> tuple[TournamentView, versions.Viewer]:
    """A state of a tournament as the caller sees it, with its entrants' names as of now."""
    settings = tournament.settings
    digest, player = None, call.caller.player
    if player is not None:
        digest = await call.services.rosters.digest_of(tournament.id, player, call.now)
    entrant = None if digest is None else tournament.entrant_of(digest)
    view = TournamentView(
        tournament_id=text_of(tournament.id),
        version=tournament.version,
        status=tournament.status,
        visibility=tournament.visibility,
        format=settings.format,
        rules=settings.rules,
        table_seats=settings.table_seats,
        entrants_max=settings.entrants_max,
        seeding=settings.seeding,
        arrival_seconds=settings.arrival_seconds,
        no_show=settings.no_show,
        round=len(tournament.rounds),
        rounds_planned=tournament.rounds_planned,
        entrants=await entrant_lines(call, tournament),
        created_at=rfc3339(created_at),
        commitment=tournament.commitment,
        reason=tournament.reason,
        result=_result(tournament),
        you=UNSET if entrant is None else OwnEntry(entrant),
    )
    return view, _viewer(call, entrant)


async def entrant_lines(call: Call, tournament: Tournament) -> tuple[EntrantLine, ...]:
    """The entrants with their names as of now; who is erased has none."""
    digests = [entry.player for entry in tournament.entries]
    present = await call.services.rosters.present(tournament.id, digests, call.now)
    lines = []
    for number, entry in enumerate(tournament.entries):
        player_id, name = present.get(entry.player or "", (None, None))
        lines.append(
            EntrantLine(Entrant(number), player_id, name, entry.bot, entry.rating, entry.has_left)
        )
    return tuple(lines)


def _result(tournament: Tournament) -> TournamentResult | None:
    found = tournament.result
    if found is None:
        return None
    return TournamentResult(found.winners, found.places, found.points)


def _viewer(call: Call, entrant: Entrant | None) -> versions.Viewer:
    if entrant is not None:
        return entrant
    return versions.AUDITOR if call.caller.kind is Kind.AUDITOR else versions.SPECTATOR
