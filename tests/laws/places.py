"""Where each card of a round lies, and which of them may change places behind a viewer's back."""

from __future__ import annotations

import random
from collections.abc import Sequence

from msgspec.structs import replace

from domain.cards import Card, Hand
from domain.events import (
    CardPlayed,
    CardsDrawn,
    ChallengeResolved,
    HandReturned,
    HandsShuffled,
    HandsSwapped,
    PileReshuffled,
    PlayCalledOut,
    Seat,
)
from domain.match import Match, Round
from tests.laws.table import Step

Token = int


class Places:
    """Where each card of a round lies, card by card, as the round was played."""

    def __init__(self, round: Round) -> None:
        tokens = iter(range(200))
        self.face: dict[Token, Card] = {}
        self.hands = [self._lay(tokens, hand) for hand in round.hands]
        self.pile = self._lay(tokens, round.pile[round.drawn :])
        self.start = [list(hand) for hand in self.hands], list(self.pile)
        self.laid: Token | None = None
        """The card laid last, if it lay in a hand at the start."""
        self.judged: tuple[Token, ...] = ()
        """The hand that a challenge would show: its author's, as the wild draw four left it."""
        if round.penalty is not None:
            self.judged = tuple(self.hands[round.penalty.author][: len(round.penalty.hand)])
        self.start_judged = self.judged
        self.moved: set[Token] = set()
        """Those that were returned, gathered or drawn on: where a close twin differs."""

    def _lay(self, tokens: object, cards: Hand) -> list[Token]:
        laid = [next(tokens) for _ in cards]  # type: ignore[call-overload]
        self.face.update(zip(laid, cards, strict=True))
        return laid

    def fixed(self, steps: Sequence[Step], viewer: Seat | None, close: bool) -> set[Token]:
        """The cards that stay: the viewer's, those laid later, those shown to the viewer.

        In a close twin those that are returned, gathered or drawn on do not: the first of them
        leave the others where they are, as far as anybody can tell beforehand.
        """
        fixed = set() if viewer is None else set(self.hands[viewer])
        for step in steps:
            event = step.event
            if isinstance(event, ChallengeResolved) and event.seat == viewer:
                fixed |= set(self.judged)
            if isinstance(event, PileReshuffled):
                self.pile = []  # What is drawn from now on was laid before: the same for both.
            if isinstance(event, CardPlayed):
                held = self.hands[event.seat]
                token = next((one for one in held if self.face[one] is event.card), None)
                if token is not None:
                    held.remove(token)
                    fixed.add(token)
                self.laid = token
                self.judged = tuple(held)
            if isinstance(event, PlayCalledOut):
                self.hands[event.seat] += () if self.laid is None else (self.laid,)
            if isinstance(event, HandsSwapped | HandsShuffled):
                anew = self._owned_anew(step, event, viewer)
                if isinstance(event, HandsShuffled):
                    self.moved |= anew
                fixed |= set() if close and isinstance(event, HandsShuffled) else anew
            if isinstance(event, HandReturned):
                returned = set(self.hands[event.seat])
                self.moved |= returned
                fixed |= set() if close else returned  # Whoever draws them draws the same.
                self.pile += self._in_order(step, event)
                self.hands[event.seat] = []
            if isinstance(event, CardsDrawn):
                drawn, self.pile = self.pile[: event.drawn], self.pile[event.drawn :]
                self.hands[event.seat] += drawn
                if step.before.options.draw_until_playable:
                    self.moved |= set(drawn[:-1]) if event.seat != viewer else set()
                    fixed |= set() if close else set(drawn)  # How many it takes is public.
                if event.seat == viewer:
                    fixed |= set(drawn)
        return fixed

    def _owned_anew(
        self, step: Step, event: HandsSwapped | HandsShuffled, viewer: Seat | None
    ) -> set[Token]:
        """Hands change owners; which cards then stay: the viewer's, or all that were shuffled."""
        before, after = [list(hand) for hand in self.hands], step.after.round
        assert after is not None
        if isinstance(event, HandsSwapped):
            for giver, taker in zip(event.givers, event.takers, strict=True):
                self.hands[taker] = before[giver]
            return set() if viewer is None else set(self.hands[viewer])
        pool = [token for hand in before for token in hand]
        gathered = set(pool)
        for seat in after.order:
            self.hands[seat] = []
            for card in after.hands[seat]:
                token = next((one for one in pool if self.face[one] is card), None)
                if token is not None:
                    pool.remove(token)
                    self.hands[seat].append(token)
        return gathered

    def _in_order(self, step: Step, event: HandReturned) -> list[Token]:
        """A hand that goes under the pile, in the order in which it lies there."""
        assert step.after.round is not None
        held, order = list(self.hands[event.seat]), []
        for card in step.after.round.pile[-event.count :]:
            token = next((one for one in held if self.face[one] is card), None)
            if token is not None:
                held.remove(token)
                order.append(token)
        return order


def twin(
    match: Match,
    steps: Sequence[Step],
    viewer: Seat | None,
    chance: random.Random,
    *,
    by_worth: bool,
    close: bool = False,
) -> Match:
    """The match with hidden cards dealt anew; ``by_worth``: only among cards worth the same."""
    round = match.round
    assert round is not None
    places = Places(round)
    fixed = places.fixed(steps, viewer, close)
    free: dict[int, list[Token]] = {}
    for token, card in places.face.items():
        if token not in fixed:
            free.setdefault(card.points if by_worth else 0, []).append(token)
    faces = dict(places.face)
    for tokens in free.values():
        if close:
            _exchange(faces, tokens, places.moved, chance)
            continue
        moved = [places.face[token] for token in tokens]
        chance.shuffle(moved)
        faces.update(zip(tokens, moved, strict=True))
    hands, pile = places.start
    dealt = tuple(tuple(faces[token] for token in hand) for hand in hands)
    penalty = round.penalty
    if penalty is not None:
        penalty = replace(penalty, hand=tuple(faces[token] for token in places.start_judged))
    drawn_card = round.drawn_card
    if drawn_card is not None:
        # Cards of a penalty may lie behind it (TABLE-4).
        held = round.hands[round.turn]
        drawn_card = dealt[round.turn][max(i for i, card in enumerate(held) if card is drawn_card)]
    return replace(
        match,
        round=replace(
            round,
            hands=dealt,
            pile=tuple(faces[token] for token in pile),
            drawn=0,
            penalty=penalty,
            drawn_card=drawn_card,
        ),
    )


def _exchange(
    faces: dict[Token, Card], tokens: list[Token], wanted: set[Token], chance: random.Random
) -> None:
    """One of the cards that will be moved about changes places with another that is hidden.

    They are next to each other among the sorted cards, so that the others keep their places.
    """
    movable = [token for token in tokens if token in wanted]
    if movable:
        one = chance.choice(movable)
        others = [token for token in tokens if faces[token] is not faces[one]]
        if others:
            near = min(others, key=lambda token: (_distance(faces[one], faces[token]), token))
            other = chance.choice((near, chance.choice(others)))
            faces[one], faces[other] = faces[other], faces[one]


def _distance(one: Card, other: Card) -> int:
    """How far apart two cards lie among the sorted ones."""
    return abs(_SORTED.index(one) - _SORTED.index(other))


_SORTED = sorted(Card)
