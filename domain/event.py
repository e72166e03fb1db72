"""What every event is: a fact with a tag. Not here: which ones there are (``domain.events``)."""

from __future__ import annotations

from msgspec import Struct


class Event(Struct, frozen=True, gc=False, tag_field="type"):
    """A fact of one match, or of one tournament."""
