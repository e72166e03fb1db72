"""A command is carried out once, on the state in which it arrives."""

from __future__ import annotations

import asyncio
import random

import pytest
from msgspec import UNSET

from domain.commands import (
    AddSeed,
    CallUno,
    CatchUno,
    Challenge,
    CreateMatch,
    DrawCard,
    JoinMatch,
    LeaveSeat,
    PassTurn,
    StartMatch,
)
from domain.events import Seat, Visibility
from domain.legal import legal_commands
from domain.match import Status
from domain.refusals import Refusal, RuleViolation
from domain.sight import view_of
from service.play.contract import KeyReused, NoMatch, StaleVersion
from tests.play.support import (
    ANN,
    BOB,
    CAT,
    DAN,
    SHORT,
    FaultyLog,
    ask,
    assert_sound,
    choice,
    key,
    match_id_of,
    play_on,
    refolded,
    running,
    stored,
    table_of,
    world,
)

pytestmark = pytest.mark.anyio


async def test_an_answer_tells_what_happened_and_what_holds_now() -> None:
    play = world().process()
    async with running(play):
        match_id = await table_of(play)
        before = (await play.folded(match_id)).match
        assert before.round is not None
        player = before.seats[before.round.turn].player
        assert player is not None
        done = await play.execute(match_id, ask(player, DrawCard(), "draw"))
        events = await stored(play.handler._log, match_id)
        assert [item.type for item in done.events] == ["cards_drawn"]
        assert done.events[0].mine is not UNSET
        assert done.events[0].mine.drawn == (before.round.pile[before.round.drawn],)
        assert done.view == view_of(await refolded(play.handler._log, match_id), before.round.turn)
        assert done.version == before.version + 1 == done.receipt.version == len(events)
        assert done.receipt.from_version == before.version
        assert done.receipt.hash == events[-1].hash.hex()
        assert done.receipt.previous_hash == events[-2].hash.hex()
        assert done.receipt.position == events[-1].position
        assert done.events[0].occurred_at.endswith("Z")


async def test_a_retry_gets_the_first_answer_with_the_view_as_of_then() -> None:
    shared = world()
    play = shared.process()
    async with running(play):
        match_id = await table_of(play, [ANN, BOB, CAT])
        dice = random.Random(3)
        first = await play_on(play, match_id, dice, 20)
        asked = []
        match = (await play.folded(match_id)).match
        for _ in range(20):
            chosen = choice(match, dice)
            if chosen is None:
                break
            one = ask(*chosen, f"again-{match.version}")
            asked.append((one, await play.execute(match_id, one)))
            match = (await play.folded(match_id)).match
        await play_on(play, match_id, dice, 30)
        cold = shared.process()
        for one, answer in asked:
            for process in (play, cold):
                again = await process.execute(match_id, one)
                assert again.replayed
                assert (again.version, again.events, again.view, again.receipt) == (
                    answer.version,
                    answer.events,
                    answer.view,
                    answer.receipt,
                )
        await assert_sound(shared.log, match_id, [*first, *(answer for _, answer in asked)])


async def test_a_retry_after_the_seeds_are_revealed_still_gets_the_first_answer() -> None:
    shared = world()
    play = shared.process()
    async with running(play):
        match_id = await table_of(play)
        match = (await play.folded(match_id)).match
        chosen = choice(match, random.Random(1))
        assert chosen is not None
        one = ask(*chosen, "first")
        answer = await play.execute(match_id, one)
        await play_on(play, match_id, random.Random(2))
        assert (await play.folded(match_id)).match.status is Status.FINISHED
        again = await shared.process().execute(match_id, one)
        assert again.view == answer.view
        assert again.events == answer.events


async def test_a_key_used_with_another_body_is_refused() -> None:
    play = world().process()
    match_id = await table_of(play)
    await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "seed"))
    with pytest.raises(KeyReused):
        await play.execute(match_id, ask(ANN, AddSeed(2, "Yg"), "seed"))


async def test_a_refusal_is_not_stored_and_its_key_may_be_used_again() -> None:
    play = world().process()
    match_id = await table_of(play)
    with pytest.raises(RuleViolation):
        await play.execute(match_id, ask(ANN, AddSeed(9, "YQ"), "seed"))
    done = await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "seed"))
    assert not done.replayed


async def test_a_command_on_another_version_than_the_one_seen_is_stale() -> None:
    play = world().process()
    match_id = await table_of(play)
    version = (await play.folded(match_id)).match.version
    with pytest.raises(StaleVersion) as stale:
        await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a", if_match=version - 1))
    assert stale.value.version == version
    done = await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "b", if_match=version))
    assert done.version == version + 1


async def test_a_retry_is_found_before_the_version_is_compared() -> None:
    play = world().process()
    match_id = await table_of(play)
    version = (await play.folded(match_id)).match.version
    one = ask(ANN, AddSeed(2, "YQ"), "a", if_match=version)
    await play.execute(match_id, one)
    assert (await play.execute(match_id, one)).replayed


@pytest.mark.parametrize("command", [CallUno(), CatchUno(Seat(1))])
async def test_calls_and_catches_are_judged_on_arrival(command: CallUno | CatchUno) -> None:
    play = world().process()
    match_id = await table_of(play)
    with pytest.raises(RuleViolation) as refused:  # UNO-10: not StaleVersion
        await play.execute(match_id, ask(ANN, command, "uno", if_match=1))
    assert refused.value.refusal in (Refusal.UNO_MUST_BE_OWED, Refusal.CATCH_MUST_BE_IN_TIME)


