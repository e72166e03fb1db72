"""Every law at once, over a whole match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from domain.codec import encode
from domain.events import MatchAbandoned, MatchEnded, MatchVoided
from domain.limits import EVENTS_PER_MATCH
from tests.laws import laws
from tests.laws.audit import Auditor
from tests.laws.table import Table

ALL_COMMANDS_EVERY = 50
SIGHT_EVERY = 10


def under_every_law(states: Iterable[Table]) -> Table:
    """Let a match be played to its end, hold each law against it, and return it."""
    table = None
    for number, table in enumerate(states):
        laws.the_seat_to_move_may_do_what_is_listed(table.match)
        if number % ALL_COMMANDS_EVERY == 0:
            laws.what_is_legal_is_accepted_and_no_more(table.match)
        if number % SIGHT_EVERY == 0 or table.match.is_over:
            laws.views_hold_no_foreign_card(table.match)
            laws.a_view_lists_what_may_be_done(table.match)
    assert table is not None, "a match was played"
    for step in table.steps:
        laws.no_card_comes_or_goes(step)
        laws.stored_and_read_again_it_is_the_same(step)
        laws.only_plays_and_draws_change_hands(step)
    laws.the_log_alone_tells_it_all(table)
    laws.folding_is_evolving_again_and_again(table)
    ends_as_it_should(table)
    verifies_from_its_seeds(table)
    return table


def ends_as_it_should(table: Table) -> None:
    """Every match ends, within its limit and with nothing after the end; somebody wins it."""
    assert len(table.events) == table.match.version <= EVENTS_PER_MATCH
    end, result = table.events[-1], table.match.result
    assert result is not None
    assert isinstance(end, MatchEnded | MatchAbandoned | MatchVoided)
    assert (result.winners != ()) is isinstance(end, MatchEnded)
    assert not set(result.winners) & set(table.match.left)


def verifies_from_its_seeds(table: Table) -> None:
    """Who has the stored events alone recomputes every deal, draw and count."""
    checks = Auditor(table.match.id, [encode(event) for event in table.events]).audit()
    counted = Counter(str(type(event).__struct_config__.tag) for event in table.events)
    for kind in ("round_committed", "round_started", "cards_drawn", "card_played", "round_ended"):
        assert checks[kind] == counted[kind]
