"""Everything that can go wrong over HTTP, as RFC 9457 problems with stable codes.

One table gives each code its status. Refusals by the rules come from ``domain.refusals``; what
they mean is written there and in the rule book, not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.combinations import COMBINATIONS
from domain.refusals import Refusal
from service.play.contract import Signature

MEDIA_TYPE: Final = "application/problem+json"


class Code(StrEnum):
    """The ``code`` of a problem that is no refusal by the rules, with its status and title."""

    status: int
    heading: str

    def __new__(cls, code: str, status: int, heading: str) -> Code:
        """Attach the status and the constant title."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.status, member.heading = status, heading
        return member

    MALFORMED_JSON = "malformed_json", 400, "The body is not well-formed JSON"
    INVALID_HEADER = "invalid_header", 400, "A request header is malformed"
    BAD_REQUEST = "bad_request", 400, "The request is malformed"
    TOKEN_REQUIRED = "token_required", 401, "This needs a token"
    TOKEN_INVALID = "token_invalid", 401, "The token is unknown, revoked or has run out"
    TICKET_INVALID = "ticket_invalid", 401, "The ticket has run out, or is for something else"
    NOT_ALLOWED = "not_allowed", 403, "This token may not do this"
    REGISTRATION_CLOSED = "registration_closed", 403, "Only applications create players here"
    SANDBOX_CLOSED = "sandbox_closed", 403, "This service puts no positions on the table"
    NOT_FOUND = "not_found", 404, "There is nothing here, or it is not yours"
    NO_SUCH_VERSION = "no_such_version", 404, "The match has no such version"
    METHOD_NOT_ALLOWED = "method_not_allowed", 405, "This resource has no such method"
    ALREADY_WAITING = "already_waiting", 409, "You wait for another quick match"
    ALREADY_MATCHED = "already_matched", 409, "There is a match already"
    MATCH_NOT_OVER = "match_not_over", 409, "The match is not over"
    NO_FORK_HERE = "no_fork_here", 409, "The match cannot be played on from this version"
    TOO_MANY_WEBHOOKS = "too_many_webhooks", 409, "The app has enough webhooks"
    WEBHOOK_DISABLED = "webhook_disabled", 409, "The webhook is disabled"
    SEAT_IS_KEPT = "seat_is_kept", 409, "The seat is kept for somebody else"
    NOT_REVEALED = "not_revealed", 409, "The round is still secret"
    VERSION_MISMATCH = "version_mismatch", 412, "The match has moved on"
    VERSION_NOT_REACHED = "version_not_reached", 412, "The match has not come this far yet"
    UPGRADE_REQUIRED = "upgrade_required", 426, "This is a WebSocket"
    BODY_TOO_LARGE = "body_too_large", 413, "The body is too large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type", 415, "The body must be JSON"
    INVALID_FIELD = "invalid_field", 422, "A field of the request is invalid"
    KEY_REUSED = "key_reused", 422, "The idempotency key was used before with another request"
    TOO_MANY_MATCHES = "too_many_matches", 409, "You take part in too many unfinished matches"
    TOO_MANY_REQUESTS = "too_many_requests", 429, "You have asked for too much in a short time"
    TOO_MANY_STREAMS = "too_many_streams", 429, "You follow too many streams at once"
    MATCH_UNREADABLE = "match_unreadable", 500, "The match cannot be read by this release"
    INTERNAL_ERROR = "internal_error", 500, "The service failed"
    UNAVAILABLE = "unavailable", 503, "The service cannot do this now"


_REFUSAL_STATUS: Final[Mapping[Refusal, int]] = {
    **{refusal: 422 for refusal, _ in COMBINATIONS},
    Refusal.FORCE_PLAY_MUST_NOT_LEAVE_A_CHOICE: 422,
    Refusal.POSITION_MUST_BE_LEGAL: 422,
    Refusal.SEAT_MUST_BE_YOURS: 403,
    Refusal.HOST_MUST_ASK: 403,
    Refusal.SEED_MUST_BE_BASE64URL: 422,
    Refusal.SEED_MUST_BE_SHORT: 422,
    Refusal.ENTRANTS_MUST_FIT_THE_FORMAT: 422,
    Refusal.TABLES_MUST_FIT_THE_FORMAT: 422,
    Refusal.ROUNDS_MUST_FIT_THE_FORMAT: 422,
    Refusal.SUBSTITUTE_MUST_BE_NAMED: 422,
    Refusal.ORGANIZER_MUST_ASK: 403,
}
"""Who may not ask at all, and what is wrong in whatever state; the rest are conflicts (409)."""


