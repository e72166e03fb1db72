"""Replaying recorded matches on one core: decoded, chained and folded, with every check."""

from __future__ import annotations

import time

from domain.deal import shuffled
from domain.events import SeedRevealed
from domain.evolve import fold
from domain.match import new_match
from service.cli.bench.stores import Rate
from service.cli.demo.evidence import Record
from service.cli.demo.verify import check_chain, decode


def replay(record: Record) -> int:
    """Verify a match's chain and fold it; the number of its events. Raises Mismatch.

    Shuffles are computed each time: an auditor meets every match once.
    """
    shuffled.cache_clear()
    check_chain(record)
    _, events = decode(record)
    seeds = {
        event.round: bytes.fromhex(event.seed)
        for event in events
        if isinstance(event, SeedRevealed)
    }
    match = fold(events, new_match(record.match_id, seeds))
    return match.version


def replayed_events(record: Record, seconds: float) -> Rate:
    """How many events were replayed, in seconds of processor time."""
    began, deadline = time.process_time(), time.perf_counter() + seconds
    events = 0
    while time.perf_counter() < deadline:
        events += replay(record)
    return Rate(events, time.process_time() - began)
