"""Every limit of the game and its service, each with its reason."""

from __future__ import annotations

from typing import Final

SEATS_MIN: Final = 2
"""SETUP-1."""
SEATS_MAX: Final = 10
"""SETUP-1: ten hands of seven leave 38 cards of 108."""
EVENTS_PER_MATCH: Final = 5_000
"""LIMIT-1: every match ends, and a whole match folds in well under a second."""
EVENTS_PER_COMMAND: Final = 64
"""Room kept below EVENTS_PER_MATCH for what one command may add (a last card, its penalty over a
reshuffle, the count and the next deal come to fewer than 20)."""
CLIENT_SEED_BYTES: Final = 32
"""As many bits as the system's own seed: more could not add anything."""
CLIENT_SEEDS_PER_ROUND: Final = 32
"""A seat may change its bytes; without a bound it could end a match alone, by LIMIT-1."""
SEATINGS_PER_PLAYER: Final = 8
"""Who sits down and gets up again without a bound could end an open table alone, by LIMIT-1."""
ADVICE_RULINGS_PER_ROUND: Final = 16
"""Without a bound a host could end a match alone, by LIMIT-1."""
TARGET_MIN: Final = 50
TARGET_MAX: Final = 2_000
"""rules.md 13: below, a match is one hand; above, LIMIT-1 would end it."""
SCORE_MAX: Final = 1_000_000
"""More points than the longest match could bring anybody: what a placed total may be."""
CARDS_MAX: Final = 112
"""DECK-2: the larger deck, and so the longest list of cards."""
PARTNERS_SEATS: Final = 4
"""TEAM-1, ROT-1."""
STARTING_HAND_MIN: Final = 5
STARTING_HAND_MAX: Final = 10
"""HOUSE-6: ten hands of ten leave eight cards of 108, one of them no wild draw four at least."""
ROUNDS_PER_PAIRING_MAX: Final = 8
CYCLES_MAX: Final = 4
"""ROT-1: 96 rounds at most, which LIMIT-1 may cut short."""
ROUNDS_MAX: Final = 16
"""SCORE-5: an evening; who wants more plays to a target."""
CLOCK_SECONDS_MIN: Final = 5
CLOCK_SECONDS_MAX: Final = 14 * 86_400
"""AWAY-1: nobody reads a hand faster; a match by post has a turn a fortnight."""
CLOCK_RUNS_MAX: Final = 3
"""AWAY-2: times in a row after which a player is away."""
UNO_GRACE_SECONDS_MAX: Final = 10
"""UNO-7: longer, and those who wait for a turn think that the table has stopped."""
BODY_BYTES: Final = 16 * 1024
"""The largest command is under 1 KiB; the largest request (a list of tags) under 4."""
PAGE_ITEMS: Final = 200
"""A page of a list: about 100 KiB of events."""
NAME_CHARACTERS: Final = 32
"""A name fits a seat on a phone."""
IDEMPOTENCY_KEY_CHARACTERS: Final = 255
"""As other public APIs take."""
APPEND_RETRIES: Final = 3
"""Conflicts with another process in a row before a caller is told to try again."""
BATCH_COMMANDS: Final = 256
BATCH_BYTES: Final = 1_000_000
"""One append statement: large enough to share a disk flush, small enough to stay under 50 ms."""
QUEUE_SECONDS: Final = 5
"""Longest wait of a command for its append before the caller is told to come back."""
STATEMENT_SECONDS: Final = 5
LOCK_SECONDS: Final = 2
"""A stalled statement must not hold the counter for longer."""
SPECTATOR_DELAY_SECONDS: Final = 3_600
"""Longer than a round takes, so that nobody can tell a player anything of use; whoever wants more
makes the match private."""
IDLE_DAYS: Final = 30
"""AWAY-9: days without an event after which an unfinished match is abandoned."""
WEBHOOKS_PER_APP: Final = 10
"""A few services for a few environments; each event is delivered to each."""
WEBHOOK_URL_CHARACTERS: Final = 512
"""Room for a path and a query; longer ones are no addresses any more."""
WEBHOOK_TYPES: Final = 32
"""More than there are types."""
WEBHOOK_AT_ONCE: Final = 4
"""Requests to one receiver at the same time: a small server bears it."""
WEBHOOK_SECONDS: Final = 10
"""Longest wait for a receiver's whole answer: it should note the delivery and answer."""
WEBHOOK_DAYS_FAILING: Final = 3
"""Without one success for so long a webhook is disabled: nobody looks after it."""
WEBHOOK_DAYS_KEPT: Final = 14
WEBHOOK_LOG: Final = 10_000
"""How long and how far a webhook's log goes back: about 5 MB."""
WEBHOOK_WAITING: Final = 100_000
"""Deliveries that wait for a webhook before it is disabled: its receiver is too slow for them."""
WEBHOOK_OLD_SECRET_HOURS: Final = 24
"""How long the secret before a rotation signs too: a receiver is deployed within a day."""
ENTRANTS_MIN: Final = 2
ENTRANTS_MAX: Final = 128
"""A swiss of seven rounds; its whole history stays as short as that of one long match."""
TOURNAMENT_ROUNDS_MAX: Final = 16
"""An evening; and with 128 entrants, fewer than 5,000 events."""
ARRIVAL_SECONDS_MIN: Final = 10
ARRIVAL_SECONDS_MAX: Final = 14 * 86_400
"""Nobody finds a table faster; a tournament by post has a table a fortnight."""
RATING_MAX: Final = 100_000
"""More than any list of ratings goes up to."""
ENTRIES_PER_PLAYER: Final = 8
"""Who enters and leaves again without a bound could fill a tournament's history alone."""
REPLACEMENTS_PER_ENTRANT: Final = 8
"""The same, for substitutes."""
VOIDS_PER_TABLE: Final = 8
"""The same, for tables that are played again."""
