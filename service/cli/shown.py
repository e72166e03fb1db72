"""Foreign text on a terminal: nothing in it moves the cursor, colors, or turns the line around."""

from __future__ import annotations

import json


def shown(text: str) -> str:
    """The text with whatever cannot be printed written as JSON writes it, line ends included.

    What is JSON stays the same JSON.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def shown_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(shown, text.split("\n")))
