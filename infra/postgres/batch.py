"""A batch of appends as the arrays that ``append.sql`` takes. Not here: when, and what follows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from domain.codec import SCHEMA
from domain.placement import kind_of
from domain.ports import Proposal, Recorded
from infra.encoding import Row, rows_of
from infra.sealing import Sealer, round_context


class Waiting:
    """A proposal that waits for its append: encoded, chained and sealed, with its future."""

    __slots__ = ("future", "proposal", "queued_at", "rows", "sealed", "size")

    def __init__(
        self,
        proposal: Proposal,
        sealer: Sealer,
        queued_at: float,
        future: asyncio.Future[tuple[Recorded, ...]],
    ) -> None:
        self.proposal = proposal
        self.queued_at = queued_at
        self.future = future
        self.rows: tuple[Row, ...] = rows_of(proposal)
        self.size = sum(len(row.data) for row in self.rows)
        self.sealed = [
            (number, kind_of(secret), sealer.seal(secret, round_context(proposal.stream, number)))
            for number, secret in proposal.secrets.items()
            if number not in proposal.revealed
        ]

    def fail(self, error: Exception) -> None:
        """Tell the caller why, unless it has gone away."""
        if not self.future.done():
            self.future.set_exception(error)


def arguments(log_id: int, batch: Sequence[Waiting]) -> tuple[Any, ...]:
    """The binds of ``append.sql``, in its order."""
    proposals = [waiting.proposal for waiting in batch]
    causes = [proposal.cause for proposal in proposals]
    counts = [len(waiting.rows) for waiting in batch]
    events = [(number, *row) for number, waiting in enumerate(batch, 1) for row in waiting.rows]
    sealed = [(number, *each) for number, waiting in enumerate(batch, 1) for each in waiting.sealed]
    revealed = [(number, each) for number, of in enumerate(proposals, 1) for each in of.revealed]
    return (
        log_id,
        SCHEMA,
        [proposal.stream for proposal in proposals],
        [proposal.head.version for proposal in proposals],
        [proposal.head.hash for proposal in proposals],
        list(accumulate(counts[:-1], initial=0)),
        counts,
        [waiting.rows[-1].hash for waiting in batch],
        [proposal.is_open for proposal in proposals],
        [proposal.due_at for proposal in proposals],
        [cause.occurred_at for cause in causes],
        [str(cause.actor) for cause in causes],
        [cause.command_id for cause in causes],
        [cause.fingerprint for cause in causes],
        *_columns(events, 4),
        *_columns(sealed, 4),
        *_columns(revealed, 2),
    )


def _columns(rows: Sequence[tuple[Any, ...]], count: int) -> tuple[tuple[Any, ...], ...]:
    """Rows turned into ``count`` columns."""
    return tuple(zip(*rows, strict=True)) if rows else ((),) * count
