"""Whole random tournaments: of every format, with whatever people and operators may do to them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from domain.commands import SERVICE, Actor, Command
from domain.options import Form, Options
from domain.refusals import RuleViolation
from domain.terms import BotLevel
from domain.tournaments.commands import (
    Arrive,
    CreateTournament,
    EndTable,
    Enter,
    EnterBot,
    OpenTable,
    RemoveEntrant,
    ReplaceEntrant,
    StartTournament,
    VoidTable,
    Withdraw,
)
from domain.tournaments.due import due, next_deadline, openings
from domain.tournaments.settings import ENTRANTS, Settings
from domain.tournaments.terms import Entrant, Format, NoShow, Seeding, TableEnd, TableVoid
from domain.tournaments.tournament import Table, Tournament, TournamentStatus, new_tournament
from tests.spec import seed_of
from tests.tournaments.spec import OPERATOR, ORGANIZER, Evening, entrant

STEPS_MAX: Final = 20_000
"""More than the longest of them takes: one that goes on is caught in a circle."""


def settings_of(chance: random.Random) -> Settings:
    """Any settings that are accepted."""
    format = chance.choice(list(Format))
    is_fixed = format in ENTRANTS
    return Settings(
        format=format,
        rules=Options(form=Form.FREE_FOR_ALL if is_fixed else chance.choice(_ALONE)),
        table_seats=None if is_fixed else chance.choice((None, 2, 2, 3, 4, 10)),
        rounds=chance.choice((None, 1, 3, 6)) if format is Format.SWISS else None,
        seeding=chance.choice(list(Seeding)),
        arrival_seconds=chance.choice((None, 60)),
        no_show=chance.choice(list(NoShow)),
    )


_ALONE: Final = (Form.FREE_FOR_ALL, Form.ELIMINATION)


def digest_of(person: object) -> str:
    """What a log would have of somebody."""
    return seed_of("player", person).hex()


class Random(Evening):
    """A tournament in which chance decides what is done."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"tournament {seed}")
        super().__init__(settings_of(self.chance))
        self.tournament: Tournament = new_tournament(seed_of("tournament", seed)[:16])
        self.trouble = self.chance.choice((0.0, 0.05, 0.2))
        self.given: list[tuple[Tournament, Actor, Command]] = []
        self._named = 0

    def say(self, command: Command, actor: Actor = SERVICE) -> bool:
        """Try a command; whether it was taken."""
        before = self.tournament
        try:
            self.when(command, actor)
        except RuleViolation:
            return False
        self.given.append((before, actor, command))
        return True

    def begin(self) -> None:
        """Set it up, let people come and go, and start."""
        self.say(CreateTournament(self.settings))
        wanted = ENTRANTS.get(self.settings.format) or self.chance.choice((2, 3, 5, 8, 13, 24))
        while len(self.tournament.present) < wanted:
            rating = self.chance.choice((None, self.chance.randrange(2_000)))
            if self.chance.random() < 0.5:
                self.say(Enter(digest_of(self.chance.randrange(60)), rating))
            else:
                self.say(EnterBot(self.chance.choice(list(BotLevel)), rating), ORGANIZER)
            if self.chance.random() < self.trouble:
                self.say(Withdraw(), entrant(self.chance.choice(self.tournament.present)))
        self.say(StartTournament(), ORGANIZER)

    def step(self) -> None:
        """Something that happens next."""
        if self.chance.random() < self.trouble:
            self.disturb()
        tables = [opening.table for opening in openings(self.tournament)]
        playing = [n for n, table in enumerate(self.tables) if table.match and not table.is_over]
        waiting = [one for table in self.tables for one in self.tournament.awaited(table)]
        choices = [*([self._open] * bool(tables)), *([self._end] * bool(playing))]
        choices += [self._arrive] * bool(waiting)
        if choices:
            self.chance.choice(choices)()
        else:
            self._let_the_service_act()

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables of the running round."""
        return self.tournament.rounds[-1].tables

    def _open(self) -> None:
        opening = self.chance.choice(openings(self.tournament))
        self._named += 1
        self.say(OpenTable(opening.round, opening.table, f"{self._named:032x}"))

    def _end(self) -> None:
        ongoing = [n for n, table in enumerate(self.tables) if table.match and not table.is_over]
        number = self.chance.choice(ongoing)
        table = self.tables[number]
        scores = [self.chance.choice((0, 20, 35, 500)) for _ in table.seats]
        places = [1 + sum(other > own for other in scores) for own in scores]
        if self.chance.random() < self.trouble:
            places[self.chance.randrange(len(places))] = 0
        self.say(self.ended(number, table, scores, places))

    def ended(
        self, number: int, table: Table, scores: Sequence[int], places: Sequence[int]
    ) -> EndTable:
        """How a table ended."""
        ending = self.ending(number, scores, places)
        return replace(ending, reason=self.chance.choice(list(TableEnd)))

    def _arrive(self) -> None:
        waiting = [one for table in self.tables for one in self.tournament.awaited(table)]
        if self.chance.random() < self.trouble:
            self.now = max(self.now, next_deadline(self.tournament) or 0)
            self._let_the_service_act()
        else:
            self.say(Arrive(), entrant(self.chance.choice(waiting)))

    def _let_the_service_act(self) -> None:
        for command in due(self.tournament, self.now)[:1]:
            assert self.say(command), command

    def disturb(self) -> None:
        """Somebody leaves or is replaced, or a table is declared void; or it is refused."""
        one = Entrant(self.chance.randrange(len(self.tournament.entries)))
        round = self.chance.randint(1, len(self.tournament.rounds))
        void = VoidTable(round, self.chance.randrange(4), self.chance.choice(list(TableVoid)))
        substitute = self.chance.choice((digest_of("a substitute"), digest_of(one)))
        what: tuple[tuple[Command, Actor], ...] = (
            (Withdraw(), entrant(one)),
            (RemoveEntrant(one), ORGANIZER),
            (ReplaceEntrant(one, player=substitute), ORGANIZER),
            (ReplaceEntrant(one, bot=BotLevel.SHARP), ORGANIZER),
            (void, OPERATOR),
            (void, OPERATOR),
        )
        self.say(*self.chance.choice(what))


def played(seed: int) -> Iterator[Random]:
    """A random tournament, after each step; it ends."""
    evening = Random(seed)
    evening.begin()
    yield evening
    for _ in range(STEPS_MAX):
        if evening.tournament.is_over:
            break
        evening.step()
        yield evening
    assert evening.tournament.status is TournamentStatus.FINISHED
