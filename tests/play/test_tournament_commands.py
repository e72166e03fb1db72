"""A tournament's commands: each carried out once, whatever becomes of an append or its answer."""

from __future__ import annotations

import asyncio

import pytest

from domain.commands import Actor, ActorKind
from domain.ports import EventLog
from domain.refusals import Refusal, RuleViolation
from domain.terms import BotLevel
from domain.tournaments.commands import (
    AnyTournamentCommand,
    CreateTournament,
    Enter,
    EnterBot,
    StartTournament,
    Withdraw,
)
from domain.tournaments.settings import Settings
from domain.tournaments.terms import Format
from infra.memory import MemoryLog
from infra.memory_tournaments import MemoryTournamentLines
from service.play.contract import Busy, KeyReused, StaleVersion
from service.tournaments.contract import NoTournament, TournamentAsk
from service.tournaments.handle import Tournaments
from tests.play.support import FaultyLog

pytestmark = pytest.mark.anyio

CUP = bytes(15) + b"c"
CREATE = CreateTournament(Settings(Format.KNOCKOUT))
ORGANIZER, ENTRANT = Actor(ActorKind.ORGANIZER), Actor(ActorKind.ENTRANT)
BOT = EnterBot(BotLevel.RANDOM)


def tournaments(log: EventLog) -> Tournaments:
    return Tournaments(
        log, MemoryTournamentLines(), heartbeat_seconds=1.0, stopping=asyncio.Event()
    )


def ask(
    command: AnyTournamentCommand,
    key: int,
    actor: Actor = ORGANIZER,
    *,
    player: str | None = None,
    if_match: int | None = None,
    fingerprint: bytes | None = None,
) -> TournamentAsk:
    return TournamentAsk(actor, command, bytes((key,)) * 16, fingerprint, player, if_match)


@pytest.fixture
def log() -> FaultyLog:
    return FaultyLog(MemoryLog())


@pytest.mark.parametrize("fault", ["lost", "late", "unanswered"])
async def test_a_command_whose_answer_is_lost_is_carried_out_once(
    log: FaultyLog, fault: str
) -> None:
    held = tournaments(log)
    await held.execute(CUP, ask(CREATE, 1))
    log.faults = [fault]

    first = await held.execute(CUP, ask(BOT, 2))
    again = await held.execute(CUP, ask(BOT, 2))

    assert (first.version, first.replayed, again.replayed) == (2, False, True)
    assert (again.events, again.receipt, again.tournament) == (
        first.events,
        first.receipt,
        first.tournament,
    )
    assert len((await log.read(CUP)).events) == 2


async def test_what_cannot_be_stored_is_said_to_be_busy_and_nothing_is_done(
    log: FaultyLog,
) -> None:
    held = tournaments(log)
    await held.execute(CUP, ask(CREATE, 1))
    log.faults = ["unavailable"]

    with pytest.raises(Busy):
        await held.execute(CUP, ask(BOT, 2))

    assert len((await log.read(CUP)).events) == 1


async def test_two_processes_share_a_tournament(log: FaultyLog) -> None:
    one, two = tournaments(log), tournaments(log)
    await one.execute(CUP, ask(CREATE, 1))
    await two.current(CUP)
    await one.execute(CUP, ask(BOT, 2))

    other = await two.execute(CUP, ask(BOT, 3))
    same = await asyncio.gather(*(who.execute(CUP, ask(BOT, 4)) for who in (one, two)))

    assert other.version == 3
    assert {done.version for done in same} == {4}
    assert sorted(done.replayed for done in same) == [False, True]
    assert await one.current(CUP) == await two.current(CUP)


async def test_a_retry_shows_the_tournament_as_of_then(log: FaultyLog) -> None:
    held = tournaments(log)
    await held.execute(CUP, ask(CREATE, 1))
    first = await held.execute(CUP, ask(BOT, 2))
    await held.execute(CUP, ask(BOT, 3))

    again = await held.execute(CUP, ask(BOT, 2))

    assert again.tournament == first.tournament
    assert len(again.tournament.entries) == 1


async def test_a_key_with_another_body_is_refused(log: FaultyLog) -> None:
    held = tournaments(log)
    await held.execute(CUP, ask(CREATE, 1))
    await held.execute(CUP, ask(BOT, 2, fingerprint=b"one"))

    with pytest.raises(KeyReused):
        await held.execute(CUP, ask(BOT, 2, fingerprint=b"two"))


async def test_a_version_that_is_not_met_and_a_refusal_hold_on_the_newest_state(
    log: FaultyLog,
) -> None:
    one, two = tournaments(log), tournaments(log)
    await one.execute(CUP, ask(CREATE, 1))
    await two.current(CUP)
    await one.execute(CUP, ask(BOT, 2))
    await one.execute(CUP, ask(BOT, 3))

    with pytest.raises(StaleVersion):
        await two.execute(CUP, ask(BOT, 4, if_match=1))
    assert (await two.execute(CUP, ask(StartTournament(), 5))).events


async def test_who_acts_is_found_by_their_digest_each_time(log: FaultyLog) -> None:
    held = tournaments(log)
    await held.execute(CUP, ask(CREATE, 1))
    await held.execute(CUP, ask(BOT, 2))
    ann = "a" * 64

    entered = await held.execute(CUP, ask(Enter(ann), 3, ENTRANT, player=ann))
    twice = await held.execute(CUP, ask(Enter(ann), 4, ENTRANT, player=ann))
    left = await held.execute(CUP, ask(Withdraw(), 5, ENTRANT, player=ann))

    assert [item.actor for item in (*entered.events, *left.events)] == ["entrant:1", "entrant:1"]
    assert (twice.events, twice.version) == ((), 3)
    with pytest.raises(RuleViolation) as refused:
        await held.execute(CUP, ask(Withdraw(), 6, ENTRANT, player="b" * 64))
    assert refused.value.refusal is Refusal.ENTRANT_MUST_TAKE_PART


async def test_a_tournament_that_is_not_there_is_not_found(log: FaultyLog) -> None:
    held = tournaments(log)

    with pytest.raises(NoTournament):
        await held.execute(CUP, ask(BOT, 2))
    with pytest.raises(NoTournament):
        await held.current(CUP)


async def test_many_streams_read_the_log_as_often_as_one(log: FaultyLog) -> None:
    held = tournaments(log)
    await held.execute(CUP, ask(CREATE, 1))
    before = log.reads
    streams = [held.stream(CUP, 0) for _ in range(40)]

    firsts = await asyncio.gather(*(anext(stream) for stream in streams))

    assert [first.version for first in firsts if first is not None] == [1] * 40
    assert log.reads == before + 1
    for stream in streams:
        await stream.aclose()  # type: ignore[attr-defined]
