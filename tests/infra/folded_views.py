"""A match's packed views from its stream in the log."""

from __future__ import annotations

from domain.evolve import fold
from domain.match import new_match
from domain.ports import Stream
from domain.sight import pack, views_of


def folded_views(match: bytes, stream: Stream) -> tuple[int, bytes]:
    """The version and packed views of a match; raises where its events cannot be folded."""
    events = (recorded.event for recorded in stream.events)
    folded = fold(events, new_match(match, stream.secrets))
    return folded.version, pack(views_of(folded))
