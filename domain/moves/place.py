"""A match that begins in a position: a table set up, seated, committed and started in one step."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from domain.cards import Card
from domain.combinations import require_that_they_go_together
from domain.commands import Actor, Context, PlaceMatch
from domain.deal import shuffled
from domain.editions import DECKS
from domain.events import (
    BotSeated,
    Event,
    MatchStarted,
    Pending,
    PlayerJoined,
    PositionPlaced,
    Seat,
)
from domain.match import Match, Status
from domain.moves import guards
from domain.moves.draft import Draft
from domain.moves.round_start import commit
from domain.moves.table import created
from domain.options import Options
from domain.placement import Hidden, Placement, counts_of, secret_of
from domain.placing import faults
from domain.refusals import Refusal, require
from domain.scoring import counting_of


def place_match(
    match: Match, actor: Actor, command: PlaceMatch, context: Context
) -> tuple[Event, ...]:
    """Put a position on the table; play goes on from it as from any other, in later rounds too."""
    require(match.status is Status.NEW, Refusal.MATCH_MUST_BE_NEW)
    guards.operator(actor)
    options, placement, seats = command.options, command.placement, len(command.players)
    require_that_they_go_together(options, seats)
    is_sound = len(placement.hands) == seats and not faults(placement, options)
    require(is_sound, Refusal.POSITION_MUST_BE_LEGAL)
    draft = Draft(match)
    draft.add(created(options, seats, command.visibility, is_practice=True))
    for seat, player in enumerate(command.players):
        if player is None:
            draft.add(BotSeated(Seat(seat), command.bot))
        else:
            draft.add(PlayerJoined(Seat(seat), player))
    hidden = hidden_of(command)
    commit(draft, placement.round, secret_of(command.salt, hidden))
    draft.add(MatchStarted())
    draft.add(_placed(_before(draft.match, placement), placement, hidden))
    commit(draft, placement.round + 1, context.seed)
    return draft.events


def hidden_of(command: PlaceMatch) -> Hidden:
    """Hands and pile, with the rest of the deck under it unless the pile is exact."""
    placement = command.placement
    rest = () if placement.exact else _rest(placement, command.options)
    return Hidden(placement.hands, placement.pile + shuffled(rest, command.salt, 0))


def _rest(placement: Placement, options: Options) -> tuple[Card, ...]:
    """The cards of the deck that lie nowhere yet."""
    left = Counter(DECKS[options.edition])
    left.subtract(card for hand in placement.hands for card in hand)
    left.subtract((placement.top, *placement.discard, *placement.pile))
    return tuple(left.elements())


def _before(match: Match, placement: Placement) -> Match:
    """The match as if the rounds before the placed one had been played."""
    return replace(match, rounds=placement.round - 1)


def _placed(match: Match, placement: Placement, hidden: Hidden) -> PositionPlaced:
    """What everybody sees of it."""
    color = placement.top.color or placement.color
    assert color is not None, "a wild on top has a color"
    return PositionPlaced(
        round=placement.round,
        dealer=placement.dealer,
        order=counting_of(match).order(match),
        hands=counts_of(hidden.hands),
        discard=(*reversed(placement.discard), placement.top),
        draw_pile=len(hidden.pile),
        color=color,
        direction=placement.direction,
        turn=placement.turn,
        pending=Pending.TURN,
        scores=placement.scores or (0,) * len(hidden.hands),
        uno=tuple(sorted(placement.said_uno)),
    )
