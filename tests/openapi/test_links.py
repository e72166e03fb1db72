"""Generated requests one after another, along the links of the document: what an answer gives is
asked for next, by the same person, in an order that nobody chose.

More of it: ``TALON_TEST_OPENAPI=20 ./talon test tests/openapi``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from schemathesis import GenerationMode

from service import openapi
from service.app import build_in_memory
from tests.openapi.served import CHECKS, MORE, Served
from tests.openapi.test_schemathesis import ENDLESS
from tests.service.serving import serving
from tests.service.support import QUICK

OF_OTHERS = {"Talon-Player", "If-Match", "min_version", "at", "wait", "bots", "rules"}
"""Left out: most values are refused for what they say, and nothing comes of waiting alone."""
SCENARIOS = 15 * MORE
STEPS = 12
pytestmark = pytest.mark.filterwarnings(
    "ignore::hypothesis.errors.HypothesisDeprecationWarning"  # the generator's own
)


def linked() -> list[tuple[str, str, dict[str, Any]]]:
    """Every link of the document, as (operation, name, link)."""
    return [
        (described["operationId"], name, link)
        for _, _, described in openapi.operations()
        for response in described["responses"].values()
        for name, link in response.get("links", {}).items()
    ]


@pytest.mark.parametrize(("operation", "name", "link"), linked())
def test_every_link_leads_to_a_parameter_of_an_operation(
    operation: str, name: str, link: dict[str, Any]
) -> None:
    described = {one["operationId"]: one for _, _, one in openapi.operations()}
    (parameter,) = link["parameters"]

    names = {given.get("name") for given in described[link["operationId"]]["parameters"]}
    assert parameter in names, f"{name} of {operation}"


def test_what_answers_give_can_be_asked_for_in_any_order() -> None:
    with serving(build_in_memory(QUICK)) as url:
        served = Served(url)
        document = openapi.document()
        schema = schemathesis.openapi.from_dict(document).exclude(
            func=lambda context: context.operation.definition.raw["operationId"] in ENDLESS
        )
        schema.config.update(base_url=url, request_timeout=60)
        schema.config.generation.update(modes=[GenerationMode.POSITIVE])

        class Workflow(schema.as_state_machine()):  # type: ignore[misc]
            """Somebody who follows links."""

            def setup(self) -> None:
                served.begin()

            def before_call(self, case: Any) -> None:
                for given in (case.query, case.headers, case.body):
                    for name in OF_OTHERS & set(given if isinstance(given, Mapping) else ()):
                        del given[name]

            def get_call_kwargs(self, case: Any) -> dict[str, Any]:
                return {"headers": served.headers}

            def validate_response(self, response: Any, case: Any, **more: Any) -> None:
                case.validate_response(
                    response, checks=CHECKS, headers=served.headers, transport_kwargs=None
                )

        run_state_machine_as_test(  # type: ignore[no-untyped-call]
            Workflow,
            settings=settings(
                max_examples=SCENARIOS,
                stateful_step_count=STEPS,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            ),
        )
