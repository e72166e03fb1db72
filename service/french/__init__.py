"""Problems in French, put into it on their way out: whoever raises one writes English only.

Titles and refusals are looked up by their code, details by the English they were written in
(``docs/decisions/029``). What has no French here stays English.
"""

from __future__ import annotations

from typing import Final

from msgspec import UNSET, structs

from domain.refusals import Refusal
from service import problems
from service.french.details import DETAILS
from service.french.refusals import REFUSALS
from service.french.templates import Catalog
from service.french.titles import TITLES
from service.french.values import words
from service.problems import Code, FieldError, Problem


def in_french(problem: Problem) -> Problem:
    """The same problem for readers of French; what programs look at is not touched."""
    code = problems.find(problem.code)
    errors = problem.errors
    if errors is not UNSET:
        errors = tuple(FieldError(one.pointer, detail(one.detail)) for one in errors)
    return structs.replace(
        problem,
        title=problem.title if code is None else title(code),
        detail=detail(problem.detail),
        errors=errors,
    )


def title(code: Code | Refusal) -> str:
    """The constant title of a code."""
    return REFUSALS[code][0] if isinstance(code, Refusal) else TITLES[code]


def detail(english: str) -> str:
    """A detail in French; as it is if nobody has put it into French."""
    return _details.find(english) or english


_details: Final = Catalog(
    {**{refusal.detail: french for refusal, (_, french) in REFUSALS.items()}, **DETAILS}, words
)
