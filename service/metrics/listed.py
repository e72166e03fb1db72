"""Every metric of the processes that serve and keep up, by its name; ``docs/operations`` explains.

No label holds an id, a name, an address or a token: labels are operations, statuses, codes and
other words of a list that the code has. Not here: who measures, nor how it is read.
"""

from __future__ import annotations

from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY: Final = CollectorRegistry()
LABELS: Final[dict[str, tuple[str, ...]]] = {}
"""What each metric is told apart by, by its name."""
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Below, the machine's noise; above, what nobody waits for."""
_LAGS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 600.0)
"""Of what is a poll behind at best, and may be an outage behind."""
_COMMANDS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_Mode = Literal["livesum", "livemax", "livemin"]
_IN_ALL: Final = "livesum"
"""Of a gauge that each process has its part of."""
_OF_ONE: Final = "livemax"
"""Of a gauge that one process has, or the furthest of several."""


def _counter(name: str, says: str, *labels: str) -> Counter:
    LABELS[name] = labels
    return Counter(name, says, labels, registry=REGISTRY)


def _gauge(name: str, says: str, *labels: str, mode: _Mode = _IN_ALL) -> Gauge:
    LABELS[name] = labels
    return Gauge(name, says, labels, registry=REGISTRY, multiprocess_mode=mode)


def _histogram(
    name: str, says: str, *labels: str, buckets: tuple[float, ...] = _SECONDS
) -> Histogram:
    LABELS[name] = labels
    return Histogram(name, says, labels, registry=REGISTRY, buckets=buckets)


REQUESTS: Final = _counter("talon_http_requests_total", "Requests answered", "operation", "status")
REQUEST_SECONDS: Final = _histogram(
    "talon_http_request_seconds", "From a request's head to the head of its answer", "operation"
)
LIMITED: Final = _counter("talon_http_limited_total", "Requests refused by a limit", "policy")
STREAMS: Final = _gauge("talon_streams_open", "Live streams and sockets that are open", "kind")

REFUSED: Final = _counter("talon_commands_refused_total", "Commands refused by the rules", "code")
BOT_COMMANDS: Final = _counter("talon_bot_commands_total", "What bots did at the tables", "kind")
MATCHES: Final = _gauge("talon_matches_in_memory", "Matches kept in memory, over all workers")
LOOP_LAG: Final = _histogram(
    "talon_loop_lag_seconds", "How late a worker comes to what is due, once a second"
)

APPENDS: Final = _histogram("talon_append_seconds", "How long Postgres takes to append a batch")
APPEND_COMMANDS: Final = _histogram(
    "talon_append_commands", "Commands appended with a batch", buckets=_COMMANDS
)
APPENDS_WAITING: Final = _gauge("talon_append_waiting", "Commands that wait for their append")
NOT_APPENDED: Final = _counter(
    "talon_append_refused_total", "Commands that were not appended", "reason"
)
EVENTS: Final = _counter("talon_events_written_total", "Events appended to the log")

REDIS_UP: Final = _gauge("talon_redis_up", "0 while a process gets no answer", mode="livemin")
REDIS_FAILURES: Final = _counter("talon_redis_failures_total", "Calls of Redis that failed")
FALLBACKS: Final = _counter(
    "talon_redis_fallbacks_total", "Requests served without Redis that would have used it", "what"
)

LEADING: Final = _gauge("talon_leading", "Whether this service leads in some work", "work")
LOG_POSITION: Final = _gauge("talon_log_position", "The log's last position", mode=_OF_ONE)
POSITION: Final = _gauge(
    "talon_projection_position", "Up to where it is projected", "projection", mode=_OF_ONE
)
LAG: Final = _gauge(
    "talon_projection_lag_events", "Events not projected yet", "projection", mode=_OF_ONE
)
LAG_SECONDS: Final = _histogram(
    "talon_projection_lag_seconds",
    "From an event's recorded time until it is projected",
    "projection",
    buckets=_LAGS,
)
FAILING: Final = _gauge("talon_keeper_failing", "Whether some work fails", "work", mode=_OF_ONE)
SET_ASIDE: Final = _counter("talon_projection_set_aside_total", "Matches set aside by the boards")
VIEWS_REPAIRED: Final = _counter("talon_views_repaired_total", "Views put right after their writer")
VIEWS_UNREADABLE: Final = _counter("talon_views_unreadable_total", "Views that cannot be made")

CHECKPOINT_EVENTS: Final = _gauge(
    "talon_checkpoint_events", "Events in the newest checkpoint", mode=_OF_ONE
)
CHECKPOINT_TIME: Final = _gauge(
    "talon_checkpoint_timestamp_seconds", "When the newest checkpoint was signed", mode=_OF_ONE
)

ATTEMPTS: Final = _counter("talon_webhook_attempts_total", "Deliveries tried", "outcome")
DELIVERIES: Final = _gauge(
    "talon_webhook_deliveries_waiting", "Deliveries still to be made", mode=_OF_ONE
)
