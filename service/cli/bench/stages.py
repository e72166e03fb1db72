"""What each stage of a command costs, run alone over the commands of a recorded match.

Processor time of this process only. Together with the service's time by command it tells what is
left for HTTP; the stages are the service's own functions, called as it calls them.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec import Struct
from redis.exceptions import RedisError

from domain.commands import Actor, ActorKind, Context, PlayerCommand
from domain.deal import SEED_BYTES, shuffled
from domain.decide import decide
from domain.events import Seat
from domain.match import Match
from domain.ports import ViewStore
from domain.sight import pack, views_of
from infra.encoding import restored
from infra.redis.generations import Generations
from infra.redis.server import Server
from infra.redis.views import RedisViews
from service.cli.bench.workload import new_stream_id
from service.cli.demo.evidence import Record
from service.cli.demo.testimony import Testimony
from service.cli.demo.verify import check_seeds, decode, refold
from service.play.answers import done
from service.play.folding import Step, committed_rounds, knowing, states_after
from service.play.viewers import Viewer

FLUSH: Final = 32
"""Matches a flush of views: about what queues up during one at full load."""
PASSES: Final = 5

_commands: Final = msgspec.json.Decoder(PlayerCommand)
_encoder: Final = msgspec.json.Encoder()


class Played(Struct, frozen=True):
    """A command of the recorded match, with the state it met and what it led to."""

    before: Match
    seat: Seat
    body: bytes
    previous_hash: bytes
    steps: tuple[Step, ...]


def played(record: Record, told: Testimony) -> tuple[Played, ...]:
    """The commands that the match's players sent, in order."""
    _, events = decode(record)
    _, seeds = check_seeds(record.match_id, events)
    _, states = refold(record.match_id, events, seeds)
    commands = []
    for (seat, command), receipt in zip(told.sent, told.receipts, strict=True):
        steps = tuple(
            Step(_recorded(record, version), states[version - 1], states[version])
            for version in range(receipt.from_version + 1, receipt.version + 1)
        )
        commands.append(
            Played(
                before=states[receipt.from_version],
                seat=Seat(seat),
                body=msgspec.json.encode(command),
                previous_hash=bytes.fromhex(receipt.previous_hash),
                steps=steps,
            )
        )
    return tuple(commands)


def _recorded(record: Record, version: int):  # type: ignore[no-untyped-def]
    stored = record.events[version - 1]
    return restored(
        record.match_id,
        version,
        stored.position,
        stored.type,
        stored.schema,
        stored.occurred_at,
        stored.actor,
        stored.command_id,
        None,
        stored.data,
        stored.hash,
    )


def decide_us(commands: tuple[Played, ...]) -> float:
    """Decoding, deciding and evolving."""

    def stage(command: Played) -> None:
        context = Context(time.time_ns() // 1000, secrets.token_bytes(SEED_BYTES))
        intent = _commands.decode(command.body)
        actor = Actor(ActorKind.SEAT, command.seat)
        events = decide(command.before, actor, intent, context)
        seeds = dict.fromkeys(committed_rounds(events), context.seed)
        states_after(knowing(command.before, seeds), events, 0)

    return _microseconds(commands, stage)


def view_us(commands: tuple[Played, ...]) -> float:
    """The answer: its events, the seat's view, and their bytes; players' names not joined."""

    def stage(command: Played) -> None:
        viewer = Viewer(command.seat)
        _encoder.encode(done(command.previous_hash, command.steps, viewer, repeated=False))

    return _microseconds(commands, stage)


def _microseconds(commands: tuple[Played, ...], stage: Callable[[Played], None]) -> float:
    """Processor time by command; each pass shuffles anew, as a new match would."""
    spent = 0.0
    for _ in range(PASSES):
        shuffled.cache_clear()
        began = time.process_time()
        for command in commands:
            stage(command)
        spent += time.process_time() - began
    return spent * 1e6 / (PASSES * len(commands))


async def projection_us(commands: tuple[Played, ...], redis_url: str, prefix: str) -> float:
    """All views of each state packed, and sent in flushes of different matches."""
    server = Server(redis_url, prefix)
    views: ViewStore = RedisViews(server, Generations(server))
    states = [command.steps[-1].after for command in commands if command.steps]
    matches = [new_stream_id().bytes for _ in range(FLUSH)]
    try:
        await views.put(_packed(matches, states[:FLUSH]))
        began = time.process_time()
        for start in range(FLUSH, len(states), FLUSH):
            await views.put(_packed(matches, states[start : start + FLUSH]))
        spent = time.process_time() - began
    except RedisError as error:
        raise RuntimeError(f"the views could not be written: {error}") from error
    finally:
        await server.close()
    return spent * 1e6 / max(1, len(states) - FLUSH)


def _packed(matches: list[bytes], states: list[Match]) -> Mapping[bytes, tuple[int, bytes]]:
    return {
        match: (state.version, pack(views_of(state)))
        for match, state in zip(matches, states, strict=False)
    }
