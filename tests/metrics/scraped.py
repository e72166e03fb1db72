"""What a running service shows of itself to whoever scrapes it."""

from __future__ import annotations

from collections.abc import Iterable

import httpx
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families


def scraped(url: str) -> list[Metric]:
    """All metrics at an address, as Prometheus reads them."""
    answer = httpx.get(url, timeout=30)
    assert answer.status_code == 200, answer.text
    return list(text_string_to_metric_families(answer.text))


def value(metrics: Iterable[Metric], name: str, **labels: str) -> float:
    """The sum of the samples of a name that have these labels; 0 if there are none."""
    return sum(
        sample.value
        for metric in metrics
        for sample in metric.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )
