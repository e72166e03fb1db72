"""Whole random matches, 2 to 10 seats, under every law.

``TALON_LAWS_MATCHES`` says how many (60 unless set; the continuous run takes 2,000). A test's name
ends in the number that its match follows from.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from domain.codec import encode
from domain.events import DealerDrawn, MatchAbandoned, MatchEnded
from domain.limits import EVENTS_PER_MATCH
from tests.laws import laws
from tests.laws.audit import Auditor
from tests.laws.table import Table, played

MATCHES = int(os.environ.get("TALON_LAWS_MATCHES", "60"))
ALL_COMMANDS_EVERY = 50
SIGHT_EVERY = 10


@pytest.mark.parametrize("seed", range(MATCHES))
def test_every_law_holds_over_a_whole_match(seed: int) -> None:
    table = Table(seed)
    for number, table in enumerate(played(seed)):
        laws.the_seat_to_move_may_do_what_is_listed(table.match)
        if number % ALL_COMMANDS_EVERY == 0:
            laws.what_is_legal_is_accepted_and_no_more(table.match)
        if number % SIGHT_EVERY == 0 or table.match.is_over:
            laws.views_hold_no_foreign_card(table.match)
            laws.a_view_lists_what_may_be_done(table.match)
    for step in table.steps:
        laws.no_card_comes_or_goes(step)
        laws.stored_and_read_again_it_is_the_same(step)
        laws.only_plays_and_draws_change_hands(step)
    laws.the_log_alone_tells_it_all(table)
    laws.folding_is_evolving_again_and_again(table)
    ends_as_it_should(table)
    verifies_from_its_seeds(table)


def ends_as_it_should(table: Table) -> None:
    """Every match ends, within its limit and with nothing after the end; somebody wins it."""
    assert len(table.events) == table.match.version <= EVENTS_PER_MATCH
    end, result = table.events[-1], table.match.result
    assert result is not None
    assert isinstance(end, MatchEnded | MatchAbandoned)
    assert (result.winners != ()) is isinstance(end, MatchEnded)
    assert not set(result.winners) & set(table.match.left)


def verifies_from_its_seeds(table: Table) -> None:
    """Who has the stored events alone recomputes every deal, draw and count."""
    checks = Auditor(table.match.id, [encode(event) for event in table.events]).audit()
    counted = Counter(str(type(event).__struct_config__.tag) for event in table.events)
    for kind in ("round_committed", "round_started", "cards_drawn", "card_played", "round_ended"):
        assert checks[kind] == counted[kind]


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
