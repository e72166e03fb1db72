"""A batch of events taken into lines, with poison kept to its own match."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from domain.ports import MatchLine, Recorded
from infra.projections.lines import HANDLED, line_after


class PoisonEvent(Exception):  # noqa: N818
    """An event that cannot be understood, where nothing may be left out."""


class Projected:
    """Lines before a batch, and what its events make of them."""

    def __init__(self, lines: Mapping[bytes, MatchLine], *, strict: bool) -> None:
        self._lines = dict(lines)
        self._strict = strict
        self.changed: dict[bytes, MatchLine] = {}
        self.poisoned = 0

    def add(self, recorded: Recorded) -> None:
        """Take in the next event; a match with an event that cannot be understood is set aside.

        Raises PoisonEvent instead, if nothing may be left out.
        """
        before = self._lines.get(recorded.stream)
        if recorded.type not in HANDLED or (before is not None and before.set_aside):
            return
        try:
            after = line_after(before, recorded)
        except Exception as error:  # Whatever it is, it must not stop the other matches.
            if self._strict:
                where = f"{recorded.stream.hex()} version {recorded.version}"
                raise PoisonEvent(f"{recorded.type} at {where}: {error}") from error
            self.poisoned += 1
            after = _set_aside(before, recorded)
        self._lines[recorded.stream] = self.changed[recorded.stream] = after


def _set_aside(line: MatchLine | None, recorded: Recorded) -> MatchLine:
    if line is None:
        line = MatchLine(recorded.stream, recorded.position, recorded.occurred_at)
    return replace(line, set_aside=True)
