"""Adds to the golden corpus what it lacks: python -m tests.golden.add.

What is there is never rewritten: lines are only added, and a match once stored stays as it is. To
store another form of an event, write it into ``EXAMPLES``.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from domain.cards import Card, Color
from domain.chain import event_hash, genesis
from domain.codec import SCHEMA, encode, type_of
from domain.commands import Actor, ActorKind, VoidMatch
from domain.events import (
    AbandonReason,
    AdvicePenalized,
    AdviceReason,
    CardPlayed,
    CardsDrawn,
    ClockRanOut,
    ColorChosen,
    DrawReason,
    EndReason,
    Event,
    HandsShuffled,
    HandsSwapped,
    HostChanged,
    MatchAbandoned,
    MatchCreated,
    MatchEnded,
    MatchVoided,
    Pending,
    PlayCalledOut,
    PlayerEliminated,
    PlayerLeft,
    PlayerReturned,
    PositionPlaced,
    RoundBlocked,
    RoundVoided,
    Seat,
    VoidReason,
)
from domain.match import Match
from domain.options import Options
from domain.tournaments.events import TournamentCanceled
from domain.tournaments.terms import CancelReason
from domain.tournaments.tournament import Tournament
from tests.laws import test_house, test_placed, tournaments
from tests.laws.placed import played_from
from tests.laws.table import Table, played
from tests.laws.test_dealt_anew import interrupted
from tests.laws.test_forms import rules

CORPUS = Path(__file__).parent / "corpus"
EVENTS = CORPUS / "events.ndjson"
STREAM = bytes(range(16))
EACH = 3
"""Lines of each type at least, where they differ."""
TOURNAMENTS = (5, 16, 22, 34)
"""Tournaments of every format, with tables that were void or forfeited, and people replaced."""
MATCHES = (98, 224)
"""Matches with ties, reshuffles, challenges, catches, leavers and seeds of players."""
FORMS = (2, 16, 43, 45)
"""Matches of other forms, with clocks that ran out, kept seats and players eliminated."""
HOUSE = (37, 51, 64)
"""Matches with house rules, the modern deck, hands that changed owners and cards called out."""
VOIDED = 53
"""A match that was won, and declared void after it."""
ANEW = (6, 14)
"""Matches with rounds that are void by a restore."""
PLACED = (8, 11)
"""Matches that begin in a position."""

EXAMPLES: tuple[Event, ...] = (
    HostChanged(Seat(1)),
    ColorChosen(Seat(9), Color.GREEN, Seat(9)),
    CardPlayed(
        seat=Seat(1),
        card=Card.W4,
        color=Color.BLUE,
        direction=-1,
        turn=Seat(0),
        pending=Pending.PENALTY,
        uno=True,
        judged_color=Color.RED,
        penalty=4,
    ),
    CardsDrawn(Seat(0), DrawReason.UNO, asked=2, drawn=0, turn=Seat(1), pending=Pending.TURN),
    PlayerLeft(Seat(2), turn=Seat(0), pending=Pending.TURN),
    MatchCreated("talon-rules", 1, Options(), 4),
    RoundBlocked(3),
    RoundVoided(2, VoidReason.RESTORE),
    MatchAbandoned(AbandonReason.IDLE),
    MatchVoided(VoidReason.OPERATOR),
    MatchEnded(EndReason.EVENT_LIMIT, (Seat(0), Seat(2)), (40, 10, 40), (1, 3, 1)),
    CardPlayed(
        seat=Seat(0),
        card=Card.BD,
        color=Color.BLUE,
        direction=1,
        turn=Seat(2),
        pending=Pending.TURN,
        unfit=True,
        victim=Seat(1),
        not_before=1_764_513_603_000_000,
    ),
    PlayCalledOut(Seat(0), Card.BD, by=Seat(3), color=Color.RED, direction=1, turn=Seat(1)),
    PlayCalledOut(Seat(0), Card.BR, by=None, color=Color.RED, direction=-1, turn=Seat(4)),
    AdvicePenalized(Seat(2), AdviceReason.NAMED_A_COLOR),
    HandsSwapped(Seat(1), givers=(Seat(1), Seat(3)), takers=(Seat(3), Seat(1))),
    HandsShuffled(Seat(3), number=4, count=23, digest="ab" * 32),
    PlayerEliminated(Seat(2), 3),
    PlayerReturned(Seat(1)),
    PositionPlaced(
        round=1,
        dealer=Seat(1),
        order=(Seat(0), Seat(1)),
        hands=(2, 3),
        discard=(Card.G4, Card.W),
        draw_pile=17,
        color=Color.GREEN,
        direction=-1,
        turn=Seat(0),
        pending=Pending.TURN,
        scores=(120, 40),
        uno=(Seat(0),),
    ),
    ClockRanOut(Seat(1), 2),
    TournamentCanceled(CancelReason.TOO_FEW),
    RoundVoided(4, VoidReason.FAULT),
    MatchVoided(VoidReason.CHEATING),
)


def hashed(
    stream: bytes, version: int, type: str, schema: int, data: bytes, previous: bytes
) -> bytes:
    """The hash of a line: as the event of a stream whose times are its versions."""
    return event_hash(
        stream_id=stream,
        version=version,
        type=type,
        schema=schema,
        occurred_at=version,
        actor="service",
        command_id=None,
        previous=previous,
        data=data,
    )


def lines(stream: bytes, events: Iterable[Event], after: int, previous: bytes) -> Iterator[str]:
    """Events as lines, with versions and hashes that go on from those given."""
    for version, event in enumerate(events, after + 1):
        data, type = encode(event), type_of(event)
        previous = hashed(stream, version, type, SCHEMA, data, previous)
        line = {"type": type, "schema": SCHEMA, "data": data.decode(), "hash": previous.hex()}
        yield json.dumps(line) + "\n"


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a file; none if it does not exist."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _candidates() -> Iterator[Event]:
    """The examples, then what happens in some matches."""
    yield from EXAMPLES
    for seed in range(12):
        *_, table = played(seed)
        yield from table.events
    for seed in TOURNAMENTS:
        *_, evening = tournaments.played(seed)
        yield from evening.events


def add_events() -> None:
    """Append the events that the corpus has too few of."""
    known = read(EVENTS)
    count, seen = Counter(line["type"] for line in known), {line["data"] for line in known}
    wanted = []
    for event in _candidates():
        kind, data = type_of(event), encode(event).decode()
        if data not in seen and (count[kind] < EACH or event in EXAMPLES):
            count[kind] += 1
            seen.add(data)
            wanted.append(event)
    last = bytes.fromhex(known[-1]["hash"]) if known else genesis(STREAM)
    with EVENTS.open("a") as file:
        file.writelines(lines(STREAM, wanted, len(known), last))


def end_of(match: Match) -> dict[str, object]:
    """How a match ended, in what will always be known of one."""
    assert match.result is not None
    return {
        "version": match.version,
        "status": match.status,
        "rounds": match.rounds,
        "dealer": match.dealer,
        "scores": list(match.scores),
        "reason": match.result.reason,
        "winners": list(match.result.winners),
        "places": list(match.result.places),
    }


def voided(seed: int) -> Iterator[Table]:
    """A match that is played to its end, and declared void."""
    *_, table = played(seed)
    table.tell(Actor(ActorKind.OPERATOR), VoidMatch(VoidReason.OPERATOR))
    yield table


def end_of_tournament(tournament: Tournament) -> dict[str, object]:
    """How a tournament ended, in what will always be known of one."""
    assert tournament.result is not None
    return {
        "version": tournament.version,
        "status": tournament.status,
        "rounds": len(tournament.rounds),
        "seeding": list(tournament.seeding),
        "winners": list(tournament.result.winners),
        "places": list(tournament.result.places),
        "points": list(tournament.result.points),
    }


def add_tournament(seed: int) -> None:
    """Store a whole tournament, as a match is stored."""
    path = CORPUS / f"tournament-{seed}.ndjson"
    if not path.exists():
        *_, evening = tournaments.played(seed)
        tournament = evening.tournament
        end = end_of_tournament(tournament)
        first = json.dumps({"stream": tournament.id.hex(), "end": end})
        stored = lines(tournament.id, evening.events, 0, genesis(tournament.id))
        path.write_text(first + "\n" + "".join(stored))


def add_match(name: str, match: Iterator[Table]) -> None:
    """Store a whole match: a line with its id and how it ended, then its events."""
    path = CORPUS / f"match-{name}.ndjson"
    if not path.exists():
        *_, table = match
        head = json.dumps({"stream": table.match.id.hex(), "end": end_of(table.match)})
        stored = lines(table.match.id, table.events, 0, genesis(table.match.id))
        path.write_text(head + "\n" + "".join(stored))


def head(path: Path) -> tuple[int, str]:
    """How many events a file has, and the hash of the last of them."""
    events = [line for line in read(path) if "type" in line]
    return len(events), events[-1]["hash"]


if __name__ == "__main__":
    CORPUS.mkdir(exist_ok=True)
    add_events()
    for seed in MATCHES:
        add_match(f"{seed}", played(seed))
    for seed in FORMS:
        add_match(f"form-{seed}", played(seed, *rules(seed)))
    for seed in HOUSE:
        add_match(f"house-{seed}", played(seed, *test_house.rules(seed)))
    for seed in ANEW:
        add_match(f"anew-{seed}", iter((interrupted(seed),)))
    for seed in PLACED:
        add_match(f"placed-{seed}", played_from(seed, *test_placed.rules(seed)))
    add_match(f"voided-{VOIDED}", voided(VOIDED))
    for seed in TOURNAMENTS:
        add_tournament(seed)
    for path in sorted(CORPUS.iterdir()):  # What HEADS in test_corpus.py has to say.
        print(f"{path.name}: {head(path)}")
