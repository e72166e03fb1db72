"""What clients look up: the rules, the points to settle, the cards, the limits, the problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec
from litestar.types import ASGIApp
from msgspec import Struct

from domain import limits, rulebook
from domain.combinations import COMBINATIONS
from domain.options import RULESET, RULESET_VERSION
from domain.refusals import Refusal
from domain.rulebook import CardEntry
from service import french, problems
from service.call import Call, not_found
from service.errors import language_of, sources_of
from service.languages import FRENCH, LANGUAGES
from service.operation import Operation, Shape, operation
from service.problems import Code
from service.reply import as_json

T = TypeVar("T")


class RuleText(Struct, frozen=True):
    """A rule; ``sources`` names the documents that state it, or says ``decision``."""

    id: str
    chapter: int
    text: str
    sources: tuple[str, ...]


class ChapterText(Struct, frozen=True):
    """A chapter of the rules."""

    number: int
    title: str
    rules: tuple[RuleText, ...]


class OptionText(Struct, frozen=True):
    """An option of a match: listed values, or a number from ``minimum`` to ``maximum``.

    ``parts`` are the fields, each such a number, of an option that is an object, or null.
    """

    name: str
    values: tuple[str | bool, ...]
    minimum: int | None
    maximum: int | None
    default: str | int | bool | None
    text: str
    rules: tuple[str, ...]
    parts: tuple[str, ...] = ()


class RefusedCombination(Struct, frozen=True):
    """Options that do not go together: the `code` of the refusal, and what it says."""

    code: str
    detail: str
    rule: str | None


class Rules(Struct, frozen=True):
    """The rules as they are played here, and the documents they come from."""

    ruleset: str
    version: int
    chapters: tuple[ChapterText, ...]
    options: tuple[OptionText, ...]
    refused: tuple[RefusedCombination, ...]
    sources: dict[str, str]


class ReadingText(Struct, frozen=True):
    """One way to read a point, and the documents that read it so."""

    text: str
    sources: tuple[str, ...]


class RulingText(Struct, frozen=True):
    """A point on which the documents disagree or are silent, and what is done here."""

    id: str
    point: str
    readings: tuple[ReadingText, ...]
    choice: str
    rules: tuple[str, ...]


class Rulings(Struct, frozen=True):
    """All points that had to be settled."""

    items: tuple[RulingText, ...]


class Cards(Struct, frozen=True):
    """Every face of the deck, with its names in English and French."""

    items: tuple[CardEntry, ...]


class Limit(Struct, frozen=True):
    """A limit that clients can meet."""

    name: str
    value: int


class Rate(Struct, frozen=True):
    """How much may be asked for: ``quota`` in ``window`` seconds, for each of ``per``.

    An operation takes one of a quota, but for those in ``costs``.
    """

    policy: str
    per: str
    quota: int
    window: int


class Limits(Struct, frozen=True):
    """The limits of the service; what is 0 has none."""

    items: tuple[Limit, ...]
    rates: tuple[Rate, ...]
    costs: Mapping[str, int]


class ProblemKind(Struct, frozen=True):
    """What the ``code`` of a problem means."""

    code: str
    status: int
    title: str
    detail: str | None
    rule: str | None
    source: tuple[str, ...]


_ENGLISH_OR_FRENCH: Final = ("Accept-Language",)
_HEADERS: Final = ("Content-Language",)
_KEPT: Final = ("Cache-Control", "public, max-age=3600")
_PUBLISHED: Final = (
    "SEATS_MIN",
    "SEATS_MAX",
    "EVENTS_PER_MATCH",
    "CLIENT_SEED_BYTES",
    "CLIENT_SEEDS_PER_ROUND",
    "SEATINGS_PER_PLAYER",
    "TARGET_MIN",
    "TARGET_MAX",
    "STARTING_HAND_MIN",
    "STARTING_HAND_MAX",
    "UNO_GRACE_SECONDS_MAX",
    "CLOCK_SECONDS_MIN",
    "CLOCK_SECONDS_MAX",
    "CLOCK_RUNS_MAX",
    "BODY_BYTES",
    "PAGE_ITEMS",
    "NAME_CHARACTERS",
    "IDEMPOTENCY_KEY_CHARACTERS",
    "IDLE_DAYS",
    "SPECTATOR_DELAY_SECONDS",
    "WEBHOOKS_PER_APP",
    "WEBHOOK_AT_ONCE",
    "WEBHOOK_SECONDS",
    "WEBHOOK_DAYS_FAILING",
    "WEBHOOK_DAYS_KEPT",
    "WEBHOOK_LOG",
    "WEBHOOK_WAITING",
)


@operation(
    "GET",
    "/v1/rules",
    tag="Reference",
    answers=(Shape(200, Rules, headers=_HEADERS),),
    takes=_ENGLISH_OR_FRENCH,
)
async def list_rules(call: Call) -> ASGIApp:
    """Read the rules and options, in English or French."""
    return _in_language(call, _RULES)


@operation(
    "GET",
    "/v1/rules/{rule_id}",
    tag="Reference",
    answers=(Shape(200, RuleText, headers=_HEADERS),),
    problems=(404,),
    takes=_ENGLISH_OR_FRENCH,
)
async def get_rule(call: Call) -> ASGIApp:
    """Read one rule, as refusals cite it."""
    rule = rulebook.rule(call.path["rule_id"])
    if rule is None:
        raise not_found()
    return _in_language(call, _in_each(rule, RuleText))


@operation(
    "GET",
    "/v1/rulings",
    tag="Reference",
    answers=(Shape(200, Rulings, headers=_HEADERS),),
    takes=_ENGLISH_OR_FRENCH,
)
async def list_rulings(call: Call) -> ASGIApp:
    """Read where the rule documents disagree, and what is done here."""
    return _in_language(call, _RULINGS)


@operation("GET", "/v1/cards", tag="Reference", answers=(Shape(200, Cards),))
async def list_cards(call: Call) -> ASGIApp:
    """List the cards: code, color, face, points, and names in English and French."""
    return as_json(Cards(rulebook.cards()), 200, (_KEPT,))


@operation("GET", "/v1/limits", tag="Reference", answers=(Shape(200, Limits),))
async def list_limits(call: Call) -> ASGIApp:
    """List the limits of the service.

    `rates` are told with every answer as well, by `RateLimit` and `RateLimit-Policy`.
    """
    settings = call.services.settings
    listed = (
        *(Limit(name.lower(), getattr(limits, name)) for name in _PUBLISHED),
        Limit("open_matches_per_player", settings.open_matches_max),
        Limit("streams_per_player", settings.streams_max),
    )
    rates = tuple(
        Rate(one.name, one.per, one.size, one.fills_ms // 1_000)
        for one in call.services.limits.policies
    )
    return as_json(Limits(listed, rates, call.services.costs), 200, (_KEPT,))


@operation(
    "GET",
    "/problems/{code}",
    tag="Reference",
    answers=(Shape(200, ProblemKind, headers=_HEADERS),),
    problems=(404,),
    takes=_ENGLISH_OR_FRENCH,
)
async def get_problem(call: Call) -> ASGIApp:
    """Read what a problem's `type` means, in English or French."""
    code = problems.find(call.path["code"])
    if code is None:
        raise not_found()
    return _in_language(call, {language: _meaning(code, language) for language in LANGUAGES})


