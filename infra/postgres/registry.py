"""Persons, tokens and who sits where, on Postgres: everything that can be erased.

Each call is one autocommit statement that a repetition does not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.ports import MatchFacts, Player, Principal, SeatHolder, TokenFacts
from infra.clock import Clock, now_us
from infra.postgres.pool import Pool, fetch
from infra.sealing import Sealer


class PostgresRegistry:
    """Registry on Postgres. ``now``, in microseconds, says when a reserved plan has run out."""

    def __init__(self, pool: Pool, sealer: Sealer, now: Clock = now_us) -> None:
        self._pool = pool
        self._sealer = sealer
        self._now = now

    async def reserve(
        self, principal: str, route: str, key: str, fingerprint: bytes, plan: bytes, until: int
    ) -> tuple[bytes, bytes, bool]:
        """Keep a plan under its idempotency key, or give back the one that came first."""
        context = "\n".join((principal, route, key)).encode()
        sealed = self._sealer.seal(plan, context)
        (row,) = await fetch(
            self._pool, "reserve", principal, route, key, fingerprint, sealed, until, self._now()
        )
        if row["sealed_plan"] == sealed:
            return fingerprint, plan, True
        return row["fingerprint"], self._sealer.open(row["sealed_plan"], context), False

    async def add_player(self, player: Player, token_hash: bytes | None) -> None:
        """Store a person and a first token; a repetition changes nothing."""
        await fetch(
            self._pool,
            "add_player",
            player.id,
            player.name,
            player.app,
            player.created_at,
            token_hash,
        )

    async def add_token(
        self, token_hash: bytes, principal: Principal, now: int, until: int | None
    ) -> None:
        """Store a token's hash, unless its player has been erased."""
        await fetch(self._pool, "add_token", token_hash, principal.kind, principal.id, now, until)

    async def principal(self, token_hash: bytes, now: int) -> Principal | None:
        """Whom a token stands for, while it is valid."""
        rows = await fetch(self._pool, "principal", token_hash, now)
        return Principal(*rows[0]) if rows else None

    async def token(self, token_hash: bytes, now: int) -> TokenFacts | None:
        """What is known of a token, while it is valid."""
        rows = await fetch(self._pool, "token", token_hash, now)
        return TokenFacts(*rows[0]) if rows else None

    async def tokens_of(self, principal: Principal, now: int, limit: int) -> tuple[TokenFacts, ...]:
        """The tokens that stand for somebody and are valid now, newest first."""
        rows = await fetch(self._pool, "tokens_of", principal.kind, principal.id, now, limit)
        return tuple(TokenFacts(*row) for row in rows)

    async def revoke_token(self, token_hash: bytes, principal: Principal, now: int) -> None:
        """End a token of this owner; it stays known, so that no retry brings it back."""
        await fetch(self._pool, "revoke_token", token_hash, principal.kind, principal.id, now)

    async def add_app(self, app: bytes, name: str) -> None:
        """Store an application; a repetition changes nothing."""
        await fetch(self._pool, "add_app", app, name)

    async def is_app(self, app: bytes) -> bool:
        """Whether there is an application with this id."""
        return bool(await fetch(self._pool, "is_app", app))

    async def players(self, ids: Sequence[bytes]) -> Mapping[bytes, Player]:
        """The persons with these ids."""
        rows = await fetch(self._pool, "players", ids)
        return {row["player_id"]: Player(*row) for row in rows}

    async def rename_player(self, player: bytes, name: str) -> None:
        """Change a person's name, unless they have been erased."""
        await fetch(self._pool, "rename_player", player, name)

    async def begin_erasure(self, player: bytes) -> None:
        """Forget a person's name: from now on no seat and no token is stored for them."""
        await fetch(self._pool, "begin_erasure", player)

    async def erase_player(self, player: bytes) -> None:
        """Forget a person: name, tokens, plans, and which digests are theirs."""
        await fetch(self._pool, "erase_player", player, f"player:{player.hex()}")

    async def add_match(self, facts: MatchFacts) -> None:
        """Store what is kept of a match outside the log; a repetition changes nothing."""
        await fetch(
            self._pool,
            "add_match",
            facts.match,
            facts.created_by,
            facts.app,
            facts.invite_hash,
            facts.tags,
            facts.spectator_delay,
            facts.rematch_of,
            facts.tournament,
        )

    async def match_facts(self, match: bytes) -> MatchFacts | None:
        """What is kept of a match outside the log."""
        rows = await fetch(self._pool, "match_facts", match)
        if not rows:
            return None
        row = rows[0]
        return MatchFacts(
            match=row["match_id"],
            created_by=row["created_by"],
            app=row["app_id"],
            invite_hash=row["invite_hash"],
            tags=tuple(row["tags"]),
            spectator_delay=row["spectator_delay"],
            rematch_of=row["rematch_of"],
            tournament=row["tournament_id"],
        )

    async def rematch(self, match: bytes, proposed: bytes) -> bytes:
        """The rematch of a match: the one that was proposed first."""
        (row,) = await fetch(self._pool, "rematch", match, proposed)
        first: bytes = row["rematch_id"]
        return first

    async def hold_seat(self, holder: SeatHolder) -> SeatHolder | None:
        """Store a mapping; returns the one that was first, None for who is erased."""
        rows = await fetch(
            self._pool, "hold_seat", holder.match, holder.player, holder.salt, holder.digest
        )
        return SeatHolder(*rows[0]) if rows else None

    async def seat_holders(self, match: bytes) -> tuple[SeatHolder, ...]:
        """All mappings of a match that still exist."""
        return tuple(SeatHolder(*row) for row in await fetch(self._pool, "seat_holders", match))

    async def seat_holders_of(
        self, matches: Sequence[bytes]
    ) -> Mapping[bytes, tuple[SeatHolder, ...]]:
        """All mappings of these matches that still exist."""
        found: dict[bytes, tuple[SeatHolder, ...]] = {}
        for row in await fetch(self._pool, "seat_holders_of", matches):
            holder = SeatHolder(*row)
            found[holder.match] = (*found.get(holder.match, ()), holder)
        return found

    async def matches_of(
        self, player: bytes, before: bytes | None, limit: int
    ) -> tuple[bytes, ...]:
        """The matches a person has held a seat in, newest first."""
        rows = await fetch(self._pool, "matches_of", player, before, limit)
        return tuple(row["match_id"] for row in rows)
