"""The record of a tournament holds, and one that tells something else does not."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.audit.checks import Fault, Report
from domain.audit.record import read
from domain.audit.tables import Claim, Played, claims_of, held, played_in
from domain.audit.tournament_checks import TOURNAMENT_CHECKS, check_tournament
from domain.audit.tournament_record import BEGINS
from domain.deal import player_digest
from domain.event import Event
from domain.options import Reveal
from domain.tournaments.commands import (
    CreateTournament,
    EndTable,
    Enter,
    EnterBot,
    OpenTable,
    StartTournament,
)
from domain.tournaments.events import (
    DrawRevealed,
    EntrantJoined,
    RoundPaired,
    TableEnded,
    TournamentFinished,
    TournamentStarted,
)
from domain.tournaments.settings import Settings
from domain.tournaments.terms import Format, TableEnd
from infra.signing import SigningKey, is_signed
from service.cli.main import main
from tests.audit.records import SIGNER, person_of
from tests.audit.small import content as match_record
from tests.laws.tournaments import Random, played
from tests.spec import seed_of
from tests.tournaments.published import FOLDER, SEEDS
from tests.tournaments.records import Group, record_of
from tests.tournaments.spec import Evening

GIVEN = {SIGNER.key_id: SIGNER.public_key}
KINDS = (5, 16, 22, 34, 0, 2)
"""Of every format, with a lot, void tables, and people who come and go."""


@cache
def whole(seed: int) -> Random:
    *_, evening = played(seed)
    return evening


def report_on(content: bytes) -> Report:
    report, _ = check_tournament(content, is_signed, GIVEN)
    return report


def faults(content: bytes) -> list[str]:
    return [fault.check for fault in report_on(content).faults]


@pytest.mark.parametrize("seed", range(40))
def test_the_record_of_every_tournament_holds(seed: int) -> None:
    report = report_on(record_of(whole(seed)))
    assert report.holds and report.status == "finished"
    assert report.events == len(whole(seed).events)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_published_records_hold_and_there_is_one_of_every_format(seed: int) -> None:
    report, record = check_tournament((FOLDER / f"{seed}.ndjson").read_bytes(), is_signed, GIVEN)
    assert report.holds and report.status == "finished" and record is not None
    others = [(FOLDER / f"{one}.ndjson").read_text() for one in SEEDS]
    assert all(any(rf'"format\":\"{kind}\"' in text for text in others) for kind in Format)


@pytest.mark.parametrize("seed", KINDS)
def test_it_holds_at_every_command_on_the_way(seed: int) -> None:
    """Also with a lot that is not drawn yet."""
    evening = whole(seed)
    for end in range(1, len(evening.groups) + 1, 3):
        content = record_of(evening, groups=evening.groups[:end])
        assert report_on(content).holds


@pytest.mark.parametrize("seed", KINDS)
def test_any_byte_of_any_line_counts(seed: int) -> None:
    content = record_of(whole(seed))
    for place in range(3, len(content), 211):
        other = b"0" if content[place : place + 1] != b"0" else b"1"
        assert faults(content[:place] + other + content[place + 1 :]), place


def test_a_line_may_not_be_missing_or_double() -> None:
    lines = record_of(whole(16)).splitlines(keepends=True)
    for number in range(len(lines)):
        assert faults(b"".join(lines[:number] + lines[number + 1 :]))
        assert faults(b"".join([*lines[:number], lines[number], *lines[number:]]))


def cheated(evening: Evening, kind: type[Event], **other: object) -> bytes:
    """The record with something else in the last event of a kind, chained and signed anew."""
    groups: list[Group] = list(evening.groups)
    for place in range(len(groups) - 1, -1, -1):
        actor, now, events = groups[place]
        if any(type(event) is kind for event in events):
            told = tuple(
                replace(event, **other) if type(event) is kind else event  # type: ignore[type-var]
                for event in events
            )
            groups[place] = (actor, now, told)
            return record_of(evening, groups=groups)
    raise AssertionError(f"no {kind}")


@pytest.mark.parametrize(
    ("seed", "kind", "other"),
    [
        (16, TournamentFinished, {"points": (1,) * 8}),
        (16, RoundPaired, {"byes": (0,)}),
        (16, TournamentStarted, {"seeding": (7, 6, 5, 4, 3, 2, 1, 0)}),
        (2, DrawRevealed, {"seed": "00" * 32}),
        (2, DrawRevealed, {"seed": "no hex"}),
        (16, TableEnded, {"scores": (1, 2, 3)}),
        (16, TableEnded, {"table": 9}),
        (5, EntrantJoined, {"entrant": 99}),
    ],
)
def test_a_service_that_writes_something_else_is_found(
    seed: int, kind: type[Event], other: dict[str, object]
) -> None:
    assert "play" in faults(cheated(whole(seed), kind, **other))


def test_a_signature_is_by_a_key_that_is_trusted() -> None:
    stranger = SigningKey(seed_of("a stranger"))
    assert faults(record_of(whole(16), signer=stranger)) == ["signature"]


def test_who_is_named_under_a_number_is_who_entered() -> None:
    player, salt = person_of("ann")
    evening = Evening(Settings(Format.SWISS))
    evening.when(CreateTournament(evening.settings))
    evening.when(Enter(player_digest(salt, player)))
    assert report_on(record_of(evening, entrants={0: (player, salt)})).holds
    assert faults(record_of(evening, entrants={0: (salt, player)})) == ["entrants"]
    assert faults(record_of(evening, entrants={7: (player, salt)})) == ["entrants"]


# Tables, and the records of their matches.


MATCH = "classic"


def match_told() -> Played:
    """What the match's record says."""
    told = played_in(read(match_record(MATCH)))
    assert told is not None
    return told


