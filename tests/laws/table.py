"""A whole match played in memory, with everything that happened: what the laws are tested on.

Everything follows from one number, so that a match that breaks a law can be played again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.bots import POLICIES, Dice
from domain.bots.memory import NOTHING, Memory, remember
from domain.cards import Color
from domain.clock import deadline
from domain.commands import (
    SERVICE,
    Actor,
    ActorKind,
    AddSeed,
    CallOut,
    CallUno,
    CatchUno,
    Command,
    Context,
    CreateMatch,
    JoinMatch,
    Leave,
    LeaveSeat,
    PlayCard,
    PlayerCommand,
    Return,
    RunOutClock,
    SeatBot,
    StartMatch,
)
from domain.committing import secrets_of
from domain.decide import decide
from domain.events import BotLevel, Event, RoundCommitted, Seat, Visibility
from domain.evolve import evolve
from domain.legal import legal_commands
from domain.match import Match, at, new_match, with_secret
from domain.options import DrawnCard, Enforcement, Form, Options, Reveal, WildDrawFour
from domain.sight import bot_view
from tests.spec import person, seed_of

LEVELS = tuple(BotLevel)


class Step(Struct, frozen=True):
    """One event, the match around it, and the command that caused it."""

    before: Match
    event: Event
    after: Match
    actor: Actor
    command: Command
    now: int = 0


class Table:
    """A match in memory; ``steps`` holds all that happened."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.match = new_match(seed_of("match", seed)[:16])
        self.steps: list[Step] = []
        self.memory: Memory = NOTHING
        """What anybody may remember of it."""
        self.now = 0
        """Microseconds since the beginning; it stands still where nothing depends on time."""

    def tell(self, actor: Actor, command: Command) -> tuple[Event, ...]:
        """Carry out a command; deciding it twice gives the same. Raises ``RuleViolation``."""
        seed = seed_of("round", self.seed, self.match.version)
        match, context = self.match, Context(self.now, seed)
        events = decide(match, actor, command, context)
        assert decide(match, actor, command, context) == events, (
            "decided twice, decided differently"
        )
        secrets = secrets_of(command, events, context)
        for event in events:
            if isinstance(event, RoundCommitted):
                match = with_secret(match, event.round, secrets[event.round])
            match = at(match, self.now)
            after = evolve(match, event)
            self.steps.append(Step(match, event, after, actor, command, self.now))
            match = after
            self.memory = remember(self.memory, event)
        self.match = match
        return events

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened."""
        return tuple(step.event for step in self.steps)


def options(seed: int) -> Options:
    """One of the options' combinations; the default ones for every other seed."""
    if seed % 2 == 0:
        return Options()
    chance = random.Random(f"options {seed}")
    return Options(
        target=chance.choice((50, 200, 500, 1_000)),
        wild_draw_four=chance.choice(list(WildDrawFour)),
        drawn_card=chance.choice(list(DrawnCard)),
        reveal=chance.choice(list(Reveal)),
    )


def opened(seed: int, chosen: Options | None = None, seats: int | None = None) -> Table:
    """A table of 2 to 10 that people and bots have come to, and some have left again."""
    table, seats = Table(seed), seats or 2 + seed % 9
    rules = chosen or options(seed)
    table.tell(SERVICE, CreateMatch(rules, seats, Visibility.PUBLIC, player=_name(0)))
    coming = 1
    while len(table.match.seats) < seats:
        chance = table.random.random()
        if chance < 0.1 and len(table.match.seats) > 1:
            table.tell(person(Seat(table.random.randrange(len(table.match.seats)))), LeaveSeat())
            if table.match.is_over:
                return opened(seed + 1_000_000, chosen, seats)
        elif chance < 0.3:
            table.tell(SERVICE, SeatBot(table.random.choice(list(BotLevel))))
        else:
            table.tell(SERVICE, JoinMatch(_name(coming)))
            coming += 1
        perhaps_add_a_seed(table)
    return table


def _name(number: int) -> str:
    """A digest of nobody."""
    return seed_of("player", number).hex()


def perhaps_add_a_seed(table: Table) -> None:
    """Now and then somebody mixes bytes into the coming deal."""
    if table.random.random() < 0.3:
        seats = [seat for seat in table.match.still_in if seat not in table.match.away]
        if not seats:
            return
        seat = table.random.choice(seats)
        text = table.random.choice(("", "AA", "c2VlZA", "_" * 42))
        table.tell(person(seat), AddSeed(table.match.rounds + 1, text))


