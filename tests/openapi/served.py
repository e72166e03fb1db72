"""A service for generated requests: somebody with a token, their match that runs, their cup."""

from __future__ import annotations

import os
from typing import Any

import httpx
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    ignored_auth,
    unsupported_method,
]
MORE = int(os.environ.get("TALON_TEST_OPENAPI", "1"))
"""How many times as many requests as usual: for a long look, on demand."""


class Served:
    """Where the service answers, the headers of somebody, and their match."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.headers: dict[str, str] = {}
        self.match_id = ""
        self.tournament_id = ""

    def begin(self) -> None:
        """A new person and a new match: the last ones may have been erased and left."""
        with httpx.Client(base_url=self.url, timeout=60) as http:
            made = http.post("/v1/players", json={"name": "Ann"}).json()
            self.headers = {"Authorization": f"Bearer {made['token']}"}
            body = {"seats": 2, "bots": ["random"]}
            match = http.post("/v1/matches", json=body, headers=self.headers).json()
            self.match_id = match["match_id"]
            http.post(f"/v1/matches/{self.match_id}/start", headers=self.headers)
            cup = {"format": "knockout", "bots": ["random"]}
            tournament = http.post("/v1/tournaments", json=cup, headers=self.headers).json()
            self.tournament_id = tournament["tournament"]["tournament_id"]
