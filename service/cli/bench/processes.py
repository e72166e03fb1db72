"""Processor time of processes and their children, from /proc: what a command costs whom.

Linux only; elsewhere, or where a server runs on another machine, nothing is known.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_SERVERS: Final = ("postgres", "valkey-server", "redis-server")


def tree(root: int) -> tuple[int, ...]:
    """A process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit() and (fields := _stat(int(entry.name))):
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, queue = [], [root]
    while queue:
        process = queue.pop()
        found.append(process)
        queue += children.get(process, ())
    return tuple(found)


def seconds_of(root: int | None, *, servers: bool = True) -> float:
    """User and system seconds of a process tree so far; without ``servers`` theirs are left out.

    Those of children that have ended are in their parents' books.
    """
    if root is None:
        return 0.0
    ticks = 0
    for process in tree(root):
        fields = _stat(process)
        if fields and (servers or _name(process) not in _SERVERS):
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_kib(root: int) -> float:
    """Resident memory of a process tree without its servers."""
    pages = 0
    for process in tree(root):
        if _name(process) not in _SERVERS:
            try:
                pages += int((_PROC / str(process) / "statm").read_text().split()[1])
            except OSError:
                continue
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024


def parent_of(process: int) -> int | None:
    """The parent of a process on this machine; None if there is no such process."""
    fields = _stat(process)
    return int(fields[1]) if fields else None


def is_server(process: int | None) -> bool:
    """Whether a process of this machine is a Postgres, a Valkey or a Redis."""
    return process is not None and _name(process) in _SERVERS


def _name(process: int) -> str:
    try:
        return (_PROC / str(process) / "comm").read_text().strip()
    except OSError:
        return ""


def _stat(process: int) -> list[str] | None:
    """The fields of /proc/PID/stat after the name: state, parent, ...; None if it is gone."""
    try:
        return (_PROC / str(process) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
