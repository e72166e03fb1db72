"""What the service needs from the world: protocols without bodies, and the values they carry.

``infra`` satisfies them structurally, once with servers and once in memory; the same contract
tests run over both. Ids are UUID bytes (16), times microseconds since the epoch (UTC).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from domain.commands import Actor
from domain.events import AnyEvent, Event, Visibility
from domain.match import Occupant, Status
from domain.options import Options


class Head(Struct, frozen=True, gc=False):
    """Where a stream stands: its version and the hash of its last event."""

    version: int
    hash: bytes


class Cause(Struct, frozen=True, gc=False):
    """Who asked for the events of one append, when, and under which idempotent id."""

    actor: Actor
    command_id: bytes
    fingerprint: bytes | None
    occurred_at: int


class Proposal(Struct, frozen=True, gc=False):
    """Events to append to one stream, if it still stands at ``head``.

    ``secrets`` are seeds, or placed positions, by round, sealed by the log; ``revealed`` rounds
    lose theirs. ``is_open`` is False once the match is over, and always for a tournament, which
    no sweep of matches sees to. ``due_at`` is when the service itself must act next (a bot's
    move, a clock), None if it waits for people.
    """

    stream: bytes
    head: Head
    events: tuple[Event, ...]
    cause: Cause
    secrets: Mapping[int, bytes] = {}
    revealed: tuple[int, ...] = ()
    is_open: bool = True
    due_at: int | None = None


class Recorded(Struct, frozen=True, gc=False):
    """An event as it stands in the log. ``data`` are the exact stored bytes."""

    stream: bytes
    version: int
    position: int
    type: str
    schema: int
    occurred_at: int
    actor: str
    command_id: bytes | None
    fingerprint: bytes | None
    data: bytes
    hash: bytes
    event: AnyEvent


class Stream(Struct, frozen=True, gc=False):
    """A stream read in one statement: events after a version, and the seeds still sealed."""

    events: tuple[Recorded, ...]
    secrets: Mapping[int, bytes]


class WrongVersion(Exception):  # noqa: N818
    """The stream has moved on: nothing was appended."""


class DuplicateCommand(Exception):  # noqa: N818
    """The command id is in the stream already: nothing was appended."""


class OutcomeUnknown(Exception):  # noqa: N818
    """The connection was lost: the append may or may not have happened; look it up."""


class Unavailable(Exception):  # noqa: N818
    """The store cannot be reached, or is too busy; nothing was done."""


class EventLog(Protocol):
    """The log of all streams: the only truth."""

    async def append(self, proposal: Proposal) -> tuple[Recorded, ...]:
        """Append all events durably, or none; returns them as stored.

        Raises WrongVersion, DuplicateCommand, OutcomeUnknown or Unavailable.
        """

    async def read(self, stream: bytes, after: int = 0) -> Stream:
        """The events of a stream after a version; empty if there are none."""

    async def heads(self, streams: Sequence[bytes]) -> Mapping[bytes, int]:
        """The versions of streams; one that does not exist is left out."""

    async def follow(self, after: int, limit: int) -> tuple[Recorded, ...]:
        """Events of all streams after a position, dense and in commit order.

        An event of an unknown type has UnknownEvent's place: it is left out of none; its
        ``event`` cannot be decoded and reading it raises.
        """

    async def position(self) -> int:
        """The last position of the log."""

    async def due(self, before: int, limit: int) -> tuple[bytes, ...]:
        """Open streams whose ``due_at`` is at or before a time, the longest waiting first."""

    async def over(self, streams: Sequence[bytes]) -> frozenset[bytes]:
        """Those of these streams in which nothing more happens (``is_open`` is False)."""

    async def idle(self, before: int, limit: int) -> tuple[bytes, ...]:
        """Open streams whose last event was recorded before a time."""


class ViewStore(Protocol):
    """All views of each match, packed, newest version only. Disposable: a cache of the log."""

    async def put(self, packed: Mapping[bytes, tuple[int, bytes]]) -> None:
        """Store each match's version and packed views unless a newer one is there; tell others."""

    async def get(self, match: bytes) -> tuple[int, bytes] | None:
        """A match's version and packed views."""


class Hints(Protocol):
    """News from other processes that matches have moved on: a wake-up, never the truth."""

    def listen(self) -> AsyncIterator[tuple[bytes, int]]:
        """Match ids and versions as they are announced; may miss some, and repeat some.

        An empty id says that news may have been missed: every match is worth a look.
        """


class MatchLine(Struct, frozen=True, gc=False, array_like=True):
    """A match as the lobby lists it; the position of its first event orders the lists.

    ``created_at`` is in microseconds since the epoch. A match is ``set_aside`` if its history
    has an event that the projection could not read; it is then in no list.
    """

    match: bytes
    position: int
    created_at: int
    status: Status = Status.OPEN
    visibility: Visibility = Visibility.PUBLIC
    practice: bool = False
    options: Options = Options()
    seats_total: int = 0
    seats: tuple[Occupant, ...] = ()
    set_aside: bool = False


class BoardState(Struct, frozen=True, gc=False):
    """How far the boards have come."""

    position: int


class BoardBatch(Struct, frozen=True, gc=False):
    """What the events after position ``start``, up to ``end``, change on the boards.

    ``epoch`` is that of the leader who computed it.
    """

    start: int
    end: int
    epoch: int
    lines: tuple[MatchLine, ...] = ()


class StaleLeader(Exception):  # noqa: N818
    """Another process leads by now: nothing was changed."""


