"""By what lists of matches are filtered: their options, and when they were created."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from domain.options import Options
from service.play.times import SECOND

_OPTIONS: Final = "|".join(name for name in Options.__struct_fields__ if name != "clock")
_ONE: Final = rf"({_OPTIONS}):[a-z0-9_]+"
Rules = Annotated[
    str,
    Meta(
        pattern=rf"^{_ONE}(,{_ONE})*$(?!\n)",
        description="Options and their values, all of which the match was set up with.",
        examples=["form:teams,target:200"],
    ),
]
Since = Annotated[datetime, Meta(tz=True, description="Created then or later.")]
Until = Annotated[datetime, Meta(tz=True, description="Created before then.")]


def plays_by(options: Options, rules: str) -> bool:
    """Whether the options have all of these values."""
    values = msgspec.to_builtins(options)
    wanted = (one.partition(":") for one in rules.split(","))
    return all(str(values[name]).lower() == value for name, _, value in wanted)


def microseconds(moment: datetime) -> int:
    """A moment as the log writes it."""
    return int(moment.timestamp() * SECOND)
