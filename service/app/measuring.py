"""Which numbers of which parts are shown as which metric; imported only if that is asked for."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from domain.ports import Recorded
from infra.postgres.writer import Appended, Writer
from infra.projections.fallback import FallbackBoards
from infra.projections.ranking_reads import RankingReads
from infra.webhooks.sender import Sender
from service.app.keeping import Kept
from service.app.stores import Stores
from service.metrics import listed
from service.metrics.requests import Requests
from service.metrics.sampling import Sampler, Words
from service.open_streams import Followed
from service.play.matches import Matches
from service.routes import OPERATIONS
from service.services import Services

_SECOND: Final = 1e6
"""In microseconds."""
Word = TypeVar("Word", bound=str)


class Measured:
    """A process that serves requests; ``requests`` is told of each."""

    def __init__(self) -> None:
        self.requests = Requests(OPERATIONS)

    def sampler(
        self, services: Services, play: Matches, stores: Stores, sender: Sender | None
    ) -> Sampler:
        """What is sampled of it."""
        sampler = Sampler(listed.LOOP_LAG)
        sampler.totals(listed.REQUESTS, self.requests.counts)
        sampler.totals(listed.LIMITED, lambda: _limited(services))
        for kind in Followed:
            _show_open(sampler, services, kind)
        sampler.totals(listed.REFUSED, lambda: _by_word(play.handler.refused))
        sampler.totals(listed.BOT_COMMANDS, lambda: _by_word(play.bots.acted))
        sampler.gauge(listed.MATCHES, lambda: play.tables.in_memory)
        play.projector.put_after = listed.LAG_SECONDS.labels("views").observe
        _show_appends(sampler, stores.log.writer)
        _show_redis(sampler, services, play, stores)
        if sender is not None:
            sampler.totals(listed.ATTEMPTS, lambda: _by_word(sender.attempts))
        return sampler


def measured_keeping(kept: Kept, stores: Stores) -> Sampler:
    """What is sampled of the work that follows the log."""
    sampler, projections = Sampler(), kept.projections
    sampler.gauge(listed.REDIS_UP, lambda: not stores.server.is_away)
    projections.watch(_note_lag)
    sampler.each(lambda: _show_progress(kept))
    sampler.total(listed.SET_ASIDE, lambda: projections.progress().set_aside)
    sampler.total(listed.VIEWS_REPAIRED, lambda: projections.progress().views_repaired)
    sampler.total(listed.VIEWS_UNREADABLE, lambda: projections.progress().views_unreadable)
    sampler.gauge(listed.CHECKPOINT_EVENTS, lambda: kept.signing.size)
    sampler.gauge(listed.CHECKPOINT_TIME, lambda: kept.signing.signed_at or 0.0)
    sampler.totals(listed.ATTEMPTS, lambda: _by_word(kept.office.sender.attempts))
    sampler.asked(listed.DELIVERIES, kept.office.sender.waiting)
    return sampler


def note_append(batch: Appended) -> None:
    """Every batch, at once: there are fewer of them than commands."""
    listed.APPENDS.observe(batch.seconds)
    listed.APPEND_COMMANDS.observe(batch.commands)
    listed.EVENTS.inc(batch.events)


def _by_word(counted: Mapping[Word, int]) -> dict[Words, int]:
    return {(str(word),): count for word, count in counted.items()}


def _limited(services: Services) -> Mapping[Words, int]:
    """Refusals by the limits' names; streams have a limit of their own."""
    return _by_word({**services.limits.refused, "streams": services.streams.refused})


def _show_open(sampler: Sampler, services: Services, kind: Followed) -> None:
    sampler.gauge(listed.STREAMS.labels(str(kind)), lambda: services.streams.open[kind])


def _show_appends(sampler: Sampler, writer: Writer) -> None:
    writer.appended = note_append
    sampler.gauge(listed.APPENDS_WAITING, lambda: writer.waiting)
    sampler.totals(listed.NOT_APPENDED, lambda: _by_word(writer.not_appended))


def _show_redis(sampler: Sampler, services: Services, play: Matches, stores: Stores) -> None:
    """Whether it answers, and who went on without it."""
    boards, rankings = services.boards, services.rankings
    assert isinstance(boards, FallbackBoards) and isinstance(rankings, RankingReads)
    sampler.gauge(listed.REDIS_UP, lambda: not stores.server.is_away)
    sampler.total(listed.REDIS_FAILURES, lambda: stores.server.failures)
    without = {
        "boards": lambda: boards.spare_reads,
        "leaderboards": lambda: rankings.original_reads,
        "limits": lambda: services.limits.unlimited,
        "views": lambda: play.reading.without_store,
    }
    for what, read in without.items():
        sampler.total(listed.FALLBACKS.labels(what), read)


def _show_progress(kept: Kept) -> None:
    """Who leads, how far each has come, and whether it goes on. Only who leads knows the log."""
    progress, tallying, signing = kept.projections.progress(), kept.tallying, kept.signing
    failures = {
        "projections": (progress.is_leading, progress.failure),
        "statistics": (tallying.is_leading, tallying.failure),
        "checkpoints": (signing.is_leading, signing.failure),
        "deliveries": (kept.office.notices.is_leading, kept.office.notices.failure),
    }
    for work, (is_leading, failure) in failures.items():
        listed.LEADING.labels(work).set(is_leading)
        listed.FAILING.labels(work).set(failure is not None)
    positions = {
        "boards": (progress.is_leading, progress.boards_position),
        "views": (progress.is_leading, progress.views_position),
        "statistics": (tallying.is_leading, tallying.position),
    }
    listed.LOG_POSITION.set(progress.head)
    for projection, (is_leading, position) in positions.items():
        listed.POSITION.labels(projection).set(position)
        lag = max(0, progress.head - position) if is_leading else 0
        listed.LAG.labels(projection).set(lag)


def _note_lag(events: Sequence[Recorded]) -> None:
    """How long each of these events has waited for the boards."""
    now, lag = time.time(), listed.LAG_SECONDS.labels("boards")
    for recorded in events:
        lag.observe(max(0.0, now - recorded.occurred_at / _SECOND))
