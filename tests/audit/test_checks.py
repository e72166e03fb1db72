"""Records of whole matches hold; whatever does not follow from the rules is found, and named."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from domain.audit.checks import Fault, check
from domain.audit.record import read
from domain.audit.replay import decoded, replay
from domain.evolve import fold
from domain.match import new_match
from domain.options import Form, Options, Reveal
from infra.signing import SigningKey, is_signed
from tests.audit.cheats import Lines, first_of, lines_of, resealed, with_data, written
from tests.audit.records import SIGNER, events_of, record_of
from tests.audit.records import written as record
from tests.laws import test_forms, test_house, test_placed
from tests.laws.placed import played_from
from tests.laws.table import Table, played
from tests.spec import seed_of

MATCHES = int(os.environ.get("TALON_LAWS_MATCHES", "60")) // 5


@cache
def whole(seed: int, kind: str = "classic") -> Table:
    """A match that is over."""
    if kind == "placed":
        *_, table = played_from(seed, *test_placed.rules(seed))
        return table
    chosen = {"classic": (), "forms": test_forms.rules(seed), "house": test_house.rules(seed)}
    *_, table = played(seed, *chosen[kind])
    return table


@cache
def content(seed: int = 2, kind: str = "classic") -> bytes:
    return record_of(whole(seed, kind))


CLASSIC = (Path(__file__).parents[2] / "docs/vectors/records/classic.ndjson").read_bytes()
"""A published record: what is tampered with here stays what it is."""


def faults(changed: bytes) -> tuple[Fault, ...]:
    return check(changed, is_signed).faults


@pytest.mark.parametrize("kind", ["classic", "forms", "house", "placed"])
@pytest.mark.parametrize("seed", range(MATCHES))
def test_the_record_of_a_whole_match_holds_and_folds_to_the_same_match(
    seed: int, kind: str
) -> None:
    table = whole(seed, kind)
    report = check(content(seed, kind), is_signed, {SIGNER.key_id: SIGNER.public_key})
    assert report.faults == () and report.sealed_from is None
    assert (report.events, report.status) == (len(table.events), table.match.status)

    taken = read(content(seed, kind))
    events = tuple(map(decoded, taken.events))
    assert [type(event) for event in events] == [type(event) for event in table.events]
    *_, last = replay(taken, events)
    assert (last.after.scores, last.after.result) == (table.match.scores, table.match.result)
    if table.match.options.clock is None:
        assert fold(events, new_match(taken.match)) == last.after


def set_data(type: str, **changed: object) -> Callable[[Lines], None]:
    return lambda lines: with_data(lines, first_of(lines, type), **changed)


def without(type: str) -> Callable[[Lines], None]:
    return lambda lines: lines.pop(first_of(lines, type)) and None


def another_card(lines: Lines) -> None:
    """The first card played is one that nobody holds twice."""
    place = first_of(lines, "card_played")
    laid = json.loads(lines[place]["data"])["card"]
    with_data(lines, place, card="B0" if laid != "B0" else "G0", color="blue")


@pytest.mark.parametrize(
    ("change", "version_of", "rule"),
    [
        (set_data("round_ended", gains=[1, 2, 3, 4]), "round_ended", "SCORE-1"),
        (set_data("match_ended", winners=[0, 1]), "match_ended", "SCORE-1"),
        (set_data("round_started", digest="00" * 32), "round_started", "SETUP-5"),
        (set_data("dealer_drawn", dealer=9), "dealer_drawn", "SETUP-2"),
        (set_data("cards_drawn", drawn=2), "cards_drawn", None),
        (another_card, "card_played", None),
        (without("turn_passed"), None, None),
        (without("round_ended"), None, None),
    ],
)
def test_what_the_rules_do_not_lead_to_is_found_though_all_hashes_fit(
    change: Callable[[Lines], None], version_of: str | None, rule: str | None
) -> None:
    found = faults(resealed(CLASSIC, change))

    assert [fault.check for fault in found] == ["play"]
    if version_of is not None:
        lines = lines_of(CLASSIC)
        assert found[0].version == lines[first_of(lines, version_of)]["version"]
        assert found[0].type == version_of
    assert rule is None or found[0].rule == rule


def test_two_cards_that_change_places_in_the_draw_pile_are_found() -> None:
    """Who deals other cards than the seed gives has to show another seed, or another digest."""

    def swap(lines: Lines) -> None:
        with_data(lines, first_of(lines, "seed_revealed"), seed=seed_of("another").hex())

    found = faults(resealed(CLASSIC, swap))

    assert found[0].check == "seeds" and found[0].type == "seed_revealed"


def test_a_match_that_is_over_keeps_no_seed_to_itself() -> None:
    def keep(lines: Lines) -> None:
        lines.pop(first_of(lines, "seed_revealed"))

    kept = resealed(CLASSIC, keep)

    assert [fault.check for fault in faults(kept)] == ["seeds"]
    assert "the match is over" in faults(kept)[0].words


def test_a_seed_and_its_commitment_that_are_both_replaced_still_give_other_cards() -> None:
    from domain.deal import commitment

    match, seed = read(CLASSIC).match, seed_of("another")

    def replaced(lines: Lines) -> None:
        with_data(lines, first_of(lines, "seed_revealed"), seed=seed.hex())
        committed = commitment(match, 1, seed)
        with_data(lines, first_of(lines, "round_committed"), commitment=committed)

    found = faults(resealed(CLASSIC, replaced))

    assert (found[0].check, found[0].type, found[0].rule) == ("play", "dealer_drawn", "SETUP-2")


def test_a_command_that_somebody_else_gave_is_found() -> None:
    def other(lines: Lines) -> None:
        place = first_of(lines, "card_played")
        seat = json.loads(lines[place]["data"])["seat"]
        for line in lines[place:]:
            kind, _, number = line.get("actor", "").partition(":")
            if number == str(seat):
                line["actor"] = f"{'seat' if kind == 'bot' else 'bot'}:{seat}"

    assert faults(resealed(CLASSIC, other))[0].check == "play"


def test_a_record_signed_by_another_key_holds_only_while_no_key_is_given() -> None:
    stranger = SigningKey(seed_of("stranger"))
    changed = resealed(CLASSIC, lambda lines: None, stranger)

    assert check(changed, is_signed).holds
    report = check(changed, is_signed, {SIGNER.key_id: SIGNER.public_key})
    assert [fault.check for fault in report.faults] == ["signature"]


def test_the_players_of_seats_open_the_digests_in_the_log() -> None:
    named = record(whole(2).match.id, events_of(whole(2)), {0: (bytes(16), bytes(16))})

    found = check(named, is_signed).faults

    assert [(fault.check, fault.line) for fault in found] == [("seats", 2)]


def test_a_match_that_goes_on_is_checked_as_far_as_its_seeds_are_known() -> None:
    table = whole(2)
    started = next(at for at, one in enumerate(events_of(table)) if one.type == "match_started")
    report = check(record(table.match.id, events_of(table)[: started + 9], {}), is_signed)

    assert report.holds and report.sealed_from == started + 1 and report.status == "running"


def test_rounds_that_are_revealed_are_checked_while_the_match_goes_on() -> None:
    *_, table = played(4, Options(reveal=Reveal.ROUND, target=500), 3)
    events = events_of(table)
    second = next(
        at
        for at, one in enumerate(events)
        if at and b'"round":2' in one.data and one.type == "round_started"
    )
    report = check(record(table.match.id, events[: second + 2], {}), is_signed)

    before = next(v for v in range(second, 0, -1) if events[v].command_id is not None)
    assert report.holds and report.sealed_from == before + 1
    lines = lines_of(record(table.match.id, events[: second + 2], {}))
    with_data(lines, first_of(lines, "card_played"), turn=9)
    assert faults(resealed(written(lines), lambda lines: None))[0].check == "play"


def test_every_form_is_among_these_matches() -> None:
    forms = {whole(seed, "forms").match.options.form for seed in range(5)}
    assert forms == set(Form)
