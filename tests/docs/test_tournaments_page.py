"""docs/tournaments.md says what the code does: the schedule of pairs, the lot, the limits."""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path

from msgspec.structs import replace

from domain.limits import ENTRANTS_MAX, TOURNAMENT_ROUNDS_MAX
from domain.tournaments.commands import StartTournament
from domain.tournaments.pairs import pairs
from domain.tournaments.settings import Settings
from domain.tournaments.terms import Entrant, Format, Seeding
from tests.spec import seed_of
from tests.tournaments.spec import entered

PAGE = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text()


def test_the_schedule_of_eight_is_the_one_that_is_played() -> None:
    rows = re.findall(r"^\| (\d) \| (\d) (\d) – (\d) (\d) \| (\d) (\d) – (\d) (\d) \|$", PAGE, re.M)
    assert len(rows) == 7
    for round, *seats in rows:
        plan = pairs(tuple(map(Entrant, range(8))), int(round) - 1)
        assert plan is not None
        a, b, c, d, e, f, g, h = map(int, seats)
        assert plan.tables == ((a, c, b, d), (e, g, f, h))


def test_the_lot_is_drawn_as_it_says() -> None:
    evening = entered(replace(Settings(Format.SWISS), seeding=Seeding.LOT), 9)
    evening.when(StartTournament())
    id = evening.tournament.id
    drawn = {
        number: hmac.new(
            seed_of("lot"), b"talon-lot/1" + id + number.to_bytes(4, "big"), hashlib.sha256
        ).digest()
        for number in range(9)
    }
    assert evening.tournament.seeding == tuple(sorted(drawn, key=drawn.__getitem__))


def test_the_limits_are_those() -> None:
    assert f"2 to {ENTRANTS_MAX} |" in PAGE and f"1 to {TOURNAMENT_ROUNDS_MAX};" in PAGE
    assert {f"`{one}`" for one in Format} <= set(re.findall(r"`\w+`", PAGE))