def levels(table: Table) -> list[BotLevel | None]:
    """Who plays how; None plays a legal command at random, drawing as readily as playing.

    One match in ten is played so alone.
    """
    seats = range(len(table.match.seats))
    if table.seed % 10 == 9:
        return [None for _ in seats]
    return [table.match.seats[seat].bot or table.random.choice(LEVELS) for seat in seats]


def played(seed: int, chosen: Options | None = None, seats: int | None = None) -> Iterator[Table]:
    """A match from its first seat to its end; the table after every command of the play."""
    table = opened(seed, chosen, seats)
    host = table.match.host
    assert host is not None
    table.tell(person(host), StartMatch())
    yield from played_on(table)


def played_on(table: Table) -> Iterator[Table]:
    """A running match from where it stands to its end."""
    who, seed = levels(table), table.seed
    yield table
    while not table.match.is_over:
        if table.random.random() < 0.01:
            perhaps_add_a_seed(table)
        if seed % 5 == 3 and table.random.random() < 0.01:
            somebody_leaves(table)
            yield table
            continue
        if table.match.options.clock is not None and time_passes(table):
            yield table
            continue
        seat, command = next_command(table, who)
        table.tell(player(table.match, seat), command)
        yield table


def player(match: Match, seat: Seat) -> Actor:
    """Who plays for a seat: a bot, where its person is away."""
    return Actor(ActorKind.BOT, seat) if seat in match.away else person(seat)


def time_passes(table: Table, rate: float = 0.1) -> bool:
    """A second goes by; at this rate it is the last one of a turn, and the service acts."""
    until = deadline(table.match)
    assert until is not None
    table.now += 1_000_000
    if table.now < until and table.random.random() >= rate:
        return False
    table.now = max(table.now, until)
    table.tell(SERVICE, RunOutClock(until))
    return True


def somebody_leaves(table: Table) -> None:
    """One of the persons still in goes away, whosever turn it is, or comes back (AWAY-2)."""
    match = table.match
    returning = match.away and match.options.form is not Form.ROTATING_PARTNERS
    if returning and table.random.random() < 0.5 and set(match.away) & set(match.still_in):
        seats = sorted(set(match.away) & set(match.still_in))
        table.tell(person(table.random.choice(seats)), Return())
        return
    persons = [seat for seat in match.still_in if match.seats[seat].bot is None]
    if persons:
        table.tell(person(table.random.choice(persons)), Leave())


def next_command(table: Table, who: list[BotLevel | None]) -> tuple[Seat, PlayerCommand]:
    """The next command: perhaps somebody's call or catch, else the move that is waited for."""
    round = table.match.round
    assert round is not None
    if round.uno_owed is not None or round.unfit is not None:
        seats = [seat for seat in round.order if seat != round.turn]
        for seat in table.random.sample(seats, len(seats)):
            said = choice(table, seat, who[seat])
            if isinstance(said, CallUno | CatchUno | CallOut):
                return seat, said
    table.now = max(table.now, round.not_before or 0)
    if table.match.options.jump_in and table.random.random() < 0.7:
        for seat in round.order:
            jumps = [one for one in _out_of_turn(table.match, seat) if isinstance(one, PlayCard)]
            if jumps:
                return seat, table.random.choice(jumps)
    calls_out = table.match.options.enforcement is Enforcement.TABLE
    level = None if calls_out and table.random.random() < 0.3 else who[round.turn]
    move = choice(table, round.turn, level)
    assert move is not None, "who is waited for has something to do"
    return round.turn, move


def _out_of_turn(match: Match, seat: Seat) -> tuple[PlayerCommand, ...]:
    """What a seat may do that is not to move; bots do not jump in (HOUSE-3)."""
    assert match.round is not None
    return () if seat == match.round.turn else legal_commands(match, seat)


def choice(table: Table, seat: Seat, level: BotLevel | None) -> PlayerCommand | None:
    """What a bot of this level does with the seat's view; None: any legal command."""
    if level is None:
        legal = legal_commands(table.match, seat)
        return table.random.choice(legal) if legal else None
    view = bot_view(table.match, seat)
    chosen = POLICIES[level](view, Dice(table.random.randbytes(8)), table.memory)
    assert chosen is None or _is_listed(chosen, view.legal), f"{chosen} is not among the legal ones"
    return chosen


def _is_listed(choice: PlayerCommand, legal: object) -> bool:
    """Whether the view lists the choice, less what a client adds: a wild's color, and UNO."""
    assert legal is not UNSET and isinstance(legal, tuple)
    if not isinstance(choice, PlayCard):
        return choice in legal
    named = choice.color in Color if choice.card.is_wild else choice.color is None
    return named and replace(choice, color=None, uno=False) in legal
