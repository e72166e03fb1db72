"""Metrics on a port of their own, for as long as the service runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from service.cli.failure import Failure
from service.settings import Settings

if TYPE_CHECKING:
    from service.metrics.exposition import Exposition


@contextmanager
def exposed(settings: Settings) -> Iterator[Exposition | None]:
    """Serve metrics where the settings say; None, and nothing is imported, where they do not."""
    if settings.metrics_port is None:
        yield None
        return
    from service.metrics.exposition import Exposition

    host, port = settings.metrics_host, settings.metrics_port
    try:
        exposition = Exposition(host, port)
    except OSError as error:
        raise Failure(
            f"cannot serve metrics on {host} port {port}: {error.strerror}."
            " Another TALON_METRICS_PORT? (0 takes a free one)"
        ) from error
    try:
        yield exposition
    finally:
        exposition.close()
