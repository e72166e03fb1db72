"""What the routes ask of play, and what they get: the seam between HTTP and the matches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.commands import Actor, AnyCommand, CreateMatch, PlaceMatch
from domain.events import Seat
from domain.match import Match
from domain.ports import Head
from domain.views import Mine, TableView


class Item(Struct, frozen=True, gc=False):
    """One event of a history as one viewer may see it; ``event`` is the same for everybody."""

    version: int
    position: int
    type: str
    schema: int
    occurred_at: str
    actor: str
    event: msgspec.Raw
    hash: str
    command_id: str | None = None
    seat: Seat | None = None
    mine: Mine | UnsetType = UNSET
    data: str | UnsetType = UNSET
    """The exact stored bytes, on ``?format=stored``."""


class Signature(Struct, frozen=True, gc=False):
    """A signature (hex) under a key of ``GET /v1/log/keys``; what is signed: record-format.md."""

    key_id: str
    signature: str


class Receipt(Struct, frozen=True, gc=False):
    """What a client keeps to prove that its command was accepted. Hashes in hex."""

    match_id: str
    from_version: int
    version: int
    position: int
    hash: str
    previous_hash: str
    signature: Signature | UnsetType = UNSET
    """On ``?signed=true``."""


class Done(Struct, frozen=True, gc=False):
    """The answer to a command: the same for its retries, as of the version it made."""

    version: int
    events: tuple[Item, ...]
    view: TableView
    receipt: Receipt
    replayed: bool = False


class Folded(Struct, frozen=True, gc=False):
    """A match at the version this process knows, and the ids of its commands.

    ``commands`` maps a command id to (fingerprint, first version, last version);
    ``occurred_at`` is the time of the last event, in microseconds since the epoch, ``position``
    its position in the log.
    """

    match: Match
    head: Head
    commands: dict[bytes, tuple[bytes | None, int, int]]
    occurred_at: int = 0
    position: int = 0


class Ask(Struct, frozen=True, gc=False):
    """A command with all that decides how it is taken.

    ``command_id`` derives from the idempotency key, or is random; ``fingerprint`` is the HMAC of
    the canonical body. ``if_match`` is the version the client has seen.
    ``player`` is the digest of the person who asks: their seat is resolved on the folded match,
    each time anew, never from the request; ``actor.seat`` is then ignored.
    """

    actor: Actor
    command: AnyCommand
    command_id: bytes
    fingerprint: bytes | None = None
    player: str | None = None
    if_match: int | None = None


class NoMatch(Exception):  # noqa: N818
    """There is no such match."""


class StaleVersion(Exception):  # noqa: N818
    """``If-Match`` names a version that is not the match's; ``version`` is the current one."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class KeyReused(Exception):  # noqa: N818
    """The idempotency key was used before with another body."""


class Busy(Exception):  # noqa: N818
    """The store is away or overloaded; try again after ``retry_after`` seconds."""

    def __init__(self, retry_after: int = 1) -> None:
        super().__init__(retry_after)
        self.retry_after = retry_after


class Play(Protocol):
    """The matches, as the routes use them. Refusals are raised as ``RuleViolation``."""

    async def create(self, match_id: bytes, command: CreateMatch, ask_id: bytes) -> Done:
        """Create a match under an id reserved before; a repetition gives the first answer."""

    async def place(self, match_id: bytes, command: PlaceMatch, ask_id: bytes) -> Done:
        """The same for a match that begins in a position; the answer is a spectator's."""

    async def execute(self, match_id: bytes, ask: Ask) -> Done:
        """Carry out a command once; raises NoMatch, StaleVersion, KeyReused, Busy."""

    async def dry_run(self, match_id: bytes, ask: Ask) -> int:
        """The current version if the command would be accepted; raises as ``execute``."""

    async def folded(self, match_id: bytes, min_version: int = 0) -> Folded:
        """The match as it stands in the log, at least at ``min_version``."""

    async def view(
        self,
        match_id: bytes,
        seat: Seat | None,
        min_version: int = 0,
        *,
        player: str | None = None,
    ) -> TableView:
        """A seat's view, or a spectator's, from the cache, the view store or the log.

        Raises StaleVersion if the match has not come to ``min_version`` yet. With ``player`` (a
        digest) the seat is theirs, looked up in the very state that is shown: seats close up
        before the start, so a seat looked up earlier may be another's by then.
        """

    async def state_at(self, match_id: bytes, version: int) -> Match:
        """The match as of a past version; raises NoMatch where there is no such version."""

    async def view_at(
        self, match_id: bytes, seat: Seat | None, version: int, *, player: str | None = None
    ) -> TableView:
        """The view as of a past version; raises NoMatch where there is no such version."""

    async def history(
        self,
        match_id: bytes,
        seat: Seat | None,
        after: int,
        limit: int,
        stored: bool = False,
        *,
        player: str | None = None,
    ) -> tuple[Item, ...]:
        """Events after a version as this viewer may see them; ``player`` as for ``view``."""

    def stream(
        self, match_id: bytes, seat: Seat | None, after: int, *, player: str | None = None
    ) -> AsyncIterator[Item | None]:
        """Events after a version, live and without gap or double; None is a heartbeat.

        Ends when the match is over and all was sent, or the service stops; ``player`` as for
        ``view``.
        """

    async def version_seen(self, match_id: bytes, delay: int) -> int:
        """The newest version that is ``delay`` seconds old; what is before the start counts as
        old. Raises NoMatch."""

    def stream_later(self, match_id: bytes, after: int, delay: int) -> AsyncIterator[Item | None]:
        """As ``stream`` for a spectator, with each event ``delay`` seconds after it happened."""
