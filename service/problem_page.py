"""The page ``docs/api/problems.md``: every code with its status, made from the very tables."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from domain.refusals import Refusal
from service import problems
from service.errors import sources_of
from service.problems import Code

COMMITTED: Final = Path(__file__).parent.parent / "docs" / "api" / "problems.md"
_HEAD: Final = """\
# Problems

Every error is a problem (RFC 9457), `application/problem+json`:

```json
{"type": "/problems/card_must_match", "title": "Card must match", "status": 409,
 "code": "card_must_match", "detail": "The card matches neither color nor symbol.",
 "rule": "TURN-1", "source": ["S0", "S1", "S2", "S3", "S4"], "playable": ["R7", "W"]}
```

`code` is what programs look at: codes are never renamed and never reused. `title` is the same for
every problem of a code, `detail` says what happened this time. `errors` points at invalid fields,
each with `pointer` (`#/seat` in a body, `?limit` in a query) and `detail`. Refusals by the rules
name the `rule` (`GET /v1/rules/{id}`) and its `source`, and tell the seat itself which of its cards
are `playable`; `not_before` says from when on the same will be taken. `type` can be fetched: it
answers what the code means.

`title` and every `detail` are in French for whoever asks for it (`Accept-Language: fr`, also
`fr-CA,en;q=0.5`), in English for everybody else; `Content-Language` says which. The rest is the
same in both.

This page is made by `talon openapi`.

## The request

| status | code | meaning |
|---|---|---|
"""
_RULES: Final = """
## The rules

| status | code | rule | sources | detail |
|---|---|---|---|---|
"""


def text() -> str:
    """The page."""
    return _HEAD + "".join(map(_code, Code)) + _RULES + "".join(map(_refusal, Refusal))


def _code(code: Code) -> str:
    return f"| {code.status} | `{code}` | {code.heading} |\n"


def _refusal(refusal: Refusal) -> str:
    sources = " ".join(sources_of(refusal))
    status = problems.status_of(refusal)
    return f"| {status} | `{refusal}` | {refusal.rule or ''} | {sources} | {refusal.detail} |\n"
