"""Before the start, and who comes and goes: setting up, entering, leaving, substitutes."""

from __future__ import annotations

from domain.combinations import require_that_they_go_together
from domain.commands import Actor, Context
from domain.deal import commitment
from domain.event import Event
from domain.limits import ENTRIES_PER_PLAYER, REPLACEMENTS_PER_ENTRANT
from domain.options import RULESET, RULESET_VERSION
from domain.refusals import Refusal, require
from domain.tournaments import guards
from domain.tournaments.commands import (
    CreateTournament,
    Enter,
    EnterBot,
    RemoveEntrant,
    ReplaceEntrant,
    Withdraw,
)
from domain.tournaments.draft import Draft
from domain.tournaments.events import (
    BotEntered,
    DrawCommitted,
    EntrantJoined,
    EntrantLeft,
    EntrantReplaced,
    TournamentCreated,
)
from domain.tournaments.evolve import LOT
from domain.tournaments.settings import ENTRANTS, completed
from domain.tournaments.tables import STAND_IN, settle_absent
from domain.tournaments.terms import Entrant, ExitReason, Seeding
from domain.tournaments.tournament import Tournament, TournamentStatus


def create_tournament(
    tournament: Tournament, actor: Actor, command: CreateTournament, context: Context
) -> tuple[Event, ...]:
    """Set up a tournament, and commit to the seed of a draw by lot."""
    require(tournament.status is TournamentStatus.NEW, Refusal.TOURNAMENT_MUST_BE_NEW)
    settings = completed(command.settings)
    seats, entrants = settings.table_seats, settings.entrants_max
    assert seats is not None and entrants is not None, "completed"
    require_that_they_go_together(settings.rules, seats)
    created = TournamentCreated(
        ruleset=RULESET,
        ruleset_version=RULESET_VERSION,
        format=settings.format,
        options=settings.rules,
        table_seats=seats,
        entrants_max=entrants,
        rounds=settings.rounds,
        seeding=settings.seeding,
        arrival_seconds=settings.arrival_seconds,
        no_show=settings.no_show,
        visibility=command.visibility,
    )
    if settings.seeding is not Seeding.LOT:
        return (created,)
    return created, DrawCommitted(commitment(tournament.id, LOT, context.seed))


def enter(
    tournament: Tournament, actor: Actor, command: Enter, context: Context
) -> tuple[Event, ...]:
    """Take part; who has left gets the same number again, who is in changes nothing."""
    known = tournament.entrant_of(command.player)
    if known is not None and not tournament.entries[known].has_left:
        return ()
    _require_room(tournament)
    if known is None:
        known = Entrant(len(tournament.entries))
    else:
        times = tournament.entries[known].times_entered
        require(times < ENTRIES_PER_PLAYER, Refusal.ENTRIES_MUST_BE_FEW)
    return (EntrantJoined(known, command.player, command.rating),)


def enter_bot(
    tournament: Tournament, actor: Actor, command: EnterBot, context: Context
) -> tuple[Event, ...]:
    """Let a bot take part."""
    guards.organizer(actor)
    _require_room(tournament)
    return (BotEntered(Entrant(len(tournament.entries)), command.level, command.rating),)


def _require_room(tournament: Tournament) -> None:
    """Somebody more may take part. Numbers are never given again, and so they are bounded too."""
    guards.open_for_entry(tournament)
    room = tournament.settings.entrants_max or 0
    require(len(tournament.present) < room, Refusal.ENTRANTS_MUST_HAVE_ROOM)
    require(len(tournament.entries) < room * ENTRIES_PER_PLAYER, Refusal.ENTRIES_MUST_BE_FEW)


def withdraw(
    tournament: Tournament, actor: Actor, command: Withdraw, context: Context
) -> tuple[Event, ...]:
    """Leave; tables that have not opened go on without, or with a bot."""
    guards.going_on(tournament)
    return _leave(tournament, guards.own_entry(tournament, actor), ExitReason.LEFT)


def remove_entrant(
    tournament: Tournament, actor: Actor, command: RemoveEntrant, context: Context
) -> tuple[Event, ...]:
    """Take an entrant out."""
    guards.organizer(actor)
    guards.going_on(tournament)
    entrant = guards.present(tournament, command.entrant)
    return _leave(tournament, entrant, ExitReason.REMOVED)


def _leave(tournament: Tournament, entrant: Entrant, reason: ExitReason) -> tuple[Event, ...]:
    is_running = tournament.status is TournamentStatus.RUNNING
    needs_everybody = is_running and tournament.settings.format in ENTRANTS
    draft = Draft(tournament)
    draft.add(EntrantLeft(entrant, reason, STAND_IN if needs_everybody else None))
    if is_running and not needs_everybody:
        settle_absent(draft, entrant)
    return draft.events


def replace_entrant(
    tournament: Tournament, actor: Actor, command: ReplaceEntrant, context: Context
) -> tuple[Event, ...]:
    """Let a substitute take an entrant's place, also that of one who left, until the end."""
    guards.organizer(actor)
    guards.running(tournament)
    known = command.entrant in tournament.seeding
    require(known, Refusal.ENTRANT_MUST_TAKE_PART)
    entry = tournament.entries[command.entrant]
    require((command.player is None) != (command.bot is None), Refusal.SUBSTITUTE_MUST_BE_NAMED)
    is_other = command.player is None or tournament.entrant_of(command.player) is None
    require(is_other, Refusal.SUBSTITUTE_MUST_BE_SOMEBODY_ELSE)
    few = entry.times_replaced < REPLACEMENTS_PER_ENTRANT
    require(few, Refusal.SUBSTITUTES_MUST_BE_FEW)
    return (EntrantReplaced(command.entrant, command.player, command.bot),)
