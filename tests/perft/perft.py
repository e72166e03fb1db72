"""Counting all sequences of commands to a depth, from fixed matches: every seat, every command.

Run as ``python -m tests.perft.perft`` to print the table anew, with the speed, and a row for each
value of an option that has none yet. Only what players do at the table is counted: an option about
leaving or clocks has a row so that nobody changes it without looking here.
"""

from __future__ import annotations

import random
from pathlib import Path
from time import perf_counter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.commands import Command
from domain.editions import Edition
from domain.events import Seat
from domain.legal import legal_commands
from domain.match import Match
from domain.options import Customizable, DrawnCard, Options, Stacking, WildDrawFour
from tests.laws.kinds import FEATURED, Value, agreed
from tests.spec import after, person, seed_of, started

TABLE: Final = Path(__file__).with_name("counts.txt")
OPTIONS: Final = {
    "default": Options(),
    "strict": Options(wild_draw_four=WildDrawFour.STRICT, drawn_card=DrawnCard.MUST),
    "house": Options(
        edition=Edition.MODERN_112,
        customizable=Customizable.SWAP_HANDS,
        stacking=Stacking.MIXED,
        seven_zero=True,
        jump_in=True,
    ),
    "forced": Options(
        edition=Edition.MODERN_112,
        customizable=Customizable.OTHERS_DRAW_ONE,
        stacking=Stacking.SAME,
        wild_draw_four=WildDrawFour.STRICT,
        draw_until_playable=True,
        force_play=True,
    ),
}


_COMPANIONS: Final[tuple[dict[str, Value], ...]] = (
    {},
    {"edition": "modern-112"},
    {"uno_grace": 1},
    {"form": "rotating_partners"},
)
"""What a value needs beside it: the first of these with which it goes together."""
_SECONDS_BETWEEN: Final = 11
"""Longer than any grace."""
_NODES: Final = 5_000
"""A row's depth is the last one with fewer nodes."""
_ATTEMPTS: Final = 40
"""Matches that are looked at for one in which a value tells."""
_UNTOLD: Final = ("on_leave", "clock", "reveal")
"""What changes no count: it is about leaving, the time, or what is shown."""


class Line(Struct, frozen=True):
    """A match (seats, seed, options) after some random steps, and its count to a depth."""

    seats: int
    seed: int
    options: str
    steps: int
    depth: int
    nodes: int

    def __str__(self) -> str:
        match = f"{self.seats:5} {self.seed:4} {self.options:29} {self.steps:5}"
        return f"{match} {self.depth:5} {self.nodes:9}"


def lines() -> tuple[Line, ...]:
    """The table: fixed counts that a change of the rules would change."""
    rows = [row.split() for row in TABLE.read_text().splitlines() if not row.startswith("#")]
    return tuple(
        Line(int(seats), int(seed), options, int(steps), int(depth), int(nodes))
        for seats, seed, options, steps, depth, nodes in rows
    )


def position(line: Line) -> Match:
    """The match of a line, some random steps after its start."""
    match = started(line.seats, options=options_of(line.options, line.seats), seed=line.seed)
    return after_steps(match, line)


def after_steps(match: Match, line: Line) -> Match:
    """The match some random steps later."""
    chance = random.Random(line.seed)
    for step in range(line.steps):
        seat = Seat(0) if match.round is None else match.round.turn
        command = chance.choice(legal_commands(match, seat))
        match = follow(match, seat, command, step)
    return match


def options_of(name: str, seats: int) -> Options:
    """The options of a row: a set with a name, or one value with what it needs."""
    if name in OPTIONS:
        return OPTIONS[name]
    option, value = LABELED[name]
    for companions in _COMPANIONS:
        found = agreed({**companions, option: value}, seats)
        if found is not None:
            return found
    raise AssertionError(f"nothing goes with {name} at {seats} seats")


def _label(option: str, value: Value) -> str:
    """``stacking=mixed``; of an object its first number: ``clock=5``."""
    if isinstance(value, dict):
        value = next(iter(value.values()))
    return f"{option}={str(value).lower()}"


LABELED: Final = {_label(option, value): (option, value) for option, value in FEATURED}
"""Every value of every option, of numbers the limits and the default, by its name in the table."""


def follow(match: Match, seat: Seat, command: Command, step: int) -> Match:
    """The match after a command, so long after the last one that no grace holds it up."""
    now = match.version * _SECONDS_BETWEEN * 1_000_000
    return after(match, person(seat), command, seed_of(step), now)[0]


def perft(match: Match, depth: int) -> int:
    """How many sequences of so many commands there are, whoever gives them."""
    nodes = 0
    for seat in map(Seat, range(match.seats_total)):
        legal = legal_commands(match, seat)
        if depth == 1:
            nodes += len(legal)
            continue
        for command in legal:
            nodes += perft(follow(match, seat, command, depth), depth - 1)
    return nodes


def new_line(name: str, number: int) -> Line:
    """A row for a value that has none, as deep as is counted soon.

    It is taken from the first match in which the value tells: with the default instead there would
    be another count.
    """
    seats = next(seats for seats in (3, 4) if _goes(name, seats))
    tried = [
        Line(seats, 4_000 + 100 * number + attempt, name, (7 * number + 9 * attempt) % 170, 4, 0)
        for attempt in range(_ATTEMPTS)
    ]
    line = next(filter(_tells, tried), tried[0])
    match = position(line)
    for depth in range(1, 20):
        nodes = perft(match, depth)
        if nodes > _NODES:
            break
        line = replace(line, depth=depth, nodes=nodes)
    return line


def _tells(line: Line) -> bool:
    """Whether there would be another count without the value of the row."""
    option, _ = LABELED[line.options]
    chosen = options_of(line.options, line.seats)
    without = replace(chosen, **{option: getattr(Options(), option)})
    if option in _UNTOLD or without == chosen:
        return False
    counts = []
    for options in (chosen, without):
        match = started(line.seats, options=options, seed=line.seed)
        try:
            counts.append(perft(after_steps(match, line), line.depth))
        except IndexError:  # The match is over.
            counts.append(0)
    return 0 not in counts[:1] and counts[0] != counts[1]


def _goes(name: str, seats: int) -> bool:
    """Whether a value can be had at so many seats."""
    try:
        options_of(name, seats)
    except AssertionError:
        return False
    return True


def main() -> None:
    """Print the table with the counts of today."""
    start, total = perf_counter(), 0
    print("# seats seed options steps depth nodes")
    for line in lines():
        nodes = perft(position(line), line.depth)
        total += nodes
        print(Line(line.seats, line.seed, line.options, line.steps, line.depth, nodes))
    there = {line.options for line in lines()}
    for number, name in enumerate(LABELED):
        if name not in there:
            print(new_line(name, number))
    print(f"# {total / (perf_counter() - start):,.0f} nodes/s")


if __name__ == "__main__":
    main()
