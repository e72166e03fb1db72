"""The record of a tournament: its lines are those of a match's, but the first and who takes part.

``docs/record-format.md`` is normative. Not here: the checks (``domain.audit.tournament_checks``).
"""

from __future__ import annotations

import hashlib
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from domain.audit.record import (
    CHAIN,
    HEX,
    UUID,
    Closing,
    Count,
    EventLine,
    Malformed,
    Writer,
    canonical,
    closing_of,
    event_of,
    id_text,
    require_form,
)
from domain.audit.statements import of_tournament

FORMAT: Final = "talon-tournament/1"
BEGINS: Final = b'{"record":"talon-tournament/'
"""How the first line of such a record begins, of whatever version."""


class TournamentOpening(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The first line: of which tournament it is, under which rules."""

    record: str
    tournament: str
    ruleset: str
    ruleset_version: Count
    events: str = CHAIN


class EntrantLine(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Who plays under a number: what opens the digest in the log, while it is kept."""

    entrant: Annotated[int, Meta(ge=0, le=2**53 - 1)]
    player_id: str
    salt: str


class TournamentRecord(Struct, frozen=True):
    """A record that has the right form; nothing in it is checked yet."""

    tournament: bytes
    opening: TournamentOpening
    entrants: tuple[EntrantLine, ...]
    events: tuple[EventLine, ...]
    closing: Closing
    digest: str


class TournamentWriter(Writer):
    """Writes the record of a tournament line by line, and signs it."""

    def __init__(self, tournament: bytes) -> None:
        super().__init__(tournament, of_tournament)

    def opening(self, ruleset: str, version: int) -> bytes:
        """The first line."""
        return self.line(TournamentOpening(FORMAT, id_text(self._stream), ruleset, version))

    def entrant(self, entrant: int, player: bytes, salt: bytes) -> bytes:
        """Who plays under a number."""
        return self.line(EntrantLine(entrant, id_text(player), salt.hex()))


def read_tournament(content: bytes) -> TournamentRecord:
    """The record in these bytes; raises Malformed for what is not written in just this form."""
    if not content.endswith(b"\n"):
        raise Malformed(content.count(b"\n") + 1, "the last line has no end")
    lines = content[:-1].split(b"\n")
    opening = canonical(_opening, lines[0], 1)
    for name, said, known in (
        ("record", opening.record, FORMAT),
        ("events", opening.events, CHAIN),
    ):
        if said != known:
            raise Malformed(1, f"{name} is {said!r}; this reads {known!r}")
    require_form(UUID, opening.tournament, 1, "tournament")
    first = 1
    while first < len(lines) and lines[first].startswith(b'{"entrant":'):
        first += 1
    if len(lines) - first < 2:
        raise Malformed(len(lines), "a record has a first line, events, and a last line")
    return TournamentRecord(
        tournament=bytes.fromhex(opening.tournament.replace("-", "")),
        opening=opening,
        entrants=tuple(_entrant_of(line, n) for n, line in enumerate(lines[1:first], 2)),
        events=tuple(event_of(line, n) for n, line in enumerate(lines[first:-1], first + 1)),
        closing=closing_of(lines[-1], len(lines)),
        digest=hashlib.sha256(content[: len(content) - len(lines[-1]) - 1]).hexdigest(),
    )


def _entrant_of(line: bytes, number: int) -> EntrantLine:
    found = canonical(_entrant, line, number)
    require_form(UUID, found.player_id, number, "player_id")
    require_form(HEX[16], found.salt, number, "salt")
    return found


_opening: Final = msgspec.json.Decoder(TournamentOpening)
_entrant: Final = msgspec.json.Decoder(EntrantLine)
