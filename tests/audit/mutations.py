"""Every change of one field of a record, one after the other: what verifiers have to catch."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests.audit.cheats import Lines, plain


class Mutation(NamedTuple):
    """The lines from ``start`` up to ``end`` of a record are replaced; ``what`` names it."""

    what: str
    start: int
    end: int
    lines: tuple[str, ...]

    def of(self, lines: list[str]) -> bytes:
        """The record that comes of it."""
        changed = (*lines[: self.start], *self.lines, *lines[self.end :])
        return "".join(line + "\n" for line in changed).encode()


def mutations(lines: list[str]) -> Iterator[Mutation]:
    """Every member of every line changed, and lines lost, doubled and out of order."""
    for at, line in enumerate(lines):
        members: dict[str, Any] = json.loads(line)
        for name, value in members.items():
            for other in values_beside(value):
                yield Mutation(f"{at}.{name}", at, at + 1, (plain(members | {name: other}),))
            rest = {key: one for key, one in members.items() if key != name}
            yield Mutation(f"{at} without {name}", at, at + 1, (plain(rest),))
        if "data" in members:
            for path, data in changed_data(json.loads(members["data"])):
                changed = plain(members | {"data": plain(data)})
                yield Mutation(f"{at}.data{path}", at, at + 1, (changed,))
        name = next(iter(members))
        doubled = line.replace("{", "{" + f"{plain(name)}:{plain(members[name])},", 1)
        yield Mutation(f"{at} {name} twice", at, at + 1, (doubled,))
        yield Mutation(f"{at} lost", at, at + 1, ())
        yield Mutation(f"{at} twice", at, at + 1, (line, line))
        if at + 1 < len(lines):
            yield Mutation(f"{at} after the next", at, at + 2, (lines[at + 1], line))


def values_beside(value: Any) -> Iterator[Any]:
    """Values of the same kind that are not this one."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
        case None:
            yield "00" * 16
        case str() if value:
            last = value[-1]
            yield value[:-1] + ("0" if last != "0" else "1")
            yield ("0" if value[0] != "0" else "1") + value[1:]
            yield value.upper() if value.upper() != value else value + "0"
        case str():
            yield "0"
        case list():
            yield [*value, value[-1] if value else 0]
            if value:
                yield value[:-1]
        case _:
            yield None


def changed_data(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The value with one of its leaves changed, for every leaf."""
    if isinstance(value, dict):
        for name, inner in value.items():
            for found, other in changed_data(inner, f"{path}.{name}"):
                yield found, value | {name: other}
        return
    if isinstance(value, list):
        for at, inner in enumerate(value):
            for found, other in changed_data(inner, f"{path}.{at}"):
                yield found, [*value[:at], other, *value[at + 1 :]]
    for other in values_beside(value):
        yield path, other


MUST: dict[str, tuple[str, ...]] = {
    "round_committed": ("round", "commitment"),
    "seed_revealed": ("round", "seed"),
    "dealer_drawn": ("draws", "dealer", "shuffles"),
    "round_started": (
        *("round", "dealer", "order", "hand_size", "opening", "put_back", "draw_pile", "color"),
        *("shuffles", "digest"),
    ),
    "position_placed": ("round", "order", "hands", "draw_pile"),
    "card_played": ("last", "unfit"),
    "cards_drawn": ("drawn",),
    "pile_reshuffled": ("number", "count", "digest"),
    "hand_returned": ("number", "count", "digest"),
    "hands_shuffled": ("number", "count", "digest"),
    "hands_swapped": ("givers", "takers"),
    "challenge_resolved": ("author", "guilty"),
    "play_called_out": ("card",),
    "round_ended": ("round", "winner", "gains", "scores"),
    "match_ended": ("winners", "scores", "places"),
}
"""By type: what every verifier checks by itself, though all hashes and signatures are made anew."""


BY_THE_RULES: dict[str, tuple[str, ...]] = {
    "card_played": ("card", "turn", "direction", "pending", "penalty"),
    "cards_drawn": ("asked", "turn", "reason"),
    "turn_passed": ("turn", "drew"),
}
"""What only who knows all rules finds: another card that was held too, another turn."""


def cheats(
    lines: Lines, must: Mapping[str, tuple[str, ...]] = MUST
) -> Iterator[tuple[int, str, Any]]:
    """Changes of what ``must`` names: the place of an event, the member, the new value."""
    for at, line in enumerate(lines):
        for name in must.get(line.get("type", ""), ()):
            value = json.loads(line["data"]).get(name)
            for _, other in changed_data(value):
                yield at, name, other
