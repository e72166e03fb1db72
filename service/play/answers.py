"""Answers made from what happened: items of a history, receipts, and the answer to a command."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from domain.events import Seat
from domain.ports import Recorded
from domain.sight import mine, view_of
from service.ids import text_of
from service.play.contract import Done, Folded, Item, Receipt
from service.play.folding import Step
from service.play.times import rfc3339
from service.play.viewers import Viewer


def public_item(recorded: Recorded, stored: bool = False) -> Item:
    """An event as everybody sees it; ``stored`` adds the exact bytes as a string."""
    command_id = recorded.command_id
    return Item(
        version=recorded.version,
        position=recorded.position,
        type=recorded.type,
        schema=recorded.schema,
        occurred_at=rfc3339(recorded.occurred_at),
        actor=recorded.actor,
        event=msgspec.Raw(recorded.data),
        hash=recorded.hash.hex(),
        command_id=None if command_id is None else command_id.hex(),
        seat=getattr(recorded.event, "seat", None),
        data=recorded.data.decode() if stored else UNSET,
    )


def item(step: Step, viewer: Viewer, stored: bool = False) -> Item:
    """An event as one viewer may see it: what is theirs alone stands in ``mine``."""
    public = public_item(step.recorded, stored)
    seat = viewer.seat_in(step.after)
    if seat is None:
        return public
    seen = mine(step.before, step.recorded.event, step.after, seat)
    return public if seen is None else msgspec.structs.replace(public, mine=seen)


def done(previous_hash: bytes, steps: Sequence[Step], viewer: Viewer, repeated: bool) -> Done:
    """The answer to a command that made these steps; ``previous_hash`` is that before the first."""
    before, last, after = steps[0].before, steps[-1].recorded, steps[-1].after
    return Done(
        version=after.version,
        events=tuple(item(step, viewer) for step in steps),
        view=view_of(after, viewer.seat_in(after)),
        receipt=Receipt(
            match_id=text_of(after.id),
            from_version=before.version,
            version=after.version,
            position=last.position,
            hash=last.hash.hex(),
            previous_hash=previous_hash.hex(),
        ),
        replayed=repeated,
    )


def nothing_done(folded: Folded, seat: Seat | None) -> Done:
    """The answer to a command that had nothing left to do."""
    match, head = folded.match, folded.head
    return Done(
        version=match.version,
        events=(),
        view=view_of(match, seat),
        receipt=Receipt(
            match_id=text_of(match.id),
            from_version=match.version,
            version=match.version,
            position=folded.position,
            hash=head.hash.hex(),
            previous_hash=head.hash.hex(),
        ),
    )
