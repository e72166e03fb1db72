"""Whatever is raised while a request is served, as a problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, MethodNotAllowedException
from litestar.types import HTTPScope

from domain import rulebook
from domain.codec import UnknownEvent
from domain.facts.corrupt import CorruptLog
from domain.moments import rfc3339
from domain.ports import OutcomeUnknown, Unavailable
from domain.refusals import Refusal, RuleViolation
from service import problems
from service.call import header_values, not_found
from service.finish import request_id
from service.french import in_french
from service.languages import ENGLISH, FRENCH, preferred
from service.play.contract import Busy, KeyReused, NoMatch, StaleVersion
from service.problems import Code, Problem, ProblemError, fail
from service.reply import Headers, Reply
from service.tournaments.contract import NoTournament

RETRY_SECONDS: Final = 1
"""When to come back after a failure that is likely to pass."""

_BY_LANGUAGE: Final = ("Vary", "Accept-Language")
_log = structlog.get_logger("talon.http")


def answer_error(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The same as ``reply_to``, in the framework's terms."""
    reply = reply_to(request.scope, error)
    return Response(
        content=b"" if request.method == "HEAD" else reply.body,
        status_code=reply.status,
        media_type=reply.media,
        headers=dict(reply.headers),
    )


def reply_to(scope: HTTPScope, error: Exception) -> Reply:
    """The answer to a request that ended in an exception: always a problem, never a trace."""
    failed, given = problem_of(error), header_values(scope)
    status = failed.problem.status
    if status == 500:
        known = request_id(scope, given).decode()
        _log.error("failed", request_id=known, exc_info=error)
    language = language_of(given)
    body = problems.encode(told(failed.problem, language))
    return Reply(body, status, _headers(failed.headers, language), problems.MEDIA_TYPE)


def language_of(headers: Mapping[bytes, bytes]) -> str:
    """The language in which whoever sent these headers reads problems."""
    wanted = headers.get(b"accept-language")
    if wanted is None or b"fr" not in wanted.lower():  # as nearly always: nothing to weigh
        return ENGLISH
    return preferred(wanted.decode("latin-1"))


def told(problem: Problem, language: str) -> Problem:
    """A problem in a language: all are raised in English, and here alone they become French."""
    return in_french(problem) if language == FRENCH else problem


def problem_of(error: Exception) -> ProblemError:
    """The problem that an exception stands for; what is not foreseen is a 500 without details."""
    match error:
        case ProblemError():
            return error
        case RuleViolation():
            return refused(error.refusal, not_before=error.not_before)
        case NoMatch() | NoTournament():
            return not_found()
        case StaleVersion(version=version):
            return fail(
                Code.VERSION_MISMATCH, f"The match is at version {version}.", version=version
            )
        case KeyReused():
            return fail(Code.KEY_REUSED, "Use a new Idempotency-Key for another request.")
        case Busy(retry_after=seconds):
            return _unavailable(seconds)
        case Unavailable() | OutcomeUnknown():
            return _unavailable(RETRY_SECONDS)
        case HTTPException():
            return _of_the_framework(error)
        case UnknownEvent():
            return fail(
                Code.MATCH_UNREADABLE,
                f"The match has an event that this release does not know ({error}): a newer one"
                " wrote it. Nothing is lost, and other matches go on.",
            )
        case CorruptLog():
            return fail(
                Code.MATCH_UNREADABLE,
                "What is stored of the match contradicts itself; the request id finds where.",
            )
        case _:
            return fail(Code.INTERNAL_ERROR, "The service failed; the request id finds its log.")


def refused(
    refusal: Refusal, playable: tuple[str, ...] | None = None, *, not_before: int | None = None
) -> ProblemError:
    """A refusal by the rules, with the documents that state the rule, and until when it holds."""
    until = None if not_before is None else rfc3339(not_before)
    return problems.refused(refusal, sources_of(refusal), playable, until)


def sources_of(refusal: Refusal) -> tuple[str, ...]:
    """The documents that state the rule of a refusal."""
    rule = None if refusal.rule is None else rulebook.rule(refusal.rule)
    return () if rule is None else rule.sources


def _headers(given: Mapping[str, str], language: str) -> Headers:
    """The headers of a problem: which language it is in, and that this depends on who asks."""
    told = ("Content-Language", language)
    if "Vary" not in given:
        return (*given.items(), told, _BY_LANGUAGE)
    return (*{**given, "Vary": f"{given['Vary']}, Accept-Language"}.items(), told)


def _unavailable(seconds: int) -> ProblemError:
    return fail(
        Code.UNAVAILABLE,
        "The log cannot be reached or is too busy; try again.",
        headers={"Retry-After": str(seconds)},
    )


def _of_the_framework(error: HTTPException) -> ProblemError:
    headers = {name.title(): value for name, value in (error.headers or {}).items()}
    if isinstance(error, MethodNotAllowedException):
        return fail(
            Code.METHOD_NOT_ALLOWED, f"Allowed: {headers.get('Allow', '')}.", headers=headers
        )
    if error.status_code == Code.NOT_FOUND.status:
        return not_found()
    return fail(Code.BAD_REQUEST, "The request is malformed.")
