"""Every operation of the document, by every kind of caller, on a match in every state."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.access.declared import DECLARED, ROLES, STATES
from tests.access.world import DOCUMENTED, World, world

pytestmark = pytest.mark.anyio


def test_every_operation_has_declared_answers() -> None:
    """If this fails: say in ``declared.py`` who may call the new operation."""
    assert {line.partition(" ")[0] for line in DECLARED} == DOCUMENTED.keys()


def test_an_operation_on_a_match_has_answers_for_each_state() -> None:
    for line, answers in DECLARED.items():
        on_a_match = "{match_id}" in DOCUMENTED[line.partition(" ")[0]][0]
        lines = answers if isinstance(answers, tuple) else (answers,)
        assert len(lines) == (len(STATES) if on_a_match else 1), line
        assert all(len(one.split()) == len(ROLES) for one in lines), line


def cells() -> Iterator[tuple[str, str, str]]:
    """Each line with its state and what is declared."""
    for line, answers in DECLARED.items():
        if isinstance(answers, tuple):
            for state, declared in zip(STATES, answers, strict=True):
                yield line, state, declared
        else:
            yield line, "running", answers


@pytest.mark.parametrize(("line", "state", "declared"), list(cells()))
async def test_everybody_gets_the_answer_that_is_declared(
    line: str, state: str, declared: str
) -> None:
    expected = dict(zip(ROLES, map(int, declared.split()), strict=True))
    path, method = DOCUMENTED[line.partition(" ")[0]]
    is_on_one = "{match_id}" in path or "{tournament_id}" in path
    acts = method == "delete" or (method == "post" and is_on_one)
    answered: dict[str, int] = {}

    while len(answered) < len(ROLES):
        async with world(state) as fresh:
            for role in [role for role in ROLES if role not in answered]:
                answered[role] = await _status(fresh, line, role)
                if acts and answered[role] < 300:
                    break  # it may have changed what the others would be answered

    assert answered == expected


async def _status(fresh: World, line: str, role: str) -> int:
    answer = await fresh.ask(line, role)
    if answer.status_code in (401, 404):
        assert answer.json()["code"] in ("token_required", "not_found"), answer.text
    status: int = answer.status_code
    return status
