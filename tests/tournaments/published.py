"""The records of tournaments that are published for verifiers to be tried on."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[2] / "docs" / "vectors" / "tournaments"
SEEDS: Final = (5, 16, 22, 34)
"""A tournament of every format, with void tables, forfeits, substitutes, and a lot."""
