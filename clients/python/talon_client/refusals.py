"""Problems as exceptions."""

from __future__ import annotations

from typing import TypeVar

import httpx

from talon_client.core.models import Problem

T = TypeVar("T")


class Refused(Exception):
    """The service answered a problem: ``code`` is what programs look at."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail}")
        self.problem = problem
        self.code = problem.code
        self.status = problem.status


class StreamEnded(Exception):
    """A stream is over although the match is not: ``reason`` says why."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


def ok(answer: T | Problem | None) -> T:
    """What an operation of the core answered; raises Refused if that is a problem."""
    if isinstance(answer, Problem):
        raise Refused(answer)
    if answer is None:
        raise ValueError("an answer without a body")
    return answer


def checked(response: httpx.Response) -> httpx.Response:
    """A response that is no problem; raises Refused."""
    if response.status_code >= 400:
        response.read()
        raise Refused(Problem.from_dict(response.json()))
    return response
