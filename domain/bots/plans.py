"""What a play comes to: who draws, who is next, and what is left in the hand.

Not here: how much each of these is worth (``domain.bots.worth``).
"""

from __future__ import annotations

from msgspec import Struct

from domain.bots.reading import you
from domain.cards import Color, Hand
from domain.commands import PlayCard
from domain.effect import Effect
from domain.effects import effect_of
from domain.events import Seat
from domain.options import Form
from domain.views import SeatView


class Plan(Struct, frozen=True, gc=False):
    """One play, with the color it leaves in force.

    ``rest``: the hand after it. ``victim``: who sits next and bears what the card does; ``draws``:
    the cards it makes them draw. ``next``: whose turn comes then; ``skips``: not the victim's.
    """

    play: PlayCard
    color: Color
    rest: Hand
    effect: Effect
    victim: Seat
    draws: int
    skips: bool
    next: Seat


def plans_of(view: SeatView, play: PlayCard) -> list[Plan]:
    """What a play comes to; a wild once for each color."""
    mine, card = you(view), play.card
    at = mine.hand.index(card)
    rest = mine.hand[:at] + mine.hand[at + 1 :]
    players = len(view.order)
    effect = effect_of(card.face, view.options, players=players, last=not rest)
    direction = -(view.direction or 1) if effect.turns_round else (view.direction or 1)
    draws = effect.draws
    if effect.penalty:
        draws = effect.penalty + (view.pending.amount or 0)  # a stack adds up (HOUSE-1)
    steps = 2 if effect.penalty else effect.steps
    victim = seat_after(view, mine.seat, direction)
    following = seat_after(view, mine.seat, direction * steps)
    return [
        Plan(
            PlayCard(card, color if card.is_wild else None, swap_with=play.swap_with),
            color,
            rest,
            effect,
            victim,
            draws,
            steps > 1,
            following,
        )
        for color in (Color if card.color is None else (card.color,))
    ]


def seat_after(view: SeatView, seat: Seat, steps: int) -> Seat:
    """The seat so many steps further clockwise in the round, or back."""
    order = view.order
    return order[(order.index(seat) + steps) % len(order)]


def partner_of(view: SeatView) -> Seat | None:
    """Who sits opposite and shares the points, if anybody does (TEAM-1, ROT-1)."""
    return seat_after(view, you(view).seat, 2) if view.form in _PARTNERS else None


_PARTNERS = (Form.TEAMS, Form.ROTATING_PARTNERS)
