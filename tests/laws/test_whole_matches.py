"""Whole random matches, 2 to 10 seats, under every law.

``TALON_LAWS_MATCHES`` says how many (60 unless set; the continuous run takes 2,000). A test's name
ends in the number that its match follows from.
"""

from __future__ import annotations

import os

import pytest

from domain.codec import encode
from domain.events import DealerDrawn, MatchEnded
from tests.laws import laws
from tests.laws.audit import Auditor
from tests.laws.every import under_every_law
from tests.laws.table import played

MATCHES = int(os.environ.get("TALON_LAWS_MATCHES", "60"))


@pytest.mark.parametrize("seed", range(MATCHES))
def test_every_law_holds_over_a_whole_match(seed: int) -> None:
    under_every_law(played(seed))


def test_a_changed_log_does_not_verify() -> None:
    *_, table = played(0)
    stored = [encode(event) for event in table.events]
    place = next(at for at, data in enumerate(stored) if b'"card_played"' in data)
    other = stored[place].replace(b'"card":"', b'"card":"B')
    with pytest.raises((AssertionError, ValueError)):
        Auditor(table.match.id, [*stored[:place], other, *stored[place + 1 :]]).audit()


def test_some_of_these_matches_have_ties_for_the_deal() -> None:
    starts = [next(played(seed)).events for seed in range(60)]
    draws = [len(one.draws) for events in starts for one in events if isinstance(one, DealerDrawn)]
    assert len(draws) == 60 and max(draws) > 1


def test_some_of_these_matches_lose_players_and_end_by_forfeit() -> None:
    left = [list(played(seed))[-1].match for seed in range(3, 60, 5)]
    assert sum(len(match.left) for match in left) > 20
    assert {"forfeit", "target"} <= {match.result.reason for match in left if match.result}


def test_legal_commands_at_random_may_go_on_to_the_limit() -> None:
    *_, table = played(9)
    end = table.events[-1]
    assert isinstance(end, MatchEnded) and end.reason == "event_limit"
    laws.the_log_alone_tells_it_all(table)
    laws.folding_is_evolving_again_and_again(table)
