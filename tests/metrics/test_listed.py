"""The list of metrics: each explained on its page, named as Prometheus names, without a person."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.core import Metric

from service.metrics import listed
from service.metrics.exposition import Exposition
from tests.house.running import CHECKOUT, environment
from tests.metrics.scraped import scraped

PAGE = CHECKOUT / "docs" / "operations" / "metrics.md"
LABELS = {"operation", "status", "policy", "kind", "code", "reason", "what", "work"} | {
    "projection",
    "outcome",
    "process",
    "version",
}
"""What metrics are told apart by. A new one must not be anybody's, or any match's."""


@pytest.fixture
def exposition() -> Iterator[Exposition]:
    opened = Exposition("127.0.0.1", 0)
    yield opened
    opened.close()


def labels_of_all(exposition: Exposition) -> dict[str, set[str]]:
    """What each metric is told apart by, also those of the process that serves them."""
    own = {
        shown(metric): set().union(*(sample.labels for sample in metric.samples))
        for metric in scraped(exposition.url)
    }
    return own | {name: set(labels) for name, labels in listed.LABELS.items()}


def shown(metric: Metric) -> str:
    """The name by which a metric is asked for."""
    return f"{metric.name}_total" if metric.type == "counter" else metric.name


def test_every_metric_stands_on_its_page_with_its_labels_and_no_other(
    exposition: Exposition,
) -> None:
    rows = re.findall(r"^\| `(\w+)` \| \w+ \|([^|]*)\|", PAGE.read_text(), re.MULTILINE)
    told = {name: set(re.findall(r"`(\w+)`", labels)) for name, labels in rows}
    found = labels_of_all(exposition)
    if not Path("/proc/self/stat").exists():  # where the system tells nothing of processes
        told = {name: labels for name, labels in told.items() if not name.startswith("process_")}
    assert told == found


def test_metrics_are_told_apart_by_nothing_that_is_anybodys(exposition: Exposition) -> None:
    for name, labels in labels_of_all(exposition).items():
        assert labels <= LABELS, name


def test_names_are_as_prometheus_has_them() -> None:
    for metric in listed.REGISTRY.collect():
        assert re.fullmatch(r"talon(_[a-z]+)+", metric.name), metric.name
        assert not re.search(r"_(ms|milliseconds|minutes|count|sum|bucket)$", metric.name)
        assert metric.documentation


def test_without_the_setting_nothing_of_it_is_even_loaded() -> None:
    program = (
        "import sys, service.cli.worker, service.cli.keeper, service.cli.serve\n"
        "sys.exit('prometheus_client' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment({}), check=False)
    assert done.returncode == 0


def test_the_folder_goes_with_the_service() -> None:
    opened = Exposition("127.0.0.1", 0)
    (folder,) = opened.environment.values()
    assert Path(folder).is_dir()
    opened.close()
    assert not Path(folder).exists()
