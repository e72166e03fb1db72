"""A whole match of any kind in which anything happens that may: all from one number.

People come and go and return, clocks run out, bots play, cards are called out, advice is ruled on,
bytes are added to the deal; some play at random, and now and then the operator ends it all,
or voids what is over.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from msgspec import Struct

from domain.bots import POLICIES
from domain.commands import (
    SERVICE,
    AbandonMatch,
    Actor,
    ActorKind,
    PenalizeAdvice,
    StartMatch,
    VoidMatch,
)
from domain.events import AbandonReason, AdviceReason, BotLevel, Seat, VoidReason
from domain.limits import ADVICE_RULINGS_PER_ROUND
from domain.match import Status
from domain.moves.table import persons
from tests.laws.kinds import kind_of
from tests.laws.table import (
    Table,
    next_command,
    opened,
    perhaps_add_a_seed,
    player,
    somebody_leaves,
    time_passes,
)
from tests.spec import person

_OPERATOR = Actor(ActorKind.OPERATOR)
_APP = Actor(ActorKind.APP)


class Habits(Struct, frozen=True):
    """How often things happen at a table, in one of so many commands."""

    leaving: float
    sleeping: float
    advising: float
    adding: float
    ending: float
    levels: tuple[BotLevel | None, ...]
    """What each seat plays like where no bot sits; None at random."""


def habits_of(table: Table) -> Habits:
    """Most tables are orderly; one in a hundred plays at random alone, and may do so for ever."""
    chance, seats = random.Random(f"habits {table.seed}"), len(table.match.seats)
    kinds: tuple[BotLevel | None, ...] = (*POLICIES, *POLICIES, None)
    levels = tuple(chance.choice(kinds) for _ in range(seats))
    if chance.random() < 0.01:
        levels = (None,) * seats
    elif None not in levels[1:] or chance.random() < 0.7:
        levels = tuple(level or BotLevel.STEADY for level in levels)
    return Habits(
        leaving=chance.choice((0, 0, 0.003, 0.02)),
        sleeping=chance.choice((0.01, 0.05, 0.2)),
        advising=chance.choice((0, 0.005, 0.03)),
        adding=chance.choice((0, 0.03)),
        ending=chance.choice((0, 0, 0, 0, 0, 0, 0, 0, 0, 0.005)),
        levels=levels,
    )


def anything(number: int) -> Iterator[Table]:
    """The match with this number from its start to its end; the table after every command."""
    table = opened(number, *kind_of(number))
    host = table.match.host
    assert host is not None
    table.tell(person(host), StartMatch())
    habits = habits_of(table)
    bots = [occupant.bot for occupant in table.match.seats]
    who = [bot or level for bot, level in zip(bots, habits.levels, strict=True)]
    yield table
    while not table.match.is_over:
        if not _aside(table, habits):
            seat, command = next_command(table, who)
            table.tell(player(table.match, seat), command)
        yield table
    if table.match.status is not Status.VOIDED and table.random.random() < 0.05:
        table.tell(_OPERATOR, VoidMatch(VoidReason.CHEATING))
        yield table


def whole(number: int) -> Table:
    """The match with this number, when it is over."""
    *_, table = anything(number)
    return table


def _aside(table: Table, habits: Habits) -> bool:
    """Whether something happened that is no move."""
    known, chance = len(table.steps), table.random.random
    if chance() < habits.adding:
        perhaps_add_a_seed(table)
    elif chance() < (0.1 if table.match.away else habits.leaving):
        _somebody_leaves_or_returns(table)
    elif chance() < habits.advising:
        _advice_is_ruled_on(table)
    elif chance() < habits.ending:
        _it_is_ended(table)
    elif table.match.options.clock is not None:
        time_passes(table, habits.sleeping)
    return len(table.steps) > known


def _somebody_leaves_or_returns(table: Table) -> None:
    """The last person seldom leaves: a match without one is abandoned at once (AWAY-3)."""
    if table.match.away or len(persons(table.match)) > 1 or table.random.random() < 0.05:
        somebody_leaves(table)


def _advice_is_ruled_on(table: Table) -> None:
    """The host rules, or the application that runs the match (TABLE-4)."""
    round, host = table.match.round, table.match.host
    assert round is not None
    if round.advice_rulings < ADVICE_RULINGS_PER_ROUND:
        seat, reason = table.random.choice(round.order), table.random.choice(list(AdviceReason))
        rules = _APP if host is None or table.random.random() < 0.5 else person(Seat(host))
        table.tell(rules, PenalizeAdvice(seat, reason))


def _it_is_ended(table: Table) -> None:
    """Nobody goes on, or the operator declares the match void (AWAY-9)."""
    if table.random.random() < 0.5:
        table.tell(SERVICE, AbandonMatch(AbandonReason.IDLE))
    else:
        table.tell(_OPERATOR, VoidMatch(VoidReason.OPERATOR))
