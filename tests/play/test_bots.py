"""Bots move once, in their time, through anything, and catch those who forget UNO."""

from __future__ import annotations

import asyncio
import random

import pytest

from domain.cards import Card, Color
from domain.commands import (
    Actor,
    ActorKind,
    AddSeed,
    CallUno,
    CatchUno,
    Challenge,
    CreateMatch,
    DrawCard,
    PlayCard,
    PlayerCommand,
    SeatBot,
    StartMatch,
)
from domain.events import BotLevel, Seat, Visibility
from domain.legal import legal_commands
from domain.match import Match, Status
from domain.options import Options
from domain.views import SeatView
from service.play.bots import _harm, _with_color
from service.play.command_ids import command_id
from service.play.contract import Ask
from service.play.errands import GRACE_US, Errand, Kind, due_at, errands
from service.play.matches import Matches
from service.settings import Settings
from tests.play.support import (
    ANN,
    BOB,
    QUICK,
    STILL,
    FaultyLog,
    ask,
    assert_sound,
    key,
    match_id_of,
    play_on,
    refolded,
    running,
    stored,
    table_of,
    to_a_bots_turn,
    world,
)

pytestmark = pytest.mark.anyio
LONG = Options(target=2_000)


async def _until_over(play: Matches, match_id: bytes, seed: int = 1) -> Match:
    """A person's legal moves, in turn with the bots, to the end."""
    dice = random.Random(seed)
    async with asyncio.timeout(20):
        await play_on(play, match_id, dice)
    return (await play.folded(match_id)).match


async def _settled() -> None:
    """Wait until the bots have done what was due at once."""
    for _ in range(50):
        await asyncio.sleep(0)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("level", BotLevel)
async def test_bots_play_whole_matches(level: BotLevel, seed: int) -> None:
    shared = world(2 + seed)
    play = shared.process(QUICK)
    match_id = match_id_of(1)
    async with running(play):
        await play.create(match_id, CreateMatch(Options(), 4, Visibility.PUBLIC, ANN), key("c"))
        for bot in range(3):
            await play.execute(match_id, ask(ANN, SeatBot(level), f"bot {bot}"))
        await play.execute(match_id, ask(ANN, StartMatch(), "start"))
        match = await _until_over(play, match_id, seed)
    assert match.status is Status.FINISHED
    assert match == await refolded(shared.log, match_id)
    await assert_sound(shared.log, match_id, [])
    actors = {one.actor for one in await stored(shared.log, match_id)}
    assert actors == {"seat:0", "bot:1", "bot:2", "bot:3"}


async def test_two_processes_move_a_bot_once() -> None:
    shared = world()
    first, second = (shared.process(STILL, log=FaultyLog(shared.log)) for _ in range(2))
    match_id = await table_of(first, [ANN], bots=2, options=LONG)
    for _ in range(60):
        match = await refolded(shared.log, match_id)
        assert match.round is not None
        if match.round.turn == 0:
            await play_on(first, match_id, random.Random(match.version), 1)
            continue
        for process in (first, second):
            await process.bots._background.stop()  # what waits for its time
            process.bots.resume(match)
        await _settled()
        assert (await refolded(shared.log, match_id)).version > match.version
    by_command = [one for one in await stored(shared.log, match_id) if one.command_id is not None]
    bots = [one for one in by_command if one.actor.startswith("bot")]
    assert len(bots) > 20
    for one in bots:
        seat = one.actor.removeprefix("bot:")
        key_of_move = f"{one.version - 1}:{seat}"
        assert one.command_id == command_id(match_id, ActorKind.BOT, None, key_of_move)


async def test_a_bot_whose_process_is_gone_is_moved_by_another_after_a_while() -> None:
    shared = world()
    gone, other = shared.process(QUICK), shared.process(QUICK)
    match_id = await table_of(gone, [ANN], bots=1, options=LONG)
    await gone.bots.stop()  # crashed: nobody waits for the bot's time
    before = await to_a_bots_turn(shared.log, gone, match_id)
    await other.sweep.resume_due()
    assert (await refolded(shared.log, match_id)).version == before.version
    shared.clock.at += GRACE_US + 1_000  # a microsecond for each event so far, and some
    await other.sweep.resume_due()
    await _settled()
    after = await refolded(shared.log, match_id)
    assert after.version > before.version
    assert after.round is not None


