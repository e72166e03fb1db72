"""What whoever runs the service might try, played: each is found by a command of docs/trust.md.

They hold the signing key, so every hash and signature fits. Not here: what a witness finds
(``test_witness``).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.audit.checks import check
from domain.cards import points_of
from domain.deal import commitment
from domain.events import RoundCommitted
from infra.signing import is_signed
from service.cli.main import main
from tests.audit.cheats import Lines, resealed, with_data
from tests.audit.records import record_of
from tests.audit.second import MISSING, NODE, checked
from tests.laws.table import Table, played
from tests.spec import seed_of

PAGE = Path(__file__).parents[2] / "docs" / "trust.md"
SEEDS = (2, 4, 6, 8)


def verified(folder: Path, *records: bytes) -> int:
    """The exit code of ``talon verify`` over records."""
    paths = []
    for number, content in enumerate(records):
        paths.append(folder / f"{number}.ndjson")
        paths[-1].write_bytes(content)
    return main(["verify", *map(str, paths), "--jobs", "1"])


def swapped(seed: int) -> Table:
    """A match in which the top card of a draw pile gave way to a worse one, in the middle."""
    has_swapped = False
    table = Table(seed)
    for table in played(seed):
        round = table.match.round
        if has_swapped or round is None or table.match.version < 40 or round.draw_pile_count < 20:
            continue
        rest = round.pile[round.drawn :]
        worth = [points_of([card]) for card in rest]
        at = next((n for n in range(15, len(rest)) if worth[n] > worth[0] + 4), None)
        if at is not None:
            other = (rest[at], *rest[1:at], rest[0], *rest[at + 1 :])
            pile = (*round.pile[: round.drawn], *other)
            table.match = replace(table.match, round=replace(round, pile=pile))
            has_swapped = True
    assert has_swapped and table.match.is_over
    return table


@pytest.mark.parametrize("seed", SEEDS)
def test_two_cards_that_changed_places_in_the_draw_pile_are_found(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who drew a card did not hold what the seed says: a play of theirs, or the count, is wrong."""
    content = record_of(swapped(seed))
    assert verified(tmp_path, content) == 1
    assert re.search(r"BAD .* play", capsys.readouterr().out)
    if NODE is None:
        pytest.skip(MISSING)
    (found,) = checked([(tmp_path / "0.ndjson", [])])
    assert found[0]


def test_a_seed_that_is_another_than_was_committed_to_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = whole(2)
    other = seed_of("another").hex()

    def reveal(lines: Lines) -> None:
        at = next(n for n, line in enumerate(lines) if line.get("type") == "seed_revealed")
        with_data(lines, at, seed=other)

    assert verified(tmp_path, resealed(record_of(table), reveal)) == 1
    assert "the seed is not the one committed to" in capsys.readouterr().out


def test_a_round_that_is_dealt_from_another_seed_than_its_own_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bound to one seed before players add theirs, dealt from another that suits better."""
    table = whole(2)
    bound = seed_of("bound")
    (first, *_) = [e for e in table.events if isinstance(e, RoundCommitted)]
    match = table.match.id
    assert first.commitment != commitment(match, 1, bound)

    def rebind(lines: Lines) -> None:
        for at, line in enumerate(lines):
            if line.get("type") == "round_committed" and '"round":1,' in line["data"]:
                with_data(lines, at, commitment=commitment(match, 1, bound))
            if line.get("type") == "seed_revealed" and '"round":1,' in line["data"]:
                with_data(lines, at, seed=bound.hex())

    assert verified(tmp_path, resealed(record_of(table), rebind)) == 1
    assert re.search(r"BAD .* play.* \[SETUP-2\]", capsys.readouterr().out)


def test_two_clients_who_are_shown_different_histories_find_it_with_both_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each record holds by itself: the match went two ways from one moment on."""
    one, other = whole(2), gone_another_way(2)
    records = record_of(one), record_of(other)
    assert all(check(content, is_signed).holds for content in records)
    assert one.match.id == other.match.id
    assert verified(tmp_path, *records) == 1
    assert "tells another history of this match from here on" in capsys.readouterr().out


def test_each_attempt_stands_in_the_page_with_the_command_that_finds_it() -> None:
    section = PAGE.read_text().split("## What an operator might try\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ") and "`" in line]
    assert len(rows) >= 5
    assert all("./talon " in row and "`tests/" in row for row in rows)
    for name in re.findall(r"`(tests/[a-z_/]+\.py)`", section):
        assert (PAGE.parents[1] / name).exists(), name


def whole(seed: int) -> Table:
    """A match to its end."""
    *_, table = played(seed)
    return table


def gone_another_way(seed: int) -> Table:
    """The same match up to a moment, and then others' decisions."""
    table = Table(seed)
    for table in played(seed):
        if table.match.version > 40 and not table.match.is_over:
            table.random.seed(table.match.version)
    return table
