"""Somebody at a service: the operations that every client needs, with retries and live streams."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self
from uuid import UUID

import httpx

from talon_client.core.api.matches import create_match, join_match, start_match
from talon_client.core.api.players import create_player
from talon_client.core.client import AuthenticatedClient, Client
from talon_client.core.models import (
    CommandDone,
    Item,
    Join,
    MatchMade,
    NewMatch,
    NewPlayer,
    TableView,
)
from talon_client.refusals import StreamEnded, checked, ok
from talon_client.retries import LIVE, Retrying

LINES = "application/x-ndjson"
WAIT_SECONDS = 20
"""How long an answer is waited for that comes when something happens."""
SILENCE_SECONDS = 60.0
"""A stream that is silent for longer is lost: the service breaks silence sooner."""
OVER = frozenset(("finished", "abandoned", "voided"))
FINAL = frozenset(("token_invalid", "not_yours"))


class Talon:
    """A service as somebody sees it; without a token, as a spectator does.

    ``core`` is what the generated operations take as ``client``. With an app's key, ``player`` is
    the player of the app that acts; an ``invite`` opens a private match to a spectator. Who keeps
    ``token`` is the same player next time.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        player: UUID | str | None = None,
        invite: str | None = None,
        patience: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = url
        self.token = token
        self.player_id = None if player is None else UUID(str(player))
        headers = {"Talon-Player": None if player is None else str(player), "Talon-Invite": invite}
        inner = transport or httpx.HTTPTransport()
        settings: dict[str, Any] = {
            "base_url": url,
            "headers": {name: value for name, value in headers.items() if value is not None},
            "timeout": httpx.Timeout(2 * WAIT_SECONDS),
            "httpx_args": {"transport": Retrying(inner, patience)},
        }
        self.core = AuthenticatedClient(token=token or "", **settings)
        if token is None:
            self.core.set_httpx_client(Client(**settings).get_httpx_client())

    @classmethod
    def register(cls, url: str, name: str, **more: Any) -> Self:
        """A new player, where the service lets anybody be one."""
        with cls(url, **more) as stranger:
            made = ok(create_player.sync(client=stranger.core, body=NewPlayer(name=name)))
        somebody = cls(url, made.token, **more)
        somebody.player_id = made.player_id
        return somebody

    def create_match(self, wish: NewMatch) -> MatchMade:
        """Set a match up; raises Refused, as all of these do."""
        return ok(create_match.sync(client=self.core, body=wish))

    def join(self, match: UUID, invite: str | None = None) -> int:
        """Sit down; which seat it is."""
        body = Join(invite=invite)
        return ok(join_match.sync(match, client=self.core, body=body)).seat

    def start(self, match: UUID) -> None:
        """Start a match that one hosts."""
        ok(start_match.sync(match, client=self.core))

    def act(self, match: UUID, command: Any, key: str | None = None) -> CommandDone:
        """Send a command of ``core.models``, or one of a view's ``legal``.

        With a ``key`` of one's own it can be sent again even by another process.
        """
        headers = {} if key is None else {"Idempotency-Key": key}
        path = f"/v1/matches/{match}/commands"
        answer = self._http.post(path, json=command.to_dict(), headers=headers)
        return CommandDone.from_dict(checked(answer).json())

    def views(self, match: UUID) -> Iterator[TableView]:
        """The match as one sees it, now and whenever something has happened, until it is over."""
        tag = ""
        while True:
            headers = {"If-None-Match": tag} if tag else {}
            path = f"/v1/matches/{match}/view"
            answer = self._http.get(path, params={"wait": WAIT_SECONDS}, headers=headers)
            if checked(answer).status_code == 304:
                continue
            view, tag = TableView.from_dict(answer.json()), answer.headers["ETag"]
            yield view
            if view.status.value in OVER:
                return

    def items(self, match: UUID, after: int = 0) -> Iterator[Item]:
        """The history live: each item once and in order, until the match is over.

        A connection that is lost is made again, for as long as it takes.
        """
        pause = 0.1
        while True:
            try:
                for plain in self._lines(match, after):
                    if plain.get("type") != "end" or "reason" not in plain:
                        item = Item.from_dict(plain)
                        after, pause = item.version, 0.1
                        yield item
                    elif plain["reason"] in FINAL:
                        raise StreamEnded(plain["reason"], plain.get("detail", ""))
                    elif plain["reason"] == "match_over":
                        return
            except _Over:
                return
            except httpx.TransportError:
                pass
            time.sleep(pause * random.uniform(1, 1.25))
            pause = min(2 * pause, 10)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _lines(self, match: UUID, after: int) -> Iterator[dict[str, Any]]:
        timeout = httpx.Timeout(10, read=SILENCE_SECONDS)
        with self._http.stream(
            "GET",
            f"/v1/matches/{match}/events/stream",
            params={"after": after},
            headers={"Accept": LINES},
            timeout=timeout,
            extensions=LIVE,
        ) as response:
            if checked(response).status_code == 204:
                raise _Over
            for line in response.iter_lines():
                if line:
                    yield json.loads(line)

    @property
    def _http(self) -> httpx.Client:
        return self.core.get_httpx_client()


class _Over(Exception):
    """The match is over, and all of it is known."""
