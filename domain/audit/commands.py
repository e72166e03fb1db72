"""The command behind some events: what was asked, by whom, so that it can be decided again.

The log does not store commands; every command can be read off the events it led to.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from domain import commands as asked
from domain import events as happened
from domain.clock import deadline
from domain.commands import SERVICE, Actor, ActorKind, Command
from domain.events import BotLevel, DrawReason, Event, Seat
from domain.match import Match, Occupant, Status
from domain.placement import SALT_BYTES, Placement, hidden_in


class NoCommand(Exception):  # noqa: N818
    """No command of the rules leads to such events, or not one of whom they name."""


_SEATED: Final = frozenset((ActorKind.SEAT, ActorKind.BOT))


@lru_cache(maxsize=256)
def actor_in(text: str, numbered: frozenset[ActorKind] = _SEATED) -> Actor:
    """The actor as the log writes it, with a number if it is ``numbered``; raises NoCommand."""
    kind, colon, number = text.partition(":")
    try:
        actor = Actor(ActorKind(kind), Seat(int(number)) if colon else None)
    except ValueError:
        raise NoCommand(f"{text!r} is nobody who acts") from None
    if str(actor) != text or (actor.seat is not None) is not (actor.kind in numbered):
        raise NoCommand(f"{text!r} is nobody who acts")
    return actor


def command_in(match: Match, actor: Actor, events: Sequence[Event]) -> Command:
    """The command that led from ``match`` to ``events``; raises NoCommand."""
    for event in events:
        find = _FOUND.get(type(event))
        try:
            command = None if find is None else find(match, event, events)
        except ValueError as error:  # hex that is none, a position that is none
            raise NoCommand(str(error)) from None
        if command is not None:
            _require_actor(match, actor, command)
            return command
    raise NoCommand("no command of the rules leads to this")


def _require_actor(match: Match, actor: Actor, command: Command) -> None:
    """A person acts on a seat that is theirs, a bot on one that it plays; others only so much."""
    kind, seat = actor.kind, actor.seat
    if isinstance(command, asked.CreateMatch):
        holds = actor == _creator_of(command)
    elif isinstance(command, asked.JoinMatch):
        holds = actor == Actor(ActorKind.SEAT, Seat(len(match.seats)))
    elif seat is None:
        holds = not isinstance(command, asked.PLAYER_COMMANDS) or (
            kind is ActorKind.APP and isinstance(command, asked.PenalizeAdvice)
        )
    else:
        seats = match.seats
        is_bots = seat < len(seats) and seats[seat].bot is not None
        returns = isinstance(command, asked.Return)
        holds = seat < len(seats) and is_bots is ((kind is ActorKind.BOT) != returns)
    if not holds:
        raise NoCommand(f"{actor} may not do this")


def _creator_of(command: asked.CreateMatch) -> Actor:
    """Who sets such a table up."""
    if command.seated:
        return SERVICE
    return Actor(ActorKind.APP) if command.player is None else Actor(ActorKind.SEAT, Seat(0))


def _seated_at_once(events: Sequence[Event]) -> tuple[Occupant, ...]:
    """Who sits down before the first deal is committed to: all, at a tournament's table."""
    seated: list[Occupant] = []
    for one in events:
        if isinstance(one, happened.RoundCommitted):
            break
        if isinstance(one, happened.PlayerJoined):
            seated.append(Occupant(player=one.player))
        elif isinstance(one, happened.BotSeated):
            seated.append(Occupant(bot=one.level))
    return tuple(seated)


def _create(match: Match, e: happened.MatchCreated, events: Sequence[Event]) -> Command:
    """A table set up for play, or one on which a position is placed at once."""
    placed = next((one for one in events if isinstance(one, happened.PositionPlaced)), None)
    if placed is not None:
        return _place(match, e, placed, events)
    seated = _seated_at_once(events)
    if len(seated) > 1:
        return asked.CreateMatch(
            e.options, e.seats, e.visibility, None, practice=e.practice, seated=seated
        )
    joined = [one.player for one in events if isinstance(one, happened.PlayerJoined)]
    return asked.CreateMatch(
        options=e.options,
        seats=e.seats,
        visibility=e.visibility,
        player=joined[0] if joined else None,
        practice=e.practice,
        bots=tuple(one.level for one in events if isinstance(one, happened.BotSeated)),
    )


