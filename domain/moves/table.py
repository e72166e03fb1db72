"""Before the start: setting up a table, sitting down, leaving, starting."""

from __future__ import annotations

from msgspec.structs import replace

from domain.combinations import require_that_they_go_together
from domain.commands import (
    Actor,
    Context,
    CreateMatch,
    JoinMatch,
    LeaveSeat,
    SeatBot,
    StartMatch,
)
from domain.dealing import draw_for_dealer
from domain.editions import DECKS
from domain.events import (
    AbandonReason,
    BotSeated,
    Event,
    HostChanged,
    MatchAbandoned,
    MatchCreated,
    MatchStarted,
    PlayerJoined,
    PlayerLeft,
    Seat,
    Visibility,
)
from domain.facts.rounds import coming_key
from domain.limits import SEATINGS_PER_PLAYER
from domain.match import Match, Occupant, Status
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.force_play import drawn_card_of
from domain.moves.match_end import abandon
from domain.moves.round_start import commit, start_round
from domain.options import RULESET, RULESET_VERSION, Options
from domain.refusals import Refusal, require
from domain.scoring import counting_of


def create_match(
    match: Match, actor: Actor, command: CreateMatch, context: Context
) -> tuple[Event, ...]:
    """Set up a table and commit to the first round's seed; a creator takes seat 0, bots follow."""
    require(match.status is Status.NEW, Refusal.MATCH_MUST_BE_NEW)
    taken = len(command.seated) or len(command.bots) + (command.player is not None)
    require(taken <= command.seats, Refusal.SEAT_MUST_BE_FREE)
    if command.seated:
        guards.operator(actor)
    require_that_they_go_together(command.options, command.seats)
    draft = Draft(match)
    draft.add(
        created(command.options, command.seats, command.visibility, is_practice=command.practice)
    )
    if command.player is not None:
        draft.add(PlayerJoined(seat=Seat(0), player=command.player))
    for occupant in command.seated:
        draft.add(_sits_down(Seat(len(draft.match.seats)), occupant))
    commit(draft, 1, context.seed)
    for level in command.bots:
        draft.add(BotSeated(seat=Seat(len(draft.match.seats)), level=level))
    return draft.events


def _sits_down(seat: Seat, occupant: Occupant) -> PlayerJoined | BotSeated:
    """Somebody has a seat from the beginning."""
    if occupant.player is not None:
        return PlayerJoined(seat=seat, player=occupant.player)
    assert occupant.bot is not None
    return BotSeated(seat=seat, level=occupant.bot)


def created(
    options: Options, seats: int, visibility: Visibility, *, is_practice: bool
) -> MatchCreated:
    """A table by the rules of today, all its options told."""
    return MatchCreated(
        ruleset=RULESET,
        ruleset_version=RULESET_VERSION,
        options=replace(options, drawn_card=drawn_card_of(options)),
        seats=seats,
        visibility=visibility,
        practice=is_practice,
    )


def join_match(
    match: Match, actor: Actor, command: JoinMatch, context: Context
) -> tuple[Event, ...]:
    """Take the lowest free seat; who sits at the table already changes nothing."""
    if match.seat_of(command.player) is not None:
        return ()
    guards.open_table(match)
    require(len(match.seats) < match.seats_total, Refusal.SEAT_MUST_BE_FREE)
    times, _ = match.got_up.get(command.player, (0, 0))
    require(times < SEATINGS_PER_PLAYER, Refusal.SEATINGS_MUST_BE_FEW)
    return (PlayerJoined(seat=Seat(len(match.seats)), player=command.player),)


def seat_bot(match: Match, actor: Actor, command: SeatBot, context: Context) -> tuple[Event, ...]:
    """Put a bot on the lowest free seat."""
    guards.open_table(match)
    guards.host(match, actor)
    require(len(match.seats) < match.seats_total, Refusal.SEAT_MUST_BE_FREE)
    return (BotSeated(seat=Seat(len(match.seats)), level=command.level),)


def leave_seat(
    match: Match, actor: Actor, command: LeaveSeat, context: Context
) -> tuple[Event, ...]:
    """Give a seat up before the start; the human longest present becomes host (AWAY-7)."""
    guards.open_table(match)
    seat = guards.own_seat(match, actor)
    draft = Draft(match)
    draft.add(PlayerLeft(seat))
    if not persons(draft.match):
        abandon(draft, MatchAbandoned(AbandonReason.EMPTY))
    elif draft.match.host is None:
        draft.add(HostChanged(persons(draft.match)[0]))
    return draft.events


def persons(match: Match) -> tuple[Seat, ...]:
    """The seats of people who have not left; who is longest present comes first."""
    return tuple(seat for seat in match.still_in if match.seats[seat].bot is None)


def start_match(
    match: Match, actor: Actor, command: StartMatch, context: Context
) -> tuple[Event, ...]:
    """Draw for the dealer and deal the first round; a second start changes nothing."""
    guards.host(match, actor)
    if match.status is Status.RUNNING:
        return ()
    guards.open_table(match)
    require(len(match.seats) == match.seats_total, Refusal.SEATS_MUST_BE_TAKEN)

    draft = Draft(match)
    draft.add(MatchStarted())
    deck = DECKS[match.options.edition]
    drawn = draw_for_dealer(deck, coming_key(match, match.rounds + 1), match.seats_total)
    draft.add(drawn)
    order = counting_of(match).order(match)
    start_round(draft, context, dealer=drawn.dealer, order=order, shuffles=drawn.shuffles)
    return draft.events
