"""The log and the registry in dicts: for tests, for play without servers, for simulation.

They satisfy the same contract tests as those on Postgres; nothing in them survives the process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from domain.persons import KeptRequest
from domain.ports import (
    DuplicateCommand,
    Head,
    MatchFacts,
    Player,
    Principal,
    Proposal,
    Recorded,
    SeatHolder,
    Stream,
    TokenFacts,
    WrongVersion,
)
from infra.clock import Clock, now_us
from infra.encoding import recorded, rows_of


class _StreamState(Struct):
    """What MemoryLog keeps of one stream."""

    events: list[Recorded]
    commands: set[bytes]
    secrets: dict[int, bytes]
    recorded_at: int = 0
    is_open: bool = True
    due_at: int | None = None


class MemoryLog:
    """EventLog in memory. ``now`` says when events were recorded, in microseconds."""

    def __init__(self, now: Clock = now_us) -> None:
        self._now = now
        self._log: list[Recorded] = []
        self._streams: dict[bytes, _StreamState] = {}

    async def append(self, proposal: Proposal) -> tuple[Recorded, ...]:
        """Append all events, or none: see EventLog."""
        state = self._streams.get(proposal.stream) or _StreamState([], set(), {})
        if proposal.cause.command_id in state.commands:
            raise DuplicateCommand
        if not _stands_at(state, proposal):
            raise WrongVersion
        added = recorded(proposal, rows_of(proposal), len(self._log) + 1)
        self._streams[proposal.stream] = state
        self._log += added
        state.events += added
        state.commands.add(proposal.cause.command_id)
        state.secrets.update(proposal.secrets)
        for number in proposal.revealed:
            state.secrets.pop(number, None)
        state.is_open, state.due_at = proposal.is_open, proposal.due_at
        state.recorded_at = self._now()
        return added

    async def read(self, stream: bytes, after: int = 0) -> Stream:
        """The events of a stream after a version, and its sealed seeds."""
        state = self._streams.get(stream)
        if state is None:
            return Stream((), {})
        return Stream(tuple(state.events[after:]), dict(state.secrets))

    async def heads(self, streams: Sequence[bytes]) -> Mapping[bytes, int]:
        """The versions of those streams that exist."""
        return {
            stream: len(self._streams[stream].events)
            for stream in streams
            if stream in self._streams
        }

    async def follow(self, after: int, limit: int) -> tuple[Recorded, ...]:
        """Events of all streams after a position, in order."""
        return tuple(self._log[after : after + limit])

    async def position(self) -> int:
        """The last position."""
        return len(self._log)

    async def due(self, before: int, limit: int) -> tuple[bytes, ...]:
        """Open streams that are due, the longest waiting first."""
        waiting = sorted(
            (state.due_at, stream)
            for stream, state in self._streams.items()
            if state.is_open and state.due_at is not None and state.due_at <= before
        )
        return tuple(stream for _, stream in waiting[:limit])

    async def over(self, streams: Sequence[bytes]) -> frozenset[bytes]:
        """Those of these streams in which nothing more happens."""
        known = self._streams
        return frozenset(one for one in streams if one in known and not known[one].is_open)

    async def idle(self, before: int, limit: int) -> tuple[bytes, ...]:
        """Open streams whose last event was recorded before a time."""
        quiet = [
            stream
            for stream, state in self._streams.items()
            if state.is_open and state.recorded_at < before
        ]
        return tuple(quiet[:limit])


def _stands_at(state: _StreamState, proposal: Proposal) -> bool:
    """Whether a stream is where the proposal saw it, by version and by hash."""
    if not state.events:
        return proposal.head.version == 0
    last = state.events[-1]
    return proposal.head == Head(last.version, last.hash)


class MemoryRegistry:
    """Registry in memory. ``now``, in microseconds, decides when a reserved plan has run out."""

    def __init__(self, now: Clock = now_us) -> None:
        self._now = now
        self._plans: dict[tuple[str, str, str], tuple[bytes, bytes, int]] = {}
        self._players: dict[bytes, Player] = {}
        self._tokens: dict[bytes, tuple[Principal, TokenFacts]] = {}
        self._apps: dict[bytes, str] = {}
        self._facts: dict[bytes, MatchFacts] = {}
        self._rematches: dict[bytes, bytes] = {}
        self._holders: dict[tuple[bytes, bytes], SeatHolder] = {}

    async def reserve(
        self, principal: str, route: str, key: str, fingerprint: bytes, plan: bytes, until: int
    ) -> tuple[bytes, bytes, bool]:
        """Keep a plan under its idempotency key, or give back the one that came first."""
        kept = self._plans.get((principal, route, key))
        if kept is not None and kept[2] > self._now():
            return kept[0], kept[1], False
        self._plans[principal, route, key] = (fingerprint, plan, until)
        return fingerprint, plan, True

    def requests_of(self, principal: str) -> tuple[KeptRequest, ...]:
        """The plans of somebody, those kept longest first."""
        kept = ((plan[2], *at[1:]) for at, plan in self._plans.items() if at[0] == principal)
        inorder = sorted(kept, key=lambda one: (-one[0], *one[1:]))
        return tuple(KeptRequest(route, key, until) for until, route, key in inorder)

    async def add_player(self, player: Player, token_hash: bytes | None) -> None:
        """Store a person and a first token; a repetition changes nothing."""
        if player.id in self._players:
            return
        self._players[player.id] = player
        if token_hash is not None:
            facts = TokenFacts(token_hash, player.created_at, None)
            self._tokens.setdefault(token_hash, (Principal("player", player.id), facts))

    async def add_token(
        self, token_hash: bytes, principal: Principal, now: int, until: int | None
    ) -> None:
        """Store a token's hash, unless its player has been erased."""
        if principal.kind == "player" and self._is_erased(principal.id):
            return
        self._tokens.setdefault(token_hash, (principal, TokenFacts(token_hash, now, until)))

    async def principal(self, token_hash: bytes, now: int) -> Principal | None:
        """Whom a token stands for, while it is valid."""
        known = self._tokens.get(token_hash)
        return known[0] if known is not None and _is_valid(known[1], now) else None

    async def token(self, token_hash: bytes, now: int) -> TokenFacts | None:
        """What is known of a token, while it is valid."""
        known = self._tokens.get(token_hash)
        return known[1] if known is not None and _is_valid(known[1], now) else None

    async def tokens_of(self, principal: Principal, now: int, limit: int) -> tuple[TokenFacts, ...]:
        """The tokens that stand for somebody and are valid now, newest first."""
        held = [facts for who, facts in self._tokens.values() if who == principal]
        valid = [facts for facts in held if _is_valid(facts, now)]
        return tuple(sorted(valid, key=lambda one: (-one.created_at, one.hash))[:limit])

    async def revoke_token(self, token_hash: bytes, principal: Principal, now: int) -> None:
        """End a token of this owner; it stays known, so that no retry brings it back."""
        known = self._tokens.get(token_hash)
        if known is not None and known[0] == principal and _is_valid(known[1], now):
            ended = msgspec.structs.replace(known[1], until=now)
            self._tokens[token_hash] = (principal, ended)

    async def add_app(self, app: bytes, name: str) -> None:
        """Store an application; a repetition changes nothing."""
        self._apps.setdefault(app, name)

    async def is_app(self, app: bytes) -> bool:
        """Whether there is an application with this id."""
        return app in self._apps

    async def players(self, ids: Sequence[bytes]) -> Mapping[bytes, Player]:
        """The persons with these ids."""
        return {id: self._players[id] for id in ids if id in self._players}

    async def rename_player(self, player: bytes, name: str) -> None:
        """Change a person's name, unless they have been erased."""
        if player in self._players and not self._is_erased(player):
            self._players[player] = msgspec.structs.replace(self._players[player], name=name)

    async def begin_erasure(self, player: bytes) -> None:
        """Forget a person's name: from now on no seat and no token is stored for them."""
        if player in self._players:
            self._players[player] = msgspec.structs.replace(self._players[player], name=None)

    async def erase_player(self, player: bytes) -> None:
        """Forget a person: name, tokens, plans, and which digests are theirs."""
        await self.begin_erasure(player)
        mine = Principal("player", player)
        self._tokens = {key: held for key, held in self._tokens.items() if held[0] != mine}
        self._holders = {key: seat for key, seat in self._holders.items() if key[1] != player}
        who = f"player:{player.hex()}"
        self._plans = {key: plan for key, plan in self._plans.items() if key[0] != who}
        for match, facts in self._facts.items():
            if facts.created_by == player:
                self._facts[match] = msgspec.structs.replace(facts, created_by=None)

    async def add_match(self, facts: MatchFacts) -> None:
        """Store what is kept of a match outside the log; a repetition changes nothing."""
        if facts.created_by is not None and self._is_erased(facts.created_by):
            facts = msgspec.structs.replace(facts, created_by=None)
        self._facts.setdefault(facts.match, facts)

    def created_by(self, player: bytes) -> list[MatchFacts]:
        """The facts of what a person has set up."""
        return [facts for facts in self._facts.values() if facts.created_by == player]

    async def match_facts(self, match: bytes) -> MatchFacts | None:
        """What is kept of a match outside the log."""
        return self._facts.get(match)

    async def rematch(self, match: bytes, proposed: bytes) -> bytes:
        """The rematch of a match: the one that was proposed first."""
        return self._rematches.setdefault(match, proposed)

    async def hold_seat(self, holder: SeatHolder) -> SeatHolder | None:
        """Store a mapping; returns the one that was first, None for who is erased."""
        if self._is_erased(holder.player):
            return None
        return self._holders.setdefault((holder.match, holder.player), holder)

    async def seat_holders(self, match: bytes) -> tuple[SeatHolder, ...]:
        """All mappings of a match that still exist."""
        return tuple(seat for key, seat in self._holders.items() if key[0] == match)

    async def seat_holders_of(
        self, matches: Sequence[bytes]
    ) -> Mapping[bytes, tuple[SeatHolder, ...]]:
        """All mappings of these matches that still exist."""
        found = {match: await self.seat_holders(match) for match in matches}
        return {match: holders for match, holders in found.items() if holders}

    async def matches_of(
        self, player: bytes, before: bytes | None, limit: int
    ) -> tuple[bytes, ...]:
        """The matches a person has held a seat in, newest first."""
        held = sorted((match for match, who in self._holders if who == player), reverse=True)
        return tuple(match for match in held if before is None or match < before)[:limit]

    def _is_erased(self, player: bytes) -> bool:
        known = self._players.get(player)
        return known is not None and known.name is None


def _is_valid(token: TokenFacts, now: int) -> bool:
    return token.until is None or now < token.until
