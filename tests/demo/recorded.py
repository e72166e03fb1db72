"""A match played without a server, as its history and its players' testimony would have it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from domain import codec
from domain.chain import event_hash, genesis
from domain.commands import (
    SERVICE,
    Actor,
    ActorKind,
    Command,
    Context,
    CreateMatch,
    JoinMatch,
    PlayerCommand,
    StartMatch,
)
from domain.decide import decide
from domain.events import RoundCommitted, Seat, Visibility
from domain.evolve import evolve
from domain.legal import legal_commands
from domain.match import Match, new_match, with_secret
from domain.options import Options
from domain.sight import mine
from service.cli.demo import choices, wire
from service.cli.demo.evidence import Record, Stored
from service.cli.demo.testimony import Testimony

MATCH_ID = bytes(range(16))
START = 1_800_000_000_000_000
"""Microseconds since the epoch at which the match begins."""


class Player:
    """Plays a match to its end and writes down what a service would have shown."""

    def __init__(self, seats: int, target: int, seed: int) -> None:
        self.match = new_match(MATCH_ID)
        self.events: list[Stored] = []
        self.told = Testimony()
        self._dice = Random(seed)
        create = CreateMatch(Options(target=target), seats, Visibility.PUBLIC, player="digest 0")
        self._do(SERVICE, create)
        for seat in range(1, seats):
            self._do(Actor(ActorKind.SEAT, Seat(seat)), JoinMatch(f"digest {seat}"))
        for seat in range(seats):
            self._send(seat, {"type": "add_seed", "round": 1, "client_seed": "AAAA"})
        self._do(Actor(ActorKind.SEAT, Seat(0)), StartMatch())
        while self.match.status == "running":
            self._turn()
        self.told.saw(self._view(0))

    def _turn(self) -> None:
        view = self._view(self.match.round.turn if self.match.round else 0)
        assert view.you is not None
        command = choices.choose(view, self._dice)
        self._send(view.you.seat, command)
        if choices.is_silent_uno(command, view) and self.match.status == "running":
            catcher = (view.you.seat + 1) % self.match.seats_total
            catch = {"type": "catch_uno", "seat": view.you.seat}
            if catch in self._view(catcher).legal:
                self._send(catcher, catch)

    def _send(self, seat: int, command: dict[str, Any]) -> None:
        before = self.match.version
        states = [self.match]
        decoded = msgspec.convert(command, PlayerCommand)
        actor = Actor(ActorKind.SEAT, Seat(seat))
        states += self._do(actor, decoded)
        new = self.events[before:]
        receipt = wire.Receipt(
            match_id="",
            from_version=before,
            version=new[-1].version,
            position=new[-1].position,
            hash=new[-1].hash.hex(),
            previous_hash=self._hash_at(before).hex(),
        )
        items = []
        for number, stored in enumerate(new):
            seen = mine(states[number], self._event(stored), states[number + 1], Seat(seat))
            own = None if seen is None else msgspec.convert(msgspec.to_builtins(seen), wire.Mine)
            items.append(item_of(stored, own))
        answer = wire.Answer(new[-1].version, tuple(items), self._view(seat), receipt)
        self.told.was_answered(seat, command, answer)

    def _do(self, actor: Actor, command: Command) -> Iterator[Match]:
        """Carry a command out as the service would; the states after each of its events."""
        now = START + len(self.events) * 1_000_003
        seed = self._dice.randbytes(32)
        states = []
        for number, event in enumerate(decide(self.match, actor, command, Context(now, seed))):
            if isinstance(event, RoundCommitted):
                self.match = with_secret(self.match, event.round, seed)
            self.match = evolve(self.match, event)
            states.append(self.match)
            command_id = None if number else hashlib.sha256(b"%d" % now).digest()[:16]
            self._store(codec.type_of(event), codec.encode(event), now, str(actor), command_id)
        return iter(states)

    def _store(
        self, type: str, data: bytes, now: int, actor: str, command_id: bytes | None
    ) -> None:
        version = len(self.events) + 1
        hash = event_hash(
            stream_id=MATCH_ID,
            version=version,
            type=type,
            schema=codec.SCHEMA,
            occurred_at=now,
            actor=actor,
            command_id=command_id,
            previous=self._hash_at(version - 1),
            data=data,
        )
        self.events.append(
            Stored(version, 100 + version, type, codec.SCHEMA, now, actor, command_id, data, hash)
        )

    def _hash_at(self, version: int) -> bytes:
        return self.events[version - 1].hash if version else genesis(MATCH_ID)

    def _event(self, stored: Stored) -> Any:
        return codec.decode(stored.type, stored.schema, stored.data)

    def _view(self, seat: int) -> wire.View:
        match = self.match
        played = match.round
        legal = (msgspec.to_builtins(each) for each in legal_commands(match, Seat(seat)))
        return wire.View(
            match_id="",
            version=match.version,
            status=match.status,
            round=match.rounds,
            pending=wire.Pending(played.pending, played.turn) if played else wire.Pending("none"),
            scores=match.scores,
            result=msgspec.convert(msgspec.to_builtins(match.result), wire.Result | None),
            you=wire.You(seat, tuple(map(str, played.hands[seat])) if played else ()),
            legal=tuple(_as_sent(command) for command in legal),
        )


def _as_sent(command: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in command.items() if value not in (None, False)}


def item_of(stored: Stored, mine: wire.Mine | None = None) -> wire.Item:
    """A stored event as an item of a history."""
    return wire.Item(
        version=stored.version,
        position=stored.position,
        type=stored.type,
        schema=stored.schema,
        occurred_at="",
        actor=stored.actor,
        event=msgspec.Raw(stored.data),
        hash=stored.hash.hex(),
        mine=mine,
    )


def recorded(seats: int = 3, target: int = 100, seed: int = 7) -> tuple[Record, Testimony]:
    """A match that ended by the rules, and what its players were told."""
    player = Player(seats, target, seed)
    return Record(MATCH_ID, tuple(player.events)), player.told


def rechained(record: Record) -> Record:
    """The record with every hash recomputed, as a forger with the whole log would have it."""
    previous, events = genesis(record.match_id), []
    for version, stored in enumerate(record.events, 1):
        previous = event_hash(
            stream_id=record.match_id,
            version=version,
            type=stored.type,
            schema=stored.schema,
            occurred_at=stored.occurred_at,
            actor=stored.actor,
            command_id=stored.command_id,
            previous=previous,
            data=stored.data,
        )
        events.append(msgspec.structs.replace(stored, version=version, hash=previous))
    return Record(record.match_id, tuple(events))
