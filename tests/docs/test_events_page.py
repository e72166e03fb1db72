"""docs/events.md and ``domain.events`` agree both ways: every type, field, value and default."""

from __future__ import annotations

import enum
import json
import re
import types
import typing
from pathlib import Path

import msgspec
import pytest

from domain import events
from domain.cards import Card, Color
from domain.codec import type_of
from domain.options import Clock, Options
from domain.tournaments import terms
from domain.tournaments.events import TOURNAMENT_EVENT_TYPES

PAGE = (Path(__file__).parents[2] / "docs" / "events.md").read_text()
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))
OBJECTS = {"options": Options, "draw": events.DealerDraw, "clock": Clock}
NAMED = {
    "color": Color,
    "pending": events.Pending,
    "bot_level": events.BotLevel,
    "visibility": events.Visibility,
    "draw_reason": events.DrawReason,
    "advice_reason": events.AdviceReason,
    "leave_reason": events.LeaveReason,
    "end_reason": events.EndReason,
    "abandon_reason": events.AbandonReason,
    "void_reason": events.VoidReason,
    "format": terms.Format,
    "seeding": terms.Seeding,
    "no_show": terms.NoShow,
    "exit_reason": terms.ExitReason,
    "table_end": terms.TableEnd,
    "table_void": terms.TableVoid,
    "cancel_reason": terms.CancelReason,
}
EVENTS = (*events.EVENT_TYPES, *TOURNAMENT_EVENT_TYPES)
DOCUMENTED = OBJECTS | {str(kind.__struct_config__.tag): kind for kind in EVENTS}


def test_the_table_of_values_is_that_of_the_cards() -> None:
    table = re.search(r"### What cards are worth\n(.*?)\n###", PAGE, re.DOTALL)
    assert table is not None
    said = {int(points) for points in re.findall(r"\| (\d+) \|$", table[1], re.MULTILINE)}
    assert said == {card.points for card in Card if card.face not in "0123456789"}
    assert all(card.points == int(card.face) for card in Card if card.face in "0123456789")


def rows(section: str) -> list[tuple[str, ...]]:
    """The rows of a section's table as (field, type, default)."""
    cells = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [tuple(cell.strip().replace("`", "") for cell in row[:3]) for row in cells]


def written_type(kind: object) -> str:
    """How the page names a type."""
    simple = {int: "integer", bool: "boolean", str: "text", events.Seat: "seat", Card: "card"}
    simple |= {terms.Entrant: "entrant"}
    names = {kind: name for name, kind in (NAMED | OBJECTS).items()}
    if typing.get_origin(kind) is typing.Annotated:
        return written_type(typing.get_args(kind)[0])
    if typing.get_origin(kind) is tuple:
        return "list of " + written_type(typing.get_args(kind)[0])
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        return " or ".join(written_type(one) for one in typing.get_args(kind))
    if kind is types.NoneType:
        return "null"
    if isinstance(kind, type) and issubclass(kind, enum.Enum) and kind not in names | simple:
        return ", ".join(kind)
    return simple.get(kind) or names[kind]  # type: ignore[call-overload]


def written_default(field: msgspec.structs.FieldInfo) -> str:
    """How the page writes a default."""
    if field.default is msgspec.NODEFAULT:
        return ""
    if field.default is None or isinstance(field.default, bool):
        return json.dumps(field.default)
    return str(field.default)


def test_the_page_has_every_event_and_no_other() -> None:
    assert SECTIONS.keys() == DOCUMENTED.keys()


@pytest.mark.parametrize("name", DOCUMENTED)
def test_fields_types_and_defaults(name: str) -> None:
    kind = DOCUMENTED[name]
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = [
        (field.name, written_type(hints[field.name]), written_default(field))
        for field in msgspec.structs.fields(kind)
    ]
    assert rows(SECTIONS[name]) == fields


@pytest.mark.parametrize("name", NAMED)
def test_closed_sets_list_their_values(name: str) -> None:
    line = re.search(rf"^\| `{name}` \| (.*?) \|$", PAGE, re.MULTILINE)
    assert line is not None
    values = line[1].split(": ")[0].replace("`", "").split(", ")
    assert values == list(NAMED[name])


def test_every_type_used_is_explained() -> None:
    explained = {name for name, *_ in rows(PAGE[: PAGE.index("### options")])}
    used = {written for section in SECTIONS.values() for _, written, _ in rows(section)}
    words = {part for written in used for part in re.split(r"list of | or ", written) if part}
    options = {written for _, written, _ in rows(SECTIONS["options"])}
    assert words - options - {"null"} <= explained


def test_no_field_could_hold_a_name_or_free_text() -> None:
    texts = {
        (name, field)
        for name, section in SECTIONS.items()
        for field, written, _ in rows(section)
        if written == "text"
    }
    hashes_and_seeds = {
        ("player_joined", "player"),
        ("round_committed", "commitment"),
        ("seed_added", "client_seed"),
        ("round_started", "digest"),
        ("pile_reshuffled", "digest"),
        ("hand_returned", "digest"),
        ("hands_shuffled", "digest"),
        ("seed_revealed", "seed"),
    }
    hashes_and_seeds |= {
        ("entrant_joined", "player"),
        ("draw_committed", "commitment"),
        ("draw_revealed", "seed"),
        ("table_opened", "match"),
        ("table_ended", "match"),
        ("table_ended", "hash"),
    }
    rulesets = {("match_created", "ruleset"), ("tournament_created", "ruleset")}
    assert texts == hashes_and_seeds | rulesets


def test_type_is_the_first_member_of_the_stored_object() -> None:
    event = events.MatchStarted()
    assert msgspec.json.encode(event) == b'{"type":"match_started"}'
    assert type_of(event) == "match_started"
