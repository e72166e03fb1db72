"""The SQL of this package, one statement per file in ``sql``, loaded once by name."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def statement(name: str) -> str:
    """The text of ``sql/{name}.sql``."""
    return (files("infra.postgres") / "sql" / f"{name}.sql").read_text(encoding="utf-8")
