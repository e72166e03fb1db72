"""Sentences with holes, found again in what was made from them.

In English ``{}`` is any text. In French ``{}`` is that text as it is, ``{:words}`` put into French
itself; ``{1}`` and ``{1:words}`` name the second hole where the order differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property

HOLE = "{}"


class Catalog:
    """English templates with their French; ``words`` puts what stands in a hole into French."""

    def __init__(self, texts: Mapping[str, str], words: Callable[[str], str]) -> None:
        self._texts = texts
        self._words = words

    def find(self, english: str) -> str | None:
        """The French of a text; None if it was made from none of the templates."""
        if HOLE not in english and (known := self._texts.get(english)) is not None:
            return known
        for pattern, french in self._patterns:
            if found := pattern.fullmatch(english):
                return french.format(*(_Hole(text, self._words) for text in found.groups()))
        return None

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        """Compiled when somebody first reads French; those that say most are tried first."""
        with_holes = [english for english in self._texts if HOLE in english]
        with_holes.sort(key=lambda english: len(english.replace(HOLE, "")), reverse=True)
        return [(_pattern(english), self._texts[english]) for english in with_holes]


class _Hole:
    """What stands in a hole."""

    def __init__(self, text: str, words: Callable[[str], str]) -> None:
        self._text = text
        self._words = words

    def __format__(self, how: str) -> str:
        return self._words(self._text) if how else self._text


def _pattern(english: str) -> re.Pattern[str]:
    return re.compile("(.*?)".join(map(re.escape, english.split(HOLE))), re.DOTALL)
