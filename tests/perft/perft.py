"""Counting all sequences of commands to a depth, from fixed matches: every seat, every command.

Run as ``python -m tests.perft.perft`` to print the table anew, with the speed.
"""

from __future__ import annotations

import random
from pathlib import Path
from time import perf_counter
from typing import Final

from msgspec import Struct

from domain.editions import Edition
from domain.events import Seat
from domain.legal import legal_commands
from domain.match import Match
from domain.options import Customizable, DrawnCard, Options, Stacking, WildDrawFour
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


class Line(Struct, frozen=True):
    """A match (seats, seed, options) after some random steps, and its count to a depth."""

    seats: int
    seed: int
    options: str
    steps: int
    depth: int
    nodes: int

    def __str__(self) -> str:
        match = f"{self.seats:5} {self.seed:4} {self.options:8} {self.steps:5}"
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
    match = started(line.seats, options=OPTIONS[line.options], seed=line.seed)
    chance = random.Random(line.seed)
    for step in range(line.steps):
        assert match.round is not None
        seat = match.round.turn
        command = chance.choice(legal_commands(match, seat))
        match, _ = after(match, person(seat), command, seed_of(step))
    return match


def perft(match: Match, depth: int) -> int:
    """How many sequences of so many commands there are, whoever gives them."""
    nodes = 0
    for seat in map(Seat, range(match.seats_total)):
        legal = legal_commands(match, seat)
        if depth == 1:
            nodes += len(legal)
            continue
        for command in legal:
            next_match, _ = after(match, person(seat), command, seed_of(depth))
            nodes += perft(next_match, depth - 1)
    return nodes


def main() -> None:
    """Print the table with the counts of today."""
    start, total = perf_counter(), 0
    print("# seats seed options steps depth nodes")
    for line in lines():
        nodes = perft(position(line), line.depth)
        total += nodes
        print(Line(line.seats, line.seed, line.options, line.steps, line.depth, nodes))
    print(f"# {total / (perf_counter() - start):,.0f} nodes/s")


if __name__ == "__main__":
    main()
