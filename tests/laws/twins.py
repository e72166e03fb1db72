"""Twins of a match: the same to one viewer, other in what that viewer has not been shown.

From a moment of a match that was played, hidden cards are dealt anew among the places where the
viewer cannot look: other hands, the draw pile, a hand kept for a challenge. Cards that somebody
lays later in the round, or that the viewer draws, stay where they are, so that the same commands
have the same public outcomes; all others change places. Then the very commands that were given
are given again, and all that the viewer gets is compared byte by byte.

Where a hand is returned or all are shuffled, which card comes to lie where depends on all of them;
and how many cards are drawn until one fits depends on each. A ``close`` twin differs there too, in
a card or two, for as long as the same commands have the same outcomes. What ends a comparison is
not the viewer's doing: an outcome that the rules make public, or a card they show to the viewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from domain.cards import Hand
from domain.codec import encode
from domain.commands import Actor, Command, Context, DrawCard, PassTurn, PlayCard
from domain.decide import decide
from domain.events import (
    CardsDrawn,
    ChallengeResolved,
    ColorChosen,
    DrawReason,
    Event,
    HandReturned,
    HandsShuffled,
    HandsSwapped,
    RoundCommitted,
    RoundEnded,
    Seat,
)
from domain.evolve import evolve
from domain.match import Match, with_secret
from domain.match import at as when
from domain.refusals import RuleViolation
from domain.sight import explain, mine, view_of
from service.play.errands import due_at, errands
from service.settings import Settings
from tests.laws.laws import commands
from tests.laws.table import Step
from tests.spec import person, seed_of

Sight = Callable[[Match, Seat | None], bytes]
"""What a viewer gets of a match."""
Rules = Callable[[Match, Actor, Command, Context], tuple[Event, ...]]
"""What a command leads to."""


_SETTINGS = Settings()


def seen(match: Match, viewer: Seat | None) -> bytes:
    """The viewer's view, as it is sent, why cards of theirs cannot be played, and when bots act.

    A partner is a viewer like any other (TEAM-1), and an auditor sees what a spectator does, and
    the events as they are stored, which are compared for everybody.
    """
    why = {} if viewer is None else explain(match, viewer)
    soon = errands(match, _SETTINGS), due_at(match, 0, _SETTINGS)
    return msgspec.json.encode((view_of(match, viewer), why, soon))


def as_stored(event: Event) -> bytes:
    """The event as it is stored, less the digest of an order that nobody has been shown.

    That is keyed (docs/deal.md): without the round's key, which is revealed when nothing is hidden
    any more, it tells nothing. The audit holds each against the key.
    """
    if isinstance(event, HandReturned | HandsShuffled):
        return encode(replace(event, digest=""))
    return encode(event)


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
    varied: Counter[str] = field(default_factory=Counter)
    """How often hidden cards were returned, shuffled or drawn on that differed."""


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
        same(list(map(as_stored, first)), list(map(as_stored, second)), viewer, command)
        for event, twins in zip(first, second, strict=True):
            before = one, other
            one, other = _evolved(one, event, context), _evolved(other, twins, context)
            if shown(before[0], event, one, viewer) != shown(before[1], twins, other, viewer):
                result.ended = "with other cards shown"
                return result
            result.varied.update(_varied(before, event, (one, other)))
            if differ(one, other):
                _compare_answers(before, (event, twins), (one, other), viewer, sight)
                result.answers += 1
        if differ(one, other) and viewer is not None and at % 20 == 0:
            result.refusals += _compare_refusals(one, other, viewer)
        at += len(first)
    return result


def shown(before: Match, event: Event, after: Match, viewer: Seat | None) -> Hand:
    """The cards that an event shows to a viewer by the rules, whatever is sent to them."""
    was, round = before.round, after.round
    if viewer is None or was is None:
        return ()
    if isinstance(event, CardsDrawn) and event.seat == viewer:
        return was.pile[was.drawn : was.drawn + event.drawn]
    if isinstance(event, ChallengeResolved) and event.seat == viewer and was.penalty is not None:
        return was.penalty.hand
    if isinstance(event, HandsSwapped | HandsShuffled) and round is not None:
        return round.hands[viewer]
    return ()


def _varied(
    before: tuple[Match, Match], event: Event, after: tuple[Match, Match]
) -> tuple[str, ...]:
    """Whether an event moved cards that differ between the twins, and how."""
    hands = [match.round.hands if match.round else () for match in before]
    piles = [match.round.pile[match.round.drawn :] if match.round else () for match in before]
    if isinstance(event, HandReturned) and hands[0][event.seat] != hands[1][event.seat]:
        return ("returned",)
    if isinstance(event, HandsShuffled) and hands[0] != hands[1]:
        return ("shuffled",)
    if isinstance(event, HandsSwapped) and hands[0] != hands[1]:
        return ("swapped",)
    if isinstance(event, CardsDrawn) and piles[0][: event.drawn] != piles[1][: event.drawn]:
        on = before[0].options.draw_until_playable and event.reason is DrawReason.TURN
        return ("drawn on",) if on and event.drawn > 1 else ("drawn",)
    return ()


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
    events: tuple[Event, Event],
    after: tuple[Match, Match],
    viewer: Seat | None,
    sight: Sight,
) -> None:
    """The view after an event, and the viewer's own part of the event."""
    same(sight(after[0], viewer), sight(after[1], viewer), viewer, events[0])
    if viewer is not None:
        own = [
            msgspec.json.encode(mine(was, event, now, viewer))
            for was, event, now in zip(before, events, after, strict=True)
        ]
        same(own[0], own[1], viewer, events[0])


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
