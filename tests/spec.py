"""Given a table, when somebody does something, then this happens: how a test of a rule reads.

``deal`` puts a position on the table: a real match, created, joined and started by commands,
whose hands, piles and top card are then laid out anew from one whole deck.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from typing import ClassVar, Final

from msgspec.structs import replace

from domain.cards import Card, Color, Face, Hand
from domain.commands import (
    PLAYER_COMMANDS,
    SERVICE,
    AcceptPenalty,
    Actor,
    ActorKind,
    AddSeed,
    CallOut,
    CallUno,
    CatchUno,
    Challenge,
    ChooseColor,
    Command,
    Context,
    CreateMatch,
    DrawCard,
    JoinMatch,
    Leave,
    PassTurn,
    PenalizeAdvice,
    PlayCard,
    Return,
    StartMatch,
)
from domain.committing import secrets_of
from domain.decide import decide
from domain.editions import DECKS
from domain.events import (
    CardPlayed,
    CardsDrawn,
    DrawReason,
    Event,
    Pending,
    Seat,
    Visibility,
)
from domain.evolve import evolve
from domain.legal import legal_commands
from domain.match import Match, Round, at, new_match
from domain.notation import cards
from domain.options import Options
from domain.refusals import Refusal, RuleViolation

NAMES: Final = ("ANN", "BOB", "CAT", "DAN", "EVE", "FAY", "GUS", "HAL", "IDA", "JIM")
ANN, BOB, CAT, DAN, EVE, FAY, GUS, HAL, IDA, JIM = map(Seat, range(10))
RED, YELLOW, GREEN, BLUE = Color
CLASSIC: Final = Options()
GAME_COMMANDS: Final = tuple(
    kind for kind in PLAYER_COMMANDS if kind not in (AddSeed, Leave, PenalizeAdvice, Return)
)
EVERY_COMMAND: Final[tuple[Command, ...]] = (
    *(PlayCard(*play) for play in product(Card, (None, *Color), (False, True))),
    *(DrawCard(), PassTurn(), AcceptPenalty(), Challenge(), CallUno()),
    *map(ChooseColor, Color),
    *(CatchUno(seat) for seat in map(Seat, range(10))),
    *(CallOut(seat) for seat in map(Seat, range(10))),
    *(
        PlayCard(card, color, uno, seat)
        for card in Card
        if card.face is Face.SEVEN or card is Card.WC
        for color, uno, seat in product((None, *Color), (False, True), map(Seat, range(10)))
    ),
)
"""Every game command there is, for brute force."""


def seed_of(*what: object) -> bytes:
    """32 bytes that depend on ``what`` alone."""
    return hashlib.sha256(repr(what).encode()).digest()


def person(seat: Seat) -> Actor:
    """Who sits on a seat."""
    return Actor(ActorKind.SEAT, seat)


def after(
    match: Match, who: Actor, command: Command, seed: bytes, now: int = 0
) -> tuple[Match, list[Event]]:
    """The match after a command, and what happened; raises ``RuleViolation``."""
    context = Context(now=now, seed=seed)
    events = decide(match, who, command, context)
    secrets = {**match.secrets, **secrets_of(command, events, context)}
    match = replace(at(match, now), secrets=secrets)
    for event in events:
        match = evolve(match, event)
    return match, list(events)


def created(players: int, *, options: Options = CLASSIC, seed: object = 0) -> Match:
    """A table with so many seats, ANN on the first one."""
    match = new_match(seed_of("match", seed)[:16])
    command = CreateMatch(options, players, Visibility.PUBLIC, player="ANN")
    return after(match, SERVICE, command, seed_of("round 1", seed))[0]


def seated(players: int, *, options: Options = CLASSIC, seed: object = 0) -> Match:
    """A table with all its seats taken."""
    match = created(players, options=options, seed=seed)
    for name in NAMES[1:players]:
        match, _ = after(match, SERVICE, JoinMatch(name), seed_of(name, seed))
    return match


def started(players: int, *, options: Options = CLASSIC, seed: object = 0) -> Match:
    """A match whose first round is dealt."""
    match = seated(players, options=options, seed=seed)
    return after(match, person(ANN), StartMatch(), seed_of("round 2", seed))[0]


def started_where(
    holds: Callable[[Match], bool], players: int, *, options: Options = CLASSIC
) -> Match:
    """The first of a row of matches whose first round was dealt like this."""
    for seed in range(3_000):
        match = started(players, options=options, seed=seed)
        if holds(match):
            return match
    raise AssertionError("no such deal within 3,000 matches")


def deal(
    *,
    top: str = "R5",
    color: Color | None = None,
    discard: str = "",
    pile: str = "",
    rest: bool = True,
    turn: Seat = ANN,
    direction: int = 1,
    said: tuple[Seat, ...] = (),
    scores: tuple[int, ...] | None = None,
    options: Options = CLASSIC,
    **hands: str,
) -> Match:
    """A position: hands by name, ``discard`` under the top (oldest first), ``pile`` top first.

    The rest of the deck follows in the pile unless ``rest`` is False, which leaves it out of the
    round. ``color`` is for a wild on top. The player before ANN is the dealer.
    """
    assert tuple(hands) == NAMES[: len(hands)], "seats are named in order, from ANN"
    match = started(len(hands), options=options)
    assert match.round is not None
    by_seat = tuple(cards(hand) for hand in hands.values())
    under, top_card, above = cards(discard), Card(top), cards(pile)
    left = Counter(DECKS[options.edition])
    left.subtract(card for hand in (*by_seat, under, (top_card,), above) for card in hand)
    assert min(left.values()) >= 0, "the deck has no such cards"
    round = Round(
        number=1,
        key=match.round.key,
        dealer=Seat(len(hands) - 1),
        order=tuple(Seat(seat) for seat in range(len(hands))),
        hands=by_seat,
        pile=above + (tuple(left.elements()) if rest else ()),
        drawn=0,
        discard=(*under, top_card),
        color=top_card.color or color,
        direction=direction,
        turn=turn,
        pending=Pending.TURN,
        shuffles=2,
        uno_said=frozenset(said),
    )
    assert round.color is not None, "a wild on top has a color"
    totals = scores or (0,) * len(hands)
    return replace(match, dealer=round.dealer, round=round, scores=totals)


class Story:
    """A match, what was last done in it, and what came of that."""

    told: ClassVar[list[Story]] = []
    """All stories of a test: none may end with a refusal that nobody expected."""

    def __init__(self, match: Match) -> None:
        self.told.append(self)
        self.match = match
        self.events: tuple[Event, ...] = ()
        self._refused: Refusal | None = None
        self.now = 0

    def at(self, seconds: float) -> Story:
        """From now on it is so many seconds after the beginning of time."""
        self.now = int(seconds * 1_000_000)
        return self

    def when(self, who: Seat | Actor, command: Command) -> Story:
        """Somebody does something."""
        self._nothing_refused()
        actor = who if isinstance(who, Actor) else person(who)
        before, deck = self.match, cards_of(self.match)
        try:
            self.match, events = after(
                before, actor, command, seed_of("then", before.version), self.now
            )
        except RuleViolation as violation:
            self.events, self._refused = (), violation.refusal
        else:
            self.events = tuple(events)
        plays = actor.kind is ActorKind.BOT or actor.seat not in before.away
        if actor.seat is not None and plays and isinstance(command, GAME_COMMANDS):
            is_refused = self._refused not in (None, Refusal.GRACE_MUST_HAVE_PASSED)
            listed = command in legal_commands(before, actor.seat)
            assert listed is not is_refused, "legal_commands and decide disagree"
        if deck and self.match.rounds == before.rounds and self.match.round:
            assert cards_of(self.match) == deck, "no card comes or goes (DECK-3)"
        return self

    def then(self, *events: Event) -> Story:
        """Exactly this happened."""
        self._nothing_refused()
        assert self.events == events
        return self

    def then_first(self, *events: Event) -> Story:
        """This happened, and then more."""
        self._nothing_refused()
        assert self.events[: len(events)] == events
        return self

    def then_refused(self, refusal: Refusal) -> Story:
        """Nothing happened, for this reason."""
        refused, self._refused = self._refused, None
        assert refused is refusal, f"refused: {refused!r}"
        return self

    def then_table(self, **expected: object) -> Story:
        """The table looks like this: hands by name in notation, anything else a field of Round."""
        self._nothing_refused()
        round = self.match.round
        assert round is not None
        for what, value in expected.items():
            if what in NAMES:
                hand = round.hands[NAMES.index(what)]
                assert Counter(hand) == Counter(cards(str(value))), f"{what} holds {hand}"
            else:
                assert getattr(round, what) == value, f"{what} is {getattr(round, what)!r}"
        return self

    def then_match(self, **expected: object) -> Story:
        """The match looks like this, field by field."""
        self._nothing_refused()
        for what, value in expected.items():
            assert getattr(self.match, what) == value, f"{what} is {getattr(self.match, what)!r}"
        return self

    def the(self, kind: type[Event]) -> Event:
        """The one event of this kind that just happened."""
        self._nothing_refused()
        (event,) = (event for event in self.events if isinstance(event, kind))
        return event

    @classmethod
    def end(cls) -> None:
        """The test is over."""
        told, cls.told[:] = list(cls.told), []
        for story in told:
            story._nothing_refused()

    def _nothing_refused(self) -> None:
        assert self._refused is None, f"refused: {self._refused!r}"


given = Story


def cards_of(match: Match) -> Counter[Card]:
    """All cards of the running round, wherever they lie."""
    round = match.round
    if round is None:
        return Counter()
    return Counter(
        [card for hand in round.hands for card in hand]
        + list(round.pile[round.drawn :])
        + list(round.discard)
    )


def play(
    card: str, color: Color | None = None, *, uno: bool = False, swap_with: Seat | None = None
) -> PlayCard:
    """The command that lays a card, in notation."""
    return PlayCard(Card(card), color, uno, swap_with)


def played(
    seat: Seat, card: str, color: Color | None = None, *, turn: Seat, **more: object
) -> CardPlayed:
    """The event of a card laid, in notation, clockwise, with an ordinary turn to follow."""
    face = Card(card)
    in_force = face.color or color
    assert in_force is not None
    fields: dict[str, object] = {"direction": 1, "pending": Pending.TURN, **more}
    return CardPlayed(seat=seat, card=face, color=in_force, turn=turn, **fields)  # type: ignore


def drew(
    seat: Seat,
    count: int,
    reason: DrawReason,
    *,
    turn: Seat,
    asked: int | None = None,
    pending: Pending = Pending.TURN,
) -> CardsDrawn:
    """The event of cards drawn: as many as asked, unless told otherwise."""
    wanted = count if asked is None else asked
    return CardsDrawn(seat, reason, asked=wanted, drawn=count, turn=turn, pending=pending)


def hand_of(match: Match, seat: Seat) -> Hand:
    """What a seat holds."""
    assert match.round is not None
    return match.round.hands[seat]


def total(hands: Iterable[Hand]) -> int:
    """How many cards these hands hold."""
    return sum(map(len, hands))
