"""Which language a reader wants (``Accept-Language``): English or French."""

from __future__ import annotations

from typing import Final

ENGLISH: Final = "en"
FRENCH: Final = "fr"
LANGUAGES: Final = (ENGLISH, FRENCH)


def preferred(accept: str | None) -> str:
    """The language of LANGUAGES with the highest weight; English if none is named."""
    best, weight = ENGLISH, 0.0
    for part in (accept or "").split(","):
        tag, _, rest = part.strip().partition(";")
        language = tag.strip().lower().partition("-")[0]
        if language in LANGUAGES and _weight(rest) > weight:
            best, weight = language, _weight(rest)
    return best


def _weight(parameters: str) -> float:
    """The ``q`` of one part of the header; what is malformed weighs nothing."""
    name, _, value = parameters.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name.strip() == "q" else 0.0
    except ValueError:
        return 0.0
