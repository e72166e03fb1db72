"""Twins of a match: the same to one viewer, other in what that viewer has not been shown.

From a moment of a match that was played, hidden cards are dealt anew among the places where the
viewer cannot look: other hands, the draw pile, a hand kept for a challenge. Cards that somebody
lays later in the round, or that the viewer draws, stay where they are, so that the same commands
have the same public outcomes; all others change places. Then the very commands that were given
are given again, and all that the viewer gets is compared byte by byte.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card, Hand
from domain.codec import encode
from domain.commands import Actor, Command, Context, DrawCard, PassTurn, PlayCard
from domain.decide import decide
from domain.events import (
    CardPlayed,
    CardsDrawn,
    ChallengeResolved,
    ColorChosen,
    Event,
    HandReturned,
    HandsShuffled,
    HandsSwapped,
    PileReshuffled,
    PlayCalledOut,
    RoundCommitted,
    RoundEnded,
    Seat,
)
from domain.evolve import evolve
from domain.match import Match, Round, with_secret
from domain.match import at as when
from domain.refusals import RuleViolation
from domain.sight import explain, mine, view_of
from tests.laws.laws import commands
from tests.laws.table import Step
from tests.spec import person, seed_of

Sight = Callable[[Match, Seat | None], bytes]
"""What a viewer gets of a match."""
Rules = Callable[[Match, Actor, Command, Context], tuple[Event, ...]]
"""What a command leads to."""


def seen(match: Match, viewer: Seat | None) -> bytes:
    """The viewer's view, as it is sent, and why cards of theirs cannot be played."""
    why = {} if viewer is None else explain(match, viewer)
    return msgspec.json.encode((view_of(match, viewer), why))


class Told(AssertionError):  # noqa: N818 - it says what happened
    """A viewer can tell twins apart."""


def same(one: object, other: object, viewer: Seat | None, what: object) -> None:
    """Both are the same, or the viewer can tell."""
    if one != other:
        raise Told(f"viewer {viewer} can tell by {what}: {one!r}, {other!r}")


class Compared(Struct):
    """How much a comparison was worth: answers compared while the twins differed."""

    answers: int = 0
    refusals: int = 0
    ended: str = "at the end"


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

    def _lay(self, tokens: object, cards: Hand) -> list[Token]:
        laid = [next(tokens) for _ in cards]  # type: ignore[call-overload]
        self.face.update(zip(laid, cards, strict=True))
        return laid

    def fixed(self, steps: Sequence[Step], viewer: Seat | None) -> set[Token]:
        """The cards that stay: the viewer's, those laid later, those shown to the viewer."""
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
                fixed |= self._owned_anew(step, event, viewer)
            if isinstance(event, HandReturned):
                fixed |= set(self.hands[event.seat])  # Whoever draws them draws the same.
                self.pile += self._in_order(step, event)
                self.hands[event.seat] = []
            if isinstance(event, CardsDrawn):
                drawn, self.pile = self.pile[: event.drawn], self.pile[event.drawn :]
                self.hands[event.seat] += drawn
                if event.seat == viewer or step.before.options.draw_until_playable:
                    fixed |= set(drawn)  # How many it takes until one fits is public (HOUSE-4).
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
    match: Match, steps: Sequence[Step], viewer: Seat | None, chance: random.Random, by_worth: bool
) -> Match:
    """The match with hidden cards dealt anew; ``by_worth``: only among cards worth the same."""
    round = match.round
    assert round is not None
    places = Places(round)
    fixed = places.fixed(steps, viewer)
    free: dict[int, list[Token]] = {}
    for token, card in places.face.items():
        if token not in fixed:
            free.setdefault(card.points if by_worth else 0, []).append(token)
    faces = dict(places.face)
    for tokens in free.values():
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
        drawn_card = dealt[round.turn][-1]
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


