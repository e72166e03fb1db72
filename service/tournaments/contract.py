"""What the routes ask of tournaments, and what they get. The shared words are those of play."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.commands import Actor
from domain.ports import Head, Recorded
from domain.tournaments.commands import AnyTournamentCommand
from domain.tournaments.tournament import Tournament
from service.play.contract import Signature
from service.play.times import rfc3339


class NoTournament(Exception):  # noqa: N818
    """There is no such tournament."""


class TournamentItem(Struct, frozen=True, gc=False):
    """One event of a tournament's history: the same for everybody who may see it."""

    version: int
    position: int
    type: str
    schema: int
    occurred_at: str
    actor: str
    event: msgspec.Raw
    hash: str
    command_id: str | None = None
    data: str | UnsetType = UNSET
    """The exact stored bytes, on ``?format=stored``."""


def item(recorded: Recorded, stored: bool = False) -> TournamentItem:
    """An event as it is shown; ``stored`` adds the exact bytes as a string."""
    command_id = recorded.command_id
    return TournamentItem(
        version=recorded.version,
        position=recorded.position,
        type=recorded.type,
        schema=recorded.schema,
        occurred_at=rfc3339(recorded.occurred_at),
        actor=recorded.actor,
        event=msgspec.Raw(recorded.data),
        hash=recorded.hash.hex(),
        command_id=None if command_id is None else command_id.hex(),
        data=recorded.data.decode() if stored else UNSET,
    )


class TournamentReceipt(Struct, frozen=True, gc=False):
    """What a client keeps to prove that its command was accepted. Hashes in hex."""

    tournament_id: str
    from_version: int
    version: int
    position: int
    hash: str
    previous_hash: str
    signature: Signature | UnsetType = UNSET


class Followed(Struct, frozen=True, gc=False):
    """A tournament at the version this process knows: its events, and the ids of its commands.

    ``commands`` maps a command id to (fingerprint, first version, last version).
    """

    tournament: Tournament
    head: Head
    recorded: tuple[Recorded, ...] = ()
    commands: dict[bytes, tuple[bytes | None, int, int]] = {}

    @property
    def created_at(self) -> int:
        """When it was set up, in microseconds since the epoch."""
        return self.recorded[0].occurred_at

    @property
    def occurred_at(self) -> int:
        """When the last event happened, in microseconds since the epoch."""
        return self.recorded[-1].occurred_at if self.recorded else 0


class TournamentAsk(Struct, frozen=True, gc=False):
    """A command with all that decides how it is taken: as ``Ask`` of play.

    ``player`` is the digest of the person who asks for themselves.
    """

    actor: Actor
    command: AnyTournamentCommand
    command_id: bytes
    fingerprint: bytes | None = None
    player: str | None = None
    if_match: int | None = None


class TournamentDone(Struct, frozen=True, gc=False):
    """The answer to a command: the same for its retries, as of the version it made."""

    version: int
    events: tuple[TournamentItem, ...]
    tournament: Tournament
    receipt: TournamentReceipt
    replayed: bool = False
