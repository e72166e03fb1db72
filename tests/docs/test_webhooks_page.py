"""The page on webhooks: its check of signatures is run, and its lists are the service's."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from domain.limits import (
    WEBHOOK_AT_ONCE,
    WEBHOOK_DAYS_FAILING,
    WEBHOOK_DAYS_KEPT,
    WEBHOOK_LOG,
    WEBHOOK_OLD_SECRET_HOURS,
    WEBHOOK_SECONDS,
    WEBHOOK_WAITING,
    WEBHOOKS_PER_APP,
)
from domain.webhooks import (
    PING,
    Claim,
    Delivery,
    DisabledBy,
    Failure,
    NoticeType,
    Told,
    Webhook,
    secret_text,
)
from infra.webhooks.letter import body_of, headers_of
from infra.webhooks.schedule import DELAYS

PAGE = (Path(__file__).parents[2] / "docs/api/webhooks.md").read_text()
SECRET = b"s" * 32


def test_the_check_on_the_page_takes_what_is_ours_and_nothing_else() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    named: dict[str, Any] = {}
    exec(code, named)
    is_ours = named["is_ours"]
    headers, body = letter(time.time())
    old, _ = letter(time.time() - 3_600)

    assert is_ours(secret_text(SECRET), headers, body)
    assert not is_ours(secret_text(b"t" * 32), headers, body)
    assert not is_ours(secret_text(SECRET), headers, body + b" ")
    assert not is_ours(secret_text(SECRET), headers | {"webhook-id": "other"}, body)
    assert not is_ours(secret_text(SECRET), old, body)


def letter(at: float) -> tuple[dict[str, str], bytes]:
    """A ping as it is sent at a time, under a secret that has just changed."""
    later = int(at * 1e6) + 1
    webhook = Webhook(
        *(b"w" * 16, b"a" * 16, "https://x.example/", (), b"n" * 32, 0, 0),
        old_secret=SECRET,
        old_until=later,
    )
    ping = Delivery(b"d" * 16, webhook.id, PING, None, Told(0), 0, 0)
    body = body_of(ping, {})
    headers = headers_of(Claim(ping, webhook), body, later - 1)
    return {name.decode(): value.decode() for name, value in headers}, body


def test_every_type_and_every_failure_is_on_the_page() -> None:
    for type in (*NoticeType, PING):
        assert f"| `{type}` |" in PAGE
    for name in (*Failure, *DisabledBy):
        assert f"`{name}`" in PAGE


def test_the_figures_on_the_page_are_the_limits() -> None:
    text = " ".join(PAGE.split())
    hours = [seconds // 3_600 for seconds in DELAYS[3:]]
    assert DELAYS[:3] == (5, 300, 1_800)
    for said in (
        f"within {WEBHOOK_SECONDS} seconds",
        f"2, {', '.join(map(str, hours[1:-1]))} and {hours[-1]} h",
        f"At most {WEBHOOK_AT_ONCE} requests",
        f"After {WEBHOOK_DAYS_FAILING} days",
        f"the last {WEBHOOK_DAYS_KEPT} days",
        f"{WEBHOOK_LOG:,} deliveries that are over",
        f"more than {WEBHOOK_WAITING:,} deliveries wait",
        f"at most {WEBHOOKS_PER_APP} webhooks",
        f"For {WEBHOOK_OLD_SECRET_HOURS} hours",
    ):
        assert said in text, said
