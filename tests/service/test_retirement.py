"""An operation that is to go away says so in every answer, and in the document."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx
import pytest
from litestar.types import ASGIApp

from service import openapi
from service.app import build_in_memory
from service.call import Call
from service.openapi_schemas import Schemas
from service.operation import Needs, Operation, Shape, operation, routed
from service.reply import as_json
from service.retirement import MONTHS_MIN, Retirement
from service.routes import OPERATIONS
from tests.service.serving import serving
from tests.service.support import QUICK

GOING = Retirement(date(2026, 12, 1), date(2027, 7, 1), "/v1/players/me")


def retiring(needs: Needs) -> Operation:
    """An operation that GOING is said of."""

    @operation(
        "GET", "/v1/whoami", tag="Players", answers=(Shape(),), needs=needs, retirement=GOING
    )
    async def read_whoami(call: Call) -> ASGIApp:
        """Say who asks."""
        return as_json({"kind": call.caller.kind})

    return read_whoami


@pytest.mark.parametrize(("needs", "status"), [(Needs.NOBODY, 200), (Needs.TOKEN, 401)])
def test_every_answer_says_since_when_until_when_and_what_instead(
    needs: Needs, status: int
) -> None:
    app = build_in_memory(QUICK)
    app.register(routed(retiring(needs)))

    with serving(app) as url:
        answer = httpx.get(f"{url}/v1/whoami", timeout=60)
        other = httpx.get(f"{url}/v1/limits", timeout=60)

    assert answer.status_code == status
    since = datetime.fromtimestamp(int(answer.headers["deprecation"].removeprefix("@")), UTC)
    assert since == datetime(2026, 12, 1, tzinfo=UTC)
    assert parsedate_to_datetime(answer.headers["sunset"]) == datetime(2027, 7, 1, tzinfo=UTC)
    assert answer.headers["link"] == '</v1/players/me>; rel="successor-version"'
    assert "deprecation" not in other.headers and "sunset" not in other.headers


def test_the_document_marks_it() -> None:
    described = openapi.described(retiring(Needs.NOBODY), Schemas(OPERATIONS))

    assert described["deprecated"] is True
    assert described["x-sunset"] == "2027-07-01"
    assert described["x-successor"] == "/v1/players/me"


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.id)
def test_who_relies_on_an_operation_has_half_a_year_to_leave_it(one: Operation) -> None:
    if one.retirement is not None:
        assert one.retirement.until - one.retirement.since >= timedelta(days=30 * MONTHS_MIN)


def test_the_policy_says_the_months_and_the_headers_of_the_code() -> None:
    page = (Path(__file__).parents[2] / "docs/api/changes.md").read_text()

    assert MONTHS_MIN == 6 and "at least six months before" in page
    for name, value in GOING.headers()[:2]:
        assert f"{name.decode().capitalize()}: {value.decode()}" in page
