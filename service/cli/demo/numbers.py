"""Numbers of the command line that must lie in a range."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

Number = TypeVar("Number", int, float)


def between(least: Number, most: Number) -> Callable[[str], Number]:
    """What argparse calls to read an option: a number from ``least`` to ``most``."""

    def read(text: str) -> Number:
        try:
            value = type(least)(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")
        return value

    return read
