"""Events, commands and refusals: named as storage and clients have to rely on."""

from __future__ import annotations

import re
from collections import Counter

import msgspec
import pytest

from domain.commands import PLAYER_COMMANDS, Command
from domain.events import EVENT_TYPES, Event
from domain.refusals import Refusal
from domain.tournaments.commands import TOURNAMENT_COMMANDS
from domain.tournaments.events import TOURNAMENT_EVENT_TYPES
from service import problems
from tests.tidy.sources import ROOT, python

TESTS = [path.read_text() for path in python("tests")]
EVENTS = (*EVENT_TYPES, *TOURNAMENT_EVENT_TYPES)
DOMAIN = {path: path.read_text() for path in python("domain")}


def snake(name: str) -> str:
    """``CardPlayed`` as ``card_played``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@pytest.mark.parametrize("kind", [*EVENTS, *PLAYER_COMMANDS, *TOURNAMENT_COMMANDS])
def test_tags_are_written_out(kind: type[Event] | type[Command]) -> None:
    config = kind.__struct_config__
    assert (config.tag_field, config.tag) == ("type", snake(kind.__name__))
    assert config.frozen and not config.gc
    (source,) = (
        text
        for path, text in DOMAIN.items()
        if path.name in {"events.py", "deal_events.py", "commands.py"}
        and f"class {kind.__name__}(" in text
    )
    assert f'tag="{config.tag}"' in source, "the tag does not follow the class's name"


@pytest.mark.parametrize("kind", EVENTS)
def test_fields_come_in_an_order_that_can_grow(kind: type[Event]) -> None:
    required = [field.required for field in msgspec.structs.fields(kind)]
    assert required == sorted(required, reverse=True), "fields with defaults come last"


@pytest.mark.parametrize("refusal", Refusal, ids=str)
def test_every_refusal_is_an_obligation_that_is_raised(refusal: Refusal) -> None:
    assert "_MUST_" in refusal.name and refusal == refusal.name.lower()
    assert refusal.detail[0].isupper() and refusal.detail[-1] == "."
    raised = [
        path.name
        for path, text in DOMAIN.items()
        if path != ROOT / "domain" / "refusals.py" and f"Refusal.{refusal.name}" in text
    ]
    assert raised, "a refusal that nothing raises"


def test_no_two_refusals_say_the_same() -> None:
    assert max(Counter(refusal.detail for refusal in Refusal).values()) == 1


@pytest.mark.parametrize("code", problems.ALL, ids=str)
def test_every_code_of_a_problem_is_met_in_a_test(code: problems.Code | Refusal) -> None:
    named = re.compile(rf'"{code}"|\b{type(code).__name__}\.{code.name}\b')
    assert any(map(named.search, TESTS))
