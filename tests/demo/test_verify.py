"""The verifier passes what happened and catches everything that did not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.cli.demo.evidence import Mismatch, Record, record_of
from service.cli.demo.testimony import Testimony
from service.cli.demo.verify import Report, verify
from service.cli.demo.wire import Mine
from tests.demo.recorded import item_of, rechained, recorded

Told = tuple[Record, Testimony]


@pytest.fixture
def told() -> Told:
    return recorded()


def failed(report: Report) -> list[str]:
    return [check.name for check in report.checks if not check.agrees]


def at(record: Record, type: str, last: bool = False) -> int:
    """The index of the first, or last, event of a type."""
    found = [index for index, stored in enumerate(record.events) if stored.type == type]
    return found[-1 if last else 0]


def altered(record: Record, index: int, **fields: Any) -> Record:
    """The record with fields of one event's data changed, and its hashes as they were."""
    stored = record.events[index]
    data = msgspec.json.encode({**msgspec.json.decode(stored.data), **fields})
    events = list(record.events)
    events[index] = replace(stored, data=data)
    return replace(record, events=tuple(events))


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_a_match_that_happened_is_verified(seats: int) -> None:
    report = verify(*recorded(seats, target=150, seed=seats))

    assert report.agrees, report.text()
    assert [check.name for check in report.checks] == [
        "hash chain",
        "receipts",
        "stored bytes",
        "seeds",
        "fold",
        "cards",
        "scores",
        "what seats saw",
        "result",
    ]


@pytest.mark.parametrize("byte", [0, 9, -2])
def test_a_flipped_byte_breaks_the_chain(told: Told, byte: int) -> None:
    record, testimony = told
    index = at(record, "card_played")
    data = bytearray(record.events[index].data)
    data[byte] ^= 1
    events = list(record.events)
    events[index] = replace(events[index], data=bytes(data))

    report = verify(replace(record, events=tuple(events)), testimony)

    assert "hash chain" in failed(report)
    assert f"version {index + 1}:" in report.text()


@pytest.mark.parametrize("field", ["occurred_at", "actor", "command_id", "type", "schema"])
def test_every_hashed_field_is_bound_by_the_chain(told: Told, field: str) -> None:
    record, testimony = told
    other = {
        "occurred_at": 1,
        "actor": "seat:1",
        "command_id": bytes(16),
        "type": "turn_passed",
        "schema": 2,
    }
    index = at(record, "match_created")
    events = list(record.events)
    events[index] = replace(events[index], **{field: other[field]})

    report = verify(replace(record, events=tuple(events)), testimony)

    assert "hash chain" in failed(report)


def test_a_dropped_event_leaves_a_gap(told: Told) -> None:
    record, testimony = told
    events = record.events[:20] + record.events[21:]

    report = verify(replace(record, events=events), testimony)

    assert "hash chain" in failed(report)


def test_a_forged_chain_contradicts_the_receipts(told: Told) -> None:
    record, testimony = told
    index = at(record, "turn_passed")
    shorter = replace(record, events=record.events[:index] + record.events[index + 1 :])

    report = verify(rechained(shorter), testimony)

    assert "hash chain" not in failed(report)
    assert "receipts" in failed(report)


def test_another_seed_does_not_open_the_commitment(told: Told) -> None:
    record, testimony = told
    forged = rechained(altered(record, at(record, "seed_revealed"), seed="ab" * 32))

    assert "seeds" in failed(verify(forged, testimony))


def test_a_hidden_seed_is_missed(told: Told) -> None:
    record, testimony = told
    index = at(record, "seed_revealed")
    without = replace(record, events=record.events[:index] + record.events[index + 1 :])

    assert "seeds" in failed(verify(rechained(without), testimony))


def test_a_seed_and_commitment_of_another_deal_do_not_fit_the_cards(told: Told) -> None:
    record, testimony = told
    index = at(record, "seed_added")
    forged = rechained(altered(record, index, client_seed="00ff"))

    assert "fold" in failed(verify(forged, testimony))


def test_another_digest_of_the_order_is_caught(told: Told) -> None:
    record, testimony = told
    forged = rechained(altered(record, at(record, "round_started"), digest="0" * 64))

    assert "fold" in failed(verify(forged, testimony))


def test_altered_gains_are_counted_anew(told: Told) -> None:
    record, testimony = told
    index = at(record, "round_ended")
    gains = msgspec.json.decode(record.events[index].data)["gains"]
    more = [gain and gain + 1 for gain in gains]

    assert "scores" in failed(verify(rechained(altered(record, index, gains=more)), testimony))


def test_altered_final_scores_are_caught(told: Told) -> None:
    record, testimony = told
    forged = rechained(altered(record, at(record, "match_ended"), scores=[1, 2, 3]))

    assert "scores" in failed(verify(forged, testimony))


def test_another_winner_is_caught(told: Told) -> None:
    record, testimony = told
    index = at(record, "match_ended")
    winners = msgspec.json.decode(record.events[index].data)["winners"]
    forged = rechained(altered(record, index, winners=[(winners[0] + 1) % 3]))

    assert "result" in failed(verify(forged, testimony))


def test_a_card_that_was_not_held_is_caught(told: Told) -> None:
    record, testimony = told
    index = at(record, "card_played")
    played = msgspec.json.decode(record.events[index].data)["card"]
    forged = rechained(altered(record, index, card="R0" if played != "R0" else "R1"))

    report = verify(forged, testimony)

    assert set(failed(report)) & {"fold", "cards"}


def test_a_hand_shown_to_a_seat_must_be_the_recomputed_one(told: Told) -> None:
    record, testimony = told
    place = next(place for place, hand in testimony.hands.items() if hand)
    testimony.hands[place] = (*testimony.hands[place][1:], "R0", "R0")

    report = verify(record, testimony)

    assert failed(report) == ["what seats saw"]


def test_a_drawn_card_told_to_a_seat_must_be_the_recomputed_one(told: Told) -> None:
    record, testimony = told
    index = next(index for index, (_, _, mine) in enumerate(testimony.private) if mine.drawn)
    version, seat, _ = testimony.private[index]
    testimony.private[index] = (version, seat, Mine(drawn=("W4", "W4")))

    assert failed(verify(record, testimony)) == ["what seats saw"]


def test_telling_a_seat_what_is_anothers_is_caught(told: Told) -> None:
    record, testimony = told
    index = next(index for index, (_, _, mine) in enumerate(testimony.private) if mine.drawn)
    version, seat, mine = testimony.private[index]
    testimony.private[index] = (version, (seat + 1) % 3, mine)

    assert failed(verify(record, testimony)) == ["what seats saw"]


def test_the_last_view_must_say_what_the_history_says(told: Told) -> None:
    record, testimony = told
    assert testimony.last is not None
    testimony.last = replace(testimony.last, scores=(500, 0, 0))

    assert failed(verify(record, testimony)) == ["result"]


def test_a_history_that_stops_early_is_not_a_whole_match(told: Told) -> None:
    record, testimony = told
    cut = replace(record, events=record.events[:-1])

    assert "result" in failed(verify(cut, testimony))


def test_the_shown_event_must_be_the_stored_one(told: Told) -> None:
    record, _ = told
    item = replace(item_of(record.events[0]), data='{"type":"match_started"}')

    with pytest.raises(Mismatch, match="version 1: the event shown is not the event stored"):
        record_of("00010203-0405-0607-0809-0a0b0c0d0e0f", (item,))