def compare(
    one: Match,
    other: Match,
    steps: Sequence[Step],
    viewer: Seat | None,
    *,
    sight: Sight = seen,
    rules: Rules = decide,
) -> Compared:
    """Give the commands of ``steps`` to both twins and compare all that the viewer gets."""
    result, at = Compared(), 0
    while at < len(steps):
        actor, command = steps[at].actor, steps[at].command
        context = Context(steps[at].now, seed_of("twins", at))
        first, second = _both(one, other, actor, command, context, rules)
        if first is None or second is None:
            if not _may_depend_on_hidden_cards(actor, command, viewer):
                same(first, second, viewer, command)
            result.ended = "with a command that only one allows"
            return result
        if outcomes(first) != outcomes(second):
            result.ended = "with another outcome"
            return result
        same([encode(one) for one in first], [encode(one) for one in second], viewer, command)
        for event in first:
            before = one, other
            one, other = _evolved(one, event, context), _evolved(other, event, context)
            if differ(one, other):
                _compare_answers(before, event, (one, other), viewer, sight)
                result.answers += 1
        if differ(one, other) and viewer is not None and at % 10 == 0:
            result.refusals += _compare_refusals(one, other, viewer)
        at += len(first)
    return result


def _both(
    one: Match, other: Match, actor: Actor, command: Command, context: Context, rules: Rules
) -> list[tuple[Event, ...] | None]:
    """What a command leads to for each twin; None where it is refused."""
    found: list[tuple[Event, ...] | None] = []
    for match in (one, other):
        try:
            found.append(rules(match, actor, command, context))
        except RuleViolation:
            found.append(None)
    return found


def _may_depend_on_hidden_cards(actor: Actor, command: Command, viewer: Seat | None) -> bool:
    """What others may play or must not pass depends on their hands; nothing else does."""
    return actor.seat != viewer and isinstance(command, PlayCard | PassTurn | DrawCard)


def _evolved(match: Match, event: Event, context: Context) -> Match:
    if isinstance(event, RoundCommitted):
        match = with_secret(match, event.round, context.seed)
    return evolve(when(match, context.now), event)


def outcomes(events: Sequence[Event]) -> list[object]:
    """What the rules make public of hidden cards: verdicts, counts, a color the hand asks for."""
    found: list[object] = []
    for event in events:
        if isinstance(event, ChallengeResolved):
            found.append(event.guilty)
        if isinstance(event, RoundEnded):
            found.append(event.gains)
        if isinstance(event, CardsDrawn):
            found.append(event.drawn)
        if isinstance(event, ColorChosen):
            found.append(event.color)
    return found


def differ(one: Match, other: Match) -> bool:
    """Whether the twins still differ in anybody's hand, or in what will be drawn."""
    if one.round is None or other.round is None:
        return False
    return [Counter(hand) for hand in one.round.hands] != [
        Counter(hand) for hand in other.round.hands
    ] or one.round.pile[one.round.drawn :] != other.round.pile[other.round.drawn :]


def _compare_answers(
    before: tuple[Match, Match],
    event: Event,
    after: tuple[Match, Match],
    viewer: Seat | None,
    sight: Sight,
) -> None:
    """The view after an event, and the viewer's own part of the event."""
    same(sight(after[0], viewer), sight(after[1], viewer), viewer, event)
    if viewer is not None:
        own = [
            msgspec.json.encode(mine(was, event, now, viewer))
            for was, now in zip(before, after, strict=True)
        ]
        same(own[0], own[1], viewer, event)


def _compare_refusals(one: Match, other: Match, viewer: Seat) -> int:
    """Whatever the viewer asks for is refused for the same reason, or accepted by both."""
    asked = commands(len(one.seats))
    for command in asked:
        same(_refusal(one, viewer, command), _refusal(other, viewer, command), viewer, command)
    return len(asked)


def _refusal(match: Match, seat: Seat, command: object) -> str | None:
    try:
        decide(match, person(seat), command, Context(1 << 62, seed_of("asked")))  # type: ignore[arg-type]
    except RuleViolation as violation:
        return violation.refusal
    return None
