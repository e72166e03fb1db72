"""The version of the program; the package's metadata take it from here."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"
