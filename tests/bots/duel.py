"""The levels against each other over duplicate deals: the same cards again with seats rotated.

Two levels take every other seat and play the first round of a match; then they change places and
play the very same deal. What one level wins more than the other is paired by deal, so that good
cards count for nobody. Run as ``python -m tests.bots.duel`` to print the table.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from msgspec import Struct

from domain.bots import POLICIES, Dice
from domain.bots.memory import NOTHING, Memory, remember
from domain.commands import (
    SERVICE,
    Actor,
    ActorKind,
    Command,
    Context,
    CreateMatch,
    SeatBot,
    StartMatch,
)
from domain.decide import decide
from domain.events import BotLevel, RoundBlocked, RoundCommitted, RoundEnded, Visibility
from domain.evolve import evolve
from domain.match import new_match, with_secret
from domain.options import Options
from domain.sight import bot_view
from service.play.bots import MAY
from service.play.errands import Errand, errands
from service.settings import Settings

DEALS: Final = 2_000
PAIRS: Final = ((BotLevel.SHARP, BotLevel.STEADY), (BotLevel.STEADY, BotLevel.RANDOM))
SEATS: Final = (2, 4)
DEFAULTS: Final = Options()
_SETTINGS: Final = Settings()
_SHARE: Final = 50
"""Deals that one process plays at a time."""
_TWO_SIDED: Final = 1.96
"""Standard errors either side of the mean: 95 of 100 such intervals hold the true value."""


class Lead(Struct, frozen=True):
    """What one level wins more than the other in a deal, on average over both seatings.

    ``rounds`` is the share of rounds won less the other's; ``points`` what is gained a round.
    """

    rounds: float
    points: float


class Interval(Struct, frozen=True):
    """A mean over deals, and how far to either side of it the true one may be."""

    mean: float
    reach: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.reach:.3f}"


class Round:
    """One round between bots, acting in the order in which the service has them act."""

    def __init__(self, deal: int, lineup: Sequence[BotLevel], options: Options) -> None:
        self._deal = deal
        self._match = new_match(hashlib.sha256(b"deal %d" % deal).digest()[:16])
        self._memory: Memory = NOTHING
        self.end: RoundEnded | RoundBlocked | None = None
        seats = len(lineup)
        create = CreateMatch(options, seats, Visibility.PRIVATE, player=None, practice=True)
        for command in (create, *map(SeatBot, lineup), StartMatch()):
            self._tell(SERVICE, command)

    def play(self) -> RoundEnded | RoundBlocked:
        """Play it to its end."""
        while self.end is None:
            assert any(map(self._acts, errands(self._match, _SETTINGS))), "somebody has to act"
        return self.end

    def _acts(self, errand: Errand) -> bool:
        """Whether a bot takes its occasion to act."""
        match, seat = self._match, errand.seat
        level = match.seats[seat].bot
        assert level is not None, "only bots play"
        dice = Dice(b"%d %d %d" % (self._deal, match.version, seat))
        wish = POLICIES[level](bot_view(match, seat), dice, self._memory)
        if wish is None or not isinstance(wish, MAY[errand.kind]):
            return False
        self._tell(Actor(ActorKind.BOT, seat), wish)
        return True

    def _tell(self, actor: Actor, command: Command) -> None:
        secret = hashlib.sha256(b"cards %d" % self._deal).digest()
        for event in decide(self._match, actor, command, Context(0, secret)):
            if isinstance(event, RoundCommitted):
                self._match = with_secret(self._match, event.round, secret)
            self._match = evolve(self._match, event)
            self._memory = remember(self._memory, event)
            if isinstance(event, RoundEnded | RoundBlocked) and self.end is None:
                self.end = event


def lead(one: BotLevel, other: BotLevel, seats: int, deal: int, options: Options) -> Lead:
    """One level's lead over another in a deal that both play from every seat."""
    rounds = points = 0
    for first, pair in enumerate(((one, other), (other, one))):
        end = Round(deal, [pair[seat % 2] for seat in range(seats)], options).play()
        if isinstance(end, RoundEnded):
            sign = 1 if end.winner % 2 == first else -1
            rounds += sign
            points += sign * end.gains[end.winner]
    return Lead(rounds / 2, points / 2)


def leads(one: BotLevel, other: BotLevel, seats: int, deals: range) -> list[Lead]:
    """The leads in some deals, by the default rules."""
    return [lead(one, other, seats, deal, DEFAULTS) for deal in deals]


def interval(numbers: Sequence[float]) -> Interval:
    """The mean with its interval at 95 %."""
    return Interval(fmean(numbers), _TWO_SIDED * stdev(numbers) / sqrt(len(numbers)))


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.duel", description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS, help="how many (default: %(default)s)")
    deals: int = parser.parse_args().deals
    shares = [range(at, min(at + _SHARE, deals)) for at in range(0, deals, _SHARE)]
    print("seats  level    against  share of rounds won more   points won more a round")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for seats in SEATS:
            for one, other in PAIRS:
                play = partial(leads, one, other, seats)
                found = [lead for share in pool.map(play, shares) for lead in share]
                rounds = interval([lead.rounds for lead in found])
                points = interval([lead.points for lead in found])
                print(f"{seats:5}  {one:8} {other:8} {rounds!s:>24}   {points!s:>22}", flush=True)


if __name__ == "__main__":
    main()
