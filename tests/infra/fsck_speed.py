"""How fast a database is looked through: python -m tests.infra.fsck_speed [EVENTS].

It stores random matches until there are so many events (120,000 unless said), with checkpoints, in
a Postgres of its own, and then runs ``talon fsck`` with one process and with one a core.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

from domain.audit.statements import PublicKey, origin_of
from infra.embedded.servers import EmbeddedServers
from infra.postgres.keys import PostgresKeys
from infra.postgres.log import PostgresLog
from infra.postgres.migrate import upgrade
from infra.postgres.trees import PostgresTrees
from infra.projections.leader import MemoryLeader
from infra.proofs.checkpointer import Checkpointer
from infra.proofs.last_signed import LastSignedFile
from infra.sealing import Sealer, key_from
from tests.house.running import COMMAND, environment
from tests.infra.checkpoints import KEY
from tests.infra.stored_matches import begun, store, whole

SEAL_KEY = "A" * 43


async def fill(url: str, folder: Path, events: int) -> int:
    """Store matches, four that are over for each that goes on, and sign as a service would."""
    log = await PostgresLog.open(url, Sealer(key_from(SEAL_KEY)), pool_size=2)
    key = PublicKey(KEY.key_id, KEY.public_key, 1)
    await PostgresKeys(log.pool).keep(key)
    trees, last = PostgresTrees(log.pool), LastSignedFile(folder)
    signing = Checkpointer(MemoryLeader(), trees, last, KEY, origin_of(key))
    for seed in count():
        await store(log, begun(seed, 60) if seed % 5 == 4 else whole(seed))
        if seed % 3 == 0:
            while await signing.step():
                pass
            if await log.position() >= events:
                break
    found = await log.position()
    await log.close()
    return found


def main(events: int) -> None:
    """Fill, and look through."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with EmbeddedServers(folder, valkey=False, durable=False) as servers:
            url = str(servers.database_url)
            upgrade(url)
            print(f"{asyncio.run(fill(url, folder, events)):,} events stored", flush=True)
            settings = {"TALON_SEAL_KEY": SEAL_KEY, "TALON_DATA": name}
            for jobs in sorted({1, os.cpu_count() or 1}):
                words = [*COMMAND, "fsck", "--database-url", url, "--jobs", str(jobs)]
                began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
                done = subprocess.run(
                    words, env=environment(settings), text=True, capture_output=True
                )
                seconds = time.monotonic() - began
                used = resource.getrusage(resource.RUSAGE_CHILDREN)
                processor = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
                print(f"--jobs {jobs}: {done.stdout}{done.stderr}", end="")
                print(
                    f"  {seconds:.1f} s from start to end, {processor:.1f} s of processors without"
                    f" Postgres; no process had over {used.ru_maxrss // 1024} MiB"
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 120_000)
