"""Section 13: which options go together, asked when a match is created."""

from __future__ import annotations

import msgspec
import pytest

from domain.combinations import COMBINATIONS, require_no_contradiction
from domain.options import Options
from domain.refusals import Refusal, RuleViolation
from tests.spec import created, started

FREE, LOWEST = Refusal.LOWEST_MUST_BE_FREE_FOR_ALL, {"scoring": "lowest"}
TEAMS, ROTATING = {"form": "teams"}, {"form": "rotating_partners"}

REFUSED = [
    (FREE, 4, {**TEAMS, **LOWEST}),
    (FREE, 4, {**ROTATING, **LOWEST}),
    (FREE, 3, {"form": "elimination", **LOWEST}),
    (Refusal.TEAMS_MUST_HAVE_FOUR_SEATS, 3, TEAMS),
    (Refusal.TEAMS_MUST_HAVE_FOUR_SEATS, 6, TEAMS),
    (Refusal.PAIRINGS_MUST_HAVE_FOUR_SEATS, 5, ROTATING),
    (Refusal.PAIRINGS_MUST_ROTATE, 4, {"rounds_per_pairing": 2}),
    (Refusal.PAIRINGS_MUST_ROTATE, 4, {**TEAMS, "cycles": 2}),
    (Refusal.ROUNDS_MUST_STAND_FOR_A_TARGET, 4, {**ROTATING, "rounds": 2}),
    (Refusal.ROUNDS_MUST_STAND_FOR_A_TARGET, 4, {"scoring": "lowest", "rounds": 2}),
]
TAKEN = [
    (4, TEAMS),
    (4, {**ROTATING, "rounds_per_pairing": 8, "cycles": 4}),
    (4, {**TEAMS, "rounds": 4}),
    (2, {"form": "elimination"}),
    (10, {"form": "elimination", "starting_hand": 10}),
    (3, LOWEST),
]


def options(chosen: dict[str, object]) -> Options:
    """Options as a client writes them."""
    return msgspec.convert(chosen, Options)


@pytest.mark.parametrize(("refusal", "seats", "chosen"), REFUSED)
def test_what_does_not_go_together_is_refused(
    refusal: Refusal, seats: int, chosen: dict[str, object]
) -> None:
    with pytest.raises(RuleViolation) as caught:
        created(seats, options=options(chosen))
    assert caught.value.refusal is refusal


@pytest.mark.parametrize(("seats", "chosen"), TAKEN)
def test_what_goes_together_is_played(seats: int, chosen: dict[str, object]) -> None:
    assert started(seats, options=options(chosen)).round is not None


def test_each_reason_stands_in_the_table_once() -> None:
    reasons = [refusal for refusal, _ in COMBINATIONS]
    assert len(set(reasons)) == len(reasons) >= 4


def test_who_is_forced_to_play_is_not_given_the_choice() -> None:
    """HOUSE-5: only the options as they were written tell it."""
    require_no_contradiction({"force_play": True})
    require_no_contradiction({"force_play": True, "drawn_card": "must"})
    require_no_contradiction({"drawn_card": "may"})
    with pytest.raises(RuleViolation) as caught:
        require_no_contradiction({"force_play": True, "drawn_card": "may"})
    assert caught.value.refusal is Refusal.FORCE_PLAY_MUST_NOT_LEAVE_A_CHOICE