async def test_a_bot_waits_its_time_and_seeds_do_not_postpone_it() -> None:
    shared = world()
    play = shared.process(Settings(bot_move_ms=150))
    match_id = await table_of(play, [ANN], bots=1, options=LONG)
    async with running(play):
        match = await to_a_bots_turn(shared.log, play, match_id)
        for number in range(6):
            await asyncio.sleep(0.04)
            await play.execute(match_id, ask(ANN, AddSeed(2, "YQ"), f"{number}"))
            if number == 1:
                events = await stored(shared.log, match_id)
                assert not any(one.actor == "bot:1" for one in events[match.version :])
        events = await stored(shared.log, match_id)
        assert any(one.actor == "bot:1" for one in events[match.version :])


async def test_a_policy_that_fails_or_asks_for_the_impossible_still_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Case 161, case 162: a call that fails, and a wish that is refused, are made good at once."""
    calls: list[int] = []

    def broken(view: SeatView, dice: object, memory: object) -> PlayerCommand | None:
        calls.append(view.version)
        if len(calls) % 3 == 0:
            raise ArithmeticError("a policy may have faults")
        return Challenge() if len(calls) % 3 == 1 else None

    monkeypatch.setattr("service.play.bots.choose", broken)
    shared = world()
    play = shared.process(QUICK)
    match_id = await table_of(play, [ANN], bots=2, options=LONG)
    async with running(play), asyncio.timeout(10):
        while len(await stored(shared.log, match_id)) < 120:
            await play_on(play, match_id, random.Random(1), 1)
    assert len(calls) > 20
    await assert_sound(shared.log, match_id, [])


async def test_a_bot_goes_on_after_the_log_was_away() -> None:
    shared = world()
    log = FaultyLog(shared.log)
    play = shared.process(QUICK, log=log)
    match_id = await table_of(play, [ANN], bots=1, options=LONG)
    async with running(play):
        for _ in range(10):
            match = await refolded(shared.log, match_id)
            if match.round is not None and match.round.turn == 0:
                log.faults = ["", "unavailable"]  # the second append is the bot's
                await play_on(play, match_id, random.Random(match.version), 1)
            moved = match.version

            async def has_moved(version: int = moved) -> bool:
                return (await refolded(shared.log, match_id)).version > version

            async with asyncio.timeout(5):
                while not await has_moved():
                    await asyncio.sleep(0.01)
    assert any(one.actor == "bot:1" for one in await stored(shared.log, match_id))


async def _table_where_ann_owes_uno(
    play: Matches, bots: int, people: tuple[str, ...] = (ANN, BOB)
) -> bytes:
    """A table at which Ann has just laid her second-to-last card in silence."""
    for number in range(1, 200):
        match_id = await table_of(play, people, bots=bots, options=LONG, number=number)
        dice = random.Random(number)
        for turn in range(120):
            match = (await play.folded(match_id)).match
            running_round = match.round
            assert running_round is not None
            if running_round.uno_owed == 0:
                return match_id
            seat = running_round.turn
            legal = legal_commands(match, seat)
            # The others draw and keep, so that Ann goes out first.
            wanted = [one for one in legal if not isinstance(one, CallUno | CatchUno)]
            if seat == 0:
                silent = [one for one in wanted if isinstance(one, PlayCard) and not one.uno]
                wanted = silent or wanted
            else:
                idle = [one for one in wanted if not isinstance(one, PlayCard | Challenge)]
                wanted = idle or wanted
            await _as_anybody(play, match_id, match, seat, dice.choice(wanted), f"{turn}")
    raise AssertionError("nobody ever owed UNO")


async def _as_anybody(
    play: Matches, match_id: bytes, match: Match, seat: Seat, command: PlayerCommand, name: str
) -> None:
    """Carry out a command for a seat, a bot's too."""
    player = match.seats[seat].player
    if player is not None:
        await play.execute(match_id, ask(player, command, name))
        return
    await play.execute(
        match_id, Ask(Actor(ActorKind.BOT, seat), command, key(f"bot {name}"), if_match=None)
    )


