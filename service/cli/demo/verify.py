"""Verifying a match from its stored bytes and what its players were told, with no server.

Each check is one function that returns what it counted, in words, or raises Mismatch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import Struct

from domain import chain, codec, deal
from domain.cards import points_of
from domain.editions import DECKS
from domain.events import (
    AnyEvent,
    CardPlayed,
    CardsDrawn,
    ChallengeResolved,
    MatchEnded,
    RoundCommitted,
    RoundEnded,
    RoundStarted,
    SeedAdded,
    SeedRevealed,
)
from domain.evolve import evolve, fold
from domain.match import Match, Round, new_match
from service.cli.demo.evidence import Mismatch, Record
from service.cli.demo.testimony import Testimony
from service.cli.demo.wire import Mine

T = TypeVar("T")


class Check(Struct, frozen=True):
    """One line of a report."""

    name: str
    agrees: bool
    words: str


class Report(Struct, frozen=True):
    """What was checked, in order; after a failure others may not have been reached."""

    checks: tuple[Check, ...]

    @property
    def agrees(self) -> bool:
        """Whether everything was checked and agrees."""
        return all(check.agrees for check in self.checks)

    def text(self) -> str:
        """The report, one line for each check."""
        return "\n".join(
            f"  {'ok ' if check.agrees else 'BAD'} {check.name}: {check.words}"
            for check in self.checks
        )


class Runner:
    """Carries checks out, and notes in a list how each ended."""

    def __init__(self, checks: list[Check]) -> None:
        self._checks = checks

    def __call__(self, name: str, check: Callable[[], tuple[str, T]]) -> T | None:
        """What a check found; None if something did not agree."""
        try:
            words, found = check()
        except Mismatch as mismatch:
            self._checks.append(Check(name, False, str(mismatch)))
            return None
        self._checks.append(Check(name, True, words))
        return found


def verify(record: Record, told: Testimony) -> Report:
    """Check everything that can be checked."""
    checks: list[Check] = []
    run = Runner(checks)
    run("hash chain", lambda: check_chain(record))
    run("receipts", lambda: check_receipts(record, told))
    events = run("stored bytes", lambda: decode(record))
    if events is None:
        return Report(tuple(checks))
    seeds = run("seeds", lambda: check_seeds(record.match_id, events))
    if seeds is None:
        return Report(tuple(checks))
    states = run("fold", lambda: refold(record.match_id, events, seeds))
    if states is None:
        return Report(tuple(checks))
    run("cards", lambda: check_cards(events, states))
    run("scores", lambda: check_scores(events, states))
    run("what seats saw", lambda: check_private(events, states, told))
    run("result", lambda: check_result(events, states, told))
    return Report(tuple(checks))


def check_chain(record: Record) -> tuple[str, int]:
    """Every hash follows from the bytes and the hash before (docs/log-format.md)."""
    previous = chain.genesis(record.match_id)
    for expected, stored in enumerate(record.events, 1):
        if stored.version != expected:
            raise Mismatch(f"version {stored.version} stands where {expected} must")
        recomputed = chain.event_hash(
            stream_id=record.match_id,
            version=stored.version,
            type=stored.type,
            schema=stored.schema,
            occurred_at=stored.occurred_at,
            actor=stored.actor,
            command_id=stored.command_id,
            previous=previous,
            data=stored.data,
        )
        if recomputed != stored.hash:
            raise Mismatch(f"version {stored.version}: the hash is not that of its bytes")
        previous = recomputed
    count = len(record.events)
    return f"{count} hashes recomputed from the stored bytes", count


def check_receipts(record: Record, told: Testimony) -> tuple[str, int]:
    """Every receipt names a hash, a previous hash and a position that the history has."""
    hashes = {0: chain.genesis(record.match_id)}
    hashes.update({stored.version: stored.hash for stored in record.events})
    positions = {stored.version: stored.position for stored in record.events}
    for receipt in told.receipts:
        where = f"the receipt of versions {receipt.from_version} to {receipt.version}"
        if hashes.get(receipt.version) != bytes.fromhex(receipt.hash):
            raise Mismatch(f"{where}: its hash is not in the history")
        if hashes.get(receipt.from_version) != bytes.fromhex(receipt.previous_hash):
            raise Mismatch(f"{where}: its previous hash is not in the history")
        if positions[receipt.version] != receipt.position:
            raise Mismatch(f"{where}: its position is not that of the history")
    for version, shown in told.hashes.items():
        if hashes.get(version) != bytes.fromhex(shown):
            raise Mismatch(f"version {version}: an answer gave another hash than the history")
    return f"{len(told.receipts)} receipts stand in the chain", len(told.receipts)


def decode(record: Record) -> tuple[str, tuple[AnyEvent, ...]]:
    """Every stored event is one of the published forms."""
    events = []
    for stored in record.events:
        try:
            events.append(codec.decode(stored.type, stored.schema, stored.data))
        except (codec.UnknownEvent, msgspec.DecodeError) as error:
            raise Mismatch(f"version {stored.version}: {error}") from error
    size = sum(len(stored.data) for stored in record.events)
    return f"{len(events)} events decoded from {size} bytes", tuple(events)


def check_seeds(match_id: bytes, events: tuple[AnyEvent, ...]) -> tuple[str, dict[int, bytes]]:
    """Each round's commitment came before any player's seed, and its revealed seed opens it."""
    committed: dict[int, str] = {}
    seeds: dict[int, bytes] = {}
    mixed = started = 0
    for version, event in enumerate(events, 1):
        if isinstance(event, RoundCommitted):
            committed[event.round] = event.commitment
        elif isinstance(event, SeedAdded | RoundStarted):
            if event.round not in committed:
                raise Mismatch(f"version {version}: round {event.round} was not committed before")
            mixed += isinstance(event, SeedAdded)
            started += isinstance(event, RoundStarted)
        elif isinstance(event, SeedRevealed):
            seeds[event.round] = bytes.fromhex(event.seed)
    if missing := committed.keys() - seeds.keys():
        raise Mismatch(f"the seeds of rounds {sorted(missing)} are not revealed")
    for number, seed in seeds.items():
        if deal.commitment(match_id, number, seed) != committed.get(number):
            raise Mismatch(f"round {number}: the seed is not the one committed to")
    return f"{len(seeds)} commitments opened, {mixed} seeds of players mixed in", seeds


def refold(
    match_id: bytes, events: tuple[AnyEvent, ...], seeds: dict[int, bytes]
) -> tuple[str, tuple[Match, ...]]:
    """The match after each event, from 0; the fold checks the digest of every shuffle."""
    states = [new_match(match_id, seeds)]
    for version, event in enumerate(events, 1):
        try:
            states.append(evolve(states[-1], event))
        except Exception as error:  # evolve crashes on facts that cannot be
            raise Mismatch(f"version {version} ({codec.type_of(event)}): {error!r}") from error
    if fold(events, new_match(match_id, seeds)) != states[-1]:
        raise Mismatch("folding at once and folding step by step differ")
    return f"{states[-1].rounds} rounds dealt and played anew, every shuffle as logged", (*states,)


def check_cards(events: tuple[AnyEvent, ...], states: tuple[Match, ...]) -> tuple[str, int]:
    """Every card played was held; after every event the cards are the deck (DECK-3)."""
    deck = Counter(DECKS[states[-1].options.edition])
    plays = draws = 0
    for version, event in enumerate(events, 1):
        before, after = states[version - 1].round, states[version].round
        if isinstance(event, CardPlayed):
            plays += 1
            if before is None or event.card not in before.hands[event.seat]:
                raise Mismatch(f"version {version}: seat {event.seat} did not hold {event.card}")
        if isinstance(event, CardsDrawn):
            draws += event.drawn
        if after is not None and _all_cards(after) != deck:
            raise Mismatch(f"version {version}: the cards are not the whole deck")
    return f"{plays} plays out of recomputed hands, {draws} cards drawn, none lost", plays


def _all_cards(round_: Round) -> Counter[str]:
    cards: Counter[str] = Counter(round_.pile[round_.drawn :])
    cards.update(round_.discard)
    for hand in round_.hands:
        cards.update(hand)
    return cards


def check_scores(events: tuple[AnyEvent, ...], states: tuple[Match, ...]) -> tuple[str, int]:
    """Each round's gain is the value of the hands left over, and the totals add up (SCORE-1)."""
    totals = [0] * states[-1].seats_total
    rounds = 0
    for version, event in enumerate(events, 1):
        if isinstance(event, MatchEnded) and event.scores != tuple(totals):
            raise Mismatch(f"version {version}: final scores {event.scores}, counted {totals}")
        if not isinstance(event, RoundEnded):
            continue
        rounds += 1
        played = states[version - 1].round
        if played is None or played.hands[event.winner]:
            raise Mismatch(f"version {version}: seat {event.winner} did not go out")
        gains = [0] * len(totals)
        gains[event.winner] = sum(map(points_of, played.hands))
        totals = [total + gain for total, gain in zip(totals, gains, strict=True)]
        if (event.gains, event.scores) != (tuple(gains), tuple(totals)):
            raise Mismatch(f"version {version}: counted gains {gains} and totals {totals}")
    return f"{rounds} rounds counted anew", rounds