def final_evening() -> Evening:
    """A knockout of three, whose final is this match."""
    told, match = match_told(), read(match_record(MATCH)).match.hex()
    evening = Evening(Settings(Format.KNOCKOUT, rules=told.options, table_seats=3))
    evening.when(CreateTournament(evening.settings))
    for number, bot in enumerate(told.bots):
        evening.when(Enter(f"player {number}") if bot is None else EnterBot(bot))
    evening.when(StartTournament())
    evening.when(OpenTable(1, 0, match))
    evening.when(
        EndTable(
            1,
            0,
            match,
            version=told.ended_at,
            hash=told.hash,
            reason=TableEnd(told.reason),
            scores=told.scores,
            places=told.places,
        )
    )
    return evening


def final() -> Claim:
    """What the tournament says of its final."""
    (claim,) = claims_of(final_evening().events).values()
    return claim


def test_a_table_is_held_against_the_record_of_its_match() -> None:
    assert [*held(final(), match_told())] == []


@pytest.mark.parametrize(
    "other",
    [
        {"version": 3},
        {"hash": "ab" * 32},
        {"scores": (1, 2)},
        {"places": (2, 1, 3)},
        {"reason": TableEnd.EVENT_LIMIT},
    ],
)
def test_a_result_that_is_not_the_matchs_is_found(other: dict[str, object]) -> None:
    claim = final()
    changed = replace(claim, ended=replace(claim.ended, **other))  # type: ignore[arg-type]
    (fault, *_) = held(changed, match_told())
    assert isinstance(fault, Fault) and fault.check == "tables" == TOURNAMENT_CHECKS[-1]


def test_a_match_by_other_rules_is_found() -> None:
    other = replace(final(), options=replace(match_told().options, reveal=Reveal.ROUND))
    assert [fault.check for fault in held(other, match_told())] == ["tables"]


def test_a_match_that_goes_on_says_nothing_yet() -> None:
    record = read(match_record(MATCH))
    assert played_in(replace(record, events=record.events[:-1])) is None


def verified(folder: Path, *names: str) -> int:
    return main(["verify", "--jobs", "1", *(str(folder / name) for name in names)])


def test_talon_verify_holds_a_tournament_against_its_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evening = final_evening()
    content = record_of(evening)
    assert content.startswith(BEGINS)
    (tmp_path / "cup.ndjson").write_bytes(content)
    (tmp_path / "match.ndjson").write_bytes(match_record(MATCH))
    assert verified(tmp_path, "cup.ndjson") == 0
    assert "0 of 1 tables held" in capsys.readouterr().out
    assert verified(tmp_path, "cup.ndjson", "match.ndjson") == 0
    assert "1 of 1 tables held" in capsys.readouterr().out
    cheat = cheated(evening, TableEnded, scores=(7, 0, 0))
    (tmp_path / "cheat.ndjson").write_bytes(cheat)
    assert verified(tmp_path, "match.ndjson", "cheat.ndjson") == 1
    assert "BAD" in capsys.readouterr().out