async def test_a_seat_is_that_of_the_person_who_asks_in_the_state_that_decides() -> None:
    shared = world()
    play, other = shared.process(), shared.process()
    match_id = match_id_of(1)
    await play.create(match_id, CreateMatch(SHORT, 4, Visibility.PUBLIC, ANN), key("c"))
    for person in (BOB, CAT, DAN):
        await play.execute(match_id, ask(person, JoinMatch(person), person))
    assert (await other.folded(match_id)).match.seat_of(CAT) == 2
    await play.execute(match_id, ask(BOB, LeaveSeat(), "leave"))
    done = await other.execute(match_id, ask(CAT, AddSeed(1, "YQ"), "seed"))
    assert done.events[0].seat == 1
    assert done.events[0].actor == "seat:1"
    assert done.view.you is not UNSET
    assert done.view.you.seat == 1


async def test_who_has_no_seat_is_refused() -> None:
    play = world().process()
    match_id = await table_of(play)
    with pytest.raises(RuleViolation) as refused:
        await play.execute(match_id, ask(CAT, DrawCard(), "x"))
    assert refused.value.refusal is Refusal.SEAT_MUST_BE_YOURS


async def test_there_is_no_match_to_command_or_read() -> None:
    play = world().process()
    with pytest.raises(NoMatch):
        await play.execute(match_id_of(9), ask(ANN, DrawCard(), "x"))
    with pytest.raises(NoMatch):
        await play.folded(match_id_of(9))


async def test_creating_twice_under_one_id_gives_the_first_answer() -> None:
    shared = world()
    command = CreateMatch(SHORT, 2, Visibility.PUBLIC, ANN)
    first = await shared.process().create(match_id_of(1), command, key("c"))
    again = await shared.process().create(match_id_of(1), command, key("c"))
    assert not first.replayed
    assert again.replayed
    assert (again.events, again.view, again.receipt) == (first.events, first.view, first.receipt)
    assert first.view.you is not UNSET
    assert first.view.you.seat == 0


async def test_what_is_so_already_changes_nothing() -> None:
    play = world().process()
    match_id = await table_of(play)
    before = await play.folded(match_id)
    done = await play.execute(match_id, ask(ANN, StartMatch(), "start again"))
    assert done.events == ()
    assert done.version == done.receipt.version == done.receipt.from_version == before.match.version
    assert done.receipt.hash == before.head.hash.hex()
    assert done.receipt.position == before.position


async def test_times_never_stand_still_nor_go_back() -> None:
    shared = world()
    play = shared.process()
    match_id = await table_of(play)
    shared.clock.at -= 5_000_000
    await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), "a"))
    await play.execute(match_id, ask(BOB, AddSeed(2, "YQ"), "b"))
    events = await stored(shared.log, match_id)
    by_command = [one.occurred_at for one in events if one.command_id is not None]
    assert by_command == sorted(set(by_command))


async def test_the_hot_path_is_one_append_and_no_read() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    match_id = await table_of(play)
    appends, reads = log.appends, log.reads
    answers = await play_on(play, match_id, random.Random(5), 10)
    assert (log.appends - appends, log.reads - reads) == (len(answers), 0)


async def test_a_trial_changes_nothing_and_says_what_would_be() -> None:
    shared = world()
    play = shared.process()
    match_id = await table_of(play)
    match = (await play.folded(match_id)).match
    assert match.round is not None
    mover = match.seats[match.round.turn].player
    waiter = match.seats[1 - match.round.turn].player
    assert mover is not None
    assert waiter is not None
    assert await play.dry_run(match_id, ask(mover, DrawCard(), "x")) == match.version
    with pytest.raises(RuleViolation):
        await play.dry_run(match_id, ask(mover, PassTurn(), "x"))
    with pytest.raises(RuleViolation):
        await play.dry_run(match_id, ask(waiter, DrawCard(), "x"))
    with pytest.raises(StaleVersion):
        await play.dry_run(match_id, ask(mover, DrawCard(), "x", if_match=1))
    assert await refolded(shared.log, match_id) == match
    assert (await play.folded(match_id)).match == match


async def test_a_trial_answers_as_the_command_would_and_shows_no_outcome() -> None:
    shared = world()
    play = shared.process()
    match_id = await table_of(play, [ANN, BOB, CAT])
    dice = random.Random(6)
    for _ in range(60):
        match = (await play.folded(match_id)).match
        if match.is_over:
            break
        for seat, player in enumerate((ANN, BOB, CAT)):
            legal = legal_commands(match, Seat(seat))
            for command in {*legal, DrawCard(), PassTurn(), Challenge(), CallUno()}:
                try:
                    would = await play.dry_run(match_id, ask(player, command, "x"))
                except RuleViolation:
                    assert command not in legal
                else:
                    assert command in legal
                    assert would == match.version
        await play_on(play, match_id, dice, 1)
    assert match.version > 60


async def test_a_caller_who_goes_away_leaves_a_whole_command() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(log=log)
    match_id = await table_of(play)
    one = ask(ANN, AddSeed(2, "YQ"), "seed")
    caller = asyncio.create_task(play.execute(match_id, one))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    await play.handler.drain()
    known = (await play.folded(match_id)).match
    assert known.client_seeds[0] == b"a"
    assert known == await refolded(shared.log, match_id)
    assert (await play.execute(match_id, one)).replayed