def check_private(
    events: tuple[AnyEvent, ...], states: tuple[Match, ...], told: Testimony
) -> tuple[str, int]:
    """Every hand and every card that a seat was shown is the recomputed one."""
    for (version, seat), hand in told.hands.items():
        round_ = states[version].round if version < len(states) else None
        if Counter(hand) != Counter(round_.hands[seat] if round_ else ()):
            raise Mismatch(f"version {version}: seat {seat} was shown another hand")
    for version, seat, mine in told.private:
        if version >= len(states) or mine != _due(version, seat, events, states):
            raise Mismatch(f"version {version}: seat {seat} was told {mine}")
    shown = len(told.hands) + len(told.private)
    return f"{shown} hands and draws shown to seats are the recomputed ones", shown


def _due(version: int, seat: int, events: tuple[AnyEvent, ...], states: tuple[Match, ...]) -> Mine:
    """What a seat had to be told of an event: nothing of what is another's."""
    event, before, after = events[version - 1], states[version - 1].round, states[version].round
    if isinstance(event, CardsDrawn) and event.seat == seat and before and after:
        return Mine(drawn=after.hands[seat][len(before.hands[seat]) :])
    if isinstance(event, RoundStarted) and after:
        return Mine(hand=after.hands[seat])
    if isinstance(event, ChallengeResolved) and event.seat == seat and before and before.penalty:
        return Mine(shown=before.penalty.hand)
    return Mine()


def check_result(
    events: tuple[AnyEvent, ...], states: tuple[Match, ...], told: Testimony
) -> tuple[str, int]:
    """The service's last view says what the history says, and the history has an end."""
    final, view = states[-1], told.last
    if not isinstance(events[-1], MatchEnded) or not final.is_over:
        raise Mismatch("the history does not end with the end of the match")
    if view is None or view.result is None:
        raise Mismatch("the last view shown has no result")
    shown = (view.version, view.status, view.scores, view.result.winners, view.result.places)
    ended = events[-1]
    counted = (final.version, final.status, final.scores, ended.winners, ended.places)
    if shown != counted:
        raise Mismatch(f"the last view says {shown}, the history {counted}")
    best = max(final.scores)
    if {seat for seat, score in enumerate(final.scores) if score == best} != set(ended.winners):
        raise Mismatch(f"the winners {ended.winners} do not have the most points")
    return f"winner and scores {list(final.scores)} as the last view shows them", len(events)
