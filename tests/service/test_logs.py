"""What is written when something fails: where, and no value of any variable."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import httpx
import pytest
import structlog

from service import logs
from service.app import build_in_memory
from service.direct import DirectProtocol
from tests.service.serving import serving


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What is logged, with logging configured as it is in the service."""
    handlers, level = logging.root.handlers, logging.root.level
    before = structlog.get_config()
    logs.configure("info")
    (handler,) = logging.root.handlers
    assert isinstance(handler, logging.StreamHandler)
    text = io.StringIO()
    handler.setStream(text)
    yield text
    structlog.configure(**before)
    logging.root.handlers = handlers
    logging.root.setLevel(level)


def test_a_failure_is_logged_without_the_values_of_variables(written: io.StringIO) -> None:
    seed = "the-sealed-seed"
    try:
        raise ZeroDivisionError
    except ZeroDivisionError as error:
        structlog.get_logger("talon.http").error("failed", request_id="r1", exc_info=error)

    line = json.loads(written.getvalue())
    assert (line["event"], line["request_id"]) == ("failed", "r1")
    assert line["exception"][0]["exc_type"] == "ZeroDivisionError"
    assert line["exception"][0]["frames"]
    assert seed not in written.getvalue()


def test_a_refused_handshake_is_no_error_in_the_log(written: io.StringIO) -> None:
    with serving(build_in_memory(), DirectProtocol) as url, httpx.Client(base_url=url) as client:
        answer = client.get(
            "/v1/matches/0190b6a0-0000-7000-8000-000000000000/socket",
            headers={
                "Connection": "Upgrade",
                "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            },
        )

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert not [line for line in written.getvalue().splitlines() if '"level": "error"' in line]
