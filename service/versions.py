"""Versions of a match over HTTP: entity tags that differ by who looks, and their conditions."""

from __future__ import annotations

import re
from typing import Final

from service.problems import Code, ProblemError, fail

SPECTATOR: Final = "s"
AUDITOR: Final = "a"
VARY: Final = "Authorization, Talon-Player, Talon-Invite"
"""What decides who looks."""
_TAG: Final = re.compile(r'(?:W/)?"(\d{1,9})(?:\.(\d{1,2}|s|a))?"')

Viewer = int | str
"""A seat, SPECTATOR or AUDITOR."""


def etag(version: int, viewer: Viewer) -> str:
    """The tag of an answer: what a seat sees is not what another sees at the same version."""
    return f'"{version}.{viewer}"'


def headers(version: int, viewer: Viewer) -> tuple[tuple[str, str], ...]:
    """What every answer carries that depends on who looks."""
    return (
        ("ETag", etag(version, viewer)),
        ("Cache-Control", "private, no-cache"),
        ("Vary", VARY),
    )


def is_current(if_none_match: str | None, version: int, viewer: Viewer) -> bool:
    """Whether the client has this very answer already (``If-None-Match``)."""
    if if_none_match is None:
        return False
    if if_none_match.strip() == "*":
        return True
    mine = (str(version), str(viewer))
    return any((found[1], found[2]) == mine for found in _tags(if_none_match))


def not_reached(version: int, asked: int) -> ProblemError:
    """The 412 for a read that asks for what has not happened yet."""
    detail = f"The match is at version {version}; version {asked} is not there yet."
    return fail(Code.VERSION_NOT_REACHED, detail, version=version)


def expected(if_match: str | None) -> int | None:
    """The version a command is meant for (``If-Match``); raises ProblemError (400)."""
    if if_match is None or if_match.strip() == "*":
        return None
    found = _TAG.fullmatch(if_match.strip())
    if found is None:
        raise fail(
            Code.INVALID_HEADER, 'If-Match is an ETag of this match, such as "17.2", or "17".'
        )
    return int(found[1])


def _tags(header: str) -> list[re.Match[str]]:
    tags = (_TAG.fullmatch(part.strip()) for part in header.split(","))
    return [tag for tag in tags if tag is not None]
