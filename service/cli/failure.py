"""A command that cannot do its work says why in one sentence, without a stack trace."""

from __future__ import annotations


class Failure(Exception):  # noqa: N818
    """The message is for the person at the terminal; ``code`` is the exit code."""

    code = 1


class Misuse(Failure):
    """What was typed makes no sense."""

    code = 2
