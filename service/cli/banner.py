"""What ``talon serve`` prints once it answers: where, and what to try first."""

from __future__ import annotations

from pathlib import Path

from service.settings import Settings

_FIRST_CALL = """\
  A first call, in another terminal:

    curl -s {url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Ann"}}'
"""
_FIRST_APP = """\
  Only applications create players here. A key for one, from another terminal:

    ./talon token app --name "My app"
"""


def banner(url: str, settings: Settings, data: Path, metrics: str | None = None) -> str:
    """Some lines for a person; ``settings`` are those given, without what was filled in."""
    own = [
        name
        for name, given in (("Postgres", settings.database_url), ("Valkey", settings.redis_url))
        if given is None
    ]
    kept = f"{data} ({' and '.join(own)} of its own)" if own else "on the servers that you named"
    measured = f"  Metrics           {metrics}\n" if metrics is not None else ""
    first = _FIRST_CALL if settings.open_registration else _FIRST_APP
    return (
        f"\n  Talon is ready at {url}\n\n"
        f"  Documentation     {url}/docs\n"
        f"  Interface         {url}/openapi.json\n"
        f"  Data              {kept}\n"
        f"{measured}\n"
        f"{first.format(url=url)}\n  Ctrl-C stops it.\n"
    )
