"""An operator declares matches void: once, for a closed reason, whatever state they are in."""

from __future__ import annotations

import pytest

from domain.audit.checks import check
from infra.signing import is_signed
from service.identity import Kind
from tests.service.support import House, key

pytestmark = pytest.mark.anyio


async def test_a_match_that_was_won_counts_no_more_and_its_history_stays(talon: House) -> None:
    ann, bob, operator = (
        await talon.person(),
        await talon.person(),
        await talon.holder(Kind.OPERATOR),
    )
    match = await talon.finished(ann, bob)
    before = await talon.stranger.history(match)

    done = await operator.post(f"/v1/matches/{match}/void", {"reason": "cheating"})

    after = await talon.stranger.history(match)
    assert done.status_code == 200
    assert after[:-1] == before and before[-1]["type"] == "match_ended"
    assert after[-1]["event"] == {"type": "match_voided", "reason": "cheating"}
    assert after[-1]["actor"] == "operator"
    view = await ann.view(match, after[-1]["version"])
    assert view["status"] == "voided"
    assert view["result"] == {"reason": "cheating", "winners": [], "places": []}


async def test_the_record_of_a_voided_match_holds(talon: House) -> None:
    ann, bob, operator = (
        await talon.person(),
        await talon.person(),
        await talon.holder(Kind.OPERATOR),
    )
    match = await talon.finished(ann, bob)
    assert (await operator.post(f"/v1/matches/{match}/void")).status_code == 200

    report = check((await talon.stranger.get(f"/v1/matches/{match}/record")).content, is_signed)

    assert report.faults == () and report.status == "voided"


async def test_a_running_match_ends_and_everything_is_opened(talon: House) -> None:
    ann, operator = await talon.person(), await talon.holder(Kind.OPERATOR)
    match = await talon.running(ann, await talon.person())

    done = await operator.post(f"/v1/matches/{match}/void", {"reason": "fault"})

    types = [item["type"] for item in done.json()["events"]]
    assert types == ["round_voided", "seed_revealed", "seed_revealed", "match_voided"]
    assert (await ann.command(match, {"type": "draw_card"})).status_code == 409


@pytest.mark.parametrize("second", ["fault", "cheating"])
async def test_a_second_voiding_answers_as_the_first(talon: House, second: str) -> None:
    operator = await talon.holder(Kind.OPERATOR)
    match = await talon.table(await talon.person(), await talon.person())
    path = f"/v1/matches/{match}/void"

    first = await operator.post(path, {"reason": "fault"}, Idempotency_Key=key())
    again = await operator.post(path, {"reason": second}, Idempotency_Key=key())

    assert again.json() == first.json() and again.headers["Idempotent-Replayed"] == "true"
    assert [one["type"] for one in await operator.history(match)].count("match_voided") == 1


async def test_only_what_an_operator_may_say_is_a_reason(talon: House) -> None:
    operator = await talon.holder(Kind.OPERATOR)
    match = await talon.table(await talon.person(), await talon.person())

    refused = await operator.post(f"/v1/matches/{match}/void", {"reason": "forfeit"})

    assert refused.status_code == 422
    assert (await operator.view(match))["status"] == "open"


async def test_a_voiding_of_another_version_is_refused(talon: House) -> None:
    operator = await talon.holder(Kind.OPERATOR)
    match = await talon.table(await talon.person(), await talon.person())

    refused = await operator.post(f"/v1/matches/{match}/void", If_Match='"99"')

    assert (refused.status_code, (await operator.view(match))["status"]) == (412, "open")


async def test_there_is_no_match_to_void(talon: House) -> None:
    operator = await talon.holder(Kind.OPERATOR)

    absent = await operator.post("/v1/matches/01890a5d-ac96-774b-bcce-b302099a8057/void")

    assert absent.status_code == 404