def _meaning(code: Code | Refusal, language: str) -> ProblemKind:
    """What a code means, in one language."""
    title, refusal = problems.title_of(code), code if isinstance(code, Refusal) else None
    detail = None if refusal is None else refusal.detail
    if language == FRENCH:
        title, detail = french.title(code), detail and french.detail(detail)
    return ProblemKind(
        code=code,
        status=problems.status_of(code),
        title=title,
        detail=detail,
        rule=None if refusal is None else refusal.rule,
        source=() if refusal is None else sources_of(refusal),
    )


def _in_language(call: Call, texts: dict[str, Any]) -> ASGIApp:
    language = language_of(call.headers)
    headers = (("Content-Language", language), ("Vary", "Accept-Language"), _KEPT)
    return as_json(texts[language], 200, headers)


def _in_each(value: object, kind: type[T]) -> dict[str, T]:
    """A value with its texts, as ``kind`` has it in each language."""
    plain = msgspec.to_builtins(value)
    return {language: msgspec.convert(_localized(plain, language), kind) for language in LANGUAGES}


def _localized(value: Any, language: str) -> Any:
    if isinstance(value, dict):
        if value.keys() == set(LANGUAGES):
            return value[language]
        return {name: _localized(inner, language) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_localized(inner, language) for inner in value]
    return value


def _refused_combinations() -> list[dict[str, Any]]:
    """Why options do not go together, each reason once."""
    reasons = [refusal for refusal, _ in COMBINATIONS]
    reasons.append(Refusal.FORCE_PLAY_MUST_NOT_LEAVE_A_CHOICE)
    return [
        {
            "code": str(one),
            "detail": {"en": one.detail, "fr": french.detail(one.detail)},
            "rule": one.rule,
        }
        for one in reasons
    ]


_RULES: Final = _in_each(
    {
        "ruleset": RULESET,
        "version": RULESET_VERSION,
        "chapters": rulebook.chapters(),
        "options": rulebook.options(),
        "refused": _refused_combinations(),
        "sources": rulebook.SOURCES,
    },
    Rules,
)
_RULINGS: Final = _in_each({"items": rulebook.rulings()}, Rulings)

OPERATIONS: Final[tuple[Operation, ...]] = (
    list_rules,
    get_rule,
    list_rulings,
    list_cards,
    list_limits,
    get_problem,
)
