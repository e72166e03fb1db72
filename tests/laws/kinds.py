"""What kind of match: options drawn from the rulebook's own list, any that go together.

The options, their values and limits are read off what is served at ``/v1/rules``: what is added
there is drawn here. Every value of every option has its turn; the rest is chance.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Final

import msgspec

from domain.combinations import COMBINATIONS, require_no_contradiction
from domain.limits import PARTNERS_SEATS, SEATS_MAX, SEATS_MIN
from domain.options import Clock, Options
from domain.refusals import RuleViolation
from domain.rulebook import options as entries
from domain.rulebook.entries import OptionEntry

Value = object
Kind = tuple[Options, int]
"""The options of a match, and its number of seats."""
_ENTRIES: Final = {entry.name: entry for entry in entries()}
_USUAL: Final = {
    "target": (50, 50, 50, 200),
    "rounds": (0, 0, 0, 1, 2),
    "rounds_per_pairing": (1, 2),
    "cycles": (1,),
    "uno_grace": (0, 0, 1, 3),
}
"""What most matches have: those that go on to the limit tell little for their time."""
_FIRST: Final = ("edition", "form", "scoring", "uno_grace")
"""Options that others need; all others are added to them where they go together."""


def _values(entry: OptionEntry) -> tuple[Value, ...]:
    """Every value of an option; of a number its limits and its default."""
    if entry.parts:
        return (None, *(dict.fromkeys(entry.parts, end) for end in _ends(entry)))
    return entry.values or tuple(sorted({*_ends(entry), entry.default}))  # type: ignore[type-var]


def _ends(entry: OptionEntry) -> tuple[int, int]:
    assert entry.minimum is not None and entry.maximum is not None
    return entry.minimum, entry.maximum


FEATURED: Final = tuple(
    (entry.name, value) for entry in _ENTRIES.values() for value in _values(entry)
)
"""Every option with each of its values: one of them is sure of its turn in each match."""


def kind_of(number: int) -> Kind:
    """The kind of the match with this number: what goes together, added option by option."""
    chance = random.Random(f"kind {number}")
    given, seats = _begun(FEATURED[number % len(FEATURED)], chance)
    options = agreed(given, seats)
    for entry in chance.sample(tuple(_ENTRIES.values()), len(_ENTRIES)):
        if entry.name not in given and (entry.name in _USUAL or chance.random() < 0.5):
            more = {**given, entry.name: _any_value(entry, chance)}
            if agreed(more, seats) is not None:
                given, options = more, agreed(more, seats)
    assert options is not None
    return options, seats


def _begun(featured: tuple[str, Value], chance: random.Random) -> tuple[dict[str, Value], int]:
    """One option, those that others depend on, and a number of seats that goes with them."""
    while True:
        given = {name: _any_value(_ENTRIES[name], chance) for name in _FIRST} | dict((featured,))
        for seats in (chance.randint(SEATS_MIN, SEATS_MAX), PARTNERS_SEATS):
            if agreed(given, seats) is not None:
                return given, seats


def _any_value(entry: OptionEntry, chance: random.Random) -> Value:
    """A value of an option, mostly a usual one."""
    usual = _USUAL.get(entry.name)
    if usual is not None and chance.random() < 0.95:
        return chance.choice(usual)
    if entry.parts:
        least, most = _ends(entry)
        times = (least, 30, 600, most)
        return chance.choice((None, {part: chance.choice(times) for part in entry.parts}))
    return chance.choice(entry.values) if entry.values else chance.randint(*_ends(entry))


def agreed(given: dict[str, Value], seats: int) -> Options | None:
    """The options as a request would set them; None where the match would be refused."""
    try:
        require_no_contradiction(given)
    except RuleViolation:
        return None
    options = msgspec.convert(given, Options)
    return options if all(fits(options, seats) for _, fits in COMBINATIONS) else None


def described(kind: Kind) -> Iterator[str]:
    """What a match is counted under: ``form teams``, ``clock given``, ``seats 4``."""
    options, seats = kind
    yield f"seats {seats}"
    for entry in _ENTRIES.values():
        value = getattr(options, entry.name)
        if isinstance(value, Clock):
            yield f"{entry.name} given"
        elif entry.values or value is None or (entry.maximum or 0) <= SEATS_MAX:
            yield f"{entry.name} {str(value).lower()}"
        else:
            yield f"{entry.name} {'default' if value == entry.default else 'other'}"


def pairs(kind: Kind) -> Iterator[tuple[str, str]]:
    """Every two things a match is counted under."""
    yield from ((one, two) for one, two in product(described(kind), repeat=2) if one < two)
