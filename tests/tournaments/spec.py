"""Given a tournament, when somebody does something, then this happens: how its tests read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

import pytest
from msgspec.structs import replace

from domain.commands import SERVICE, Actor, ActorKind, Command, Context
from domain.event import Event
from domain.events import Seat
from domain.refusals import Refusal, RuleViolation
from domain.terms import BotLevel
from domain.tournaments.commands import (
    CreateTournament,
    EndTable,
    Enter,
    EnterBot,
    OpenTable,
    PairRound,
    StartTournament,
)
from domain.tournaments.decide import decide, secrets_of
from domain.tournaments.due import due, openings
from domain.tournaments.evolve import evolve
from domain.tournaments.settings import Settings
from domain.tournaments.standings import Line, standings
from domain.tournaments.terms import Entrant, TableEnd
from domain.tournaments.tournament import Table, Tournament, new_tournament
from tests.spec import seed_of

ORGANIZER: Final = Actor(ActorKind.ORGANIZER)
OPERATOR: Final = Actor(ActorKind.OPERATOR)
MINUTE: Final = 60_000_000
Winner = Callable[[Table, Sequence[Entrant]], Sequence[int]]
"""The scores of a table, by seat."""


def entrant(number: int) -> Actor:
    """Who plays under a number."""
    return Actor(ActorKind.ENTRANT, Seat(number))


def by_number(table: Table, seats: Sequence[Entrant]) -> Sequence[int]:
    """The lower number wins."""
    return [1_000 - one for one in seats]


class Evening:
    """A tournament and what has happened in it so far."""

    def __init__(self, settings: Settings) -> None:
        self.now = 0
        self.events: list[Event] = []
        self.groups: list[tuple[Actor, int, tuple[Event, ...]]] = []
        """By command that led to something: who asked, when, and what happened."""
        self.tournament: Tournament = new_tournament(seed_of("tournament")[:16])
        self._matches = count(1)
        self.settings = settings

    def when(self, command: Command, actor: Actor = SERVICE) -> tuple[Event, ...]:
        """Let a command be carried out; what happened."""
        context = Context(now=self.now, seed=seed_of("lot"))
        events = decide(self.tournament, actor, command, context)
        secrets = {**self.tournament.secrets, **secrets_of(events, context)}
        self.tournament = replace(self.tournament, secrets=secrets)
        for event in events:
            self.tournament = evolve(self.tournament, event)
        self.events.extend(events)
        if events:
            self.groups.append((actor, self.now, events))
        return events

    def refused(self, command: Command, actor: Actor = SERVICE) -> Refusal:
        """Why a command is refused."""
        with pytest.raises(RuleViolation) as caught:
            self.when(command, actor)
        return caught.value.refusal

    def open_tables(self) -> list[str]:
        """Name a match for each table that can be played."""
        names = []
        for opening in openings(self.tournament):
            names.append(f"{next(self._matches):032x}")
            self.when(OpenTable(opening.round, opening.table, names[-1]))
        return names

    def end_table(self, number: int, scores: Sequence[int]) -> tuple[Event, ...]:
        """A table of the running round ends with these scores, by seat, the highest first."""
        places = [1 + sum(other > own for other in scores) for own in scores]
        return self.when(self.ending(number, scores, places))

    def ending(self, number: int, scores: Sequence[int], places: Sequence[int]) -> EndTable:
        """How a table ended."""
        table = self.table(number)
        return EndTable(
            len(self.tournament.rounds),
            number,
            table.match or "",
            version=9,
            hash="ab" * 32,
            reason=TableEnd.TARGET,
            scores=tuple(scores),
            places=tuple(places),
        )

    def table(self, number: int) -> Table:
        """A table of the running round."""
        return self.tournament.rounds[-1].tables[number]

    def play_round(self, wins: Winner = by_number) -> None:
        """Play all tables of the running round."""
        self.open_tables()
        for number, table in enumerate(self.tournament.rounds[-1].tables):
            if not table.is_over:
                self.end_table(number, wins(table, table.seats))

    def next_round(self) -> tuple[tuple[Entrant, ...], ...]:
        """Pair the next round: its tables."""
        self.when(PairRound(len(self.tournament.rounds) + 1))
        return tuple(table.entrants for table in self.tournament.rounds[-1].tables)

    def play_on(self, wins: Winner = by_number) -> None:
        """Play to the end, as the service would."""
        while not self.tournament.is_over:
            self.play_round(wins)
            for command in due(self.tournament, self.now):
                self.when(command)

    @property
    def standings(self) -> tuple[Line, ...]:
        """Where everybody stands."""
        return standings(self.tournament)

    @property
    def places(self) -> list[tuple[int, ...]]:
        """Who stands at each place, from the first on; who is unranked comes last."""
        by_place: dict[int, list[int]] = {}
        for line in self.standings:
            by_place.setdefault(line.place, []).append(line.entrant)
        return [tuple(sorted(entrants)) for entrants in by_place.values()]


def created(settings: Settings) -> Evening:
    """A tournament that nobody has entered."""
    evening = Evening(settings)
    evening.when(CreateTournament(settings))
    return evening


def entered(settings: Settings, players: int, bots: int = 0) -> Evening:
    """A tournament with so many people, then bots."""
    evening = created(settings)
    for number in range(players):
        evening.when(Enter(f"player {number}"))
    for _ in range(bots):
        evening.when(EnterBot(BotLevel.STEADY))
    return evening


def started(settings: Settings, players: int, bots: int = 0) -> Evening:
    """A tournament whose first round is paired."""
    evening = entered(settings, players, bots)
    evening.when(StartTournament())
    return evening
