"""What goes wrong in play is logged without the cards, seeds and bodies it went wrong with."""

from __future__ import annotations

import logging

import pytest

from domain.commands import PlayerCommand
from domain.views import SeatView
from service import logs
from tests.play.support import ANN, QUICK, table_of, to_a_bots_turn, until, world

pytestmark = pytest.mark.anyio


async def test_a_policy_that_fails_is_logged_without_its_hand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(view: SeatView, dice: object, memory: object) -> PlayerCommand | None:
        hand = view.you
        raise ArithmeticError(f"a policy has faults, {type(hand).__name__} or not")

    monkeypatch.setattr("service.play.bots.choose", broken)
    handlers, level = logging.root.handlers[:], logging.root.level
    shared = world()
    play = shared.process(QUICK)
    try:
        logs.configure("info")
        match_id = await table_of(play, [ANN], bots=1)
        match = await to_a_bots_turn(shared.log, play, match_id)
        play.bots.resume(match)
        folded = await play.folded(match_id)
        await until(lambda: (play.tables.known(match_id) or folded).match.version > match.version)
    finally:
        await play.stop()
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)
    written = capsys.readouterr().err
    assert "ArithmeticError" in written
    assert "hand=" not in written
    assert '"locals"' not in written
    for seed in match.secrets.values():
        assert seed.hex() not in written
