"""Which process keeps the projections: one at a time, with an epoch that outranks the last one's.

Not here: what happens if two believe it; the stores refuse the lower epoch.
"""

from __future__ import annotations

from typing import Protocol


class Leader(Protocol):
    """A candidate for the lead."""

    async def epoch(self) -> int | None:
        """This process's epoch while it leads; tries to take the lead if it is free.

        Higher than any epoch before; None if another process leads. Raises Unavailable.
        """

    async def resign(self) -> None:
        """Give up the lead, so that another process can take it."""


class MemoryLead:
    """The lead among the candidates of one process."""

    def __init__(self) -> None:
        self.holder: MemoryLeader | None = None
        self.epochs = 0


class MemoryLeader:
    """A candidate for a MemoryLead."""

    def __init__(self, lead: MemoryLead | None = None) -> None:
        self._lead = lead or MemoryLead()
        self._epoch = 0

    async def epoch(self) -> int | None:
        """This candidate's epoch while it leads."""
        lead = self._lead
        if lead.holder is None:
            lead.holder = self
            lead.epochs += 1
            self._epoch = lead.epochs
        return self._epoch if lead.holder is self else None

    async def resign(self) -> None:
        """Give up the lead."""
        if self._lead.holder is self:
            self._lead.holder = None
