"""Metrics on a port of their own: what all processes of a service count, added up.

Each process writes into a folder, which the one that started them reads when it is asked. What a
process counted stays when it dies; what it had open does not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from tempfile import TemporaryDirectory
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from service.listener import address_of
from service.version import VERSION

FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Where the library looks for the folder."""


class Exposition:
    """The server of one service's metrics, and the folder; raises OSError."""

    def __init__(self, host: str, port: int) -> None:
        self._folder = TemporaryDirectory(prefix="talon-metrics-", ignore_cleanup_errors=True)
        self._processes: Callable[[], Mapping[str, int]] = dict
        registry = CollectorRegistry()
        disable_created_metrics()  # type: ignore[no-untyped-call]
        MultiProcessCollector(registry, self._folder.name)  # type: ignore[no-untyped-call]
        registry.register(_Processes(self.processes))
        self._replaced = Counter(
            "talon_processes_replaced_total", "Processes that died", registry=registry
        )
        version = Gauge("talon_build_info", "The release", ("version",), registry=registry)
        version.labels(VERSION).set(1)
        try:
            self._server, self._thread = start_http_server(port, host, registry)
        except OSError:
            self._folder.cleanup()
            raise

    @property
    def url(self) -> str:
        """Where this machine reaches it."""
        return address_of(self._server.socket) + "/metrics"

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process must find in its environment to be counted."""
        return {FOLDER_VARIABLE: self._folder.name}

    def watch(self, processes: Callable[[], Mapping[str, int]]) -> None:
        """Show these as well, by their names, with their ids."""
        self._processes = processes

    def processes(self) -> Mapping[str, int]:
        """Every process of the service, by its name."""
        return {"serve": os.getpid(), **self._processes()}

    def died(self, process: int) -> None:
        """Forget what a process had open."""
        mark_process_dead(process, self._folder.name)  # type: ignore[no-untyped-call]
        self._replaced.inc()

    def close(self) -> None:
        """Stop serving, and drop the folder."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._folder.cleanup()


class _Processes(Collector):
    """Memory, processor time and files of each process, as far as the system tells."""

    def __init__(self, processes: Callable[[], Mapping[str, int]]) -> None:
        self._processes = processes

    def collect(self) -> Iterator[Metric]:
        found: dict[str, Metric] = {}
        for name, process in self._processes().items():
            for metric in _of_process(process):
                samples, metric.samples = metric.samples, []
                labels = {"process": name}
                found.setdefault(metric.name, metric).samples += [
                    one._replace(labels=labels) for one in samples
                ]
        return iter(found.values())


def _of_process(process: int) -> Iterable[Metric]:
    return ProcessCollector(pid=lambda: process, registry=None).collect()