@pytest.mark.parametrize("people", [(ANN, BOB), (ANN,)])
async def test_a_bot_catches_who_forgot_uno_after_leaving_time_to_say_it(
    people: tuple[str, ...],
) -> None:
    """Case 164: people come first."""
    shared = world()
    play = shared.process(STILL)
    match_id = await _table_where_ann_owes_uno(play, bots=2, people=people)
    await play.bots.stop()
    catcher = shared.process(Settings(bot_move_ms=60_000, bot_catch_ms=100))
    match = await refolded(shared.log, match_id)
    catcher.bots.committed(match)
    await asyncio.sleep(0.03)
    assert (await refolded(shared.log, match_id)).version == match.version
    await asyncio.sleep(0.15)
    events = (await stored(shared.log, match_id))[match.version :]
    assert [one.type for one in events] == ["uno_caught", "cards_drawn"]
    assert events[0].actor in ("bot:1", "bot:2", "bot:3")
    await catcher.bots.stop()


async def test_a_bot_that_is_next_leaves_time_to_say_uno_too() -> None:
    shared = world()
    play = shared.process(STILL)
    settings = Settings(bot_move_ms=10, bot_catch_ms=900)
    match_id = await _table_where_ann_owes_uno(play, bots=2, people=(ANN,))
    match = await refolded(shared.log, match_id)
    assert match.round is not None
    assert match.round.turn != 0
    found = [(one.kind, one.after_us) for one in errands(match, settings)]
    assert found == [(Kind.CATCH, 900_000), (Kind.CATCH, 900_000), (Kind.MOVE, 900_000)]


async def test_who_says_uno_in_time_is_not_caught() -> None:
    """Case 164."""
    shared = world()
    play = shared.process(STILL)
    match_id = await _table_where_ann_owes_uno(play, bots=1)
    await play.bots.stop()
    catcher = shared.process(Settings(bot_move_ms=60_000, bot_catch_ms=50))
    async with running(catcher):
        catcher.bots.committed((await catcher.folded(match_id)).match)
        done = await catcher.execute(match_id, ask(ANN, CallUno(), "uno"))
        await asyncio.sleep(0.1)
        assert len(await stored(shared.log, match_id)) == done.version


async def test_errands_follow_from_the_state() -> None:
    shared = world()
    play = shared.process(STILL)
    settings = Settings(bot_move_ms=100, bot_catch_ms=900)
    match_id = await _table_where_ann_owes_uno(play, bots=2)
    match = await refolded(shared.log, match_id)
    assert match.round is not None
    found = errands(match, settings)
    assert [one.kind for one in found][:2] == [Kind.CATCH, Kind.CATCH]
    assert {one.seat for one in found} == {2, 3}
    assert all(one.after_us == 900_000 for one in found)
    assert due_at(match, 5, settings) == 5 + 900_000 + GRACE_US


async def test_nothing_is_due_while_people_are_waited_for() -> None:
    shared = world()
    play = shared.process(STILL)
    match_id = await table_of(play)
    match = await refolded(shared.log, match_id)
    assert errands(match, STILL) == ()
    assert due_at(match, 5, STILL) is None
    shared.clock.at += 10**9
    assert await shared.log.due(shared.clock.at, 10) == ()


async def test_a_bot_to_move_is_due_in_the_log() -> None:
    shared = world()
    play = shared.process(Settings(bot_move_ms=300))
    match_id = await table_of(play, [ANN], bots=1, options=LONG)
    match = await to_a_bots_turn(shared.log, play, match_id)
    last = (await stored(shared.log, match_id))[-1].occurred_at
    assert errands(match, Settings(bot_move_ms=300)) == (Errand(Seat(1), Kind.MOVE, 300_000),)
    due = last + 300_000 + GRACE_US
    assert await shared.log.due(due - 1, 10) == ()
    assert await shared.log.due(due, 10) == (match_id,)
    await play.bots.stop()


async def test_stopping_leaves_no_bot_at_work() -> None:
    shared = world()
    play = shared.process(Settings(bot_move_ms=30))
    await play.start()
    match_id = await table_of(play, [ANN], bots=2, options=LONG)
    match = await to_a_bots_turn(shared.log, play, match_id)
    assert list(play.bots._waiting) == [match_id]
    await play.stop()
    await asyncio.sleep(0.06)
    assert (await refolded(shared.log, match_id)).version == match.version
    assert play.bots._background._tasks == set()


def test_a_wild_of_the_fallback_names_a_color() -> None:
    assert _with_color(PlayCard(Card.W)) == PlayCard(Card.W, Color.RED)
    assert _with_color(PlayCard(Card.R5)) == PlayCard(Card.R5)
    assert sorted([CallUno(), PlayCard(Card.R5), DrawCard()], key=_harm)[0] == DrawCard()