class Boards(Protocol):
    """The lobby: matches by status, as they are read. All methods may raise Unavailable."""

    async def lobby(
        self, status: Status, limit: int, before: int | None = None
    ) -> tuple[MatchLine, ...]:
        """Public matches of a status, newest first, created before a position."""

    async def lines(self, matches: Sequence[bytes]) -> Mapping[bytes, MatchLine]:
        """The lines of these matches, private ones too; one that is not known is left out."""


class BoardStore(Boards, Protocol):
    """The boards, as the one consumer of the log that keeps them writes them."""

    async def state(self) -> BoardState | None:
        """How far they have come; None if they were lost and must be filled from the start."""

    async def apply(self, batch: BoardBatch) -> bool:
        """Apply a batch and move the position in one step; raises StaleLeader.

        False, and nothing was done, unless the position was exactly the batch's start.
        """

    async def set_aside(self) -> tuple[MatchLine, ...]:
        """The newest matches that are set aside."""


class Player(Struct, frozen=True, gc=False):
    """A person as the service knows them, outside the log. ``name`` is None once erased."""

    id: bytes
    name: str | None
    app: bytes | None
    created_at: int


class Principal(Struct, frozen=True, gc=False):
    """Whom a token stands for: kind ``player``, ``app``, ``auditor`` or ``operator``."""

    kind: str
    id: bytes


class TokenFacts(Struct, frozen=True, gc=False):
    """What is known of a token by its hash: times in microseconds, ``until`` None if it lasts."""

    hash: bytes
    created_at: int
    until: int | None


class MatchFacts(Struct, frozen=True, gc=False):
    """What is kept of a match outside the log: who made it, the invite's hash, tags.

    Spectators see what happens ``spectator_delay`` seconds later. The players of ``rematch_of``
    have their seats kept in this match; ``tournament`` is the one whose table this is.
    """

    match: bytes
    created_by: bytes | None
    app: bytes | None
    invite_hash: bytes | None
    tags: tuple[str, ...]
    spectator_delay: int = 0
    rematch_of: bytes | None = None
    tournament: bytes | None = None


class SeatHolder(Struct, frozen=True, gc=False):
    """Which person a digest in a match's log stands for, while the mapping exists."""

    match: bytes
    player: bytes
    salt: bytes
    digest: str


class Registry(Protocol):
    """Persons, tokens, and who sits where: everything that can be erased, outside the log."""

    async def reserve(
        self, principal: str, route: str, key: str, fingerprint: bytes, plan: bytes, until: int
    ) -> tuple[bytes, bytes, bool]:
        """Keep a POST's plan (sealed at rest) under its idempotency key, before it is carried out.

        ``principal`` is ``kind:hex id`` of who asks (erasing a player drops the plans of
        ``player:…``), or a text of the caller's for somebody without a token. Returns
        (fingerprint, plan, is_new) of whoever came first: a retry carries out the same plan
        again, which changes nothing.
        """

    async def add_player(self, player: Player, token_hash: bytes | None) -> None:
        """Store a person and perhaps a first token; a repetition changes nothing."""

    async def add_token(
        self, token_hash: bytes, principal: Principal, now: int, until: int | None
    ) -> None:
        """Store a token's hash; a repetition changes nothing."""

    async def principal(self, token_hash: bytes, now: int) -> Principal | None:
        """Whom a token stands for; None if unknown, revoked or run out."""

    async def token(self, token_hash: bytes, now: int) -> TokenFacts | None:
        """What is known of a token; None if unknown, revoked or run out."""

    async def tokens_of(self, principal: Principal, now: int, limit: int) -> tuple[TokenFacts, ...]:
        """The tokens that stand for somebody and are valid now, newest first."""

    async def revoke_token(self, token_hash: bytes, principal: Principal, now: int) -> None:
        """End a token of this owner; a repetition of ``add_token`` does not bring it back."""

    async def add_app(self, app: bytes, name: str) -> None:
        """Store an application; a repetition changes nothing."""

    async def is_app(self, app: bytes) -> bool:
        """Whether there is an application with this id."""

    async def players(self, ids: Sequence[bytes]) -> Mapping[bytes, Player]:
        """The persons with these ids."""

    async def rename_player(self, player: bytes, name: str) -> None:
        """Change a person's name."""

    async def begin_erasure(self, player: bytes) -> None:
        """Forget a person's name: from now on no seat and no token is stored for them."""

    async def erase_player(self, player: bytes) -> None:
        """Forget a person: name, tokens, and which digests are theirs.

        What is stored for them at the same moment may stay, unless ``begin_erasure`` came before.
        """

    async def add_match(self, facts: MatchFacts) -> None:
        """Store what is kept of a match outside the log; a repetition changes nothing.

        Who is erased is not noted as its creator.
        """

    async def match_facts(self, match: bytes) -> MatchFacts | None:
        """What is kept of a match outside the log."""

    async def rematch(self, match: bytes, proposed: bytes) -> bytes:
        """The rematch of a match: the one that was proposed first."""

    async def hold_seat(self, holder: SeatHolder) -> SeatHolder | None:
        """Store a mapping before its player joins; returns the one that was first.

        None, and nothing is stored, for a person who is erased.
        """

    async def seat_holders(self, match: bytes) -> tuple[SeatHolder, ...]:
        """All mappings of a match that still exist."""

    async def seat_holders_of(
        self, matches: Sequence[bytes]
    ) -> Mapping[bytes, tuple[SeatHolder, ...]]:
        """All mappings of these matches that still exist; a match without any is left out."""

    async def matches_of(
        self, player: bytes, before: bytes | None, limit: int
    ) -> tuple[bytes, ...]:
        """The matches a person has held a seat in, newest first, before a match id."""
