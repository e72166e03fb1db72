"""Stored events to the state they make, step by step, with the seeds that hidden cards need.

Not here: reading the log (``service.play.tables``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from domain.chain import genesis
from domain.events import Event, RoundCommitted, SeedRevealed
from domain.evolve import evolve
from domain.match import Match, at, new_match
from domain.ports import Head, Recorded, Stream
from service.play.contract import Folded


class Step(Struct, frozen=True, gc=False):
    """One recorded event and the states around it: what a viewer saw of it follows from these."""

    recorded: Recorded
    before: Match
    after: Match


def nothing_yet(match_id: bytes) -> Folded:
    """A match before its first event."""
    return Folded(new_match(match_id), Head(0, genesis(match_id)), {})


def committed_rounds(events: Sequence[Event]) -> tuple[int, ...]:
    """The rounds whose seed these events bind."""
    return tuple(event.round for event in events if type(event) is RoundCommitted)


def revealed_rounds(events: Sequence[Event]) -> tuple[int, ...]:
    """The rounds whose seed these events show."""
    return tuple(event.round for event in events if type(event) is SeedRevealed)


def knowing(match: Match, secrets: Mapping[int, bytes]) -> Match:
    """The match, knowing these seeds beside its own."""
    if not secrets:
        return match
    return msgspec.structs.replace(match, secrets={**match.secrets, **secrets})


def all_secrets(stream: Stream) -> Mapping[int, bytes]:
    """The seeds of a stream: those still sealed, and those its events have revealed since."""
    secrets = dict(stream.secrets)
    for recorded in stream.events:
        event = recorded.event
        if type(event) is SeedRevealed:
            secrets[event.round] = bytes.fromhex(event.seed)
    return secrets


def states_after(match: Match, events: Sequence[Event], now: int) -> tuple[Match, ...]:
    """The match after each of the events, all of which happen now."""
    states = []
    match = at(match, now)
    for event in events:
        match = evolve(match, event)
        states.append(match)
    return tuple(states)


def states_recorded(match: Match, recorded: Sequence[Recorded]) -> tuple[Match, ...]:
    """The match after each of the recorded events, which happened when the log says."""
    states = []
    for one in recorded:
        match = evolve(at(match, one.occurred_at), one.event)
        states.append(match)
    return tuple(states)


def steps_of(
    match: Match, recorded: Sequence[Recorded], states: Sequence[Match]
) -> tuple[Step, ...]:
    """Events as recorded, each between the states before and after it."""
    steps = []
    for one, after in zip(recorded, states, strict=True):
        steps.append(Step(one, match, after))
        match = after
    return tuple(steps)


def replayed(match: Match, stream: Stream) -> tuple[Step, ...]:
    """The steps that a part of a stream makes of the match before it."""
    match = knowing(match, all_secrets(stream))
    states = states_recorded(match, stream.events)
    return steps_of(match, stream.events, states)


def advanced(folded: Folded, steps: Sequence[Step]) -> Folded:
    """The match after the steps. Command ids are added in place: they only ever grow."""
    if not steps:
        return folded
    _add_commands(folded.commands, steps)
    last = steps[-1]
    return Folded(
        match=last.after,
        head=Head(last.recorded.version, last.recorded.hash),
        commands=folded.commands,
        occurred_at=last.recorded.occurred_at,
        position=last.recorded.position,
    )


def _add_commands(
    commands: dict[bytes, tuple[bytes | None, int, int]], steps: Sequence[Step]
) -> None:
    """Note each command's versions: from the event with its id to the one before the next's."""
    last = steps[-1].recorded.version
    for step in reversed(steps):
        recorded = step.recorded
        if recorded.command_id is not None:
            commands[recorded.command_id] = (recorded.fingerprint, recorded.version, last)
            last = recorded.version - 1