def _place(
    match: Match,
    e: happened.MatchCreated,
    placed: happened.PositionPlaced,
    events: Sequence[Event],
) -> Command:
    """The position as it lies, with the secret that the round was committed to."""
    secret, top = match.secrets[placed.round], placed.discard[-1]
    hidden = hidden_in(secret)
    return asked.PlaceMatch(
        options=e.options,
        players=tuple(
            one.player if isinstance(one, happened.PlayerJoined) else None
            for one in events
            if isinstance(one, happened.PlayerJoined | happened.BotSeated)
        ),
        placement=Placement(
            hands=hidden.hands,
            top=top,
            turn=placed.turn,
            color=placed.color if top.is_wild else None,
            discard=placed.discard[-2::-1],
            pile=hidden.pile,
            exact=True,
            dealer=placed.dealer,
            direction=placed.direction,
            scores=placed.scores,
            said_uno=frozenset(placed.uno),
            round=placed.round,
        ),
        salt=secret[:SALT_BYTES],
        visibility=e.visibility,
        bot=next(
            (one.level for one in events if isinstance(one, happened.BotSeated)), BotLevel.STEADY
        ),
    )


def _play(match: Match, e: happened.CardPlayed, events: Sequence[Event]) -> Command:
    """A swap names whom the author's hand went to, unless it was a shuffle or a passing on."""
    partner = None
    swapped = next((one for one in events if isinstance(one, happened.HandsSwapped)), None)
    if swapped is not None and e.card.face.value != "0":
        partner = dict(zip(swapped.givers, swapped.takers, strict=True)).get(e.seat)
    return asked.PlayCard(e.card, e.color if e.card.is_wild else None, e.uno, partner)


def _drawn(match: Match, e: happened.CardsDrawn, events: Sequence[Event]) -> Command | None:
    """A draw of one's own; any other draw follows from something else."""
    return asked.DrawCard() if e.reason is DrawReason.TURN else None


def _passed(match: Match, e: happened.TurnPassed, events: Sequence[Event]) -> Command | None:
    return None if e.by_clock else asked.PassTurn()


def _left(match: Match, e: happened.PlayerLeft, events: Sequence[Event]) -> Command:
    return asked.LeaveSeat() if match.status is Status.OPEN else asked.Leave()


def _seed(match: Match, e: happened.SeedAdded, events: Sequence[Event]) -> Command:
    seed = base64.urlsafe_b64encode(bytes.fromhex(e.client_seed)).decode().rstrip("=")
    return asked.AddSeed(e.round, seed)


def _voided(match: Match, e: happened.RoundVoided, events: Sequence[Event]) -> Command | None:
    """What goes on under other seeds after a restore; any other void follows from something else.

    A seed that is still sealed is taken to be empty: what was committed to is believed then.
    """
    if e.reason is not happened.VoidReason.RESTORE or e.round <= match.rounds:
        return None
    rounds = [one.round for one in events if isinstance(one, happened.RoundCommitted)]
    return asked.DealAnew(match.secrets.get(min(rounds), b"")) if rounds else None


def _clock(match: Match, e: happened.ClockRanOut, events: Sequence[Event]) -> Command:
    until = deadline(match)
    if until is None:
        raise NoCommand("no clock runs")
    return asked.RunOutClock(until)


def _called_out(match: Match, e: happened.PlayCalledOut, events: Sequence[Event]) -> Command | None:
    """A call; nobody called where the author left (TABLE-5)."""
    return None if e.by is None else asked.CallOut(e.seat)


_Find = Callable[[Match, Any, Sequence[Event]], Command | None]
_FOUND: Final[Mapping[type[Event], _Find]] = {
    happened.MatchCreated: _create,
    happened.PlayerJoined: lambda match, e, events: asked.JoinMatch(e.player),
    happened.BotSeated: lambda match, e, events: asked.SeatBot(e.level),
    happened.PlayerLeft: _left,
    happened.PlayerReturned: lambda match, e, events: asked.Return(),
    happened.SeedAdded: _seed,
    happened.MatchStarted: lambda match, e, events: asked.StartMatch(),
    happened.ColorChosen: lambda match, e, events: asked.ChooseColor(e.color),
    happened.CardPlayed: _play,
    happened.CardsDrawn: _drawn,
    happened.TurnPassed: _passed,
    happened.UnoCalled: lambda match, e, events: asked.CallUno(),
    happened.UnoCaught: lambda match, e, events: asked.CatchUno(e.seat),
    happened.PenaltyAccepted: lambda match, e, events: asked.AcceptPenalty(),
    happened.ChallengeResolved: lambda match, e, events: asked.Challenge(),
    happened.PlayCalledOut: _called_out,
    happened.AdvicePenalized: lambda match, e, events: asked.PenalizeAdvice(e.seat, e.reason),
    happened.ClockRanOut: _clock,
    happened.RoundVoided: _voided,
    happened.MatchAbandoned: lambda match, e, events: asked.AbandonMatch(e.reason),
    happened.MatchVoided: lambda match, e, events: asked.VoidMatch(e.reason),
}
