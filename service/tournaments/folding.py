"""Stored events to the state of a tournament, and to answers. Not here: reading the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from domain.chain import genesis
from domain.event import Event
from domain.ports import Head, Recorded, Stream
from domain.tournaments.events import DrawRevealed
from domain.tournaments.evolve import LOT, evolve
from domain.tournaments.tournament import Tournament, new_tournament
from service.ids import text_of
from service.tournaments.contract import Followed, TournamentDone, TournamentReceipt, item


def nothing_yet(id: bytes) -> Followed:
    """A tournament before its first event."""
    return Followed(new_tournament(id), Head(0, genesis(id)), (), {})


def revealed(events: Sequence[Event]) -> tuple[int, ...]:
    """What these events show to everybody."""
    return tuple(LOT for event in events if type(event) is DrawRevealed)


def knowing(tournament: Tournament, secrets: Mapping[int, bytes]) -> Tournament:
    """The tournament, knowing these seeds beside its own."""
    if not secrets:
        return tournament
    return replace(tournament, secrets={**tournament.secrets, **secrets})


def advanced(followed: Followed, stream: Stream) -> Followed:
    """The tournament after what the log has beyond it."""
    tournament = knowing(followed.tournament, _all_secrets(stream))
    for one in stream.events:
        tournament = evolve(tournament, one.event)
    recorded = (*followed.recorded, *stream.events)
    last = recorded[-1]
    commands = dict(followed.commands)
    until = last.version
    for one in reversed(stream.events):
        if one.command_id is not None:
            commands[one.command_id] = (one.fingerprint, one.version, until)
            until = one.version - 1
    return Followed(tournament, Head(last.version, last.hash), recorded, commands)


def at_version(followed: Followed, version: int) -> Tournament:
    """The tournament as of a past version; what was secret then may be known by now."""
    tournament = knowing(new_tournament(followed.tournament.id), followed.tournament.secrets)
    for one in followed.recorded[:version]:
        tournament = evolve(tournament, one.event)
    return tournament


def done(followed: Followed, first: int, last: int, *, repeated: bool) -> TournamentDone:
    """The answer to the command that made versions ``first`` to ``last``."""
    own = followed.recorded[first - 1 : last]
    id = followed.tournament.id
    previous = followed.recorded[first - 2].hash if first > 1 else genesis(id)
    is_newest = last == followed.head.version
    return TournamentDone(
        version=last,
        events=tuple(item(one) for one in own),
        tournament=followed.tournament if is_newest else at_version(followed, last),
        receipt=_receipt(id, first - 1, own[-1], previous),
        replayed=repeated,
    )


def nothing_done(followed: Followed) -> TournamentDone:
    """The answer to a command that had nothing left to do."""
    last = followed.recorded[-1]
    receipt = _receipt(followed.tournament.id, last.version, last, last.hash)
    return TournamentDone(last.version, (), followed.tournament, receipt)


def _receipt(id: bytes, before: int, last: Recorded, previous: bytes) -> TournamentReceipt:
    return TournamentReceipt(
        tournament_id=text_of(id),
        from_version=before,
        version=last.version,
        position=last.position,
        hash=last.hash.hex(),
        previous_hash=previous.hex(),
    )


def _all_secrets(stream: Stream) -> Mapping[int, bytes]:
    """The seeds of a stream: those still sealed, and those its events have revealed since."""
    secrets = dict(stream.secrets)
    for one in stream.events:
        if isinstance(one.event, DrawRevealed):
            secrets[LOT] = bytes.fromhex(one.event.seed)
    return secrets