class FieldError(Struct, frozen=True, gc=False):
    """What is wrong with one field; ``pointer`` is ``#/seat`` in a body, ``?limit`` in a query."""

    pointer: str
    detail: str


class RefusalReceipt(Struct, frozen=True, gc=False):
    """What a client keeps to prove that its command was refused; on ``?signed=true``.

    ``version`` and ``hash`` are where the match stood, ``command`` is the body with sorted keys.
    """

    match_id: str
    version: int
    hash: str
    refused_at: str
    actor: str
    code: str
    command: str
    signature: Signature


class Problem(Struct, frozen=True, gc=False, kw_only=True):
    """An error: ``title`` is constant for its ``code``, ``detail`` says what happened this time.

    Refusals by the rules add ``rule`` (its id), ``source`` (the documents that state it) and, for
    the seat itself, ``playable`` (its cards that may be played now). ``not_before`` is when the
    same will be taken.
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: tuple[FieldError, ...] | UnsetType = UNSET
    rule: str | UnsetType = UNSET
    source: tuple[str, ...] | UnsetType = UNSET
    playable: tuple[str, ...] | UnsetType = UNSET
    not_before: str | UnsetType = UNSET
    version: int | UnsetType = UNSET
    receipt: RefusalReceipt | UnsetType = UNSET


class ProblemError(Exception):
    """Ends a request with a problem; ``headers`` go with the answer."""

    def __init__(self, problem: Problem, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(problem.code)
        self.problem = problem
        self.headers = headers or {}


def fail(
    code: Code,
    detail: str,
    *,
    errors: tuple[FieldError, ...] = (),
    version: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> ProblemError:
    """The error to raise for a code."""
    problem = Problem(
        type=type_of(code),
        title=code.heading,
        status=code.status,
        code=code,
        detail=detail,
        errors=errors or UNSET,
        version=UNSET if version is None else version,
    )
    return ProblemError(problem, headers)


def invalid(pointer: str, detail: str) -> ProblemError:
    """The error to raise for one invalid field."""
    return fail(Code.INVALID_FIELD, detail, errors=(FieldError(pointer, detail),))


def refused(
    refusal: Refusal,
    source: tuple[str, ...] = (),
    playable: tuple[str, ...] | None = None,
    not_before: str | None = None,
) -> ProblemError:
    """The error to raise for a refusal by the rules."""
    return ProblemError(
        Problem(
            type=type_of(refusal),
            title=title_of(refusal),
            status=status_of(refusal),
            code=refusal,
            detail=refusal.detail,
            rule=refusal.rule or UNSET,
            source=source or UNSET,
            playable=UNSET if playable is None else playable,
            not_before=not_before or UNSET,
        )
    )


def type_of(code: Code | Refusal) -> str:
    """The URI reference that names the kind of problem, and answers a GET with its meaning."""
    return f"/problems/{code}"


def status_of(code: Code | Refusal) -> int:
    """The HTTP status of a code."""
    return code.status if isinstance(code, Code) else _REFUSAL_STATUS.get(code, 409)


def title_of(code: Code | Refusal) -> str:
    """The constant title of a code: for a refusal, the obligation in words."""
    return code.heading if isinstance(code, Code) else code.replace("_", " ").capitalize()


def find(code: str) -> Code | Refusal | None:
    """The member with this code."""
    return _BY_CODE.get(code)


ALL: Final[tuple[Code | Refusal, ...]] = (*Code, *Refusal)
_BY_CODE: Final = {str(code): code for code in ALL}
_encoder: Final = msgspec.json.Encoder()


def encode(problem: Problem) -> bytes:
    """The body of a problem."""
    return _encoder.encode(problem)
