"""A record is written in one way only: everything else is refused, with its line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domain.audit.record import Malformed, read, split
from tests.audit.records import events_of, written
from tests.audit.test_checks import content, whole

NOBODY = written(whole(2).match.id, events_of(whole(2)), {})
"""A record that names no players: its second line is the first event."""


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(text: bytes) -> bytes:
        assert old in text
        return text.replace(old, new, 1)

    return change


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (replaced(b'{"record":', b'{ "record":'), 1),
        (replaced(b"talon-record/1", b"talon-record/2"), 1),
        (replaced(b'"ruleset_version":1', b'"ruleset_version":1.0'), 1),
        (replaced(b'"ruleset_version":1', b'"ruleset_version":01'), 1),
        (replaced(b'"match":"', b'"match":"X'), 1),
        (replaced(b'{"version":1,', b'{"version":1,"version":1,'), 2),
        (replaced(b'"schema":1', b'"schema":65536'), 2),
        (replaced(b'{"version":1,"position":1,', b'{"position":1,"version":1,'), 2),
        (replaced(b'"occurred_at":0', b'"occurred_at":-0'), 2),
        (replaced(b'"occurred_at":0', b'"occurred_at":9007199254740992'), 2),
        (replaced(b"match_created", b"match\\u005fcreated"), 2),
        (replaced(b'"command_id":"', b'"command_id":"0'), 2),
        (replaced(b'{"version":2', b'{"extra":0,"version":2'), 3),
        (replaced(b"\n", b"\r\n"), 1),
        (replaced(b"\n", b"\n\n"), 2),
        (lambda text: text[:-1], 10),
        (lambda text: text + b"\n", None),
        (lambda text: text.replace(b'"signature":"', b'"signature":"A'), None),
        (lambda text: text.rpartition(b'{"head"')[0], None),
        (lambda text: text.upper(), 1),
        (lambda text: b"\xff" + text, 1),
        (lambda text: b"", 1),
    ],
)
def test_what_is_not_in_the_canonical_form_is_refused(
    change: Callable[[bytes], bytes], line: int | None
) -> None:
    with pytest.raises(Malformed) as refused:
        read(change(NOBODY))
    if line is not None and line != 10:
        assert refused.value.line == line


def test_what_is_written_can_be_read_again() -> None:
    taken = read(content())
    assert taken.opening.record == "talon-record/1"
    assert [line.version for line in taken.events] == list(range(1, len(taken.events) + 1))


def test_a_file_may_hold_several_records() -> None:
    several = [content(0), content(1), content(2)]
    assert list(split(b"".join(several))) == several
