"""Mutants of chapters 11 and 12: people who go away, house rules."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

PEOPLE_AND_HOUSE: Final = (
    Mutant(
        "AWAY-1",
        "moves/clock.py",
        "return max(Color, key=lambda color: counts[color])",
        "return max(reversed(Color), key=lambda color: counts[color])",
        "of colors held equally often the clock names the last",
    ),
    Mutant(
        "AWAY-2",
        "moves/leave.py",
        "    turn = round.seat_after(seat, 1, round.direction)\n",
        "    turn = round.seat_after(seat, 1, 1)\n",
        "who leaves on their turn passes it to the left, whatever the direction",
    ),
    Mutant(
        "AWAY-3",
        "scoring.py",
        "return len(match.still_in) == 1",
        "return len(match.still_in) <= 2",
        "two who remain share the forfeit",
    ),
    Mutant(
        "AWAY-4",
        "moves/answer.py",
        "if loser in round.order:",
        "if loser in range(len(match.seats)):",
        "a guilty author who has left draws all the same",
    ),
    Mutant(
        "AWAY-5",
        "moves/leave.py",
        "    return turn, round.pending\n\n\n",
        "    return turn, Pending.TURN\n\n\n",
        "nobody names the color that a leaver has not named",
    ),
    Mutant(
        "AWAY-6",
        "moves/table.py",
        "return ()\n"
        "    guards.open_table(match)\n"
        "    require(len(match.seats) < match.seats_total,",
        "return ()\n"
        "    if not match.left:\n"
        "        guards.open_table(match)\n"
        "    require(len(match.seats) - len(match.left) < match.seats_total,",
        "somebody may come for a player who has left",
    ),
    Mutant(
        "AWAY-7",
        "moves/leave.py",
        "draft.add(HostChanged(persons(draft.match)[0]))",
        "draft.add(HostChanged(persons(draft.match)[-1]))",
        "the human who came last is host",
    ),
    Mutant(
        "AWAY-8",
        "moves/clock.py",
        "is_its_turn = deadline(match) == command.deadline",
        "is_its_turn = (deadline(match) or 0) >= command.deadline",
        "a clock that was set for an earlier turn acts on this one",
    ),
    Mutant(
        "AWAY-9",
        "moves/match_end.py",
        "abandon(draft, MatchAbandoned(command.reason))",
        "end_match(draft, EndReason.FORFEIT)",
        "an idle match is won by the best total",
    ),
    Mutant(
        "HOUSE-1",
        "moves/play.py",
        "penalty=effect.penalty and effect.penalty + stacked(round)",
        "penalty=effect.penalty and max(effect.penalty, stacked(round))",
        "a penalty passed on is not added up",
    ),
    Mutant(
        "HOUSE-2",
        "moves/hands.py",
        "round.seat_after(seat, 1, round.direction) for seat in round.order",
        "round.seat_after(seat, 1, 1) for seat in round.order",
        "a 0 hands the hands on clockwise whatever the direction",
    ),
    Mutant(
        "HOUSE-3",
        "moves/jump_in.py",
        "and round.laid_by not in (None, seat)",
        "and round.laid_by is not None",
        "who laid the top card may jump in on it",
    ),
    Mutant(
        "HOUSE-4",
        "moves/draw_until.py",
        "fits, left = fitting(round), round.pile[round.drawn :]",
        "fits = {card for card in fitting(round) if not card.is_wild}\n"
        "    left = round.pile[round.drawn :]",
        "a wild does not end the drawing",
    ),
    Mutant(
        "HOUSE-5",
        "moves/force_play.py",
        "forced = fitting(round) - {Card.W4}",
        "forced = fitting(round)",
        "a Wild Draw Four is forced",
    ),
    Mutant(
        "HOUSE-6",
        "limits.py",
        "STARTING_HAND_MAX: Final = 10",
        "STARTING_HAND_MAX: Final = 7",
        "nobody starts with more than seven cards",
    ),
)
