"""What a plan is worth: one sum over what it does to the hand, to others and to what is next.

The considerations are ``domain.bots.weights``'; the chances ``domain.bots.odds``'.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from domain.bots.odds import Odds
from domain.bots.plans import Plan, partner_of, plans_of, seat_after
from domain.bots.reading import color_counts, you
from domain.bots.weights import AT_A_TABLE, HEADS_UP
from domain.cards import Card, Color, Face
from domain.commands import PlayCard
from domain.effect import HandsMove
from domain.events import BotLevel, Seat
from domain.options import Form, Scoring
from domain.views import SeatView

CHALLENGES: Final = {
    BotLevel.RANDOM: 0.25,
    BotLevel.STEADY: 0.1,
    BotLevel.SHARP: 0.3,
    None: 0.3,
}
"""By who plays a seat: how often it challenges a wild draw four."""
_GUILTY: Final = 3.0
"""What a lost challenge costs beyond the play: the cards, and the turn that is not won."""
_SWAPPED: Final = 1.5
"""What a card more or less is worth when hands change owners."""
_PARTNER: Final = 2.0
"""What it is worth that a partner who is about to go out can play."""
_OWN_POINTS: Final = 2.0
"""How much more points laid count where everybody adds their own."""
_WON: Final = 1_000.0
_ACTIONS: Final = frozenset((Face.SKIP, Face.REVERSE, Face.DRAW_TWO))


class Worth:
    """Weighs the plans of one seat on one turn."""

    def __init__(self, view: SeatView, odds: Odds) -> None:
        self._view = view
        self._odds = odds
        mine = you(view)
        self._seat, self._hand = mine.seat, mine.hand
        self.weights = HEADS_UP if len(view.order) == 2 else AT_A_TABLE
        self._held = color_counts(mine.hand)
        self._cards = {entry.seat: entry.cards for entry in view.seats}
        self._partner = partner_of(view)
        self._danger = {seat: self._danger_of(seat) for seat in view.order}
        self._worst = max(self._danger.values())

    def best(self, choices: Sequence[PlayCard]) -> tuple[float, PlayCard]:
        """The best of the plays, a wild with its color, and what it is worth."""
        plans = [plan for play in choices for plan in plans_of(self._view, play)]
        worth = [self.of(plan) for plan in plans]
        most = max(worth)
        return most, plans[worth.index(most)].play

    def of(self, plan: Plan) -> float:
        """What a plan is worth; all that counts is the order among those of one turn."""
        if not plan.rest:
            return _WON
        spent = self._spent(plan) + self._done(plan)
        if plan.effect.hands is not None:
            return spent + self._swapped(plan)
        return spent + self._left(plan) + self._next(plan)

    def _danger_of(self, seat: Seat) -> float:
        """The danger that a seat is, from 0 to 1; friends are none."""
        return 0.0 if seat in (self._seat, self._partner) else self._nearness(seat)

    def _nearness(self, seat: Seat) -> float:
        """How near a seat is to going out, from 0 to 1."""
        weights, cards = self.weights, self._cards[seat]
        by_cards = (1.0, 1.0, weights.two_left, weights.three_left)
        return by_cards[cards] if cards < len(by_cards) else weights.more_left

    def _spent(self, plan: Plan) -> float:
        """The card itself: what it could have done later, and the points that it is rid of."""
        weights, worst, card = self.weights, self._worst, plan.play.card
        value = card.points / 10 * weights.points_danger * worst
        if card is Card.W4:
            return value - weights.keep_four - weights.keep_four_danger * worst - self._risk(plan)
        if card.color is None:
            return value - weights.keep_wild - weights.keep_wild_danger * worst
        value += card.points / 10 * weights.points * self._points_count
        value += weights.held * min(self._held[card.color], 5)
        if card.face in _ACTIONS:
            value -= weights.keep_action + weights.keep_action_danger * worst
        return value if card.color is self._view.color else value - weights.changes_color

    @property
    def _points_count(self) -> float:
        options = self._view.options
        own = options.scoring is Scoring.LOWEST or options.form is Form.ELIMINATION
        return _OWN_POINTS if own else 1.0

    def _risk(self, plan: Plan) -> float:
        """What a bluff may cost (WD4-1, WD4-5)."""
        color = self._view.color
        if not plan.effect.judged or color is None or not self._held[color]:
            return 0.0
        level = self._view.seats[plan.victim].bot
        return self.weights.bluff + CHALLENGES[level] * _GUILTY

    def _done(self, plan: Plan) -> float:
        """What the card does to others: cards to draw, a turn lost."""
        weights, danger = self.weights, self._danger[plan.victim]
        value = plan.draws * (weights.draws + weights.draws_danger * danger)
        if plan.effect.others_draw:
            value += sum(self._danger.values()) * weights.draws_danger
        if plan.skips and len(self._view.order) > 2:
            value += weights.skips + weights.skips_danger * danger
        return value

    def _next(self, plan: Plan) -> float:
        """Who has the next turn, and what they can do with it."""
        weights = self.weights
        if plan.next == self._seat:
            return self._again(plan)
        stuck = self._odds.is_stuck(plan.next, plan.color, plan.play.card.face)
        if plan.next == self._partner:
            return (1 - stuck) * self._nearness(plan.next) * _PARTNER - stuck * weights.stuck
        danger = self._danger[plan.next]
        value = stuck * (weights.stuck + weights.stuck_danger * danger)
        return value - weights.next_danger * danger + self._for_partner(plan)

    def _for_partner(self, plan: Plan) -> float:
        """The color suits a partner who needs little more (TEAM-1)."""
        if self._partner is None:
            return 0.0
        holds = self._odds.holds(self._partner, plan.color)
        return holds * self._nearness(self._partner) * _PARTNER / 2

    def _again(self, plan: Plan) -> float:
        """Another turn of one's own, which ends the round if the last card fits."""
        weights = self.weights
        fits, wild = _fitting(plan), _has_wild(plan)
        if len(plan.rest) == 1 and (fits or wild):
            return _WON
        if fits:
            return weights.again
        return weights.again_with_wild if wild else weights.again_without

    def _left(self, plan: Plan) -> float:
        """How well the cards left go on from here."""
        weights, rest = self.weights, plan.rest
        counts = color_counts(rest)
        fits, count = _fitting(plan), len(rest)
        value = weights.fits_share * fits / count + weights.fits_any * (fits > 0)
        value += weights.same_color * min(counts[plan.color], 4)
        singles = sum(1 for color in Color if counts[color] == 1)
        value -= weights.single * singles + weights.colors * len(counts)
        if count == 1:
            value += weights.last_is_wild if rest[0].is_wild else weights.last_fits * fits
        if count == 2 and _has_wild(plan):
            value += weights.wild_of_two
        return value

    def _swapped(self, plan: Plan) -> float:
        """The cards that a change of hands rids the seat of (HOUSE-2, SHUF-1, CUST-1)."""
        left, order = len(plan.rest), self._view.order
        if plan.effect.hands is HandsMove.SHUFFLE:
            others = sum(self._cards[seat] for seat in order if seat != self._seat)
            return _SWAPPED * (left - (others + left) / len(order))
        giver = plan.play.swap_with
        if giver is None:
            giver = seat_after(self._view, self._seat, -(self._view.direction or 1))
        return _SWAPPED * (left - self._cards[giver])


def _fitting(plan: Plan) -> int:
    """How many of the cards left fit on the play, wilds apart."""
    face = plan.play.card.face
    return sum(
        1
        for card in plan.rest
        if card.color is plan.color or (card.face is face and not card.is_wild)
    )


def _has_wild(plan: Plan) -> bool:
    return any(card.is_wild for card in plan.rest)
