"""What is raised when a log contradicts itself."""

from __future__ import annotations


class CorruptLog(Exception):  # noqa: N818 - it is no error of the program
    """An event does not follow from those before it and the round's seed."""


def check(holds: bool, what: str) -> None:
    """Stop the fold unless ``holds``."""
    if not holds:
        raise CorruptLog(what)
