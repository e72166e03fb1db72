"""Generated requests against the document: no failure, no answer that it does not describe.

Over loopback HTTP, on memory stores. The match in a path is, half the time, one that runs, so that
generated commands reach the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck
from hypothesis.strategies import booleans
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from service import openapi
from service.app import build_in_memory
from tests.openapi.served import CHECKS, MORE, Served
from tests.service.serving import serving
from tests.service.support import QUICK

ACCEPTANCE: dict[bool, list[Any]] = {True: [positive_data_acceptance], False: []}
EXAMPLES = 20 * MORE
"""For each operation and mode: about a minute in all, or more if asked for."""
ENDLESS = {"streamMatchEvents", "streamTournamentEvents"}
"""A stream of what goes on does not end; it has tests of its own."""
OF_A_MOMENT = {"Idempotency-Key", "If-Match", "cursor", "min_version", "at"}
"""Whether they are accepted depends on what was asked before, not on their form."""
NOT_WITH_ALL = {
    *("form", "scoring", "rounds_per_pairing", "cycles"),
    *("enforcement", "customizable", "force_play"),
}
"""Options that do not go with all others, nor with any number of seats: no schema can say so."""
WITH_RULES = {"createMatch", "enterQueue"}
MOSTLY_REFUSED = {"placePosition", "createTournament", "replaceEntrant"}
"""Cards at random are more than a deck has, settings go with some formats, a substitute is a player
or a bot: no schema can say so."""
ALWAYS_VALID = {"checkLive", "checkReady", "getProblem"}
"""They take nothing, or any text."""
pytestmark = pytest.mark.filterwarnings(
    "ignore::hypothesis.errors.HypothesisDeprecationWarning"  # the generator's own
)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving(build_in_memory(QUICK)) as url:
        yield Served(url)


@pytest.fixture(scope="module")
def described(served: Served) -> Any:
    schema = schemathesis.openapi.from_dict(openapi.document())
    schema.config.base_url = served.url
    return schema


def runs() -> Iterator[tuple[str, GenerationMode]]:
    """Each operation with valid requests, and with invalid ones if it takes anything."""
    for _, _, described in openapi.operations():
        if described["operationId"] not in ENDLESS:
            yield described["operationId"], GenerationMode.POSITIVE
            if described["operationId"] not in ALWAYS_VALID:
                yield described["operationId"], GenerationMode.NEGATIVE


@pytest.mark.parametrize(("operation", "mode"), list(runs()))
def test_no_answer_is_undescribed(
    described: Any, served: Served, operation: str, mode: GenerationMode
) -> None:
    served.begin()
    one = described.find_operation_by_id(operation)

    @hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(case=one.as_strategy(generation_mode=mode), known=booleans())
    def run(case: Any, known: bool) -> None:
        for given in (case.headers, case.query):
            for name in OF_A_MOMENT & set(given or ()):
                del given[name]
        if operation in WITH_RULES and mode is GenerationMode.POSITIVE:
            case.body.pop("wait", None)  # it would only take time
            case.body.pop("bots", None)  # no more than there are seats: no schema can say so
            for name in NOT_WITH_ALL & set(case.body.get("rules", ())):
                del case.body["rules"][name]
        if mode is GenerationMode.POSITIVE and known and "match_id" in case.path_parameters:
            case.path_parameters["match_id"] = served.match_id
        if mode is GenerationMode.POSITIVE and known and "tournament_id" in case.path_parameters:
            case.path_parameters["tournament_id"] = served.tournament_id
        is_accepted = _exact(case) and operation not in MOSTLY_REFUSED
        case.call_and_validate(headers=served.headers, checks=CHECKS + ACCEPTANCE[is_accepted])

    run()


def _exact(case: Any) -> bool:
    """Whether a body has no number such as 2.0: an integer for JSON Schema, and not for us."""
    return "." not in repr(case.body)
