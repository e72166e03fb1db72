"""What one command costs in play alone, on stores in memory: ``python -m tests.play.measure``.

Printed is processor time per command, everything but HTTP and the servers: found, decided,
appended, evolved, answered with the seat's view, and packed for the view store.
"""

from __future__ import annotations

import asyncio
import random
import time
from typing import Final

from domain.options import Options
from tests.play.support import ANN, BOB, CAT, DAN, ask, choice, table_of, world

COMMANDS: Final = 5_000


async def _measure() -> float:
    """Microseconds of processor time for one command."""
    play, dice, spent = world().process(), random.Random(1), 0
    await play.start()
    match_id = await table_of(play, [ANN, BOB, CAT, DAN], options=Options(target=2_000))
    number = 1
    for done in range(COMMANDS):
        match = (await play.folded(match_id)).match
        chosen = choice(match, dice)
        if chosen is None:
            number += 1
            match_id = await table_of(play, [ANN, BOB, CAT, DAN], number=number)
            continue
        one = ask(*chosen, f"{done}")
        started = time.process_time_ns()
        await play.execute(match_id, one)
        spent += time.process_time_ns() - started
    await play.stop()
    return spent / COMMANDS / 1_000


if __name__ == "__main__":
    print(f"{asyncio.run(_measure()):.0f} µs of processor time per command")
