"""The counts of all command sequences are those of the table; a changed rule changes them."""

from __future__ import annotations

from itertools import product

import pytest

from domain.events import Seat
from domain.match import Match
from domain.refusals import RuleViolation
from tests.perft.perft import LABELED, OPTIONS, Line, follow, lines, perft, position
from tests.spec import EVERY_COMMAND


@pytest.mark.parametrize("line", lines(), ids=str)
def test_counts(line: Line) -> None:
    """DECK-3: also reads and writes the table's line."""
    assert perft(position(line), line.depth) == line.nodes


def test_every_value_of_every_option_has_a_row() -> None:
    assert {line.options for line in lines()} == {*OPTIONS, *LABELED}


@pytest.mark.parametrize("line", (*lines()[:8], *lines()[16::3]), ids=str)
def test_counts_without_the_list_of_legal_commands(line: Line) -> None:
    """Whatever ``decide`` accepts of all commands there are, counted to depth 2."""
    match = position(line)
    assert counted_by_trying(match, 2) == perft(match, 2)


def counted_by_trying(match: Match, depth: int) -> int:
    if depth == 0:
        return 1
    nodes = 0
    for seat, command in product(map(Seat, range(match.seats_total)), EVERY_COMMAND):
        try:
            tried = follow(match, seat, command, depth)
        except RuleViolation:
            continue
        nodes += counted_by_trying(tried, depth - 1)
    return nodes
